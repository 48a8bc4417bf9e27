"""The line and the band: judged on the reported total, published ones with their sources."""

import json
from statistics import fmean, pstdev
from typing import get_args

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from grader_app.cli.scale import scale
from grader_app.domain.published_cuts import CUTS, CutName
from grader_app.domain.round import Cut
from grader_app.errors import ScalingProblem
from grader_app.scaling.cuts import JUDGMENTS, in_band, judge, judged, reaches, spoken_total
from grader_app.scaling.pool import Candidate, Pool
from grader_app.scaling.reference import PoolReference
from grader_app.scaling.reread_bias import ReadModel, band_bias
from grader_app.scaling.reread_of_pool import biases_of_pool
from grader_app.scaling.scale_pool import scale_pool


def published(name, **written):
    return Cut.model_validate({"preset": name, **written})


@pytest.mark.parametrize(
    ("name", "totals"),
    [
        ("new_york", {261: "fail", 262: "reread", 265: "reread", 266: "pass"}),
        ("pennsylvania_pre_ube", {262: "fail", 263: "reread", 271: "reread", 272: "pass"}),
        ("california", {1349.9: "fail", 1350.0: "reread", 1389.9: "reread", 1390.0: "pass"}),
        ("new_mexico", {253: "fail", 254: "reread", 259: "reread", 260: "pass"}),
        ("alaska_pre_ube", {138.5: "fail", 139.0: "reread", 139.99: "reread", 140.0: "pass"}),
    ],
)
def test_published_bands_are_judged_as_published(name, totals):
    assert {total: judged(total, published(name)) for total in totals} == totals


@pytest.mark.parametrize("name", CUTS)
def test_every_published_cut_has_a_source_and_a_band_below_its_line(name):
    cut = CUTS[name]
    assert cut.source
    assert cut.reread_from < cut.reread_to < cut.total
    assert published(name).total == cut.total


def test_the_names_are_those_that_exist():
    assert get_args(CutName) == tuple(CUTS)


def test_what_is_written_beside_a_preset_stands():
    cut = published("new_york", reread_from=260)
    assert (cut.total, cut.reread_from, cut.reread_to) == (266, 260, 265)


def test_a_cut_needs_a_total_or_a_preset():
    for cut in ({}, {"reread_from": 1, "reread_to": 2}, {"preset": "guam"}):
        with pytest.raises(ValidationError):
            Cut.model_validate(cut)
    assert Cut.model_json_schema()["anyOf"] == [{"required": ["total"]}, {"required": ["preset"]}]
    assert "required" not in Cut.model_json_schema()


def test_a_registered_cut_reads_back_as_it_was_written():
    cut = published("california")
    assert Cut.model_validate(cut.model_dump(mode="json")) == cut


def test_a_band_above_the_line_is_read_again_too():
    both_sides = Cut(total=266, reread_from=262, reread_to=268)
    assert [judged(total, both_sides) for total in (265, 266, 268, 269)] == [
        "reread",
        "reread",
        "reread",
        "pass",
    ]


def test_without_a_band_nobody_is_read_again():
    assert [judged(total, Cut(total=266)) for total in (265.99, 266)] == ["fail", "pass"]


def test_binary_dust_costs_nobody_the_line():
    assert judged(0.4 * 135.25 + 0.6 * 151.5, Cut(total=145)) == "pass"
    assert 0.1 + 0.2 != 0.3
    assert judged(0.1 + 0.2, Cut(total=1, reread_from=0.1, reread_to=0.3)) == "reread"
    assert judged(264.9999999999, Cut(total=265)) == "pass"


def scaled(rounding="total_half_up", mbes=(131.0, 133.4, 136.1)):
    rows = [Candidate(f"c{n}", {"q": n}, mbe=mbe) for n, mbe in enumerate(mbes)]
    outside = [Candidate("attorney", {"q": 1}), Candidate("late", {"q": None}, mbe=140.0)]
    return scale_pool(Pool((*rows, *outside)), {"q": 1}, "mean_sigma", PoolReference(), rounding)


def test_candidates_without_a_total_are_not_judged_and_are_counted():
    found = judge(scaled(), Cut(total=267, reread_from=262, reread_to=266))
    assert found.by_candidate == {"c0": "reread", "c1": "pass", "c2": "pass", "attorney": None}
    assert found.counts == {"pass": 2, "fail": 0, "reread": 1, "no_total": 1}


def test_the_reported_total_is_judged_and_not_the_digits_behind_it():
    """133.4 + 133.5 = 266.9: reported 267, which passes 267; unrounded it does not."""
    assert judge(scaled(), Cut(total=267)).by_candidate["c1"] == "pass"
    assert judge(scaled("none"), Cut(total=267)).by_candidate["c1"] == "fail"


@pytest.mark.parametrize(
    ("name", "rounding", "falls_between"),
    [
        ("new_york", "total_half_up", False),
        ("new_york", "none", True),
        ("new_york", "total_to_tenths", True),
        ("california", "total_to_tenths", False),
        ("california", "total_half_up", False),
        ("california", "total_to_hundredths", True),
        ("alaska_pre_ube", "total_to_hundredths", False),
    ],
)
def test_totals_that_would_fall_between_band_and_line_are_warned_of(name, rounding, falls_between):
    notes = judge(scaled(rounding), published(name)).notes
    assert any("fails without being read again" in note for note in notes) == falls_between


