"""Numbers on the command line, in plain notation alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    _OfNumbers = click.ParamType[float]
else:  # earlier versions of the library take no type there
    _OfNumbers = click.ParamType


class PlainNumber(_OfNumbers):
    """A finite number such as 266 or 0.5.

    Notes
    -----
    Python also reads ``1_0`` as 10, other scripts' digits, ``nan`` and ``inf``; a slip of the finger must not
    become a number.
    """

    name = "number"

    def convert(self, value: str | float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read an option's value."""
        from grader_app.files.csv_table import plain_number_or_none

        found = plain_number_or_none(str(value).strip())
        if found is None:
            self.fail(f"`{value}` is not a number. Write one such as 266 or 0.5.", param, ctx)
        return found
