from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader_app.agreement.operating_characteristic import operating_characteristic
from grader_app.cli.main import cli
from grader_app.domain.score_range import ScoreRange

RUBRIC = """\
format: rubric/1
id: six-point
version: "1"
title: Six-point scale
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


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    (tmp_path / "rubrics").mkdir()
    path = tmp_path / "rubrics" / "six.yaml"
    path.write_text(RUBRIC, encoding="utf-8")
    return path


def test_check_says_how_many_files_hold(rubric: Path) -> None:
    result = CliRunner().invoke(cli, ["check", str(rubric)])
    assert (result.exit_code, result.stdout) == (0, "1 file, no problems.\n")


def test_check_takes_the_workspace_when_no_path_is_given(rubric: Path) -> None:
    place = str(rubric.parents[1])
    for arguments in (["--workspace", place, "check"], ["check", "--workspace", place]):
        assert CliRunner().invoke(cli, arguments).stdout.startswith("1 file, no problems.\n")


def test_check_of_a_workspace_not_begun_says_what_to_write(rubric: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for place, files in ((rubric.parents[1], "1 file"), (empty, "0 files")):
        result = CliRunner().invoke(cli, ["check", str(place)])
        said, what_to_do = result.stdout.splitlines()
        assert (result.exit_code, said) == (0, f"{files}, no problems.")
        assert what_to_do.startswith("There is no round and no question to check yet. Write round.yaml")
    only_rubrics = CliRunner().invoke(cli, ["check", str(rubric.parent)])
    assert only_rubrics.stdout == "1 file, no problems.\n"


def test_check_prints_path_line_what_and_what_to_do(rubric: Path) -> None:
    rubric.write_text(RUBRIC.replace("title:", "titel:").replace("step: 1", "step: 4"), encoding="utf-8")
    result = CliRunner().invoke(cli, ["check", str(rubric)])
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"{rubric}:4: Unknown key `titel`. Did you mean `title`?",
        f"{rubric}:8: From 0 to 6 is not a whole number of steps of 4. Change `step`, `lowest` or `highest`.",
    ]
    assert "Traceback" not in result.output


def test_check_gives_json_alone_on_standard_output(rubric: Path) -> None:
    rubric.write_text(RUBRIC.replace("step: 1", "step: 4"), encoding="utf-8")
    result = CliRunner().invoke(cli, ["check", "--json", str(rubric), str(rubric.parent / "none.md")])
    assert result.exit_code == 1
    read = json.loads(result.stdout)
    assert read["files"] == 1
    assert [(Path(each["path"]).name, each["line"]) for each in read["problems"]] == [
        ("none.md", None),
        ("six.yaml", 8),
    ]


SHEET = """\
format: point_sheet/1
id: mee-barge
version: "1"
item: mee-barge
kind: essay
rubric: six-point
rubric_version: "1"
title: The borrowed barge
"""
SET = """\
format: calibration_set/1
id: mee-barge-a
version: "1"
title: First set
item: mee-barge
point_sheet_version: "1"
purpose: qualify
reference: given
origin: constructed
gates:
  severity_within: 0.25
