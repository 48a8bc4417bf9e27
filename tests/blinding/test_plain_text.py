"""Markdown off, law text untouched."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader_app.blinding.plain_text import plain

MARKS = st.sampled_from(
    [
        *"*_#`~|>-+=[]()!\\.:;,\n\n  \t",
        *("**", "***", "__", "```", "- ", "* ", "# ", "## ", "> ", "1. ", "|---|", "---", "<br>", "<b>"),
        *("\u2014", "\u2013", "\u201c", "\u2019", "\u00a0", "\u200b", "\r\n", "\u2028"),
        *("https://x.org/a", "\u00a7 2-207", "$5", "the buyer", "seller", "A", "3", "&"),
    ]
)


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("# Issue\nText", "Issue\nText"),
        ("### **Rule** ###", "Rule"),
        ("**Bold:**next", "Bold:next"),
        ("***both*** and *one* and __two__ and _three_", "both and one and two and three"),
        ("*Hadley v. Baxendale*, 9 Ex. 341", "Hadley v. Baxendale, 9 Ex. 341"),
        ("**a *b***", "a b"),
        ("* one\n+ two\n\u2022 three\n- four", "- one\n- two\n- three\n- four"),
        ("* **Offer.** Made.\n    * nested", "- Offer. Made.\n- nested"),
        ("1. one\n2) two", "1. one\n2) two"),
        ("> quoted\n>> deeper\n>", "quoted\ndeeper"),
        ('See [the code](https://example.org/a_(b) "t").', "See the code."),
        ("![chart](/img.png)", "chart"),
        ("<https://example.org>", "https://example.org"),
        ("```python\ncode\n```", "code"),
        ("Use `x` here", "Use x here"),
        ("~~gone~~", "gone"),
        ("A\n\n---\n\nB", "A\n\nB"),
        ("Title\n=====\nB", "Title\n\nB"),
        ("| A | B |\n|---|:-:|\n| 1 | 2 |", "A; B\n1; 2"),
        ("A | B\n--- | ---\n1 | 2", "A; B\n1; 2"),
        ("\u201cIt\u2019s\u201d \u2014 he said\u2014twice", '"It\'s" - he said - twice'),
        ("1\u20132 and 3\u22121", "1-2 and 3-1"),
        ("a\u00a0b\u202fc\u200bd  e\tf", "a b cd e f"),
        ("a\r\nb\rc \n\n\n\nd", "a\nb\nc\n\nd"),
        ("\\$5 and \\* and \\#1", "$5 and * and #1"),
        ("wait\u2026", "wait..."),
        ("H<sub>2</sub>O<br>x", "H2O x"),
    ],
)
def test_markdown_is_stripped(marked, expected):
    assert plain(marked) == expected


@pytest.mark.parametrize(
    "law",
    [
        "Under \u00a7 2-207 the price is $5, or $5*3 = $15.",
        "5 * 3 * 2 = 30 and 2*3*4 = 24 and 2**3 and 4**5",
        "the file_name and _under and snake_case_name",
        "1. First\n2. Second\n(a) third",
        "as paragraph\n# 3 of the lease says, and # 4 too",
        "see note 2[3](b) and [sic] and section 1[a]",
        "He wrote: 'A * * * B'.",
        "* * *",
        "Signed: ______ on the ___ day of ___",
        "a < b, c > d, and >50% of shares",
        "profits were 10% | 20% of sales",
        "damages* are limited. *See below",
        "the C# clause; AT&T; a ~ b; 3/4; \\server",
        "x - y, non-delivery, A-B",
        "- a list\n- of dashes",
        "the total is\n* 2 less",
    ],
)
def test_what_only_looks_like_markdown_stays(law):
    assert plain(law) == law


@settings(max_examples=300, deadline=None)
@given(st.lists(MARKS, max_size=40).map("".join))
def test_a_plain_text_stays_as_it_is(text):
    once = plain(text)
    assert plain(once) == once


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_text_can_be_made_plain(text):
    once = plain(text)
    assert plain(once) == once
    assert not re.search("[\u201c\u201d\u2018\u2019\u2013\u2014\u00a0\u200b\r]", once)


@settings(max_examples=200, deadline=None)
@given(st.lists(MARKS, max_size=40).map("".join))
def test_no_word_of_a_sentence_is_lost(text):
    words = [word for word in ("buyer", "seller") for _ in range(text.count(word))]
    kept = plain(text)
    lost = [word for word in set(words) if kept.count(word) < words.count(word)]
    # A fence's language and a link's address are marks, not words.
    assert not lost or re.search(r"(```|~~~)[\w+.#-]*(buyer|seller)|\]\(", text)


def test_a_long_text_is_quick_to_make_plain():
    text = "**Rule.** The buyer\u2019s claim \u2014 see *Smith* \u2014 fails. " * 8000
    assert plain(text).count("Rule. The buyer's claim - see Smith - fails.") == 8000
