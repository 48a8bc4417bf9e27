"""The command `schema`: a file format as JSON Schema."""

from __future__ import annotations

import json
from difflib import get_close_matches

import click


@click.command(epilog="Example: grader-app schema rubric > rubric.schema.json")
@click.argument("name")
def schema(name: str) -> None:
    """Print the format NAME as JSON Schema, for an editor that checks files.

    NAME is rubric, point_sheet, calibration_set or round.
    """
    from grader_app.files.file_formats import MODELS, json_schema

    if name not in MODELS:
        close = get_close_matches(name, MODELS, n=1)
        hint = f"Did you mean `{close[0]}`?" if close else f"The formats are {', '.join(MODELS)}."
        raise click.UsageError(f"There is no format `{name}`. {hint}")
    click.echo(json.dumps(json_schema(name), indent=2, ensure_ascii=False))
