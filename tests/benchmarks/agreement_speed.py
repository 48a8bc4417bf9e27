"""How fast agreement figures are, side by side with what people would install otherwise.

Run with the `benchmark` extra: ``python tests/benchmarks/agreement_speed.py [--json] [--default-blas]``.
"""

from __future__ import annotations

import os
import sys

if "--default-blas" not in sys.argv:
    # One thread for both sides; it must be said before numpy is loaded.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"

import argparse
import json
import statistics
import time
import tracemalloc
import warnings
from collections.abc import Callable
from itertools import combinations

import krippendorff
import numpy as np

from grader_app.agreement import Ratings, iccs, krippendorff_alpha, quadratic_weighted_kappas
from grader_app.agreement.coincidences import fast_alpha

POINTS = np.arange(7.0)
REPEATS = 5
LOOP = 20
RESAMPLES = 1000


def panel(n: int, graders: int, missing: float, seed: int = 1) -> np.ndarray:
    """Simulate scores from 0 to 6 of graders who differ in harshness, as int8 codes."""
    random = np.random.default_rng(seed)
    scores = 3 + 1.3 * random.normal(size=(n, 1)) + 0.4 * random.normal(size=graders)
    codes = (scores + random.normal(size=(n, graders))).round().clip(0, 6)
    codes[random.random(codes.shape) < missing] = -1
    return np.asfortranarray(codes, dtype=np.int8)


def median_seconds(work: Callable[[], object]) -> float:
    """Return the median time of five runs after one to warm up."""
    work()
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def peak_mib(work: Callable[[], object]) -> float:
    """Return the most memory allocated at once while the work is done."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**20


def as_matrix(codes: np.ndarray) -> np.ndarray:
    """Return graders by responses with nan for missing, as the package wants it."""
    return np.where(codes < 0, np.nan, codes.astype(float)).T


def alpha_times(codes: np.ndarray) -> tuple[float, float]:
    """Time alpha, ours and the package's, and check that they are equal."""
    matrix = as_matrix(codes)
    ours = fast_alpha(codes, "ordinal", POINTS)
    theirs = krippendorff.alpha(matrix, value_domain=POINTS, level_of_measurement="ordinal")
    if abs(ours - theirs) > 1e-12:
        sys.exit(f"Alpha differs: ours {ours!r}, krippendorff {theirs!r}.")
    return (
        median_seconds(lambda: fast_alpha(codes, "ordinal", POINTS)),
        median_seconds(
            lambda: krippendorff.alpha(matrix, value_domain=POINTS, level_of_measurement="ordinal")
        ),
    )


def bootstrap(codes: np.ndarray) -> object:
    """Return alpha with an interval from 1,000 resamples, from codes."""
    return krippendorff_alpha(Ratings.from_codes(codes, scale="0:6"), "ordinal", resamples=RESAMPLES)


def bootstrap_times(codes: np.ndarray) -> tuple[float, float]:
    """Time 1,000 resamples of alpha, ours and a loop over the package (scaled up from 20 turns)."""
    matrix = as_matrix(codes)
    random = np.random.default_rng(0)

    def loop() -> None:
        for _ in range(LOOP):
            drawn = matrix[:, random.integers(0, matrix.shape[1], matrix.shape[1])]
            krippendorff.alpha(drawn, value_domain=POINTS, level_of_measurement="ordinal")

    return median_seconds(lambda: bootstrap(codes)), median_seconds(loop) * RESAMPLES / LOOP


def icc_times(codes: np.ndarray) -> tuple[float, float]:
    """Time the six intraclass correlations with intervals, ours and pingouin's."""
    import pandas as pd
    import pingouin

    rows, columns = np.indices(codes.shape).reshape(2, -1)
    table = pd.DataFrame({"response": rows, "grader": columns, "score": codes[rows, columns].astype(float)})

    def theirs() -> pd.DataFrame:
        return pingouin.intraclass_corr(table, targets="response", raters="grader", ratings="score")

    def ours() -> object:
        return iccs(Ratings.from_codes(codes, scale="0:6"))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = dict(zip(theirs()["Type"], theirs()["ICC"], strict=True))
        if abs(iccs(Ratings.from_codes(codes, scale="0:6"))[1].value - expected["ICC(A,1)"]) > 1e-9:
            sys.exit("ICC(2,1) differs from pingouin's ICC(A,1).")
        return median_seconds(ours), median_seconds(theirs)


