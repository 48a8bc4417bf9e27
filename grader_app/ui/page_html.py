"""What a browser gets first at every page's address: Streamlit's own HTML, with a script of ours in it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from streamlit import file_util

_SCRIPT = """
// The menu's link to the page one is on would keep the step that the address names; it should leave it.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-testid='stTopNavLink'], a[data-testid='stSidebarNavLink']");
  const plain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link || !plain || !location.search || new URL(link.href).pathname !== location.pathname) return;
  event.preventDefault();
  event.stopPropagation();
  location.assign(location.pathname);
}, true);
"""


@cache
def page_html() -> str:
    """Give the HTML of the pages.

    The script stands in the head because what a page run draws comes too late: the menu can be clicked
    before.
    """
    written = (Path(file_util.get_static_dir()) / "index.html").read_text(encoding="utf-8")
    before, head_end, after = written.partition("</head>")
    return f"{before}<script>{_SCRIPT}</script>{head_end}{after}"
