from pathlib import Path

import pytest
from drawn_pages import says
from streamlit.testing.v1 import AppTest

from grader_app.domain.panel import Role
from grader_app.errors import NotSignedIn, WrongRole
from grader_app.ui import app as pages
from grader_app.ui import current, gate


def run_app():
    return AppTest.from_file(Path(pages.__file__), default_timeout=30).run()


def test_someone_signed_in_gets_the_workbench(person):
    person.sign_in("grader-1")
    app = run_app()
    assert not app.exception
    assert app.header[0].value == "Grading workbench"


def test_someone_signed_out_is_told_so_and_gets_nothing_else(person):
    app = run_app()
    assert not app.exception
    assert [header.value for header in app.header] == ["Signed out"]
    assert says(app, "Sign in again; nothing you entered is lost.")


def test_who_is_signed_in_is_looked_up_afresh_each_time(person):
    person.sign_in("grader-1")
    assert current.me().account.name == "grader-1"
    with pytest.raises(WrongRole, match="belongs to the lead"):
        current.me(Role.LEAD)
    person.sign_out()
    with pytest.raises(NotSignedIn, match="signed out"):
        current.me()


def test_the_gate_guards_every_page_there_is():
    assert set(gate.PAGES) == {f"/{address}" for owned in pages.PAGES.values() for address, _, _ in owned}
