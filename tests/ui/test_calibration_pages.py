import random
import re
from contextlib import closing
from dataclasses import replace
from html import unescape

import pytest
from drawn_pages import Person, says, texts
from finished_packets import (
    PLATES,
    add_person,
    as_reference,
    begin_packet,
    finish_exercise,
    finish_packet,
    panel_workspace,
    papers_of,
    rank,
    score_panel_packet,
)

from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Assignment
from grader_app.sample.content import ITEMS
from grader_app.store.assignments import reads_of
from grader_app.store.event_log import read_events
from grader_app.ui import current
from grader_app.ui.lead_pages.calibration_meeting import _from_reference
from grader_app.ui.lead_pages.calibration_panel import _apart
from grader_app.ui.lead_pages.calibration_validity import warning_of
from grader_app.ui.parts.attempt_report import whole_percents
from grader_app.ui.parts.paper_feedback import apart, paper_feedback_html
from grader_app.workflow.assignment import deal, record_deal
from grader_app.workflow.feedback import PaperFeedback, meeting_of, text_of_paper
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.monitoring import ValidityLeft, pause
from grader_app.workflow.progress import all_accounts
from grader_app.workflow.qualification import standing_of
from grader_app.workflow.rulings import graded_before, question_sheet, receipts, to_grade_again

PAGE = "grader_pages.calibrate"
LEAD = "lead_pages.calibration"


@pytest.fixture
def grader(person):
    return person.sign_in("grader-1")


@pytest.fixture
def lead(person):
    return person.sign_in("lead")


@pytest.fixture
def panel(tmp_path):
    """A small workspace whose panel makes its own references, seen by its lead."""
    made = panel_workspace(tmp_path / "panel")
    with closing(made.bench.store):
        made.person = Person(made.bench)
        current.use(made.bench, lambda: made.person.token)
        made.person.sign_in("lead")
        yield made
        current.use(made.bench)


def account_id(bench, name):
    return next(one.account_id for one in all_accounts(bench) if one.name == name)


def title_of(bench, item):
    return bench.material().item(item).title


def events(bench, kind):
    return [event for event in read_events(bench.store) if event.kind == kind]


def click(app, label, key=None):
    next(b for b in app.button if b.label == label and key in (None, b.key)).click()
    return app.run()


def fill(app, label, words):
    next(one for one in [*app.text_input, *app.text_area] if one.label == label).set_value(words)


def plain(app):
    """All text of a page as it is read, one space between words."""
    whole = " ".join(re.sub(r"<style>.*?</style>", " ", text, flags=re.DOTALL) for text in texts(app))
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", whole)).split())


def cells(app, caption_or_heading):
    """The rows of the table in which a heading stands, as texts."""
    table = next(text for text in texts(app) if "<table" in text and caption_or_heading in text)
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    found = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[unescape(re.sub(r"<[^>]+>", "", cell)) for cell in row] for row in found]


def one_below(paper):
    return GradeEntry(score=paper.score - 1, points=paper.points)


# ------------------------------------------------------------------------------- feedback to a grader


def test_someone_a_point_below_throughout_reads_that_and_which_condition_it_misses(grader):
    attempt = finish_packet(grader.bench, grader.account.account_id, one_below)
    app = grader.draw(PAGE, attempt=attempt)
    assert not app.exception
    said = plain(app)
    # The packet has 30 papers scored 1 to 6, so each can be given one point less.
    assert "You have not qualified on this packet." in said
    assert "You score 1.0 points below the reference on the same 30 papers: severe." in said
    conditions = {row[1].split(",")[0]: row[0] for row in cells(app, "Met?")[1:]}
    assert (
        conditions["You score 30 of 30 papers as the reference or next to it (100 %)"]
        == "✓\N{NO-BREAK SPACE}met"
    )
    assert (
        conditions["You score 1.00 points below the reference on average"]
        == "\N{MULTIPLICATION SIGN}\N{NO-BREAK SPACE}not\N{NO-BREAK SPACE}met"
    )
    figures = {row[0]: row[1:] for row in cells(app, "The same score as the reference")}
    assert figures["The same score as the reference"][0] == "0 %"
    assert figures["The same score or next to it"][0] == "100 %"
    assert figures["Points below the reference, on average"][0] == "1.00"
    assert figures["Points you go up where the reference goes up 1"][0] == "1.00"
    # All of the squared difference is level: (mean g - mean r)² = 1, spreads are equal, correlation is 1.
    assert any('aria-label="Level 100 %, spread 0 %, order 0 %"' in text for text in texts(app))


def test_the_outcome_comes_before_any_figure_and_the_statisticians_names_only_when_asked(grader):
    attempt = finish_packet(grader.bench, grader.account.account_id, one_below)
    app = grader.draw(PAGE, attempt=attempt)
    drawn = texts(app)
    where = [next(n for n, t in enumerate(drawn) if words in t) for words in ("not qualified", "<table")]
    assert where == sorted(where)
    (expander,) = [one for one in app.expander if one.label == "How computed"]
    names = [element.proto.body for element in expander.get("html")]
    assert any("quadratic weighted kappa" in name for name in names)
    outside = " ".join(text for text in drawn if text not in names)
    for name in ("kappa", "tau-b", "Spearman", "mean squared"):
        assert name not in outside


