from __future__ import annotations

from small_workspace import SmallWorkspace

from grader_app.store.accounts import (
    accounts,
    add_actor,
    get_account_by_name_or_none,
    get_account_or_none,
    get_password_or_none,
    set_password,
)


def test_a_command_line_user_keeps_one_id_and_is_no_account(small: SmallWorkspace) -> None:
    assert small.bench.cli_actor("cli:kim") == small.actor
    assert small.bench.cli_actor("cli:lee") != small.actor
    assert get_account_by_name_or_none(small.bench.store, "cli:kim") is None


def test_the_same_name_at_the_command_line_and_as_an_account_is_two_actors(small: SmallWorkspace) -> None:
    with small.bench.store.write() as connection:
        cli = add_actor(connection, kind="cli", name="grader-1", at=small.bench.now())
    assert cli != small.graders[0].account_id


def test_accounts_are_sorted_by_name_whatever_the_case(small: SmallWorkspace) -> None:
    for name in ("Zoe", "adam", "Bea"):
        small.add_grader(name)
    assert [account.name for account in accounts(small.bench.store)] == [
        "adam", "Bea", "grader-1", "grader-2", "Zoe",
    ]  # fmt: skip


def test_an_account_is_found_by_id_and_by_name_or_not_at_all(small: SmallWorkspace) -> None:
    store, account = small.bench.store, small.graders[0]
    assert get_account_or_none(store, account.account_id) == account
    assert get_account_by_name_or_none(store, "grader-1") == account
    assert get_account_or_none(store, "pnone") is None
    assert get_account_by_name_or_none(store, "GRADER-1") is None


def test_a_password_is_set_and_set_anew(small: SmallWorkspace) -> None:
    store, who = small.bench.store, small.graders[0].account_id
    for digest, one_time in (("first", True), ("second", False)):
        with store.write() as connection:
            set_password(connection, who, digest, one_time=one_time, at="t")
        kept = get_password_or_none(store, who)
        assert kept is not None
        assert (kept.hash, kept.one_time) == (digest, one_time)
    assert get_password_or_none(store, "pnone") is None
