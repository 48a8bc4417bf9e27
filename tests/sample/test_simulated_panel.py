from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from served_workspace import run_command
from small_workspace import START, SmallWorkspace, Ticking

from grader_app.cli.new_workspace import make_sample
from grader_app.domain.blinding_check import Guess
from grader_app.domain.events import first_break
from grader_app.domain.grade import GradeEntry, check_grade
from grader_app.errors import NotAllowed
from grader_app.sample.content import ITEMS, IntendedGrade
from grader_app.sample.simulated_panel import PANEL, PassingClock, add_panel, guessed, judgment
from grader_app.store.event_log import read_events
from grader_app.workflow.accounts import find_account, reset_password
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.progress import grader_progress, panel_progress
from grader_app.workflow.workbench import Workbench


@pytest.fixture
def sample(sample_workspace: Path) -> Iterator[Workbench]:
    """The shared sample round, to look at only."""
    bench = Workbench.open(sample_workspace)
    yield bench
    bench.store.close()


def test_the_panel_is_labelled_simulated_and_cannot_sign_in(sample: Workbench) -> None:
    simulated = [account for account, _ in panel_progress(sample) if account.simulated]
    assert [account.name for account in simulated] == [grader.name for grader in PANEL]
    for account in simulated:
        assert account.shown_name == f"{account.name} (simulated)"
        with pytest.raises(NotAllowed, match="simulated"):
            reset_password(sample, "p", account)
    with sample.record() as record:
        assert record.simulated == {account.account_id for account in simulated}


def test_the_panel_has_graded_all_it_was_dealt_and_the_person_has_answers_waiting(sample: Workbench) -> None:
    for account, rows in panel_progress(sample):
        left, done = sum(row.left for row in rows), sum(row.done for row in rows)
        assert (left == 0, done == 0) == ((True, False) if account.simulated else (False, True))


def test_grader_1s_first_answer_belongs_to_an_mee_item_and_every_item_waits(sample: Workbench) -> None:
    grader = find_account(sample, "grader-1")
    sheet = next_sheet_or_none(sample, grader.account_id)
    assert sheet is not None
    assert sheet.kind == "mee"
    assert [row.item for row in grader_progress(sample, grader.account_id) if row.left] == list(ITEMS)


def test_several_candidates_are_complete(sample: Workbench) -> None:
    with sample.record() as record:
        weighted = set(record.round.weights)
        final: dict[str, set[str]] = {}
        for response_id in record.response_ids():
            response = record.inputs.responses[response_id]
            if response["item"] in weighted and record.standing(response_id).final is not None:
                final.setdefault(response["candidate_id"], set()).add(response["item"])
        complete = [who for who, items in final.items() if items == weighted]
        assert len([who for who in complete if who in record.inputs.mbe]) >= 3


def test_readers_of_the_essays_agree_in_part(sample: Workbench) -> None:
    with sample.record() as record:
        for item in (item for item in ITEMS if item.startswith("mee")):
            reads = [record.reads(response_id) for response_id in record.response_ids(item)]
            pairs = [[grade.score for grade in both] for both in reads if len(both) == 2]
            pairs = [both for both in pairs if None not in both]
            apart = [abs(first - second) for first, second in pairs]
            assert len(pairs) >= 6
            assert max(apart) > 0
            assert sum(apart) / len(apart) < 2
            assert len({score for both in pairs for score in both}) > 2


def test_the_samples_log_is_whole_and_its_times_lie_in_the_past(sample: Workbench) -> None:
    events = list(read_events(sample.store))
    assert first_break(events) is None
    made = [event.at for event in events if event.kind == "GradeSubmitted"]
    assert made == sorted(made)
    assert made[-1] < sample.now()


def test_the_panel_has_said_who_it_thinks_wrote_the_answers_it_was_asked_about(sample: Workbench) -> None:
    with sample.record() as record:
        assert set(record.guesses) == record.asked
        assert len(record.asked) >= 3
        assert {record.assignments[a].item for a in record.asked} <= set(record.round.guesses.items)
        for flag in record.author_flags.values():
            assert flag.grader_id in record.simulated


def test_a_simulated_grader_guesses_right_more_often_the_more_it_sees_through() -> None:
    rates = []
    for grader in (PANEL[0], PANEL[3]):
        said = [guessed(grader, Guess.MODEL, random.Random(f"{n}")) for n in range(400)]
        rates.append(said.count(Guess.MODEL) / 400)
    assert 0.45 < rates[1] < rates[0] < 0.85


def test_two_sample_workspaces_share_no_ids(tmp_path: Path) -> None:
    seen = []
    for name in ("one", "two"):
        make_sample(tmp_path / name)
        bench = Workbench.open(tmp_path / name)
        with bench.record() as record:
            seen.append(set(record.assignments) | set(record.inputs.responses))
        bench.store.close()
    assert not seen[0] & seen[1]


def test_a_harsh_grader_gives_less_than_a_lenient_one_and_all_stay_on_the_scale(
    small: SmallWorkspace,
) -> None:
    rubric = small.bench.material().rubrics["mee-barge"]
    sheet = small.bench.material().items["mee-barge"].sheet
    deserves = IntendedGrade(4.0, GradeEntry(score=4, points=("duty.rule",)))
    means = {}
    for grader in PANEL:
        entries = [judgment(grader, deserves, rubric, random.Random(f"{n}")) for n in range(300)]
        for entry in entries:
            check_grade(rubric, sheet, entry)
        means[grader.name] = sum(entry.score or 0 for entry in entries) / len(entries)
    assert means["birch"] < means["ash"] < means["cedar"]


def test_a_condition_code_is_seen_by_every_grader(small: SmallWorkspace) -> None:
    rubric = small.bench.material().rubrics["mee-barge"]
    deserves = IntendedGrade(None, GradeEntry(condition_code="blank", points=()))
    for grader in PANEL:
        entry = judgment(grader, deserves, rubric, random.Random("1"))
        assert (entry.condition_code, entry.score) == ("blank", None)


def test_misjudged_criteria_still_fit_the_rubric(sample: Workbench) -> None:
    material = sample.material()
    rubric, sheet = material.rubrics["rule-hearsay"], material.items["rule-hearsay"].sheet
    deserves = IntendedGrade(None, GradeEntry(marks={"correctness": 1.0, "analysis": 1.0}))
    seen = set()
    for number in range(200):
        entry = judgment(PANEL[3], deserves, rubric, random.Random(f"{number}"))
        check_grade(rubric, sheet, entry)
        seen.add(((entry.marks or {})["correctness"], bool(entry.error_types)))
    assert seen == {(1, False), (0, True)}


def test_a_passing_clock_stands_still_until_told() -> None:
    clock = PassingClock(START)
    assert clock() == clock() == START
    clock.passes(90)
    assert clock() == START + timedelta(seconds=90)


def test_adding_the_panel_gives_each_grader_by_account_id(small: SmallWorkspace) -> None:
    assert isinstance(small.clock, Ticking)
    made = add_panel(small.bench, small.actor)
    assert sorted(grader.name for grader in made.values()) == sorted(grader.name for grader in PANEL)


def test_the_sample_is_not_made_over_anything(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    done = run_command("init", tmp_path, "--sample", check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Name a new or empty folder" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
