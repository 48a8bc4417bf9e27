"""Rules judged on data that is faulty elsewhere, so that one wrong value hides no broken rule."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NoReturn, get_args, get_origin

from pydantic import BaseModel

from grader_app.domain.model import BrokenRule, DomainModel, Location


class _CannotJudge(Exception):
    """A rule rests on a faulty value."""


class _Faulty:
    """Stands for a value that is missing or wrong; whoever looks at it cannot judge."""

    def _refuse(self, *_: object) -> NoReturn:
        raise _CannotJudge

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __sub__ = __rsub__ = _refuse
    __mul__ = __rmul__ = __truediv__ = __bool__ = __len__ = __iter__ = __float__ = __str__ = _refuse
    __format__ = __contains__ = __getitem__ = _refuse
    __hash__ = _refuse

    def __getattr__(self, name: str) -> NoReturn:
        raise _CannotJudge


def broken_rules_despite(
    model: type[BaseModel],
    data: object,
    faulty: Collection[Location],
) -> list[BrokenRule]:
    """Find the rules that data breaks, leaving out those that rest on faulty values.

    Parameters
    ----------
    model
        The model the data should fit.
    data
        What the file holds.
    faulty
        Where values are missing or wrong.

    Returns
    -------
    list of BrokenRule
        With places counted from the whole file.
    """
    found: list[BrokenRule] = []
    _built(model, data, (), set(faulty), found)
    return found


def _built(annotation: Any, value: Any, loc: Location, faulty: set[Location], found: list[BrokenRule]) -> Any:  # noqa: ANN401
    """Build a value as far as it can be, judging the rules of every model on the way."""
    if loc in faulty and loc:
        return _Faulty()
    if isinstance(value, dict):
        model = nested_model(annotation)
        return _built_model(model, value, loc, faulty, found) if model else value
    if isinstance(value, list):
        inner = _entry_annotation(annotation)
        return tuple(_built(inner, entry, (*loc, at), faulty, found) for at, entry in enumerate(value))
    return value


def _built_model(
    model: type[BaseModel],
    value: dict[str, Any],
    loc: Location,
    faulty: set[Location],
    found: list[BrokenRule],
) -> BaseModel:
    values: dict[str, Any] = {}
    for name, known in model.model_fields.items():
        if name in value:
            values[name] = _built(known.annotation, value[name], (*loc, name), faulty, found)
        elif known.is_required():
            values[name] = _Faulty()
    built = model.model_construct(**values)
    if isinstance(built, DomainModel):
        found.extend(_judged(built, loc))
    return built


def _judged(built: DomainModel, loc: Location) -> Iterator[BrokenRule]:
    for rule in built.rules_to_hold():
        try:
            for breach in rule():
                yield breach._replace(loc=(*loc, *breach.loc))
        except (_CannotJudge, TypeError):  # compiled functions refuse the stand-in by its type
            continue


def nested_model(annotation: Any) -> type[BaseModel] | None:  # noqa: ANN401 - any type annotation
    """Find the model in a type annotation.

    Parameters
    ----------
    annotation
        For example ``tuple[Level, ...]`` or ``Cut | None``.

    Returns
    -------
    type or None
        The first model in it.
    """
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (nested_model(argument) for argument in get_args(annotation))
    return next((model for model in found if model is not None), None)


def _entry_annotation(annotation: Any) -> Any:  # noqa: ANN401 - any type annotation
    if get_origin(annotation) is tuple:
        return get_args(annotation)[0]
    found = (_entry_annotation(argument) for argument in get_args(annotation))
    return next((inner for inner in found if inner is not None), None)
