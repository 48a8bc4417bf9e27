"""A printed packet as one plain page: cover, question, point sheet, scale, rulings, papers, score sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from grader_app.domain.direction_marks import with_controls_shown
from grader_app.domain.ids import check_letter
from grader_app.domain.paper_record import PrintedPacket
from grader_app.domain.response import BlindSheet
from grader_app.domain.rulings_text import rulings_text
from grader_app.domain.score_range import ScoreRange
from grader_app.domain.score_sheet import CODE, ERRORS, GAPS, ScoreSheet
from grader_app.ui.parts.prose_html import prose_html
from grader_app.ui.parts.spoken import moment

_MOST_BOXES = 13
"""Score points that get a box each; a finer scale gets a line to write on."""

_MOST_IN_A_ROW = 8
"""Boxes that stand side by side in one cell of the score sheet; more of them break into lines."""

_SIGNED = ("Graded by", "Date", "First keying by", "Second keying by")

_STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { font: 16px/1.55 Georgia, "DejaVu Serif", serif; color: #000; background: #fff; max-width: 48rem;
  margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.25rem; margin: 0 0 .75rem; padding-bottom: .2rem; border-bottom: 1.5px solid #000; }
h3 { font-size: 1.05rem; margin: 1.1rem 0 .3rem; }
p, li { overflow-wrap: anywhere; }
section { margin: 0 0 3rem; }
.small { font-size: .88rem; }
.id { font-family: "DejaVu Sans Mono", Consolas, Menlo, monospace; }
.cover dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.2rem; margin: 1.5rem 0; }
.cover dt { font-weight: bold; }
.cover dd { margin: 0; overflow-wrap: anywhere; }
.cover h2 { font-size: 1.05rem; border: 0; padding: 0; margin: 1.1rem 0 .3rem; }
.line { display: inline-block; min-width: 12rem; border-bottom: 1px solid #000; }
.points { list-style: none; padding: 0; margin: 0; }
.points li { padding: .15rem 0 .15rem 2.4rem; text-indent: -2.4rem; }
.points b { display: inline-block; width: 2.4rem; text-indent: 0; }
.paper header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline;
  gap: .2rem 1.5rem; border-bottom: 1.5px solid #000; padding-bottom: .3rem; margin-bottom: .9rem; }
.paper h2 { font-size: 1.5rem; border: 0; margin: 0; padding: 0; }
.cut { border: 1.5px solid #000; padding: .3rem .6rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; font: inherit; margin: 0; }
.ticks { border-top: 1px solid #000; margin-top: 1.2rem; padding-top: .4rem; font: .82rem/1.9 Arial,
  "DejaVu Sans", sans-serif; }
.ticks b { margin-right: .6rem; }
.tick { display: inline-block; white-space: nowrap; margin-right: .75rem; }
.box { display: inline-block; width: .85em; height: .85em; border: 1px solid #000; vertical-align: -.08em;
  margin-right: .25em; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font: .82rem/1.35 Arial, "DejaVu Sans", sans-serif; }
th, td { border: 1px solid #000; padding: .25rem .3rem; text-align: center; vertical-align: middle; }
thead th { vertical-align: bottom; }
td.paper-id, th.paper-id { text-align: left; white-space: nowrap; }
td.note { min-width: 6rem; width: 30%; }
.signs { display: flex; justify-content: center; gap: .15rem .25rem; }
.signs.many { flex-wrap: wrap; }
.signs span { border: 1px solid #666; border-radius: 2px; min-width: 1.55rem; padding: .12rem .15rem; }
.signed { display: flex; flex-wrap: wrap; gap: 1.2rem 2rem; margin-top: 1.4rem; }
.letter { font-weight: bold; }
@media print {
  body { margin: 0; padding: 0; max-width: none; font-size: 10.5pt; line-height: 1.45; }
  .text { font-size: 11pt; line-height: 1.5; }
  section { margin: 0; }
  .starts { break-before: page; }
  h2, h3 { break-after: avoid; }
  .points li, tr, .ticks, .cut, header { break-inside: avoid; }
  thead { display: table-header-group; }
  .wide { overflow: visible; }
  .text { orphans: 3; widows: 3; }
  .scores table { font-size: 9pt; }
  .scores .signs span { min-width: 5.5mm; padding: .7mm 0; }
  .signed { break-inside: avoid; }
  .scores tbody tr { height: 11mm; }
}
"""


def packet_page(packet: PrintedPacket, sheets: Sequence[BlindSheet], name: str | None) -> str:
    """Write a packet as a page that fetches nothing; the same packet gives the same bytes.

    Parameters
    ----------
    packet
        What was printed, for whom.
    sheets
        All that may be seen of each paper, in the order printed.
    name
        The grader's name for the cover, or None for a line to write on.
    """
    first = sheets[0]
    sheet = ScoreSheet(first.rubric, first.point_sheet)
    parts = [
        _cover(packet, first, sheet, name),
        _texts(first),
        _point_sheet(sheet),
        _scale(sheet),
        _rulings(first),
        *(_paper(sheet, paper, number, len(sheets)) for number, paper in enumerate(sheets, start=1)),
        _score_sheet(packet, sheet, sheets),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>Packet {packet.packet_id}</title>\n<style>{_STYLE}{_margins(packet, sheets)}</style>\n"
        "</head>\n<body>\n<main>\n" + "\n".join(parts) + "\n</main>\n</body>\n</html>\n"
    )


