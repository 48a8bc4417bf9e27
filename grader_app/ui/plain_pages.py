"""The few pages that are plain HTML: signing in and out, choosing a password, and being told no."""

from __future__ import annotations

from html import escape

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --paper: #f6f5f1; --card: #fff; --line: #c9c6bd;
  --accent: #1f4e79; --quiet: #5b6570; --bad: #8c2f1b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e4de; --paper: #16191d; --card: #1f2328;
  --line: #454b52; --accent: #8ab8e6; --quiet: #a3abb3; --bad: #f0a08c; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--paper);
  color: var(--ink); font: 17px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
main { width: min(26rem, calc(100vw - 2rem)); background: var(--card); border: 1px solid var(--line);
  border-radius: 6px; padding: 2rem; }
h1 { font: 600 1.35rem/1.3 Georgia, "DejaVu Serif", serif; margin: 0 0 .25rem; }
p { margin: .25rem 0 1rem; color: var(--quiet); }
p.problem { color: var(--bad); border-left: 3px solid var(--bad); padding-left: .75rem; }
label { display: block; margin: .9rem 0 .25rem; font-weight: 600; font-size: .95rem; }
input { width: 100%; font: inherit; padding: .5rem .6rem; border: 1px solid var(--line);
  border-radius: 4px;
  background: var(--paper); color: var(--ink); }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid var(--accent);
  outline-offset: 2px; }
button { margin-top: 1.4rem; width: 100%; font: inherit; font-weight: 600; padding: .6rem; border: 0;
  border-radius: 4px; background: var(--accent); color: var(--card); cursor: pointer; }
a { color: var(--accent); }
"""


def sign_in_page(csrf_token: str, *, problem: str = "", name: str = "", goes_to: str = "") -> str:
    """Draw the sign-in form."""
    return _page(
        "Sign in",
        f"""<h1>Grading workbench</h1><p>Sign in to your panel.</p>{_problem(problem)}
<form method="post" action="/sign-in">
<input type="hidden" name="csrf_token" value="{escape(csrf_token)}">
<input type="hidden" name="goes_to" value="{escape(goes_to)}">
<label for="name">Name</label>
<input id="name" name="name" autocomplete="username" value="{escape(name)}" required
{"" if name else "autofocus"}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required
{"autofocus" if name else ""}>
<button type="submit">Sign in</button></form>
<p style="margin:1.2rem 0 0;font-size:.9rem">Forgotten your password?
The panel lead can give you a new one.</p>""",
    )


def choose_password_page(csrf_token: str, *, shortest: int, problem: str = "") -> str:
    """Draw the form in which a person replaces a one-time password."""
    return _page(
        "Choose a password",
        f"""<h1>Choose your password</h1><p>The one you were given works once. Choose one with {shortest}
characters or more; a few words do well.</p>{_problem(problem)}
<form method="post" action="/password">
<input type="hidden" name="csrf_token" value="{escape(csrf_token)}">
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required autofocus>
<label for="again">The same again</label>
<input id="again" name="again" type="password" autocomplete="new-password" required>
<button type="submit">Save and go on</button></form>""",
    )


def sign_out_page(csrf_token: str, name: str) -> str:
    """Draw the question whether to sign out."""
    return _page(
        "Sign out",
        f"""<h1>Sign out?</h1><p>You are signed in as {escape(name)}. Drafts are kept.</p>
<form method="post" action="/sign-out" onsubmit="for (const key of Object.keys(localStorage))
if (key.startsWith('desk-unsaved:')) localStorage.removeItem(key)">
<input type="hidden" name="csrf_token" value="{escape(csrf_token)}">
<button type="submit" autofocus>Sign out</button></form>
<p style="margin-top:1rem"><a href="/">Go back</a></p>""",
    )


def refusal_page(sentence: str) -> str:
    """Draw one sentence that says no, and the way back."""
    return _page("Refused", f"<h1>Refused</h1>{_problem(sentence)}<p><a href='/'>Go to the workbench</a></p>")


def _problem(sentence: str) -> str:
    return f'<p class="problem" role="alert">{escape(sentence)}</p>' if sentence else ""


def _page(title: str, body: str) -> str:
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)} · Grading workbench</title><style>{_STYLE}</style></head>
<body><main>{body}</main></body></html>"""
