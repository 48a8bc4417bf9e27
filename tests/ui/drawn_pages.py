"""What tests of pages ask of them."""

from streamlit.testing.v1 import AppTest

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


def texts(app):
    """Every text on a page, however it was drawn."""
    drawn = [*app.text, *app.markdown, *app.header, *app.subheader, *app.get("html")]
    return [str(getattr(element, "value", None) or element.proto.body) for element in drawn]


def says(app, words):
    """Say whether a page shows words anywhere."""
    return any(words in text for text in texts(app))
