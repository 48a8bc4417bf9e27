"""Accounts: adding, disabling, resetting; and who is signed in."""

from __future__ import annotations

import re
import secrets
import threading
import unicodedata
from dataclasses import dataclass
from datetime import timedelta

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from grader_app.domain.events import EventKind
from grader_app.domain.panel import Account, Role
from grader_app.errors import NotAllowed, NotSignedIn, SignInRefused
from grader_app.store import accounts as kept
from grader_app.store import sessions
from grader_app.store.event_log import append
from grader_app.workflow.clock import from_text
from grader_app.workflow.workbench import Workbench

IDLE_MINUTES = 60
"""A session that has done nothing for this long has ended."""

SHORTEST_PASSWORD = 10
"""Characters a password must have."""

_TOUCH_SECONDS = 60  # A session's last use is written at most this often, to keep page loads free of writes.
_hasher = PasswordHasher()
# Each check takes 64 MB on purpose; more than two at once would let strangers fill the memory.
_at_once = threading.BoundedSemaphore(2)
# Checked when the name is unknown, so that a wrong name takes as long as a wrong password.
_NOBODY = _hasher.hash("nobody has this password")


@dataclass(frozen=True)
class SignedIn:
    """A person whose session was just checked.

    Parameters
    ----------
    account
        Whose it is.
    csrf_token
        What this session's forms must carry.
    must_change_password
        True after signing in with a one-time password.
    """

    account: Account
    csrf_token: str
    must_change_password: bool


def new_password() -> str:
    """Make a password that can be read aloud: four groups of four letters and digits."""
    letters = "23456789abcdefghjkmnpqrstuvwxyz"
    return "-".join("".join(secrets.choice(letters) for _ in range(4)) for _ in range(4))


def add_account(
    bench: Workbench, actor: str, name: str, role: Role, *, simulated: bool = False, apprentice: bool = False
) -> tuple[Account, str]:
    """Add an account.

    Parameters
    ----------
    apprentice
        A grader who reads beside others, and none of whose grades counts.

    Returns
    -------
    tuple
        The account, and its one-time password (empty for a simulated grader, who cannot sign in).

    Raises
    ------
    NotAllowed
        The name is empty, odd or taken, or a lead is to be an apprentice.
    """
    if apprentice and role is not Role.GRADER:
        raise NotAllowed("Only a grader can be an apprentice. Add the account with the role grader.")
    password = "" if simulated else new_password()
    hashed = _hasher.hash(password) if password else ""
    with bench.store.write() as connection:
        name = _checked_name(bench, name)
        account_id = kept.add_actor(connection, kind="account", name=name, at=bench.now())
        body = {"role": role.value} | ({"simulated": True} if simulated else {})
        body |= {"apprentice": True} if apprentice else {}
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.ACCOUNT_ADDED,
            subject=account_id,
            body=body,
        )
        if hashed:
            kept.set_password(connection, account_id, hashed, one_time=True, at=bench.now())
    return Account(account_id, name, role, simulated=simulated, apprentice=apprentice), password


def find_account(bench: Workbench, name: str) -> Account:
    """Find an account by name.

    Raises
    ------
    NotAllowed
        There is none.
    """
    account = kept.get_account_by_name_or_none(bench.store, name)
    if account is None:
        raise NotAllowed(f"There is no account named `{name}`. `grader-app account list` shows them.")
    return account


def disable_account(bench: Workbench, actor: str, account: Account) -> None:
    """Disable an account and end all its sessions; what it graded stays."""
    if account.disabled:
        return
    with bench.store.write() as connection:
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.ACCOUNT_DISABLED,
            subject=account.account_id,
        )
        sessions.end_all_sessions(connection, account.account_id)


def reset_password(bench: Workbench, actor: str, account: Account, *, chosen: str | None = None) -> str:
    """Give an account a new password and end its sessions.

    Parameters
    ----------
    chosen
        A password that is not one-time (the demonstration's); by default a one-time one is made.

    Returns
    -------
    str
        The new password.
    """
    if account.disabled or account.simulated:
        raise NotAllowed(
            f"`{account.name}` cannot sign in (disabled or simulated), so there is no password to reset."
        )
    password = chosen or new_password()
    hashed = _hasher.hash(password)
    with bench.store.write() as connection:
        append(
            connection, at=bench.now(), actor=actor, kind=EventKind.PASSWORD_RESET, subject=account.account_id
        )
        kept.set_password(connection, account.account_id, hashed, one_time=chosen is None, at=bench.now())
        sessions.end_all_sessions(connection, account.account_id)
    return password


