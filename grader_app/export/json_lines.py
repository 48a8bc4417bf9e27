"""The log and what it refers to, as JSON lines that read back to the same objects."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, TypeVar

from grader_app.domain.content_hash import canonical_json, quoted
from grader_app.domain.events import Event
from grader_app.domain.held_once import held_once
from grader_app.domain.inputs import Inputs, kept_response
from grader_app.errors import VerificationFailed

EVENTS_FILE = "events.jsonl"
INPUTS_FILE = "inputs.jsonl"
_LINES_AT_ONCE = 500
_FILE_KINDS = ("round", "rubric", "item", "calibration_set")

Read = TypeVar("Read")


def events_bytes(events: Iterable[Event]) -> bytes:
    """Write the log, one event a line."""
    return b"".join(events_pieces(events))


def inputs_bytes(inputs: Inputs) -> bytes:
    """Write what the events refer to, one object a line, in the order of `in_order`."""
    return b"".join(inputs_pieces(inputs))


def events_pieces(events: Iterable[Event]) -> Iterator[bytes]:
    """Write the log as `events_bytes` does, some hundred lines at once."""
    return _pieces(event.as_json() for event in events)


def inputs_pieces(inputs: Inputs) -> Iterator[bytes]:
    """Write what the events refer to as `inputs_bytes` does, some hundred lines at once."""
    lines = chain(
        (canonical_json(_file_object(digest, inputs.files[digest])) for digest in _files_in_order(inputs)),
        (
            _response_line(response_id, inputs.responses[response_id])
            for response_id in sorted(inputs.responses)
        ),
        (
            canonical_json({"kind": "mbe", "candidate_id": c, "mbe": inputs.mbe[c]})
            for c in sorted(inputs.mbe)
        ),
    )
    return _pieces(lines)


def in_order(inputs: Inputs) -> Inputs:
    """Put files in the order round, rubric, item, calibration set, then id and hash; all else by id."""
    return Inputs(
        {digest: inputs.files[digest] for digest in _files_in_order(inputs)},
        {response_id: inputs.responses[response_id] for response_id in sorted(inputs.responses)},
        {candidate_id: inputs.mbe[candidate_id] for candidate_id in sorted(inputs.mbe)},
    )


def _files_in_order(inputs: Inputs) -> list[str]:
    files = inputs.files
    return sorted(
        files, key=lambda hash_: (_FILE_KINDS.index(files[hash_]["kind"]), files[hash_]["id"], hash_)
    )


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
        key = held_once(
            one["hash"] if kind in _FILE_KINDS else one["candidate_id" if kind == "mbe" else "id"]
        )
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
            responses[key] = kept_response(one["item"], one["candidate_id"], one["text_hash"])
    return Inputs(files, responses, mbe)


def _file_object(digest: str, kept: Any) -> dict[str, Any]:  # noqa: ANN401 - as Inputs holds it
    return {"hash": digest} | {name: kept[name] for name in ("kind", "id", "version", "content")}


def _response_line(response_id: str, one: Mapping[str, Any]) -> str:
    # As canonical JSON: names stand in the order of the alphabet. There are hundreds of thousands of these.
    return (
        f'{{"candidate_id":{quoted(one["candidate_id"])},"id":{quoted(response_id)},'
        f'"item":{quoted(one["item"])},"kind":"response","text_hash":{quoted(one["text_hash"])}}}'
    )


def _pieces(lines: Iterable[str]) -> Iterator[bytes]:
    left = iter(lines)
    while some := list(islice(left, _LINES_AT_ONCE)):
        yield ("\n".join(some) + "\n").encode()


def _parsed(file: str, data: bytes, read: Callable[[Any], Read], write: Callable[[Read], str]) -> list[Read]:
    if data and not data.endswith(b"\n"):
        raise VerificationFailed(f"{file}: the last line is cut off. Take the export again.")
    found, number = [], 0
    for lines in _in_pieces(data):
        for line, plain in zip(lines, _plain(lines), strict=True):
            number += 1
            try:
                one = read(plain)
                same = write(one).encode("utf-8") == line
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                same = False
            if not same:
                raise VerificationFailed(
                    f"{file}, line {number}: this line is not as the program wrote it. "
                    f"It begins {_begin(line)}."
                )
            found.append(one)
    return found


def _in_pieces(data: bytes) -> Iterator[list[bytes]]:
    """Cut a file into lists of some hundred lines, without the line ends."""
    stream = io.BytesIO(data)
    while lines := [line[:-1] for line in islice(stream, _LINES_AT_ONCE)]:
        yield lines


def _plain(lines: Sequence[bytes]) -> Iterator[Any]:
    """Read lines of JSON; what is no JSON becomes a value that no line can be.

    Notes
    -----
    Read as one list, the objects share their keys, which halves the memory that a long log takes.
    """
    try:
        together = json.loads(b"[" + b",".join(lines) + b"]")
    except (ValueError, RecursionError):
        together = []
    if len(together) == len(lines):
        yield from together
        return
    for line in lines:
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            yield None


def _begin(line: bytes) -> str:
    text = line[:80].decode("utf-8", "replace")
    return f"{text!r}" if text else "with nothing"


def _event(one: Any) -> Event:  # noqa: ANN401 - any JSON may stand in the line
    body = one.pop("body")
    if not isinstance(body, dict):
        raise TypeError(body)
    common = {"actor": held_once(one["actor"]), "kind": held_once(one["kind"])}
    return Event(**one | common, body_json=canonical_json(body))


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
