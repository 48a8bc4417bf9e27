import re
from contextlib import closing

import pytest
from served_workspace import add_people, copy_of

from grader_app.domain.ids import check_letter
from grader_app.workflow import accounts
from grader_app.workflow.printed_packets import find_packet, print_packet
from grader_app.workflow.workbench import Workbench

ITEM = "mee-sale-of-goods"


@pytest.fixture(scope="module")
def served(sample_workspace, serve, tmp_path_factory):
    """A sample round whose answers these tests print and key, with a second lead."""
    folder = copy_of(sample_workspace, tmp_path_factory.mktemp("paper") / "workspace")
    add_people(folder, "lead", "Perrin")
    return serve(folder)


@pytest.fixture(scope="module")
def lead_cookie(served):
    return served.session_of("lead")


@pytest.fixture(scope="module")
def packet(served):
    """A packet of two papers of grader-1."""
    return printed(served, 2, named=False)


def printed(served, count, named):
    bench = Workbench.open(served.workspace)
    with closing(bench.store):
        grader, lead = (accounts.find_account(bench, name).account_id for name in ("grader-1", "lead"))
        packet_id = print_packet(bench, lead, grader, ITEM, count, token=f"{count}{named}", named=named)
        return find_packet(bench, packet_id)


def typed(page, packet, *scores):
    """The fields of a form as somebody fills it in."""
    fields = {name: page.field(name) for name in ("csrf_token", "token")}
    for a, score in zip(packet.assignment_ids, scores, strict=False):
        fields |= {f"{a}/letter": check_letter(a), f"{a}/score": score}
    return fields


def test_the_same_packet_gives_the_same_bytes(served, lead_cookie, packet):
    address = f"/packet/{packet.packet_id}"
    first = served.raw(address, lead_cookie)
    assert first == served.raw(address, lead_cookie)
    assert first.count(b'class="paper starts') == 2


def test_a_packet_holds_all_it_takes_to_grade_and_fetches_nothing(served, lead_cookie, packet):
    page = served.request("GET", f"/packet/{packet.packet_id}", cookie=lead_cookie).text
    for title in ("Question", "Point sheet", "Scale", "Rulings of the panel", "Score sheet of packet"):
        assert f"<h2>{title}" in page
    for number, a in enumerate(packet.assignment_ids, start=1):
        assert f'<h2 class="id">{a}-{check_letter(a)}</h2><span>Paper {number} of 2</span>' in page
    assert "default-src 'none'" in page
    assert not re.search(r"https?:|<script|<link|<img|url\(", page)


def test_no_name_stands_in_a_packet_unless_it_was_asked_for(served, lead_cookie, packet):
    page = served.request("GET", f"/packet/{packet.packet_id}", cookie=lead_cookie).text
    assert "grader-1" not in page
    assert packet.grader_id not in page
    named = printed(served, 1, named=True)
    assert "<dd>grader-1</dd>" in served.request("GET", f"/packet/{named.packet_id}", cookie=lead_cookie).text


def test_nothing_in_a_packet_links_its_papers_to_answers(served, lead_cookie, packet):
    page = served.request("GET", f"/packet/{packet.packet_id}", cookie=lead_cookie).text
    for row in served.rows("SELECT id, candidate_id, text_hash FROM response"):
        assert not any(value in page for value in row.values())


@pytest.mark.parametrize("way", ["", "/keying/first", "/keying/second"])
def test_packets_belong_to_the_lead(served, packet, way):
    address = f"/packet/{packet.packet_id}{way}"
    assert served.request("GET", address).headers["location"] == "/sign-in"
    answer = served.request("GET", address, cookie=served.session_of("grader-1"))
    assert answer.status == 403
    assert packet.assignment_ids[0] not in answer.text


@pytest.mark.parametrize("path", ["/packet/kxyz", "/packet/kxyz/keying/first", "/packet/{id}/keying/third"])
def test_what_there_is_not_is_refused_with_a_sentence(served, lead_cookie, packet, path):
    answer = served.request("GET", path.replace("{id}", packet.packet_id), cookie=lead_cookie)
    assert answer.status == 404
    assert 'role="alert"' in answer.text


def test_a_form_without_its_token_or_from_another_site_is_refused(served, lead_cookie, packet):
    address = f"/packet/{packet.packet_id}/keying/first"
    page = served.request("GET", address, cookie=lead_cookie)
    form = typed(page, packet, "4")
    wrong = served.request("POST", address, form=form | {"csrf_token": "x"}, cookie=lead_cookie)
    foreign = {"Origin": "http://elsewhere.example"}
    other = served.request("POST", address, form=form, cookie=lead_cookie, headers=foreign)
    assert (wrong.status, other.status) == (403, 403)
    assert served.events("PaperScoreKeyed") == []


def test_two_people_key_a_packet_and_the_second_does_not_see_the_first(served, lead_cookie, packet):
    first, second = (f"/packet/{packet.packet_id}/keying/{which}" for which in ("first", "second"))
    page = served.request("GET", first, cookie=lead_cookie)
    wrong = served.request("POST", first, form=typed(page, packet, "8", "2"), cookie=lead_cookie)
    assert wrong.status == 400
    assert "The score 8 is not on the scale 0 to 6" in wrong.text
    assert 'value="8"' in wrong.text
    assert served.events("PaperScoreKeyed") == []

    for _ in range(2):
        done = served.request("POST", first, form=typed(page, packet, "5", "2"), cookie=lead_cookie)
        assert done.headers["location"] == f"/keying?packet={packet.packet_id}"
    assert len(served.events("PaperScoreKeyed")) == 2

    alone = served.request("GET", second, cookie=lead_cookie)
    assert "I am alone" in alone.text
    refused = served.request("POST", second, form=typed(alone, packet, "5", "2"), cookie=lead_cookie)
    assert "Let somebody else key them now" in refused.text

    perrin = served.session_of("Perrin")
    page = served.request("GET", second, cookie=perrin)
    assert "I am alone" not in page.text
    assert not re.search(r'/score"[^>]*value="\d', page.text)
    served.request("POST", second, form=typed(page, packet, "5", "3"), cookie=perrin)
    graded = [body for body in served.events("GradeSubmitted") if "keyed" in body]
    assert [body["score"] for body in graded] == [5.0]
    assert len(served.events("PaperScoreKeyed")) == 4
