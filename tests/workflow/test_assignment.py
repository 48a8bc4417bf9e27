from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_workspace import SmallWorkspace, write_round

from grader_app.domain.events import EventKind, first_break
from grader_app.domain.panel import Role
from grader_app.domain.round import Reading
from grader_app.errors import NotAllowed
from grader_app.store.assignments import assignments_of
from grader_app.store.event_log import read_events
from grader_app.store.responses import all_responses
from grader_app.workflow.accounts import add_account, disable_account, find_account
from grader_app.workflow.assignment import deal, own_order, readers_in_turn
from grader_app.workflow.registration import register_files

Make = Callable[..., SmallWorkspace]
GRADERS = ("p1", "p2", "p3", "p4", "p5")


def chosen(
    count: int,
    graders: Sequence[str],
    *,
    overlap: float = 0,
    reads: int = 1,
    already: int = 0,
    seed: str = "7",
) -> list[tuple[str, ...]]:
    reading = Reading.model_validate({"reads": reads, "overlap_percent": overlap})
    return readers_in_turn(count, graders, reading, loads={}, already=already, seed=seed)


def loads(readers: list[tuple[str, ...]]) -> Counter[str]:
    return Counter(reader for both in readers for reader in both)


@given(st.integers(0, 200), st.integers(2, 5), st.floats(0, 100), st.text(max_size=5))
@settings(max_examples=60)
def test_the_share_read_twice_is_right_loads_are_even_and_nobody_reads_an_answer_twice(
    count: int, graders: int, overlap: float, seed: str
) -> None:
    readers = chosen(count, GRADERS[:graders], overlap=overlap, seed=seed)
    assert len(readers) == count
    twice = [both for both in readers if len(both) == 2]
    assert all(first != second for first, second in twice)
    # The share begins at a random phase and is exact at whole turns: off by an answer or two in between.
    assert abs(len(twice) - count * overlap / 100) <= 2.5
    held = loads(readers)
    assert max(held.values(), default=0) - min((held[g] for g in GRADERS[:graders]), default=0) <= 2


def test_none_of_the_answers_is_read_twice_at_nought_percent_and_all_at_a_hundred() -> None:
    assert {len(both) for both in chosen(50, GRADERS)} == {1}
    assert {len(both) for both in chosen(50, GRADERS, overlap=100)} == {2}
    assert {len(both) for both in chosen(50, GRADERS, reads=2)} == {2}


@pytest.mark.parametrize("graders", [2, 3, 4, 5])
@pytest.mark.parametrize("overlap", [20, 25, 40, 50, 60, 75, 80, 100])
def test_every_grader_has_the_same_share_of_first_reads_read_again(graders: int, overlap: float) -> None:
    # Shares that fall into step with the turn are the ones to fear: a fifth of the answers, five graders.
    readers = chosen(200, GRADERS[:graders], overlap=overlap)
    again = Counter(both[0] for both in readers if len(both) == 2)
    assert len(again) == graders
    assert max(again.values()) - min(again.values()) <= 1 + 200 % graders


@pytest.mark.parametrize("graders", [2, 3, 4, 5])
@pytest.mark.parametrize("overlap", [20, 25, 40, 50, 60, 75, 80, 100])
def test_all_pairs_of_graders_come_to_share_answers(graders: int, overlap: float) -> None:
    readers = chosen(200, GRADERS[:graders], overlap=overlap)
    pairs = Counter(frozenset(both) for both in readers if len(both) == 2)
    assert set(pairs) == {frozenset(pair) for pair in combinations(GRADERS[:graders], 2)}


@given(st.integers(0, 60), st.integers(0, 60), st.floats(1, 99))
@settings(max_examples=40)
def test_the_share_stays_right_when_answers_come_in_two_lots(early: int, late: int, overlap: float) -> None:
    first = chosen(early, GRADERS, overlap=overlap)
    second = chosen(late, GRADERS, overlap=overlap, already=early)
    twice = sum(len(both) == 2 for both in [*first, *second])
    assert abs(twice - (early + late) * overlap / 100) <= 2.5


def test_the_readers_are_a_pure_function_of_the_seed() -> None:
    assert chosen(40, GRADERS, overlap=30) == chosen(40, GRADERS, overlap=30)
    starts = {
        tuple(len(both) for both in chosen(10, GRADERS, overlap=30, seed=str(seed))) for seed in range(20)
    }
    assert len(starts) > 1


