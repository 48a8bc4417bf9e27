from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from checked_workspace import make_checked
from keyed_packets import printed
from small_workspace import SmallWorkspace, write_item

from grader_app.domain.events import EventKind
from grader_app.domain.panel import ReadKind
from grader_app.errors import GradeProblem, ItemIsClosed, NotAllowed
from grader_app.store.assignments import count_waiting
from grader_app.store.event_log import read_events
from grader_app.workflow.accounts import disable_account
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.live_grading import next_sheet_or_none, save_draft, sheet_of
from grader_app.workflow.printed_packets import (
    count_on_paper,
    find_packet,
    packets,
    print_packet,
    printed_name_or_none,
    recall_packet,
    sheets_of,
)
from grader_app.workflow.redealing import left_behind
from grader_app.workflow.registration import register_files

Make = Callable[..., SmallWorkspace]


def on_screen(small: SmallWorkspace) -> str | None:
    sheet = next_sheet_or_none(small.bench, small.graders[0].account_id)
    return None if sheet is None else sheet.assignment_id


def test_a_packet_holds_the_next_papers_of_the_queue_in_its_order(
    make: Make,
) -> None:
    small = make(answers=10)
    queue = [dealt.assignment_id for dealt in small.queue(small.graders[0])]
    packet = printed(small, 3)
    assert list(packet.assignment_ids) == queue[:3]
    assert on_screen(small) == queue[3]
    assert count_on_paper(small.bench, small.graders[0].account_id) == 3
    assert count_waiting(small.bench.store, small.graders[0].account_id, "mee-barge") == 2
    with small.bench.record() as record:
        assert record.printed == dict.fromkeys(queue[:3], packet.packet_id)


def test_the_event_names_the_grader_by_id_and_nothing_of_the_texts(small: SmallWorkspace) -> None:
    packet = printed(small, named=True)
    event = next(e for e in read_events(small.bench.store) if e.kind == EventKind.PACKET_PRINTED)
    assert event.subject == small.graders[0].account_id
    assert set(event.body) == {"packet_id", "item", "item_hash", "rubric_hash", "assignment_ids", "named"}
    assert "grader-1" not in event.as_json()
    assert event.body["packet_id"] == packet.packet_id


def test_the_cover_bears_a_name_only_where_the_lead_asked_for_it(make: Make) -> None:
    small = make(answers=8)
    assert printed_name_or_none(small.bench, printed(small, 1)) is None
    assert printed_name_or_none(small.bench, printed(small, 1, named=True)) == "grader-1"


def test_a_double_click_prints_one_packet(small: SmallWorkspace) -> None:
    grader = small.graders[0].account_id
    made = {print_packet(small.bench, small.actor, grader, "mee-barge", 1, token="t") for _ in range(2)}
    assert len(made) == 1
    assert small.count(EventKind.PACKET_PRINTED) == 1


def test_fewer_papers_are_printed_where_fewer_wait_and_none_is_refused(small: SmallWorkspace) -> None:
    assert len(printed(small, 60).assignment_ids) == 2
    with pytest.raises(NotAllowed, match="Nothing waits for grader-1"):
        printed(small, 60)


def test_a_paper_begun_on_the_screen_stays_there(small: SmallWorkspace) -> None:
    begun = on_screen(small)
    assert begun is not None
    save_draft(small.bench, small.graders[0].account_id, begun, {"score": 3})
    assert begun not in printed(small, 2).assignment_ids
    assert on_screen(small) == begun


def test_printing_is_refused_where_grading_would_be(make: Make) -> None:
    small = make(packets=("mee-barge-a",), qualification="required", items=("mee-barge",))
    with pytest.raises(NotAllowed, match="may not grade this question now"):
        printed(small)
    other = make(graders=3, answers=6)
    other.submit(other.queue(other.graders[1])[0])
    close_item(other.bench, other.actor, "mee-barge")
    with pytest.raises(ItemIsClosed):
        printed(other)
    disable_account(other.bench, other.actor, other.graders[2])
    with pytest.raises(NotAllowed, match="no such grader"):
        printed(other, grader=2)


