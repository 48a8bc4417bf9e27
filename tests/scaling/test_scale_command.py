"""The command `scale` on a pool file: the ten candidates, overrides, and one test a kind of bad input."""

import json

import pytest
from click.testing import CliRunner

from grader_app.cli.scale import scale
from grader_app.errors import FileProblems, GraderAppError, ScalingProblem

# An invented pool, its figures computed apart from the program: scaled by mean and SD, total, equipercentile.
TEN = """\
candidate_id,mee-1,mee-2,mee-3,mee-4,mee-5,mee-6,mpt-1,mpt-2,mbe
E1,4,3,5,4,4,3,4,4,142.3
E2,2,3,2,3,2,2,2,3,128.7
E3,5,5,4,5,6,5,5,6,165.1
E4,3,3,3,4,3,3,3,3,134.9
E5,4,4,3,4,5,4,4,4,150.4
E6,1,2,2,1,2,3,2,1,118.2
E7,3,4,4,3,4,4,4,3,139.0
E8,5,4,5,4,4,5,4,5,157.6
E9,2,2,3,3,3,2,3,2,131.5
E10,4,5,4,4,3,4,4,3,145.3
"""
LINEAR = [147.0150, 127.0790, 164.2929, 136.3824, 148.3441, 117.7755, 143.0278, 154.9894, 128.4080, 145.6859]
EQUIPERCENTILE = [145.3, 128.7, 165.1, 134.9, 150.4, 118.2, 139.0, 157.6, 131.5, 142.3]
TOTALS = [289, 256, 329, 271, 299, 236, 282, 313, 260, 291]

SHORT = "candidate_id,mee-1,mpt-1,mbe\n000123,3,3,130\n123,5,4,150\n"


def round_text(*items):
    head = 'format: round/1\nid: july-sample\nversion: "1"\ntitle: Sample round\nitems:\n'
    return head + "".join(
        f"  - item: {item}\n    component: {component}\n" + (f"    weight: {weight}\n" if weight else "")
        for item, component, weight in items
    )


EIGHT_ITEMS = round_text(
    *((f"mee-{n}", "mee", 1) for n in range(1, 7)), ("mpt-1", "mpt", 2), ("mpt-2", "mpt", 2)
)
TWO_ITEMS = round_text(("mee-1", "mee", 1), ("mpt-1", "mpt", 2), ("rule-hearsay", "rule_application", None))


@pytest.fixture
def run(tmp_path):
    def run_scale(pool, *options, round_yaml=TWO_ITEMS):
        (tmp_path / "pool.csv").write_text(pool, encoding="utf-8")
        (tmp_path / "round.yaml").write_text(round_yaml, encoding="utf-8")
        places = [str(tmp_path / "pool.csv"), "--round", str(tmp_path / "round.yaml")]
        return CliRunner().invoke(scale, [*places, *options])

    return run_scale


@pytest.fixture
def scaled(run):
    def scale_as_json(pool, *options, **more):
        result = run(pool, "--json", *options, **more)
        assert result.exit_code == 0, result.output or result.exception
        return json.loads(result.stdout)

    return scale_as_json


@pytest.fixture
def problem(run):
    def refused(pool, *options, **more):
        result = run(pool, *options, **more)
        assert isinstance(result.exception, GraderAppError), result.output
        return result.exception

    return refused


def test_ten_candidates_by_mean_and_sd(scaled):
    rows = scaled(TEN, round_yaml=EIGHT_ITEMS)["candidates"]
    assert [row["written_scaled"] for row in rows] == pytest.approx(LINEAR, abs=5e-5)
    assert [row["total"] for row in rows] == TOTALS


def test_ten_candidates_by_equipercentile(scaled):
    rows = scaled(TEN, "--method", "equipercentile", round_yaml=EIGHT_ITEMS)["candidates"]
    assert [row["written_scaled"] for row in rows] == EQUIPERCENTILE


def test_ids_stay_text(scaled):
    assert [row["candidate_id"] for row in scaled(SHORT)["candidates"]] == ["000123", "123"]


