"""The command `intake`: take answers or MBE scores in, or take a batch of answers back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader_app.cli.options import workspace_options

if TYPE_CHECKING:
    from grader_app.blinding.formats.incoming import AnswerFile
    from grader_app.blinding.intake import Taken
    from grader_app.blinding.key import BlindingKey
    from grader_app.workflow.workbench import Workbench

_FILE = click.Path(path_type=Path)
_SHOWN_ROWS = 3
_SHOWN_CHARACTERS = 60


@click.command(epilog="Example: grader-app intake answers.csv --item mee-negligence --dry-run")
@click.argument("file", metavar="[FILE]", required=False, type=_FILE)
@click.option("--item", help="The item the answers belong to.")
@click.option("--format", "format_name", metavar="F", help="csv or jsonl; by default the file's ending says.")
@click.option("--map", "map_file", type=_FILE, help="YAML that names the file's columns: `id: doc_id`.")
@click.option("--plain", is_flag=True, help="Strip Markdown; unify quotes, dashes and spacing.")
@click.option("--dry-run", is_flag=True, help="Show what was read and what would happen; store nothing.")
@click.option("--mbe", "mbe_file", type=_FILE, help="Take MBE scores in: columns source and mbe.")
@click.option("--correct", is_flag=True, help="With --mbe: let a score replace the one on record.")
@click.option("--undo", "batch_id", metavar="ID", help="Take a batch back, before any of it is dealt.")
@click.option("--key", type=_FILE, envvar="GRADER_APP_KEY", help="The blinding key, if it lies elsewhere.")
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def intake(
    file: Path | None,
    item: str | None,
    format_name: str | None,
    map_file: Path | None,
    plain: bool,
    dry_run: bool,
    mbe_file: Path | None,
    correct: bool,
    batch_id: str | None,
    key: Path | None,
    as_json: bool,
    workspace: Path,
    actor_name: str,
) -> None:
    """Take answers in: opaque ids and texts below the blind line, sources into the key.

    Columns: id, text and source; optionally prompt_type, temperature, trial, model_version, gold,
    finish_reason, licence and slice; all others are kept with the source. All or nothing: one wrong
    row and nothing is stored. The same file again changes nothing.
    """
    from grader_app.workflow.workbench import Workbench

    _check_usage(file, item, mbe_file, batch_id, format_name)
    if correct and not mbe_file:
        raise click.UsageError("--correct goes with --mbe FILE.")
    for option, given in (("--plain", plain), ("--map", map_file), ("--format", format_name)):
        if given and not file:
            raise click.UsageError(f"{option} goes with a FILE of answers.")
    if dry_run and batch_id:
        raise click.UsageError("--undo has no dry run. Leave --dry-run out to take the batch back.")
    bench = Workbench.open(workspace)
    if file and item:
        answers = _read(file, format_name, map_file)
        with _key(bench, workspace, key, dry_run=dry_run) as opened:
            _take_in(bench, opened, answers, item, actor_name, plain=plain, dry_run=dry_run, as_json=as_json)
    elif mbe_file:
        with _key(bench, workspace, key, dry_run=dry_run) as opened:
            _take_in_mbe(
                bench, opened, mbe_file, actor_name, correct=correct, dry_run=dry_run, as_json=as_json
            )
    elif batch_id:
        with _key(bench, workspace, key, dry_run=False) as opened:
            _undo(bench, opened, batch_id, actor_name, as_json=as_json)


def _check_usage(
    file: Path | None, item: str | None, mbe_file: Path | None, batch_id: str | None, format_name: str | None
) -> None:
    from grader_app.blinding.formats import FORMATS

    given = [name for name, value in (("FILE", file), ("--mbe", mbe_file), ("--undo", batch_id)) if value]
    if len(given) != 1:
        found = f"found {' and '.join(given)}" if given else "found none"
        raise click.UsageError(f"Give one of FILE, --mbe FILE and --undo ID; {found}.")
    if file and not item:
        raise click.UsageError("Say which item the answers belong to with --item ITEM.")
    if item and not file:
        raise click.UsageError(f"--item goes with a FILE of answers, not with {given[0]}.")
    if format_name and format_name not in FORMATS:
        raise click.UsageError(f"There is no format `{format_name}`. Formats: {', '.join(FORMATS)}.")


def _key(bench: Workbench, workspace: Path, key: Path | None, *, dry_run: bool) -> BlindingKey:
    from grader_app.blinding.key import BlindingKey, key_path
    from grader_app.blinding.settling import open_or_create_key, refuse_lost_key

    path = key_path(workspace, key)
    if dry_run and not path.exists():
        refuse_lost_key(path, bench.store)
        return BlindingKey.in_memory(bench.store.workspace_id)
    return open_or_create_key(path, bench.store)


def _read(file: Path, format_name: str | None, map_file: Path | None) -> AnswerFile:
    from grader_app.blinding.formats import read_answers
    from grader_app.blinding.formats.columns import read_map

    return read_answers(file, format_name, read_map(map_file) if map_file else None)


def _take_in(
    bench: Workbench,
    key: BlindingKey,
    answers: AnswerFile,
    item: str,
    actor_name: str,
    *,
    plain: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    from grader_app.blinding.intake import take_in

    actor = "" if dry_run else bench.cli_actor(actor_name)
    taken = take_in(bench, key, answers, item, actor, plain=plain, dry_run=dry_run)
    if as_json:
        _echo_json(taken, dry_run)
        return
    if dry_run:
        _echo_preview(answers, plain=plain)
    for warning in taken.warnings:
        click.echo(f"Note: {warning}", err=True)
    counts = f"{taken.new} new, {taken.unchanged} unchanged."
    if dry_run:
        click.echo(f"{counts} Nothing was stored (dry run).")
    elif taken.batch_id:
        undo = f"undo with `grader-app intake --undo {taken.batch_id}` before dealing"
        click.echo(f"{counts} Batch {taken.batch_id}; {undo}.")
    else:
        click.echo(counts)
    if not dry_run:
        _echo_reconciled(bench, taken)


def _echo_reconciled(bench: Workbench, taken: Taken) -> None:
    """Say what the file held, and what is stored; and what does not add up."""
    from grader_app.workflow.reconciliation import unreconciled

    click.echo(
        f"In the file: {taken.in_file} = {taken.new} new + {taken.unchanged} unchanged. "
        f"Stored for {taken.item}: {taken.stored}."
    )
    for sentence in unreconciled(bench):
        click.echo(f"Does not add up: {sentence}", err=True)


def _echo_json(taken: Taken, dry_run: bool) -> None:
    import json

    said = {
        "item": taken.item,
        "batch": taken.batch_id,
        "in_file": taken.in_file,
        "new": taken.new,
        "unchanged": taken.unchanged,
        "stored": taken.stored,
        "dry_run": dry_run,
        "warnings": list(taken.warnings),
    }
    click.echo(json.dumps(said, ensure_ascii=False))


def _echo_preview(answers: AnswerFile, *, plain: bool) -> None:
    from grader_app.blinding.formats.incoming import KEYS
    from grader_app.blinding.plain_text import plain as made_plain

    n = len(answers.answers)
    click.echo(f"{answers.path}: {answers.described}; {n} answer{'' if n == 1 else 's'}.")
    click.echo(f"Columns: {', '.join(answers.columns)}.")
    for answer in answers.answers[:_SHOWN_ROWS]:
        values = [("id", answer.sender_id), *((name, getattr(answer, name)) for name in KEYS[1:])]
        click.echo(f"Line {answer.line}:")
        for name, value in (*values, *answer.others.items()):
            if value:
                shown = made_plain(value) if plain and name == "text" else value
                click.echo(f"  {name}: {_shown(shown)}")


def _shown(value: str) -> str:
    """Show a value in one line, without characters that move the cursor or turn the direction."""
    line = "".join(character if character.isprintable() else " " for character in value)
    return line if len(line) <= _SHOWN_CHARACTERS else line[: _SHOWN_CHARACTERS - 1] + "…"


def _take_in_mbe(
    bench: Workbench,
    key: BlindingKey,
    file: Path,
    actor_name: str,
    *,
    correct: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    import dataclasses
    import json

    from grader_app.blinding.mbe_intake import take_in_mbe

    actor = "" if dry_run else bench.cli_actor(actor_name)
    taken = take_in_mbe(bench, key, file, actor, correct=correct, dry_run=dry_run)
    if as_json:
        click.echo(json.dumps(dataclasses.asdict(taken) | {"dry_run": dry_run}))
        return
    without = f" {taken.without} sources have no MBE score." if taken.without else ""
    ending = " Nothing was stored (dry run)." if dry_run else ""
    corrected = f", {taken.corrected} corrected" if taken.corrected else ""
    click.echo(f"MBE scores: {taken.new} new, {taken.unchanged} unchanged{corrected}.{without}{ending}")


def _undo(bench: Workbench, key: BlindingKey, batch_id: str, actor_name: str, *, as_json: bool) -> None:
    import json

    from grader_app.blinding.undo import undo

    count = undo(bench, key, batch_id, bench.cli_actor(actor_name))
    if as_json:
        click.echo(json.dumps({"batch": batch_id, "taken_back": count}))
        return
    click.echo(f"{count} answers taken back; batch {batch_id} is undone, and its file can be taken in anew.")