@pytest.mark.parametrize("count", [0, -1, 201])
def test_a_packet_holds_a_sensible_number_of_papers(small: SmallWorkspace, count: int) -> None:
    with pytest.raises(NotAllowed, match="1 to 200"):
        printed(small, count)


def test_calling_back_puts_what_is_not_graded_on_the_screen_again(small: SmallWorkspace) -> None:
    before = on_screen(small)
    packet = printed(small, 2)
    assert on_screen(small) is None
    assert recall_packet(small.bench, small.actor, packet.packet_id, "Lost in the post.") == 2
    assert on_screen(small) == before
    with small.bench.record() as record:
        assert record.printed == {}
    with pytest.raises(NotAllowed, match="was called back"):
        recall_packet(small.bench, small.actor, packet.packet_id, "Again.")
    assert printed(small, 2).assignment_ids == packet.assignment_ids


def test_the_reason_for_calling_back_lies_apart_from_the_event(small: SmallWorkspace) -> None:
    recall_packet(small.bench, small.actor, printed(small).packet_id, "Left on a train.")
    event = next(e for e in read_events(small.bench.store) if e.kind == EventKind.PACKET_RECALLED)
    assert set(event.body) == {"item", "reason_hash"}
    assert "train" not in event.as_json()


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501])
def test_calling_back_needs_a_reason(small: SmallWorkspace, reason: str) -> None:
    packet = printed(small)
    with pytest.raises(GradeProblem, match="needs a reason"):
        recall_packet(small.bench, small.actor, packet.packet_id, reason)


def test_a_packet_that_never_was_is_refused_by_name(small: SmallWorkspace) -> None:
    with pytest.raises(NotAllowed, match="no printed packet kxyz"):
        find_packet(small.bench, "kxyz")


def test_what_is_on_paper_is_not_dealt_to_others_when_its_grader_leaves(small: SmallWorkspace) -> None:
    packet = printed(small, 1)
    disable_account(small.bench, small.actor, small.graders[0])
    assert {dealt.assignment_id for dealt in left_behind(small.bench)}.isdisjoint(packet.assignment_ids)
    recall_packet(small.bench, small.actor, packet.packet_id, "The grader left.")
    assert set(packet.assignment_ids) <= {dealt.assignment_id for dealt in left_behind(small.bench)}


def test_printed_sheets_are_those_of_the_screen_and_stay_those_of_the_day_of_printing(
    small: SmallWorkspace,
) -> None:
    packet = printed(small)
    dealt = small.queue(small.graders[0])
    before = sheets_of(small.bench, packet)
    assert before == [sheet_of(small.bench, one) for one in dealt]
    write_item(small.path, "mee-barge", version=2)
    prompt = small.path / "rubrics" / "mee-barge" / "prompt.md"
    prompt.write_text("Another question.\n", encoding="utf-8")
    register_files(small.bench, small.actor)
    assert sheet_of(small.bench, dealt[0]).prompt == "Another question."
    assert sheets_of(small.bench, packet) == before


def test_checks_are_printed_like_any_other_paper_and_unripe_repeats_are_not(tmp_path) -> None:
    small = make_checked(
        tmp_path / "checked", checks="validity_paper_every: 4\nself_repeat_every: 4", answers=60
    )
    packet = printed(small, 100)
    kinds = {one.assignment_id: one.kind for one in small.queue(small.graders[0], packet.item)}
    on_paper = [kinds[a] for a in packet.assignment_ids]
    assert ReadKind.VALIDITY in on_paper
    assert ReadKind.REPEAT not in on_paper
    assert ReadKind.REPEAT in kinds.values()
    sheets = sheets_of(small.bench, packet)
    plain = {repr(replace(sheet, assignment_id="", answer="")) for sheet in sheets}
    assert len(plain) == 1
    small.bench.store.close()


def test_progress_counts_what_was_graded_on_the_screen_meanwhile(small: SmallWorkspace) -> None:
    packet = printed(small, 2)
    small.submit(small.queue(small.graders[0])[0])
    (found,) = packets(small.bench)
    assert (found.packet, found.papers, found.graded) == (packet, 2, 1)
    assert count_on_paper(small.bench, small.graders[0].account_id) == 1
