from __future__ import annotations

from small_workspace import SmallWorkspace

from grader_app.store.sessions import (
    Session,
    end_all_sessions,
    end_session,
    get_session_or_none,
    hash_token,
    start_session,
    touch_session,
)


def start(small: SmallWorkspace, token: str, grader: int = 0) -> None:
    session = Session(hash_token(token), small.graders[grader].account_id, f"csrf {token}", "t1")
    with small.bench.store.write() as connection:
        start_session(connection, session)


def test_a_session_is_found_by_its_token_alone(small: SmallWorkspace) -> None:
    start(small, "one")
    found = get_session_or_none(small.bench.store, "one")
    assert found is not None
    assert (found.account_id, found.csrf_token) == (small.graders[0].account_id, "csrf one")
    assert get_session_or_none(small.bench.store, hash_token("one")) is None
    assert get_session_or_none(small.bench.store, "\ud800") is None


def test_a_session_is_touched_and_ended(small: SmallWorkspace) -> None:
    start(small, "one")
    start(small, "two")
    with small.bench.store.write() as connection:
        touch_session(connection, hash_token("one"), "t2")
        end_session(connection, hash_token("two"))
    found = get_session_or_none(small.bench.store, "one")
    assert found is not None
    assert found.last_seen_at == "t2"
    assert get_session_or_none(small.bench.store, "two") is None


def test_ending_all_sessions_spares_other_people_and_the_one_named(small: SmallWorkspace) -> None:
    for token in ("one", "two"):
        start(small, token)
    start(small, "theirs", grader=1)
    with small.bench.store.write() as connection:
        end_all_sessions(connection, small.graders[0].account_id, but=hash_token("two"))
    left = [t for t in ("one", "two", "theirs") if get_session_or_none(small.bench.store, t)]
    assert left == ["two", "theirs"]
