"""A planted check on the grading desk: as a live answer in every key and type but its id and text."""

import json

import pytest
from checked_workspace import make_checked
from small_workspace import cheap_hashing  # noqa: F401 - a fixture

from grader_app.domain.panel import ReadKind
from grader_app.store.assignments import get_assignment_or_none
from grader_app.ui.parts.desk import desk_data
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.own_grades import own_grades

OWN = {"assignment", "served", "answer"}
"""What differs from paper to paper of any kind."""


@pytest.fixture(scope="module")
def sheets(tmp_path_factory):
    """Every sheet of one grader's queue as it came to the desk, with what kind it was."""
    checks = "validity_paper_every: 6\nself_repeat_every: 8"
    small = make_checked(tmp_path_factory.mktemp("blind") / "w", checks=checks, answers=80)
    grader_id = small.graders[0].account_id
    seen = []
    while (sheet := next_sheet_or_none(small.bench, grader_id)) is not None:
        kind = get_assignment_or_none(small.bench.store, sheet.assignment_id).kind
        seen.append((kind, sheet, data_of(sheet)))
        small.submit(get_assignment_or_none(small.bench.store, sheet.assignment_id), 3, seconds_spent=60)
    yield small, seen
    small.bench.store.close()


def data_of(sheet):
    progress = {"done": 1, "total": 2, "left_text": "about 2 min left"}
    return desk_data(sheet, csrf_token="t", draft=None, saved_at=None, progress=progress)


def types(value):
    """Keys and types, as deep as they go."""
    if isinstance(value, dict):
        return {key: types(one) for key, one in value.items()}
    if isinstance(value, list):
        return [types(one) for one in value]
    return type(value).__name__


def test_the_queue_holds_all_three_kinds(sheets):
    kinds = {kind for kind, _, _ in sheets[1]}
    assert kinds == {ReadKind.LIVE, ReadKind.VALIDITY, ReadKind.REPEAT}


@pytest.mark.parametrize("kind", [ReadKind.VALIDITY, ReadKind.REPEAT])
def test_a_check_differs_from_a_live_answer_in_id_and_text_only(sheets, kind):
    live = next(data for other, _, data in sheets[1] if other is ReadKind.LIVE)
    checks = [data for other, _, data in sheets[1] if other is kind]
    assert checks
    for data in checks:
        assert types(data) == types(live)
        # A repeat may be of the very answer it is compared with, and then has its text.
        assert OWN - {"answer"} <= {key for key in data if data[key] != live[key]} <= OWN
        assert list(data) == list(live)
        # Ids are of one length and alphabet, so the bytes around id and text are the same.
        assert len(data["assignment"]) == len(live["assignment"])
        bare = [json.dumps({**one, **dict.fromkeys(OWN, "")}) for one in (data, live)]
        assert bare[0] == bare[1]


def test_no_value_on_the_desk_names_a_kind_a_set_or_the_answer_behind_it(sheets):
    small, seen = sheets
    with small.bench.record() as record:
        hidden = {paper.response_id for paper in record.calibration.papers.values()}
        hidden |= set(record.calibration.current_sets) | set(record.inputs.responses)
    for _, sheet, data in seen:
        # The text is the paper's own and may say anything.
        text = json.dumps({**data, "answer": ""})
        assert not [word for word in (*hidden, "validity", "repeat", "reference") if word in text]
        assert sheet.assignment_id in text


def test_a_repeat_is_shown_under_a_new_id_with_the_same_text(sheets):
    _, seen = sheets
    for at, (kind, sheet, _) in enumerate(seen):
        if kind is ReadKind.REPEAT:
            before = [one for _, one, _ in seen[:at] if one.answer == sheet.answer]
            assert len(before) == 1
            assert before[0].assignment_id != sheet.assignment_id


def test_among_ones_own_grades_a_check_stands_like_any_other(sheets):
    small, seen = sheets
    rows = own_grades(small.bench, small.graders[0].account_id)
    assert {row.assignment_id for row in rows} == {sheet.assignment_id for _, sheet, _ in seen}
    kinds = {sheet.assignment_id: kind for kind, sheet, _ in seen}
    shapes = {}
    for row in rows:
        shapes.setdefault(kinds[row.assignment_id], set()).add(
            tuple((name, type(value).__name__) for name, value in vars(row).items())
        )
    assert len(set(map(frozenset, shapes.values()))) == 1
