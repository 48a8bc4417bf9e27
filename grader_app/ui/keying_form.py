"""The form in which an operator types a score sheet, row by row, with the keyboard alone."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from html import escape

from grader_app.domain.paper_record import PrintedPacket
from grader_app.domain.score_sheet import NOTE, SCORE, ScoreSheet
from grader_app.ui.parts.spoken import counted
from grader_app.workflow.accounts import SignedIn
from grader_app.workflow.paper_scores import ALONE, FIRST, SECOND, PacketPaper
from grader_app.workflow.paper_states import PaperState

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --paper: #fff; --line: #8a8f96; --soft: #eceae4;
  --accent: #1f4e79; --on-accent: #fff; --bad: #8c2f1b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e4de; --paper: #16191d; --line: #7d848c;
  --soft: #262b31; --accent: #8ab8e6; --on-accent: #10151a; --bad: #f0a08c; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.2rem clamp(.8rem, 3vw, 2.5rem) 6rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font: 600 1.5rem/1.3 Georgia, "DejaVu Serif", serif; margin: .3rem 0; }
p { margin: .3rem 0 .8rem; max-width: 52rem; }
a { color: var(--accent); }
.problem { border-left: 4px solid var(--bad); padding-left: .8rem; color: var(--bad); margin: 1rem 0; }
.problem p { margin: .1rem 0; white-space: pre-line; }
.signs { max-width: 60rem; margin: .8rem 0 1.2rem; }
.signs summary { cursor: pointer; }
.signs dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: .5rem 0; }
.signs dt { font-weight: 600; }
.signs dd { margin: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .2rem .45rem; text-align: left; border-bottom: 1px solid var(--soft); }
thead th { position: sticky; top: 0; background: var(--paper); border-bottom: 2px solid var(--line);
  font-size: .9rem; }
th[scope=row] { font-weight: 400; white-space: nowrap; }
.id { font-family: ui-monospace, "DejaVu Sans Mono", monospace; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
tr.wrong { outline: 2px solid var(--bad); outline-offset: -2px; }
input:not([type=checkbox]) { width: 100%; min-width: 3.2rem; font: inherit; padding: .3rem .4rem;
  border: 1px solid var(--line); border-radius: 3px; background: var(--paper); color: var(--ink); }
td.short { width: 4.5rem; } td.longer { width: 11rem; } td.longer input { min-width: 7rem; }
input:focus-visible, button:focus-visible, a:focus-visible, summary:focus-visible {
  outline: 3px solid var(--accent); outline-offset: 1px; }
.done { opacity: .75; }
.end { position: sticky; bottom: 0; background: var(--paper); border-top: 1px solid var(--line);
  padding: .7rem 0; margin-top: 1rem; display: flex; flex-wrap: wrap; gap: .6rem 1.6rem;
  align-items: center; }
button { font: inherit; font-weight: 600; padding: .5rem 1.2rem; border: 0; border-radius: 4px;
  background: var(--accent); color: var(--on-accent); cursor: pointer; }
"""

# Enter goes on to the next field, as it does in a spreadsheet; sending half a sheet by mistake would cost
# a third look. What is typed outlives a reload and a session that has ended, in this tab alone.
_SCRIPT = """
const form = document.querySelector("form");
const fields = [...form.querySelectorAll("input:not([type=hidden])")];
const kept = "keying:" + form.dataset.keeps;
form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.localName !== "input" || event.target.type === "checkbox") return;
  event.preventDefault();
  const at = fields.indexOf(event.target) + (event.shiftKey ? -1 : 1);
  const next = fields[at] || form.querySelector("button");
  next.focus();
  next.select?.();
});
const words = fields.filter((field) => field.type !== "checkbox");
const typed = () => Object.fromEntries(words.map((field) => [field.name, field.value]));
form.addEventListener("input", () => sessionStorage.setItem(kept, JSON.stringify(typed())));
const earlier = JSON.parse(sessionStorage.getItem(kept) || "{}");
for (const field of words) field.value ||= earlier[field.name] || "";
sessionStorage.setItem(kept, JSON.stringify(typed()));
form.addEventListener("submit", () => { form.querySelector("button").disabled = true; });
addEventListener("pageshow", () => { form.querySelector("button").disabled = false; });
"""

