"""A workspace whose sources, ids, file names and columns are names that stand nowhere else."""

import csv
import hashlib
import shutil

from served_workspace import add_people, run_command

from grader_app.files.shipped import shipped_folder
from grader_app.sample import content

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
COLUMNS += ("finish_reason", "licence", "slice", "CANARY-COLUMN")


def plant(folder):
    """Take planted names in through the command line and deal the answers."""
    workspace = folder / "workspace"
    run_command("init", workspace)
    shutil.copytree(shipped_folder("rubrics"), workspace / "rubrics", dirs_exist_ok=True)
    shutil.copyfile(content.MBE_FILE.parent / "round.yaml", workspace / "round.yaml")
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
    return workspace


def row_of(number, text):
    source = SOURCES[number % len(SOURCES)]
    tail = ["0.73625", "417", "CANARY-VERSION", "CANARY-GOLD", "stop", "CANARY-LICENCE", "CANARY-SLICE"]
    return [source, text, f"CANARY-PROMPT-{number}", *tail, f"CANARY-VALUE-{number}"]


def traces(folder):
    """What must be found nowhere: the planted names, and what identifies their files and sources."""
    names = [b"canary", b"0.73625"]
    for path in folder.glob("CANARY-FILE-*"):
        names.append(hashlib.sha256(path.read_bytes()).hexdigest().encode())
    for source in SOURCES:
        names.append(hashlib.sha256(source.encode()).hexdigest().encode())
    return names
