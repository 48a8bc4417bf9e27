from __future__ import annotations

import csv
import re
from html import unescape
from pathlib import Path

import pytest
from graded_rounds import GradedRound

from grader_app.errors import VerificationFailed
from grader_app.export import arithmetic_page
from grader_app.export.arithmetic import worked_candidates
from grader_app.export.folder import read_results
from grader_app.export.registry import EXPORTERS
from grader_app.export.verify import verify_export


def test_every_candidate_with_a_total_has_lines_that_end_in_it(exported: Path) -> None:
    page = unescape((exported / "arithmetic.html").read_text("utf-8"))
    with (exported / "scaled.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) > 3
    tables = dict(re.findall(r"<caption>Candidate (\S+)</caption>(.*?)</table>", page, re.DOTALL))
    assert list(tables) == [row["candidate_id"] for row in rows]
    for row in rows:
        cells = re.findall(r"<td[^>]*>(.*?)</td>", tables[row["candidate_id"]])
        if row["total"]:
            assert cells[-1] == row["total"]
            assert cells[-3] == "Total, half up to a whole number"
        else:
            assert float(cells[-1].replace("−", "-")) == pytest.approx(float(row["written_scaled"]), abs=1e-4)
            assert cells[-3] == "Written scaled score: plus the MBE mean"


def test_the_arithmetic_of_one_candidate_alone_is_the_same(graded: GradedRound) -> None:
    results = read_results(graded.bench.store)
    everyone = list(worked_candidates(results))
    one = everyone[2].candidate_id
    assert list(worked_candidates(results, only=[one])) == [everyone[2]]
    assert all(worked.reproduced for worked in everyone)


def test_a_long_pool_is_cut_with_a_sentence(graded: GradedRound, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arithmetic_page, "MOST_CANDIDATES", 2)
    results = read_results(graded.bench.store)
    shows = next(one.shows for one in EXPORTERS if one.file == "arithmetic.html")
    page = arithmetic_page.arithmetic_bytes(results, shows).decode("utf-8")
    n = len(list(worked_candidates(results)))
    assert page.count("<caption>") == 2
    assert f"{n - 2} more candidates: grader-app appeal" in page


def test_an_edited_line_of_the_arithmetic_is_found(export_copy: Path) -> None:
    path = export_copy / "arithmetic.html"
    path.write_bytes(path.read_bytes().replace(b"Total, half up", b"Total, half down", 1))
    with pytest.raises(VerificationFailed, match=r"arithmetic\.html"):
        verify_export(export_copy)
