"""A drawing on a page: markup of our own with SVG in it, which the plain HTML element would strip."""

from __future__ import annotations

import streamlit as st

_JS = """
export default function ({ data, parentElement }) {
  const made = new DOMParser().parseFromString(data.markup, "text/html");
  parentElement.querySelector(".figure").replaceChildren(...made.body.childNodes);
}
"""


def draw_figure(name: str, markup: str, css: str, key: str) -> None:
    """Draw markup with the page's own text colour.

    Parameters
    ----------
    name
        Of the kind of figure; figures of one kind share their style.
    markup
        Every text in it is escaped.
    css
        The style of that kind.
    key
        Of this figure on the page.
    """
    colour = ".figure { color: var(--st-text-color); }\n"
    mount = st.components.v2.component(name, html='<div class="figure"></div>', css=colour + css, js=_JS)
    mount(data={"markup": markup}, key=key, height="content")
