"""What the events of a round refer to: files and answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


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
