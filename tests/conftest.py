"""What several folders of tests share: a sample workspace, and Chromium."""

import os

import hypothesis
import pytest
from browsers import CHROMIUM_ARGUMENTS, find_chromium
from served_workspace import Served, copy_of, give_password, run_command

# No test is timed: the machine may be busy with others.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

# Doctests are collected from every module, and modules of one name cannot be imported side by side.
collect_ignore_glob = ["conftest.py", "*/conftest.py"]


@pytest.fixture(scope="session")
def sample_workspace(tmp_path_factory):
    """The sample round with known passwords; shared, so tests act on copies of it."""
    folder = tmp_path_factory.mktemp("sample") / "workspace"
    run_command("init", folder, "--sample")
    give_password(folder, "lead", "grader-1")
    return folder


@pytest.fixture
def sample_copy(sample_workspace, tmp_path):
    """A sample round of one's own."""
    return copy_of(sample_workspace, tmp_path / "workspace")


@pytest.fixture(scope="session")
def serve(tmp_path_factory):
    """Serve workspaces until the tests are done."""
    running = []

    def start(workspace):
        running.append(Served(workspace, tmp_path_factory.mktemp("log") / "server.log").start())
        return running[-1]

    yield start
    for served in running:
        if served.process.poll() is None:
            served.stop()


def chromium_path():
    """Find Chromium; without it the test is skipped, or fails where a browser is required."""
    if found := find_chromium():
        return found
    if os.environ.get("GRADER_APP_REQUIRE_BROWSER") == "1":
        pytest.fail("install chromium")
    pytest.skip("install chromium")


@pytest.fixture(scope="session")
def playwright():
    path = chromium_path()
    from playwright.sync_api import expect, sync_playwright

    # What is expected comes when it comes: on a busy machine a page may take long to be drawn.
    expect.set_options(timeout=30_000)
    with sync_playwright() as started:
        started.selectors.set_test_id_attribute("data-testid")
        yield started, path


@pytest.fixture(scope="session")
def browser(playwright):
    started, path = playwright
    launched = started.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
    yield launched
    launched.close()
