"""The command `agreement`: how far the graders agree, on a file of ratings or on the workspace."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    import pandas as pd

    from grader_app.agreement.coincidences import Level
    from grader_app.agreement.ratings import Ratings, Repeats
    from grader_app.agreement.report import Progress
    from grader_app.files.csv_table import Table

_FILE = click.Path(path_type=Path)


class Columns(NamedTuple):
    """Where a file's ratings stand."""

    response: str
    grader: str
    score: str
    facet: str | None
    wide: bool
    many_graders: bool


class Intervals(NamedTuple):
    """How intervals are made, and which level of measurement alpha has."""

    level: Level | None
    confidence: float
    resamples: int
    seed: int


@click.command(epilog="Example: grader-app agreement ratings.csv --scale 0:6")
@click.argument("file", metavar="[FILE.csv]", required=False, type=_FILE)
@click.option(
    "--response", default="response_id", show_default=True, help="Column of answers; a,b joins two."
)
@click.option("--grader", default="grader_id", show_default=True, help="Column of graders.")
@click.option("--score", default="score", show_default=True, help="Column of scores.")
@click.option("--facet", help="Column that says what was rated; each facet is reported by itself.")
@click.option("--wide", is_flag=True, help="One row an answer: first its id, then one column a grader.")
@click.option(
    "--many-graders", is_flag=True, help="A wide table with far more graders than answers is right."
)
@click.option("--scale", "scale_text", help="All possible scores: 0:6, or 0:6:0.5.")
@click.option("--categories", help='All possible scores by name, in order: "a,b,c".')
@click.option(
    "--level",
    type=click.Choice(["nominal", "ordinal", "interval", "ratio"]),
    help="Alpha's level of measurement; ordinal for numbers, nominal for names.",
)
@click.option(
    "--repeats", type=click.Choice(["first", "last", "mean"]), help="For answers scored twice by one."
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Coverage of the intervals.",
)
@click.option(
    "--resamples",
    type=click.IntRange(0, 1_000_000),
    default=1000,
    show_default=True,
    help="0 leaves out intervals by resampling.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Same seed, same intervals."
)
@click.option("--workspace", type=_FILE, default=".", envvar="GRADER_APP_WORKSPACE", help="Workspace folder.")
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
def agreement(
    file: Path | None,
    response: str,
    grader: str,
    score: str,
    facet: str | None,
    wide: bool,
    many_graders: bool,
    scale_text: str | None,
    categories: str | None,
    level: Level | None,
    repeats: Repeats | None,
    confidence: float,
    resamples: int,
    seed: int,
    workspace: Path,
    as_json: bool,
) -> None:
    """Say how far graders agree, with intervals and sentences.

    FILE.csv has one rating a row (an answer, a grader, a score; an empty score is a missing one), or
    with --wide one answer a row. The scale must be declared, since unused scores count too. Without
    a file, the grades of the workspace are used.
    """
    intervals = Intervals(level, confidence, resamples, seed)
    if file is None:
        print_report(workspace_report(workspace, intervals), as_json)
        return
    scale = declared_scale(scale_text, categories)
    columns = Columns(response, grader, score, facet, wide, many_graders)
    print_report(file_report(file, columns, scale, repeats, intervals), as_json)


def declared_scale(scale_text: str | None, categories: str | None) -> str | list[str]:
    """Return the scale a person declared.

    Raises
    ------
    click.UsageError
        When neither or both ways to declare it were used.
    """
    if (scale_text is None) == (categories is None):
        raise click.UsageError(
            "Declare every possible score: --scale 0:6, or --categories a,b,c (one of them)."
        )
    if scale_text is not None:
        return scale_text
    return [name.strip() for name in (categories or "").split(",")]


def file_report(
    file: Path,
    columns: Columns,
    scale: str | list[str],
    repeats: Repeats | None,
    intervals: Intervals,
) -> dict[str, Any]:
    """Return the report of a file of ratings.

    Raises
    ------
    FileProblems
        When the file cannot be read as a table.
    RatingsProblem
        When the table cannot be read as ratings; lines are named.
    """
    from grader_app.agreement.report import report_of
    from grader_app.errors import RatingsProblem
    from grader_app.files.csv_table import read_table

    table = read_table(file)
    try:
        facets = [
            (None, name, _ratings(part, lines, columns, scale, repeats))
            for name, part, lines in _facets(table, columns.facet)
        ]
    except RatingsProblem as problem:
        raise RatingsProblem(f"{file}: {problem}") from None
    return report_of(facets, **intervals._asdict(), progress=_progress())


def workspace_report(workspace: Path, intervals: Intervals) -> dict[str, Any]:
    """Return the report of the grades in a workspace."""
    from grader_app.errors import WorkspaceMissing

    raise WorkspaceMissing(f"The grades of {workspace} cannot be read yet. Give a file: agreement FILE.csv.")


def print_report(report: Mapping[str, Any], as_json: bool) -> None:
    """Print a report as JSON alone, or as tables with sentences."""
    if as_json:
        import json

        click.echo(json.dumps(report, indent=2, ensure_ascii=False, allow_nan=False))
        return
    from grader_app.agreement.report_text import readable

    click.echo(readable(report))


def _facets(table: Table, facet: str | None) -> list[tuple[str, pd.DataFrame, list[int]]]:
    import pandas as pd

    frame = pd.DataFrame(table.rows, columns=list(table.columns), dtype=object)
    if facet is None:
        return [("score", frame, table.lines)]
    names = table.column(facet)
    parts = []
    for name in dict.fromkeys(names):
        rows = [row for row, found in enumerate(names) if found == name]
        parts.append((name or "(no facet)", frame.iloc[rows], [table.lines[row] for row in rows]))
    return parts


def _ratings(
    frame: pd.DataFrame,
    lines: list[int],
    columns: Columns,
    scale: str | list[str],
    repeats: Repeats | None,
) -> Ratings:
    from grader_app.agreement.ratings import Ratings

    if columns.wide:
        if columns.facet is not None:
            frame = frame.drop(columns=columns.facet)
        return Ratings.from_wide(
            frame, scale=scale, repeats=repeats, lines=lines, many_graders=columns.many_graders
        )
    response = columns.response if columns.response in frame.columns else columns.response.split(",")
    return Ratings.from_long(
        frame, response, columns.grader, columns.score, scale=scale, repeats=repeats, lines=lines
    )


def _progress() -> Progress | None:
    """Tell what is being computed, when somebody is looking."""
    if not sys.stderr.isatty():
        return None

    def tell(what: str) -> None:
        click.echo(f"{what} …", err=True)

    return tell
