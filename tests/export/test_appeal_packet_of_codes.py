"""What an appeal packet says of reads where a condition code decides, and where nobody has decided yet."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape

from reads_of_one_answer import THIRD, an_answer, judged, live_reads, read, third_reads
from small_workspace import SmallWorkspace

from grader_app.domain.counted_reads import counted_readers
from grader_app.export.appeal_packet import appeal_packet
from grader_app.export.appeal_page import appeal_bytes
from grader_app.export.results import Results
from grader_app.store.event_log import read_events
from grader_app.store.inputs import read_inputs
from grader_app.workflow.coded_answers import decide_code
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.referrals import exclude

Make = Callable[..., SmallWorkspace]
TWO = "reads: 2\nresolve_when_apart_by_more_than: 1"
EXPLAINED = "A read that does not count for the final score"


def pages(small: SmallWorkspace) -> tuple[list[str], str]:
    """The headings over the reads of the first answer, put in order, and the whole page."""
    results = Results(list(read_events(small.bench.store)), read_inputs(small.bench.store))
    packet = appeal_packet(results, str(results.record.candidate_of(an_answer(small))))
    page = unescape(appeal_bytes(results, packet).decode("utf-8"))
    headings = [line.split(": ", 1)[1] for line in page.split("<h3>")[1:]]
    return sorted(line.split("</h3>")[0] for line in headings), page


def third_reader(make: Make, rule: str, *gave: float | str) -> SmallWorkspace:
    small = make(graders=4, answers=1, items=("mee-barge",), reading=f"{THIRD}\nthird_read_counts: {rule}")
    read(small, an_answer(small), *gave[:2])
    (third,) = third_reads(small, an_answer(small))
    small.submit(third, entry=judged(gave[2]))
    return small


def test_reads_whose_code_decides_count_for_the_final_score(make: Make) -> None:
    small = make(answers=1, items=("mee-barge",), reading=TWO)
    read(small, an_answer(small), "blank", "blank")
    said, page = pages(small)
    assert said == ["Blank (counts for the final score)"] * 2
    assert EXPLAINED not in page


def test_a_code_that_leaves_no_score_is_why_there_is_none(make: Make) -> None:
    small = make(answers=1, items=("mee-barge",), reading=TWO)
    read(small, an_answer(small), "off-topic", "off-topic")
    assert pages(small)[0] == ["Off topic (is why there is no final score)"] * 2
    decide_code(small.bench, small.actor, an_answer(small), "zero")
    assert pages(small)[0] == ["Off topic (counts for the final score)"] * 2


def test_a_third_read_that_agrees_on_a_code_counts_with_the_read_it_agrees_with(make: Make) -> None:
    said, page = pages(third_reader(make, "nearest", "blank", 4, "blank"))
    assert said == ["4 (does not count for the final score)"] + ["Blank (counts for the final score)"] * 2
    assert EXPLAINED in page


def test_a_third_read_that_replaces_counts_alone_whatever_was_given_before(make: Make) -> None:
    assert pages(third_reader(make, "replace", "blank", 4, "blank"))[0] == [
        "4 (does not count for the final score)",
        "Blank (counts for the final score)",
        "Blank (does not count for the final score)",
    ]
    small = third_reader(make, "replace", "blank", "off-topic", 3)
    (third,) = third_reads(small, an_answer(small))
    with small.bench.record() as record:
        assert counted_readers(record, an_answer(small)) == (third.grader_id,)
    assert pages(small)[0] == [
        "3 (counts for the final score)",
        "Blank (does not count for the final score)",
        "Off topic (does not count for the final score)",
    ]


def test_while_nobody_has_decided_no_read_is_said_to_have_given_way(make: Make) -> None:
    small = make(answers=1, items=("mee-barge",), reading=TWO)
    read(small, an_answer(small), 1, 4)
    said, page = pages(small)
    assert said == ["1 (there is no final score yet)", "4 (there is no final score yet)"]
    assert EXPLAINED not in page


def test_an_answer_taken_out_of_the_round_rests_on_no_read(make: Make) -> None:
    small = make(graders=3, answers=1, items=("mee-barge",), reading=TWO)
    coded, other = live_reads(small, an_answer(small))
    small.submit(coded, entry=judged("blank"))
    refer_to_lead(small.bench, other.grader_id, other.assignment_id, "other", token="t")
    exclude(small.bench, small.actor, other.assignment_id, "A page is missing.")
    assert pages(small)[0] == ["Blank (does not count for the final score)"]