def test_a_queue_is_in_the_order_that_seed_grader_and_answer_give_whatever_came_first(make: Make) -> None:
    small = make(answers=12, reading="reads: 2", seed=5)
    orders = []
    for grader in small.graders:
        queue = small.queue(grader)
        assert [dealt.position for dealt in queue] == list(range(1, 13))
        orders.append([dealt.response_id for dealt in queue])
        assert orders[-1] == sorted(orders[-1], key=lambda r: own_order(5, grader.account_id, r))
    assert set(orders[0]) == set(orders[1])
    assert orders[0] != orders[1]
    intake = [response.response_id for response in all_responses(small.bench.store)]
    assert intake not in orders


def test_ids_of_one_answer_differ_between_graders_and_say_nothing_of_the_queue(make: Make) -> None:
    small = make(answers=30, reading="reads: 2")
    ids = [[dealt.assignment_id for dealt in small.queue(grader)] for grader in small.graders]
    assert not set(ids[0]) & set(ids[1])
    assert all(mine != sorted(mine) for mine in ids)


def test_late_answers_and_a_late_grader_never_move_earlier_deals(make: Make) -> None:
    small = make(answers=9, reading="reads: 1\noverlap_percent: 50")
    before = {grader.account_id: small.queue(grader) for grader in small.graders}
    small.take_in("mee-barge", 5)
    small.add_grader("grader-3")
    (done,) = deal(small.bench, small.actor)
    assert done.answers == 5
    for grader in small.graders[:2]:
        assert small.queue(grader)[: len(before[grader.account_id])] == before[grader.account_id]
    late = small.queue(small.graders[2])
    assert late
    assert {dealt.response_id for dealt in late}.isdisjoint(
        dealt.response_id for queue in before.values() for dealt in queue
    )
    assert deal(small.bench, small.actor) == []


def test_a_disabled_grader_and_a_lead_are_dealt_nothing(make: Make) -> None:
    small = make(graders=3, answers=0)
    add_account(small.bench, small.actor, "lead", Role.LEAD)
    disable_account(small.bench, small.actor, small.graders[1])
    small.take_in("mee-barge", 6)
    (done,) = deal(small.bench, small.actor)
    assert done.by_grader == {small.graders[0].account_id: 3, small.graders[2].account_id: 3}
    lead = find_account(small.bench, "lead")
    assert assignments_of(small.bench.store, lead.account_id) == []


def test_a_deal_says_what_it_did_by_item(make: Make) -> None:
    small = make(answers=0, reading="reads: 2")
    small.take_in("mee-barge", 3)
    small.take_in("rule-ferry", 2)
    (only,) = deal(small.bench, small.actor, "rule-ferry")
    assert (only.item, only.answers, only.second_reads) == ("rule-ferry", 2, 2)
    (rest,) = deal(small.bench, small.actor)
    assert (rest.item, rest.answers, sum(rest.by_grader.values())) == ("mee-barge", 3, 6)
    with pytest.raises(NotAllowed, match="no item `mee-crane`"):
        deal(small.bench, small.actor, "mee-crane")


def test_without_a_grader_there_is_nobody_to_deal_to(make: Make) -> None:
    small = make(graders=0, answers=2, dealt=False)
    with pytest.raises(NotAllowed, match="account add NAME --role grader"):
        deal(small.bench, small.actor)


@pytest.mark.parametrize("reading", ["reads: 2", "reads: 1\noverlap_percent: 20"])
def test_one_grader_where_second_reads_are_asked_for_is_refused_by_a_sentence(
    make: Make, reading: str
) -> None:
    small = make(graders=1, answers=3, dealt=False, reading=reading)
    before = small.counts()
    with pytest.raises(NotAllowed, match=r"one grader only \(grader-1\)"):
        deal(small.bench, small.actor)
    assert small.counts() == before
    write_round(small.path, version=2, reading="reads: 1\noverlap_percent: 0")
    register_files(small.bench, small.actor)
    assert deal(small.bench, small.actor)[0].answers == 3


def test_ten_deals_at_once_deal_every_answer_once(make: Make) -> None:
    small = make(graders=3, answers=20, dealt=False, reading="reads: 2")
    start = threading.Barrier(10)
    done: list[int] = []

    def work() -> None:
        start.wait()
        done.append(sum(one.answers for one in deal(small.bench, small.actor)))

    threads = [threading.Thread(target=work) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [0] * 9 + [20]
    assert small.counts()["assignment"] == 40
    assert first_break(read_events(small.bench.store)) is None


def test_the_event_of_a_deal_names_each_answers_text_so_that_a_swap_shows(small: SmallWorkspace) -> None:
    hashes = {r.response_id: r.text_hash for r in all_responses(small.bench.store)}
    dealt = [event for event in read_events(small.bench.store) if event.kind == EventKind.ANSWERS_DEALT]
    rows = [row for event in dealt for row in event.body["assignments"]]
    assert len(rows) == 4
    assert all(row["text_hash"] == hashes[row["response_id"]] for row in rows)
