from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import graded_rounds
import pytest
from automatic_rereads import with_a_reread
from click.testing import CliRunner
from graded_rounds import NOW, PEOPLE, SIMULATED, GradedRound, build_round, grade_all

from grader_app.cli.main import cli
from grader_app.domain.grade import GradeEntry
from grader_app.domain.highlight import Highlight
from grader_app.domain.panel import Role
from grader_app.errors import ExportProblem
from grader_app.export.appeal_packet import AppealPacket, appeal_packet
from grader_app.export.appeal_page import appeal_bytes
from grader_app.export.folder import read_results, write_export
from grader_app.export.results import Results
from grader_app.store.event_log import read_events
from grader_app.workflow.accounts import add_account
from grader_app.workflow.adjudication import adjudicate, look_first
from grader_app.workflow.grade_submission import correct_grade

LEAD = "Peregrine Capercaillie"
REASON = "The second reader missed that control passed with the towline."
NOTE = "Counted the barge twice."
ANSWER = 6  # both reads of this candidate's answers are in


@pytest.fixture(scope="module")
def appealed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[GradedRound, Path]]:
    """A round that releases notes, with a dispute settled, and its export."""
    patch = pytest.MonkeyPatch()
    patch.setattr(graded_rounds, "ROUND", graded_rounds.ROUND + "release:\n  notes: released\n")
    made = build_round(tmp_path_factory.mktemp("appealed") / "workspace", answers=12)
    patch.undo()
    grade_all(made)
    lead = add_account(made.bench, made.actor, LEAD, Role.LEAD)[0].account_id
    disputed = made.ids["mee-barge", 1]
    look_first(made.bench, lead, disputed, GradeEntry(score=4))
    adjudicate(made.bench, lead, disputed, GradeEntry(score=3, points=("duty.rule",)), reason=REASON)
    grade = read_results(made.bench.store).record.reads(made.ids["mee-crane", ANSWER])[0]
    entry = GradeEntry(
        score=grade.score, points=("duty.rule",), highlights=(Highlight(0, 6, "point", "duty.rule"),)
    )
    correct_grade(
        made.bench, grade.grader_id, grade.assignment_id, entry, token=secrets.token_hex(8), note=NOTE,
        reason="I had not ticked the point.",
    )  # fmt: skip
    yield made, write_export(made.bench.store, made.path / "exports", NOW)
    made.bench.store.close()


def results_of(made: GradedRound) -> Results:
    return read_results(made.bench.store)


def packet_of(made: GradedRound, place: int) -> AppealPacket:
    return appeal_packet(results_of(made), made.candidates[place])


def page_of(made: GradedRound, place: int) -> str:
    return unescape(appeal_bytes(results_of(made), packet_of(made, place)).decode("utf-8"))


def test_the_packet_names_no_other_candidate_no_grader_and_no_account(
    appealed: tuple[GradedRound, Path],
) -> None:
    made, _ = appealed
    events = list(read_events(made.bench.store))
    people = {event.actor for event in events} | {e.subject for e in events if e.kind == "AccountAdded"}
    assignments = set(results_of(made).record.assignments)
    for place in (1, ANSWER, 11):
        page = page_of(made, place)
        own = {made.ids[item, place] for item in ("mee-barge", "mee-crane", "rule-ferry")}
        assert made.candidates[place] in page
        assert all(response_id in page for response_id in own)
        hidden = [*(set(made.candidates) - {made.candidates[place]}), *(set(made.ids.values()) - own)]
        hidden += [*people, *assignments, *PEOPLE, SIMULATED, LEAD, graded_rounds.CLI_USER]
        assert [word for word in hidden if word in page] == []


def test_the_packet_gives_no_time_of_a_read(appealed: tuple[GradedRound, Path]) -> None:
    made, _ = appealed
    assert re.findall(r"2026-11-\d\d|T\d\d:\d\d", page_of(made, 1)) == []


def test_every_read_stands_with_its_score_and_its_points(appealed: tuple[GradedRound, Path]) -> None:
    made, _ = appealed
    results = results_of(made)
    for place in range(12):
        for answer in packet_of(made, place).answers:
            reads = results.record.judgments(answer.response_id)
            shown = [one for one in answer.judgments if one.name != "Adjudicator"]
            assert sorted(one.name for one in shown) == [f"Reader {n}" for n in range(1, len(reads) + 1)]
            codes = {"blank": "Blank", "off-topic": "Off topic"}
            scores = sorted(codes.get(g.condition_code or "") or f"{g.score:g}" for g in reads)
            assert sorted(one.judged for one in shown) == scores
    ticked = next(one for one in packet_of(made, ANSWER).answers if one.item == "mee-crane")
    assert [one.points for one in ticked.judgments if one.points] == [("Point 1: A duty needs control.",)]
    passages = [(p.start, p.end, p.shows, p.words) for one in ticked.judgments for p in one.passages]
    assert passages == [(0, 6, "A duty needs control.", None)]


