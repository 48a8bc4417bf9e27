"""Calibration, rulings and questions: what they change, and for whom."""

import pytest
from calibration_drawn import (
    LEAD,
    account_id,
    all_box,
    cells,
    click,
    events,
    fill,
    make_a_ruling,
    plain,
    ruling_box,
    title_of,
)
from drawn_pages import says
from finished_packets import (
    PLATES,
)

from grader_app.workflow.feedback import text_of_paper
from grader_app.workflow.progress import all_accounts
from grader_app.workflow.rulings import graded_before, question_sheet, receipts


@pytest.fixture
def grader(person):
    return person.sign_in("grader-1")


@pytest.fixture
def lead(person):
    return person.sign_in("lead")


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
