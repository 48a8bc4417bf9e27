"""A place in the text as shown is the same place in the text as stored, in any script and line ending."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader_app.domain.highlight import Highlight
from grader_app.domain.shown_text import shown, to_shown, to_stored

TEXT = "Der Kläger hat Recht.\n\n原告は勝つ。\nالحق 🙂 له"  # noqa: RUF001


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("words", ["Kläger hat", "原告は", "🙂 له"])
def test_words_chosen_on_the_screen_are_the_stored_words(line_end, words):
    stored = " \r\n" + TEXT.replace("\n", line_end) + line_end
    at = shown(stored).index(words)
    start, end = to_stored(stored, at, at + len(words))
    assert Highlight(start, end, "point", "duty.rule").words(stored) == words
    assert to_shown(stored, start, end) == (at, at + len(words))


def test_words_across_a_line_end_take_the_whole_line_end_with_them():
    assert to_stored("One.\r\nTwo.", 3, 6) == (3, 7)


@given(st.text(alphabet="ab \r\n🙂", max_size=30), st.data())
def test_every_place_comes_back(stored, data):
    text = shown(stored)
    if not text:
        return
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    there = to_stored(stored, start, end)
    assert to_shown(stored, *there) == (start, end)
    assert stored[slice(*there)].replace("\r\n", "\n").replace("\r", "\n") == text[start:end]


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (2, 2), (0, 99)])
def test_a_place_outside_the_text_is_refused(start, end):
    with pytest.raises(ValueError, match="no place"):
        to_stored("Some words.", start, end)
