"""Which candidates and answers have been read again before release, and which still are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from grader_app.domain.grading_record import GradingRecord


@dataclass(frozen=True)
class ReadAgain:
    """How far re-reads have come.

    Parameters
    ----------
    answers
        Answers sent to be read again, those called off left out.
    done
        Answers whose combined score stands, or whom an adjudicator has settled since.
    waiting
        Answers with a read outstanding.
    disputed
        Answers that the re-read left in dispute.
    up, down, same
        Of those done, whose score rose, fell or stayed.
    """

    answers: int
    done: int
    waiting: int
    disputed: int
    up: int
    down: int
    same: int

    @property
    def under_way(self) -> bool:
        """Whether anything is still to be read or settled."""
        return self.done < self.answers


def read_again(record: GradingRecord) -> ReadAgain:
    """Count the re-reads of a round."""
    states: Counter[str] = Counter()
    moves: Counter[int] = Counter()
    for response_id in answers_read_again(record):
        found = record.standing(response_id)
        state = "done" if found.status in ("final", "coded") else found.status
        states[state] += 1
        first = record.first_standing(response_id).final
        if state == "done" and found.final is not None and first is not None:
            moves[(found.final > first) - (found.final < first)] += 1
    return ReadAgain(
        states.total(),
        states["done"],
        states["waiting"],
        states["disputed"],
        moves[1],
        moves[-1],
        moves[0],
    )


def answers_read_again(record: GradingRecord) -> list[str]:
    """List the answers that have a re-read, in or outstanding."""
    return [one for one in record.rereads.last_of if record.reread_or_none(one) is not None]


def candidates_being_read_again(record: GradingRecord) -> set[str]:
    """Name the candidates of whom a re-read is outstanding, or left an answer in dispute."""
    return {
        str(record.candidate_of(response_id))
        for response_id in answers_read_again(record)
        if record.standing(response_id).status not in ("final", "coded")
    }


def candidates_read_again(record: GradingRecord) -> set[str]:
    """Name the candidates whose papers were all taken again and are in: the line alone judges them now."""
    taken: set[str] = set()
    open_ones: set[str] = set()
    for response_id in answers_read_again(record):
        candidate_id = record.candidate_of(response_id)
        if candidate_id is None or record.rereads.last_of[response_id].picked:
            continue
        taken.add(candidate_id)
        if record.standing(response_id).status not in ("final", "coded"):
            open_ones.add(candidate_id)
    return taken - open_ones


def why_not_again(record: GradingRecord, response_id: str) -> str:
    """Say why an answer of a candidate in the band is not read again; nothing if it is."""
    if record.reread_or_none(response_id) is not None:
        return "read again already"
    if response_id in record.calibration.drawn:
        return "scored by the whole panel in calibration"
    return "with a condition code" if record.standing(response_id).status == "coded" else ""
