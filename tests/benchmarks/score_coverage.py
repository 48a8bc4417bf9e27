"""How often the error bars of scaled scores hold what each of them names, by simulation.

Run: ``python tests/benchmarks/score_coverage.py [--pools N] [--json]``.

Each simulated pool sits six essays and two performance tests (weight 2), scored 0 to 6 by four graders a
question, a fifth read twice; the last kind, ten candidates, two essays, read by three graders, half of them
twice, is drawn ten times as often as the others. Every quantity the program uses is estimated from these
reads. The targets:

- ``readers``: the candidate's scaled score on average over all graders of this kind, on the same answers
  and questions, in this pool; each panel's mean is its own, as it is when a panel's scores are scaled;
- ``readers_questions_pool``: the same on average over all questions of this kind too, by the constants of
  the whole population the pool was drawn from.

The chances at the line are set against what became of those to whom they were given.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from grader_app.agreement import Ratings
from grader_app.agreement.reader_variance import reader_variance
from grader_app.scaling.composite_errors import ItemRules
from grader_app.scaling.constants import Constants
from grader_app.scaling.error_bars import Settings
from grader_app.scaling.pool import Candidate, Pool
from grader_app.scaling.reference import PoolReference
from grader_app.scaling.scale_pool import scale_pool
from grader_app.scaling.score_errors import ScoreErrors, score_errors

Floats = NDArray[np.float64]

ITEMS = {f"mee-{n}": ItemRules(1.0, "mee", (0, 6), 1) for n in range(1, 7)} | {
    f"mpt-{n}": ItemRules(2.0, "mpt", (0, 6), 1) for n in (1, 2)
}
TWO = {f"mee-{n}": ItemRules(1.0, "mee", (0, 6), 1) for n in (1, 2)}
LINE = 274.0
NEAR = 5.0
POPULATION = 300_000


@dataclass(frozen=True)
class World:
    """What the scores of a population are made of, in points of an item, and how pools are drawn from it."""

    name: str
    n: int = 300
    mean: float = 3.0
    ability: float = 0.9
    question: float = 0.7
    severity: float = 0.3
    residual: float = 0.6
    graders: int = 4
    read_twice: float = 0.2
    method: str = "mean_sigma"
    items: Mapping[str, ItemRules] = field(default_factory=lambda: ITEMS)
    times: int = 1

    @property
    def weights(self) -> Floats:
        """What one point of each item counts in the composite."""
        return np.array([rules.weight for rules in self.items.values()])

    def latent(self, ability: Floats, random: np.random.Generator) -> Floats:
        """Draw how good each answer is."""
        drawn = random.normal(0, self.question, (len(ability), len(self.items)))
        found: Floats = self.mean + self.ability * ability[:, None] + drawn
        return found

    def read(self, latent: Floats, severity: Floats, random: np.random.Generator) -> Floats:
        """Score answers, once each."""
        felt = latent - severity + random.normal(0, self.residual, latent.shape)
        found: Floats = np.clip(np.rint(felt), 0, 6)
        return found

    def mbe(self, ability: Floats, random: np.random.Generator) -> Floats:
        """Draw MBE scores that go with ability."""
        found: Floats = 141 + 14 * (0.75 * ability + 0.661 * random.normal(size=len(ability)))
        return found


WORLDS = (
    World("ordinary pool of 300"),
    World("small pool of 100", n=100),
    World("weak pool, floor", mean=1.8),
    World("strong pool, ceiling", mean=4.2),
    World("scaled by rank", method="equipercentile"),
    World("ten on two questions", n=10, graders=3, read_twice=0.5, items=TWO, times=10),
)


@dataclass
class Truth:
    """The population's constants, and what answers and candidates score on average over what is drawn."""

    world: World
    mean: float = 0.0
    sd: float = 0.0
    mbe_mean: float = 0.0
    mbe_sd: float = 0.0
    grid: Floats = field(default_factory=lambda: np.linspace(-9, 15, 600))
    by_readers: Floats = field(default_factory=lambda: np.empty(0))
    by_questions: Floats = field(default_factory=lambda: np.empty(0))
    raws: Floats = field(default_factory=lambda: np.empty(0))
    mbes: Floats = field(default_factory=lambda: np.empty(0))

    @classmethod
    def of(cls, world: World) -> Truth:
        """Draw the population."""
        random = np.random.default_rng(99)
        ability = random.normal(size=POPULATION)
        latent = world.latent(ability, random)
        raws = world.read(latent, random.normal(0, world.severity, latent.shape), random) @ world.weights
        mbes = world.mbe(ability, random)
        truth = cls(world, float(raws.mean()), float(raws.std()), float(mbes.mean()), float(mbes.std()))
        error = np.sort(random.normal(0, np.hypot(world.severity, world.residual), 4000))
        truth.by_readers = np.array([np.clip(np.rint(at + error), 0, 6).mean() for at in truth.grid])
        other = random.normal(0, world.question, 4000)
        truth.by_questions = np.array(
            [np.interp(at + other, truth.grid, truth.by_readers).mean() for at in truth.grid]
        )
        truth.raws, truth.mbes = np.sort(raws), np.sort(mbes)
        return truth

    def over_readers(self, latent: Floats) -> Floats:
        """Give the composite on average over readers."""
        found: Floats = np.interp(latent, self.grid, self.by_readers) @ self.world.weights
        return found

    def over_everything(self, ability: Floats) -> Floats:
        """Give the scaled score on average over readers and questions, by the population's constants."""
        level = self.world.mean + self.world.ability * ability
        raw = np.interp(level, self.grid, self.by_questions) * self.world.weights.sum()
        if self.world.method == "equipercentile":
            below = np.searchsorted(self.raws, raw, "left") + np.searchsorted(self.raws, raw, "right")
            found: Floats = np.quantile(self.mbes, np.clip(below / 2 / len(self.raws), 0, 1))
            return found
        return (raw - self.mean) / self.sd * self.mbe_sd + self.mbe_mean


