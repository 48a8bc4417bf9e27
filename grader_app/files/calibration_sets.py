"""All calibration sets of a folder, and what they may not share with each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from grader_app.domain.calibration_set import Packet
from grader_app.domain.model import folded
from grader_app.errors import Problem
from grader_app.files.calibration_folder import ESSAYS, SCORES, SET, Items, Rubrics, SetFound, examine_set
from grader_app.files.yaml_reader import examine_yaml

_OPENING_WORDS = 5
_PASSAGE_WORDS = 30  # a long quotation of the question or a statute is shorter
_UNSEEN = re.compile("[\u200b-\u200d\u2060\ufeff'\u2019\u2018\u02bc]")
_WORD = re.compile("[^\\W_]+(?:['\u2019][^\\W_]+)*")


@dataclass
class SetsFound:
    """What a folder of calibration sets holds.

    Parameters
    ----------
    sets
        One entry a set, by folder.
    """

    sets: list[SetFound] = field(default_factory=list)

    @property
    def packets(self) -> dict[str, Packet]:
        """Sets that can be used, by id; stale ones among them."""
        return {found.packet.id: found.packet for found in self.sets if found.packet is not None}

    @property
    def problems(self) -> list[Problem]:
        """Everything wrong with any set."""
        return [problem for found in self.sets for problem in found.problems]

    @property
    def problems_in_use(self) -> list[Problem]:
        """What keeps sets from being used; that a set is stale does not."""
        return [problem for found in self.sets if found.packet is None for problem in found.problems]

    @property
    def files(self) -> list[Path]:
        """The files that were read."""
        return [path for found in self.sets for path in found.files]


def set_folders(path: Path) -> list[Path]:
    """List the calibration sets in a folder.

    Parameters
    ----------
    path
        A folder of sets; one that does not exist holds none.

    Returns
    -------
    list of Path
        Sub-folders that hold a part of a set, by name.
    """
    if not path.is_dir():
        return []
    return sorted(folder for folder in path.iterdir() if is_set_folder(folder))


def is_set_folder(folder: Path) -> bool:
    """Say whether a folder holds a calibration set.

    Parameters
    ----------
    folder
        Any path.

    Returns
    -------
    bool
        Whether it holds ``calibration_set.yaml``, ``reference_scores.csv`` or ``essays/``.
    """
    return folder.is_dir() and any((folder / name).exists() for name in (SET, SCORES, ESSAYS))


def item_of_set(folder: Path) -> str | None:
    """Say which item a set is for.

    Parameters
    ----------
    folder
        The set's folder.

    Returns
    -------
    str or None
        The item's id; None when the set does not say.
    """
    data = examine_yaml(folder / SET).data
    item = data.get("item") if isinstance(data, dict) else None
    return item if isinstance(item, str) else None


def examine_sets(
    folder_of_sets: Path, items: Items | None = None, rubrics: Rubrics | None = None
) -> SetsFound:
    """Read every calibration set of a folder, giving the problems back instead of raising them.

    Parameters
    ----------
    folder_of_sets
        ``calibration_sets/``.
    items, rubrics
        As for `examine_set`.

    Returns
    -------
    SetsFound
        The sets, each with its problems, those between sets among them.
    """
    return examine_set_folders(set_folders(folder_of_sets), items, rubrics)


def examine_set_folders(
    folders: Iterable[Path], items: Items | None = None, rubrics: Rubrics | None = None
) -> SetsFound:
    """Read calibration sets wherever they lie.

    Parameters
    ----------
    folders
        One a set. What two sets may not share is reported at the later.
    items, rubrics
        As for `examine_set`.

    Returns
    -------
    SetsFound
        As for `examine_sets`.
    """
    found = SetsFound([examine_set(folder, items, rubrics) for folder in folders])
    between = [*_repeated_ids(found.sets), *_anchor_problems(found.sets), *_alike_papers(found.sets)]
    for at_fault, problem in between:
        at_fault.problems.append(problem)
        at_fault.packet = None
    return found


def _repeated_ids(sets: list[SetFound]) -> Iterator[tuple[SetFound, Problem]]:
    first: dict[str, SetFound] = {}
    for found in sets:
        set_id = found.says("id")
        other = first.setdefault(set_id, found) if set_id is not None else found
        if other is not found and found.document is not None:
            what = f"The id `{set_id}` is also the id of the set in {other.folder.name}/."
            yield found, found.document.problem(("id",), what, "Give each its own.")


def _anchor_problems(sets: list[SetFound]) -> Iterator[tuple[SetFound, Problem]]:
    known = {found.says("id"): found for found in sets}
    for found in sets:
        named = found.says("anchors_from")
        if named is None or found.document is None:
            continue
        for what, fix in _wrong_anchors(named, found, known):
            yield found, found.document.problem(("anchors_from",), what, fix)


def _wrong_anchors(
    named: str, found: SetFound, known: dict[str | None, SetFound]
) -> Iterator[tuple[str, str]]:
    other = known.get(named)
    if other is None:
        of_item = [each for each, held in known.items() if each and held.says("item") == found.says("item")]
        close = get_close_matches(named, of_item, n=1)
        fix = f"Did you mean `{close[0]}`?" if close else "Name a set of the same item that has anchors."
        yield f"`anchors_from` names `{named}`, and there is no such set.", fix
    elif other.says("item") != found.says("item"):
        what = f"`anchors_from` names `{named}`, whose papers answer `{other.says('item')}`."
        yield what, "Name a set of the same item."
    elif not other.anchors:
        yield (
            f"`anchors_from` names `{named}`, which has no anchors.",
            "Name a set that has, or remove the key.",
        )


def _alike_papers(sets: list[SetFound]) -> Iterator[tuple[SetFound, Problem]]:
    """Find papers of one item that a grader would take for one seen before."""
    seen: dict[tuple[str | None, str, str], tuple[SetFound, str]] = {}
    for found in sets:
        for essay, text in found.essays.items():
            words = _words(text)
            for kind, key in _keys(words):
                first = seen.setdefault((found.says("item"), kind, key), (found, essay))
                if first[0] is not found or first[1] != essay:
                    yield found, _alike(kind, key, (found, essay), first)
                    break


def _words(text: str) -> list[str]:
    """Give the words of an essay as a reader takes them in: no heading, no invisible characters or quotes."""
    first, _, rest = text.strip().partition("\n")
    body = rest if first.startswith("#") and rest.strip() else text
    return _WORD.findall(_UNSEEN.sub("", folded(body)))


def _keys(words: list[str]) -> Iterator[tuple[str, str]]:
    """Give what two essays may not share: the whole text, the opening, any long passage."""
    if not words:
        return
    yield "text", " ".join(words)
    yield "opening", " ".join(words[:_OPENING_WORDS])
    for at in range(len(words) - _PASSAGE_WORDS + 1):
        yield "passage", " ".join(words[at : at + _PASSAGE_WORDS])


def _alike(kind: str, words: str, paper: tuple[SetFound, str], first: tuple[SetFound, str]) -> Problem:
    found, essay = paper
    other = first[1] if first[0] is found else f"{first[1]} of {first[0].folder.resolve().name}"
    path = str(found.folder / ESSAYS / f"{essay}.md")
    if kind == "text":
        return Problem(path, 0, f"The essay has the same text as {other}.", "Remove one of the two.")
    if kind == "passage":
        what = f"The essay shares a passage of {_PASSAGE_WORDS} words with {other}: `{words[:60]}…`."
        return Problem(path, 0, what, "Write one of the two anew.")
    what = f"The essay begins with the same words as {other}: `{words[:60]}`."
    return Problem(path, 0, what, "Begin one of them otherwise: a grader would know it again.")
