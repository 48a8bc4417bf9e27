"""Pieces of a page: every text is escaped, and tables carry their warning onto each printed page."""

from __future__ import annotations

import html as standard
from collections.abc import Iterable, Sequence

from grader_app.domain.direction_marks import with_controls_shown
from grader_app.export.table import Cell, plain_number

_STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.5 Georgia, "Times New Roman", serif; color: #1c1c1c; background: #fff;
  max-width: 62rem; margin: 2rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; border-bottom: 1px solid #999; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .25rem; }
p, li { max-width: 44rem; }
.notes { border: 2px solid #1c1c1c; padding: .5rem 1rem; margin: 1rem 0; }
.notes p { margin: .25rem 0; max-width: none; overflow-wrap: anywhere; }
.quiet { color: #4a4a4a; font-size: .9em; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .75rem 0; font: 13px/1.4 Arial, Helvetica, sans-serif; }
caption { text-align: left; font-weight: bold; padding-bottom: .25rem; }
th, td { padding: .2rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid #ddd; }
thead th { border-bottom: 1px solid #1c1c1c; }
thead .standing th { border: 0; font-weight: normal; font-style: italic; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.chart { display: block; max-width: 100%; height: auto; margin: .75rem 0; }
.chart text { font: 11px Arial, Helvetica, sans-serif; fill: #1c1c1c; }
thead .number { white-space: normal; }
code { font: .85em Consolas, Menlo, monospace; overflow-wrap: anywhere; }
@media print {
  body { margin: 0; padding: 0; max-width: none; font-size: 10pt; line-height: 1.35; }
  table { font-size: 8.5pt; }
  p, li { max-width: none; margin: .35rem 0; }
  h2 { margin: 1rem 0 .25rem; }
  h3 { margin: .6rem 0 .2rem; }
  th, td { padding: .1rem .4rem; }
  .chart { max-height: 46mm; width: auto; margin: .25rem 0; }
  .notes { font-size: 9pt; line-height: 1.3; padding: .25rem .75rem; }
  .notes p { margin: .1rem 0; }
  .wide { overflow: visible; }
  section { break-before: page; }
  section:first-of-type, section.follows { break-before: auto; }
  thead { display: table-header-group; }
  tr, li, .notes, .together, .chart { break-inside: avoid; }
  h2, h3, caption, .notes { break-after: avoid; }
  h2 + p, h2 + p + p { break-after: avoid; }
  @page { margin: 16mm 15mm; }
}
"""


def page(title: str, parts: Iterable[str], running: str = "") -> str:
    """Give a whole page that fetches nothing.

    Parameters
    ----------
    title, parts
        What it is called and what stands in it. Every printed page has the title and its number at its foot,
        since leaves of two packets get mixed up.
    running
        Words in the margin of every printed page, in plain letters and punctuation without quotes.

    Returns
    -------
    str
        HTML with its style inside; it forbids itself every request.
    """
    foot = f'"{_in_style(title)}"', 'counter(page) " of " counter(pages)'
    margin = (
        f'@page {{ @top-right {{ content: "{running}"; font: italic 8pt Arial, sans-serif; }}\n'
        f"  @bottom-left {{ content: {foot[0]}; font: 8pt Arial, sans-serif; }}\n"
        f"  @bottom-right {{ content: {foot[1]}; font: 8pt Arial, sans-serif; }} }}\n"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{_text(title)}</title>\n<style>{_STYLE}{margin}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


def section(title: str, notes: Sequence[str], *parts: str, short: bool = False) -> str:
    """Give a section with what must be known there in a box.

    Parameters
    ----------
    title, notes, parts
        What it is called, what must be known, and what stands in it.
    short
        True for a few sentences, which follow on the page; any other section starts a new printed page.
    """
    start = '<section class="follows">' if short else "<section>"
    return "\n".join([start, heading(2, title), notes_box(notes), *parts, "</section>"])


def notes_box(notes: Sequence[str]) -> str:
    """Give the box of what must be known before any number; nothing when there is no note."""
    if not notes:
        return ""
    return '<div class="notes" role="note">' + "".join(paragraph(note) for note in notes) + "</div>"


def in_short(notes: Sequence[str], short_note: str) -> tuple[str, ...]:
    """Say in one sentence what notes that stand whole on the first page come to; nothing without notes.

    Examples
    --------
    >>> in_short(["Provisional: 1 of 2 items is still open."], "provisional")
    ('Provisional. The notes on page 1 say more.',)
    """
    if not notes:
        return ()
    said = f"{short_note[0].upper()}{short_note[1:]}. The" if short_note else "The"
    return (f"{said} notes on page 1 say more.",)


def heading(level: int, text: str) -> str:
    """Give a heading, 1 for the page's."""
    return f"<h{level}>{_text(text)}</h{level}>"


def paragraph(text: str, *, quiet: bool = False) -> str:
    """Give a paragraph."""
    return f'<p class="quiet">{_text(text)}</p>' if quiet else f"<p>{_text(text)}</p>"


def fingerprint(digest: str) -> str:
    """Give a hash as a paragraph of its own."""
    return f"<p><code>{_text(digest)}</code></p>"


def bullets(texts: Iterable[str]) -> str:
    """Give a list; nothing when it would be empty."""
    items = "".join(f"<li>{_text(text)}</li>" for text in texts)
    return f"<ul>{items}</ul>" if items else ""


def table(
    caption: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    *,
    note: str = "",
    numbers: frozenset[str] = frozenset(),
    decimals: int | None = None,
) -> str:
    """Give a table.

    Parameters
    ----------
    caption, heads, rows
        What it shows. Nothing is shown as a dash.
    note
        Stands above the heads and so on every page the table runs over.
    numbers
        The heads of columns to set as numbers.
    decimals
        Places after the point; None for as many as the number has.
    """
    standing = f'<tr class="standing"><th colspan="{len(heads)}">{_text(note)}</th></tr>' if note else ""
    shaped = [' class="number"' if head in numbers else "" for head in heads]
    head = "".join(
        f'<th scope="col"{how}>{_text(name)}</th>' for name, how in zip(heads, shaped, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(f"<td{how}>{_shown(cell, decimals)}</td>" for cell, how in zip(row, shaped, strict=True))
        + "</tr>\n"
        for row in rows
    )
    return (
        f'<div class="wide" tabindex="0" role="group" aria-label="{_text(caption)}">'
        f"<table><caption>{_text(caption)}</caption>\n"
        f"<thead>{standing}<tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table></div>"
    )


def _shown(cell: Cell, decimals: int | None) -> str:
    if cell is None:
        return "&ndash;"
    if isinstance(cell, str):
        return _text(cell)
    # A count stays a count, whatever the places of the other numbers.
    return plain_number(cell) if decimals is None or isinstance(cell, int) else f"{cell:.{decimals}f}"


def _in_style(text: str) -> str:
    """Write words for a string in a style sheet: whatever is no letter, digit or space as its number."""
    plain = with_controls_shown(text)
    return "".join(c if c.isascii() and (c.isalnum() or c == " ") else f"\\{ord(c):x} " for c in plain)


def _text(written: str) -> str:
    """Escape a text, and show what would turn the direction of writing: what is read is what is stored."""
    return standard.escape(with_controls_shown(written))
