"""Published schemes: their numbers, what they fill, and what stands on every output."""

import json
from typing import get_args

import pytest
import yaml
from click.testing import CliRunner
from pydantic import ValidationError

from grader_app.cli.scale import scale
from grader_app.domain.published_schemes import SCHEMES, SchemeName
from grader_app.domain.round import Round
from grader_app.errors import ScalingProblem
from grader_app.scaling.presets import with_preset
from grader_app.scaling.rounding import Factors, reported_total
from grader_app.scaling.rules import rules_of_round
from grader_app.scaling.standardise import Target


def a_round(scaling=None, weights=(1, 2), **more):
    items = [
        {"item": f"{kind}-1", "component": kind, **({} if weight is None else {"weight": weight})}
        for kind, weight in zip(("mee", "mpt"), weights, strict=True)
    ]
    data = {"format": "round/1", "id": "r", "version": "1", "title": "R", "items": items, **more}
    return data if scaling is None else {**data, "scaling": scaling}


def rules(scaling=None, weights=(1, 2), preset=None):
    return rules_of_round(Round.model_validate(a_round(scaling, weights)), preset=preset)


def test_delaware_scales_and_adds_as_its_board_published():
    """July 2003: MBE raw 120 is 135.13, a written sum of 500 is 148.33, .4 and .6 of them 143.05."""
    lines = SCHEMES["delaware_2003"].lines
    mbe, written = lines["mbe_from_raw"].at(120), lines["written_from_sum"].at(500)
    assert (mbe, written) == pytest.approx((135.13, 148.33))
    factors = rules(preset="delaware_2003").factors
    assert reported_total(mbe, written, "total_to_hundredths", factors) == 143.05


def test_what_delawares_table_did_is_said_not_to_be_readable():
    assert any("34.94 and 41.38 could not be read" in said for said in SCHEMES["delaware_2003"].assumptions)


def test_alaska_takes_the_mean_of_the_two():
    """Application of Bettine: essay 141.0 and MBE 136 are 138.5."""
    found = rules(preset="alaska_pre_ube")
    assert reported_total(136, 141.0, found.rounding, found.factors) == 138.5


def test_maryland_counts_the_written_score_twice():
    found = rules(preset="maryland_pre_ube")
    assert reported_total(140, 133.2, found.rounding, found.factors) == 406


def test_north_carolina_adds_to_a_total_on_500_of_which_the_mbe_is_40_percent():
    factors = rules(preset="north_carolina_pre_ube", weights=(1, 1)).factors
    assert (200 * factors.mbe, 200 * factors.written) == (200, 300)


def test_pennsylvania_adds_to_a_total_on_400_of_which_the_mbe_is_45_percent():
    found = rules(preset="pennsylvania_pre_ube")
    assert (200 * found.factors.mbe, 200 * found.factors.written) == pytest.approx((180, 220))
    assert found.weights == {"mee-1": 1, "mpt-1": 1.5}


def test_the_uniform_exam_adds_both_as_they_are():
    assert rules(preset="ube").factors == Factors(1, 1)
    assert rules(preset="ube", weights=(5, 5)).weights == {"mee-1": 1, "mpt-1": 2}


def test_delaware_doubles_a_performance_test_through_its_sd_alone():
    found = rules(preset="delaware_2003", weights=(1, 2))
    assert found.targets == {"mee-1": Target(50, 7), "mpt-1": Target(50, 14)}
    assert found.weights == {"mee-1": 1, "mpt-1": 1}


def test_new_york_says_that_its_sd_is_assumed():
    found = rules({"preset": "new_york"})
    assert found.targets == {"mee-1": Target(50, 10), "mpt-1": Target(50, 10)}
    assert "The SD of 10 is assumed" in found.notes[0]


@pytest.mark.parametrize("name", SCHEMES)
def test_every_scheme_has_a_source_for_its_facts_and_can_be_used(name):
    scheme = SCHEMES[name]
    assert scheme.facts
    assert all(fact.source and fact.says for fact in scheme.facts)
    assert Round.model_validate(a_round({"preset": name})).scaling.preset == name
    assert rules(preset=name).notes[0].startswith(f"Preset {name} (")


def test_the_names_are_those_that_exist():
    assert get_args(SchemeName) == tuple(SCHEMES)


def test_a_preset_fills_only_what_is_not_written():
    scaling = Round.model_validate(
        a_round({"preset": "delaware_2003", "rounding": "total_half_up", "total": {"mbe": 1, "written": 1}})
    ).scaling
    assert (scaling.rounding, scaling.total.mbe, scaling.standardise_items.sd) == ("total_half_up", 1, 7)


def test_an_item_without_a_weight_takes_its_components():
    assert rules({"preset": "pennsylvania_pre_ube"}, (None, None)).weights == {"mee-1": 1, "mpt-1": 1.5}
    assert rules({"preset": "ube"}, (None, None)).weights == {"mee-1": 1, "mpt-1": 2}


def test_without_a_weight_anywhere_the_item_is_refused():
    for scaling in ({"preset": "maryland_pre_ube"}, {"rounding": "none"}, None):
        with pytest.raises(ValidationError, match="has no `weight`"):
            Round.model_validate(a_round(scaling, (1, None)))


