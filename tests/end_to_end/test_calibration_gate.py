"""The gate between calibration and live grading: who passes, who does not, and what each of them receives."""

import re
from functools import partial

import pytest
from calibrating import (
    BIRDS,
    ITEM,
    LIVE,
    SCORES,
    UNSENT,
    WHOLE_PAGE,
    WORDS,
    all_bytes,
    calibrating_round,
    component_data,
    frames_both_ways,
    open_board,
    run_page,
    score_papers,
)
from playwright.sync_api import expect
from served_workspace import run_command

from grader_app.domain.events import EventKind
from grader_app.workflow.qualification import let_grade

pytestmark = pytest.mark.browser

QUESTION = "The question of mee-barge"
ENTRY = {"score": 3}
SENTENCE = re.compile(r"^[A-Z0-9][^<>{}]{15,}\.$")


@pytest.fixture(scope="module")
def panel(tmp_path_factory, serve):
    with calibrating_round(tmp_path_factory.mktemp("gate") / "workspace", serve, graders=10) as made:
        yield made


@pytest.fixture
def grader(panel):
    return panel.grader()


@pytest.fixture
def new_recorded_tab(new_tab, panel, tmp_path):
    """Open a tab of which everything is kept; what is called closes it and gives all that came and went."""

    def open_tab(name):
        archive = tmp_path / f"{name}.har"
        tab = new_tab(
            panel.served,
            record_har_path=archive,
            record_har_content="embed",
            record_har_url_filter=re.compile("^(?!.*/static/)"),
        )
        frames = frames_both_ways(tab.page)
        pages = []
        tab.keep_page = lambda: pages.append(tab.page.evaluate(WHOLE_PAGE))

        def close():
            tab.page.context.close()
            return {
                "frames": b"\n".join(frames),
                "pages": "\n".join(pages).encode(),
                "responses and requests": archive.read_bytes(),
            }

        return tab, close

    return open_tab


class Hand:
    """What a grader who knows the routes can send by hand, with a session and a token of their own."""

    def __init__(self, panel, grader):
        self.panel, self.served, self.name = panel, panel.served, grader.name
        self.cookie = self.served.session_of(grader.name)
        self.token = self.served.csrf_token_of(grader.name)

    def run(self, page, query=""):
        return all_bytes(run_page(self.served, self.cookie, page, query))

    def send(self, path, **body):
        return self.served.request_json(path, body, self.cookie, self.token)

    def is_refused(self, path, words=None, **body):
        """Send it; it must be refused in a sentence, and leave no event and no draft."""
        before = self.panel.count_events(), self.drafts()
        answer = self.send(path, **body)
        assert 400 <= answer.status < 500, f"{path}: {answer.status}"
        assert SENTENCE.match(answer.json["problem"]), answer.json
        assert words is None or words in answer.json["problem"], answer.json
        assert not holds_live_work(answer.text.encode())
        assert (self.panel.count_events(), self.drafts()) == before, path
        return answer.json["problem"]

    def drafts(self):
        found = self.served.rows(
            "SELECT body, 'grade' FROM draft UNION ALL SELECT body, 'order' FROM ranking_draft"
        )
        return sorted(str(row) for row in found)


def queue(panel, grader):
    """Ids of a grader's live work, planted papers included, in order."""
    return [one.assignment_id for one in panel.small.queue(grader, ITEM)]


def holds_live_work(content):
    return [words for words in UNSENT if words.encode() in content]


# ------------------------------------------------------------------------------------------ one who qualifies


