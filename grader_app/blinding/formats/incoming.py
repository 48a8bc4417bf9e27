"""What a file of answers holds, whatever its format: answers still tied to whoever wrote them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

NEEDED = ("id", "text", "source")
"""Keys every answer must have."""

OPTIONAL = (
    "prompt_type",
    "temperature",
    "trial",
    "model_version",
    "gold",
    "finish_reason",
    "licence",
    "slice",
)
"""Keys an answer may have; every other column is kept with the source under its own name."""

KEYS = (*NEEDED, *OPTIONAL)

NO_OTHERS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class IncomingAnswer:
    """One answer as its sender gave it; every value is the sender's text, unchanged.

    Parameters
    ----------
    sender_id
        The sender's id of the answer: text for ever, so ``000123`` and ``1E5`` stay.
    text
        The answer; empty for a blank one.
    source
        Who or what wrote it: a candidate's number, a model's name.
    line
        Physical line of the file on which it starts.
    prompt_type, temperature, trial, model_version
        Under which condition a model wrote it; with the source they tell candidates apart.
    gold, finish_reason, licence, slice
        Further facts the sender gave.
    others
        All other columns of the file by name.
    """

    sender_id: str
    text: str
    source: str
    line: int
    prompt_type: str = ""
    temperature: str = ""
    trial: str = ""
    model_version: str = ""
    gold: str = ""
    finish_reason: str = ""
    licence: str = ""
    slice: str = ""
    others: Mapping[str, str] = field(default_factory=dict)

    @property
    def candidate(self) -> tuple[str, str, str, str, str]:
        """What makes two answers the work of one candidate."""
        return self.source, self.prompt_type, self.temperature, self.model_version, self.trial


@dataclass(frozen=True)
class AnswerFile:
    """A file of answers as read.

    Parameters
    ----------
    path
        The file, as the person named it.
    hash
        SHA-256 of its bytes, by which the same file is known again.
    format
        Name of its format.
    described
        How it was written, for a person: delimiter, encoding, line ends.
    columns
        The column names found, in their order.
    answers
        The answers, in the order of the file.
    """

    path: str
    hash: str
    format: str
    described: str
    columns: tuple[str, ...]
    answers: list[IncomingAnswer] = field(repr=False)
