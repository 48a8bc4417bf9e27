"""References that the panel makes itself."""

import re

import pytest
from calibration_drawn import LEAD, PAGE, account_id, cells, click, events, fill, plain
from drawn_pages import says, texts
from finished_packets import (
    add_person,
    score_panel_packet,
)


@pytest.fixture
def grader(person):
    return person.sign_in("grader-1")


def freeze_box(app, name):
    return next(one for one in app.selectbox if one.label == f"Reference of {name}")


def judge_second_packet(panel, first):
    bench, person = panel.bench, panel.person
    app = person.draw(LEAD, part="Panel's own references")
    assert says(app, "Second packet: 0 graders finished, 0 judged.")
    assert [b.label for b in app.button if "Judge" in b.label] == []
    for grader in panel.graders:
        score_panel_packet(bench, grader.account_id, [1, 2, 3, 4, 5])
    app = click(person.draw(LEAD, part="Panel's own references"), "Judge the panel")
    assert says(app, "3 graders judged.")
    assert [e.body["outcome"] for e in events(bench, "QualificationJudged")][-3:] == ["qualified"] * 3
    app = click(app, "Freeze the references of the second packet")
    assert says(app, "5 references frozen")
    rows = cells(app, "Why not the middle")[1:]
    assert [row[:3] for row in rows] == [
        [f"Paper 0{number}", response_id, score]
        for number, response_id, score in zip(range(1, 6), first, "53521", strict=True)
    ]


def test_a_panels_own_references_are_drawn_discussed_frozen_and_judged_on(panel):
    bench, person = panel.bench, panel.person
    app = person.draw(LEAD, part="Panel's own references")
    assert says(app, "5 on which the panel makes its references, and 5 on which each grader is judged")
    app = click(app, "Draw the packets")
    assert says(app, "Drawn: 5 answers for the first packet, 5 for the second.")
    with bench.record() as record:
        drawn = record.calibration.drawn
        first = sorted(r for r, (_, number) in drawn.items() if number == 1)
    # In the order of the answers' ids; the middle is 4, 3, 5, 2 and a code against two scores.
    for grader, scores in zip(
        panel.graders, ([4, 3, 5, 2, None], [4, 2, 5, 3, 1], [3, 4, 5, 2, 1]), strict=True
    ):
        app = person.draw(LEAD, part="Panel's own references")
        score_panel_packet(bench, grader.account_id, scores)
    app = person.draw(LEAD, part="Panel's own references")
    said = plain(app)
    assert "3 graders finished the first packet." in said
    for number, middle in enumerate(("middle 4", "middle 3", "middle 5", "middle 2"), start=1):
        assert re.search(rf"Paper 0{number}: [\d /]+; {middle}", said)
    assert "codes and scores, so choose" in said
    app = click(app, "Freeze the references of the first packet")
    assert says(app, "Paper 05: the readers gave a code against a score or another code.")
    freeze_box(app, "Paper 05").set_value("1")
    freeze_box(app, "Paper 01").set_value("5")
    fill(app, "Reason for Paper 05", "There are two sentences.")
    app = click(app, "Freeze the references of the first packet")
    assert says(app, "Paper 01: the reference departs from the panel's middle. Write why.")
    assert events(bench, "ReferencesFrozen") == []
    freeze_box(app, "Paper 05").set_value("1")
    freeze_box(app, "Paper 01").set_value("5")
    fill(app, "Reason for Paper 05", "There are two sentences.")
    fill(app, "Reason for Paper 01", "All agreed once they had talked.")
    app = click(app, "Freeze the references of the first packet")
    assert says(app, "5 references frozen; they are these answers' final scores.")
    rows = {row["response_id"]: row for row in events(bench, "ReferencesFrozen")[-1].body["references"]}
    assert [rows[r]["score"] for r in first] == [5, 3, 5, 2, 1]
    with bench.record() as record:
        assert record.standing(first[0]).final == 5
    judge_second_packet(panel, first)


def test_a_first_packet_read_by_one_grader_cannot_be_frozen_yet(panel):
    click(panel.person.draw(LEAD, part="Panel's own references"), "Draw the packets")
    score_panel_packet(panel.bench, panel.graders[0].account_id, [4, 3, 5, 2, 1])
    app = panel.person.draw(LEAD, part="Panel's own references")
    assert says(app, "1 grader finished the first packet. From 2 on its references can be frozen")
    assert not [b for b in app.button if "Freeze" in b.label]


def test_feedback_on_a_packet_without_references_yet_says_so(panel):
    click(panel.person.draw(LEAD, part="Panel's own references"), "Draw the packets")
    add_person(panel.bench, panel.actor, "reader")
    attempt = score_panel_packet(panel.bench, account_id(panel.bench, "reader"), [4, 3, 5, 2, 1])
    app = panel.person.sign_in("reader").draw(PAGE, attempt=attempt)
    assert not app.exception
    said = plain(app)
    assert "Your order and scores are part of the panel's references." in said
    assert "The second packet opens after the panel has met on this one." in said
    assert "The panel makes the references of this packet at its meeting." in said
    assert "Step" not in said


def test_after_the_meeting_a_reader_sees_the_panels_references_beside_their_own_scores(panel):
    bench, person = panel.bench, panel.person
    click(person.draw(LEAD, part="Panel's own references"), "Draw the packets")
    add_person(bench, panel.actor, "reader")
    attempt = score_panel_packet(bench, account_id(bench, "reader"), [4, 3, 5, 2, 1])
    for grader in panel.graders[:2]:
        score_panel_packet(bench, grader.account_id, [1, 3, 5, 2, 1])
    click(person.draw(LEAD, part="Panel's own references"), "Freeze the references of the first packet")
    app = person.sign_in("reader").draw(PAGE, attempt=attempt)
    assert not app.exception
    (papers,) = [text for text in texts(app) if "<article" in text]
    first = papers.split("<article")[1]
    assert "<h4>Paper 01</h4>" in first
    assert "You: 4<br>Reference: 1" in first
    assert "3 points above" in first
    assert says(app, "Another packet waits: 2 attempts left.")
