import dataclasses

import pytest

from grader_app.domain.response import BlindSheet

FIELDS = [
    ("assignment_id", "str"),
    ("item", "str"),
    ("title", "str"),
    ("kind", "str"),
    ("prompt", "str"),
    ("answer", "str"),
    ("cut_off", "bool"),
    ("rubric", "Rubric"),
    ("point_sheet", "PointSheet"),
    ("guidelines", "str"),
    ("file", "str"),
    ("library", "str"),
    ("item_hash", "str"),
]
"""All that a grader may see. Add a field here only after asking what it gives away, and to whom."""


def test_a_blind_sheet_has_these_fields_and_no_others():
    assert [(field.name, field.type) for field in dataclasses.fields(BlindSheet)] == FIELDS


def test_a_blind_sheet_cannot_be_changed_or_given_more():
    sheet = BlindSheet(**dict.fromkeys((name for name, _ in FIELDS), ""))
    with pytest.raises(dataclasses.FrozenInstanceError):
        sheet.answer = "another"
    with pytest.raises((dataclasses.FrozenInstanceError, TypeError)):
        sheet.source = "someone"
