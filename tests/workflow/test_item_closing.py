from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.store.event_log import read_events
from grader_app.store.texts import get_text_or_none
from grader_app.workflow.item_closing import close_item, reopen_item


def test_an_item_is_closed_and_reopened_with_a_reason_and_can_be_graded_again(small: SmallWorkspace) -> None:
    first, second = small.queue(small.graders[0])
    small.submit(first)
    close_item(small.bench, small.actor, "mee-barge")
    with pytest.raises(NotAllowed, match="closed already"):
        close_item(small.bench, small.actor, "mee-barge")
    reopen_item(small.bench, small.actor, "mee-barge", "One answer was missing.")
    event = list(read_events(small.bench.store))[-1]
    assert event.kind == EventKind.ITEM_REOPENED
    assert get_text_or_none(small.bench.store, event.body["reason_hash"]) == "One answer was missing."
    small.submit(second)
    close_item(small.bench, small.actor, "mee-barge")
    with small.bench.record() as record:
        assert record.closed_items == {"mee-barge"}


def test_of_several_who_close_or_reopen_at_once_one_does_and_the_others_are_told(
    small: SmallWorkspace,
) -> None:
    small.submit(small.queue(small.graders[0])[0])

    def told(act: Callable[[], None]) -> str:
        try:
            act()
        except NotAllowed as refusal:
            return str(refusal)
        return ""

    acts = (
        lambda: close_item(small.bench, small.actor, "mee-barge"),
        lambda: reopen_item(small.bench, small.actor, "mee-barge", "One answer was missing."),
    )
    for act, said in zip(acts, ("closed already", "open already"), strict=True):
        with ThreadPoolExecutor(4) as leads:
            found = sorted(leads.map(lambda _, act=act: told(act), range(4)))
        assert found[0] == ""
        assert all(said in one for one in found[1:])
    kinds = small.kinds()
    assert (kinds.count(EventKind.ITEM_CLOSED), kinds.count(EventKind.ITEM_REOPENED)) == (1, 1)


def test_nothing_to_close_nothing_to_reopen_and_no_such_item_are_sentences(small: SmallWorkspace) -> None:
    before = small.counts()
    with pytest.raises(NotAllowed, match="Nothing of mee-barge has been graded"):
        close_item(small.bench, small.actor, "mee-barge")
    with pytest.raises(NotAllowed, match="no item `mee-crane`"):
        close_item(small.bench, small.actor, "mee-crane")
    with pytest.raises(NotAllowed, match="open already"):
        reopen_item(small.bench, small.actor, "mee-barge", "why not")
    assert small.counts() == before


def test_reopening_needs_a_reason(small: SmallWorkspace) -> None:
    small.submit(small.queue(small.graders[0])[0])
    close_item(small.bench, small.actor, "mee-barge")
    with pytest.raises(GradeProblem, match="needs a reason"):
        reopen_item(small.bench, small.actor, "mee-barge", "  ")
    with small.bench.record() as record:
        assert record.closed_items == {"mee-barge"}
