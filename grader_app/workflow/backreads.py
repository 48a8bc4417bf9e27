"""Backreads: the lead grades a random answer of a grader's again, blind, to see whether they still agree."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass

from grader_app.domain.events import EventKind
from grader_app.domain.grade import Grade, GradeEntry, check_grade, grade_body
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.settling import Backread
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.store.event_log import append
from grader_app.store.texts import get_text_or_none, keep_text
from grader_app.workflow.grade_submission import LONGEST_NOTE
from grader_app.workflow.papers import Read, read_of, text_of_answer
from grader_app.workflow.qualification import enabled_graders
from grader_app.workflow.workbench import Workbench

_SAME = 1e-9


@dataclass(frozen=True)
class PaperToBackread:
    """A graded answer before the lead, its grade hidden.

    Parameters
    ----------
    assignment_id, response_id, item, grader_id
        The answer and whose grade it has.
    text
        As the grader saw it.
    """

    assignment_id: str
    response_id: str
    item: str
    grader_id: str
    text: str


@dataclass(frozen=True)
class Comparison:
    """A backread beside the grade it is held against.

    Parameters
    ----------
    event_seq, at
        The backread.
    assignment_id, response_id, item, grader_id
        The answer and whose grade it has.
    text
        As the grader saw it.
    theirs, own
        The grader's judgment as it stood then, and the lead's.
    status
        Where the answer stands now.
    word
        What the lead wrote to the grader about it, or nothing.
    """

    event_seq: int
    at: str
    assignment_id: str
    response_id: str
    item: str
    grader_id: str
    text: str
    theirs: Read
    own: Read
    status: str
    word: str


@dataclass(frozen=True)
class BackreadFigures:
    """How a grader's grades of one item compare with the backreads of them.

    Parameters
    ----------
    grader_id, item
        Who, on what.
    graded
        Live grades that could be backread.
    n
        How many backreads there are.
    scored
        How many of them have two scores; the rest carry a condition code.
    exact, exact_or_adjacent
        Shares of those; None where there is none.
    difference
        Mean of the backread's score minus the grader's: positive is a harsh grader. None where there is none.
    """

    grader_id: str
    item: str
    graded: int
    n: int
    scored: int
    exact: float | None
    exact_or_adjacent: float | None
    difference: float | None


def next_to_backread(bench: Workbench, actor: str, grader_id: str, item: str) -> PaperToBackread | None:
    """Draw a graded answer of a grader's at random; None when all were looked at.

    Notes
    -----
    The draw is a pure function of the round's seed and the answer, so that a reload shows the same paper,
    and it leaves out what the lead has seen the grades of already.
    """
    with bench.record() as record:
        found = _open_grades(record, actor).get((grader_id, item), [])
        seed = record.round.seed if record.round else 0
    if not found:
        return None
    drawn = min(found, key=lambda grade: _lot(seed, grade.assignment_id))
    text = text_of_answer(bench, drawn.response_id)
    return PaperToBackread(drawn.assignment_id, drawn.response_id, drawn.item, grader_id, text)


def longest_unchecked_or_none(bench: Workbench, actor: str) -> tuple[str, str] | None:
    """Give the grader and item that were not checked longest: never before long ago, most grades first."""
    graders, items = [grader.account_id for grader in enabled_graders(bench)], bench.material().items
    with bench.record() as record:
        last: dict[tuple[str, str], int] = {}
        for one in record.settling.backreads:
            last[one.grader_id, one.given.item] = one.given.event_seq
        left = {pair: len(grades) for pair, grades in _open_grades(record, actor).items()}
    open_ones = [pair for pair in left if pair[0] in graders and pair[1] in items]
    return min(open_ones, key=lambda pair: (last.get(pair, 0), -left[pair], pair), default=None)


def backread(bench: Workbench, actor: str, assignment_id: str, entry: GradeEntry) -> int:
    """Record a lead's own judgment of a graded answer; give its event. It changes no score.

    Raises
    ------
    GradeProblem
        It does not fit the rubric.
    NotAllowed
        The answer has no grade, its source is known, or it was backread already.
    """
    material = bench.material()
    with bench.store.write() as connection:
        with bench.record() as record:
            grade = record.grades.get(assignment_id)
            open_ones = _open_grades(record, actor)
            if grade is None or grade not in open_ones.get((grade.grader_id, grade.item), []):
                raise NotAllowed("This answer cannot be read back any more. Reload the page for another.")
        item = material.item(grade.item)
        rubric = material.rubrics[item.id]
        check_grade(rubric, item.sheet, entry)
        body = {
            "item": item.id,
            "response_id": grade.response_id,
            "grader_id": grade.grader_id,
            "of": grade.event_seq,
            **grade_body(rubric, entry),
            "item_version": item.version,
            "item_hash": item.content_hash,
        }
        return append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.GRADE_BACKREAD,
            subject=assignment_id,
            body=body,
        )


def write_to_grader(bench: Workbench, actor: str, backread_seq: int, words: str) -> None:
    """Write to a grader about a backread; they read it on their page, without the lead's score.

    Raises
    ------
    GradeProblem
        There are no words, or too many.
    NotAllowed
        There is no such backread, or the grader has had a word about it.

    Notes
    -----
    A grade corrected afterwards no longer enters figures on agreement: the version before the word does.
    """
    if not words.strip():
        raise GradeProblem("Write to the grader what you want them to know.")
    if len(words) > LONGEST_NOTE:
        raise GradeProblem(f"The note has {len(words):,} characters; keep it to {LONGEST_NOTE:,}.")
    with bench.store.write() as connection:
        with bench.record() as record:
            made = _find(record, backread_seq)
            if any(word.backread == backread_seq for word in record.settling.words):
                raise NotAllowed("You have written to the grader about this answer already.")
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.GRADE_BACKREAD,
            subject=made.given.assignment_id,
            body={"stage": "word", "backread": backread_seq, "note_hash": keep_text(connection, words)},
        )


def compare(bench: Workbench, backread_seq: int) -> Comparison:
    """Give a backread beside the grade it is held against.

    Raises
    ------
    NotAllowed
        There is no such backread.
    """
    with bench.record() as record:
        made = _find(record, backread_seq)
        theirs = _held_against(record, made)
        status = record.standing(made.given.response_id).status
        digest = next((w.note_hash for w in record.settling.words if w.backread == backread_seq), None)
    text = text_of_answer(bench, made.given.response_id)
    return Comparison(
        backread_seq,
        made.given.submitted_at,
        made.given.assignment_id,
        made.given.response_id,
        made.given.item,
        made.grader_id,
        text,
        read_of(theirs, text),
        read_of(made.given, text),
        status,
        (get_text_or_none(bench.store, digest) or "") if digest else "",
    )


def backreads_by(bench: Workbench, actor: str) -> list[tuple[int, str]]:
    """List the backreads a lead has made, latest first: the event and the answer's id for its grader."""
    with bench.record() as record:
        own = [one for one in record.settling.backreads if one.given.grader_id == actor]
    return [(one.given.event_seq, one.given.assignment_id) for one in reversed(own)]


