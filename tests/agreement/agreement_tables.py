"""Published tables of ratings, small enough to be read here."""

from __future__ import annotations

import numpy as np
import pandas as pd

from grader_app.agreement import Ratings


def table(rows: dict[str, str]) -> pd.DataFrame:
    """One row a response from one line of scores a grader; a dot is a missing score."""
    scores = {
        name: [None if cell == "." else float(cell) for cell in line.split()] for name, line in rows.items()
    }
    n = len(next(iter(scores.values())))
    return pd.DataFrame({"response": [f"u{place:02d}" for place in range(1, n + 1)], **scores})


def ratings(rows: dict[str, str], scale: object) -> Ratings:
    return Ratings.from_wide(table(rows), scale=scale)


def from_joint(counts: list[list[int]], scale: object, graders: tuple[str, str] = ("R1", "R2")) -> Ratings:
    """Two graders' ratings from their joint table: the first grader's scores in rows."""
    pairs = [(a, b) for a, row in enumerate(counts) for b, n in enumerate(row) for _ in range(n)]
    return Ratings.from_codes(np.array(pairs), scale=scale, graders=graders)


# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, sections C and A.
KRIPPENDORFF_C = {
    "A": "1 2 3 3 2 1 4 1 2 . . .",
    "B": "1 2 3 3 2 2 4 1 2 5 . 3",
    "C": ". 3 3 3 2 3 4 2 2 5 1 .",
    "D": "1 2 3 3 2 4 4 1 2 5 1 .",
}
KRIPPENDORFF_A = {"Meg": "0 1 0 0 0 0 0 0 1 0", "Owen": "1 1 1 0 0 1 0 0 0 0"}

# Shrout & Fleiss (1979), Psychological Bulletin 86:420-428, table 4.
SHROUT_FLEISS = {"R1": "9 6 8 7 10 6", "R2": "2 1 4 1 5 2", "R3": "5 3 6 2 6 4", "R4": "8 2 8 6 9 7"}

# Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed.; printed in the vignette of R irrCAC 1.0.
GWET_RAW = {
    "R1": "1 2 3 3 2 1 4 1 2 . . .",
    "R2": "1 2 3 3 2 2 4 1 2 5 . .",
    "R3": ". 3 3 3 2 3 4 2 2 5 1 3",
    "R4": "1 2 3 3 2 4 4 1 2 5 1 .",
}
GWET_ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]  # ectopic, AIU, NIU

# The set `anxiety` of R irr 0.84.1: 20 subjects, 3 raters, scores 1 to 6.
ANXIETY = {
    "rater1": "3 3 3 4 5 5 2 3 5 2 2 6 1 5 2 2 1 2 4 3",
    "rater2": "3 6 4 6 2 4 2 4 3 3 2 3 3 3 2 2 1 3 3 4",
    "rater3": "2 1 4 4 3 2 1 6 1 1 1 2 3 3 1 1 3 3 2 2",
}

# Siegel (1956), Nonparametric Statistics for the Behavioral Sciences, ch. 9.
SIEGEL_APPLICANTS = {"X": "1 6 3 2 5 4", "Y": "1 5 6 4 2 3", "Z": "6 3 2 5 4 1"}
SIEGEL_STATUS = {
    "authoritarianism": "82 98 87 40 116 113 111 83 85 126 106 117",
    "status": "42 46 39 37 65 88 86 56 62 92 54 81",
}

# The worked example of the Wikipedia article on Spearman's rho: -29/165.
SPEARMAN_IQ_TV = {"iq": "106 100 86 101 99 103 97 113 112 110", "tv": "7 27 2 50 28 29 20 12 6 17"}

# The example on SciPy's reference page of kendalltau.
SCIPY_TAU = {"x": "12 2 1 12 2", "y": "1 4 7 1 0"}

# Cohen (1968), Psychological Bulletin 70:213-220: personality disorder, neurosis, psychosis; N = 200.
COHEN_1968 = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]

# Stuart (1953), Biometrika 40:105-110: grade of the right eye (rows) and the left eye of 7,477 women.
STUART_VISION = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]

# Fleiss (1971), Psychological Bulletin 76:378-382: of 6 psychiatrists, how many gave each of five
# diagnoses to each of 30 patients. Who gave which is not in the source.
FLEISS_LINE = (
    "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031 "
    "00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006"
)
FLEISS_COUNTS = FLEISS_LINE.split()


def fleiss_ratings() -> Ratings:
    rows = [[code for code, n in enumerate(line) for _ in range(int(n))] for line in FLEISS_COUNTS]
    return Ratings.from_codes(np.array(rows), scale="depression,personality,schizophrenia,neurosis,other")


# Gleser, Cronbach & Rajaratnam (1965), Psychometrika 30:395-418, table 3: 12 persons; six items, each
# scored by two judges (item 1 judge 1, item 1 judge 2, item 2 judge 1, ...).
GLESER_LINE = (
    "002120211112 002120122121 001133212112 202122212141 001220233333 202120413331 013131342223 "
    "000143342333 122136132321 012433223531 342232453355 112444334666"
)
GLESER = GLESER_LINE.split()
