"""Pieces of an exported page, as a reader without a mouse and on a phone meets them."""

from __future__ import annotations

from grader_app.export import html


def test_a_wide_table_can_be_scrolled_by_keys_and_has_a_name() -> None:
    made = html.table('Scores "raw"', ["a"], [["1"]])
    assert made.startswith(
        '<div class="wide" tabindex="0" role="group" aria-label="Scores &quot;raw&quot;"><table>'
    )


def test_a_short_section_follows_on_the_page_and_any_other_starts_a_new_one() -> None:
    assert html.section("Disputes", (), "<p>None.</p>", short=True).startswith('<section class="follows">')
    assert html.section("Scores", (), "<p>Many.</p>").startswith("<section>\n")


def test_a_long_fingerprint_in_a_note_breaks_instead_of_widening_the_page() -> None:
    style = html.page("Report", [])
    rule = next(line for line in style.splitlines() if line.startswith(".notes p {"))
    assert "overflow-wrap: anywhere" in rule


def test_every_printed_page_has_the_title_and_its_number_at_its_foot() -> None:
    style = html.page('July "2026" </style>', []).split("<style>")[1].split("</style>")[0]
    assert '@bottom-left { content: "July \\22 2026\\22  \\3c \\2f style\\3e ";' in style
    assert '@bottom-right { content: counter(page) " of " counter(pages);' in style


def test_a_heading_does_not_part_from_the_sentences_below_it_in_print() -> None:
    printed = html.page("A title", [], "").split("@media print")[1]
    assert "h2 + p, h2 + p + p { break-after: avoid; }" in printed
