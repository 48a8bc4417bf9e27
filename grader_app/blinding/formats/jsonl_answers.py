"""Answers in JSON lines: one object a line, numbers kept as they were written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grader_app.blinding.formats.columns import place_columns
from grader_app.blinding.formats.incoming import (
    NEEDED,
    NO_OTHERS,
    OPTIONAL,
    AnswerFile,
    IncomingAnswer,
)
from grader_app.errors import FileProblems, Problem
from grader_app.files.text_encoding import read_as_utf8, read_bytes

_LISTED = 50
_ONE_A_LINE = "Write one JSON object a line, without commas between lines."


class _Number(str):
    """A JSON number as it was written: 0.70 stays 0.70."""

    __slots__ = ()


class _NotANumber(str):
    """NaN or Infinity, which Python writes although JSON has no such number."""

    __slots__ = ()


class _Refused(Exception):
    """A line that cannot be used, with what is wrong and what to do."""

    def __init__(self, what: str, fix: str) -> None:
        self.what, self.fix = what, fix


def read_jsonl_answers(path: Path, columns: Mapping[str, str]) -> AnswerFile:
    """Read answers from JSON lines.

    Parameters
    ----------
    path
        One object a line, UTF-8 or UTF-16; empty lines are passed over.
    columns
        Name in the file by key, where it is not the key itself.

    Returns
    -------
    AnswerFile
        The answers. Lists and objects under other names are kept as JSON.

    Raises
    ------
    FileProblems
        The file is no JSON lines, a name stands twice in an object, a needed value is missing, or a value
        that should be text is a list, an object, true, false or null; each with its line.
    """
    content = read_as_utf8(path)
    objects, lines = _objects(str(path), content.utf8)
    found = tuple(dict.fromkeys(name for each in objects for name in each))
    placed = place_columns(str(path), found, columns, lines[0])
    mark = ", byte order mark" if content.bom else ""
    return AnswerFile(
        path=str(path),
        hash=hashlib.sha256(read_bytes(path)).hexdigest(),
        format="jsonl",
        described=f"JSON lines, {content.encoding.upper()}{mark}",
        columns=found,
        answers=_answers(str(path), objects, lines, placed),
    )


def _objects(path: str, utf8: bytes) -> tuple[list[dict[str, Any]], list[int]]:
    objects: list[dict[str, Any]] = []
    lines: list[int] = []
    problems: list[Problem] = []
    decoder = json.JSONDecoder(
        object_pairs_hook=_without_repeats,
        parse_float=_Number,
        parse_int=_Number,
        parse_constant=_NotANumber,
    )
    for number, line in enumerate(utf8.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            objects.append(_one_object(decoder, line.decode("utf-8")))
            lines.append(number)
        except _Refused as refused:
            problems.append(Problem(path, number, refused.what, refused.fix))
            if not objects and len(problems) == 1 and (whole := _whole_file(path, utf8)):
                raise FileProblems([whole]) from None
    _raise_listed(path, problems)
    if not objects:
        raise FileProblems([Problem(path, 0, "The file is empty.", _ONE_A_LINE)])
    return objects, lines


def _raise_listed(path: str, problems: list[Problem]) -> None:
    if len(problems) > _LISTED:
        more = Problem(
            path, 0, f"{len(problems) - _LISTED} further lines have problems.", "See those listed."
        )
        problems = [*problems[:_LISTED], more]
    if problems:
        raise FileProblems(problems)


def _one_object(decoder: json.JSONDecoder, line: str) -> dict[str, Any]:
    try:
        found = decoder.decode(line)
    except json.JSONDecodeError as error:
        raise _Refused(f"This is not JSON: {error.msg}, at character {error.pos + 1}.", _ONE_A_LINE) from None
    except RecursionError:
        raise _Refused("Lists or objects are nested too deep.", "Keep the answer's values only.") from None
    if not isinstance(found, dict):
        raise _Refused(f"The line holds {_kind(found)}, not an object.", _ONE_A_LINE)
    return found


def _whole_file(path: str, utf8: bytes) -> Problem | None:
    """Recognise what is often taken for JSON lines: one JSON value over many lines."""
    try:
        found = json.loads(utf8)
    except (json.JSONDecodeError, RecursionError):
        if utf8.lstrip()[:1] in (b"{", b"["):
            return None
        what = "This is not a file of JSON lines: its first line does not begin with `{`."
        return Problem(path, 1, what, "Choose another format with --format, or write one JSON object a line.")
    what = f"The whole file is {_kind(found)}, not JSON lines."
    return Problem(path, 0, what, _ONE_A_LINE)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise _Refused(f"`{'`, `'.join(twice)}` stands twice in one object.", "Keep one.")
    return found


def _answers(
    path: str, objects: Sequence[dict[str, Any]], lines: Sequence[int], placed: Mapping[str, str]
) -> list[IncomingAnswer]:
    problems: list[Problem] = []
    answers: list[IncomingAnswer] = []
    for each, line in zip(objects, lines, strict=True):
        try:
            answers.append(_answer(each, line, placed))
        except _Refused as refused:
            problems.append(Problem(path, line, refused.what, refused.fix))
    _raise_listed(path, problems)
    return answers


def _answer(each: dict[str, Any], line: int, placed: Mapping[str, str]) -> IncomingAnswer:
    values = {key: _scalar(each, name, needed=key in NEEDED) for key, name in placed.items()}
    used = set(placed.values())
    others = {name: _as_text(value) for name, value in each.items() if name not in used}
    return IncomingAnswer(
        sender_id=values["id"],
        text=values["text"],
        source=values["source"],
        line=line,
        others=others or NO_OTHERS,
        **{key: values[key] for key in OPTIONAL if key in values},
    )


def _scalar(each: dict[str, Any], name: str, *, needed: bool) -> str:
    value = each.get(name)
    if isinstance(value, str) and not isinstance(value, _NotANumber):
        return str(value)
    if value is None and not needed:
        return ""
    if name not in each:
        found = ", ".join(f"`{other}`" for other in each)
        raise _Refused(f"There is no `{name}` in this line; found {found}.", f"Add `{name}`.")
    if value is None:
        raise _Refused(f"`{name}` is null.", 'Give it a value; a blank answer is "".')
    raise _Refused(f"`{name}` is {_kind(value)}, not text.", "Write text in quotes, or a number.")


def _as_text(value: Any) -> str:  # noqa: ANN401 - anything JSON can hold
    """Keep a value of another column: text as it is, anything else as JSON."""
    if value is None:
        return ""
    return str(value) if isinstance(value, str) else _json(value)


def _json(value: Any) -> str:  # noqa: ANN401 - anything JSON can hold
    """Write JSON with numbers as they were written."""
    if isinstance(value, _Number | _NotANumber):
        return str(value)
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{json.dumps(k, ensure_ascii=False)}: {_json(v)}" for k, v in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_json, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _kind(value: Any) -> str:  # noqa: ANN401 - anything JSON can hold
    if value is None or isinstance(value, bool | _NotANumber):
        return str(value) if isinstance(value, str) else json.dumps(value)
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "one object"
    return "a number" if isinstance(value, _Number | int | float) else "text"
