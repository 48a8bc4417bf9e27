"""A workspace served by a process of its own, as people meet it."""

import http.client
import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from argon2 import PasswordHasher

from grader_app.domain.panel import Role
from grader_app.store.accounts import set_password
from grader_app.workflow import accounts
from grader_app.workflow.workbench import Workbench

COMMAND = (sys.executable, "-m", "grader_app")
PASSWORD = "three plain words"
START_SECONDS = 30
STOP_SECONDS = 10


def run_command(*arguments, check=True, cwd=None):
    """Run `grader-app` as a person does, away from any workspace of the person who runs the tests."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        text=True,
        env=clean_environment(),
        cwd=cwd,
        check=False,
    )
    if check and done.returncode != 0:
        raise AssertionError(f"grader-app {' '.join(map(str, arguments))}: {done.stdout}{done.stderr}")
    return done


def clean_environment():
    return {name: value for name, value in os.environ.items() if not name.startswith("GRADER_APP_")}


def give_password(workspace, *names):
    """Give accounts `PASSWORD`, not as a one-time password, so that a test can sign in at once."""
    # One hash serves all: hashing is slow on purpose.
    hashed = PasswordHasher().hash(PASSWORD)
    with closing(Workbench.open(workspace).store) as store:
        bench = Workbench(store, None)
        found = [accounts.find_account(bench, name).account_id for name in names]
        with store.write() as connection:
            for account_id in found:
                set_password(connection, account_id, hashed, one_time=False, at=bench.now())


def add_people(workspace, role, *names):
    """Add accounts with the password `PASSWORD`."""
    with closing(Workbench.open(workspace).store) as store:
        bench = Workbench(store, None)
        actor = bench.cli_actor("tests")
        for name in names:
            accounts.add_account(bench, actor, name, Role(role))
    give_password(workspace, *names)


def copy_of(workspace, target):
    return Path(shutil.copytree(workspace, target))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(found, seconds=5.0):
    """Give what `found` gives once it gives something; look every few milliseconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = found()
        if value:
            return value
        _pause(0.02)
    raise AssertionError(f"nothing within {seconds} seconds")


def _pause(seconds):
    threading.Event().wait(seconds)


@dataclass
class Answer:
    """What a plain route answered."""

    status: int
    headers: dict
    text: str
    cookies: list = field(default_factory=list)

    @property
    def json(self):
        return json.loads(self.text)

    def field(self, name):
        """The value of a hidden field in the page's form."""
        return re.search(rf'name="{name}" value="([^"]*)"', self.text).group(1)


class Served:
    """A workspace and the server that serves it.

    ``log`` holds all that the server wrote to its two streams, over all its starts.
    """

    def __init__(self, workspace, log, command=COMMAND):
        self.workspace, self.log, self.command = Path(workspace), Path(log), command
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = None

    def start(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.command, "serve", "--workspace", str(self.workspace), "--port", str(self.port)],
                stdout=log,
                stderr=log,
                env=clean_environment(),
            )
        self._wait_for_health()
        return self

    def stop(self):
        """End it as a service manager does; give its exit code."""
        self.process.terminate()
        return self.process.wait(STOP_SECONDS)

    def kill(self):
        """End it as a power cut would: nothing in it gets to say goodbye."""
        self.process.kill()
        self.process.wait(STOP_SECONDS)

    def _wait_for_health(self):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended: {self.log.read_text()}")
            try:
                if self.request("GET", "/health").status == 200:
                    return
            except OSError:
                _pause(0.05)
        raise AssertionError(f"no health within {START_SECONDS} seconds: {self.log.read_text()}")

    def request(self, method, path, *, form=None, body=None, cookie=None, headers=None):
        """Send one request and follow nothing."""
        sent = dict(headers or {})
        if cookie:
            sent["Cookie"] = cookie
        if form is not None:
            body = urlencode(form)
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as connection:
            connection.request(method, path, body, sent)
            got = connection.getresponse()
            text = got.read().decode("utf-8", "replace")
            names = {name.lower(): value for name, value in got.getheaders()}
            cookies = [value for name, value in got.getheaders() if name.lower() == "set-cookie"]
        return Answer(got.status, names, text, cookies)

    def raw(self, path, cookie):
        """Get the bytes of an address."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as connection:
            connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
            return connection.getresponse().read()

    def request_json(self, path, body, cookie, csrf_token):
        """Send JSON to a route of the desk, as the page does."""
        headers = {"Content-Type": "application/json", "X-CSRF-Token": csrf_token}
        return self.request("POST", path, body=json.dumps(body), cookie=cookie, headers=headers)

    def sign_in(self, name, password=None, **options):
        """Send the sign-in form as a browser does."""
        form = self.request("GET", "/sign-in")
        fields = {"csrf_token": form.field("csrf_token"), "name": name}
        fields["password"] = PASSWORD if password is None else password
        return self.request(
            "POST", "/sign-in", form=fields | options.pop("form", {}), cookie=pair(form.cookies[0]), **options
        )

    def session_of(self, name):
        """Give the cookie of a fresh session, without the slow form."""
        with closing(Workbench.open(self.workspace).store) as store:
            bench = Workbench(store, None)
            token = accounts.start_session(bench, accounts.find_account(bench, name))
        return f"grader_app_session={token}"

    def rows(self, sql, *values):
        """Read the database from outside, as it is on disk."""
        with closing(sqlite3.connect(f"file:{self.workspace / 'workbench.db'}?mode=ro", uri=True)) as db:
            db.row_factory = sqlite3.Row
            return [dict(row) for row in db.execute(sql, values)]

    def csrf_token_of(self, name):
        return self.rows(
            "SELECT csrf_token FROM session s JOIN actor a ON a.id = s.account_id "
            "WHERE a.name = ? ORDER BY started_at DESC",
            name,
        )[0]["csrf_token"]

    def drafts_of(self, name):
        found = self.rows(
            "SELECT d.body, d.assignment_id FROM draft d JOIN assignment s ON s.id = d.assignment_id "
            "JOIN actor a ON a.id = s.grader_id WHERE a.name = ?",
            name,
        )
        return {row["assignment_id"]: json.loads(row["body"]) for row in found}

    def events(self, kind, subject=None):
        """The bodies of all events of a kind, oldest first."""
        found = self.rows("SELECT subject, body FROM event WHERE kind = ? ORDER BY seq", kind)
        return [json.loads(row["body"]) for row in found if subject in (None, row["subject"])]

    def grades_of(self, name):
        found = self.rows(
            "SELECT e.subject, e.kind, e.body FROM event e JOIN actor a ON a.id = e.actor WHERE a.name = ? "
            "AND e.kind IN ('GradeSubmitted', 'GradeCorrected') ORDER BY e.seq",
            name,
        )
        return [(row["kind"], row["subject"], json.loads(row["body"])) for row in found]

    @property
    def host(self):
        return urlsplit(self.url).netloc


def pair(set_cookie):
    """The part of a Set-Cookie header that goes back to the server."""
    return set_cookie.split(";")[0]
