"""The essays of a calibration set: texts and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grader_app.domain.model import folded
from grader_app.domain.reference_paper import ESSAY_PATTERN
from grader_app.errors import Problem
from grader_app.files.item_folder import read_text
from grader_app.files.yaml_lines import lines_of

_SCORE_WORDS = r"(score|scored|grade|graded|marks?|marked|rating|reference score|model score)"
_LABEL = re.compile(rf"{_SCORE_WORDS}\W*\d+([.,]\d+)?(\s*(/|of|out of)\s*\d+)?\W*", re.IGNORECASE)
_HEADING = re.compile(rf"#+\s.*\b{_SCORE_WORDS}\W*\d", re.IGNORECASE)
_ONLY_TEXT = "Keep the answer's own text only; scores and remarks go into reference_scores.csv."


@dataclass
class EssaysFound:
    """What a folder of essays holds.

    Parameters
    ----------
    texts
        Each text by the essay's name; one that could not be read is left out.
    files
        Each file by the essay's name.
    problems
        Everything wrong.
    """

    texts: dict[str, str] = field(default_factory=dict)
    files: dict[str, Path] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def examine_essays(folder: Path) -> EssaysFound:
    """Read the essays of a set, giving the problems back instead of raising them.

    Parameters
    ----------
    folder
        ``essays/`` of the set.

    Returns
    -------
    EssaysFound
        Texts, files and problems.
    """
    found = EssaysFound()
    if not folder.is_dir():
        what = "The set has no folder of essays."
        found.problems.append(Problem(str(folder), 0, what, "Make it, with one answer a file: E01.md."))
        return found
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue  # what file managers leave behind
        if path.suffix != ".md" or not path.is_file() or not re.fullmatch(ESSAY_PATTERN, path.stem):
            what = "An essay is a file of letters and digits that ends in .md, such as E01.md; this is not."
            found.problems.append(Problem(str(path), 0, what, "Rename it, or move it out of the folder."))
            continue
        _read(path, found)
    found.problems += _alike_names(found)
    return found


def _read(path: Path, found: EssaysFound) -> None:
    before = len(found.problems)
    text = read_text(path, found.problems)
    found.files[path.stem] = path
    if len(found.problems) == before:
        found.texts[path.stem] = text
        found.problems += more_than_text(str(path), text)


def more_than_text(path: str, text: str) -> Iterator[Problem]:
    """Find a beginning that is no part of an answer: a block of YAML, or a line that names a score.

    Parameters
    ----------
    path
        The file's name, for the message.
    text
        The essay.

    Yields
    ------
    Problem
        At most one.
    """
    for number, line in enumerate(lines_of(text), start=1):
        first = line.strip()
        if not first:
            continue
        if first == "---":
            yield Problem(path, number, "The essay begins with a block between lines `---`.", _ONLY_TEXT)
        elif _HEADING.match(first) or _LABEL.fullmatch(first.lstrip("#*_> ")):
            yield Problem(path, number, f"The essay begins with a score: `{first[:60]}`.", _ONLY_TEXT)
        return


def _alike_names(found: EssaysFound) -> Iterator[Problem]:
    """Find names that differ in capitals only: on some computers they are one file."""
    first: dict[str, str] = {}
    for name, path in found.files.items():
        other = first.setdefault(folded(name), name)
        if other != name:
            what = f"The names {other} and {name} differ in capital letters only."
            yield Problem(str(path), 0, what, "Rename one of the two.")
