"""A grade keyed from paper stands only on two keyings that the log holds and that agree with it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from keyed_packets import key, key_twice, operator, printed
from small_workspace import SmallWorkspace
from test_forged_judgments import forge, verified

from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import EventKind
from grader_app.domain.keyed_grades import keyed_faults
from grader_app.store.event_log import read_events
from grader_app.workflow.paper_scores import FIRST, SECOND, settle_as


@pytest.fixture
def keyed(small: SmallWorkspace) -> SmallWorkspace:
    """One paper keyed alike twice, and one whose difference was settled."""
    packet = printed(small, 2)
    key_twice(small, packet, "4")
    key(small, packet, operator(small, "Quentin"), FIRST, "", "2")
    key(small, packet, operator(small, "Roisin"), SECOND, "", "3")
    settle_as(small.bench, small.actor, packet.packet_id, packet.assignment_ids[1], SECOND)
    return small


def test_what_was_keyed_as_it_should_be_is_whole(keyed: SmallWorkspace) -> None:
    assert list(keyed_faults(read_events(keyed.bench.store))) == []
    forge(keyed, "GradeSubmitted", lambda body: None)
    assert verified(keyed)[0] == 0


@pytest.mark.parametrize(
    ("kind", "change", "says"),
    [
        (
            "GradeSubmitted",
            lambda body: body.update(score=6),
            "it is not what was keyed",
        ),
        (
            "GradeSubmitted",
            lambda body: body["keyed"].update(settled=None),
            "its two keyings differ and nobody settled them",
        ),
        ("GradeSubmitted", lambda body: body["keyed"].update(first=1), "its two keyings are not in the log"),
        (
            "GradeSubmitted",
            lambda body: body["keyed"].update(second=body["keyed"]["first"]),
            "its two keyings are not in the log",
        ),
        (
            "GradeSubmitted",
            lambda body: body["keyed"].update(first=[1]),
            "its two keyings are not in the log",
        ),
        ("GradeSubmitted", lambda body: body["keyed"].update(by=["p1", "p2"]), "keyed by others"),
        ("GradeSubmitted", lambda body: body["keyed"].update(packet_id="kx"), "no packet that was out"),
        ("GradeSubmitted", lambda body: body.update(keyed=True), "no keying makes such a grade"),
        ("GradeSubmitted", lambda body: body.pop("keyed"), "is by another than the answer was dealt to"),
        ("PaperScoreKeyed", lambda body: body.update(score=1), "it is not what was keyed"),
        ("PaperScoreKeyed", lambda body: body.update(keying=1), "its two keyings are not in the log"),
        ("PacketPrinted", lambda body: body.update(assignment_ids=[]), "no packet that was out"),
    ],
)
def test_a_keyed_grade_that_its_keyings_do_not_bear_out_is_found(
    keyed: SmallWorkspace, kind: str, change: Callable[[dict], None], says: str
) -> None:
    forge(keyed, kind, change)
    code, said = verified(keyed)
    assert code == 1
    assert says in " ".join(said.split())


def test_a_grade_whose_two_keyings_differ_is_found(keyed: SmallWorkspace) -> None:
    def differ(body: dict) -> None:
        if body["keying"] == 2 and body["score"] == 4:
            body["score"] = 3

    forge(keyed, "PaperScoreKeyed", differ)
    assert "its two keyings differ and nobody settled them" in " ".join(verified(keyed)[1].split())


def test_one_person_twice_without_a_word_is_found(small: SmallWorkspace) -> None:
    packet = printed(small, 1)
    only = operator(small, "Odile")
    key(small, packet, only, FIRST, "4")
    key(small, packet, only, SECOND, "4", alone=True)
    forge(small, "PaperScoreKeyed", lambda body: body.update(alone=False))
    assert "one person keyed it twice without saying so" in " ".join(verified(small)[1].split())


def test_a_grade_entered_by_another_than_keyed_it_last_is_found(keyed: SmallWorkspace) -> None:
    events = list(read_events(keyed.bench.store))
    at = next(n for n, event in enumerate(events) if event.kind == EventKind.GRADE_SUBMITTED)
    events[at] = events[at]._replace(actor="p-other")
    assert "another recorded it" in next(keyed_faults(events))


def test_a_grade_keyed_after_its_packet_was_called_back_is_found(keyed: SmallWorkspace) -> None:
    events = list(read_events(keyed.bench.store))
    at = next(n for n, event in enumerate(events) if event.kind == EventKind.GRADE_SUBMITTED)
    packet_id = events[at].body["keyed"]["packet_id"]
    events.insert(at, events[at]._replace(kind=EventKind.PACKET_RECALLED, subject=packet_id, body_json="{}"))
    assert "no packet that was out" in next(keyed_faults(events))


def test_a_paper_keyed_again_until_it_fits_is_found(keyed: SmallWorkspace) -> None:
    events = list(read_events(keyed.bench.store))
    at = next(n for n, event in enumerate(events) if event.kind == EventKind.GRADE_SUBMITTED)
    second = events[at].body["keyed"]["second"]
    fits = next(n for n, event in enumerate(events) if event.seq == second)
    other = events[fits]._replace(seq=0, body_json=canonical_json({**events[fits].body, "score": 1}))
    events.insert(fits, other)
    assert "its two keyings are not in the log" in next(keyed_faults(events))
