"""The percentiles that Martínez 2024 states, from the shipped groups; and the page that shows both."""

import re
from pathlib import Path

import pytest
import stated_figures as figures

import grader_app.scaling
from grader_app.cli.percentile import percentile as command
from grader_app.domain.reference_population import Component
from grader_app.files.reference_populations import load_reference_populations
from grader_app.scaling.placed_score import place_score
from grader_app.scaling.reference_populations import Switches, choose_group

PAGE = (Path(grader_app.scaling.__path__[0]) / "percentiles.md").read_text(encoding="utf-8")
OTHER_SD = figures.Stated(213, "ube", "first-timers", 2)  # 0.99: the paper's 2 goes with its SD near 34.8
BELOW_FLOOR = [each for each in figures.STATED if each.group == "qualified" and each.percent in (0, 5)]


def percent(score: float, component: Component, group: str = "first-timers", **switches) -> float:
    chosen = choose_group(load_reference_populations(), group, component, Switches(**switches))
    found = place_score(score, component, chosen).figures.percentile
    assert found is not None
    return found


@pytest.mark.parametrize(
    "stated", [each for each in figures.STATED if each not in (*BELOW_FLOOR, OTHER_SD)], ids=str
)
def test_every_stated_percentile_comes_out_within_a_point(stated):
    assert figures.ours(stated).figures.percentile == pytest.approx(stated.percent, abs=1.0)


@pytest.mark.parametrize("stated", BELOW_FLOOR, ids=str)
def test_what_is_stated_below_the_floor_has_no_number(stated):
    placed = figures.ours(stated)
    assert (placed.figures.percentile, placed.figures.status) == (None, "outside_group")


def test_the_total_of_298_under_both_sds():
    assert percent(298, "ube") == pytest.approx(62.7, abs=0.05)
    assert percent(298, "ube", "qualified") == pytest.approx(47.4, abs=0.05)
    assert percent(298, "ube", spread="paper-results") == pytest.approx(61.75, abs=0.01)
    assert percent(298, "ube", "qualified", spread="paper-results") == pytest.approx(44.84, abs=0.01)


def test_the_total_of_213_under_both_sds():
    assert percent(213, "ube") == pytest.approx(0.99, abs=0.005)
    assert percent(213, "ube", spread="paper-results") == pytest.approx(1.60, abs=0.005)


def test_nine_essay_points_fewer_cost_eighteen_percent_of_first_timers():
    assert percent(140, "written") - percent(131, "written") == pytest.approx(42 - 24, abs=1.0)


@pytest.mark.parametrize(
    ("component", "scores", "leap"),
    [("ube", (213, 298), 60), ("mbe", (116, 158), 73), ("written", (97, 140), 42)],
)
def test_the_leap_between_two_models_is_as_stated(component, scores, leap):
    spread = "paper-results" if component == "ube" else None
    lower, higher = (percent(score, component, spread=spread) for score in scores)
    assert higher - lower == pytest.approx(leap, abs=1.0)


@pytest.mark.parametrize(("score", "component", "correlation", "expected", "_stated"), figures.BY_TOTAL)
def test_passers_by_their_total(score, component, correlation, expected, _stated):
    assert figures.by_total(score, component, correlation) == pytest.approx(expected, abs=0.1)


def test_the_spread_within_first_timers_is_what_the_gap_to_repeaters_leaves():
    within = (17.65**2 - 0.77 * 0.23 * 16**2) ** 0.5
    curve = load_reference_populations().groups[0].curves[0]
    assert [spread.sd.value for spread in curve.spreads if spread.name == "within-group"] == [
        round(within, 2)
    ]
    assert percent(158, "mbe", spread="within-group") == pytest.approx(80.79, abs=0.01)


@pytest.mark.parametrize("name", figures.TABLES)
def test_the_tables_of_the_page_are_what_the_program_computes(name):
    shown = re.search(rf"<!-- {name} -->\n(.*?)<!-- end of {name} -->", PAGE, re.S)
    assert shown, f"percentiles.md has no table {name}"
    assert shown.group(1) == figures.TABLES[name](), "run tests/scaling/stated_figures.py and paste its table"


def test_the_page_explains_every_option_and_every_key_of_the_json():
    chosen = choose_group(load_reference_populations(), "qualified", "mbe", Switches())
    keys = place_score(158, "mbe", chosen).as_json()
    options = [name for option in command.params for name in option.opts]
    assert [key for key in keys if f"`{key}`" not in PAGE] == []
    assert [name for name in options if name not in PAGE and name not in ("--help", "--rank")] == []
