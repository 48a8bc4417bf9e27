"""Feedback to a grader on a packet."""

import random
from html import unescape

import pytest
from calibration_drawn import LEAD, PAGE, cells, click, events, one_below, plain
from drawn_pages import says, texts
from finished_packets import (
    PLATES,
    as_reference,
    finish_exercise,
    finish_packet,
    papers_of,
)

from grader_app.domain.grade import GradeEntry
from grader_app.ui.parts.attempt_report import whole_percents
from grader_app.ui.parts.paper_feedback import apart, paper_feedback_html
from grader_app.workflow.feedback import PaperFeedback


@pytest.fixture
def grader(person):
    return person.sign_in("grader-1")


@pytest.fixture
def lead(person):
    return person.sign_in("lead")


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
