"""What the events of a round refer to: files and answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from grader_app.domain.held_once import held_once


class KeptResponse(Mapping[str, str]):
    """What the events refer to of one answer, by name: ``item``, ``candidate_id``, ``text_hash``.

    Notes
    -----
    A round has hundreds of thousands; this takes a third of a dictionary's memory.
    """

    __slots__ = ("candidate_id", "item", "text_hash")

    def __init__(self, item: str, candidate_id: str, text_hash: str) -> None:
        self.item, self.candidate_id, self.text_hash = held_once(item), held_once(candidate_id), text_hash

    def __getitem__(self, name: str) -> str:
        if name not in self.__slots__:
            raise KeyError(name)
        found: str = getattr(self, name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.__slots__)

    def __len__(self) -> int:
        return len(self.__slots__)


@dataclass(frozen=True)
class Inputs:
    """What the events refer to: files by content hash, answers by id.

    Parameters
    ----------
    files
        Content by hash, each ``{"kind", "id", "version", "content"}``; kinds ``round``, ``rubric``, ``item``,
        ``calibration_set``.
    responses
        ``{"item", "candidate_id", "text_hash"}`` by response id.
    mbe
        MBE scaled score by candidate id.
    """

    files: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    responses: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    mbe: Mapping[str, float] = field(default_factory=dict)
