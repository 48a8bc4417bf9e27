"""The command `percentile`: its JSON, its table, distributions from files, and one test a kind of mistake."""

import json

import pytest
from click.testing import CliRunner

from grader_app.cli.main import cli

TABLE = "lower,upper,count\n130,135,10\n135,140,20\n140,145,10\n"


def run(*options):
    return CliRunner().invoke(cli, ["percentile", *map(str, options)])


def as_json(*options):
    result = run(*options, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture
def from_file(tmp_path):
    def run_on(text, *options, score=137.5):
        path = tmp_path / "july.csv"
        path.write_text(text, encoding="utf-8")
        return ("--score", score, "--component", "mbe", "--distribution", path, *options)

    return run_on


@pytest.mark.parametrize(
    ("score", "component", "group", "percent"),
    [
        (298, "ube", "first-timers", 62.7),
        (298, "ube", "qualified", 47.4),
        (158, "mbe", "first-timers", 78.9),
        (140, "written", "qualified", 15.3),
        (140.3, "mbe", "july-2022-all", 50.0),
        (298, "ube", "illinois-july-2018", 68.0),
    ],
)
def test_shipped_groups_by_name(score, component, group, percent):
    found = as_json("--score", score, "--component", component, "--group", group)
    assert found["percentile"] == pytest.approx(percent, abs=0.05)
    assert (found["status"], found["group"], found["low"], found["high"]) == ("ok", group, None, None)
    assert len(found["assumptions"]) > 1


def test_first_timers_are_the_default_group():
    assert as_json("--score", 158, "--component", "mbe")["group"] == "first-timers"


def test_a_score_below_the_floor_is_outside_the_group_and_no_error():
    found = as_json("--score", 131, "--component", "written", "--group", "qualified", "--sem", 5)
    assert (found["percentile"], found["low"], found["high"]) == (None, None, None)
    assert found["status"] == "outside_group"
    assert "Nobody in this group has a score under 135" in found["says"]


def test_a_standard_error_gives_an_interval_of_95_percent():
    found = as_json("--score", 140, "--component", "mbe", "--mean", 140, "--sd", 10, "--sem", 5)
    assert (found["low"], found["high"]) == (pytest.approx(16.355, abs=1e-3), pytest.approx(83.645, abs=1e-3))
    assert (found["percentile"], found["confidence"], found["group"]) == (50, 0.95, "own")


def test_a_curve_of_ones_own_with_a_cut():
    own = ("--component", "ube", "--mean", 287.6, "--sd", 32.02, "--cut", 270)
    assert as_json("--score", 298, *own)["percentile"] == pytest.approx(47.4, abs=0.05)
    assert as_json("--score", 269, *own)["status"] == "outside_group"


def test_the_switches_reach_the_figures():
    written = ("--score", 140, "--component", "written", "--group", "qualified")
    total = as_json(*written, "--condition", "total", "--correlation", "0.9")
    assert total["percentile"] == pytest.approx(16.4, abs=0.05)
    within = as_json("--score", 158, "--component", "mbe", "--sd-from", "within-group")
    assert within["percentile"] == pytest.approx(80.8, abs=0.05)


def test_the_table_shows_percentile_interval_other_sds_and_what_it_assumes():
    lines = run("--score", 158, "--component", "mbe", "--group", "qualified", "--sem", 4).stdout.splitlines()
    assert lines[0] == "MBE score 158 among: simulated passers, July 2022"
    assert lines[2] == "percentile            69.4 (percent of the group below)"
    assert lines[3] == "95 % interval         47.9 to 84.6"
    assert lines[4] == "SDs that fit as well  68.0 to 70.6"
    assert lines[5] == "SD 16.32              72.8 (--sd-from within-group)"
    assert lines[6].startswith("assumes               95 % interval")
    assert max(map(len, lines)) <= 100


def test_the_table_says_why_there_is_no_number():
    shown = run("--score", 131, "--component", "written", "--group", "qualified").stdout
    assert "percentile            none. Nobody in this group has a score under 135" in shown
    assert "interval" not in shown


def test_hardly_anybody_is_never_shown_as_nobody_nor_nearly_all_as_all():
    assert "under 0.1" in run("--score", 80, "--component", "mbe").stdout
    assert "over 99.9" in run("--score", 199, "--component", "mbe").stdout


def test_a_distribution_is_interpolated_and_its_mean_and_sd_are_given(from_file):
    found = as_json(*from_file(TABLE))
    assert found["percentile"] == 50
    assert (found["mean"], found["sd"]) == (137.5, pytest.approx(12.5**0.5))
    assert found["group"] == "july.csv"
    assert "Scores between 135 and 140 are taken as spread evenly." in found["assumptions"]
    corrected = as_json(*from_file(TABLE, "--sheppard"))
    assert corrected["sd"] == pytest.approx((12.5 - 25 / 12) ** 0.5)


def test_percents_in_any_order_with_semicolons_and_other_columns(from_file):
    text = "percent;upper;lower;note\n25;145;140;x\n25;135;130;y\n50;140;135;z\n"
    found = as_json(*from_file(text))
    assert found["percentile"] == 50
    assert "Columns not used: note." in found["assumptions"]


def test_bins_written_apart_are_widened_and_it_is_said(from_file):
    found = as_json(*from_file("lower,upper,count\n130,134,10\n135,139,30\n", score=134.5))
    assert found["percentile"] == 25
    assert any("Each was widened" in says for says in found["assumptions"])


def test_single_scores_have_ties(from_file):
    text = "lower,upper,count\n3,3,20\n4,4,30\n5,5,50\n"
    assert as_json(*from_file(text, score=4))["percentile"] == 20
    assert as_json(*from_file(text, "--rank", "mid", score=4))["percentile"] == 35


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "july.csv: The file is empty."),
        ("lower,upper,count\n", "july.csv: There is no bin in it."),
        ("lower,count\n1,2\n", "july.csv:1: There is no column `upper`; found `lower`, `count`."),
        ("lower,upper\n1,2\n", "july.csv:1: There is no column `count` or `percent`"),
        ("lower,uper,counts\n1,2,3\n", "Should `uper` be it?"),
        ("lower,upper,count\n1,2,x\n", "july.csv:2: In column `count`, `x` is not a finite number."),
        ("lower,upper,count\n1,2,nan\n", "july.csv:2: In column `count`, `nan` is not a finite number."),
        ("lower,upper,count\n1,,3\n2,3,4\n", "july.csv:2: The column `upper` is empty."),
        ("lower,upper,count\n1,2,1e300\n", "july.csv:2: In column `count`, 1e+300 is too large"),
        ("lower,upper,count\n5,2,3\n", "july.csv:2: The bin runs from 5 down to 2."),
        ("lower,upper,count\n1,2,-3\n", "july.csv:2: In column `count`, -3 is below 0."),
        ("lower,upper,count\n1,5,3\n4,8,3\n", "july.csv:3: The bin 4 to 8 overlaps 1 to 5 on line 2."),
        ("lower,upper,count\n1,5,3\n1,5,3\n", "july.csv:3: The bin 1 to 5 overlaps 1 to 5 on line 2."),
        ("lower,upper,count\n1,2,0\n2,3,0\n", "july.csv: Every bin is empty."),
        ("lower,upper,percent\n1,2,30\n2,3,40\n", "july.csv: The percents add up to 70."),
        ("lower,upper,count\n1,2\n", "july.csv:2: The row has 2 cells; the header has 3."),
        ('lower,upper,count\n"1,5",2,3\n', "july.csv:2: In column `lower`, `1,5` uses a decimal comma."),
    ],
)
def test_a_bad_file_is_refused_with_a_sentence_and_its_line(from_file, text, says):
    result = run(*from_file(text))
    assert result.exit_code == 1
    assert says in result.stderr
    assert result.stdout == ""