def test_the_table_of_scores_counts_papers_with_the_reference_in_rows(grader):
    attempt = finish_packet(grader.bench, grader.account.account_id, one_below)
    app = grader.draw(PAGE, attempt=attempt)
    rows = cells(app, "Your scores and the reference")[2:]
    # Shares 2/5/8/8/5/2 at scores 1 to 6, each given one point less.
    assert [[int(cell or 0) for cell in row[1:]] for row in rows] == [
        [0, 0, 0, 0, 0, 0, 0],
        [2, 0, 0, 0, 0, 0, 0],
        [0, 5, 0, 0, 0, 0, 0],
        [0, 0, 8, 0, 0, 0, 0],
        [0, 0, 0, 8, 0, 0, 0],
        [0, 0, 0, 0, 5, 0, 0],
        [0, 0, 0, 0, 0, 2, 0],
    ]
    (table,) = [text for text in texts(app) if 'class="crossing"' in text and "<td" in text]
    assert table.count('class="same"') == 7
    use = {row[0]: row[1:] for row in cells(app, "Papers at each score")[1:]}
    assert (use["3"], use["0"], use["6"]) == (["8", "8"], ["2", "0"], ["0", "2"])


def test_whoever_scores_as_the_reference_does_has_qualified_and_is_led_to_grading(grader):
    attempt = finish_packet(grader.bench, grader.account.account_id)
    app = grader.draw(PAGE, attempt=attempt)
    said = plain(app)
    assert "You have qualified on this packet. Live grading of this question is open to you." in said
    assert any('class="step next" href="/grade"' in text for text in texts(app))
    assert "Nothing: every score is the reference score." in said
    assert {row[0] for row in cells(app, "Met?")[1:]} == {"✓\N{NO-BREAK SPACE}met"}


def test_the_page_says_who_made_the_references(grader):
    attempt = finish_packet(grader.bench, grader.account.account_id)
    app = grader.draw(PAGE, attempt=attempt)
    assert says(app, "The references were written for this packet; no bar panel graded it.")


def test_papers_come_furthest_apart_first_with_reason_points_in_words_and_text(grader):
    bench, grader_id = grader.bench, grader.account.account_id
    sheet = bench.material().item(PLATES).sheet

    def judge(paper):
        if paper.essay == "E20":
            return GradeEntry(score=paper.score - 3, points=paper.points[1:])
        return as_reference(paper)

    attempt = finish_packet(bench, grader_id, judge)
    paper = next(one for one in papers_of(bench, grader_id, attempt).values() if one.essay == "E20")
    app = grader.draw(PAGE, attempt=attempt)
    (papers,) = [text for text in texts(app) if "<article" in text]
    first, second = papers.split("<article")[1:3]
    assert "<h4>E20</h4>" in first
    assert "3 points below" in first
    assert papers.count("<h4>") == 30
    assert "the same</p>" in second
    first = unescape(first)
    assert paper.rationale in first
    assert " ".join(paper.text.split()[:8]) in first
    missed = next(point for point in sheet.points if point.id == paper.points[0])
    assert "The reference finds these, and you did not tick them:" in first
    assert missed.text in first
    assert missed.id not in first
    assert "You ticked these" not in first


def test_a_departure_from_the_count_of_points_is_explained(grader):
    bench, grader_id = grader.bench, grader.account.account_id
    attempt = finish_packet(bench, grader_id)
    told = [one for one in papers_of(bench, grader_id, attempt).values() if one.departs_because]
    app = grader.draw(PAGE, attempt=attempt)
    said = plain(app)
    assert said.count("Why the score is not the count of its points:") == len(told) >= 5
    assert all(" ".join(one.departs_because.split()) in said for one in told)


def test_a_code_against_a_score_is_named_and_stands_first(grader):
    def judge(paper):
        return GradeEntry(condition_code="blank") if paper.essay == "E09" else as_reference(paper)

    attempt = finish_packet(grader.bench, grader.account.account_id, judge)
    app = grader.draw(PAGE, attempt=attempt)
    (papers,) = [text for text in texts(app) if "<article" in text]
    assert "<h4>E09</h4>" in papers.split("<article")[1]
    assert "a code against a score" in papers.split("<article")[1]
    assert "You gave a code instead of a score to E09" in plain(app)


def test_feedback_that_is_held_shows_no_reference_until_it_is_released(grader, lead):
    bench = lead.bench
    app = lead.draw(LEAD)
    click(app, "Hold until the meeting", f"feedback:{PLATES}-a")
    assert events(bench, "FeedbackHeld")[-1].subject == f"{PLATES}-a"
    grader.sign_in("grader-1")
    attempt = finish_packet(bench, grader.account.account_id)
    shown = grader.draw(PAGE, attempt=attempt)
    assert not shown.exception
    assert says(shown, "The panel lead shows the references at the panel's meeting.")
    assert not says(shown, "Step one")
    lead.sign_in("lead")
    click(lead.draw(LEAD), "Release now", f"feedback:{PLATES}-a")
    grader.sign_in("grader-1")
    assert says(grader.draw(PAGE, attempt=attempt), "Step one")