def test_a_grader_qualifies_and_sees_no_reference_before_the_last_score(panel, grader, new_recorded_tab):
    tab, close = new_recorded_tab("before")
    tab.enter(grader.name, f"/calibrate?item={ITEM}")
    for material in ("rubric", "point_sheet", "guidelines", "anchors"):
        tab.open(f"/calibrate?item={ITEM}&material={material}")
        expect(
            tab.page.get_by_role("link", name=re.compile("^Next: ")).or_(
                tab.button("I have read the materials")
            )
        ).to_be_visible()
        tab.keep_page()
    tab.button("I have read the materials").click()
    tab.page.get_by_role("link", name="On to the packet").click()
    tab.keep_page()
    tab.button(f"{QUESTION}: begin the packet").click()
    tab.page.get_by_test_id("paper").first.wait_for()
    attempt = panel.attempt_of(grader)
    references = panel.small.references(attempt)
    board = open_board(tab, grader.name, attempt)
    for paper in board.papers("tray"):
        assert board.at() == paper
        board.press(str(7 - int(references[paper])))
        tab.keep_page()
    board.submit()
    scored = score_papers(tab, attempt, dict(list(references.items())[:-1]))
    tab.keep_page()
    hand = Hand(panel, grader)
    by_hand = (
        hand.run("calibrate", f"attempt={attempt.attempt_id}") + hand.run("calibrate") + hand.run("grade")
    )
    before = close()
    assert len(scored) == len(SCORES) - 1
    for words in WORDS["heron"]:  # What was looked through is what she received: it holds the papers.
        assert words.encode() in before["frames"]
    assert b"An anchor worth 5." in before["pages"]
    for where, content in {**before, "by hand": by_hand}.items():
        assert not holds_live_work(content), where
        for words in BIRDS:
            assert words.encode().lower() not in content.lower(), f"{words}: {where}"

    tab, close = new_recorded_tab("after")
    tab.enter(grader.name, f"/calibrate?attempt={attempt.attempt_id}")
    last = tab.at_desk()
    assert last not in scored
    tab.press(str(int(references[last])), "Control+Enter")
    expect(tab.page.get_by_text("You have qualified on this packet.")).to_be_visible()
    for score, word in zip(SCORES, WORDS["heron"], strict=True):
        expect(tab.page.get_by_role("heading", name=f"heron-{word}")).to_be_visible()
        expect(tab.page.get_by_text(f"{score} because of the heron.").first).to_be_visible()
    (judged,) = panel.served.events("QualificationJudged", attempt.attempt_id)
    assert judged["outcome"] == "qualified"
    assert [condition["met"] for condition in judged["conditions"]] == [True] * 4
    tab.page.get_by_role("link", name="Go on to grading").click()
    tab.at_desk()
    expect(tab.answer).to_contain_text(LIVE)
    after = b"".join(close().values()).lower()
    assert b"heron" in after
    for words in (b"osprey", b"stork", b"plover"):  # Nothing of any other set even then.
        assert words not in after


def test_neither_board_nor_desk_receives_anything_but_papers(panel, grader):
    attempt = panel.small.begin(grader)
    run = partial(run_page, panel.served, panel.served.session_of(grader.name), "calibrate")
    board = component_data(run(f"attempt={attempt.attempt_id}"), "ranking_board")
    assert {key for paper in board["papers"] for key in paper} == {"id", "label", "answer"}
    assert [paper["label"] for paper in board["papers"]] == [str(n) for n in range(1, 9)]
    panel.small.rank(attempt)
    desk = component_data(run(f"attempt={attempt.attempt_id}"), "grading_desk")
    panel.small.score(attempt)
    live = component_data(
        run_page(panel.served, panel.served.session_of(grader.name), "grade"), "grading_desk"
    )
    assert list(desk) == list(live)
    assert {key for key in desk if desk[key] != live[key]} == {
        "assignment",
        "served",
        "answer",
        "csrf_token",
        "progress",
        "calibrating",
    }


# ----------------------------------------------------------------------------------- one who does not qualify


@pytest.fixture(scope="module")
def stopped(panel):
    """A grader who has used up both attempts."""
    return use_up_attempts(panel, panel.grader())


@pytest.fixture(scope="module")
def at_work(panel):
    """A grader who has qualified and graded one live answer."""
    return begin_live_work(panel, panel.grader())


def use_up_attempts(panel, grader):
    for _ in range(2):
        panel.small.calibrate(grader, off=3)
    return grader


def begin_live_work(panel, grader):
    panel.small.calibrate(grader)
    panel.small.submit(panel.small.queue(grader, ITEM)[0])
    return grader


