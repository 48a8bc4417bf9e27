"""A ruling is written into the guidelines and makes a new version of its item."""

from __future__ import annotations

import codecs
import threading

import pytest
from guarded_record import no_write_inside_record  # noqa: F401 - a fixture
from ruled_items import FURTHER, ITEM, RULING, events_of, files_of, guidelines_of, rule, sheet_of
from small_workspace import SmallWorkspace, write_item

from grader_app.domain.events import EventKind
from grader_app.errors import FileProblems, GradeProblem, GraderAppError, NotAllowed
from grader_app.store.event_log import read_events
from grader_app.store.integrity import check_store
from grader_app.workflow.registration import register_files
from grader_app.workflow.rulings import (
    graded_before,
    make_ruling,
    question_sheet,
    receipts,
    reread_guidelines,
)


def test_a_ruling_becomes_the_last_numbered_paragraph_and_a_new_version(small: SmallWorkspace) -> None:
    guidelines_of(small).write_text(
        "# Rulings\n\n1. Spelling is no ground.\n\n7. Nor is style.\n\n\n", "utf-8"
    )
    write_item(small.path, ITEM, version=2)
    register_files(small.bench, small.actor)
    assert rule(small, "  Whoever argues either side\nof control\tearns the point. ") == "3"
    assert guidelines_of(small).read_text("utf-8") == (
        f"# Rulings\n\n1. Spelling is no ground.\n\n7. Nor is style.\n\n8. {RULING}\n"
    )
    item = small.bench.material().item(ITEM)
    assert item.version == "3"
    assert item.guidelines is not None
    assert item.guidelines.endswith(f"8. {RULING}")
    *_, registered, ruling = read_events(small.bench.store)
    assert (registered.kind, registered.body["version"]) == (EventKind.FILE_REGISTERED, "3")
    assert (ruling.kind, ruling.subject, ruling.actor) == (EventKind.RULING_MADE, ITEM, small.actor)
    assert ruling.body == {"number": 8, "from_version": "2", "to_version": "3"}
    assert set(files_of(small)) == {"guidelines.md", "point_sheet.yaml", "prompt.md"}, "nothing left over"
    check_store(small.bench.store)


def test_an_item_without_guidelines_gets_some(small: SmallWorkspace) -> None:
    assert rule(small) == "2"
    assert guidelines_of(small).read_text("utf-8") == f"# Rulings\n\n1. {RULING}\n"


def test_two_rulings_in_a_row_are_two_paragraphs_and_two_versions(small: SmallWorkspace) -> None:
    assert [rule(small), rule(small, FURTHER)] == ["2", "3"]
    assert guidelines_of(small).read_text("utf-8") == f"# Rulings\n\n1. {RULING}\n\n2. {FURTHER}\n"
    assert [event.body["number"] for event in events_of(small, EventKind.RULING_MADE)] == [1, 2]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("line", ['version: "{}"', "version:   '{}'   # the number", 'version: "{}" '])
def test_of_the_sheet_only_the_version_line_changes(small: SmallWorkspace, end: str, line: str) -> None:
    first, *rest = sheet_of(small).read_text("utf-8").splitlines()
    rest[rest.index('version: "1"')] = line
    lines = [first, '# version: "2"', "", *rest, '# rubric_version: "2" comes later']

    def written(version: int) -> bytes:
        return end.join([*lines, ""]).replace(line, line.format(version)).encode()

    sheet_of(small).write_bytes(written(2))
    guidelines_of(small).write_bytes(f"1. Spelling is no ground.{end}".encode())
    register_files(small.bench, small.actor)
    assert rule(small) == "3"
    assert sheet_of(small).read_bytes() == written(3)
    assert (
        guidelines_of(small).read_bytes() == f"1. Spelling is no ground.{end}{end}2. {RULING}{end}".encode()
    )


