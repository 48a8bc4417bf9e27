"""Taking a batch back before it is dealt."""

import json

import pytest

from grader_app.blinding.key import BlindingKey
from grader_app.blinding.undo import undo
from grader_app.domain.panel import Role
from grader_app.errors import KeyProblem, NotAllowed
from grader_app.store.responses import undealt_in_deal_order
from grader_app.workflow.accounts import add_account
from grader_app.workflow.assignment import deal

TWO = "id,source,text\n1,Ann,One\n2,Ben,Two\n"


def test_a_batch_taken_back_leaves_the_round_and_its_file_can_come_again(desk):
    batch = desk.take(TWO).batch_id
    ids = sorted(kept.response_id for kept in desk.key.sources())
    assert undo(desk.bench, desk.key, batch, desk.actor) == 2
    assert undealt_in_deal_order(desk.bench.store, "mee-barge") == []
    (event,) = desk.bench.store.rows("SELECT * FROM event WHERE kind = 'AnswersWithdrawn'")
    assert (event["subject"], json.loads(event["body"])) == ("mee-barge", {"response_ids": ids})
    assert desk.take(TWO).new == 2
    assert len(undealt_in_deal_order(desk.bench.store, "mee-barge")) == 2


def test_a_changed_file_can_be_taken_in_after_the_undo(desk):
    batch = desk.take(TWO).batch_id
    undo(desk.bench, desk.key, batch, desk.actor)
    desk.take(TWO.replace("One", "One more"))
    assert desk.texts()["1"] == "One more"


def test_candidates_keep_their_ids_through_an_undo(desk):
    batch = desk.take(TWO).batch_id
    before = desk.key.candidates()
    undo(desk.bench, desk.key, batch, desk.actor)
    desk.take(TWO)
    assert desk.key.candidates() == before


def test_other_batches_stay(desk):
    batch = desk.take(TWO).batch_id
    desk.take("id,source,text\n3,Cay,Three\n", name="late.csv")
    undo(desk.bench, desk.key, batch, desk.actor)
    assert [kept.sender_id for kept in desk.key.sources()] == ["3"]


def test_a_batch_of_which_an_answer_is_dealt_stays(desk):
    batch = desk.take(TWO).batch_id
    add_account(desk.bench, desk.actor, "grader-1", Role.GRADER)
    deal(desk.bench, desk.actor)
    with pytest.raises(NotAllowed, match="2 of the 2 answers"):
        undo(desk.bench, desk.key, batch, desk.actor)
    assert len(desk.key.sources()) == 2


def test_an_unknown_batch_is_refused_naming_those_there_are(desk):
    batch = desk.take(TWO).batch_id
    with pytest.raises(NotAllowed, match=batch):
        undo(desk.bench, desk.key, "bnothing", desk.actor)


def test_a_batch_is_undone_once(desk):
    batch = desk.take(TWO).batch_id
    undo(desk.bench, desk.key, batch, desk.actor)
    with pytest.raises(NotAllowed, match="undone before"):
        undo(desk.bench, desk.key, batch, desk.actor)


class Broken(Exception):
    """Stands for a crash."""


def test_after_a_crash_before_the_key_was_marked_the_batch_is_undone(desk, monkeypatch):
    batch = desk.take(TWO).batch_id

    def fail(*_):
        raise Broken

    monkeypatch.setattr(desk.key, "mark", fail)
    with pytest.raises(Broken):
        undo(desk.bench, desk.key, batch, desk.actor)
    monkeypatch.undo()
    assert desk.take(TWO).new == 2


def test_a_database_older_than_the_key_is_refused_until_the_batch_is_given_up(desk, desks, tmp_path):
    older = desks()
    newer_key = tmp_path / "newer.db"
    batch = older.take(TWO).batch_id
    older.key.close()
    # The key of a later day beside the database of an earlier one.
    newer_key.write_bytes(older.key_file.read_bytes())
    earlier = desk
    with_other_id = BlindingKey.open(newer_key, older.bench.store.workspace_id)
    with_other_id._connection.execute("UPDATE workspace SET id = ?", (earlier.bench.store.workspace_id,))
    earlier.key.close()
    earlier.key = with_other_id
    with pytest.raises(KeyProblem, match=f"older than the key.*--undo {batch}"):
        earlier.take(TWO)
    assert undo(earlier.bench, earlier.key, batch, earlier.actor) == 0
    assert earlier.take(TWO).new == 2
