"""Words of an answer that a grader attached to a point, an error type or an analysis gap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

Evidences = Literal["point", "error_type", "analysis_gap"]
"""What words can be attached to."""

EVIDENCES: tuple[Evidences, ...] = get_args(Evidences)


@dataclass(frozen=True, order=True)
class Highlight:
    """Words of an answer, and what they show.

    Parameters
    ----------
    start, end
        Place in the text as stored, in Unicode code points, end exclusive: ``text[start:end]`` in Python.
    of
        ``point``, ``error_type`` or ``analysis_gap``.
    id
        Which one, as the point sheet or the rubric names it.
    """

    start: int
    end: int
    of: Evidences
    id: str

    def words(self, stored: str) -> str:
        """Give the words themselves, from the text as stored."""
        return stored[self.start : self.end]

    def as_json(self) -> dict[str, Any]:
        """Give the highlight as a grade event holds it."""
        return {"start": self.start, "end": self.end, "of": self.of, "id": self.id}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Highlight:
        """Read a highlight from a grade event."""
        return cls(body["start"], body["end"], body["of"], body["id"])
