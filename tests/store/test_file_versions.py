from __future__ import annotations

import pytest
from small_workspace import SmallWorkspace, write_item, write_round

from grader_app.store.file_versions import (
    add_file_version,
    all_file_versions,
    current_hashes,
    find_file_version,
    last_registration,
)
from grader_app.workflow.registration import register_files


def test_every_version_is_kept_and_the_last_registered_is_current(small: SmallWorkspace) -> None:
    store = small.bench.store
    before, seq = current_hashes(store), last_registration(store)
    write_item(small.path, "mee-barge", version=2)
    register_files(small.bench, small.actor)
    versions = [kept.version for kept in all_file_versions(store) if kept.id == "mee-barge"]
    assert sorted(versions) == ["1", "2"]
    after = current_hashes(store)
    assert {key for key in after if after[key] != before[key]} == {("item", "mee-barge")}
    assert find_file_version(store, after["item", "mee-barge"]).version == "2"
    assert find_file_version(store, before["item", "mee-barge"]).version == "1"
    assert last_registration(store) > seq


def test_going_back_to_an_earlier_version_makes_it_current_again(small: SmallWorkspace) -> None:
    store, first = small.bench.store, current_hashes(small.bench.store)
    for version in (2, 1):
        write_round(small.path, version=version)
        register_files(small.bench, small.actor)
    assert current_hashes(store) == first


def test_a_version_already_there_is_left_as_it_is(small: SmallWorkspace) -> None:
    store = small.bench.store
    kept = all_file_versions(store)
    with store.write() as connection:
        for version in kept:
            add_file_version(connection, version)
    assert all_file_versions(store) == kept


def test_a_hash_that_is_not_there_is_a_key_error(small: SmallWorkspace) -> None:
    with pytest.raises(KeyError):
        find_file_version(small.bench.store, "0" * 64)
