"""The lead's page of versions, and the list of surplus grades."""

import pytest
from drawn_pages import Person, add_lead, says
from small_workspace import small, write_item  # noqa: F401 - a fixture

from grader_app.domain.events import EventKind
from grader_app.ui import current
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.live_grading import serve_next_or_none
from grader_app.workflow.registration import register_files

ITEM = "mee-barge"


@pytest.fixture
def lead(small):  # noqa: F811
    """A lead whose two graders have graded one answer each under version 1."""
    add_lead(small)
    for grader, score in zip(small.graders, (5, 3), strict=False):
        small.submit(small.queue(grader)[0], score)
    found = Person(small.bench)
    current.use(small.bench, lambda: found.token)
    yield found.sign_in("lead")
    current.use(small.bench)


def new_sheet(made):
    write_item(made.path, ITEM, version=2)
    path = made.path / "rubrics" / ITEM / "point_sheet.yaml"
    path.write_text(path.read_text("utf-8").replace("duty.rule", "duty.rule2"), "utf-8")
    register_files(made.bench, made.actor)


def decide(app, act, reason):
    app.text_input(key=f"reason:graded-before:{ITEM}:0").set_value(reason)
    return app.button(key=f"{act}:{ITEM}").click().run()


def test_with_one_version_the_page_says_that_nothing_is_to_decide(lead):
    app = lead.draw("lead_pages.versions")
    assert not app.exception
    assert says(app, "Every grade was given under the version that stands")


def test_grades_of_an_earlier_version_are_left_to_stand_with_a_reason(lead, small):  # noqa: F811
    new_sheet(small)
    app = lead.draw("lead_pages.versions")
    assert not app.exception
    assert says(app, "2 grades under version 1.")
    assert says(app, "No score would change; 2 grades would read differently.")
    app = decide(app, "stand", " ")
    assert says(app, "This needs a reason")
    assert small.count(EventKind.GRADES_KEPT) == 0
    app = decide(app, "stand", "Only an id changed.")
    assert says(app, "2 grades left to stand.")
    assert says(app, "Only an id changed.")
    assert not says(app, "2 grades under version 1.")


def test_grades_asked_for_again_wait_for_their_graders(lead, small):  # noqa: F811
    new_sheet(small)
    app = decide(lead.draw("lead_pages.versions"), "again", "The rule was wrong.")
    assert says(app, "2 grades asked for again. Each grader finds them first under My progress.")
    assert says(app, "2 grades asked for again; the answers wait for their graders.")


def test_a_closed_question_leaves_only_one_of_the_two_acts(lead, small):  # noqa: F811
    new_sheet(small)
    close_item(small.bench, small.actor, ITEM)
    app = lead.draw("lead_pages.versions")
    assert app.button(key=f"again:{ITEM}").disabled
    assert not app.button(key=f"stand:{ITEM}").disabled
    assert says(app, "This question is closed, so nobody could grade it again.")


def test_a_surplus_grade_is_listed_with_why_it_came_too_late(lead, small):  # noqa: F811
    assert not says(lead.draw("lead_pages.queues"), "Surplus grades")
    dealt = small.queue(small.graders[0])[1]
    assert serve_next_or_none(small.bench, dealt.grader_id).assignment_id == dealt.assignment_id
    small.append(EventKind.ANSWER_RETURNED, dealt.assignment_id, decision="taken_out")
    small.submit(dealt, 6)
    app = lead.draw("lead_pages.queues")
    assert not app.exception
    assert says(app, "Surplus grades")
    assert says(app, dealt.assignment_id)
    assert says(app, "you had moved it to another reader")
