"""Item: a point sheet with the texts that go with it."""

from __future__ import annotations

from grader_app.domain.model import DomainModel, Text
from grader_app.domain.point_sheet import Kind, PointSheet


class Item(DomainModel):
    """What candidates are asked, and how their responses are read.

    Parameters
    ----------
    sheet
        The item's point sheet.
    prompt
        What the candidate is asked (Markdown).
    guidelines
        Rulings the panel made; versioned with the sheet.
    file, library
        The File and the Library of an MPT (Markdown).
    """

    sheet: PointSheet
    prompt: Text
    guidelines: Text | None = None
    file: Text | None = None
    library: Text | None = None

    @property
    def id(self) -> str:
        """The item's id, which is also its folder's name."""
        return self.sheet.item

    @property
    def version(self) -> str:
        """The version of the sheet and of all texts that go with it."""
        return self.sheet.version

    @property
    def title(self) -> str:
        """The item's title."""
        return self.sheet.title

    @property
    def kind(self) -> Kind:
        """What kind of item it is: mee, mpt, rule_application or essay."""
        return self.sheet.kind
