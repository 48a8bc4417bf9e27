from __future__ import annotations

import json
import socket
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from small_workspace import SmallWorkspace

from grader_app.cli.main import cli
from grader_app.errors import SignInRefused
from grader_app.ui import server
from grader_app.workflow.accounts import check_password, signed_in, start_session
from grader_app.workflow.workbench import Workbench


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What would have been served."""
    calls: list[dict[str, Any]] = []

    def run(bench: Workbench, **where: Any) -> None:
        calls.append({"bench": bench, **where})

    monkeypatch.setattr(server, "run", run)
    return calls


def demo(*arguments: str | Path, **env: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(
        cli, ["demo", "--no-browser", *[str(argument) for argument in arguments]], env=env
    )
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout, result.stderr


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_demo_prints_address_and_fresh_passwords_that_need_no_change(
    sample_copy: Path, served: list[dict[str, Any]], tmp_path: Path
) -> None:
    port = free_port()
    first = json.loads(demo("--dir", sample_copy, "--json", "--port", port)[1].splitlines()[0])
    second = json.loads(
        demo("--dir", sample_copy, "--json", "--port", port, GRADER_APP_WORKSPACE=str(tmp_path))[1]
    )
    assert set(first) == {"url", "workspace", "accounts"}
    assert (first["url"], first["workspace"]) == (f"http://127.0.0.1:{port}", str(sample_copy.resolve()))
    assert [(a["name"], a["role"]) for a in first["accounts"]] == [("lead", "lead"), ("grader-1", "grader")]
    bench = served[-1]["bench"]
    for old, new in zip(first["accounts"], second["accounts"], strict=True):
        token = start_session(bench, check_password(bench, new["name"], new["password"]))
        assert not signed_in(bench, token).must_change_password
        with pytest.raises(SignInRefused):
            check_password(bench, old["name"], old["password"])
    assert [(call["host"], call["port"]) for call in served] == [("127.0.0.1", port)] * 2


def test_demo_speaks_to_people_without_json(sample_copy: Path, served: list[dict[str, Any]]) -> None:
    code, out, _ = demo("--dir", sample_copy)
    assert code == 0
    assert "Grading workbench: http://127.0.0.1:" in out
    assert "Ctrl+C ends it." in out
    assert len(served) == 1


def test_a_port_that_was_asked_for_and_is_taken_is_refused(
    sample_copy: Path, served: list[dict[str, Any]]
) -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, out, err = demo("--dir", sample_copy, "--port", taken.getsockname()[1])
    assert (code, out, served) == (1, "", [])
    assert str(taken) not in err
    assert "port" in err.lower()


def test_the_demo_never_touches_a_workspace_that_is_no_sample(
    small: SmallWorkspace, served: list[dict[str, Any]]
) -> None:
    small.add_grader("lead")
    before = small.counts()
    code, out, err = demo("--dir", small.path)
    assert (code, out, served) == (1, "", [])
    assert "not a sample round" in err
    assert small.counts() == before


def test_a_folder_with_something_else_in_it_is_refused(tmp_path: Path, served: list[dict[str, Any]]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    code, out, err = demo("--dir", tmp_path)
    assert (code, out, served) == (1, "", [])
    assert "Name a new or empty folder" in err
