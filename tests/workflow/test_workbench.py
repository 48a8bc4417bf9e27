from __future__ import annotations

from pathlib import Path

import pytest
from small_workspace import SmallWorkspace, Ticking, write_item, write_round

from grader_app.domain.events import EventKind
from grader_app.errors import NotAllowed, StoreProblem, WorkspaceMissing
from grader_app.store.event_log import read_events
from grader_app.store.inputs import read_record
from grader_app.workflow.registration import register_files
from grader_app.workflow.workbench import Workbench


def test_a_new_workspace_records_that_it_was_made_and_opens_again(tmp_path: Path) -> None:
    bench = Workbench.create(tmp_path, Ticking())
    (event,) = read_events(bench.store)
    assert (event.kind, event.subject) == (EventKind.WORKSPACE_MADE, bench.store.workspace_id)
    assert event.at == "2026-11-29T09:00:01.000Z"
    again = Workbench.open(tmp_path)
    assert again.store.workspace_id == bench.store.workspace_id
    for one in (bench, again):
        one.store.close()


def test_a_workspace_is_not_made_twice_and_not_opened_where_there_is_none(
    small: SmallWorkspace, tmp_path: Path
) -> None:
    with pytest.raises(StoreProblem):
        Workbench.create(small.path)
    with pytest.raises(WorkspaceMissing):
        Workbench.open(tmp_path / "elsewhere")
    assert not (tmp_path / "elsewhere").exists()


def test_without_a_round_the_material_says_what_to_do(tmp_path: Path) -> None:
    bench = Workbench.create(tmp_path)
    with pytest.raises(NotAllowed, match=r"Write round\.yaml"):
        bench.material()
    bench.store.close()


def test_material_follows_a_new_registration_and_names_the_items_there_are(small: SmallWorkspace) -> None:
    assert small.bench.material().items["mee-barge"].version == "1"
    assert small.bench.material() is small.bench.material()
    write_item(small.path, "mee-barge", version=2)
    register_files(small.bench, small.actor)
    assert small.bench.material().items["mee-barge"].version == "2"
    with pytest.raises(NotAllowed, match=r"no item `mee-crane`\. Its items are mee-barge, rule-ferry"):
        small.bench.material().item("mee-crane")


def test_the_lent_record_keeps_up_with_the_log_and_equals_a_fresh_replay(small: SmallWorkspace) -> None:
    def same() -> None:
        fresh = read_record(small.bench.store)
        with small.bench.record() as record:
            assert record.grades == fresh.grades
            assert record.inputs == fresh.inputs
            assert record.current_files == fresh.current_files
            assert record.last_seq == fresh.last_seq

    same()
    small.submit(small.queue(small.graders[0])[0], 5)
    same()
    small.take_in("mee-barge", 2)
    same()
    write_round(small.path, version=2)
    register_files(small.bench, small.actor)
    same()


def test_two_workbenches_on_one_workspace_see_each_others_acts(small: SmallWorkspace) -> None:
    other = Workbench.open(small.path)
    with other.record() as record:
        assert record.grades == {}
    small.submit(small.queue(small.graders[0])[0])
    with other.record() as record:
        assert len(record.grades) == 1
    other.store.close()


def test_rubrics_and_items_are_found_by_the_hash_they_were_used_under(small: SmallWorkspace) -> None:
    material = small.bench.material()
    rubric, item = material.rubrics["mee-barge"], material.items["mee-barge"]
    write_item(small.path, "mee-barge", version=2)
    register_files(small.bench, small.actor)
    assert small.bench.kept_item(item.content_hash) == item
    assert small.bench.kept_rubric(rubric.content_hash) == rubric