def test_an_adjudicated_answer_counts_the_adjudicator_alone(appealed: tuple[GradedRound, Path]) -> None:
    made, _ = appealed
    answer = next(one for one in packet_of(made, 1).answers if one.item == "mee-barge")
    assert answer.final == 3
    assert {one.name: one.counts for one in answer.judgments} == {
        "Reader 1": False,
        "Reader 2": False,
        "Adjudicator": True,
    }


def test_the_numbers_of_readers_do_not_follow_the_order_of_reading(
    appealed: tuple[GradedRound, Path],
) -> None:
    made, _ = appealed
    results, first_is_one = results_of(made), []
    for place in range(12):
        for answer in packet_of(made, place).answers:
            reads = [read for read in results.record.reads(answer.response_id) if read.score is not None]
            if len(reads) == 2 and reads[0].score != reads[1].score:
                first_is_one.append(answer.judgments[0].judged == f"{reads[0].score:g}")
    assert 0 < sum(first_is_one) < len(first_is_one)


def test_the_arithmetic_in_the_packet_ends_in_the_total_of_the_export(
    appealed: tuple[GradedRound, Path],
) -> None:
    made, _ = appealed
    packet = packet_of(made, 1)
    assert packet.worked is not None
    assert packet.scaled is not None
    assert packet.worked.lines[-1].result == str(packet.scaled.total)
    assert packet.bars is not None
    assert packet.covers[-1] == "Neither line covers the MBE's own error."


def test_the_first_page_sets_the_wider_interval_beside_the_total(
    appealed: tuple[GradedRound, Path],
) -> None:
    made, _ = appealed
    first = page_of(made, ANSWER).split("</section>")[0]
    packet = packet_of(made, ANSWER)
    assert packet.bars is not None
    assert packet.scaled is not None
    bars = {"readers, questions and pool": packet.bars.everything, "readers only": packet.bars.readers}
    what = "total" if packet.scaled.total is not None else "written scaled score"
    lines = [
        f'<td>95 % interval of the {what}: {said}</td><td class="number">{bar.low:.1f} to {bar.high:.1f}</td>'
        for said, bar in bars.items()
        if bar is not None
    ]
    assert lines
    places = [first.index(line) for line in lines]
    assert places == sorted(places)


def test_a_read_that_does_not_count_is_explained(appealed: tuple[GradedRound, Path]) -> None:
    made, _ = appealed
    said = "A read that does not count for the final score"
    for place in (1, ANSWER):
        uncounted = [j for one in packet_of(made, place).answers for j in one.judgments if not j.counts]
        assert (said in page_of(made, place)) == bool(uncounted)
    assert said in page_of(made, 1)


def test_new_york_never_discloses_the_read_before_an_automatic_reread(graded: GradedRound) -> None:
    results, response_id, before, _ = with_a_reread(graded, "new_york")
    packet = appeal_packet(results, graded.candidates[7])
    assert packet.preset == "new_york"
    answer = next(one for one in packet.answers if one.response_id == response_id)
    assert [one.name for one in answer.judgments] == ["Reader 1"]
    assert answer.says == "Read again automatically. By the board's rule earlier scores are not disclosed."
    later = next(g for g in results.grades if g.response_id == response_id and g.event_seq != before)
    assert answer.judgments[0].judged == f"{later.score:g}"
    others = [one for one in packet.answers if one.response_id != response_id]
    assert [len(one.judgments) for one in others] == [2, 2]


def test_a_packet_never_discloses_more_than_the_round_allows(graded: GradedRound) -> None:
    results = with_a_reread(graded, "new_york")[0]
    with pytest.raises(ExportProblem, match="never disclosed"):
        appeal_packet(results, graded.candidates[7], "full")
    freely, response_id, *_ = with_a_reread(graded, "none")
    for preset, n in (("full", 2), ("new_york", 1)):
        answers = appeal_packet(freely, graded.candidates[7], preset).answers
        assert [len(one.judgments) for one in answers if one.response_id == response_id] == [n]


