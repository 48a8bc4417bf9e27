"""The files that come with the program, found in an installed package and in a checkout alike."""

from __future__ import annotations

from pathlib import Path

from grader_app.errors import FileProblems, Problem


def shipped_folder(name: str) -> Path:
    """Find a folder of shipped files.

    Parameters
    ----------
    name
        ``rubrics``, ``calibration_sets`` or ``exports``.

    Raises
    ------
    FileProblems
        The installation is incomplete.
    """
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "shipped" / name, package.parent / name):
        if folder.is_dir():
            return folder
    missing = Problem(
        str(package / "shipped" / name), 0, "This folder of the program is missing.", "Install it anew."
    )
    raise FileProblems([missing])
