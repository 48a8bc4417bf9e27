from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader_app.files.spreadsheet_text import as_known, neutralise, undo_neutralised


@given(st.one_of(st.text(), st.text("'=+-@\t\r a", max_size=6)))
def test_export_then_import_is_the_identity(text: str) -> None:
    assert undo_neutralised(neutralise(text)) == text


@given(st.text("'=+-@\t\r a", max_size=6))
def test_no_exported_text_starts_as_a_formula(text: str) -> None:
    assert neutralise(text)[:1] not in {"=", "+", "-", "@", "\t", "\r"}


@pytest.mark.parametrize("text", ["plain", "", "'tis", " =1", "a=1"])
def test_text_that_runs_nothing_is_left_alone(text: str) -> None:
    assert neutralise(text) == text


@given(st.text("'=+-@\t\r a", max_size=6))
def test_a_name_copied_from_an_export_is_known_again_and_a_known_one_never_taken_for_another(
    text: str,
) -> None:
    assert as_known(neutralise(text), {text}) == text
    assert as_known(text, {text, undo_neutralised(text)}) == text
    assert as_known(text, set()) == text
