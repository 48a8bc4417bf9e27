"""Lists the pages of the signed-in role, and refuses the others by name."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from grader_app.domain.panel import Role
from grader_app.errors import NotSignedIn
from grader_app.ui.current import me
from grader_app.ui.grader_pages import calibrate, grade, progress
from grader_app.ui.lead_pages import (
    adjudicate,
    agreement,
    backreads,
    blind,
    calibration,
    keying,
    monitor,
    panel,
    print_packets,
    queues,
    scores,
    versions,
    what_if,
)
from grader_app.ui.parts.links import draw_link
from grader_app.ui.parts.masthead import draw_masthead, draw_page_style

PAGES: dict[Role, list[tuple[str, str, Callable[[], None]]]] = {
    Role.GRADER: [
        ("grade", "Grade", grade.page),
        ("calibrate", "Calibrate", calibrate.page),
        ("progress", "My progress", progress.page),
    ],
    Role.LEAD: [
        ("panel", "Panel", panel.page),
        ("queues", "Waiting for you", queues.page),
        ("adjudicate", "Adjudicate", adjudicate.page),
        ("monitor", "Monitor", monitor.page),
        ("backreads", "Backreads", backreads.page),
        ("agreement", "Agreement", agreement.page),
        ("calibration", "Calibration", calibration.page),
        ("versions", "Versions", versions.page),
        ("print", "Print", print_packets.page),
        ("keying", "Keying", keying.page),
        ("blind", "Blind", blind.page),
        ("scores", "Scores", scores.page),
        ("what-if", "What if", what_if.page),
    ],
}
"""Address, title and page function by role; the lead's in the order of a day."""


def main() -> None:
    """Draw the page that was asked for, if it belongs to the visitor's role."""
    st.set_page_config(page_title="Grading workbench", layout="wide", initial_sidebar_state="collapsed")
    draw_page_style()
    try:
        found = me()
    except NotSignedIn as refusal:
        st.navigation([st.Page(lambda: None, title="Signed out", default=True)], position="hidden").run()
        draw_signed_out(str(refusal))
        return
    shown = st.navigation(_pages(found.account.role), position="top")
    draw_masthead(found)
    shown.run()


def draw_signed_out(sentence: str) -> None:
    """Say that the session has ended, and how to go on."""
    st.header("Signed out")
    st.text(sentence)
    draw_link("Sign in", "/sign-in", next_step=True)


def _pages(role: Role) -> list[StreamlitPage]:
    # Streamlit cannot open its default page under its own address, so the default is a page that is
    # never reached: the gate sends / to the role's first page.
    pages = [st.Page(_home, title="Home", default=True, visibility="hidden")]
    for owner, owned in PAGES.items():
        for address, title, draw in owned:
            if owner is role:
                pages.append(st.Page(draw, title=title, url_path=address))
            else:
                pages.append(st.Page(_refusal(owner), title=title, url_path=address, visibility="hidden"))
    return pages


def _home() -> None:
    st.header("Grading workbench")
    st.text("Choose a page above.")


def _refusal(owner: Role) -> Callable[[], None]:
    def refused() -> None:
        st.header("Not your page")
        st.text(f"This page belongs to the panel's {owner.value}s. Nothing of it was sent to you.")
        draw_link("Go to my page", "/")

    # Streamlit tells pages apart by the function's name.
    refused.__name__ = f"refused_{owner.value}"
    return refused


if __name__ == "__main__":
    main()
