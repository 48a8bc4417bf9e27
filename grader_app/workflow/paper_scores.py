"""Scores typed from the score sheets of a printed packet: twice, compared, and only then a grade."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry, grade_body
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.ids import check_letter
from grader_app.domain.keyed_grades import same_values
from grader_app.domain.panel import Assignment
from grader_app.domain.paper_record import Keying, PrintedPacket
from grader_app.domain.score_sheet import NOTE, ScoreSheet, SheetRow
from grader_app.errors import AlreadyGraded, GradeProblem, GraderAppError, NotAllowed, SourcesAreRevealed
from grader_app.store import drafts
from grader_app.store.database import Connection
from grader_app.store.event_log import append
from grader_app.store.grades import get_submission_or_none, graded_at_or_none, keep_submission
from grader_app.store.stages import is_item_revealed, is_revealed, set_aside_by_or_none
from grader_app.store.texts import keep_text
from grader_app.workflow.live_grading import refuse_closed
from grader_app.workflow.monitoring import watch_after
from grader_app.workflow.moving import COUNTING
from grader_app.workflow.paper_states import PaperState, paper_states
from grader_app.workflow.printed_packets import find_packet, out_packet
from grader_app.workflow.served_version import refuse_unqualified_then
from grader_app.workflow.third_reads import third_read_after
from grader_app.workflow.two_people import may_be_one_person
from grader_app.workflow.workbench import Workbench

FIRST, SECOND, SETTLED = 1, 2, 3
"""Numbers of the two keyings, and of the third look where they differ."""

LONGEST_NOTE = 2_000
"""Characters a note copied from a score sheet may have."""

ALONE = "I am alone"
"""What an operator ticks who keys a packet both times."""


@dataclass(frozen=True)
class PacketPaper:
    """One paper of a packet.

    Parameters
    ----------
    number
        As printed: its place in the packet.
    assignment_id, letter
        Its id and its check letter, as printed.
    state
        How far it is.
    keyings
        What was keyed, by number.
    """

    number: int
    assignment_id: str
    letter: str
    state: PaperState
    keyings: Mapping[int, Keying]


@dataclass(frozen=True)
class Keyed:
    """What became of rows that were keyed.

    Parameters
    ----------
    kept
        Rows stored by this act.
    graded
        Of these, papers whose two keyings agree: their grades are recorded.
    differ
        Of these, papers whose two keyings differ.
    """

    kept: int
    graded: int
    differ: int


def sheet_of_packet(bench: Workbench, packet: PrintedPacket) -> ScoreSheet:
    """Give the score sheet as it was printed with a packet."""
    return ScoreSheet(bench.kept_rubric(packet.rubric_hash), bench.kept_item(packet.item_hash).sheet)


def papers_of(bench: Workbench, packet_id: str) -> list[PacketPaper]:
    """List the papers of a packet in the order printed, with how far each is."""
    packet = find_packet(bench, packet_id)
    with bench.record() as record:
        return [
            PacketPaper(number, a, check_letter(a), state, dict(_keyings(record, packet, a)))
            for number, (a, state) in enumerate(paper_states(bench, record, packet).items(), start=1)
        ]


def key_scores(
    bench: Workbench,
    operator_id: str,
    packet_id: str,
    keying: int,
    rows: Mapping[str, SheetRow],
    *,
    token: str,
    alone: bool = False,
) -> Keyed:
    """Record what an operator typed from a packet's score sheet; all of it or nothing.

    Parameters
    ----------
    keying
        `FIRST` or `SECOND`.
    rows
        By assignment id; blank rows are passed over.
    token
        The form's token. The same form sent twice is recorded once.
    alone
        The operator says that nobody else is there to key the sheets a second time.

    Returns
    -------
    Keyed
        After a second keying, papers keyed alike twice have their grades.

    Raises
    ------
    GradeProblem
        Something in the rows is wrong; every problem is named with its paper.
    NotAllowed
        There is no such packet, it was recalled, or one person keys both times without saying so.
    """
    if not token:
        raise NotAllowed("This form has no token, and nothing was stored. Reload the page and type it again.")
    filled = {a.strip().lower(): row for a, row in rows.items() if not row.is_blank}
    with bench.store.write() as connection:
        with bench.record() as record:
            packet = out_packet(record, packet_id)
            dealt = {a: record.assignments[a] for a in packet.assignment_ids}
            before = {a: dict(_keyings(record, packet, a)) for a in packet.assignment_ids}
        numbers = {a: number for number, a in enumerate(packet.assignment_ids, start=1)}
        sheet = sheet_of_packet(bench, packet)
        fresh = {
            a: row
            for a, row in filled.items()
            if not _is_repeated(connection, sheet, before.get(a, {}).get(keying), row, _row_token(token, a))
        }
        entries: dict[str, GradeEntry] = {}
        problems: list[str] = []
        for a, row in fresh.items():
            try:
                if a not in numbers:
                    raise GradeProblem(f"it is not in packet {packet_id}. Compare its id with the sheet.")
                entries[a] = _read(sheet, a, row)
                _refuse_order(before[a], keying)
                _refuse_wrong_moment(bench, connection, dealt[a], packet)
            except GraderAppError as problem:
                problems.append(f"{_named(numbers, a)}: {problem}")
        if problems:
            raise GradeProblem("\n".join(problems))
        if keying == SECOND and not alone:
            _refuse_same_person(connection, operator_id, [before[a][FIRST].actor for a in fresh])
        graded = differ = 0
        for a, entry in entries.items():
            again = (
                alone
                and keying == SECOND
                and may_be_one_person(connection, operator_id, before[a][FIRST].actor)
            )
            note = fresh[a].get(NOTE) if keying == FIRST else ""
            body = _keying_body(packet, sheet, keying, entry, alone=again)
            body["note_hash"] = keep_text(connection, note) if note else None
            seq = _append(bench, connection, operator_id, a, body, _row_token(token, a))
            if keying == SECOND and same_values(before[a][FIRST].body, body):
                _record_grade(bench, connection, dealt[a], packet, before[a][FIRST], (seq, operator_id, body))
                graded += 1
            elif keying == SECOND:
                differ += 1
    if graded:
        for a in entries:
            watch_after(bench, dealt[a])
            third_read_after(bench, dealt[a])
    return Keyed(len(entries), graded, differ)


def settle(
    bench: Workbench, operator_id: str, packet_id: str, assignment_id: str, row: SheetRow, *, token: str
) -> None:
    """Record what a third look at the sheet shows where two keyings differ; this is then the grade.

    Parameters
    ----------
    row
        What the sheet says. Its letter need not be typed again.

    Raises
    ------
    GradeProblem
        What was typed does not fit the scale.
    NotAllowed
        The paper's keyings do not differ, or it has its grade.
    """
    with bench.store.write() as connection:
        if get_submission_or_none(connection, _row_token(token, assignment_id)) is not None:
            return
        with bench.record() as record:
            packet = out_packet(record, packet_id)
            dealt = record.assignments.get(assignment_id)
            before = dict(_keyings(record, packet, assignment_id))
        if dealt is None or not {FIRST, SECOND} <= before.keys():
            raise NotAllowed("The two keyings of this paper do not differ. Reload the page.")
        _refuse_wrong_moment(bench, connection, dealt, packet)
        sheet = sheet_of_packet(bench, packet)
        body = _keying_body(packet, sheet, SETTLED, sheet.read(row))
        body["note_hash"] = None
        seq = _append(bench, connection, operator_id, assignment_id, body, _row_token(token, assignment_id))
        _record_grade(
            bench, connection, dealt, packet, before[FIRST], (seq, operator_id, body), before[SECOND]
        )
    watch_after(bench, dealt)
    third_read_after(bench, dealt)


def settle_as(bench: Workbench, operator_id: str, packet_id: str, assignment_id: str, keying: int) -> None:
    """Settle a difference in favour of the first or the second keying."""
    paper = next((p for p in papers_of(bench, packet_id) if p.assignment_id == assignment_id), None)
    if paper is None or keying not in paper.keyings:
        raise NotAllowed("The two keyings of this paper do not differ. Reload the page.")
    sheet = sheet_of_packet(bench, find_packet(bench, packet_id))
    row = SheetRow(values=sheet.as_typed(paper.keyings[keying].body))
    settle(bench, operator_id, packet_id, assignment_id, row, token=f"settle:{packet_id}")


def _keyings(record: GradingRecord, packet: PrintedPacket, assignment_id: str) -> Mapping[int, Keying]:
    return record.paper.keyings.get((packet.packet_id, assignment_id), {})


def _named(numbers: Mapping[str, int], assignment_id: str) -> str:
    number = numbers.get(assignment_id)
    return f"Paper {assignment_id}" if number is None else f"Paper {number} ({assignment_id})"


def _read(sheet: ScoreSheet, assignment_id: str, row: SheetRow) -> GradeEntry:
    letter = row.letter.strip().upper()
    if not letter:
        raise GradeProblem("its check letter is missing. Type the letter that stands behind its id.")
    if letter != check_letter(assignment_id):
        raise GradeProblem(
            f"its check letter is not {letter}. Look whether you are in the right row of the sheet."
        )
    if len(row.get(NOTE)) > LONGEST_NOTE:
        raise GradeProblem(f"its note is longer than {LONGEST_NOTE:,} characters. Shorten it.")
    return sheet.read(row)


def _refuse_order(before: Mapping[int, Keying], keying: int) -> None:
    if keying in before:
        which = "first" if keying == FIRST else "second"
        raise NotAllowed(f"its {which} keying is recorded already and stays as it is.")
    if keying == SECOND and FIRST not in before:
        raise NotAllowed("it was left blank in the first keying. Key it there first.")


def _refuse_same_person(connection: Connection, operator_id: str, firsts: list[str]) -> None:
    if operator_id in firsts:
        raise NotAllowed(
            "You keyed these sheets the first time. Let somebody else key them now; "
            f"if nobody is there, tick “{ALONE}”. The record will say so."
        )
    if any(may_be_one_person(connection, operator_id, first) for first in firsts):
        raise NotAllowed(
            "These sheets may have been keyed the first time by the same person: both bear one name, or one "
            "came from the command line, where nobody signs in. At the command line say who keys with "
            "`--as NAME`, both times. If nobody else is there, or the first time had no name, tick "
            f"“{ALONE}” (`--alone`). The record will say so."
        )


def _refuse_wrong_moment(
    bench: Workbench, connection: Connection, dealt: Assignment, packet: PrintedPacket
) -> None:
    """Refuse a grade that could not be given on the screen now either, under the version that was printed."""
    if graded_at_or_none(connection, dealt.assignment_id) is not None:
        raise AlreadyGraded("it has a grade already. Leave its row empty.")
    refuse_closed(bench, dealt)
    refuse_unqualified_then(bench, dealt, packet.item_hash)
    by = set_aside_by_or_none(connection, dealt.assignment_id)
    if by is not None:
        who = "its grader sent it to the panel lead" if by == "grader" else "it was taken out of the queue"
        raise NotAllowed(f"{who}. Leave its row empty.")
    check = dealt.kind not in COUNTING
    if is_revealed(connection, dealt.response_id) or (check and is_item_revealed(bench.store, dealt.item)):
        raise SourcesAreRevealed("its source has been revealed, so grading it is over. Leave its row empty.")


def _is_repeated(
    connection: Connection, sheet: ScoreSheet, recorded: Keying | None, row: SheetRow, token: str
) -> bool:
    """Say whether a row has arrived before, with the same content."""
    if recorded is None or get_submission_or_none(connection, token) is None:
        return False
    try:
        return same_values(recorded.body, grade_body(sheet.rubric, sheet.read(row)))
    except GradeProblem:
        return False


def _keying_body(
    packet: PrintedPacket, sheet: ScoreSheet, keying: int, entry: GradeEntry, *, alone: bool = False
) -> dict[str, Any]:
    said = {"packet_id": packet.packet_id, "item": packet.item, "keying": keying, "alone": alone}
    return said | grade_body(sheet.rubric, entry)


def _append(
    bench: Workbench,
    connection: Connection,
    operator_id: str,
    assignment_id: str,
    body: Mapping[str, Any],
    token: str,
) -> int:
    seq = append(
        connection,
        at=bench.now(),
        actor=operator_id,
        kind=EventKind.PAPER_SCORE_KEYED,
        subject=assignment_id,
        body=body,
    )
    keep_submission(connection, token, seq)
    return seq


def _record_grade(
    bench: Workbench,
    connection: Connection,
    dealt: Assignment,
    packet: PrintedPacket,
    first: Keying,
    last: tuple[int, str, Mapping[str, Any]],
    second: Keying | None = None,
) -> None:
    """Record the grade of a paper keyed twice; `second` is given where a third look settled it."""
    seq, operator_id, values = last
    item = bench.kept_item(packet.item_hash)
    body = {key: value for key, value in values.items() if key not in ("packet_id", "keying", "alone")}
    body |= {"response_id": dealt.response_id, "item_version": item.version, "item_hash": packet.item_hash}
    body |= {"seconds_spent": None, "note_hash": first.body.get("note_hash")}
    body["keyed"] = {
        "packet_id": packet.packet_id,
        "first": first.event_seq,
        "second": seq if second is None else second.event_seq,
        "settled": None if second is None else seq,
        "by": [first.actor, operator_id if second is None else second.actor],
    }
    made = append(
        connection,
        at=bench.now(),
        actor=operator_id,
        kind=EventKind.GRADE_SUBMITTED,
        subject=dealt.assignment_id,
        body=body,
    )
    keep_submission(connection, f"keyed:{seq}", made)
    drafts.drop_draft(connection, dealt.assignment_id)


def _row_token(token: str, assignment_id: str) -> str:
    """Give the token of one row of a form, so that a form sent twice finds each of its rows."""
    return f"{token}:{assignment_id}"