def _margins(packet: PrintedPacket, sheets: Sequence[BlindSheet]) -> str:
    """Give the words in the margin of every sheet, so that loose ones find their way back."""
    font = 'font: 8.5pt Arial, "DejaVu Sans", sans-serif'
    named = "".join(
        f'.p{number} {{ page: p{number}; }} @page p{number} {{ @top-right {{ content: "'
        f'{paper.assignment_id}-{check_letter(paper.assignment_id)}, paper {number} of {len(sheets)}"; '
        f"{font}; }} }}\n"
        for number, paper in enumerate(sheets, start=1)
    )
    return (
        f'@page {{ margin: 20mm 18mm 18mm; @top-left {{ content: "Packet {packet.packet_id}"; {font}; }} '
        f'@bottom-right {{ content: "Sheet " counter(page) " of " counter(pages); {font}; }} }}\n{named}'
    )


def _cover(packet: PrintedPacket, first: BlindSheet, sheet: ScoreSheet, name: str | None) -> str:
    count = len(packet.assignment_ids)
    grader = escape(name) if name else '<span class="line">&nbsp;</span>'
    facts = {
        "Packet": f'<span class="id">{packet.packet_id}</span>',
        "Question": escape(first.title),
        "Papers": str(count),
        "Printed": escape(moment(packet.printed_at)),
        "Grader": grader,
    }
    listed = "".join(f"<dt>{what}</dt><dd>{said}</dd>" for what, said in facts.items())
    steps = "".join(f"<li>{escape(step)}</li>" for step in _instructions(sheet))
    return (
        f'<section class="cover"><h1>{escape(first.title)}</h1>\n<dl>{listed}</dl>\n'
        f"<h2>How to grade this packet</h2>\n<ol>{steps}</ol></section>"
    )


def _instructions(sheet: ScoreSheet) -> list[str]:
    signs = ["score"] if sheet.rubric.score.given_by == "grader" else []
    signs += ["mark of each criterion"] if sheet.rubric.criteria else []
    steps = [
        "Read the question, the point sheet, the scale and the rulings first. They come before the papers.",
        "Grade the papers in the order they lie. Read each one for itself; do not go back to compare.",
        "The score sheet is at the end. Find the row with the paper's id, compare the letter behind the "
        f"id, and circle the {' and the '.join(signs)}.",
    ]
    if sheet.points:
        steps.append(
            "Under each paper stand the numbers of the point sheet. Tick those you find; this is optional."
        )
    if sheet.codes:
        steps.append(
            "A paper that cannot be scored gets a code letter and no score. What the letters mean stands "
            "under the scale."
        )
    return [
        *steps,
        "If you cannot grade a paper, leave its row empty and write why on the note line.",
        "Correct a slip by crossing it out and writing the right value beside it, with your initials.",
        "Do not copy the papers. Give the whole packet back to the panel lead, graded or not.",
    ]


def _texts(first: BlindSheet) -> str:
    texts = {"Question": first.prompt, "File": first.file, "Library": first.library}
    return "\n".join(
        f'<section class="starts"><h2>{title}</h2>\n{prose_html(text, heading=3)}</section>'
        for title, text in texts.items()
        if text
    )


def _point_sheet(sheet: ScoreSheet) -> str:
    if not sheet.points:
        return ""
    issues = []
    for number, issue in enumerate(sheet.point_sheet.issues, start=1):
        points = "".join(
            f"<li><b>{sheet.points[point.id]}</b><i>{point.part.capitalize()}.</i> {escape(point.text)}"
            + (f' <span class="small">({escape(point.authority)})</span>' if point.authority else "")
            + (" <i>Contested: either side earns it if argued.</i>" if point.contested else "")
            + "</li>"
            for point in issue.points
        )
        issues.append(
            f"<h3>{number} {escape(issue.title)} ({issue.weight_percent:g} %)</h3>\n"
            f'<ul class="points">{points}</ul>'
            + _sentences("Also accepted", issue.accept_also)
            + _sentences("Often wrong", issue.common_mistakes)
        )
    return f'<section class="starts"><h2>Point sheet</h2>\n{"".join(issues)}</section>'


def _sentences(title: str, said: Iterable[str]) -> str:
    listed = " ".join(map(escape, said))
    return f'<p class="small"><b>{title}:</b> {listed}</p>' if listed else ""


