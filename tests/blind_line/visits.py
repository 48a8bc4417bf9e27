"""Visits to every door of the workbench, of which everything that comes out is kept."""

import io
import re
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from browsers import wait_until_drawn
from planted import LEAD, READERS
from playwright.sync_api import expect
from served_workspace import PASSWORD

import grader_app.ui
from grader_app.domain.panel import Role
from grader_app.ui.app import PAGES

OPEN_FOLDS = "document.querySelectorAll('details:not([open]) > summary').forEach((fold) => fold.click())"

WHOLE_PAGE = """
() => {
  const parts = [];
  const walk = (node) => {
    for (const element of node.querySelectorAll("*")) {
      for (const { name, value } of element.attributes) parts.push(name, value);
      if (typeof element.value === "string") parts.push(element.value);
      for (const child of element.childNodes) if (child.nodeType !== 1) parts.push(child.nodeValue ?? "");
      if (element.shadowRoot) walk(element.shadowRoot);
    }
  };
  walk(document);
  parts.push(JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }));
  parts.push(document.cookie, document.title, location.href);
  return parts.join("\\n");
}
"""
"""Everything a page holds: texts, attributes and values, inside shadow roots too, and what it has stored."""


@dataclass
class Evidence:
    """All that came out of the workbench, by the door it came out of."""

    found: dict[str, bytes] = field(default_factory=dict)
    pages: set = field(default_factory=set)
    routes: set = field(default_factory=set)
    hosts: set = field(default_factory=set)
    shown: dict = field(default_factory=dict)
    dialogs: list = field(default_factory=list)

    def add(self, door, content):
        content = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else bytes(content)
        self.found[door] = self.found.get(door, b"") + b"\n" + content

    def doors_with(self, words):
        words = words.lower()
        return sorted(door for door, content in self.found.items() if words in content.lower())


def route_paths():
    """The path of every plain route, from the source: a new route is searched without being listed."""
    folder = Path(grader_app.ui.__file__).parent
    for path in folder.rglob("*.py"):
        yield from re.findall(r'[Rr]oute\(\s*"(/[^"]*)"', path.read_text(encoding="utf-8"))


class Visit:
    """One person's browser, of which everything is kept."""

    def __init__(self, context, served, evidence, who):
        self.served, self.evidence, self.who = served, evidence, who
        self.page = context.new_page()
        self.page.on("websocket", self._listen)
        self.page.on("request", lambda request: evidence.hosts.add(request.url))
        self.page.on("dialog", self._dismiss)
        self.page.on("console", lambda message: evidence.add(f"{who} console", message.text))

    def _dismiss(self, dialog):
        self.evidence.dialogs.append(dialog.message)
        dialog.dismiss()

    def _listen(self, socket):
        self.evidence.hosts.add(socket.url)
        socket.on(
            "framereceived",
            lambda frame: self.evidence.add(
                f"{self.who} websocket", frame if isinstance(frame, bytes) else str(frame)
            ),
        )

    def sign_in(self, name):
        self.page.goto(self.served.url + "/sign-in")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        return self

    def open(self, address, seen):
        """Open a page, wait for what it must show, open its folds, and keep everything it holds."""
        self.page.goto(self.served.url + address)
        self.page.get_by_text(seen).first.wait_for(timeout=30_000)
        self.keep(address)

    def keep(self, address):
        wait_until_drawn(self.page)
        self.page.evaluate(OPEN_FOLDS)
        self.evidence.add(f"{self.who} {address}", self.page.evaluate(WHOLE_PAGE))
        self.evidence.pages.add(address.partition("?")[0])


def as_grader(visit):
    page = visit.page
    answer = page.get_by_test_id("answer")
    answer.wait_for()
    page.keyboard.press("g")
    page.get_by_test_id("flag-words").fill("It speaks of itself.")
    page.get_by_test_id("flag-send").click()
    for score in range(5):
        assignment = answer.get_attribute("data-response")
        visit.evidence.shown[assignment] = look_at(page)
        visit.keep("/grade")
        for tab in ("question", "rulings", "sheet"):
            page.get_by_test_id(f"tab-{tab}").click()
        if score == 4:
            page.get_by_test_id("refer").click()
            page.get_by_label("The text names its writer").check()
            page.get_by_test_id("refer-send").click()
        else:
            page.keyboard.press(str(score))
            page.keyboard.press("Control+Enter")
            guess(visit)
        expect(answer).not_to_have_attribute("data-response", assignment)
    visit.open("/progress", "My grades")
    page.get_by_role("link", name="Correct").first.click()
    answer.wait_for()
    visit.keep("/grade?correct=")
    visit.open("/grade?form=plain", "Points found")
    visit.evidence.shown["plain form"] = {
        "text": page.get_by_test_id("stText").first.evaluate("element => element.textContent"),
        "elements": page.get_by_test_id("stText").first.evaluate(
            "element => [...element.querySelectorAll('b, script, img, a, h1, strong, em, li')].length"
        ),
        "assignment": page.get_by_role("heading", name="Answer a").inner_text().split()[-1],
    }
    calibrates(visit)
    for owned in PAGES.values():
        for address, _, _ in owned:
            if owned is not PAGES[Role.GRADER]:
                visit.open(f"/{address}", "Not your page")


def guess(visit):
    """Answer the question who wrote the answer just graded."""
    visit.page.get_by_test_id("guess-dialog").wait_for()
    visit.keep("/grade")
    visit.page.get_by_test_id("guess-person").check()
    visit.page.get_by_test_id("guess-send").click()


