"""What tests of the calibration pages share: pressing, filling in and reading what is drawn."""

import re
from html import unescape

from drawn_pages import texts

from grader_app.domain.grade import GradeEntry
from grader_app.store.event_log import read_events
from grader_app.workflow.progress import all_accounts

PAGE = "grader_pages.calibrate"


LEAD = "lead_pages.calibration"


def account_id(bench, name):
    return next(one.account_id for one in all_accounts(bench) if one.name == name)


def title_of(bench, item):
    return bench.material().item(item).title


def events(bench, kind):
    return [event for event in read_events(bench.store) if event.kind == kind]


def click(app, label, key=None):
    next(b for b in app.button if b.label == label and key in (None, b.key)).click()
    return app.run()


def fill(app, label, words):
    next(one for one in [*app.text_input, *app.text_area] if one.label == label).set_value(words)


def plain(app):
    """All text of a page as it is read, one space between words."""
    whole = " ".join(re.sub(r"<style>.*?</style>", " ", text, flags=re.DOTALL) for text in texts(app))
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", whole)).split())


def cells(app, caption_or_heading):
    """The rows of the table in which a heading stands, as texts."""
    table = next(text for text in texts(app) if "<table" in text and caption_or_heading in text)
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    found = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[unescape(re.sub(r"<[^>]+>", "", cell)) for cell in row] for row in found]


def one_below(paper):
    return GradeEntry(score=paper.score - 1, points=paper.points)


def ruling_box(app):
    return next(box for box in app.checkbox if box.label == "I have read what this does")


def all_box(app):
    return next(box for box in app.checkbox if box.label.startswith("Decide on all"))


def make_a_ruling(lead, words="A commercial unit is credited for the rule of rejection."):
    app = lead.draw(LEAD, part="Meeting")
    fill(app, "Ruling", words)
    ruling_box(app).check()
    return click(app, "Make this a ruling")
