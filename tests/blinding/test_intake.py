"""Taking answers in: what is stored where, what is refused, and what a failure leaves behind."""

import csv
import io
import json
import sqlite3
import stat
import sys
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader_app.blinding import intake as intake_module
from grader_app.blinding.formats import read_answers
from grader_app.blinding.intake import take_in
from grader_app.blinding.key import BlindingKey
from grader_app.blinding.settling import open_or_create_key
from grader_app.errors import FileProblems, KeyProblem, NotAllowed, StoreBusy, StoreFull
from grader_app.store.integrity import check_store
from grader_app.store.responses import all_responses

TWO = "id,source,text\n1,Ann,One\n2,Ben,Two\n"


def said(error):
    return [(problem.line, f"{problem.what} {problem.fix}") for problem in error.value.problems]


def events(desk, kind):
    return desk.bench.store.rows("SELECT * FROM event WHERE kind = ? ORDER BY seq", (kind,))


def nothing_stored(desk):
    return not desk.count("response") and not desk.count("kept_text") and not desk.key.sources()


def test_answers_are_stored_under_random_ids_with_their_texts(desk):
    taken = desk.take(TWO)
    assert (taken.new, taken.unchanged, taken.warnings) == (2, 0, ())
    assert desk.texts() == {"1": "One", "2": "Two"}
    responses = list(all_responses(desk.bench.store))
    assert {r.item for r in responses} == {"mee-barge"}
    assert sorted(r.deal_order for r in responses) == [1, 2]
    assert all(r.response_id[0] == "r" and r.candidate_id[0] == "c" for r in responses)


def test_the_event_says_item_and_count_and_nothing_else(desk):
    desk.take(TWO)
    (event,) = events(desk, "AnswersTakenIn")
    assert event["subject"] == "mee-barge"
    assert json.loads(event["body"]) == {"item": "mee-barge", "n": 2}


def test_the_chain_and_the_rows_are_whole_after_an_intake(desk):
    desk.take(TWO)
    check_store(desk.bench.store)  # raises, naming the first fault
    assert desk.count("response") == 2


def test_the_same_file_again_changes_nothing(desk):
    desk.take(TWO)
    again = desk.take(TWO)
    assert (again.new, again.unchanged, again.batch_id) == (0, 2, None)
    assert desk.count("response") == 2
    assert len(events(desk, "AnswersTakenIn")) == 1


def test_only_late_answers_of_a_longer_file_are_new(desk):
    desk.take(TWO)
    longer = desk.take(TWO + "3,Cay,Three\n")
    assert (longer.new, longer.unchanged) == (1, 2)
    assert sorted(r.deal_order for r in all_responses(desk.bench.store)) == [1, 2, 3]


def test_the_same_ids_may_come_again_for_another_item(desk):
    desk.take(TWO)
    assert desk.take(TWO, item="rule-deck").new == 2


def test_an_id_with_another_content_is_refused_naming_its_batch_and_what_changed(desk):
    batch = desk.take(TWO).batch_id
    with pytest.raises(FileProblems) as error:
        desk.take("id,source,text\n1,Ann,One!\n2,Benn,Two\n3,Cay,Three\n")
    first, second = said(error)
    assert first[0] == 2
    assert f"`1` has changed since batch {batch}: text" in first[1]
    assert f"--undo {batch}" in first[1]
    assert "source" in second[1]
    assert desk.count("response") == 2


def test_another_treatment_of_the_same_text_is_no_unchanged_answer(desk):
    desk.take(TWO)
    with pytest.raises(FileProblems, match="without --plain then"):
        desk.take(TWO, plain=True)


def test_a_repeated_id_lists_all_its_lines_and_nothing_is_stored(desk):
    with pytest.raises(FileProblems) as error:
        desk.take("id,source,text\n1,Ann,x\n2,Ben,y\n1,Cay,z\n1,Dee,w\n2,Eve,v\n")
    assert [words for _, words in said(error)] == [
        "The id `1` stands on lines 2, 4 and 5. Give each answer of an item its own id.",
        "The id `2` stands on lines 3 and 6. Give each answer of an item its own id.",
    ]
    assert nothing_stored(desk)


