"""MBE scores: matched to candidates by source above the blind line, stored by candidate id below it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader_app.blinding.answer_checks import shortened
from grader_app.blinding.key import BlindingKey
from grader_app.blinding.settling import settle
from grader_app.domain.content_hash import content_hash
from grader_app.domain.events import EventKind
from grader_app.errors import FileProblems, Problem
from grader_app.files.csv_table import Table, parse_number, read_table
from grader_app.files.spreadsheet_text import as_known
from grader_app.store.event_log import append
from grader_app.store.responses import add_mbe, all_mbe
from grader_app.workflow.workbench import Workbench

_LOWEST, _HIGHEST = 0.0, 200.0  # the MBE's scale


@dataclass(frozen=True)
class TakenMbe:
    """What an intake of MBE scores did, or would do.

    Parameters
    ----------
    new, unchanged
        Scores stored now, and scores that were there already.
    without
        Rows with an empty score: candidates without an MBE.
    corrected
        Scores that replaced another.
    """

    new: int
    unchanged: int
    without: int
    corrected: int = 0


@dataclass(frozen=True)
class _Row:
    source: str
    mbe: float
    line: int


def take_in_mbe(
    bench: Workbench,
    key: BlindingKey,
    file: Path,
    actor: str,
    *,
    correct: bool = False,
    dry_run: bool = False,
) -> TakenMbe:
    """Take a file of MBE scores in, all or nothing.

    Parameters
    ----------
    bench, key
        The workspace and its key.
    file
        A table with the columns ``source`` and ``mbe`` (scaled scores from 0 to 200; empty for none).
    actor
        Who does it.
    correct
        Let a score that differs from the one on record replace it; the earlier one stays in the database.
    dry_run
        Store nothing.

    Raises
    ------
    FileProblems
        Every row that cannot be used: a source without answers, one with several candidates (a model run
        under several conditions), a repeated source, a score that is none or differs from the one on record.
    """
    rows, without = _read(file, _by_source(key))
    with bench.store.write() as connection:
        settle(bench.store, key)
        candidates = _by_source(key)
        recorded = all_mbe(bench.store)
        problems = [p for row in rows for p in _mismatches(str(file), row, candidates)]
        if not correct:
            problems += [p for row in rows for p in _changed(str(file), row, candidates, recorded)]
        if problems:
            raise FileProblems(shortened(str(file), problems))
        scores = [(candidates[row.source][0], row.mbe) for row in rows]
        new = sorted(score for score in scores if score[0] not in recorded)
        corrected = sorted((who, mbe) for who, mbe in scores if recorded.get(who, mbe) != mbe)
        if (new or corrected) and not dry_run:
            add_mbe(connection, [*new, *corrected])
            append(
                connection,
                at=bench.now(),
                actor=actor,
                kind=EventKind.MBE_TAKEN_IN,
                subject=bench.store.workspace_id,
                body={
                    "n": len(new),
                    "corrected": len(corrected),
                    "scores_hash": content_hash({**recorded, **dict(new), **dict(corrected)}),
                },
            )
    return TakenMbe(len(new), len(scores) - len(new) - len(corrected), without, len(corrected))


def _read(file: Path, known: Container[str]) -> tuple[list[_Row], int]:
    table = read_table(file)
    sources = [as_known(source, known) for source in table.column("source")]
    scores = table.column("mbe")
    problems = [*_repeated(table, sources)]
    rows: list[_Row] = []
    without = 0
    for source, score, line in zip(sources, scores, table.lines, strict=True):
        if not source.strip() and not score.strip():
            continue
        try:
            mbe = parse_number(score, table.path, line, "mbe")
        except FileProblems as error:
            problems += error.problems
            continue
        if mbe is None:
            without += 1
        elif not _LOWEST <= mbe <= _HIGHEST:
            what = f"The MBE score {score.strip()} is not between 0 and 200."
            problems.append(Problem(table.path, line, what, "Give the scaled score."))
        else:
            rows.append(_Row(source, mbe, line))
    if not rows and not without and not problems:
        problems.append(Problem(table.path, 0, "There is no score in it.", "Give it one row a source."))
    if problems:
        raise FileProblems(shortened(table.path, problems))
    return rows, without


def _repeated(table: Table, sources: list[str]) -> Iterator[Problem]:
    lines: dict[str, list[int]] = defaultdict(list)
    for source, line in zip(sources, table.lines, strict=True):
        lines[source].append(line)
    for source, found in lines.items():
        if len(found) > 1 and source.strip():
            on = f"{', '.join(map(str, found[:-1]))} and {found[-1]}"
            yield Problem(
                table.path, found[0], f"The source `{source}` stands on lines {on}.", "Keep one row a source."
            )


def _by_source(key: BlindingKey) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for kept in key.sources():
        found[kept.source][kept.candidate_id] = None
    return {source: list(candidates) for source, candidates in found.items()}


def _mismatches(path: str, row: _Row, candidates: dict[str, list[str]]) -> Iterator[Problem]:
    mine = candidates.get(row.source, [])
    if not mine:
        what = f"No answer of the source `{row.source}` has been taken in."
        yield Problem(path, row.line, what, "Take its answers in first, or remove the row.")
    elif len(mine) > 1:
        what = f"The source `{row.source}` stands for {len(mine)} candidates (under different conditions)."
        yield Problem(path, row.line, what, "An MBE score belongs to one candidate; remove the row.")


def _changed(
    path: str, row: _Row, candidates: dict[str, list[str]], recorded: dict[str, float]
) -> Iterator[Problem]:
    mine = candidates.get(row.source, [])
    if len(mine) == 1 and recorded.get(mine[0], row.mbe) != row.mbe:
        on_record = f"{recorded[mine[0]]:g}, not {row.mbe:g}"
        what = f"The MBE score on record for the source `{row.source}` is {on_record}."
        yield Problem(path, row.line, what, "If the file is right, take it in with --correct.")
