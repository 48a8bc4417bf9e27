"""What tests of pages ask of them."""

from streamlit.testing.v1 import AppTest

from grader_app.domain.panel import Role
from grader_app.store.accounts import get_password_or_none, set_password
from grader_app.workflow import accounts


class Person:
    """Someone at the workbench, whose pages a test can draw."""

    def __init__(self, bench):
        self.bench, self.token = bench, None

    def sign_in(self, name):
        self.account = accounts.find_account(self.bench, name)
        self.token = accounts.start_session(self.bench, self.account)
        return self

    def sign_out(self):
        accounts.sign_out(self.bench, self.token)

    def draw(self, page, **query):
        """Run one page: a script that imports its module and calls `page()`."""
        script = f"from grader_app.ui.{page} import page\npage()\n"
        app = AppTest.from_string(script, default_timeout=30)
        for name, value in query.items():
            app.query_params[name] = value
        return app.run()


def add_lead(small, name="lead"):
    """Add a lead to a small workspace whose password need not be changed first."""
    account, _ = accounts.add_account(small.bench, small.actor, name, Role.LEAD)
    with small.bench.store.write() as connection:
        hashed = get_password_or_none(small.bench.store, account.account_id).hash
        set_password(connection, account.account_id, hashed, one_time=False, at=small.bench.now())
    return account


def texts(app):
    """Every text on a page, however it was drawn."""
    drawn = [*app.text, *app.markdown, *app.header, *app.subheader, *app.get("html")]
    return [str(getattr(element, "value", None) or element.proto.body) for element in drawn]


def says(app, words):
    """Say whether a page shows words anywhere."""
    return any(words in text for text in texts(app))