"""
SCORES = (1, 2, 2, 3, 3, 3, 4, 4, 5, 6)


@pytest.fixture
def calibration_set(rubric: Path) -> Path:
    item = rubric.parent / "mee-barge"
    item.mkdir()
    (item / "point_sheet.yaml").write_text(SHEET, encoding="utf-8")
    (item / "prompt.md").write_text("Discuss.", encoding="utf-8")
    folder = rubric.parents[1] / "calibration_sets" / "mee-barge-a"
    (folder / "essays").mkdir(parents=True)
    (folder / "calibration_set.yaml").write_text(SET, encoding="utf-8")
    rows = "".join(f"E{at},{score},no\n" for at, score in enumerate(SCORES))
    (folder / "reference_scores.csv").write_text(f"essay,score,anchor\n{rows}A1,6,yes\n", encoding="utf-8")
    for name in (*(f"E{at}" for at in range(len(SCORES))), "A1"):
        (folder / "essays" / f"{name}.md").write_text(f"{name} says that care was owed.", encoding="utf-8")
    return folder


EXPECTED = operating_characteristic(
    SCORES,
    ScoreRange(0, 6, 1),
    rank_order_at_least=0.85,
    exact_or_adjacent_at_least=0.9,
    quadratic_weighted_kappa_at_least=0.7,
    severity_within=0.25,
)


def test_check_says_what_the_gate_of_a_set_can_tell(calibration_set: Path) -> None:
    workspace = calibration_set.parents[1]
    result = CliRunner().invoke(cli, ["check", str(workspace), str(calibration_set)])
    assert result.exit_code == 0
    first, blank, head, *rows, verdict, better = result.stdout.splitlines()
    assert (first, blank) == ("16 files, no problems.", "")
    assert head == "mee-barge-a: chance to pass the gates at one attempt, 10 papers"
    assert [row.split("  ")[1] for row in rows] == [
        "right on average, scatter 0.5 points",
        "right on average, scatter 0.7 points",
        "right on average, scatter 0.9 points",
        "right on average, scatter 1.2 points",
        "scores 0.25 points too low, scatter 0.7",
        "scores 0.25 points too high, scatter 0.7",
        "scores 0.5 points too low, scatter 0.7",
        "scores 0.5 points too high, scatter 0.7",
        "scores 0.75 points too low, scatter 0.7",
        "scores 0.75 points too high, scatter 0.7",
        "goes up 0.6 where the reference goes up 1, scatter 0.7",
    ]
    shown = [int(row.removesuffix(" %").rsplit(" ", 1)[1]) for row in rows]
    assert shown == [pytest.approx(100 * chance.passes, abs=0.5) for chance in EXPECTED.chances]
    assert verdict == f"  {EXPECTED.verdict.says}"
    assert better == (
        "  No gates keep all three limits with these 10 papers, since they are too few. The limits: a good "
        "grader fails in at most 10 % of cases; one who scores 0.75 points too low or too high passes in at "
        "most 10 %; one whose scores scatter by 1.2 points passes in at most 10 %. What a pass shows is as "
        "above, no more."
    )


def test_check_gives_the_same_chances_in_json(calibration_set: Path) -> None:
    result = CliRunner().invoke(cli, ["check", "--json", str(calibration_set)])
    [read] = json.loads(result.stdout)["operating_characteristics"]
    assert read == {"set": "mee-barge-a", "version": "1", **json.loads(json.dumps(EXPECTED.as_dict()))}


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("reference_scores.csv", "E9,6,no", "E9,7,no"),
        ("calibration_set.yaml", "qualify", "validity"),
        ("../../rubrics/mee-barge/point_sheet.yaml", 'version: "1"\nitem', 'version: "2"\nitem'),
    ],
)
def test_check_is_silent_on_sets_with_a_problem_or_without_a_gate(
    calibration_set: Path, file: str, old: str, new: str
) -> None:
    said = (calibration_set / "calibration_set.yaml").read_text(encoding="utf-8")
    if new == "validity":
        (calibration_set / "calibration_set.yaml").write_text(said.split("gates")[0], encoding="utf-8")
    path = calibration_set / file
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    result = CliRunner().invoke(cli, ["check", str(calibration_set.parents[1])])
    assert result.exit_code == (0 if new == "validity" else 1)
    assert "chance" not in result.stdout


@pytest.mark.parametrize("name", ["rubric", "point_sheet", "calibration_set", "round"])
def test_schema_prints_a_json_schema(name: str) -> None:
    result = CliRunner().invoke(cli, ["schema", name])
    assert result.exit_code == 0
    read = json.loads(result.stdout)
    assert read["properties"]["format"]["const"] == f"{name}/1"
    assert read["additionalProperties"] is False


def test_schema_of_an_unknown_name_is_wrong_usage_with_the_nearest() -> None:
    result = CliRunner().invoke(cli, ["schema", "point-sheet"])
    assert result.exit_code == 2
    assert "Did you mean `point_sheet`?" in result.stderr


@pytest.mark.parametrize("command", ["check", "schema"])
def test_help_shows_an_example(command: str) -> None:
    assert f"Example: grader-app {command}" in CliRunner().invoke(cli, [command, "--help"]).stdout
