import csv
import io

import pytest


@pytest.fixture(scope="module")
def grader_id(served):
    """The account id behind grader-1."""
    return served.rows("SELECT id FROM account WHERE name = ?", "grader-1")[0]["id"]


def test_nobody_gets_a_statement_without_signing_in(served, grader_id):
    for address in ("/statement", "/statement/csv", f"/statement/{grader_id}", f"/statement/{grader_id}/csv"):
        assert served.request("GET", address).headers["location"] == "/sign-in"


def test_a_grader_sees_their_own_sums_and_nobody_elses(served, grader, grader_id):
    own = served.request("GET", "/statement", cookie=grader)
    assert own.status == 200
    assert own.headers["cache-control"] == "no-store"
    assert "Statement of work: grader-1" in own.text
    assert "check" not in own.text.lower()
    assert served.request("GET", f"/statement/{grader_id}", cookie=grader).status == 403


def test_a_lead_sees_anybodys_and_takes_it_home_under_a_random_name(served, lead, grader_id):
    page = served.request("GET", f"/statement/{grader_id}?from=2026-01-01&to=2036-01-01", cookie=lead)
    assert "Statement of work: grader-1" in page.text
    assert f"/statement/{grader_id}/csv?from=2026-01-01&amp;to=2036-01-01" in page.text
    sent = served.request("GET", f"/statement/{grader_id}/csv", cookie=lead)
    assert sent.headers["content-disposition"] == f'attachment; filename="statement-{grader_id}.csv"'
    assert next(csv.reader(io.StringIO(sent.text)))[:4] == ["grader", "day", "item", "papers"]


@pytest.mark.parametrize("address", ["nobody", "nobody/csv"])
def test_there_is_no_statement_of_nobody(served, lead, address):
    assert served.request("GET", f"/statement/{address}", cookie=lead).status == 404


def test_a_day_that_is_none_is_refused_with_a_sentence(served, lead, grader_id):
    answer = served.request("GET", f"/statement/{grader_id}?from=yesterday", cookie=lead)
    assert "`yesterday` is no day" in answer.text
    assert served.request("GET", "/statement", cookie=lead).status == 404