def backread_figures(bench: Workbench) -> list[BackreadFigures]:
    """Give the figures of every grader and item with a live grade, by item and grader."""
    with bench.record() as record:
        graded: dict[tuple[str, str], int] = defaultdict(int)
        for grade in record.grades.values():
            graded[grade.item, grade.grader_id] += 1
        pairs: dict[tuple[str, str], list[tuple[Grade, Grade]]] = defaultdict(list)
        for made in record.settling.backreads:
            pairs[made.given.item, made.grader_id].append((_held_against(record, made), made.given))
        steps = {item: max(1.0, record.rubric_of(item).score.step) for item in {item for item, _ in graded}}
    return [
        _figures(grader_id, item, count, pairs[item, grader_id], steps[item])
        for (item, grader_id), count in sorted(graded.items())
    ]


def words_to(bench: Workbench, grader_id: str) -> list[tuple[str, str, str]]:
    """List what leads wrote to a grader after backreads, latest first: the answer's id, UTC time, words."""
    with bench.record() as record:
        found = [
            word
            for word in reversed(record.settling.words)
            if record.assignments[word.assignment_id].grader_id == grader_id
        ]
    return [
        (word.assignment_id, word.at, get_text_or_none(bench.store, word.note_hash) or "") for word in found
    ]


def _open_grades(record: GradingRecord, actor: str) -> dict[tuple[str, str], list[Grade]]:
    """List by grader and item the grades that can be read back.

    Notes
    -----
    Not those that were, and not those of answers whose grades this lead has seen.
    """
    done = {made.given.assignment_id for made in record.settling.backreads}
    over = record.revealed | record.withdrawn
    over |= {made.given.response_id for made in record.settling.backreads if made.given.grader_id == actor}
    for kept in (record.settling.first_looks, record.settling.adjudications):
        over |= {r for r, made in kept.items() if any(one.given.grader_id == actor for one in made)}
    found: dict[tuple[str, str], list[Grade]] = defaultdict(list)
    for assignment_id, grade in record.grades.items():
        if assignment_id not in done and grade.response_id not in over:
            found[grade.grader_id, grade.item].append(grade)
    return dict(found)


def _figures(
    grader_id: str, item: str, graded: int, pairs: list[tuple[Grade, Grade]], step: float
) -> BackreadFigures:
    apart = [
        own.score - theirs.score
        for theirs, own in pairs
        if own.score is not None and theirs.score is not None
    ]
    if not apart:
        return BackreadFigures(grader_id, item, graded, len(pairs), 0, None, None, None)
    return BackreadFigures(
        grader_id,
        item,
        graded,
        len(pairs),
        len(apart),
        sum(abs(one) <= _SAME for one in apart) / len(apart),
        sum(abs(one) <= step + _SAME for one in apart) / len(apart),
        sum(apart) / len(apart),
    )


def _held_against(record: GradingRecord, made: Backread) -> Grade:
    """Give the grade as it stood when the lead read the answer back."""
    return next(grade for grade in record.history[made.given.assignment_id] if grade.event_seq == made.of)


def _find(record: GradingRecord, backread_seq: int) -> Backread:
    for made in record.settling.backreads:
        if made.given.event_seq == backread_seq:
            return made
    raise NotAllowed("There is no such backread. Reload the page.")


def _lot(seed: int, assignment_id: str) -> str:
    return hashlib.sha256(f"{seed}\nbackread\n{assignment_id}".encode()).hexdigest()
