"""References a panel makes itself: drawn packets, frozen consensus, judging on a second packet."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from grader_app.agreement.of_attempt import (
    FEWEST_OTHERS,
    is_scored,
    name_of_drawn,
    rubric_of_attempt,
)
from grader_app.domain.events import EventKind
from grader_app.domain.grade import Grade
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.qualification import fits_current_item
from grader_app.domain.rubric import Rubric
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.store.event_log import append
from grader_app.store.responses import undealt_in_deal_order
from grader_app.store.texts import word_counts
from grader_app.workflow.calibration_scoring import judge_attempt
from grader_app.workflow.feedback import finished_attempts, middle_score
from grader_app.workflow.qualification import enabled_graders
from grader_app.workflow.workbench import Workbench

FEWEST_READERS = 2
"""Graders who must have finished the first packet before its references can be frozen."""

LONGEST_REASON = 500
"""Characters a reason may have: it stands in the event, and is shown with the reference."""


@dataclass(frozen=True)
class Consensus:
    """The lead's word on one paper at the panel's meeting.

    Parameters
    ----------
    score
        Reference score in points, or None with a code.
    condition_code
        In place of the score, or None.
    reason
        Needed where the score is not the panel's middle one.
    """

    score: float | None
    condition_code: str | None = None
    reason: str = ""


def spread_over_length(
    response_ids: Sequence[str], words: Mapping[str, int], count: int, seed: str
) -> list[str]:
    """Draw answers so that short, middling and long ones are all there.

    Parameters
    ----------
    response_ids
        What there is to draw from.
    words
        Length in words by response id.
    count
        How many to draw; no more than there are.
    seed
        Fixes the draw.

    Returns
    -------
    list of str
        One from each of `count` bands of equal size, shortest first.

    Examples
    --------
    >>> len(spread_over_length(["a", "b", "c", "d"], {"a": 1, "b": 2, "c": 3, "d": 4}, 2, "7"))
    2
    """
    ordered = sorted(response_ids, key=lambda r: (words.get(r, 0), r))
    draw = random.Random(seed)
    ends = [at * len(ordered) // count for at in range(count + 1)]
    return [draw.choice(ordered[low:high]) for low, high in pairwise(ends)]


def draw_packets(bench: Workbench, actor: str, set_id: str) -> tuple[int, int]:
    """Draw both packets of a panel's set from answers that were never dealt; give their sizes.

    Raises
    ------
    NotAllowed
        The set's references are given, its packets were drawn before, the point sheet it is for has changed,
        or too few answers are left.

    Notes
    -----
    What is drawn is not dealt: its score is what the panel agrees on. The second packet is drawn from the
    draw as that was from the answers, so both are spread over length.
    """
    if sum(not one.apprentice for one in enabled_graders(bench)) <= FEWEST_OTHERS:
        raise NotAllowed(
            f"Each grader is judged against at least {FEWEST_OTHERS} others, so a panel that makes its own "
            f"references has {FEWEST_OTHERS + 1} graders or more. Add graders first."
        )
    seed = f"{bench.material().round.seed}:{set_id}"
    words = word_counts(bench.store)
    with bench.store.write() as connection:
        # Looked at inside the transaction, so that a second click draws nothing.
        with bench.record() as record:
            digest, said = _set_to_draw_for(record, set_id)
            item_hash = record.current_files["item", said["item"]]
        first, second = int(said["papers"]), int(said["judged_papers"])
        pool = undealt_in_deal_order(bench.store, said["item"])
        if len(pool) < first + second:
            raise NotAllowed(
                f"{len(pool)} answers to {said['item']} were never dealt, and the packets need "
                f"{first} + {second}. Draw before answers are dealt, or lower `papers` and `judged_papers`."
            )
        both = spread_over_length(pool, words, first + second, seed)
        judged = set(spread_over_length(both, words, second, f"{seed}:second packet"))
        for packet, chosen in ((1, set(both) - judged), (2, judged)):
            append(
                connection,
                at=bench.now(),
                actor=actor,
                kind=EventKind.PANEL_PACKET_DRAWN,
                subject=set_id,
                body={
                    "set_hash": digest,
                    "item": said["item"],
                    "packet": packet,
                    "item_hash": item_hash,
                    "response_ids": sorted(chosen),
                },
            )
    return first, second


def freeze_references(
    bench: Workbench, actor: str, set_id: str, packet: int, said: Mapping[str, Consensus]
) -> int:
    """Freeze a panel's references on a packet; they are those answers' final scores. Give how many.

    Parameters
    ----------
    said
        The lead's word by response id; a paper left out takes the panel's middle score.

    Raises
    ------
    NotAllowed
        The panel makes no references for this set, too few graders have finished, the packet is frozen
        already, or the second packet is not judged yet.
    GradeProblem
        A score is off the scale, departs from the middle without a reason, or a paper has none.
    """
    with bench.store.write() as connection:
        # Read inside the transaction, so that a second click freezes nothing anew.
        with bench.record() as record:
            packet_read = _packet_to_freeze(record, set_id, packet)
        unknown = set(said) - set(packet_read.reads)
        if unknown:
            raise GradeProblem(f"{len(unknown)} of the papers are not in this packet. Reload the page.")
        rows = [
            _frozen_row(packet_read, response_id, said.get(response_id)) for response_id in packet_read.reads
        ]
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.REFERENCES_FROZEN,
            subject=set_id,
            body={
                "set_hash": packet_read.set_hash,
                "item": packet_read.item,
                "packet": packet,
                "references": rows,
            },
        )
    return len(rows)


def judge_panel(bench: Workbench, actor: str, set_id: str) -> int:
    """Judge each grader who has finished the second packet against the others; give how many were judged.

    Raises
    ------
    NotAllowed
        Too few graders have finished it.
    """
    with bench.record() as record:
        done = finished_attempts(record, set_id, packet=2)
        waiting = [attempt for attempt in done if attempt.judgment is None]
        under_way = [
            attempt
            for attempt in record.calibration.attempts.values()
            if (attempt.set_id, attempt.packet) == (set_id, 2) and not is_scored(record, attempt)
        ]
    if len(done) < FEWEST_OTHERS + 1:
        raise NotAllowed(
            f"Each grader is judged against at least {FEWEST_OTHERS} others, and {len(done)} have finished "
            f"the second packet ({len(under_way)} are still reading)."
        )
    for attempt in waiting:
        judge_attempt(bench, actor, attempt)
    return len(waiting)


@dataclass(frozen=True)
class _PacketRead:
    """A packet ready to freeze: its reads and the name of each paper, by response id."""

    set_hash: str
    item: str
    rubric: Rubric
    reads: dict[str, list[Grade]]
    names: dict[str, str]


def _set_to_draw_for(record: GradingRecord, set_id: str) -> tuple[str, Mapping[str, Any]]:
    """Give a set's content hash and what it says, if packets can be drawn for it now."""
    digest = record.calibration.current_sets.get(set_id)
    if digest is None:
        raise NotAllowed("There is no such calibration set. Reload the page.")
    said: Mapping[str, Any] = record.inputs.files[digest]["content"]["set"]
    if said["reference"] != "panel":
        raise NotAllowed("The references of this set are given, so there is nothing to draw.")
    if any(drawn_for == set_id for drawn_for, _ in record.calibration.drawn.values()):
        raise NotAllowed("The packets of this set have been drawn already.")
    if not fits_current_item(record, said["item"], said["point_sheet_version"]):
        raise NotAllowed(
            f"This set is for version {said['point_sheet_version']} of the point sheet, which has changed "
            "since. Raise `point_sheet_version` and `version` in its calibration_set.yaml first."
        )
    return digest, said


