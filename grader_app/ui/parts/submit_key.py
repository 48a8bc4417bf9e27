"""Ctrl+Enter from anywhere in a form of ordinary fields."""

from __future__ import annotations

import streamlit as st

# A form listens for it in its text areas alone, and a radio button keeps the keys pressed on it to itself.
_JS = """
export default function () {
  if (window.submitKeyHeard) return;
  window.submitKeyHeard = true;
  document.addEventListener("keydown", (event) => {
    const asked = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!asked || event.target.tagName === "TEXTAREA") return;
    // With the focus nowhere it is the form of the page that is meant: the first one, as on the screen.
    const forms = "[data-testid='stForm']";
    const nowhere = event.target === document.body;
    const form = nowhere ? document.querySelector(forms) : event.target.closest(forms);
    if (!form) return;
    const button = form.querySelector("[data-testid='stFormSubmitButton'] button");
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    button.click();
  }, true);
}
"""


def draw_submit_key() -> None:
    """Let Ctrl+Enter submit the form with the focus, or the first of the page where nothing has it."""
    mount = st.components.v2.component("submit_key", js=_JS)
    mount(key="submit_key", height="content")
