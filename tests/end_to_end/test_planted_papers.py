"""A planted paper cannot be told from a live answer by the form of anything its grader receives."""

import json
import re

import pytest
from browsers import wait_until_drawn
from calibrating import ITEM, all_bytes, calibrating_round, elements, run_page
from people import frames_of
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from grader_app.domain.panel import ReadKind
from grader_app.workflow.feedback import text_of_paper

pytestmark = pytest.mark.browser

HASH = re.compile(rb"[0-9a-f]{32}")
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
PROGRESS = re.compile(r"(\d+) of (\d+) graded · about [^<]+ left")


@pytest.fixture(scope="module")
def panel(tmp_path_factory, serve):
    with calibrating_round(tmp_path_factory.mktemp("planted") / "workspace", serve, graders=5) as made:
        yield made


@pytest.fixture
def grader(panel):
    """A grader who may grade live, and has graded nothing yet."""
    found = panel.grader()
    panel.small.calibrate(found)
    return found


@pytest.fixture
def queue(panel, grader):
    """What lies before the grader: live answers, and validity papers among them."""
    found = panel.small.queue(grader, ITEM)
    assert {one.kind for one in found[1:]} == {ReadKind.LIVE, ReadKind.VALIDITY}
    return found


def first_of_each(queue):
    """The start of a queue, as far as the first planted paper and the live answer after it."""
    planted = next(at for at, one in enumerate(queue) if one.kind is ReadKind.VALIDITY)
    after = next(at for at, one in enumerate(queue) if at > planted and one.kind is ReadKind.LIVE)
    return queue[: after + 1]


def form(message, dealt, text):
    """Give the bytes of a message without what differs from any answer to the next: ids, text and times."""
    plain = ForwardMsg.FromString(message.SerializeToString())
    plain.ClearField("hash")
    element = plain.delta.new_element
    kind = element.WhichOneof("type")
    if kind == "bidi_component" and element.bidi_component.component_name.endswith("grading_desk"):
        data = json.loads(element.bidi_component.json)  # Its keys stay as they are, in their order.
        assert data["answer"] == text
        # The answer graded before is another each time; a test of its own says which it is.
        data |= {
            "previous": data["previous"] is not None,
            "answer": "TEXT",
            "csrf_token": "TOKEN",
            "progress": list(data["progress"]),
        }
        element.bidi_component.json = INSTANT.sub("INSTANT", json.dumps(data))
    if kind == "text" and element.text.body == text:
        element.text.body = "TEXT"
    same = HASH.sub(b"HASH", plain.SerializeToString(deterministic=True))
    return same.replace(dealt.assignment_id.encode(), b"ID")


def deltas(messages):
    """The messages that put something on a page; the others speak of the session."""
    return [one for one in messages if one.WhichOneof("type") == "delta"]


def all_alike(queue, forms):
    """Say whether all papers have one form; the first is left out, since no grade was given before it."""
    assert len(queue) == len(forms)
    return all(one == forms[1] for one in forms[1:])


@pytest.mark.parametrize("query", ["", "form=plain"])
def test_the_server_sends_the_same_bytes_for_a_planted_paper(panel, grader, queue, query):
    served = panel.served
    cookie, token = served.session_of(grader.name), served.csrf_token_of(grader.name)
    shown, answered, corrected = [], [], []
    for dealt in queue:
        text = text_of_paper(panel.small.bench, dealt.response_id)
        sent = deltas(run_page(served, cookie, "grade", query))
        assert text.splitlines()[0].encode() in all_bytes(sent)
        shown.append([form(one, dealt, text) for one in sent])
        entry = {"assignment": dealt.assignment_id, "token": f"grade-{dealt.assignment_id}"}
        draft = served.request_json("/desk/draft", entry | {"draft": {"score": 3}}, cookie, token)
        graded = served.request_json(
            "/desk/submit", entry | {"entry": {"score": 3}, "seconds": 60}, cookie, token
        )
        assert (draft.status, graded.status) == (200, 200)
        answered.append([INSTANT.sub("INSTANT", one.text) for one in (draft, graded)])
        sent = deltas(run_page(served, cookie, "grade", f"{query}&correct={dealt.assignment_id}".strip("&")))
        corrected.append([form(one, dealt, text) for one in sent])
    for forms in (shown, answered, corrected):
        assert all_alike(queue, forms)


