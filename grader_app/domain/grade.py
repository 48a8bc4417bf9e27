"""A grader's whole judgment of one answer, and the rules by which it fits its rubric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from grader_app.domain.events import Event
from grader_app.domain.held_once import held_once
from grader_app.domain.highlight import Highlight
from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.rubric import Criterion, Rubric
from grader_app.domain.score_range import ScoreRange
from grader_app.errors import GradeProblem


@dataclass(frozen=True)
class GradeEntry:
    """What a grader entered.

    Parameters
    ----------
    score
        Overall score in points; None when it follows from the criteria or a condition code is given.
    marks
        Mark by criterion id, as the grader gave it.
    error_types, analysis_gaps
        Ids of the errors and gaps marked.
    points
        Ids of the point-sheet points found in the answer.
    condition_code
        Id of a judgment that is not a score, or None.
    highlights
        Words attached to points, error types and gaps, in any order.
    """

    score: float | None = None
    marks: Mapping[str, float] | None = None
    error_types: tuple[str, ...] = ()
    analysis_gaps: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    condition_code: str | None = None
    highlights: tuple[Highlight, ...] = ()


class Grade(NamedTuple):
    """A grade that stands, as read back from its event.

    Parameters
    ----------
    event_seq
        The event that holds it.
    assignment_id, response_id, item, grader_id, read_number
        What was graded, by whom, and as which read.
    score
        Overall score in points; None when a condition code was given.
    marks
        Mark by criterion id as it counts, after the rubric's rules.
    marks_entered
        Mark by criterion id as the grader gave it.
    error_types, analysis_gaps, points, condition_code
        As in `GradeEntry`.
    rubric, rubric_version, rubric_hash
        The rubric it was given under.
    submitted_at
        UTC time of the act.
    replaces
        Event that this one corrects, or None.
    item_hash
        Content hash of the item it was given under; empty in logs that do not say.
    seconds_spent
        Active time in seconds, idle time left out; None where it was not measured.
    highlights
        Words attached to points, error types and gaps, in the order of the text.
    keyed
        True when others typed it from the grader's score sheet, twice.
    """

    event_seq: int
    assignment_id: str
    response_id: str
    item: str
    grader_id: str
    read_number: int
    score: float | None
    marks: Mapping[str, float]
    marks_entered: Mapping[str, float]
    error_types: tuple[str, ...]
    analysis_gaps: tuple[str, ...]
    points: tuple[str, ...]
    condition_code: str | None
    rubric: str
    rubric_version: str
    rubric_hash: str
    submitted_at: str
    replaces: int | None = None
    item_hash: str = ""
    seconds_spent: float | None = None
    highlights: tuple[Highlight, ...] = ()
    keyed: bool = False

    def value(self, facet: str) -> float | None:
        """Give the rating on one facet: ``score`` or a criterion id; None when there is none."""
        if self.condition_code is not None:
            return None
        return self.score if facet == "score" else self.marks.get(facet)


_NO_MARKS: Mapping[str, float] = {}


@lru_cache(maxsize=4096)
def _alike(names: tuple[str, ...]) -> tuple[str, ...]:
    """Give one object for equal lists of names; the same points are found in thousands of answers."""
    return names


def grade_of(
    event: Event,
    *,
    response_id: str,
    item: str,
    grader_id: str,
    assignment_id: str = "",
    read_number: int = 0,
) -> Grade:
    """Read a grade from its event.

    Parameters
    ----------
    event
        Its body holds the values, as `grade_body` gives them.
    response_id, item, grader_id, assignment_id, read_number
        As in `Grade`; the last two are empty and 0 for a judgment that is no read of a queue.
    """
    body = event.body
    return Grade(
        event_seq=event.seq,
        assignment_id=assignment_id,
        response_id=response_id,
        item=item,
        grader_id=grader_id,
        read_number=read_number,
        score=body["score"],
        marks=body["marks"] or _NO_MARKS,
        marks_entered=body["marks_entered"] or _NO_MARKS,
        error_types=_alike(tuple(body["error_types"])),
        analysis_gaps=_alike(tuple(body["analysis_gaps"])),
        points=_alike(tuple(body["points"])),
        condition_code=body["condition_code"],
        # What thousands of grades have in common is held once.
        rubric=held_once(body["rubric"]),
        rubric_version=held_once(body["rubric_version"]),
        rubric_hash=held_once(body["rubric_hash"]),
        submitted_at=event.at,
        replaces=body.get("replaces"),
        item_hash=held_once(body.get("item_hash", "")),
        seconds_spent=body.get("seconds_spent"),
        highlights=tuple(Highlight.from_json(one) for one in body.get("highlights", ())),
        keyed="keyed" in body,
    )


def counted_marks(rubric: Rubric, entry: GradeEntry) -> dict[str, float]:
    """Apply the rubric's rules to the marks a grader gave.

    Parameters
    ----------
    rubric
        Its criteria say which rules hold.
    entry
        The marks and the errors marked.

    Returns
    -------
    dict
        Mark by criterion id as it counts, in the rubric's order.

    Notes
    -----
    ``zero_if_any_error``: one marked error sets the criterion to 0. ``needs``: while the needed
    criterion stands at its lowest mark, ``if_unmet: zero`` sets this one to 0; ``warn`` and
    ``ignore`` leave it. Where 0 is not on the criterion's scale its lowest mark is taken.
    """
    counted: dict[str, float] = {}
    for criterion in _needed_first(rubric):
        mark = (entry.marks or {}).get(criterion.id)
        forced = criterion.zero_if_any_error and bool(entry.error_types)
        unmet = criterion.if_unmet == "zero" and _unmet(rubric, criterion, counted)
        if forced or unmet:
            counted[criterion.id] = 0.0 if criterion.lowest <= 0 <= criterion.highest else criterion.lowest
        elif mark is not None:
            counted[criterion.id] = float(mark)
    return {c.id: counted[c.id] for c in rubric.criteria if c.id in counted}


def overall_score(rubric: Rubric, entry: GradeEntry) -> float | None:
    """Give the one number an answer receives, or None while it is incomplete or coded."""
    if entry.condition_code is not None:
        return None
    if rubric.score.given_by == "grader":
        return None if entry.score is None else float(entry.score)
    counted = counted_marks(rubric, entry)
    if len(counted) < len(rubric.criteria):
        return None
    if rubric.score.given_by == "sum":
        return sum(counted.values())
    weights = {c.id: c.weight if c.weight is not None else 1.0 for c in rubric.criteria}
    return sum(weights[c] * mark for c, mark in counted.items()) / sum(weights.values())


def check_grade(rubric: Rubric, sheet: PointSheet, entry: GradeEntry) -> None:
    """Refuse a grade that its rubric and point sheet do not allow.

    Raises
    ------
    GradeProblem
        With every reason in one message.
    """
    problems = [
        *_unknown_names(rubric, sheet, entry),
        *_wrong_values(rubric, entry),
        *_loose_highlights(entry),
    ]
    if problems:
        raise GradeProblem(" ".join(problems))


def warnings_for(rubric: Rubric, entry: GradeEntry) -> list[str]:
    """List what the rubric only warns about: a mark given although the criterion it needs is unmet."""
    counted = counted_marks(rubric, entry)
    return [
        f"{c.title} is marked although {c.needs} is not met."
        for c in rubric.criteria
        if c.needs
        and c.if_unmet == "warn"
        and counted.get(c.id, c.lowest) > c.lowest
        and _unmet(rubric, c, counted)
    ]


def grade_body(rubric: Rubric, entry: GradeEntry) -> dict[str, Any]:
    """Give the part of a grade event's body that holds the values, each exactly as its scale has it."""
    entry = _on_the_scale(rubric, entry)
    return {
        "score": overall_score(rubric, entry),
        "marks": {} if entry.condition_code else counted_marks(rubric, entry),
        "marks_entered": dict(entry.marks or {}),
        "error_types": sorted(set(entry.error_types)),
        "analysis_gaps": sorted(set(entry.analysis_gaps)),
        "points": sorted(set(entry.points)),
        "condition_code": entry.condition_code,
        "highlights": [one.as_json() for one in sorted(set(entry.highlights))],
        "rubric": rubric.id,
        "rubric_version": rubric.version,
        "rubric_hash": rubric.content_hash,
    }


