"""The documentation is held to the program: commands, keys, columns, files and errors."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader_app import errors
from grader_app.blinding.blinding_check import GUESSES_COLUMNS as REVEALED_COLUMNS
from grader_app.blinding.blinding_check import JSON_FILE, PAGE_FILE
from grader_app.cli.main import COMMANDS, cli
from grader_app.domain.calibration_set import CalibrationSet, Gates
from grader_app.domain.item import Item
from grader_app.domain.model import DomainModel
from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.round import Round
from grader_app.domain.rubric import Rubric
from grader_app.export import tables
from grader_app.export.adjudications_table import ADJUDICATIONS_COLUMNS
from grader_app.export.apprentices_table import APPRENTICES_COLUMNS
from grader_app.export.blind_tables import AUTHOR_FLAGS_COLUMNS, GUESSES_COLUMNS
from grader_app.export.calibration_table import CALIBRATION_COLUMNS
from grader_app.export.highlights_table import HIGHLIGHTS_COLUMNS
from grader_app.export.referrals_table import REFERRALS_COLUMNS
from grader_app.export.registry import EXPORTERS
from grader_app.files.check import check
from grader_app.files.reference_scores import COLUMNS

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
RUBRICS_README = (ROOT / "rubrics" / "README.md").read_text(encoding="utf-8")
SETS_README = (ROOT / "calibration_sets" / "README.md").read_text(encoding="utf-8")
EXPORTS_README = (ROOT / "exports" / "README.md").read_text(encoding="utf-8")


def keys_of(model: type[DomainModel]) -> set[str]:
    """Every key a file of this model may hold, at any depth."""
    found: set[str] = set()
    schema = model.model_json_schema()
    for part in [schema, *schema.get("$defs", {}).values()]:
        found |= set(part.get("properties", {}))
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_stands_in_the_readme(command):
    assert re.search(rf"`{command}`", README), f"README.md does not name `{command}`"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_list_of_commands_says_what_each_command_says_of_itself(command):
    loaded = COMMANDS[command][0]()
    assert loaded.name == command
    assert (loaded.help or "").strip(), f"`{command}` has no help"


def test_help_lists_every_command_without_loading_it():
    listed = CliRunner().invoke(cli, ["--help"]).output
    assert [name for name in COMMANDS if not re.search(rf"^  {name}\s", listed, re.M)] == []


@pytest.mark.parametrize("model", [Rubric, PointSheet])
def test_every_key_of_rubrics_and_point_sheets_stands_in_their_guide(model):
    missing = [key for key in sorted(keys_of(model)) if f"`{key}`" not in RUBRICS_README]
    assert missing == [], f"rubrics/README.md does not explain {missing}"


def test_every_key_of_the_round_stands_in_the_guide():
    missing = [key for key in sorted(keys_of(Round)) if f"`{key}`" not in RUBRICS_README]
    assert missing == [], f"rubrics/README.md does not explain {missing}"


def test_every_key_of_a_calibration_set_stands_in_its_guide():
    missing = [key for key in sorted(keys_of(CalibrationSet)) if f"| `{key}` |" not in SETS_README]
    assert missing == [], f"calibration_sets/README.md does not explain {missing}"


def test_every_column_of_reference_scores_stands_in_the_guide():
    missing = [column for column in COLUMNS if f"| `{column}` |" not in SETS_README]
    assert missing == [], f"calibration_sets/README.md does not explain {missing}"


def test_the_guide_gives_the_numbers_of_a_gate_that_is_left_out():
    rows = dict(re.findall(r"^\| `(\w+)` \| .* \| `([0-9.]+)` \|$", SETS_README, re.M))
    assert {key: float(rows[key]) for key in Gates.model_fields} == Gates().model_dump()
    panel = {"reference": "panel", "purpose": "qualify", "origin": "panel"}
    named = {"format": "calibration_set/1", "id": "a", "version": "1", "title": "A", "item": "a"}
    made = CalibrationSet.model_validate({**named, **panel, "point_sheet_version": "1"})
    assert (made.papers, made.judged_papers, made.attempts) == (30, 15, 2)
    for key, number in (("papers", 30), ("judged_papers", 15), ("attempts", 2)):
        assert f"| `{key}` | May be left out: {number}." in SETS_README


def test_items_are_made_of_documented_files():
    files = {"sheet": "point_sheet.yaml"} | {
        name: f"{name}.md" for name in ("prompt", "guidelines", "file", "library")
    }
    assert set(Item.model_fields) == set(files)
    assert [name for name in files.values() if f"`{name}`" not in RUBRICS_README] == []


@pytest.mark.parametrize("columns", ["SCORES_COLUMNS", "SCALED_COLUMNS", "GRADES_COLUMNS"])
def test_every_exported_column_is_explained(columns):
    missing = [c.name for c in getattr(tables, columns) if f"`{c.name}`" not in EXPORTS_README]
    assert missing == [], f"exports/README.md does not explain {missing}"


def test_every_column_of_the_table_of_calibration_is_explained():
    missing = [c.name for c in CALIBRATION_COLUMNS if f"`{c.name}`" not in EXPORTS_README]
    assert missing == [], f"exports/README.md does not explain {missing}"


def test_every_column_of_the_table_of_highlights_is_explained():
    missing = [c.name for c in HIGHLIGHTS_COLUMNS if f"`{c.name}`" not in EXPORTS_README]
    assert missing == [], f"exports/README.md does not explain {missing}"


@pytest.mark.parametrize("columns", [GUESSES_COLUMNS, AUTHOR_FLAGS_COLUMNS])
def test_every_column_of_what_graders_said_of_the_blind_is_explained(columns):
    assert [c.name for c in columns if f"`{c.name}`" not in EXPORTS_README] == []


def test_every_file_and_column_of_the_blinding_check_is_explained():
    named = [*REVEALED_COLUMNS, PAGE_FILE, JSON_FILE]
    assert [name for name in named if f"`{name}`" not in EXPORTS_README] == []


def test_every_column_of_the_table_of_apprentices_is_explained():
    missing = [c.name for c in APPRENTICES_COLUMNS if f"`{c.name}`" not in EXPORTS_README]
    assert missing == [], f"exports/README.md does not explain {missing}"


def test_every_column_of_the_table_of_adjudications_is_explained():
    missing = [c.name for c in ADJUDICATIONS_COLUMNS if f"`{c.name}`" not in EXPORTS_README]
    assert missing == [], f"exports/README.md does not explain {missing}"


def test_every_column_of_the_table_of_referrals_is_explained():
    missing = [c.name for c in REFERRALS_COLUMNS if f"`{c.name}`" not in EXPORTS_README]
    assert missing == [], f"exports/README.md does not explain {missing}"


def test_every_exported_file_is_explained():
    names = {exporter.file for exporter in EXPORTERS} | {"manifest.json"}
    assert len(names) > 5
    listed = re.findall(r"^\| \[`([^`]+)`\]\(#", EXPORTS_README, re.M)
    assert sorted(listed) == sorted(names)
    assert [name for name in sorted(names) if not re.search(rf"^## .*`{name}`", EXPORTS_README, re.M)] == []


def test_every_deliberate_error_stands_in_the_drawn_tree_once():
    drawn = re.findall(r"[├└]── (\w+)", errors.__doc__ or "")
    defined = [
        name
        for name, found in inspect.getmembers(errors, inspect.isclass)
        if issubclass(found, errors.GraderAppError) and found is not errors.GraderAppError
    ]
    assert sorted(drawn) == sorted(defined)


def test_errors_are_defined_in_one_place():
    stray = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "grader_app").rglob("*.py")
        if path.name != "errors.py"
        and re.search(
            r"^class \w+\((GraderAppError|NotAllowed|StoreProblem)\)", path.read_text("utf-8"), re.M
        )
    ]
    assert stray == []


def test_the_whole_example_of_a_round_has_no_problems(tmp_path):
    whole = RUBRICS_README[RUBRICS_README.index("## A whole example") :]
    written = dict(re.findall(r"`([\w/.-]+)`[^\n]*:\n\n```\w+\n(.*?)```", whole, re.S))
    assert sorted(written) == [
        "round.yaml",
        "rubrics/mee-fence/point_sheet.yaml",
        "rubrics/mee-fence/prompt.md",
    ]
    workspace = tmp_path / "july"
    assert CliRunner().invoke(cli, ["init", str(workspace)]).exit_code == 0
    for name, text in written.items():
        (workspace / name).parent.mkdir(exist_ok=True)
        (workspace / name).write_text(text, encoding="utf-8")
    result = CliRunner().invoke(cli, ["check", "--workspace", str(workspace)])
    assert (result.exit_code, result.stdout) == (0, "5 files, no problems.\n")


def test_the_shipped_files_have_no_problems():
    problems = check(
        [ROOT / "rubrics", ROOT / "calibration_sets", ROOT / "grader_app" / "sample" / "round.yaml"]
    )
    assert [str(problem) for problem in problems] == []


def test_nothing_that_is_committed_names_a_package_index():
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert "http" not in pinned
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line) for line in pinned.split())
