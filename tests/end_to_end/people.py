"""What a grader and a lead do in the browser, in their own words."""

import re
from contextlib import contextmanager

from playwright.sync_api import expect
from served_workspace import PASSWORD

WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}

SELECT = """
([first, last]) => {
  const hosts = [...document.querySelectorAll("*")].filter((one) => one.shadowRoot);
  const answer = hosts.map((one) => one.shadowRoot.querySelector("[data-testid=answer]")).find(Boolean);
  const walker = document.createTreeWalker(answer, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  const from = nodes.find((one) => one.data.includes(first));
  const to = nodes.find((one) => one.data.includes(last));
  const end = to.data.indexOf(last) + last.length;
  document.getSelection().setBaseAndExtent(from, from.data.indexOf(first), to, end);
}
"""


class Tab:
    """One tab of one person's browser."""

    def __init__(self, page, served):
        self.page, self.served = page, served

    def open(self, path):
        self.page.goto(self.served.url + path)
        return self

    def enter(self, name, path):
        """Open a page as someone who has signed in already."""
        cookie, _, token = self.served.session_of(name).partition("=")
        self.page.context.add_cookies([{"name": cookie, "value": token, "url": self.served.url}])
        return self.open(path)

    def sign_in(self, name, password=None):
        self.page.goto(f"{self.served.url}/sign-in")
        return self.fill_sign_in(name, password)

    def fill_sign_in(self, name, password=None):
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Password").fill(password or PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        return self

    # -------------------------------------------------------------- the desk

    @property
    def answer(self):
        return self.page.get_by_test_id("answer")

    @property
    def note(self):
        return self.page.get_by_test_id("note")

    @property
    def saved(self):
        return self.page.get_by_test_id("saved")

    @property
    def problem(self):
        return self.page.get_by_test_id("problem")

    def at_desk(self):
        """Wait for an answer and give the id it has for this grader."""
        self.answer.wait_for()
        return self.answer.get_attribute("data-response")

    def next_after(self, assignment):
        """Wait until another answer is on the desk and give its id."""
        expect(self.answer).not_to_have_attribute("data-response", assignment)
        return self.at_desk()

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def chosen_score(self):
        on = self.page.locator('[role="radio"][aria-checked="true"]')
        return on.get_attribute("data-testid") if on.count() else None

    def grade(self, score):
        """Give a score with the keyboard and send it; give the id of the answer graded."""
        assignment = self.at_desk()
        self.press(str(score), "Control+Enter")
        return assignment

    def select(self, first, last=None):
        """Select from some words of the answer to others, as a hand on the mouse does."""
        self.page.evaluate(SELECT, [first, last or first])
        expect(self.page.get_by_test_id("words-bar")).to_be_visible()

    def painted(self, name):
        """How many places in the answer are drawn as a kind of highlight."""
        return self.page.evaluate("(name) => CSS.highlights.get(name)?.size ?? 0", f"desk-{name}")

    def draft_saved(self):
        expect(self.saved).to_contain_text(re.compile(r"^draft saved \d\d:\d\d:\d\d"))

    # ------------------------------------------------------------------ pages

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def heading(self, name):
        return self.page.get_by_role("heading", name=name, exact=True)


def intercept(page, path, handle, times=None):
    """Hand every request of an open page to a path to a function, from now on.

    A busy page sends what it sends in the next moments past a route that was just set: of 60 requests from
    a page that kept computing, three were. Hence a route of its own is asked for until it is heeded.
    """
    page.route(f"**{path}", handle, times=times)
    page.route("**/heeded", lambda route: route.abort())
    page.wait_for_function("() => fetch('/heeded').then(() => false, () => true)")
    page.unroute("**/heeded")


@contextmanager
def offline(page, path):
    """Lose every request to a path until the block ends; give the addresses asked for."""
    lost = []

    def lose(route):
        lost.append(route.request.url)
        route.abort("connectionreset")

    intercept(page, path, lose)
    yield lost
    page.unroute(f"**{path}", lose)


def open_to_all(path):
    """Grade without calibrating, checks, guesses or queues that even out: these have own tests."""
    said = path.read_text(encoding="utf-8")
    changed = said.replace('version: "1"', 'version: "2"', 1)
    changed = changed.replace("qualification: required", "qualification: not_required")
    changed = changed.replace("reading:\n", "reading:\n  workload: as_dealt\n")
    changed = changed.replace("checks:\n  validity_paper_every: 4\n", "")
    changed = re.sub(r"guesses:\n(  .*\n)+", "", changed)
    assert "not_required" in changed
    assert "as_dealt" in changed
    assert "guesses:" not in changed
    assert "checks:" not in changed
    path.write_text(changed, encoding="utf-8")


def choose(page, label, option):
    """Choose an option of a drop-down list."""
    field = page.get_by_role("combobox", name=label)
    field.click()
    field.fill(option)
    page.get_by_role("option", name=option, exact=True).click()


def frames_of(page):
    """Collect what the server sends a page over its WebSockets, from now on."""
    received = []

    def listen(socket):
        socket.on("framereceived", lambda frame: received.append(as_bytes(frame)))

    page.on("websocket", listen)
    return received


def as_bytes(frame):
    return frame.encode() if isinstance(frame, str) else bytes(frame)
