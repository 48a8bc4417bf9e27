from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader_app.domain.round import Cut
from grader_app.export.charts import agreement_chart, bins_of, totals_chart

CUT = Cut(total=266, reread_from=262, reread_to=265)


def numbers(svg: str, tag: str, key: str) -> list[float]:
    return [float(one.attrib[key]) for one in ElementTree.fromstring(svg).iter(tag) if key in one.attrib]


@given(st.lists(st.integers(0, 400), min_size=1, max_size=200))
def test_every_total_is_in_the_bin_that_holds_it(totals: list[int]) -> None:
    bins = bins_of(totals)
    assert len(bins.counts) <= 41
    for place, count in enumerate(bins.counts):
        start = bins.low + place * bins.width
        assert count == sum(start <= total < start + bins.width for total in totals)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=50))
def test_no_total_is_lost_whatever_the_scale(totals: list[float]) -> None:
    assert sum(bins_of(totals).counts) == len(totals)


def test_bars_are_as_high_as_their_counts_and_the_line_stands_at_the_cut() -> None:
    svg = totals_chart([261, 266, 266, 270], CUT)
    bars = [one for one in ElementTree.fromstring(svg).iter("rect") if one.attrib["fill"] == "#5b7c99"]
    heights = [float(one.attrib["height"]) for one in bars]
    assert heights == [pytest.approx(heights[1] / 2), heights[1], pytest.approx(heights[1] / 2)]
    line = next(one for one in ElementTree.fromstring(svg).iter("line") if one.attrib["stroke"] == "#a4262c")
    assert line.attrib["x1"] == line.attrib["x2"] == bars[1].attrib["x"]


def test_the_band_that_is_read_again_ends_where_the_passing_totals_begin() -> None:
    svg = totals_chart([255, 266, 280], CUT)
    root = ElementTree.fromstring(svg)
    band = next(one for one in root.iter("rect") if one.attrib["fill"] == "#e8d9a8")
    line = next(one for one in root.iter("line") if one.attrib["stroke"] == "#a4262c")
    end = float(band.attrib["x"]) + float(band.attrib["width"])
    assert end == pytest.approx(float(line.attrib["x1"]), abs=0.11)
    assert "passes: 266; read again: 262 to 265" in svg


def test_a_round_without_a_cut_has_neither_line_nor_band() -> None:
    svg = totals_chart([200, 210], None)
    assert "#a4262c" not in svg
    assert "#e8d9a8" not in svg


def test_a_single_total_is_drawn() -> None:
    assert "Distribution of 1 totals" not in totals_chart([266], None)
    assert "One total: 266." in totals_chart([266], None)


def facet(item: str, value: float | None, low: float | None, exact: float | None) -> dict[str, object]:
    status = "ok" if value is not None else "no_overlap"
    alpha = {"name": "krippendorff_alpha", "value": value, "low": low, "high": 0.9, "status": status}
    return {"item": item, "figures": [alpha, {"name": "exact", "value": exact, "status": status}]}


def test_agreement_stands_where_its_figure_says_and_what_cannot_be_computed_says_so() -> None:
    svg = agreement_chart(
        [facet("one", 0.5, 0.2, 0.75), facet("two", 1.0, None, 1.0), facet("a<b", None, None, None)]
    )
    half, whole = numbers(svg, "circle", "cx")
    assert (half - 210) / (whole - 210) == pytest.approx(0.5, abs=0.001)
    assert "no overlap" in svg
    assert "a&lt;b" in svg


def test_a_negative_alpha_stays_inside_the_chart() -> None:
    svg = agreement_chart([facet("one", -0.35, -0.8, 0.1)])
    assert all(0 <= x <= 640 for x in numbers(svg, "circle", "cx") + numbers(svg, "line", "x1"))


def test_the_report_draws_both_charts_and_asks_for_nothing(exported: Path) -> None:
    page = (exported / "report.html").read_text("utf-8")
    charts = re.findall(r'<svg class="chart".*?</svg>', page, re.DOTALL)
    assert [ElementTree.fromstring(one)[0].text for one in charts] == [
        next(ElementTree.fromstring(one).attrib["aria-label"] for one in [chart]) for chart in charts
    ]
    assert len(charts) == 2
    assert page.index(charts[0]) < page.index("</section>") < page.index(charts[1])
    assert not re.search(r"https?:|src=|url\(|@import|<script", page)
