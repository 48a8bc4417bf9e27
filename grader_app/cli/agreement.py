"""The command `agreement`: how far the graders agree, on a file of ratings or on the workspace."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from grader_app.cli.options import workspace_options

if TYPE_CHECKING:
    import pandas as pd

    from grader_app.agreement.codes import Repeats
    from grader_app.agreement.coincidences import Level
    from grader_app.agreement.ratings import Ratings
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


@click.command(
    epilog="Example: grader-app agreement pool-reads.csv --response candidate_id,item --scale 0:6  "
    "(grader_app/sample/ has the file)"
)
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
@click.option("--order", help="Column of times or places in each grader's queue, for effects of order.")
@click.option("--length", help="Column of the answers' lengths in words, with --order.")
@click.option("--random-order", is_flag=True, help="Each grader read in random order; effects need it.")
@click.option("--plot", type=_FILE, help="Also write the main pictures to FILE.svg or FILE.png.")
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
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
    order: str | None,
    length: str | None,
    random_order: bool,
    plot: Path | None,
    as_json: bool,
    workspace: Path,
    actor_name: str,
) -> None:
    """Say how far graders agree, with intervals and sentences.

    FILE.csv has one rating a row (an answer, a grader, a score; an empty score is a missing one), or
    with --wide one answer a row. The scale must be declared, since unused scores count too. Without
    a file, the grades of the workspace are used.
    """
    if not 0 < confidence < 1:  # also refuses nan, which a range lets through
        raise click.UsageError(f"--confidence is {confidence:g}; give a number between 0 and 1.")
    intervals = Intervals(level, confidence, resamples, seed)
    if plot is not None and plot.suffix.lower() not in {".svg", ".png"}:
        raise click.UsageError("A picture ends in .svg or .png; name --plot so.")
    if file is None:
        report = workspace_report(workspace, intervals)
    else:
        scale = declared_scale(scale_text, categories)
        columns = Columns(response, grader, score, facet, wide, many_graders)
        report = file_report(file, columns, scale, repeats, intervals)
        if order is not None:
            report["effects"] = file_effects(file, columns, order, length, random_order, confidence)
    print_report(report, as_json)
    if plot is not None:
        write_plot(report, plot)


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


def file_effects(
    file: Path, columns: Columns, order: str, length: str | None, random_order: bool, confidence: float
) -> list[dict[str, Any]]:
    """Return the effects of place, of the score before and of length, for each facet and grader.

    Raises
    ------
    click.UsageError
        When the table is wide, so that no order can stand in it.
    RatingsProblem
        When a column is missing or holds no numbers.
    """
    from grader_app.agreement.effects import order_effects
    from grader_app.errors import RatingsProblem
    from grader_app.files.csv_table import read_table

    if columns.wide:
        raise click.UsageError("An order needs one rating a row; leave out --wide.")
    found: list[dict[str, Any]] = []
    try:
        for name, part, _ in _facets(read_table(file), columns.facet):
            effects = order_effects(
                _sorted_alike(part, order),
                columns.grader,
                columns.score,
                order,
                length,
                random_order=random_order,
                confidence=confidence,
            )
            found += [{"facet": name, **effect.as_dict()} for effect in effects]
    except RatingsProblem as problem:
        raise RatingsProblem(f"{file}: {problem}") from None
    return found


def workspace_report(workspace: Path, intervals: Intervals) -> dict[str, Any]:
    """Return the report of the grades in a workspace."""
    from grader_app.agreement.effects_of_round import effects_of_record
    from grader_app.agreement.of_round import report_of_record
    from grader_app.export.redaction import withheld_judgments
    from grader_app.workflow.papers import paper_lengths
    from grader_app.workflow.workbench import Workbench

    bench = Workbench.open(workspace)
    bench.material()  # Without a round this says so; no table would.
    with bench.record() as record:
        report = report_of_record(
            record,
            level=intervals.level,
            confidence=intervals.confidence,
            resamples=intervals.resamples,
            seed=intervals.seed,
            progress=_progress(),
            unlisted=withheld_judgments(record),
        )
        report["effects"] = effects_of_record(record, paper_lengths(bench), confidence=intervals.confidence)
    return report


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


def _sorted_alike(frame: pd.DataFrame, order: str) -> pd.DataFrame:
    """Return the table with a column of places turned into numbers, so that 10 comes after 9."""
    import pandas as pd

    if order not in frame.columns:
        return frame
    numbers = pd.to_numeric(frame[order], errors="coerce")
    return frame.assign(**{order: numbers}) if numbers.notna().all() else frame


def write_plot(report: Mapping[str, Any], path: Path) -> None:
    """Write the main pictures of a report, and say where."""
    from grader_app.agreement.charts import save_chart

    save_chart(report, path)
    click.echo(f"Pictures written to {path}.", err=True)


def _progress() -> Progress | None:
    """Tell what is being computed, when somebody is looking."""
    if not sys.stderr.isatty():
        return None

    def tell(what: str) -> None:
        click.echo(f"{what} …", err=True)

    return tell
