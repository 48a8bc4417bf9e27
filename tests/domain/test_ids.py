from __future__ import annotations

import itertools
import re

import pytest

from grader_app.domain.ids import check_letter, new_id, new_ids


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


ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def test_two_characters_exchanged_give_another_check_letter() -> None:
    for one in new_ids("a", 200):
        for at, other in itertools.combinations(range(1, 11), 2):
            signs = list(one)
            signs[at], signs[other] = signs[other], signs[at]
            swapped = "".join(signs)
            apart = abs(ALPHABET.index(one[at]) - ALPHABET.index(one[other]))
            if apart not in (0, 23):
                assert check_letter(swapped) != check_letter(one)


def test_a_character_mistaken_gives_another_check_letter_but_for_eight_pairs_unlike_each_other() -> None:
    alike = {"".join(pair) for pair in zip("23456789", "stuvwxyz", strict=True)}
    for one in new_ids("a", 50):
        for at in range(1, 11):
            for sign in set(ALPHABET) - {one[at]}:
                mistaken = one[:at] + sign + one[at + 1 :]
                same = check_letter(mistaken) == check_letter(one)
                assert same == ("".join(sorted((sign, one[at]))) in alike)
