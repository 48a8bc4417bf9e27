"""Signing out, being disabled, passwords, and pages of another role."""

import re

import pytest
from people import choose, frames_of
from playwright.sync_api import expect

from grader_app.domain.panel import Role
from grader_app.ui.app import PAGES

pytestmark = pytest.mark.browser

ONE_TIME = re.compile(r"can sign in once with this password, then chooses another: (\S+)")


def one_time_password(lead):
    said = lead.page.get_by_text(ONE_TIME)
    said.wait_for()
    return ONE_TIME.search(said.inner_text()).group(1)


def own_password(tab, password):
    """Choose a password where a one-time one was used."""
    expect(tab.page).to_have_url(tab.served.url + "/password")
    tab.page.get_by_label("New password").fill(password)
    tab.page.get_by_label("The same again").fill(password)
    tab.button("Save and go on").click()


def test_an_open_tab_says_that_it_was_signed_out_elsewhere_and_shows_no_further_answer(grader):
    first = grader.at_desk()
    received = frames_of(grader.page)
    grader.page.reload()
    grader.at_desk()
    other = grader.page.context.new_page()
    other.goto(grader.served.url + "/sign-out")
    other.get_by_role("button", name="Sign out").click()
    expect(other).to_have_url(grader.served.url + "/sign-in")
    received.clear()
    grader.press("4", "Control+Enter")
    expect(grader.problem).to_contain_text("You are signed out")
    expect(grader.problem.get_by_role("link", name="Sign in")).to_be_visible()
    assert grader.at_desk() == first
    assert grader.served.grades_of(grader.name) == []
    # Asked for the next answer all the same, the server sends none.
    grader.page.get_by_role("link", name="My progress").click()
    grader.heading("Signed out").wait_for()
    assert b"Answer " not in b"".join(received)


def test_signing_in_again_brings_the_grader_back_to_the_answer(grader):
    first = grader.at_desk()
    grader.press("2")
    grader.draft_saved()
    grader.button("Sign out").click()
    expect(grader.page).to_have_url(grader.served.url + "/sign-in")
    grader.sign_in(grader.name)
    assert grader.at_desk() == first
    assert grader.chosen_score() == "score-2"


def test_going_back_after_signing_out_shows_nothing(grader):
    grader.at_desk()
    grader.button("Sign out").click()
    expect(grader.page).to_have_url(grader.served.url + "/sign-in")
    grader.page.go_back()
    expect(grader.page).to_have_url(re.compile("/sign-in"))
    expect(grader.answer).to_have_count(0)


def test_disabling_an_account_ends_its_session(grader, lead):
    grader.at_desk()
    choose(lead.page, "Account", grader.name)
    lead.button("Disable and sign out everywhere").click()
    expect(lead.page.get_by_text(f"{grader.name} is disabled and signed out everywhere")).to_be_visible()
    grader.press("4", "Control+Enter")
    expect(grader.problem).to_contain_text("You are signed out")
    assert grader.served.grades_of(grader.name) == []
    grader.sign_in(grader.name)
    expect(grader.page.get_by_role("alert")).to_contain_text("Name or password is wrong")


def test_the_lead_cannot_disable_themselves(lead):
    choose(lead.page, "Account", "lead")
    lead.button("Disable and sign out everywhere").click()
    expect(lead.page.get_by_text("You cannot disable yourself")).to_be_visible()


def test_someone_new_signs_in_once_with_the_password_given_and_chooses_another(lead, new_tab):
    lead.page.get_by_label("Name", exact=True).fill("Ines Ferreira")
    lead.button("Add").click()
    password = one_time_password(lead)
    newcomer = new_tab(lead.served).sign_in("Ines Ferreira", password)
    own_password(newcomer, "short")
    expect(newcomer.page.get_by_role("alert")).to_contain_text("choose 10 or more")
    own_password(newcomer, "three plain words")
    newcomer.heading("Nothing left to grade").wait_for()
    expect(newcomer.page.get_by_text("No answers have been dealt to you yet.").first).to_be_visible()
    assert newcomer.served.sign_in("Ines Ferreira", password).status == 401
    assert newcomer.served.sign_in("Ines Ferreira", "three plain words").status == 303


def test_a_forgotten_password_is_replaced_by_the_lead(grader, lead, new_tab):
    choose(lead.page, "Account", grader.name)
    lead.button("Give a new one-time password").click()
    password = one_time_password(lead)
    grader.press("4", "Control+Enter")
    expect(grader.problem).to_contain_text("You are signed out")
    again = new_tab(grader.served).sign_in(grader.name, password)
    own_password(again, "three other plain words")
    again.at_desk()


@pytest.mark.parametrize("address", [address for address, _, _ in PAGES[Role.LEAD]])
def test_a_grader_gets_nothing_of_a_leads_page(panel, new_tab, address):
    grader = new_tab(panel)
    received = frames_of(grader.page)
    grader.sign_in("grader-1")
    grader.at_desk()
    received.clear()
    grader.open(f"/{address}")
    grader.heading("Not your page").wait_for()
    expect(grader.page.get_by_text("This page belongs to the panel's leads.")).to_be_visible()
    frames = b"".join(received)
    assert frames
    for words in secrets_of(panel):
        assert words.encode() not in frames, words


@pytest.mark.parametrize("address", [address for address, _, _ in PAGES[Role.GRADER]])
def test_a_lead_gets_nothing_of_a_graders_page(lead, address):
    received = frames_of(lead.page)
    lead.open(f"/{address}")
    lead.heading("Not your page").wait_for()
    frames = b"".join(received)
    assert b"paragraph" not in frames
    for row in lead.served.rows("SELECT id FROM assignment"):
        assert row["id"].encode() not in frames


def secrets_of(panel):
    """Words that stand on a lead's pages only: people, ids, and the pages' own headings."""
    people = panel.rows("SELECT name FROM account WHERE name <> 'grader-1'")
    ids = panel.rows("SELECT id, candidate_id FROM response")
    yield from ("Krippendorff", "Answers by stage", "Accounts", "Write an export", "Disputed")
    yield from (row["name"] for row in people if len(row["name"]) > 4)
    for row in ids:
        yield from (row["id"], row["candidate_id"])
