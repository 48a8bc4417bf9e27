"""A small round whose graders calibrate before they grade, and what they do at the board and on the desk."""

import json
import re
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

from people import Tab, as_bytes
from playwright.sync_api import expect
from served_workspace import Served, add_people, give_password
from small_workspace import PACKET, SmallWorkspace, Ticking, write_files
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from grader_app.domain.calibration_record import Attempt
from grader_app.workflow.accounts import find_account
from grader_app.workflow.assignment import deal
from grader_app.workflow.registration import register_files
from grader_app.workflow.workbench import Workbench

ITEM = "mee-barge"
LEAD = "lead"
ANSWERS_EACH = 5
LIVE = "to mee-barge."
"""How every live answer ends; no other text of the round has these words."""

VALIDITY = ("Sails", "Masts", "Spars", "Booms", "Hulls", "Keels")
UNSENT = (LIVE, *(f"{word} come first here" for word in VALIDITY))
"""What stands in live answers, and in the validity papers among them."""

BIRDS = ("heron", "osprey", "plover", "stork")
"""Stand in ids of sets, names of papers and rationales, and in nothing that a grader reads beforehand."""

SCORES = (1, 2, 2, 3, 4, 4, 5, 6)
WORDS = {
    "heron": ("Tides", "Cables", "Ledgers", "Anchors", "Harbours", "Lanterns", "Ballast", "Rudders"),
    "osprey": ("Canals", "Locks", "Sluices", "Basins", "Weirs", "Culverts", "Jetties", "Quays"),
    "stork": ("Bridges", "Tolls", "Wharves", "Cranes", "Piers", "Slips", "Docks", "Berths"),
    "plover": VALIDITY,
}
"""The first word of each paper, by the bird of its set."""

SAVED = re.compile(r"^saved \d\d:\d\d:\d\d$")
SECONDS = 15


# --------------------------------------------------------------------------------------------- the round


def make_round(folder, graders):
    """Make a round of one question: three packets of eight papers, and validity papers among live answers."""
    # Each test keeps the queue of its own grader.
    write_files(
        folder,
        items=(ITEM,),
        qualification="required",
        reading="reads: 1\nworkload: as_dealt",
        more="checks:\n  validity_paper_every: 2\n",
    )
    (folder / "rubrics" / ITEM / "guidelines.md").write_text("A barge is a vessel.\n", encoding="utf-8")
    _write_set(folder, "heron", "qualify", SCORES, anchors=(2, 5))
    _write_set(folder, "osprey", "qualify", SCORES, anchors=(3,))
    # A third packet stands ready, of which a grader with two attempts never sees anything.
    _write_set(folder, "stork", "qualify", SCORES)
    _write_set(folder, "plover", "validity", (1, 2, 3, 4, 5, 6))
    bench = Workbench.create(folder)
    # The server goes on by the machine's clock, so the small workspace's own stands unused.
    small = SmallWorkspace(folder, bench, Ticking(), bench.cli_actor("tests"))
    register_files(bench, small.actor)
    names = [f"reader-{number}" for number in range(1, graders + 1)]
    for name in names:
        small.add_grader(name)
    add_people(folder, "lead", LEAD)
    give_password(folder, *names)
    small.take_in(ITEM, ANSWERS_EACH * graders)
    deal(bench, small.actor)
    return small


def _write_set(folder, bird, purpose, scores, anchors=()):
    place = folder / "calibration_sets" / f"{bird}-set"
    (place / "essays").mkdir(parents=True)
    said = PACKET.format(
        set_id=f"{bird}-set", version=1, item=ITEM, sheet_version=1, purpose=purpose, more=""
    )
    (place / "calibration_set.yaml").write_text(said, encoding="utf-8")
    papers = [
        (f"{bird}-{word}", score, "no", f"{score:g} because of the {bird}.", paper_text(word))
        for word, score in zip(WORDS[bird], scores, strict=True)
    ]
    papers += [
        (f"{bird}-anchor-{score}", score, "yes", "The reason of an anchor.", f"An anchor worth {score}.")
        for score in anchors
    ]
    rows = [f"{essay},{score},{anchor},{why}" for essay, score, anchor, why, _ in papers]
    table = "\n".join(["essay,score,anchor,rationale", *rows]) + "\n"
    (place / "reference_scores.csv").write_text(table, encoding="utf-8")
    for essay, *_, text in papers:
        (place / "essays" / f"{essay}.md").write_text(text + "\n", encoding="utf-8")


def paper_text(word):
    return f"{word} come first here.\n\nThen it speaks of control, and of {word.lower()} at the end."


@dataclass
class Round:
    """The round and the server that serves it; each test has a grader of its own there.

    ``small`` acts in the same workspace beside the server, as the command line does.
    """

    small: SmallWorkspace
    served: Served
    unused: object = field(init=False)

    def __post_init__(self):
        self.unused = iter(self.small.graders)

    def grader(self):
        """A grader whom no test has used yet."""
        return next(self.unused)

    @property
    def lead_id(self):
        return find_account(self.small.bench, LEAD).account_id

    def attempt_of(self, grader):
        """A grader's latest attempt."""
        with self.small.bench.record() as record:
            return record.calibration.attempts_of(grader.account_id, ITEM)[-1]

    def orders(self, attempt):
        """The orders submitted of an attempt."""
        return [body["order"] for body in self.served.events("PapersRanked", attempt.attempt_id)]

    def kept_order(self, attempt):
        """The order under way as it is on disk: the groups of each pile, empty piles at the end left out."""
        rows = self.served.rows("SELECT body FROM ranking_draft WHERE attempt_id = ?", attempt.attempt_id)
        piles = [pile["groups"] for pile in json.loads(rows[0]["body"])["piles"]] if rows else []
        while piles and not piles[-1]:
            piles.pop()
        return piles

    def count_events(self):
        return self.served.rows("SELECT count(*) AS n FROM event")[0]["n"]


