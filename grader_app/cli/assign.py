"""The command `assign`: deal answers to graders."""

from __future__ import annotations

import json
from pathlib import Path

import click

from grader_app.cli.options import workspace_options


@click.command(epilog="Example: grader-app assign --item mee-negligence")
@click.option("--item", help="Deal the answers of one item only.")
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def assign(item: str | None, as_json: bool, workspace: Path, actor_name: str) -> None:
    """Deal answers to graders, seeded; earlier deals never move."""
    from grader_app.store.accounts import accounts
    from grader_app.workflow.apprentices import reads_beside
    from grader_app.workflow.assignment import deal
    from grader_app.workflow.redealing import deal_left_behind
    from grader_app.workflow.registration import register_files
    from grader_app.workflow.workbench import Workbench

    bench = Workbench.open(workspace)
    actor = bench.cli_actor(actor_name)
    read_in = register_files(bench, actor)
    taken_over = deal_left_behind(bench, actor)
    before = reads_beside(bench)
    done = deal(bench, actor, item)
    beside = {g: n - before.get(g, 0) for g, n in reads_beside(bench).items() if n > before.get(g, 0)}
    names = {account.account_id: account.shown_name for account in accounts(bench.store)}
    if as_json:
        rows = [
            {
                "item": d.item,
                "answers": d.answers,
                "second_reads": d.second_reads,
                "by_grader": {names[g]: n for g, n in d.by_grader.items()},
            }
            for d in done
        ]
        said = {
            "dealt": rows,
            "beside_others": {names[g]: n for g, n in beside.items()},
            "taken_over": taken_over,
            "read_in": read_in,
            "texts_checked_for_identity": False,
        }
        click.echo(json.dumps(said))
        return
    for line in read_in:
        click.echo(f"Read in: {line}.")
    for d in done:
        click.echo(f"{d.item}: {d.answers} answers dealt, {d.second_reads} of them to a second reader.")
        for grader, count in sorted(d.by_grader.items(), key=lambda pair: names[pair[0]]):
            click.echo(f"  {names[grader]}: {count}")
    for grader, count in sorted(beside.items(), key=lambda pair: names[pair[0]]):
        click.echo(f"{names[grader]}, an apprentice: {count} beside the others, which never count.")
    if taken_over:
        click.echo(f"{taken_over} answers that waited for somebody who cannot grade them went to others.")
    if not done:
        click.echo("Nothing to deal: every answer taken in so far has been dealt.")
    else:
        click.echo("The texts were not checked for names or other signs of who wrote them.")
