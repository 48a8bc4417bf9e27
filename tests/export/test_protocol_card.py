from __future__ import annotations

import json
from pathlib import Path

import pytest
from graded_rounds import GradedRound, grade_all

from grader_app.domain.events import EventKind
from grader_app.errors import VerificationFailed
from grader_app.export.protocol_card import protocol_card
from grader_app.export.protocol_step import Step, step
from grader_app.export.results import Results
from grader_app.export.verify import verify_export
from grader_app.store.event_log import append, read_events
from grader_app.store.inputs import read_inputs

ITEMS = ("mee-barge", "mee-crane", "rule-ferry")


def card_of(made: GradedRound, upto: int | None = None) -> dict[str, Step]:
    events = list(read_events(made.bench.store))[:upto]
    return {one.name: one for one in protocol_card(Results(events, read_inputs(made.bench.store)))}


def record(made: GradedRound, kind: EventKind, subject: str, body: dict[str, object]) -> int:
    with made.bench.store.write() as connection:
        return append(
            connection, at=made.bench.now(), actor=made.actor, kind=kind, subject=subject, body=body
        )


def test_no_step_is_followed_without_an_event_at_any_moment_of_a_round(graded: GradedRound) -> None:
    events = list(read_events(graded.bench.store))
    inputs = read_inputs(graded.bench.store)
    registered = max(e.seq for e in events if e.kind == EventKind.FILE_REGISTERED)
    for upto in range(registered, len(events) + 1, 5):
        for one in protocol_card(Results(events[:upto], inputs)):
            assert bool(one.events) or one.followed in ("no", "not_applicable"), (upto, one)
            assert all(1 <= seq <= upto for seq in one.events), (upto, one)


def test_what_a_graded_round_without_training_followed(graded: GradedRound) -> None:
    card = card_of(graded)
    assert {name: one.followed for name, one in card.items()} == {
        "materials_registered": "yes",
        "training": "no",
        "blinding_held": "partly",
        "rank_order_first": "no",
        "gate_passed": "no",
        "second_reads": "partly",
        "checks_planted": "no",
        "disputes_settled": "no",
        "scaled_to_pool": "partly",
    }
    assert card["second_reads"].says.startswith("35 of 36 answers (97 %)")
    assert card["disputes_settled"].says.startswith("0 of 2 disputes")
    assert card["training"].says.startswith("All materials were opened before the first live grade in 0 of 9")


def test_the_events_of_second_reads_are_grades_of_answers_with_two(graded: GradedRound) -> None:
    events = {event.seq: event for event in read_events(graded.bench.store)}
    found = card_of(graded)["second_reads"].events
    assert len(found) == 35
    assert {events[seq].kind for seq in found} == {EventKind.GRADE_SUBMITTED}


def test_training_counts_only_before_the_first_live_grade(own_round: GradedRound) -> None:
    early, late = own_round.graders[0].account_id, own_round.graders[1].account_id
    body = {"item": "mee-barge", "item_hash": "h", "item_version": "1", "materials": []}
    seq = record(own_round, EventKind.TRAINING_COMPLETED, early, body)
    grade_all(own_round)
    record(own_round, EventKind.TRAINING_COMPLETED, late, body)
    training = card_of(own_round)["training"]
    assert (training.followed, training.events) == ("partly", (seq,))


def test_the_blind_held_once_every_question_is_closed_and_no_source_was_known(own_round: GradedRound) -> None:
    grade_all(own_round)
    closed = [record(own_round, EventKind.ITEM_CLOSED, item, {"item": item}) for item in ITEMS]
    ids = sorted(own_round.ids.values())
    record(own_round, EventKind.SOURCES_REVEALED, "w", {"export": "x", "response_ids": ids})
    held = card_of(own_round)["blinding_held"]
    assert held.followed == "yes"
    assert set(closed) < set(held.events)


def test_a_source_known_while_its_question_was_open_means_that_the_blind_did_not_hold(
    own_round: GradedRound,
) -> None:
    grade_all(own_round)
    record(own_round, EventKind.ITEM_CLOSED, "mee-barge", {"item": "mee-barge"})
    ids = [own_round.ids["mee-crane", 0]]
    seq = record(own_round, EventKind.SOURCES_REVEALED, "w", {"export": "x", "response_ids": ids})
    held = card_of(own_round)["blinding_held"]
    assert (held.followed, held.events) == ("no", (seq,))


def test_a_case_without_an_event_is_never_followed() -> None:
    assert step("n", "t", 3, 3, [], "s").followed == "no"
    assert step("n", "t", 0, 3, [4], "s").followed == "no"
    assert step("n", "t", 1, 3, [4], "s").followed == "partly"
    assert step("n", "t", 3, 3, [4], "s").followed == "yes"


def test_an_edited_protocol_card_is_found(export_copy: Path) -> None:
    path = export_copy / "protocol.json"
    card = json.loads(path.read_bytes())
    assert card["steps"][1]["followed"] == "no"
    path.write_bytes(path.read_bytes().replace(b'"followed": "no"', b'"followed": "yes"', 1))
    with pytest.raises(VerificationFailed, match=r"protocol\.json"):
        verify_export(export_copy)


def test_the_report_carries_the_card_on_its_first_page(exported: Path) -> None:
    page = (exported / "report.html").read_text("utf-8")
    first = page[: page.index("</section>")]
    assert "Protocol card" in first
    assert "Rank\N{NO-BREAK SPACE}order\N{NO-BREAK SPACE}first" in first
    assert first.index("Protocol card") < first.index("<h2>Totals</h2>")
