from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from grader_app.cli.main import cli


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, [str(one) for one in arguments])
    return result.exit_code, result.stdout, result.stderr


def test_revealing_a_provisional_export_says_what_it_ends(sample_copy: Path) -> None:
    export = run("export", "--workspace", sample_copy)[1].strip().splitlines()[-1]
    code, out, err = run("reveal", export, "--workspace", sample_copy)
    assert code == 0
    assert out.strip().splitlines()[-1] == f"{export}-revealed"
    assert "provisional" in err
    assert "mee-negligence" in err
    assert run("verify", export)[0] == 0
