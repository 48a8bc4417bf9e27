"""Who is signed in and the way out, on every page; and the styles all pages share."""

from __future__ import annotations

import streamlit as st

from grader_app.workflow.accounts import SignedIn

_STYLE = """
<style>
[data-testid="stMainBlockContainer"] { padding: 4.1rem 1.25rem 0; max-width: none; }
[data-testid="stMain"] { scroll-padding: 9rem 0 1rem; }
[data-testid="stLayoutWrapper"]:has(> .st-key-notice) { position: sticky; top: 3.75rem; z-index: 90; }
.st-key-notice { background: light-dark(#fff, #181714); border-color: currentColor; }
[data-testid="stHeader"] { border-bottom: 1px solid var(--st-border-color, #d9d6cf); }
[data-testid="stFullScreenFrame"]:has([data-testid="stVegaLiteChart"]) {
  overflow: auto hidden; box-sizing: content-box; padding-top: 2rem; margin-top: -2rem; }
.prose-page { max-width: 62rem; }
table.plain { border-collapse: collapse; font-size: .95rem; font-variant-numeric: tabular-nums;
  margin: .25rem 0 1.25rem; }
div.scrolls { overflow-x: auto; }
table.plain caption { text-align: left; font-weight: 600; padding-bottom: .35rem; }
table.plain th, table.plain td { padding: .3rem .9rem .3rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid rgb(128 128 128 / 30%); }
table.plain th { font-weight: 600; border-bottom-width: 2px; white-space: nowrap; }
table.plain thead td { border-bottom-width: 2px; }
table.plain th.number, table.plain td.number { text-align: right; }
table.plain a { color: inherit; }
table.plain td.empty { opacity: .65; }
a.step { display: inline-block; padding: .45rem .9rem; border: 1px solid rgb(128 128 128 / 50%);
  border-radius: 4px; color: inherit; text-decoration: none; }
a.step.next { background: #1f4e79; border-color: transparent; color: #fff; font-weight: 600; }
p.headline { font: 600 1.15rem/1.45 Georgia, "DejaVu Serif", serif; margin: .25rem 0 .75rem;
  max-width: 60rem; }
p.aside { opacity: .8; max-width: 60rem; margin: 0 0 .6rem; }
div.paper { font: 17px/1.6 Georgia, "DejaVu Serif", serif; max-width: 70ch; }
div.paper h3 { font: inherit; font-weight: 600; margin: 0; padding: .6rem 0; }
div.paper p { margin: 0 0 .9em; white-space: pre-wrap; overflow-wrap: anywhere; }
div.paper p.new { border-left: 4px solid currentColor; padding-left: .7em; }
strong.new { font: 600 .8rem system-ui, "DejaVu Sans", sans-serif; border: 1px solid currentColor;
  border-radius: 3px; padding: 0 .4rem; vertical-align: .1em; }
div.paper code { font: .9em ui-monospace, "DejaVu Sans Mono", monospace; color: inherit; background: none;
  padding: 0; }
a.back { display: inline-block; margin: 0 0 .2rem; color: inherit; font-size: .95rem; }
@media (max-width: 720px) {
  table.plain { font-size: .88rem; }
  table.plain th, table.plain td { padding-right: .55rem; }
  table.plain th { white-space: normal; overflow-wrap: normal; }
  table.plain td { white-space: nowrap; }
  table.plain td.words { white-space: normal; min-width: 12rem; }
}
@media print { [data-testid="stHeader"], [data-testid="stButton"], [data-testid="stForm"] { display: none; } }
</style>
"""

_MASTHEAD_HTML = """
<form method="post" action="/sign-out">
  <span class="who"></span>
  <input type="hidden" name="csrf_token">
  <button type="submit">Sign out</button>
</form>
"""

_MASTHEAD_CSS = """
form { position: fixed; top: .95rem; right: 1.1rem; z-index: 1000000; display: flex; gap: .8rem;
  align-items: baseline;
  font: .88rem system-ui, "DejaVu Sans", sans-serif; color: var(--st-text-color); margin: 0; }
button { font: inherit; color: inherit; background: none; border: 1px solid var(--st-border-color, #cfcbc2);
  border-radius: 4px; padding: .2rem .6rem; cursor: pointer; }
button:focus-visible { outline: 3px solid var(--st-primary-color); }
@media (max-width: 720px) { .who { display: none; } }
@media print { form { display: none; } }
"""

_MASTHEAD_JS = """
export default function ({ data, parentElement }) {
  parentElement.querySelector(".who").textContent = data.who;
  parentElement.querySelector("input").value = data.csrf_token;
  const form = parentElement.querySelector("form");
  if (!form.leavesNothing) {
    form.leavesNothing = true;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const desk = window.currentGradingDesk;
      if (desk && !(await desk.beforeSignOut())) return;
      // Somebody else may sit down at this browser next.
      for (const key of Object.keys(localStorage)) {
        if (key.startsWith("desk-unsaved:")) localStorage.removeItem(key);
      }
      if (desk) desk.dirty = false;
      form.submit();
    });
  }
}
"""


def draw_page_style() -> None:
    """Add the styles all pages share."""
    st.html(_STYLE)


def draw_masthead(found: SignedIn) -> None:
    """Show who is signed in, with the button that signs out."""
    mount = st.components.v2.component("masthead", html=_MASTHEAD_HTML, css=_MASTHEAD_CSS, js=_MASTHEAD_JS)
    mount(
        data={
            "who": _who(found),
            "csrf_token": found.csrf_token,
        },
        key="masthead",
        height="content",
    )


def _who(found: SignedIn) -> str:
    name, role = found.account.shown_name, found.account.role.value
    return name if name == role else f"{name} · {role}"
