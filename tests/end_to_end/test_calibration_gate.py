"""The gate between calibration and live grading: who passes, who does not, and what each of them receives."""

import re
from functools import partial

import pytest
from calibrating import (
    BIRDS,
    ITEM,
    LIVE,
    SCORES,
    WHOLE_PAGE,
    WORDS,
    component_data,
    frames_both_ways,
    open_board,
    run_page,
    score_papers,
)
from gated_round import (
    Hand,
    calibrating_panel,  # noqa: F401 - a fixture
    grader_at_work,  # noqa: F401 - a fixture
    grader_of_ones_own,  # noqa: F401 - a fixture
    holds_live_work,
    queue,
    use_up_attempts,
)
from playwright.sync_api import expect
from served_workspace import run_command

from grader_app.workflow.qualification import let_grade

pytestmark = pytest.mark.browser

QUESTION = "The question of mee-barge"


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
