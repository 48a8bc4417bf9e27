"""How often simulated graders are named right, good ones fail the gate, and the watch on drift errs.

Run: ``python tests/benchmarks/calibration_simulation.py [--panels N] [--lowest 1] [--json]``. References and
gates are those of the shipped set mee-sale-of-goods-a, validity papers those of mee-sale-of-goods-validity.
A panel has one grader of each kind: 0.75 points too low or too high, slope 0.6, noise 1.2, one who
calibrates well and scores 0.75 lower in live work, and a good one; noise is 0.7 else. The first five are
named from the packet. Drift is named at the end of the round from all validity papers; how often the running
watch (CUSUM) finds it is shown beside, also for a shift that begins at the fourth validity paper.
"""

from __future__ import annotations

import argparse
import json
import math
from functools import cache
from typing import NamedTuple

import numpy as np

from grader_app.agreement.against_reference import AgainstReference, against_reference
from grader_app.agreement.drift import Watched, cusum_limit, usable_sd, watch
from grader_app.agreement.gate import judge
from grader_app.agreement.grader_kind import grader_kind
from grader_app.agreement.moved import Moved, moved
from grader_app.agreement.operating_characteristic import operating_characteristic
from grader_app.agreement.rank_gate import PairsInOrder, pairs_in_order
from grader_app.agreement.simulated_graders import GraderError, simulated_scores
from grader_app.domain.score_range import ScoreRange
from grader_app.files.calibration_folder import load_set
from grader_app.files.item_folder import load_item
from grader_app.files.rubric_file import load_rubrics
from grader_app.files.shipped import shipped_folder

ITEM, QUALIFY, VALIDITY = "mee-sale-of-goods", "mee-sale-of-goods-a", "mee-sale-of-goods-validity"
NOISE = 0.7
KINDS = {
    "severe": GraderError(NOISE, 0.75),
    "lenient": GraderError(NOISE, -0.75),
    "compressed": GraderError(NOISE, 0.0, 0.6),
    "random": GraderError(1.2),
    "fine": GraderError(NOISE),
}
SHIFT, LATE = 0.75, 3
MANY = 2000


class Material(NamedTuple):
    """What graders are simulated on."""

    scale: ScoreRange
    reference: np.ndarray
    validity: np.ndarray
    gates: dict[str, float]


class Calibrated(NamedTuple):
    """One simulated grader after calibration."""

    report: AgainstReference
    order: PairsInOrder


def shipped() -> Material:
    """Read the shipped sets."""
    rubrics = load_rubrics(shipped_folder("rubrics"))
    item = load_item(shipped_folder("rubrics") / ITEM, rubrics)
    sets = shipped_folder("calibration_sets")
    packet, validity = (load_set(sets / name, {item.id: item}, rubrics) for name in (QUALIFY, VALIDITY))
    if packet.set.gates is None:
        raise SystemExit(f"{QUALIFY} has no gates.")
    references = [np.array([paper.score for paper in one.ranked], dtype=float) for one in (packet, validity)]
    scale = rubrics[item.sheet.rubric, item.sheet.rubric_version].score.range
    return Material(scale, *references, packet.set.gates.model_dump())


class Simulation:
    """Simulated graders on given material, whose scores stay between the lowest score and the top."""

    def __init__(self, material: Material, lowest: float, seed: int) -> None:
        self.scale, self.reference, self.validity, self.gates = material
        self.lowest = lowest
        self.random = np.random.default_rng(seed)

    def calibrated(self, error: GraderError) -> Calibrated:
        """Let a grader rank and score the packet."""
        n = len(self.reference)
        seen = self.reference + error.noise * self.random.normal(size=n)
        ranks = 1 + np.argsort(np.argsort(-seen))
        drawn = self.random.normal(size=(n, 1))
        scores = simulated_scores(self.reference, self.scale, error, drawn)[:, 0].clip(self.lowest)
        report = against_reference(scores.tolist(), self.reference.tolist(), self.scale, resamples=0)
        return Calibrated(report, pairs_in_order(ranks.tolist(), self.reference.tolist(), resamples=0))

    def differences(self, shift: float, after: int = 0) -> list[float]:
        """Let a good grader read the validity papers in random order, shifted after some of them."""
        papers = self.random.permutation(self.validity)
        shifts = np.where(np.arange(len(papers)) < after, 0.0, shift)
        drawn = self.random.normal(size=(len(papers), 1))
        seen = papers - shifts
        scores = simulated_scores(seen, self.scale, GraderError(NOISE), drawn)[:, 0].clip(self.lowest)
        found: list[float] = (papers - scores).tolist()
        return found

    def watched(self, grader: Calibrated, differences: list[float]) -> Watched:
        """Watch a calibrated grader paper by paper."""
        sd = usable_sd(grader.report.difference_sd or 0.0, self.scale.step)
        limit = limit_for(len(differences), len(self.reference), round(self.scale.step / sd, 2))
        return watch(differences, sd, limit)

    def looked_back(self, grader: Calibrated, differences: list[float]) -> Moved:
        """Judge all validity papers of a calibrated grader at once."""
        sd = usable_sd(grader.report.difference_sd or 0.0, self.scale.step)
        return moved(differences, sd, len(self.reference))


