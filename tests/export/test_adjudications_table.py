"""Third reads, adjudications and backreads in an export: marked, in no figure on agreement, and verified."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from graded_rounds import NOW
from reads_of_one_answer import THIRD, correct, judged, live_reads, read, third_reads
from small_workspace import SmallWorkspace, make_workspace
from tampering import change, repair_fingerprints

from grader_app.domain.content_hash import canonical_json
from grader_app.domain.panel import Role
from grader_app.errors import VerificationFailed
from grader_app.export.folder import write_export
from grader_app.export.verify import verify_export
from grader_app.store.event_log import read_events
from grader_app.store.integrity import check_store
from grader_app.store.settling_integrity import settling_faults
from grader_app.workflow import accounts
from grader_app.workflow.adjudication import adjudicate, look_first, raise_dispute
from grader_app.workflow.backreads import backread, next_to_backread, write_to_grader


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SmallWorkspace, list[str], Path]]:
    """One answer settled by a third read, one by the lead, one whose decision is stale; and its export."""
    small = make_workspace(tmp_path_factory.mktemp("settled") / "w", graders=4, answers=6, reading=THIRD)
    lead = accounts.add_account(small.bench, small.actor, "lead", Role.LEAD)[0].account_id
    with small.bench.record() as record:
        ids = record.response_ids("mee-barge")
    for response_id, third in zip(ids[:3], (5, "blank", "blank"), strict=True):
        read(small, response_id, 2, 5)
        small.submit(third_reads(small, response_id)[0], entry=judged(third))
    for response_id in ids[1:3]:
        look_first(small.bench, lead, response_id, judged(4))
        adjudicate(small.bench, lead, response_id, judged(3), reason="The gift, see Oystercatcher.")
    correct(small, live_reads(small, ids[2])[0], 1)
    read(small, ids[3], 4, 4)
    raise_dispute(small.bench, lead, ids[3], "On appeal.")
    grader = live_reads(small, ids[0])[0].grader_id
    paper = next_to_backread(small.bench, lead, grader, "mee-barge")
    assert paper is not None
    seq = backread(small.bench, lead, paper.assignment_id, judged(6))
    write_to_grader(small.bench, lead, seq, "Think of the Oystercatcher.")
    path = write_export(small.bench.store, small.path / "exports", NOW)
    yield small, ids, path
    small.bench.store.close()


def rows_of(path: Path, file: str) -> list[dict[str, str]]:
    with (path / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_every_judgment_stands_in_the_table_with_its_kind(
    settled: tuple[SmallWorkspace, list[str], Path],
) -> None:
    _, ids, path = settled
    found = [
        (row["response_id"], row["kind"], row["value"] or row["condition_code"], row["counts"])
        for row in rows_of(path, "adjudications.csv")
        if row["kind"] != "backread"
    ]
    assert found == [
        (ids[0], "third_read", "5", "yes"),
        (ids[1], "third_read", "blank", "no"),
        (ids[2], "third_read", "blank", "no"),
        (ids[1], "first_look", "4", "no"),
        (ids[1], "adjudication", "3", "yes"),
        (ids[2], "first_look", "4", "no"),
        (ids[2], "adjudication", "3", "stale"),
        (ids[3], "dispute_raised", "", "no"),
    ]
    (looked_back,) = (row for row in rows_of(path, "adjudications.csv") if row["kind"] == "backread")
    assert (looked_back["value"], looked_back["counts"]) == ("6", "no")


def test_an_adjudication_names_the_grades_it_settled(
    settled: tuple[SmallWorkspace, list[str], Path],
) -> None:
    small, ids, path = settled
    (row,) = (
        row
        for row in rows_of(path, "adjudications.csv")
        if (row["kind"], row["response_id"]) == ("adjudication", ids[1])
    )
    with small.bench.record() as record:
        assert row["about_events"] == " ".join(str(one.event_seq) for one in record.judgments(ids[1]))


def test_the_scores_say_by_what_a_score_was_settled(settled: tuple[SmallWorkspace, list[str], Path]) -> None:
    _, ids, path = settled
    scores = {row["response_id"]: row for row in rows_of(path, "scores.csv")}
    told = [(scores[r]["raw"], scores[r]["final"], scores[r]["status"]) for r in ids[:4]]
    assert told == [
        ("3.5", "5", "final"),
        ("3.5", "3", "final"),
        ("3", "", "disputed"),
        ("4", "", "disputed"),
    ]
    assert scores[ids[0]]["note"].endswith("; settled by a third read")
    assert scores[ids[1]]["note"].endswith("; settled by adjudication")
    assert "settled" not in scores[ids[2]]["note"]


def test_grades_and_agreement_hold_the_independent_reads_alone(
    settled: tuple[SmallWorkspace, list[str], Path],
) -> None:
    _, ids, path = settled
    given = [row for row in rows_of(path, "grades.csv") if row["response_id"] == ids[1]]
    assert sorted(row["value"] for row in given) == ["2", "5"]
    facet = json.loads((path / "agreement.json").read_bytes())["facets"][0]
    assert facet["design"]["n_ratings"] == 8


def test_the_export_verifies_and_names_nobody_and_no_words(
    settled: tuple[SmallWorkspace, list[str], Path],
) -> None:
    small, _, path = settled
    verify_export(path)
    check_store(small.bench.store)
    for file in path.iterdir():
        assert b"Oystercatcher" not in file.read_bytes(), file.name


@pytest.fixture
def copy(settled: tuple[SmallWorkspace, list[str], Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(settled[2], tmp_path / settled[2].name))


def test_an_edited_decision_is_found_although_its_fingerprint_was_repaired(copy: Path) -> None:
    change(copy, "adjudications.csv", lambda data: data.replace(b",adjudication,", b",third_read,", 1))
    repair_fingerprints(copy)
    with pytest.raises(VerificationFailed, match=r"adjudications\.csv, line"):
        verify_export(copy)


@pytest.mark.parametrize(
    ("kind", "change_body", "says"),
    [
        ("GradeAdjudicated", {"settles": [1]}, "settles event 1, which is no read of the answer"),
        ("GradeAdjudicated", {"first_look": 2}, "names event 2 as its first_look, which is none"),
        ("GradeAdjudicated", {"confirms": 3}, "names event 3 as its confirms, which is none"),
        ("GradeAdjudicated", {"response_id": "r-other"}, "about an answer that was never dealt"),
        ("GradeBackread", {"of": 1}, "is held against event 1, which is no grade"),
        ("GradeBackread", {"grader_id": "p-other"}, "about an answer that was not dealt so"),
        ("GradeBackread", {"backread": 1}, "about a backread that was never made"),
    ],
)
def test_a_forged_act_is_named(
    settled: tuple[SmallWorkspace, list[str], Path], kind: str, change_body: dict, says: str
) -> None:
    events = list(read_events(settled[0].bench.store))
    assert list(settling_faults(events)) == []
    key = next(iter(change_body))
    if key == "first_look":
        places = [n for n, e in enumerate(events) if e.kind == kind and "first_look" in e.body]
    else:
        places = [n for n, e in enumerate(events) if e.kind == kind and (key in e.body or key == "confirms")]
    at = places[0]
    events[at] = events[at]._replace(body_json=canonical_json({**events[at].body, **change_body}))
    assert any(says in fault for fault in settling_faults(events))


def test_a_decision_by_a_reader_of_the_answer_is_named(
    settled: tuple[SmallWorkspace, list[str], Path],
) -> None:
    small, ids, _ = settled
    events = list(read_events(small.bench.store))
    at = next(n for n, e in enumerate(events) if e.kind == "GradeAdjudicated" and e.subject == ids[1])
    events[at] = events[at]._replace(actor=live_reads(small, ids[1])[0].grader_id)
    assert "is by a reader of the answer" in next(settling_faults(events))
