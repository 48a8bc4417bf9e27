from __future__ import annotations

import pytest

from grader_app.domain.panel import Account, Assignment, Role


def test_a_simulated_grader_is_labelled_wherever_the_name_is_shown() -> None:
    assert Account("p1", "ash", Role.GRADER, simulated=True).shown_name == "ash (simulated)"
    assert Account("p2", "kim", Role.GRADER).shown_name == "kim"


def test_an_assignment_cannot_be_changed() -> None:
    dealt = Assignment("a1", "r1", "mee-barge", "p1", 1, 1)
    with pytest.raises(AttributeError):
        dealt.position = 2  # type: ignore[misc]
