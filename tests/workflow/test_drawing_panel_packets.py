"""Packets for the panel are drawn from answers that nobody was dealt, over all lengths."""

from __future__ import annotations

import threading

import pytest
from guarded_record import no_write_inside_record  # noqa: F401 - a fixture
from panel_packets import (
    ITEM,
    SET,
    Make,
    drawn_round,  # noqa: F401 - a fixture
    papers_of,
    read,
    take_in,
    undrawn_round,  # noqa: F401 - a fixture
    verify,
    write_panel_set,
)
from small_workspace import SmallWorkspace, write_item, write_packet

from grader_app.domain.events import EventKind
from grader_app.domain.panel import ReadKind
from grader_app.errors import GraderAppError, NotAllowed
from grader_app.store.event_log import read_events
from grader_app.store.responses import dealt_among
from grader_app.store.texts import word_counts
from grader_app.workflow.assignment import deal
from grader_app.workflow.panel_reference import draw_packets, spread_over_length
from grader_app.workflow.registration import register_files
from grader_app.workflow.rulings import make_ruling


def test_one_answer_is_drawn_from_each_band_of_length() -> None:
    words = {f"r{n:02d}": n for n in range(1, 91)}
    found = spread_over_length(list(reversed(words)), words, 30, "7")
    # Ninety answers of 1 to 90 words make thirty bands of three: 1-3, 4-6 … 88-90.
    assert [(words[r] - 1) // 3 for r in found] == list(range(30))
    assert spread_over_length(list(words), words, 30, "7") == found, "seeded, whatever the order"
    assert spread_over_length(list(words), words, 30, "8") != found
    assert len({words[r] % 3 for r in found}) == 3, "drawn at random within each band"


@pytest.mark.parametrize("count", range(1, 12))
def test_no_band_is_empty_and_no_answer_drawn_twice(count: int) -> None:
    words = {f"r{n:02d}": n for n in range(11)}
    assert len(set(spread_over_length(list(words), words, count, "7"))) == count
    assert spread_over_length(list(words), words, 11, "7") == list(words)


def test_both_packets_are_drawn_over_all_lengths_by_the_rounds_seed(made: SmallWorkspace) -> None:
    words = word_counts(made.bench.store)
    assert draw_packets(made.bench, made.actor, SET) == (5, 5)
    first, second = papers_of(made, 1), papers_of(made, 2)
    # Twenty answers of 1 to 20 words, ten drawn: one from each two; of each two drawn, one in each packet.
    assert sorted((words[r] - 1) // 2 for r in first + second) == list(range(10))
    for packet in (first, second):
        assert sorted((words[r] - 1) // 4 for r in packet) == list(range(5))
    both = spread_over_length(list(words), words, 10, f"11:{SET}")
    assert sorted(first + second) == sorted(both)
    events = [event for event in read_events(made.bench.store) if event.kind == EventKind.PANEL_PACKET_DRAWN]
    assert [event.body["packet"] for event in events] == [1, 2]
    assert [event.body["response_ids"] for event in events] == [first, second]
    assert {(event.subject, event.body["item"], event.actor) for event in events} == {(SET, ITEM, made.actor)}
    verify(made)


def test_what_is_drawn_is_never_dealt_nor_graded_live(drawn: SmallWorkspace) -> None:
    deal(drawn.bench, drawn.actor)
    later = drawn.take_in(ITEM, 3)
    deal(drawn.bench, drawn.actor)
    chosen = set(papers_of(drawn, 1) + papers_of(drawn, 2))
    with drawn.bench.record() as record:
        dealt = {one.response_id for one in record.assignments.values()}
        assert len(chosen) == 10
        assert not dealt & chosen
        assert len(dealt) == 13
        assert set(later) <= dealt
        assert {record.standing(r).why for r in chosen} == {"The panel calibrates on this answer."}
    read(drawn, drawn.graders[0], 1, 2, 3, 4, 5)
    with drawn.bench.record() as record:
        kinds = {one.kind for one in record.assignments.values() if one.response_id in chosen}
        assert kinds == {ReadKind.CALIBRATION}
        assert record.grades == {}
        assert not any(record.is_dealt(r) for r in chosen)
    assert dealt_among(drawn.bench.store, sorted(chosen)) == chosen, "their intake cannot be undone"


def test_too_few_answers_are_refused_with_both_numbers(make: Make) -> None:
    made = make(graders=3, answers=2, qualification="required", items=(ITEM,))
    write_panel_set(made)
    register_files(made.bench, made.actor)
    take_in(made, 9)
    refused = rf"^9 answers to {ITEM} were never dealt, and the packets need 5 \+ 5\."
    with pytest.raises(NotAllowed, match=refused):
        draw_packets(made.bench, made.actor, SET)
    assert made.count(EventKind.PANEL_PACKET_DRAWN) == 0
    take_in(made, 1)
    assert draw_packets(made.bench, made.actor, SET) == (5, 5)


def test_packets_are_drawn_once_and_for_a_panels_set_only(drawn: SmallWorkspace) -> None:
    write_packet(drawn.path, "mee-barge-a")
    register_files(drawn.bench, drawn.actor)
    logged = drawn.kinds()
    for set_id, why in (
        (SET, "drawn already"),
        ("mee-barge-a", "are given, so there is nothing to draw"),
        ("mee-barge-z", "no such calibration set"),
    ):
        with pytest.raises(NotAllowed, match=why):
            draw_packets(drawn.bench, drawn.actor, set_id)
    assert drawn.kinds() == logged


def test_two_clicks_at_once_draw_once(made: SmallWorkspace) -> None:
    ready = threading.Barrier(2)
    errors: list[GraderAppError] = []

    def act() -> None:
        ready.wait()
        try:
            draw_packets(made.bench, made.actor, SET)
        except GraderAppError as error:
            errors.append(error)

    threads = [threading.Thread(target=act) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) == 1
    assert made.count(EventKind.PANEL_PACKET_DRAWN) == 2


def test_nothing_is_drawn_for_a_sheet_that_has_changed_since_though_a_ruling_is_no_change(
    made: SmallWorkspace,
) -> None:
    write_item(made.path, ITEM, version=2)
    sheet = made.path / "rubrics" / ITEM / "point_sheet.yaml"
    sheet.write_text(sheet.read_text("utf-8").replace("needs control", "needs custody"), "utf-8")
    register_files(made.bench, made.actor)
    with pytest.raises(NotAllowed, match=r"is for version 1 of the point sheet.*Raise `point_sheet_version`"):
        draw_packets(made.bench, made.actor, SET)
    write_panel_set(made, version=2, sheet=2)
    register_files(made.bench, made.actor)
    make_ruling(made.bench, made.actor, ITEM, "Either side of control earns the point.")
    assert draw_packets(made.bench, made.actor, SET) == (5, 5)
