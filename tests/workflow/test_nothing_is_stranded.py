"""Whatever happens, and in whatever order: every answer is somewhere, and can be brought to its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from small_workspace import SmallWorkspace
from walking import Walk

from grader_app.store.integrity import check_store

STEPS = 60
READING = (
    "reads: 1",
    "reads: 2",
    "reads: 1\noverlap_percent: 50",
    "reads: 2\nresolve_when_apart_by_more_than: 0.5",
    "reads: 1\nworkload: as_dealt",
    "reads: 2\nresolve_when_apart_by_more_than: 0.5\ndisputes_go_to: third_reader",
)
AGAIN = (
    "reread:\n  rule: mean\n  all_papers: false\n",
    "reread:\n  rule: mean_unless_apart_then_third\n  gap: 0.4\n  all_papers: false\n",
)


@pytest.mark.parametrize("seed", range(40))
def test_every_answer_is_in_one_place_and_reaches_its_end(
    make: Callable[..., SmallWorkspace], seed: int
) -> None:
    small = make(graders=3, answers=5, reading=READING[seed % len(READING)], more=AGAIN[seed % 2])
    walk = Walk(small, seed)
    for _ in range(STEPS):
        walk.step()
        walk.check()
    kept, told = walk.replayed_anew()
    assert kept == told
    ends = walk.finish()
    assert set(ends.values()) <= {"final", "coded", "closed", "out of the round", "revealed"}
    walk.check()
    check_store(small.bench.store)


def test_answers_read_again_before_release_reach_their_end(make: Callable[..., SmallWorkspace]) -> None:
    read_again = 0
    for seed in range(200, 208):
        small = make(graders=5, answers=5, reading="reads: 1", more=AGAIN[seed % 2])
        walk = Walk(small, seed)
        walk.acts |= {walk.submit: 30, walk.read_again: 12, walk.close: 0, walk.reveal: 0}
        for _ in range(STEPS):
            walk.step()
            walk.check()
        with small.bench.record() as record:
            read_again += bool(record.rereads.grades)
        ends = walk.finish()
        assert set(ends.values()) <= {"final", "coded", "out of the round"}
        check_store(small.bench.store)
    # Ids are random, so a walk may meet nobody to read again; most do.
    assert read_again >= 4


def test_the_walks_go_everywhere(make: Callable[..., SmallWorkspace]) -> None:
    """A walk that is refused at every step, or never meets a state, would show nothing."""
    met: Counter[str] = Counter()
    done: Counter[str] = Counter()
    for seed in (101, 102, 103, 104):
        walk = Walk(make(graders=3, answers=5, reading="reads: 2"), seed)
        for _ in range(120):
            walk.step()
            met.update(set(walk.places().values()))
        done.update(name.partition(" ")[0] for name in walk.trail if "(" not in name)
    assert {"waiting", "incident", "not dealt", "closed", "out of the round", "final"} <= met.keys()
    assert {
        "submit",
        "refer",
        "step_aside",
        "settle",
        "even_out",
        "leave",
        "decide",
    } <= done.keys()