def test_the_table_shows_totals_constants_and_the_warning(run):
    output = run(SHORT).stdout
    assert "written mean 11.0000, SD 2.0000; MBE mean 140.0000, SD 10.0000" in output
    assert "fewer than 100" in output
    assert "000123             9.0000        130.0000       260  yes" in output


def test_the_rounding_and_the_reference_of_the_round_can_be_overridden(scaled):
    result = scaled(SHORT, "--reference", "assumed:140.3,15", "--rounding", "none")
    assert (result["reference"], result["rounding"]) == ("assumed:140.3,15", "none")
    assert [row["total"] for row in result["candidates"]] == pytest.approx([255.3, 305.3])


def test_the_settings_of_the_round_are_used(scaled):
    settings = (
        "scaling:\n  method: mean_sigma\n  reference: assumed\n  mean: 143.8\n  sd: 17.7\n  rounding: none\n"
    )
    result = scaled(SHORT, round_yaml=TWO_ITEMS + settings)
    assert (result["reference"], result["rounding"]) == ("assumed:143.8,17.7", "none")
    assert scaled(SHORT, "--reference", "pool", round_yaml=TWO_ITEMS + settings)["reference"] == "pool"


def test_an_assumed_reference_is_the_first_line(run):
    output = run(SHORT, "--reference", "assumed:143.8,17.7").stdout
    assert output.splitlines()[0].startswith(
        "Assumed reference: the MBE mean 143.8 and SD 17.7 were typed in"
    )


def test_an_assumed_reference_needs_no_mbe_column(scaled):
    result = scaled("candidate_id,mee-1,mpt-1\na,3,3\nb,5,4\n", "--reference", "assumed:140,10")
    assert [row["total"] for row in result["candidates"]] == [None, None]
    assert [row["written_scaled"] for row in result["candidates"]] == [130, 150]


def test_an_empty_cell_is_ungraded_and_a_zero_is_not(scaled):
    result = scaled(SHORT + "late,6,,160\nnought,0,0,120\n")
    assert result["left_out"] == [{"candidate_id": "late", "why": "Not graded yet: mpt-1."}]
    assert result["candidates"][-1]["written_raw"] == 0
    assert result["constants"]["n"] == 3


def test_a_model_is_scaled_and_forms_no_constants(scaled):
    marked = "candidate_id,mee-1,mpt-1,mbe,in_scaling_group\na,3,3,130,\nb,5,4,150,yes\nmodel,6,5,158,no\n"
    result = scaled(marked)
    assert result["constants"]["n"] == 2
    assert result["candidates"][-1]["written_scaled"] == 165
    assert result["candidates"][-1]["total"] == 323


def test_groups_have_constants_of_their_own(scaled):
    rows = "a,3,3,130,NY\nb,5,4,150,NY\nc,3,3,110,IL\nd,5,4,120,IL\n"
    result = scaled("candidate_id,mee-1,mpt-1,mbe,group\n" + rows)
    assert [row["written_scaled"] for row in result["candidates"]] == [130, 150, 110, 120]
    assert set(result["constants"]) == {"NY", "IL"}


def test_another_column_of_ids_and_columns_that_are_not_used(scaled):
    result = scaled(SHORT.replace("candidate_id", "id,seat").replace("123,", "123,x,"), "--candidate", "id")
    assert [row["candidate_id"] for row in result["candidates"]] == ["000123", "123"]
    assert "Columns not used: seat." in result["warnings"]


def test_a_missing_item_column_is_refused_with_the_columns_found(problem):
    message = str(problem("candidate_id,mee-1,mbe\na,3,130\n"))
    assert "no column `mpt-1`; found `candidate_id`, `mee-1`, `mbe`" in message


def test_a_missing_column_of_ids_is_refused_with_the_option(problem):
    message = str(problem(SHORT.replace("candidate_id", "id")))
    assert "no column `candidate_id`; found `id`" in message
    assert "--candidate" in message


