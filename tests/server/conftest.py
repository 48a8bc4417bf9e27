import pytest
from served_workspace import copy_of


@pytest.fixture(scope="session")
def served(sample_workspace, serve, tmp_path_factory):
    """A sample round that these tests share; each acts on what no other one asks about."""
    return serve(copy_of(sample_workspace, tmp_path_factory.mktemp("served") / "workspace"))


@pytest.fixture(scope="session")
def grader(served):
    """The cookie of a signed-in grader."""
    return served.session_of("grader-1")


@pytest.fixture(scope="session")
def lead(served):
    """The cookie of a signed-in lead."""
    return served.session_of("lead")
