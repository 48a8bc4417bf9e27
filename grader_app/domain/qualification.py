"""Who may grade an item live, and why: qualified, allowed by the lead, or not yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from grader_app.domain.calibration_record import Attempt
from grader_app.domain.grading_record import GradingRecord

Status = Literal["not_required", "qualified", "overridden", "reread", "open", "stopped", "no_set"]


@dataclass(frozen=True)
class Qualification:
    """Where one grader stands with one item.

    Parameters
    ----------
    status
        ``not_required`` (the round asks for none), ``qualified``, ``overridden`` (the lead allowed it),
        ``reread`` (the guidelines changed and wait to be read anew), ``open`` (calibration is to be done),
        ``stopped`` (no attempt is left), ``no_set`` (there is no set to qualify on).
    may_grade
        Whether live grading is open.
    at
        UTC time since when, or None.
    says
        A sentence for the grader.
    reason
        The lead's reason, for ``overridden``.
    """

    status: Status
    may_grade: bool
    says: str
    at: str | None = None
    reason: str = ""


def qualification_of(record: GradingRecord, grader_id: str, item: str) -> Qualification:
    """Say where a grader stands with an item.

    Parameters
    ----------
    record
        The round.
    grader_id, item
        Who and what.

    Notes
    -----
    Qualification belongs to an item and a version. A later version that differs in nothing but the
    guidelines keeps it, once the grader has read the guidelines anew; any other change ends it.
    """
    if record.round is None or record.round.qualification == "not_required":
        return Qualification("not_required", True, "This round does not require graders to qualify.")
    made = [_under_this_content(record, item, earned) for earned in _earned(record, grader_id, item)]
    standing = [one for one in made if one is not None]
    if not standing:
        return _not_yet(record, grader_id, item)
    has_read = (grader_id, record.current_files["item", item]) in record.calibration.reread
    ready = [earned for earned, same_version in standing if same_version or has_read]
    if not ready:
        says = "The guidelines have a new ruling. Read them again before you go on."
        return Qualification("reread", False, says, standing[-1][0].at)
    return ready[-1]


def could_grade_under(record: GradingRecord, grader_id: str, item: str, item_hash: str) -> bool:
    """Say whether what let a grader in on an item counts for one version of it, in use or not.

    Parameters
    ----------
    record
        The round.
    grader_id, item
        Who and what.
    item_hash
        Content hash of the item's version.
    """
    if record.round is None or record.round.qualification == "not_required":
        return True
    files = record.inputs.files
    return any(
        same_but_guidelines(files[digest]["content"], files[item_hash]["content"])
        for digest, _ in _earned(record, grader_id, item)
    )


def qualifying_sets(record: GradingRecord, item: str) -> list[str]:
    """List the sets on which one can qualify for an item as it stands, by id."""
    found = []
    for set_id, digest in sorted(record.calibration.current_sets.items()):
        said = set_content(record, digest)
        fits = said["item"] == item and said["purpose"] == "qualify"
        if (
            fits
            and fits_current_item(record, item, said["point_sheet_version"])
            and _draw_holds(record, set_id)
        ):
            found.append(set_id)
    return found


def _draw_holds(record: GradingRecord, set_id: str) -> bool:
    """Say whether packets drawn for a set were read under the point sheet as it stands; true before a draw.

    Scores that a panel gave under another point sheet are no reference for this one, whatever version the
    set's file names: such a panel takes a new set.
    """
    digest = record.calibration.drawn_under.get(set_id)
    if digest is None:
        return True
    files = record.inputs.files
    drawn = files[digest]
    current = files[record.current_files["item", drawn["id"]]]
    return same_but_guidelines(drawn["content"], current["content"])


def set_content(record: GradingRecord, set_hash: str) -> Mapping[str, Any]:
    """Give what ``calibration_set.yaml`` said, by the content hash of the set."""
    content: Mapping[str, Any] = record.inputs.files[set_hash]["content"]["set"]
    return content


def fits_current_item(record: GradingRecord, item: str, version: str) -> bool:
    """Say whether references made under a version of a point sheet still hold under the current one."""
    current = record.inputs.files[record.current_files["item", item]]
    if current["version"] == version:
        return True
    made_under = [
        kept
        for kept in record.inputs.files.values()
        if (kept["kind"], kept["id"], kept["version"]) == ("item", item, version)
    ]
    return any(same_but_guidelines(kept["content"], current["content"]) for kept in made_under)


def same_but_guidelines(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Say whether two versions of an item differ in nothing but their number and the guidelines."""

    def rest(content: Mapping[str, Any]) -> dict[str, Any]:
        sheet = {key: value for key, value in content["sheet"].items() if key != "version"}
        texts = {key: value for key, value in content.items() if key not in ("sheet", "guidelines")}
        return {"sheet": sheet, **texts}

    return rest(one) == rest(other)


