"""A tiny workspace with its key, and a clock that stands still."""

import random
from datetime import UTC, datetime

import pytest
from tiny_workspace import write_files

from grader_app.blinding.formats import read_answers
from grader_app.blinding.intake import take_in
from grader_app.blinding.key import KEY_NAME
from grader_app.blinding.settling import open_or_create_key
from grader_app.workflow.workbench import Workbench


class Desk:
    """A workspace with its key, and short ways to use both."""

    def __init__(self, folder):
        self.folder = folder
        write_files(folder)
        self.bench = Workbench.create(folder, lambda: datetime(2026, 7, 28, 12, tzinfo=UTC))
        self.actor = self.bench.cli_actor("cli:kim")
        self.key_file = folder / KEY_NAME
        self.key = open_or_create_key(self.key_file, self.bench.store)

    def file(self, text, name="answers.csv"):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return path

    def take(self, text, item="mee-barge", name="answers.csv", columns=None, **options):
        answers = read_answers(self.file(text, name), columns=columns)
        return take_in(self.bench, self.key, answers, item, self.actor, **options)

    def texts(self):
        """The stored texts of the round by sender's id, as the custodian would join them."""
        sources = {kept.response_id: kept.sender_id for kept in self.key.sources()}
        rows = self.bench.store.rows(
            "SELECT r.id, t.body FROM response r JOIN kept_text t ON t.hash = r.text_hash"
        )
        return {sources[row["id"]]: row["body"] for row in rows if row["id"] in sources}

    def count(self, table):
        return self.bench.store.rows(f"SELECT count(*) AS n FROM {table}")[0]["n"]

    def dump(self):
        with self.bench.store.connection() as connection:
            return list(connection.iterdump())

    def pragma(self, setting):
        """Set something on the connection that is lent next."""
        with self.bench.store.connection() as connection:
            connection.execute(f"PRAGMA {setting}")

    def close(self):
        self.key.close()
        self.bench.store.close()


@pytest.fixture
def desk(tmp_path):
    made = Desk(tmp_path)
    yield made
    made.close()


@pytest.fixture
def desks(tmp_path):
    """Make further workspaces."""
    made = []

    def make():
        folder = tmp_path / f"workspace {len(made)}"
        folder.mkdir()
        made.append(Desk(folder))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def draw():
    return random.Random(20260728)
