from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader_app.domain.content_hash import canonical_json, content_hash

JSON: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=6,
)


def test_order_spaces_and_whole_floats_make_no_difference() -> None:
    assert content_hash({"a": 1, "b": [2.0, 0.5]}) == content_hash({"b": (2, 0.5), "a": 1.0})
    assert canonical_json({"b": -0.0, "a": "é"}) == '{"a":"é","b":0}'


def test_the_empty_object_has_the_known_sha256() -> None:
    # SHA-256 of the two bytes {}
    assert content_hash({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_are_not_finite_are_refused(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json([number])


@given(JSON)
def test_canonical_json_is_json_and_stable_under_reading_it_back(obj: Any) -> None:
    once = canonical_json(obj)
    assert canonical_json(json.loads(once)) == once


@given(st.text(), st.text())
def test_different_text_has_different_hashes(one: str, other: str) -> None:
    assert (content_hash(one) == content_hash(other)) == (one == other)