def attempts_allowed(record: GradingRecord, item: str) -> int:
    """Give how often a grader may try to qualify for an item: as its first set says."""
    sets = qualifying_sets(record, item)
    if not sets:
        return 0
    return int(set_content(record, record.calibration.current_sets[sets[0]])["attempts"])


def next_set_or_none(record: GradingRecord, grader_id: str, item: str) -> str | None:
    """Give the set a grader tries next: the first one not tried yet; None when no attempt is left.

    Notes
    -----
    Nobody tries a set twice under one point sheet: its references have been shown. Another point sheet
    starts the count anew, and a packet that was scored again under it may be tried again, since otherwise a
    panel with one packet could never qualify again. That its papers have been seen is a weakness.
    """
    tried = attempts_that_count(record, grader_id, item)
    if len(tried) >= attempts_allowed(record, item):
        return None
    names = {attempt.set_id for attempt in tried}
    return next((name for name in qualifying_sets(record, item) if name not in names), None)


def attempts_that_count(record: GradingRecord, grader_id: str, item: str) -> list[Attempt]:
    """List a grader's gated attempts under the item as it stands, or under what counts as the same."""
    files = record.inputs.files
    current = files[record.current_files["item", item]]["content"]
    return [
        attempt
        for attempt in record.calibration.attempts_of(grader_id, item)
        if attempt.number > 0 and same_but_guidelines(files[attempt.item_hash]["content"], current)
    ]


def _earned(record: GradingRecord, grader_id: str, item: str) -> list[tuple[str, Qualification]]:
    """List what let a grader in, oldest first, each with the item content it belongs to."""
    found: list[tuple[int, str, Qualification]] = []
    for attempt in record.calibration.attempts_of(grader_id, item):
        judged = attempt.judgment
        if attempt.number > 0 and judged is not None and judged.outcome == "qualified":
            says = "You have qualified for this question."
            earned = Qualification("qualified", True, says, judged.at)
            found.append((judged.event_seq, attempt.item_hash, earned))
    failed = [a for a in attempts_that_count(record, grader_id, item) if _has_failed(a)]
    for override in record.calibration.overrides.get((grader_id, item), []):
        if not override.stands:
            continue
        says = f"The panel lead lets you grade without having qualified: {override.reason}"
        if any(a.judgment is not None and a.judgment.event_seq > override.event_seq for a in failed):
            says = (
                "You did not qualify on your packet. You may still grade, because the panel lead let you in "
                f"before: {override.reason}"
            )
        earned = Qualification("overridden", True, says, override.at, override.reason)
        found.append((override.event_seq, override.item_hash, earned))
    found.sort(key=lambda one: one[0])
    # Having qualified counts for more than having been allowed, whichever came last.
    found.sort(key=lambda one: one[2].status == "qualified")
    return [(digest, earned) for _, digest, earned in found]


def _has_failed(attempt: Attempt) -> bool:
    return attempt.judgment is not None and attempt.judgment.outcome == "not_qualified"


def _under_this_content(
    record: GradingRecord, item: str, earned: tuple[str, Qualification]
) -> tuple[Qualification, bool] | None:
    digest, qualification = earned
    current = record.current_files["item", item]
    if digest == current:
        return qualification, True
    files = record.inputs.files
    if same_but_guidelines(files[digest]["content"], files[current]["content"]):
        return qualification, False
    return None


def _not_yet(record: GradingRecord, grader_id: str, item: str) -> Qualification:
    if not qualifying_sets(record, item):
        return Qualification(
            "no_set",
            False,
            "There is no calibration set for this question as it stands. The panel lead can add one, "
            "or let you grade with a reason.",
        )
    attempts = record.calibration.attempts_of(grader_id, item)
    under_way = any(attempt.judgment is None for attempt in attempts)
    if not under_way and next_set_or_none(record, grader_id, item) is None:
        return Qualification(
            "stopped",
            False,
            "You have not qualified on this version, and no attempt is left. The panel lead decides how you "
            "go on.",
        )
    return Qualification("open", False, "Calibrate first: rank the packet, then score it.")
