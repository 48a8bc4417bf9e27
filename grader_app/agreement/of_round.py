"""Agreement in a round: from the grades that stand to one report by item and facet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from grader_app import __version__
from grader_app.agreement.coincidences import Level
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.report import Progress, disagreement, graders, report
from grader_app.agreement.scale import MOST_POINTS, Scale
from grader_app.domain.grade import Grade
from grader_app.domain.grading_basis import basis_sentences
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.rubric import Rubric

NOT_REQUIRED = "Graders not calibrated: this round does not require graders to qualify first."
"""What every output says where the round asks for no qualification."""

CODED = "a condition code instead of a score"
OTHER_SCALE = "given under a version of the rubric with another scale"
TOO_FINE = f"more than {MOST_POINTS} possible scores"

_DIGITS = 12  # to which sums of criteria are rounded, so that equal sums are one score point


@dataclass(frozen=True)
class FacetRatings:
    """The ratings of one item on one facet.

    Parameters
    ----------
    item
        The item.
    facet
        ``score``, or the id of a criterion.
    ratings
        Responses by graders, on the scale that the rubric declares.
    level
        Level of measurement that the rubric declares; None for a criterion.
    left_out
        How many grades are no rating here, by the reason why.
    """

    item: str
    facet: str
    ratings: Ratings
    level: Level | None
    left_out: dict[str, int]


def report_of_record(
    record: GradingRecord,
    *,
    level: Level | None = None,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int | None = None,
    progress: Progress | None = None,
    unlisted: Collection[str] = (),
    rated: Iterable[FacetRatings] | None = None,
) -> dict[str, Any]:
    """Return all agreement figures of a round.

    Parameters
    ----------
    record
        The round. Every grade that stands counts, those of simulated graders too.
    level
        Alpha's level of measurement; by default what each rubric declares.
    confidence, resamples
        For the intervals.
    seed
        For the intervals; by default the round's.
    progress
        Told what is being computed.
    unlisted
        Answers whose reads are not disclosed: each grader's mean and severity, and the lists of where the
        disagreement lies, are made without them. Figures of the panel and of pairs count them.
    rated
        The round's ratings (`ratings_of_record`), where they are there already.

    Returns
    -------
    dict
        As `report`, one entry an item and facet, with ``notes`` on the graders. Simulated graders are
        labelled ``"simulated": true``; grades that are no ratings are counted under ``left_out``.

    Notes
    -----
    Only the reads that were dealt count: they are the independent first judgments.
    """
    chosen_seed = seed if seed is not None else record.round.seed if record.round else 0
    facets: list[Any] = []
    for one in ratings_of_record(record) if rated is None else rated:
        made: dict[str, Any] = report(
            one.ratings,
            level=level or one.level,
            confidence=confidence,
            resamples=resamples,
            seed=chosen_seed,
            item=one.item,
            facet=one.facet,
            progress=progress,
        )
        if unlisted:
            others = one.ratings.without(unlisted)
            for facet in made["facets"]:
                facet["graders"] = graders(others, confidence)
                facet["disagreement"] = disagreement(others, level or one.level)
        facets += [_labelled(facet, one, record) for facet in made["facets"]]
    return {"version": __version__, "notes": notes_on_graders(record), "facets": facets}


def ratings_of_record(record: GradingRecord) -> Iterator[FacetRatings]:
    """Give the ratings of each item and facet, items in the round's order, ``score`` first.

    Parameters
    ----------
    record
        The round.

    Yields
    ------
    FacetRatings
        Also where there is no rating yet.

    Notes
    -----
    The scale is that of the rubric under which the item was graded last. Grades under another
    version are kept as long as the facet has the same scale there.
    """
    grades: dict[str, list[Grade]] = {item: [] for item in record.items()}
    for grade in record.independent_grades():
        grades[grade.item].append(grade)
    for item, given in grades.items():
        rubric = _rubric_in_use_or_none(record, item, given)
        if rubric is not None:
            yield from (_facet_ratings(record, item, facet, rubric, given) for facet in facets_of(rubric))


def facets_of(rubric: Rubric) -> tuple[str, ...]:
    """List what is rated under a rubric: the score, then each criterion."""
    return ("score", *(criterion.id for criterion in rubric.criteria))


def score_points(rubric: Rubric, facet: str) -> tuple[float, ...] | None:
    """List every value a facet can take, lowest first.

    Parameters
    ----------
    rubric
        The rubric.
    facet
        ``score``, or the id of a criterion of the rubric.

    Returns
    -------
    tuple of float or None
        None when there are more than agreement figures can use.

    Notes
    -----
    A score made up of criteria can fall between the declared steps (the mean of 0 and 1 on a scale of
    whole numbers). Then the values that the criteria can make up are the scale.
    """
    if facet != "score":
        return _if_few(rubric.find_criterion(facet).range.values())
    declared = rubric.score.range.values()
    if rubric.score.given_by == "grader":
        return _if_few(declared)
    made_up = _made_up_scores(rubric)
    if made_up is None or all(rubric.score.range.contains(score) for score in made_up):
        return _if_few(declared) if made_up is not None else None
    return made_up


def notes_on_graders(record: GradingRecord) -> list[str]:
    """Say what every output must say about the graders: how they were calibrated, and simulated ones.

    Parameters
    ----------
    record
        The round.

    Returns
    -------
    list of str
        Sentences.
    """
    notes = []
    if record.round is not None:
        required = record.round.qualification == "required"
        notes += basis_sentences(record) if required else [NOT_REQUIRED]
    graders = {grade.grader_id for grade in record.grades.values()}
    simulated = len(graders & record.simulated)
    if simulated:
        notes.append(
            f"{simulated} of {len(graders)} graders in this round "
            f"{'is' if simulated == 1 else 'are'} simulated: no person gave those grades."
        )
    return notes


def _rubric_in_use_or_none(record: GradingRecord, item: str, given: list[Grade]) -> Rubric | None:
    if given:
        return record.rubric(max(given, key=lambda grade: grade.event_seq).rubric_hash)
    return record.rubric_of(item) if ("item", item) in record.current_files else None


def _facet_ratings(
    record: GradingRecord, item: str, facet: str, rubric: Rubric, given: list[Grade]
) -> FacetRatings:
    import pandas as pd

    points = score_points(rubric, facet)
    hashes = {grade.rubric_hash for grade in given}
    same_scale = {digest for digest in hashes if _points_or_none(record.rubric(digest), facet) == points}
    left_out: Counter[str] = Counter()
    rows = []
    for grade in sorted(given, key=attrgetter("response_id", "grader_id")):
        if grade.condition_code is not None:
            left_out[CODED] += 1
        elif points is None or grade.rubric_hash not in same_scale:
            left_out[TOO_FINE if points is None else OTHER_SCALE] += 1
        else:
            rows.append((grade.response_id, grade.grader_id, grade.value(facet)))
    table = pd.DataFrame(rows, columns=["response_id", "grader_id", "score"])
    # With more points than can be used no row is left, and any scale serves the empty table.
    ratings = Ratings.from_long(table, scale=Scale.of(points or (0, 1)))
    level = rubric.score.level_of_measurement if facet == "score" else None
    return FacetRatings(item, facet, ratings, level, dict(left_out))


def _points_or_none(rubric: Rubric, facet: str) -> tuple[float, ...] | None:
    return score_points(rubric, facet) if facet in facets_of(rubric) else None


def _labelled(facet: dict[str, Any], rated: FacetRatings, record: GradingRecord) -> dict[str, Any]:
    facet["design"]["left_out"] += [{"n": n, "why": why} for why, n in sorted(rated.left_out.items())]
    for grader in facet["graders"]:
        if grader["grader"] in record.simulated:
            grader["simulated"] = True
    return facet


def _if_few(points: tuple[float, ...]) -> tuple[float, ...] | None:
    return points if len(points) <= MOST_POINTS else None


def _made_up_scores(rubric: Rubric) -> tuple[float, ...] | None:
    weighted = rubric.score.given_by == "weighted_mean"
    shares = [(criterion.weight or 1.0) if weighted else 1.0 for criterion in rubric.criteria]
    sums = {0.0}
    for share, criterion in zip(shares, rubric.criteria, strict=True):
        marks = criterion.range.values()
        sums = {round(total + share * mark, _DIGITS) for total in sums for mark in marks}
        if len(sums) > MOST_POINTS:
            return None
    whole = sum(shares) if weighted else 1.0
    return tuple(sorted({round(total / whole, _DIGITS) for total in sums}))
