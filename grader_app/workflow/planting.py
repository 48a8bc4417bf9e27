"""Where checks stand in a grader's queue: validity papers and self-repeats among live answers."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from grader_app.domain.calibration_record import SetPaper
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.panel import ReadKind
from grader_app.domain.qualification import fits_current_item, set_content
from grader_app.store import assignments as kept
from grader_app.store.assignments import FEWEST_BETWEEN
from grader_app.workflow.workbench import Workbench

A_DAYS_PAPERS = 100
"""Live papers taken for a day's work: a repeat lies at least as far back where the queue is long enough."""


@dataclass(frozen=True)
class Slot:
    """One place of a merged queue.

    Parameters
    ----------
    kind
        Why the paper stands there.
    response_id
        The answer, or the paper of a validity set.
    """

    kind: ReadKind
    response_id: str


def places(every: int | None, seed: str, after: int, upto: int) -> Iterator[int]:
    """Give the places behind which a check stands, counted in live answers from 1.

    Parameters
    ----------
    every
        Average number of live answers between two checks; None for no checks.
    seed
        Fixes the jitter: another grader, another seed.
    after, upto
        Only places above `after` and up to `upto` are given.

    Notes
    -----
    The gaps are whole numbers drawn evenly from half to one and a half times the spacing, so that their
    mean is the spacing. They are drawn from the start each time, so that a later deal goes on where the
    earlier one stopped.
    """
    if every is None:
        return
    draw = random.Random(f"{seed}:every {every}")
    least = max(1, (every + 1) // 2)
    place = 0
    while place <= upto:
        place += draw.randint(least, 2 * every - least)
        if after < place <= upto:
            yield place


def repeat_of(live: Sequence[str], place: int, repeated: Set[str], draw: random.Random) -> str | None:
    """Choose the answer that a self-repeat behind a place shows again.

    Parameters
    ----------
    live
        Response ids of the grader's live answers in queue order.
    place
        Live answers that come before the repeat.
    repeated
        Answers repeated before; none is shown a third time.
    draw
        Chooses among those that are far enough back.

    Returns
    -------
    str or None
        None while nothing lies far enough back.
    """
    for distance in (A_DAYS_PAPERS, FEWEST_BETWEEN):
        far = [r for r in live[: max(0, place - distance)] if r not in repeated]
        if far:
            return draw.choice(far)
    return None


def merge(
    earlier: Sequence[str],
    fresh: Sequence[str],
    *,
    validity_every: int | None,
    repeat_every: int | None,
    validity_pool: Sequence[str],
    repeated: Set[str],
    seed: str,
) -> list[Slot]:
    """Put checks among a grader's fresh answers.

    Parameters
    ----------
    earlier, fresh
        Response ids of live answers dealt before and now, in queue order.
    validity_every, repeat_every
        The round's average spacings.
    validity_pool
        Validity papers this grader has not had, in the order in which they will come.
    repeated
        Answers repeated before.
    seed
        Of this round, item and grader.

    Returns
    -------
    list of Slot
        The fresh answers in their order with the checks among them. A check whose place comes after the
        pool has run out, or before anything lies far enough back, is left out.
    """
    live = [*earlier, *fresh]
    start = len(earlier)
    validity = set(places(validity_every, f"{seed}:validity", start, len(live)))
    repeats = set(places(repeat_every, f"{seed}:repeat", start, len(live)))
    left = iter(validity_pool)
    done = set(repeated)
    queue: list[Slot] = []
    for place, response_id in enumerate(fresh, start=start + 1):
        queue.append(Slot(ReadKind.LIVE, response_id))
        paper = next(left, None) if place in validity else None
        if paper is not None:
            queue.append(Slot(ReadKind.VALIDITY, paper))
        if place in repeats:
            again = repeat_of(live, place, done, random.Random(f"{seed}:{place}"))
            if again is not None:
                done.add(again)
                queue.append(Slot(ReadKind.REPEAT, again))
    return queue


def validity_pool(bench: Workbench, item: str, grader_id: str) -> list[str]:
    """List the validity papers of an item that a grader has not had, in that grader's own order.

    Notes
    -----
    What the grader has had is told by the text, whatever set, version or name it came under. An answer
    promoted to a validity paper is left out for whoever read it.
    """
    seed = bench.material().round.seed
    before = kept.read_before(bench.store, grader_id)
    with bench.record() as record:
        calibration = record.calibration
        had = {text_of(record, p) for r in before if (p := calibration.papers.get(r)) is not None}
        found = [
            r
            for r, body in calibration.promoted.items()
            if body["item"] == item and r not in before and not record.is_recused(grader_id, r)
        ]
        for paper in calibration.papers.values():
            if paper.item != item or calibration.current_sets.get(paper.set_id) != paper.set_hash:
                continue
            said = set_content(record, paper.set_hash)
            fits = said["purpose"] == "validity" and fits_current_item(
                record, item, said["point_sheet_version"]
            )
            text = text_of(record, paper)
            if fits and text not in had and not _is_anchor(record, paper):
                had.add(text)
                found.append(paper.response_id)
    found.sort()
    random.Random(f"{seed}:{item}:{grader_id}:validity papers").shuffle(found)
    return found


def text_of(record: GradingRecord, paper: SetPaper) -> str:
    """Give the words of a set's paper, by which it is known again under another name or version."""
    papers = record.inputs.files[paper.set_hash]["content"]["papers"]
    return " ".join(next(one["text"] for one in papers if one["essay"] == paper.essay).casefold().split())


def _is_anchor(record: GradingRecord, paper: SetPaper) -> bool:
    papers = record.inputs.files[paper.set_hash]["content"]["papers"]
    return any(one["essay"] == paper.essay and one["anchor"] for one in papers)
