import os
import signal
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import evidence_workspace
import pytest
from browsers import CHROMIUM_ARGUMENTS
from people import WIDE, Tab, open_to_all
from playwright.sync_api import Error as PlaywrightError
from served_workspace import add_people, copy_of, give_password, run_command

GRADERS = tuple(f"reader-{number}" for number in range(1, 81))


@pytest.fixture(scope="session")
def panel_workspace(sample_workspace, tmp_path_factory):
    """The sample round with forty more graders, each with answers to grade of every item."""
    folder = copy_of(sample_workspace, tmp_path_factory.mktemp("panel") / "workspace")
    add_people(folder, "grader", *GRADERS)
    open_to_all(folder / "round.yaml")
    for item, count in (("mee-sale-of-goods", 270), ("mee-negligence", 90), ("rule-hearsay", 270)):
        answers = folder.parent / f"{item}.csv"
        rows = [f'{item}-{n},S-{n % 7},"Answer {n}.\n\nIt has a second paragraph."' for n in range(count)]
        answers.write_text("id,source,text\n" + "\n".join(rows) + "\n", encoding="utf-8")
        run_command("intake", answers, "--item", item, "--workspace", folder)
    run_command("assign", "--workspace", folder)
    return folder


@pytest.fixture(scope="session")
def panel(panel_workspace, serve, tmp_path_factory):
    """A panel at work; each test has a grader of its own there."""
    return serve(copy_of(panel_workspace, tmp_path_factory.mktemp("at-work") / "workspace"))


@pytest.fixture(scope="session")
def own_panel(sample_workspace, serve, tmp_path_factory):
    """A second server, for what would get in the way of the other tests."""
    return serve(copy_of(sample_workspace, tmp_path_factory.mktemp("own") / "workspace"))


@pytest.fixture(scope="session")
def evidence(serve, tmp_path_factory):
    """A small round that one grader has graded; its answers by what they are, to be opened as corrections."""
    folder = tmp_path_factory.mktemp("evidence") / "workspace"
    answers = evidence_workspace.build(folder)
    give_password(folder, "grader-1")
    served = serve(folder)
    served.answers = answers
    return served


@pytest.fixture
def corrector(new_tab, evidence):
    """Open an answer of that round by what it is."""

    def open_answer(name, **options):
        tab = new_tab(evidence, **options).enter("grader-1", f"/grade?correct={evidence.answers[name]}")
        tab.name = "grader-1"
        tab.at_desk()
        return tab

    return open_answer


@pytest.fixture(scope="session")
def graders():
    """Graders whom no test has used yet."""
    return iter(GRADERS)


@pytest.fixture
def name(graders):
    """A grader of one's own."""
    return next(graders)


@pytest.fixture
def new_tab(browser):
    """Open tabs, each in a browser profile of its own unless a context is named."""
    with ExitStack() as opened:

        def open_tab(served, context=None, **options):
            if context is None:
                context = browser.new_context(viewport=WIDE, **options)
                opened.callback(context.close)
            context.set_default_timeout(30_000)
            return Tab(context.new_page(), served)

        yield open_tab


@pytest.fixture
def grader(new_tab, panel, name):
    """A tab of a signed-in grader who sits at the desk."""
    tab = new_tab(panel).enter(name, "/grade")
    tab.name = name
    tab.at_desk()
    return tab


@pytest.fixture
def lead(new_tab, panel):
    """A tab of the signed-in lead."""
    tab = new_tab(panel).enter("lead", "/panel")
    tab.heading("Panel").wait_for()
    return tab


@pytest.fixture
def own_chromium(playwright, tmp_path):
    """Start a Chromium of its own, with a way to kill it: nothing in it gets to say goodbye."""
    started, path = playwright
    profile = tmp_path / "profile"

    def kill():
        killed = 0
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                with suppress(OSError):
                    words = (folder / "cmdline").read_bytes().split(b"\0")
                    main = not any(word.startswith(b"--type=") for word in words)
                    if main and f"--user-data-dir={profile}".encode() in words:
                        os.kill(int(folder.name), signal.SIGKILL)
                        killed += 1
        return killed

    @contextmanager
    def start():
        context = started.chromium.launch_persistent_context(
            profile, executable_path=path, args=CHROMIUM_ARGUMENTS
        )
        try:
            yield context, kill
        finally:
            with suppress(PlaywrightError):
                context.close()

    return start
