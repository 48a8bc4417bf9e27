"""How tests start Chromium, and how they know that a page is drawn."""

import shutil

CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""Options under which Chromium runs as root, without graphics, and asks nobody on the network."""


def find_chromium():
    """Give the path of Chromium, or None where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    return None


DRAWN = """
() => {
  if (!document.getElementById("root")) return true;
  const app = document.querySelector("[data-testid=stApp]");
  const fetching = document.querySelector("[data-testid=stSkeleton]");
  return app?.dataset.testScriptState === "notRunning" && !fetching;
}
"""


def wait_until_drawn(page):
    """Wait until the server has sent a whole page and the browser can draw every field of it.

    The browser fetches the code of each kind of field when it first meets one. Until then an empty bar
    stands in its place, which nobody can type in or reach with the keyboard. A page that is no part of the
    app is drawn as soon as it is there.
    """
    page.wait_for_function(DRAWN)


def wait_for_theme(page, scheme):
    """Wait until a page of the app is drawn light or dark, as asked.

    Streamlit hears of the browser's other preference at the next frame and draws the page anew then: what
    is read at once has the colors of before.
    """
    page.wait_for_function(
        """dark => {
          const parts = getComputedStyle(document.querySelector(".stApp")).backgroundColor.match(/\\d+/g);
          return (Number(parts[0]) < 128) === dark;
        }""",
        arg=scheme == "dark",
    )
