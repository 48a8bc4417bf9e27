"""Sources joined onto a finished export, beside it, and on record."""

import csv
import json
import stat
import sys
from collections import Counter
from datetime import UTC, datetime

import pytest

from grader_app.blinding import reveal as reveal_module
from grader_app.blinding.reveal import reveal
from grader_app.domain.events import EventKind
from grader_app.domain.panel import Role
from grader_app.errors import ExportProblem, KeyProblem, VerificationFailed
from grader_app.export.folder import write_export
from grader_app.export.verify import verify_export
from grader_app.store.event_log import append
from grader_app.workflow.accounts import add_account
from grader_app.workflow.assignment import deal

ANSWERS = "id,source,text,temperature,trial,gold,seat\n" + "".join(
    f"0{n},{'quill' if n % 2 else '=cmd'},text {n},0.70,{n % 3},Yes,12B\n" for n in range(24)
)


@pytest.fixture
def exported(desk):
    desk.take(ANSWERS)
    for name in ("grader-1", "grader-2", "grader-3"):
        add_account(desk.bench, desk.actor, name, Role.GRADER)
    deal(desk.bench, desk.actor)
    return write_export(desk.bench.store, desk.folder / "exports", datetime(2026, 7, 28, 13, tzinfo=UTC))


def rows(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def revealed_events(desk):
    return desk.bench.store.rows("SELECT * FROM event WHERE kind = 'SourcesRevealed' ORDER BY seq")


def test_scores_carry_sources_and_the_export_stays_as_it_is(desk, exported):
    before = {path.name: path.read_bytes() for path in exported.iterdir()}
    folder = reveal(desk.bench, desk.key, exported, desk.actor, although_provisional=True)
    assert folder == exported.with_name(exported.name + "-revealed")
    assert sorted(path.name for path in folder.iterdir()) == [
        "blinding_check.html",
        "blinding_check.json",
        "grades.csv",
        "guesses.csv",
        "scaled.csv",
        "scores.csv",
        "sources.csv",
    ]
    assert {path.name: path.read_bytes() for path in exported.iterdir()} == before
    verify_export(exported)
    by_id = {kept.response_id: kept for kept in desk.key.sources()}
    found = rows(folder / "scores.csv")
    assert len(found) == 24
    for row in found:
        kept = by_id[row["response_id"]]
        assert row["sender_id"] == kept.sender_id
        assert row["source"] == {"quill": "quill", "=cmd": "'=cmd"}[kept.source]
        assert (row["temperature"], row["trial"], row["gold"]) == ("0.70", kept.trial, "Yes")


def test_a_table_of_sources_holds_all_that_came_with_each_answer(desk, exported):
    folder = reveal(desk.bench, desk.key, exported, desk.actor, although_provisional=True)
    found = rows(folder / "sources.csv")
    assert {(row["file"], row["other_columns"]) for row in found} == {("answers.csv", '{"seat": "12B"}')}
    assert sorted(int(row["line"]) for row in found) == list(range(2, 26))


def test_the_act_is_recorded_with_the_exports_last_event(desk, exported):
    reveal(desk.bench, desk.key, exported, desk.actor, although_provisional=True)
    (event,) = revealed_events(desk)
    manifest = json.loads((exported / "manifest.json").read_text(encoding="utf-8"))
    assert event["subject"] == desk.bench.store.workspace_id
    assert json.loads(event["body"]) == {
        "export": manifest["events"]["last_hash"],
        "response_ids": sorted(kept.response_id for kept in desk.key.sources()),
    }


def test_dealing_gave_every_grader_the_same_mix_as_the_revealed_sources_show(desk, exported):
    folder = reveal(desk.bench, desk.key, exported, desk.actor, although_provisional=True)
    source = {row["response_id"]: row["source"] for row in rows(folder / "sources.csv")}
    dealt = desk.bench.store.rows("SELECT grader_id, response_id FROM assignment WHERE read_number = 1")
    piles = Counter((row["grader_id"], source[row["response_id"]]) for row in dealt)
    for name in ("quill", "'=cmd"):
        counts = [count for (_, who), count in piles.items() if who == name]
        assert len(counts) == 3
        assert max(counts) - min(counts) <= 2


def test_an_export_that_was_edited_is_refused(desk, exported):
    scores = exported / "scores.csv"
    scores.write_bytes(scores.read_bytes().replace(b"waiting", b"final", 1))
    with pytest.raises(VerificationFailed):
        reveal(desk.bench, desk.key, exported, desk.actor, although_provisional=True)
    assert not revealed_events(desk)
    assert not exported.with_name(exported.name + "-revealed").exists()


def test_an_export_of_another_workspace_is_refused(desk, desks, exported):
    other = desks()
    with pytest.raises(ExportProblem, match="another workspace"):
        reveal(other.bench, other.key, exported, other.actor, although_provisional=True)
    assert not revealed_events(other)


def test_a_folder_that_is_no_export_is_refused(desk):
    with pytest.raises(ExportProblem, match="no export"):
        reveal(desk.bench, desk.key, desk.folder, desk.actor, although_provisional=True)


def test_an_export_is_revealed_once(desk, exported):
    reveal(desk.bench, desk.key, exported, desk.actor, although_provisional=True)
    with pytest.raises(ExportProblem, match="revealed before"):
        reveal(desk.bench, desk.key, exported, desk.actor, although_provisional=True)
    assert len(revealed_events(desk)) == 1


def test_a_key_that_does_not_know_the_answers_is_refused(desk, exported):
    desk.key._connection.execute("DELETE FROM sources WHERE sender_id = '00'")
    with pytest.raises(KeyProblem, match="does not know 1"):
        reveal(desk.bench, desk.key, exported, desk.actor, although_provisional=True)
    assert not revealed_events(desk)


def test_no_source_reaches_the_disk_before_the_act_is_on_record(desk, exported, monkeypatch):
    class Broken(Exception):
        pass

    def fail(*_, **__):
        assert not any(b"quill" in path.read_bytes() for path in exported.parent.rglob("*") if path.is_file())
        raise Broken

    monkeypatch.setattr(reveal_module, "append", fail)
    with pytest.raises(Broken):
        reveal(desk.bench, desk.key, exported, desk.actor, although_provisional=True)
    assert [path.name for path in exported.parent.iterdir()] == [exported.name]


def test_a_failure_to_write_leaves_no_part_of_the_folder(desk, exported, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(reveal_module.os, "fsync", full)
    with pytest.raises(ExportProblem, match=r"No space left on device.*run reveal again"):
        reveal(desk.bench, desk.key, exported, desk.actor, although_provisional=True)
    assert [path.name for path in exported.parent.iterdir()] == [exported.name]
    monkeypatch.undo()
    assert reveal(desk.bench, desk.key, exported, desk.actor, although_provisional=True).is_dir()


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are POSIX's")
def test_the_revealed_folder_is_readable_by_its_owner_alone(desk, exported):
    folder = reveal(desk.bench, desk.key, exported, desk.actor, although_provisional=True)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_an_export_with_open_questions_is_refused_and_a_final_one_is_not(desk, exported):
    with pytest.raises(ExportProblem, match="provisional"):
        reveal(desk.bench, desk.key, exported, desk.actor)
    assert not revealed_events(desk)
    assert not exported.with_name(exported.name + "-revealed").exists()
    with desk.bench.store.write() as connection:
        for item in desk.bench.material().items:
            at = desk.bench.now()
            append(connection, at=at, actor=desk.actor, kind=EventKind.ITEM_CLOSED, subject=item)
    final = write_export(desk.bench.store, desk.folder / "exports", datetime(2026, 7, 28, 14, tzinfo=UTC))
    assert reveal(desk.bench, desk.key, final, desk.actor).is_dir()
