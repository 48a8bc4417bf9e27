"""The groups of examinees that come with the program, read from their file."""

from __future__ import annotations

from pathlib import Path

from grader_app.domain.reference_population import ReferencePopulations
from grader_app.files.yaml_reader import load_model

SHIPPED = Path(__file__).resolve().parent.parent / "scaling" / "reference_populations.yaml"
"""Beside the code that uses it, so that a wheel holds it too."""


def load_reference_populations(path: Path = SHIPPED) -> ReferencePopulations:
    """Read reference populations.

    Parameters
    ----------
    path
        A ``reference_populations/1`` file; the shipped one unless another is named.

    Returns
    -------
    ReferencePopulations
        The groups.

    Raises
    ------
    FileProblems
        Everything wrong with the file, at once.
    """
    return load_model(path, ReferencePopulations, "reference_populations")
