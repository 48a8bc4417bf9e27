from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from keyed_packets import printed
from small_workspace import SmallWorkspace, make  # noqa: F401 - fixture

from grader_app.domain.ids import check_letter
from grader_app.domain.paper_record import PrintedPacket
from grader_app.domain.response import BlindSheet
from grader_app.ui.packet_page import packet_page
from grader_app.workflow.assignment import deal
from grader_app.workflow.printed_packets import sheets_of

HOSTILE = "Pay \u202eevif\u202c now.\n\n  <b>bold</b> & <script>alert(1)</script>\n\ttab"


@pytest.fixture
def drawn(make) -> Callable[..., tuple[str, PrintedPacket, list[BlindSheet]]]:  # noqa: F811
    def draw(count: int = 2, item: str = "mee-barge", **options):
        small: SmallWorkspace = make(graders=1, **options)
        packet = printed(small, count, item=item)
        sheets = sheets_of(small.bench, packet)
        return packet_page(packet, sheets, None), packet, sheets

    return draw


def test_sixty_papers_stand_each_on_a_page_of_its_own_and_have_a_row(drawn) -> None:
    page, packet, _ = drawn(60, answers=70)
    assert len(packet.assignment_ids) == 60
    for number, a in enumerate(packet.assignment_ids, start=1):
        assert f'class="paper starts p{number}"' in page
        assert (
            f'@page p{number} {{ @top-right {{ content: "{a}-{check_letter(a)}, paper {number} of 60"' in page
        )
        assert f'<span class="id">{a}</span> <span class="letter">{check_letter(a)}</span>' in page


def test_texts_stand_exactly_as_written_with_controls_by_name(drawn) -> None:
    _, packet, sheets = drawn()
    odd = [replace(sheets[0], answer=HOSTILE, cut_off=True), sheets[1]]
    page = packet_page(packet, odd, None)
    shown = (
        "Pay [U+202E]evif[U+202C] now.\n\n  &lt;b&gt;bold&lt;/b&gt; &amp; "
        "&lt;script&gt;alert(1)&lt;/script&gt;\n\ttab"
    )
    assert f'<div class="text">{shown}</div>' in page
    assert "white-space: pre-wrap" in page
    assert page.count("This text is cut off") == 1


def test_the_score_sheet_has_what_the_rubric_asks_for(drawn) -> None:
    page, *_ = drawn()
    scores = page[page.index('<section class="scores') :]
    heads = re.findall(r"<th[^>]*>([^<]*)</th>", scores)
    assert heads == ["No.", "Paper", "Score", "Code", "Note"]
    assert scores.count("<span>6</span>") == 2
    assert '<span class="tick"><span class="box"></span>1.1</span>' in page


def test_a_name_on_the_cover_is_escaped_like_everything_else(drawn) -> None:
    page, packet, sheets = drawn()
    assert '<span class="line">' in page[: page.index("</section>")]
    assert "<dd>Ann &lt;b&gt;</dd>" in packet_page(packet, sheets, "Ann <b>")


def test_criteria_and_error_types_have_columns(make) -> None:  # noqa: F811
    small = make(graders=1, answers=0)
    small.take_in("rule-ferry", 1)
    deal(small.bench, small.actor)
    packet = printed(small, 1, item="rule-ferry")
    page = packet_page(packet, sheets_of(small.bench, packet), None)
    scores = page[page.index('<section class="scores') :]
    assert re.findall(r"<th[^>]*>([^<]*)</th>", scores) == [
        "No.",
        "Paper",
        "Analysis",
        "Correctness",
        "Errors",
        "Note",
    ]
    assert "<b>1</b>Rule misstated.</li>" in page
    assert "rule-misstated" not in page
