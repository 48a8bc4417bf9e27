from __future__ import annotations

import threading

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.panel import Account, Role
from grader_app.errors import NotAllowed, NotSignedIn, SignInRefused
from grader_app.store.accounts import accounts as all_accounts
from grader_app.store.event_log import read_events
from grader_app.workflow import accounts
from grader_app.workflow.accounts import (
    IDLE_MINUTES,
    SHORTEST_PASSWORD,
    add_account,
    change_password,
    check_password,
    disable_account,
    find_account,
    reset_password,
    sign_out,
    signed_in,
    start_session,
)


@pytest.fixture
def kim(small: SmallWorkspace) -> tuple[Account, str]:
    return add_account(small.bench, small.actor, "Kim", Role.LEAD)


def test_a_one_time_password_signs_in_and_must_be_changed(
    small: SmallWorkspace, kim: tuple[Account, str]
) -> None:
    account, password = kim
    token = start_session(small.bench, check_password(small.bench, "Kim", password))
    found = signed_in(small.bench, token)
    assert (found.account, found.must_change_password) == (account, True)
    change_password(small.bench, token, "a better password")
    assert not signed_in(small.bench, token).must_change_password
    with pytest.raises(SignInRefused):
        check_password(small.bench, "Kim", password)
    assert check_password(small.bench, " Kim ", "a better password") == account


def test_the_new_password_must_be_long_enough_and_not_the_one_time_one_again(
    small: SmallWorkspace, kim: tuple[Account, str]
) -> None:
    token = start_session(small.bench, kim[0])
    with pytest.raises(NotAllowed, match="9 characters"):
        change_password(small.bench, token, "x" * (SHORTEST_PASSWORD - 1))
    with pytest.raises(NotAllowed, match="the password you have now"):
        change_password(small.bench, token, kim[1])
    assert signed_in(small.bench, token).must_change_password
    assert small.count(EventKind.PASSWORD_CHANGED) == 0


def test_changing_the_password_ends_ones_other_sessions_only(
    small: SmallWorkspace, kim: tuple[Account, str]
) -> None:
    here, there = (start_session(small.bench, kim[0]) for _ in range(2))
    theirs = start_session(small.bench, small.graders[0])
    change_password(small.bench, here, "a better password")
    assert signed_in(small.bench, here)
    assert signed_in(small.bench, theirs)
    with pytest.raises(NotSignedIn):
        signed_in(small.bench, there)


def test_every_refused_sign_in_has_the_same_sentence(small: SmallWorkspace, kim: tuple[Account, str]) -> None:
    gone, gone_password = add_account(small.bench, small.actor, "Gone", Role.GRADER)
    disable_account(small.bench, small.actor, gone)
    add_account(small.bench, small.actor, "ash", Role.GRADER, simulated=True)
    tries = [
        ("Kim", "wrong password"),
        ("Kim", ""),
        ("Nobody", kim[1]),
        ("", ""),
        ("Gone", gone_password),
        ("ash", ""),
        ("ash", "anything"),
        ("cli:kim", "anything"),
    ]
    said = set()
    for name, password in tries:
        with pytest.raises(SignInRefused) as caught:
            check_password(small.bench, name, password)
        said.add(str(caught.value))
    assert len(said) == 1


def test_an_unknown_name_costs_as_much_hashing_as_a_wrong_password(
    small: SmallWorkspace, monkeypatch: pytest.MonkeyPatch, kim: tuple[Account, str]
) -> None:
    checked: list[str] = []

    class Counting:
        def verify(self, digest: str, password: str) -> bool:
            checked.append(digest)
            raise accounts.VerificationError

    monkeypatch.setattr(accounts, "_hasher", Counting())
    for name in ("Kim", "Nobody"):
        with pytest.raises(SignInRefused):
            check_password(small.bench, name, "wrong")
    assert len(checked) == 2


def test_a_simulated_grader_has_no_password_and_gets_none(small: SmallWorkspace) -> None:
    account, password = add_account(small.bench, small.actor, "ash", Role.GRADER, simulated=True)
    assert (password, account.simulated) == ("", True)
    with pytest.raises(NotAllowed, match="simulated"):
        reset_password(small.bench, small.actor, account)


def test_an_idle_session_ends_and_a_used_one_does_not(small: SmallWorkspace) -> None:
    token = start_session(small.bench, small.graders[0])
    for _ in range(3):
        small.clock.passes(minutes=IDLE_MINUTES - 1)
        assert signed_in(small.bench, token)
    small.clock.passes(minutes=IDLE_MINUTES + 1)
    with pytest.raises(NotSignedIn, match=f"after {IDLE_MINUTES} idle minutes"):
        signed_in(small.bench, token)
    with pytest.raises(NotSignedIn, match="Sign in again"):
        signed_in(small.bench, token)


def test_a_page_load_within_the_minute_writes_nothing(small: SmallWorkspace) -> None:
    token = start_session(small.bench, small.graders[0])
    before = small.bench.store.rows("SELECT last_seen_at FROM session")[0]["last_seen_at"]
    signed_in(small.bench, token)
    assert small.bench.store.rows("SELECT last_seen_at FROM session")[0]["last_seen_at"] == before
    small.clock.passes(seconds=61)
    signed_in(small.bench, token)
    assert small.bench.store.rows("SELECT last_seen_at FROM session")[0]["last_seen_at"] > before


