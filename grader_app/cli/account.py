"""The command `account`: add, list, disable and reset accounts."""

from __future__ import annotations

import json
from pathlib import Path

import click

from grader_app.cli.options import workspace_options


@click.group(epilog="Example: grader-app account add kim --role grader")
def account() -> None:
    """Add, list, disable or reset accounts."""


@account.command("add", epilog="Example: grader-app account add kim --role grader")
@click.argument("name")
@click.option("--role", type=click.Choice(["grader", "lead"]), help="What the account may do; needed.")
@click.option("--apprentice", is_flag=True, help="A grader who reads beside others and never counts.")
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def add(
    name: str, role: str | None, apprentice: bool, as_json: bool, workspace: Path, actor_name: str
) -> None:
    """Add an account and print its one-time password."""
    from grader_app.domain.panel import Role
    from grader_app.workflow.accounts import add_account
    from grader_app.workflow.workbench import Workbench

    if role is None and not apprentice:
        raise click.UsageError("Missing option '--role'. Choose grader or lead.")
    role = role or "grader"
    bench = Workbench.open(workspace)
    made, password = add_account(bench, bench.cli_actor(actor_name), name, Role(role), apprentice=apprentice)
    if as_json:
        row = {"name": made.name, "role": role, "apprentice": apprentice, "one_time_password": password}
        click.echo(json.dumps(row))
    else:
        said = f"{role}, apprentice" if apprentice else role
        click.echo(f"{made.name} ({said}) can sign in once with this password, then chooses another:")
        click.echo(f"  {password}")


@account.command(
    "list",
    short_help="List the accounts with their random ids.",
    epilog="Example: grader-app account list --json",
)
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def list_accounts(as_json: bool, workspace: Path, actor_name: str) -> None:
    """List the accounts, each with the random id that stands for it in exports and figures."""
    from grader_app.store.accounts import accounts
    from grader_app.workflow.workbench import Workbench

    found = accounts(Workbench.open(workspace).store)
    if as_json:
        rows = [
            {
                "name": a.name,
                "role": a.role.value,
                "disabled": a.disabled,
                "simulated": a.simulated,
                "apprentice": a.apprentice,
                "id": a.account_id,
            }
            for a in found
        ]
        click.echo(json.dumps({"accounts": rows}))
        return
    if not found:
        click.echo("No accounts yet. Add one: grader-app account add NAME --role grader")
    for a in found:
        state = ", ".join(word for word, so in (("disabled", a.disabled), ("apprentice", a.apprentice)) if so)
        click.echo(f"{a.shown_name:<40} {a.role.value:<8}{a.account_id:<14}{state}".rstrip())


@account.command(
    "end-apprenticeship",
    short_help="Let an apprentice's later reads count.",
    epilog='Example: grader-app account end-apprenticeship kim "Agrees."',
)
@click.argument("name")
@click.argument("reason")
@workspace_options
def end_apprenticeship(name: str, reason: str, workspace: Path, actor_name: str) -> None:
    """Let an apprentice read for the score from the next deal on.

    REASON stands in every export: name nobody in it.
    """
    from grader_app.workflow import apprentices
    from grader_app.workflow.accounts import find_account
    from grader_app.workflow.workbench import Workbench

    bench = Workbench.open(workspace)
    ended = find_account(bench, name)
    apprentices.end_apprenticeship(bench, bench.cli_actor(actor_name), ended.account_id, reason)
    click.echo(f"{name} is no apprentice any more and gets answers that count at the next deal.")


@account.command(
    "disable",
    short_help="Disable an account; its grades stay.",
    epilog="Example: grader-app account disable kim",
)
@click.argument("name")
@workspace_options
def disable(name: str, workspace: Path, actor_name: str) -> None:
    """Disable an account and end all its sessions; its grades stay."""
    from grader_app.workflow.accounts import disable_account, find_account
    from grader_app.workflow.workbench import Workbench

    bench = Workbench.open(workspace)
    disable_account(bench, bench.cli_actor(actor_name), find_account(bench, name))
    click.echo(f"{name} is disabled and signed out everywhere.")


@account.command(
    "reset",
    short_help="Give an account a new one-time password.",
    epilog="Example: grader-app account reset kim",
)
@click.argument("name")
@workspace_options
def reset(name: str, workspace: Path, actor_name: str) -> None:
    """Give an account a new one-time password and sign it out everywhere."""
    from grader_app.workflow.accounts import find_account, reset_password
    from grader_app.workflow.workbench import Workbench

    bench = Workbench.open(workspace)
    password = reset_password(bench, bench.cli_actor(actor_name), find_account(bench, name))
    click.echo(f"{name} can sign in once with this password, then chooses another:\n  {password}")
