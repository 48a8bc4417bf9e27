"""The files of a tiny workspace: two items and one rubric."""

ROUND = """\
format: round/1
id: tiny
version: "1"
title: Tiny round
items:
  - item: mee-barge
    component: mee
    weight: 1
  - item: rule-deck
    component: rule_application
seed: 3
"""
RUBRIC = """\
format: rubric/1
id: six-point
version: "1"
title: Six points
score:
  lowest: 0
  highest: 6
  step: 1
  level_of_measurement: ordinal
  given_by: grader
levels:
  - score: 6
    label: Outstanding
    means: >-
      All of it.
  - score: 0
    label: Nothing
    means: >-
      None of it.
"""
SHEET = """\
format: point_sheet/1
id: {item}
version: "1"
item: {item}
kind: {kind}
rubric: six-point
rubric_version: "1"
title: An item
subject: Contracts
jurisdiction: general American law
law_as_of: "2026-11"
irac: application
{gold}issues:
  - id: main
    title: Was there a contract?
    weight_percent: 100
    points:
      - id: main.rule
        part: rule
        text: >-
          Offer and acceptance make a contract.
        authority: Restatement (Second) of Contracts, section 22
"""


def write_files(folder):
    (folder / "round.yaml").write_text(ROUND, encoding="utf-8")
    rubrics = folder / "rubrics"
    rubrics.mkdir()
    (rubrics / "six-point.yaml").write_text(RUBRIC, encoding="utf-8")
    for item, kind, gold in (("mee-barge", "mee", ""), ("rule-deck", "rule_application", 'gold: "No"\n')):
        (rubrics / item).mkdir()
        sheet = SHEET.format(item=item, kind=kind, gold=gold)
        (rubrics / item / "point_sheet.yaml").write_text(sheet, encoding="utf-8")
        (rubrics / item / "prompt.md").write_text("Advise the owner.\n", encoding="utf-8")