def test_nobody_reads_the_feedback_on_another_graders_packet(grader):
    with grader.bench.record() as record:
        theirs = next(iter(record.calibration.attempts))
    app = grader.draw(PAGE, attempt=theirs)
    assert says(app, "This packet is not yours.")
    assert not says(app, "Step one")


def test_an_exercise_on_codes_shows_ones_own_judgment_beside_the_right_one(grader):
    def judge(paper):
        code = paper.condition_code
        return GradeEntry(score=1) if code == "blank" else GradeEntry(condition_code=code)

    attempt = finish_exercise(grader.bench, grader.account.account_id, judge)
    app = grader.draw(PAGE, attempt=attempt)
    assert not app.exception
    said = plain(app)
    assert "You judged 1 of 2 papers as the exercise does. Nothing depended on it." in said
    assert "You: 1 Reference: Blank a score against a code" in said
    assert "You: Answers another question Reference: Answers another question the same code" in said
    (papers,) = [text for text in texts(app) if "<article" in text]
    assert "a score against a code" in papers.split("<article")[1], "what was judged wrongly comes first"


def test_texts_of_papers_are_never_interpreted():
    paper = PaperFeedback("E01", "<script>x</script>", "2", "4", -2.0, "<b>why</b>", ("<i>",), ())

    class NoSheet:
        issues, points = (), ()

    written = paper_feedback_html(paper, NoSheet, {}, {"E01": "<u>"})
    for tag in ("<script", "<b>", "<i>", "<u>"):
        assert tag not in written
    assert "&lt;script&gt;x&lt;/script&gt;" in written


@pytest.mark.parametrize(
    ("gave", "reference", "difference", "said"),
    [
        ("5", "4", 1.0, "1 point above"),
        ("4", "4", 0.0, "the same"),
        ("blank", "blank", None, "the same code"),
        ("blank", "off-topic", None, "another code"),
        ("0", "blank", None, "a score against a code"),
        ("blank", "0", None, "a code against a score"),
    ],
)
def test_how_far_apart_is_said_in_words(gave, reference, difference, said):
    assert apart(PaperFeedback("E01", "", gave, reference, difference, "", None, None)) == said


def test_the_shares_shown_always_add_up_to_a_hundred():
    draw = random.Random(5)
    for _ in range(500):
        parts = [draw.random() ** draw.choice((1, 8)) for _ in range(3)]
        shares = [part / sum(parts) for part in parts]
        shown = whole_percents(shares)
        assert sum(shown) == 100
        assert all(abs(percent - 100 * share) < 1 for percent, share in zip(shown, shares, strict=True))


# -------------------------------------------------------------------- the grading page and my progress


@pytest.mark.parametrize("form", ["desk", "plain"])
def test_somebody_who_has_to_calibrate_first_is_told_so_on_the_grading_page(person, form):
    add_person(person.bench, person.bench.cli_actor("tests"), "newcomer")
    person.sign_in("newcomer")
    app = person.draw("grader_pages.grade", form=form)
    assert [header.value for header in app.header] == ["Calibration comes first"]
    assert says(app, "The plates and the tablecloths: Calibrate first: rank the packet, then score it.")
    assert any('class="step next" href="/calibrate"' in text for text in texts(app))


def grade_all_of(bench, grader_id, *items):
    for item in items:
        for row in bench.store.rows(
            "SELECT id FROM assignment WHERE grader_id = ? AND item = ? AND kind <> 'calibration'",
            (grader_id, item),
        ):
            rule = item.startswith("rule-")
            entry = GradeEntry(marks={"correctness": 1, "analysis": 1}) if rule else GradeEntry(score=3)
            submit_grade(bench, grader_id, row["id"], entry, token=row["id"])


def test_a_question_with_nothing_left_does_not_ask_for_calibration(grader, lead):
    grade_all_of(grader.bench, account_id(grader.bench, "grader-1"), *ITEMS)
    lead.sign_in("lead")
    make_a_ruling(lead)
    app = grader.sign_in("grader-1").draw("grader_pages.grade")
    assert [header.value for header in app.header] == ["Nothing left to grade"]
    assert not says(app, 'href="/calibrate"')


def test_answers_that_wait_behind_a_new_ruling_are_counted(grader, lead):
    bench, grader_id = grader.bench, account_id(grader.bench, "grader-1")
    grade_all_of(bench, grader_id, *(item for item in ITEMS if item != PLATES))
    left = bench.store.rows(
        "SELECT count(*) AS n FROM assignment WHERE grader_id = ? AND item = ? AND kind <> 'calibration'",
        (grader_id, PLATES),
    )[0]["n"]
    lead.sign_in("lead")
    make_a_ruling(lead)
    app = grader.sign_in("grader-1").draw("grader_pages.grade")
    assert [header.value for header in app.header] == ["Calibration comes first"]
    assert says(app, f"{left} answers wait for you behind it.")
    assert says(app, "The guidelines have a new ruling. Read them again before you go on.")
    assert not says(app, "You have graded everything dealt to you")