def _packet_to_freeze(record: GradingRecord, set_id: str, packet: int) -> _PacketRead:
    papers = sorted(r for r, drawn in record.calibration.drawn.items() if drawn == (set_id, packet))
    if not papers:
        raise NotAllowed("No packet was drawn for this set, so there are no references to freeze.")
    if any(r in record.calibration.frozen for r in papers):
        raise NotAllowed("The references of this packet are frozen already.")
    done = [
        attempt
        for attempt in finished_attempts(record, set_id, packet)
        if not record.was_apprentice(attempt.grader_id, record.last_seq)
    ]
    if len({attempt.grader_id for attempt in done}) < FEWEST_READERS:
        raise NotAllowed(f"At least {FEWEST_READERS} graders must have finished the packet first.")
    can_be_judged = len(done) > FEWEST_OTHERS
    if packet > 1 and can_be_judged and any(attempt.judgment is None for attempt in done):
        raise NotAllowed("Judge the panel on this packet first; then its references can be frozen.")
    reads: dict[str, list[Grade]] = {r: [] for r in papers}
    for attempt in done:
        for a in attempt.assignment_ids:
            reads[record.assignments[a].response_id].append(record.check_grades[a])
    names = {r: name_of_drawn(record, r) for r in papers}
    last = done[-1]
    return _PacketRead(last.set_hash, last.item, rubric_of_attempt(record, last), reads, names)


def _frozen_row(packet: _PacketRead, response_id: str, said: Consensus | None) -> dict[str, Any]:
    """Give one reference as the event holds it."""
    name, reads = packet.names[response_id], packet.reads[response_id]
    middle = _middle_or_none(reads)
    word = said or middle
    if word is None:
        raise GradeProblem(f"{name}: the readers gave a code against a score or another code. Choose one.")
    _refuse_off_scale(packet.rubric, name, word)
    reason = " ".join(word.reason.split())
    departs = middle is None or (word.score, word.condition_code) != (middle.score, middle.condition_code)
    if departs and not reason:
        raise GradeProblem(f"{name}: the reference departs from the panel's middle. Write why.")
    if len(reason) > LONGEST_REASON:
        raise GradeProblem(f"{name}: the reason has {len(reason)} characters; keep it to {LONGEST_REASON}.")
    return {
        "response_id": response_id,
        "score": word.score,
        "condition_code": word.condition_code,
        "grade_events": sorted(grade.event_seq for grade in reads),
        "reason": reason,
    }


def _refuse_off_scale(rubric: Rubric, name: str, word: Consensus) -> None:
    if (word.score is None) == (word.condition_code is None):
        raise GradeProblem(f"{name}: a reference is either a score or a code. Choose one.")
    if word.score is not None and not rubric.score.range.contains(word.score):
        raise GradeProblem(f"{name}: {word.score:g} is not on the scale. Choose a score that is.")
    if word.condition_code is not None and word.condition_code not in {c.id for c in rubric.condition_codes}:
        raise GradeProblem(f"{name}: the rubric has no code `{word.condition_code}`. Choose one it lists.")


def _middle_or_none(reads: Sequence[Grade]) -> Consensus | None:
    """Give the panel's middle score, or the code all gave; None where a code stands against anything else."""
    codes = {grade.condition_code for grade in reads}
    if codes == {None}:
        return Consensus(middle_score([grade.score for grade in reads if grade.score is not None]))
    return Consensus(None, codes.pop()) if len(codes) == 1 else None
