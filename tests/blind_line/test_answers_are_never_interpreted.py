"""An answer is shown as it was written, whatever it looks like."""

import re
import sqlite3
from contextlib import closing

import pytest
from planted import TEXTS

pytestmark = pytest.mark.browser

CONTROLS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c]")


def text_of(planted, assignment):
    with closing(sqlite3.connect(planted / "workspace" / "workbench.db")) as database:
        (text,) = database.execute(
            "SELECT t.body FROM assignment a JOIN response r ON r.id = a.response_id "
            "JOIN kept_text t ON t.hash = r.text_hash WHERE a.id = ?",
            (assignment,),
        ).fetchone()
    return text


def named(text):
    """Hidden control characters by name, as the desk shows them."""
    return CONTROLS.sub(lambda found: f"[U+{ord(found.group()):04X}]", text)


def test_texts_are_stored_as_they_came(planted):
    with closing(sqlite3.connect(planted / "workspace" / "workbench.db")) as database:
        stored = {body for (body,) in database.execute("SELECT body FROM kept_text")}
    assert set(TEXTS) <= stored


def test_the_desk_shows_every_character_and_makes_no_element_of_any(evidence, planted):
    shown = {key: value for key, value in evidence.shown.items() if "paragraphs" in value}
    assert len(shown) == 5
    for assignment, seen in shown.items():
        text = text_of(planted, assignment)
        assert "\n\n".join(seen["paragraphs"]) == named(text)
        assert set(seen["kinds"]) <= {"p", "span"}
        assert seen["controls"] == [named(found) for found in CONTROLS.findall(text)]


def test_the_plain_form_shows_every_character_and_makes_no_element_of_any(evidence, planted):
    seen = evidence.shown["plain form"]
    assert seen["text"] == named(text_of(planted, seen["assignment"]))
    assert seen["elements"] == 0


def test_no_script_of_an_answer_ran(evidence):
    assert evidence.dialogs == []
    assert evidence.doors_with(b"pwned is") == []