def test_weights_written_in_the_round_stand_and_a_departure_is_said():
    found = rules({"preset": "ube"}, (1, 1))
    assert found.weights == {"mee-1": 1, "mpt-1": 1}
    assert found.notes[1] == (
        "The preset ube weighs by component (mee 1, essay 1, mpt 2); the round's own weights stand: "
        "mee-1 1, mpt-1 1."
    )
    assert len(rules({"preset": "ube"}, (5, 10)).notes) == 1


def test_a_preset_that_does_not_exist_is_refused():
    with pytest.raises(ValidationError):
        Round.model_validate(a_round({"preset": "guam"}))
    with pytest.raises(ScalingProblem, match="no preset called 'guam'"):
        with_preset(Round.model_validate(a_round()), "guam")


def test_a_misspelled_preset_is_the_only_fault():
    with pytest.raises(ValidationError) as refused:
        Round.model_validate(a_round({"preset": "guam"}, (None, None), cut={"preset": "guam"}))
    assert [fault["loc"] for fault in refused.value.errors()] == [("scaling", "preset"), ("cut", "preset")]


@pytest.mark.parametrize("name", SCHEMES)
def test_a_registered_round_reads_back_as_it_was_written(name):
    written = Round.model_validate(a_round({"preset": name}))
    kept = Round.model_validate(written.model_dump(mode="json"))
    assert kept == written
    assert kept.content_hash == written.content_hash


def test_a_preset_asked_for_takes_the_place_of_the_rounds_preset_and_keeps_what_was_written():
    written = Round.model_validate(a_round({"preset": "delaware_2003", "method": "equipercentile"}))
    found = with_preset(written, "maryland_pre_ube").scaling
    assert (found.method, found.standardise_items, found.rounding) == (
        "equipercentile",
        None,
        "total_half_up",
    )
    assert (found.total.mbe, found.total.written) == (1, 2)


def test_a_round_without_a_preset_is_as_before():
    found = rules()
    assert (found.factors, found.targets, found.notes) == (Factors(1, 1), {}, ())


def test_a_registered_item_of_rule_application_needs_no_weight_under_a_preset():
    items = [{"item": "rule-x", "component": "rule_application"}]
    assert Round.model_validate(a_round({"preset": "ube"}) | {"items": items}).weights == {}


@pytest.mark.parametrize("factor", [0, -1, float("nan"), True])
def test_factors_of_the_total_are_finite_and_above_zero(factor):
    with pytest.raises(ValidationError):
        Round.model_validate(a_round({"total": {"mbe": 1, "written": factor}}))


def test_tenths_are_rounded_before_they_are_weighted():
    assert (
        reported_total(140.04, 140.05, "tenths_then_total", Factors(1, 2)) == 420
    )  # 140.0 + 2 x 140.1 = 420.2
    assert reported_total(140.04, 140.25, "total_to_tenths") == 280.3


POOL = "candidate_id,mee-1,mpt-1,mbe\na,3,3,130\nb,5,4,150\nc,4,5,146\n"


@pytest.fixture
def run(tmp_path):
    def run_scale(data, *options):
        (tmp_path / "pool.csv").write_text(POOL, encoding="utf-8")
        (tmp_path / "round.yaml").write_text(yaml.safe_dump(data), encoding="utf-8")
        places = [str(tmp_path / "pool.csv"), "--round", str(tmp_path / "round.yaml")]
        result = CliRunner().invoke(scale, [*places, *options])
        assert result.exit_code == 0, result.output or result.exception
        return result.stdout

    return run_scale


def test_the_command_and_the_round_scale_alike_by_a_preset(run):
    by_round = json.loads(run(a_round({"preset": "delaware_2003"}, (None, None)), "--json"))
    by_option = json.loads(run(a_round(), "--preset", "delaware_2003", "--json"))
    assert by_round == by_option
    assert by_round["total"] == {"mbe": 0.4, "written": 0.6}
    mbe = {"a": 130, "b": 150, "c": 146}
    for row in by_round["candidates"]:
        exact = 0.4 * mbe[row["candidate_id"]] + 0.6 * row["written_scaled"]
        assert row["total"] == pytest.approx(exact, abs=0.005001)


def test_the_table_says_how_the_total_is_made_and_what_was_assumed(run):
    output = run(a_round(), "--preset", "delaware_2003")
    assert "Total = 0.4 x MBE + 0.6 x written scaled." in output
    assert "Preset delaware_2003 (Delaware, July 2003)." in output


def test_the_list_of_presets_gives_every_name_and_source():
    said = CliRunner().invoke(scale, ["--presets"]).stdout
    listed = json.loads(CliRunner().invoke(scale, ["--presets", "--json"]).stdout)["presets"]
    assert [one["name"] for one in listed] == list(SCHEMES)
    for name, scheme in SCHEMES.items():
        assert f"{name}: {scheme.title}" in said
        assert all(fact.source in said for fact in scheme.facts)
    assert "fills method mean_sigma, rounding total_to_hundredths, total (mbe 0.4, written 0.6)" in said
