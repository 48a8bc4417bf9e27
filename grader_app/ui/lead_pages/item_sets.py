"""What the parts of the calibration page ask about a question: its sets, and what people are called."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.calibration_set import Packet
from grader_app.ui.current import bench
from grader_app.ui.parts.html_table import draw_line
from grader_app.workflow.feedback import finished_attempts
from grader_app.workflow.progress import all_accounts

READING_WIDTH = 720
"""Pixels: about seventy characters a line."""


@dataclass(frozen=True)
class Finished:
    """One packet of a set, with how many graders have finished it.

    Parameters
    ----------
    packet
        The set as last registered.
    number
        1, or 2 for the second packet of a panel's own references.
    graders
        How many graders have scored every paper.
    """

    packet: Packet
    number: int
    graders: int

    @property
    def title(self) -> str:
        """What screens call it."""
        if self.packet.set.reference == "panel":
            return f"{self.packet.set.title}: {'first' if self.number == 1 else 'second'} packet"
        return self.packet.set.title


def sets_of(item: str) -> list[Packet]:
    """List the sets of a question as last registered, by id, whatever they are for."""
    with bench().record() as record:
        hashes = [digest for _, digest in sorted(record.calibration.current_sets.items())]
    return [packet for digest in hashes if (packet := bench().kept_packet(digest)).item == item]


def packets_to_qualify(item: str) -> list[Finished]:
    """List the packets of a question that graders rank and score to qualify."""
    found = []
    for packet in sets_of(item):
        if packet.set.purpose == "qualify":
            numbers = (1, 2) if packet.set.reference == "panel" else (1,)
            found += [Finished(packet, number, _finished(packet.id, number)) for number in numbers]
    return found


def account_names() -> dict[str, str]:
    """Give the name each account is shown by, by account id."""
    return {account.account_id: account.shown_name for account in all_accounts(bench())}


def draw_no_set(item: str) -> None:
    """Say that nobody can calibrate for a question, and what to do."""
    draw_line(
        f"No calibration set belongs to {bench().material().item(item).title}. Put one under "
        "calibration_sets (its README says what a set holds), then read the files again."
    )


def without_folder(words: str) -> str:
    """Leave the workspace's own folder out of a message, so that a page shows no path of the server.

    Notes
    -----
    A folder reached by a link is named as it was opened and as it is.
    """
    root = bench().folder.path
    for folder in (root, root.resolve()):
        words = words.replace(f"{folder}/", "").replace(str(folder), "the workspace")
    return words


def _finished(set_id: str, number: int) -> int:
    with bench().record() as record:
        return len({attempt.grader_id for attempt in finished_attempts(record, set_id, number)})
