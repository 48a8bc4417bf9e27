"""Answers whose reads differ by more than the round allows."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class Dispute:
    """One disputed answer.

    Parameters
    ----------
    response_id, item, title
        The answer and its question.
    given
        Score or condition code of each read, in order of read.
    why
        A sentence.
    """

    response_id: str
    item: str
    title: str
    given: tuple[str, ...]
    why: str


def disputes(bench: Workbench) -> list[Dispute]:
    """List the disputed answers, item by item, the furthest apart first."""
    titles = {item.id: item.title for item in bench.material().items.values()}
    found: list[tuple[float, Dispute]] = []
    with bench.record() as record:
        for item in record.items():
            here = []
            for response_id in record.response_ids(item):
                state = record.standing(response_id)
                if state.status == "disputed":
                    reads = record.reads(response_id)
                    given = tuple(g.condition_code or f"{g.score:g}" for g in reads)
                    scores = [g.score for g in reads if g.score is not None]
                    apart = max(scores) - min(scores) if len(scores) == len(reads) else float("inf")
                    here.append((apart, Dispute(response_id, item, titles.get(item, item), given, state.why)))
            found += sorted(here, key=lambda one: (-one[0], one[1].response_id))
    return [dispute for _, dispute in found]
