"""What calibration says on the grader's other pages."""

import pytest
from calibration_drawn import LEAD, account_id, click, fill, make_a_ruling, plain
from drawn_pages import says, texts
from finished_packets import (
    PLATES,
    add_person,
)

from grader_app.domain.grade import GradeEntry
from grader_app.sample.content import ITEMS
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.rulings import to_grade_again


@pytest.fixture
def grader(person):
    return person.sign_in("grader-1")


@pytest.fixture
def lead(person):
    return person.sign_in("lead")


def grade_all_of(bench, grader_id, *items):
    for item in items:
        for row in bench.store.rows(
            "SELECT id FROM assignment WHERE grader_id = ? AND item = ? AND kind <> 'calibration'",
            (grader_id, item),
        ):
            rule = item.startswith("rule-")
            entry = GradeEntry(marks={"correctness": 1, "analysis": 1}) if rule else GradeEntry(score=3)
            submit_grade(bench, grader_id, row["id"], entry, token=row["id"])


@pytest.mark.parametrize("form", ["desk", "plain"])
def test_somebody_who_has_to_calibrate_first_is_told_so_on_the_grading_page(person, form):
    add_person(person.bench, person.bench.cli_actor("tests"), "newcomer")
    person.sign_in("newcomer")
    app = person.draw("grader_pages.grade", form=form)
    assert [header.value for header in app.header] == ["Calibration comes first"]
    assert says(app, "The plates and the tablecloths: Calibrate first: rank the packet, then score it.")
    assert any('class="step next" href="/calibrate"' in text for text in texts(app))


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
    assert says(app, "graded; no other question is open to you now.")
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
