"""A fast hand: fifty answers at 150 ms each with four ticks, on a quick database and on a slow one."""

import sys
from pathlib import Path

import pytest
from people import open_to_all
from served_workspace import COMMAND, Served, add_people, copy_of, run_command

pytestmark = pytest.mark.browser

ANSWERS = 50
SLOW = (sys.executable, str(Path(__file__).with_name("slow_store.py")))

# The hand of a grader who never waits: it looks at what is on the desk, strikes, and goes on at once. It runs
# in the page, since strokes sent one by one from outside would be slower than a hand.
HAND = """async ({ answers, pace, seconds }) => {
  const strike = (key, more = {}) => {
    const stroke = { key, bubbles: true, composed: true, cancelable: true, ...more };
    document.dispatchEvent(new KeyboardEvent("keydown", stroke));
  };
  const rest = (ms) => new Promise((ready) => setTimeout(ready, ms));
  const end = performance.now() + seconds * 1000;
  const done = [];
  let last = null;
  while (done.length < answers) {
    if (performance.now() > end) throw new Error(`${done.length} answers within ${seconds} seconds`);
    const desk = window.currentGradingDesk;
    if (desk.busy || desk.assignment === last) {
      // A hand that is too early: what it strikes must land nowhere.
      if (desk.busy) strike("6");
      await rest(5);
      continue;
    }
    const begun = performance.now();
    last = desk.assignment;
    for (let tick = 0; tick < 4; tick += 1) { strike("j"); strike("x"); }
    const score = done.length % 6;
    strike(String(score));
    await rest(Math.max(0, pace - (performance.now() - begun)));
    done.push({ assignment: last, score, points: [...desk.entry.points].sort() });
    strike("Enter", { ctrlKey: true });
  }
  return done;
}"""


@pytest.fixture(scope="module")
def long_queue(sample_workspace, tmp_path_factory):
    """A workspace in which one grader has more than fifty answers waiting."""
    folder = copy_of(sample_workspace, tmp_path_factory.mktemp("long") / "workspace")
    add_people(folder, "grader", "reader", "another")
    run_command("account", "disable", "grader-1", "--workspace", folder)
    open_to_all(folder / "round.yaml")
    answers = folder.parent / "answers.csv"
    rows = [f'n-{n},S-{n},"Answer {n}."' for n in range(ANSWERS + 20)]
    answers.write_text("id,source,text\n" + "\n".join(rows) + "\n", encoding="utf-8")
    run_command("intake", answers, "--item", "mee-negligence", "--workspace", folder)
    run_command("assign", "--workspace", folder)
    return folder


@pytest.mark.parametrize("command", [COMMAND, (*SLOW, "0.3")], ids=["quick", "slow"])
def test_fifty_answers_with_four_ticks_each_are_fifty_grades_in_the_right_places(
    command, long_queue, tmp_path, new_tab
):
    served = Served(copy_of(long_queue, tmp_path / "workspace"), tmp_path / "server.log", command).start()
    try:
        grader = new_tab(served).enter("reader", "/grade")
        grader.at_desk()
        done = grader.page.evaluate(HAND, {"answers": ANSWERS, "pace": 150, "seconds": 120})
        grader.next_after(done[-1]["assignment"])
        grades = served.grades_of("reader")
    finally:
        served.stop()
    assert [kind for kind, _, _ in grades] == ["GradeSubmitted"] * ANSWERS
    found = [
        {"assignment": subject, "score": body["score"], "points": body["points"]}
        for _, subject, body in grades
    ]
    assert found == done
    assert sum(len(one["points"]) for one in found) == 4 * ANSWERS
