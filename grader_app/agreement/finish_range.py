"""When a panel will have read everything: a range from the days it has worked so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

import numpy as np
import numpy.typing as npt

SHARE = 0.8
"""Share of the simulated courses that end within the range."""
FEWEST_DAYS = 3
"""Days with grades, before today, below which nothing is said."""
LONGEST_LOOK_BACK = 21
"""Calendar days before today that speak for the days to come: older ones tell of another pace."""
HORIZON = 400
"""Days after which a course is given up: some queue does not move."""
_COURSES = 1000
_ENOUGH_TO_COMPARE = 3  # graders from whom a mean to pull towards is taken
_LESS_THAN_A_PAPER = 0.5
_FIRST_WEEKEND_DAY = 5  # Saturday, as date.weekday() counts

Status = Literal["ok", "nothing_left", "too_few_days", "no_end"]
_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class GraderDays:
    """One grader's work so far and the work that waits for them.

    Parameters
    ----------
    left
        Papers waiting in the grader's queue.
    graded
        Papers graded by day; a day without any may be left out.
    works
        False for somebody who is disabled, stopped or paused: what waits for them is taken to go to others.
    """

    left: int
    graded: Mapping[date, int]
    works: bool = True


@dataclass(frozen=True)
class FinishRange:
    """The day on which the last paper that waits now will have been read.

    Parameters
    ----------
    status
        ``ok``; ``nothing_left``; ``too_few_days`` (no range); ``no_end`` (no latest day: in too many courses
        some queue does not move).
    earliest, latest
        Ends of the range, or None.
    share
        Share of the simulated courses within it, in percent.
    days_seen
        Calendar days that the courses are drawn from.
    days_worked
        Those of them on which anybody graded.
    unmoved
        Places, in the order given, of graders with papers left who have graded before, but nothing on any
        of those days: what waits for them is taken to go to others.
    says
        A sentence for the lead.
    assumes
        What it takes for granted, a sentence each.
    """

    status: Status
    earliest: date | None
    latest: date | None
    share: float
    days_seen: int
    days_worked: int
    unmoved: tuple[int, ...]
    says: str
    assumes: tuple[str, ...]


def finish_range(
    graders: Sequence[GraderDays],
    today: date,
    *,
    undealt: int = 0,
    seed: int = 0,
    courses: int = _COURSES,
    weekends_off: bool | None = None,
) -> FinishRange:
    """Simulate the days to come from the days so far.

    Parameters
    ----------
    graders
        Everybody with papers left or with papers graded.
    today
        The day the question is asked; it is not over, so it speaks for no other day.
    undealt
        Reads that wait for nobody yet; shared out evenly among those who work.
    seed
        Fixes the courses.
    courses
        How many are simulated.
    weekends_off
        Whether nobody works on weekends; None leaves it to the days seen.

    Notes
    -----
    A course draws each day to come from the days seen, for all graders the same day, so that a day on
    which nobody worked stays one. How often a day is drawn differs from course to course, by the weights
    of a Bayesian bootstrap (Rubin 1981): a few days tell little about the mean, and the range says so.
    Weekdays are drawn from weekdays and weekend days from weekend days. Until both days of a weekend have
    been seen, half of the courses rest on weekends and half work on them as on other days. Paces that the
    days seen cannot tell apart are pulled towards their mean. A grader who began late is drawn from their
    own days only; one who has not begun works as a colleague drawn by chance.
    """
    days = _days_seen(graders, today)
    unmoved = tuple(at for at, one in enumerate(graders) if _is_unmoved(one, days, today))
    working = [at for at, one in enumerate(graders) if one.works and at not in unmoved]
    left = np.array([one.left if at in working else 0 for at, one in enumerate(graders)], dtype=np.int64)
    loose = undealt + sum(one.left for at, one in enumerate(graders) if at not in working)
    if int(left.sum()) + loose == 0:
        return _without_range("nothing_left", 0, 0, "Nothing waits to be read.")
    worked = sum(any(one.graded.get(day, 0) for one in graders) for day in days)
    if worked < FEWEST_DAYS:
        return _without_range("too_few_days", len(days), worked, _too_few(worked), unmoved)
    if not working:
        said = "Nobody who may grade is at work, so no end can be given."
        return _without_range("no_end", len(days), worked, said, unmoved)
    counts = np.array([[one.graded.get(day, 0) for day in days] for one in graders], dtype=np.int64)
    done_today = np.array([one.graded.get(today, 0) for one in graders], dtype=np.int64)
    ends = _simulate(
        _shared_out(left, loose, working),
        counts,
        done_today,
        days,
        today,
        np.random.default_rng(seed),
        courses,
        weekends_off,
    )
    return _as_range(ends, today, days, worked, unmoved, loose, weekends_off)


def _is_unmoved(one: GraderDays, days: Sequence[date], today: date) -> bool:
    graded = {day for day, n in one.graded.items() if n}
    return bool(one.works and one.left and graded) and not graded & {*days, today}


def _days_seen(graders: Sequence[GraderDays], today: date) -> list[date]:
    first = min((day for one in graders for day, n in one.graded.items() if n), default=today)
    start = max(first, today - timedelta(days=LONGEST_LOOK_BACK))
    return [start + timedelta(days=n) for n in range((today - start).days)]


def _shared_out(left: _Ints, loose: int, working: Sequence[int]) -> _Ints:
    """Give the papers that wait for nobody to those who work, the shortest queue first."""
    queues = left.copy()
    for _ in range(loose):
        queues[min(working, key=lambda at: queues[at])] += 1
    return queues


def _simulate(
    left: _Ints,
    counts: _Ints,
    done_today: _Ints,
    days: Sequence[date],
    today: date,
    draw: np.random.Generator,
    courses: int,
    weekends_off: bool | None,
) -> _Ints:
    """Give the day, counted from today, on which each course ends; HORIZON for one that does not."""
    weights = draw.exponential(size=(courses, counts.shape[1]))
    history = _own_history(counts, weights, draw)
    weekend = np.array([day.weekday() >= _FIRST_WEEKEND_DAY for day in days])
    rests = _rests_on_weekends(days, draw, courses, weekends_off)
    remaining = np.repeat(left[None, :].astype(float), courses, axis=0)
    ends = np.full(courses, HORIZON, dtype=np.int64)
    rows = np.arange(courses)
    for ahead in range(HORIZON):
        is_weekend = (today + timedelta(days=ahead)).weekday() >= _FIRST_WEEKEND_DAY
        drawn = _drawn_days(weights, weekend, is_weekend, draw)
        amount = np.stack([own[rows, drawn] for own in history], axis=1)
        if is_weekend and rests is not None:
            amount[rests] = 0
        if ahead == 0:
            amount = np.maximum(amount - done_today[None, :], 0)
        remaining = np.maximum(remaining - amount, 0)
        ends[(remaining.sum(axis=1) < _LESS_THAN_A_PAPER) & (ends == HORIZON)] = ahead
        if (ends < HORIZON).all():
            break
    return ends


def _own_history(counts: _Ints, weights: _Floats, draw: np.random.Generator) -> list[_Floats]:
    """Give each grader's papers by course and day seen; what lies before their first day is drawn anew."""
    begun = [int(np.argmax(row > 0)) if row.any() else None for row in counts]
    filled = {
        at: _filled(row, first, draw)
        for at, (row, first) in enumerate(zip(counts, begun, strict=True))
        if first is not None
    }
    pulled = _pulled_together(filled, begun, weights)
    models = np.stack([pulled[at] for at in sorted(pulled)])
    courses = np.arange(len(weights))
    return [
        # Somebody who has not begun: each course takes a colleague's days.
        pulled[at] if at in pulled else models[draw.integers(len(models), size=len(weights)), courses]
        for at in range(len(counts))
    ]


