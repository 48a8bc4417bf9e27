"""From a pool of graded candidates to written scaled scores and totals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite, log10

from grader_app.errors import ScalingProblem
from grader_app.scaling.composite import check_weights, ungraded_items, written_raw
from grader_app.scaling.constants import METHODS, Constants, Member, Method, constants_of
from grader_app.scaling.effective_weights import effective_weights
from grader_app.scaling.pool import Candidate, Pool
from grader_app.scaling.reference import AssumedReference, Reference
from grader_app.scaling.rounding import ADDED, ROUNDINGS, Factors, Rounding, reported_total
from grader_app.scaling.scaled import LeftOut as LeftOut
from grader_app.scaling.scaled import Scaled as Scaled
from grader_app.scaling.scaled import ScaledCandidate as ScaledCandidate
from grader_app.scaling.standardise import Target, standardised_pool

_NAMES = {"mean": "written mean", "sd": "written SD", "mean_mbe": "MBE mean", "sd_mbe": "MBE SD"}
FEW = 100
"""Below this many members the constants are reported with a warning and their standard errors."""


MOST_FACTOR = 1e6
"""By more no published total multiplies MBE or written score."""
MOST_SMOOTHING = 10.0
"""A wider kernel comes to the scaling by mean and SD."""


def scale_pool(
    pool: Pool,
    weights: Mapping[str, float],
    method: Method,
    reference: Reference,
    rounding: Rounding,
    *,
    targets: Mapping[str, Target] | None = None,
    factors: Factors = ADDED,
    smoothing: float = 0.0,
) -> Scaled:
    """Place the written scores of a pool on the MBE scale and form totals.

    Parameters
    ----------
    pool
        Candidates with item scores (None is ungraded), MBE or None, and their group.
    weights
        Item id -> weight of the composite, finite and above 0. Items without a weight play no part.
    method
        ``mean_sigma`` or ``equipercentile``.
    reference
        The scaling group's own MBE scores, or an assumed mean and SD (`mean_sigma` only).
    rounding
        ``total_half_up``, ``tenths_then_total`` or ``none``.
    targets
        Mean and SD that items take on over the scaling group before they are weighted, by item; raw scores
        are weighted without it.
    factors
        What MBE and written scaled score are multiplied by in the total.
    smoothing
        For ``equipercentile``: SD of a normal kernel in SDs of the scores, 0 or more. See `SmoothedRanks`.

    Returns
    -------
    Scaled
        Everyone with a composite, and under `left_out` everyone without. The order of the candidates
        changes no number, not by a bit.

    Raises
    ------
    ScalingProblem
        An unknown name, an unusable weight or factor, or a group without anybody to form constants from, or
        whose written or MBE scores do not vary; or an item to be standardised that does not.

    Notes
    -----
    The scaling group are those marked as in it who have every item graded and an MBE score. All others
    (models, attorneys without an MBE) are scaled with its constants and never form them. If nobody in the
    whole pool has an MBE score and the reference is assumed, being marked and complete is enough.
    SDs are population SDs (divided by n); sample SDs would give the same scaled scores, since both come
    from the same people. A candidate with an ungraded item has no composite and counts nowhere.

    Examples
    --------
    >>> from grader_app.scaling.reference import PoolReference
    >>> pool = Pool((
    ...     Candidate("A", {"mee-1": 3, "mpt-1": 3}, mbe=130.0),
    ...     Candidate("B", {"mee-1": 5, "mpt-1": 4}, mbe=150.0),
    ...     Candidate("model", {"mee-1": 6, "mpt-1": 5}, in_scaling_group=False),
    ...     Candidate("C", {"mee-1": 6, "mpt-1": None}, mbe=151.0),
    ... ))
    >>> scaled = scale_pool(pool, {"mee-1": 1, "mpt-1": 2}, "mean_sigma", PoolReference(), "total_half_up")
    >>> [(row.candidate_id, row.written_scaled, row.total) for row in scaled.candidates]
    [('A', 130.0, 260), ('B', 150.0, 300), ('model', 165.0, None)]
    >>> scaled.left_out[0].why
    'Not graded yet: mpt-1.'
    """
    check_weights(weights)
    if not 0 <= smoothing <= MOST_SMOOTHING:
        raise ScalingProblem(
            f"A smoothing of {smoothing!r} cannot be used. Give 0 for none, or up to {MOST_SMOOTHING:g} SDs."
        )
    _check_names(method, rounding)
    _check_factors(factors)
    needs_mbe = pool.has_mbe or not isinstance(reference, AssumedReference)
    raws = _composites(pool, weights)
    groups = _groups(pool, raws, needs_mbe)
    placed = raws
    if targets:
        forming = {member.candidate_id for members in groups.values() for member in members}
        standardised = standardised_pool(pool, targets, lambda one: one.candidate_id in forming)
        placed = _without_dust(_composites(standardised, weights), targets)
    constants = {
        group: _constants_of_group(group, members, placed, method, reference, smoothing)
        for group, members in groups.items()
    }
    rows = [
        _scaled_candidate(candidate, raw, composite, constants[candidate.group], needs_mbe)
        for candidate in pool.candidates
        if (raw := raws[candidate.candidate_id]) is not None
        and (composite := placed[candidate.candidate_id]) is not None
    ]
    mbes = {candidate.candidate_id: candidate.mbe for candidate in pool.candidates}
    rows = [replace(row, total=_total(row, mbes[row.candidate_id], rounding, factors)) for row in rows]
    if targets:
        rows = [replace(row, written_standardised=placed[row.candidate_id]) for row in rows]
    left_out = [
        LeftOut(
            candidate.candidate_id, f"Not graded yet: {', '.join(ungraded_items(candidate.scores, weights))}."
        )
        for candidate in pool.candidates
        if raws[candidate.candidate_id] is None
    ]
    return Scaled(
        method,
        reference,
        rounding,
        constants,
        tuple(rows),
        tuple(left_out),
        tuple(_warnings(constants, reference, needs_mbe)),
        {
            group: effective_weights([m.scores for m in members], weights, targets)
            for group, members in groups.items()
        },
        targets or {},
        factors,
    )


def _check_names(method: str, rounding: str) -> None:
    for what, name, known in (("method", method, METHODS), ("rounding", rounding, ROUNDINGS)):
        if name not in known:
            raise ScalingProblem(f"There is no {what} called {name!r}. Choose from {', '.join(known)}.")


def _check_factors(factors: Factors) -> None:
    for factor in factors:
        if not 0 < factor <= MOST_FACTOR:
            raise ScalingProblem(
                f"A total cannot multiply a score by {factor!r}. "
                f"Give numbers above 0, up to {MOST_FACTOR:g}, under `total`."
            )


def _is_member(candidate: Candidate, needs_mbe: bool) -> bool:
    return candidate.in_scaling_group and (candidate.mbe is not None or not needs_mbe)


Composites = Mapping[str, float | None]
"""Written composite by candidate id; None while an item is ungraded."""


def _composites(pool: Pool, weights: Mapping[str, float]) -> Composites:
    return {candidate.candidate_id: written_raw(candidate.scores, weights) for candidate in pool.candidates}


def _without_dust(composites: Composites, targets: Mapping[str, Target]) -> Composites:
    """Round standardised composites to a billionth of an SD, so that equal ones tie by rank."""
    places = 9 - round(log10(max(target.sd for target in targets.values())))
    return {who: None if found is None else round(found, places) for who, found in composites.items()}


def _groups(pool: Pool, raws: Composites, needs_mbe: bool) -> dict[str | None, list[Candidate]]:
    """Return the members of every group in which somebody has a composite; a group may have no member."""
    members: dict[str | None, list[Candidate]] = {}
    for candidate in pool.candidates:
        if raws[candidate.candidate_id] is None:
            continue
        group = members.setdefault(candidate.group, [])
        if _is_member(candidate, needs_mbe):
            group.append(candidate)
    return dict(sorted(members.items(), key=lambda entry: (entry[0] is not None, entry[0] or "")))


def _constants_of_group(
    group: str | None,
    members: Sequence[Candidate],
    placed: Composites,
    method: Method,
    reference: Reference,
    smoothing: float,
) -> Constants:
    found = [Member(raw, one.mbe) for one in members if (raw := placed[one.candidate_id]) is not None]
    try:
        if not found:
            raise ScalingProblem(
                "Nobody in the scaling group has every item graded and an MBE score, so there are no "
                "constants. Add MBE scores, or assume a reference for a pool without any."
            )
        return constants_of(found, method, reference, smoothing)
    except ScalingProblem as problem:
        if group is None:
            raise
        raise ScalingProblem(f"Group {group}: {problem}") from None


def _scaled_candidate(
    candidate: Candidate, raw: float, composite: float, constants: Constants, needs_mbe: bool
) -> ScaledCandidate:
    member = _is_member(candidate, needs_mbe)
    scaled = constants.scaled(composite)
    if not isfinite(scaled):
        raise ScalingProblem("A scaled score is too large to be a number. Check scores and reference.")
    return ScaledCandidate(candidate.candidate_id, raw, scaled, None, member)


def _total(row: ScaledCandidate, mbe: float | None, rounding: Rounding, factors: Factors) -> float | None:
    return None if mbe is None else reported_total(mbe, row.written_scaled, rounding, factors)


def _warnings(constants: Mapping[str | None, Constants], reference: Reference, needs_mbe: bool) -> list[str]:
    found = [reference.says] if isinstance(reference, AssumedReference) else []
    if not needs_mbe:
        found.append(
            "Nobody in the pool has an MBE score: the constants come from all who are marked and complete."
        )
    if not constants:
        found.append("No candidate has every item graded, so nothing was scaled.")
    found += [_few(group, of) for group, of in constants.items() if of.written.n < FEW]
    return found


def _few(group: str | None, constants: Constants) -> str:
    whose = "The constants" if group is None else f"The constants of group {group}"
    errors = ", ".join(
        f"{_NAMES[name]} ± {error:.2f}"
        for name, error in constants.standard_errors.items()
        if error is not None
    )
    return (
        f"{whose} come from {constants.written.n} candidates, fewer than {FEW}: another pool of "
        f"this size would give others. Standard errors: {errors}."
    )
