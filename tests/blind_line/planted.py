"""A workspace whose sources, ids, file names and columns are names that stand nowhere else."""

import csv
import hashlib
import re
import shutil
from contextlib import closing

from served_workspace import add_people, run_command

from grader_app.files.shipped import shipped_folder
from grader_app.files.workspace_folder import WorkspaceFolder
from grader_app.sample import content
from grader_app.workflow import accounts
from grader_app.workflow.qualification import let_all_grade
from grader_app.workflow.workbench import Workbench

READERS = ("Wren Halloran", "Ottoline Vance")
LEAD = "Perpetua Quill"
SOURCES = ("CANARY-SOURCE-heron", "CANARY-SOURCE-plover", "CANARY-SOURCE-dunlin")

LOOKS_LIKE_MARKUP = (
    "He owes $5 and $10, that is $15.\n\nAnd $x_1$ is no formula.",
    "# heading\n\n1. first\n\n- item\n\n> quoted\n\n---",
    '<b>bold</b> and <script>window.pwned = 1</script> and <img src=x onerror="window.pwned = 1">',
    ":smile: and :red[not red] and :material/delete:",
    "[x](http://elsewhere.example/) and http://elsewhere.example/page and <http://elsewhere.example>",
    "pay \u202eevif\u202c dollars \u2066to\u2069 them \u200f\u200e\u061c.",
    "**bold** *em* `code` ~~gone~~ &lt;b&gt; &amp; \\* \\n",
    "a\ttab, two  spaces, and\na line of its own\n\nThen “quotes” — and emoji 😀, 法律, and عربى.",
)
"""Passages that a page could take for markup, or that read in another order than they are stored."""

TEXTS = tuple(f"Passage {number}.\n\n" + "\n\n".join(LOOKS_LIKE_MARKUP) for number in range(8))
"""The answers to each item: every one holds every passage."""

COLUMNS = ("id", "source", "text", "prompt_type", "temperature", "trial", "model_version", "gold")
COLUMNS += ("finish_reason", "licence", "slice", "prompt_template", "CANARY-COLUMN")


def plant(folder):
    """Take planted names in through the command line and deal the answers."""
    workspace = folder / "workspace"
    run_command("init", workspace)
    for name in ("rubrics", "calibration_sets"):
        shutil.copytree(shipped_folder(name), workspace / name, dirs_exist_ok=True)
    sample = (content.MBE_FILE.parent / "round.yaml").read_text(encoding="utf-8")
    # Every answer a reader meets must hold the passages, so no paper of a set stands among them.
    without_checks = sample.replace("validity_paper_every: 4", "validity_paper_every: 400")
    assert without_checks != sample
    # Every grade is followed by the question who wrote the answer, so that its dialog is searched too.
    asked = re.sub(r"guesses:\n(  .*\n)+", "guesses:\n  share_percent: 100\n", without_checks)
    (workspace / "round.yaml").write_text(asked, encoding="utf-8")
    add_people(workspace, "lead", LEAD)
    add_people(workspace, "grader", *READERS)
    for item in content.ITEMS:
        path = folder / f"CANARY-FILE-{item}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            for number, text in enumerate(TEXTS):
                writer.writerow([f"CANARY-ID-{item}-{number}", *row_of(number, text)])
        run_command("intake", path, "--item", item, "--as", "CANARY-CUSTODIAN", "--workspace", workspace)
    mbe = folder / "CANARY-FILE-mbe.csv"
    scores = "".join(f"{source},{130 + 7 * at}.5\n" for at, source in enumerate(SOURCES))
    mbe.write_text(f"source,mbe\n{scores}", encoding="utf-8")
    run_command("assign", "--as", "CANARY-CUSTODIAN", "--workspace", workspace)
    let_in(workspace)
    return workspace


def let_in(workspace):
    """Let the readers grade without having qualified, so that their desks have answers."""
    with closing(Workbench.open(workspace).store) as store:
        bench = Workbench(store, WorkspaceFolder(workspace))
        lead = accounts.find_account(bench, LEAD).account_id
        for item in content.ITEMS:
            let_all_grade(bench, lead, item, "They are let in for a test.")


def row_of(number, text):
    source = SOURCES[number % len(SOURCES)]
    tail = ["0.73625", "417", "CANARY-VERSION", "CANARY-GOLD", "stop", "CANARY-LICENCE", "CANARY-SLICE"]
    template = f"You are CANARY-TEMPLATE-{number}, made by CANARY-VENDOR. Answer the question."
    return [source, text, f"CANARY-PROMPT-{number}", *tail, template, f"CANARY-VALUE-{number}"]


def traces(folder):
    """What must be found nowhere: the planted names, and what identifies their files and sources."""
    names = [b"canary", b"0.73625"]
    for path in folder.glob("CANARY-FILE-*"):
        names.append(hashlib.sha256(path.read_bytes()).hexdigest().encode())
    for source in SOURCES:
        names.append(hashlib.sha256(source.encode()).hexdigest().encode())
    return names