def simulate(truth: Truth, random: np.random.Generator) -> pd.DataFrame:
    """Draw one pool, scale it, and set bars and chances beside what they speak of."""
    world, n, names = truth.world, truth.world.n, list(truth.world.items)
    ability = random.normal(size=n)
    latent, mbes = world.latent(ability, random), world.mbe(ability, random)
    severity = random.normal(0, world.severity, (world.graders, len(world.items)))
    who = random.integers(0, world.graders, latent.shape)
    scores = world.read(latent, np.take_along_axis(severity, who, 0), random)
    twice = {
        item: _ratings(world, at, latent, scores, who, severity, random) for at, item in enumerate(names)
    }
    pool = Pool(
        tuple(
            Candidate(str(p), dict(zip(names, row, strict=True)), mbe=mbe)
            for p, (row, mbe) in enumerate(zip(scores.tolist(), mbes.tolist(), strict=True))
        )
    )
    weights = {item: rules.weight for item, rules in world.items.items()}
    scaled = scale_pool(pool, weights, world.method, PoolReference(), "none")  # type: ignore[arg-type]
    reads = {
        str(p): {item: (f"g{grader}",) for item, grader in zip(names, row, strict=True)}
        for p, row in enumerate(who.tolist())
    }
    settings = Settings(n_draws=600, seed=int(random.integers(1 << 30)))
    errors = score_errors(pool, scaled, world.items, reader_variance(twice), reads, LINE, settings=settings)
    constants = scaled.constants[None]
    panel = _scaled_by(truth.over_readers(latent), constants)
    again = _another_panel(world, latent, random) @ world.weights
    bars = errors.bars.candidates
    return pd.DataFrame(
        {
            "readers_low": [bar.readers.low if bar.readers else np.nan for bar in bars],
            "readers_high": [bar.readers.high if bar.readers else np.nan for bar in bars],
            "readers_target": panel,
            "readers_questions_pool_low": [bar.everything.low if bar.everything else np.nan for bar in bars],
            "readers_questions_pool_high": [
                bar.everything.high if bar.everything else np.nan for bar in bars
            ],
            "readers_questions_pool_target": truth.over_everything(ability),
            "mbe": mbes,
            "rescore": [chance_of(errors, str(p)) for p in range(n)],
            "rescored": _scaled_by(again, constants) + mbes >= LINE,
        }
    )


def chance_of(errors: ScoreErrors, candidate_id: str) -> float | None:
    """Give the chance of a re-score; a pool of a few has none."""
    found = errors.chances.get(candidate_id)
    return None if found is None else found.rescore