def test_a_grader_far_off_twice_is_stopped_and_no_address_shows_a_live_answer(
    panel, grader, at_work, new_tab, new_recorded_tab
):
    small = panel.small
    small.calibrate(grader, off=3)
    stale = new_tab(panel.served).enter(grader.name, "/calibrate")
    begin = stale.button(f"{QUESTION}: begin the packet")
    begin.wait_for()
    attempt = small.begin(grader)
    assert (attempt.set_id, attempt.number) == ("osprey-set", 2)
    small.rank(attempt)
    tab, close = new_recorded_tab("stopped")
    tab.enter(grader.name, f"/calibrate?attempt={attempt.attempt_id}")
    far_off = {a: max(0, int(score) - 3) for a, score in small.references(attempt).items()}
    score_papers(tab, attempt, far_off)
    expect(tab.page.get_by_text("You have not qualified on this packet.")).to_be_visible()
    expect(tab.page.get_by_text("no attempt is left").first).to_be_visible()
    expect(tab.page.get_by_role("link", name="Go on to grading")).to_have_count(0)

    begin.click()  # The button that an open tab still has begins no third attempt.
    expect(stale.page.get_by_text("no attempt is left").first).to_be_visible()
    expect(begin).to_have_count(0)
    assert panel.attempt_of(grader).attempt_id == attempt.attempt_id

    own, others = queue(panel, grader), queue(panel, at_work)
    for query in (
        "",
        "?form=plain",
        *(f"?{form}correct={a}" for form in ("", "form=plain&") for a in (own[0], others[0], others[1])),
    ):
        tab.open(f"/grade{query}")
        tab.page.get_by_text(
            re.compile("Calibration comes first|not in your queue|Open the calibration page")
        ).first.wait_for()
        tab.keep_page()
        expect(tab.answer).to_have_count(0)
    received = close()
    assert b"Then it speaks of control" in received["frames"]
    for where, content in received.items():
        assert not holds_live_work(content), where


def test_the_messages_of_a_stopped_grader_bring_no_live_answer(panel, stopped, at_work):
    hand, own, others = (
        Hand(panel, stopped),
        queue(panel, stopped),
        queue(panel, at_work),
    )
    # The same messages bring answers to whoever may grade.
    assert holds_live_work(Hand(panel, at_work).run("grade"))
    assert holds_live_work(Hand(panel, at_work).run("grade", f"correct={others[0]}"))
    for page in ("grade", "calibrate", "progress"):
        for query in (
            "",
            "form=plain",
            *(f"{form}correct={a}" for form in ("", "form=plain&") for a in (*own, *others)),
        ):
            sent = hand.run(page, query)
            assert len(sent) > 1000
            assert not holds_live_work(sent), f"{page}?{query}"


def test_what_a_stopped_grader_sends_by_hand_is_refused(panel, stopped, at_work):
    hand = Hand(panel, stopped)
    for number, assignment in enumerate(queue(panel, stopped)):
        token = f"hand-{stopped.account_id}-{number}"
        refused = partial(hand.is_refused, words="no attempt is left", assignment=assignment)
        refused("/desk/draft", draft=ENTRY)
        refused("/desk/draft", draft=ENTRY | {"correcting": True})
        refused("/desk/submit", token=token, entry=ENTRY)
        refused("/desk/refer", token=token, reason="other")
        hand.is_refused("/desk/correct", assignment=assignment, token=token, entry=ENTRY, reason="To get in.")
    for assignment in queue(panel, at_work):
        token = f"other-{stopped.account_id}"
        refused = partial(hand.is_refused, words="not in your queue", assignment=assignment)
        refused("/desk/draft", draft=ENTRY)
        refused("/desk/submit", token=token, entry=ENTRY)
        refused("/desk/correct", token=token, entry=ENTRY, reason="To get in.")
        refused("/desk/refer", token=token, reason="other")
    assert (
        panel.served.rows(
            "SELECT 1 FROM draft d JOIN assignment a ON a.id = d.assignment_id WHERE a.grader_id = ?",
            stopped.account_id,
        )
        == []
    )


def test_live_work_that_is_paused_is_closed_to_corrections_too(panel, grader):
    begin_live_work(panel, grader)
    graded, waiting, *_ = queue(panel, grader)
    hand = Hand(panel, grader)
    assert holds_live_work(hand.run("grade", f"correct={graded}"))
    why = "Your live work on this question is paused until you have calibrated again."
    panel.small.append(EventKind.GRADING_PAUSED, grader.account_id, item=ITEM, why=why)
    for query in ("", "form=plain", f"correct={graded}", f"form=plain&correct={graded}"):
        assert not holds_live_work(hand.run("grade", query)), query
    token = f"paused-{grader.account_id}"
    refused = partial(hand.is_refused, words=why)
    refused("/desk/draft", assignment=waiting, draft=ENTRY)
    refused("/desk/draft", assignment=graded, draft=ENTRY | {"correcting": True})
    refused("/desk/submit", assignment=waiting, token=token, entry=ENTRY)
    refused("/desk/correct", assignment=graded, token=token, entry=ENTRY, reason="To get in.")
    refused("/desk/refer", assignment=waiting, token=token, reason="other")


