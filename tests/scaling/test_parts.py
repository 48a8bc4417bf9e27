"""Items scored by parts: the published marks of GPT-4 and ChatGPT, through the command on a pool file."""

import json
from fractions import Fraction

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from grader_app.cli.scale import scale
from grader_app.domain.round import Round
from grader_app.errors import FileProblems, ScalingProblem
from grader_app.files.round_file import examine_round
from grader_app.scaling.composite import written_raw
from grader_app.scaling.of_round import scaled_of_record
from grader_app.scaling.parts import item_score

# Marks by part with the parts' weights, and the mark of the question: the scoring workbook of
# Katz et al. (2024), Phil. Trans. R. Soc. A 382, repository mjbommar/gpt4-passes-the-bar.
WEIGHTS = {
    "mee-1": (0.35, 0.35, 0.30),
    "mee-2": (0.4, 0.3, 0.3),
    "mee-3": (0.4, 0.4, 0.2),
    "mee-4": (0.25, 0.25, 0.25, 0.25),
    "mee-5": (0.3, 0.5, 0.2),
    "mee-6": (0.3, 0.3, 0.2, 0.2),
    "mpt-1": (1, 1, 1, 1),
}
GPT_4 = {
    "mee-1": ((5, 5, 5), 5.0),
    "mee-2": ((4.5, 5, 3), 4.2),
    "mee-3": ((4.5, 4, 5), 4.4),
    "mee-4": ((5, 4.5, 3, 3), 3.875),
    "mee-5": ((5, 3, 2.5), 3.5),
    "mee-6": ((5, 4.5, 2, 4.5), 4.15),
    "mpt-1": ((4, 4, 5, 4), 4.25),
    "mpt-2": ((4.5, 4, 4), 4.166667),
}
CHATGPT = {
    "mee-1": (3.5, 3.5, 4),
    "mee-2": (2.5, 4, 3),
    "mee-3": (2.5, 3.5, 3),
    "mee-4": (2.5, 3, 2, 2.5),
    "mee-5": (3.5, 2.5, 2.5),
    "mee-6": (3, 3, 2, 2.5),
    "mpt-1": (3, 3.5, 3, 2.5),
    "mpt-2": (2.5, 2.5, 2.5),
}
THIRDS = (1, 1, 1)


def named(values):
    return {f"p{number}": value for number, value in enumerate(values, 1)}


def katz_round(weights):
    return {
        "format": "round/1",
        "id": "katz",
        "version": "1",
        "title": "Katz",
        "items": [
            {
                "item": item,
                "component": item[:3],
                "weight": 2 if item.startswith("mpt") else 1,
                "parts": [{"part": part, "weight": weight} for part, weight in named(shares).items()],
            }
            for item, shares in weights.items()
        ],
    }


def katz_pool(weights, drop=None):
    marks = {"GPT-4": {item: parts for item, (parts, _) in GPT_4.items()}, "ChatGPT": CHATGPT}
    columns = [f"{item}.{part}" for item, shares in weights.items() for part in named(shares)]
    lines = [",".join(["candidate_id", "mbe", *columns])]
    for model, mbe in (("GPT-4", 157), ("ChatGPT", 116)):
        cells = [str(mark) for item in weights for mark in marks[model][item]]
        lines.append(",".join([model, str(mbe), *cells]))
    return "\n".join(lines) + "\n"


@pytest.fixture
def run(tmp_path):
    def run_scale(pool, round_data, *options):
        (tmp_path / "pool.csv").write_text(pool, encoding="utf-8")
        (tmp_path / "round.yaml").write_text(yaml.safe_dump(round_data), encoding="utf-8")
        places = [str(tmp_path / "pool.csv"), "--round", str(tmp_path / "round.yaml"), "--json"]
        return CliRunner().invoke(scale, [*places, *options])

    return run_scale


@pytest.fixture
def raws(run):
    def written_raws(weights):
        result = run(katz_pool(weights), katz_round(weights))
        assert result.exit_code == 0, result.output or result.exception
        return [row["written_raw"] for row in json.loads(result.stdout)["candidates"]]

    return written_raws


@pytest.mark.parametrize("item", [item for item in WEIGHTS if item != "mpt-1"])
def test_the_command_gives_each_question_mark_of_gpt_4(raws, item):
    assert raws({item: WEIGHTS[item]})[0] == GPT_4[item][1]


@pytest.mark.parametrize(("item", "shares"), [("mpt-1", (1, 1, 1, 1)), ("mpt-2", THIRDS)])
def test_the_command_gives_both_performance_tests_of_gpt_4(raws, item, shares):
    assert raws({item: shares})[0] / 2 == pytest.approx(GPT_4[item][1], abs=5e-7)


def test_the_command_gives_the_mean_essay_mark_of_both_models(raws):
    essays = {item: shares for item, shares in WEIGHTS.items() if item.startswith("mee")}
    gpt_4, chatgpt = raws(essays)
    assert (gpt_4 / 6, chatgpt / 6) == pytest.approx((4.1875, 2.958333), abs=5e-7)


