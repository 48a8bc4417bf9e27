"""Options that many commands share, accepted before or after the command."""

from __future__ import annotations

import functools
import getpass
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

WORKSPACE = click.option(
    "--workspace",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="GRADER_APP_WORKSPACE",
    metavar="DIR",
    help="The workspace; by default GRADER_APP_WORKSPACE, else the current folder.",
)
AS = click.option(
    "--as", "actor_name", metavar="NAME", help="Record acts under this name instead of cli:USER."
)

# After the command the environment is not asked again: the group has done so, and an option given
# before the command must win over it.
_WORKSPACE_AFTER = click.option(
    "--workspace", type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="The workspace."
)


def workspace_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command ``--workspace`` and ``--as``; it receives ``workspace`` and ``actor_name``."""

    @functools.wraps(command)
    def with_workspace(*args: Any, workspace: Path | None, actor_name: str | None, **kwargs: Any) -> Any:  # noqa: ANN401
        context = click.get_current_context()
        chosen = workspace or context.obj or Path()
        context.obj = chosen
        name = actor_name or context.meta.get("actor_name") or f"cli:{_user()}"
        return command(*args, workspace=chosen, actor_name=name, **kwargs)

    return _WORKSPACE_AFTER(AS(with_workspace))


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
