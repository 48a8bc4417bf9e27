"""The command `status`: how far the work is, and what waits for whom."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import click

from grader_app.cli.options import workspace_options


@click.command(epilog="Example: grader-app status --json")
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def status(as_json: bool, workspace: Path, actor_name: str) -> None:
    """Count answers by item, stage and grader, and say what waits for whom."""
    from grader_app.domain.read_again import read_again
    from grader_app.workflow.printed_packets import count_on_paper
    from grader_app.workflow.progress import item_progress, panel_progress
    from grader_app.workflow.qualification import standing_of
    from grader_app.workflow.release import released_sentence_or_none
    from grader_app.workflow.workbench import Workbench

    bench = Workbench.open(workspace)
    items = item_progress(bench)
    panel = panel_progress(bench)
    standings = {
        account.account_id: {
            item: standing_of(bench, account.account_id, item) for item in bench.material().items
        }
        for account, _ in panel
        if not account.disabled
    }
    released = released_sentence_or_none(bench)
    with bench.record() as record:
        rereads = read_again(record)
    if as_json:
        graders = [
            {
                "name": account.name,
                "simulated": account.simulated,
                "disabled": account.disabled,
                "qualification": {
                    item: "paused" if found.pause else found.qualification.status
                    for item, found in standings.get(account.account_id, {}).items()
                },
                "items": [dataclasses.asdict(row) for row in rows],
            }
            for account, rows in panel
        ]
        told = {
            "items": [dataclasses.asdict(item) for item in items],
            "graders": graders,
            "rereads": dataclasses.asdict(rereads),
            "released": released,
        }
        click.echo(json.dumps(told))
        return
    if released is not None:
        click.echo(released)
    if rereads.answers:
        click.echo(f"Read again before release: {rereads.done} of {rereads.answers} answers.")
    click.echo(
        f"{'question':<28}{'answers':>8}{'not dealt':>11}{'with graders':>14}{'with lead':>11}"
        f"{'final':>7}{'disputed':>10}{'coded':>7}"
    )
    for item in items:
        notes = "   closed" if item.closed else ""
        notes += f"   {item.revealed} revealed" if item.revealed else ""
        notes += f", {item.undecided} of them without a final score" if item.undecided else ""
        click.echo(
            f"{item.item:<28}{item.answers:>8}{item.undealt:>11}{item.waiting:>14}{item.with_lead:>11}"
            f"{item.final:>7}{item.disputed:>10}{item.coded:>7}{notes}"
        )
    click.echo()
    click.echo(f"{'grader':<40}{'graded':>8}{'left':>6}{'with lead':>11}")
    for account, rows in panel:
        done, left, with_lead = (
            (sum(values) for values in zip(*((r.done, r.left, r.with_lead) for r in rows), strict=True))
            if rows
            else (0, 0, 0)
        )
        note = "   disabled" if account.disabled else ""
        on_paper = count_on_paper(bench, account.account_id)
        note += f"   {on_paper} on paper" if on_paper else ""
        note += "   apprentice" if account.apprentice else ""
        click.echo(f"{account.shown_name:<40}{done:>8}{left:>6}{with_lead:>11}{note}")
    closed = [
        f"  {account.shown_name}, {item}: {found.says}"
        for account, _ in panel
        for item, found in standings.get(account.account_id, {}).items()
        if not found.may_grade
    ]
    if closed:
        click.echo("\nLive grading is closed to\n" + "\n".join(closed))