_WORDS = {
    PaperState.OPEN: "not keyed yet",
    PaperState.KEYED_ONCE: "keyed once",
    PaperState.DIFFERS: "keyed twice, and the two differ",
    PaperState.GRADED: "keyed twice and recorded",
    PaperState.ON_SCREEN: "graded on the screen",
    PaperState.REVEALED: "no grade: its source is revealed",
    PaperState.LEFT_QUEUE: "no grade: it left the grader's queue",
}
"""How far a paper is, in words."""


def state_in_words(state: PaperState) -> str:
    """Say how far the score of a paper has been keyed."""
    return _WORDS[state]


def letter_field(assignment_id: str) -> str:
    """Give the name of the field for a paper's check letter."""
    return f"{assignment_id}/letter"


def value_field(assignment_id: str, name: str) -> str:
    """Give the name of the field for one of a paper's values."""
    return f"{assignment_id}/{name}"


def rows_to_key(papers: Sequence[PacketPaper], keying: int) -> list[PacketPaper]:
    """List the papers that a keying asks for."""
    wanted = PaperState.OPEN if keying == FIRST else PaperState.KEYED_ONCE
    return [paper for paper in papers if paper.state is wanted]


def keying_form(
    packet: PrintedPacket,
    sheet: ScoreSheet,
    papers: Sequence[PacketPaper],
    keying: int,
    lead: SignedIn,
    *,
    typed: Mapping[str, str],
    problem: str = "",
) -> str:
    """Write the form of one keying; nothing that was keyed before stands in it.

    Parameters
    ----------
    typed
        What was sent, by field, when the form is shown again.
    problem
        What is wrong with it, a line a paper.
    """
    asked = rows_to_key(papers, keying)
    which = "First" if keying == FIRST else "Second"
    inside = _form(packet, sheet, asked, keying, lead, typed, problem) if asked else ""
    said = _what_to_do(sheet, keying) if asked else f"<p>{escape(_nothing(papers, keying))}</p>"
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{which} keying of packet {packet.packet_id}</title><style>{_STYLE}</style></head>
<body><main><a href="/keying?packet={packet.packet_id}">Back to the packet</a>
<h1>{which} keying of packet <span class="id">{packet.packet_id}</span></h1>
{said}{_problem(problem)}{inside}</main>{f"<script>{_SCRIPT}</script>" if asked else ""}</body></html>"""


def _what_to_do(sheet: ScoreSheet, keying: int) -> str:
    said = "Type what stands on the score sheet. Leave a row empty where the sheet has nothing."
    if keying == SECOND:
        said += " You do not see what was typed the first time: the two are compared when you save."
    rubric = sheet.rubric
    lists = _meanings("Codes", sheet.codes, {one.id: one.title for one in rubric.condition_codes})
    lists += _meanings("Errors", sheet.errors, {one.id: one.title for one in rubric.error_types})
    lists += _meanings("Gaps", sheet.gaps, {one.id: one.title for one in rubric.analysis_gaps})
    points = "<p>Several numbers stand with a blank between them: 1.1 2.1-2.3.</p>" if sheet.points else ""
    return (
        f"<p>{said} Enter or Tab goes on to the next field.</p>"
        '<details class="signs"><summary>What the letters and numbers mean</summary>'
        f"{lists}{points}</details>"
    )


def _meanings(heading: str, signs: Mapping[str, str], titles: Mapping[str, str]) -> str:
    rows = "".join(f"<dt>{sign}</dt><dd>{escape(titles[one])}</dd>" for one, sign in signs.items())
    return f"<p><b>{heading}</b></p><dl>{rows}</dl>" if rows else ""


def _nothing(papers: Sequence[PacketPaper], keying: int) -> str:
    blank = len(rows_to_key(papers, FIRST))
    if keying == FIRST:
        return "Every paper of this packet has been keyed once."
    if blank:
        return (
            "Nothing waits for a second keying. The first one left "
            f"{counted(blank, 'row')} empty; key those there first if the sheet has something."
        )
    return "Nothing waits for a second keying."


def _problem(problem: str) -> str:
    if not problem:
        return ""
    lines = "".join(f"<p>{escape(line)}</p>" for line in problem.split("\n"))
    return f'<div class="problem" role="alert"><p><b>Nothing was stored.</b></p>{lines}</div>'


def _form(
    packet: PrintedPacket,
    sheet: ScoreSheet,
    asked: Sequence[PacketPaper],
    keying: int,
    lead: SignedIn,
    typed: Mapping[str, str],
    problem: str,
) -> str:
    fields = {name: title for name, title in sheet.fields.items() if keying == FIRST or name != NOTE}
    wrong = set(re.findall(r"^Paper \d+ \((\w+)\)", problem, re.M))
    heads = "".join(f'<th scope="col">{escape(title)}</th>' for title in fields.values())
    begins = next((paper for paper in asked if paper.assignment_id in wrong), asked[0])
    rows = "\n".join(
        _row(paper, fields, typed, wrong=paper.assignment_id in wrong, begins=paper is begins)
        for paper in asked
    )
    way = "first" if keying == FIRST else "second"
    # The token stays when a form is shown again, so that a form sent twice is still one.
    token = typed.get("token") or secrets.token_urlsafe(24)
    return f"""<form method="post" action="/packet/{packet.packet_id}/keying/{way}" autocomplete="off"