def test_a_missing_mbe_column_is_refused(problem):
    assert "no column `mbe`" in str(problem("candidate_id,mee-1,mpt-1\na,3,3\nb,5,4\n"))


@pytest.mark.parametrize("column", ["In_scaling_group", "in_scaling_grp", "groups"])
def test_a_misspelled_optional_column_is_never_passed_over(problem, column):
    pool = SHORT.replace("mbe\n", f"mbe,{column}\n").replace("130\n", "130,\n").replace("150\n", "150,\n")
    assert f"`{column}` is not known, but looks like" in str(problem(pool))


@pytest.mark.parametrize("score", ["three", "nan", "NaN", "inf", "-inf", "1e400", "true", "4 or 5"])
def test_a_score_that_is_no_finite_number_is_refused_with_line_and_column(problem, score):
    message = str(problem(SHORT + f"b,{score},3,140\n"))
    assert "pool.csv:4: In column `mee-1`" in message
    assert score in message


def test_a_decimal_comma_is_named(problem):
    message = str(problem('candidate_id,mee-1,mpt-1,mbe\na,3,"3,5",130\nb,4,4,150\n'))
    assert "pool.csv:2: In column `mpt-1`, `3,5` uses a decimal comma" in message


def test_a_bad_mbe_is_refused_like_a_bad_score(problem):
    assert "pool.csv:4: In column `mbe`" in str(problem(SHORT + "b,3,3,n/a\n"))


RUBRIC = """format: rubric/1
id: six-point
version: "1"
title: Six points
score:
  lowest: 0
  highest: 6
  step: 1
  level_of_measurement: ordinal
  given_by: grader
levels:
  - score: 6
    label: Outstanding
    means: >-
      Sees every issue.
"""
SHEET = """format: point_sheet/1
id: mee-1
version: "1"
item: mee-1
kind: mee
rubric: six-point
rubric_version: "1"
title: The first question
issues:
  - id: duty
    title: Was there a duty?
    weight_percent: 100
    points:
      - id: duty.rule
        part: rule
        text: >-
          A duty needs control.
"""


def test_a_score_off_the_scale_of_the_rubric_beside_the_round_is_refused_with_its_line(
    problem, scaled, tmp_path
):
    pool = SHORT + "x,6.5,99,140\ny,-1,3,141\nz,2.5,-3,139\n"
    assert len(scaled(pool)["candidates"]) == 5  # a round alone does not say how its items are scored
    (tmp_path / "rubrics" / "mee-1").mkdir(parents=True)
    (tmp_path / "rubrics" / "six_point.yaml").write_text(RUBRIC, encoding="utf-8")
    (tmp_path / "rubrics" / "mee-1" / "point_sheet.yaml").write_text(SHEET, encoding="utf-8")
    found = problem(pool)
    assert [one.line for one in found.problems] == [4, 5]
    assert "In column `mee-1`, 6.5 is off the scale of mee-1, 0 to 6." in str(found)
    assert len(scaled(SHORT + "z,2.5,99,139\n")["candidates"]) == 3  # the scale of mpt-1 is not known


def test_an_mbe_score_off_the_mbes_scale_is_warned_of_where_most_are_on_it(scaled):
    (strange,) = [one for one in scaled(SHORT + "x,3,3,1423\n")["warnings"] if "MBE scores lie" in one]
    assert strange == "MBE scores lie between 0 and 200. Check these: x (1423)."
    other_scale = "candidate_id,mee-1,mpt-1,mbe\na,3,3,1390\nb,5,4,1440\n"
    assert not any("MBE scores lie" in one for one in scaled(other_scale)["warnings"])


def test_a_repeated_candidate_lists_all_lines(problem):
    assert "Candidate `123` stands on lines 3, 4 and 5" in str(problem(SHORT + "123,1,1,120\n123,2,2,120\n"))


def test_a_candidate_without_an_id_is_refused(problem):
    assert "pool.csv:4: The column `candidate_id` is empty" in str(problem(SHORT + " ,1,1,120\n"))


