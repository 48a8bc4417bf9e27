"""The command `init`: a new workspace, empty or with the sample round."""

from __future__ import annotations

from pathlib import Path

import click

from grader_app.cli.ending import ends_quietly


@click.command(epilog="Example: grader-app init july")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--sample", is_flag=True, help="Fill it with the sample round and a simulated panel.")
@ends_quietly(code=1)
def init(folder: Path, sample: bool) -> None:
    """Make a new workspace in DIR, which must be new or empty."""
    from grader_app.cli.new_workspace import make_empty, make_sample

    if sample:
        made = make_sample(folder)
        click.echo(f"{folder}: a sample round with {made.answers} answers; {made.grades} simulated grades.")
        click.echo(
            f"Open it with `grader-app serve --workspace {folder}`, or make accounts with `account add`."
        )
        return
    make_empty(folder)
    click.echo(f"{folder}: a new workspace. Next, in that folder:")
    click.echo("  1. write round.yaml and a folder in rubrics/ for each question (see rubrics/README.md;")
    click.echo("     packets to calibrate on: calibration_sets/README.md)")
    click.echo("  2. grader-app check")
    click.echo("  3. grader-app account add NAME --role lead, and one account for each grader")
    click.echo("  4. grader-app intake ANSWERS.csv --item ITEM, then assign, then serve")