def test_the_browser_holds_the_same_page_for_a_planted_paper(panel, grader, queue, new_tab):
    tab = new_tab(panel.served)
    received = frames_of(tab.page)
    tab.enter(grader.name, "/grade")
    messages, pages, counts = [], [], []
    for dealt in queue:
        assert tab.at_desk() == dealt.assignment_id
        pages.append(page_of(tab, dealt, tab.answer))
        text = text_of_paper(panel.small.bench, dealt.response_id)
        arrived = deltas(ForwardMsg.FromString(frame) for frame in received)
        received.clear()
        messages.append([form(one, dealt, text) for one in arrived])
        counts.append(PROGRESS.search(tab.page.locator(".desk-root .progress").inner_text()).groups())
        tab.grade(3)
        if dealt is not queue[-1]:
            tab.next_after(dealt.assignment_id)
    assert len(messages[1]) == 2
    assert all_alike(queue, messages)
    assert all_alike(queue, pages)
    # The count tells nothing either: a planted paper is one more.
    assert counts == [(str(done), str(len(queue))) for done in range(len(queue))]
    tab.heading("Nothing left to grade").wait_for()


def test_the_plain_form_of_a_planted_paper_is_the_same_page(panel, grader, queue, new_tab):
    tab = new_tab(panel.served)
    pages, start = [], first_of_each(queue)
    for dealt in start:
        tab.enter(grader.name, "/grade?form=plain")
        tab.heading(f"Answer {dealt.assignment_id}").wait_for()
        tab.page.get_by_text("Cannot grade this, because …").wait_for()
        pages.append(page_of(tab, dealt, tab.page.get_by_test_id("stText").first))
        panel.small.submit(dealt, 3)
    assert all_alike(start, pages)


def test_the_list_of_ones_own_grades_does_not_tell_them_apart(panel, grader, queue):
    for dealt in queue:
        panel.small.submit(dealt, 3)
    (table,) = (
        one.html.body
        for one in elements(run_page(panel.served, panel.served.session_of(grader.name), "progress"))
        if one.WhichOneof("type") == "html" and "correct=" in one.html.body
    )
    rows = re.findall(r"<tr><td>.*?</tr>", table)
    latest_first = [one.assignment_id for one in reversed(queue)]
    assert [re.search("correct=(a[a-z0-9]+)", row).group(1) for row in rows] == latest_first
    same = {
        re.sub(r"\d\d? \w{3} \d{4}, \d\d:\d\d UTC", "TIME", row).replace(name, "ID")
        for row, name in zip(rows, latest_first, strict=True)
    }
    assert len(same) == 1


MADE_ANEW = (
    (PROGRESS, "COUNT"),
    (re.compile(r"\d\d:\d\d:\d\d"), "TIME"),
    (re.compile(r"[0-9a-f]{32}"), "HASH"),
    (re.compile(r"(react-aria\d+-)?:r\w+:"), "NUMBER"),
)
"""What is another for every answer, or every time a page is drawn."""

CONTENT = """
(answer) => {
  const root = answer.getRootNode();
  const inside = root === document ? "" : root.innerHTML;
  const all = inside + document.querySelector("[data-testid=stMain]").outerHTML;
  return all.replace(answer.innerHTML, "TEXT");
}
"""


def page_of(tab, dealt, answer):
    """Give all markup of a page's content and of the desk in it, without ids, text, times and the count."""
    wait_until_drawn(tab.page)
    whole = answer.evaluate(CONTENT).replace(dealt.assignment_id, "ID")
    assert whole.count("TEXT") == 1
    for pattern, word in MADE_ANEW:
        whole = pattern.sub(word, whole)
    return whole
