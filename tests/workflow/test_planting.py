from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import pytest
from checked_workspace import ITEM, make_checked, of_kind
from small_workspace import write_packet

from grader_app.domain.events import EventKind
from grader_app.domain.panel import ReadKind
from grader_app.workflow.assignment import deal
from grader_app.workflow.planting import A_DAYS_PAPERS, FEWEST_BETWEEN, Slot, merge, places, validity_pool
from grader_app.workflow.registration import register_files

LIVE, VALIDITY, REPEAT = ReadKind.LIVE, ReadKind.VALIDITY, ReadKind.REPEAT


def gaps(every: int, seed: str, upto: int) -> list[int]:
    return [after - before for before, after in pairwise([0, *places(every, seed, 0, upto)])]


@pytest.mark.parametrize("every", [2, 3, 4, 7, 20, 50])
def test_the_mean_gap_is_the_spacing_and_gaps_vary_from_half_to_one_and_a_half(every: int) -> None:
    seen = gaps(every, "seed", 4000 * every)
    least = math.ceil(every / 2)
    assert (min(seen), max(seen)) == (least, 2 * every - least)
    # Whole numbers drawn evenly have the variance (count² - 1) / 12.
    deviation = math.sqrt(((max(seen) - min(seen) + 1) ** 2 - 1) / 12)
    assert sum(seen) / len(seen) == pytest.approx(every, abs=4 * deviation / math.sqrt(len(seen)))
    assert len(set(seen)) == 2 * every - 2 * least + 1


def test_places_follow_from_the_seed_alone_and_differ_between_graders() -> None:
    assert list(places(20, "a", 0, 400)) == list(places(20, "a", 0, 400))
    assert len({tuple(places(20, seed, 0, 400)) for seed in "abcdefgh"}) == 8


def test_a_later_deal_goes_on_where_the_earlier_one_stopped() -> None:
    whole = list(places(20, "a", 0, 400))
    for cut in (1, 37, whole[3], whole[3] - 1, 399):
        assert [*places(20, "a", 0, cut), *places(20, "a", cut, 400)] == whole


def test_without_a_spacing_nothing_is_planted() -> None:
    assert list(places(None, "a", 0, 400)) == []


def queue(earlier: int, fresh: int, pool: int = 0, **spacing: int | None) -> list[Slot]:
    live = [f"r{n}" for n in range(1, earlier + fresh + 1)]
    return merge(
        live[:earlier],
        live[earlier:],
        validity_every=spacing.get("validity"),
        repeat_every=spacing.get("repeat"),
        validity_pool=[f"v{n}" for n in range(1, pool + 1)],
        repeated=frozenset(),
        seed="s",
    )


def number(slot: Slot) -> int:
    return int(slot.response_id[1:])


def test_live_answers_keep_their_order_and_none_is_lost() -> None:
    merged = queue(0, 300, pool=30, validity=8, repeat=9)
    assert [number(slot) for slot in merged if slot.kind is LIVE] == list(range(1, 301))


def test_no_validity_paper_comes_twice_and_they_run_out() -> None:
    merged = queue(0, 300, pool=5, validity=8)
    planted = [slot.response_id for slot in merged if slot.kind is VALIDITY]
    assert planted == ["v1", "v2", "v3", "v4", "v5"]
    plenty = queue(0, 300, pool=200, validity=8)
    names = [slot.response_id for slot in plenty if slot.kind is VALIDITY]
    assert len(names) == len(set(names)) == len(list(places(8, "s:validity", 0, 300)))


def test_validity_papers_stand_behind_the_places() -> None:
    merged = queue(0, 300, pool=200, validity=8)
    behind = [number(merged[at - 1]) for at, slot in enumerate(merged) if slot.kind is VALIDITY]
    assert behind == list(places(8, "s:validity", 0, 300))


