"""Which sources are people and which are language models: from a file, or from what the key holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader_app.blinding.answer_checks import shortened
from grader_app.blinding.key_records import KeptSource
from grader_app.domain.blinding_check import Guess
from grader_app.errors import FileProblems, Problem
from grader_app.files.csv_table import Table, read_table
from grader_app.files.spreadsheet_text import as_known

_ARMS = {"person": Guess.PERSON, "model": Guess.MODEL}
_OF_MODELS = ("model_version", "prompt_type", "temperature", "finish_reason")
FROM_KEY = (
    "No file says which sources are people: an answer that came with a model version, a prompt type, a "
    "temperature or a finish reason is taken for a model's, every other for a person's."
)


@dataclass(frozen=True)
class Arms:
    """Who wrote each answer, a person or a model.

    Parameters
    ----------
    by_response
        By response id.
    says
        Where this is known from, in a sentence.
    """

    by_response: dict[str, Guess]
    says: str


def arms_of(sources: Iterable[KeptSource], file: Path | None = None) -> Arms:
    """Say who wrote each answer.

    Parameters
    ----------
    sources
        What the key holds of each.
    file
        A table with the columns ``source`` and ``arm`` (``person`` or ``model``). A source may be copied from
        a revealed export, where an apostrophe keeps a spreadsheet from running it. Sources of which no answer
        is here may stand in it too.

    Raises
    ------
    FileProblems
        Everything wrong with the file at once: another word for an arm, a source on several lines, and each
        source of an answer that the file does not name.
    """
    kept = list(sources)
    if file is None:
        return Arms({one.response_id: _taken_for(one) for one in kept}, FROM_KEY)
    table = read_table(file)
    known = {one.source for one in kept}
    cells = [(as_known(source, known), arm) for source, arm in _cells(table)]
    found, problems = _read(table, cells)
    missing = sorted(known - {source for source, _ in cells})
    problems += [
        Problem(
            table.path,
            0,
            f"The source `{source}` is not in the file.",
            "Add a row for it, with `person` or `model`.",
        )
        for source in missing
    ]
    if problems:
        raise FileProblems(shortened(table.path, problems))
    says = "Which sources are people and which are models stands in the file given with --arms."
    return Arms({one.response_id: found[one.source] for one in kept}, says)


def _taken_for(source: KeptSource) -> Guess:
    return Guess.MODEL if any(getattr(source, name).strip() for name in _OF_MODELS) else Guess.PERSON


def _cells(table: Table) -> Sequence[tuple[str, str]]:
    return list(zip(table.column("source"), table.column("arm"), strict=True))


def _read(table: Table, cells: Sequence[tuple[str, str]]) -> tuple[dict[str, Guess], list[Problem]]:
    found: dict[str, Guess] = {}
    lines: dict[str, list[int]] = defaultdict(list)
    problems = []
    for (source, arm), line in zip(cells, table.lines, strict=True):
        if not source.strip() and not arm.strip():
            continue
        lines[source].append(line)
        if arm.strip().lower() in _ARMS:
            found[source] = _ARMS[arm.strip().lower()]
        else:
            what = f"The arm of the source `{source}` is `{arm}`."
            problems.append(Problem(table.path, line, what, "Write `person` or `model`."))
    for source, at in lines.items():
        if len(at) > 1:
            on = f"{', '.join(map(str, at[:-1]))} and {at[-1]}"
            what = f"The source `{source}` stands on lines {on}."
            problems.append(Problem(table.path, at[0], what, "Keep one row a source."))
    return found, problems