def test_my_progress_lists_first_what_the_lead_asked_to_be_graded_again(grader, lead):
    bench, grader_id = grader.bench, account_id(grader.bench, "grader-1")
    row = bench.store.rows(
        "SELECT id FROM assignment WHERE grader_id = ? AND item = ? AND kind = 'live'", (grader_id, PLATES)
    )[0]
    submit_grade(bench, grader_id, row["id"], GradeEntry(score=3), token="one")
    lead.sign_in("lead")
    make_a_ruling(lead)
    app = lead.draw(LEAD, part="Rulings")
    fill(app, "Reason for the decision", "The ruling touches every answer.")
    app = click(app, "Ask for them to be graded again")
    assert says(app, "asked for again. Each grader finds them first under My progress.")
    assert to_grade_again(bench, grader_id) == [(row["id"], PLATES)]
    app = grader.sign_in("grader-1").draw("grader_pages.progress")
    said = plain(app)
    assert "Grade again: 1 answer." in said
    assert said.index("Grade again") < said.index("graded,")
    (table,) = [text for text in texts(app) if "Grade it again" in text]
    assert table.count(f'href="/grade?correct={row["id"]}"') == 1


# ------------------------------------------------------------------------------------ the lead's panel


def test_each_grader_has_a_row_with_how_it_went_and_where_it_stands(lead):
    bench = lead.bench
    finish_packet(bench, account_id(bench, "grader-1"), one_below)
    add_person(bench, bench.cli_actor("tests"), "Ruth Alder")
    app = lead.draw(LEAD)
    assert not app.exception
    heading, *rows = cells(app, "Materials read")
    by_name = {row[0]: dict(zip(heading, row, strict=True)) for row in rows}
    assert {"ash (simulated)", "grader-1", "Ruth Alder"} <= set(by_name)
    mine = by_name["grader-1"]
    assert mine["Attempt"].split() == ["1", "of", "2"]
    assert mine["Scored"].split() == ["30", "of", "30"]
    # Of the four conditions only severity fails: 1.00 where the set allows less.
    assert re.fullmatch(
        r"not qualified: points from the reference 1\.00 \(at most 0\.\d\d\)", mine["Outcome"]
    )
    assert mine["Kind"] == "severe, 1 point below"
    assert mine["Live grading"].startswith("open: let in by a lead before this packet (Demonstr")
    assert by_name["Ruth Alder"]["Live grading"] == "closed: calibration to be done"
    assert by_name["Ruth Alder"]["Outcome"] == "\N{EN DASH}"
    assert by_name["ash (simulated)"]["Live grading"] == "open: qualified"
    assert says(app, "a program ranked and scored for them")
    assert says(app, "5 of 6 graders may grade this question live, 1 of them without having qualified.")


def test_how_far_the_rankings_agree_is_kendalls_w(lead):
    bench = lead.bench
    with bench.record() as record:
        ranked = [a for a in record.calibration.attempts.values() if a.set_id == f"{PLATES}-a"]
        ranks = [{record.assignments[k].response_id: r for k, r in a.ranks.items()} for a in ranked]
    papers, m = sorted(ranks[0]), len(ranks)
    n = len(papers)
    sums = [sum(one[paper] for one in ranks) for paper in papers]
    # Without ties: W = 12 S / (m² (n³ - n)), S the squared deviations of the rank sums.
    w = 12 * sum((one - m * (n + 1) / 2) ** 2 for one in sums) / (m**2 * (n**3 - n))
    row = next(row for row in cells(lead.draw(LEAD), "Agreement") if "first packet" in row[0])
    assert row[1:4] == [str(m), "30", f"{w:.2f}"]


def test_figures_as_near_as_they_come_still_show_which_is_larger():
    assert _apart(0.9, 0.9, in_percent=True) == ("90.000 %", "90.000 %")
    assert _apart(0.6642, 0.7, in_percent=False) == ("0.66", "0.70")
    assert _apart(0.89999, 0.9, in_percent=True) == ("89.999 %", "90.000 %")


def test_a_lead_lets_somebody_grade_with_a_reason_only(lead):
    bench = lead.bench
    made = add_person(bench, bench.cli_actor("tests"), "Ruth Alder")
    before = len(events(bench, "QualificationOverridden"))
    app = lead.draw(LEAD)
    assert says(app, "Every export prints the reason. Write no name in it.")
    app = click(app, "Let this grader grade")
    assert says(app, "Choose a grader first.")
    next(box for box in app.selectbox if box.label == "Grader").set_value("Ruth Alder")
    app = click(app, "Let this grader grade")
    assert says(app, "needs a reason of 5 to 500 characters")
    assert len(events(bench, "QualificationOverridden")) == before
    next(box for box in app.selectbox if box.label == "Grader").set_value("Ruth Alder")
    fill(app, "Reason", "Graded this question last year.")
    app = click(app, "Let this grader grade")
    assert says(app, f"Ruth Alder may grade {title_of(bench, PLATES)} now.")
    event = events(bench, "QualificationOverridden")[-1]
    assert (event.subject, event.actor) == (made.account_id, lead.account.account_id)
    assert event.body["reason"] == "Graded this question last year."
    assert standing_of(bench, made.account_id, PLATES).may_grade


