"""Every command that the documentation prints can be typed as it stands."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from grader_app.cli.main import COMMANDS, cli

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    "README.md",
    "rubrics/README.md",
    "calibration_sets/README.md",
    "exports/README.md",
    "grader_app/scaling/error_bars.md",
    "grader_app/scaling/percentiles.md",
)
README = (ROOT / "README.md").read_text(encoding="utf-8")


def printed(page):
    """Give every line of a block, and every piece of code in running text, that begins with the program."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```(?:sh|text)\n(.*?)^```", text, re.M | re.S)
    lines = [line for block in blocks for line in block.splitlines()]
    inline = re.findall(r"`(grader-app [^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    return [found for found in [*lines, *inline] if found.startswith("grader-app ")]


def problem_of(line):
    """Say what of a printed command does not exist; nothing if all of it does."""
    words = shlex.split(line.replace("\n", " "), comments=True)[1:]
    known = {"--help", "--version", "--workspace", "--as"}
    if words[0] not in COMMANDS:
        return f"no command {words[0]}"
    command = COMMANDS[words.pop(0)][0]()
    if isinstance(command, click.Group) and words:
        if words[0] not in command.commands:
            return f"no command {words[0]}"
        command = command.commands[words[0]]
    known |= {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
    strange = [word for word in words if word.startswith("--") and word.split("=")[0] not in known]
    return f"no option {strange}" if strange else ""


@pytest.mark.parametrize("page", PAGES)
def test_every_printed_command_and_option_exists(page):
    commands = printed(page)
    assert commands, f"{page} prints no command"
    assert {line: said for line in commands if (said := problem_of(line))} == {}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_stands_once_in_the_table_of_commands(command):
    table = README[README.index("\n## Commands") : README.index("\nExit codes:")]
    rows = re.findall(rf"^\| [^|]*`{command}`", table, re.M)
    assert len(rows) == 1, f"the table lists `{command}` {len(rows)} times"


@pytest.mark.parametrize("page", ["README.md", "grader_app/scaling/error_bars.md"])
def test_the_commands_on_the_sample_pool_run_as_printed(page, monkeypatch):
    text = (ROOT / page).read_text(encoding="utf-8")
    block = next(
        found
        for found in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
        if "cd grader_app/sample" in found
    )
    folder, *commands = block.splitlines()
    monkeypatch.chdir(ROOT / folder.removeprefix("cd "))
    assert len(commands) >= 1
    for line in commands:
        result = CliRunner().invoke(cli, shlex.split(line)[1:])
        assert (result.exit_code, result.stderr) == (0, ""), line


def test_the_example_in_python_prints_a_sentence(sample_workspace, tmp_path, monkeypatch):
    (tmp_path / "demo-round").symlink_to(sample_workspace)
    monkeypatch.chdir(tmp_path)
    code = re.search(r"^```python\n(.*?)^```", README, re.M | re.S).group(1)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "README.md", "exec"), {})
    assert out.getvalue().startswith("Krippendorff's alpha (ordinal) is 0.")
