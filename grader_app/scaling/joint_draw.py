"""One seeded draw of everything that could have been otherwise: readers, questions and the pool."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from grader_app.scaling.constants import Constants
from grader_app.scaling.smoothed_ranks import interpolated

Floats = NDArray[np.float64]
Rng = np.random.Generator
_FEWEST_DF = 3


@dataclass(frozen=True)
class GroupErrors:
    """The errors of the composites of one scaling group, and of those placed by its constants.

    Parameters
    ----------
    raws
        Composite of each candidate, in weighted points.
    severity
        Candidates by (item, grader): moves of the composite for a severity of one SD; None without a
        reader's error.
    residual_sd
        SD of what else another read would change, a candidate; None without a reader's error.
    question_sd
        SD of what other questions would change (readers' error included where `residual_sd` is None);
        None where it is not known.
    members
        Places of those who form the constants.
    member_mbes
        Their MBE scores; empty under an assumed reference.
    constants
        As they stand.
    residual_df, severity_df
        Degrees of freedom that the readers' two variances rest on; infinite where they are taken as known.
    """

    raws: Floats
    severity: csr_array | None
    residual_sd: Floats | None
    question_sd: Floats | None
    members: NDArray[np.intp]
    member_mbes: Floats
    constants: Constants
    residual_df: float = math.inf
    severity_df: float = math.inf

    @property
    def knows_readers(self) -> bool:
        """Whether the error of readers is known."""
        return self.severity is not None and self.residual_sd is not None

    def variances(self) -> tuple[Floats | None, Floats | None]:
        """Return the error variances of the scaled scores by formula, one a candidate.

        Returns
        -------
        tuple
            Of readers; of readers and questions together. In squared MBE points, with the line
            ``sd_mbe / sd`` for either method; None where not known.

        Notes
        -----
        Severity is counted about its mean over the members, as in a draw; so are the other errors.
        """
        slope = (self.constants.mbe_sd / self.constants.written.sd) ** 2
        readers = None
        if self.severity is not None and self.residual_sd is not None:
            common = np.asarray(self.severity[self.members].mean(axis=0)).ravel()
            squares = np.asarray(self.severity.power(2).sum(axis=1)).ravel()
            harsh = squares - 2 * (self.severity @ common) + float(common @ common)
            readers = slope * (harsh + self._about_mean(self.residual_sd**2))
        if self.question_sd is None:
            return readers, None
        questions = slope * self._about_mean(self.question_sd**2)
        return readers, questions if readers is None else readers + questions

    @property
    def own_part(self) -> Floats:
        """Which part of a candidate's error variance is left against constants that the error helped to form.

        With n members a member's error moves their mean by one n-th of itself: 1 - 2/n, to which the mean
        of all errors comes. The error of a candidate placed by others' constants is left whole.
        """
        found = np.ones(len(self.raws))
        found[self.members] -= 2 / max(2, len(self.members))
        return found

    def _about_mean(self, variances: Floats) -> Floats:
        found: Floats = self.own_part * variances
        n = len(self.members)
        return found + variances[self.members].sum() / n**2 if n else found


@dataclass(frozen=True)
class Draw:
    """One draw: scaled scores less those that stand, in MBE points, one a candidate.

    Parameters
    ----------
    readers
        Other readers of this kind, the same answers, questions and pool; None where not known.
    everything
        Other readers, other questions and another pool; None where the questions' part is not known.
    """

    readers: Floats | None
    everything: Floats | None


def draws(group: GroupErrors, n: int, seed: int) -> Iterator[Draw]:
    """Draw what the scaled scores might have been instead.

    Parameters
    ----------
    group
        Composites, their errors and the constants.
    n
        How many draws.
    seed
        The same seed gives the same draws.

    Yields
    ------
    Draw

    Notes
    -----
    A grader's severity is drawn once a draw and item and moves everybody that grader read; its mean over
    the scaling group is taken off, since scaling takes it off. The pool is drawn anew by resampling
    members with their MBE scores together; under an assumed reference only the written constants move.
    How well the readers' variances are known is part of the readers' line: in each draw they are what they
    might be, by the chi-square distribution of an estimated variance, so that the ends are those of a t
    distribution. In the other line they stand together with the questions' variance, which is what they
    leave of a sum that all candidates tell: what one of the two might be more, the other would be less.
    The errors are independent of each other. Other readers alone leave the SDs of the constants where they
    are and move the mean, which is taken off. In the line with another pool the mean moves with the members
    drawn, and of a member's own error the part is drawn that those constants leave (`own_part`).

    References
    ----------
    Efron & Tibshirani (1993), ch. 8; Brennan (2001), ch. 6.
    """
    rng = np.random.default_rng(seed)
    doubts = np.random.default_rng([seed, 1])
    residual = _might_be(group.residual_df, n, doubts)
    severity = _might_be(group.severity_df, n, doubts)
    scaled_now = _scaled_by(group, group.constants)(group.raws)
    left = np.sqrt(group.own_part)
    for at in range(n):
        harsh, rest = _reader_moves(group, rng)
        readers = None
        if group.knows_readers:
            moved = group.raws + severity[at] * harsh
            moved += residual[at] * (rest - rest[group.members].mean())
            readers = _scaled_by(group, group.constants)(moved) - scaled_now
        if group.question_sd is None:
            yield Draw(readers, None)
            continue
        rest = rest + rng.standard_normal(len(group.raws)) * group.question_sd
        moved = group.raws + harsh + left * rest
        yield Draw(readers, _another_pool(group, rng)(moved) - scaled_now)


def _might_be(df: float, n: int, rng: Rng) -> Floats:
    """Draw by what factor an SD might differ from its estimate with so many degrees of freedom."""
    if math.isinf(df):
        return np.ones(n)
    # With fewer than three, the draws would have no variance.
    df = max(df, _FEWEST_DF)
    found: Floats = np.sqrt(df / rng.chisquare(df, n))
    return found


def _reader_moves(group: GroupErrors, rng: Rng) -> tuple[Floats, Floats]:
    """Give what severity moves, about its mean, and what else another read would; zeros where not known."""
    if group.severity is None or group.residual_sd is None:
        return np.zeros(len(group.raws)), np.zeros(len(group.raws))
    harsh = group.severity @ rng.standard_normal(group.severity.shape[1])
    rest = rng.standard_normal(len(group.raws)) * group.residual_sd
    return harsh - harsh[group.members].mean(), rest


def _scaled_by(group: GroupErrors, constants: Constants) -> Callable[[Floats], Floats]:
    if group.constants.method == "equipercentile":
        raws, mbes = np.array(constants.ordered_raws), np.array(constants.ordered_mbes)
        return _by_rank(raws, mbes, constants.smoothing)
    return _by_line(constants.written.mean, constants.written.sd, constants.mbe_mean, constants.mbe_sd)


def _another_pool(group: GroupErrors, rng: Rng) -> Callable[[Floats], Floats]:
    """Give the scaling of a pool of members drawn anew; one that does not vary is drawn again."""
    n = len(group.members)
    while True:
        drawn = rng.integers(0, n, n)
        raws = group.raws[group.members[drawn]]
        mbes = group.member_mbes[drawn] if len(group.member_mbes) else None
        if np.ptp(raws) > 0 and (mbes is None or np.ptp(mbes) > 0):
            break
    if group.constants.method == "equipercentile" and mbes is not None:
        return _by_rank(np.sort(raws), np.sort(mbes), group.constants.smoothing)
    if mbes is None:
        return _by_line(raws.mean(), raws.std(), group.constants.mbe_mean, group.constants.mbe_sd)
    return _by_line(raws.mean(), raws.std(), mbes.mean(), mbes.std())


def _by_line(mean: float, sd: float, mbe_mean: float, mbe_sd: float) -> Callable[[Floats], Floats]:
    return lambda raws: (raws - mean) / sd * mbe_sd + mbe_mean


def _by_rank(
    ordered_raws: Floats, ordered_mbes: Floats, smoothing: float = 0.0
) -> Callable[[Floats], Floats]:
    """Give scaling by rank for many raw scores at once; a test holds the two together."""
    if smoothing:
        return lambda raws: interpolated(ordered_raws, ordered_mbes, smoothing, raws)

    def scaled(raws: Floats) -> Floats:
        below = np.searchsorted(ordered_raws, raws, "left")
        through = np.searchsorted(ordered_raws, raws, "right")
        halves = below + through - 1
        last = len(ordered_mbes) - 1
        lower, upper = (np.clip(end // 2, 0, last) for end in (halves, halves + 1))
        found: Floats = (ordered_mbes[lower] + ordered_mbes[upper]) / 2
        return found

    return scaled
