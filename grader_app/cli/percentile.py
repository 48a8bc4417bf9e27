"""The command `percentile`: where a score stands in a group of examinees."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

import click

from grader_app.cli.plain_number import PlainNumber

if TYPE_CHECKING:
    from grader_app.domain.reference_population import Component
    from grader_app.scaling.percentile import Rank
    from grader_app.scaling.placed_score import PlacedScore
    from grader_app.scaling.reference_populations import ChosenGroup, Condition, Switches

_DEFAULT_GROUP = "first-timers"
_LABELS, _WIDTH = 22, 100


class OwnGroup(NamedTuple):
    """A group of one's own, as typed in: a curve, or a file with a distribution."""

    mean: float | None
    sd: float | None
    cut: float | None
    distribution: Path | None
    sheppard: bool


@click.command(epilog="Example: grader-app percentile --score 140 --component written --group qualified")
@click.option("--score", type=PlainNumber(), required=True, help="The scaled score, or the total.")
@click.option(
    "--component",
    type=click.Choice(["ube", "mbe", "written"]),
    required=True,
    help="What it is a score of: the UBE total, the MBE or the written part.",
)
@click.option(
    "--group",
    "group_id",
    metavar="GROUP",
    help="first-timers (the default), qualified (simulated passers), july-2022-all, or an Illinois chart: "
    "illinois-MONTH-YEAR, for example illinois-july-2018.",
)
@click.option("--mean", type=PlainNumber(), help="Mean of a group of your own, on a normal curve; with --sd.")
@click.option("--sd", type=PlainNumber(), help="Its standard deviation.")
@click.option("--cut", type=PlainNumber(), help="Keep only its members at or above this score.")
@click.option(
    "--distribution",
    type=click.Path(path_type=Path),
    metavar="FILE.csv",
    help="A group of your own, one row a bin: lower, upper, and count or percent.",
)
@click.option("--sheppard", is_flag=True, help="Sheppard's correction for the SD of --distribution.")
@click.option(
    "--rank",
    type=click.Choice(["below", "mid"]),
    default="below",
    show_default=True,
    help="mid adds half of those level with the score.",
)
@click.option(
    "--sem", type=PlainNumber(), help="Standard error of the score, in points: gives a 95 % interval."
)
@click.option(
    "--condition",
    type=click.Choice(["components", "total"]),
    help="Passers are known by a floor of each component (the default), or of their total.",
)
@click.option("--correlation", type=PlainNumber(), help="Of MBE and written scores, with --condition total.")
@click.option(
    "--sd-from",
    "spread",
    metavar="NAME",
    help="Another SD of the group: all-takers or within-group (mbe, written), new-york-pass-rate or "
    "paper-results (ube). The first named is the default.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
def percentile(
    score: float,
    component: Component,
    group_id: str | None,
    mean: float | None,
    sd: float | None,
    cut: float | None,
    distribution: Path | None,
    sheppard: bool,
    rank: Rank,
    sem: float | None,
    condition: Condition | None,
    correlation: float | None,
    spread: str | None,
    as_json: bool,
) -> None:
    """Say what percent of a named group of examinees is below a score.

    Every number of a group comes with its source, and with how well it is known.
    """
    own = OwnGroup(mean, sd, cut, distribution, sheppard)
    _refuse_two_groups(own, group_id, switched=any((condition, correlation is not None, spread)))
    from grader_app.scaling.placed_score import place_score
    from grader_app.scaling.reference_populations import Switches

    if own == OwnGroup(None, None, None, None, False):
        switches = Switches(spread, condition or "components", correlation)
        group = _shipped_group(score, component, group_id or _DEFAULT_GROUP, switches)
    else:
        group = _own_distribution(distribution, sheppard) if distribution else _own_curve(own)
    print_placed(place_score(score, component, group, rank=rank, sem=sem), as_json)


def _refuse_two_groups(own: OwnGroup, group_id: str | None, *, switched: bool) -> None:
    curve = (own.mean, own.sd, own.cut) != (None, None, None)
    if sum((group_id is not None, curve, own.distribution is not None)) > 1:
        raise click.UsageError("Give one group: --group, or --mean and --sd, or --distribution.")
    if curve and (own.mean is None or own.sd is None):
        raise click.UsageError("A group of your own needs both --mean and --sd; --cut goes with them.")
    if own.sheppard and own.distribution is None:
        raise click.UsageError("--sheppard goes with --distribution.")
    if switched and (curve or own.distribution is not None):
        raise click.UsageError(
            "--condition, --correlation and --sd-from go with --group, not with a group of your own."
        )


def _shipped_group(score: float, component: Component, group_id: str, switches: Switches) -> ChosenGroup:
    from grader_app.files.reference_populations import load_reference_populations
    from grader_app.scaling.reference_populations import choose_group, refuse_impossible

    refuse_impossible(score, component)
    return choose_group(load_reference_populations(), group_id, component, switches)


def _own_curve(own: OwnGroup) -> ChosenGroup:
    from grader_app.scaling.normal_group import NormalGroup
    from grader_app.scaling.reference_populations import ChosenGroup

    assert own.mean is not None, "usage was checked"
    assert own.sd is not None, "usage was checked"
    typed_in = f"Mean {own.mean:g} and SD {own.sd:g} were typed in. A normal curve is assumed."
    cut = () if own.cut is None else (f"Only scores of {own.cut:g} and above are in the group: typed in.",)
    curve = NormalGroup(own.mean, own.sd, own.cut)
    return ChosenGroup("own", "your own group", curve, (typed_in, *cut), mean=own.mean, sd=own.sd)


def _own_distribution(path: Path, sheppard: bool) -> ChosenGroup:
    from grader_app.cli.distribution_file import read_distribution
    from grader_app.scaling.reference_populations import ChosenGroup

    table, says = read_distribution(path)
    sd = table.sd(sheppard=sheppard)
    corrected = ", with Sheppard's correction" if sheppard else ""
    moments = f"Its mean is {table.mean:.2f} and its SD {sd:.2f}, from the middles of the bins{corrected}."
    return ChosenGroup(path.name, path.name, table, (*says, moments), mean=table.mean, sd=sd)


def print_placed(placed: PlacedScore, as_json: bool) -> None:
    """Print a placed score as JSON alone, or as a small table with what it assumes."""
    if as_json:
        import json

        click.echo(json.dumps(placed.as_json(), indent=2, ensure_ascii=False, allow_nan=False))
        return
    name = {"ube": "UBE total", "mbe": "MBE score", "written": "Written score"}[placed.component]
    click.echo(f"{name} {placed.score:g} among: {placed.group.label}\n")
    for label, text in _rows(placed):
        first, next_lines = f"{label:<{_LABELS}}", " " * _LABELS
        click.echo(fill(text, _WIDTH, initial_indent=first, subsequent_indent=next_lines))


def _rows(placed: PlacedScore) -> list[tuple[str, str]]:
    figures = placed.figures
    level = " with half of those level" if placed.rank == "mid" else ""
    rows = []
    if figures.percentile is None:
        rows.append(("percentile", f"none. {figures.says}"))
    else:
        rows.append(("percentile", f"{_shown(figures.percentile)} (percent of the group below{level})"))
        rows.append(("95 % interval", _interval(placed)))
    if placed.range_of_sds:
        low, high = placed.range_of_sds
        rows.append(("SDs that fit as well", f"{_shown(low)} to {_shown(high)}"))
    rows += [
        (f"SD {other.sd:.2f}", f"{_shown(other.percentile)} (--sd-from {other.sd_from})")
        for other in placed.other_sds
    ]
    assumes = [("", sentence) for sentence in placed.assumptions]
    return [*rows, *([("assumes", assumes[0][1]), *assumes[1:]] if assumes else [])]


def _interval(placed: PlacedScore) -> str:
    low, high = placed.figures.low, placed.figures.high
    if low is not None and high is not None:
        return f"{_shown(low)} to {_shown(high)}"
    return "none: --sem was not given" if placed.sem is None else "none: it reaches beyond the points known"


def _shown(percent: float) -> str:
    """Return a percent with one digit; what is neither none nor all never reads as such."""
    if 0 < percent < 0.05:
        return "under 0.1"
    return "over 99.9" if 99.95 <= percent < 100 else f"{percent:.1f}"
