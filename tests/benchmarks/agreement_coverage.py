"""How often the intervals of agreement figures hold the true value, by simulation.

Run: ``python tests/benchmarks/agreement_coverage.py [--sets N] [--json]``. Three graders, scores 0 to 6.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable

import numpy as np

from grader_app.agreement import Estimate, Ratings, fleiss_kappa, icc_2_1, icc_3_1, krippendorff_alpha

SIZES = (15, 30, 100)
TRUTH_RESPONSES = 400_000

FIGURES: dict[str, tuple[Callable[[Ratings], Estimate], float]] = {
    "alpha (ordinal)": (lambda ratings: krippendorff_alpha(ratings, "ordinal"), 0.0),
    "alpha (interval), a third missing": (lambda ratings: krippendorff_alpha(ratings, "interval"), 1 / 3),
    "Fleiss' kappa": (fleiss_kappa, 0.0),
    "ICC(3,1)": (icc_3_1, 0.0),
    "ICC(3,1) by REML, a third missing": (icc_3_1, 1 / 3),
    "ICC(2,1) by REML, a third missing, these graders": (icc_2_1, 1 / 3),
}


def panel(random: np.random.Generator, n: int, missing: float) -> Ratings:
    """Simulate three graders of fixed harshness who read n responses."""
    scores = 3 + 1.2 * random.normal(size=(n, 1)) + np.array([-0.3, 0.0, 0.3])
    codes = (scores + 0.8 * random.normal(size=(n, 3))).round().clip(0, 6).astype(np.int64)
    codes[random.random(codes.shape) < missing] = -1
    return Ratings.from_codes(codes, scale="0:6")


def without_interval(figure: Callable[[Ratings], Estimate], ratings: Ratings) -> float:
    """Return the value of a figure on a table so large that it is the true one."""
    value = figure(ratings).value
    if value is None:
        raise SystemExit("The simulated table gives no value.")
    return value


def coverage(name: str, sets: int) -> dict[int, float]:
    """Return the share of intervals that hold the true value, by number of responses."""
    figure, missing = FIGURES[name]
    large = panel(np.random.default_rng(0), TRUTH_RESPONSES // (20 if "alpha" in name else 4), 0.0)
    truth = without_interval(figure, large)
    shares = {}
    for n in SIZES:
        random = np.random.default_rng(n)
        found = [figure(panel(random, n, missing)) for _ in range(sets)]
        shown = [one for one in found if one.low is not None and one.high is not None]
        shares[n] = sum(one.low <= truth <= one.high for one in shown) / max(1, len(shown))
    return shares


def main() -> None:
    """Print a table, or with --json one object alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=200, help="simulated panels for each number")
    parser.add_argument("--json", action="store_true", help="one JSON object alone on standard output")
    arguments = parser.parse_args()
    found = {name: coverage(name, arguments.sets) for name in FIGURES}
    if arguments.json:
        print(json.dumps({"coverage_95": found}))
        return
    print(f"{'coverage of 95 % intervals':50}" + "".join(f"{f'n = {n}':>9}" for n in SIZES))
    for name, shares in found.items():
        print(f"{name:50}" + "".join(f"{share:9.3f}" for share in shares.values()))


if __name__ == "__main__":
    main()
