"""A small workspace with planted checks, and graders who read them as a test says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from small_workspace import SmallWorkspace, make_workspace, write_packet

from grader_app.domain.calibration_record import Attempt
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Account, Assignment, ReadKind
from grader_app.workflow.assignment import deal
from grader_app.workflow.calibration import own_attempt
from grader_app.workflow.registration import register_files

ITEM = "mee-barge"
VALIDITY = (3, 4, 3, 4, 2, 2, 3, 4, 3, 4)
PACKET = (1, 2, 3, 4, 5, 5, 3, 4)


def checks_block(checks: str) -> str:
    """Write the checks of a round, given as ``key: value`` lines, for ``more`` of `write_round`."""
    return "checks:\n" + "".join(f"  {line}\n" for line in checks.splitlines()) if checks else ""


def make_checked(
    folder: Path,
    *,
    checks: str = "validity_paper_every: 4",
    graders: int = 1,
    answers: int = 40,
    validity: tuple[float, ...] = VALIDITY,
    packets: Iterable[tuple[float, ...]] = (PACKET,),
    **round_options: str,
) -> SmallWorkspace:
    """Make a workspace whose answers to the barge are dealt with checks among them."""
    small = make_workspace(folder, graders=graders, answers=0, more=checks_block(checks), **round_options)
    if validity:
        write_packet(small.path, "mee-barge-v", scores=validity, anchors=(), purpose="validity")
    for letter, scores in zip("abc", packets, strict=False):
        write_packet(small.path, f"mee-barge-{letter}", scores=scores, anchors=())
    register_files(small.bench, small.actor)
    if answers:
        small.take_in(ITEM, answers)
        deal(small.bench, small.actor)
    return small


def calibrate(small: SmallWorkspace, grader: Account, off: Callable[[int], float]) -> Attempt:
    """Take a grader through a packet; `off` says how far above its reference each paper is scored."""
    attempt = small.begin(grader)
    small.rank(attempt)
    references = small.references(attempt)
    for place, a in enumerate(attempt.assignment_ids):
        with small.bench.record() as record:
            dealt = record.assignments[a]
        small.submit(dealt, entry=GradeEntry(score=references[a] + off(place)))
    return own_attempt(small.bench, grader.account_id, attempt.attempt_id)


def reference_of(small: SmallWorkspace, dealt: Assignment) -> float:
    """Give the reference of a validity paper."""
    with small.bench.record() as record:
        paper = record.calibration.papers[dealt.response_id]
    return small.bench.kept_packet(paper.set_hash).find_paper(paper.essay).score or 0.0


def of_kind(small: SmallWorkspace, grader: Account, kind: ReadKind) -> list[Assignment]:
    """List what was dealt to a grader of one kind, in queue order."""
    return [dealt for dealt in small.queue(grader) if dealt.kind is kind]


def unread(small: SmallWorkspace, grader: Account, kind: ReadKind) -> list[Assignment]:
    """List what of one kind still waits, in queue order."""
    with small.bench.record() as record:
        done = set(record.history)
    return [dealt for dealt in of_kind(small, grader, kind) if dealt.assignment_id not in done]


def read_validity(small: SmallWorkspace, grader: Account, *off: float) -> None:
    """Grade the next validity papers, each this far above its reference."""
    for dealt, by in zip(unread(small, grader, ReadKind.VALIDITY), off, strict=False):
        small.submit(dealt, reference_of(small, dealt) + by)
