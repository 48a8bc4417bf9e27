"""What a grader finds on the pages of calibration and grading: before beginning, and after a ruling."""

import re
from dataclasses import replace
from html import unescape

import pytest
from drawn_pages import says, texts
from finished_packets import PLATES, add_person, finish_packet, papers_of

from grader_app.agreement.estimate import Estimate
from grader_app.domain.grade import GradeEntry
from grader_app.store.event_log import read_events
from grader_app.ui.parts.attempt_report import says_nothing
from grader_app.workflow.calibration import own_attempt
from grader_app.workflow.monitoring import pause
from grader_app.workflow.rulings import make_ruling, reread_guidelines
from grader_app.workflow.training import training_of

PAGE = "grader_pages.calibrate"
TITLE = "The plates and the tablecloths"
RULING = "A plate is goods even when it is broken."


@pytest.fixture
def grader(person):
    return person.sign_in("grader-1")


def row_of(app, title=TITLE):
    table = next(text for text in texts(app) if "Materials read" in text)
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    found = [[unescape(re.sub(r"<[^>]+>", "", cell)) for cell in row.split("</td>")] for row in rows]
    return next(row for row in found if row[0] == title)


def rule(bench):
    return make_ruling(bench, bench.cli_actor("tests"), PLATES, RULING)


def next_steps(app):
    return re.findall(r'class="step next" href="([^"]+)"', " ".join(texts(app)))


def test_with_everything_open_the_page_says_that_nothing_more_is_needed_and_how_long_a_packet_takes(grader):
    app = grader.draw(PAGE)
    assert says(app, "You may grade every question. Calibrating is not needed, but you can try the packet.")
    # The packet has 30 papers; at four minutes each they take two hours.
    assert says(app, f"{TITLE}: the packet has 30 papers, about 2 hours.")
    assert next_steps(app) == []


def test_a_ruling_leaves_the_date_of_the_reading_before_it_and_the_exercise(grader):
    bench, me = grader.bench, grader.account.account_id
    finish_packet(bench, me)
    read = row_of(grader.draw(PAGE))[2]
    assert re.fullmatch(r"\d+ \w{3} \d{4}, \d\d:\d\d UTC", read)
    rule(bench)
    app = grader.draw(PAGE)
    assert row_of(app)[1:3] == ["read the new ruling", f"{read}, before the new ruling"]
    exercise = f"{TITLE}: exercise on condition codes (not judged)"
    assert exercise in [button.label for button in app.button]
    reread_guidelines(bench, me, PLATES)
    app = grader.draw(PAGE)
    assert re.fullmatch(re.escape(read) + r"; ruling read \d+ \w{3} \d{4}, \d\d:\d\d UTC", row_of(app)[2])
    assert exercise in [button.label for button in app.button]


def test_the_new_ruling_alone_is_marked_and_confirming_it_leads_to_grading(grader):
    bench = grader.bench
    finish_packet(bench, grader.account.account_id)
    rule(bench)
    app = grader.draw(PAGE, item=PLATES, material="guidelines")
    assert [header.value for header in app.subheader] == ["Guidelines (rulings)"]
    marked = re.findall(r'<p class="new">(.*?)</p>', " ".join(texts(app)), re.DOTALL)
    assert len(marked) == 1
    assert RULING in marked[0]
    next(b for b in app.button if b.label == "I have read the guidelines as they stand").click()
    app = app.run()
    assert [e.body["item"] for e in read_events(bench.store) if e.kind == "GuidelinesReread"] == [PLATES]
    assert next_steps(app) == ["/grade"]
    assert not says(app, "Next: ")
    assert not says(app, 'class="new"')


def test_two_rulings_since_the_last_reading_are_both_marked(grader):
    finish_packet(grader.bench, grader.account.account_id)
    rule(grader.bench)
    make_ruling(grader.bench, grader.bench.cli_actor("tests"), PLATES, "A tablecloth is goods too.")
    app = grader.draw(PAGE, item=PLATES, material="guidelines")
    assert len(re.findall(r'<p class="new">', " ".join(texts(app)))) == 2