def _on_the_scale(rubric: Rubric, entry: GradeEntry) -> GradeEntry:
    ranges = {criterion.id: criterion.range for criterion in rubric.criteria}
    marks = {c: ranges[c].nearest(m) if c in ranges else m for c, m in (entry.marks or {}).items()}
    score = None if entry.score is None else rubric.score.range.nearest(entry.score)
    same = score == entry.score and marks == (entry.marks or {})
    return entry if same else replace(entry, score=score, marks=marks)


def _needed_first(rubric: Rubric) -> list[Criterion]:
    """Order criteria so that each comes after the one it needs."""
    placed: list[Criterion] = []
    left = list(rubric.criteria)
    while left:
        ready = [c for c in left if c.needs is None or c.needs in {p.id for p in placed}]
        # A circle of needs is refused by the rubric's own check; taking the rest keeps this loop finite.
        placed += ready or left
        left = [c for c in left if c not in placed]
    return placed


def _unmet(rubric: Rubric, criterion: Criterion, counted: Mapping[str, float]) -> bool:
    if criterion.needs is None:
        return False
    needed = next(c for c in rubric.criteria if c.id == criterion.needs)
    return needed.id in counted and counted[needed.id] <= needed.lowest


def _unknown_names(rubric: Rubric, sheet: PointSheet, entry: GradeEntry) -> list[str]:
    known = {
        "criterion": ({c.id for c in rubric.criteria}, tuple(entry.marks or {})),
        "error type": ({e.id for e in rubric.error_types}, entry.error_types),
        "analysis gap": ({g.id for g in rubric.analysis_gaps}, entry.analysis_gaps),
        "point": ({p.id for issue in sheet.issues for p in issue.points}, entry.points),
        "condition code": (
            {c.id for c in rubric.condition_codes},
            (entry.condition_code,) if entry.condition_code else (),
        ),
    }
    return [
        f"There is no {what} `{name}`; choose one the rubric or point sheet lists."
        for what, (names, used) in known.items()
        for name in used
        if name not in names
    ]