def test_everything_wrong_is_listed_at_once(desk):
    with pytest.raises(FileProblems) as error:
        desk.take("id,source,text\n,Ann,x\n2,,y\n3,Cay,z\n3,Dee,w\n")
    assert [line for line, _ in said(error)] == [2, 3, 4]


def test_ids_are_text_for_ever(desk):
    desk.take("id,source,text\n000123,a,1\n123,b,2\n1E5,c,3\n100000,d,4\n3-4,e,5\n1.0,f,6\n")
    assert set(desk.texts()) == {"000123", "123", "1E5", "100000", "3-4", "1.0"}


def test_an_empty_answer_is_taken_in_as_a_blank(desk):
    taken = desk.take('id,source,text\n1,Ann,\n2,Ben," "\n')
    assert desk.texts() == {"1": "", "2": " "}
    assert taken.warnings == ("2 blank answers (lines 2 and 3).",)


def test_a_file_without_answers_is_refused(desk):
    with pytest.raises(FileProblems, match="no answers"):
        desk.take("id,source,text\n")


def test_a_text_of_sixty_thousand_words_is_stored_whole(desk):
    text = "whereas " * 60_000
    desk.take(f"id,source,text\n1,Ann,{text}\n")
    assert desk.texts() == {"1": text}


def test_a_text_cut_at_a_spreadsheets_limit_is_noted(desk):
    taken = desk.take(f"id,source,text\n1,Ann,{'x' * 32_767}\n")
    assert taken.warnings[0].startswith("1 answer has exactly 32,767 characters")


def test_bidi_controls_are_taken_in_and_counted(desk):
    taken = desk.take("id,source,text\n1,Ann,a\u202eb\n2,Ben,plain é\n")
    assert desk.texts()["1"] == "a\u202eb"
    assert taken.warnings == ("1 answer holds characters that turn the direction of writing (line 2).",)


def test_nul_characters_and_half_characters_are_refused(desk):
    lines = [
        '{"id": "1", "source": "a", "text": "a\\u0000b"}',
        '{"id": "2", "source": "\\ud800", "text": "x"}',
    ]
    with pytest.raises(FileProblems) as error:
        desk.take("\n".join(lines), name="answers.jsonl")
    assert ["NUL" in said(error)[0][1], "half a character" in said(error)[1][1]] == [True, True]
    assert nothing_stored(desk)


def test_an_unknown_item_is_refused_naming_those_there_are(desk):
    with pytest.raises(NotAllowed, match="mee-barge, rule-deck"):
        desk.take(TWO, item="mee-barg")
    with pytest.raises(NotAllowed, match="mee-barge, rule-deck"):
        desk.take(TWO, item="mee-barg", dry_run=True)


@pytest.mark.parametrize(
    ("reason", "cut_off"),
    [("length", 1), ("MAX_TOKENS", 1), ("cut off", 1), ("stop", 0), ("", 0), ("end_turn", 0)],
)
def test_below_the_line_a_finish_reason_is_cut_off_or_not(desk, reason, cut_off):
    desk.take(f"id,source,text,finish_reason\n1,m,x,{reason}\n")
    assert desk.bench.store.rows("SELECT cut_off FROM response")[0]["cut_off"] == cut_off
    assert desk.key.sources()[0].finish_reason == reason


def test_a_candidate_keeps_its_id_across_items_and_files(desk):
    desk.take(TWO)
    desk.take("id,source,text\n7,Ben,Seven\n8,Ann,Eight\n", item="rule-deck", name="other.csv")
    by_source = {}
    for kept in desk.key.sources():
        by_source.setdefault(kept.source, set()).add(kept.candidate_id)
    assert all(len(ids) == 1 for ids in by_source.values())
    assert by_source["Ann"] != by_source["Ben"]


