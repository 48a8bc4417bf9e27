"""Everything the ratings say about agreement, as plain Python ready for JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from grader_app import __version__
from grader_app.agreement.alpha import krippendorff_alpha
from grader_app.agreement.coincidences import Level
from grader_app.agreement.contributions import (
    leave_one_grader_out,
    response_contributions,
    score_contributions,
)
from grader_app.agreement.d_study import d_study
from grader_app.agreement.estimate import Estimate
from grader_app.agreement.exact_adjacent import exact, exact_of, exact_or_adjacent, exact_or_adjacent_of
from grader_app.agreement.guidance import guidance, prevalence_note
from grader_app.agreement.icc import iccs
from grader_app.agreement.kappa import NAMES, kappa_of
from grader_app.agreement.pairs import Pair, all_pairs
from grader_app.agreement.panel_kappa import (
    WEIGHTS,
    brennan_prediger,
    conger_kappa,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
)
from grader_app.agreement.rank_order import PAIR_NAMES, kendall_w, rank_figure_of
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.resampling import Settings
from grader_app.agreement.severity import severities
from grader_app.agreement.variance_components import variance_components

MOST_CONTRIBUTIONS = 50
"""So many responses, and so many pairs of scores, are listed by their share of the disagreement."""

Progress = Callable[[str], None]
"""Told the name of each part of a long report as it begins."""


def report(
    ratings: Ratings,
    *,
    level: Level | None = None,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    item: str | None = None,
    facet: str = "score",
    progress: Progress | None = None,
) -> dict[str, object]:
    """Return all figures of one table.

    Parameters
    ----------
    ratings
        The table.
    level
        Alpha's level of measurement.
    confidence, resamples, seed
        For the intervals.
    item, facet
        What was rated, for the report's headings.
    progress
        Called with a few words as each part begins.

    Returns
    -------
    dict
        ``{"version": …, "facets": [one]}``; numbers are unrounded, None where there is none, never nan.
    """
    return report_of(
        [(item, facet, ratings)],
        level=level,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        progress=progress,
    )


def report_of(
    facet_tables: Iterable[tuple[str | None, str, Ratings]],
    *,
    level: Level | None = None,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    progress: Progress | None = None,
) -> dict[str, object]:
    """Return all figures of several tables, each named by its item and facet; see `report`."""
    settings = Settings(confidence, resamples, seed).checked()
    facets = [
        _facet(item, facet, ratings, level, settings, progress) for item, facet, ratings in facet_tables
    ]
    return {"version": __version__, "facets": facets}


def _facet(
    item: str | None,
    facet: str,
    ratings: Ratings,
    level: Level | None,
    settings: Settings,
    progress: Progress | None,
) -> dict[str, object]:
    def tell(what: str) -> None:
        if progress is not None:
            progress(f"{item or ''} {facet}: {what}".strip())

    tell("panel figures")
    figures = panel_figures(ratings, level, settings)
    tell("pairs of graders")
    pairs = [_pair_entry(pair, settings) for pair in all_pairs(ratings)]
    tell("graders")
    return {
        "item": item,
        "facet": facet,
        "scale": list(ratings.scale.labels),
        "design": design(ratings),
        "figures": [_entry(estimate) for estimate in figures],
        "notes": _notes(figures),
        "pairs": pairs,
        "graders": graders(ratings, settings.confidence),
        "variance_components": variance_components(ratings).as_dict(),
        "d_study": [row.as_dict() for row in d_study(ratings, confidence=settings.confidence)],
        "leave_one_grader_out": [
            {"grader": grader, **estimate.as_dict()}
            for grader, estimate in leave_one_grader_out(ratings, level).items()
        ],
        "disagreement": disagreement(ratings, level),
    }


def _entry(estimate: Estimate) -> dict[str, object]:
    words = guidance(estimate)
    return estimate.as_dict() | ({"guidance": words} if words else {})


def _notes(figures: list[Estimate]) -> list[str]:
    by_name = {estimate.name: estimate for estimate in figures}
    note = prevalence_note(by_name["exact"], by_name["fleiss_kappa"])
    return [note] if note else []


def graders(ratings: Ratings, confidence: float) -> list[dict[str, object]]:
    """Return the mean, the spread and the severity of each grader."""
    return [grader.as_dict() for grader in severities(ratings, confidence=confidence)]


def disagreement(ratings: Ratings, level: Level | None) -> dict[str, object]:
    """Return the responses and the pairs of scores that carry most of the disagreement."""
    responses = response_contributions(ratings, level)[:MOST_CONTRIBUTIONS]
    scores = score_contributions(ratings, level)[:MOST_CONTRIBUTIONS]
    return {
        "responses": [
            {
                "response": part.response,
                "share": part.share,
                "ratings": [
                    {"grader": grader, "score": score}
                    for grader, score in zip(part.graders, part.scores, strict=True)
                ],
            }
            for part in responses
        ],
        "scores": [{"scores": list(part.scores), "share": part.share, "n": part.n} for part in scores],
    }


def design(ratings: Ratings) -> dict[str, object]:
    """Return how many responses, graders and ratings there are, and which responses are left out."""
    m = ratings.ratings_per_response
    left_out: list[dict[str, object]] = [
        {"n": int((m == number).sum()), "why": why}
        for number, why in ((1, "rated once"), (0, "not rated"))
        if (m == number).any()
    ]
    return {
        "n_responses": len(ratings.responses),
        "n_graders": ratings.n_graders,
        "n_ratings": ratings.n_ratings,
        "n_paired_responses": ratings.n_paired,
        "left_out": left_out,
        "graders_without_ratings": list(ratings.idle_graders),
    }


def panel_figures(ratings: Ratings, level: Level | None, settings: Settings) -> list[Estimate]:
    """Return the figures of the whole panel."""
    options = settings._asdict()
    return [
        exact(ratings, **options),
        exact_or_adjacent(ratings, **options),
        krippendorff_alpha(ratings, level, **options),
        fleiss_kappa(ratings, **options),
        conger_kappa(ratings, **options),
        brennan_prediger(ratings, **options),
        gwet_ac1(ratings, **options),
        *(gwet_ac2(ratings, weights, **options) for weights in WEIGHTS),
        *iccs(ratings, confidence=settings.confidence),
        kendall_w(ratings, **options),
    ]


def pair_figures(pair: Pair, settings: Settings) -> list[Estimate]:
    """Return the figures of two graders."""
    shares = [exact_of(pair, settings), exact_or_adjacent_of(pair, settings)]
    kappas = [kappa_of(pair, penalty, settings) for penalty in NAMES]
    return shares + kappas + [rank_figure_of(pair, name, settings) for name in PAIR_NAMES]


def _pair_entry(pair: Pair, settings: Settings) -> dict[str, object]:
    return {
        "graders": list(pair.graders),
        "n_responses": pair.n,
        "figures": [_entry(estimate) for estimate in pair_figures(pair, settings)],
    }
