"""Published passing totals and the bands below them whose papers are read again, each with its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

CutName = Literal["new_york", "pennsylvania_pre_ube", "california", "new_mexico", "alaska_pre_ube"]
CUT_NAMES: tuple[str, ...] = get_args(CutName)


@dataclass(frozen=True)
class PublishedCut:
    """One jurisdiction's line and band.

    Parameters
    ----------
    title
        Whose, and when.
    total, reread_from, reread_to
        The lowest total that passes; both ends of the band, included.
    says, source
        What was published, and where.
    assumptions
        What no source says and was assumed here, or how a source had to be read.
    """

    title: str
    total: float
    reread_from: float
    reread_to: float
    says: str
    source: str
    assumptions: tuple[str, ...] = ()


CUTS: Mapping[str, PublishedCut] = {
    "new_york": PublishedCut(
        "New York",
        266,
        262,
        265,
        "266 passes; from 262 to 265 all written answers are graded again, by others, before release.",
        "22 NYCRR 6000.11",
        ("How the two gradings combine is not stated in the rule.",),
    ),
    "pennsylvania_pre_ube": PublishedCut(
        "Pennsylvania before the Uniform Bar Examination",
        272,
        263,
        271,
        "272 passes; the performance test and all six essays of totals from 263 to 271 are read again.",
        "Pennsylvania Board of Law Examiners, pabarexam.org/bar_exam_information/begrading.htm",
        ("How the two reads combine was cut off in the copy that was read.",),
    ),
    "california": PublishedCut(
        "California since the line is 1390",
        1390,
        1350,
        1389.9,
        "1390 passes; everything of totals from 1350 to 1389.9 is read again, and the reads averaged.",
        "abajournal.com on the February 2025 examination; calweaselbartutorial.com (both secondary)",
        (
            "The band has totals in tenths: round with total_to_tenths.",
            "In February 2025 alone the higher read of each question counted.",
        ),
    ),
    "new_mexico": PublishedCut(
        "New Mexico, Uniform Bar Examination",
        260,
        254,
        259,
        "260 passes; papers of applicants 6 points below are reviewed by another person before publication.",
        "Rule 15-506, New Mexico rules governing admission to the bar; for the minimum of 260 "
        "nmexam.org/new-mexico-adopts-the-uniform-bar-examination",
        ("The rule may mean exactly 6 points below or any of 1 to 6; the band here is 1 to 6.",),
    ),
    "alaska_pre_ube": PublishedCut(
        "Alaska before the Uniform Bar Examination",
        140,
        139,
        139.99,
        "140 passes; papers within 1 point of it are read again, so 138.5 was half a point too low.",
        "Application of Bettine, 840 P.2d 994 (Alaska 1992)",
        (
            "Only totals below the line are taken to be read again; totals are in hundredths.",
            "Essays were read by two graders and averaged when within 1 point.",
        ),
    ),
}


def filled_from_cut(data: object) -> object:
    """Fill what a file leaves out under `cut` from the published cut it names; what is written stays.

    Parameters
    ----------
    data
        The value of `cut` as read, of any kind.

    Notes
    -----
    A preset that does not exist is refused elsewhere; a total stands in, so that its lack is no second fault.
    """
    if not isinstance(data, dict) or data.get("preset") is None:
        return data
    name = data["preset"]
    if not isinstance(name, str) or name not in CUTS:
        return {"total": 0, **data}
    cut = CUTS[name]
    return {"total": cut.total, "reread_from": cut.reread_from, "reread_to": cut.reread_to, **data}
