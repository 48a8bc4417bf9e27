"""A small round whose candidates have totals, ready to be read again before release."""

from __future__ import annotations

from collections.abc import Callable

from reads_of_one_answer import dealt, live_reads
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.store.event_log import append
from grader_app.store.responses import add_mbe

CUT = "cut:\n  total: 266\n  reread_from: 262\n  reread_to: 269\n"
FAR = "cut:\n  total: 266\n  reread_from: 280\n  reread_to: 281\n"
"""The same line with a band in which nobody has a total."""
SCORES = (0, 1, 2, 3, 3, 4, 5, 6)
MBES = (118, 121, 129, 131, 134.5, 138, 146, 151)
"""With the written score on the MBE's scale the two who have a 3 come near the line, on both sides of it."""


def rule(name: str = "mean", gap: float | None = None, *, all_papers: bool = True, cut: str = CUT) -> str:
    """Give the `cut` and `reread` of a round."""
    lines = [f"reread:\n  rule: {name}"]
    lines += [] if gap is None else [f"  gap: {gap:g}"]
    lines += [] if all_papers else ["  all_papers: false"]
    return cut + "\n".join(lines) + "\n"


def pool(
    make: Callable[..., SmallWorkspace],
    more: str | None = None,
    *,
    graders: int = 4,
    graded: bool = True,
    reading: str = "reads: 1",
    times: int = 1,
) -> SmallWorkspace:
    """Eight candidates (or so many times eight) with one answer each and an MBE score.

    With two reads the second ones of the lowest answers are a point higher.
    """
    said = {"items": ("mee-barge",), "more": rule() if more is None else more, "reading": reading}
    small = make(graders=graders, answers=8 * times, **said)
    give_mbe(small)
    if graded:
        for response_id, score in zip(answers(small), SCORES * times, strict=True):
            for one in live_reads(small, response_id):
                small.submit(one, score + (one.read_number == 2 and score < 3))
    return small


def give_mbe(small: SmallWorkspace) -> None:
    with small.bench.record() as record:
        candidates = [str(record.candidate_of(one)) for one in record.response_ids("mee-barge")]
    scores = list(zip(candidates, map(float, MBES * (len(candidates) // 8)), strict=True))
    with small.bench.store.write() as connection:
        add_mbe(connection, scores)
        append(
            connection,
            at=small.bench.now(),
            actor=small.actor,
            kind=EventKind.MBE_TAKEN_IN,
            subject="mbe",
            body={"n": len(scores)},
        )


def answers(small: SmallWorkspace) -> list[str]:
    """The answers in order of their scores and MBE scores."""
    with small.bench.record() as record:
        return record.response_ids("mee-barge")


def near_the_line(small: SmallWorkspace) -> tuple[str, str]:
    """The two answers of the candidates in the band: below the line, and above it."""
    found = answers(small)
    return found[3], found[4]


def rereads(small: SmallWorkspace, response_id: str) -> list[Assignment]:
    """What was dealt to read an answer again, in order."""
    return sorted(dealt(small, response_id, ReadKind.REREAD), key=lambda one: one.read_number)
