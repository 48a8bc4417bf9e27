"""How tests start Chromium."""

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
