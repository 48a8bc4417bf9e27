from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import zipfile
from datetime import timedelta, timezone
from pathlib import Path

import openpyxl
import pytest
from graded_rounds import CLI_USER, NOW, PEOPLE, SIMULATED, GradedRound, grade_all, take_in

from grader_app.errors import ExportProblem
from grader_app.export import folder as export_folder
from grader_app.export.exporter import Exporter
from grader_app.export.field_kind import NEVER_SHOWN, FieldKind
from grader_app.export.folder import write_export
from grader_app.export.registry import EXPORTERS, tables
from grader_app.export.tables import grades_table, scaled_table, scores_table
from grader_app.export.verify import read_export, verify_export
from grader_app.store.event_log import last_seq, read_events
from grader_app.store.inputs import read_inputs
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.workbench import Workbench


@pytest.fixture
def files_ready(exported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the files of the shared export instead of computing them: only the folder is tested."""
    ready = {path.name: [path.read_bytes()] for path in exported.iterdir()}
    monkeypatch.setattr(export_folder, "pieces_of", lambda results: ready.items())


def rows_of(folder: Path, file: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((folder / file).read_text("utf-8"))))


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of an export, workbooks unpacked."""
    found = {}
    for path in folder.iterdir():
        found[path.name] = path.read_bytes()
        if path.suffix == ".xlsx":
            with zipfile.ZipFile(path) as archive:
                found |= {f"{path.name}/{name}": archive.read(name) for name in archive.namelist()}
    return found


@pytest.mark.usefixtures("files_ready")
def test_the_folder_is_named_for_the_round_and_the_time_in_utc(graded: GradedRound, tmp_path: Path) -> None:
    somewhere = timezone(timedelta(hours=5))
    path = write_export(graded.bench.store, tmp_path / "made" / "exports", NOW.astimezone(somewhere))
    assert path == tmp_path / "made" / "exports" / "harbor-round-20261130T141500Z"
    assert {file.name for file in path.iterdir()} == {
        "scores.csv", "scaled.csv", "grades.csv", "highlights.csv", "apprentices.csv", "guesses.csv",
        "author_flags.csv", "adjudications.csv", "referrals.csv", "checks.csv", "calibration.csv",
        "intervals.json", "reconciliation.json",
        "agreement.json", "protocol.json", "report.html", "arithmetic.html", "scores.xlsx",
        "events.jsonl", "inputs.jsonl", "manifest.json",
    }  # fmt: skip


def test_two_exports_of_the_same_log_have_the_same_bytes(
    graded: GradedRound, exported: Path, tmp_path: Path
) -> None:
    again = write_export(graded.bench.store, tmp_path, NOW + timedelta(days=400))
    assert contents(again) == contents(exported)


@pytest.mark.usefixtures("files_ready")
def test_a_second_export_in_the_same_second_gets_a_name_of_its_own(
    graded: GradedRound, tmp_path: Path
) -> None:
    first, second, third = (write_export(graded.bench.store, tmp_path, NOW) for _ in range(3))
    assert (second.name, third.name) == (f"{first.name}-2", f"{first.name}-3")
    assert contents(third) == contents(first)


@pytest.mark.usefixtures("files_ready")
def test_exporting_records_nothing(graded: GradedRound, tmp_path: Path) -> None:
    before = last_seq(graded.bench.store)
    write_export(graded.bench.store, tmp_path, NOW)
    assert last_seq(graded.bench.store) == before


@pytest.mark.usefixtures("files_ready")
def test_nothing_is_left_behind_when_the_disk_is_full(
    graded: GradedRound, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []

    def full(descriptor: int) -> None:
        written.append(descriptor)
        if len(written) == 4:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(export_folder.os, "fsync", full)
    with pytest.raises(ExportProblem, match="No space left on device"):
        write_export(graded.bench.store, tmp_path, NOW)
    assert list(tmp_path.iterdir()) == []


def test_a_workspace_without_a_round_is_refused(tmp_path: Path) -> None:
    bench = Workbench.create(tmp_path)
    with pytest.raises(ExportProblem, match="No round is registered"):
        write_export(bench.store, tmp_path / "exports", NOW)
    bench.store.close()
    assert not (tmp_path / "exports").exists()


def test_a_round_without_a_single_grade_exports_and_verifies(own_round: GradedRound, tmp_path: Path) -> None:
    path = write_export(own_round.bench.store, tmp_path / "out", NOW)
    verify_export(path)
    rows = rows_of(path, "scores.csv")
    assert {(row["raw"], row["final"], row["status"]) for row in rows} == {("", "", "waiting")}
    assert rows_of(path, "scaled.csv") == []
    figures = [
        f for facet in json.loads((path / "agreement.json").read_bytes())["facets"] for f in facet["figures"]
    ]
    assert {(figure["value"], figure["status"]) for figure in figures} == {(None, "no_overlap")}


def test_names_of_people_texts_and_notes_stand_in_no_file(exported: Path, graded: GradedRound) -> None:
    salts = [row["salt"] for row in graded.bench.store.rows("SELECT salt FROM kept_text")]
    secrets = [
        *PEOPLE,
        SIMULATED,
        CLI_USER,
        "zebulon",
        "Oystercatcher",
        "which nobody exports",
        "nobody's business",
    ]
    found = contents(exported)
    assert len(found) > 15
    for name, data in found.items():
        for secret in [*secrets, *salts]:
            assert secret.encode() not in data, f"{secret} stands in {name}"


def test_ungraded_is_not_zero(exported: Path, graded: GradedRound) -> None:
    scores = {row["response_id"]: row for row in rows_of(exported, "scores.csv")}

    def of(item: str, place: int) -> tuple[str, str, str]:
        row = scores[graded.ids[item, place]]
        return row["raw"], row["final"], row["status"]

    assert of("mee-barge", 0) == ("", "0", "coded")
    assert of("mee-barge", 1) == ("3", "", "disputed")
    assert of("mee-barge", 2) == ("", "", "waiting")
    assert of("mee-crane", 3) == ("", "", "coded")
    assert of("mee-crane", 4) == ("", "", "disputed")
    sheet = openpyxl.load_workbook(exported / "scores.xlsx").worksheets[0]
    cells = {row[2].value: (row[3].value, row[4].value) for row in sheet.iter_rows(min_row=2)}
    assert cells[graded.ids["mee-barge", 2]] == (None, None)
    assert cells[graded.ids["mee-barge", 0]] == (None, 0)


def test_a_candidate_with_an_item_that_has_no_final_score_has_no_composite(
    exported: Path, graded: GradedRound
) -> None:
    placed = {row["candidate_id"] for row in rows_of(exported, "scaled.csv")}
    lacking = {graded.candidates[place] for place in (1, 2, 3, 4)}
    assert placed == set(graded.candidates) - lacking


def test_the_composite_is_the_weighted_sum_and_a_candidate_without_mbe_has_no_total(
    exported: Path, graded: GradedRound
) -> None:
    finals = {(row["candidate_id"], row["item"]): row["final"] for row in rows_of(exported, "scores.csv")}
    rows = {row["candidate_id"]: row for row in rows_of(exported, "scaled.csv")}
    for candidate, row in rows.items():
        barge, crane = finals[candidate, "mee-barge"], finals[candidate, "mee-crane"]
        assert float(row["written_raw"]) == float(barge) + 2 * float(crane)
    last = rows[graded.candidates[-1]]
    assert (last["total"], last["in_scaling_group"]) == ("", "no")
    assert all(
        row["total"] and row["in_scaling_group"] == "yes" for c, row in rows.items() if row is not last
    )


def test_grades_have_one_row_a_facet_and_label_simulated_graders(exported: Path, graded: GradedRound) -> None:
    rows = rows_of(exported, "grades.csv")
    of = {(row["response_id"], row["grader_id"]): [] for row in rows}
    for row in rows:
        of[row["response_id"], row["grader_id"]].append((row["facet"], row["value"], row["condition_code"]))
    places = {response_id: key for key, response_id in graded.ids.items()}
    for (response_id, _), facets in of.items():
        names = [facet for facet, _, _ in facets]
        item, place = places[response_id]
        assert names == (["score", "correctness", "analysis"] if item == "rule-ferry" else ["score"])
        if (item, place) == ("mee-barge", 0):
            assert facets == [("score", "", "blank")]
    simulated = {row["grader_id"] for row in rows if row["simulated"] == "yes"}
    assert simulated == {graded.graders[2].account_id}


def test_ids_are_text_and_scores_are_numbers_in_the_workbook(exported: Path) -> None:
    book = openpyxl.load_workbook(exported / "scores.xlsx")
    assert [sheet.title.split()[0] for sheet in book] == [
        "scores", "scaled", "grades", "adjudications", "checks", "calibration", "guesses", "author_flags",
        "agreement", "graders", "about",
    ]  # fmt: skip
    for row in book.worksheets[0].iter_rows(min_row=2):
        assert [cell.data_type for cell in row[:3]] == ["s", "s", "s"]
        assert all(cell.value is None or cell.data_type == "n" for cell in row[3:5])


def test_an_id_like_a_number_stays_text(own_round: GradedRound) -> None:
    events, inputs = list(read_events(own_round.bench.store)), read_inputs(own_round.bench.store)
    response_id = own_round.ids["mee-barge", 0]
    inputs.responses[response_id]["candidate_id"] = "1E5"  # type: ignore[index]
    sheet = openpyxl.load_workbook(io.BytesIO(tables(events, inputs)["scores.xlsx"])).worksheets[0]
    row = next(row for row in sheet.iter_rows(min_row=2) if row[2].value == response_id)
    assert (row[0].value, row[0].data_type) == ("1E5", "s")


def test_a_provisional_export_says_so_on_every_page(exported: Path) -> None:
    book = openpyxl.load_workbook(exported / "scores.xlsx")
    for sheet in book:
        assert "provisional" in sheet.title
        assert "provisional" in sheet.oddHeader.right.text
    page = (exported / "report.html").read_text("utf-8")
    # Whole on the first page, in a few words at the head of each of the other nine sections.
    assert page.count("Provisional: 3 of 3 items are still open") == 1
    assert page.count("<p>Provisional; ") == page.count("<section") - 1 == 10
    assert page.count("<thead>") == page.count('<thead><tr class="standing">') > 5
    assert json.loads((exported / "manifest.json").read_bytes())["provisional"] is True


def test_every_output_says_that_graders_are_not_calibrated(exported: Path) -> None:
    for file in ("scores.csv", "scaled.csv", "grades.csv"):
        assert all("graders not calibrated" in row["note"] for row in rows_of(exported, file))
    for file in ("agreement.json", "protocol.json", "report.html", "manifest.json"):
        assert "Graders not calibrated" in (exported / file).read_text("utf-8")
    book = openpyxl.load_workbook(exported / "scores.xlsx")
    assert all("graders not calibrated" in sheet.oddHeader.right.text for sheet in book)


def test_once_every_item_is_closed_nothing_is_provisional(own_round: GradedRound, tmp_path: Path) -> None:
    grade_all(own_round)
    for item in ("mee-barge", "mee-crane"):
        close_item(own_round.bench, own_round.actor, item)
    assert export_folder.read_results(own_round.bench.store).open_items == ("rule-ferry",)
    close_item(own_round.bench, own_round.actor, "rule-ferry")
    whole = write_export(own_round.bench.store, tmp_path / "whole", NOW)
    assert read_export(whole)[0]["provisional"] is False
    said = [name for name, data in contents(whole).items() if b"rovisional" in data]
    assert said == ["manifest.json"]  # there it is the key whose value is false


def test_the_report_asks_for_nothing_outside_and_escapes_titles(exported: Path) -> None:
    page = (exported / "report.html").read_text("utf-8")
    assert "<h1>The harbor &amp; the &lt;barge&gt;</h1>" in page
    assert "<barge>" not in page
    for way_out in (
        "<script",
        "<link",
        "<img",
        "<iframe",
        "src=",
        "href=",
        "url(",
        "@import",
        "http:",
        "https:",
    ):
        assert way_out not in page, way_out


def test_csv_lines_end_in_cr_lf_throughout(exported: Path) -> None:
    for file in ("scores.csv", "scaled.csv", "grades.csv"):
        data = (exported / file).read_bytes()
        assert data.count(b"\n") == data.count(b"\r\n") == len(data.splitlines())


def test_every_export_declares_what_it_shows_and_none_may_show_a_source(graded: GradedRound) -> None:
    shown = {exporter.file: exporter.shows for exporter in EXPORTERS}
    assert not NEVER_SHOWN & frozenset().union(*shown.values())
    results = export_folder.read_results(graded.bench.store)
    for file, table in (("scores", scores_table), ("scaled", scaled_table), ("grades", grades_table)):
        assert {column.kind for column in table(results).columns} == shown[f"{file}.csv"]
    with pytest.raises(ValueError, match="no export may show source"):
        Exporter("leak.csv", frozenset({FieldKind.SOURCE}), lambda results, shows: b"", "lines")
    with pytest.raises(ValueError, match="columns response_id may not be shown"):
        scores_table(results).checked(shown["scores.csv"] - {FieldKind.RESPONSE_ID})


def test_answers_taken_in_meanwhile_come_with_their_events(
    own_round: GradedRound, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = own_round.bench.store
    calls = []

    def read_while_another_writes(store_read: object) -> object:
        inputs = read_inputs(store)
        calls.append(store_read)
        if len(calls) == 1:
            take_in(own_round.bench, own_round.actor, "mee-barge", ["cnew1", "cnew2"], 100)
        return inputs

    monkeypatch.setattr(export_folder, "read_inputs", read_while_another_writes)
    results = export_folder.read_results(store)
    assert len(calls) == 2
    assert results.counts["answers"] == len(own_round.ids) + 2
    assert len(results.events) == last_seq(store)


def test_the_script_of_the_exports_page_computes_the_chain_without_the_program(
    exported: Path, export_copy: Path
) -> None:
    page = (Path(__file__).parents[2] / "exports" / "README.md").read_text("utf-8")
    script = page.split("```python\n")[1].split("```")[0]

    def run(folder: Path) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-I", "-c", script, str(folder / "events.jsonl")]
        return subprocess.run(words, capture_output=True, encoding="utf-8", check=False)

    last = json.loads((exported / "manifest.json").read_bytes())["events"]["last_hash"]
    assert (run(exported).returncode, run(exported).stdout) == (0, f"{last}\n")
    lines = (export_copy / "events.jsonl").read_bytes().splitlines(keepends=True)
    (export_copy / "events.jsonl").write_bytes(b"".join([*lines[:4], *lines[5:]]))
    assert run(export_copy).stderr == "The chain breaks at event 6.\n"
