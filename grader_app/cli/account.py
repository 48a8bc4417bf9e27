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
@click.option("--role", type=click.Choice(["grader", "lead"]), required=True, help="What the account may do.")
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def add(name: str, role: str, as_json: bool, workspace: Path, actor_name: str) -> None:
    """Add an account and print its one-time password."""
    from grader_app.domain.panel import Role
    from grader_app.workflow.accounts import add_account
    from grader_app.workflow.workbench import Workbench

    bench = Workbench.open(workspace)
    made, password = add_account(bench, bench.cli_actor(actor_name), name, Role(role))
    if as_json:
        click.echo(json.dumps({"name": made.name, "role": role, "one_time_password": password}))
    else:
        click.echo(f"{made.name} ({role}) can sign in once with this password, then chooses another:")
        click.echo(f"  {password}")


@account.command("list", epilog="Example: grader-app account list --json")
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
                "id": a.account_id,
            }
            for a in found
        ]
        click.echo(json.dumps({"accounts": rows}))
        return
    if not found:
        click.echo("No accounts yet. Add one: grader-app account add NAME --role grader")
    for a in found:
        state = "disabled" if a.disabled else ""
        click.echo(f"{a.shown_name:<40} {a.role.value:<8}{a.account_id:<14}{state}".rstrip())


@account.command("disable", epilog="Example: grader-app account disable kim")
@click.argument("name")
@workspace_options
def disable(name: str, workspace: Path, actor_name: str) -> None:
    """Disable an account and end all its sessions; its grades stay."""
    from grader_app.workflow.accounts import disable_account, find_account
    from grader_app.workflow.workbench import Workbench

    bench = Workbench.open(workspace)
    disable_account(bench, bench.cli_actor(actor_name), find_account(bench, name))
    click.echo(f"{name} is disabled and signed out everywhere.")


@account.command("reset", epilog="Example: grader-app account reset kim")
@click.argument("name")
@workspace_options
def reset(name: str, workspace: Path, actor_name: str) -> None:
    """Give an account a new one-time password and sign it out everywhere."""
    from grader_app.workflow.accounts import find_account, reset_password
    from grader_app.workflow.workbench import Workbench

    bench = Workbench.open(workspace)
    password = reset_password(bench, bench.cli_actor(actor_name), find_account(bench, name))
    click.echo(f"{name} can sign in once with this password, then chooses another:\n  {password}")
