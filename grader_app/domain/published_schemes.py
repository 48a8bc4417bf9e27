"""Published ways of weighting, standardising and totalling a bar exam, each number with its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

SchemeName = Literal[
    "ube",
    "new_york",
    "delaware_2003",
    "pennsylvania_pre_ube",
    "north_carolina_pre_ube",
    "new_mexico_pre_ube",
    "maryland_pre_ube",
    "alaska_pre_ube",
]
SCHEME_NAMES: tuple[str, ...] = get_args(SchemeName)


class Fact(NamedTuple):
    """A number that somebody published, and where."""

    says: str
    source: str


class Line(NamedTuple):
    """A published linear conversion: slope times score plus intercept."""

    slope: float
    intercept: float

    def at(self, score: float) -> float:
        """Convert a score.

        Examples
        --------
        >>> round(Line(0.86, 31.93).at(120), 2)
        135.13
        """
        return self.slope * score + self.intercept


@dataclass(frozen=True)
class PublishedScheme:
    """One jurisdiction's arithmetic.

    Parameters
    ----------
    title
        Whose, and when.
    scaling
        What it fills under `scaling` in a round, by key.
    weights
        Weight of an item by component; empty where the round's own weights are needed.
    facts
        Every number above, with its source.
    assumptions
        What no source says and was assumed here, or how a source had to be read.
    lines
        Conversions that held for the candidates of one exam, by name; a pool forms its own instead.
    """

    title: str
    scaling: Mapping[str, Any]
    weights: Mapping[str, float] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    assumptions: tuple[str, ...] = ()
    lines: Mapping[str, Line] = field(default_factory=dict)


_NCBE = "NCBE, Uniform Bar Examination scores, ncbex.org/exams/ube/scores"
_NEW_YORK = "New York board as quoted at seperac.com/zcalc-ube-f18.php (secondary)"
_DELAWARE = (
    "Delaware Board of Bar Examiners, grading information for July 2003, courts.delaware.gov/bbe/gradinfo.htm"
)
_PENNSYLVANIA = "Pennsylvania Board of Law Examiners, pabarexam.org/bar_exam_information/passing.htm"
_CAROLINA = "North Carolina Board of Law Examiners, ncble.org/understanding-your-examination-score"
_MEXICO = (
    "New Mexico Board of Bar Examiners, rules at nmexam.org/rules (the page of this number is not recorded)"
)
_MARYLAND = "Maryland board as quoted at justdrinkyourtea.tumblr.com (secondary)"
_ALASKA = "Application of Bettine, 840 P.2d 994 (Alaska 1992)"

_WHOLE = "Whole-number totals are implied by published re-read bands; no source states the rounding."
_ESSAYS = {"mee": 1.0, "essay": 1.0}
_EVEN = {"mbe": 1.0, "written": 1.0}

SCHEMES: Mapping[str, PublishedScheme] = {
    "ube": PublishedScheme(
        "Uniform Bar Examination",
        {"method": "mean_sigma", "rounding": "total_half_up", "total": _EVEN},
        {**_ESSAYS, "mpt": 2.0},
        (
            Fact(
                "MBE 50 %, MEE 30 %, MPT 20 % of a total on 400, so MBE and written part count the same.",
                _NCBE,
            ),
            Fact("Six essays at 5 % and two performance tests at 10 %: weights 1 and 2.", _NCBE),
        ),
        (_WHOLE,),
    ),
    "new_york": PublishedScheme(
        "New York, Uniform Bar Examination with standardised questions",
        {
            "method": "mean_sigma",
            "rounding": "total_half_up",
            "total": _EVEN,
            "standardise_items": {"mean": 50.0, "sd": 10.0},
        },
        {**_ESSAYS, "mpt": 2.0},
        (
            Fact("Each question is put on a scale of about 20 to 80 with mean 50.", _NEW_YORK),
            Fact(
                "The written part is 60 % the mean of the essays and 40 % that of the performance tests.",
                _NEW_YORK,
            ),
        ),
        (
            "The SD of 10 is assumed: it fits the range of 20 to 80, and no source states it. "
            "Scaled scores do not depend on it.",
            _WHOLE,
        ),
    ),
    "delaware_2003": PublishedScheme(
        "Delaware, July 2003",
        {
            "method": "mean_sigma",
            "rounding": "total_to_hundredths",
            "total": {"mbe": 0.4, "written": 0.6},
            "standardise_items": {"mean": 50.0, "sd": 7.0, "component_sd": {"mpt": 14.0}},
        },
        {**_ESSAYS, "mpt": 1.0},
        (
            Fact("Essays take on mean 50 and SD 7, each performance test mean 50 and SD 14.", _DELAWARE),
            Fact("Total = .4 x MBE + .6 x written; 145.00 passes.", _DELAWARE),
            Fact("MBE scaled = .86 x raw + 31.93: raw 120 is 135.13.", _DELAWARE),
            Fact("Written = .25 x sum of ten converted scores + 23.33: 500 is 148.33.", _DELAWARE),
        ),
        (
            "A performance test counts twice through its SD, so its weight is 1.",
            "The two conversions held for the candidates of July 2003; a pool here forms its own constants.",
            "The table that made raw 40 on questions 1 and 2 into 34.94 and 41.38 could not be read.",
        ),
        {"mbe_from_raw": Line(0.86, 31.93), "written_from_sum": Line(0.25, 23.33)},
    ),
    "pennsylvania_pre_ube": PublishedScheme(
        "Pennsylvania before the Uniform Bar Examination",
        {"method": "mean_sigma", "rounding": "total_half_up", "total": {"mbe": 0.9, "written": 1.1}},
        {**_ESSAYS, "mpt": 1.5},
        (
            Fact("The performance test counts 1.5 essays.", _PENNSYLVANIA),
            Fact("Written part 55 %, MBE 45 %; 272 passes.", _PENNSYLVANIA),
        ),
        (
            "Factors 0.9 and 1.1 are 45 % and 55 % of two, our reading: the line of 272 is then out of 400.",
            _WHOLE,
        ),
    ),
    "north_carolina_pre_ube": PublishedScheme(
        "North Carolina before the Uniform Bar Examination",
        {"method": "mean_sigma", "rounding": "total_half_up", "total": {"mbe": 1.0, "written": 1.5}},
        dict(_ESSAYS),
        (
            Fact("Twelve essays of equal weight, each scored 0 to 10.", _CAROLINA),
            Fact("Written part 60 %, MBE 40 %; 350 of 500 passes.", _CAROLINA),
        ),
        (
            "Factors 1 and 1.5 are our reading: 200 points of the MBE are 40 % of 500, and the written part, "
            "scaled to the MBE, is half as much again.",
            "There was no performance test, so an MPT item needs a `weight` of its own.",
            _WHOLE,
        ),
    ),
    "new_mexico_pre_ube": PublishedScheme(
        "New Mexico before the Uniform Bar Examination",
        {"method": "mean_sigma", "standardise_items": {"mean": 50.0, "sd": 10.0}},
        {**_ESSAYS, "mpt": 1.5},
        (
            Fact("The standard-deviation method gives each essay equal weight.", _MEXICO),
            Fact("The performance test counts 1.5 essays.", _MEXICO),
            Fact(
                "260 passes; until 2015 the total was reported halved, as 130.",
                "nmexam.org/new-mexico-adopts-the-uniform-bar-examination",
            ),
        ),
        (
            "Mean 50 and SD 10 are assumed: any others common to all questions give the same scaled scores.",
            "How MBE and written part made the total was not found: they are added, which fits 260.",
        ),
    ),
    "maryland_pre_ube": PublishedScheme(
        "Maryland before the Uniform Bar Examination",
        {"method": "mean_sigma", "total": {"mbe": 1.0, "written": 2.0}},
        {},
        (
            Fact(
                "Written scaled = (raw - mean) / SD x SD of the MBE + its mean; total = MBE + 2 x written.",
                _MARYLAND,
            ),
        ),
        ("Weights of the questions were not found: the round's own count.", _WHOLE),
    ),
    "alaska_pre_ube": PublishedScheme(
        "Alaska before the Uniform Bar Examination",
        {"method": "mean_sigma", "rounding": "total_to_hundredths", "total": {"mbe": 0.5, "written": 0.5}},
        {},
        (
            Fact(
                "The total is the mean of essay score and MBE: 141.0 and 136 are 138.5; 140 passes.", _ALASKA
            ),
        ),
        (
            "Weights of the questions were not found: the round's own count.",
            "Totals are kept to hundredths, so that half points stay visible; no source states the rounding.",
        ),
    ),
}


def filled_from_scheme(data: object) -> object:
    """Fill what a file leaves out under `scaling` from the scheme it names; what is written stays.

    Parameters
    ----------
    data
        The value of `scaling` as read, of any kind.
    """
    scheme = scheme_named_in(data)
    return data if scheme is None or not isinstance(data, dict) else {**scheme.scaling, **data}


def scheme_named_in(data: object) -> PublishedScheme | None:
    """Give the scheme that the value of `scaling` names, or None where it names none that exists."""
    name = data.get("preset") if isinstance(data, dict) else None
    return SCHEMES.get(name) if isinstance(name, str) else None


def weighted_by_scheme(data: object) -> object:
    """Give the items of a round without a weight that of their component, where its scheme has one.

    Parameters
    ----------
    data
        The whole round as read, of any kind.

    Notes
    -----
    A preset that does not exist is refused elsewhere; weights stand in, so that their absence is no second
    fault.
    """
    if not isinstance(data, dict) or not isinstance(data.get("items"), list | tuple):
        return data
    scaling = data.get("scaling")
    if not isinstance(scaling, dict) or scaling.get("preset") is None:
        return data
    scheme = scheme_named_in(scaling)
    weights = SCHEMES["ube"].weights if scheme is None else scheme.weights
    return {**data, "items": [_weighted(entry, weights) for entry in data["items"]]}


def _weighted(entry: object, weights: Mapping[str, float]) -> object:
    if not isinstance(entry, dict) or "weight" in entry:
        return entry
    component = entry.get("component")
    if not isinstance(component, str) or component not in weights:
        return entry
    return {**entry, "weight": weights[component]}
