"""What a grader learns after a packet, and what the panel's meeting looks at."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from grader_app.agreement.of_attempt import (
    AttemptReport,
    Reference,
    essay_of,
    is_scored,
    references_of,
    report_of_attempt,
)
from grader_app.domain.calibration_record import Attempt, FrozenReference
from grader_app.domain.events import EventKind
from grader_app.domain.grade import Grade
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.qualification import set_content
from grader_app.errors import NotAllowed
from grader_app.store.event_log import append
from grader_app.store.responses import get_response_or_none
from grader_app.store.set_papers import text_hash_of
from grader_app.store.texts import get_text_or_none
from grader_app.workflow.calibration import own_attempt
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class PaperFeedback:
    """One paper after the packet: what one gave beside the reference.

    Parameters
    ----------
    essay
        The name by which the panel speaks of the paper.
    text
        The paper.
    gave, reference
        Score or condition code of the grader, and of the reference.
    apart
        Own score minus the reference, in points; None where one of them is a code.
    rationale
        Why the reference is what it is.
    only_mine, only_reference
        Points ticked by the grader alone, and made by the paper according to the reference alone; None where
        the reference lists no points.
    """

    essay: str
    text: str
    gave: str
    reference: str
    apart: float | None
    rationale: str
    only_mine: tuple[str, ...] | None
    only_reference: tuple[str, ...] | None


@dataclass(frozen=True)
class Feedback:
    """An attempt's report and its papers, those furthest from the reference first; a code is furthest."""

    attempt: Attempt
    report: AttemptReport
    papers: tuple[PaperFeedback, ...]


def feedback_of(bench: Workbench, grader_id: str, attempt_id: str) -> Feedback:
    """Give a grader's own feedback on a finished packet.

    Raises
    ------
    NotAllowed
        The packet is not finished, or the lead holds feedback until the panel has met.
    """
    attempt = own_attempt(bench, grader_id, attempt_id)
    with bench.record() as record:
        if attempt.judgment is None and is_scored(record, attempt):
            raise NotAllowed("Your scores are in. Feedback comes once the panel lead has judged the packet.")
        if attempt.judgment is None:
            raise NotAllowed("Feedback comes once the packet is finished.")
        if attempt.set_id in record.calibration.held:
            raise NotAllowed(
                "The panel lead shows the references at the panel's meeting. Your scores are in."
            )
        return _feedback(bench, record, attempt)


def hold_feedback(bench: Workbench, actor: str, set_id: str, *, held: bool) -> None:
    """Hold the feedback on a set until the panel's meeting, or release it."""
    kind = EventKind.FEEDBACK_HELD if held else EventKind.FEEDBACK_RELEASED
    with bench.store.write() as connection, bench.record() as record:
        if set_id not in record.calibration.current_sets:
            raise NotAllowed("There is no such calibration set. Reload the page.")
        if (set_id in record.calibration.held) == held:
            return
        append(connection, at=bench.now(), actor=actor, kind=kind, subject=set_id)


@dataclass(frozen=True)
class MeetingPaper:
    """One paper at the panel's meeting.

    Parameters
    ----------
    essay, text, rationale
        The paper.
    response_id
        Its id, by which a panel's consensus is recorded.
    reference
        Reference score or code in words; a dash where the panel has still to make it.
    given
        Score or code of each reader, by the reader's letter.
    apart
        Highest minus lowest score, in points; 0 with one reader. Infinite where a code stands against a score
        or another code.
    points
        Share of the readers who ticked each point, by point; only points on which they differ.
    middle
        The panel's middle score, the lower of two middles; None where a reader gave a code.
    """

    essay: str
    text: str
    rationale: str
    response_id: str
    reference: str
    given: dict[str, str]
    apart: float
    points: dict[str, float]
    middle: float | None


def meeting_of(bench: Workbench, set_id: str, packet: int = 1) -> tuple[MeetingPaper, ...]:
    """Give the papers of a packet, the furthest apart first, with readers as letters.

    Notes
    -----
    Only finished packets count, so that nobody's first impression is shown while they still score. Letters
    are drawn for each packet anew: who is reader C of one is somebody else in another. A reader who finishes
    later gets a letter of their own, and the others keep theirs.
    """
    with bench.record() as record:
        done = finished_attempts(record, set_id, packet)
        letters = _letters(_attempts_at(record, set_id, packet))
        by_paper: dict[str, dict[str, Grade]] = defaultdict(dict)
        references: dict[str, Reference] = {}
        names: dict[str, str] = {}
        for attempt in done:
            made = references_of(record, attempt) if packet == 1 else {}
            for a in attempt.assignment_ids:
                response_id = record.assignments[a].response_id
                by_paper[response_id][letters[attempt.grader_id]] = record.check_grades[a]
                names[response_id] = essay_of(record, a)
                frozen = record.calibration.frozen.get(response_id)
                if frozen is not None:
                    references[response_id] = _reference_of(frozen, names[response_id])
                elif a in made:
                    references[response_id] = made[a]
    found = [
        _meeting_paper(bench, response_id, names[response_id], references.get(response_id), reads)
        for response_id, reads in by_paper.items()
    ]
    return tuple(sorted(found, key=lambda paper: (-paper.apart, paper.essay)))


def finished_attempts(record: GradingRecord, set_id: str, packet: int = 1) -> list[Attempt]:
    """List the attempts at a packet in which every paper has a score, in the order they were begun."""
    return [attempt for attempt in _attempts_at(record, set_id, packet) if is_scored(record, attempt)]