def _pulled_together(
    filled: Mapping[int, _Ints], begun: Sequence[int | None], weights: _Floats
) -> dict[int, _Floats]:
    """Pull the graders' paces towards their mean, as far as the days seen cannot tell them apart.

    Notes
    -----
    The slowest of many graders looks slower than they are, and the end waits for the slowest. So each
    mean is shrunk by its reliability, the variance between graders over that plus the mean's own.
    """
    means = {at: (weights @ row) / weights.sum(axis=1) for at, row in filled.items()}
    noise = {}
    for at, row in filled.items():
        own = row[begun[at] or 0 :]
        noise[at] = float(np.var(own, ddof=1)) / len(own) if len(own) > 1 else float(own.mean()) ** 2
    middle = float(np.mean([one.mean() for one in filled.values()]))
    seen = float(np.var([one.mean() for one in filled.values()], ddof=1)) if len(filled) > 1 else 0.0
    between = max(0.0, seen - float(np.mean(list(noise.values()))))
    found = {}
    for at, row in filled.items():
        spread = between + noise[at]
        trust = 1.0 if len(filled) < _ENOUGH_TO_COMPARE or spread == 0 else between / spread
        pace = means[at]
        wanted = middle + trust * (pace - middle)
        factor = np.divide(wanted, pace, out=np.ones_like(pace), where=pace > 0)
        found[at] = row[None, :] * factor[:, None]
    return found


