"""Re-reads in an export: beside their first scores, recomputed by `verify`, and found when forged."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from graded_rounds import NOW
from reads_of_one_answer import ADJUDICATED, correct, judged, live_reads
from release_steps import lead
from reread_pools import SCORES, answers, near_the_line, pool, rereads, rule
from small_workspace import SmallWorkspace, make_workspace
from tampering import change, repair_fingerprints

from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import Event
from grader_app.domain.grade import GradeEntry
from grader_app.errors import ExportProblem, VerificationFailed
from grader_app.export.appeal_packet import AppealPacket, appeal_packet
from grader_app.export.appeal_page import appeal_bytes
from grader_app.export.folder import write_export
from grader_app.export.json_lines import parse_events, parse_inputs
from grader_app.export.protocol_card import protocol_card
from grader_app.export.protocol_step import Step
from grader_app.export.results import Results
from grader_app.export.verify import verify_export
from grader_app.store.event_log import read_events
from grader_app.store.inputs import read_inputs
from grader_app.store.integrity import check_store
from grader_app.store.reread_integrity import reread_faults
from grader_app.workflow.adjudication import adjudicate, look_first, raise_dispute
from grader_app.workflow.author_flags import flag_author
from grader_app.workflow.rereads import begin_rereads

Make = Callable[..., SmallWorkspace]
Read = tuple[SmallWorkspace, tuple[str, str], Path]


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Read]:
    """One answer read again and a third time, one read again within the gap; and its export."""

    def make(**options: Any) -> SmallWorkspace:
        return make_workspace(tmp_path_factory.mktemp("reread") / "w", **options)

    small = pool(make, rule("mean_unless_apart_then_third", 1))
    begin_rereads(small.bench, small.actor)
    below, above = near_the_line(small)
    small.submit(rereads(small, below)[0], 6)
    small.submit(rereads(small, below)[1], 5)
    small.submit(rereads(small, above)[0], 2)
    yield small, (below, above), write_export(small.bench.store, small.path / "exports", NOW)
    small.bench.store.close()


def rows_of(path: Path, file: str) -> list[dict[str, str]]:
    with (path / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_each_re_read_stands_beside_its_first_score_and_says_whether_it_counts(read: Read) -> None:
    _, (below, above), path = read
    found = [
        (row["response_id"], row["kind"], row["value"], row["first_score"], row["counts"])
        for row in rows_of(path, "adjudications.csv")
    ]
    assert found == [
        (below, "re-read", "6", "3", "no"),
        (below, "re-read", "5", "3", "yes"),
        (above, "re-read", "2", "3", "yes"),
    ]


def test_it_names_the_judgments_it_was_read_against(read: Read) -> None:
    small, (below, _), path = read
    with small.bench.record() as record:
        (first,) = record.reads(below)
        second = record.judgments(below)[1]
    about = [row["about_events"] for row in rows_of(path, "adjudications.csv")]
    assert about[:2] == [str(first.event_seq), f"{first.event_seq} {second.event_seq}"]


def test_scores_keep_the_first_as_raw_and_grades_hold_first_reads_alone(read: Read) -> None:
    _, ids, path = read
    scores = {row["response_id"]: row for row in rows_of(path, "scores.csv")}
    assert [(scores[r]["raw"], scores[r]["final"]) for r in ids] == [("3", "5"), ("3", "2.5")]
    assert scores[ids[0]]["note"].endswith("settled by a re-read")
    assert len(rows_of(path, "grades.csv")) == 8


def test_the_report_says_how_many_rose_and_fell(read: Read) -> None:
    page = (read[2] / "report.html").read_text(encoding="utf-8")
    assert "Answers sent: 2. Read: 2, of which 1 rose, 1 fell and 0 stayed." in page


def test_it_verifies_and_an_edited_re_read_is_found(read: Read, tmp_path: Path) -> None:
    small, _, path = read
    verify_export(path)
    check_store(small.bench.store)
    copy = Path(shutil.copytree(path, tmp_path / path.name))
    change(copy, "adjudications.csv", lambda data: data.replace(b",score,2,3,", b",score,4,3,", 1))
    repair_fingerprints(copy)
    with pytest.raises(VerificationFailed, match=r"adjudications\.csv, line"):
        verify_export(copy)


@pytest.mark.parametrize(
    ("forged", "says"),
    [
        ({"rule": "higher", "gap": None}, "follows the rule higher, and the round then said mean_unless"),
        ({"gap": 6}, "follows the rule"),
        ({"papers": [{"response_id": "r-other", "settles": []}]}, "names an answer that was never dealt"),
        ({"papers": []}, "was never asked for"),
    ],
)
def test_a_forged_beginning_is_named(read: Read, forged: dict[str, Any], says: str) -> None:
    small = read[0]
    events = list(read_events(small.bench.store))
    assert faults(small, events) == []
    at = next(n for n, e in enumerate(events) if e.kind == "RereadsBegun")
    events[at] = events[at]._replace(body_json=canonical_json({**events[at].body, **forged}))
    assert any(says in fault for fault in faults(small, events))


def test_a_settled_event_of_another_answer_is_named(read: Read) -> None:
    small = read[0]
    events = list(read_events(small.bench.store))
    at = next(n for n, e in enumerate(events) if e.kind == "RereadsBegun")
    first, second = events[at].body["papers"]
    papers = [{**first, "settles": second["settles"]}, second]
    events[at] = events[at]._replace(body_json=canonical_json({**events[at].body, "papers": papers}))
    assert any("which is no judgment of the answer before it" in fault for fault in faults(small, events))


def test_a_re_read_by_an_earlier_reader_is_named(read: Read) -> None:
    small, (below, _), _ = read
    events = list(read_events(small.bench.store))
    earlier = live_reads(small, below)[0].grader_id
    at = next(
        n
        for n, e in enumerate(events)
        if e.kind == "AnswersDealt"
        and any((row["response_id"], row.get("kind")) == (below, "reread") for row in e.body["assignments"])
    )
    events[at] = events[at]._replace(body_json=canonical_json({**events[at].body, "grader_id": earlier}))
    assert any("went to a grader who had the answer before" in fault for fault in faults(small, events))


def test_one_begun_after_reveal_is_named(read: Read) -> None:
    small = read[0]
    events = list(read_events(small.bench.store))
    at = next(n for n, e in enumerate(events) if e.kind == "RereadsBegun")
    shown = events[at]._replace(kind="SourcesRevealed", body_json='{"response_ids":[]}')
    said = faults(small, [*events[:at], shown, *events[at:]])
    assert any("came after sources were revealed" in fault for fault in said)


def faults(small: SmallWorkspace, events: list[Event]) -> list[str]:
    files = read_inputs(small.bench.store).files
    rounds = {digest: kept["content"] for digest, kept in files.items() if kept["kind"] == "round"}
    return list(reread_faults(events, rounds))


def test_new_york_never_discloses_the_score_before_a_re_read(tmp_path: Path) -> None:
    def make(**options: Any) -> SmallWorkspace:
        return make_workspace(tmp_path / "w", **options)

    small = pool(make, rule("replace") + "release:\n  redaction: new_york\n")
    begin_rereads(small.bench, small.actor)
    below, above = near_the_line(small)
    for response_id, score in ((below, 5), (above, 1)):
        small.submit(rereads(small, response_id)[0], score)
    path = write_export(small.bench.store, small.path / "exports", NOW)
    small.bench.store.close()
    scores = {row["response_id"]: row for row in rows_of(path, "scores.csv")}
    assert [(scores[one]["raw"], scores[one]["final"]) for one in (below, above)] == [("", "5"), ("", "1")]
    assert not [row for row in rows_of(path, "grades.csv") if row["response_id"] in (below, above)]
    again = {row["response_id"]: row for row in rows_of(path, "adjudications.csv")}
    assert [(again[one]["value"], again[one]["first_score"]) for one in (below, above)] == [
        ("5", ""),
        ("1", ""),
    ]
    assert all("fell" not in text and "rose" not in text for text in (page_of(path, "report.html"),))
    verify_export(path)
    packet = packet_of(path, scores[below]["candidate_id"])
    (answer,) = packet.answers
    assert [(one.name, one.judged, one.counts) for one in answer.judgments] == [("Reader 1", "5", True)]


def test_the_report_sets_pass_or_fail_beside_interval_and_chance(make: Make) -> None:
    def judged_in(small: SmallWorkspace, hour: int) -> list[str]:
        path = write_export(small.bench.store, small.path / "exports", NOW + timedelta(hours=hour))
        page = page_of(path, "report.html")
        assert re.search(
            r"readers only</th>\s*<th[^>]*>against 266</th>\s*<th[^>]*>another panel passes", page
        )
        table = page.split("<caption>Totals, or written", 1)[1].split("</table>", 1)[0]
        return re.findall(r">(passes|fails|to be read again)</td>", table)

    small = pool(make)
    assert sorted(judged_in(small, 0)) == ["fails"] * 3 + ["passes"] * 3 + ["to be read again"] * 2
    begin_rereads(small.bench, small.actor)
    for response_id in near_the_line(small):
        small.submit(rereads(small, response_id)[0], 3)
    assert sorted(judged_in(small, 1)) == ["fails"] * 4 + ["passes"] * 4


def test_the_report_shows_no_total_on_the_line_as_failing(make: Make) -> None:
    def exported(line: float) -> tuple[list[float], str]:
        small = pool(make, f"cut:\n  total: {line!r}\nscaling:\n  rounding: none\n")
        path = write_export(small.bench.store, small.path / "exports", NOW)
        table = page_of(path, "report.html").split("<caption>Totals, or written", 1)[1]
        return [float(row["total"]) for row in rows_of(path, "scaled.csv")], table.split("</table>", 1)[0]

    totals, _ = exported(266)
    below = next(total for total in totals if float(f"{total:g}") > total + 1e-8)
    line = float(f"{below:g}")
    table = exported(line)[1]
    shown = re.findall(r">([\d.]+)</td>(?:(?!</tr>).)*>(passes|fails)<", table, re.DOTALL)
    assert (f"{below:.10g}", "fails") in shown
    assert all((float(said) >= line) == (verdict == "passes") for said, verdict in shown)


def test_new_york_names_no_answer_read_again_among_those_on_which_readers_differ(make: Make) -> None:
    def differ(redaction: str) -> tuple[set[str], str]:
        said = rule("replace") + f"release:\n  redaction: {redaction}\n"
        small = pool(make, said, reading="reads: 2\nresolve_when_apart_by_more_than: 2")
        below, _ = near_the_line(small)
        correct(small, live_reads(small, below)[0], 4)
        begin_rereads(small.bench, small.actor)
        results = Results(list(read_events(small.bench.store)), read_inputs(small.bench.store))
        (facet,) = results.agreement["facets"]
        return {one["response"] for one in facet["disagreement"]["responses"]}, below

    openly, below = differ("none")
    assert below in openly
    withheld, below = differ("new_york")
    assert below not in withheld
    assert len(withheld) == len(openly) - 1


def test_new_york_gives_no_mean_of_flagged_answers_that_tells_a_score_before_a_re_read(make: Make) -> None:
    small = pool(make, rule("replace") + "release:\n  redaction: new_york\n")
    below, _ = near_the_line(small)
    (first,) = live_reads(small, below)
    flag_author(small.bench, first.grader_id, first.assignment_id, token="flag")
    begin_rereads(small.bench, small.actor)
    results = Results(list(read_events(small.bench.store)), read_inputs(small.bench.store))
    (found,) = results.flagged
    assert (found.flagged.n, found.flagged.mean) == (0, None)
    assert found.others.n == 6


def card_of(small: SmallWorkspace) -> tuple[Step, ...]:
    return protocol_card(Results(list(read_events(small.bench.store)), read_inputs(small.bench.store)))


def page_of(path: Path, file: str) -> str:
    return (path / file).read_text("utf-8")


def packet_of(path: Path, candidate_id: str) -> AppealPacket:
    events = parse_events((path / "events.jsonl").read_bytes())
    return appeal_packet(Results(events, parse_inputs((path / "inputs.jsonl").read_bytes())), candidate_id)


def test_under_new_york_nothing_before_a_re_read_is_disclosed_while_it_is_awaited(make: Make) -> None:
    small = pool(make, rule("replace") + "release:\n  redaction: new_york\n")
    path = write_export(small.bench.store, small.path / "exports", NOW)
    candidates = {row["response_id"]: row["candidate_id"] for row in rows_of(path, "scores.csv")}
    below, above = near_the_line(small)
    for response_id in (below, above):
        with pytest.raises(ExportProblem, match="no score before it is disclosed"):
            packet_of(path, candidates[response_id])
    begin_rereads(small.bench, small.actor)
    path = write_export(small.bench.store, small.path / "exports", NOW + timedelta(hours=1))
    for response_id in (below, above):
        (answer,) = packet_of(path, candidates[response_id]).answers
        assert (answer.final, answer.judgments, answer.n_notes) == (None, (), 0)
        assert answer.says.startswith("Being read again automatically.")
    scores = {row["response_id"]: row for row in rows_of(path, "scores.csv")}
    assert {scores[one]["raw"] for one in (below, above)} == {""}
    assert not [row for row in rows_of(path, "grades.csv") if row["response_id"] in (below, above)]
    others = [one for one in candidates if one not in (below, above)]
    assert all(len(packet_of(path, candidates[one]).answers[0].judgments) == 1 for one in others)
    verify_export(path)


def test_a_re_read_is_no_dispute(make: Make) -> None:
    small = pool(make, rule("replace"))
    begin_rereads(small.bench, small.actor)
    for response_id in near_the_line(small):
        small.submit(rereads(small, response_id)[0], 4)
    (card,) = [one for one in card_of(small) if one.name == "disputes_settled"]
    assert (card.followed, card.says) == ("not_applicable", "No dispute stands in the record.")


def test_a_dispute_settled_before_its_re_read_stays_a_settled_dispute(make: Make) -> None:
    small = pool(make, rule("replace"), graded=False, reading=ADJUDICATED, graders=6)
    below, above = near_the_line(small)
    for response_id, score in zip(answers(small), SCORES, strict=True):
        for one in live_reads(small, response_id):
            small.submit(one, 6 if (response_id, one.read_number) == (below, 2) else score)
    look_first(small.bench, small.actor, below, judged(3))
    adjudicate(small.bench, small.actor, below, judged(3))
    begin_rereads(small.bench, small.actor)
    for response_id in (below, above):
        small.submit(rereads(small, response_id)[0], 4)
    (card,) = [one for one in card_of(small) if one.name == "disputes_settled"]
    assert (card.followed, len(card.events)) == ("yes", 1)
    assert card.says.startswith("1 of 1 disputes are settled")
    page = page_of(write_export(small.bench.store, small.path / "exports", NOW), "report.html")
    assert "Settled by an adjudicator: 1." in page


@pytest.mark.parametrize("how", ["mean", "higher"])
def test_asked_for_like_new_york_a_packet_tells_no_score_that_the_first_could_be_worked_out_from(
    make: Make, how: str
) -> None:
    small = pool(make, rule(how))
    begin_rereads(small.bench, small.actor)
    below, above = near_the_line(small)
    small.submit(rereads(small, below)[0], 5)
    small.submit(rereads(small, above)[0], 2)
    results = Results(list(read_events(small.bench.store)), read_inputs(small.bench.store))
    for response_id, final in ((below, 4 if how == "mean" else 5), (above, 2.5 if how == "mean" else 3)):
        candidate = str(results.record.candidate_of(response_id))
        (answer,) = appeal_packet(results, candidate, "new_york").answers
        assert (answer.final, answer.judgments) == (final, ())
        assert answer.says.startswith("Read again automatically.")
        (openly,) = appeal_packet(results, candidate, "full").answers
        assert len(openly.judgments) == 2


def test_the_first_page_and_the_packet_say_who_in_the_band_is_still_to_be_read_again(
    tmp_path: Path,
) -> None:
    small = pool(lambda **how: make_workspace(tmp_path / "w", **how), rule())
    before = write_export(small.bench.store, small.path / "exports", NOW)
    assert "the band that is read again: 2.</p>" in page_of(before, "report.html")
    below, _ = near_the_line(small)
    candidate = {row["response_id"]: row["candidate_id"] for row in rows_of(before, "scores.csv")}[below]
    assert '<td>Passes</td><td class="number">not decided: to be read again</td>' in packet_page(
        before, candidate
    )
    begin_rereads(small.bench, small.actor)
    for response_id in near_the_line(small):
        small.submit(rereads(small, response_id)[0], 3)
    after = write_export(small.bench.store, small.path / "exports", NOW + timedelta(hours=1))
    assert "the band that is read again: 2. Read again already: all of them." in page_of(after, "report.html")
    assert '<td>Passes</td><td class="number">no</td>' in packet_page(after, candidate)
    small.bench.store.close()


def packet_page(path: Path, candidate_id: str) -> str:
    events, inputs = ((path / f"{name}.jsonl").read_bytes() for name in ("events", "inputs"))
    results = Results(parse_events(events), parse_inputs(inputs))
    return unescape(appeal_bytes(results, appeal_packet(results, candidate_id)).decode("utf-8"))


def test_a_re_read_is_no_dispute_and_an_adjudicated_first_score_still_counts_in_its_mean(
    tmp_path: Path,
) -> None:
    small = pool(
        lambda **how: make_workspace(tmp_path / "w", **how),
        rule(),
        reading="reads: 2\nresolve_when_apart_by_more_than: 1",
    )
    below, above = near_the_line(small)
    lead_id = lead(small, "pat")
    raise_dispute(small.bench, lead_id, below, "A sentence was overlooked.")
    entry = GradeEntry(score=3)
    look_first(small.bench, lead_id, below, entry)
    adjudicate(small.bench, lead_id, below, entry)
    begin_rereads(small.bench, small.actor)
    for response_id in (below, above):
        small.submit(rereads(small, response_id)[0], 3)
    path = write_export(small.bench.store, small.path / "exports", NOW)
    steps = json.loads((path / "protocol.json").read_bytes())["steps"]
    (said,) = [step["says"] for step in steps if step["name"] == "disputes_settled"]
    assert said.startswith("1 of 1 disputes")
    assert "Settled by an adjudicator: 1. By a third read: 0. Open: 0." in page_of(path, "report.html")
    kinds = {
        (row["kind"], row["response_id"]): row["counts"]
        for row in rows_of(path, "adjudications.csv")
        if row["kind"] in ("adjudication", "re-read")
    }
    assert kinds == {("adjudication", below): "yes", ("re-read", below): "yes", ("re-read", above): "yes"}
    candidate = {row["response_id"]: row["candidate_id"] for row in rows_of(path, "scores.csv")}[below]
    (answer,) = packet_of(path, candidate).answers
    assert [one.counts for one in answer.judgments if one.name == "Adjudicator"] == [True]
    verify_export(path)
    small.bench.store.close()
