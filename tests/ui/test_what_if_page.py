"""The page What if: asking, the answer beside what stands, and letting rules stand with a reason."""

import pytest
from drawn_pages import add_lead, says, texts
from rows_behind_triggers import remove_answer

from grader_app.domain.events import EventKind
from grader_app.scaling.of_round import scaled_of_record
from grader_app.store.event_log import append
from grader_app.ui import current
from grader_app.ui.lead_pages.what_if_form import spoken_rules


@pytest.fixture
def lead(person):
    return person.sign_in("lead")


def field(app, label):
    every = [*app.number_input, *app.selectbox, *app.text_input]
    return next(one for one in every if one.label.startswith(label))


def press(app, label):
    next(one for one in app.button if one.label == label).click()
    return app.run()


def asked(lead, **values):
    app = lead.draw("lead_pages.what_if")
    assert not app.exception
    for label, value in values.items():
        field(app, label.replace("_", " ")).set_value(value)
    return press(app, "Show what would change")


def kinds(lead):
    return [row["kind"] for row in lead.bench.store.rows("SELECT kind FROM event ORDER BY seq")]


def test_the_form_begins_with_what_stands_and_asks_nothing_by_itself(lead):
    app = lead.draw("lead_pages.what_if")
    assert says(app, "The round is scaled by the rules of its own file.")
    assert not says(app, "What would change")
    app = press(app, "Show what would change")
    assert says(app, "Nothing differs from what stands.")


def test_another_weight_shows_old_and_new_totals_and_stores_nothing(lead):
    before = kinds(lead)
    app = asked(lead, Weight_of=7.0)
    assert not app.exception
    assert says(app, "would move; the furthest is ")
    assert says(app, "within the noise of reading")
    assert any("Then" in text and "Now" in text for text in texts(app))
    assert says(app, "Nothing was stored.")
    assert kinds(lead) == before


def test_another_line_names_who_crosses(lead):
    with lead.bench.record() as record:
        totals = sorted(row.total for row in scaled_of_record(record).candidates if row.total is not None)
        line = record.round.cut.total
    passing = sum(total >= line for total in totals)
    app = asked(lead, Passing_total=totals[0])
    more = len(totals) - passing
    assert says(app, f", {more} candidates would newly pass and nobody would no longer pass.")
    assert says(app, "Who crosses the line")


def test_rules_stand_once_applied_with_a_reason_and_can_be_taken_back(lead):
    app = asked(lead, Weight_of=7.0)
    app = press(app, "Let these rules stand")
    assert says(app, "needs a reason of 5 to 500 characters")
    field(app, "Reason").set_value("The board corrected the weight.")
    app = press(app, "Let these rules stand")
    assert not app.exception
    assert says(app, "These rules stand now: weight of ")
    assert kinds(lead)[-1] == "ScalingRulesSet"
    assert says(app, "own rules: weight of ")
    assert any("The board corrected the weight." in text for text in texts(app))
    scores = lead.draw("lead_pages.scores")
    assert says(scores, "Rules of scaling set on ")
    field(app, "Reason to go back").set_value("The board went back.")
    app = press(app, "Go back to the round's own rules")
    assert says(app, "by the rules of its own file again.")


def test_without_a_grader_there_is_an_answer_and_no_button_to_apply_it(lead):
    with lead.bench.record() as record:
        grader = next(grade.grader_id for grade in record.grades.values() if grade.score is not None)
    app = asked(lead, Without_the_reads=grader)
    assert not app.exception
    assert says(app, "without the reads of ")
    assert says(app, "reads cannot be set aside")
    assert "Let these rules stand" not in [one.label for one in app.button]


def test_after_reveal_one_can_ask_and_no_longer_decide(lead):
    with lead.bench.record() as record:
        response_ids = record.response_ids()[:3]
    with lead.bench.store.write() as connection:
        append(
            connection,
            at=lead.bench.now(),
            actor=lead.account.account_id,
            kind=EventKind.SOURCES_REVEALED,
            subject="export",
            body={"response_ids": response_ids},
        )
    app = asked(lead, Weight_of=7.0)
    assert says(app, "nobody may choose them knowing who gains")
    assert "Let these rules stand" not in [one.label for one in app.button]


def test_while_a_paper_is_missing_nothing_can_be_asked(lead):
    with lead.bench.record() as record:
        gone = record.response_ids()[0]
    remove_answer(lead.bench.store.path, gone)
    app = lead.draw("lead_pages.what_if")
    assert says(app, "Not every paper is accounted for")
    assert not app.button


def test_before_anything_is_scaled_the_page_says_what_is_missing(make, person):
    small = make()
    add_lead(small)
    person.bench = small.bench
    current.use(small.bench, lambda: person.token)
    person.sign_in("lead")
    app = person.draw("lead_pages.what_if")
    assert not app.exception
    assert says(app, "No candidate has a final score for every question yet")
    assert not app.button


def test_every_rule_that_can_be_set_has_words_of_its_own(lead):
    from grader_app.domain.scaling_rules import SetRules

    rules = SetRules(
        preset="ube",
        weights={"mee-negligence": 2},
        method="equipercentile",
        rounding="none",
        reads_rule="first",
        cut=266,
    )
    current.use(lead.bench, lambda: lead.token)
    said = list(spoken_rules(rules))
    assert len(said) == len(rules.says) == 6
    assert said[-1] == "passing total 266"