def test_condition_columns_tell_candidates_apart_and_no_other_column_does(desk):
    head = "id,source,text,prompt_type,temperature,model_version,trial,gold,slice,seat\n"
    rows = [
        "1,m,x,p,0,v,1,Yes,a,9",
        "2,m,y,p,0,v,1,No,b,8",
        "3,m,x,q,0,v,1,Yes,a,9",
        "4,m,x,p,1,v,1,Yes,a,9",
        "5,m,x,p,0,w,1,Yes,a,9",
        "6,m,x,p,0,v,2,Yes,a,9",
    ]
    desk.take(head + "\n".join(rows))
    ids = {kept.sender_id: kept.candidate_id for kept in desk.key.sources()}
    assert ids["1"] == ids["2"]
    assert len(set(ids.values())) == 5


def test_candidates_that_look_alike_are_noted(desk):
    taken = desk.take("id,source,text,temperature\n1,Model A,x,0.7\n2,model a ,y,0.70\n")
    assert "look alike" in taken.warnings[0]


def test_a_misspelt_optional_column_is_noted_and_kept(desk):
    taken = desk.take("id,source,text,temprature\n1,m,x,0.7\n")
    assert "looks like `temperature`" in taken.warnings[0]
    assert desk.key.sources()[0].others == {"temprature": "0.7"}


def test_the_key_holds_all_that_came_with_an_answer(desk):
    batch = desk.take(
        "id,source,text,licence,slice,gold,seat\n1,m,x,CC BY 4.0,hearsay,Yes,12B\n", name="run 7.csv"
    ).batch_id
    (kept,) = desk.key.sources()
    assert (kept.licence, kept.slice, kept.gold, kept.others) == (
        "CC BY 4.0",
        "hearsay",
        "Yes",
        {"seat": "12B"},
    )
    assert (kept.batch, kept.line) == (batch, 2)
    assert [(b.file_name, b.status) for b in desk.key.batches()] == [("run 7.csv", "done")]


def test_plain_strips_markdown_and_the_key_keeps_the_originals_hash(desk):
    desk.take("id,source,text\n1,m,## Issue **here**\n", plain=True)
    assert desk.texts() == {"1": "Issue here"}
    assert (
        desk.key.sources()[0].original_hash == intake_module.hashlib.sha256(b"## Issue **here**").hexdigest()
    )
    assert desk.take("id,source,text\n1,m,## Issue **here**\n", plain=True).unchanged == 1


def test_a_dry_run_stores_nothing_at_all(desk):
    before = desk.dump()
    taken = desk.take(TWO, dry_run=True)
    assert (taken.new, taken.batch_id) == (2, None)
    assert desk.dump() == before
    assert not desk.key.batches()


def test_rows_lie_in_another_order_than_the_file(desk):
    desk.take("id,source,text\n" + "".join(f"{n},s{n % 3},text {n}\n" for n in range(200)))
    bodies = [row["body"] for row in desk.bench.store.rows("SELECT body FROM kept_text ORDER BY rowid")]
    in_order = sum(int(b.split()[1]) == int(a.split()[1]) + 1 for a, b in pairwise(bodies))
    assert in_order < 20
    places = {r.response_id: r.deal_order for r in all_responses(desk.bench.store)}
    lines = [(kept.line, places[kept.response_id]) for kept in desk.key.sources()]
    assert sum(line - 1 == place for line, place in lines) < 20


def test_dealing_in_turn_gives_every_grader_the_same_mix_of_sources(desk):
    rows = [f"{n},{'quill' if n % 3 else 'assize'},t{n}\n" for n in range(120)]
    desk.take("id,source,text\n" + "".join(rows[:70]))
    desk.take("id,source,text\n" + "".join(rows[70:]), name="late.csv")
    source = {kept.response_id: kept.source for kept in desk.key.sources()}
    order = sorted(all_responses(desk.bench.store), key=lambda r: r.deal_order)
    for graders in range(2, 9):
        piles = [Counter(source[r.response_id] for r in order[at::graders]) for at in range(graders)]
        for name in ("quill", "assize"):
            counts = [pile[name] for pile in piles]
            assert max(counts) - min(counts) <= 3


