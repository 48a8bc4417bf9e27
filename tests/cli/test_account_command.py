from __future__ import annotations

import json

from click.testing import CliRunner
from small_workspace import SmallWorkspace

from grader_app.cli.main import cli
from grader_app.workflow.accounts import check_password, find_account, signed_in, start_session


def run(small: SmallWorkspace, *arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, ["--workspace", str(small.path), "account", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout, result.stderr


def test_add_prints_a_one_time_password_that_signs_in(small: SmallWorkspace) -> None:
    code, out, _ = run(small, "add", "Kim Lee", "--role", "lead")
    assert code == 0
    password = out.splitlines()[1].strip()
    account = check_password(small.bench, "Kim Lee", password)
    assert signed_in(small.bench, start_session(small.bench, account)).must_change_password


def test_add_gives_json_alone(small: SmallWorkspace) -> None:
    made = json.loads(run(small, "add", "Kim", "--role", "grader", "--json")[1])
    assert (made["name"], made["role"]) == ("Kim", "grader")
    assert check_password(small.bench, "Kim", made["one_time_password"])


def test_list_says_role_disabled_and_simulated(small: SmallWorkspace) -> None:
    run(small, "disable", "grader-2")
    listed = json.loads(run(small, "list", "--json")[1])
    first, second = (grader.account_id for grader in small.graders)
    rest = {"role": "grader", "simulated": False, "apprentice": False}
    assert listed == {
        "accounts": [
            {"name": "grader-1", "id": first, "disabled": False, **rest},
            {"name": "grader-2", "id": second, "disabled": True, **rest},
        ]
    }
    lines = run(small, "list")[1].splitlines()
    assert [line.split() for line in lines] == [
        ["grader-1", "grader", first],
        ["grader-2", "grader", second, "disabled"],
    ]


def test_reset_gives_another_password_and_disable_ends_the_sign_in(small: SmallWorkspace) -> None:
    first, second = (run(small, "reset", "grader-1")[1].splitlines()[1].strip() for _ in range(2))
    assert first != second
    assert check_password(small.bench, "grader-1", second)
    assert run(small, "disable", "grader-1")[0] == 0
    assert find_account(small.bench, "grader-1").disabled
    code, out, err = run(small, "reset", "grader-1")
    assert (code, out) == (1, "")
    assert "no password to reset" in err


def test_a_persons_mistakes_are_sentences(small: SmallWorkspace) -> None:
    for arguments, says in (
        (("add", "grader-1", "--role", "lead"), "already an account named `grader-1`"),
        (("add", "", "--role", "lead"), "cannot be an account's name"),
        (("disable", "nobody"), "no account named `nobody`"),
        (("reset", "nobody"), "no account named `nobody`"),
    ):
        code, out, err = run(small, *arguments)
        assert (code, out) == (1, "")
        assert says in err


def test_an_apprentice_is_added_listed_and_let_in(small: SmallWorkspace) -> None:
    assert "(grader, apprentice)" in run(small, "add", "Kim", "--role", "grader", "--apprentice")[1]
    assert run(small, "list")[1].splitlines()[-1].split()[-1] == "apprentice"
    code, out, _ = run(small, "end-apprenticeship", "Kim", "Agrees with the panel.")
    assert (code, "no apprentice any more" in out) == (0, True)
    assert not find_account(small.bench, "Kim").apprentice
    code, _, said = run(small, "end-apprenticeship", "Kim", "Agrees with the panel.")
    assert (code, "is no apprentice" in said) == (1, True)


def test_a_lead_cannot_be_an_apprentice(small: SmallWorkspace) -> None:
    code, _, said = run(small, "add", "Kim", "--role", "lead", "--apprentice")
    assert (code, "Only a grader" in said) == (1, True)


def test_an_apprentice_is_a_grader_without_saying_so(small: SmallWorkspace) -> None:
    code, out, _ = run(small, "add", "ann", "--apprentice", "--json")
    added = json.loads(out)
    assert (code, added["role"], added["apprentice"]) == (0, "grader", True)
    code, _, said = run(small, "add", "bo")
    assert (code, "Missing option '--role'" in said) == (2, True)
