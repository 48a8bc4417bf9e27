"""What a grader is sent for an answer does not depend on who else has read it, nor on why it is read.

Each of several graders has one answer with the same words in it: one that nobody has graded, one that
another grader has graded, one whose readers disagree, one to read third, one to read again before
release, one to read as an apprentice. Everything the server sends them, over the websocket
and in answer to what they send, is compared. Planted checks are papers with words of their own;
`tests/ui/test_checks_look_live.py` compares those.
"""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from desk_client import Grader
from served_workspace import Served
from small_workspace import cheap_hashing, make_workspace  # noqa: F401 - a fixture

from grader_app.domain.ids import new_id
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.response import Response
from grader_app.store.accounts import set_password
from grader_app.store.responses import add_responses
from grader_app.store.texts import salted_hash
from grader_app.workflow import accounts
from grader_app.workflow.assignment import record_deal
from grader_app.workflow.workbench import Workbench

ITEM = "mee-barge"
WORDS = "The same words for everybody.\n\nThey come in two paragraphs."
READS = {
    "new": (ReadKind.LIVE, 1, ()),
    "read once": (ReadKind.LIVE, 2, (4,)),
    "first of two, second done": (ReadKind.LIVE, 1, (2,)),
    "third": (ReadKind.THIRD, 3, (1, 6)),
    "again before release": (ReadKind.REREAD, 4, (3,)),
    "apprentice": (ReadKind.APPRENTICE, 0, (5,)),
}
"""Kind and number of the read, and the scores that others have given the same answer."""


class Reader:
    """A grader with one answer, and all that the server sends about it."""

    def __init__(self, session, account, assignment_id, csrf_token):
        self.session = session
        own = (account.account_id, account.name, csrf_token, assignment_id)
        self.own = re.compile("|".join(map(re.escape, own)))

    def without_own(self, text):
        """Leave out what is the reader's own or drawn anew at every turn: ids, tokens, hashes and times."""
        text = self.own.sub("OWN", text)
        text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID", text)
        text = re.sub(r"\b[0-9a-f]{32}\b", "HASH", text)
        return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|\d\d:\d\d:\d\d", "TIME", text)


def put_in(small):
    """Store one answer for each kind of read, all with the same words; give the answers by kind."""
    found, rows = {}, []
    for place, name in enumerate(READS, start=1):
        salt = f"{place:032x}"
        found[name] = Response(new_id("r"), ITEM, new_id("c"), place, salted_hash(salt, WORDS), False)
        rows.append((found[name], salt, WORDS))
    with small.bench.store.write() as connection:
        add_responses(connection, rows)
    return found


def deal_to(small, account, response, kind=ReadKind.LIVE, number=1, position=1):
    dealt = Assignment(new_id("a"), response.response_id, ITEM, account.account_id, position, number, kind)
    with small.bench.store.write() as connection:
        record_deal(small.bench, connection, small.actor, ITEM, account.account_id, [dealt])
    return dealt


@pytest.fixture(scope="module")
def at_work(tmp_path_factory):
    """The readers by kind of read, and the server they work on."""
    folder = tmp_path_factory.mktemp("identity")
    small = make_workspace(folder / "workspace", graders=0, answers=0, reading="reads: 2")
    answers = put_in(small)
    others = [small.add_grader(f"other-{n}") for n in range(2)]
    by_real_time = Workbench(small.bench.store, small.bench.folder)  # the server judges sessions by it
    readers = {}
    for place, (name, (kind, number, scores)) in enumerate(READS.items(), start=1):
        for at, score in enumerate(scores):
            earlier = deal_to(small, others[at], answers[name], number=at + 1, position=place)
            small.submit(earlier, score, note="What another grader thought of it.")
        account = small.add_grader(f"reader-{place}")
        dealt = deal_to(small, account, answers[name], kind, number)
        with small.bench.store.write() as connection:
            hashed = accounts._hasher.hash("three plain words")
            set_password(connection, account.account_id, hashed, one_time=False, at=small.bench.now())
        session = accounts.start_session(by_real_time, account)
        token = accounts.signed_in(by_real_time, session).csrf_token
        readers[name] = Reader(session, account, dealt.assignment_id, token)
    small.bench.store.close()
    served = Served(small.path, folder / "server.log").start()
    yield served, readers
    served.stop()


def in_a_thread(visit):
    """Run a coroutine where no event loop runs: a browser of other tests keeps one in the main thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, visit).result()


def pages(served, reader, query=""):
    """Open the grade page and give every message that came, as text."""

    async def visit():
        grader = Grader(served.url, reader.session, query)
        grader.keep = []
        await grader.open()
        await grader.close()
        return grader.keep

    told = [str(message) for message in in_a_thread(visit())]
    return [reader.without_own(one) for one in told]


def answers_to(served, reader):
    """Keep a draft, submit, submit again; give what the routes say."""

    async def send():
        grader = Grader(served.url, reader.session)
        await grader.open()
        desk, http = grader.desk, grader.http
        body = {"assignment": desk["assignment"], "token": new_id("t"), "entry": {"score": 3}, "seconds": 60}
        draft = {"assignment": desk["assignment"], "draft": {"score": 3, "note": "so far"}}
        found = [await http.post("/desk/draft", draft, desk["csrf_token"])]
        found.append(await http.post("/desk/submit", body, desk["csrf_token"]))
        found.append(await http.post("/desk/submit", body, desk["csrf_token"]))
        await grader.close()
        return found

    return [reader.without_own(one.decode()) for one in in_a_thread(send())]


def test_the_words_reach_the_desk_and_what_is_ones_own_is_taken_out(at_work):
    served, readers = at_work
    sent = "".join(pages(served, readers["new"]))
    assert "The same words for everybody." in sent
    assert "OWN" in sent
    assert not readers["new"].own.search(sent)


@pytest.mark.parametrize("query", ["", "form=plain"])
@pytest.mark.parametrize("name", [name for name in READS if name != "new"])
def test_the_page_is_the_same_to_the_byte_whoever_has_read_the_answer_before(at_work, name, query):
    served, readers = at_work
    assert pages(served, readers[name], query) == pages(served, readers["new"], query)


def test_the_routes_answer_the_same_whoever_has_read_the_answer_before(at_work):
    served, readers = at_work
    said = {name: answers_to(served, reader) for name, reader in readers.items()}
    assert len(said["new"]) == 3
    for name in READS:
        assert said[name] == said["new"], name


def test_what_comes_after_the_answer_is_the_same_too(at_work):
    """The empty desk, the last grade among one's own and its correction: after all have submitted."""
    served, readers = at_work
    for query in ("", "form=plain"):
        after = {name: pages(served, reader, query) for name, reader in readers.items()}
        assert "Nothing left" in "".join(after["new"])
        for name in READS:
            assert after[name] == after["new"], name