@cache
def limit_for(n_papers: int, n_calibration: int, step_over_sd: float) -> float:
    """Return the limit of the watch for graders who scatter alike."""
    return cusum_limit(n_papers, n_calibration=n_calibration, step_over_sd=step_over_sd).limit


def named_right(simulation: Simulation, panels: int) -> dict[str, float]:
    """Return the share of graders of each kind who are named right."""
    right = dict.fromkeys((*KINDS, "drift"), 0)
    for _ in range(panels):
        for kind, error in KINDS.items():
            grader = simulation.calibrated(error)
            right[kind] += grader_kind(grader.report, grader.order).kind == kind
        grader = simulation.calibrated(KINDS["fine"])
        right["drift"] += simulation.looked_back(grader, simulation.differences(SHIFT)).direction == "harsher"
    return {kind: count / panels for kind, count in right.items()}


def found_by_watch(simulation: Simulation, graders: int) -> dict[str, float]:
    """Return the share of graders whose shift the running watch finds, by the paper at which it begins."""
    found = dict.fromkeys((0, LATE), 0)
    for _ in range(graders):
        grader = simulation.calibrated(KINDS["fine"])
        for after in found:
            differences = simulation.differences(SHIFT, after)
            found[after] += simulation.watched(grader, differences).direction == "harsher"
    return {f"from_paper_{after + 1}": count / graders for after, count in found.items()}


def good_graders(simulation: Simulation, graders: int) -> tuple[float, float, float]:
    """Return the shares of good graders who fail the gate, set off the alarm, are said to have moved."""
    failed = alarmed = said = 0
    for _ in range(graders):
        grader = simulation.calibrated(KINDS["fine"])
        differences = simulation.differences(0.0)
        failed += not judge(grader.order, grader.report, **simulation.gates).passed
        alarmed += simulation.watched(grader, differences).alarm is not None
        said += simulation.looked_back(grader, differences).direction is not None
    return failed / graders, alarmed / graders, said / graders


def measured(panels: int, lowest: float, seed: int) -> dict[str, object]:
    """Simulate everything."""
    material = shipped()
    simulation = Simulation(material, lowest, seed)
    many = max(MANY, panels)
    shares = named_right(simulation, panels)
    failed, alarmed, said = good_graders(simulation, many)
    stated = operating_characteristic(material.reference.tolist(), material.scale, **material.gates)
    sd = float(np.std(np.round(NOISE * np.random.default_rng(0).normal(size=100_000))))
    limit = cusum_limit(
        len(material.validity),
        n_calibration=len(material.reference),
        step_over_sd=material.scale.step / sd,
    )
    return {
        "panels": panels,
        "papers": len(material.reference),
        "validity_papers": len(material.validity),
        "named_right": shares,
        "good_graders": many,
        "false_fail_rate": failed,
        "false_fail_rate_stated": stated.verdict.good_fails,
        "false_alarm_rate": alarmed,
        "false_alarm_rate_stated": limit.rate,
        "said_to_have_moved_rate": said,
        "said_to_have_moved_rate_stated": 0.05,
        "drift_found_by_watch": found_by_watch(simulation, many),
        "standard_error": {
            "named_right": math.sqrt(0.05 * 0.95 / panels),
            "false_fail_rate": math.sqrt(failed * (1 - failed) / many),
            "false_alarm_rate": math.sqrt(alarmed * (1 - alarmed) / many),
        },
    }


def main() -> None:
    """Print a table, or with --json one object alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--panels", type=int, default=1000, help="simulated panels")
    parser.add_argument("--lowest", type=float, default=0.0, help="lowest score that graders give")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="one JSON object alone on standard output")
    arguments = parser.parse_args()
    found = measured(arguments.panels, arguments.lowest, arguments.seed)
    if arguments.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        rows = value.items() if isinstance(value, dict) else [("", value)]
        for part, number in rows:
            shown = f"{number:10.4f}" if isinstance(number, float) else f"{number:10}"
            print(f"{name:24}{part:18}{shown}")


if __name__ == "__main__":
    main()