@pytest.mark.parametrize("step", [{"item": PLATES}, {"item": PLATES, "material": "rubric"}])
def test_materials_have_a_way_back_above_their_heading(grader, step):
    app = grader.draw(PAGE, **step)
    assert any('class="back" href="/calibrate"' in text for text in texts(app))


def test_materials_show_no_id_of_a_code_and_points_in_columns_of_their_own(grader):
    rubric = " ".join(texts(grader.draw(PAGE, item=PLATES, material="rubric")))
    rubric_codes = grader.bench.material().rubrics[PLATES].condition_codes
    for code in rubric_codes:
        assert code.title in rubric
        assert f"<td>{code.id}</td>" not in rubric
    anchors = " ".join(texts(grader.draw(PAGE, item=PLATES, material="anchors")))
    issue = grader.bench.material().item(PLATES).sheet.issues[0]
    assert re.search(rf"<td[^>]*>{re.escape(issue.title)}</td><td>\d of {len(issue.points)}</td>", anchors)


def test_the_rubric_is_read_with_its_reminders_error_types_and_gaps(grader):
    six_points = " ".join(texts(grader.draw(PAGE, item=PLATES, material="rubric")))
    assert "Reminder: Does the answer take up each question that the calls ask?" in six_points
    rule = unescape(" ".join(texts(grader.draw(PAGE, item="rule-hearsay", material="rubric"))))
    rubric = grader.bench.material().rubrics["rule-hearsay"]
    assert rubric.error_types
    assert rubric.analysis_gaps
    for one in (*rubric.error_types, *rubric.analysis_gaps):
        assert re.search(f"<td[^>]*>{re.escape(one.title)}</td><td[^>]*>{re.escape(one.means)}</td>", rule)


def test_half_steps_are_said_before_a_packet_is_scored(grader, monkeypatch):
    assert "in steps of" not in " ".join(texts(grader.draw(PAGE, item=PLATES, material="rubric")))

    def in_halves(*asked):
        training = training_of(*asked)
        score = training.rubric.score.model_copy(update={"step": 0.5})
        return replace(training, rubric=training.rubric.model_copy(update={"score": score}))

    monkeypatch.setattr("grader_app.ui.grader_pages.calibration_materials.training_of", in_halves)
    assert "0 to 6, in steps of 0.5." in " ".join(texts(grader.draw(PAGE, item=PLATES, material="rubric")))


def test_the_point_sheet_is_read_with_what_either_side_earns_and_with_the_file_and_library_of_an_mpt(grader):
    item = grader.bench.material().item("mpt-rescue-bill")
    contested = [point.text for issue in item.sheet.issues for point in issue.points if point.contested]
    assert contested
    app = grader.draw(PAGE, item="mpt-rescue-bill", material="point_sheet")
    drawn = unescape(" ".join(texts(app)))
    assert drawn.count("Either side earns it if argued.") == len(contested)
    assert all(f">{text} Either side earns it if argued.</td>" in drawn for text in contested)
    assert [one.label for one in app.expander] == [
        "The question",
        "The File",
        "The Library",
        "The point sheet is wrong",
    ]


@pytest.mark.parametrize(
    ("papers", "said"),
    [(1, "1 paper with its score."), (6, "6 papers with their scores, the best first.")],
)
def test_anchors_are_counted_in_good_english(grader, monkeypatch, papers, said):
    def fewer(*asked):
        training = training_of(*asked)
        return replace(training, anchors=training.anchors[:papers])

    monkeypatch.setattr("grader_app.ui.grader_pages.calibration_materials.training_of", fewer)
    assert says(grader.draw(PAGE, item=PLATES, material="anchors"), said)


# ---------------------------------------------------------------------------------- the grading page