def _scale(sheet: ScoreSheet) -> str:
    rubric = sheet.rubric
    parts = []
    if rubric.levels:
        levels = sorted(rubric.levels, key=lambda level: -level.score)
        parts.append(_signs("Scores", [(f"{one.score:g}", f"{one.label}. {one.means}") for one in levels]))
    for criterion in rubric.criteria:
        parts.append(
            f"<h3>{escape(criterion.title)}: {_in_words(criterion.range)}</h3>"
            f"<p>{escape(criterion.question)}</p>"
        )
    for title, signs, things in (
        ("Error types", sheet.errors, rubric.error_types),
        ("Analysis gaps", sheet.gaps, rubric.analysis_gaps),
    ):
        meanings = [(signs[one.id], f"{one.title}. {one.means or ''}".strip()) for one in things]
        parts.append(_signs(title, meanings))
    codes = [(sheet.codes[one.id], f"{one.title}.") for one in rubric.condition_codes]
    parts.append(_signs("Codes", codes))
    parts.append(_signs("Reminders", [("", one.question) for one in rubric.checklist]))
    return f'<section class="starts"><h2>Scale</h2>\n{"".join(parts)}</section>'


def _signs(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """Give a list of signs and what each means."""
    listed = "".join(f"<li><b>{escape(sign) or '&ndash;'}</b>{escape(said)}</li>" for sign, said in rows)
    return f'<h3>{title}</h3><ul class="points">{listed}</ul>' if listed else ""


def _rulings(first: BlindSheet) -> str:
    if not first.guidelines.strip():
        return ""
    text = rulings_text(first.guidelines, first.point_sheet, first.rubric)
    return f'<section class="starts"><h2>Rulings of the panel</h2>\n{prose_html(text, heading=3)}</section>'


def _paper(sheet: ScoreSheet, paper: BlindSheet, number: int, of: int) -> str:
    letter = check_letter(paper.assignment_id)
    cut = '<p class="cut">This text is cut off: it stops before its end.</p>\n' if paper.cut_off else ""
    ticks = "".join(
        f'<span class="tick"><span class="box"></span>{sign}</span>' for sign in sheet.points.values()
    )
    points = f'\n<div class="ticks"><b>Points found</b>{ticks}</div>' if ticks else ""
    return (
        f'<section class="paper starts p{number}">\n<header>'
        f'<h2 class="id">{paper.assignment_id}-{letter}</h2>'
        f"<span>Paper {number} of {of}</span></header>\n{cut}"
        f'<div class="text">{escape(with_controls_shown(paper.answer))}</div>{points}</section>'
    )


def _score_sheet(packet: PrintedPacket, sheet: ScoreSheet, papers: Sequence[BlindSheet]) -> str:
    columns = _columns(sheet)
    heads = "".join(f'<th scope="col">{escape(title)}</th>' for title, _ in columns)
    cells = "".join(f"<td>{inside}</td>" for _, inside in columns)
    rows = "\n".join(
        f'<tr><td>{number}</td><td class="paper-id"><span class="id">{paper.assignment_id}</span> '
        f'<span class="letter">{check_letter(paper.assignment_id)}</span></td>{cells}'
        '<td class="note"></td></tr>'
        for number, paper in enumerate(papers, start=1)
    )
    lines = "".join(f'<span>{what} <span class="line"></span></span>' for what in _SIGNED)
    return (
        f'<section class="scores starts"><h2>Score sheet of packet <span class="id">{packet.packet_id}</span>'
        '</h2>\n<p class="small">Circle what applies. The letter behind each id must be the one on the '
        'paper.</p>\n<div class="wide" tabindex="0" role="region" aria-label="Score sheet"><table>'
        f'<thead><tr><th scope="col">No.</th><th scope="col" class="paper-id">Paper</th>{heads}'
        f'<th scope="col">Note</th></tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>\n'
        f'<p class="signed small">{lines}</p></section>'
    )


def _columns(sheet: ScoreSheet) -> list[tuple[str, str]]:
    """Give the heading of each column to circle something in, and what stands in its cells."""
    fields = sheet.fields
    found = []
    if sheet.rubric.score.given_by == "grader":
        found.append(("Score", _choices(sheet.rubric.score.range)))
    found += [(criterion.title, _choices(criterion.range)) for criterion in sheet.rubric.criteria]
    for name, signs in ((CODE, sheet.codes), (ERRORS, sheet.errors), (GAPS, sheet.gaps)):
        if name in fields:
            found.append((fields[name], _row_of(signs.values())))
    return found


def _choices(scale: ScoreRange) -> str:
    values = scale.values()
    return "&nbsp;" if len(values) > _MOST_BOXES else _row_of(f"{value:g}" for value in values)


def _row_of(signs: Iterable[str]) -> str:
    listed = list(signs)
    many = " many" if len(listed) > _MOST_IN_A_ROW else ""
    return f'<div class="signs{many}">' + "".join(f"<span>{escape(one)}</span>" for one in listed) + "</div>"


def _in_words(scale: ScoreRange) -> str:
    return f"{scale.lowest:g} to {scale.highest:g} in steps of {scale.step:g}"
