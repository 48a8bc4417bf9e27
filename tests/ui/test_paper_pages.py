import pytest
from drawn_pages import says, texts

from grader_app.domain.events import EventKind
from grader_app.domain.ids import check_letter
from grader_app.domain.panel import Role
from grader_app.domain.score_sheet import SheetRow
from grader_app.store.event_log import append
from grader_app.workflow import accounts
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.paper_scores import FIRST, SECOND, key_scores
from grader_app.workflow.printed_packets import find_packet, packets, print_packet

ITEM = "mee-sale-of-goods"


@pytest.fixture
def lead(person):
    return person.sign_in("lead")


@pytest.fixture
def packet(lead):
    """Two papers of grader-1 on paper."""
    grader = accounts.find_account(lead.bench, "grader-1").account_id
    packet_id = print_packet(lead.bench, lead.account.account_id, grader, ITEM, 2, token="t")
    return find_packet(lead.bench, packet_id)


def key(lead, packet, who, keying, *scores):
    rows = {
        a: SheetRow(check_letter(a), {"score": score})
        for a, score in zip(packet.assignment_ids, scores, strict=True)
    }
    key_scores(lead.bench, who, packet.packet_id, keying, rows, token=f"{who}{keying}")


def key_by_two(lead, packet, first, second):
    other, _ = accounts.add_account(lead.bench, lead.account.account_id, "Perrin", Role.LEAD)
    key(lead, packet, lead.account.account_id, FIRST, *first)
    key(lead, packet, other.account_id, SECOND, *second)


def click(app, label):
    next(button for button in app.button if button.label == label).click()
    return app.run()


def test_a_packet_is_made_with_one_button_and_can_be_opened(lead):
    app = lead.draw("lead_pages.print_packets")
    assert says(app, "No packet has been printed yet")
    app.number_input[0].set_value(3)
    app = click(app, "Make the packet")
    assert not app.exception
    (made,) = packets(lead.bench)
    assert made.papers == 3
    assert not made.packet.named
    assert says(app, f"/packet/{made.packet.packet_id}")
    assert says(app, "out; 0 of 3 graded")


def test_only_people_who_can_grade_on_paper_are_offered(lead):
    app = lead.draw("lead_pages.print_packets")
    assert app.selectbox[0].options == ["grader-1"]


def test_calling_a_packet_back_needs_a_choice_and_a_reason(lead, packet):
    app = lead.draw("lead_pages.print_packets")
    app = click(app, "Call it back")
    assert says(app, "Choose a packet first.")
    app.selectbox[2].select_index(0)
    app = click(app, "Call it back")
    assert says(app, "needs a reason")
    app.selectbox[2].select_index(0)
    app.text_input[0].set_value("Left on a train.")
    app = click(app, "Call it back")
    assert says(app, "is called back; 2 papers are on the grader's screen again.")
    assert says(app, "called back; 0 of 2 graded")


def test_why_one_packet_was_called_back_is_not_offered_for_the_next(lead, packet):
    grader = accounts.find_account(lead.bench, "grader-1").account_id
    print_packet(lead.bench, lead.account.account_id, grader, ITEM, 1, token="another")
    app = lead.draw("lead_pages.print_packets")
    app.text_input[0].set_value("Left on a train.")
    app = click(app, "Call it back")
    assert says(app, "Choose a packet first.")
    assert app.text_input[0].value == "Left on a train."
    app.selectbox[2].select_index(0)
    app = click(app, "Call it back")
    assert says(app, "is called back")
    assert (app.text_input[0].value, app.selectbox[2].value) == ("", None)


def test_the_keying_page_leads_to_printing_where_nothing_is_printed(lead):
    app = lead.draw("lead_pages.keying")
    assert says(app, "nothing to key")
    assert says(app, "/print")


def test_the_keying_page_says_what_comes_next_and_no_score(lead, packet):
    app = lead.draw("lead_pages.keying")
    assert says(app, f"/keying?packet={packet.packet_id}")
    app = lead.draw("lead_pages.keying", packet=packet.packet_id)
    assert says(app, "2 rows have not been keyed.")
    assert says(app, f"/packet/{packet.packet_id}/keying/first")
    key(lead, packet, lead.account.account_id, FIRST, "4", "3")
    app = lead.draw("lead_pages.keying", packet=packet.packet_id)
    assert says(app, "2 rows wait for the second keying.")
    assert not any(">4<" in text or ">3<" in text for text in texts(app))


def test_a_difference_is_shown_side_by_side_and_settled(lead, packet):
    key_by_two(lead, packet, ("4", "3"), ("4", "5"))
    app = lead.draw("lead_pages.keying", packet=packet.packet_id)
    assert says(app, "1 paper was keyed differently.")
    assert says(app, "differs")
    app = click(app, "The second is right")
    assert says(app, "Paper 2 is settled")
    assert says(app, "Done: every paper of this packet has its grade.")
    with lead.bench.record() as record:
        scores = [record.history[a][-1].score for a in packet.assignment_ids]
    assert scores == [4, 5]


def test_neither_keying_need_be_right(lead, packet):
    key_by_two(lead, packet, ("4", "3"), ("4", "5"))
    app = lead.draw("lead_pages.keying", packet=packet.packet_id)
    field = next(one for one in app.text_input if one.label == "Score")
    field.set_value("9")
    app = click(app, "Record what the sheet says")
    assert says(app, "9 is not on the scale 0 to 6")
    next(one for one in app.text_input if one.label == "Score").set_value("2")
    app = click(app, "Record what the sheet says")
    assert says(app, "Paper 2 is settled")


def test_a_packet_that_never_was_is_named(lead, packet):
    assert says(lead.draw("lead_pages.keying", packet="kxyz"), "There is no printed packet kxyz.")


def test_its_grader_is_told_what_is_on_paper(person, packet):
    person.sign_in("grader-1")
    assert says(person.draw("grader_pages.progress"), "2 answers are with you on paper")


@pytest.mark.parametrize("page", ["print_packets", "keying"])
def test_the_pages_of_paper_belong_to_the_lead(person, page):
    person.sign_in("grader-1")
    assert "WrongRole" in str(person.draw(f"lead_pages.{page}").exception)


def test_after_reveal_the_keying_page_asks_for_nothing_and_says_why(lead, packet):
    key_by_two(lead, packet, ("4", "3"), ("4", "5"))
    with lead.bench.store.write() as connection:
        append(
            connection,
            at=lead.bench.now(),
            actor=lead.account.account_id,
            kind=EventKind.SOURCES_REVEALED,
            subject="w",
            body={"response_ids": [row["id"] for row in lead.bench.store.rows("SELECT id FROM response")]},
        )
    app = lead.draw("lead_pages.keying", packet=packet.packet_id)
    assert not app.exception
    assert says(app, "Done: every paper of this packet has its grade, or takes none any more.")
    assert says(app, "1 paper without a grade when the sources were revealed")
    assert not says(app, "Look at the sheet a third time")
    assert not app.button
    assert says(lead.draw("lead_pages.keying"), "done; 1 without a grade")
    panel = lead.draw("lead_pages.panel")
    assert says(panel, "ended without a final score")
    assert not panel.exception


def test_a_closed_question_is_reopened_before_its_packet_is_keyed_on(lead, packet):
    key(lead, packet, lead.account.account_id, FIRST, "4", "3")
    close_item(lead.bench, lead.account.account_id, ITEM)
    app = lead.draw("lead_pages.keying", packet=packet.packet_id)
    assert says(app, "The question is closed, so nothing more is recorded from this packet.")
    assert says(app, "/scores")
    assert not says(app, "/keying/second")