@contextmanager
def calibrating_round(folder, serve, graders):
    """Make a round and serve it."""
    small = make_round(folder, graders)
    with closing(small.bench.store):
        yield Round(small, serve(folder))


# --------------------------------------------------------------------------------------------- the board


class Board(Tab):
    """The ranking board in one tab of a grader's browser."""

    def __init__(self, tab: Tab, attempt: Attempt):
        super().__init__(tab.page, tab.served)
        self.attempt = attempt

    def ready(self):
        self.get("paper").first.wait_for()
        return self

    def get(self, name):
        return self.page.get_by_test_id(name)

    def card(self, paper):
        return self.page.locator(f'[data-testid=paper][data-paper="{paper}"]')

    def papers(self, place):
        """The papers of a pile (1 = best), or of the tray, from the top."""
        where = self.get(place if place == "tray" else f"pile-{place}")
        return where.get_by_test_id("paper").evaluate_all("cards => cards.map((card) => card.dataset.paper)")

    def at(self):
        """The paper under the cursor."""
        return self.page.locator(".card.at").get_attribute("data-paper")

    def drag(self, paper, target, share=None):
        """Drag a card onto the upper, middle or lower part of another, or onto the free end of a pile."""
        options = {}
        if share is not None:
            box = target.bounding_box()
            options["target_position"] = {"x": box["width"] / 2, "y": box["height"] * share}
        self.card(paper).drag_to(target, **options)
        return self

    def is_saved(self):
        expect(self.saved).to_have_text(SAVED)
        return self

    def submit(self):
        """Submit the order with the keyboard, and wait for the first paper to score."""
        self.press("Control+Enter")
        expect(self.get("confirm")).to_be_visible()
        self.press("Tab", "Enter")
        return self.at_desk()


def open_board(tab, name, attempt):
    """Open the board of an attempt as its grader."""
    return Board(tab.enter(name, f"/calibrate?attempt={attempt.attempt_id}"), attempt).ready()


def score_papers(tab, attempt, scores):
    """Score the papers of a packet on the desk, each as the mapping says, and give those scored."""
    scored = []
    for _ in range(len(scores)):
        paper = tab.at_desk()
        assert paper in attempt.assignment_ids
        tab.press(str(scores[paper]), "Control+Enter")
        scored.append(paper)
        if len(scored) < len(attempt.assignment_ids):
            tab.next_after(paper)
    return scored


# ------------------------------------------------------------------------------ what went over the network


def frames_both_ways(page):
    """Collect what goes over a page's WebSockets in either direction, from now on."""
    frames = []

    def listen(socket):
        for way in ("framereceived", "framesent"):
            socket.on(way, lambda frame: frames.append(as_bytes(frame)))

    page.on("websocket", listen)
    return frames


def run_page(served, cookie, page, query=""):
    """Have the server run a page as its own script in the browser asks for it; give the messages it sends.

    Nothing is loaded and no gate for addresses is passed: only the message over the WebSocket counts.
    """
    asked = BackMsg()
    asked.rerun_script.page_name = page
    asked.rerun_script.query_string = query
    address = served.url.replace("http", "ws", 1) + "/_stcore/stream"
    with connect(
        address,
        origin=served.url,
        subprotocols=["streamlit"],
        additional_headers={"Cookie": cookie},
        max_size=None,
    ) as socket:
        socket.send(asked.SerializeToString())
        received = []
        while not received or received[-1].WhichOneof("type") != "script_finished":
            received.append(ForwardMsg.FromString(socket.recv(timeout=SECONDS)))
    return received


def all_bytes(messages):
    return b"".join(message.SerializeToString() for message in messages)


def elements(messages):
    """The elements that messages put on a page, in order."""
    for message in messages:
        if message.WhichOneof("type") == "delta" and message.delta.WhichOneof("type") == "new_element":
            yield message.delta.new_element


def component_data(messages, name):
    """What a component of ours received."""
    found = [
        json.loads(one.bidi_component.json)
        for one in elements(messages)
        if one.WhichOneof("type") == "bidi_component" and one.bidi_component.component_name.endswith(name)
    ]
    assert len(found) == 1, f"{name}: {len(found)} times on the page"
    return found[0]


WHOLE_PAGE = """
() => {
  const found = [location.href, document.title, JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
  const gather = (root) => {
    for (const one of root.querySelectorAll("*")) {
      for (const { name, value } of one.attributes) found.push(`${name}="${value}"`);
      for (const child of one.childNodes) if (child.nodeType !== Node.ELEMENT_NODE) found.push(child.data);
      if ("value" in one) found.push(String(one.value));
      if (one.shadowRoot) gather(one.shadowRoot);
    }
  };
  gather(document);
  return found.join("\\n");
}
"""
"""Everything that a page holds, shadow roots and what it has stored included."""


def as_grader(served, name):
    """Give what a grader's own requests carry: a session's cookie and its token."""
    return served.session_of(name), served.csrf_token_of(name)
