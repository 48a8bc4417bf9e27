"""The command `demo`: a sample round, ready to grade."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader_app.cli.ending import ends_quietly
from grader_app.errors import GraderAppError

if TYPE_CHECKING:
    from grader_app.workflow.workbench import Workbench


@click.command(epilog="Example: grader-app demo --dir sample --no-browser")
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    default=Path("demo-round"),
    show_default=True,
    help="The sample workspace; made if absent.",
)
@click.option("--port", type=click.IntRange(1, 65535), help="Port; by default 8501, or the next free one.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option("--json", "as_json", is_flag=True, help="Print address and accounts as one line of JSON first.")
@ends_quietly()
def demo(folder: Path, port: int | None, no_browser: bool, as_json: bool) -> None:
    """Open a sample round, ready to grade, and print its address and fresh passwords."""
    from grader_app.cli.new_workspace import SAMPLE_ACCOUNTS
    from grader_app.ui.server import free_port, run

    host = "127.0.0.1"
    chosen = free_port(host, port)
    bench = _open_sample(folder)
    address = f"http://{host}:{chosen}"
    accounts = [
        {"name": name, "role": role, "password": _fresh_password(bench, name)}
        for name, role in SAMPLE_ACCOUNTS
    ]
    if as_json:
        click.echo(json.dumps({"url": address, "workspace": str(folder.resolve()), "accounts": accounts}))
    else:
        click.echo(f"Grading workbench: {address}")
        click.echo(f"Sample round in {folder}. Sign in as")
        for account in accounts:
            click.echo(f"  {account['name']:<10} {account['password']}")
        click.echo("Ctrl+C ends it.")
    sys.stdout.flush()
    if not no_browser and not as_json:
        opener = threading.Timer(1.5, webbrowser.open, (address,))
        opener.daemon = True
        opener.start()
    run(bench, host=host, port=chosen)


def _open_sample(folder: Path) -> Workbench:
    from grader_app.store.accounts import accounts
    from grader_app.workflow.workbench import Workbench

    if not (folder / "workbench.db").is_file():
        _make_sample(folder)
    bench = Workbench.open(folder)
    if not any(account.simulated for account in accounts(bench.store)):
        # New passwords for a lead and a grader are for the sample only.
        bench.store.close()
        raise GraderAppError(
            f"{folder}: this is a workspace, but not a sample round. Run it with "
            f"`grader-app serve --workspace {folder}`, or name another folder."
        )
    return bench


def _make_sample(folder: Path) -> None:
    """Make the sample in a process of its own: the one that serves never loads code that can read the key."""
    command = [sys.executable, "-m", "grader_app", "init", str(folder), "--sample"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as making:
        try:
            _, problem = making.communicate()
        except BaseException:
            making.terminate()  # it cleans up after itself
            raise
    if making.returncode != 0:
        raise GraderAppError(problem.strip() or f"{folder}: the sample round could not be made.")


def _fresh_password(bench: Workbench, name: str) -> str:
    from grader_app.workflow.accounts import find_account, new_password, reset_password

    actor = bench.cli_actor("demo")
    return reset_password(bench, actor, find_account(bench, name), chosen=new_password())
