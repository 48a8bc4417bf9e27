import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import grader_app

PACKAGE = Path(grader_app.__file__).parent
CONFIGURATION = PACKAGE.parent / "pyproject.toml"

LOAD_EVERYTHING = """
import json, pkgutil, sys
import grader_app.ui
names = [found.name for found in pkgutil.walk_packages(grader_app.ui.__path__, "grader_app.ui.")]
for name in names:
    __import__(name)
above = [name for name in sys.modules if name.startswith(("grader_app.blinding", "grader_app.cli"))]
print(json.dumps({"names": names, "above": above}))
"""


def test_the_whole_user_interface_loads_nothing_above_the_blind_line():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LOAD_EVERYTHING], capture_output=True, text=True, check=True
    )
    loaded = json.loads(done.stdout.splitlines()[-1])
    assert "grader_app.ui.server" in loaded["names"]
    assert "grader_app.ui.grader_pages.grade" in loaded["names"]
    assert loaded["above"] == []


def test_the_commands_that_serve_load_nothing_that_reads_the_key():
    code = (
        "import sys\nfrom grader_app.cli.main import COMMANDS\n"
        "for name in ('serve', 'demo'): COMMANDS[name][0]()\nimport grader_app.ui.server\n"
        "print([name for name in sys.modules if name.startswith('grader_app.blinding')])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.fixture
def copied(tmp_path):
    """A copy of the package, to plant imports in, with the import contracts."""
    shutil.copytree(PACKAGE, tmp_path / "grader_app", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(CONFIGURATION, tmp_path / "pyproject.toml")
    return tmp_path


def lint(folder, *contracts):
    """Check import contracts in a folder that holds the package."""
    command = Path(sys.executable).with_name("lint-imports")
    chosen = [part for name in contracts for part in ("--contract", name)]
    return subprocess.run(
        [command, "--no-cache", *chosen],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def plant(folder, module, line):
    path = folder / "grader_app" / module
    path.write_text(path.read_text(encoding="utf-8") + f"\n{line}\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("ui/grader_pages/progress.py", "import grader_app.blinding.key", "blind-line"),
        ("ui/server.py", "from grader_app.blinding import reveal", "layers"),
        ("workflow/progress.py", "from grader_app.blinding.key import BlindingKey", "blind-line"),
        ("export/tables.py", "def late():\n    import grader_app.blinding.key", "blind-line"),
        ("cli/serve.py", "import grader_app.blinding.key", "serving-stays-blind"),
        ("ui/grader_pages/grade.py", "import grader_app.store.event_log", "grader-pages"),
    ],
)
def test_a_planted_import_breaks_its_contract(copied, module, line, contract):
    before = lint(copied, contract)
    assert before.returncode == 0, before.stdout + before.stderr
    plant(copied, module, line)
    after = lint(copied, contract)
    assert after.returncode == 1, after.stdout + after.stderr
    assert "BROKEN" in after.stdout
