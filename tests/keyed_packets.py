"""Packets on paper in a small workspace, and people who key their score sheets."""

from __future__ import annotations

from typing import Any

from small_workspace import SmallWorkspace

from grader_app.domain.ids import check_letter
from grader_app.domain.panel import Role
from grader_app.domain.paper_record import PrintedPacket
from grader_app.domain.score_sheet import SheetRow
from grader_app.workflow import accounts
from grader_app.workflow.paper_scores import FIRST, SECOND, Keyed, key_scores
from grader_app.workflow.printed_packets import find_packet, print_packet


def printed(
    small: SmallWorkspace, count: int = 2, *, grader: int = 0, item: str = "mee-barge", named: bool = False
) -> PrintedPacket:
    """Print the next papers of a grader."""
    account = small.graders[grader]
    packet_id = print_packet(
        small.bench, small.actor, account.account_id, item, count, token=next(small.tokens), named=named
    )
    return find_packet(small.bench, packet_id)


def operator(small: SmallWorkspace, name: str) -> str:
    """Add a lead who keys; give the account's id."""
    account, _ = accounts.add_account(small.bench, small.actor, name, Role.LEAD)
    return account.account_id


def row(assignment_id: str, letter: str | None = None, **values: str) -> SheetRow:
    """A row as typed, with the right letter unless told otherwise."""
    return SheetRow(check_letter(assignment_id) if letter is None else letter, values)


def key(
    small: SmallWorkspace, packet: PrintedPacket, who: str, keying: int, *scores: str, **options: Any
) -> Keyed:
    """Key scores for a packet's papers in order; an empty one leaves its row blank."""
    rows = {
        a: row(a, score=score) if score else SheetRow()
        for a, score in zip(packet.assignment_ids, scores, strict=False)
    }
    token = options.pop("token", None) or next(small.tokens)
    return key_scores(small.bench, who, packet.packet_id, keying, rows, token=token, **options)


def key_twice(small: SmallWorkspace, packet: PrintedPacket, *scores: str) -> tuple[str, str]:
    """Key scores alike twice, by two people; give their ids."""
    first, second = operator(small, "Odile"), operator(small, "Perrin")
    key(small, packet, first, FIRST, *scores)
    key(small, packet, second, SECOND, *scores)
    return first, second