def _loose_highlights(entry: GradeEntry) -> list[str]:
    """Find words attached to what is not marked."""
    marked = {"point": entry.points, "error_type": entry.error_types, "analysis_gap": entry.analysis_gaps}
    loose = sorted({one.id for one in entry.highlights if one.id not in marked[one.of]})
    return [
        f"Words are attached to `{name}`, which is not marked; mark it, or take them off." for name in loose
    ]


def _wrong_values(rubric: Rubric, entry: GradeEntry) -> list[str]:
    if entry.condition_code is not None:
        if entry.score is not None:
            return ["A condition code stands in for the score; give one or the other."]
        return _wrong_marks(rubric, entry)
    problems = []
    if rubric.score.given_by == "grader":
        if entry.score is None:
            problems.append("No score was given; choose one, or a condition code.")
        elif not rubric.score.range.contains(entry.score):
            scale = _in_words(rubric.score.range)
            problems.append(f"The score {entry.score:g} is not on the scale {scale}; choose one that is.")
    elif entry.score is not None:
        problems.append("The score of this rubric follows from its criteria; mark those.")
    problems += _wrong_marks(rubric, entry)
    missing = [c.title for c in rubric.criteria if c.id not in counted_marks(rubric, entry)]
    if missing:
        problems.append(f"Not marked yet: {', '.join(missing)}.")
    return problems


def _wrong_marks(rubric: Rubric, entry: GradeEntry) -> list[str]:
    marks = entry.marks or {}
    return [
        f"{c.title}: {marks[c.id]:g} is not on the scale {_in_words(c.range)}; choose one that is."
        for c in rubric.criteria
        if marks.get(c.id) is not None and not c.range.contains(marks[c.id])
    ]


def _in_words(scale: ScoreRange) -> str:
    return f"{scale.lowest:g} to {scale.highest:g} in steps of {scale.step:g}"
