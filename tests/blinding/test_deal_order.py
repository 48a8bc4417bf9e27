"""Every grader gets nearly the same mix of sources, whatever the number of graders."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader_app.blinding.deal_order import GRADERS, deal_order


def dealt(sources, seed=1, before=()):
    order = deal_order(sources, random.Random(seed), before)
    assert sorted(order) == list(range(len(sources)))
    return [sources[at] for at in order]


def differences(sequence, graders):
    """By how much each source's count differs between graders, when dealt in turn."""
    piles = [Counter(sequence[first::graders]) for first in range(graders)]
    return {source: max(p[source] for p in piles) - min(p[source] for p in piles) for source in set(sequence)}


def test_two_sources_and_two_graders_do_not_get_one_source_each():
    sequence = dealt(["x"] * 50 + ["y"] * 50)
    assert max(differences(sequence, 2).values()) <= 2


@pytest.mark.parametrize("graders", GRADERS)
@pytest.mark.parametrize("counts", [(100, 100), (30, 30, 30), (95,) * 4, (40,) * 10, (60, 20, 7, 3, 1, 1)])
def test_each_sources_count_differs_by_two_at_most(graders, counts):
    sources = [f"s{number}" for number, count in enumerate(counts) for _ in range(count)]
    assert max(differences(dealt(sources), graders).values()) <= 2


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=8), st.integers(0, 10), st.integers(0, 2**32))
def test_any_mix_is_spread_evenly_over_any_number_of_graders(counts, singles, seed):
    sources = [f"s{number}" for number, count in enumerate(counts) for _ in range(count)]
    sources += [f"single {number}" for number in range(singles)]
    sequence = dealt(sources, seed)
    for graders in GRADERS:
        assert max(differences(sequence, graders).values()) <= 3


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(2, 60), min_size=2, max_size=6), st.integers(0, 2**32))
def test_every_beginning_holds_the_sources_in_proportion(counts, seed):
    """In 1,500 random mixes the furthest that a source was from its share was 5.5 answers."""
    sources = [f"s{number}" for number, count in enumerate(counts) for _ in range(count)]
    so_far = Counter()
    for length, source in enumerate(dealt(sources, seed), start=1):
        so_far[source] += 1
        for number, count in enumerate(counts):
            assert abs(so_far[f"s{number}"] - count * length / len(sources)) <= 9


def test_late_answers_go_on_from_the_earlier_ones():
    sequence = []
    for batch in range(30):
        sequence += dealt(["x", "x", "y", "y", "y", "z"], seed=batch, before=sequence)
    for graders in GRADERS:
        assert max(differences(sequence, graders).values()) <= 4


def test_the_order_does_not_follow_the_file():
    orders = {tuple(deal_order(["x", "y"] * 20, random.Random(seed))) for seed in range(20)}
    firsts = {order[0] for order in orders}
    assert len(orders) == 20
    assert len(firsts) > 5


def test_the_same_randomness_gives_the_same_order():
    sources = ["x", "y", "z"] * 10
    assert deal_order(sources, random.Random(5)) == deal_order(sources, random.Random(5))


def test_sources_with_one_answer_lie_in_random_places():
    orders = [dealt([f"s{n}" for n in range(10)], seed) for seed in range(300)]
    firsts = Counter(order[0] for order in orders)
    assert len(firsts) == 10
    assert max(firsts.values()) < 60


def test_no_answers_give_an_empty_order():
    assert deal_order([], random.Random(1)) == []
