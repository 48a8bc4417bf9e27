import pytest

from grader_app.domain.quoted_words import places_of

TEXT = "A duty\nof care binds Borrower; a duty of care.\u202e 原告は勝つ。 له الحق 🙂"


@pytest.mark.parametrize("words", ["binds Borrower", "原告は", "له الحق", "🙂", "care.[U+202E]"])
def test_words_copied_from_the_screen_are_found_where_they_stand(words):
    ((start, end),) = places_of(TEXT, words)
    assert TEXT[start:end] == words.replace("[U+202E]", "\u202e")


def test_a_line_end_and_a_space_are_the_same_to_whoever_copies():
    assert places_of(TEXT, " duty   of care") == [(2, 14), (33, 45)]


@pytest.mark.parametrize("words", ["", " \n", "duty of cares", "DUTY OF CARE", "a.d"])
def test_what_is_not_there_is_not_found(words):
    assert places_of(TEXT, words) == []