data-keeps="{packet.packet_id}:{keying}:{lead.account.account_id}">
<input type="hidden" name="csrf_token" value="{escape(lead.csrf_token)}">
<input type="hidden" name="token" value="{escape(token)}">
<div class="wide"><table><thead><tr><th scope="col" class="number">No.</th><th scope="col">Paper</th>
<th scope="col">Letter</th>{heads}</tr></thead><tbody>
{rows}
</tbody></table></div>
<div class="end">{_alone(asked, keying, lead, typed)}<button type="submit">Save this keying</button>
<span>{counted(len(asked), "row")} to key. Saved together, or not at all.</span></div></form>"""


def _row(
    paper: PacketPaper, fields: Mapping[str, str], typed: Mapping[str, str], *, wrong: bool, begins: bool
) -> str:
    named = f"paper {paper.number}"
    letter = f"Check letter of {named}"
    cells = _input(letter_field(paper.assignment_id), letter, typed, "short", 2, begins=begins)
    for name, title in fields.items():
        wide = "longer" if name in ("points", "errors", "gaps", NOTE) else "short"
        limit = 2000 if name == NOTE else 400
        cells += _input(value_field(paper.assignment_id, name), f"{title} of {named}", typed, wide, limit)
    return (
        f'<tr{" class=wrong" if wrong else ""}><td class="number">{paper.number}</td>'
        f'<th scope="row" class="id">{paper.assignment_id}</th>{cells}</tr>'
    )


def _input(
    name: str, label: str, typed: Mapping[str, str], wide: str, limit: int, *, begins: bool = False
) -> str:
    mode = ' inputmode="decimal"' if name.endswith(f"/{SCORE}") or "/mark:" in name else ""
    mode += " autofocus" if begins else ""
    value = escape(typed.get(name, ""))
    return (
        f'<td class="{wide}"><input name="{escape(name)}" aria-label="{escape(label)}" value="{value}" '
        f'maxlength="{limit}"{mode} autocomplete="off" autocapitalize="off" spellcheck="false"></td>'
    )


def _alone(asked: Sequence[PacketPaper], keying: int, lead: SignedIn, typed: Mapping[str, str]) -> str:
    """Ask whether nobody else is there, where the same person keyed some of these rows before."""
    mine = any(paper.keyings[FIRST].actor == lead.account.account_id for paper in asked if paper.keyings)
    if keying == FIRST or not mine:
        return ""
    ticked = " checked" if typed.get("alone") == "yes" else ""
    return (
        f'<label><input type="checkbox" name="alone" value="yes"{ticked}> {ALONE}: I keyed these sheets the '
        "first time, and nobody else can key them now. The record will say so.</label>"
    )
