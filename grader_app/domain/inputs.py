"""What the events of a round refer to: files and answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from grader_app.domain.held_once import held_once


def kept_response(item: str, candidate_id: str, text_hash: str) -> dict[str, str]:
    """Give what `Inputs` holds of one answer, with what many have in common held once."""
    return {"item": held_once(item), "candidate_id": held_once(candidate_id), "text_hash": text_hash}


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