@pytest.mark.parametrize(
    ("mark", "encoding"), [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (b"", "utf-16-be")]
)
def test_files_stay_in_the_encoding_they_were_saved_in(
    small: SmallWorkspace, mark: bytes, encoding: str
) -> None:
    guidelines_of(small).write_bytes(
        mark + "1. No caf\N{LATIN SMALL LETTER E WITH ACUTE}.\n".encode(encoding)
    )
    write_item(small.path, ITEM, version=2)
    sheet = sheet_of(small).read_text("utf-8")
    sheet_of(small).write_bytes(mark + sheet.encode(encoding))
    register_files(small.bench, small.actor)
    rule(small)
    raised = sheet.replace('version: "2"', 'version: "3"', 1)
    assert sheet_of(small).read_bytes() == mark + raised.encode(encoding)
    longer = f"1. No caf\N{LATIN SMALL LETTER E WITH ACUTE}.\n\n2. {RULING}\n"
    assert guidelines_of(small).read_bytes() == mark + longer.encode(encoding)


def test_a_year_at_the_head_of_a_line_is_no_number_of_a_ruling(small: SmallWorkspace) -> None:
    guidelines_of(small).write_text("1. The statute of\n1998. It was repealed.\n", "utf-8")
    write_item(small.path, ITEM, version=2)
    register_files(small.bench, small.actor)
    rule(small)
    assert guidelines_of(small).read_text("utf-8").endswith(f"\n\n2. {RULING}\n")


@pytest.mark.parametrize("words", ["", "  too short", "x" * 4001])
def test_a_ruling_says_something_and_not_a_book(small: SmallWorkspace, words: str) -> None:
    held = files_of(small)
    with pytest.raises(GradeProblem, match="10 to 4,000 characters"):
        rule(small, words)
    assert files_of(small) == held


def test_marks_nobody_sees_and_half_a_character_do_not_stop_a_ruling(small: SmallWorkspace) -> None:
    rule(small, "Control\N{RIGHT-TO-LEFT MARK} is \ud83d enough\N{LINE SEPARATOR}for it.")
    assert (
        guidelines_of(small)
        .read_text("utf-8")
        .endswith("1. Control is \N{REPLACEMENT CHARACTER} enough for it.\n")
    )


def test_a_second_click_is_told_that_the_ruling_stands(small: SmallWorkspace) -> None:
    rule(small)
    held = files_of(small)
    with pytest.raises(
        FileProblems, match=r"guidelines\.md:3: This ruling stands here already, as number 1\."
    ):
        rule(small, RULING.replace(" ", "  "))
    assert files_of(small) == held
    assert small.count(EventKind.RULING_MADE) == 1


def test_an_unknown_item_is_refused(small: SmallWorkspace) -> None:
    for act in (
        lambda: make_ruling(small.bench, small.actor, "mee-none", RULING),
        lambda: reread_guidelines(small.bench, small.graders[0].account_id, "mee-none"),
        lambda: question_sheet(small.bench, small.graders[0].account_id, "mee-none", FURTHER),
        lambda: receipts(small.bench, "mee-none"),
        lambda: graded_before(small.bench, "mee-none"),
    ):
        with pytest.raises(NotAllowed, match="no item `mee-none`"):
            act()


def test_the_number_of_a_version_put_back_is_not_used_again(small: SmallWorkspace) -> None:
    held = files_of(small)
    rule(small)
    guidelines_of(small).unlink()
    sheet_of(small).write_bytes(held["point_sheet.yaml"])
    assert register_files(small.bench, small.actor) == [f"item {ITEM}, version 1"]
    assert rule(small, FURTHER) == "3"


def test_of_two_rulings_at_once_neither_is_lost(small: SmallWorkspace) -> None:
    errors: list[GraderAppError] = []
    ready = threading.Barrier(2)

    def act(words: str) -> None:
        ready.wait()
        try:
            rule(small, words)
        except GraderAppError as error:
            errors.append(error)

    threads = [threading.Thread(target=act, args=(words,)) for words in (RULING, FURTHER)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    text = guidelines_of(small).read_text("utf-8")
    # Whoever had read the earlier version is told so; whoever came after gets the next number.
    assert text.count("\n\n") + len(errors) == 2
    assert all("had changed meanwhile" in str(error) for error in errors)
    assert small.count(EventKind.RULING_MADE) + len(errors) == 2
    assert small.bench.material().item(ITEM).version == str(3 - len(errors))
    assert register_files(small.bench, small.actor) == [], "the disk holds what was registered"