def _filled(row: _Ints, first: int, draw: np.random.Generator) -> _Ints:
    if first == 0:
        return row
    filled = row.copy()
    filled[:first] = draw.choice(row[first:], size=first)
    return filled


def _rests_on_weekends(
    days: Sequence[date], draw: np.random.Generator, courses: int, weekends_off: bool | None
) -> npt.NDArray[np.bool_] | None:
    """Say which courses rest on weekends; None where the weekend days seen speak for themselves."""
    if weekends_off is not None:
        return np.full(courses, weekends_off)
    if {5, 6} <= {day.weekday() for day in days}:
        return None
    return np.asarray(draw.permutation(courses) % 2 == 0)


def _drawn_days(
    weights: _Floats,
    weekend: npt.NDArray[np.bool_],
    is_weekend: bool,
    draw: np.random.Generator,
) -> _Ints:
    """Draw a day seen for each course, of the same kind as the day to come where any was seen."""
    kind = weekend == is_weekend
    if not kind.any() or (is_weekend and kind.sum() < 2):
        kind = ~weekend if (~weekend).any() else np.ones_like(weekend)
    held = np.cumsum(np.where(kind, weights, 0.0), axis=1)
    at = draw.random(len(weights))[:, None] * held[:, -1:]
    return np.asarray(np.minimum((held <= at).sum(axis=1), weights.shape[1] - 1), dtype=np.int64)


def _as_range(
    ends: _Ints,
    today: date,
    days: Sequence[date],
    worked: int,
    unmoved: tuple[int, ...],
    loose: int,
    weekends_off: bool | None,
) -> FinishRange:
    tail = (1 - SHARE) / 2
    low, high = (int(np.quantile(ends, q, method="inverted_cdf")) for q in (tail, 1 - tail))
    assumes = tuple(_assumptions(days, worked, loose, weekends_off))
    inside = float(np.mean((ends >= low) & (ends <= high))) * 100
    if low >= HORIZON:
        said = "At this pace no end can be given: some queue does not move."
        return FinishRange("no_end", None, None, inside, len(days), worked, unmoved, said, assumes)
    earliest = today + timedelta(days=low)
    if high >= HORIZON:
        said = (
            f"Not before {_spoken(earliest)}; no latest day can be given, because some queue does not move."
        )
        return FinishRange("no_end", earliest, None, inside, len(days), worked, unmoved, said, assumes)
    latest = today + timedelta(days=high)
    between = (
        f"On {_spoken(earliest)}" if low == high else f"Between {_spoken(earliest)} and {_spoken(latest)}"
    )
    said = f"{between} ({inside:.0f} of 100 simulated courses)."
    return FinishRange("ok", earliest, latest, inside, len(days), worked, unmoved, said, assumes)


def _assumptions(days: Sequence[date], worked: int, loose: int, weekends_off: bool | None) -> list[str]:
    seen = f"the last {len(days)} days" if len(days) > 1 else "the one day seen"
    said = [f"Everyone works on as in {seen}, on {worked} of which somebody graded."]
    if weekends_off is None and not {5, 6} <= {day.weekday() for day in days}:
        said.append(
            "No whole weekend has been seen: half of the courses rest on weekends, half work on them."
        )
    if loose:
        word = "1 read that waits" if loose == 1 else f"{loose} reads that wait"
        said.append(f"{word} for nobody at work {'is' if loose == 1 else 'are'} dealt today, evenly.")
    said.append("Third readings, corrections and decisions of the lead are not in it. Days are UTC.")
    return said


def _too_few(worked: int) -> str:
    seen = {0: "no day of grading has", 1: "one day of grading has"}.get(
        worked, f"{worked} days of grading have"
    )
    return (
        f"No day can be given yet: {seen} been seen before today, and a range needs {FEWEST_DAYS} to show "
        "how much days differ."
    )


def _without_range(
    status: Status, seen: int, worked: int, says: str, unmoved: tuple[int, ...] = ()
) -> FinishRange:
    return FinishRange(status, None, None, 0.0, seen, worked, unmoved, says, ())


def _spoken(day: date) -> str:
    names = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    return f"{names[day.weekday()]} {day.day} {months[day.month - 1]}"
