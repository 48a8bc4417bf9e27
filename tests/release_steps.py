"""Short ways to bring a small round to an export, prepare it and release it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from small_workspace import SmallWorkspace

from grader_app.domain.panel import Role
from grader_app.export.folder import write_export
from grader_app.export.for_release import facts_for_release
from grader_app.workflow import accounts
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.release import prepare_release, release

_hours = count()


def lead(small: SmallWorkspace, name: str) -> str:
    return accounts.add_account(small.bench, small.actor, name, Role.LEAD)[0].account_id


def exported(small: SmallWorkspace) -> Path:
    now = datetime(2026, 12, 1, tzinfo=UTC) + timedelta(hours=next(_hours))
    return write_export(small.bench.store, small.path / "exports", now)


def closed_and_exported(small: SmallWorkspace) -> Path:
    close_item(small.bench, small.actor, "mee-barge")
    return exported(small)


def prepare(small: SmallWorkspace, actor: str, folder: Path) -> None:
    prepare_release(small.bench, actor, facts_for_release(folder, small.bench.store))


def confirm(small: SmallWorkspace, actor: str, folder: Path) -> None:
    release(small.bench, actor, facts_for_release(folder, small.bench.store))


def released(small: SmallWorkspace) -> Path:
    """Close, export and release; give the export."""
    folder = closed_and_exported(small)
    prepare(small, lead(small, "pat"), folder)
    confirm(small, lead(small, "robin"), folder)
    return folder
