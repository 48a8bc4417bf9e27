"""What the desk's routes tell the tabs of one grader about each other."""

import uuid

import pytest
from served_workspace import copy_of


@pytest.fixture(scope="module")
def served(sample_workspace, serve, tmp_path_factory):
    """A round of one's own: these tests use up a queue."""
    return serve(copy_of(sample_workspace, tmp_path_factory.mktemp("tabs") / "workspace"))


@pytest.fixture(scope="module")
def grader(served):
    """The cookie of a signed-in grader."""
    return served.session_of("grader-1")


@pytest.fixture
def send(served, grader):
    """Send JSON to a route of the desk as the signed-in grader."""

    def to(path, body):
        return served.request_json(path, body, grader, served.csrf_token_of("grader-1"))

    return to


@pytest.fixture
def answer(served):
    """An answer of the grader's queue that has no draft and no grade."""
    return served.rows(
        "SELECT s.id FROM assignment s JOIN actor a ON a.id = s.grader_id WHERE a.name = 'grader-1' "
        "AND s.item = 'mee-sale-of-goods' AND NOT EXISTS (SELECT 1 FROM event e WHERE e.subject = s.id) "
        "AND NOT EXISTS (SELECT 1 FROM draft d WHERE d.assignment_id = s.id) ORDER BY s.position"
    )[0]["id"]


def draft(assignment, tab, note, based_on=None):
    return {"assignment": assignment, "draft": {"score": 3, "note": note, "tab": tab}, "based_on": based_on}


def submission(assignment, **more):
    return {"assignment": assignment, "token": str(uuid.uuid4()), "entry": {"score": 3}} | more


def test_a_draft_of_another_tab_is_not_overwritten_unseen(served, send, answer):
    nothing = {"revision": 0, "saved_at": ""}
    first = send("/desk/draft", draft(answer, "one", "first", nothing))
    assert first.status == 200
    late = send("/desk/draft", draft(answer, "two", "second", nothing))
    assert (late.status, late.json["kind"]) == (409, "DraftMovedOn")
    assert "in another tab" in late.json["problem"]
    assert served.drafts_of("grader-1")[answer]["note"] == "first"
    seen = send("/desk/state", {"assignment": answer, "with_draft": True}).json
    assert seen["saved_by"] == "one"
    assert (seen["draft"]["note"], seen["revision"]) == ("first", 1)
    chosen = draft(answer, "two", "second", {"revision": seen["revision"], "saved_at": seen["saved_at"]})
    assert send("/desk/draft", chosen).json["revision"] == 2
    assert served.drafts_of("grader-1")[answer]["note"] == "second"


def test_a_tab_whose_acknowledgment_was_lost_goes_on_saving(send, answer):
    nothing = {"revision": 0, "saved_at": ""}
    assert send("/desk/draft", draft(answer, "one", "a", nothing)).status == 200
    assert send("/desk/draft", draft(answer, "one", "ab", nothing)).json["revision"] == 2


def test_a_draft_that_arrives_after_a_later_one_of_its_own_page_changes_nothing(served, send, answer):
    later = draft(answer, "one", "a whole sentence")
    later["draft"]["nth"] = 8
    kept = send("/desk/draft", later).json
    late = draft(answer, "one", "a whole")
    late["draft"]["nth"] = 7
    said = send("/desk/draft", late)
    assert (said.status, said.json) == (200, kept)
    assert served.drafts_of("grader-1")[answer]["note"] == "a whole sentence"
    later["draft"] |= {"nth": 9, "note": "more"}
    assert send("/desk/draft", later).json["revision"] == 2


@pytest.mark.parametrize("based_on", [7, [], {"revision": True, "saved_at": ""}, {"revision": 1}])
def test_a_draft_based_on_nonsense_is_refused_with_a_sentence(send, answer, based_on):
    refused = send("/desk/draft", draft(answer, "one", "a", based_on))
    assert refused.status == 422
    assert refused.json["problem"].endswith(".")


def test_a_tab_that_asks_is_told_of_the_grade_another_tab_gave(send, answer):
    before = send("/desk/state", {"assignment": answer}).json
    assert (before["submitted_at"], before["revision"], before["elsewhere"]) == (None, 0, None)
    assert "draft" not in before
    recorded = send("/desk/submit", submission(answer)).json
    assert recorded["earlier_version"] is False
    after = send("/desk/state", {"assignment": answer}).json
    assert (after["submitted_at"], after["gave"]) == (recorded["recorded_at"], "3")


def test_what_is_submitted_over_a_grade_is_refused_and_kept_to_be_confirmed(send, answer):
    send("/desk/submit", submission(answer))
    refused = send("/desk/submit", submission(answer, entry={"score": 5}))
    assert (refused.status, refused.json["kind"]) == (409, "AlreadyGraded")
    state = send("/desk/state", {"assignment": answer, "with_draft": True}).json
    assert (state["gave"], state["correcting"]) == ("3", True)
    assert (state["draft"]["correcting"], state["draft"]["score"]) == (True, 5)


def test_asking_while_at_work_holds_the_answer_and_asking_otherwise_does_not(send, answer):
    assert send("/desk/state", {"assignment": answer}).json["leased_until"] is None
    held = send("/desk/state", {"assignment": answer, "at_work": True}).json["leased_until"]
    assert held.endswith("Z")
    assert send("/desk/state", {"assignment": answer}).json["leased_until"] == held


def test_a_grade_under_no_version_of_its_question_is_given_under_the_one_in_use(send, answer):
    recorded = send("/desk/submit", submission(answer, item_hash="f" * 64))
    assert (recorded.status, recorded.json["earlier_version"]) == (200, False)


def test_nobody_is_told_of_an_answer_that_is_not_theirs(served, send):
    (theirs,) = served.rows(
        "SELECT s.id FROM assignment s JOIN actor a ON a.id = s.grader_id WHERE a.name = 'ash' LIMIT 1"
    )
    refused = send("/desk/state", {"assignment": theirs["id"]})
    assert (refused.status, refused.json["kind"]) == (409, "NotDealtToYou")
