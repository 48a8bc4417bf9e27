"""Making a workspace: its folders and database, and the sample round with its simulated panel."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from grader_app.errors import StoreProblem

if TYPE_CHECKING:
    from grader_app.sample.content import IntendedGrade
    from grader_app.sample.simulated_panel import PassingClock
    from grader_app.workflow.workbench import Workbench

SAMPLE_ACCOUNTS = (("lead", "lead"), ("grader-1", "grader"))
"""Names and roles of the sample workspace's accounts, besides its simulated panel."""

_READ_DAYS_AGO = 2  # When the simulated panel began.


@dataclass(frozen=True)
class SampleMade:
    """What a sample workspace holds.

    Parameters
    ----------
    answers, grades
        Answers taken in; grades given by the simulated panel.
    """

    answers: int
    grades: int


def make_empty(folder: Path) -> None:
    """Make a workspace with the shipped rubrics and no round; a failure leaves nothing behind."""
    from grader_app.files.shipped import shipped_folder
    from grader_app.workflow.workbench import Workbench

    scratch = _scratch(folder)
    try:
        for name in ("rubrics", "calibration_sets", "exports"):
            (scratch / name).mkdir()
        for path in sorted(shipped_folder("rubrics").glob("*.*")):
            shutil.copyfile(path, scratch / "rubrics" / path.name)
        _copy_guides(scratch)
        Workbench.create(scratch).store.close()
        _move(scratch, folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def make_sample(folder: Path) -> SampleMade:
    """Make a workspace with the sample round, most of it graded by a simulated panel."""
    from grader_app.workflow.workbench import Workbench

    scratch = _scratch(folder)
    try:
        from grader_app.sample.content import copy_files
        from grader_app.sample.simulated_panel import PassingClock
        from grader_app.workflow.clock import utc_now

        (scratch / "exports").mkdir()
        copy_files(scratch)
        _copy_guides(scratch)
        clock = PassingClock(utc_now() - timedelta(days=_READ_DAYS_AGO))
        bench = Workbench.create(scratch, clock)
        made = _fill(bench, clock)
        bench.store.close()
        _move(scratch, folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return made


def _copy_guides(folder: Path) -> None:
    """Put the pages that say how to write or read the files of each folder into it; they name one another."""
    from grader_app.files.shipped import shipped_folder

    for name in ("rubrics", "calibration_sets", "exports"):
        shutil.copyfile(shipped_folder(name) / "README.md", folder / name / "README.md")


def _fill(bench: Workbench, clock: PassingClock) -> SampleMade:
    from grader_app.blinding.formats import read_answers
    from grader_app.blinding.intake import take_in
    from grader_app.blinding.key import BlindingKey, key_path
    from grader_app.blinding.mbe_intake import take_in_mbe
    from grader_app.domain.panel import Role
    from grader_app.sample.content import ANSWER_FILES, MBE_FILE, batch_of, intended_grades
    from grader_app.sample.simulated_calibration import calibrate_panel, validity_papers
    from grader_app.sample.simulated_panel import add_panel, grade_everything
    from grader_app.workflow.accounts import add_account
    from grader_app.workflow.assignment import deal

    actor = bench.cli_actor("sample")
    lead, _ = add_account(bench, actor, "lead", Role.LEAD)
    panel = add_panel(bench, actor)
    intended: dict[str, tuple[str, IntendedGrade]] = {}
    with BlindingKey.create(key_path(bench.folder.path, None), bench.store.workspace_id) as key:
        for batch in (1, 2):
            for item, path in ANSWER_FILES.items():
                file = read_answers(path)
                part = [one for one in file.answers if batch_of(one.source, one.trial) == batch]
                take_in(bench, key, replace(file, answers=part), item, actor)
            if batch == 2:
                # The person joins after the first batch, so that the panel's shared answers are mostly
                # graded and the person still has answers waiting.
                add_account(bench, actor, "grader-1", Role.GRADER)
            deal(bench, actor, simulated=True)
        calibrate_panel(bench, panel, lead.account_id, clock)
        for item in ANSWER_FILES:
            deserved = intended_grades(item)
            for kept in key.sources(item=item):
                intended[kept.response_id] = (kept.sender_id, deserved[kept.sender_id])
        answers = len(intended)
        intended |= validity_papers(bench)
        take_in_mbe(bench, key, MBE_FILE, actor)
    return SampleMade(answers, grade_everything(bench, panel, intended, clock))


def _scratch(folder: Path) -> Path:
    """Make a folder beside the one asked for, so that the finished workspace appears in one move."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StoreProblem(f"{folder}: there is something here already. Name a new or empty folder.")
    from grader_app.store.scratch_folder import scratch_beside

    return scratch_beside(folder)


def _move(scratch: Path, folder: Path) -> None:
    if folder.exists():
        folder.rmdir()
    scratch.chmod(0o755)
    scratch.rename(folder)
