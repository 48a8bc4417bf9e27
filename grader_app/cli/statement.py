"""The command `statement`: what each grader has done in a period."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader_app.cli.options import workspace_options

if TYPE_CHECKING:
    from grader_app.workflow.statements import Statement, Work

_DAY = click.DateTime(formats=["%Y-%m-%d"])


@click.command(epilog="Example: grader-app statement --from 2026-11-01 --to 2026-11-30")
@click.option("--from", "first", type=_DAY, metavar="DATE", help="First day, UTC, as 2026-11-01.")
@click.option("--to", "last", type=_DAY, metavar="DATE", help="Last day, UTC, itself included.")
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def statement(
    first: datetime | None, last: datetime | None, as_json: bool, workspace: Path, actor_name: str
) -> None:
    """Count each grader's papers, corrections and active minutes in a period."""
    from grader_app.workflow.statements import HOW_TIME_IS_COUNTED, statements
    from grader_app.workflow.workbench import Workbench

    found = statements(Workbench.open(workspace), _day(first), _day(last))
    if as_json:
        period = {"from": _text(_day(first)), "to": _text(_day(last))}
        click.echo(json.dumps({**period, "graders": [_as_dict(one) for one in found]}))
        return
    if not found:
        click.echo("There is no grader yet. Add one: grader-app account add NAME --role grader")
        return
    click.echo(f"{'grader':<40}{'papers':>8}{'calibration':>13}{'corrections':>13}{'minutes':>9}")
    for one in found:
        click.echo(f"{one.account.name:<40}{_numbers(one.total)}")
        for title, work in one.by_item:
            click.echo(f"  {title[:37]:<38}{_numbers(work)}")
    click.echo(f"\n{HOW_TIME_IS_COUNTED}")


def _day(at: datetime | None) -> date | None:
    return None if at is None else at.date()


def _text(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _numbers(work: Work) -> str:
    return f"{work.papers:>8}{work.calibration_papers:>13}{work.corrections:>13}{work.active_minutes:>9}"


def _as_dict(one: Statement) -> dict[str, Any]:
    return {
        "name": one.account.name,
        "id": one.account.account_id,
        **_work(one.total),
        "items": [{"item": title, **_work(work)} for title, work in one.by_item],
        "days": [{"day": day, **_work(work)} for day, work in one.by_day],
    }


def _work(work: Work) -> dict[str, Any]:
    return {
        "papers": work.papers,
        "calibration_papers": work.calibration_papers,
        "corrections": work.corrections,
        "active_minutes": work.active_minutes,
        "papers_without_time": work.without_time,
        "kinds": dict(work.kinds),
    }
