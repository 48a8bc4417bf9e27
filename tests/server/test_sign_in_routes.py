import re

import pytest
from served_workspace import PASSWORD, add_people, copy_of, pair, run_command

FOREIGN = {"Origin": "http://elsewhere.example"}


def attributes(set_cookie):
    return {part.strip().lower() for part in set_cookie.split(";")[1:]}


def test_the_right_password_leads_to_the_roles_first_page(served):
    assert served.sign_in("grader-1").headers["location"] == "/grade"
    assert served.sign_in("lead").headers["location"] == "/panel"


def test_names_may_be_typed_in_either_case_and_with_spaces_around(served):
    assert served.sign_in("  grader-1 ", PASSWORD).status == 303


def test_a_sign_in_without_a_form_token_is_refused(served):
    fields = {"name": "grader-1", "password": PASSWORD}
    answer = served.request("POST", "/sign-in", form=fields)
    assert answer.status == 403
    assert answer.cookies == []


def test_a_sign_in_with_another_browsers_form_token_is_refused(served):
    theirs, own = served.request("GET", "/sign-in"), served.request("GET", "/sign-in")
    fields = {"name": "grader-1", "password": PASSWORD}
    fields["csrf_token"] = theirs.field("csrf_token")
    answer = served.request("POST", "/sign-in", form=fields, cookie=pair(own.cookies[0]))
    assert answer.status == 403


def test_a_sign_in_sent_by_another_site_is_refused(served):
    answer = served.sign_in("grader-1", headers=FOREIGN)
    assert answer.status == 403
    assert "another site" in answer.text


def test_the_session_cookie_is_out_of_reach_of_scripts_and_of_other_sites(served):
    cookies = served.sign_in("grader-1").cookies
    session = next(cookie for cookie in cookies if cookie.startswith("grader_app_session="))
    assert {"httponly", "samesite=lax", "path=/"} <= attributes(session)
    assert len(pair(session).partition("=")[2]) >= 43


def test_the_form_cookie_is_out_of_reach_of_scripts_too(served):
    (cookie,) = served.request("GET", "/sign-in").cookies
    assert {"httponly", "samesite=lax"} <= attributes(cookie)


def test_cookies_are_marked_secure_behind_a_proxy_that_ends_tls(served):
    answer = served.sign_in("grader-1", headers={"X-Forwarded-Proto": "https"})
    session = next(cookie for cookie in answer.cookies if cookie.startswith("grader_app_session="))
    assert "secure" in attributes(session)


def test_every_sign_in_gets_a_token_of_its_own(served):
    assert served.session_of("grader-1") != served.session_of("grader-1")


def test_a_token_brought_along_is_not_adopted(served):
    planted = "grader_app_session=" + "x" * 43
    form = served.request("GET", "/sign-in", cookie=planted)
    fields = {"csrf_token": form.field("csrf_token"), "name": "grader-1"}
    fields["password"] = PASSWORD
    served.request("POST", "/sign-in", form=fields, cookie=f"{planted}; {pair(form.cookies[0])}")
    assert served.request("GET", "/grade", cookie=planted).status == 303


@pytest.mark.parametrize(
    "elsewhere", ["//elsewhere.example", "https://elsewhere.example", "/\\elsewhere.example", "javascript:0"]
)
def test_signing_in_never_leads_to_another_site(served, elsewhere):
    answer = served.sign_in("grader-1", form={"goes_to": elsewhere})
    assert answer.headers["location"] == "/grade"


def test_an_unsigned_visitor_comes_back_to_the_page_asked_for(served):
    asked = served.request("GET", "/grade?correct=a123")
    assert asked.status == 303
    form = served.request("GET", asked.headers["location"])
    assert form.field("goes_to") == "/grade?correct=a123"
    answer = served.sign_in("grader-1", form={"goes_to": form.field("goes_to")})
    assert answer.headers["location"] == "/grade?correct=a123"


def test_someone_signed_in_is_not_asked_to_sign_in_again(served, grader, lead):
    assert served.request("GET", "/sign-in", cookie=grader).headers["location"] == "/grade"
    assert served.request("GET", "/sign-in", cookie=lead).headers["location"] == "/panel"


def test_the_name_typed_is_shown_as_text_after_a_failure(served):
    answer = served.sign_in('"><script>alert(1)</script>', "wrong")
    assert "<script>alert" not in answer.text
    # The failure counts against this address; a success takes it off again.
    assert served.sign_in("grader-1").status == 303


def test_signing_out_needs_the_sessions_own_token(served):
    cookie = served.session_of("grader-1")
    assert served.request("POST", "/sign-out", form={}, cookie=cookie).status == 403
    assert served.request("POST", "/sign-out", form={"csrf_token": "x"}, cookie=cookie).status == 403
    assert served.request("GET", "/grade", cookie=cookie).status == 200


