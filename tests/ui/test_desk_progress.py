"""How much is left, in the bar of the desk."""

from types import SimpleNamespace

from grader_app.ui.grader_pages.grade import progress_shown
from grader_app.workflow.progress import GraderProgress

HERE = SimpleNamespace(item="plates")


def row(item, done, left, median_seconds):
    return GraderProgress(
        item=item,
        title=item,
        done=done,
        left=left,
        with_lead=0,
        median_seconds=median_seconds,
        closed=False,
    )


def test_one_question_is_counted_with_its_own_time():
    shown = progress_shown([row("plates", 12, 28, 240), row("ladder", 5, 0, 300)], HERE)
    assert shown == {"done": 12, "total": 40, "here_only": False, "left_text": "about 2 h left"}


def test_several_questions_are_told_apart_from_the_one_on_the_desk():
    shown = progress_shown([row("plates", 0, 1, None), row("ladder", 0, 22, 300)], HERE)
    assert (shown["done"], shown["total"], shown["here_only"]) == (0, 1, True)
    assert shown["left_text"] == "23 answers left in all, about 2 h"
