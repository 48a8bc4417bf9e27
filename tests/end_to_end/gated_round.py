"""A round whose graders must qualify first, and what one of them can send by hand."""

import re

import pytest
from calibrating import ITEM, UNSENT, all_bytes, calibrating_round, run_page

SENTENCE = re.compile(r"^[A-Z0-9][^<>{}]{15,}\.$")


@pytest.fixture(name="panel", scope="module")
def calibrating_panel(tmp_path_factory, serve):
    with calibrating_round(tmp_path_factory.mktemp("gate") / "workspace", serve, graders=10) as made:
        yield made


@pytest.fixture(name="grader")
def grader_of_ones_own(panel):
    return panel.grader()


class Hand:
    """What a grader who knows the routes can send by hand, with a session and a token of their own."""

    def __init__(self, panel, grader):
        self.panel, self.served, self.name = panel, panel.served, grader.name
        self.cookie = self.served.session_of(grader.name)
        self.token = self.served.csrf_token_of(grader.name)

    def run(self, page, query=""):
        return all_bytes(run_page(self.served, self.cookie, page, query))

    def send(self, path, **body):
        return self.served.request_json(path, body, self.cookie, self.token)

    def is_refused(self, path, words=None, **body):
        """Send it; it must be refused in a sentence, and leave no event and no draft."""
        before = self.panel.count_events(), self.drafts()
        answer = self.send(path, **body)
        assert 400 <= answer.status < 500, f"{path}: {answer.status}"
        assert SENTENCE.match(answer.json["problem"]), answer.json
        assert words is None or words in answer.json["problem"], answer.json
        assert not holds_live_work(answer.text.encode())
        assert (self.panel.count_events(), self.drafts()) == before, path
        return answer.json["problem"]

    def drafts(self):
        found = self.served.rows(
            "SELECT body, 'grade' FROM draft UNION ALL SELECT body, 'order' FROM ranking_draft"
        )
        return sorted(str(row) for row in found)


def queue(panel, grader):
    """Ids of a grader's live work, planted papers included, in order."""
    return [one.assignment_id for one in panel.small.queue(grader, ITEM)]


def holds_live_work(content):
    return [words for words in UNSENT if words.encode() in content]


@pytest.fixture(name="at_work", scope="module")
def grader_at_work(panel):
    """A grader who has qualified and graded one live answer."""
    return begin_live_work(panel, panel.grader())


def use_up_attempts(panel, grader):
    for _ in range(2):
        panel.small.calibrate(grader, off=3)
    return grader


def begin_live_work(panel, grader):
    panel.small.calibrate(grader)
    panel.small.submit(panel.small.queue(grader, ITEM)[0])
    return grader