def test_the_command_gives_the_mean_performance_test_of_both_models(raws):
    gpt_4, chatgpt = raws({"mpt-1": WEIGHTS["mpt-1"], "mpt-2": THIRDS})
    assert (gpt_4 / 4, chatgpt / 4) == pytest.approx((4.208333, 2.75), abs=5e-7)


def test_the_command_gives_the_unweighted_means_when_parts_weigh_the_same(raws):
    even = {item: (1,) * len(shares) for item, shares in WEIGHTS.items() if item.startswith("mee")}
    gpt_4, chatgpt = raws(even)
    assert (gpt_4 / 6, chatgpt / 6) == pytest.approx((4.173611, 2.965278), abs=5e-7)


def test_the_command_gives_the_whole_composite_of_gpt_4(raws):
    gpt_4, _ = raws({**WEIGHTS, "mpt-2": THIRDS})
    assert gpt_4 == pytest.approx(41.958333, abs=5e-7)
    assert gpt_4 / 10 == pytest.approx(4.195833, abs=5e-7)


def test_weights_of_parts_need_not_add_up_to_one():
    scores = named((4.5, 5, 3))
    assert item_score(scores, named((4, 3, 3))) == item_score(scores, named((0.4, 0.3, 0.3)))
    assert item_score(scores, named((4, 3, 3))) == Fraction(42, 10)


def test_means_without_an_end_tie_exactly_in_the_composite():
    """13/3 + 11/3 is 8 on paper; rounding each mean first could leave another number."""
    thirds = {
        "a": item_score(named((5, 4, 4)), named(THIRDS)),
        "b": item_score(named((4, 4, 3)), named(THIRDS)),
    }
    assert written_raw(thirds, {"a": 0.1, "b": 0.1}) == written_raw({"a": 4, "b": 4}, {"a": 0.1, "b": 0.1})


def test_an_item_with_an_ungraded_part_is_ungraded(run):
    weights = {"mee-2": WEIGHTS["mee-2"]}
    result = run(katz_pool(weights) + "late,130,4,,3\n", katz_round(weights))
    assert json.loads(result.stdout)["left_out"] == [
        {"candidate_id": "late", "why": "Not graded yet: mee-2."}
    ]


def test_a_part_scored_zero_counts():
    assert item_score({"a": 0, "b": 4}, {"a": 1, "b": 3}) == 3


def test_a_missing_part_is_named_by_its_column(run):
    weights = {"mee-2": WEIGHTS["mee-2"]}
    result = run(katz_pool(weights).replace("mee-2.p3", "seat"), katz_round(weights))
    assert isinstance(result.exception, FileProblems)
    assert "no column `mee-2.p3`" in str(result.exception)


def test_a_whole_score_beside_parts_is_refused(run):
    weights = {"mee-2": WEIGHTS["mee-2"]}
    pool = "\n".join(
        line + end for line, end in zip(katz_pool(weights).split(), (",mee-2", ",4", ",3"), strict=True)
    )
    result = run(pool, katz_round(weights))
    assert "column `mee-2`, but the round scores that item by parts" in str(result.exception)


def test_a_part_that_is_no_number_is_refused_with_its_column(run):
    weights = {"mee-2": WEIGHTS["mee-2"]}
    result = run(katz_pool(weights) + "x,130,4,many,3\n", katz_round(weights))
    assert "pool.csv:4: In column `mee-2.p2`" in str(result.exception)


def test_a_workspace_is_told_that_parts_come_from_a_pool_file(tmp_path):
    (tmp_path / "round.yaml").write_text(yaml.safe_dump(katz_round({"mee-1": THIRDS})), encoding="utf-8")
    problems = examine_round(tmp_path / "round.yaml", {"mee-1": "mee"}).problems
    assert [
        "parts, which come from a pool file" in problem.what.replace("`", "") for problem in problems
    ] == [True]


def test_a_workspace_with_parts_is_not_scaled():
    class Record:
        round = Round.model_validate(katz_round({"mee-1": THIRDS}))

    with pytest.raises(ScalingProblem, match="Parts come from a pool file"):
        scaled_of_record(Record())


def test_a_percentage_conversion_is_what_gives_140():
    """4.2/6 x 200 = 140 whatever the others wrote; scaling gives 155 or 135, by who the others are."""
    from grader_app.scaling.mean_sigma import Moments, mean_sigma

    percentage = 4.2 / 6 * 200
    assert percentage == pytest.approx(140)
    assert mean_sigma(4.2, Moments(100, 3.3, 0.9), 140, 15) == pytest.approx(155)
    assert mean_sigma(4.2, Moments(100, 4.5, 0.9), 140, 15) == pytest.approx(135)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(1, 30)), min_size=1, max_size=6),
    st.integers(-20, 20),
)
def test_a_constant_on_every_part_moves_the_item_by_the_constant(parts, shift):
    scores = named([half / 2 for half, _ in parts])
    weights = named([tenths / 10 for _, tenths in parts])
    moved = {part: score + shift for part, score in scores.items()}
    assert item_score(moved, weights) - item_score(scores, weights) == shift
    assert min(scores.values()) <= item_score(scores, weights) <= max(scores.values())
