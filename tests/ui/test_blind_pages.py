"""Flags and guesses on the pages without the desk's component, and what the lead sees of them."""

import pytest
from drawn_pages import says, texts

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.store.event_log import append
from grader_app.workflow.author_flags import flag_author
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.registration import register_files

PLAIN = {"form": "plain"}
QUESTION = "Who wrote the answer you just graded?"


@pytest.fixture
def grader(person):
    return person.sign_in("grader-1")


def ask_always(bench):
    """Register a version of the sample's round that asks after every grade."""
    path = bench.folder.path / "round.yaml"
    said = path.read_text(encoding="utf-8").replace('version: "1"', 'version: "2"', 1)
    before, _, after = said.partition("guesses:\n")
    rest = after[after.index("scaling:") :]
    path.write_text(f"{before}guesses:\n  share_percent: 100\n{rest}", encoding="utf-8")
    register_files(bench, bench.cli_actor("tests"))


def click(app, label):
    next(button for button in app.button if button.label == label).click()
    return app.run()


def grade_in_form(app):
    next(one for one in app.radio if one.label == "Score").set_value(4.0)
    return click(app, "Submit")


def guesses(bench):
    rows = bench.store.rows("SELECT body FROM event WHERE kind = 'SourceGuessed' ORDER BY seq")
    return [row["body"] for row in rows]


def before(bench):
    """How many guesses the simulated panel made."""
    return len(guesses(bench))


def test_the_plain_form_asks_after_the_grade_and_then_goes_on(grader):
    ask_always(grader.bench)
    start = before(grader.bench)
    graded = next_sheet_or_none(grader.bench, grader.account.account_id).assignment_id
    app = grade_in_form(grader.draw("grader_pages.grade", **PLAIN))
    assert not app.exception
    assert app.header[0].value == QUESTION
    assert says(app, "Nobody will tell you whether you were right")
    app = click(app, "Record it")
    assert says(app, "Choose one of the three")
    assert before(grader.bench) == start
    next(one for one in app.radio if one.label == "Written by").set_value("model")
    next(one for one in app.radio if one.label == "How sure are you?").set_value("leaning")
    app = click(app, "Record it")
    assert not app.exception
    assert app.header[0].value.startswith("Answer ")
    assert graded not in app.header[0].value
    assert '"guess":"model"' in guesses(grader.bench)[-1]
    assert '"sure":"leaning"' in guesses(grader.bench)[-1]


def test_the_question_can_be_skipped_in_the_plain_form_and_does_not_come_back(grader):
    ask_always(grader.bench)
    start = before(grader.bench)
    app = grade_in_form(grader.draw("grader_pages.grade", **PLAIN))
    app = click(app, "Skip")
    assert app.header[0].value.startswith("Answer ")
    assert says(app, "Left unanswered.")
    assert grader.draw("grader_pages.grade", **PLAIN).header[0].value.startswith("Answer ")
    assert before(grader.bench) == start


def test_the_plain_form_asks_nothing_about_a_question_that_is_not_listed(grader):
    app = grade_in_form(grader.draw("grader_pages.grade", **PLAIN))
    assert app.header[0].value.startswith("Answer ")


def test_the_plain_form_takes_the_flag_and_shows_that_it_is_on_record(grader):
    sheet = next_sheet_or_none(grader.bench, grader.account.account_id)
    app = grader.draw("grader_pages.grade", **PLAIN)
    next(one for one in app.text_area if one.label.startswith("What gives it away")).set_value("Signed.")
    app = click(app, "Put it on record")
    assert not app.exception
    assert app.header[0].value == f"Answer {sheet.assignment_id}"
    assert says(app, "The text gives its author away: you said so")
    with grader.bench.record() as record:
        assert sheet.assignment_id in record.author_flags


def test_a_graded_answer_can_be_flagged_on_the_progress_page(grader):
    sheet = next_sheet_or_none(grader.bench, grader.account.account_id)
    submit_grade(grader.bench, grader.account.account_id, sheet.assignment_id, GradeEntry(score=3), token="s")
    app = grader.draw("grader_pages.progress")
    app = click(app, "Put it on record")
    assert says(app, "Choose the answer first.")
    assert app.text_area[0].label.startswith("What gives it away")
    app.text_area[0].set_value("It names a school.")
    app = click(app, "Put it on record")
    assert says(app, "Choose the answer first.")
    assert app.text_area[0].value == "It names a school."
    app.selectbox[0].set_value(sheet.assignment_id)
    app = click(app, "Put it on record")
    assert says(app, f"Answer {sheet.assignment_id}: put on record")
    # What was written of one answer is not offered for the next.
    assert (app.text_area[0].value, app.selectbox[0].value) == ("", None)
    app.selectbox[0].set_value(sheet.assignment_id)
    app = click(app, "Put it on record")
    assert says(app, f"Answer {sheet.assignment_id}: put on record")
    flagged = "SELECT count(*) AS n FROM event WHERE kind = 'AuthorGivenAway' AND subject = ?"
    assert grader.bench.store.rows(flagged, (sheet.assignment_id,))[0]["n"] == 1
    later = grader.draw("grader_pages.progress")
    later.selectbox[0].set_value(sheet.assignment_id)
    assert says(click(later, "Put it on record"), "on record once")


def test_the_lead_sees_papers_words_and_counts_and_nothing_of_right_or_wrong(person):
    person.sign_in("grader-1")
    sheet = next_sheet_or_none(person.bench, person.account.account_id)
    flag_author(
        person.bench, person.account.account_id, sheet.assignment_id, token="f", words="It names a school."
    )
    person.sign_in("lead")
    app = person.draw("lead_pages.blind")
    assert not app.exception
    assert says(app, "a grader said that the text gives its author away")
    assert says(app, "It names a school.")
    assert says(app, "Who wrote the answer was asked after")
    shown = " ".join(texts(app))
    for word in ("Bang", "guessed right", "C-10", "quill"):
        assert word not in shown


def test_after_the_reveal_the_lead_is_told_where_right_and_wrong_stand(person):
    person.sign_in("lead")
    ids = [row["id"] for row in person.bench.store.rows("SELECT id FROM response")]
    with person.bench.store.write() as connection:
        append(
            connection,
            at=person.bench.now(),
            actor=person.account.account_id,
            kind=EventKind.SOURCES_REVEALED,
            subject="w",
            body={"response_ids": ids},
        )
    app = person.draw("lead_pages.blind")
    assert says(app, f"The sources of {len(ids)} answers are revealed.")
    assert says(app, "stands in blinding_check.html")
    assert not says(app, "is worked out when")


def test_the_lead_of_a_round_that_asks_nobody_is_told_how_to_ask(make_silent):
    app = make_silent.sign_in("lead").draw("lead_pages.blind")
    assert says(app, "Graders are not asked who wrote an answer.")
    assert "share_percent" in app.code[0].value


@pytest.fixture
def make_silent(person, monkeypatch):
    """The sample as if it had never asked."""
    from grader_app.ui.lead_pages import blind
    from grader_app.workflow.blind_watch import Asked

    monkeypatch.setattr(blind, "asked", lambda _: Asked(0, 0, 0))
    return person