def _scaled_by(raws: Floats, constants: Constants) -> Floats:
    """Scale another panel's composites of the same pool: its mean takes the place of this panel's."""
    moved = raws - raws.mean() + constants.written.mean
    return np.array([constants.scaled(raw) for raw in moved.tolist()])


def _another_panel(world: World, latent: Floats, random: np.random.Generator) -> Floats:
    severity = random.normal(0, world.severity, (world.graders, len(world.items)))
    who = random.integers(0, world.graders, latent.shape)
    return world.read(latent, np.take_along_axis(severity, who, 0), random)


def _ratings(
    world: World,
    at: int,
    latent: Floats,
    scores: Floats,
    who: NDArray[np.int64],
    severity: Floats,
    random: np.random.Generator,
) -> Ratings:
    """Give the reads of one item: everybody's, and a second one of some."""
    codes = np.full((world.n, world.graders), -1)
    codes[np.arange(world.n), who[:, at]] = scores[:, at]
    again = random.permutation(world.n)[: round(world.read_twice * world.n)]
    others = (who[again, at] + random.integers(1, world.graders, len(again))) % world.graders
    codes[again, others] = world.read(latent[again, at], severity[others, at], random)
    return Ratings.from_codes(codes, scale="0:6")


LINES = ("readers", "readers_questions_pool")


def coverage(found: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Return the share of bars that hold their target: of all, near the line, lowest and highest 5 %."""
    shares = {}
    for name in LINES:
        target = found[f"{name}_target"]
        held = (found[f"{name}_low"] <= target) & (target <= found[f"{name}_high"])
        total = target + found["mbe"]
        low, high = target.quantile(0.05), target.quantile(0.95)
        groups = {
            "all": held,
            "near_cut": held[(total - LINE).abs() <= NEAR],
            "floor": held[target <= low],
            "ceiling": held[target >= high],
        }
        shares[name] = {group: float(part.mean()) for group, part in groups.items()}
    return shares


def calibration(found: pd.DataFrame) -> list[dict[str, float]]:
    """Return, for candidates given similar chances of a re-score, the mean chance and what came of it."""
    bands = pd.cut(found["rescore"].astype(float), [0, 0.2, 0.4, 0.6, 0.8, 1], include_lowest=True)
    return [
        {"chance": float(part["rescore"].mean()), "reached": float(part["rescored"].mean()), "n": len(part)}
        for _, part in found.groupby(bands, observed=True)
    ]


def measure(world: World, pools: int) -> dict[str, object]:
    """Simulate so many pools of one world, times its own number."""
    pools *= world.times
    truth, random = Truth.of(world), np.random.default_rng(2026)
    found = pd.concat([simulate(truth, random) for _ in range(pools)], ignore_index=True)
    return {
        "coverage_95": coverage(found),
        "rescore": calibration(found),
        "pools": pools,
        "candidates": len(found),
    }


def main() -> None:
    """Print a table, or with --json one object alone."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pools", type=int, default=200)
    parser.add_argument("--short", action="store_true", help="Five pools of the ordinary kind.")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    asked, pools = (WORLDS[:1], 5) if chosen.short else (WORLDS, chosen.pools)
    worlds = {world.name: measure(world, pools) for world in asked}
    if chosen.json:
        first = worlds[WORLDS[0].name]
        print(json.dumps({"coverage_95": first["coverage_95"], "worlds": worlds}, indent=2))
        return
    print(f"{'pool':<24}{'line':<26}{'all':>9}{'near line':>10}{'lowest 5 %':>11}{'highest 5 %':>12}")
    for name, result in worlds.items():
        shares = result["coverage_95"]
        assert isinstance(shares, dict)
        for line in LINES:
            cells = "".join(
                f"{100 * shares[line][group]:>{width}.1f}"
                for group, width in (("all", 9), ("near_cut", 10), ("floor", 11), ("ceiling", 12))
            )
            print(f"{name:<24}{line:<26}{cells}")
    print("\nChance of a re-score, and the share that another panel passed (ordinary pool):")
    rows = worlds[WORLDS[0].name]["rescore"]
    assert isinstance(rows, list)
    for row in rows:
        print(f"  {row['chance']:.3f}  {row['reached']:.3f}  (n = {row['n']})")


if __name__ == "__main__":
    main()
