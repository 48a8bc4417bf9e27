from __future__ import annotations

import hashlib

import pytest
from small_workspace import SmallWorkspace

from grader_app.store.texts import get_text_or_none, keep_text, salted_hash


def keep(small: SmallWorkspace, body: str) -> str:
    with small.bench.store.write() as connection:
        return keep_text(connection, body)


@pytest.mark.parametrize("body", ["", "plain", "é 😀 \u202e right to left", "nul \0 inside", "\r\nlines\r"])
def test_a_text_comes_back_to_the_letter(small: SmallWorkspace, body: str) -> None:
    assert get_text_or_none(small.bench.store, keep(small, body)) == body


def test_the_same_words_have_another_hash_each_time_so_that_nobody_can_guess_them(
    small: SmallWorkspace,
) -> None:
    first, second = keep(small, "conflict"), keep(small, "conflict")
    assert first != second
    assert hashlib.sha256(b"conflict").hexdigest() not in (first, second)
    row = small.bench.store.rows("SELECT * FROM kept_text WHERE hash = ?", (first,))[0]
    assert salted_hash(row["salt"], row["body"]) == first


def test_half_a_character_does_not_lose_the_note(small: SmallWorkspace) -> None:
    assert get_text_or_none(small.bench.store, keep(small, "good \ud83d point")) == "good \ufffd point"
    assert get_text_or_none(small.bench.store, keep(small, "good \ud83d\ude00")) == "good 😀"


def test_a_text_that_is_gone_is_none(small: SmallWorkspace) -> None:
    assert get_text_or_none(small.bench.store, "0" * 64) is None
