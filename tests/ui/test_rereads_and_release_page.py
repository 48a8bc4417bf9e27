"""Scores: the states of re-reads and of the release, as a lead meets them."""

from contextlib import closing

import pytest
from drawn_pages import Person, add_lead, says, texts
from release_steps import closed_and_exported, exported, prepare, released
from reread_pools import CUT, FAR, near_the_line, pool, rereads, rule
from small_workspace import make_workspace

from grader_app.domain.events import EventKind
from grader_app.ui import current
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.rereads import begin_rereads


@pytest.fixture
def at_scores(tmp_path):
    """Make a pool, sign its lead in, and give the workspace and a way to draw the page as any lead."""
    made = []

    def build(more=None, **options):
        def make(**how):
            return make_workspace(tmp_path / f"w{len(made)}", **how)

        small = pool(make, more, **options)
        made.append(small)
        person = Person(small.bench)
        current.use(small.bench, lambda: person.token)
        for name in ("ann", "bea"):
            add_lead(small, name)

        def draw(name="ann"):
            return person.sign_in(name).draw("lead_pages.scores")

        return small, draw

    yield build
    current.use(None)
    for small in made:
        with closing(small.bench.store):
            pass


def press(app, key):
    app.button(key=key).click().run()
    assert not app.exception
    return app


def kinds(app):
    return {button.key or "" for button in app.button}


def test_a_band_without_a_rule_says_what_to_write_and_no_band_says_nothing(at_scores):
    _, draw = at_scores(CUT)
    assert says(draw(), "The round has no re-read rule. Write `reread` in a new version of round.yaml.")
    _, draw = at_scores("cut:\n  total: 266\n")
    assert not says(draw(), "Re-reads before release")


def test_before_all_first_reads_are_in_it_says_what_is_missing(at_scores):
    _, draw = at_scores(graded=False)
    app = draw()
    assert says(app, "Not possible yet.")
    assert says(app, "8 answers wait for their first reads. Let them be read first.")
    assert "ask:rereads" not in kinds(app)


def test_ready_says_rule_and_bias_and_begins_only_after_a_second_yes(at_scores):
    small, draw = at_scores(rule("higher"), reading="reads: 2")
    app = draw()
    assert says(app, "Ready: 2 answers of 2 candidates in the band, to 2 graders.")
    assert says(app, "can only raise them")
    assert says(app, "Bias to expect, in points of the total")
    press(app, "ask:rereads")
    assert small.count(EventKind.REREADS_BEGUN) == 0
    press(app, "yes:rereads")
    assert small.count(EventKind.REREADS_BEGUN) == 1
    assert says(app, "2 answers are on the way to new readers.")
    assert says(app, "Under way: 0 of 2 answers read again.")


def test_under_way_and_done_count_rises_and_falls_and_judge_by_the_line_alone(at_scores):
    small, draw = at_scores()
    begin_rereads(small.bench, small.actor)
    below, above = near_the_line(small)
    small.submit(rereads(small, below)[0], 5)
    app = draw()
    assert says(app, "Under way: 1 of 2 answers read again.")
    assert says(app, "1 rose, 0 fell, 0 stayed.")
    assert says(app, "1 answer waits with graders, without a score until then.")
    assert says(app, "1 more is being read again, without a score until that is done.")
    small.submit(rereads(small, above)[0], 2)
    app = draw()
    assert says(app, "Done: 2 of 2 answers read again.")
    assert says(app, "1 rose, 1 fell, 0 stayed.")
    assert says(app, "0 to be read again.")


def test_closed_questions_are_not_final_while_papers_are_to_be_read_again(at_scores):
    small, draw = at_scores()
    close_item(small.bench, small.actor, "mee-barge")
    assert says(draw(), "Not final, while papers are to be read again: 8 candidates complete.")
    small, draw = at_scores()
    begin_rereads(small.bench, small.actor)
    for response_id in near_the_line(small):
        small.submit(rereads(small, response_id)[0], 3)
    close_item(small.bench, small.actor, "mee-barge")
    assert says(draw(), "Final: 8 candidates complete.")


def test_one_that_waits_is_called_off_with_a_reason(at_scores):
    small, draw = at_scores()
    begin_rereads(small.bench, small.actor)
    app = draw()
    press(app, "call-off")
    assert says(app, "Calling a re-read off needs a reason")
    app.text_input(key="call-off-reason").set_value("Nobody has time.")
    press(app, "call-off")
    assert says(app, "is called off; its first score stands.")
    assert says(app, "Under way: 0 of 1 answer read again.")


def test_a_release_waits_for_open_questions_and_for_an_export(at_scores):
    small, draw = at_scores(CUT)
    assert says(draw(), "Still open: The question of mee-barge. Close every question first.")
    folder = closed_and_exported(small)
    assert f"ask:prepare:{folder.name}" in kinds(draw())


def test_one_lead_prepares_and_another_releases(at_scores):
    small, draw = at_scores(CUT)
    name = closed_and_exported(small).name
    app = press(press(draw("ann"), f"ask:prepare:{name}"), f"yes:prepare:{name}")
    assert says(app, f"by ann: {name}.")
    assert says(app, "You prepared it, so somebody else has to release it.")
    assert f"ask:release:{name}" not in kinds(app)
    app = press(press(draw("bea"), f"ask:release:{name}"), f"yes:release:{name}")
    assert says(app, "by bea, prepared by ann")
    assert small.count(EventKind.SCORES_RELEASED) == 1


def test_a_lead_who_prepared_it_by_name_on_the_command_line_is_not_offered_the_release(at_scores):
    small, draw = at_scores(CUT)
    folder = closed_and_exported(small)
    prepare(small, small.bench.cli_actor("Ann"), folder)
    app = draw("ann")
    assert says(app, "You prepared it, so somebody else has to release it.")
    assert f"ask:release:{folder.name}" not in kinds(app)
    assert f"ask:release:{folder.name}" in kinds(draw("bea"))


def test_what_changed_after_preparing_is_said_and_a_new_export_can_be_prepared(at_scores):
    from grader_app.workflow.item_closing import close_item, reopen_item

    small, draw = at_scores(CUT)
    name = closed_and_exported(small).name
    press(press(draw("ann"), f"ask:prepare:{name}"), f"yes:prepare:{name}")
    reopen_item(small.bench, small.actor, "mee-barge", "A slip.")
    close_item(small.bench, small.actor, "mee-barge")
    app = draw("bea")
    assert says(app, "Something has changed since an export was prepared.")
    assert says(app, "Ready: write an export above, then prepare it here.")
    later = exported(small).name
    assert f"ask:prepare:{later}" in kinds(draw("bea"))


def test_after_release_nothing_can_be_begun_or_reopened(at_scores):
    small, draw = at_scores(rule(cut=FAR))
    folder = released(small)
    app = draw()
    assert says(app, "Scores were released at")
    assert says(app, f": export {folder.name}.")
    assert says(app, "Released: 8 candidates complete.")
    assert says(app, "Nothing was read again before release.")
    assert not {key for key in kinds(app) if key.startswith(("ask:", "reopen:", "close:"))}
    assert "Final" not in " ".join(texts(app)[:6])
