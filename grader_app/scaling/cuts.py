"""Totals judged against the passing line and the band whose papers are read again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from grader_app.domain.published_cuts import CUTS
from grader_app.domain.round import Cut
from grader_app.scaling.rounding import Rounding
from grader_app.scaling.scaled import Scaled

Judgment = Literal["pass", "fail", "reread"]
JUDGMENTS: tuple[str, ...] = get_args(Judgment)

_STEPS: dict[str, float] = {"total_to_tenths": 0.1, "total_to_hundredths": 0.01, "none": 0}
_SAME = 1e-9


def judged(total: float, cut: Cut) -> Judgment:
    """Judge a reported total.

    Parameters
    ----------
    total
        As reported, after rounding: a total is never judged by digits that nobody sees.
    cut
        The passing total and, if there is one, the band of totals whose papers are read again.

    Returns
    -------
    str
        ``reread`` inside the band, both ends included, on whichever side of the line it lies; else ``pass``
        from the line on, and ``fail`` below it.

    Examples
    --------
    >>> new_york = Cut(total=266, reread_from=262, reread_to=265)
    >>> [judged(total, new_york) for total in (261, 262, 265, 266)]
    ['fail', 'reread', 'reread', 'pass']
    """
    if in_band(total, cut):
        return "reread"
    return "pass" if reaches(total, cut) else "fail"


def reaches(total: float, cut: Cut) -> bool:
    """Say whether a reported total is on the line or above it."""
    return total >= cut.total - _SAME


def in_band(total: float, cut: Cut) -> bool:
    """Say whether a reported total lies in the band that is read again, both ends included."""
    low, high = cut.reread_from, cut.reread_to
    return low is not None and high is not None and low - _SAME <= total <= high + _SAME


def spoken_total(total: float, cut: Cut | None) -> str:
    """Write a total in six digits, or in as many as show on which side of the line and the band it lies.

    Examples
    --------
    >>> line = Cut(total=266)
    >>> [spoken_total(total, line) for total in (266, 265.2, 271.12345678, 265.99996)]
    ['266', '265.2', '271.123', '265.99996']
    """
    said = f"{total:g}"
    if cut is None or (reaches(float(said), cut), in_band(float(said), cut)) == (
        reaches(total, cut),
        in_band(total, cut),
    ):
        return said
    return f"{total:.10g}"


@dataclass(frozen=True)
class Judged:
    """A scaled pool judged.

    Parameters
    ----------
    cut
        The line and the band.
    by_candidate
        Judgment by candidate id; None without a total, which is no failure.
    notes
        What to know of the line and the band, in sentences.
    """

    cut: Cut
    by_candidate: dict[str, Judgment | None]
    notes: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many candidates passed, failed, are to be read again, and have no total."""
        found = Counter(self.by_candidate.values())
        return {
            "pass": found["pass"],
            "fail": found["fail"],
            "reread": found["reread"],
            "no_total": found[None],
        }

    def as_json(self) -> dict[str, object]:
        """Return the line, the band, the counts and the notes as plain values."""
        cut = self.cut.model_dump()
        return {**cut, "counts": self.counts, "notes": list(self.notes)}


def judge(scaled: Scaled, cut: Cut, read_again: Collection[str] = ()) -> Judged:
    """Judge every candidate with a total; candidates left out of the scaling are not judged at all.

    Parameters
    ----------
    scaled, cut
        The pool and its line.
    read_again
        Candidates whose papers have been read again: for them the line alone decides.
    """
    line_alone = cut.model_copy(update={"reread_from": None, "reread_to": None})
    found = {
        row.candidate_id: None
        if row.total is None
        else judged(row.total, line_alone if row.candidate_id in read_again else cut)
        for row in scaled.candidates
    }
    totals = [row.total for row in scaled.candidates if row.total is not None]
    return Judged(cut, found, (*_notes(cut, scaled.rounding), *_far_from_line(cut, totals)))


def step_of(rounding: Rounding) -> float:
    """Return the step of reported totals, in points; 0 where they are not rounded."""
    return _STEPS.get(rounding, 1)


def _far_from_line(cut: Cut, totals: list[float]) -> Iterator[str]:
    if totals and (max(totals) < cut.total * 0.75 or min(totals) > cut.total / 0.75):
        yield (
            f"Nobody comes near the line: totals run from {min(totals):g} to {max(totals):g}, and "
            f"{cut.total:g} passes. Check that the line is on the scale of these totals."
        )


def _notes(cut: Cut, rounding: Rounding) -> Iterator[str]:
    if cut.preset is not None:
        published = CUTS[cut.preset]
        yield " ".join((f"Cut {cut.preset} ({published.title}). {published.says}", *published.assumptions))
        yield f"Source: {published.source}."
    if cut.reread_to is not None and cut.reread_to < cut.total:
        step = step_of(rounding)
        if cut.reread_to + step < cut.total - _SAME or step == 0:
            yield (
                f"With the rounding {rounding} a total can lie above the band ({cut.reread_to:g}) and below "
                f"the line ({cut.total:g}): it fails without being read again."
            )
