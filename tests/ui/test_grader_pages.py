import pytest
from drawn_pages import Person, says, texts

from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Role
from grader_app.errors import WrongRole
from grader_app.ui import current
from grader_app.ui.app import PAGES
from grader_app.ui.parts.desk import desk_data
from grader_app.workflow.accounts import add_account, reset_password
from grader_app.workflow.assignment import deal
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.live_grading import next_sheet_or_none, save_draft

PLAIN = {"form": "plain"}


@pytest.fixture
def grader(person):
    return person.sign_in("grader-1")


def on_desk(person):
    return next_sheet_or_none(person.bench, person.account.account_id)


def events(person, kind):
    rows = person.bench.store.rows(
        "SELECT subject, json_extract(body, '$.score') AS score, body FROM event "
        "WHERE kind = ? AND actor = ? ORDER BY seq",
        (kind, person.account.account_id),
    )
    return [(row["subject"], row["score"]) for row in rows]


def submit(app, label="Submit"):
    next(button for button in app.button if button.label == label).click()
    return app.run()


def radio(app, label):
    return next(one for one in app.radio if one.label == label)


def note_of(app):
    return next(area for area in app.text_area if area.label == "Note")


def grade_all(person, but=0):
    account_id = person.account.account_id
    rows = person.bench.store.rows("SELECT id, item FROM assignment WHERE grader_id = ?", (account_id,))
    for row in rows[but:]:
        rule = row["item"].startswith("rule-")
        entry = GradeEntry(marks={"correctness": 1, "analysis": 1}) if rule else GradeEntry(score=3)
        submit_grade(person.bench, account_id, row["id"], entry, token=row["id"])


def test_the_plain_form_shows_the_answer_as_it_was_written(grader):
    sheet = on_desk(grader)
    app = grader.draw("grader_pages.grade", **PLAIN)
    assert not app.exception
    assert app.header[0].value == f"Answer {sheet.assignment_id}"
    assert sheet.answer in [text.value for text in app.text]


def test_both_forms_show_the_checklist_of_the_rubric(grader):
    sheet = on_desk(grader)
    questions = [one.question for one in sheet.rubric.checklist]
    assert len(questions) > 1
    data = desk_data(sheet, csrf_token="t", draft=None, saved_at=None, progress={})
    assert data["reminders"] == questions
    app = grader.draw("grader_pages.grade", **PLAIN)
    assert all(says(app, f"Reminder: {question}") for question in questions)


def test_a_grade_from_the_plain_form_is_recorded_and_the_next_answer_follows(grader):
    sheet = on_desk(grader)
    app = grader.draw("grader_pages.grade", **PLAIN)
    app.checkbox[0].check()
    radio(app, "Score").set_value(4.0)
    note_of(app).set_value("Good on the first issue.")
    submit(app)
    assert not app.exception
    assert events(grader, "GradeSubmitted") == [(sheet.assignment_id, 4)]
    assert app.header[0].value == f"Answer {on_desk(grader).assignment_id}"
    assert app.header[0].value != f"Answer {sheet.assignment_id}"
    assert app.text[0].value.startswith("Submitted ")


def test_the_plain_form_without_a_score_says_what_is_missing_and_keeps_the_rest(grader):
    app = grader.draw("grader_pages.grade", **PLAIN)
    note_of(app).set_value("Kept")
    submit(app)
    assert events(grader, "GradeSubmitted") == []
    assert note_of(app).value == "Kept"
    assert any("No score was given" in text for text in texts(app))


def test_a_condition_code_from_the_plain_form_leaves_no_score(grader):
    app = grader.draw("grader_pages.grade", **PLAIN)
    radio(app, "Score").set_value(4.0)
    radio(app, "Instead of a score").set_value("blank")
    submit(app)
    assert [score for _, score in events(grader, "GradeSubmitted")] == [None]


def test_a_rubric_without_condition_codes_is_not_asked_for_one(make):
    small = make(answers=0, items=("rule-ferry",))
    small.take_in("rule-ferry", 2)
    deal(small.bench, small.actor)
    reset_password(small.bench, small.actor, small.graders[0], chosen="three plain words")
    reader = Person(small.bench).sign_in(small.graders[0].name)
    current.use(small.bench, lambda: reader.token)
    app = reader.draw("grader_pages.grade", **PLAIN)
    assert [one.label for one in app.radio] == ["Analysis", "Correctness", "Reason"]
    current.use(small.bench)


def test_the_plain_form_starts_from_the_draft_of_the_desk(grader):
    sheet = on_desk(grader)
    draft = {"score": 2.0, "note": "Half a thought", "points": [sheet.point_sheet.issues[0].points[0].id]}
    save_draft(grader.bench, grader.account.account_id, sheet.assignment_id, draft)
    app = grader.draw("grader_pages.grade", **PLAIN)
    assert radio(app, "Score").value == 2.0
    assert note_of(app).value == "Half a thought"
    assert [box.value for box in app.checkbox][:2] == [True, False]


