"""Simulated pools whose true scores and error variances are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader_app.scaling.composite_errors import ItemRules
from grader_app.scaling.pool import Candidate, Pool
from grader_app.scaling.reference import PoolReference
from grader_app.scaling.scale_pool import Scaled, scale_pool

UBE_ITEMS = {f"mee-{number}": ItemRules(1.0, "mee") for number in range(1, 7)} | {
    f"mpt-{number}": ItemRules(2.0, "mpt") for number in (1, 2)
}
ON_0_TO_6 = {item: ItemRules(rules.weight, rules.component, (0, 6), 1) for item, rules in UBE_ITEMS.items()}


@dataclass(frozen=True)
class DrawnPool:
    """A pool, scaled, and who read what."""

    pool: Pool
    scaled: Scaled
    reads: dict[str, dict[str, tuple[str, ...]]]


def drawn_pool(n=200, *, n_graders=5, seed=1, method="mean_sigma", score_of=None, rounding="none"):
    """Draw a pool: ability, questions, MBE; every answer read once by one of so many graders."""
    random = np.random.default_rng(seed)
    ability = random.normal(size=n)
    scores = 3 + 0.9 * ability[:, None] + 0.9 * random.normal(size=(n, len(UBE_ITEMS)))
    if score_of is not None:
        scores = score_of(scores)
    mbes = 141 + 14 * (0.75 * ability + 0.66 * random.normal(size=n))
    people = [f"c{number:04d}" for number in range(n)]
    pool = Pool(
        tuple(
            Candidate(person, dict(zip(UBE_ITEMS, row.tolist(), strict=True)), mbe=float(mbe))
            for person, row, mbe in zip(people, scores, mbes, strict=True)
        )
    )
    weights = {item: rules.weight for item, rules in UBE_ITEMS.items()}
    scaled = scale_pool(pool, weights, method, PoolReference(), rounding)
    graders = random.integers(0, n_graders, scores.shape)
    reads = {
        person: {item: (f"g{grader}",) for item, grader in zip(UBE_ITEMS, row.tolist(), strict=True)}
        for person, row in zip(people, graders, strict=True)
    }
    return DrawnPool(pool, scaled, reads)
