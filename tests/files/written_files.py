"""Files that hold, for tests to spoil one line at a time."""

from __future__ import annotations

from pathlib import Path

RUBRIC = """\
format: rubric/1
id: six-point
version: "1"
title: Six-point scale
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
      Sees every issue.
  - score: 0
    label: Nothing
    means: >-
      Blank, or paragraph #3 of the lease: No.
condition_codes:
  - id: blank
    title: Blank
    counts_as: zero
checklist:
  - id: rules
    question: >-
      Is the rule stated?
"""

CRITERIA = """\
format: rubric/1
id: rule-application
version: "1"
title: Rule application
score:
  lowest: 0
  highest: 2
  step: 1
  level_of_measurement: ordinal
  given_by: sum
criteria:
  - id: correctness
    title: Correctness
    question: >-
      Is it free of errors?
    lowest: 0
    highest: 1
    step: 1
    zero_if_any_error: true
  - id: analysis
    title: Analysis
    question: >-
      Does it draw inferences?
    lowest: 0
    highest: 1
    step: 1
    needs: correctness
    if_unmet: zero
error_types:
  - id: rule-misstated
    title: Rule misstated
"""

SHEET = """\
format: point_sheet/1
id: mee-barge
version: "1"
item: mee-barge
kind: mee
rubric: six-point
rubric_version: "1"
title: The borrowed barge
law_as_of: "2026-11"
irac: application
issues:
  - id: bailment
    title: Was there a bailment?
    weight_percent: 40
    points:
      - id: bailment.rule
        part: rule
        text: >-
          A bailment needs delivery.
        authority: Restatement (Third) of Property
      - id: bailment.application
        part: application
        text: >-
          Owner handed over the key.
        facts:
          - mooring key
        follows_from:
          - bailment.rule
        contested: false
    accept_also:
      - >-
        Argues the contrary.
    common_mistakes:
      - >-
        Applies ordinary care.
  - id: care
    title: What care was owed?
    weight_percent: 60
    points:
      - id: care.rule
        part: rule
        text: >-
          Great care.
"""

ROUND = """\
format: round/1
id: july
version: "1"
title: July
items:
  - item: mee-barge
    component: mee
    weight: 1
"""


def spoiled(text: str, old: str, new: str) -> str:
    """Replace text that occurs exactly once."""
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
    return text.replace(old, new)


def workspace(folder: Path) -> Path:
    """Write a workspace that holds."""
    item = folder / "rubrics" / "mee-barge"
    item.mkdir(parents=True)
    (folder / "round.yaml").write_text(ROUND, encoding="utf-8")
    (folder / "rubrics" / "six_point.yaml").write_text(RUBRIC, encoding="utf-8")
    (item / "point_sheet.yaml").write_text(SHEET, encoding="utf-8")
    (item / "prompt.md").write_text("# Barge\n\nDiscuss.\n", encoding="utf-8")
    return folder
