"""MBE scores by source in, by candidate id stored."""

import json

import pytest

from grader_app.blinding.mbe_intake import take_in_mbe
from grader_app.domain.content_hash import content_hash
from grader_app.errors import FileProblems
from grader_app.store.integrity import check_store
from grader_app.store.responses import all_mbe

ANSWERS = "id,source,text\n1,C-1,One\n2,C-2,Two\n"


@pytest.fixture
def take(desk):
    desk.take(ANSWERS)

    def take_text(text, **options):
        return take_in_mbe(desk.bench, desk.key, desk.file(text, "mbe.csv"), desk.actor, **options)

    return take_text


def scores(desk):
    """The stored scores by source."""
    by_candidate = {kept.candidate_id: kept.source for kept in desk.key.sources()}
    return {by_candidate[who]: mbe for who, mbe in all_mbe(desk.bench.store).items()}


def test_scores_are_stored_by_candidate_id(desk, take):
    taken = take("source,mbe\nC-1,137.3\nC-2,0\n")
    assert (taken.new, taken.unchanged, taken.without) == (2, 0, 0)
    assert scores(desk) == {"C-1": 137.3, "C-2": 0.0}
    (event,) = desk.bench.store.rows("SELECT * FROM event WHERE kind = 'MbeTakenIn'")
    assert json.loads(event["body"]) == {
        "n": 2,
        "corrected": 0,
        "scores_hash": content_hash(all_mbe(desk.bench.store)),
    }
    assert event["subject"] == desk.bench.store.workspace_id


def test_the_same_scores_again_change_nothing(desk, take):
    take("source,mbe\nC-1,137.3\n")
    again = take("source,mbe\nC-1,137.30\nC-2,140\n")
    assert (again.new, again.unchanged) == (1, 1)
    assert take("source,mbe\nC-1,137.3\nC-2,140\n").new == 0
    assert len(desk.bench.store.rows("SELECT 1 FROM event WHERE kind = 'MbeTakenIn'")) == 2


def test_an_empty_score_is_a_candidate_without_an_mbe(desk, take):
    taken = take("source,mbe\nC-1,137.3\nC-2,\n,\n")
    assert (taken.new, taken.without) == (1, 1)
    assert scores(desk) == {"C-1": 137.3}


def test_another_score_for_a_source_is_refused_saying_what_is_on_record(desk, take):
    take("source,mbe\nC-1,137.3\n")
    with pytest.raises(FileProblems, match=r"mbe.csv:2: .* is 137.3, not 138.*--correct"):
        take("source,mbe\nC-1,138\nC-2,140\n")
    assert scores(desk) == {"C-1": 137.3}


def test_a_correction_replaces_a_score_and_keeps_the_earlier_one(desk, take):
    take("source,mbe\nC-1,137.3\nC-2,140\n")
    corrected = take("source,mbe\nC-1,138\nC-2,140\n", correct=True)
    assert (corrected.new, corrected.unchanged, corrected.corrected) == (0, 1, 1)
    assert scores(desk) == {"C-1": 138, "C-2": 140}
    assert len(desk.bench.store.rows("SELECT 1 FROM mbe")) == 3
    check_store(desk.bench.store)


def test_every_unknown_source_is_listed_and_nothing_is_stored(desk, take):
    with pytest.raises(FileProblems) as error:
        take("source,mbe\nC-1,137.3\nC-9,120\nc-2,130\n")
    assert [problem.line for problem in error.value.problems] == [3, 4]
    assert scores(desk) == {}


def test_a_source_of_several_candidates_is_refused_by_name(desk, take):
    desk.take("id,source,text,temperature\n3,model,x,0\n4,model,y,1\n", name="models.csv")
    with pytest.raises(FileProblems, match="`model` stands for 2 candidates"):
        take("source,mbe\nmodel,150\n")


def test_a_source_of_a_batch_undone_is_unknown(desk, take):
    from grader_app.blinding.undo import undo

    batch = desk.take("id,source,text\n3,C-3,x\n", name="late.csv").batch_id
    undo(desk.bench, desk.key, batch, desk.actor)
    with pytest.raises(FileProblems, match="No answer of the source `C-3`"):
        take("source,mbe\nC-3,150\n")


@pytest.mark.parametrize("score", ["-1", "200.5", "nan", "inf", "true", "high"])
def test_what_is_no_score_from_0_to_200_is_refused(take, score):
    with pytest.raises(FileProblems, match=r"mbe.csv:2"):
        take(f"source,mbe\nC-1,{score}\n")


def test_a_decimal_comma_is_named(take):
    with pytest.raises(FileProblems, match=r"decimal comma. Write 137.3"):
        take("source;mbe\nC-1;137,3\n")


def test_a_repeated_source_lists_all_its_lines(take):
    with pytest.raises(FileProblems, match="lines 2, 3 and 5"):
        take("source,mbe\nC-1,130\nC-1,130\nC-2,140\nC-1,131\n")


@pytest.mark.parametrize("text", ["source,mbe\n", "source,score\nC-1,130\n", ""])
def test_a_file_without_scores_is_refused(take, text):
    with pytest.raises(FileProblems):
        take(text)


def test_a_dry_run_stores_nothing(desk, take):
    assert take("source,mbe\nC-1,130\n", dry_run=True).new == 1
    assert scores(desk) == {}


def test_a_source_copied_from_a_revealed_export_is_known_again(desk):
    desk.take("id,source,text\n1,=C-1,One\n2,'=C-2,Two\n")
    take_in_mbe(
        desk.bench, desk.key, desk.file("source,mbe\n'=C-1,137.3\n''=C-2,140\n", "mbe.csv"), desk.actor
    )
    assert scores(desk) == {"=C-1": 137.3, "'=C-2": 140.0}
