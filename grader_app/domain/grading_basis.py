"""On what footing each grader graded each item: qualified, allowed by the lead, or neither."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from grader_app.domain.calibration_record import Attempt, Override
from grader_app.domain.grading_record import GradingRecord

Footing = Literal["qualified", "overridden", "not_calibrated"]


@dataclass(frozen=True)
class GradingBasis:
    """One grader's footing on one item.

    Parameters
    ----------
    grader_id, item
        Who graded what.
    footing
        ``qualified`` (by a packet's gate, in any version of the item that was graded), ``overridden`` (the
        lead allowed it), or ``not_calibrated``.
    attempts
        Gated attempts, first to last.
    overrides
        The lead's decisions, first to last, those taken back too.
    """

    grader_id: str
    item: str
    footing: Footing
    attempts: tuple[Attempt, ...]
    overrides: tuple[Override, ...]


def grading_bases(record: GradingRecord) -> list[GradingBasis]:
    """Give the footing of everyone who has a live grade or calibrated, by item and grader.

    Parameters
    ----------
    record
        The round.
    """
    graded = {(grade.item, grade.grader_id) for grade in record.grades.values()}
    tried = {(a.item, a.grader_id) for a in record.calibration.attempts.values() if a.number > 0}
    allowed = {(item, grader) for (grader, item), made in record.calibration.overrides.items() if made}
    return [_basis(record, grader, item) for item, grader in sorted(graded | tried | allowed)]


def basis_sentences(record: GradingRecord) -> list[str]:
    """Say how the graders of each graded item stood, and print each reason for which one was let in.

    Notes
    -----
    The reason is printed as the lead wrote it; the grader is named by the id that the tables use.
    """
    graded = {(grade.item, grade.grader_id) for grade in record.grades.values()}
    bases = [one for one in grading_bases(record) if (one.item, one.grader_id) in graded]
    sentences = []
    for item in record.items():
        here = [one for one in bases if one.item == item]
        if not here:
            continue
        qualified = sum(one.footing == "qualified" for one in here)
        if qualified == len(here):
            sentences.append(f"{item}: all {len(here)} graders qualified on a calibration packet first.")
            continue
        sentences.append(
            f"Graders not calibrated: {len(here) - qualified} of {len(here)} who graded {item} had not "
            "qualified for it."
        )
        sentences += _reasons(item, here)
    return sentences


def all_qualified(record: GradingRecord) -> bool:
    """Say whether every live grade was given by somebody who qualified for its item."""
    graded = {(grade.item, grade.grader_id) for grade in record.grades.values()}
    footing = {(one.item, one.grader_id): one.footing for one in grading_bases(record)}
    return bool(graded) and all(footing[one] == "qualified" for one in graded)


def _reasons(item: str, bases: Iterable[GradingBasis]) -> list[str]:
    """Print each reason once, with the graders it let in, and when that was taken back."""
    by_reason: dict[tuple[str, str], list[str]] = {}
    for one in bases:
        if one.footing == "overridden":
            for leave in one.overrides:
                named = by_reason.setdefault((leave.reason, _taken_back(leave)), [])
                if one.grader_id not in named:
                    named.append(one.grader_id)
    return [
        f"{item}: the panel lead let {', '.join(graders)} grade without having qualified. "
        f"Reason given: {reason}{taken_back}"
        for (reason, taken_back), graders in by_reason.items()
    ]


def _taken_back(leave: Override) -> str:
    if leave.taken_back_at is None:
        return ""
    stop = "" if leave.reason.endswith((".", "!", "?")) else "."
    return f"{stop} Taken back on {leave.taken_back_at[:10]}. Reason given: {leave.taken_back_why}"


def _basis(record: GradingRecord, grader_id: str, item: str) -> GradingBasis:
    attempts = tuple(a for a in record.calibration.attempts_of(grader_id, item) if a.number > 0)
    overrides = tuple(record.calibration.overrides.get((grader_id, item), ()))
    footing: Footing = "not_calibrated"
    if any(a.judgment is not None and a.judgment.outcome == "qualified" for a in attempts):
        footing = "qualified"
    elif overrides:
        footing = "overridden"
    return GradingBasis(grader_id, item, footing, attempts, overrides)
