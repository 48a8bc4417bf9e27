"""What the blinding key records: batches taken in, and the source of each answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Candidate = tuple[str, str, str, str, str]
"""Source, prompt type, temperature, model version, trial."""


@dataclass(frozen=True)
class Batch:
    """One file taken in.

    Parameters
    ----------
    batch_id
        Random id.
    item
        The item its answers belong to.
    file_name, file_hash
        The file's name, and SHA-256 of its bytes.
    plain
        Whether its texts were made plain.
    status
        ``pending`` until the workbench holds its answers, then ``done``; ``undone`` once taken back.
    at
        UTC time.
    """

    batch_id: str
    item: str
    file_name: str
    file_hash: str
    plain: bool
    status: str
    at: str


@dataclass(frozen=True, slots=True)
class KeptSource:
    """Who wrote one answer, with all that came with it.

    Parameters
    ----------
    response_id, candidate_id, item
        The answer below the blind line.
    sender_id, source, prompt_type, temperature, trial, model_version, gold, finish_reason, licence, slice
        As in `grader_app.blinding.formats.incoming.IncomingAnswer`.
    others
        The file's other columns by name.
    batch, line
        Where it came from.
    original_hash
        SHA-256 of the text before it was made plain.
    """

    response_id: str
    candidate_id: str
    item: str
    sender_id: str
    source: str
    prompt_type: str
    temperature: str
    trial: str
    model_version: str
    gold: str
    finish_reason: str
    licence: str
    slice: str
    batch: str
    line: int
    original_hash: str
    others: Mapping[str, str] = field(default_factory=dict)

    @property
    def candidate(self) -> Candidate:
        """What makes two answers the work of one candidate."""
        return self.source, self.prompt_type, self.temperature, self.model_version, self.trial
