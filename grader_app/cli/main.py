"""The command group: which commands there are, and how a person's mistake is answered."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from grader_app import __version__
from grader_app.cli.options import AS, WORKSPACE
from grader_app.errors import GraderAppError


def _account() -> click.Command:
    from grader_app.cli.account import account

    return account


def _agreement() -> click.Command:
    from grader_app.cli.agreement import agreement

    return agreement


def _appeal() -> click.Command:
    from grader_app.cli.appeal import appeal

    return appeal


def _assign() -> click.Command:
    from grader_app.cli.assign import assign

    return assign


def _backup() -> click.Command:
    from grader_app.cli.backup import backup

    return backup


def _check() -> click.Command:
    from grader_app.cli.check import check

    return check


def _demo() -> click.Command:
    from grader_app.cli.demo import demo

    return demo


def _export() -> click.Command:
    from grader_app.cli.export import export

    return export


def _init() -> click.Command:
    from grader_app.cli.init import init

    return init


def _intake() -> click.Command:
    from grader_app.cli.intake import intake

    return intake


def _keying() -> click.Command:
    from grader_app.cli.keying import keying

    return keying


def _percentile() -> click.Command:
    from grader_app.cli.percentile import percentile

    return percentile


def _release() -> click.Command:
    from grader_app.cli.release import release

    return release


def _reread() -> click.Command:
    from grader_app.cli.reread import reread

    return reread


def _reconcile() -> click.Command:
    from grader_app.cli.reconcile import reconcile

    return reconcile


def _restore() -> click.Command:
    from grader_app.cli.backup import restore

    return restore


def _reveal() -> click.Command:
    from grader_app.cli.reveal import reveal

    return reveal


def _scale() -> click.Command:
    from grader_app.cli.scale import scale

    return scale


def _schema() -> click.Command:
    from grader_app.cli.schema import schema

    return schema


def _serve() -> click.Command:
    from grader_app.cli.serve import serve

    return serve


def _status() -> click.Command:
    from grader_app.cli.status import status

    return status


def _statement() -> click.Command:
    from grader_app.cli.statement import statement

    return statement


def _verify() -> click.Command:
    from grader_app.cli.verify import verify

    return verify


def _what_if() -> click.Command:
    from grader_app.cli.what_if import what_if

    return what_if


COMMANDS: dict[str, tuple[Callable[[], click.Command], str]] = {
    "demo": (_demo, "Open a sample round, ready to grade, and print its address and fresh passwords."),
    "init": (_init, "Make a new workspace in DIR, which must be new or empty."),
    "check": (_check, "List every problem in what is there: PATH:LINE: what is wrong."),
    "schema": (
        _schema,
        "Print the format NAME as JSON Schema, for an editor that checks files.",
    ),
    "account": (_account, "Add, list, disable or reset accounts."),
    "intake": (_intake, "Take answers in: opaque ids and texts below the blind line, sources into the key."),
    "assign": (_assign, "Deal answers to graders, seeded; earlier deals never move."),
    "keying": (_keying, "Take the scores of a printed packet from a CSV file, as a first or second keying."),
    "serve": (_serve, "Run the workbench until it is told to end; Ctrl+C ends it."),
    "status": (_status, "Count answers by item, stage and grader, and say what waits for whom."),
    "reconcile": (
        _reconcile,
        "Say whether every paper taken in is accounted for, and what each candidate has.",
    ),
    "statement": (_statement, "Count each grader's papers, corrections and active minutes in a period."),
    "agreement": (_agreement, "Say how far graders agree, with intervals and sentences."),
    "scale": (_scale, "Scale written scores to the MBE and add up totals."),
    "reread": (
        _reread,
        "Send papers near the line to graders who never had them, by the rule of the round.",
    ),
    "what-if": (
        _what_if,
        "Say who would cross the line, and who would move by how much, were the round scaled otherwise.",
    ),
    "percentile": (_percentile, "Say what percent of a named group of examinees is below a score."),
    "export": (
        _export,
        "Write blind tables, a report and a manifest into a new folder, whose path is printed last.",
    ),
    "verify": (_verify, "Compute an export again and compare, or check the workspace's log from end to end."),
    "appeal": (
        _appeal,
        "Write one candidate's packet: every read without its reader, the arithmetic, the error bar.",
    ),
    "release": (_release, "Release the scores of an export: one person prepares it, another confirms it."),
    "reveal": (_reveal, "Write a copy of an export's tables with the sources joined on, and record it."),
    "backup": (
        _backup,
        "Copy grades and files of a workspace into FILE (a zip), also while the server runs.",
    ),
    "restore": (_restore, "Bring a backup back into DIR, which must be new or empty."),
}
"""Each command with the function that loads it and its line of help; it is loaded when called."""


def _about_a_file(error: OSError) -> str | None:
    """Say what stands in the way of a file; None when the error is about something else, such as a pipe."""
    if error.errno == errno.ENOSPC:
        return f"{error.filename or 'The disk'}: the disk is full. Free some space and try again."
    if error.filename is None:
        return None
    return f"{error.filename}: {error.strerror}. Check the name, and your rights to it."


class CommandGroup(click.Group):
    """A group that loads a command only when it runs, and answers a person's mistake with a sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order of the work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        return COMMANDS[cmd_name][0]() if cmd_name in COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click declares it
        """Run a command; a deliberate error is printed without a traceback and exits with 1."""
        try:
            return super().invoke(ctx)
        except GraderAppError as error:
            click.echo(str(error), err=True)
            ctx.exit(1)
        except OSError as error:
            sentence = _about_a_file(error)
            if sentence is None:
                raise
            click.echo(sentence, err=True)
            ctx.exit(1)


@click.command(cls=CommandGroup)
@WORKSPACE
@AS
@click.version_option(__version__, prog_name="grader-app")
@click.pass_context
def cli(context: click.Context, workspace: Path | None, actor_name: str | None) -> None:
    """Grade essays and rule-application answers, blind: scores with their evidence and their error bars."""
    context.obj = workspace or Path()
    context.meta["actor_name"] = actor_name


def main() -> None:
    """Run the command line."""
    cli()