def test_signing_out_ends_the_session_on_the_server(served):
    cookie = served.session_of("grader-1")
    token = served.request("GET", "/sign-out", cookie=cookie).field("csrf_token")
    sent_abroad = served.request(
        "POST", "/sign-out", form={"csrf_token": token}, cookie=cookie, headers=FOREIGN
    )
    assert sent_abroad.status == 403
    answer = served.request("POST", "/sign-out", form={"csrf_token": token}, cookie=cookie)
    assert answer.headers["location"] == "/sign-in"
    assert served.request("GET", "/grade", cookie=cookie).headers["location"] == "/sign-in?goes_to=/grade"


def test_the_token_of_a_session_is_stored_nowhere(served):
    cookie = served.session_of("grader-1")
    token = cookie.partition("=")[2].encode()
    for path in served.workspace.glob("workbench.db*"):
        assert token not in path.read_bytes()


def test_a_one_time_password_is_changed_before_anything_else(served):
    done = run_command(
        "account", "add", "newcomer", "--role", "grader", "--json", "--workspace", served.workspace
    )
    first = re.search(r'"one_time_password": "([^"]+)"', done.stdout).group(1)
    answer = served.sign_in("newcomer", first)
    cookie = next(pair(c) for c in answer.cookies if c.startswith("grader_app_session="))
    for page in ("/", "/grade", "/progress"):
        assert served.request("GET", page, cookie=cookie).headers["location"] == "/password"
    form = served.request("GET", "/password", cookie=cookie)
    token = form.field("csrf_token")

    def choose(password, again, **options):
        fields = {"csrf_token": token, "password": password, "again": again}
        return served.request("POST", "/password", form=fields, cookie=cookie, **options)

    assert choose("a", "a").status == 400
    assert "differ" in choose("a long enough one", "another long one").text
    assert choose("a long enough one", "a long enough one", headers=FOREIGN).status == 403
    assert choose("a long enough one", "a long enough one").headers["location"] == "/grade"
    assert served.request("GET", "/grade", cookie=cookie).status == 200
    assert served.sign_in("newcomer", first).status == 401
    assert served.sign_in("newcomer", "a long enough one").status == 303


def test_no_draft_or_grade_is_taken_before_the_one_time_password_is_changed(served):
    done = run_command(
        "account", "add", "early", "--role", "grader", "--json", "--workspace", served.workspace
    )
    first = re.search(r'"one_time_password": "([^"]+)"', done.stdout).group(1)
    answer = served.sign_in("early", first)
    cookie = next(pair(c) for c in answer.cookies if c.startswith("grader_app_session="))
    headers = {"X-CSRF-Token": served.csrf_token_of("early"), "Content-Type": "application/json"}
    sent = served.request("POST", "/desk/draft", body="{}", cookie=cookie, headers=headers)
    assert sent.status == 403


def test_a_disabled_account_cannot_sign_in_and_its_session_ends(served):
    add_people(served.workspace, "grader", "leaver")
    cookie = served.session_of("leaver")
    run_command("account", "disable", "leaver", "--workspace", served.workspace)
    assert served.request("GET", "/grade", cookie=cookie).status == 303
    assert served.sign_in("leaver").status == 401
    assert served.sign_in("grader-1").status == 303


@pytest.fixture(scope="module")
def besieged(sample_workspace, serve, tmp_path_factory):
    """A server of its own, since failures count against the address all tests share."""
    return serve(copy_of(sample_workspace, tmp_path_factory.mktemp("besieged") / "workspace"))


def test_wrong_passwords_are_refused_and_then_made_to_wait(besieged):
    said = [besieged.sign_in("grader-1", "wrong") for _ in range(5)]
    assert [answer.status for answer in said] == [401] * 5
    # One sentence for every cause: nobody can find out which names exist.
    assert "Name or password is wrong" in said[0].text
    waiting = besieged.sign_in("grader-1", "wrong")
    assert waiting.status == 429
    assert re.search(r"Wait \d+ seconds?, then try again", waiting.text)
    assert "grader-1" in waiting.text


def test_an_unknown_name_gets_the_same_answer_as_a_wrong_password(served):
    unknown, wrong = served.sign_in("nobody-here", "wrong"), served.sign_in("grader-1", "wrong")
    assert unknown.status == wrong.status == 401
    strip = re.compile(r'value="[^"]*"')
    assert strip.sub("", unknown.text) == strip.sub("", wrong.text)
    assert served.sign_in("grader-1").status == 303