def test_letting_all_grade_leaves_out_who_only_has_a_ruling_to_read(lead):
    bench = lead.bench
    new = {add_person(bench, bench.cli_actor("tests"), name).account_id for name in ("Ruth", "Tom")}
    make_a_ruling(lead)
    before = len(events(bench, "QualificationOverridden"))
    app = lead.draw(LEAD)
    fill(app, "Reason", "The examination is tomorrow.")
    app = click(app, "Let all 2 grade")
    assert says(app, f"2 graders may grade {title_of(bench, PLATES)} now.")
    let_in = events(bench, "QualificationOverridden")[before:]
    assert {event.subject for event in let_in} == new


def test_a_paused_grader_goes_on_when_the_lead_gives_a_reason(lead):
    bench, grader_id = lead.bench, account_id(lead.bench, "grader-1")
    assert not says(lead.draw(LEAD), "Let a paused grader go on")
    pause(bench, lead.account.account_id, grader_id, PLATES, "")
    app = lead.draw(LEAD)
    assert says(app, "1 is paused")
    next(box for box in app.selectbox if box.label == "Paused grader").set_value("grader-1")
    fill(app, "Reason to go on", "We have talked it over.")
    app = click(app, "Let go on")
    assert says(app, f"grader-1 can go on with {title_of(bench, PLATES)}.")
    assert standing_of(bench, grader_id, PLATES).may_grade


def test_a_packet_under_way_is_said_to_be_and_judged_nowhere(lead):
    bench, grader_id = lead.bench, account_id(lead.bench, "grader-1")
    attempt = begin_packet(bench, grader_id)
    row = next(row for row in cells(lead.draw(LEAD), "Materials read") if row[0] == "grader-1")
    assert row[3:7] == ["under way", "0\xa0of\xa030", "under way", "\N{EN DASH}"]
    papers = papers_of(bench, grader_id, attempt)
    rank(bench, grader_id, attempt, list(papers))
    submit_grade(bench, grader_id, next(iter(papers)), GradeEntry(score=3), token="one")
    row = next(row for row in cells(lead.draw(LEAD), "Materials read") if row[0] == "grader-1")
    assert row[3] != "under way"
    assert row[4:6] == ["1\xa0of\xa030", "under way"]


def test_a_question_without_a_set_says_what_to_do_in_every_part(lead):
    title = lead.bench.material().item("mee-negligence").title
    for part in ("Panel", "Meeting"):
        app = lead.draw(LEAD, item=title, part=part)
        assert not app.exception
        assert says(app, f"No calibration set belongs to {title_of(lead.bench, 'mee-negligence')}. Put one")
    for part, words in (
        ("Rulings", "Every live grade was given under the version that stands"),
        ("Questions from graders", "No grader has questioned this point sheet."),
        ("Validity papers", "No set of validity papers belongs to this question"),
    ):
        app = lead.draw(LEAD, item=title, part=part)
        assert not app.exception
        assert says(app, words)
    assert "Panel's own references" not in next(r for r in app.radio if r.label == "Part").options


# -------------------------------------------------------------------------------------------- meeting


def test_the_meeting_shows_readers_as_letters_and_no_name(lead):
    app = lead.draw(LEAD, part="Meeting")
    assert not app.exception
    heading, *rows = cells(app, "most differently read first")
    assert (heading[:2], heading[-1]) == (["Paper", "Reference"], "Apart")
    assert re.fullmatch("[A-Z]{4}", "".join(heading[2:-1]))
    assert len(rows) == 30
    said = plain(app)
    for account in all_accounts(lead.bench):
        if account.simulated:
            assert account.name not in said
            assert account.account_id not in said


def test_papers_of_the_meeting_come_by_how_far_the_readers_are_apart(lead):
    rows = cells(lead.draw(LEAD, part="Meeting"), "most differently read first")[1:]
    shown = []
    for row in rows:
        scores = [float(cell) for cell in row[2:6] if cell.isdigit()]
        code = len(scores) < 4
        assert row[6] == ("a code" if code else f"{max(scores) - min(scores):g}")
        shown.append(float("inf") if code else max(scores) - min(scores))
    assert shown == sorted(shown, reverse=True)
    assert shown[0] > shown[-1]


