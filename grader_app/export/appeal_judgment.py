"""One judgment of an answer as an appeal packet shows it: in words, and without the person who gave it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from grader_app.domain.grade import Grade
from grader_app.domain.highlight import EVIDENCES
from grader_app.domain.rubric import Rubric
from grader_app.export.results import Results

WordsOf = Callable[[str], str | None]
"""Gives the words kept under a hash; None where they are not at hand, or were retired."""

NOT_AT_HAND = "Something was written here. Its words are not at hand."


@dataclass(frozen=True)
class ShownPassage:
    """Where a passage stands in the answer, what it shows, and its words where they are at hand."""

    start: int
    end: int
    shows: str
    words: str | None = None


@dataclass(frozen=True)
class ShownJudgment:
    """A read, or an adjudication, without a name.

    Parameters
    ----------
    name
        ``Reader 1``, or ``Adjudicator``.
    judged
        The score in points, or the condition code in words.
    marks
        Mark by the title of its criterion.
    points, errors, gaps
        What was credited and what was marked, in the words of point sheet and rubric.
    n_points
        How many points the point sheet has.
    passages
        Highlights, in the order of the text.
    counts
        Whether the final score rests on it.
    note
        What was written with it, if that may be printed: the words, or that they are not at hand.
    """

    name: str
    judged: str
    marks: Mapping[str, float]
    points: tuple[str, ...]
    n_points: int
    errors: tuple[str, ...]
    gaps: tuple[str, ...]
    passages: tuple[ShownPassage, ...]
    counts: bool
    note: str | None = None


def shown_judgment(
    results: Results,
    grade: Grade,
    name: str,
    *,
    counts: bool,
    note: str | None = None,
    answer: str | None = None,
) -> ShownJudgment:
    """Put a judgment into words.

    Parameters
    ----------
    results
        The round.
    grade
        The judgment.
    name
        Under which it is shown.
    counts, note
        As in `ShownJudgment`.
    answer
        The answer's text, where it is at hand.
    """
    rubric = results.record.rubric(grade.rubric_hash)
    points = _points_of(results, grade)
    errors, gaps = (
        {one.id: one.title for one in kind} for kind in (rubric.error_types, rubric.analysis_gaps)
    )
    named = dict(zip(EVIDENCES, (points, errors, gaps), strict=True))
    return ShownJudgment(
        name,
        _judged(grade, rubric),
        {one.title: grade.marks[one.id] for one in rubric.criteria if one.id in grade.marks},
        tuple(f"Point {number}: {text}" for number, text in _credited(points, grade.points)),
        len(points),
        _said(errors, grade.error_types),
        _said(gaps, grade.analysis_gaps),
        tuple(
            ShownPassage(
                one.start,
                one.end,
                named[one.of].get(one.id, one.id),
                None if answer is None else one.words(answer),
            )
            for one in grade.highlights
        ),
        counts,
        note,
    )


def note_of(results: Results, grade: Grade, words_of: WordsOf) -> str | None:
    """Give what a grader wrote with a grade; None where nothing was written."""
    digest = results.events[grade.event_seq - 1].body.get("note_hash")
    return words_or_none(digest, words_of)


def words_or_none(digest: str | None, words_of: WordsOf) -> str | None:
    """Give the words under a hash, or say that they are not at hand; None where there is no hash."""
    return None if digest is None else words_of(digest) or NOT_AT_HAND


def _judged(grade: Grade, rubric: Rubric) -> str:
    if grade.condition_code is None:
        return f"{grade.score:g}"
    return next(code.title for code in rubric.condition_codes if code.id == grade.condition_code)


def _points_of(results: Results, grade: Grade) -> dict[str, str]:
    """Give the words of each point of the point sheet under which a grade was given, by id."""
    kept = results.inputs.files.get(grade.item_hash)
    issues = kept["content"]["sheet"].get("issues", ()) if kept else ()
    return {point["id"]: point["text"] for issue in issues for point in issue["points"]}


def _credited(points: Mapping[str, str], ids: Sequence[str]) -> list[tuple[int, str]]:
    """Give the points credited, each with its number on the point sheet, in the order of the sheet."""
    return [(number, text) for number, (one, text) in enumerate(points.items(), start=1) if one in ids]


def _said(words: Mapping[str, str], ids: Sequence[str]) -> tuple[str, ...]:
    return tuple(words.get(one, one) for one in ids)