def test_the_plain_form_corrects_a_grade_with_a_reason_only(grader):
    sheet = on_desk(grader)
    grade_all(grader, but=0)
    app = grader.draw("grader_pages.grade", **PLAIN, correct=sheet.assignment_id)
    assert radio(app, "Score").value == 3.0
    radio(app, "Score").set_value(5.0)
    submit(app, "Save correction")
    assert events(grader, "GradeCorrected") == []
    assert says(app, "A correction needs a reason")
    next(area for area in app.text_area if area.label == "Why do you correct it?").set_value("Misread.")
    submit(app, "Save correction")
    assert events(grader, "GradeCorrected") == [(sheet.assignment_id, 5)]


def test_the_plain_form_sends_an_answer_to_the_lead(grader):
    sheet = on_desk(grader)
    app = grader.draw("grader_pages.grade", **PLAIN)
    submit(app, "Send to the lead")
    assert events(grader, "AnswerReferred") == []
    radio(app, "Reason").set_value("source-shown")
    submit(app, "Send to the lead")
    assert [subject for subject, _ in events(grader, "AnswerReferred")] == [sheet.assignment_id]
    assert on_desk(grader).assignment_id != sheet.assignment_id


def test_the_plain_form_offers_errors_and_gaps_of_a_model_answer(grader):
    rows = grader.bench.store.rows(
        "SELECT id, item FROM assignment WHERE grader_id = ? AND item NOT LIKE 'rule-%'",
        (grader.account.account_id,),
    )
    for row in rows:
        submit_grade(grader.bench, grader.account.account_id, row["id"], GradeEntry(score=3), token=row["id"])
    app = grader.draw("grader_pages.grade", **PLAIN)
    app.multiselect[0].set_value(["logic-error"])
    submit(app)
    assert events(grader, "GradeSubmitted")[-1][1] == 0


def test_an_empty_queue_is_a_designed_state_in_both_forms(grader):
    grade_all(grader)
    for query in ({}, PLAIN):
        app = grader.draw("grader_pages.grade", **query)
        assert not app.exception
        assert app.header[0].value == "Nothing left to grade"


def test_a_grader_to_whom_nothing_was_dealt_is_told_so(person):
    made, _ = add_account(person.bench, person.bench.cli_actor("tests"), "newcomer", Role.GRADER)
    reset_password(person.bench, person.bench.cli_actor("tests"), made, chosen="a password of her own")
    person.sign_in("newcomer")
    for page in ("grade", "progress"):
        app = person.draw(f"grader_pages.{page}")
        assert not app.exception
        assert says(app, "No answers have been dealt to you yet.")


def test_the_desk_is_drawn_for_the_next_answer(grader):
    app = grader.draw("grader_pages.grade")
    assert not app.exception
    assert on_desk(grader).assignment_id in str(app.get("bidi_component")[0].proto)


def test_the_desk_shows_nothing_after_a_sign_out(grader):
    sheet = on_desk(grader)
    app = grader.draw("grader_pages.grade")
    grader.sign_out()
    app.run()
    assert sheet.answer[:40] not in str(app.main)


def test_a_correction_of_what_is_not_ones_own_is_refused_with_a_sentence(grader):
    theirs = grader.bench.store.rows(
        "SELECT id FROM assignment WHERE grader_id <> ? LIMIT 1", (grader.account.account_id,)
    )[0]["id"]
    for query in ({"correct": theirs}, {"correct": "nonsense"}, {"correct": theirs} | PLAIN):
        app = grader.draw("grader_pages.grade", **query)
        assert not app.exception
        assert says(app, "not in your queue")


def test_progress_counts_what_is_done_and_left_and_leads_back_to_each_grade(grader):
    grade_all(grader, but=3)
    app = grader.draw("grader_pages.progress")
    done = len(events(grader, "GradeSubmitted"))
    assert says(app, f"{done} answers graded, 3 left.")
    (table,) = [text for text in texts(app) if "/grade?correct=" in text]
    assert table.count("/grade?correct=") == done


def test_progress_shows_nothing_of_anyone_else(grader):
    app = grader.draw("grader_pages.progress")
    for name in ("birch", "cedar", "dogwood", "simulated"):
        assert not says(app, name)


def test_the_desk_receives_these_facts_and_no_others(grader):
    data = desk_data(on_desk(grader), csrf_token="t", draft=None, saved_at=None, progress={})
    assert set(data) == {
        *(
            "assignment",
            "served",
            "item",
            "title",
            "kind",
            "prompt",
            "answer",
            "cut_off",
            "guidelines",
            "file",
        ),
        *("library", "gold", "issues", "given_by", "scores", "levels", "criteria", "error_types"),
        *("analysis_gaps", "condition_codes", "reasons", "csrf_token", "draft", "saved_at", "progress"),
        *("correcting", "last_recorded_at", "calibrating", "waits"),
        *("previous", "worth", "range", "library_documents", "item_hash", "revision", "says"),
        *("author_flagged_at", "guesses", "sureness", "reminders"),
    }


@pytest.mark.parametrize("page", [address for address, _, _ in PAGES[Role.GRADER]])
def test_a_lead_who_reaches_a_graders_page_draws_nothing_of_it(person, page):
    person.sign_in("lead")
    app = person.draw(f"grader_pages.{page}")
    assert [error.message for error in app.exception] != []
    assert WrongRole.__name__ in str(app.exception[0].proto)
    assert texts(app) == []