@pytest.mark.parametrize("says", ["maybe", "true", "1", "n"])
def test_membership_is_yes_no_or_empty(problem, says):
    pool = f"candidate_id,mee-1,mpt-1,mbe,in_scaling_group\na,3,3,130,yes\nb,4,4,150,{says}\n"
    assert f"pool.csv:3: In column `in_scaling_group`, `{says}` is neither yes nor no" in str(problem(pool))


def test_every_bad_cell_is_listed_at_once(problem):
    found = problem(SHORT + "123,x,y,140\n,3,3,z\n")
    assert isinstance(found, FileProblems)
    assert [each.line for each in found.problems] == [3, 4, 4, 5, 5]


@pytest.mark.parametrize("pool", ["", "candidate_id,mee-1,mpt-1,mbe\n"])
def test_an_empty_file_is_refused(problem, pool):
    assert isinstance(problem(pool), FileProblems)


def test_a_column_cannot_be_two_things(problem):
    assert "`mbe` would be read in two ways" in str(problem(SHORT, "--candidate", "mbe"))


def test_a_pool_in_which_nothing_varies_is_refused(problem):
    found = problem("candidate_id,mee-1,mpt-1,mbe\na,3,3,130\nb,3,3,150\n")
    assert isinstance(found, ScalingProblem)
    assert "do not vary" in str(found)


@pytest.mark.parametrize("reference", ["assumed:140", "assumed:140,0", "assumed:nan,15", "national"])
def test_a_reference_that_cannot_be_used_is_refused(problem, reference):
    assert isinstance(problem(SHORT, "--reference", reference), ScalingProblem)


def test_a_round_without_weighted_items_is_refused(problem):
    only_rules = round_text(("rule-hearsay", "rule_application", None))
    assert isinstance(problem(SHORT, round_yaml=only_rules), GraderAppError)


def test_a_missing_pool_file_is_refused(tmp_path):
    (tmp_path / "round.yaml").write_text(TWO_ITEMS, encoding="utf-8")
    places = [str(tmp_path / "none.csv"), "--round", str(tmp_path / "round.yaml")]
    assert isinstance(CliRunner().invoke(scale, places).exception, FileProblems)


def test_a_reference_that_gives_totals_beyond_any_number_is_refused(problem):
    without_mbe = "candidate_id,mee-1,mpt-1\na,3,3\nb,4,4\nc,6,6\n"
    for pool in (SHORT, without_mbe):
        assert "too large to be a number" in str(problem(pool, "--reference", "assumed:1e308,1e308"))


def test_a_total_that_multiplies_beyond_reason_is_refused(problem):
    rules = TWO_ITEMS + "scaling:\n  total:\n    mbe: 1e300\n    written: 1\n"
    assert "cannot multiply a score by 1e+300" in str(problem(SHORT, round_yaml=rules))


def test_a_seed_below_zero_is_wrong_usage(run):
    assert run(SHORT, "--seed", "-1").exit_code == 2


def test_an_unknown_method_is_wrong_usage(run):
    assert run(SHORT, "--method", "linear").exit_code == 2


def test_the_choices_offered_are_those_that_exist():
    from grader_app.scaling.constants import METHODS
    from grader_app.scaling.rounding import ROUNDINGS

    choices = {option.name: tuple(getattr(option.type, "choices", ())) for option in scale.params}
    assert (choices["method"], choices["rounding"]) == (METHODS, ROUNDINGS)


def test_a_mistake_is_a_sentence_and_exit_1_without_a_traceback(tmp_path):
    from grader_app.cli.main import cli

    (tmp_path / "round.yaml").write_text(TWO_ITEMS, encoding="utf-8")
    (tmp_path / "pool.csv").write_text(SHORT + "x,3,many,140\n", encoding="utf-8")
    result = CliRunner().invoke(cli, ["--workspace", str(tmp_path), "scale", str(tmp_path / "pool.csv")])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "pool.csv:4: In column `mpt-1`, `many` is not a finite number." in result.stderr
    assert "Traceback" not in result.stderr
