"""Four invented graders of differing severity and noise, who have graded most of the sample round."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from grader_app.domain.blinding_check import Guess, Sureness
from grader_app.domain.grade import GradeEntry
from grader_app.domain.ids import new_id
from grader_app.domain.panel import Account, Assignment, Role
from grader_app.domain.rubric import Rubric
from grader_app.sample.content import IntendedGrade
from grader_app.store.assignments import assignments_of
from grader_app.workflow.accounts import add_account
from grader_app.workflow.author_flags import flag_author
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.source_guesses import asks_guess, guess_source
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class SimulatedGrader:
    """How one invented grader departs from what an answer deserves.

    Parameters
    ----------
    name
        Shown with the label *simulated* wherever it appears.
    severity
        Points below what the answer deserves, on average; positive is harsh.
    noise
        Standard deviation of the rest, in points.
    misses
        Chance of overlooking a point that is there; a criterion is misjudged half as often again.
    sees_through
        Chance of knowing who wrote an answer when asked; otherwise the grader guesses or cannot tell.
    """

    name: str
    severity: float
    noise: float
    misses: float
    sees_through: float = 0.3


_GIVEN_AWAY = 0.15  # How often somebody who recognises a model also says that the text gives it away.

PANEL = (
    SimulatedGrader("ash", severity=0.0, noise=0.35, misses=0.06, sees_through=0.6),
    SimulatedGrader("birch", severity=0.5, noise=0.45, misses=0.14),
    SimulatedGrader("cedar", severity=-0.4, noise=0.45, misses=0.10),
    SimulatedGrader("dogwood", severity=0.1, noise=0.8, misses=0.18),
)
"""One steady grader, one harsh, one lenient, and one who wavers."""


class PassingClock:
    """A clock that stands still until it is told how much time has passed."""

    def __init__(self, start: datetime) -> None:
        self.now = start

    def __call__(self) -> datetime:
        """Give its time."""
        return self.now

    def passes(self, seconds: float) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)


def add_panel(bench: Workbench, actor: str) -> dict[str, SimulatedGrader]:
    """Add the panel's accounts, labelled simulated; give each grader by account id."""
    made: dict[str, SimulatedGrader] = {}
    for grader in PANEL:
        account: Account
        account, _ = add_account(bench, actor, grader.name, Role.GRADER, simulated=True)
        made[account.account_id] = grader
    return made


def grade_everything(
    bench: Workbench,
    panel: Mapping[str, SimulatedGrader],
    intended: Mapping[str, tuple[str, IntendedGrade]],
    clock: PassingClock,
) -> int:
    """Let the panel grade all that was dealt to it.

    Parameters
    ----------
    panel
        Simulated graders by account id.
    intended
        By response id: a name that stays the same from one sample workspace to the next, which
        seeds the draw, and what the answer deserves.
    clock
        The workspace's clock; each grade takes some minutes of it.

    Returns
    -------
    int
        Grades given.
    """
    queues = {account_id: assignments_of(bench.store, account_id) for account_id in panel}
    count = 0
    for place in range(max(len(queue) for queue in queues.values())):
        for account_id, queue in queues.items():
            if place < len(queue):
                dealt = queue[place]
                name, deserves = intended[dealt.response_id]
                draw = random.Random(f"{panel[account_id].name}:{name}")
                seconds = draw.uniform(140, 420)
                clock.passes(seconds / len(queues))
                rubric = bench.material().rubrics[dealt.item]
                entry = judgment(panel[account_id], deserves, rubric, draw)
                submit_grade(
                    bench,
                    account_id,
                    dealt.assignment_id,
                    entry,
                    token=new_id("t"),
                    seconds_spent=seconds,
                )
                _look_behind_the_blind(bench, panel[account_id], dealt, name)
                count += 1
    return count


def _look_behind_the_blind(bench: Workbench, grader: SimulatedGrader, dealt: Assignment, name: str) -> None:
    """Answer the question who wrote the answer, and now and then find that its text gives that away."""
    draw = random.Random(f"{grader.name}:{name}:source")
    # In the sample, answers to questions on rule application come from models, all others from people.
    truth = Guess.MODEL if dealt.item.startswith("rule-") else Guess.PERSON
    who, how_sure, seen = guessed(grader, truth, draw), draw.choice(list(Sureness)), draw.uniform(0, 1)
    if asks_guess(bench, dealt.grader_id, dealt.assignment_id):
        guess_source(bench, dealt.grader_id, dealt.assignment_id, who, how_sure, token=new_id("t"))
    if truth is Guess.MODEL and who is truth and seen < _GIVEN_AWAY:
        words = "Headings and bullet points throughout; no candidate writes like this by hand."
        flag_author(bench, dealt.grader_id, dealt.assignment_id, token=new_id("t"), words=words)


def guessed(grader: SimulatedGrader, truth: Guess, draw: random.Random) -> Guess:
    """Draw who a simulated grader thinks wrote an answer."""
    return truth if draw.uniform(0, 1) < grader.sees_through else draw.choice(list(Guess))


def judgment(
    grader: SimulatedGrader, deserves: IntendedGrade, rubric: Rubric, draw: random.Random
) -> GradeEntry:
    """Draw what a simulated grader enters for an answer."""
    entry = deserves.entry
    if entry.condition_code is not None:
        return GradeEntry(condition_code=entry.condition_code)
    seen = tuple(point for point in entry.points if draw.uniform(0, 1) > grader.misses)
    if deserves.score is not None:
        scale = rubric.score.range
        heard = deserves.score - grader.severity + draw.gauss(0, grader.noise)
        # The few 0s of the scale are for answers with nothing in them; these all have something.
        return GradeEntry(score=max(1.0, scale.clamp(float(round(heard)))), points=seen)
    return _criteria(grader, entry, rubric, seen, draw)


def _criteria(
    grader: SimulatedGrader, entry: GradeEntry, rubric: Rubric, seen: tuple[str, ...], draw: random.Random
) -> GradeEntry:
    """Judge correctness and analysis, each misjudged now and then."""
    marks = {
        name: 1 - mark if draw.uniform(0, 1) < 1.5 * grader.misses else mark
        for name, mark in (entry.marks or {}).items()
    }
    correct = marks.get("correctness", 0) > 0
    errors = () if correct else entry.error_types or (draw.choice(rubric.error_types).id,)
    lacks_analysis = correct and marks.get("analysis", 0) == 0
    gaps = (entry.analysis_gaps or (draw.choice(rubric.analysis_gaps).id,)) if lacks_analysis else ()
    return replace(entry, marks=marks, error_types=errors, analysis_gaps=gaps, points=seen)