def test_the_paper_discussed_shows_text_reason_and_who_share_each_contested_point(lead):
    bench = lead.bench
    with bench.record() as record:
        attempts = [a for a in record.calibration.attempts.values() if a.set_id == f"{PLATES}-a"]
        ticks = {}
        for attempt in attempts:
            for a in attempt.assignment_ids:
                essay = record.calibration.papers[record.assignments[a].response_id].essay
                ticks.setdefault(essay, []).append(set(record.check_grades[a].points))
    packet = bench.kept_packet(attempts[0].set_hash)
    app = lead.draw(LEAD, part="Meeting")
    box = next(one for one in app.selectbox if one.label == "Paper to discuss")
    first, second = box.options[:2]
    assert box.value == first
    app = click(app, "Next paper")
    assert next(one for one in app.selectbox if one.label == "Paper to discuss").value == second
    paper = packet.find_paper(second)
    said = plain(app)
    assert " ".join(paper.rationale.split()) in said
    assert " ".join(paper.text.split()) in said
    sheet = bench.material().item(PLATES).sheet
    points = {point.id: f"{sheet.numbers[point.id]} {point.text}" for point in sheet.points}
    counts = {p: sum(p in one for one in ticks[second]) for p in points}
    contested = {p: n for p, n in counts.items() if 0 < n < len(attempts)}
    rows = cells(app, "Point on which the readers differ")[1:]
    assert {row[0].rpartition(" (")[0]: row[1] for row in rows} == {
        points[p]: f"{n} of {len(attempts)}" for p, n in contested.items()
    }


def test_one_grader_alone_and_nobody_at_all_are_states_of_the_meeting(panel):
    app = panel.person.draw(LEAD, part="Meeting")
    assert says(app, "Nobody has finished a packet of this question yet.")
    panel.person.draw(LEAD, part="Panel's own references")
    click(panel.person.draw(LEAD, part="Panel's own references"), "Draw the packets")
    score_panel_packet(panel.bench, panel.graders[0].account_id, [4, 3, 5, 2, 1])
    app = panel.person.draw(LEAD, part="Meeting")
    assert not app.exception
    assert says(app, "With one reader there is nothing to compare but the reference.")
    app = panel.person.draw(LEAD)
    assert says(app, "Only one grader has ranked the papers, so rankings cannot be compared.")


# ------------------------------------------------------------------------ rulings, grades, questions


def ruling_box(app):
    return next(box for box in app.checkbox if box.label == "I have read what this does")


def all_box(app):
    return next(box for box in app.checkbox if box.label.startswith("Decide on all"))


def make_a_ruling(lead, words="A commercial unit is credited for the rule of rejection."):
    app = lead.draw(LEAD, part="Meeting")
    fill(app, "Ruling", words)
    ruling_box(app).check()
    return click(app, "Make this a ruling")


def test_a_ruling_typed_at_the_meeting_becomes_a_new_version_of_the_guidelines(lead):
    bench = lead.bench
    before = bench.material().item(PLATES)
    app = make_a_ruling(lead)
    assert says(app, f"{title_of(bench, PLATES)} is now version {int(before.version) + 1}.")
    guidelines = (bench.folder.rubrics_path / PLATES / "guidelines.md").read_text("utf-8")
    assert guidelines.startswith(before.guidelines.strip())
    assert guidelines.strip().endswith("A commercial unit is credited for the rule of rejection.")
    assert bench.material().item(PLATES).guidelines.strip() == guidelines.strip()
    assert events(bench, "RulingMade")[-1].actor == lead.account.account_id


def test_after_a_ruling_the_page_shows_who_has_read_it_and_what_was_graded_before(lead):
    bench = lead.bench
    make_a_ruling(lead)
    app = lead.draw(LEAD, part="Rulings")
    found = receipts(bench, PLATES)
    assert says(app, f"0 of {len(found)} graders have read version 2, or trained under it.")
    assert [row[1] for row in cells(app, '<th scope="col">Read</th>')[1:]] == ["not yet"] * len(found)
    before = graded_before(bench, PLATES)
    rows = cells(app, "What changed since")[1:]
    assert [row[0] for row in rows] == [one.assignment_id for one in before]
    assert {row[4] for row in rows} == {"guidelines only"}
    assert says(app, f"{len(before)} grades given under an earlier version wait.")
    for one in before:
        assert not says(app, one.response_id)


def test_some_grades_are_left_to_stand_with_a_reason_and_the_rest_still_waits(lead):
    bench = lead.bench
    make_a_ruling(lead)
    before = graded_before(bench, PLATES)
    chosen = [one.assignment_id for one in before[:2]]
    app = lead.draw(LEAD, part="Rulings")
    all_box(app).uncheck().run()
    app.multiselect[0].set_value(chosen)
    app = click(app, "Let them stand")
    assert says(app, "This needs a reason")
    assert events(bench, "GradesKept") == []
    all_box(app).uncheck().run()
    app.multiselect[0].set_value(chosen)
    fill(app, "Reason for the decision", "Neither mentions a unit.")
    app = click(app, "Let them stand")
    assert says(app, "2 grades left to stand.")
    assert events(bench, "GradesKept")[-1].body["assignment_ids"] == sorted(chosen)
    left = [row[0] for row in cells(app, "What changed since")[1:]]
    assert left == [one.assignment_id for one in before[2:]]


def test_a_question_on_the_point_sheet_waits_with_its_words_and_who_asked(lead):
    bench = lead.bench
    asked = "The sheet wants a writing, <b>but</b> the price is below $500."
    question_sheet(bench, account_id(bench, "grader-1"), PLATES, asked)
    app = lead.draw(LEAD, part="Questions from graders")
    assert says(app, "1 question on the point sheet waits for you")
    assert asked in [text.value for text in app.text]
    assert any(text.value.startswith("grader-1, ") for text in app.text)
    app = click(app, "The point sheet stays")
    assert says(app, "An answer needs a reason")
    fill(app, "Reason for the answer", "The price is $24,000.")
    app = click(app, "The point sheet stays")
    assert says(app, "Answered: the point sheet stays as it is.")
    assert events(bench, "SheetQuestionAnswered")[-1].body["decision"] == "no_change"
    assert says(app, "No grader has questioned this point sheet.")