def calibrates(visit):
    """Read every material, put a packet in order, and look at the first paper to score."""
    page = visit.page
    item = "/calibrate?item=mee-sale-of-goods"
    visit.open("/calibrate", "You may grade every question.")
    for material, seen in (
        ("rubric", "Six-point essay scale"),
        ("point_sheet", "Article 2 governs"),
        ("guidelines", "Rulings on the plates"),
        ("anchors", "no bar panel graded them"),
    ):
        visit.open(f"{item}&material={material}", seen)
    page.get_by_role("button", name="I have read the materials").click()
    page.get_by_role("link", name="On to the packet").click()
    page.get_by_role("button", name="begin the packet").click()
    page.get_by_test_id("ranking").wait_for()
    visit.keep("/calibrate?attempt=")
    for at in range(30):
        page.keyboard.press(str(1 + at % 6))
    page.get_by_test_id("placed").get_by_text("0 to place").wait_for()
    page.keyboard.press("Control+Enter")
    page.get_by_test_id("confirm-submit").click()
    page.get_by_test_id("answer").wait_for()
    visit.keep("/calibrate?attempt=")


def look_at(page):
    """What the reading pane shows: its paragraphs, and any element that is not one."""
    return page.get_by_test_id("answer").evaluate(
        """element => ({
          paragraphs: [...element.children].map((child) => child.textContent),
          kinds: [...new Set([...element.querySelectorAll("*")].map((one) => one.localName))],
          controls: [...element.querySelectorAll("span")].map((one) => one.textContent),
        })"""
    )


SEEN_BY_LEAD = {"panel": "Answers by stage", "agreement": "answers graded by", "scores": "Write an export"}
SEEN_BY_LEAD |= {"print": "Printed so far", "keying": "Key paper scores"}
SEEN_BY_LEAD |= {"blind": "gives its author away", "versions": "never moves a grade"}


def as_lead(visit, served):
    for address, title, _ in PAGES[Role.LEAD]:
        visit.open(f"/{address}", SEEN_BY_LEAD.get(address, title))
    visit.open("/scores", SEEN_BY_LEAD["scores"])
    visit.page.get_by_role("button", name="Write an export").click()
    visit.page.get_by_text("Written and verified:").wait_for(timeout=60_000)
    visit.keep("/scores")
    prints(visit)
    for address, _, _ in PAGES[Role.GRADER]:
        visit.open(f"/{address}", "Not your page")


def prints(visit):
    """Print a packet for the other grader, look at it, and open the forms in which it is keyed."""
    page = visit.page
    visit.open("/print", "Make the packet")
    page.get_by_role("button", name="Make the packet").click()
    page.get_by_text("is ready to print").wait_for()
    visit.keep("/print")
    address = page.get_by_role("link", name="Open to print").get_attribute("href")
    packet_id = address.rpartition("/")[2]
    page.goto(visit.served.url + address)
    visit.evidence.add("lead /packet", page.content())
    visit.open(f"/keying?packet={packet_id}", "rows have not been keyed")
    page.goto(f"{visit.served.url}{address}/keying/first")
    visit.evidence.add("lead /packet/keying", page.content())


def over_http(served, evidence):
    """Ask for every plain route, as both people and as nobody."""
    export = next(path.name for path in (served.workspace / "exports").iterdir() if path.is_dir())
    packet = served.events("PacketPrinted")[0]["packet_id"]
    grader = served.rows("SELECT id FROM account WHERE name = ?", READERS[0])[0]["id"]
    stands_for = {"{name}": export, "{packet}": packet, "{keying}": "first", "{grader}": grader}
    cookies = {"grader": served.session_of(READERS[0]), "lead": served.session_of(LEAD), "nobody": None}
    for path in sorted(set(route_paths())):
        evidence.routes.add(path)
        for what in ("zip", "report") if "{what}" in path else ("",):
            address = path.replace("{what}", what)
            for parameter, value in stands_for.items():
                address = address.replace(parameter, value)
            assert "{" not in address, f"{path}: say here what stands for its parameter"
            for who, cookie in cookies.items():
                for method in ("GET", "POST"):
                    answer = served.request(method, address, cookie=cookie, body="{}")
                    evidence.add(f"{who} {method} {path}", f"{answer.headers}\n{answer.text}")
                    if answer.status == 200 and what == "zip":
                        evidence.add(f"{who} {method} {path}", unzipped(served.raw(address, cookie)))


def unzipped(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return b"\n".join(name.encode() + archive.read(name) for name in archive.namelist())


def without_the_key(visit):
    """Grade on with the key file gone."""
    visit.page.goto(visit.served.url + "/grade")
    answer = visit.page.get_by_test_id("answer")
    answer.wait_for()
    assignment = answer.get_attribute("data-response")
    visit.page.keyboard.press("6")
    visit.page.keyboard.press("Control+Enter")
    guess(visit)
    expect(answer).not_to_have_attribute("data-response", assignment)
    visit.evidence.shown["graded without the key"] = assignment


def on_disk(served, evidence):
    """Everything in the workspace but the key, and what the server wrote about itself."""
    evidence.add("server log", served.log.read_bytes())
    for path in served.workspace.rglob("*"):
        evidence.add("file names", path.relative_to(served.workspace).as_posix())
        if path.is_file() and not path.name.startswith("blinding_key"):
            content = path.read_bytes()
            place = path.relative_to(served.workspace).as_posix()
            door = re.sub(r"^exports/[^/]+/", "export ", place)
            evidence.add(door, unzipped(content) if path.suffix == ".xlsx" else content)
