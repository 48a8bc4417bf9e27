from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from small_workspace import SmallWorkspace

from grader_app import __version__
from grader_app.cli.main import COMMANDS, cli
from grader_app.cli.plain_number import PlainNumber
from grader_app.cli.what_if import _weight
from grader_app.store.event_log import read_events


def run(*arguments: str | Path, env: dict[str, str] | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments], env=env)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_the_groups_line_for_a_command_is_the_commands_own(name: str) -> None:
    load, line = COMMANDS[name]
    assert load().name == name
    assert load().get_short_help_str(1000) == line


@pytest.mark.parametrize("name", COMMANDS)
def test_every_commands_help_shows_an_example_of_it(name: str) -> None:
    code, out, _ = run(name, "--help")
    assert code == 0
    assert f"Example: grader-app {name}" in " ".join(out.split())


def test_the_groups_help_lists_every_command_without_loading_one() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from grader_app.cli.main import cli; cli(['--help'], standalone_mode=False); "
            "print(sorted(m for m in sys.modules if m.startswith(('grader_app', 'pandas', 'numpy'))))",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    listed = done.stdout.split("Commands:")[1]
    assert [name for name in COMMANDS if f"\n  {name} " not in listed] == []
    loaded = done.stdout.splitlines()[-1]
    assert loaded == "['grader_app', 'grader_app.cli', 'grader_app.cli.main', 'grader_app.cli.options', " + (
        "'grader_app.errors']"
    )


def test_version_and_no_command() -> None:
    assert run("--version")[1] == f"grader-app, version {__version__}\n"
    code, out, err = run()
    assert code == 2
    assert "Commands:" in out + err


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("status", "--nonsense"),
        ("account", "add"),
        ("account", "add", "kim"),
        ("account", "add", "kim", "--role", "custodian"),
        ("account", "nonsense"),
        ("init",),
        ("backup",),
        ("restore", "only-one"),
        ("serve", "--port", "99999"),
    ],
)
def test_wrong_usage_is_two_and_says_how(arguments: tuple[str, ...], tmp_path: Path) -> None:
    code, out, err = run("--workspace", tmp_path, *arguments)
    assert code == 2
    assert out == ""
    assert "Usage:" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("status",),
        ("assign",),
        ("serve",),
        ("account", "list"),
        ("account", "add", "kim", "--role", "lead"),
        ("account", "disable", "kim"),
        ("backup", "b.zip"),
    ],
)
def test_a_folder_without_a_workspace_is_one_sentence_on_standard_error(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    code, out, err = run("--workspace", tmp_path, *arguments)
    assert (code, out) == (1, "")
    assert "there is no workbench database here" in err
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_no_traceback_reaches_a_person_from_a_process_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "workbench.db").write_text("words")
    done = subprocess.run(
        [sys.executable, "-m", "grader_app", "status", "--workspace", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "not a sound SQLite database" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_in_the_way_is_a_sentence_too(small: SmallWorkspace, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    code, out, err = run("backup", tmp_path / "file" / "b.zip", "--workspace", small.path)
    assert (code, out) == (1, "")
    assert str(tmp_path / "file") in err
    assert "Check the name" in err


def test_the_workspace_is_named_before_or_after_the_command_or_by_the_environment(
    small: SmallWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = json.loads(run("account", "list", "--json", "--workspace", small.path)[1])
    assert [account["name"] for account in expected["accounts"]] == ["grader-1", "grader-2"]
    asked = ("account", "list", "--json")
    assert json.loads(run("--workspace", small.path, *asked)[1]) == expected
    assert json.loads(run(*asked, env={"GRADER_APP_WORKSPACE": str(small.path)})[1]) == expected
    monkeypatch.chdir(small.path)
    assert json.loads(run(*asked)[1]) == expected
    # What is named on the command line wins over the environment, before and after the command.
    wrong = {"GRADER_APP_WORKSPACE": str(tmp_path)}
    assert json.loads(run("--workspace", small.path, *asked, env=wrong)[1]) == expected
    assert json.loads(run(*asked, "--workspace", small.path, env=wrong)[1]) == expected
    assert json.loads(run("--workspace", tmp_path, *asked, "--workspace", small.path)[1]) == expected


def test_acts_are_recorded_under_the_name_given_before_or_after_the_command(small: SmallWorkspace) -> None:
    def actor_of_last() -> str:
        last = list(read_events(small.bench.store))[-1]
        return str(small.bench.store.rows("SELECT name FROM actor WHERE id = ?", (last.actor,))[0]["name"])

    place = ("--workspace", small.path)
    run("--as", "Dr. Who", *place, "account", "disable", "grader-1")
    assert actor_of_last() == "Dr. Who"
    run(*place, "account", "reset", "grader-2", "--as", "The Custodian")
    assert actor_of_last() == "The Custodian"
    run(*place, "account", "add", "kim", "--role", "lead")
    assert actor_of_last().startswith("cli:")


def test_reading_commands_record_nothing(small: SmallWorkspace) -> None:
    before = small.counts()
    for command in (("status",), ("account", "list")):
        assert run("--workspace", small.path, *command)[0] == 0
    assert small.counts() == before


@pytest.mark.parametrize("typed", ["1_0", "nan", "inf", "1e400", "\uff11\uff10", "", "2,5"])
def test_a_number_in_no_plain_notation_is_refused_by_every_option_that_takes_one(typed: str) -> None:
    options = [option for load, _ in COMMANDS.values() for option in load().params]
    numbers = [option for option in options if isinstance(option.type, PlainNumber)]
    assert len(numbers) >= 8
    for option in numbers:
        with pytest.raises(click.BadParameter, match="is not a number"):
            option.type.convert(typed, option, None)
    assert [option.name for option in options if option.type is click.FLOAT] == []


def test_a_weight_in_no_plain_notation_is_refused() -> None:
    with pytest.raises(click.UsageError, match="write ITEM=W"):
        _weight("mee-barge=1_0")
    assert _weight("mee=barge = 2.5") == ("mee=barge", 2.5)
