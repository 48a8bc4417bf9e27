"""A round with what the desk must stand: a long answer, several scripts, a Library that points cite."""

from small_workspace import TWO_CRITERIA, SmallWorkspace, Ticking, write_files

from grader_app.domain.grade import GradeEntry
from grader_app.domain.highlight import Highlight
from grader_app.store.assignments import assignments_of
from grader_app.workflow.assignment import deal
from grader_app.workflow.registration import register_files
from grader_app.workflow.workbench import Workbench

ITEM, RULE = "mpt-harbor", "rule-ferry"
LONG_WORDS = 60_000
SCRIPTS = (
    "Der Kläger hat Recht. 🙂 She\u202e wins.\r\n\r\n原告は勝つ。被告は負ける。\r\nالحق له، ولا شيء عليه"  # noqa: RUF001
)
PROSE = """\
A permit may be refused only for a stated reason. The letter states none.

So the refusal fails. An appeal lies to the harbor court, and "safety" is not a word the letter uses.
"""
GAPS = """\
analysis_gaps:
  - id: prediction-only
    title: Outcome without a reason
"""
SHEET = """\
format: point_sheet/1
id: mpt-harbor
version: "1"
item: mpt-harbor
kind: mpt
rubric: six-point
rubric_version: "1"
title: The harbor permit
issues:
  - id: permit
    title: May the permit be refused?
    weight_percent: 70
    points:
      - id: permit.rule
        part: rule
        text: >-
          A permit may be refused only for a stated safety reason.
        sources:
          - code-12
      - id: permit.application
        part: application
        text: >-
          No reason was stated in the letter.
  - id: appeal
    title: Is there an appeal?
    weight_percent: 30
    points:
      - id: appeal.rule
        part: rule
        text: >-
          An appeal lies to the harbor court.
        sources:
          - in-re-gull
library:
  - id: code-12
    title: Section 12 of the Harbor Code
    holds: >-
      A permit may be refused only for a stated safety reason.
  - id: in-re-gull
    title: In re Gull
    holds: >-
      An appeal lies to the harbor court.
"""
LIBRARY = """\
# Library

## Section 12 of the Harbor Code

{filler}

## In re Gull

The court hears appeals. {filler}
"""


def long_answer():
    """Sixty thousand words in paragraphs of all lengths, each with a number to look for."""
    paragraphs, words = [], 0
    while words < LONG_WORDS:
        number = len(paragraphs)
        length = 20 + number * 37 % 200
        paragraphs.append(f"Mark{number}. " + "The harbor master refused the permit. " * (length // 6))
        words += len(paragraphs[-1].split())
    return "\n\n".join(paragraphs)


def build(folder):
    """Write the round, deal it to ``grader-1`` and grade it; give the answers' ids by what they are."""
    write_files(folder, items=(ITEM, RULE))
    round_file = folder / "round.yaml"
    said = round_file.read_text(encoding="utf-8").replace("component: mee", "component: mpt")
    round_file.write_text(said, encoding="utf-8")
    place = folder / "rubrics" / ITEM
    filler = "\n\n".join(f"Paragraph {n} says what the law is. " * 12 for n in range(12))
    library = LIBRARY.format(filler=filler)
    for name, text in (
        ("point_sheet.yaml", SHEET),
        ("file.md", "# File\n\nThe letter.\n"),
        ("library.md", library),
    ):
        (place / name).write_text(text, encoding="utf-8")
    (folder / "rubrics" / "two_criteria.yaml").write_text(TWO_CRITERIA + GAPS, encoding="utf-8")
    bench = Workbench.create(folder)
    made = SmallWorkspace(folder, bench, Ticking(), bench.cli_actor("cli:kim"))
    register_files(bench, made.actor)
    grader = made.add_grader("grader-1")
    texts = {
        "scripts": (ITEM, SCRIPTS),
        "prose": (ITEM, PROSE),
        "long": (ITEM, long_answer()),
        "rule": (RULE, PROSE),
    }
    named = {made.take_in(item, 1, said=text)[0]: name for name, (item, text) in texts.items()}
    deal(bench, made.actor)
    found = {}
    for dealt in assignments_of(bench.store, grader.account_id):
        name = named[dealt.response_id]
        found[name] = dealt.assignment_id
        made.submit(dealt, entry=given(name, texts[name][1]))
    bench.store.close()
    return found


def given(name, text):
    """A grade to correct; the long answer has sixty places attached."""
    if name == "rule":
        return GradeEntry(marks={"correctness": 1, "analysis": 0})
    if name != "long":
        return GradeEntry(score=3)
    ids = ("permit.rule", "appeal.rule")
    places = [number * len(text) // 60 for number in range(60)]
    marks = tuple(Highlight(at, at + 80, "point", ids[at % 2]) for at in places)
    return GradeEntry(score=3, points=ids, highlights=marks)
