"""The round file: which items are graded, and how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path

from grader_app.domain.round import Round
from grader_app.errors import Problem
from grader_app.files.yaml_document import Document
from grader_app.files.yaml_reader import Loaded, examine_model, load_model


def load_round(path: Path) -> Round:
    """Read a round file.

    Parameters
    ----------
    path
        A ``round/1`` file; ``format, id, version, title, items`` suffice.

    Returns
    -------
    Round
        The round.

    Raises
    ------
    FileProblems
        Everything wrong with it, at once.
    """
    return load_model(path, Round, "round")


def examine_round(path: Path, kinds: Mapping[str, str | None] | None = None) -> Loaded[Round]:
    """Read a round file and see that its items exist, are of the kind it says and are scored whole.

    Parameters
    ----------
    path
        A ``round/1`` file.
    kinds
        The kind of each item there is, by id; None for one that could not be read. Without it the
        items are not looked for.

    Returns
    -------
    Loaded
        The round, its document and all problems.
    """
    loaded = examine_model(path, Round, "round")
    if kinds is None or not isinstance(loaded.document.data, dict):
        return loaded
    problems = (*loaded.problems, *_item_problems(loaded.document, kinds))
    return Loaded(None if problems else loaded.model, loaded.document, problems)


def _item_problems(document: Document, kinds: Mapping[str, str | None]) -> Iterator[Problem]:
    entries = document.data.get("items")
    for at, entry in enumerate(entries if isinstance(entries, list) else []):
        item = entry.get("item") if isinstance(entry, dict) else None
        if not isinstance(item, str):
            continue
        if entry.get("parts") is not None:
            what = (
                f"`{item}` has `parts`, which come from a pool file; graders of a workspace score it whole."
            )
            fix = "Remove `parts`, or keep this round for `grader-app scale POOL.csv --round FILE`."
            yield document.problem(("items", at, "parts"), what, fix)
        if item not in kinds:
            close = get_close_matches(item, kinds, n=1)
            fix = f"Did you mean `{close[0]}`?" if close else f"Put a folder {item}/ into rubrics/."
            what = f"There is no item `{item}` in rubrics/."
            yield document.problem(("items", at, "item"), what, fix)
        elif kinds[item] not in (None, entry.get("component")):
            what = f"`component` is {entry.get('component')}, but `{item}` is of kind {kinds[item]}."
            yield document.problem(("items", at, "component"), what, f"Write `component: {kinds[item]}`.")
