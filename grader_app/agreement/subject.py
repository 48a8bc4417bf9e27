"""Who a sentence is about: the reader of it, or a grader by name."""

from __future__ import annotations

YOU = "You"
"""The subject that makes a sentence speak to its reader."""


def does(subject: str, verb: str) -> str:
    """Return subject and verb: the verb is given as for "you", and regular.

    Examples
    --------
    >>> does("You", "score"), does("Reader B", "score"), does(within("You"), "score")
    ('You score', 'Reader B scores', 'you score')
    """
    return f"{subject} {verb}" if subject in (YOU, YOU.lower()) else f"{subject} {verb}s"


def within(subject: str) -> str:
    """Return the subject as it stands within a sentence.

    Examples
    --------
    >>> within("You"), within("Reader B")
    ('you', 'Reader B')
    """
    return subject.lower() if subject == YOU else subject


def own(subject: str, noun: str) -> str:
    """Return something that belongs to the subject.

    Examples
    --------
    >>> own("You", "order"), own("Reader B", "order")
    ('Your order', "Reader B's order")
    """
    if subject in (YOU, YOU.lower()):
        return f"{subject}r {noun}"
    return f"{subject}'s {noun}"


def counted(n: int, noun: str) -> str:
    """Return a number with its noun, in the plural where needed.

    Examples
    --------
    >>> counted(1, "paper"), counted(30, "paper")
    ('1 paper', '30 papers')
    """
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def in_points(size: float) -> str:
    """Write a size in points.

    Examples
    --------
    >>> in_points(1.0), in_points(0.75)
    ('1 point', '0.75 points')
    """
    return f"{size:g} point" if size == 1 else f"{size:g} points"
