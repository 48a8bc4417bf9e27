"""Data read from a file against the model it must fit: everything wrong at once, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from grader_app.domain.model import Location
from grader_app.files.partial_model import broken_rules_despite, nested_model
from grader_app.files.validation_sentences import sentences

Model = TypeVar("Model", bound=BaseModel)


class Finding(NamedTuple):
    """Something wrong at a place in the data."""

    loc: Location
    what: str
    fix: str


def validated(model: type[Model], data: dict[str, Any]) -> tuple[Model | None, list[Finding]]:
    """Fit data to a model, or say everything that keeps it from fitting.

    Parameters
    ----------
    model
        A pydantic model.
    data
        What a file holds.

    Returns
    -------
    model : Model or None
        None when anything is wrong.
    findings : list of Finding
        Unknown keys (with the nearest known one), missing keys, wrong values, broken rules.

    Notes
    -----
    A misspelled key is taken for the nearest known one and the data validated again, so that
    one slip hides no other. Rules between values are judged even when some values are
    faulty, as far as they do not rest on those.
    """
    try:
        return model.model_validate(data), []
    except ValidationError as error:
        unknown = [_unknown_key(model, data, detail) for detail in error.errors() if _is_unknown(detail)]
    repaired = _without(data, unknown)
    errors = _errors(model, repaired)
    findings = [Finding(key.loc, key.what, key.fix) for key in unknown]
    findings += [
        Finding(_written(detail["loc"], unknown), *sentences(detail))
        for detail in errors
        if not _follows(detail, errors)
    ]
    faulty = {detail["loc"] for detail in errors if detail["type"] not in ("rule", "too_short")}
    findings += [
        Finding(_written(rule.loc, unknown), rule.what, rule.fix)
        for rule in broken_rules_despite(model, repaired, faulty)
    ]
    return None, list(dict.fromkeys(findings))


def empty_values(data: object, loc: Location = ()) -> Iterator[Finding]:
    """Find keys and dashes with nothing after them: left out is fine, half written is not.

    Parameters
    ----------
    data
        What a file holds.
    loc
        Where it stands in the file.

    Yields
    ------
    Finding
        One for each.
    """
    if data is None and loc:
        yield Finding(loc, *sentences({"type": "none", "loc": loc, "msg": "", "input": None}))
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for part, value in entries:
        yield from empty_values(value, (*loc, part))


class _UnknownKey(NamedTuple):
    loc: Location
    meant: str | None
    what: str
    fix: str


def _is_unknown(detail: ErrorDetails) -> bool:
    return detail["type"] == "extra_forbidden"


def _unknown_key(model: type[BaseModel], data: dict[str, Any], detail: ErrorDetails) -> _UnknownKey:
    *parent, key = detail["loc"]
    holder = _model_at(model, tuple(parent))
    known = list(holder.model_fields) if holder else []
    close = get_close_matches(str(key), known, n=1)
    present = _at(data, tuple(parent))
    meant = close[0] if close and close[0] not in present else None
    fix = f"Did you mean `{close[0]}`?" if close else f"The keys here are {', '.join(known)}."
    return _UnknownKey(detail["loc"], meant, f"Unknown key `{key}`.", fix)


def _model_at(model: type[BaseModel], loc: Location) -> type[BaseModel] | None:
    """Find the model that describes a place, so that its keys can be named."""
    current: type[BaseModel] | None = model
    for part in loc:
        if isinstance(part, str) and current is not None:
            known = current.model_fields.get(part)
            current = nested_model(known.annotation) if known else None
    return current


def _at(data: Any, loc: Location) -> Any:  # noqa: ANN401 - whatever stands there
    for part in loc:
        data = data[part]
    return data


def _without(data: dict[str, Any], unknown: list[_UnknownKey]) -> dict[str, Any]:
    """Copy the data with misspelled keys put right and other unknown keys left out."""
    meant = {key.loc: key.meant for key in unknown}

    def copied(value: Any, loc: Location) -> Any:  # noqa: ANN401 - whatever the file holds
        if isinstance(value, dict):
            named = ((meant.get((*loc, key), key), key, inner) for key, inner in value.items())
            return {name: copied(inner, (*loc, key)) for name, key, inner in named if name is not None}
        if isinstance(value, list):
            return [copied(inner, (*loc, at)) for at, inner in enumerate(value)]
        return value

    result: dict[str, Any] = copied(data, ())
    return result


def _errors(model: type[BaseModel], data: dict[str, Any]) -> list[ErrorDetails]:
    try:
        model.model_validate(data)
    except ValidationError as error:
        return error.errors()
    return []


def _follows(detail: ErrorDetails, errors: list[ErrorDetails]) -> bool:
    """Say whether a list counts as too short only because its entries are faulty."""
    loc = detail["loc"]
    inner = (other["loc"] for other in errors if len(other["loc"]) > len(loc))
    return detail["type"] == "too_short" and any(other[: len(loc)] == loc for other in inner)


def _written(loc: Location, unknown: list[_UnknownKey]) -> Location:
    """Turn a place in the repaired data into the place in the file."""
    for key in unknown:
        repaired = (*key.loc[:-1], key.meant)
        if key.meant and loc[: len(repaired)] == repaired:
            loc = (*key.loc, *loc[len(repaired) :])
    return loc
