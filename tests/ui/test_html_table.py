"""Tables of text and numbers: what counts as a number stands right."""

from __future__ import annotations

import pytest

from grader_app.ui.parts.html_table import table_html
from grader_app.ui.parts.spoken import duration


@pytest.mark.parametrize("seconds", [0, 45, 60, 150, 3600, 7400])
def test_how_long_something_takes_stands_right_like_a_number(seconds: int) -> None:
    said = duration(seconds)
    assert f'<td class="number">{said}</td>' in table_html(["Median time"], [[said], [None]])


@pytest.mark.parametrize("words", ["open", "4 papers", "under review", "1 Dec 2026, 02:30 UTC", "2 min ago"])
def test_words_stand_left(words: str) -> None:
    assert f"<td>{words}</td>" in table_html(["State"], [["45 s"], [words]])


def test_only_words_too_long_for_a_line_may_be_broken_on_a_phone() -> None:
    moment, reason = "28 Jul 2026, 14:02 UTC", "The second reader saw the counterclaim."
    drawn = table_html(["When", "Reason"], [[moment, reason]])
    assert f"<td>{moment}</td>" in drawn
    assert f'<td class="words">{reason}</td>' in drawn
