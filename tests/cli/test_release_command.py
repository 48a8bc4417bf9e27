"""The command `release`: two names, one export."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from release_steps import closed_and_exported
from reread_pools import FAR, pool
from small_workspace import SmallWorkspace

from grader_app.cli.main import cli


def run(small: SmallWorkspace, *words: str | Path) -> Result:
    return CliRunner().invoke(cli, [*map(str, words), "--workspace", str(small.path)])


def test_two_names_release_and_status_says_so(make: Callable[..., SmallWorkspace]) -> None:
    small = pool(make, FAR)
    folder = closed_and_exported(small)
    assert json.loads(run(small, "status", "--json").output)["released"] is None
    prepared = run(small, "release", folder, "--prepare", "--as", "pat").output.splitlines()
    assert prepared[0].startswith("Prepared.")
    assert prepared[1] == f"  grader-app release {folder} --confirm --as NAME"
    same = run(small, "release", folder, "--confirm", "--as", "pat")
    assert (same.exit_code, same.stderr) == (
        1,
        "You prepared this release yourself. Somebody else has to release it.\n",
    )
    nameless = run(small, "release", folder, "--confirm")
    assert "Say so with `--as NAME`" in nameless.stderr
    done = run(small, "release", folder, "--confirm", "--as", "robin")
    assert (done.exit_code, done.output) == (
        0,
        "Released. From now on no grade, score or question of this workspace changes.\n",
    )
    assert "by robin, prepared by pat" in run(small, "status").output.splitlines()[0]
    assert run(small, "verify").exit_code == 0
    assert run(small, "verify", folder).exit_code == 0


@pytest.mark.parametrize("name", ["Pat", " pat ", "p at", "pat\u200b", "\uff50\uff41\uff54", " ", "cli:pat"])
def test_a_name_that_reads_alike_is_no_second_person(make: Callable[..., SmallWorkspace], name: str) -> None:
    small = pool(make, FAR)
    folder = closed_and_exported(small)
    assert run(small, "release", folder, "--prepare", "--as", "pat").exit_code == 0
    again = run(small, "release", folder, "--confirm", "--as", name)
    says = "may have been prepared by the same person", "cannot tell who you are"
    assert (again.exit_code, sum(one in again.stderr for one in says)) == (1, 1)
    assert json.loads(run(small, "status", "--json").output)["released"] is None


@pytest.mark.parametrize("steps", [(), ("--prepare", "--confirm")])
def test_without_one_step_the_usage_says_which(
    make: Callable[..., SmallWorkspace], steps: tuple[str, ...]
) -> None:
    small = pool(make, FAR)
    done = run(small, "release", closed_and_exported(small), *steps, "--as", "pat")
    assert (done.exit_code, "Say --prepare or --confirm" in done.stderr) == (2, True)
