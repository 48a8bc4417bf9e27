from __future__ import annotations

import copy
import io
import json
import random
import shutil
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from tampering import change, change_manifest, repair_events, repair_fingerprints

from grader_app import __version__
from grader_app.agreement.of_round import FacetRatings, report_of_record
from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import event_hash
from grader_app.domain.grading_record import GradingRecord
from grader_app.errors import ExportProblem, VerificationFailed
from grader_app.export import results
from grader_app.export.registry import EXPORTERS
from grader_app.export.verify import ends_of_exports, unchecked_of, verify_export
from grader_app.store.integrity import file_content_hash


@pytest.fixture(autouse=True)
def agreement_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute the figures of one log once for all tests of this file: they take most of the time."""

    def remembered(
        record: GradingRecord, *, unlisted: Collection[str] = (), rated: Iterable[FacetRatings] = ()
    ) -> dict[str, Any]:
        grades = tuple(sorted(grade.event_seq for grade in record.grades.values()))
        key = (record.last_seq, grades, tuple(sorted(unlisted)))
        if key not in FIGURES:
            FIGURES[key] = report_of_record(record, unlisted=unlisted, rated=rated)
        return copy.deepcopy(FIGURES[key])

    monkeypatch.setattr(results, "report_of_record", remembered)


FIGURES: dict[tuple[Any, ...], dict[str, Any]] = {}
FILES = [exporter.file for exporter in EXPORTERS] + ["manifest.json"]


def lines_of(folder: Path, file: str) -> list[bytes]:
    return (folder / file).read_bytes().splitlines(keepends=True)


def write_lines(folder: Path, file: str, lines: list[bytes]) -> None:
    (folder / file).write_bytes(b"".join(lines))


def refused(folder: Path) -> str:
    with pytest.raises(VerificationFailed) as caught:
        verify_export(folder)
    return str(caught.value)


def test_an_untouched_export_verifies_and_stays_as_it_is(export_copy: Path) -> None:
    before = {path.name: path.read_bytes() for path in export_copy.iterdir()}
    verify_export(export_copy)
    assert {path.name: path.read_bytes() for path in export_copy.iterdir()} == before


@pytest.mark.parametrize("file", FILES)
def test_any_changed_byte_is_found(export_copy: Path, file: str) -> None:
    rng = random.Random(file)
    path = export_copy / file
    whole = path.read_bytes()
    for _ in range(6):
        place, flip = rng.randrange(len(whole)), rng.randrange(1, 256)
        path.write_bytes(whole[:place] + bytes([whole[place] ^ flip]) + whole[place + 1 :])
        assert file in refused(export_copy), f"byte {place} of {file} changed by {flip}"
    path.write_bytes(whole)
    verify_export(export_copy)


@pytest.mark.parametrize("file", FILES)
def test_a_missing_file_is_named(export_copy: Path, file: str) -> None:
    (export_copy / file).unlink()
    assert refused(export_copy).startswith(f"{file} is missing")


def test_an_edited_score_is_named_although_its_fingerprint_was_repaired(export_copy: Path) -> None:
    lines = lines_of(export_copy, "scores.csv")
    at = next(n for n, line in enumerate(lines) if b",2.5,2.5,final" in line)
    lines[at] = lines[at].replace(b",2.5,2.5,", b",2.5,6,")
    write_lines(export_copy, "scores.csv", lines)
    repair_fingerprints(export_copy)
    candidate = lines[at].split(b",")[0].decode()
    assert refused(export_copy) == (
        f"scores.csv, line {at + 1} ({candidate}), column final: says '6', should say '2.5'."
    )


def test_a_reordered_line_is_named(export_copy: Path) -> None:
    lines = lines_of(export_copy, "grades.csv")
    lines[3], lines[4] = lines[4], lines[3]
    write_lines(export_copy, "grades.csv", lines)
    repair_fingerprints(export_copy)
    assert refused(export_copy).startswith("grades.csv, line 4")


@pytest.mark.parametrize("file", ["scores.csv", "scaled.csv", "grades.csv"])
def test_a_row_taken_out_or_put_in_is_named(export_copy: Path, file: str) -> None:
    whole = lines_of(export_copy, file)
    write_lines(export_copy, file, whole[:-1])
    repair_fingerprints(export_copy)
    assert f"{file}, line {len(whole)}" in refused(export_copy)
    write_lines(export_copy, file, [*whole, whole[-1]])
    repair_fingerprints(export_copy)
    assert f"{file}, line {len(whole) + 1}" in refused(export_copy)


def test_a_figure_edited_in_the_agreement_is_named(export_copy: Path) -> None:
    report = json.loads((export_copy / "agreement.json").read_bytes())
    report["facets"][0]["figures"][0]["value"] += 0.01
    (export_copy / "agreement.json").write_text(json.dumps(report), encoding="utf-8")
    repair_fingerprints(export_copy)
    assert refused(export_copy).startswith("agreement.json, facets[0].figures[0].value: says ")


@pytest.mark.parametrize(
    ("file", "key"),
    [("agreement.json", "value"), ("protocol.json", "followed"), ("reconciliation.json", "at")],
)
def test_a_key_put_in_a_second_time_is_named(export_copy: Path, file: str, key: str) -> None:
    told = f'"{key}": '.encode()
    change(export_copy, file, lambda data: data.replace(told, told + b'"0", ' + told, 1))
    repair_fingerprints(export_copy)
    assert f"the key {key} stands twice in one object" in refused(export_copy)


def test_a_figure_another_computer_rounds_otherwise_passes(export_copy: Path) -> None:
    report = json.loads((export_copy / "agreement.json").read_bytes())
    report["facets"][0]["figures"][0]["value"] += 1e-12
    (export_copy / "agreement.json").write_text(json.dumps(report), encoding="utf-8")
    repair_fingerprints(export_copy)
    verify_export(export_copy)


def test_a_cell_edited_in_the_workbook_is_named(export_copy: Path) -> None:
    book = openpyxl.load_workbook(export_copy / "scores.xlsx")
    sheet = book.worksheets[0]
    row = next(n for n in range(2, 40) if sheet.cell(n, 5).value == 2.5)
    sheet.cell(row, 5).value = 6
    book.save(export_copy / "scores.xlsx")
    repair_fingerprints(export_copy)
    assert refused(export_copy) == f"scores.xlsx, sheet {sheet.title}, cell E{row}: says 6, should say 2.5."


def test_a_workbook_saved_again_with_the_same_cells_passes_once_its_fingerprint_is_right(
    export_copy: Path,
) -> None:
    stream = io.BytesIO()
    openpyxl.load_workbook(export_copy / "scores.xlsx").save(stream)
    (export_copy / "scores.xlsx").write_bytes(stream.getvalue())
    assert "scores.xlsx: its fingerprint" in refused(export_copy)
    repair_fingerprints(export_copy)
    verify_export(export_copy)


def test_a_number_that_became_text_in_the_workbook_is_named(export_copy: Path) -> None:
    book = openpyxl.load_workbook(export_copy / "scores.xlsx")
    sheet = book.worksheets[1]
    sheet.cell(2, 2).value = str(sheet.cell(2, 2).value)
    book.save(export_copy / "scores.xlsx")
    repair_fingerprints(export_copy)
    assert "cell B2: says '" in refused(export_copy)


def test_an_edited_report_is_named_although_its_fingerprint_was_repaired(export_copy: Path) -> None:
    change(export_copy, "report.html", lambda page: page.replace(b"Provisional", b"Conclusive!"))
    repair_fingerprints(export_copy)
    assert refused(export_copy).startswith("report.html, line ")


@pytest.mark.parametrize("at", [0, 7, 40])
def test_a_deleted_event_is_named(export_copy: Path, at: int) -> None:
    lines = lines_of(export_copy, "events.jsonl")
    write_lines(export_copy, "events.jsonl", lines[:at] + lines[at + 1 :])
    repair_events(export_copy)
    assert refused(export_copy).startswith(f"events.jsonl: Event {at + 1} is missing")


def test_a_cut_tail_is_found_by_the_manifest(export_copy: Path) -> None:
    lines = lines_of(export_copy, "events.jsonl")
    write_lines(export_copy, "events.jsonl", lines[:-3])
    repair_fingerprints(export_copy)
    assert refused(export_copy) == (
        f"events.jsonl ends with event {len(lines) - 3}; manifest.json says that there are {len(lines)}."
    )


def test_a_cut_tail_is_found_by_the_tables_when_the_manifest_was_repaired_too(export_copy: Path) -> None:
    lines = lines_of(export_copy, "events.jsonl")
    write_lines(export_copy, "events.jsonl", lines[:-3])
    repair_events(export_copy)
    assert "scores.csv, line" in refused(export_copy)


def test_an_event_edited_with_its_own_hash_repaired_breaks_the_chain(export_copy: Path) -> None:
    lines = lines_of(export_copy, "events.jsonl")
    at = next(
        n for n, line in enumerate(lines) if b'"kind":"GradeSubmitted"' in line and b'"score":4' in line
    )
    event = json.loads(lines[at])
    event["body"]["score"] = 5
    event["hash"] = event_hash(
        event["seq"], event["at"], event["actor"], event["kind"], event["subject"],
        canonical_json(event["body"]), event["previous_hash"],
    )  # fmt: skip
    lines[at] = canonical_json(event).encode() + b"\n"
    write_lines(export_copy, "events.jsonl", lines)
    repair_events(export_copy)
    assert refused(export_copy).startswith(
        f"events.jsonl: Event {at + 2} does not follow from event {at + 1}"
    )


def edit_input(folder: Path, kind: str, edit: Any) -> dict[str, Any]:
    lines = lines_of(folder, "inputs.jsonl")
    at = next(n for n, line in enumerate(lines) if json.loads(line)["kind"] == kind)
    one = json.loads(lines[at])
    edit(one)
    lines[at] = canonical_json(one).encode() + b"\n"
    write_lines(folder, "inputs.jsonl", lines)
    repair_fingerprints(folder)
    return one


def test_an_edited_rubric_is_named(export_copy: Path) -> None:
    def loosen(rubric: dict[str, Any]) -> None:
        rubric["content"]["levels"][0]["means"] = "Anything will do."

    edited = edit_input(export_copy, "rubric", loosen)
    message = refused(export_copy)
    assert message.startswith(f"inputs.jsonl: rubric {edited['id']}, version 1: its content has the hash ")
    assert message.endswith(f"should have {edited['hash']}.")


def test_an_exchanged_rubric_is_named_although_its_own_hash_fits(export_copy: Path) -> None:
    def exchange(rubric: dict[str, Any]) -> None:
        rubric["content"]["levels"][0]["means"] = "Anything will do."
        rubric["hash"] = file_content_hash("rubric", rubric["content"])

    edited = edit_input(export_copy, "rubric", exchange)
    assert f"rubric {edited['id']}, version 1: no event registered it" in refused(export_copy)


def test_an_edited_round_is_named(export_copy: Path) -> None:
    edit_input(export_copy, "round", lambda one: one["content"]["items"][0].update(weight=3))
    assert refused(export_copy).startswith("inputs.jsonl: round harbor-round, version 1: its content")


def mbe_lines(folder: Path) -> dict[str, bytes]:
    """Give each line with an MBE score by its candidate."""
    lines = [line for line in lines_of(folder, "inputs.jsonl") if b'"kind":"mbe"' in line]
    return {json.loads(line)["candidate_id"]: line for line in lines}


def test_an_edited_mbe_score_is_found_in_what_was_computed_from_it(export_copy: Path) -> None:
    inputs = mbe_lines(export_copy)
    scaled = [line.split(b",")[0].decode() for line in lines_of(export_copy, "scaled.csv")[1:]]
    whose = next(candidate for candidate in scaled if candidate in inputs)
    raised = inputs[whose].replace(b'"mbe":1', b'"mbe":9')
    change(export_copy, "inputs.jsonl", lambda data: data.replace(inputs[whose], raised))
    repair_fingerprints(export_copy)
    assert "scaled.csv, line" in refused(export_copy)


def test_an_edited_mbe_score_that_enters_no_total_is_found_by_the_report(export_copy: Path) -> None:
    inputs = mbe_lines(export_copy)
    scaled = (export_copy / "scaled.csv").read_text("utf-8")
    whose = next(candidate for candidate in inputs if candidate not in scaled)
    raised = inputs[whose].replace(b'"mbe":1', b'"mbe":9')
    change(export_copy, "inputs.jsonl", lambda data: data.replace(inputs[whose], raised))
    assert refused(export_copy).startswith("inputs.jsonl: its fingerprint")
    repair_fingerprints(export_copy)
    assert "report.html, line" in refused(export_copy)


def test_an_answer_exchanged_for_another_is_named(export_copy: Path) -> None:
    one = edit_input(export_copy, "response", lambda one: one.update(text_hash="0" * 64))
    assert f"inputs.jsonl: answer {one['id']} is not there as it was dealt" in refused(export_copy)


def test_an_answer_added_is_found(export_copy: Path) -> None:
    lines = lines_of(export_copy, "inputs.jsonl")
    at = max(n for n, line in enumerate(lines) if b'"kind":"response"' in line)
    extra = json.loads(lines[at]) | {"id": "rzzzzzzzzzz"}
    write_lines(
        export_copy,
        "inputs.jsonl",
        [*lines[: at + 1], canonical_json(extra).encode() + b"\n", *lines[at + 1 :]],
    )
    repair_fingerprints(export_copy)
    assert "answers to" in refused(export_copy)


@pytest.mark.parametrize("key", ["method", "seed", "counts", "provisional", "notes", "round"])
def test_an_edited_manifest_is_named_although_its_own_hash_was_repaired(export_copy: Path, key: str) -> None:
    def edit(manifest: dict[str, Any]) -> None:
        manifest[key] = {**manifest[key], "version": "9"} if key == "round" else "other"
        if key == "counts":
            manifest[key] = {}

    change_manifest(export_copy, edit)
    assert refused(export_copy).startswith(f"manifest.json, {key}")


def test_an_edited_manifest_is_found_by_its_own_hash(export_copy: Path) -> None:
    change_manifest(export_copy, lambda manifest: manifest.update(seed=12), repair=False)
    assert refused(export_copy) == "manifest.json, seed: says 12, should say 11."
    change_manifest(export_copy, lambda manifest: manifest.update(seed=11))
    verify_export(export_copy)
    change_manifest(export_copy, lambda manifest: manifest["program"].update(version="9"), repair=False)
    assert refused(export_copy).startswith("manifest.json, manifest_hash: says ")
    change_manifest(
        export_copy, lambda manifest: manifest["program"].update(version=__version__, name="other")
    )
    assert "manifest.json, program.name: says 'other', should say 'grader-app'." in refused(export_copy)


def test_a_manifest_with_an_entry_too_many_is_named(export_copy: Path) -> None:
    change_manifest(export_copy, lambda manifest: manifest.update(extra=1))
    assert "manifest.json, extra: should not be there" in refused(export_copy)


def test_another_version_of_the_program_verifies_all_but_wording(export_copy: Path) -> None:
    report = json.loads((export_copy / "agreement.json").read_bytes())
    report["version"] = "0.0.9"
    report["facets"][0]["figures"][0]["says"] = "Worded otherwise."
    del report["facets"][0]["figures"][1]
    (export_copy / "agreement.json").write_text(json.dumps(report), encoding="utf-8")
    change_manifest(export_copy, lambda manifest: manifest["program"].update(version="0.0.9"))
    repair_fingerprints(export_copy)
    verify_export(export_copy)
    report["facets"][0]["figures"][0]["value"] = 0.123
    (export_copy / "agreement.json").write_text(json.dumps(report), encoding="utf-8")
    repair_fingerprints(export_copy)
    assert "agreement.json, facets[mee-barge score].figures[exact].value: says 0.123" in refused(export_copy)


def test_a_claimed_other_version_does_not_hide_an_edited_score(export_copy: Path) -> None:
    change(export_copy, "scores.csv", lambda csv: csv.replace(b",2.5,2.5,", b",2.5,6,", 1))
    change_manifest(export_copy, lambda manifest: manifest["program"].update(version="0.0.9"))
    repair_fingerprints(export_copy)
    assert "column final" in refused(export_copy)


def test_a_log_rewritten_from_the_start_into_nonsense_gives_a_sentence(export_copy: Path) -> None:
    previous, lines = "0" * 64, []
    for line in lines_of(export_copy, "events.jsonl"):
        event = json.loads(line)
        if event["kind"] == "GradeSubmitted":
            event["body"] = {}
        event["previous_hash"] = previous
        previous = event["hash"] = event_hash(
            event["seq"], event["at"], event["actor"], event["kind"], event["subject"],
            canonical_json(event["body"]), previous,
        )  # fmt: skip
        lines.append(canonical_json(event).encode() + b"\n")
    write_lines(export_copy, "events.jsonl", lines)
    repair_events(export_copy)
    assert "do not tell a round that can be replayed" in refused(export_copy)


def test_a_folder_that_is_no_export_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportProblem, match="this is no export"):
        verify_export(tmp_path)


def test_a_manifest_may_not_name_files_elsewhere(export_copy: Path) -> None:
    change_manifest(export_copy, lambda manifest: manifest["files"].update({"../secret": "0"}))
    assert "which is no file of an export" in refused(export_copy)


def test_the_ends_of_exports_are_read_from_their_manifests(exported: Path, tmp_path: Path) -> None:
    shutil.copytree(exported, tmp_path / "exports" / "one")
    (tmp_path / "exports" / "notes").mkdir()
    manifest = json.loads((exported / "manifest.json").read_bytes())
    assert ends_of_exports(tmp_path / "exports") == {
        "one": (manifest["events"]["n"], manifest["events"]["last_hash"])
    }
    assert ends_of_exports(tmp_path / "absent") == {}


def test_candidates_exchanged_in_the_inputs_are_found_in_the_log(export_copy: Path) -> None:
    responses = [
        json.loads(line) for line in lines_of(export_copy, "inputs.jsonl") if b'"kind":"response"' in line
    ]
    first = responses[0]
    other = next(r for r in responses if r["candidate_id"] != first["candidate_id"])
    edited = []
    for line in lines_of(export_copy, "inputs.jsonl"):
        one = json.loads(line)
        if one.get("id") == first["id"] and one["kind"] == "response":
            one["candidate_id"] = other["candidate_id"]
            line = f"{canonical_json(one)}\n".encode()
        edited.append(line)
    write_lines(export_copy, "inputs.jsonl", edited)
    repair_fingerprints(export_copy)
    assert first["id"] in refused(export_copy)


def test_an_export_of_an_earlier_version_may_have_fewer_files_and_says_so(export_copy: Path) -> None:
    (export_copy / "protocol.json").unlink()
    change_manifest(export_copy, lambda manifest: manifest["files"].pop("protocol.json"))
    repair_fingerprints(export_copy)
    assert "protocol.json is missing" in refused(export_copy)
    change_manifest(export_copy, lambda manifest: manifest["program"].update(version="0.0.9"))
    said = f'"version": "{__version__}"'.encode()
    change(export_copy, "agreement.json", lambda data: data.replace(said, b'"version": "0.0.9"'))
    repair_fingerprints(export_copy)
    verify_export(export_copy)
    assert "Not in this export, which another version wrote: protocol.json." in unchecked_of(export_copy)
