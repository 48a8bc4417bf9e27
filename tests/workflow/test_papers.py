from __future__ import annotations

from collections.abc import Callable

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.grade import GradeEntry
from grader_app.errors import NotAllowed
from grader_app.workflow.papers import find_paper, paper_lengths, points_by_reader


def test_a_paper_shows_its_text_and_reads_without_their_authors(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    small.submit(dealt, entry=GradeEntry(score=4.0, points=("duty.rule",)))
    paper = find_paper(small.bench, dealt.response_id)
    assert paper.text.startswith("Answer ")
    assert [(read.gave, read.points) for read in paper.reads] == [("4", frozenset({"duty.rule"}))]
    shown = repr(paper)
    assert all(grader.name not in shown and grader.account_id not in shown for grader in small.graders)


def test_a_paper_that_is_not_there_is_refused(small: SmallWorkspace) -> None:
    with pytest.raises(NotAllowed, match="There is no answer rnowhere"):
        find_paper(small.bench, "rnowhere")


def test_lengths_are_counted_in_words_for_every_answer(small: SmallWorkspace) -> None:
    lengths = paper_lengths(small.bench)
    with small.bench.record() as record:
        assert set(lengths) == set(record.response_ids())
    assert all(count > 0 for count in lengths.values())


def test_points_are_compared_on_papers_read_twice_only(make: Callable[..., SmallWorkspace]) -> None:
    small = make(answers=8, reading="reads: 1\noverlap_percent: 50")
    assert points_by_reader(small.bench, "mee-barge") == {}
    for grader in small.graders:
        for dealt in small.queue(grader):
            small.submit(dealt, entry=GradeEntry(score=3.0, points=("duty.rule",)))
    with small.bench.record() as record:
        twice = {r for r in record.response_ids("mee-barge") if len(record.reads(r)) > 1}
    assert 0 < len(twice) < 8
    assert set(points_by_reader(small.bench, "mee-barge")) == twice