def test_everything_wrong_in_a_file_is_said_at_once(from_file):
    result = run(*from_file("lower,upper,count\n1,x,3\n5,2,3\n6,7,\n"))
    assert [line.split(":")[1] for line in result.stderr.splitlines()] == ["2", "3", "4"]


def test_a_missing_file_is_a_sentence(tmp_path):
    result = run("--score", 1, "--component", "mbe", "--distribution", tmp_path / "none.csv")
    assert result.exit_code == 1
    assert "none.csv" in result.stderr


@pytest.mark.parametrize(
    "options",
    [
        ("--score", 298, "--component", "mbe"),
        ("--score", 140, "--component", "mbe", "--mean", 140, "--sd", 0),
        ("--score", 140, "--component", "mbe", "--sem", 0),
        ("--score", 140, "--component", "mbe", "--group", "nobody"),
        ("--score", 280, "--component", "ube", "--group", "july-2022-all"),
        ("--score", 140, "--component", "mbe", "--group", "qualified", "--correlation", 0.5),
    ],
)
def test_a_mistake_in_the_numbers_is_one_sentence_and_exit_1(options):
    result = run(*options)
    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "options",
    [
        ("--component", "mbe"),
        ("--score", "nan", "--component", "mbe"),
        ("--score", "inf", "--component", "mbe", "--mean", 140, "--sd", 10),
        ("--score", 140),
        ("--score", "high", "--component", "mbe"),
        ("--score", 140, "--component", "mpt"),
        ("--score", 140, "--component", "mbe", "--rank", "above"),
        ("--score", 140, "--component", "mbe", "--mean", 140),
        ("--score", 140, "--component", "mbe", "--cut", 135),
        ("--score", 140, "--component", "mbe", "--mean", 140, "--sd", 10, "--group", "qualified"),
        ("--score", 140, "--component", "mbe", "--mean", 140, "--sd", 10, "--distribution", "x.csv"),
        ("--score", 140, "--component", "mbe", "--group", "qualified", "--distribution", "x.csv"),
        ("--score", 140, "--component", "mbe", "--sheppard"),
        ("--score", 140, "--component", "mbe", "--mean", 140, "--sd", 10, "--condition", "total"),
    ],
)
def test_wrong_usage_is_exit_2(options):
    result = run(*options)
    assert result.exit_code == 2
    assert "Usage: " in result.stderr
