from __future__ import annotations

import dataclasses

from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.store.responses import (
    add_mbe,
    all_mbe,
    all_responses,
    dealt_among,
    get_response_or_none,
    last_deal_order,
    mbe_row_hash,
    response_row_hash,
    undealt_in_deal_order,
)
from grader_app.store.texts import get_text_or_none


def test_answers_come_back_by_id_and_in_deal_order_until_they_are_dealt(small: SmallWorkspace) -> None:
    store = small.bench.store
    late = small.take_in("mee-barge", 3)
    assert undealt_in_deal_order(store, "mee-barge") == late
    assert last_deal_order(store, "mee-barge") == 7
    assert last_deal_order(store, "rule-ferry") == 0
    everyone = [response.response_id for response in all_responses(store)]
    assert everyone == sorted(everyone)
    assert dealt_among(store, everyone) == set(everyone) - set(late)
    found = get_response_or_none(store, late[0])
    assert found is not None
    assert (found.item, found.deal_order) == ("mee-barge", 5)
    assert get_text_or_none(store, found.text_hash) == "Answer 5 to mee-barge."


def test_answers_taken_back_are_not_dealt(small: SmallWorkspace) -> None:
    late = small.take_in("mee-barge", 2)
    small.append(EventKind.ANSWERS_WITHDRAWN, "mee-barge", response_ids=late[:1])
    assert undealt_in_deal_order(small.bench.store, "mee-barge") == late[1:]


def test_an_answer_that_is_not_there_is_none(small: SmallWorkspace) -> None:
    assert get_response_or_none(small.bench.store, "rnone") is None


def test_a_rows_own_hash_changes_with_anything_it_says(small: SmallWorkspace) -> None:
    response = next(all_responses(small.bench.store))
    digest = response_row_hash(response)
    for name, value in dataclasses.asdict(response).items():
        other = (not value) if isinstance(value, bool) else value + (1 if isinstance(value, int) else "x")
        assert response_row_hash(dataclasses.replace(response, **{name: other})) != digest, name
    assert mbe_row_hash("c1", 1, 140) == mbe_row_hash("c1", 1, 140.0) != mbe_row_hash("c1", 1, 140.1)
    assert mbe_row_hash("c1", 1, 140) != mbe_row_hash("c1", 2, 140)


def test_a_second_mbe_score_corrects_the_first_which_stays(small: SmallWorkspace) -> None:
    with small.bench.store.write() as connection:
        add_mbe(connection, [("c2", 150), ("c1", 140.5)])
    assert all_mbe(small.bench.store) == {"c1": 140.5, "c2": 150.0}
    with small.bench.store.write() as connection:
        add_mbe(connection, [("c3", 100), ("c1", 1)])
    assert all_mbe(small.bench.store) == {"c1": 1.0, "c2": 150.0, "c3": 100.0}
    kept = small.bench.store.rows("SELECT mbe FROM mbe WHERE candidate_id = 'c1' ORDER BY revision")
    assert [row["mbe"] for row in kept] == [140.5, 1.0]