def test_nothing_planted_above_the_line_is_found_below_it(desk):
    planted = [
        "PLANTEDID",
        "PLANTEDSOURCE",
        "PLANTEDPROMPT",
        "PLANTEDVERSION",
        "PLANTEDGOLD",
        "PLANTEDREASON",
    ]
    planted += ["PLANTEDLICENCE", "PLANTEDSLICE", "PLANTEDOTHER", "PLANTEDFILE", "0.7341", "99173"]
    head = "id,source,prompt_type,model_version,gold,finish_reason,licence,slice,PLANTEDOTHER-name,"
    head += "temperature,trial,text\n"
    row = ",".join(planted[:8]) + ",PLANTEDOTHER,0.7341,99173,An answer.\n"
    batch = desk.take(head + row, name="PLANTEDFILE.csv").batch_id
    desk.take(
        head + row.replace("PLANTEDID", "PLANTEDID2"), item="rule-deck", name="PLANTEDFILE.csv", plain=True
    )
    (kept, _) = desk.key.sources()
    below = [path for path in desk.folder.iterdir() if path.name.startswith("workbench.db")]
    assert {path.name for path in below} >= {"workbench.db", "workbench.db-wal"}
    content = b"".join(path.read_bytes() for path in below)
    assert b"An answer." in content
    file_hash = read_answers(desk.folder / "PLANTEDFILE.csv").hash
    for name in [*planted, batch, file_hash, kept.original_hash]:
        assert name.encode() not in content, name
        assert name.encode("utf-16-le") not in content, name
    assert b"PLANTEDSOURCE" in desk.key_file.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are POSIX's")
def test_the_key_is_readable_by_its_owner_alone(desk):
    desk.take(TWO)
    assert stat.S_IMODE(desk.key_file.stat().st_mode) == 0o600


def test_a_missing_key_is_not_begun_anew_once_there_are_answers(desk):
    desk.take(TWO)
    with pytest.raises(KeyProblem, match="holds answers"):
        open_or_create_key(desk.folder / "elsewhere.db", desk.bench.store)
    assert not (desk.folder / "elsewhere.db").exists()


def test_a_key_of_another_workspace_is_refused(desk, desks):
    other = desks()
    with pytest.raises(KeyProblem, match=f"belongs to workspace {other.bench.store.workspace_id}"):
        BlindingKey.open(other.key_file, desk.bench.store.workspace_id)


@pytest.mark.parametrize("content", [b"", b"not a database, but long enough to be one" * 50])
def test_a_file_that_is_no_key_is_refused(desk, content):
    path = desk.folder / "other.db"
    path.write_bytes(content)
    with pytest.raises(KeyProblem):
        open_or_create_key(path, desk.bench.store)


def test_the_workbench_itself_is_refused_as_a_key(desk):
    with pytest.raises(KeyProblem, match="not a blinding key"):
        BlindingKey.open(desk.folder / "workbench.db", desk.bench.store.workspace_id)


def test_an_older_copy_of_the_key_is_refused(desk):
    desk.take(TWO)
    older = desk.folder / "older.db"
    older.write_bytes(desk.key_file.read_bytes())
    desk.take("id,source,text\n3,Cay,Three\n", name="late.csv")
    desk.key.close()
    desk.key = BlindingKey.open(older, desk.bench.store.workspace_id)
    with pytest.raises(KeyProblem, match="does not know 1 of"):
        desk.take("id,source,text\n4,Dee,Four\n", name="later.csv")


class Broken(Exception):
    """Stands for a crash."""


@pytest.mark.parametrize("at", ["add_responses", "append"])
def test_a_failure_midway_leaves_nothing_in_either_database(desk, monkeypatch, at):
    def fail(*_, **__):
        raise Broken

    monkeypatch.setattr(intake_module, at, fail)
    with pytest.raises(Broken):
        desk.take(TWO)
    assert nothing_stored(desk)
    assert not desk.key.batches()
    monkeypatch.undo()
    assert desk.take(TWO).new == 2


