from contextlib import ExitStack

import pytest
from people import WIDE, Tab
from served_workspace import add_people, copy_of, run_command

GRADERS = tuple(f"reader-{number}" for number in range(1, 13))


@pytest.fixture(scope="session")
def panel_workspace(sample_workspace, tmp_path_factory):
    """The sample round with twelve more graders, each with answers to grade of every item."""
    folder = copy_of(sample_workspace, tmp_path_factory.mktemp("panel") / "workspace")
    add_people(folder, "grader", *GRADERS)
    for item, count in (("mee-sale-of-goods", 68), ("mee-negligence", 17), ("rule-hearsay", 34)):
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
    tab = new_tab(panel).sign_in(name)
    tab.name = name
    tab.at_desk()
    return tab


@pytest.fixture
def lead(new_tab, panel):
    """A tab of the signed-in lead."""
    tab = new_tab(panel).sign_in("lead")
    tab.heading("Panel").wait_for()
    return tab
