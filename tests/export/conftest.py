from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from graded_rounds import NOW, GradedRound, build_round, grade_all
from small_workspace import make  # noqa: F401 - a fixture

from grader_app.export.folder import write_export


@pytest.fixture(scope="session")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GradedRound]:
    """A round graded in large part; shared, so nothing may be recorded in it."""
    made = build_round(tmp_path_factory.mktemp("graded") / "workspace", answers=12)
    grade_all(made)
    yield made
    made.bench.store.close()


@pytest.fixture(scope="session")
def exported(graded: GradedRound) -> Path:
    """Its export; shared, so nobody may write into it."""
    return write_export(graded.bench.store, graded.path / "exports", NOW)


@pytest.fixture
def export_copy(exported: Path, tmp_path: Path) -> Path:
    """A copy of the export, to tamper with."""
    return Path(shutil.copytree(exported, tmp_path / exported.name))


@pytest.fixture
def own_round(tmp_path: Path) -> Iterator[GradedRound]:
    """A small dealt round of one's own, to act in."""
    made = build_round(tmp_path / "workspace", answers=4)
    yield made
    made.bench.store.close()
