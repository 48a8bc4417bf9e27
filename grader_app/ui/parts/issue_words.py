"""What a point sheet says of a point and of an issue, in the words every page shows beside the tick boxes."""

from __future__ import annotations

from grader_app.domain.point_sheet import Issue, Point
from grader_app.ui.parts.html_table import draw_lines


def point_words(number: int, place: int, point: Point) -> str:
    """Give a point with its number, part, authority and whether either side earns it."""
    authority = f" [{point.authority}]" if point.authority else ""
    return f"{number}.{place} ({point.part}) {text_with_side(point)}{authority}"


def text_with_side(point: Point) -> str:
    """Give a point's text, and after it whether either side earns it."""
    return f"{point.text} Either side earns it if argued." if point.contested else point.text


def draw_issue_notes(issue: Issue) -> None:
    """Draw what else earns the points of an issue, and what is often wrong."""
    draw_lines(
        [
            *(f"Also accept: {words}" for words in issue.accept_also),
            *(f"Often wrong: {words}" for words in issue.common_mistakes),
        ]
    )
