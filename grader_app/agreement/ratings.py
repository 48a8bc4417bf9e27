"""A table of ratings, responses by graders, on the scale they were given on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from grader_app.agreement import reading
from grader_app.agreement.codes import Codes, Floats, Integers, Repeats, compact, varies
from grader_app.agreement.scale import Scale
from grader_app.errors import RatingsProblem

if TYPE_CHECKING:
    import pandas as pd


class Numbered(Sequence[str]):
    """Names r1, r2, …, made only when asked for.

    Examples
    --------
    >>> list(Numbered("r", 2))
    ['r1', 'r2']
    """

    def __init__(self, letter: str, n: int) -> None:
        self._letter = letter
        self._places = range(1, n + 1)

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return [f"{self._letter}{number}" for number in self._places[place]]
        return f"{self._letter}{self._places[place]}"


@dataclass(frozen=True, eq=False)
class Ratings:
    """Who gave which response which score.

    Parameters
    ----------
    codes
        Responses by graders; each cell is the place of the score on the scale, -1 where none was given.
    scale
        The declared scale.
    responses, graders
        Names of the rows and of the columns.
    idle_graders
        Graders named in the table who rated nothing; they have no column.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"essay": ["e1", "e2"], "Ann": [4, 2], "Bob": [5, None]})
    >>> ratings = Ratings.from_wide(table, scale="0:6")
    >>> ratings.n_ratings, ratings.n_paired
    (3, 1)
    """

    codes: Codes
    scale: Scale
    responses: Sequence[str]
    graders: tuple[str, ...]
    idle_graders: tuple[str, ...] = ()

    @classmethod
    def from_long(
        cls,
        table: pd.DataFrame,
        response: str | Sequence[str] = "response_id",
        grader: str = "grader_id",
        score: str = "score",
        *,
        scale: Scale | str | Sequence[object],
        repeats: Repeats | None = None,
        lines: Sequence[int] | None = None,
    ) -> Ratings:
        """Read one rating a row.

        Parameters
        ----------
        table
            One row a rating.
        response, grader, score
            The columns; several response columns together name a response.
        scale
            ``"0:6"``, ``"0:6:0.5"``, ``"a,b,c"`` or the values in order; never inferred.
        repeats
            What to do when a grader scored a response twice: refuse (None), or keep the first, the
            last or the mean.
        lines
            The line of each row in its file, for messages.

        Returns
        -------
        Ratings

        Raises
        ------
        RatingsProblem
            When a column is missing, a score is off the scale, or a pair repeats; rows are named.
        """
        keys = [response] if isinstance(response, str) else list(response)
        declared = Scale.of(scale)
        return cls._of(reading.from_long(table, keys, grader, score, declared, repeats, lines), declared)

    @classmethod
    def from_wide(
        cls,
        table: pd.DataFrame,
        *,
        scale: Scale | str | Sequence[object],
        repeats: Repeats | None = None,
        lines: Sequence[int] | None = None,
        many_graders: bool = False,
    ) -> Ratings:
        """Read one response a row: first its id, then one column a grader.

        Parameters
        ----------
        table
            One row a response.
        scale, repeats, lines
            As for `from_long`.
        many_graders
            Say that a table much wider than long is not turned by mistake.

        Returns
        -------
        Ratings

        Raises
        ------
        RatingsProblem
            As for `from_long`, and when the table is turned or holds counts instead of scores.
        """
        declared = Scale.of(scale)
        found = reading.from_wide(table, declared, repeats, lines, many_graders=many_graders)
        return cls._of(found, declared)

    @classmethod
    def _of(cls, found: reading.Reading, scale: Scale) -> Ratings:
        return cls(found.codes, scale, found.responses, found.graders, found.idle_graders)

    @classmethod
    def from_codes(
        cls,
        codes: NDArray[np.integer],
        *,
        scale: Scale | str | Sequence[object],
        responses: Sequence[str] | None = None,
        graders: Sequence[str] | None = None,
    ) -> Ratings:
        """Take places on the scale (0 is its lowest score, -1 missing) as they are."""
        declared = Scale.of(scale)
        if codes.ndim != 2 or (codes.size and (codes.min() < -1 or codes.max() >= declared.n_points)):
            raise RatingsProblem(
                f"Codes must be a responses by graders table of places from 0 to {declared.n_points - 1}, "
                "with -1 for missing. Pass scores through from_long or from_wide instead."
            )
        rows, columns = codes.shape
        return cls(
            compact(codes, declared.n_points),
            declared,
            tuple(responses) if responses is not None else Numbered("r", rows),
            tuple(graders) if graders is not None else tuple(Numbered("g", columns)),
        )

    @property
    def n_graders(self) -> int:
        """How many graders gave at least one score."""
        return len(self.graders)

    @cached_property
    def ratings_per_response(self) -> Integers:
        """How many scores each response has."""
        kind = np.int8 if self.n_graders < 128 else np.int64
        counts: Integers = np.add.reduce(self.codes >= 0, axis=1, dtype=kind).astype(np.int64)
        return counts

    @cached_property
    def n_ratings(self) -> int:
        """How many scores were given."""
        return int(self.ratings_per_response.sum())

    @cached_property
    def n_paired(self) -> int:
        """How many responses have two scores or more."""
        return int(np.count_nonzero(self.ratings_per_response >= 2))

    @cached_property
    def paired(self) -> Codes:
        """The rows of responses with two scores or more."""
        rows: Codes = self.codes[self.ratings_per_response >= 2]
        return rows

    @cached_property
    def complete(self) -> Codes:
        """The rows of responses that every grader scored."""
        if self.is_complete:
            return self.codes
        rows: Codes = self.codes[self.ratings_per_response == self.n_graders]
        return rows

    @property
    def is_complete(self) -> bool:
        """Whether every grader scored every response."""
        return self.n_ratings == self.codes.size

    @cached_property
    def paired_variation(self) -> bool:
        """Whether the scores of responses with two scores or more are not all the same."""
        return varies(self.paired if self.n_paired < len(self.codes) else self.codes)

    def scores(self, codes: Codes | None = None) -> Floats:
        """Return the scores as numbers, missing as nan."""
        points = np.append(self.scale.numbers, np.nan)
        return points[self.codes if codes is None else codes]

    def of_graders(self, *graders: str) -> Ratings:
        """Return the table of some graders only.

        Raises
        ------
        RatingsProblem
            When a grader is not in the table.
        """
        unknown = [name for name in graders if name not in self.graders]
        if unknown:
            raise RatingsProblem(f"No ratings by {', '.join(unknown)}. Graders: {', '.join(self.graders)}.")
        columns = [self.graders.index(name) for name in graders]
        return Ratings(
            compact(self.codes[:, columns], self.scale.n_points), self.scale, self.responses, graders
        )

    def without(self, left_out: Collection[str]) -> Ratings:
        """Return the table without some responses, and without graders who rated none of the others."""
        rows = [place for place, name in enumerate(self.responses) if name not in left_out]
        codes = self.codes[rows]
        columns = np.flatnonzero((codes >= 0).any(axis=0))
        return Ratings(
            compact(codes[:, columns], self.scale.n_points),
            self.scale,
            tuple(self.responses[place] for place in rows),
            tuple(self.graders[place] for place in columns),
        )
