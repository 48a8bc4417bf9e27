"""A tiny workspace: two items, one rubric, and a clock that stands still."""

import random
from datetime import UTC, datetime

import pytest

from grader_app.blinding.formats import read_answers
from grader_app.blinding.intake import take_in
from grader_app.blinding.key import KEY_NAME
from grader_app.blinding.settling import open_or_create_key
from grader_app.workflow.workbench import Workbench

ROUND = """\
format: round/1
id: tiny
version: "1"
title: Tiny round
items:
  - item: mee-barge
    component: mee
    weight: 1
  - item: rule-deck
    component: rule_application
seed: 3
"""
RUBRIC = """\
format: rubric/1
id: six-point
version: "1"
title: Six points
score:
  lowest: 0
  highest: 6
  step: 1
  level_of_measurement: ordinal
  given_by: grader
levels:
  - score: 6
    label: Outstanding
    means: >-
      All of it.
  - score: 0
    label: Nothing
    means: >-
      None of it.
"""
SHEET = """\
format: point_sheet/1
id: {item}
version: "1"
item: {item}
kind: {kind}
rubric: six-point
rubric_version: "1"
title: An item
subject: Contracts
jurisdiction: general American law
law_as_of: "2026-11"
irac: application
{gold}issues:
  - id: main
    title: Was there a contract?
    weight_percent: 100
    points:
      - id: main.rule
        part: rule
        text: >-
          Offer and acceptance make a contract.
        authority: Restatement (Second) of Contracts, section 22
"""


def write_files(folder):
    (folder / "round.yaml").write_text(ROUND, encoding="utf-8")
    rubrics = folder / "rubrics"
    rubrics.mkdir()
    (rubrics / "six-point.yaml").write_text(RUBRIC, encoding="utf-8")
    for item, kind, gold in (("mee-barge", "mee", ""), ("rule-deck", "rule_application", 'gold: "No"\n')):
        (rubrics / item).mkdir()
        sheet = SHEET.format(item=item, kind=kind, gold=gold)
        (rubrics / item / "point_sheet.yaml").write_text(sheet, encoding="utf-8")
        (rubrics / item / "prompt.md").write_text("Advise the owner.\n", encoding="utf-8")


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
