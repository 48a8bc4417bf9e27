"""What is wrong with a file of answers, and what a custodian should know about it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from grader_app.blinding.formats.columns import misspelt
from grader_app.blinding.formats.incoming import KEYS, AnswerFile, IncomingAnswer
from grader_app.blinding.key_records import Candidate
from grader_app.errors import FileProblems, Problem

LISTED = 50
"""Problems of one kind that are listed one by one."""

_LINES_NAMED = 10
_CELL_LIMIT = 32_767  # characters a spreadsheet's cell can hold
_BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_CUT_OFF = {
    "length",
    "max length",
    "model length",
    "max tokens",
    "max output tokens",
    "token limit",
    "cut off",
    "cutoff",
    "truncated",
    "incomplete",
}


def is_cut_off(finish_reason: str) -> bool:
    """Say whether a text stops before its end.

    Examples
    --------
    >>> is_cut_off("MAX_TOKENS"), is_cut_off("stop")
    (True, False)
    """
    return re.sub(r"[\s_-]+", " ", finish_reason).strip().casefold() in _CUT_OFF


def refuse_faulty(file: AnswerFile) -> None:
    """Refuse a file with answers that cannot be told apart or stored.

    Raises
    ------
    FileProblems
        Repeated ids (each with all its lines), empty ids and sources, NUL characters, broken characters.
    """
    if not file.answers:
        problem = Problem(file.path, 0, "There are no answers in it.", "Give it one row an answer.")
        raise FileProblems([problem])
    problems = [*_repeated(file), *_unusable(file)]
    if problems:
        raise FileProblems(shortened(file.path, problems))


def shortened(path: str, problems: list[Problem]) -> list[Problem]:
    """Keep the first problems of a long list, and count the others."""
    if len(problems) <= LISTED:
        return problems
    more = f"{len(problems) - LISTED} further problems of this kind."
    return [*sorted(problems)[:LISTED], Problem(path, 0, more, "See those listed.")]


def _repeated(file: AnswerFile) -> Iterator[Problem]:
    lines: dict[str, list[int]] = defaultdict(list)
    for answer in file.answers:
        lines[answer.sender_id].append(answer.line)
    for sender_id, found in lines.items():
        if len(found) > 1 and sender_id.strip():
            what = f"The id `{_short(sender_id)}` stands on lines {_listed(found)}."
            yield Problem(file.path, found[0], what, "Give each answer of an item its own id.")


def _unusable(file: AnswerFile) -> Iterator[Problem]:
    for answer in file.answers:
        if not answer.sender_id.strip():
            yield Problem(file.path, answer.line, "The answer has no id.", "Give it one.")
        if not answer.source.strip():
            yield Problem(file.path, answer.line, "The answer has no source.", "Say who wrote it.")
        for name, value in _values(answer):
            if "\0" in value:
                fix = "Remove it; the file is damaged."
                yield Problem(file.path, answer.line, f"There is a NUL character in `{name}`.", fix)
            if not value.isascii() and not _encodable(value):
                what = f"There is half a character (a lone surrogate) in `{name}`."
                yield Problem(file.path, answer.line, what, "Save the file again from where it was made.")


def _values(answer: IncomingAnswer) -> Iterator[tuple[str, str]]:
    yield "id", answer.sender_id
    for key in KEYS[1:]:
        if value := getattr(answer, key):
            yield key, value
    yield from answer.others.items()


def _encodable(value: str) -> bool:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def warnings_about(file: AnswerFile, known: Iterable[Candidate]) -> tuple[str, ...]:
    """Name what is taken in all the same, and may yet be a mistake.

    Parameters
    ----------
    file
        The file.
    known
        Candidates of earlier files.

    Returns
    -------
    tuple of str
        A sentence each: blank texts, characters that turn the writing direction, texts cut at a
        spreadsheet's limit, columns and candidates that look alike.
    """
    by_text: tuple[tuple[Callable[[str], bool], str, str], ...] = (
        (lambda text: not text.strip(), "blank answer", "blank answers"),
        (
            _turns_direction,
            "answer holds characters that turn the direction of writing",
            "answers hold characters that turn the direction of writing",
        ),
        (
            lambda text: len(text) == _CELL_LIMIT,
            "answer has exactly 32,767 characters, a spreadsheet's limit, and may be cut",
            "answers have exactly 32,767 characters, a spreadsheet's limit, and may be cut",
        ),
    )
    found = [
        f"{len(lines)} {one if len(lines) == 1 else several} ({_some(lines)})."
        for applies, one, several in by_text
        if (lines := [answer.line for answer in file.answers if applies(answer.text)])
    ]
    used = {key: key for key in KEYS if key in file.columns}
    return (*found, *misspelt(file.columns, used), *_alike(file, known))


def _turns_direction(text: str) -> bool:
    return not text.isascii() and any(character in text for character in _BIDI)


def _alike(file: AnswerFile, known: Iterable[Candidate]) -> Iterator[str]:
    """Name candidates that differ in capitals, spaces or the way a number is written only."""
    groups: dict[tuple[str, ...], dict[Candidate, None]] = defaultdict(dict)
    for candidate in dict.fromkeys((*known, *(answer.candidate for answer in file.answers))):
        groups[tuple(map(_folded, candidate))][candidate] = None
    for group in groups.values():
        if len(group) > 1:
            named = " and ".join(f"`{_short(' / '.join(filter(None, one)))}`" for one in group)
            yield f"{named} look alike, and count as different candidates."


def _folded(value: str) -> str:
    folded = " ".join(value.casefold().split())
    if "." in folded and re.fullmatch(r"\d+\.\d*", folded, re.ASCII):
        folded = folded.rstrip("0").rstrip(".")
    return folded


def _some(lines: list[int]) -> str:
    if len(lines) <= _LINES_NAMED:
        return f"line{'s' if len(lines) > 1 else ''} {_listed(lines)}"
    return f"lines {', '.join(map(str, lines[:_LINES_NAMED]))} and {len(lines) - _LINES_NAMED} more"


def _listed(lines: list[int]) -> str:
    if len(lines) == 1:
        return str(lines[0])
    return f"{', '.join(map(str, lines[:-1]))} and {lines[-1]}"


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
