"""What every noun read from a file shares: strictness, rules that report all breaches, and a content hash."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Annotated, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, Strict, StringConstraints, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError, ValidationError

from grader_app.domain.content_hash import content_hash

ID_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"
POINT_ID_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$"
VERSION_PATTERN = r"^[1-9][0-9]*$"
LAW_AS_OF_PATTERN = r"^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$"

Id = Annotated[str, Field(pattern=ID_PATTERN, max_length=100)]
PointId = Annotated[str, Field(pattern=POINT_ID_PATTERN, max_length=200)]
Version = Annotated[str, Field(pattern=VERSION_PATTERN, max_length=9)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Prose = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]

# Files give lists; a strict tuple would refuse them. Only the container is lenient.
AsTuple = Strict(False)

Location = tuple[str | int, ...]


class BrokenRule(NamedTuple):
    """A rule that the content breaks although every value by itself is well formed.

    Parameters
    ----------
    loc
        Keys and list positions leading to the value at fault, from the model that reports it.
    what
        What is wrong and what was found, ending with a full stop.
    fix
        What to do, ending with a full stop.
    """

    loc: Location
    what: str
    fix: str


Rule = Callable[[], Iterator[BrokenRule]]


class DomainModel(BaseModel):
    """A noun people write in a file: unknown keys, wrong types and broken rules are refused."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    def rules_to_hold(self) -> tuple[Rule, ...]:
        """List the rules between this model's values.

        Returns
        -------
        tuple of callable
            Each, when called, yields every place where it is broken.
        """
        return ()

    @model_validator(mode="after")
    def _hold_rules(self) -> Self:
        broken = [breach for rule in self.rules_to_hold() for breach in rule()]
        if broken:
            details = [
                InitErrorDetails(
                    type=PydanticCustomError("rule", "{what} {fix}", {"what": what, "fix": fix}),
                    loc=loc,
                    input=None,
                )
                for loc, what, fix in broken
            ]
            raise ValidationError.from_exception_data(type(self).__name__, details)
        return self

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 of the content, 64 hexadecimal digits.

        Notes
        -----
        Values equal to a key's default are left out, so that writing a default or leaving it out
        is the same content, and a key added by a newer program does not change old hashes.
        """
        return content_hash(self.model_dump(mode="json", exclude_defaults=True))


def folded(text: str) -> str:
    r"""Reduce text to what a reader would take for the same name.

    Parameters
    ----------
    text
        An id, a label or a title.

    Returns
    -------
    str
        Composed (NFC), case-folded, with single spaces.

    Examples
    --------
    >>> folded("Cafe\u0301  RULE") == folded("café rule")
    True
    """
    composed = unicodedata.normalize("NFC", text).casefold()
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", composed)).strip()


def repeated(named: Iterable[tuple[Location, str]], noun: str) -> Iterator[BrokenRule]:
    """Report each name that stands for a second thing.

    Parameters
    ----------
    named
        Where each name stands, and the name.
    noun
        What is named, for the message: ``criterion id``.

    Yields
    ------
    BrokenRule
        At each repetition, naming the first.
    """
    first: dict[str, str] = {}
    for loc, name in named:
        key = folded(name)
        if key in first:
            yield BrokenRule(loc, f"The {noun} `{name}` repeats `{first[key]}`.", "Give each its own.")
        else:
            first[key] = name
