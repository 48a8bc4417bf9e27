"""Ctrl+Enter from anywhere in a form of ordinary fields."""

from __future__ import annotations

import streamlit as st

# The key's name on the button is drawn too faintly to read.
_STYLE = "<style>[data-testid=stFormSubmitButton] kbd { color: inherit !important; opacity: 1; }</style>"
# A radio button keeps the keys pressed on it to itself, so that the form's own shortcut never hears them.
_JS = """
export default function () {
  if (window.submitKeyHeard) return;
  window.submitKeyHeard = true;
  document.addEventListener("keydown", (event) => {
    const asked = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!asked || event.target.type !== "radio") return;
    const form = event.target.closest("[data-testid='stForm']");
    const button = form?.querySelector("[data-testid='stFormSubmitButton'] button");
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    button.click();
  }, true);
}
"""


def draw_submit_key() -> None:
    """Let Ctrl+Enter submit the form in which a radio button has the focus."""
    st.html(_STYLE)
    mount = st.components.v2.component("submit_key", js=_JS)
    mount(key="submit_key", height="content")
