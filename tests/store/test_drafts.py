from __future__ import annotations

from typing import Any

import pytest
from small_workspace import SmallWorkspace

from grader_app.store.drafts import drop_draft, get_draft_or_none, save_draft


def save(small: SmallWorkspace, body: dict[str, Any], at: str = "t") -> int:
    dealt = small.queue(small.graders[0])[0]
    with small.bench.store.write() as connection:
        return save_draft(connection, dealt.assignment_id, body, at)


def test_a_drafts_revision_grows_with_each_save_and_the_last_is_what_stands(small: SmallWorkspace) -> None:
    assert [save(small, {"score": score}, f"t{score}") for score in (2, 3, 4)] == [1, 2, 3]
    draft = get_draft_or_none(small.bench.store, small.queue(small.graders[0])[0].assignment_id)
    assert draft is not None
    assert (draft.body, draft.revision, draft.saved_at) == ({"score": 4}, 3, "t4")


@pytest.mark.parametrize("note", ["é 😀", "half \ud83d a character", "nul \0", "'; DROP TABLE draft; --"])
def test_whatever_was_typed_comes_back(small: SmallWorkspace, note: str) -> None:
    save(small, {"note": note})
    draft = get_draft_or_none(small.bench.store, small.queue(small.graders[0])[0].assignment_id)
    assert draft is not None
    assert draft.body == {"note": note}


def test_a_dropped_draft_is_gone_and_the_next_begins_anew(small: SmallWorkspace) -> None:
    save(small, {"score": 2})
    assignment_id = small.queue(small.graders[0])[0].assignment_id
    with small.bench.store.write() as connection:
        drop_draft(connection, assignment_id)
    assert get_draft_or_none(small.bench.store, assignment_id) is None
    assert save(small, {"score": 3}) == 1
