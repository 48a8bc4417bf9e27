from __future__ import annotations

import codecs
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from guarded_record import no_write_inside_record  # noqa: F401 - a fixture
from small_workspace import SmallWorkspace, write_item, write_packet

from grader_app.cli.main import cli
from grader_app.domain.events import Event, EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Assignment
from grader_app.errors import (
    FileProblems,
    GradeProblem,
    GraderAppError,
    ItemIsClosed,
    NotAllowed,
    NotQualified,
    StoreProblem,
)
from grader_app.store.event_log import read_events
from grader_app.store.integrity import check_store
from grader_app.store.texts import get_text_or_none
from grader_app.workflow import rulings
from grader_app.workflow.accounts import disable_account
from grader_app.workflow.calibration import begin
from grader_app.workflow.grade_submission import correct_grade
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.qualification import standing_of
from grader_app.workflow.registration import register_files
from grader_app.workflow.rulings import (
    GradedBefore,
    answer_sheet_question,
    count_before,
    graded_before,
    keep_grades,
    make_ruling,
    question_sheet,
    recall_grades,
    receipts,
    reread_guidelines,
    sheet_questions,
    to_grade_again,
)

Make = Callable[..., SmallWorkspace]
ITEM = "mee-barge"
RULING = "Whoever argues either side of control earns the point."
FURTHER = "A bare conclusion earns nothing, however right it is."


@pytest.fixture
def qualified(make: Make) -> SmallWorkspace:
    """Two graders who have qualified and have two answers each."""
    made = make(packets=("mee-barge-a", "mee-barge-b"), qualification="required", items=(ITEM,))
    for grader in made.graders:
        made.calibrate(grader)
    return made


def sheet_of(made: SmallWorkspace) -> Path:
    return made.path / "rubrics" / ITEM / "point_sheet.yaml"


def guidelines_of(made: SmallWorkspace) -> Path:
    return made.path / "rubrics" / ITEM / "guidelines.md"


def files_of(made: SmallWorkspace) -> dict[str, bytes]:
    folder = made.path / "rubrics" / ITEM
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def rule(made: SmallWorkspace, words: str = RULING) -> str:
    return make_ruling(made.bench, made.actor, ITEM, words)


def change_sheet(made: SmallWorkspace, version: int = 2) -> None:
    """Write another point sheet with a version of its own."""
    write_item(made.path, ITEM, version=version)
    path = sheet_of(made)
    path.write_text(path.read_text("utf-8").replace("needs control", f"needs custody {version}"), "utf-8")


def events_of(made: SmallWorkspace, kind: EventKind) -> list[Event]:
    return [event for event in read_events(made.bench.store) if event.kind == kind]


def grade_first(made: SmallWorkspace, *scores: float) -> list[Assignment]:
    """Let each grader in turn grade the first answer of their queue."""
    dealt = [made.queue(grader)[0] for grader in made.graders]
    for one, score in zip(dealt, scores, strict=False):
        made.submit(one, score)
    return dealt


def before(made: SmallWorkspace) -> list[GradedBefore]:
    return graded_before(made.bench, ITEM)


def status_of(made: SmallWorkspace, dealt: Assignment) -> str:
    with made.bench.record() as record:
        return record.standing(dealt.response_id).status


# ------------------------------------------------------------------------------------- making a ruling


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


# ------------------------------------------------------------------------- when it cannot be written


