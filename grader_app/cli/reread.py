"""The command `reread`: papers near the line, read again by new graders before release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader_app.cli.options import workspace_options

if TYPE_CHECKING:
    from grader_app.workflow.reread_plan import RereadPlan


@click.command(epilog="Example: grader-app reread --dry-run")
@click.option(
    "--paper",
    "papers",
    type=(str, str),
    multiple=True,
    metavar="CANDIDATE ITEM",
    help="A single paper from the reading list of `scale`; may be given several times.",
)
@click.option(
    "--dry-run", is_flag=True, help="Say what would be dealt and what bias to expect; deal nothing."
)
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def reread(
    papers: tuple[tuple[str, str], ...], dry_run: bool, as_json: bool, workspace: Path, actor_name: str
) -> None:
    """Send papers near the line to graders who never had them, by the rule of the round.

    Without --paper these are all papers of the candidates whose total lies in the re-read band. It is
    refused until every answer has its score, and after reveal or release. The rule and the bias to
    expect of it are printed before anything is dealt.
    """
    from grader_app.workflow.reread_effect import effect_lines
    from grader_app.workflow.rereads import begin_rereads, plan_rereads
    from grader_app.workflow.workbench import Workbench

    bench = Workbench.open(workspace)
    chosen = papers or None
    plan = plan_rereads(bench, chosen)
    with bench.record() as record:
        effect = effect_lines(record)
    if not as_json:
        for line in effect:
            click.echo(line)
    if not dry_run:
        plan = begin_rereads(bench, bench.cli_actor(actor_name), chosen)
    if as_json:
        click.echo(json.dumps(as_plain(plan, effect, dealt=not dry_run)))
        return
    for line in plan_lines(plan):
        click.echo(line)
    click.echo("Nothing was dealt (--dry-run)." if dry_run else "Dealt. They come last in each queue.")


def plan_lines(plan: RereadPlan) -> list[str]:
    """Say what a plan deals, and what it leaves out."""
    found = [
        f"To be read again: {_counted(len(plan.readers), 'answer')} of "
        f"{_counted(len(plan.candidates), 'candidate')}, "
        f"by {_counted(len(set(plan.readers.values())), 'grader')}."
    ]
    found += [
        f"Not read again: {_counted(n, 'answer')} {why}." for why, n in sorted(plan.passed_over.items())
    ]
    if plan.nobody:
        found.append(
            f"For {_counted(len(plan.nobody), 'answer')} no new grader is left, so nothing can be dealt. "
            "Add an account for another grader, who qualifies first if the round requires it."
        )
    return found


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def as_plain(plan: RereadPlan, effect: list[str], *, dealt: bool) -> dict[str, object]:
    """Give a plan as plain values."""
    return {
        "rule": plan.rule.rule,
        "gap": plan.rule.gap,
        "picked": plan.picked,
        "effect": effect,
        "candidates": list(plan.candidates),
        "answers": len(plan.readers),
        "nobody": len(plan.nobody),
        "passed_over": plan.passed_over,
        "dealt": dealt,
    }
