"""Strict YAML that keeps line numbers: what plain YAML would change in silence is refused, with its line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import yaml
from pydantic import BaseModel

from grader_app.domain.model import Location
from grader_app.errors import FileProblems, Problem
from grader_app.files.model_problems import Finding, empty_values, validated
from grader_app.files.text_encoding import read_as_utf8
from grader_app.files.yaml_document import Document
from grader_app.files.yaml_lines import (
    character_problems,
    format_problem,
    lines_of,
    without_such_characters,
    written_format,
)
from grader_app.files.yaml_words import plain_word

PROSE_KEYS = frozenset({"means", "question", "text", "holds", "accept_also", "common_mistakes"})
_DEEPEST = 40
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same grammar, ten times as fast

_FOLD = "Write `>-` after the colon or dash, and the sentence on the next lines, indented."
_DASHES = "Write one entry a line, each after a dash; leave the key out if there is none."
_COMMENT_STUCK_ON = re.compile(r"\s#[^\s#]")
_YAML_SAYS = {
    "mapping values are not allowed": "Put text that holds `: ` under `>-`, or in quotes.",
    "cannot start any token": "Put the text in quotes.",
    "end of stream": "Close the quotation mark.",
    "could not find expected": "Check the indentation of this line and of the one above.",
    "": "Check the indentation and the quotation marks here and just above.",
}
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class Loaded(Generic[Model]):
    """A file read as a model: the model if there is nothing wrong, and the document it was read from."""

    model: Model | None
    document: Document
    problems: tuple[Problem, ...]


def read_yaml(path: Path, prose_keys: Collection[str] = PROSE_KEYS) -> Document:
    """Read a strict YAML file of any format.

    Parameters
    ----------
    path
        The file.
    prose_keys
        Keys whose sentences, or list of sentences, must stand under ``>-``.

    Returns
    -------
    Document
        Its data with line numbers.

    Raises
    ------
    FileProblems
        Everything wrong with the YAML, at once.
    """
    document = examine_yaml(path, prose_keys)
    if document.problems:
        raise FileProblems(document.problems)
    return document


def load_model(path: Path, model: type[Model], format_name: str) -> Model:
    """Read a YAML file as a model.

    Parameters
    ----------
    path
        The file.
    model
        The pydantic model it must fit.
    format_name
        The name its first line must give, for example ``rubric``.

    Returns
    -------
    Model
        The model.

    Raises
    ------
    FileProblems
        Everything wrong with the YAML, the keys, the values and the rules between them, at once.
    """
    loaded = examine_model(path, model, format_name)
    if loaded.model is None:
        raise FileProblems(loaded.problems)
    return loaded.model


def examine_model(path: Path, model: type[Model], format_name: str) -> Loaded[Model]:
    """Read a YAML file as a model, giving the problems back instead of raising them.

    Parameters
    ----------
    path, model, format_name
        As for `load_model`.

    Returns
    -------
    Loaded
        The model, or None and all problems; the document in both cases.
    """
    try:
        text = read_as_utf8(path).utf8.decode("utf-8")
    except FileProblems as error:
        return Loaded(None, Document(str(path), None, {}, frozenset(), error.problems), error.problems)
    document = _document(str(path), text, PROSE_KEYS)
    wrong_format = format_problem(str(path), text, format_name) if text.strip() else None
    if wrong_format:
        document = replace(document, problems=(*document.problems, wrong_format))
    other_format = wrong_format is not None and written_format(text) is not None
    if other_format or not isinstance(document.data, dict):
        return Loaded(None, document, document.problems)
    result, findings = validated(model, document.data)
    if wrong_format:
        findings = [finding for finding in findings if finding.loc != ("format",)]
    placed = dict.fromkeys(_placed(document, [*findings, *empty_values(document.data)]))
    problems = (*document.problems, *placed)
    return Loaded(None if problems else result, document, problems)


def examine_yaml(path: Path, prose_keys: Collection[str] = PROSE_KEYS) -> Document:
    """Read a strict YAML file, giving the problems of its YAML back instead of raising them.

    Parameters
    ----------
    path, prose_keys
        As for `read_yaml`.

    Returns
    -------
    Document
        Its data as far as it could be read, and its problems.
    """
    try:
        text = read_as_utf8(path).utf8.decode("utf-8")
    except FileProblems as error:
        return Document(str(path), None, {}, frozenset(), error.problems)
    return _document(str(path), text, prose_keys)


def _placed(document: Document, findings: list[Finding]) -> Iterator[Problem]:
    for finding in findings:
        if finding.loc not in document.faulty:
            yield document.problem(finding.loc, finding.what, finding.fix)


def _document(path: str, text: str, prose_keys: Collection[str]) -> Document:
    problems = list(character_problems(path, text))
    clean = (
        without_such_characters(text) if problems else text
    )  # YAML would stop at the first, in worse words
    builder = _Builder(path, lines_of(clean), prose_keys)
    data = _build(builder, path, clean)
    if data is not None or not problems:
        problems += builder.problems
    return Document(path, data, builder.marks, frozenset(builder.faulty), tuple(sorted(set(problems))))


def _build(builder: _Builder, path: str, text: str) -> Any:  # noqa: ANN401 - whatever the file holds
    try:
        return builder.document(yaml.parse(text, Loader=_Loader))
    except yaml.MarkedYAMLError as error:
        says = error.problem or str(error)
        # What is never closed is reported where it opens, not at the end of the file.
        opens = error.context_mark if "end of stream" in says else None
        mark = opens or error.problem_mark
        fix = next(fix for part, fix in _YAML_SAYS.items() if part in says)
        line = min(mark.line + 1 if mark else 1, len(builder.lines))
        builder.problems.append(Problem(path, line, f"This is not readable YAML: {says}.", fix))
    except _TooDeep as error:
        what = f"Lists and blocks are nested more than {_DEEPEST} deep."
        builder.problems.append(Problem(path, error.line, what, "Check the indentation and the dashes."))
    return None


class _TooDeep(Exception):
    """The nesting is deeper than any of our formats."""

    def __init__(self, line: int) -> None:
        self.line = line


class _Builder:
    """Turns YAML events into data, noting each value's line and every breach of the strict rules."""

    def __init__(self, path: str, lines: list[str], prose_keys: Collection[str]) -> None:
        self.path = path
        self.lines = lines
        self.prose_keys = prose_keys
        self.marks: dict[Location, int] = {}
        self.faulty: set[Location] = set()
        self.problems: list[Problem] = []

    def document(self, events: Iterator[yaml.Event]) -> Any:  # noqa: ANN401 - whatever the file holds
        data: Any = None
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                self._check_document_start(event, documents)
            elif isinstance(event, yaml.NodeEvent):
                value = self._value(event, events, () if documents == 1 else ("…", documents))
                data = value if documents == 1 else data
        if data is None:
            self._report((), 0, "The file is empty.", "Begin it with its format line.")
        elif not isinstance(data, dict):
            self._report((), 1, "The file holds no keys.", "Write `key: value`, one a line.")
        return data

    def _check_document_start(self, event: yaml.DocumentStartEvent, number: int) -> None:
        line = _line(event)
        if number > 1:
            self._report((), line, "A line `---` starts a second document.", "Keep one document a file.")
        if event.version or event.tags:
            self._report((), line, "A line starts with `%`.", "Remove it.")

    def _value(self, event: yaml.Event, events: Iterator[yaml.Event], loc: Location) -> Any:  # noqa: ANN401
        line = _line(event)
        self.marks.setdefault(loc, line)
        if len(loc) > _DEEPEST:
            raise _TooDeep(line)
        self._check_plainness(event, loc, line)
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(events, loc)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(events, loc)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, loc, line)
        return None

    def _check_plainness(self, event: Any, loc: Location, line: int) -> None:  # noqa: ANN401 - any node event
        """Refuse aliases, anchors, tags and one-liners in braces or brackets."""
        if isinstance(event, yaml.AliasEvent):
            self._report(
                loc, line, f"`*{event.anchor}` refers to another place.", "Write it out, or use quotes."
            )
        elif event.anchor:
            self._report(loc, line, f"`&{event.anchor}` names a place.", "Remove it, or use quotes.")
        elif event.tag:
            self._report(loc, line, f"`{event.tag}` is a YAML tag.", "Remove it, or use quotes.")
        elif isinstance(event, yaml.MappingStartEvent) and event.flow_style:
            self._report(
                loc, line, "Keys stand in `{ }` on one line.", "Write one `key: value` a line, indented."
            )
        elif isinstance(event, yaml.SequenceStartEvent) and event.flow_style:
            self._report(loc, line, "A list stands in `[ ]` on one line.", _DASHES)

    def _mapping(self, events: Iterator[yaml.Event], loc: Location) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            line = _line(event)
            key = self._key(event, events, loc, line)
            if key is None or key in data:
                if key is not None:
                    first = self.marks[(*loc, key)]
                    self._report(
                        (*loc, key), line, f"The key `{key}` is already on line {first}.", "Keep one."
                    )
                self._value(next(events), events, (*loc, "…", line))
                continue
            self.marks[(*loc, key)] = line
            data[key] = self._value(next(events), events, (*loc, key))
        return data

    def _key(self, event: yaml.Event, events: Iterator[yaml.Event], loc: Location, line: int) -> str | None:
        if not isinstance(event, yaml.ScalarEvent):
            self._report((*loc, "…", line), line, "A key is a list or a block.", "Use plain words as keys.")
            self._value(event, events, (*loc, "…", line))
            return None
        self._check_plainness(event, (*loc, "…", line), line)
        if event.value == "<<" and not event.style:
            self._report((*loc, "…", line), line, "`<<` merges another place in.", "Write the keys out.")
            return None
        return event.value

    def _sequence(self, events: Iterator[yaml.Event], loc: Location) -> list[Any]:
        data: list[Any] = []
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            data.append(self._value(event, events, (*loc, len(data))))
        return data

    def _scalar(self, event: yaml.ScalarEvent, loc: Location, line: int) -> Any:  # noqa: ANN401
        if event.style == ">" or (event.style == "|" and not self._is_prose(loc)):
            return event.value
        if event.value and self._is_prose(loc):
            key = next(part for part in reversed(loc) if isinstance(part, str))
            self._report(loc, line, f"The sentence under `{key}` does not stand under `>-`.", _FOLD)
        elif not event.style:
            self._check_comment(event, loc)
            return self._plain(event.value, loc, line)
        return event.value

    def _is_prose(self, loc: Location) -> bool:
        named = loc[-2] if len(loc) > 1 and isinstance(loc[-1], int) else loc[-1] if loc else ""
        return named in self.prose_keys

    def _check_comment(self, event: yaml.ScalarEvent, loc: Location) -> None:
        """Refuse `#3` after plain text: YAML takes it for a comment and cuts the text there."""
        mark: Any = event.end_mark
        rest = self.lines[mark.line][mark.column :] if event.value and mark.line < len(self.lines) else ""
        if _COMMENT_STUCK_ON.match(" " + rest.lstrip()) and rest[:1] in (" ", "#"):
            what = f"YAML cuts the text at `{rest.strip()[:20]}` and takes the rest for a comment."
            self._report(loc, mark.line + 1, what, "Put the text in quotes, or a space after `#`.")

    def _plain(self, text: str, loc: Location, line: int) -> str | float | bool | None:
        word = plain_word(text)
        if word.what:
            self._report(loc, line, word.what, word.fix)
        return word.value

    def _report(self, loc: Location, line: int, what: str, fix: str) -> None:
        self.faulty.add(loc)
        self.problems.append(Problem(self.path, line, what, fix))


def _line(event: Any) -> int:  # noqa: ANN401 - every event has a mark, though its type says it may not
    return int(event.start_mark.line) + 1
