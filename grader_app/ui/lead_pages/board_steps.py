"""Where each line of the board leads: the next step in words, and its address."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from grader_app.workflow.waiting import Waiting, Why

QUEUES = "/queues"
"""Where everything waits that takes the lead's decision."""

_STEPS = {
    Why.INCIDENT: ("Read it now", f"{QUEUES}#incidents"),
    Why.RECUSAL: ("Deal to another grader", f"{QUEUES}#could-not-be-graded"),
    Why.REFERRAL: ("Decide", f"{QUEUES}#could-not-be-graded"),
    Why.CODED: ("Decide how they count", f"{QUEUES}#coded-answers"),
    Why.DISPUTE: ("Settle them", "/adjudicate"),
    Why.SHEET_QUESTION: ("Answer", "/calibration?part=Questions from graders"),
    Why.ALARM: ("Look at the monitor", "/monitor"),
    Why.STOPPED: ("Let in, or replace", "/calibration?part=Panel"),
    Why.EARLIER_VERSION: ("Keep or ask again", "/versions"),
    Why.SURPLUS: ("Look at them", f"{QUEUES}#surplus"),
    Why.UNDEALT: ("Deal them", "/panel?act=deal"),
    Why.NOBODY: ("See who may grade", "/calibration?part=Panel"),
    Why.LEFT_BEHIND: ("Deal them again", "/panel?act=deal-again"),
    Why.PAUSED: ("Let them go on", "/monitor"),
    Why.PAUSED_FOR_ALL: ("Let everybody go on", "/panel?act=pause"),
    Why.QUIET: ("Deal to others", "/panel?act=deal-again"),
    Why.LEASE: ("Deal to others", "/panel?act=deal-again"),
    Why.UNCALIBRATED: ("See their calibration", "/calibration?part=Panel"),
}

_ONE = {
    Why.CODED: "Decide how it counts",
    Why.DISPUTE: "Settle it",
    Why.SURPLUS: "Look at it",
    Why.UNDEALT: "Deal it",
    Why.LEFT_BEHIND: "Deal it again",
}
"""The step where there is one of it only."""

_TAKES_ITEM = ("/calibration", "/monitor")


def step_of(line: Waiting) -> tuple[str, str]:
    """Give the next step of a line, and its address."""
    text, address = _STEPS[line.why]
    if line.count == 1:
        text = _ONE.get(line.why, text)
    page, _, query = address.partition("?")
    given = dict(part.split("=", 1) for part in query.split("&") if part)
    if line.item is not None and page in _TAKES_ITEM:
        given["item"] = line.item
    if line.grader_id is not None and page == "/panel":
        given["grader"] = line.grader_id
    return text, f"{page}?{urlencode(given, quote_via=quote)}" if given else page
