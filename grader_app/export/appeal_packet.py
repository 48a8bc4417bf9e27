"""Everything an appeal packet says of one candidate: each answer with its reads, and no other person."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from grader_app.domain.counted_reads import deciding_readers, decision_counts
from grader_app.domain.grade import Grade
from grader_app.domain.read_again import candidates_read_again, why_not_again
from grader_app.domain.settling import Adjudication
from grader_app.errors import ExportProblem
from grader_app.export.appeal_judgment import (
    ShownJudgment,
    WordsOf,
    note_of,
    shown_judgment,
    words_or_none,
)
from grader_app.export.arithmetic import worked_candidates
from grader_app.export.redaction import replaced_judgments
from grader_app.export.results import Results
from grader_app.scaling.cuts import judge
from grader_app.scaling.error_bars import CandidateBars
from grader_app.scaling.scale_pool import ScaledCandidate
from grader_app.scaling.worked_arithmetic import Worked

Preset = Literal["full", "new_york"]
"""Whether reads before an automatic re-read are in the packet (``full``) or never (``new_york``)."""
REREAD_SAYS = "Read again automatically. By the board's rule earlier scores are not disclosed."
WAITS_SAYS = "Being read again automatically. By the board's rule earlier scores are not disclosed."


@dataclass(frozen=True)
class ShownAnswer:
    """One answer of the candidate.

    Parameters
    ----------
    response_id, item, title
        Which answer, to which question.
    final
        The score that stands; None where there is none.
    says
        How the score came about, in a sentence.
    judgments
        Reads in an order drawn for this answer, then adjudications.
    n_notes
        How many of them were given with words of their own.
    undecided
        Whether a read or a decision is still to come.
    """

    response_id: str
    item: str
    title: str
    final: float | None
    says: str
    judgments: tuple[ShownJudgment, ...]
    n_notes: int
    undecided: bool = False


@dataclass(frozen=True)
class AppealPacket:
    """What the packet is written from.

    Parameters
    ----------
    candidate_id, preset
        Whose it is, and under which rule of disclosure.
    answers
        In the order of the round.
    scaled, mbe, worked, bars
        The candidate's row, MBE score, arithmetic and error bars; None where there are none.
    covers
        What the error bars take into account, in sentences.
    left_out
        Why there is no composite, or nothing.
    """

    candidate_id: str
    preset: Preset
    answers: tuple[ShownAnswer, ...]
    scaled: ScaledCandidate | None
    mbe: float | None
    worked: Worked | None
    bars: CandidateBars | None
    covers: tuple[str, ...]
    left_out: str


def appeal_packet(
    results: Results, candidate_id: str, preset: Preset | None = None, words_of: WordsOf = lambda _: None
) -> AppealPacket:
    """Collect a candidate's packet.

    Parameters
    ----------
    results
        The round, as its export tells it.
    candidate_id
        As in ``scores.csv``.
    preset
        By default what the round's redaction asks for.
    words_of
        Gives words kept in the workspace; an export holds none.

    Raises
    ------
    ExportProblem
        The round has no such candidate, the preset would disclose more than the round allows, or under
        ``new_york`` the candidate's total is one before an automatic re-read.
    """
    redaction = results.round.release.redaction
    if preset == "full" and redaction == "new_york":
        raise ExportProblem(
            "The round's redaction is new_york, so a score before an automatic re-read is never disclosed. "
            "Leave --preset out, or write --preset new_york."
        )
    chosen: Preset = preset or ("new_york" if redaction == "new_york" else "full")
    own = [r for r in results.response_ids if results.record.candidate_of(r) == candidate_id]
    if not own:
        raise ExportProblem(
            f"The export has no candidate {candidate_id}. "
            "Candidate ids stand in the first column of scores.csv."
        )
    if chosen == "new_york":
        _refuse_before_reread(results, candidate_id, own)
    order = {item: place for place, item in enumerate(results.record.items())}
    own.sort(key=lambda r: (order[str(results.inputs.responses[r]["item"])], r))
    hidden = _hidden(results, own) if chosen == "new_york" else {}
    answers = tuple(_answer(results, r, hidden.get(r, frozenset()), words_of) for r in own)
    scaled = results.scaled
    row = next((c for c in scaled.candidates if c.candidate_id == candidate_id), None) if scaled else None
    why = next((c.why for c in scaled.left_out if c.candidate_id == candidate_id), "") if scaled else ""
    bars, covers = _bars(results, row) if row is not None else (None, ())
    return AppealPacket(
        candidate_id,
        chosen,
        answers,
        row,
        results.inputs.mbe.get(candidate_id),
        next(worked_candidates(results, only=[candidate_id]), None),
        bars,
        covers,
        why or results.not_scaled,
    )


def _hidden(results: Results, own: Sequence[str]) -> dict[str, frozenset[int]]:
    """List what is not disclosed of each answer that was read again, or is being read again."""
    replaced = replaced_judgments(results.record)
    return {one: replaced[one] for one in own if one in replaced}


def _refuse_before_reread(results: Results, candidate_id: str, own: Sequence[str]) -> None:
    """Refuse a packet that would disclose a total before an automatic re-read."""
    the_round, scaled, record = results.round, results.scaled, results.record
    if the_round.cut is None or the_round.reread is None or not the_round.reread.all_papers or scaled is None:
        return
    verdict = judge(scaled, the_round.cut, candidates_read_again(record)).by_candidate.get(candidate_id)
    still = [
        one
        for one in own
        if results.inputs.responses[one]["item"] in the_round.weights and not why_not_again(record, one)
    ]
    if verdict == "reread" and still:
        raise ExportProblem(
            f"The total of candidate {candidate_id} lies in the band that is read again automatically, and "
            "that has not been done. Under new_york no score before it is disclosed. Begin re-reads first."
        )


def _answer(results: Results, response_id: str, hidden: frozenset[int], words_of: WordsOf) -> ShownAnswer:
    standing, item = results.standings[response_id], str(results.inputs.responses[response_id]["item"])
    policy = results.round.release.notes
    reads = [g for g in results.record.judgments(response_id) if g.event_seq not in hidden]
    settled = [
        one
        for one in results.record.settling.adjudications.get(response_id, ())
        if one.event_seq not in hidden
    ]
    counted, text = deciding_readers(results.record, response_id), _text(results, response_id, words_of)
    written = [results.events[read.event_seq - 1].body.get("note_hash") for read in reads]
    shown = [
        shown_judgment(
            results,
            read,
            f"Reader {number}",
            counts=standing.settled_by != "adjudication" and read.grader_id in counted,
            note=note_of(results, read, words_of) if policy == "released" else None,
            answer=text,
        )
        for number, read in enumerate(_shuffled(results, reads), start=1)
    ]
    shown += [_adjudicated(results, one, words_of, text) for one in settled]
    n_notes = sum(one is not None for one in (*written, *(made.reason_hash for made in settled)))
    # Why a score came about can tell what an earlier one was.
    says = (REREAD_SAYS if standing.status != "waiting" else WAITS_SAYS) if hidden else standing.why
    title = results.item_title(item)
    undecided = standing.status in ("waiting", "disputed")
    return ShownAnswer(response_id, item, title, standing.final, says, tuple(shown), n_notes, undecided)


def _adjudicated(results: Results, one: Adjudication, words_of: WordsOf, text: str | None) -> ShownJudgment:
    stands = decision_counts(results.record, one.given.response_id, one)
    released = results.round.release.notes == "released"
    note = words_or_none(one.reason_hash, words_of) if released else None
    return shown_judgment(results, one.given, "Adjudicator", counts=stands, note=note, answer=text)


def _shuffled(results: Results, reads: list[Grade]) -> Iterator[Grade]:
    """Put reads into an order that tells neither who came first nor who is the same on two answers."""

    def drawn(read: Grade) -> str:
        seed = f"{results.round.seed}|{read.response_id}|{read.grader_id}"
        return hashlib.sha256(seed.encode("utf-8")).hexdigest()

    yield from sorted(reads, key=drawn)


def _text(results: Results, response_id: str, words_of: WordsOf) -> str | None:
    return words_of(str(results.inputs.responses[response_id]["text_hash"]))


def _bars(results: Results, row: ScaledCandidate) -> tuple[CandidateBars | None, tuple[str, ...]]:
    """Give the bars of the total, or of the written score where there is none."""
    if results.scaled is None or results.errors is None:
        return None, ()
    return results.errors.shown(row, results.scaled.factors), results.errors.notes
