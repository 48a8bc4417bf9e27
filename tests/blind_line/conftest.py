import re

import pytest
from planted import LEAD, READERS, plant, traces
from visits import Evidence, Visit, as_grader, as_lead, on_disk, over_http, without_the_key


@pytest.fixture(scope="session")
def planted(tmp_path_factory):
    """The folder that holds the planted files and the workspace that took them in."""
    folder = tmp_path_factory.mktemp("blind")
    plant(folder)
    return folder


@pytest.fixture(scope="session")
def names(planted):
    return traces(planted)


@pytest.fixture(scope="session")
def evidence(planted, serve, browser):
    """What a grader's and a lead's visit to every door brings to light."""
    served = serve(planted / "workspace")
    evidence = Evidence()
    archives = [planted / f"{who}.har" for who in ("grader", "lead")]
    contexts = [
        browser.new_context(
            viewport={"width": 1440, "height": 900},
            record_har_path=archive,
            record_har_content="embed",
            record_har_url_filter=re.compile("^(?!.*/static/)"),
        )
        for archive in archives
    ]
    as_grader(Visit(contexts[0], served, evidence, "grader").sign_in(READERS[0]))
    as_lead(Visit(contexts[1], served, evidence, "lead").sign_in(LEAD), served)
    over_http(served, evidence)
    (served.workspace / "blinding_key.db").unlink()
    without_the_key(Visit(contexts[0], served, evidence, "grader without key"))
    for context in contexts:
        context.close()
    for archive in archives:
        evidence.add(f"{archive.stem} responses", archive.read_bytes())
    on_disk(served, evidence)
    return evidence
