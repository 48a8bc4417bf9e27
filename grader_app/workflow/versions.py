"""What grades given under an earlier version of a question would be under the version that stands."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.grade import Grade, GradeEntry, counted_marks, overall_score
from grader_app.domain.item import Item
from grader_app.domain.rubric import Rubric
from grader_app.workflow.rulings import GradedBefore, graded_before
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class ReadAnew:
    """One grade, and how it would read under the version of its question that stands.

    Parameters
    ----------
    before
        The grade as it was given; it stays as it is whatever is decided.
    changes
        What would be otherwise, a sentence each; nothing when it would read the same.
    would_count
        The score under the version that stands; None where it would have none.
    counted
        The score as given; None for a condition code.
    """

    before: GradedBefore
    changes: tuple[str, ...]
    would_count: float | None
    counted: float | None

    @property
    def by_how_much(self) -> float | None:
        """How much the score would move; None where one of the two is missing."""
        if self.would_count is None or self.counted is None:
            return None
        return self.would_count - self.counted


def read_anew(bench: Workbench, item: str) -> list[ReadAnew]:
    """Show for each grade that waits for a decision what the version that stands would make of it.

    Notes
    -----
    Nothing is moved: a grade stays under the version it was given under. The lead keeps it or asks for it
    again, with `rulings.keep_grades` and `rulings.recall_grades`.
    """
    material = bench.material()
    new, rubric = material.item(item), material.rubrics[item]
    found = graded_before(bench, item)
    with bench.record() as record:
        grades = [record.grades[one.assignment_id] for one in found]
    return [_read_anew(bench, one, grade, new, rubric) for one, grade in zip(found, grades, strict=True)]


def _read_anew(bench: Workbench, before: GradedBefore, grade: Grade, new: Item, rubric: Rubric) -> ReadAnew:
    old = bench.kept_item(grade.item_hash)
    old_rubric = bench.kept_rubric(grade.rubric_hash)
    fits = _as_far_as_it_fits(grade, old_rubric, rubric)
    changes = [
        *_points(grade, old, new),
        *_names_gone(grade, rubric),
        *_scale(grade, old_rubric, rubric),
        *_criteria(grade, rubric),
    ]
    would = overall_score(rubric, fits)
    counted = counted_marks(rubric, fits)
    changes += [
        f"{criterion.title} counted {grade.marks[criterion.id]:g} and would count {counted[criterion.id]:g}."
        for criterion in rubric.criteria
        if criterion.id in grade.marks
        and criterion.id in counted
        and grade.marks[criterion.id] != counted[criterion.id]
    ]
    if would is not None and grade.score is not None and would != grade.score:
        changes.append(f"The score {grade.score:g} would be {would:g} ({would - grade.score:+g}).")
    return ReadAnew(before, tuple(changes), would, grade.score)


def _as_far_as_it_fits(grade: Grade, old: Rubric, new: Rubric) -> GradeEntry:
    ranges = {criterion.id: criterion.range for criterion in new.criteria}
    by_grader = old.score.given_by == new.score.given_by == "grader"
    score = grade.score if by_grader and grade.score is not None else None
    return GradeEntry(
        score=score if score is not None and new.score.range.contains(score) else None,
        marks={c: m for c, m in grade.marks_entered.items() if c in ranges and ranges[c].contains(m)},
        error_types=tuple(e for e in grade.error_types if e in {one.id for one in new.error_types}),
        condition_code=grade.condition_code,
    )


def _points(grade: Grade, old: Item, new: Item) -> list[str]:
    before = {point.id: point.text for issue in old.sheet.issues for point in issue.points}
    after = {point.id: point.text for issue in new.sheet.issues for point in issue.points}
    gone = [name for name in grade.points if name not in after]
    reworded = [name for name in grade.points if name in after and before.get(name) != after[name]]
    added = sorted(after.keys() - before.keys())
    found = []
    if gone:
        found.append(f"Ticked and no longer on the sheet: {', '.join(gone)}.")
    if reworded:
        found.append(f"Ticked and worded anew: {', '.join(reworded)}.")
    if added:
        found.append(f"New on the sheet and never looked for: {', '.join(added)}.")
    return found


def _names_gone(grade: Grade, rubric: Rubric) -> list[str]:
    found = []
    for what, names, known in (
        ("error types", grade.error_types, {one.id for one in rubric.error_types}),
        ("gaps", grade.analysis_gaps, {one.id for one in rubric.analysis_gaps}),
    ):
        if gone := [name for name in names if name not in known]:
            found.append(f"Marked {what} that the rubric no longer has: {', '.join(gone)}.")
    codes = {one.id: one.counts_as for one in rubric.condition_codes}
    if grade.condition_code is not None and grade.condition_code not in codes:
        found.append(f"The code {grade.condition_code} is no longer in the rubric.")
    return found


def _scale(grade: Grade, old: Rubric, new: Rubric) -> list[str]:
    if grade.score is None:
        return []
    if old.score.given_by != new.score.given_by:
        return ["The score is made up in another way now."]
    if new.score.given_by == "grader" and not new.score.range.contains(grade.score):
        scale = new.score.range
        return [
            f"The score {grade.score:g} is off the scale, which runs from {scale.lowest:g} to "
            f"{scale.highest:g} in steps of {scale.step:g}."
        ]
    return []


def _criteria(grade: Grade, rubric: Rubric) -> list[str]:
    if grade.condition_code is not None:
        return []
    found = []
    ranges = {criterion.id: criterion.range for criterion in rubric.criteria}
    if gone := [c for c in grade.marks_entered if c not in ranges]:
        found.append(f"Marked criteria that the rubric no longer has: {', '.join(gone)}.")
    off = [c for c, mark in grade.marks_entered.items() if c in ranges and not ranges[c].contains(mark)]
    if off:
        found.append(f"Marks off their scale: {', '.join(off)}.")
    if missing := [c.title for c in rubric.criteria if c.id not in grade.marks_entered]:
        found.append(f"Never marked, since it is new: {', '.join(missing)}.")
    return found
