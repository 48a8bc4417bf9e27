"""A YAML file as read: data with the physical line of every value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from grader_app.domain.model import Location
from grader_app.errors import Problem


@dataclass(frozen=True)
class Document:
    """A YAML file as read: its data, where each value stands, and what is wrong with its YAML.

    Parameters
    ----------
    path
        The file, as the person named it.
    data
        Dictionaries, lists, text, numbers, true, false and None.
    marks
        Physical line of each key and list entry, by the keys and positions that lead to it.
    faulty
        Where a problem has been reported already.
    problems
        Everything wrong with the YAML itself.
    """

    path: str
    data: Any
    marks: dict[Location, int] = field(repr=False)
    faulty: frozenset[Location] = field(repr=False)
    problems: tuple[Problem, ...]

    def line_of(self, loc: Location) -> int:
        """Find the physical line of a value.

        Parameters
        ----------
        loc
            Keys and list positions that lead to it, as pydantic gives them.

        Returns
        -------
        int
            The line of its key or dash; for a value that is absent, of what should hold it.
        """
        while loc and loc not in self.marks:
            loc = loc[:-1]
        return self.marks.get(loc, 1)

    def problem(self, loc: Location, what: str, fix: str) -> Problem:
        """Make a problem that points at a value.

        Parameters
        ----------
        loc
            Keys and list positions that lead to the value.
        what, fix
            What is wrong, and what to do.

        Returns
        -------
        Problem
            With this file's name and the value's line.
        """
        return Problem(self.path, self.line_of(loc), what, fix)
