"""How long a grader waits for the next answer: alone, beside fifty others, and how 250 fare.

Run `python tests/benchmarks/grading_desk.py`, with `--json` for one object alone on stdout; it needs Linux,
Chromium and the extra `test`. `--short` is the same with few answers and few clicks.

`alone` and `with_50`: Chromium chooses a score and submits, by keys and by mouse in turn, and a clock in the
page runs from the submitting key or click until the frame that holds the next answer has been drawn. The
fifty others think for two seconds an answer, keep drafts and submit grades. `sessions_250`: nothing but such
graders, who think for ten seconds; the round trip of a save begins with the submission and ends when the
server has sent the next answer. `cpu_ms_per_save` is the server's processor time in that last part, drafts
included, divided by the saves.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from browsers import CHROMIUM_ARGUMENTS, find_chromium
from desk_workspace import make
from playwright.sync_api import sync_playwright
from served_workspace import Served

CLIENTS = Path(__file__).with_name("desk_clients.py")
PAUSE_MS = 250  # Between one answer and the next, so that nothing of the last is still under way.

CLOCK = """
() => {
  const within = (root) => {
    const found = root.querySelector('[data-testid="answer"]');
    if (found) return found;
    for (const one of root.querySelectorAll("*")) {
      const inner = one.shadowRoot && within(one.shadowRoot);
      if (inner) return inner;
    }
    return null;
  };
  let at = within(document);
  window.deskWait = null;
  const begin = () => {
    if (window.deskWait) return;
    const started = performance.now();
    const before = at.dataset.response;
    window.deskWait = new Promise((shown) => {
      const look = () => {
        if (!at.isConnected) at = within(document) || at;
        // What this frame holds is on the screen when the frame is done.
        if (at.dataset.response !== before) setTimeout(() => shown(performance.now() - started));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  };
  const isSubmit = (one) => one.dataset && one.dataset.testid === "submit";
  window.addEventListener("keydown", (event) => event.key === "Enter" && event.ctrlKey && begin(), true);
  window.addEventListener("click", (event) => event.composedPath().some(isSubmit) && begin(), true);
}
"""


@dataclass(frozen=True)
class Size:
    """How much of everything."""

    answers: int
    clicks: int
    beside: int
    sessions: int
    seconds: float
    think_beside: float = 2.0
    think_sessions: float = 10.0


FULL = Size(answers=100_000, clicks=120, beside=50, sessions=250, seconds=90)
SHORT = Size(answers=600, clicks=8, beside=10, sessions=10, seconds=8, think_sessions=2.0)


class Clients:
    """Graders without a browser, in a process of their own."""

    def __init__(self, served, sessions, think, seconds):
        asked = {"url": served.url, "sessions": sessions, "think": think, "seconds": seconds}
        self.process = subprocess.Popen(
            [sys.executable, str(CLIENTS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        if self.process.stdout.readline().strip() != "ready":
            raise RuntimeError("the graders could not open the desk")

        # Read in a thread: what they print at the end can be more than a pipe holds.
        self.printed = ThreadPoolExecutor(1).submit(self.process.stdout.readline)

    def end(self):
        """End their day; give what they measured."""
        self.process.stdin.close()
        return json.loads(self.printed.result())

    def told_or_none(self, seconds):
        """Wait some seconds for the end of their day; give what they measured, or None before it."""
        try:
            return json.loads(self.printed.result(seconds))
        except TimeoutError:
            return None


@contextmanager
def beside(served, sessions, think):
    """Have others at work while a block runs; the block's list then holds what they measured."""
    clients = Clients(served, sessions, think, 600)
    found = []
    try:
        yield found
    finally:
        found.append(clients.end())


def percentile(values, share):
    """Give the value that a share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def in_chromium(browser, served, session, clicks):
    """Grade answers in Chromium; give the milliseconds each next answer took to be on the screen."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_cookies([{"name": "grader_app_session", "value": session, "url": served.url}])
    page = context.new_page()
    page.goto(f"{served.url}/grade")
    page.get_by_test_id("answer").wait_for()
    page.evaluate(CLOCK)
    took = []
    for number in range(clicks + 2):
        page.wait_for_timeout(PAUSE_MS)
        page.evaluate("() => { window.deskWait = null; }")
        if number % 2:
            page.get_by_test_id(f"score-{number % 7}").click()
            page.get_by_test_id("submit").click()
        else:
            page.keyboard.press(str(number % 7))
            page.keyboard.press("Control+Enter")
        took.append(page.evaluate("() => window.deskWait"))
    context.close()
    return took[2:]  # the first two warm the page up


def summary(values):
    return {"p50_ms": percentile(values, 0.5), "p95_ms": percentile(values, 0.95), "n": len(values)}


def crowd(served, sessions, think, seconds):
    """Let many grade for a while and watch the server's memory and processor time."""
    clients = Clients(served, sessions, think, seconds)
    used, most, told = processor_seconds(served), 0.0, None
    while told is None:
        most = max(most, resident_mib(served))
        told = clients.told_or_none(0.25)
    used = processor_seconds(served) - used
    trips = told["round_trips_ms"]
    found = {
        "p50_ms": percentile(trips, 0.5),
        "p95_ms": percentile(trips, 0.95),
        "errors": len(told["errors"]),
        "rss_mib": most,
        "saves": len(trips),
    }
    return found, 1000 * used / len(trips), told["errors"]


def processor_seconds(served):
    fields = Path(f"/proc/{served.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def resident_mib(served):
    for line in Path(f"/proc/{served.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def measure(size):
    with tempfile.TemporaryDirectory() as folder:
        made = make(Path(folder) / "workspace", size.answers, 1 + max(size.beside, size.sessions))
        made.bench.store.close()
        served = Served(made.folder, Path(folder) / "server.log").start()
        try:
            with sync_playwright() as playwright:
                playwright.selectors.set_test_id_attribute("data-testid")
                browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_ARGUMENTS)
                own, others = made.sessions[0], made.sessions[1:]
                alone = in_chromium(browser, served, own, size.clicks)
                with beside(served, others[: size.beside], size.think_beside) as told:
                    accompanied = in_chromium(browser, served, own, size.clicks)
                browser.close()
            many, per_save, problems = crowd(
                served, others[: size.sessions], size.think_sessions, size.seconds
            )
        finally:
            served.stop()
    problems += told[0]["errors"]
    return {
        "answers": size.answers,
        "storing_seconds": made.storing_seconds,
        "dealing_seconds": made.dealing_seconds,
        "alone": summary(alone),
        "with_50": summary(accompanied) | {"others": size.beside, "errors": len(told[0]["errors"])},
        "sessions_250": many | {"sessions": size.sessions},
        "cpu_ms_per_save": per_save,
        "problems": problems[:10],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--short", action="store_true", help="few answers and few clicks, for a test")
    options = parser.parse_args()
    found = measure(SHORT if options.short else FULL)
    if options.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        for key, inner in value.items() if isinstance(value, dict) else [("", value)]:
            shown = f"{inner:,.1f}" if isinstance(inner, float) else f"{inner}"
            print(f"{f'{name} {key}':<24} {shown:>12}")


if __name__ == "__main__":
    main()
