from __future__ import annotations

import json
from collections.abc import Callable

from click.testing import CliRunner
from small_workspace import SmallWorkspace, write_item

from grader_app.cli.main import cli


def run(small: SmallWorkspace, *arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, ["assign", "--workspace", str(small.path), *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout, result.stderr


def test_assign_says_what_was_dealt_to_whom_and_that_texts_were_not_checked(
    make: Callable[..., SmallWorkspace],
) -> None:
    small = make(answers=4, dealt=False, reading="reads: 2")
    assert run(small) == (
        0,
        "mee-barge: 4 answers dealt, 4 of them to a second reader.\n  grader-1: 4\n  grader-2: 4\n"
        "The texts were not checked for names or other signs of who wrote them.\n",
        "",
    )
    assert run(small)[1].startswith("Nothing to deal")


def test_assign_says_what_apprentices_read_beside_the_others(make: Callable[..., SmallWorkspace]) -> None:
    small = make(answers=4, dealt=False)
    make_account = [
        "account",
        "add",
        "Kim",
        "--role",
        "grader",
        "--apprentice",
        "--workspace",
        str(small.path),
    ]
    assert CliRunner().invoke(cli, [*make_account, "--workspace", str(small.path)]).exit_code == 0
    said = run(small)[1]
    assert "Kim, an apprentice: 2 beside the others, which never count.\n" in said
    assert "Kim" not in run(small)[1]
    assert json.loads(run(small, "--json")[1])["beside_others"] == {}


def test_assign_gives_json_alone(make: Callable[..., SmallWorkspace]) -> None:
    small = make(answers=4, dealt=False)
    dealt = json.loads(run(small, "--json", "--item", "mee-barge")[1])
    assert dealt["texts_checked_for_identity"] is False
    assert dealt["dealt"] == [
        {"item": "mee-barge", "answers": 4, "second_reads": 0, "by_grader": {"grader-1": 2, "grader-2": 2}}
    ]
    assert json.loads(run(small, "--json")[1])["dealt"] == []


def test_assign_registers_the_files_first_and_stops_at_a_silent_change(
    make: Callable[..., SmallWorkspace],
) -> None:
    small = make(dealt=False)
    path = small.path / "rubrics" / "six_point.yaml"
    path.write_text(path.read_text().replace("Sees every issue.", "Sees most."), encoding="utf-8")
    code, out, err = run(small)
    assert (code, out) == (1, "")
    assert err.startswith(f"{path}: Content of rubric six-point changed")
    assert small.counts()["assignment"] == 0


def test_an_item_that_is_not_in_the_round_is_a_sentence(small: SmallWorkspace) -> None:
    code, out, err = run(small, "--item", "mee-crane")
    assert (code, out) == (1, "")
    assert "Its items are mee-barge, rule-ferry" in err


def test_assign_says_which_files_it_read_in(make: Callable[..., SmallWorkspace]) -> None:
    small = make(dealt=False)
    write_item(small.path, "mee-barge", version=2)
    lines = run(small)[1].splitlines()
    assert lines[0] == "Read in: item mee-barge, version 2."
    assert not any(line.startswith("Read in") for line in lines[1:])
    write_item(small.path, "mee-barge", version=3)
    assert json.loads(run(small, "--json")[1])["read_in"] == ["item mee-barge, version 3"]