@pytest.mark.parametrize(
    ("close", "says_so"),
    [
        (rule, "read the new ruling."),
        (lambda bench: pause_grader_1(bench), "your grading of it is paused."),
    ],
)
def test_a_question_that_waits_is_named_beside_the_other_questions(grader, close, says_so):
    assert not says(grader.draw("grader_pages.grade", form="plain"), "waits:")
    close(grader.bench)
    app = grader.draw("grader_pages.grade", form="plain")
    assert says(app, f"“{TITLE}” waits: {says_so}")
    assert any('href="/calibrate"' in text for text in texts(app))


def pause_grader_1(bench):
    grader_id = next(
        r["id"] for r in bench.store.rows("SELECT id FROM account") if _is_named(bench, r["id"], "grader-1")
    )
    pause(bench, bench.cli_actor("tests"), grader_id, PLATES, "A test of the page.")


def _is_named(bench, account_id, name):
    return bench.store.rows("SELECT name FROM account WHERE id = ?", (account_id,))[0]["name"] == name


# ---------------------------------------------------------------------------------------- feedback


def articles(app):
    (papers,) = [text for text in texts(app) if "<article" in text]
    return papers.split("<article")[1:]


def test_whoever_ticked_no_points_is_told_so_once(grader):
    attempt = finish_packet(grader.bench, grader.account.account_id, lambda p: GradeEntry(score=p.score))
    app = grader.draw(PAGE, attempt=attempt)
    once = "You ticked no points, so points read differently are not shown."
    assert sum(once in text for text in texts(app)) == 1
    assert not says(app, "read differently</summary>")
    assert not says(app, "you did not tick them")


def test_a_paper_without_points_on_either_side_says_nothing_of_points(grader):
    bench, me = grader.bench, grader.account.account_id
    attempt = finish_packet(bench, me)
    app = grader.draw(PAGE, attempt=attempt)
    assert not says(app, "You ticked no points")
    packet = bench.kept_packet(own_attempt(bench, me, attempt).set_hash)
    papers = papers_of(bench, me, attempt).values()
    assert {paper.essay for paper in papers} == {paper.essay for paper in packet.ranked}
    for paper in papers:
        (article,) = [one for one in articles(app) if f"<h4>{paper.essay}</h4>" in one]
        assert ("the very points" in article) == bool(paper.points), paper.essay


def test_the_way_back_stands_above_the_heading_of_the_feedback(grader):
    attempt = finish_packet(grader.bench, grader.account.account_id)
    app = grader.draw(PAGE, attempt=attempt)
    assert any('class="back" href="/calibrate"' in text for text in texts(app))


def figure(name, low, high, n):
    return Estimate(
        name=name,
        value=0.5,
        low=low,
        high=high,
        confidence=0.95,
        interval_method="",
        says="",
        n_responses=n,
    )


@pytest.mark.parametrize(
    ("found", "nothing"),
    [
        (figure("exact", 0.0, 1.0, 5), True),
        (figure("exact", 0.0, 0.98, 5), False),
        (figure("kendall_tau_b", -1.0, 1.0, 5), True),
        (figure("kendall_tau_b", 0.0, 1.0, 5), False),
        (figure("quadratic_weighted_kappa", -0.996, 0.998, 5), True),
        (figure("severity", -0.8, 1.3, 9), True),
        (figure("severity", -0.7, 1.3, 9), False),
        (figure("severity", -0.8, 1.3, 10), False),
        (figure("slope", -9.0, 9.0, 5), False),
    ],
)
def test_an_interval_that_leaves_everything_open_is_not_shown(found, nothing):
    assert says_nothing(found) is nothing
    assert says_nothing(replace(found, low=None, high=None)) is False


def test_a_newcomer_is_told_what_to_read_first(person):
    add_person(person.bench, person.bench.cli_actor("tests"), "newcomer")
    app = person.sign_in("newcomer").draw(PAGE)
    assert says(app, "is not open to you yet.")
    assert next_steps(app)[0].startswith("/calibrate?item=")
    assert row_of(app)[2] == "\N{EN DASH}"
