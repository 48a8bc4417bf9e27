"""How a grade would read under another version of its rubric and point sheet; the grade itself stays."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.grade import Grade, GradeEntry, counted_marks, overall_score
from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.rubric import Rubric

_TOLERANCE = 1e-9


@dataclass(frozen=True)
class ReadAnew:
    """A grade beside what the same entries would come to under another version.

    Parameters
    ----------
    score
        What would count; None where a condition code stands in for it, or the entries no longer make one.
    makes_a_score
        False when the entries would be refused: off the scale, incomplete, or a code that is gone.
    moved
        Score under the other version less the score given; None where either is missing.
    differs
        What reads differently, in words; empty when nothing does.
    """

    score: float | None
    makes_a_score: bool
    moved: float | None
    differs: tuple[str, ...]


def read_anew(grade: Grade, old: tuple[Rubric, PointSheet], new: tuple[Rubric, PointSheet]) -> ReadAnew:
    """Read a grade's entries under another version.

    Parameters
    ----------
    grade
        As it stands.
    old, new
        The rubric and the point sheet it was given under, and those to read it under.

    Notes
    -----
    Nothing is guessed: a criterion that is new stays unmarked, and a mark off its new scale is left out, so
    that the score made up of them is missing until its grader looks again.
    """
    (old_rubric, old_sheet), (rubric, sheet) = old, new
    said = [
        *_points(grade, old_sheet, sheet),
        *_named(grade.error_types, {one.id for one in rubric.error_types}, "error type", "error types"),
        *_named(grade.analysis_gaps, {one.id for one in rubric.analysis_gaps}, "gap", "gaps"),
    ]
    if grade.condition_code is not None:
        code_says = _code(grade.condition_code, old_rubric, rubric)
        known = {code.id for code in rubric.condition_codes}
        return ReadAnew(None, grade.condition_code in known, None, (*code_says, *said))
    entry = _kept_entry(grade, rubric)
    score = overall_score(rubric, entry)
    moved = None if score is None or grade.score is None else score - grade.score
    said = [
        *_score(grade, old_rubric, rubric, score),
        *_criteria(grade, old_rubric, rubric, counted_marks(rubric, entry)),
        *said,
    ]
    if moved is not None and abs(moved) <= _TOLERANCE:
        moved = 0.0
    return ReadAnew(score, score is not None, moved, tuple(said))


def _kept_entry(grade: Grade, rubric: Rubric) -> GradeEntry:
    """Keep of a grade what the other rubric has a place for."""
    ranges = {criterion.id: criterion.range for criterion in rubric.criteria}
    marks = {c: m for c, m in grade.marks_entered.items() if c in ranges and ranges[c].contains(m)}
    errors = {one.id for one in rubric.error_types}
    score = grade.score
    if rubric.score.given_by != "grader" or score is None or not rubric.score.range.contains(score):
        score = None
    return GradeEntry(score, marks, tuple(one for one in grade.error_types if one in errors))


def _score(grade: Grade, old: Rubric, new: Rubric, score: float | None) -> list[str]:
    given = grade.score
    if given is None:
        return []
    scale = new.score.range
    if old.score.given_by != new.score.given_by:
        who = {
            "grader": "given by the grader",
            "sum": "the sum of the criteria",
            "weighted_mean": "the mean of the criteria",
        }
        said = [f"the score is now {who[new.score.given_by]}"]
    elif new.score.given_by == "grader" and not scale.contains(given):
        return [
            f"score {given:g} is off the new scale, {scale.lowest:g} to {scale.highest:g} "
            f"in steps of {scale.step:g}"
        ]
    else:
        said = []
    if new.score.given_by == "grader":
        if (scale.lowest, scale.highest) != (old.score.lowest, old.score.highest):
            said.append(f"the scale now runs from {scale.lowest:g} to {scale.highest:g}")
        before, after = old.get_level_or_none(given), new.get_level_or_none(given)
        if before != after:
            said.append(f"what {given:g} means has been reworded")
    elif score is not None and abs(score - given) > _TOLERANCE:
        said.append(f"score {score:g} in place of {given:g}")
    return said


def _criteria(grade: Grade, old: Rubric, new: Rubric, counted: dict[str, float]) -> list[str]:
    before, after = ({c.id: c for c in rubric.criteria} for rubric in (old, new))
    said = [f"{c.title} is no longer marked" for c in old.criteria if c.id not in after]
    for criterion in new.criteria:
        mark = grade.marks_entered.get(criterion.id)
        if criterion.id not in before:
            said.append(f"{criterion.title} is new and not marked")
        elif mark is not None and not criterion.range.contains(mark):
            said.append(
                f"{criterion.title}: {mark:g} is off the new scale, "
                f"{criterion.lowest:g} to {criterion.highest:g}"
            )
        elif criterion.id in grade.marks and criterion.id in counted:
            was, would = grade.marks[criterion.id], counted[criterion.id]
            if abs(was - would) > _TOLERANCE:
                said.append(f"{criterion.title} counts {would:g} in place of {was:g} ({would - was:+g})")
    return said


def _points(grade: Grade, old: PointSheet, new: PointSheet) -> list[str]:
    before, after = ({point.id: point.text for point in sheet.points} for sheet in (old, new))
    reworded = sum(one in before and one in after and before[one] != after[one] for one in grade.points)
    said = list(_named(grade.points, set(after), "point ticked", "points ticked"))
    if reworded:
        one_or_more = "point ticked has" if reworded == 1 else "points ticked have"
        said.append(f"{reworded} {one_or_more} new words")
    added = len(after.keys() - before.keys())
    if added:
        said.append(f"{added} {'point is' if added == 1 else 'points are'} new and not ticked")
    return said


def _named(marked: tuple[str, ...], known: set[str], one: str, several: str) -> list[str]:
    gone = sorted(set(marked) - known)
    if not gone:
        return []
    return [f"{len(gone)} {one if len(gone) == 1 else several} no longer there: {', '.join(gone)}"]


def _code(code_id: str, old: Rubric, new: Rubric) -> list[str]:
    before, after = ({code.id: code for code in rubric.condition_codes} for rubric in (old, new))
    if code_id not in after:
        return [f"the code {before[code_id].title} is no longer there"]
    if before[code_id].counts_as != after[code_id].counts_as:
        return [f"the code {after[code_id].title} counts in another way"]
    return []
