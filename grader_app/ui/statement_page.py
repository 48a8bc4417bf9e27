"""A statement of one grader's work, to print or to take home as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import date
from html import escape
from urllib.parse import urlencode

from grader_app.ui.parts.html_table import Cell, table_html
from grader_app.ui.parts.spoken import counted, duration
from grader_app.workflow.statements import HOW_TIME_IS_COUNTED, KINDS, Statement, Work

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --paper: #fff; --line: #c9c6bd; --quiet: #5b6570; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e4de; --paper: #16191d; --line: #454b52;
  --quiet: #a3abb3; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1.25rem 3rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font: 600 1.6rem/1.25 Georgia, "DejaVu Serif", serif; margin: .6rem 0 .2rem; }
h2 { font: 600 1.1rem/1.3 Georgia, "DejaVu Serif", serif; margin: 1.6rem 0 .3rem; }
p { margin: .3rem 0; }
p.sum { font: 600 1.15rem/1.45 Georgia, "DejaVu Serif", serif; margin: .8rem 0; }
p.quiet { color: var(--quiet); font-size: .92rem; }
div.scrolls { overflow-x: auto; }
table.plain { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
table.plain th, table.plain td { text-align: left; padding: .3rem .9rem .3rem 0;
  border-bottom: 1px solid var(--line); white-space: nowrap; }
table.plain th.number, table.plain td.number { text-align: right; }
form { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; margin: 1rem 0; }
label { font-size: .9rem; font-weight: 600; }
input, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line);
  border-radius: 4px; padding: .3rem .6rem; display: block; font-weight: 400; }
a { color: inherit; }
a:focus-visible, input:focus-visible, button:focus-visible { outline: 3px solid #3a77b5; }
@media print { form, nav { display: none; } body { max-width: none; padding: 0; font-size: 11pt; }
  :root { color-scheme: light; --ink: #000; --paper: #fff; } tr { break-inside: avoid; } }
"""


def statement_html(found: Statement, round_title: str, *, address: str, back: tuple[str, str]) -> str:
    """Write a statement as a page of its own.

    Parameters
    ----------
    found
        Of the lead's kind, or the grader's own with sums only.
    round_title
        The round.
    address
        Of this page, without the period.
    back
        Text and address of the way back.
    """
    said = f"Statement of work: {found.account.name}"
    period = _period(found.first, found.last)
    query = urlencode({k: v.isoformat() for k, v in (("from", found.first), ("to", found.last)) if v})
    csv_address = f"{address}/csv" + (f"?{query}" if query else "")
    body = f"""<nav><a href="{escape(back[1])}">&lsaquo; {escape(back[0])}</a></nav>
<h1>{escape(said)}</h1><p>{escape(round_title)} · {escape(period)}</p>
<form method="get" action="{escape(address)}">
<label>First day<input type="date" name="from" value="{found.first or ""}"></label>
<label>Last day<input type="date" name="to" value="{found.last or ""}"></label>
<button type="submit">Show</button><a href="{escape(csv_address)}">Take it as CSV</a></form>
<p class="sum">{escape(_sum(found.total))}</p>{_kinds(found.total)}
{_table("By question", "Question", found.by_item)}{_table("By day (UTC)", "Day", found.by_day)}
<h2>How it is counted</h2><p class="quiet">{escape(HOW_TIME_IS_COUNTED)}</p>
<p class="quiet">Papers: every paper graded on the desk, whatever it was read for. A correction is a
grade changed with a reason afterwards; it is no further paper. Days are UTC.</p>"""
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(said)} · Grading workbench</title><style>{_STYLE}</style></head>
<body><main>{body}</main></body></html>"""


def statement_csv(found: Statement) -> bytes:
    """Write a statement as CSV, a row for each day and question."""
    kinds = list(KINDS) if found.total.kinds else []
    held = io.StringIO()
    writer = csv.writer(held)
    writer.writerow(
        ["grader", "day", "item", "papers", "calibration_papers", "corrections", "active_minutes",
         "papers_without_time", *kinds]
    )  # fmt: skip
    for day, item, work in found.by_day_and_item:
        by_kind = dict(work.kinds)
        minutes = f"{work.active_seconds / 60:.1f}"
        row = [work.papers, work.calibration_papers, work.corrections, minutes, work.without_time]
        writer.writerow([found.account.name, day, item, *row, *(by_kind.get(kind, 0) for kind in kinds)])
    return held.getvalue().encode("utf-8")


def _period(first: date | None, last: date | None) -> str:
    if first is None and last is None:
        return "from the first day to today"
    if first is None:
        return f"up to {last}"
    return f"from {first} on" if last is None else f"{first} to {last}"


def _sum(work: Work) -> str:
    said = [counted(work.papers, "paper") + " graded"]
    if work.calibration_papers:
        said.append(counted(work.calibration_papers, "calibration paper") + " scored")
    said += [counted(work.corrections, "correction"), f"{duration(work.active_seconds)} active"]
    without = f" ({counted(work.without_time, 'paper')} without a measured time)" if work.without_time else ""
    return f"{', '.join(said)}{without}."


def _kinds(work: Work) -> str:
    if not work.kinds:
        return ""
    said = ", ".join(f"{count:,} {KINDS[kind]}" for kind, count in work.kinds)
    return f'<p class="quiet">For the lead alone, of the papers: {escape(said)}.</p>'


def _table(heading: str, first: str, rows: Sequence[tuple[str, Work]]) -> str:
    if not rows:
        return f"<h2>{escape(heading)}</h2><p>Nothing in this period.</p>"
    cells: list[list[Cell]] = [
        [name, work.papers, work.calibration_papers, work.corrections, work.active_minutes]
        for name, work in rows
    ]
    table = table_html([first, "Papers", "Calibration papers", "Corrections", "Active minutes"], cells)
    return f'<h2>{escape(heading)}</h2><div class="scrolls" tabindex="0">{table}</div>'