def test_a_line_on_another_scale_than_the_totals_is_said():
    assert any("Nobody comes near the line" in note for note in judge(scaled(), Cut(total=1390)).notes)
    assert any("Nobody comes near the line" in note for note in judge(scaled(), Cut(total=140)).notes)
    assert not any("Nobody comes near" in note for note in judge(scaled(), Cut(total=280)).notes)


def test_the_bias_of_re_reads_is_for_the_rounded_band_and_the_members_totals():
    rows = scaled()
    totals = [row.total for row in rows.candidates if row.in_scaling_group]
    model = ReadModel(2.0, fmean(totals), pstdev(totals))
    found = biases_of_pool(rows, published("new_york"), 2.0)
    assert found == tuple(band_bias(rule, model, 261.5, 265.5) for rule in ("replace", "mean", "higher"))
    below = biases_of_pool(rows, Cut(total=266), 2.0)
    assert below[0] == band_bias("replace", model, high=265.5)
    with pytest.raises(ScalingProblem, match="no line"):
        biases_of_pool(rows, None, 2.0)


def test_new_mexicos_ambiguity_is_said_with_its_source():
    notes = " ".join(judge(scaled(), published("new_mexico")).notes)
    assert "exactly 6 points below or any of 1 to 6" in notes
    assert "Source: Rule 15-506" in notes


@settings(deadline=None)
@given(st.floats(200, 340), st.floats(200, 340))
def test_a_higher_total_is_never_judged_worse(first, second):
    order = {"fail": 0, "reread": 1, "pass": 2}
    assert set(order) == set(JUDGMENTS)
    low, high = sorted((first, second))
    assert order[judged(low, published("new_york"))] <= order[judged(high, published("new_york"))] or (
        265 < high < 266  # a total that no whole number reaches
    )


POOL = "candidate_id,mee-1,mbe\na,2,131\nb,3,132\nc,5,141\nattorney,4,\n"


@pytest.fixture
def run(tmp_path):
    def run_scale(cut, *options):
        items = [{"item": "mee-1", "component": "mee", "weight": 1}]
        written = {"format": "round/1", "id": "r", "version": "1", "title": "R", "items": items}
        (tmp_path / "pool.csv").write_text(POOL, encoding="utf-8")
        (tmp_path / "round.yaml").write_text(
            yaml.safe_dump({**written, **cut}, sort_keys=False), encoding="utf-8"
        )
        places = [str(tmp_path / "pool.csv"), "--round", str(tmp_path / "round.yaml")]
        result = CliRunner().invoke(scale, [*places, *options])
        assert result.exit_code == 0, result.output or result.exception
        return result.stdout

    return run_scale


def test_the_command_judges_totals(run):
    result = json.loads(run({"cut": {"preset": "new_york"}}, "--json"))
    assert [(row["total"], row["judged"]) for row in result["candidates"]] == [
        (261, "fail"),  # 129.86 + 131
        (265, "reread"),  # 133.46 + 132
        (282, "pass"),  # 140.68 + 141
        (None, None),
    ]
    assert result["cut"]["counts"] == {"pass": 1, "fail": 1, "reread": 1, "no_total": 1}
    assert (result["cut"]["preset"], result["cut"]["reread_from"]) == ("new_york", 262)


def test_the_table_judges_totals(run):
    output = run({"cut": {"preset": "new_york"}})
    assert "Passing total 266: 1 pass, 1 fail." in output
    assert "To be read again, 262 to 265: 1." in output
    assert "Without a total, so not judged: 1." in output
    assert "265  yes               reread" in output
    assert "22 NYCRR 6000.11" in output


def test_the_command_prints_the_bias_of_re_reads(run):
    found = json.loads(run({"cut": {"preset": "new_york"}}, "--error-sd", "4", "--json"))["reread_bias"]
    assert [one["rule"] for one in found] == ["replace", "mean", "higher"]
    assert found[0]["after"] == 0
    assert found[1]["after"] == pytest.approx(found[1]["before"] / 2)
    output = run({"cut": {"preset": "new_york"}}, "--error-sd", "4")
    assert "higher: if all papers were read twice, scores would be 2.26 points too high on average." in output


def test_without_a_cut_nothing_is_judged(run):
    assert "judged" not in run({})
    assert "cut" not in json.loads(run({}, "--json"))


@pytest.mark.parametrize(
    ("total", "says"),
    [
        (266, "266"),
        (265.99999, "265.99999"),
        (265.9999999999, "266"),
        (261.9999996, "261.9999996"),
        (265.0000004, "265.0000004"),
        (271.12345678, "271.123"),
    ],
)
def test_a_total_is_written_so_that_it_lies_where_it_is_judged_to_lie(total: float, says: str) -> None:
    cut = Cut(total=266, reread_from=262, reread_to=265)
    assert spoken_total(total, cut) == says
    assert judged(float(says), cut) == judged(total, cut)


def test_a_binary_fraction_costs_nobody_the_line_or_the_band() -> None:
    cut = Cut(total=0.3, reread_from=0.1, reread_to=0.2)
    assert reaches(0.1 + 0.2 - 1e-12, cut)
    assert in_band(0.2 + 1e-12, cut)
    assert not in_band(0.2001, cut)
