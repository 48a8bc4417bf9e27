"""The command `what-if`: who would cross the line under other rules, or without one grader."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader_app.cli.options import workspace_options
from grader_app.cli.plain_number import PlainNumber
from grader_app.domain.published_schemes import SCHEME_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from grader_app.scaling.what_if import Question
    from grader_app.workflow.workbench import Workbench

_ROUNDINGS = ["total_half_up", "total_to_tenths", "total_to_hundredths", "tenths_then_total", "none"]


@click.command("what-if", epilog="Example: grader-app what-if --weight mpt-rescue-bill=3 --cut 266")
@click.option("--weight", "weights", multiple=True, metavar="ITEM=W", help="Another weight of an item.")
@click.option("--method", type=click.Choice(["mean_sigma", "equipercentile"]), help="Another method.")
@click.option("--rounding", type=click.Choice(_ROUNDINGS), help="Another rounding of totals.")
@click.option("--preset", type=click.Choice(SCHEME_NAMES), help="A published scheme.")
@click.option(
    "--reads-rule",
    type=click.Choice(["mean", "higher", "replace", "first"]),
    help="How several reads of one answer become one score; `replace`: the last stands.",
)
@click.option("--without-grader", metavar="NAME", help="Leave one grader's reads out; never applied.")
@click.option("--cut", type=PlainNumber(), metavar="N", help="Another passing total.")
@click.option("--apply", "apply_it", is_flag=True, help="Let these rules stand from now on; needs --reason.")
@click.option("--own-rules", is_flag=True, help="With --apply: go back to the rules of the round's own file.")
@click.option("--reason", metavar="TEXT", help="With --apply: why; every export prints it.")
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
@workspace_options
def what_if(
    weights: tuple[str, ...],
    method: str | None,
    rounding: str | None,
    preset: str | None,
    reads_rule: str | None,
    without_grader: str | None,
    cut: float | None,
    apply_it: bool,
    own_rules: bool,
    reason: str | None,
    as_json: bool,
    workspace: Path,
    actor_name: str,
) -> None:
    """Say who would cross the line, and who would move by how much, were the round scaled otherwise.

    Old and new totals stand side by side. Nothing is stored unless --apply says so with a reason; then the
    rules stand for all later scaling and every export, until sources are revealed.
    """
    from grader_app.workflow.workbench import Workbench

    bench = Workbench.open(workspace)
    if (reason is not None or own_rules) and not apply_it:
        raise click.UsageError("--reason and --own-rules go with --apply.")
    if own_rules:
        _go_back(bench, actor_name, reason or "", as_json=as_json)
        return
    rules = {"method": method, "rounding": rounding, "preset": preset, "reads_rule": reads_rule, "cut": cut}
    question = _question(bench, weights, rules, without_grader)
    _answer(bench, question, actor_name, reason or "", apply_it=apply_it, as_json=as_json)


def _question(
    bench: Workbench, weights: tuple[str, ...], rules: Mapping[str, object], without_grader: str | None
) -> Question:
    from pydantic import ValidationError

    from grader_app.domain.scaling_rules import SetRules
    from grader_app.scaling.what_if import Question

    try:
        found = SetRules.model_validate({**rules, "weights": _weights(weights)})
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise click.UsageError(f"{where}: this value cannot be used. Give a number above 0.") from error
    question = Question(found, None if without_grader is None else _grader_id(bench, without_grader))
    if question.asks_nothing:
        raise click.UsageError("Say what would be otherwise: one of the options, such as --cut 266.")
    return question


def _weights(said: tuple[str, ...]) -> dict[str, float]:
    found: dict[str, float] = {}
    for item, weight in map(_weight, said):
        if item in found:
            raise click.UsageError(f"--weight gives {item} two weights. Give it one.")
        found[item] = weight
    return found


def _weight(said: str) -> tuple[str, float]:
    from grader_app.files.csv_table import plain_number_or_none

    item, _, value = said.rpartition("=")
    weight = plain_number_or_none(value.strip())
    if weight is None:
        raise click.UsageError(f"--weight {said}: write ITEM=W, such as mpt-rescue-bill=2.")
    return item.strip(), weight


def _grader_id(bench: Workbench, name: str) -> str:
    from grader_app.domain.panel import Role
    from grader_app.errors import NotAllowed
    from grader_app.store.accounts import accounts

    graders = [account for account in accounts(bench.store) if account.role is Role.GRADER]
    for account in graders:
        known = (account.name.casefold(), account.shown_name.casefold())
        if name.casefold() in known or name == account.account_id:
            return account.account_id
    named = ", ".join(account.name for account in graders) or "nobody yet"
    raise NotAllowed(f"There is no grader called `{name}`. Graders: {named}.")


def _answer(
    bench: Workbench, question: Question, actor_name: str, reason: str, *, apply_it: bool, as_json: bool
) -> None:
    from grader_app.cli.reconciled_text import refuse_unreconciled
    from grader_app.workflow.reconciliation import reconciliation_of
    from grader_app.workflow.scaling_rules import ask, set_rules

    refuse_unreconciled(reconciliation_of(bench))
    found = ask(bench, question)
    event = set_rules(bench, bench.cli_actor(actor_name), question, reason) if apply_it else None
    if as_json:
        import json

        click.echo(json.dumps({**found.as_json(), "event": event}, indent=2, allow_nan=False))
        return
    from grader_app.cli.what_if_text import what_if_lines
    from grader_app.scaling.what_if_says import NOTHING_STORED

    for line in what_if_lines(found):
        click.echo(line)
    click.echo(NOTHING_STORED if event is None else _recorded(event))


def _go_back(bench: Workbench, actor_name: str, reason: str, *, as_json: bool) -> None:
    from grader_app.workflow.scaling_rules import set_own_rules

    event = set_own_rules(bench, bench.cli_actor(actor_name), reason)
    if as_json:
        import json

        click.echo(json.dumps({"rules": {}, "event": event}))
        return
    click.echo(f"The rules of the round's own file stand again. {_recorded(event)}")


def _recorded(event: int) -> str:
    return f"Recorded as event {event}; scaling and every export follow these rules from now on."
