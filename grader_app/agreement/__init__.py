"""Agreement between graders: a table of ratings in, figures with interval, status and n out.

>>> import pandas as pd
>>> from grader_app import agreement
>>> table = pd.DataFrame({"id": ["e1", "e2", "e3"], "Ann": [4, 2, 5], "Bob": [4, 3, 5]})
>>> ratings = agreement.Ratings.from_wide(table, scale="0:6")
>>> round(agreement.krippendorff_alpha(ratings, level="ordinal").value, 3)
0.949
"""

from grader_app.agreement.against_reference import AgainstReference, against_reference
from grader_app.agreement.alpha import krippendorff_alpha
from grader_app.agreement.connections import groups_of_graders
from grader_app.agreement.contributions import (
    ResponseShare,
    ScoreShare,
    leave_one_grader_out,
    response_contributions,
    score_contributions,
)
from grader_app.agreement.d_study import DStudyRow, coefficients_by_item, d_study, graders_needed
from grader_app.agreement.drift import cusum_limit, watch
from grader_app.agreement.drift_power import detection_delay, smallest_visible_shift
from grader_app.agreement.effects import Effect, order_effects
from grader_app.agreement.estimate import Estimate
from grader_app.agreement.exact_adjacent import exact, exact_or_adjacent
from grader_app.agreement.gate import judge
from grader_app.agreement.grader_kind import grader_kind
from grader_app.agreement.guidance import guidance
from grader_app.agreement.icc import icc_1_1, icc_1_k, icc_2_1, icc_2_k, icc_3_1, icc_3_k, iccs
from grader_app.agreement.kappa import (
    cohen_kappa,
    linear_weighted_kappa,
    quadratic_weighted_kappa,
    quadratic_weighted_kappas,
)
from grader_app.agreement.like_papers import inversions, like_papers_alike
from grader_app.agreement.moved import moved
from grader_app.agreement.operating_characteristic import operating_characteristic
from grader_app.agreement.panel_kappa import (
    brennan_prediger,
    conger_kappa,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
)
from grader_app.agreement.rank_gate import pairs_in_order, panel_kendall_w
from grader_app.agreement.rank_order import kendall_tau_b, kendall_w, pearson_r, smd, spearman_rho
from grader_app.agreement.ratings import Ratings
from grader_app.agreement.report import report, report_of
from grader_app.agreement.scale import Scale
from grader_app.agreement.severity import GraderSummary, severities
from grader_app.agreement.suggested_gates import suggest_gates
from grader_app.agreement.variance_components import (
    Components,
    variance_components,
    variance_components_by_item,
)

__all__ = [
    "AgainstReference",
    "Components",
    "DStudyRow",
    "Effect",
    "Estimate",
    "GraderSummary",
    "Ratings",
    "ResponseShare",
    "Scale",
    "ScoreShare",
    "against_reference",
    "brennan_prediger",
    "coefficients_by_item",
    "cohen_kappa",
    "conger_kappa",
    "cusum_limit",
    "d_study",
    "detection_delay",
    "exact",
    "exact_or_adjacent",
    "fleiss_kappa",
    "grader_kind",
    "graders_needed",
    "groups_of_graders",
    "guidance",
    "gwet_ac1",
    "gwet_ac2",
    "icc_1_1",
    "icc_1_k",
    "icc_2_1",
    "icc_2_k",
    "icc_3_1",
    "icc_3_k",
    "iccs",
    "inversions",
    "judge",
    "kendall_tau_b",
    "kendall_w",
    "krippendorff_alpha",
    "leave_one_grader_out",
    "like_papers_alike",
    "linear_weighted_kappa",
    "moved",
    "operating_characteristic",
    "order_effects",
    "pairs_in_order",
    "panel_kendall_w",
    "pearson_r",
    "quadratic_weighted_kappa",
    "quadratic_weighted_kappas",
    "report",
    "report_of",
    "response_contributions",
    "score_contributions",
    "severities",
    "smallest_visible_shift",
    "smd",
    "spearman_rho",
    "suggest_gates",
    "variance_components",
    "variance_components_by_item",
    "watch",
]
