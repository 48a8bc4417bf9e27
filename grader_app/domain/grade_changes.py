"""In what two judgments of one answer by one grader differ, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader_app.domain.grade import GradeEntry
from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.rubric import Rubric

_LISTS = {
    "points": ("point", "points"),
    "error_types": ("error", "errors"),
    "analysis_gaps": ("gap", "gaps"),
}


def as_entered(entry: GradeEntry, note: str) -> dict[str, Any]:
    """Give a judgment as a draft of it would be kept."""
    return {
        "score": entry.score,
        "marks": dict(entry.marks or {}),
        "error_types": list(entry.error_types),
        "analysis_gaps": list(entry.analysis_gaps),
        "points": list(entry.points),
        "condition_code": entry.condition_code,
        "highlights": [one.as_json() for one in entry.highlights],
        "note": note,
    }


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, ...]:
    """List in what two judgments differ; nothing when they say the same.

    Parameters
    ----------
    before, after
        As `as_entered` gives them, or a draft; a key left out is empty.

    Examples
    --------
    >>> differences({"score": 4, "points": ["a"]}, {"score": 5, "points": ["b", "c"], "note": "Better."})
    ('score 4, now 5', '2 points more, 1 fewer', 'the note')
    """
    found = []
    gave, gives = _value(before), _value(after)
    if gave != gives:
        found.append(f"{gave}, now {gives.removeprefix('score ')}")
    marks, new = dict(before.get("marks") or {}), dict(after.get("marks") or {})
    for name in sorted(marks.keys() | new.keys()):
        if marks.get(name) != new.get(name):
            found.append(f"{name} {_mark(marks.get(name))}, now {_mark(new.get(name))}")
    for key, words in _LISTS.items():
        said = _more_or_fewer(set(before.get(key) or ()), set(after.get(key) or ()), words)
        found += [said] if said else []
    if _places(before) != _places(after):
        found.append("the words attached")
    if (before.get("note") or "").strip() != (after.get("note") or "").strip():
        found.append("the note")
    return tuple(found)


def that_fits(
    judgment: Mapping[str, Any], rubric: Rubric, sheet: PointSheet
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Leave out of a judgment what a rubric and a point sheet do not have.

    Returns
    -------
    dict, tuple of str
        The judgment as far as it fits, and what was left out, in words.
    """
    ranges = {criterion.id: criterion.range for criterion in rubric.criteria}
    known = {
        "points": {point.id for issue in sheet.issues for point in issue.points},
        "error_types": {one.id for one in rubric.error_types},
        "analysis_gaps": {one.id for one in rubric.analysis_gaps},
    }
    kept, left_out = dict(judgment), []
    for key, (one, several) in _LISTS.items():
        fits = [name for name in judgment.get(key) or () if name in known[key]]
        if gone := len(judgment.get(key) or ()) - len(fits):
            left_out.append(f"{gone} {one if gone == 1 else several}")
        kept[key] = fits
    marks = judgment.get("marks") or {}
    kept["marks"] = {c: m for c, m in marks.items() if c in ranges and ranges[c].contains(m)}
    left_out += [f"the mark on {c}" for c in marks if c not in kept["marks"]]
    score = judgment.get("score")
    if score is not None and not (rubric.score.given_by == "grader" and rubric.score.range.contains(score)):
        kept["score"] = None
        left_out.append(f"the score {score:g}")
    if judgment.get("condition_code") not in {None, *(code.id for code in rubric.condition_codes)}:
        kept["condition_code"] = None
        left_out.append(f"the code {judgment['condition_code']}")
    of = {"point": "points", "error_type": "error_types", "analysis_gap": "analysis_gaps"}
    kept["highlights"] = [one for one in judgment.get("highlights") or () if one["id"] in kept[of[one["of"]]]]
    return kept, tuple(left_out)


def _value(judgment: Mapping[str, Any]) -> str:
    if judgment.get("condition_code"):
        return f"code {judgment['condition_code']}"
    score = judgment.get("score")
    return "no score" if score is None else f"score {score:g}"


def _mark(value: float | None) -> str:
    return "not marked" if value is None else f"{value:g}"


def _more_or_fewer(before: set[str], after: set[str], words: tuple[str, str]) -> str:
    more, fewer = len(after - before), len(before - after)
    one, several = words
    if more and fewer:
        return f"{more} {one if more == 1 else several} more, {fewer} fewer"
    count, how = (more, "more") if more else (fewer, "fewer")
    return f"{count} {one if count == 1 else several} {how}" if count else ""


def _places(judgment: Mapping[str, Any]) -> set[tuple[int, int, str, str]]:
    return {(one["start"], one["end"], one["of"], one["id"]) for one in judgment.get("highlights") or ()}