def test_a_new_version_is_registered_with_the_answer_once_the_file_has_changed(lead):
    bench = lead.bench
    question_sheet(bench, account_id(bench, "grader-1"), PLATES, "The first issue weighs too much.")
    app = lead.draw(LEAD, part="Questions from graders")
    assert says(app, f"edit rubrics/{PLATES}/point_sheet.yaml, raise its version above 1")
    fill(app, "Reason for the answer", "The title misled.")
    app = click(app, "The new version is on disk: register it")
    assert says(app, "The point sheet says what it said when it was questioned")
    sheet = bench.folder.rubrics_path / PLATES / "point_sheet.yaml"
    changed = sheet.read_text("utf-8").replace('version: "1"', 'version: "2"', 1)
    title = bench.material().item(PLATES).sheet.issues[0].title
    sheet.write_text(changed.replace(title, f"{title} Say why."), "utf-8")
    fill(app, "Reason for the answer", "The title misled.")
    app = click(app, "The new version is on disk: register it")
    assert says(app, "Answered: the new version is registered.")
    assert bench.material().item(PLATES).version == "2"
    assert {one.only_guidelines for one in graded_before(bench, PLATES)} == {False}


# ------------------------------------------------------------------------------- panel-made references


def freeze_box(app, name):
    return next(one for one in app.selectbox if one.label == f"Reference of {name}")


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


# ----------------------------------------------------------------------------------- validity papers


def test_validity_papers_are_counted_for_each_grader(lead):
    bench, grader_id = lead.bench, account_id(lead.bench, "grader-1")
    kinds = [
        row["n"]
        for row in bench.store.rows(
            "SELECT count(*) AS n FROM assignment WHERE grader_id = ? AND item = ? AND kind = 'validity'",
            (grader_id, PLATES),
        )
    ]
    (planted,) = kinds
    row = next(
        r for r in cells(lead.draw(LEAD, part="Validity papers"), "Still needed") if r[0] == "grader-1"
    )
    # The shipped set has 15, and nothing is left to deal.
    assert row == ["grader-1", "0", str(planted), str(15 - planted), "0"]


@pytest.mark.parametrize(
    ("unused", "needed", "warning", "said"),
    [
        (3, 0, "", ""),
        (2, 0, "", "Ruth has 2 unused validity papers left"),
        (1, 0, "", "Ruth has 1 unused validity paper left"),
        (1, 4, "Ruth's validity papers will run out.", "Ruth's validity papers will run out."),
    ],
)
def test_a_supply_below_three_is_said_to_be_low(lead, unused, needed, warning, said):
    account = add_person(lead.bench, lead.bench.cli_actor("tests"), "Ruth")
    found = warning_of(ValidityLeft(account, unused, needed, 0, warning))
    assert found.startswith(said)
    assert bool(found) == bool(said)


def test_a_round_without_validity_papers_says_how_to_plant_some(panel):
    app = panel.person.draw(LEAD, part="Validity papers")
    assert says(app, "To plant some, write `validity_paper_every` under `checks`")
    assert says(app, "None yet. It takes 3 readers of one answer")


def test_an_answer_that_three_read_alike_is_shown_and_promoted_with_a_reason(panel):
    bench, person = panel.bench, panel.person
    app = person.draw(LEAD)
    fill(app, "Reason", "They are let in for a test.")
    click(app, "Let all 3 grade")
    deal(bench, panel.actor)
    dealt = panel.queue(panel.graders[0])[0]
    further = [g for g in panel.graders if g.account_id != dealt.grader_id]
    for number, grader in enumerate(further, start=2):
        one = Assignment(f"a{number}", dealt.response_id, "mee-barge", grader.account_id, 90, number)
        with bench.store.write() as connection:
            record_deal(bench, connection, panel.actor, "mee-barge", grader.account_id, [one])
    for read in reads_of(bench.store, dealt.response_id):
        submit_grade(bench, read.grader_id, read.assignment_id, GradeEntry(score=4), token=read.assignment_id)
    app = person.draw(LEAD, part="Validity papers")
    assert cells(app, "Readers")[1:] == [[dealt.response_id, "4", "3", "4"]]
    assert says(app, "to mee-barge.")
    app = click(app, "Make it a validity paper with reference 4")
    assert says(app, "needs a reason")
    fill(app, "Why it makes a good check", "Nobody hesitated.")
    app = click(app, "Make it a validity paper with reference 4")
    assert says(app, f"{dealt.response_id} is a validity paper now, planted from the next deal on.")
    assert events(bench, "PaperPromoted")[-1].subject == dealt.response_id
    assert says(app, "1 answer serves as a validity paper already.")


