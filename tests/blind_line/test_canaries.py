"""Planted names are searched for in everything that comes out below the blind line."""

import sqlite3
from contextlib import closing
from urllib.parse import urlsplit

import pytest
from planted import LEAD, READERS, SOURCES, plant
from visits import route_paths

from grader_app.domain.panel import Role
from grader_app.export.registry import EXPORTERS
from grader_app.ui.app import PAGES

pytestmark = pytest.mark.browser

PROMPTS = ("CANARY-PROMPT-", "CANARY-TEMPLATE-", "CANARY-VENDOR")


def test_every_page_and_every_route_was_visited(evidence):
    pages = {f"/{address}" for owned in PAGES.values() for address, _, _ in owned}
    assert pages <= evidence.pages
    assert evidence.routes == set(route_paths())
    assert {"/sign-in", "/health", "/desk/submit", "/exports/{name}/{what}"} <= evidence.routes
    for role in (Role.GRADER, Role.LEAD):
        for page in pages:
            assert f"{role.value} {page}" in evidence.found


def test_every_file_of_an_export_was_searched(evidence):
    searched = {door.removeprefix("export ") for door in evidence.found if door.startswith("export ")}
    assert {exporter.file for exporter in EXPORTERS} <= searched
    assert "manifest.json" in searched


@pytest.mark.parametrize(
    ("words", "doors"),
    [
        ("sign-in", {"grader responses", "lead responses"}),
        ("He owes $5 and $10", {"grader /grade", "grader /grade?form=plain", "grader websocket"}),
        ("He owes $5 and $10", {"lead /queues", "lead websocket", "workbench.db"}),
        (READERS[0], {"grader /grade", "lead /panel", "lead websocket", "workbench.db"}),
        ("july-sample", {"lead GET /exports/{name}/{what}", "export manifest.json", "file names"}),
    ],
)
def test_the_search_finds_what_is_there(evidence, words, doors):
    """Blind eyes would pass every other test here."""
    assert doors <= set(evidence.doors_with(words.encode()))


def test_the_planted_names_are_in_the_key(tmp_path):
    with closing(sqlite3.connect(plant(tmp_path) / "blinding_key.db")) as key:
        dump = "\n".join(key.iterdump())
    for name in (*SOURCES, "CANARY-ID-", "CANARY-FILE-", "CANARY-COLUMN", "CANARY-VALUE-", *PROMPTS):
        assert name in dump


def test_no_planted_name_comes_out_of_any_door(evidence, names):
    custodian = {"workbench.db", "workbench.db-wal"}
    for name in names:
        found = set(evidence.doors_with(name))
        if name == b"canary":
            # The custodian's own name stands in the table of people, outside events and exports.
            for door in found & custodian:
                content = evidence.found[door].lower()
                assert content.count(b"canary") == content.count(b"canary-custodian")
            found -= custodian
        assert not found, f"{name!r} found in {sorted(found)}"


@pytest.mark.parametrize("name", PROMPTS)
def test_neither_the_kind_of_prompt_nor_its_template_reaches_a_grader(evidence, name):
    """A template can name the vendor whose model answered."""
    assert evidence.doors_with(name.lower().encode()) == []


def test_exports_hold_no_name_of_a_person(evidence):
    exports = {door: content for door, content in evidence.found.items() if door.startswith("export ")}
    for door, content in exports.items():
        for name in (*READERS, LEAD, "CANARY-CUSTODIAN", "cli:"):
            assert name.encode().lower() not in content.lower(), (door, name)


def test_a_printed_packet_holds_answers_as_written_and_no_name_of_a_person(evidence):
    pages = [evidence.found[door] for door in ("lead /packet", "lead GET /packet/{packet}")]
    for page in pages:
        assert b"He owes $5 and $10" in page
        assert b"&lt;script&gt;window.pwned" in page
        assert b"[U+202E]evif" in page
        for name in (*READERS, LEAD):
            assert name.encode() not in page


def test_a_grader_is_sent_nothing_of_the_other_graders_nor_any_id_but_their_own(evidence, planted):
    sent = b"".join(content for door, content in evidence.found.items() if door.startswith("grader"))
    with closing(sqlite3.connect(planted / "workspace" / "workbench.db")) as database:
        rows = database.execute("SELECT id, candidate_id FROM response").fetchall()
        responses = [value for row in rows for value in row]
        theirs = [
            value
            for (value,) in database.execute(
                "SELECT s.id FROM assignment s JOIN actor a ON a.id = s.grader_id WHERE a.name = ?",
                (READERS[1],),
            )
        ]
    for secret in (READERS[1], LEAD, *responses, *theirs):
        assert secret.encode() not in sent, secret


def test_a_lead_sees_no_candidate_id_beside_an_answers_text(evidence):
    assert evidence.doors_with(b"candidate_id") == sorted(
        door
        for door in evidence.doors_with(b"candidate_id")
        if door.startswith(("export", "workbench", "lead GET /exports"))
    )


def test_no_request_leaves_the_machine(evidence):
    outside = {
        urlsplit(url).netloc
        for url in evidence.hosts
        if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).hostname != "127.0.0.1"
    }
    assert outside == set()
    assert len({urlsplit(url).port for url in evidence.hosts if urlsplit(url).hostname}) == 1


def test_a_grader_works_on_with_the_key_gone(evidence, planted):
    assert not (planted / "workspace" / "blinding_key.db").exists()
    graded = evidence.shown["graded without the key"]
    with closing(sqlite3.connect(planted / "workspace" / "workbench.db")) as database:
        found = database.execute(
            "SELECT body FROM event WHERE subject = ? AND kind = 'GradeSubmitted'", (graded,)
        ).fetchall()
    assert len(found) == 1
    assert '"score":6' in found[0][0]


def test_the_server_reports_no_error(evidence):
    assert b"Traceback" not in evidence.found["server log"]