def qwk_times(codes: np.ndarray) -> tuple[float, float]:
    """Time the quadratic weighted kappa of every pair, ours and a loop over scikit-learn."""
    from sklearn.metrics import cohen_kappa_score

    pairs = list(combinations(range(codes.shape[1]), 2))
    columns = [np.ascontiguousarray(column) for column in codes.T]

    def theirs() -> list[float]:
        return [
            cohen_kappa_score(columns[a], columns[b], labels=range(7), weights="quadratic") for a, b in pairs
        ]

    def ours() -> np.ndarray:
        return quadratic_weighted_kappas(Ratings.from_codes(codes, scale="0:6"))

    found = ours()
    if max(abs(found[a, b] - kappa) for (a, b), kappa in zip(pairs, theirs(), strict=True)) > 1e-9:
        sys.exit("Quadratic weighted kappas differ from scikit-learn's.")
    return median_seconds(ours), median_seconds(theirs)


def measure() -> dict[str, object]:
    """Run everything and return times, ratios and memory."""
    half = panel(10_000, 10, 0.5)
    complete = panel(10_000, 10, 0.0)
    large = panel(100_000, 20, 0.5)
    times = {
        "alpha": alpha_times(half),
        "bootstrap": bootstrap_times(half),
        "icc": icc_times(complete),
        "qwk": qwk_times(complete),
    }
    return {
        "ratios": {name: theirs / ours for name, (ours, theirs) in times.items()},
        "peak_mib": peak_mib(lambda: bootstrap(half)),
        "large": {
            "seconds": median_seconds(lambda: bootstrap(large)),
            "peak_mib": peak_mib(lambda: bootstrap(large)),
        },
        "seconds": {name: {"ours": ours, "theirs": theirs} for name, (ours, theirs) in times.items()},
    }


WORK = {
    "alpha": ("alpha, 10,000 x 10, half missing", "krippendorff", 20),
    "bootstrap": ("alpha with 1,000 resamples, 10,000 x 10", "loop over krippendorff", 100),
    "icc": ("six ICCs with intervals, 10,000 x 10", "pingouin", 50),
    "qwk": ("45 quadratic weighted kappas, 10,000 x 10", "scikit-learn", 30),
}


def main() -> None:
    """Print a table, or with --json one object alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object alone on standard output")
    parser.add_argument("--default-blas", action="store_true", help="leave the number of BLAS threads alone")
    arguments = parser.parse_args()
    try:
        found = measure()
    except ModuleNotFoundError as absent:
        sys.exit(
            f"{absent.name} is not installed. Install the benchmark extra: pip install -e '.[benchmark]'."
        )
    if arguments.json:
        print(json.dumps(found))
        return
    print(f"{'work':44} {'ours':>10} {'theirs':>11} {'ratio':>8} {'wanted':>7}")
    for name, (title, _, wanted) in WORK.items():
        ours, theirs = found["seconds"][name].values()
        print(f"{title:44} {1e3 * ours:7.2f} ms {1e3 * theirs:8.1f} ms {theirs / ours:8.0f} {wanted:7}")
    print(f"theirs: {', '.join(f'{name} {other}' for name, (_, other, _) in WORK.items())}")
    print(f"peak memory of the bootstrap at 10,000 x 10: {found['peak_mib']:.0f} MiB (wanted: 200)")
    large = found["large"]
    print(
        f"alpha with 1,000 resamples, 100,000 x 20: {large['seconds']:.2f} s (wanted: 2), "
        f"{large['peak_mib']:.0f} MiB (wanted: 300)"
    )


if __name__ == "__main__":
    main()
