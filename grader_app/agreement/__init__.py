"""Agreement between graders: a table of ratings in, figures with interval, status and n out.

>>> import pandas as pd
>>> from grader_app import agreement
>>> table = pd.DataFrame({"id": ["e1", "e2", "e3"], "Ann": [4, 2, 5], "Bob": [4, 3, 5]})
>>> ratings = agreement.Ratings.from_wide(table, scale="0:6")
>>> round(agreement.krippendorff_alpha(ratings, level="ordinal").value, 3)
0.949
"""

from grader_app.agreement.alpha import krippendorff_alpha
from grader_app.agreement.estimate import Estimate
from grader_app.agreement.exact_adjacent import exact, exact_or_adjacent
from grader_app.agreement.kappa import (
    cohen_kappa,
    linear_weighted_kappa,
    quadratic_weighted_kappa,
    quadratic_weighted_kappas,
)
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.report import report, report_of
from grader_app.agreement.scale import Scale
from grader_app.agreement.severity import GraderSummary, severities

__all__ = [
    "Estimate",
    "GraderSummary",
    "Ratings",
    "Scale",
    "cohen_kappa",
    "exact",
    "exact_or_adjacent",
    "krippendorff_alpha",
    "linear_weighted_kappa",
    "quadratic_weighted_kappa",
    "quadratic_weighted_kappas",
    "report",
    "report_of",
    "severities",
]