@pytest.mark.parametrize("token", [None, "", "no such token"])
def test_without_a_session_nobody_is_signed_in(small: SmallWorkspace, token: str | None) -> None:
    with pytest.raises(NotSignedIn):
        signed_in(small.bench, token)


def test_signing_out_ends_the_session_at_once(small: SmallWorkspace) -> None:
    token, other = (start_session(small.bench, small.graders[0]) for _ in range(2))
    sign_out(small.bench, token)
    with pytest.raises(NotSignedIn):
        signed_in(small.bench, token)
    assert signed_in(small.bench, other)


def test_a_reset_ends_all_sessions_and_the_old_password(
    small: SmallWorkspace, kim: tuple[Account, str]
) -> None:
    tokens = [start_session(small.bench, kim[0]) for _ in range(2)]
    fresh = reset_password(small.bench, small.actor, kim[0])
    for token in tokens:
        with pytest.raises(NotSignedIn):
            signed_in(small.bench, token)
    with pytest.raises(SignInRefused):
        check_password(small.bench, "Kim", kim[1])
    token = start_session(small.bench, check_password(small.bench, "Kim", fresh))
    assert signed_in(small.bench, token).must_change_password


def test_a_chosen_password_need_not_be_changed(small: SmallWorkspace, kim: tuple[Account, str]) -> None:
    assert (
        reset_password(small.bench, small.actor, kim[0], chosen="chosen by the demo") == "chosen by the demo"
    )
    token = start_session(small.bench, check_password(small.bench, "Kim", "chosen by the demo"))
    assert not signed_in(small.bench, token).must_change_password


def test_disabling_ends_all_sessions_refuses_a_reset_and_keeps_the_grades(small: SmallWorkspace) -> None:
    account = small.graders[0]
    small.submit(small.queue(account)[0])
    tokens = [start_session(small.bench, account) for _ in range(2)]
    disable_account(small.bench, small.actor, account)
    for token in tokens:
        with pytest.raises(NotSignedIn):
            signed_in(small.bench, token)
    disabled = find_account(small.bench, account.name)
    assert disabled.disabled
    with pytest.raises(NotAllowed, match="disabled"):
        reset_password(small.bench, small.actor, disabled)
    disable_account(small.bench, small.actor, disabled)
    assert small.count(EventKind.ACCOUNT_DISABLED) == 1
    assert small.count(EventKind.GRADE_SUBMITTED) == 1


def test_a_session_that_outlived_its_accounts_disabling_is_no_session(small: SmallWorkspace) -> None:
    account = small.graders[0]
    disable_account(small.bench, small.actor, account)
    token = start_session(small.bench, account)
    with pytest.raises(NotSignedIn):
        signed_in(small.bench, token)


@pytest.mark.parametrize(
    "name", ["", "  ", "-kim", "_kim", "a" * 61, "kim\nlee", "kim/lee", "<b>kim</b>", "k\u202eim"]
)
def test_an_odd_name_is_refused(small: SmallWorkspace, name: str) -> None:
    before = small.counts()
    with pytest.raises(NotAllowed, match="cannot be an account's name"):
        add_account(small.bench, small.actor, name, Role.GRADER)
    assert small.counts() == before


@pytest.mark.parametrize("name", ["Zoë Müller", "o'brien", "kim.lee@board.org", "李雷", "2nd reader"])
def test_a_name_in_any_script_signs_in_however_it_was_composed(small: SmallWorkspace, name: str) -> None:
    account, password = add_account(small.bench, small.actor, name, Role.GRADER)
    decomposed = accounts.unicodedata.normalize("NFD", name)
    assert check_password(small.bench, decomposed, password) == account


def test_a_name_is_taken_whatever_its_case(small: SmallWorkspace, kim: tuple[Account, str]) -> None:
    for name in ("Kim", "KIM", " kim "):
        with pytest.raises(NotAllowed, match="already an account named `Kim`"):
            add_account(small.bench, small.actor, name, Role.GRADER)


def test_ten_people_adding_the_same_name_at_once_make_one_account(small: SmallWorkspace) -> None:
    made: list[Account] = []
    refused: list[str] = []
    start = threading.Barrier(10)

    def add() -> None:
        start.wait()
        try:
            made.append(add_account(small.bench, small.actor, "Kim", Role.GRADER)[0])
        except NotAllowed as error:
            refused.append(str(error))

    threads = [threading.Thread(target=add) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(made), len(refused)) == (1, 9)
    assert [account.name for account in all_accounts(small.bench.store)].count("Kim") == 1


def test_an_unknown_name_says_where_the_names_are(small: SmallWorkspace) -> None:
    with pytest.raises(NotAllowed, match="account list"):
        find_account(small.bench, "Nobody")


def test_no_password_and_no_token_is_in_an_event_nor_in_the_files_of_the_database(
    small: SmallWorkspace, kim: tuple[Account, str]
) -> None:
    account, first = kim
    token = start_session(small.bench, account)
    change_password(small.bench, token, "a better password")
    reset = reset_password(small.bench, small.actor, account)
    chosen = reset_password(small.bench, small.actor, account, chosen="chosen by the demo")
    kept = start_session(small.bench, account)
    log = "\n".join(event.as_json() for event in read_events(small.bench.store))
    files = b"".join(path.read_bytes() for path in small.path.glob("workbench.db*"))
    assert account.account_id.encode() in files
    for secret in (first, token, "a better password", reset, chosen, kept):
        assert secret not in log
        assert secret.encode() not in files
    # Nor is any hash of a password, or a name, in the log.
    assert "argon2" not in log
    assert "Kim" not in log
