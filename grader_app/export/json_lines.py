"""The log and what it refers to, as JSON lines that read back to the same objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import Event
from grader_app.domain.inputs import Inputs
from grader_app.errors import VerificationFailed

EVENTS_FILE = "events.jsonl"
INPUTS_FILE = "inputs.jsonl"
_FILE_KINDS = ("round", "rubric", "item", "calibration_set")

Read = TypeVar("Read")


def events_bytes(events: Iterable[Event]) -> bytes:
    """Write the log, one event a line."""
    return _lines(event.as_json() for event in events)


def inputs_bytes(inputs: Inputs) -> bytes:
    """Write what the events refer to, one object a line.

    Parameters
    ----------
    inputs
        Files in the order round, rubric, item, calibration set, then by id and hash; answers by id; MBE by
        candidate.
    """
    files = sorted(
        inputs.files.items(), key=lambda kept: (_FILE_KINDS.index(kept[1]["kind"]), kept[1]["id"], kept[0])
    )
    objects = [
        *(_file_object(digest, kept) for digest, kept in files),
        *({"kind": "response", "id": r, **inputs.responses[r]} for r in sorted(inputs.responses)),
        *({"kind": "mbe", "candidate_id": c, "mbe": inputs.mbe[c]} for c in sorted(inputs.mbe)),
    ]
    return _lines(canonical_json(one) for one in objects)


def parse_events(data: bytes) -> list[Event]:
    """Read the log back.

    Raises
    ------
    VerificationFailed
        Naming the first line that is not an event as this program writes it.
    """
    return _parsed(EVENTS_FILE, data, _event, lambda event: event.as_json())


def parse_inputs(data: bytes) -> Inputs:
    """Read back what the events refer to.

    Raises
    ------
    VerificationFailed
        Naming the first line that is not an object as this program writes it, or repeats another.
    """
    files: dict[str, dict[str, Any]] = {}
    responses: dict[str, dict[str, Any]] = {}
    mbe: dict[str, float] = {}
    for number, one in enumerate(_parsed(INPUTS_FILE, data, _input_object, canonical_json), start=1):
        kind = one["kind"]
        key = one["hash"] if kind in _FILE_KINDS else one["candidate_id" if kind == "mbe" else "id"]
        known = files if kind in _FILE_KINDS else mbe if kind == "mbe" else responses
        if key in known:
            raise VerificationFailed(
                f"{INPUTS_FILE}, line {number}: {kind} {key} stands there a second time. "
                "Take the export from its first owner again."
            )
        if kind in _FILE_KINDS:
            files[key] = {name: one[name] for name in ("kind", "id", "version", "content")}
        elif kind == "mbe":
            mbe[key] = float(one["mbe"])
        else:
            responses[key] = {name: one[name] for name in ("item", "candidate_id", "text_hash")}
    return Inputs(files, responses, mbe)


def _file_object(digest: str, kept: Any) -> dict[str, Any]:  # noqa: ANN401 - as Inputs holds it
    return {"hash": digest} | {name: kept[name] for name in ("kind", "id", "version", "content")}


def _lines(objects: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in objects).encode("utf-8")


def _parsed(file: str, data: bytes, read: Callable[[Any], Read], write: Callable[[Read], str]) -> list[Read]:
    if data and not data.endswith(b"\n"):
        raise VerificationFailed(f"{file}: the last line is cut off. Take the export again.")
    found = []
    for number, line in enumerate(data.split(b"\n")[:-1], start=1):
        try:
            one = read(json.loads(line))
            same = write(one).encode("utf-8") == line
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            same = False
        if not same:
            raise VerificationFailed(
                f"{file}, line {number}: this line is not as the program wrote it. It begins {_begin(line)}."
            )
        found.append(one)
    return found


def _begin(line: bytes) -> str:
    text = line[:80].decode("utf-8", "replace")
    return f"{text!r}" if text else "with nothing"


def _event(one: Any) -> Event:  # noqa: ANN401 - any JSON may stand in the line
    return Event(**one)


def _input_object(one: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON may stand in the line
    kind = one["kind"]
    if kind in _FILE_KINDS:
        names = {"kind", "hash", "id", "version", "content"}
    elif kind == "mbe":
        names = {"kind", "candidate_id", "mbe"}
    elif kind == "response":
        names = {"kind", "id", "item", "candidate_id", "text_hash"}
    else:
        raise ValueError(kind)
    if set(one) != names:
        raise ValueError(one)
    return dict(one)
