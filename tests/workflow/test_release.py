"""Scores are released by two people over one unchanged export, and nothing is graded after that."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from reads_of_one_answer import an_answer, correct, judged, live_reads, read
from release_steps import closed_and_exported, confirm, exported, lead, prepare, released
from reread_pools import FAR, answers, near_the_line, pool, rereads, rule
from rows_behind_triggers import remove_answer
from small_workspace import SmallWorkspace, write_round

from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import Event, EventKind
from grader_app.domain.release import release_faults
from grader_app.domain.scaling_rules import SetRules
from grader_app.errors import ExportProblem, NotAllowed, ScoresAreReleased, VerificationFailed
from grader_app.export.verify import verify_export
from grader_app.scaling.what_if import Question
from grader_app.store.event_log import read_events
from grader_app.store.integrity import check_store
from grader_app.workflow.adjudication import adjudicate, look_first, raise_dispute
from grader_app.workflow.assignment import deal
from grader_app.workflow.item_closing import close_item, reopen_item
from grader_app.workflow.registration import register_files
from grader_app.workflow.release import not_releasable, released_sentence_or_none
from grader_app.workflow.rereads import begin_rereads
from grader_app.workflow.scaling_rules import set_rules

Make = Callable[..., SmallWorkspace]


def test_one_prepares_another_releases_and_both_acts_name_the_export(make: Make) -> None:
    small = pool(make, FAR)
    folder = released(small)
    manifest = json.loads((folder / "manifest.json").read_bytes())
    prepared, made = list(read_events(small.bench.store))[-3::2]
    assert (prepared.kind, made.kind) == ("ReleasePrepared", "ScoresReleased")
    assert prepared.body["manifest_hash"] == made.body["manifest_hash"] == manifest["manifest_hash"]
    assert prepared.actor != made.actor
    says = released_sentence_or_none(small.bench)
    assert says is not None
    assert "by robin, prepared by pat" in says
    check_store(small.bench.store)
    verify_export(folder)


def test_whoever_prepared_it_cannot_release_it(make: Make) -> None:
    small = pool(make, FAR)
    folder = closed_and_exported(small)
    pat = lead(small, "pat")
    prepare(small, pat, folder)
    with pytest.raises(NotAllowed, match="You prepared this release yourself"):
        confirm(small, pat, folder)
    with pytest.raises(NotAllowed, match="may have been prepared by the same person"):
        confirm(small, small.bench.cli_actor("PAT"), folder)
    with pytest.raises(NotAllowed, match="the command line cannot tell who you are"):
        confirm(small, small.bench.cli_actor("cli:kim"), folder)
    confirm(small, small.bench.cli_actor("robin"), folder)
    assert small.count(EventKind.SCORES_RELEASED) == 1


@pytest.mark.parametrize(
    "like_pat",
    ["\x1b[31mpat\x1b[0m", "p\ufe0fat", "pat\u3164", "p\u115fat", "pat\u2800", "p\u034fat", "pat\U000e0101"],
)
def test_a_name_that_only_looks_like_the_preparers_releases_nothing(make: Make, like_pat: str) -> None:
    small = pool(make, FAR)
    folder = closed_and_exported(small)
    prepare(small, small.bench.cli_actor("pat"), folder)
    with pytest.raises(NotAllowed, match="may have been prepared by the same person"):
        confirm(small, small.bench.cli_actor(like_pat), folder)
    assert small.count(EventKind.SCORES_RELEASED) == 0


@pytest.mark.parametrize("unseen", ["", " ", "\x00", "\x1b[31m", "\u3164", "\u2800", "\u200b", "\ufe0f"])
def test_a_name_of_which_nothing_is_seen_names_nobody(make: Make, unseen: str) -> None:
    small = pool(make, FAR)
    folder = closed_and_exported(small)
    with pytest.raises(NotAllowed, match="the command line cannot tell who you are"):
        prepare(small, small.bench.cli_actor(unseen), folder)
    prepare(small, small.bench.cli_actor("Zoë"), folder)
    confirm(small, small.bench.cli_actor("zoe"), folder)


def test_nobody_prepares_without_a_name_since_then_nobody_could_release(make: Make) -> None:
    small = pool(make, FAR)
    folder = closed_and_exported(small)
    with pytest.raises(NotAllowed, match="the command line cannot tell who you are"):
        prepare(small, small.bench.cli_actor("cli:kim"), folder)
    prepare(small, small.bench.cli_actor("pat"), folder)
    confirm(small, small.bench.cli_actor("robin"), folder)


def test_nothing_is_released_that_nobody_prepared_and_nothing_is_prepared_twice(make: Make) -> None:
    small = pool(make, FAR)
    folder = closed_and_exported(small)
    pat, robin = lead(small, "pat"), lead(small, "robin")
    with pytest.raises(NotAllowed, match="Nobody has prepared this export"):
        confirm(small, robin, folder)
    prepare(small, pat, folder)
    with pytest.raises(NotAllowed, match="This export was prepared at"):
        prepare(small, robin, folder)


def test_an_open_question_stands_in_the_way(make: Make) -> None:
    small = pool(make, FAR)
    with small.bench.record() as record:
        assert not_releasable(small.bench, record) == [
            "Still open: The question of mee-barge. Close every question first."
        ]
    with pytest.raises(ExportProblem, match="this export is provisional"):
        prepare(small, lead(small, "pat"), exported(small))


REOPEN = "If its question is closed, reopen it for that; close it again afterwards."


def test_an_answer_in_dispute_stands_in_the_way_until_it_is_settled(make: Make) -> None:
    small = pool(make, FAR)
    pat, disputed = lead(small, "pat"), an_answer(small)
    raise_dispute(small.bench, small.actor, disputed, "Was the second page read?")
    folder = closed_and_exported(small)
    with small.bench.record() as record:
        assert not_releasable(small.bench, record) == ["1 answer is in dispute. Settle it first.", REOPEN]
    with pytest.raises(NotAllowed, match="1 answer is in dispute"):
        prepare(small, pat, folder)
    reopen_item(small.bench, small.actor, "mee-barge", "To settle a dispute.")
    robin = lead(small, "robin")
    look_first(small.bench, robin, disputed, judged(4))
    adjudicate(small.bench, robin, disputed, judged(4))
    prepare(small, pat, closed_and_exported(small))


def test_an_answer_that_nobody_has_read_stands_in_the_way(make: Make) -> None:
    small = pool(make, FAR)
    small.take_in("mee-barge", 2)
    close_item(small.bench, small.actor, "mee-barge")
    with small.bench.record() as record:
        assert not_releasable(small.bench, record) == [
            "2 answers wait for their first reads. Let them be read first.",
            REOPEN,
        ]


def test_a_code_that_waits_for_the_lead_stands_in_the_way(make: Make) -> None:
    small = pool(make, FAR, graded=False)
    for response_id in answers(small):
        read(small, response_id, "off-topic" if response_id == answers(small)[0] else 3)
    close_item(small.bench, small.actor, "mee-barge")
    with small.bench.record() as record:
        found = not_releasable(small.bench, record)
    assert found[0] == "1 answer has a condition code that waits for the lead. Decide it first."


def test_a_code_that_settles_a_re_read_stands_in_the_way_until_the_lead_decides(make: Make) -> None:
    small = pool(make, rule("replace"))
    begin_rereads(small.bench, small.actor)
    coded, other = near_the_line(small)
    for response_id, gave in ((coded, "off-topic"), (other, 3)):
        small.submit(rereads(small, response_id)[0], entry=judged(gave))
    robin = lead(small, "robin")
    look_first(small.bench, robin, coded, judged("off-topic"))
    adjudicate(small.bench, robin, coded, judged("off-topic"))
    close_item(small.bench, small.actor, "mee-barge")
    with small.bench.record() as record:
        found = not_releasable(small.bench, record)
    assert found == ["1 answer has a condition code that waits for the lead. Decide it first.", REOPEN]


def test_a_re_read_under_way_stands_in_the_way(make: Make) -> None:
    small = pool(make)
    begin_rereads(small.bench, small.actor)
    small.submit(rereads(small, near_the_line(small)[0])[0], 4)
    folder = closed_and_exported(small)
    with pytest.raises(NotAllowed, match="1 of 2 answers sent to be read again has no score yet"):
        prepare(small, lead(small, "pat"), folder)


def test_a_total_in_the_band_that_was_not_read_again_stands_in_the_way(make: Make) -> None:
    small = pool(make)
    folder = closed_and_exported(small)
    with pytest.raises(NotAllowed, match="2 candidates have a total in the re-read band"):
        prepare(small, lead(small, "pat"), folder)
    picked = pool(make, rule(all_papers=False))
    prepare(picked, lead(picked, "pat"), closed_and_exported(picked))


def test_a_band_read_again_is_released(make: Make) -> None:
    small = pool(make)
    begin_rereads(small.bench, small.actor)
    for response_id in near_the_line(small):
        small.submit(rereads(small, response_id)[0], 3)
    released(small)
    assert small.count(EventKind.SCORES_RELEASED) == 1


def test_a_workspace_that_changed_since_the_export_is_refused_at_either_step(make: Make) -> None:
    small = pool(make, FAR)
    folder = closed_and_exported(small)
    pat, robin = lead(small, "pat"), lead(small, "robin")
    prepare(small, pat, folder)
    reopen_item(small.bench, small.actor, "mee-barge", "A slip.")
    correct(small, live_reads(small, an_answer(small))[0], 5)
    close_item(small.bench, small.actor, "mee-barge")
    for act, actor in ((prepare, pat), (confirm, robin)):
        with pytest.raises(ExportProblem, match=r"the workspace has changed since this export \(event"):
            act(small, actor, folder)


def test_an_edited_export_and_one_of_another_workspace_are_refused(make: Make) -> None:
    small, other = pool(make, FAR), pool(make, FAR)
    folder, foreign = closed_and_exported(small), closed_and_exported(other)
    with pytest.raises(ExportProblem, match="no export of this workspace"):
        prepare(small, lead(small, "pat"), foreign)
    table = folder / "scores.csv"
    table.write_bytes(table.read_bytes().replace(b",3,3,final", b",3,4,final", 1))
    says = f"{folder.name} cannot be released, since it is not as the program wrote it: scores.csv, line"
    with pytest.raises(VerificationFailed, match=says):
        prepare(small, lead(small, "robin"), folder)


@pytest.mark.parametrize(
    "act",
    [
        lambda small, r: correct(small, live_reads(small, r)[0], 5),
        lambda small, r: begin_rereads(small.bench, small.actor),
        lambda small, r: raise_dispute(small.bench, small.actor, r, "On appeal."),
        lambda small, r: adjudicate(small.bench, small.actor, r, judged(4)),
        lambda small, r: reopen_item(small.bench, small.actor, "mee-barge", "On appeal."),
        lambda small, r: small.take_in("mee-barge", 1),
        lambda small, r: small.append(EventKind.MBE_TAKEN_IN, "mbe", n=0),
        lambda small, r: small.append(EventKind.CODE_DECIDED, r, item="mee-barge"),
    ],
)
def test_after_release_nothing_is_regraded(make: Make, act: Callable[[SmallWorkspace, str], None]) -> None:
    small = pool(make, FAR)
    released(small)
    before = small.kinds()
    with pytest.raises(NotAllowed, match="There is no regrading after release"):
        act(small, an_answer(small))
    assert small.kinds() == before


def test_after_release_a_changed_round_is_not_read_in(make: Make) -> None:
    small = pool(make, FAR)
    released(small)
    write_round(Path(small.path), items=("mee-barge",), more=rule("higher"), version=2)
    with pytest.raises(ScoresAreReleased):
        register_files(small.bench, small.actor)
    assert deal(small.bench, small.actor) == []


def test_a_later_export_says_when_and_by_whom_in_random_ids(make: Make) -> None:
    small = pool(make, FAR)
    first = released(small)
    later = exported(small)
    verify_export(later)
    made = json.loads((later / "manifest.json").read_bytes())
    with small.bench.record() as record:
        found = record.release.released
    assert found is not None
    day, minute = found.at[:10], found.at[11:16]
    assert made["release"]["by"] == found.actor
    assert (
        made["release"]["manifest_hash"]
        == json.loads((first / "manifest.json").read_bytes())["manifest_hash"]
    )
    assert any(
        note.startswith(f"Scores were released on {day} at {minute} UTC by {found.actor}")
        for note in made["notes"]
    )
    for file in later.iterdir():
        assert b"robin" not in file.read_bytes(), file.name


def forged(events: list[Event], kind: str, **changes: object) -> list[Event]:
    if "body" in changes:
        changes["body_json"] = canonical_json(changes.pop("body"))
    return [e._replace(**changes) if e.kind == kind else e for e in events]  # type: ignore[arg-type]


def test_forged_releases_are_named(make: Make) -> None:
    small = pool(make, FAR)
    released(small)
    events = list(read_events(small.bench.store))
    assert list(release_faults(events)) == []
    made = next(e for e in events if e.kind == "ScoresReleased")
    prepared = next(e for e in events if e.kind == "ReleasePrepared")
    late = made._replace(seq=made.seq + 1, kind="GradeCorrected")
    without_close = [e for e in events if e.kind != "ItemClosed"]
    cases = [
        (forged(events, "ScoresReleased", actor=prepared.actor), "is by the person who prepared it"),
        (
            forged(events, "ScoresReleased", body={**made.body, "manifest_hash": "x"}),
            "is of another export than the one that was prepared",
        ),
        (forged(events, "ScoresReleased", body={**made.body, "prepared": 1}), "not the last preparation"),
        (
            forged(events, "ReleasePrepared", body={**prepared.body, "n_events": 3}),
            "does not end with event 3 of this log",
        ),
        (without_close, "came while mee-barge was open"),
        ([*events, late], "came after scores were released"),
    ]
    for log, says in cases:
        assert any(says in fault for fault in release_faults(log)), says


def test_a_paper_that_is_gone_stands_in_the_way(make: Make) -> None:
    small = pool(make, FAR)
    folder = closed_and_exported(small)
    gone = near_the_line(small)[0]
    remove_answer(small.bench.store.path, gone)
    with small.bench.record() as record:
        problems = not_releasable(small.bench, record)
    assert problems
    with pytest.raises((NotAllowed, ExportProblem, VerificationFailed)):
        prepare(small, lead(small, "pat"), folder)


def test_no_other_rules_of_scaling_are_set_after_release(make: Make) -> None:
    small = pool(make, FAR)
    folder = released(small)
    with pytest.raises(NotAllowed, match="There is no regrading after release"):
        set_rules(small.bench, lead(small, "lee"), Question(SetRules(cut=270.0)), "The line was mistyped.")
    verify_export(folder)


def test_the_log_itself_refuses_other_rules_of_scaling_after_release(make: Make) -> None:
    small = pool(make, FAR)
    released(small)
    with pytest.raises(ScoresAreReleased):
        small.append(EventKind.SCALING_RULES_SET, "rules", reason="The line was mistyped.")