def check_password(bench: Workbench, name: str, password: str) -> Account:
    """Find the account of a name and password; slow on purpose.

    Raises
    ------
    SignInRefused
        With one sentence for every cause, so that nobody can test which names exist.
    """
    account = kept.get_account_by_name_or_none(bench.store, unicodedata.normalize("NFC", name.strip()))
    stored = kept.get_password_or_none(bench.store, account.account_id) if account else None
    try:
        with _at_once:
            _hasher.verify(stored.hash if stored else _NOBODY, password)
    except (VerificationError, InvalidHashError):
        account = None
    if account is None or stored is None or account.disabled:
        raise SignInRefused(
            "Name or password is wrong, or the account is disabled. The panel lead can reset a password."
        )
    return account


def start_session(bench: Workbench, account: Account) -> str:
    """Sign an account in and give the token for its cookie; the database holds only the token's hash."""
    token = secrets.token_urlsafe(32)
    session = sessions.Session(
        sessions.hash_token(token), account.account_id, secrets.token_urlsafe(24), bench.now()
    )
    with bench.store.write() as connection:
        sessions.start_session(connection, session)
    return token


def signed_in(bench: Workbench, token: str | None) -> SignedIn:
    """Say who holds a token; looked up at every page run, in every fragment and in every callback.

    Raises
    ------
    NotSignedIn
        No such session, signed out, idle too long, or the account is disabled.
    """
    session = sessions.get_session_or_none(bench.store, token) if token else None
    account = kept.get_account_or_none(bench.store, session.account_id) if session else None
    if session is None or account is None or account.disabled:
        raise NotSignedIn("You are signed out. Sign in again; nothing you entered is lost.")
    idle = bench.clock() - from_text(session.last_seen_at)
    if idle > timedelta(minutes=IDLE_MINUTES):
        with bench.store.write() as connection:
            sessions.end_session(connection, session.token_hash)
        raise NotSignedIn(
            f"You were signed out after {IDLE_MINUTES} idle minutes. Sign in again; nothing is lost."
        )
    if idle.total_seconds() > _TOUCH_SECONDS:
        with bench.store.write() as connection:
            sessions.touch_session(connection, session.token_hash, bench.now())
    password = kept.get_password_or_none(bench.store, account.account_id)
    return SignedIn(account, session.csrf_token, password is not None and password.one_time)


def sign_out(bench: Workbench, token: str) -> None:
    """End the session of a token."""
    with bench.store.write() as connection:
        sessions.end_session(connection, sessions.hash_token(token))


def change_password(bench: Workbench, token: str, password: str) -> None:
    """Set the signed-in person's own password and end their other sessions.

    Raises
    ------
    NotAllowed
        The password is too short, or the one they have.
    """
    account = signed_in(bench, token).account
    if (length := len(password.strip())) < SHORTEST_PASSWORD:
        raise NotAllowed(f"The password has {length} characters; choose {SHORTEST_PASSWORD} or more.")
    if _is_password_of(bench, account, password):
        raise NotAllowed("That is the password you have now; choose another, known to nobody else.")
    hashed = _hasher.hash(password)
    with bench.store.write() as connection:
        append(
            connection,
            at=bench.now(),
            actor=account.account_id,
            kind=EventKind.PASSWORD_CHANGED,
            subject=account.account_id,
        )
        kept.set_password(connection, account.account_id, hashed, one_time=False, at=bench.now())
        sessions.end_all_sessions(connection, account.account_id, but=sessions.hash_token(token))


def _is_password_of(bench: Workbench, account: Account, password: str) -> bool:
    stored = kept.get_password_or_none(bench.store, account.account_id)
    try:
        return stored is not None and _hasher.verify(stored.hash, password)
    except (VerificationError, InvalidHashError):
        return False


def _checked_name(bench: Workbench, name: str) -> str:
    name = unicodedata.normalize("NFC", name.strip())
    if not re.fullmatch(r"[^\W_][\w .'@-]{0,59}", name):
        raise NotAllowed(
            f"`{name}` cannot be an account's name. Use up to 60 letters, digits, spaces and . ' @ - _, "
            "starting with a letter or digit."
        )
    for other in kept.accounts(bench.store):
        if other.name.casefold() == name.casefold():
            raise NotAllowed(f"There is already an account named `{other.name}`. Choose another name.")
    return name
