from __future__ import annotations

import itertools
import re

import pytest

from grader_app.domain.ids import new_id, new_ids


@pytest.mark.parametrize("kind", ["r", "c", "a", "p"])
def test_an_id_is_its_kind_and_ten_letters_that_nobody_confuses(kind: str) -> None:
    for one in [new_id(kind), *new_ids(kind, 200)]:
        assert re.fullmatch(f"{kind}[2-9a-hjkmnp-z]{{10}}", one)


def test_many_ids_are_distinct_and_do_not_sort_in_the_order_made() -> None:
    made = new_ids("a", 5000)
    assert len(set(made)) == 5000
    assert made != sorted(made)
    # A fair shuffle has about half of its neighbours in order.
    rising = sum(first < second for first, second in itertools.pairwise(made))
    assert 2200 < rising < 2800


def test_no_ids_are_made_when_none_are_asked_for() -> None:
    assert new_ids("r", 0) == []


def test_every_letter_is_drawn_at_every_place_about_as_often() -> None:
    made = new_ids("r", 31_000)
    for place in range(1, 11):
        counts = [sum(one[place] == letter for one in made) for letter in set(one[place] for one in made)]
        assert len(counts) == 31
        assert min(counts) > 800
        assert max(counts) < 1200