def test_a_repeat_comes_at_least_forty_live_answers_later_and_a_hundred_where_it_can() -> None:
    merged = queue(0, 400, repeat=5)
    far = {}
    done = 0
    for slot in merged:
        done += slot.kind is LIVE
        if slot.kind is REPEAT:
            far[slot.response_id] = (done, done - number(slot))
    assert len(far) == sum(slot.kind is REPEAT for slot in merged) > 40
    assert all(distance >= FEWEST_BETWEEN for _, distance in far.values())
    assert min(place for place, _ in far.values()) > FEWEST_BETWEEN
    # Below a hundred only where nothing lies a hundred back, or everything there was repeated before.
    near = [place for place, distance in far.values() if distance < A_DAYS_PAPERS]
    assert near
    assert max(near) <= A_DAYS_PAPERS


def test_a_queue_too_short_for_a_repeat_has_none() -> None:
    assert {slot.kind for slot in queue(0, FEWEST_BETWEEN, repeat=2)} == {LIVE}
    assert sum(slot.kind is REPEAT for slot in queue(0, FEWEST_BETWEEN + 4, repeat=2)) >= 1


def test_no_answer_is_repeated_twice_even_over_two_deals() -> None:
    first = queue(0, 150, repeat=4)
    had = {slot.response_id for slot in first if slot.kind is REPEAT}
    second = merge(
        [f"r{n}" for n in range(1, 151)],
        [f"r{n}" for n in range(151, 301)],
        validity_every=None,
        repeat_every=4,
        validity_pool=[],
        repeated=had,
        seed="s",
    )
    again = [slot.response_id for slot in second if slot.kind is REPEAT]
    assert len(again) == len(set(again)) > 20
    assert not had & set(again)
    whole = [slot for slot in queue(0, 300, repeat=4) if slot.kind is REPEAT]
    assert whole == [slot for slot in (*first, *second) if slot.kind is REPEAT]


def test_nothing_stands_before_the_first_live_answer_of_a_deal() -> None:
    assert queue(10, 30, pool=30, validity=2)[0].kind is LIVE


def test_over_deals_and_versions_of_the_set_nobody_gets_a_validity_paper_twice(tmp_path: Path) -> None:
    small = make_checked(tmp_path / "w", graders=2, answers=24, validity=(3, 4, 3, 4, 2, 2))
    scores = (3, 4, 3, 4, 2, 2, 4, 3)
    write_packet(small.path, "mee-barge-v", scores=scores, anchors=(), purpose="validity", version=2)
    register_files(small.bench, small.actor)
    small.take_in(ITEM, 120)
    deal(small.bench, small.actor)
    with small.bench.record() as record:
        papers = record.calibration.papers
    for grader in small.graders:
        essays = [papers[dealt.response_id].essay for dealt in of_kind(small, grader, VALIDITY)]
        assert sorted(essays) == [f"E0{n}" for n in range(1, 9)]
        assert validity_pool(small.bench, ITEM, grader.account_id) == []
        positions = [dealt.position for dealt in small.queue(grader)]
        assert positions == list(range(1, len(positions) + 1))
    small.bench.store.close()


def test_a_promoted_answer_is_planted_for_those_who_have_not_read_it(tmp_path: Path) -> None:
    small = make_checked(tmp_path / "w", graders=2, validity=(), answers=8)
    live = {grader.account_id: small.queue(grader)[0].response_id for grader in small.graders}
    for response_id in live.values():
        small.append(EventKind.PAPER_PROMOTED, response_id, item=ITEM, reference=4, grade_events=[1])
    first, second = live
    assert validity_pool(small.bench, ITEM, first) == [live[second]]
    assert validity_pool(small.bench, ITEM, second) == [live[first]]
    small.bench.store.close()


def test_each_grader_has_the_papers_in_an_order_and_at_places_of_their_own(tmp_path: Path) -> None:
    small = make_checked(tmp_path / "w", graders=4, answers=160)
    planted = [of_kind(small, grader, VALIDITY)[:6] for grader in small.graders]
    assert len({tuple(dealt.response_id for dealt in one) for one in planted}) == 4
    assert len({tuple(dealt.position for dealt in one) for one in planted}) == 4
    small.bench.store.close()