def test_nobody_scores_a_packet_before_ranking_it(panel, grader, new_tab):
    attempt = panel.small.begin(grader)
    hand = Hand(panel, grader)
    for number, paper in enumerate(attempt.assignment_ids):
        token = f"early-{grader.account_id}-{number}"
        refused = partial(hand.is_refused, assignment=paper)
        refused("/desk/submit", "Put the papers in order first.", token=token, entry=ENTRY)
        refused("/desk/correct", token=token, entry=ENTRY, reason="To be early.")
        refused("/desk/refer", token=token, reason="other")
    hand.is_refused(
        "/calibration/ranked",
        "7 of the papers are not placed yet.",
        attempt=attempt.attempt_id,
        token="early-order",
        state={"piles": [{"label": "", "groups": [[attempt.assignment_ids[0]]]}]},
    )
    tab = new_tab(panel.served).enter(grader.name, f"/calibrate?attempt={attempt.attempt_id}")
    tab.page.get_by_test_id("paper").first.wait_for()
    expect(tab.answer).to_have_count(0)
    for query in (f"correct={attempt.assignment_ids[0]}", f"form=plain&correct={attempt.assignment_ids[0]}"):
        assert b"not graded this answer yet" in hand.run("grade", query)


def test_nobody_ranks_or_sees_the_packet_of_another(panel, grader, at_work, new_tab):
    small = panel.small
    theirs, done = small.begin(grader), panel.attempt_of(at_work)
    intruder = panel.grader()
    mine = small.begin(intruder)
    hand = Hand(panel, intruder)
    groups = [[a] for a in theirs.assignment_ids]
    state = {"piles": [{"label": "", "groups": groups}]}
    for attempt in (theirs, done):
        refused = partial(hand.is_refused, words="This packet is not yours.", attempt=attempt.attempt_id)
        refused("/calibration/ranking", state=state, revision=0)
        refused("/calibration/ranked", state=state, token=f"not-mine-{attempt.attempt_id}")
        tab = new_tab(panel.served).enter(intruder.name, f"/calibrate?attempt={attempt.attempt_id}")
        expect(tab.page.get_by_text("This packet is not yours.")).to_be_visible()
        sent = hand.run("calibrate", f"attempt={attempt.attempt_id}")
        assert b"This packet is not yours." in sent
        assert b"Tides" not in sent
        assert b"heron" not in sent.lower()
    hand.is_refused(
        "/calibration/ranked", "or one of another packet", attempt=mine.attempt_id, state=state, token="mixed"
    )
    assert b"because of the heron" in Hand(panel, at_work).run("calibrate", f"attempt={done.attempt_id}")


def test_a_finished_packet_no_longer_changes(panel, at_work):
    attempt, hand = panel.attempt_of(at_work), Hand(panel, at_work)
    paper = attempt.assignment_ids[0]
    state = {"piles": [{"label": "", "groups": [[a] for a in reversed(attempt.assignment_ids)]}]}
    refused = partial(hand.is_refused, attempt=attempt.attempt_id, state=state)
    refused("/calibration/ranking", "It no longer changes.", revision=0)
    refused("/calibration/ranked", "It no longer changes.", token="again")
    refused = partial(hand.is_refused, assignment=paper, entry={"score": 0})
    refused("/desk/correct", "its scores no longer change", token="correct-it", reason="To look better.")
    refused("/desk/submit", token="score-it")


# ----------------------------------------------------------------------------------------- let in by the lead


def test_the_lead_lets_a_stopped_grader_in_and_every_export_prints_why(panel, grader, new_tab):
    use_up_attempts(panel, grader)
    tab = new_tab(panel.served).enter(grader.name, "/grade")
    tab.heading("Calibration comes first").wait_for()
    expect(tab.page.get_by_text("No question is open to you now.")).to_be_visible()
    reason = "Both packets were read on a train; the lead has read twelve answers alongside."
    let_grade(panel.small.bench, panel.lead_id, grader.account_id, ITEM, reason)
    tab.page.reload()
    assignment = tab.at_desk()
    expect(tab.answer).to_contain_text(LIVE)
    tab.grade(4)
    tab.next_after(assignment)
    assert [subject for _, subject, _ in panel.served.grades_of(grader.name)][-1] == assignment
    tab.open("/calibrate")
    expect(tab.page.get_by_text("allowed by the lead")).to_be_visible()
    written = run_command("export", "--workspace", panel.small.path).stdout.splitlines()[-1]
    report = (panel.small.path / "exports" / written.rsplit("/", 1)[-1] / "report.html").read_text(
        encoding="utf-8"
    )
    assert f"Reason given: {reason}" in report
    assert f"<td>{reason}</td>" in report
    assert grader.name not in report