# ------------------------------------------------------------- leaves taken back, warnings, reading files


def test_a_leave_is_taken_back_on_the_panel_part_and_leaves_the_list(lead):
    bench, grader_id = lead.bench, account_id(lead.bench, "grader-1")
    app = lead.draw(LEAD)
    assert says(app, "Let in without having qualified")
    app = click(app, "Take the leave back")
    assert says(app, "Choose a grader first.")
    next(box for box in app.selectbox if box.label == "Grader let in").set_value("grader-1")
    fill(app, "Reason to take it back", "Ask grader-1 why.")
    app = click(app, "Take the leave back")
    assert says(app, "The reason names grader-1; every export prints it. Write it without names.")
    next(box for box in app.selectbox if box.label == "Grader let in").set_value("grader-1")
    fill(app, "Reason to take it back", "The trial is over.")
    app = click(app, "Take the leave back")
    assert says(app, "The leave is taken back: grader-1 no longer grades this question live.")
    assert not standing_of(bench, grader_id, PLATES).may_grade
    assert not says(app, "Let in without having qualified")


def test_a_ruling_says_what_it_does_and_wants_that_read(lead):
    bench = lead.bench
    with bench.record() as record:
        given = sum(grade.item == PLATES for grade in record.grades.values())
    app = lead.draw(LEAD, part="Rulings")
    assert says(app, "All 5 graders of this question stop until they have read it.")
    assert says(app, f"{given} grades given before will wait for your decision.")
    fill(app, "Ruling", "A commercial unit is credited.")
    app = click(app, "Make this a ruling")
    assert says(app, "Tick that you have read what this does")
    assert app.text_area[0].value == "A commercial unit is credited."
    assert events(bench, "RulingMade") == []
    ruling_box(app).check()
    app = click(app, "Make this a ruling")
    assert len(events(bench, "RulingMade")) == 1
    assert app.text_area[0].value == ""
    assert not ruling_box(app).value
    assert len(graded_before(bench, PLATES)) == given


def test_a_ruling_made_twice_is_refused_without_a_path(lead):
    make_a_ruling(lead)
    app = make_a_ruling(lead)
    assert says(app, f"This ruling stands in the guidelines of {title_of(lead.bench, PLATES)} already.")
    assert not says(app, str(lead.bench.folder.path))
    assert not says(app, "guidelines.md")
    assert len(events(lead.bench, "RulingMade")) == 1


def test_an_answer_graded_before_can_be_read_beside_its_grade(lead):
    bench = lead.bench
    make_a_ruling(lead)
    one = graded_before(bench, PLATES)[-1]
    app = lead.draw(LEAD, part="Rulings")
    next(box for box in app.selectbox if box.label == "Answer to read").set_value(one.assignment_id)
    app.run()
    names = {account.account_id: account.shown_name for account in all_accounts(bench)}
    titles = {code.id: code.title for code in bench.material().rubrics[PLATES].condition_codes}
    assert says(app, f"{names[one.grader_id]} gave it {titles.get(one.gave, one.gave)} under version 1.")
    words = text_of_paper(bench, one.response_id).split()
    assert " ".join(words[:12]) in plain(app)
    assert not says(app, one.response_id)


def test_files_changed_on_disk_are_read_in_by_a_button_that_says_which(lead):
    bench = lead.bench
    app = click(lead.draw(LEAD), "Read the files again")
    assert says(app, "Nothing new: the files say what was read in before.")
    sheet = bench.folder.rubrics_path / PLATES / "point_sheet.yaml"
    title = bench.material().item(PLATES).sheet.issues[0].title
    sheet.write_text(sheet.read_text("utf-8").replace(title, f"{title} Say why."), "utf-8")
    app = click(app, "Read the files again")
    assert says(app, "Nothing was read in.")
    assert says(app, f"rubrics/{PLATES}/point_sheet.yaml: Content of item {PLATES} changed")
    assert not says(app, str(bench.folder.path))
    changed = sheet.read_text("utf-8").replace('version: "1"', 'version: "2"', 1)
    sheet.write_text(changed, "utf-8")
    app = click(app, "Read the files again")
    assert says(app, f"Read in: item {PLATES}, version 2.")


def test_with_one_reader_the_papers_furthest_from_the_reference_come_first(lead):
    bench = lead.bench
    with bench.record() as record:
        one = next(a for a in record.calibration.attempts.values() if a.set_id == f"{PLATES}-a")
    papers = meeting_of(bench, one.set_id)
    alone = [
        replace(paper, given=dict([next(iter(sorted(paper.given.items())))]), apart=0.0) for paper in papers
    ]
    ordered = sorted(alone, key=lambda paper: -_from_reference(paper))
    off = [abs(float(p.reference) - float(*p.given.values())) for p in ordered if p.reference.isdigit()]
    assert off == sorted(off, reverse=True)
    assert off[0] > 0
    blank = replace(alone[0], reference="4", given={"Reader A": "blank"})
    assert _from_reference(blank) == float("inf")
    assert _from_reference(replace(blank, reference="blank")) == 0
    assert _from_reference(replace(blank, reference="\N{EN DASH}")) == 0