def test_after_a_crash_before_the_workbench_was_written_the_key_forgets(desk, monkeypatch):
    def fail(*_, **__):
        raise Broken

    monkeypatch.setattr(intake_module, "add_responses", fail)
    monkeypatch.setattr(intake_module, "_settle_after_failure", lambda *_: None)
    with pytest.raises(Broken):
        desk.take(TWO)
    assert [batch.status for batch in desk.key.batches()] == ["pending"]
    monkeypatch.undo()
    assert desk.take(TWO).new == 2
    assert [batch.status for batch in desk.key.batches()] == ["done"]
    assert len(desk.key.sources()) == 2


def test_after_a_crash_before_the_key_was_marked_the_batch_is_done(desk, monkeypatch):
    def fail(*_):
        raise Broken

    monkeypatch.setattr(desk.key, "mark", fail)
    with pytest.raises(Broken):
        desk.take(TWO)
    monkeypatch.undo()
    assert desk.take(TWO).unchanged == 2
    assert [batch.status for batch in desk.key.batches()] == ["done"]


def test_a_full_disk_is_said_in_a_sentence_and_nothing_is_stored(desk):
    desk.take(TWO)
    pages = desk.bench.store.rows("PRAGMA page_count")[0][0]
    desk.pragma(f"max_page_count = {pages + 2}")
    with pytest.raises(StoreFull, match="Nothing was stored"):
        desk.take("id,source,text\n" + "".join(f"n{n},s,{'x' * 3000}\n" for n in range(50)), name="big.csv")
    assert desk.count("response") == 2
    assert len(desk.key.sources()) == 2


def test_a_full_disk_under_the_key_is_said_and_nothing_is_stored(desk):
    pages = desk.key._connection.execute("PRAGMA page_count").fetchone()[0]
    desk.key._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFull, match="blinding_key"):
        desk.take("id,source,text\n" + "".join(f"n{n},s{n},x\n" for n in range(500)))
    assert nothing_stored(desk)


def test_a_locked_database_is_said_in_a_sentence(desk):
    desk.take(TWO)
    desk.pragma("busy_timeout = 10")
    other = sqlite3.connect(desk.folder / "workbench.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(StoreBusy, match="Nothing was stored"):
            desk.take("id,source,text\n3,Cay,Three\n", name="late.csv")
    finally:
        other.close()
    assert len(desk.key.sources()) == 2


def test_a_locked_key_is_said_in_a_sentence(desk):
    desk.key._connection.execute("PRAGMA busy_timeout = 10")
    other = sqlite3.connect(desk.key_file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(StoreBusy, match="holds the key"):
            desk.take(TWO)
    finally:
        other.close()
    assert nothing_stored(desk)


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
IDS = st.lists(TEXT.filter(str.strip), min_size=1, max_size=8, unique=True)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(ids=IDS, data=st.data())
def test_any_ids_and_texts_come_through_csv_and_json_lines_unchanged(desks, ids, data):
    texts = data.draw(st.lists(TEXT, min_size=len(ids), max_size=len(ids)))
    sources = data.draw(st.lists(TEXT.filter(str.strip), min_size=len(ids), max_size=len(ids)))
    rows = list(zip(ids, sources, texts, strict=True))
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([("id", "source", "text"), *rows])
    lines = [json.dumps({"id": i, "source": s, "text": t}) for i, s, t in rows]
    desk = desks()
    desk.take(out.getvalue())
    desk.take("\n".join(lines), name="answers.jsonl", item="rule-deck")
    for item in ("mee-barge", "rule-deck"):
        kept = desk.key.sources(item=item)
        assert sorted((k.sender_id, k.source) for k in kept) == sorted((i, s) for i, s, _ in rows)
    assert desk.texts() == dict(zip(ids, texts, strict=True))
    assert desk.take(out.getvalue()).unchanged == len(ids)


def test_take_in_needs_no_clock_of_its_own(desk):
    taken = take_in(desk.bench, desk.key, read_answers(desk.file(TWO)), "mee-barge", desk.actor)
    assert [b.at for b in desk.key.batches() if b.batch_id == taken.batch_id] == ["2026-07-28T12:00:00.000Z"]