def text_of_paper(bench: Workbench, response_id: str) -> str:
    """Give the text of an answer, or of a calibration set's paper."""
    response = get_response_or_none(bench.store, response_id)
    digest = response.text_hash if response else text_hash_of(bench.store, response_id)
    return (get_text_or_none(bench.store, digest) or "") if digest else ""


def _attempts_at(record: GradingRecord, set_id: str, packet: int) -> list[Attempt]:
    """List the attempts at a packet, finished or not, in the order they were begun.

    Notes
    -----
    The papers of a set may be others in its next version. Those a panel draws stay the same.
    """
    current = record.calibration.current_sets.get(set_id)
    if current is None:
        return []
    any_version = set_content(record, current)["reference"] == "panel"
    return [
        attempt
        for attempt in record.calibration.attempts.values()
        if (attempt.set_id, attempt.packet) == (set_id, packet)
        and (any_version or attempt.set_hash == current)
    ]


def _letters(attempts: list[Attempt]) -> dict[str, str]:
    """Give each reader a letter that stays theirs, whoever else begins or finishes.

    Notes
    -----
    The alphabet is shuffled and dealt out in the order of beginning, so a letter says nothing of that order.
    The first attempt's random id is the seed: no other packet has it.
    """
    if not attempts:
        return {}
    alphabet = list(ascii_uppercase)
    random.Random(attempts[0].attempt_id).shuffle(alphabet)
    graders = dict.fromkeys(attempt.grader_id for attempt in attempts)
    rounds = [divmod(at, len(alphabet)) for at in range(len(graders))]
    letters = [alphabet[at] * (times + 1) for times, at in rounds]
    return {grader_id: f"Reader {letter}" for grader_id, letter in zip(graders, letters, strict=True)}


def _meeting_paper(
    bench: Workbench, response_id: str, essay: str, reference: Reference | None, reads: dict[str, Grade]
) -> MeetingPaper:
    scores = sorted(grade.score for grade in reads.values() if grade.score is not None)
    codes = {grade.condition_code for grade in reads.values()}
    ticked: dict[str, int] = defaultdict(int)
    for grade in reads.values():
        for point in grade.points:
            ticked[point] += 1
    apart = scores[-1] - scores[0] if scores else 0.0
    if len(codes) > 1:
        apart = float("inf")  # a code against a score, or another code, is further apart than any two scores
    return MeetingPaper(
        essay,
        text_of_paper(bench, response_id),
        reference.rationale if reference else "",
        response_id,
        _in_words(reference.score, reference.condition_code) if reference else "\N{EN DASH}",
        {letter: _in_words(g.score, g.condition_code) for letter, g in sorted(reads.items())},
        apart,
        {p: n / len(reads) for p, n in sorted(ticked.items()) if n < len(reads)},
        middle_score(scores) if codes == {None} else None,
    )


def middle_score(scores: Sequence[float]) -> float:
    """Give the middle score, the lower of two middle ones, so that it is always a score somebody gave.

    Parameters
    ----------
    scores
        At least one, in any order.

    Examples
    --------
    >>> middle_score([5, 2, 3]), middle_score([4, 3])
    (3, 3)
    """
    return sorted(scores)[(len(scores) - 1) // 2]


def _feedback(bench: Workbench, record: GradingRecord, attempt: Attempt) -> Feedback:
    references = _references(record, attempt)
    papers = [
        _paper_feedback(
            record.check_grades[a],
            references[a],
            text_of_paper(bench, record.assignments[a].response_id),
        )
        for a in attempt.assignment_ids
        if a in references
    ]
    papers.sort(key=lambda p: (-_distance(p), p.essay))
    return Feedback(attempt, report_of_attempt(record, attempt), tuple(papers))


def _distance(paper: PaperFeedback) -> float:
    if paper.apart is not None:
        return abs(paper.apart)
    return 0.0 if paper.gave == paper.reference else float("inf")


def _references(record: GradingRecord, attempt: Attempt) -> dict[str, Reference]:
    """Give the reference of each paper; in a panel's first packet what was frozen since, if it was."""
    made = references_of(record, attempt)
    if made or attempt.packet > 1:
        return made
    frozen = record.calibration.frozen
    return {
        a: _reference_of(frozen[response_id], essay_of(record, a))
        for a in attempt.assignment_ids
        if (response_id := record.assignments[a].response_id) in frozen
    }


def _reference_of(frozen: FrozenReference, essay: str) -> Reference:
    return Reference(essay, frozen.score, frozen.score, frozen.condition_code, frozen.reason)


def _paper_feedback(grade: Grade, reference: Reference, text: str) -> PaperFeedback:
    both = grade.score is not None and reference.score is not None
    mine, made = set(grade.points), None if reference.points is None else set(reference.points)
    return PaperFeedback(
        reference.essay,
        text,
        _in_words(grade.score, grade.condition_code),
        _in_words(reference.score, reference.condition_code),
        (grade.score or 0) - (reference.score or 0) if both else None,
        reference.rationale,
        None if made is None else tuple(sorted(mine - made)),
        None if made is None else tuple(sorted(made - mine)),
    )


def _in_words(score: float | None, code: str | None) -> str:
    if code is not None:
        return code
    return "\N{EN DASH}" if score is None else f"{score:g}"
