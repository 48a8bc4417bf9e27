from __future__ import annotations

from pathlib import Path

import pytest
from automatic_rereads import with_a_reread
from graded_rounds import GradedRound

from grader_app.domain.round import Release
from grader_app.errors import FileProblems
from grader_app.export.adjudications_table import adjudications_table
from grader_app.export.folder import read_results
from grader_app.export.highlights_table import highlights_table
from grader_app.export.redaction import replaced_judgments
from grader_app.export.tables import grades_table, scores_table
from grader_app.files.round_file import load_round


def test_a_round_without_a_reread_hides_nothing(graded: GradedRound) -> None:
    assert replaced_judgments(read_results(graded.bench.store).record) == {}


def test_new_york_leaves_out_the_read_before_an_automatic_reread(graded: GradedRound) -> None:
    results, response_id, before, _ = with_a_reread(graded, "new_york")
    assert results.replaced == {response_id: frozenset({before})}
    rows = {row[2]: row for row in scores_table(results).rows}
    assert rows[response_id][3] is None
    assert rows[response_id][4] is not None
    grades = [row for row in grades_table(results).rows if row[0] == response_id]
    later = next(g for g in results.grades if g.response_id == response_id and g.event_seq != before)
    assert [(row[1], row[3]) for row in grades] == [(later.grader_id, later.score)]
    assert all(row[0] != response_id for row in highlights_table(results).rows)


def test_other_answers_keep_all_their_reads_under_new_york(graded: GradedRound) -> None:
    results, response_id, *_ = with_a_reread(graded, "new_york")
    plain = with_a_reread(graded, "none")[0]
    for table in (scores_table, grades_table, adjudications_table):
        place = 2 if table is scores_table else 0 if table is grades_table else 1
        kept = [row for row in table(results).rows if row[place] != response_id]
        assert kept == [row for row in table(plain).rows if row[place] != response_id]


def test_without_redaction_both_reads_and_the_raw_score_stand(graded: GradedRound) -> None:
    results, response_id, *_ = with_a_reread(graded, "none")
    assert results.replaced == {}
    rows = {row[2]: row for row in scores_table(results).rows}
    assert rows[response_id][3] is not None
    assert len([row for row in grades_table(results).rows if row[0] == response_id]) == 2


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("  notes: public\n", "public"),
        ("  redaction: texas\n", "texas"),
        ("  note: released\n", "notes"),
    ],
)
def test_what_a_release_cannot_be_is_refused_by_name(tmp_path: Path, written: str, says: str) -> None:
    path = tmp_path / "round.yaml"
    path.write_text(
        'format: round/1\nid: x\nversion: "1"\ntitle: T\nitems:\n  - item: q\n    component: mee\n'
        f"    weight: 1\nrelease:\n{written}",
        encoding="utf-8",
    )
    with pytest.raises(FileProblems, match=says):
        load_round(path)
    path.write_text(path.read_text("utf-8").replace(written, '  notes: "off"\n'), encoding="utf-8")
    assert load_round(path).release == Release()