def stuck(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let files of these names fail to be put in place, as when another program holds them open."""
    replace = Path.replace

    def refuse(self: Path, target: Path) -> Path:
        if self.name in names:
            raise PermissionError(13, "Permission denied")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refuse)


@pytest.mark.parametrize("with_guidelines", [True, False])
@pytest.mark.parametrize("name", ["guidelines.md.new", "point_sheet.yaml.new"])
def test_when_a_file_cannot_be_put_in_place_both_are_byte_for_byte_as_before(
    small: SmallWorkspace, monkeypatch: pytest.MonkeyPatch, name: str, *, with_guidelines: bool
) -> None:
    if with_guidelines:
        guidelines_of(small).write_bytes(b"1. Spelling is no ground.\r\n\r\n")
        write_item(small.path, ITEM, version=2)
        register_files(small.bench, small.actor)
    held, logged = files_of(small), small.kinds()
    stuck(monkeypatch, name)
    with pytest.raises(
        StoreProblem, match=r"could not be written, and they are as they were\. Permission denied\.$"
    ):
        rule(small)
    assert files_of(small) == held
    assert small.kinds() == logged
    monkeypatch.undo()
    rule(small)
    assert small.count(EventKind.RULING_MADE) == 1


def test_what_cannot_be_put_back_is_named_and_kept(
    small: SmallWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule(small)
    held = files_of(small)
    stuck(monkeypatch, "point_sheet.yaml.new", "guidelines.md.old")
    with pytest.raises(StoreProblem, match=r"what was there before lies in guidelines\.md\.old\. "):
        rule(small, FURTHER)
    assert files_of(small)["guidelines.md.old"] == held["guidelines.md"]
    assert files_of(small)["point_sheet.yaml"] == held["point_sheet.yaml"]


@pytest.mark.parametrize("name", ["guidelines.md.new", "point_sheet.yaml.new", "point_sheet.yaml.old"])
def test_where_nothing_can_be_written_nothing_changes(small: SmallWorkspace, name: str) -> None:
    held = files_of(small)
    blocked = small.path / "rubrics" / ITEM / name
    blocked.mkdir()
    (blocked / "something").touch()
    with pytest.raises(
        StoreProblem,
        match=r"guidelines\.md and point_sheet\.yaml could not be written, and they are as they were",
    ):
        rule(small)
    assert files_of(small) == held
    assert small.count(EventKind.RULING_MADE) == 0


def test_when_registration_fails_both_files_are_as_before(
    small: SmallWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule(small, FURTHER)
    held, logged, times = files_of(small), small.kinds(), [0]

    def fail_the_second_time(*arguments: object) -> list[str]:
        times[0] += 1
        if times[0] == 2:
            assert files_of(small)["guidelines.md"].endswith(f"2. {RULING}\n".encode())
            raise StoreProblem("workbench.db: the disk is full.")
        return register_files(small.bench, small.actor)

    monkeypatch.setattr(rulings, "register_files", fail_the_second_time)
    with pytest.raises(StoreProblem, match=r"as they were\. workbench.db: the disk is full\.") as caught:
        rule(small)
    assert str(caught.value).startswith(str(sheet_of(small).parent))
    assert files_of(small) == held
    assert small.kinds() == logged


def test_a_sheet_whose_version_stands_on_no_line_of_its_own_says_how_to_write_it(
    small: SmallWorkspace,
) -> None:
    text = sheet_of(small).read_text("utf-8").replace('version: "1"\nitem', '"version": "2"\nitem')
    sheet_of(small).write_text(text, "utf-8")
    register_files(small.bench, small.actor)
    held = files_of(small)
    with pytest.raises(FileProblems, match='Begin a line of the sheet with `version: "3"`'):
        rule(small)
    assert files_of(small) == held


def test_a_version_on_disk_that_nobody_registered_is_registered_and_read_first(small: SmallWorkspace) -> None:
    change_sheet(small, 2)
    held = files_of(small)
    with pytest.raises(StoreProblem, match="the new version is registered now"):
        rule(small)
    assert files_of(small) == held
    assert small.bench.material().item(ITEM).version == "2"
    assert rule(small) == "3"


def test_a_change_without_a_new_version_stops_a_ruling(small: SmallWorkspace) -> None:
    change_sheet(small, 1)
    held = files_of(small)
    with pytest.raises(FileProblems, match="the version is still 1"):
        rule(small)
    assert files_of(small) == held
    assert small.bench.material().item(ITEM).version == "1"


# ---------------------------------------------------------------------------------- reading it anew


def test_a_qualified_grader_reads_the_ruling_before_going_on(qualified: SmallWorkspace) -> None:
    grader = qualified.graders[0].account_id
    dealt = qualified.queue(qualified.graders[0])[0]
    rule(qualified)
    assert next_sheet_or_none(qualified.bench, grader) is None
    with pytest.raises(NotQualified, match="Read them again before you go on"):
        qualified.submit(dealt)
    reread_guidelines(qualified.bench, grader, ITEM)
    reread_guidelines(qualified.bench, grader, ITEM)
    assert qualified.count(EventKind.GUIDELINES_REREAD) == 1
    (event,) = events_of(qualified, EventKind.GUIDELINES_REREAD)
    assert (event.actor, event.subject, event.body["item"], event.body["item_version"]) == (
        grader,
        grader,
        ITEM,
        "2",
    )
    qualified.submit(dealt)
    assert next_sheet_or_none(qualified.bench, qualified.graders[1].account_id) is None, (
        "each reads for oneself"
    )
    rule(qualified, FURTHER)
    assert standing_of(qualified.bench, grader, ITEM).qualification.status == "reread"


def test_receipts_name_everyone_with_the_time_of_reading_or_none(qualified: SmallWorkspace) -> None:
    one, other = (grader.account_id for grader in qualified.graders)
    gone = qualified.add_grader("grader-3")
    disable_account(qualified.bench, qualified.actor, gone)
    with qualified.bench.record() as record:
        trained = {grader: at for (grader, _), at in record.calibration.trained.items()}
    assert dict(receipts(qualified.bench, ITEM)) == trained
    rule(qualified)
    assert dict(receipts(qualified.bench, ITEM)) == {one: None, other: None}
    reread_guidelines(qualified.bench, other, ITEM)
    (event,) = events_of(qualified, EventKind.GUIDELINES_REREAD)
    assert dict(receipts(qualified.bench, ITEM)) == {one: None, other: event.at}
    late = qualified.add_grader("grader-4")
    qualified.train(late)
    (_, at) = next(row for row in receipts(qualified.bench, ITEM) if row[0] == late.account_id)
    assert at is not None


def test_whoever_begins_a_packet_under_the_ruling_has_read_it(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required", items=(ITEM,), graders=1)
    grader = made.graders[0]
    rule(made)
    judged = made.calibrate(grader).judgment
    assert judged is not None
    assert judged.outcome == "qualified", "the set made for version 1 still serves"
    assert standing_of(made.bench, grader.account_id, ITEM).may_grade


def test_a_set_does_not_serve_once_the_sheet_has_changed(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required", items=(ITEM,), graders=1)
    grader = made.graders[0]
    change_sheet(made)
    register_files(made.bench, made.actor)
    assert standing_of(made.bench, grader.account_id, ITEM).qualification.status == "no_set"
    made.train(grader)
    with pytest.raises(NotAllowed, match="No attempt is left"):
        begin(made.bench, grader.account_id, ITEM)
    write_packet(made.path, "mee-barge-a", version=2, sheet_version=2)
    register_files(made.bench, made.actor)
    judged = made.calibrate(grader).judgment
    assert judged is not None
    assert judged.outcome == "qualified"


def test_check_is_clean_after_a_ruling_and_names_the_set_after_a_new_sheet(make: Make) -> None:
    made = make(packets=("mee-barge-a",), qualification="required", items=(ITEM,))
    rule(made)
    result = CliRunner().invoke(cli, ["check", str(made.path)])
    assert result.exit_code == 0, result.output
    assert "no problems" in result.stdout
    text = sheet_of(made).read_text("utf-8").replace('version: "2"', 'version: "3"', 1)
    sheet_of(made).write_text(text.replace("needs control", "needs custody"), "utf-8")
    register_files(made.bench, made.actor)
    result = CliRunner().invoke(cli, ["check", str(made.path)])
    assert result.exit_code == 1
    named = made.path / "calibration_sets" / "mee-barge-a" / "calibration_set.yaml"
    assert f"{named}:6: The references were made under version 1 of the point sheet" in result.stdout


# ------------------------------------------------------------------------ grades given before it


def test_grades_under_an_earlier_version_are_listed_with_what_changed_since(small: SmallWorkspace) -> None:
    first, second = grade_first(small, 4)
    assert before(small) == []
    rule(small)
    one = GradedBefore(first.assignment_id, first.response_id, first.grader_id, "1", "4", True, False)
    assert before(small) == [one]
    small.submit(second, entry=GradeEntry(condition_code="off-topic"))
    assert before(small) == [one], "what is graded under the version that stands is not listed"
    change_sheet(small, 3)
    register_files(small.bench, small.actor)
    assert [(b.assignment_id, b.version, b.gave, b.only_guidelines, b.recalled) for b in before(small)] == [
        (first.assignment_id, "1", "4", False, False),
        (second.assignment_id, "2", "off-topic", False, False),
    ]
    assert count_before(small.bench) == {ITEM: 2, "rule-ferry": 0}


def test_versions_are_listed_by_number_and_not_by_letter(small: SmallWorkspace) -> None:
    first, second = small.queue(small.graders[0])[:2]
    for version, dealt in ((2, first), (10, second)):
        change_sheet(small, version)
        register_files(small.bench, small.actor)
        small.submit(dealt)
    change_sheet(small, 11)
    register_files(small.bench, small.actor)
    assert [one.version for one in before(small)] == ["2", "10"]


def test_a_grade_recalled_makes_its_answer_wait_until_its_grader_has_looked_again(
    small: SmallWorkspace,
) -> None:
    first, second = grade_first(small, 4, 3)
    change_sheet(small)
    register_files(small.bench, small.actor)
    assert status_of(small, first) == "final"
    ids = [first.assignment_id, "anone"]
    assert recall_grades(small.bench, small.actor, ITEM, ids, "The rule was wrong.") == 1
    (event,) = events_of(small, EventKind.GRADES_RECALLED)
    assert (event.subject, event.body["assignment_ids"]) == (ITEM, [first.assignment_id])
    assert get_text_or_none(small.bench.store, event.body["reason_hash"]) == "The rule was wrong."
    with small.bench.record() as record:
        standing = record.standing(first.response_id)
    assert (standing.status, standing.final) == ("waiting", None)
    assert standing.why == "The point sheet changed, and it is to be graded again."
    assert status_of(small, second) == "final"
    assert to_grade_again(small.bench, first.grader_id) == [(first.assignment_id, ITEM)]
    assert to_grade_again(small.bench, second.grader_id) == []
    assert [one.recalled for one in before(small) if one.assignment_id == first.assignment_id] == [True]
    entry = GradeEntry(score=2)
    correct_grade(
        small.bench, first.grader_id, first.assignment_id, entry, reason="Under the new sheet.", token="again"
    )
    assert to_grade_again(small.bench, first.grader_id) == []
    assert [one.assignment_id for one in before(small)] == [second.assignment_id]
    with small.bench.record() as record:
        assert (record.standing(first.response_id).status, record.standing(first.response_id).final) == (
            "final",
            2,
        )
    check_store(small.bench.store)


def test_a_grade_let_stand_is_listed_no_more_until_the_next_version(small: SmallWorkspace) -> None:
    (first, _) = grade_first(small, 4)
    change_sheet(small)
    register_files(small.bench, small.actor)
    assert keep_grades(small.bench, small.actor, ITEM, [first.assignment_id], "It changes nothing.") == 1
    (event,) = events_of(small, EventKind.GRADES_KEPT)
    assert event.body["assignment_ids"] == [first.assignment_id]
    assert event.body["item_hash"] == small.bench.material().item(ITEM).content_hash
    assert get_text_or_none(small.bench.store, event.body["reason_hash"]) == "It changes nothing."
    assert before(small) == []
    assert status_of(small, first) == "final"
    change_sheet(small, 3)
    register_files(small.bench, small.actor)
    assert [one.assignment_id for one in before(small)] == [first.assignment_id]


@pytest.mark.parametrize("act", [recall_grades, keep_grades])
def test_deciding_needs_a_reason_and_decides_once(small: SmallWorkspace, act: Callable[..., int]) -> None:
    (first, _) = grade_first(small, 4)
    change_sheet(small)
    register_files(small.bench, small.actor)
    ids = [first.assignment_id]
    for reason in ("", "  "):
        with pytest.raises(GradeProblem, match="needs a reason"):
            act(small.bench, small.actor, ITEM, ids, reason)
    act(small.bench, small.actor, ITEM, ids, "The rule was wrong.")
    logged = small.kinds()
    for again in (recall_grades, keep_grades):
        with pytest.raises(NotAllowed, match="waits for a decision any more"):
            again(small.bench, small.actor, ITEM, ids, "Once more.")
    assert small.kinds() == logged


def test_grades_under_the_version_that_stands_wait_for_no_decision(small: SmallWorkspace) -> None:
    (first, _) = grade_first(small, 4)
    for act in (recall_grades, keep_grades):
        with pytest.raises(NotAllowed, match="None of these grades"):
            act(small.bench, small.actor, ITEM, [first.assignment_id], "Why not.")


def test_what_nobody_could_grade_again_is_not_recalled(small: SmallWorkspace) -> None:
    first, second = grade_first(small, 4, 3)
    change_sheet(small)
    register_files(small.bench, small.actor)
    disable_account(small.bench, small.actor, small.graders[0])
    ids = [first.assignment_id, second.assignment_id]
    with pytest.raises(NotAllowed, match="no longer sign in, or the sources are known"):
        recall_grades(small.bench, small.actor, ITEM, ids[:1], "The rule was wrong.")
    assert recall_grades(small.bench, small.actor, ITEM, ids, "The rule was wrong.") == 1
    assert (status_of(small, first), status_of(small, second)) == ("final", "waiting")
    disable_account(small.bench, small.actor, small.graders[1])
    assert [one.recalled for one in before(small)] == [False, False], "the lead is to decide anew"
    assert keep_grades(small.bench, small.actor, ITEM, ids, "They have left.") == 2
    assert status_of(small, second) == "final"
    assert to_grade_again(small.bench, second.grader_id) == []


def test_answers_whose_source_is_known_and_closed_questions_are_not_recalled(small: SmallWorkspace) -> None:
    first, second = grade_first(small, 4, 3)
    change_sheet(small)
    register_files(small.bench, small.actor)
    small.append(EventKind.SOURCES_REVEALED, "x", response_ids=[first.response_id])
    with pytest.raises(NotAllowed, match="sources are known"):
        recall_grades(small.bench, small.actor, ITEM, [first.assignment_id], "The rule was wrong.")
    close_item(small.bench, small.actor, ITEM)
    with pytest.raises(ItemIsClosed, match="Reopen it first"):
        recall_grades(small.bench, small.actor, ITEM, [second.assignment_id], "The rule was wrong.")
    assert small.count(EventKind.GRADES_RECALLED) == 0
    assert keep_grades(small.bench, small.actor, ITEM, [first.assignment_id], "It is out.") == 1


# ---------------------------------------------------------------------- the point sheet is wrong


def ask(made: SmallWorkspace, words: str = "Control is not what the cases ask for.") -> int:
    question_sheet(made.bench, made.graders[0].account_id, ITEM, words)
    return sheet_questions(made.bench)[-1][0].event_seq


def test_a_question_on_the_sheet_waits_for_the_lead_with_its_words(small: SmallWorkspace) -> None:
    first, second = ask(small), ask(small, "The weights cannot be right.")
    waiting = sheet_questions(small.bench)
    assert [(one.event_seq, words) for one, words in waiting] == [
        (first, "Control is not what the cases ask for."),
        (second, "The weights cannot be right."),
    ]
    asked = waiting[0][0]
    assert (asked.item, asked.grader_id) == (ITEM, small.graders[0].account_id)
    assert asked.item_hash == small.bench.material().item(ITEM).content_hash
    assert "cases" not in repr([event.body for event in read_events(small.bench.store)]), "words stand apart"


@pytest.mark.parametrize("words", ["", "  wrong!  ", "x" * 4001])
def test_a_question_says_what_is_wrong(small: SmallWorkspace, words: str) -> None:
    with pytest.raises(GradeProblem, match="10 to 4,000 characters"):
        question_sheet(small.bench, small.graders[0].account_id, ITEM, words)
    assert small.count(EventKind.SHEET_QUESTIONED) == 0


def test_no_change_is_an_answer_with_a_reason_given_once(small: SmallWorkspace) -> None:
    question = ask(small)
    for reason, decision in (("  ", "no_change"), ("Fine.", "perhaps")):
        with pytest.raises(GradeProblem):
            answer_sheet_question(small.bench, small.actor, question, decision, reason)
    answer_sheet_question(small.bench, small.actor, question, "no_change", "The cases do ask for it.")
    (event,) = events_of(small, EventKind.SHEET_QUESTION_ANSWERED)
    assert (event.subject, event.body["question"], event.body["decision"]) == (ITEM, question, "no_change")
    assert get_text_or_none(small.bench.store, event.body["reason_hash"]) == "The cases do ask for it."
    assert sheet_questions(small.bench) == []
    for one in (question, 999):
        with pytest.raises(NotAllowed, match="answered already"):
            answer_sheet_question(small.bench, small.actor, one, "no_change", "Again.")
    assert small.count(EventKind.SHEET_QUESTION_ANSWERED) == 1


def test_a_new_version_is_no_answer_while_the_sheet_is_as_it_was(small: SmallWorkspace) -> None:
    (first, _) = grade_first(small, 4)
    question = ask(small)
    refused = r"says what it said when it was questioned \(version {} now\)\. Change .*point_sheet\.yaml"
    with pytest.raises(NotAllowed, match=refused.format(1)):
        answer_sheet_question(small.bench, small.actor, question, "new_version", "Put right.")
    rule(small)
    with pytest.raises(NotAllowed, match=refused.format(2)):
        answer_sheet_question(small.bench, small.actor, question, "new_version", "Put right.")
    assert small.count(EventKind.SHEET_QUESTION_ANSWERED) == 0
    text = sheet_of(small).read_text("utf-8").replace("needs control", "needs custody")
    sheet_of(small).write_text(text, "utf-8")
    with pytest.raises(FileProblems, match="the version is still 2"):
        answer_sheet_question(small.bench, small.actor, question, "new_version", "Put right.")
    sheet_of(small).write_text(text.replace('version: "2"', 'version: "3"', 1), "utf-8")
    answer_sheet_question(small.bench, small.actor, question, "new_version", "Put right.")
    assert small.bench.material().item(ITEM).version == "3"
    assert [(one.assignment_id, one.only_guidelines) for one in before(small)] == [
        (first.assignment_id, False)
    ]
    assert sheet_questions(small.bench) == []
