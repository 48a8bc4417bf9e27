"""What every group can say of a score: the percent below it, the percent level with it, or why neither."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

Status = Literal["ok", "outside_group", "not_published"]


@dataclass(frozen=True)
class NoNumber:
    """Why there is no percentile.

    Parameters
    ----------
    status
        ``outside_group``: nobody in the group has so low a score; ``not_published``: no figure reaches it.
    says
        The same in a sentence.
    """

    status: Status
    says: str


class Standing(Protocol):
    """A group of scores."""

    def why_none(self, score: float) -> NoNumber | None:
        """Return why there is no percentile at a score; None if there is one."""

    def percent_below(self, score: float) -> float:
        """Return the percent of the group below a score, 0 under the lowest."""

    def percent_level(self, score: float) -> float:
        """Return the percent of the group with exactly this score."""

    def notes(self, score: float) -> tuple[str, ...]:
        """Say how the number at this score comes about, where that needs saying."""
