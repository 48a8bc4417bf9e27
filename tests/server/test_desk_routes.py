import json
import select
import socket
import uuid
from contextlib import closing

import pytest

PATHS = ("/desk/draft", "/desk/submit", "/desk/correct", "/desk/refer", "/desk/flag-author", "/desk/guess")


@pytest.fixture
def send(served, grader):
    """Send JSON to a route of the desk as the signed-in grader."""

    def to(path, body, *, cookie=grader, token=None, **headers):
        headers = {"Content-Type": "application/json"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        token = served.csrf_token_of("grader-1") if token is None else token
        if token:
            headers["X-CSRF-Token"] = token
        raw = body if isinstance(body, str | bytes) else json.dumps(body)
        return served.request("POST", path, body=raw, cookie=cookie, headers=headers)

    return to


def queue(served, item=None):
    rows = served.rows(
        "SELECT s.id, s.item FROM assignment s JOIN actor a ON a.id = s.grader_id WHERE a.name = 'grader-1' "
        "AND NOT EXISTS (SELECT 1 FROM event e WHERE e.subject = s.id) ORDER BY s.item, s.position"
    )
    return [row["id"] for row in rows if item in (None, row["item"])]


def grade(assignment, **entry):
    return {"assignment": assignment, "token": str(uuid.uuid4()), "entry": {"score": 3} | entry}


@pytest.mark.parametrize("path", PATHS)
def test_a_desk_route_takes_nothing_without_the_sessions_token(served, send, path):
    before = served.rows("SELECT count(*) AS n FROM event")
    body = grade(queue(served, "mee-negligence")[0])
    assert send(path, body, token="").status == 403
    assert send(path, body, token="guessed").status == 403
    assert served.rows("SELECT count(*) AS n FROM event") == before


@pytest.mark.parametrize("path", PATHS)
def test_a_desk_route_takes_nothing_that_another_site_sent(send, served, path):
    answer = send(path, grade(queue(served)[0]), Origin="http://elsewhere.example")
    assert answer.status == 403
    assert answer.json["kind"] == "ForeignRequest"


@pytest.mark.parametrize("path", PATHS)
def test_a_desk_route_takes_nothing_from_someone_not_signed_in(send, path):
    assert send(path, {}, cookie=None).status == 401
    assert send(path, {}, cookie="grader_app_session=" + "x" * 43).status == 401


@pytest.mark.parametrize("path", PATHS)
def test_a_desk_route_takes_nothing_from_the_lead(served, send, lead, path):
    answer = send(path, {}, cookie=lead, token=served.csrf_token_of("lead"))
    assert answer.status == 403
    assert answer.json["kind"] == "WrongRole"


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("junk", ["", "{", "[]", "null", "7", '{"assignment": 3}', b"\xff\xfe"])
def test_junk_is_refused_with_a_sentence(served, send, path, junk):
    answer = send(path, junk)
    assert answer.status == 422, answer.text
    assert answer.json["problem"].endswith(".")


def test_junk_nested_without_end_is_refused_with_a_sentence(send):
    answer = send("/desk/draft", "[" * 100_000)
    assert answer.status == 422, answer.text


@pytest.mark.parametrize(
    "wrong",
    [
        {"score": 7},
        {"score": -1},
        {"score": 3.5},
        {"score": "3"},
        {"score": True},
        {"score": None},
        {"score": 1e400},
        {"marks": {"invented": 1}},
        {"marks": [1]},
        {"points": ["invented.point"]},
        {"points": "x"},
        {"error_types": ["invented"]},
        {"condition_code": "invented", "score": None},
        {"condition_code": 4},
        {"highlights": "x"},
        {"highlights": [7]},
        {"highlights": [{"start": 0, "end": 4, "of": "essay", "id": "x"}]},
        {"highlights": [{"start": True, "end": 4, "of": "point", "id": "x"}]},
        {"highlights": [{"start": 0, "end": 10**9, "of": "point", "id": "x"}]},
        {"highlights": [{"start": 0, "end": 4, "of": "point", "id": "not-ticked"}]},
        {"highlights": [{"start": 0, "end": 4, "of": "point", "id": "x"}] * 501},
    ],
)
def test_a_grade_that_its_rubric_does_not_allow_is_refused_and_nothing_is_stored(served, send, wrong):
    assignment = queue(served, "mee-sale-of-goods")[0]
    answer = send("/desk/submit", grade(assignment, **wrong))
    assert answer.status == 422, answer.text
    assert answer.json["problem"]
    assert served.events("GradeSubmitted", assignment) == []


def test_a_score_that_is_no_number_at_all_is_refused(served, send):
    assignment = queue(served, "mee-sale-of-goods")[0]
    raw = json.dumps(grade(assignment)).replace('"score": 3', '"score": NaN')
    assert send("/desk/submit", raw).status == 422
    assert served.events("GradeSubmitted", assignment) == []


def test_the_same_submission_twice_is_one_grade(served, send):
    assignment = queue(served, "mee-sale-of-goods")[-1]
    body = grade(assignment)
    first, second = send("/desk/submit", body), send("/desk/submit", body)
    assert (first.status, second.status) == (200, 200)
    assert (first.json["repeated"], second.json["repeated"]) == (False, True)
    assert first.json["recorded_at"] == second.json["recorded_at"]
    assert [event["score"] for event in served.events("GradeSubmitted", assignment)] == [3]


def test_a_second_submission_of_a_graded_answer_is_a_conflict(served, send):
    assignment = queue(served, "mee-sale-of-goods")[-1]
    assert send("/desk/submit", grade(assignment)).status == 200
    answer = send("/desk/submit", grade(assignment, score=5))
    assert answer.status == 409
    assert answer.json["kind"] == "AlreadyGraded"
    assert [event["score"] for event in served.events("GradeSubmitted", assignment)] == [3]


def test_an_answer_dealt_to_someone_else_cannot_be_graded_or_drafted(served, send):
    (theirs,) = served.rows(
        "SELECT s.id FROM assignment s JOIN actor a ON a.id = s.grader_id WHERE a.name = 'ash' LIMIT 1"
    )
    assert send("/desk/submit", grade(theirs["id"])).status == 409
    assert send("/desk/draft", {"assignment": theirs["id"], "draft": {"score": 1}}).status == 409
    refused = send("/desk/correct", grade(theirs["id"]) | {"reason": "curious"})
    assert refused.status == 409
    assert "not in your queue" in refused.json["problem"]


def test_a_correction_needs_a_reason_and_a_grade_to_correct(served, send):
    assignment = queue(served, "mee-sale-of-goods")[-1]
    early = send("/desk/correct", grade(assignment) | {"reason": "misread"})
    assert early.status == 409
    send("/desk/submit", grade(assignment))
    assert send("/desk/correct", grade(assignment, score=4) | {"reason": "  "}).status == 422
    assert send("/desk/correct", grade(assignment, score=4) | {"reason": "misread"}).status == 200
    (event,) = served.events("GradeCorrected", assignment)
    assert event["score"] == 4
    assert event["reason_hash"]


def test_an_overlong_note_is_refused_and_the_length_said(served, send):
    assignment = queue(served, "mee-negligence")[-1]
    answer = send("/desk/submit", grade(assignment) | {"note": "x" * 20_001})
    assert answer.status == 422
    assert "20,001" in answer.json["problem"]


def test_an_overlong_draft_is_refused(served, send):
    assignment = queue(served, "mee-negligence")[-1]
    answer = send("/desk/draft", {"assignment": assignment, "draft": {"note": "x" * 2_000_000}})
    assert (answer.status, answer.json["kind"]) == (413, "TooLong")
    assert answer.json["problem"].endswith("shorten it.")


def test_an_endless_body_is_refused_at_its_length_and_not_read_to_its_end(served, grader):
    """A request without a length, that would bring gigabytes, is answered long before."""
    head = (
        f"POST /desk/draft HTTP/1.1\r\nHost: {served.host}\r\nCookie: {grader}\r\n"
        f"X-CSRF-Token: {served.csrf_token_of('grader-1')}\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    assert b" 413 " in answered_while_sending(served, head)


@pytest.mark.parametrize("path", ["/sign-in", "/sign-out", "/password"])
def test_an_endless_form_is_refused_at_its_length(served, grader, path):
    cookie = "" if path == "/sign-in" else f"Cookie: {grader}\r\n"
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {served.host}\r\n{cookie}"
        "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    assert b" 413 " in answered_while_sending(served, head)


def answered_while_sending(served, head):
    """Send a body in pieces until an answer comes, at most 64 MB; give its first line."""
    piece = b"x" * 65_536
    with closing(socket.create_connection(("127.0.0.1", served.port), timeout=20)) as connection:
        connection.sendall(head.encode())
        for _ in range(1024):
            if select.select([connection], [], [], 0)[0]:
                break
            connection.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
        else:
            raise AssertionError("64 MB were taken without an answer")
        return connection.recv(4096).split(b"\r\n")[0]


def test_a_request_that_breaks_off_stores_nothing_and_says_nothing_in_the_log(served, grader):
    before = served.log.read_text()
    with closing(socket.create_connection(("127.0.0.1", served.port), timeout=20)) as connection:
        connection.sendall(
            f"POST /desk/draft HTTP/1.1\r\nHost: {served.host}\r\nCookie: {grader}\r\n"
            f"X-CSRF-Token: {served.csrf_token_of('grader-1')}\r\nContent-Length: 900\r\n\r\n{{".encode()
        )
    assert served.request("GET", "/health").status == 200
    assert served.log.read_text() == before


def test_a_draft_is_on_disk_when_it_is_acknowledged(served, send):
    assignment = queue(served, "rule-hearsay")[0]
    answer = send("/desk/draft", {"assignment": assignment, "draft": {"note": "half a thought"}})
    assert answer.status == 200
    assert served.drafts_of("grader-1")[assignment]["note"] == "half a thought"
    assert answer.json["saved_at"].endswith("Z")


@pytest.mark.parametrize(
    "entry",
    [
        {"score": 10**400},
        {"score": True},
        {"score": "4"},
        {"score": 3.5},
        {"score": 4, "points": ["\ud800"]},
        {"score": 4, "marks": {"nothing": 1}},
        {"score": 4, "error_types": 5},
    ],
)
def test_nonsense_in_a_grade_is_refused_in_a_sentence_and_nothing_is_stored(served, send, entry):
    assignment = queue(served, "mee-negligence")[-1]
    answer = send("/desk/submit", {"assignment": assignment, "token": "nonsense", "entry": entry})
    assert answer.status == 422
    assert len(answer.json["problem"]) > 10
    assert served.rows("SELECT 1 FROM submission WHERE token = 'nonsense'") == []


def test_a_token_with_half_a_character_is_refused(served, send):
    assignment = queue(served, "mee-negligence")[-1]
    answer = send("/desk/submit", {"assignment": assignment, "token": "\ud800", "entry": {"score": 4}})
    assert answer.status == 422


def test_a_draft_keeps_only_what_the_desk_sends(served, send):
    assignment = queue(served, "rule-hearsay")[0]
    answer = send("/desk/draft", {"assignment": assignment, "draft": {"note": "n", "planted": "x" * 50}})
    assert answer.status == 200
    assert "planted" not in served.drafts_of("grader-1")[assignment]
    answer = send("/desk/draft", {"assignment": assignment, "draft": {"marks": [1]}})
    assert answer.status == 422


def test_a_text_that_gives_its_author_away_is_noted_once_and_its_answer_stays(served, send):
    assignment = queue(served, "mee-negligence")[-1]
    body = {"assignment": assignment, "token": str(uuid.uuid4()), "words": "It is signed."}
    first, again = send("/desk/flag-author", body), send("/desk/flag-author", body)
    assert (first.status, again.json["repeated"]) == (200, True)
    refused = send("/desk/flag-author", body | {"token": str(uuid.uuid4())})
    assert (refused.status, refused.json["kind"]) == (409, "NotAllowed")
    (event,) = served.events("AuthorGivenAway", assignment)
    assert event["note_hash"]
    assert assignment in [row["assignment_id"] for row in waiting(served)]


def waiting(served):
    return served.rows(
        "SELECT s.id AS assignment_id FROM assignment s JOIN actor a ON a.id = s.grader_id "
        "WHERE a.name = 'grader-1' AND s.id NOT IN (SELECT assignment_id FROM set_aside)"
    )


def test_a_guess_before_its_grade_is_refused_and_after_it_only_where_asked(served, send):
    # The sample asks about the questions on negligence and hearsay, and never about the first one.
    assignment = queue(served, "mee-sale-of-goods")[-1]
    body = {"assignment": assignment, "token": str(uuid.uuid4()), "guess": "model", "sure": "sure"}
    early = send("/desk/guess", body)
    assert (early.status, early.json["kind"]) == (409, "NotAllowed")
    assert send("/desk/submit", grade(assignment)).json["ask_guess"] is False
    assert send("/desk/guess", body).status == 409
    assert served.events("SourceGuessed", assignment) == []


def test_a_submission_says_whether_to_ask_and_the_guess_is_then_taken(served, send):
    asked = 0
    for assignment in queue(served, "mee-negligence")[:4]:
        answer = send("/desk/submit", grade(assignment))
        assert answer.status == 200
        body = {"assignment": assignment, "token": str(uuid.uuid4()), "guess": "cannot_tell", "sure": None}
        taken = send("/desk/guess", body)
        assert (taken.status == 200) == answer.json["ask_guess"]
        asked += answer.json["ask_guess"]
        assert len(served.events("SourceGuessed", assignment)) == int(answer.json["ask_guess"])
    assert asked <= 4


@pytest.mark.parametrize("wrong", [{"guess": "machine"}, {"guess": 2}, {"guess": None}, {"sure": "certain"}])
def test_a_guess_the_workbench_does_not_know_is_refused_with_a_sentence(served, send, wrong):
    assignment = queue(served, "mee-sale-of-goods")[0]
    body = {"assignment": assignment, "token": str(uuid.uuid4()), "guess": "model"} | wrong
    answer = send("/desk/guess", body)
    assert answer.status == 422
    assert answer.json["problem"].endswith(".")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_a_draft_holds_no_number_that_no_answer_can_carry_back(served, send, number):
    assignment = queue(served, "mee-negligence")[-1]
    raw = f'{{"assignment": "{assignment}", "draft": {{"score": {number}}}}}'
    answer = send("/desk/draft", raw.encode())
    assert answer.status == 422
    assert "beyond any scale" in answer.json["problem"]


def test_a_token_of_the_kind_the_program_makes_itself_is_refused(served, send):
    assignment = queue(served, "mee-negligence")[-1]
    answer = send("/desk/submit", grade(assignment) | {"token": "keyed:9"})
    assert (answer.status, answer.json["kind"]) == (422, "GradeProblem")
    assert served.events("GradeSubmitted", assignment) == []
