"""Pages drawn by Streamlit's own test driver, for whoever a test says is signed in."""

from contextlib import closing

import pytest
import streamlit as st
from drawn_pages import Person
from finished_packets import panel_workspace
from small_workspace import cheap_hashing, make  # noqa: F401 - fixtures

from grader_app.ui import current
from grader_app.workflow.workbench import Workbench


@pytest.fixture
def bench(sample_copy):
    """An open sample workspace of one's own."""
    bench = Workbench.open(sample_copy)
    with closing(bench.store):
        st.cache_data.clear()
        yield bench


@pytest.fixture
def person(bench):
    """Whoever is at the workbench; nobody is signed in yet."""
    found = Person(bench)
    current.use(bench, lambda: found.token)
    yield found
    current.use(bench)


@pytest.fixture
def panel(tmp_path):
    """A small workspace whose panel makes its own references, seen by its lead."""
    made = panel_workspace(tmp_path / "panel")
    with closing(made.bench.store):
        made.person = Person(made.bench)
        current.use(made.bench, lambda: made.person.token)
        made.person.sign_in("lead")
        yield made
        current.use(made.bench)
