"""Papers of a grader's queue printed on paper, and calling them back to the screen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from grader_app.domain.events import EventKind
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.ids import new_id
from grader_app.domain.panel import Account, Assignment, Role
from grader_app.domain.paper_record import PrintedPacket
from grader_app.domain.response import BlindSheet
from grader_app.errors import GradeProblem, ItemIsClosed, NotAllowed
from grader_app.store import assignments
from grader_app.store.accounts import accounts, get_account_or_none
from grader_app.store.event_log import append, find_event
from grader_app.store.grades import get_submission_or_none, keep_submission
from grader_app.store.stages import closed_items
from grader_app.store.texts import keep_text
from grader_app.workflow.live_grading import sheet_of
from grader_app.workflow.paper_states import PaperState, paper_states
from grader_app.workflow.qualification import standing_of
from grader_app.workflow.workbench import Workbench

MOST_PAPERS = 200
"""Papers one packet may hold."""

LONGEST_REASON = 500
"""Characters the reason for calling a packet back may have."""


@dataclass(frozen=True)
class PacketProgress:
    """A printed packet and how far its scores have been keyed.

    Parameters
    ----------
    packet
        The packet.
    grader
        Whose it is.
    title
        Title of the question.
    keyed_once
        Papers keyed once that wait for the second keying.
    differ
        Papers whose two keyings differ and wait for a third look.
    graded
        Papers with a grade, keyed or given on the screen.
    takes_no_grade
        Papers without a grade that keying can give none: revealed, or out of the grader's queue.
    closed
        Whether the question is closed, so that nothing of it is keyed.
    """

    packet: PrintedPacket
    grader: Account
    title: str
    keyed_once: int
    differ: int
    graded: int
    takes_no_grade: int = 0
    closed: bool = False

    @property
    def is_out(self) -> bool:
        """Whether grades are still to come from it."""
        return self.packet.recalled_at is None and self.graded + self.takes_no_grade < self.papers

    @property
    def papers(self) -> int:
        """Papers in the packet."""
        return len(self.packet.assignment_ids)


def graders_on_paper(bench: Workbench) -> list[Account]:
    """List the people a packet can be printed for."""
    return [
        account
        for account in accounts(bench.store)
        if account.role is Role.GRADER and not (account.disabled or account.simulated)
    ]


def papers_to_print(bench: Workbench, grader_id: str, item: str) -> list[Assignment]:
    """List the papers of an item that can be printed for a grader, in queue order."""
    if item in closed_items(bench.store):
        return []
    return assignments.ready_for_paper(bench.store, grader_id, item)


def count_on_paper(bench: Workbench, grader_id: str) -> int:
    """Count the papers that are with a grader on paper and have no grade yet."""
    return assignments.count_on_paper(bench.store, grader_id)


def print_packet(
    bench: Workbench, actor: str, grader_id: str, item: str, count: int, *, token: str, named: bool = False
) -> str:
    """Put the next papers of a grader's queue on paper; give the packet's id.

    Parameters
    ----------
    count
        How many papers; fewer where fewer wait.
    token
        The page's token for this act. The same token again is the same packet.
    named
        Print the grader's name on the cover. Without it there is only a line to write on.

    Raises
    ------
    NotAllowed
        Nothing waits, the question is closed, or the grader may not grade it.
    """
    item_id = bench.material().item(item).id
    account = get_account_or_none(bench.store, grader_id)
    if account is None or account not in graders_on_paper(bench):
        raise NotAllowed("There is no such grader to print for. Reload the page.")
    if not 1 <= count <= MOST_PAPERS:
        raise NotAllowed(f"A packet holds 1 to {MOST_PAPERS} papers, not {count}. Choose another number.")
    with bench.store.write() as connection:
        earlier = get_submission_or_none(connection, token)
        if earlier is not None:
            return str(find_event(bench.store, earlier.event_seq).body["packet_id"])
        _refuse_printing(bench, account, item_id)
        papers = papers_to_print(bench, grader_id, item_id)[:count]
        if not papers:
            raise NotAllowed(
                f"Nothing waits for {account.name} in this question that could be printed. "
                "Deal answers first, or choose another question."
            )
        packet_id = new_id("k")
        material = bench.material()
        seq = append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.PACKET_PRINTED,
            subject=grader_id,
            body={
                "packet_id": packet_id,
                "item": item_id,
                "item_hash": material.items[item_id].content_hash,
                "rubric_hash": material.rubrics[item_id].content_hash,
                "assignment_ids": [paper.assignment_id for paper in papers],
                "named": named,
            },
        )
        keep_submission(connection, token, seq)
    return packet_id


def recall_packet(bench: Workbench, actor: str, packet_id: str, reason: str) -> int:
    """Send the papers of a packet that have no grade back to their grader's screen; give how many.

    Parameters
    ----------
    reason
        In a few words; kept apart from the event.

    Raises
    ------
    GradeProblem
        The reason is missing or too long.
    NotAllowed
        There is no such packet, it was recalled before, or nothing of it is still on paper.
    """
    reason = " ".join(reason.split())
    if not 1 <= len(reason) <= LONGEST_REASON:
        raise GradeProblem(
            f"Calling a packet back needs a reason of 1 to {LONGEST_REASON} characters. Write a few words."
        )
    with bench.store.write() as connection:
        with bench.record() as record:
            packet = out_packet(record, packet_id)
            states = paper_states(bench, record, packet)
            left = [
                a for a, state in states.items() if a in record.printed and state is not PaperState.REVEALED
            ]
        if not left:
            raise NotAllowed(
                f"Every paper of packet {packet_id} has its grade or takes none any more; there is nothing "
                "to call back."
            )
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.PACKET_RECALLED,
            subject=packet_id,
            body={"item": packet.item, "reason_hash": keep_text(connection, reason)},
        )
    return len(left)


def find_packet(bench: Workbench, packet_id: str) -> PrintedPacket:
    """Find a packet, recalled or not.

    Raises
    ------
    NotAllowed
        There is none of that id.
    """
    with bench.record() as record:
        packet = record.paper.packets.get(packet_id)
    if packet is None:
        raise NotAllowed(f"There is no printed packet {packet_id}. Look its id up on its cover.")
    return packet


def find_out_packet(bench: Workbench, packet_id: str) -> PrintedPacket:
    """Find a packet that is out.

    Raises
    ------
    NotAllowed
        There is none of that id, or it was called back.
    """
    with bench.record() as record:
        return out_packet(record, packet_id)


def out_packet(record: GradingRecord, packet_id: str) -> PrintedPacket:
    """Find a packet that is out.

    Raises
    ------
    NotAllowed
        There is none of that id, or it was called back.
    """
    packet = record.paper.packets.get(packet_id)
    if packet is None:
        raise NotAllowed(f"There is no printed packet {packet_id}. Look its id up on its cover.")
    if packet.recalled_at is not None:
        raise NotAllowed(
            f"Packet {packet_id} was called back, and its papers are on the grader's screen again. "
            "Its sheets no longer count."
        )
    return packet


def sheets_of(bench: Workbench, packet: PrintedPacket) -> list[BlindSheet]:
    """Give what a packet holds of each paper, as it was printed.

    Notes
    -----
    One builder makes the sheets of screen and paper, of answers and checks. Question, point sheet and
    scale are those of the day of printing, so that printing once more gives the same pages.
    """
    item, rubric = bench.kept_item(packet.item_hash), bench.kept_rubric(packet.rubric_hash)
    with bench.record() as record:
        papers = [record.assignments[a] for a in packet.assignment_ids]
    return [
        replace(
            sheet_of(bench, paper),
            title=item.title,
            kind=item.kind,
            prompt=item.prompt,
            rubric=rubric,
            point_sheet=item.sheet,
            guidelines=item.guidelines or "",
            file=item.file or "",
            library=item.library or "",
            item_hash=packet.item_hash,
        )
        for paper in papers
    ]


def printed_name_or_none(bench: Workbench, packet: PrintedPacket) -> str | None:
    """Give the name for the cover; None where the lead did not ask for it."""
    account = get_account_or_none(bench.store, packet.grader_id) if packet.named else None
    return None if account is None else account.name


def packets(bench: Workbench) -> list[PacketProgress]:
    """List every printed packet with what has been keyed, the latest first."""
    people = {account.account_id: account for account in accounts(bench.store)}
    with bench.record() as record:
        return [
            _progress(bench, record, packet, people[packet.grader_id])
            for packet in reversed(record.paper.packets.values())
        ]


def _progress(
    bench: Workbench, record: GradingRecord, packet: PrintedPacket, grader: Account
) -> PacketProgress:
    states = list(paper_states(bench, record, packet).values())
    return PacketProgress(
        packet=packet,
        grader=grader,
        title=bench.kept_item(packet.item_hash).title,
        keyed_once=states.count(PaperState.KEYED_ONCE),
        differ=states.count(PaperState.DIFFERS),
        graded=states.count(PaperState.GRADED) + states.count(PaperState.ON_SCREEN),
        takes_no_grade=sum(state.takes_no_grade for state in states),
        closed=packet.item in record.closed_items,
    )


def _refuse_printing(bench: Workbench, account: Account, item: str) -> None:
    if item in closed_items(bench.store):
        raise ItemIsClosed("This question is closed, so nothing of it is graded. Reopen it first.")
    standing = standing_of(bench, account.account_id, item)
    if not standing.may_grade:
        raise NotAllowed(f"{account.name} may not grade this question now. {standing.says}")
