"""Checks in exports: they change no score and no figure, and have a table and a section of their own."""

from __future__ import annotations

import csv
import io
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from checked_workspace import ITEM, calibrate, make_checked, reference_of
from small_workspace import SmallWorkspace

from grader_app.domain.events import Event, EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.inputs import Inputs
from grader_app.domain.panel import CHECKS, ReadKind
from grader_app.export.checks_table import CHECKS_COLUMNS
from grader_app.export.folder import write_export
from grader_app.export.registry import tables
from grader_app.export.verify import verify_export
from grader_app.store.event_log import read_events
from grader_app.store.inputs import read_inputs
from grader_app.store.responses import add_mbe
from grader_app.workflow.grade_submission import correct_grade

README = Path(__file__).resolve().parents[2] / "exports" / "README.md"
NEVER_TOUCHED = ("scores.csv", "scaled.csv", "grades.csv", "agreement.json")


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallWorkspace]:
    """Two readers of every answer, with validity papers and repeats, one of them drifting and corrected."""
    small = make_checked(
        tmp_path_factory.mktemp("checked") / "w",
        checks="validity_paper_every: 6\nself_repeat_every: 10",
        graders=2,
        answers=70,
        reading="reads: 2",
    )
    draw = random.Random(5)
    calibrate(small, small.graders[0], lambda place: (0, 1, 0, -1, 0, 0, 0, 0)[place])
    queues = {grader.account_id: small.queue(grader) for grader in small.graders}
    with small.bench.store.write() as connection:
        rows = connection.execute("SELECT candidate_id FROM response ORDER BY candidate_id").fetchall()
        add_mbe(connection, [(row["candidate_id"], 120.0 + n) for n, row in enumerate(rows)])
    small.append(EventKind.MBE_TAKEN_IN, "mbe", n=len(rows))
    for grader in small.graders:
        for place, dealt in enumerate(queues[grader.account_id]):
            score = draw.randint(1, 5)
            if dealt.kind is ReadKind.VALIDITY:
                off = 1 + place % 2 if grader is small.graders[0] else 0
                score = int(reference_of(small, dealt)) - off
            receipt = small.submit(dealt, score, seconds_spent=100 + place)
            if dealt.kind is not ReadKind.LIVE and place % 3 == 0:
                correct_grade(
                    small.bench,
                    grader.account_id,
                    dealt.assignment_id,
                    GradeEntry(score=6),
                    reason="A slip.",
                    token=f"again {receipt.event_seq}",
                )
    yield small
    small.bench.store.close()


def log_of(small: SmallWorkspace) -> tuple[list[Event], Inputs]:
    return list(read_events(small.bench.store)), read_inputs(small.bench.store)


def without_checks(events: list[Event]) -> list[Event]:
    """The same log as if no check had ever been planted."""
    planted = {
        row["assignment_id"]
        for event in events
        if event.kind == EventKind.CHECKS_PLANTED
        for row in event.body["assignments"]
    }
    gone = (EventKind.CHECKS_PLANTED, EventKind.DRIFT_FOUND)
    return [event for event in events if event.kind not in gone and event.subject not in planted]


def test_with_and_without_checks_scores_and_all_figures_between_graders_are_the_same_bytes(
    checked: SmallWorkspace,
) -> None:
    events, inputs = log_of(checked)
    fewer = without_checks(events)
    with checked.bench.record() as record:
        graded = [
            a for a in record.assignments.values() if a.kind in CHECKS and a.assignment_id in record.history
        ]
    assert {dealt.kind for dealt in graded} == set(CHECKS)
    assert len(events) - len(fewer) >= len(graded) > 15
    with_them, without = tables(events, inputs), tables(fewer, inputs)
    assert {file: with_them[file] == without[file] for file in NEVER_TOUCHED} == dict.fromkeys(
        NEVER_TOUCHED, True
    )
    assert with_them["checks.csv"] != without["checks.csv"]
    # They have something in them to be changed.
    assert with_them["scaled.csv"].count(b"\r\n") > 30
    assert b'"krippendorff_alpha"' in with_them["agreement.json"]


def rows_of(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8"), newline="")))


def test_the_table_has_the_figures_of_each_grader(checked: SmallWorkspace) -> None:
    rows = {row["grader_id"]: row for row in rows_of(tables(*log_of(checked))["checks.csv"])}
    drifting, other = (rows[grader.account_id] for grader in checked.graders)
    assert (drifting["item"], drifting["direction"], other["severity"]) == (ITEM, "harsher", "0")
    assert 1 <= float(drifting["severity"]) <= 2
    assert (drifting["sd_from"], other["sd_from"]) == ("own packet", "middle of the panel's packets")
    assert (drifting["alarms"], drifting["alarm_at"][:10]) == ("1", "2026-11-29")
    assert float(drifting["sum_harsher"]) > float(drifting["limit"]) > 2
    assert drifting["sum_more_lenient"] == "0"
    assert int(drifting["validity_papers"]) == int(drifting["validity_planted"]) > 5
    assert int(drifting["repeats"]) == int(drifting["repeats_planted"]) >= 1
    low, value, high = (float(drifting[name]) for name in ("severity_low", "severity", "severity_high"))
    assert low < value < high
    assert all("provisional" in row["note"] for row in rows.values())


def test_an_export_with_checks_verifies_and_an_edited_figure_is_found(
    checked: SmallWorkspace, tmp_path: Path
) -> None:
    folder = write_export(checked.bench.store, tmp_path, checked.clock())
    verify_export(folder)
    path = folder / "checks.csv"
    path.write_bytes(path.read_bytes().replace(b",harsher,", b",more lenient,"))
    with pytest.raises(
        Exception, match=r"checks\.csv, line \d .*, column (moved|direction): says 'more lenient'"
    ):
        verify_export(folder)


def test_the_report_has_a_section_that_says_what_the_figures_are(checked: SmallWorkspace) -> None:
    page = tables(*log_of(checked))["report.html"].decode("utf-8")
    (section,) = re.findall(r"<section>\n<h2>Drift and self-consistency</h2>.*?</section>", page, re.S)
    text = re.sub(r"<[^>]+>", " ", section)
    assert "They never count" in text
    assert f"1 alarm: {checked.graders[0].account_id} has become harsher (since 2026-11-29)." in text
    assert "Self-consistency, an upper bound because of memory" in text
    assert "at least one of the 2 with" in text
    assert "could go unseen" in text
    bare = tables(without_checks(log_of(checked)[0]), log_of(checked)[1])["report.html"].decode("utf-8")
    assert "No checks were planted in this round" in bare


def test_every_column_is_explained() -> None:
    said = README.read_text(encoding="utf-8").partition("## `checks.csv`")[2].partition("\n## ")[0]
    assert [column.name for column in CHECKS_COLUMNS if f"`{column.name}`" not in said] == []