def test_a_candidate_without_a_composite_is_told_why(appealed: tuple[GradedRound, Path]) -> None:
    made, _ = appealed
    page = page_of(made, 2)  # a read of this candidate's answer is out
    assert "There is no written scaled score. No final score for mee-barge: waiting" in page


def test_released_reasons_are_printed_only_where_their_words_are_at_hand(
    appealed: tuple[GradedRound, Path], tmp_path: Path
) -> None:
    made, export = appealed
    run = CliRunner().invoke
    plain, worded = tmp_path / "plain.html", tmp_path / "worded.html"
    candidate = made.candidates[1]
    first = run(cli, ["appeal", str(export), candidate, "--out", str(plain)])
    assert (first.exit_code, first.output.strip()) == (0, str(plain))
    assert REASON not in unescape(plain.read_text("utf-8"))
    assert "Reason given: Something was written here. Its words are not at hand." in plain.read_text("utf-8")
    assert "Their words are printed below as far as they were at hand." in plain.read_text("utf-8")
    at = ["--workspace", str(made.path)]
    assert run(cli, ["appeal", str(export), candidate, "--out", str(worded), "--texts", *at]).exit_code == 0
    assert f"Reason given: {REASON}" in unescape(worded.read_text("utf-8"))
    assert "They are printed below." in worded.read_text("utf-8")
    assert "as far as they were at hand" not in worded.read_text("utf-8")


def test_an_answer_judged_without_a_word_is_not_said_to_have_words_below(
    appealed: tuple[GradedRound, Path],
) -> None:
    made, _ = appealed
    packet = packet_of(made, 1)
    silent = replace(packet, answers=tuple(replace(one, n_notes=0) for one in packet.answers))
    page = appeal_bytes(results_of(made), silent).decode()
    assert page.count("No judgment of this answer was given with a written reason or note.") == len(
        silent.answers
    )
    assert "printed below" not in page


def test_highlights_have_their_words_with_texts_alone(
    appealed: tuple[GradedRound, Path], tmp_path: Path
) -> None:
    made, export = appealed
    path = tmp_path / "worded.html"
    asked = ["appeal", str(export), made.candidates[ANSWER], "--out", str(path)]
    CliRunner().invoke(cli, [*asked, "--texts", "--workspace", str(made.path)])
    assert "<td>0 to 6</td><td>A duty needs control.</td><td>Answer</td>" in path.read_text("utf-8")
    assert NOTE in path.read_text("utf-8")
    assert "The export holds no texts" in page_of(made, ANSWER)


def test_without_a_release_no_reason_is_in_the_packet_even_with_texts(
    graded: GradedRound, exported: Path, tmp_path: Path
) -> None:
    path = tmp_path / "packet.html"
    asked = ["appeal", str(exported), graded.candidates[6], "--out", str(path), "--texts"]
    assert CliRunner().invoke(cli, [*asked, "--workspace", str(graded.path)]).exit_code == 0
    assert "nobody's business" not in unescape(path.read_text("utf-8"))
    assert "The round releases no reasons and no notes." in path.read_text("utf-8")


def test_a_packet_is_never_written_over_a_file(graded: GradedRound, exported: Path, tmp_path: Path) -> None:
    path = tmp_path / "packet.html"
    path.write_text("mine", encoding="utf-8")
    done = CliRunner().invoke(cli, ["appeal", str(exported), graded.candidates[6], "--out", str(path)])
    assert (done.exit_code, path.read_text("utf-8")) == (1, "mine")
    assert "this file is there already" in done.output


def test_an_unknown_candidate_gets_a_sentence(graded: GradedRound) -> None:
    with pytest.raises(ExportProblem, match="no candidate C-1001"):
        appeal_packet(results_of(graded), "C-1001")


def test_an_edited_log_gives_no_packet(export_copy: Path, graded: GradedRound, tmp_path: Path) -> None:
    path = export_copy / "events.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"score":4', b'"score":6', 1))
    asked = ["appeal", str(export_copy), graded.candidates[6], "--out", str(tmp_path / "packet.html")]
    done = CliRunner().invoke(cli, asked)
    assert done.exit_code == 1
    assert not (tmp_path / "packet.html").exists()
    assert done.output.startswith("events.jsonl")


def test_the_same_export_gives_the_same_bytes(graded: GradedRound, exported: Path, tmp_path: Path) -> None:
    pages = [tmp_path / "one.html", tmp_path / "two.html"]
    for path in pages:
        CliRunner().invoke(cli, ["appeal", str(exported), graded.candidates[6], "--out", str(path)])
    assert pages[0].read_bytes() == pages[1].read_bytes()
