"""The appeal packet as one page to print: one candidate's scores, line by line, and nobody else."""

from __future__ import annotations

from collections.abc import Iterator

from grader_app.domain.read_again import candidates_read_again
from grader_app.domain.round import Cut
from grader_app.export import html
from grader_app.export.appeal_judgment import NOT_AT_HAND, ShownJudgment
from grader_app.export.appeal_packet import AppealPacket, ShownAnswer
from grader_app.export.arithmetic_page import how_worked, worked_table
from grader_app.export.protocol_card import protocol_card
from grader_app.export.protocol_section import protocol_table
from grader_app.export.results import Results
from grader_app.scaling.cuts import judged
from grader_app.scaling.error_bars import COVERS, EVERYTHING, READERS, Bar

_WITHHELD = (
    "Who read an answer is withheld. Readers are numbered by a draw of its own for each answer, so Reader 1 "
    "of two answers need not be the same person, and the numbers do not say who read first."
)
_NOT_COUNTED = (
    "A read that does not count for the final score was given only to measure how far readers agree, or "
    "gave way to a later judgment by the rules of the round."
)
_NOT_HERE = (
    "Not in this packet: other candidates, names and ids of readers, times, planted checks, and reads that "
    "never count, such as those of apprentices and the lead's own spot checks."
)
_READERS_ALONE = (
    "What other questions and another pool would change is not known, so this error bar is too narrow to set "
    "the score against a line with confidence."
)
_PASSAGES = (
    "The export holds no texts, so passages are given by their place in the answer, counted in characters "
    "from 0. To have their words, write the packet with --texts from the workspace that holds them."
)


def appeal_bytes(results: Results, packet: AppealPacket) -> bytes:
    """Write the page.

    Parameters
    ----------
    results
        The round.
    packet
        From `appeal_packet`.

    Returns
    -------
    bytes
        A page in UTF-8 without scripts and without outside requests.
    """
    title = f"Appeal packet: candidate {packet.candidate_id}"
    parts = [
        _first_page(results, packet, title),
        *(_answer_section(one, results) for one in packet.answers),
        _arithmetic_section(results, packet),
        _error_section(packet),
        html.section("Protocol", (), protocol_table(protocol_card(results), results.short_note), short=True),
    ]
    return html.page(title, parts, results.short_note).encode("utf-8")


def _first_page(results: Results, packet: AppealPacket, title: str) -> str:
    the_round = results.round
    return "\n".join(
        [
            "<section>",
            html.heading(1, title),
            html.paragraph(
                f"{the_round.title}: round {the_round.id}, version {the_round.version}.", quiet=True
            ),
            html.notes_box(_notes(results)),
            _summary(packet, results),
            html.table(
                "Answers",
                ("question", "answer", "final score", "how it came about"),
                [(one.title, one.response_id, one.final, one.says) for one in packet.answers],
                note=results.short_note,
                numbers=frozenset({"final score"}),
            ),
            html.paragraph(_WITHHELD),
            html.paragraph(_NOT_COUNTED) if _has_uncounted(packet) else "",
            html.paragraph(_NOT_HERE),
            html.paragraph("Made from an export whose last recorded act has the fingerprint:"),
            html.fingerprint(results.last_hash),
            "</section>",
        ]
    )


def _notes(results: Results) -> list[str]:
    """Say what must be known before any number; the report's own notes name graders by their ids."""
    found = []
    if results.provisional:
        found.append("Provisional: not every question is closed, so scores may still change.")
    if results.short_note:
        found.append(f"In short: {results.short_note}.")
    return found


def _summary(packet: AppealPacket, results: Results) -> str:
    row, cut = packet.scaled, results.round.cut
    if row is None:
        return html.paragraph(f"There is no written scaled score. {packet.left_out}".strip())
    rows: list[tuple[str, str | float | None]] = [
        ("Written raw score", row.written_raw),
        ("Written scaled score", f"{row.written_scaled:.4f}"),
        ("MBE score", packet.mbe),
        ("Total", row.total),
    ]
    what = "total" if row.total is not None else "written scaled score"
    for said, bar in _lines(packet):
        rows.append((f"95 % interval of the {what}: {said}", f"{bar.low:.1f} to {bar.high:.1f}"))
    if cut is not None and row.total is not None:
        rows.append(("Total that passes", cut.total))
        rows.append(("Passes", _verdict(results, packet.candidate_id, row.total, cut)))
    return html.table(
        "Scores", ("what", "score"), rows, note=results.short_note, numbers=frozenset({"score"})
    )


def _verdict(results: Results, candidate_id: str, total: float, cut: Cut) -> str:
    """Say whether a total passes; a band whose papers are read again decides nothing before that."""
    if candidate_id in candidates_read_again(results.record):
        cut = cut.model_copy(update={"reread_from": None, "reread_to": None})
    return {"pass": "yes", "fail": "no", "reread": "not decided: to be read again"}[judged(total, cut)]


def _has_uncounted(packet: AppealPacket) -> bool:
    decided = (one for one in packet.answers if not one.undecided)
    return any(not judgment.counts for one in decided for judgment in one.judgments)


def _lines(packet: AppealPacket) -> list[tuple[str, Bar]]:
    """Give what each error bar covers with its bar, the wider first."""
    if packet.bars is None:
        return []
    found = (("readers, questions and pool", packet.bars.everything), ("readers only", packet.bars.readers))
    return [(said, bar) for said, bar in found if bar is not None]


def _answer_section(one: ShownAnswer, results: Results) -> str:
    final = "There is no final score." if one.final is None else f"Final score: {one.final:g}."
    judged = [part for judgment in one.judgments for part in _judgment(judgment, _bears(judgment, one))]
    return html.section(
        one.title,
        (),
        html.paragraph(f"Answer {one.response_id}. {final} {one.says}"),
        html.paragraph(f"{_notes_sentence(one, results)}"),
        *(judged or [html.paragraph("No read of this answer is shown.")]),
        short=not any(shown.points or shown.passages or shown.note for shown in one.judgments),
    )


def _notes_sentence(one: ShownAnswer, results: Results) -> str:
    if results.round.release.notes == "off":
        return "The round releases no reasons and no notes."
    if one.n_notes == 0:
        return "No judgment of this answer was given with a written reason or note."
    if results.round.release.notes == "internal":
        where = "They are internal."
    elif any(judgment.note == NOT_AT_HAND for judgment in one.judgments):
        where = "Their words are printed below as far as they were at hand."
    else:
        where = "They are printed below."
    return f"Judgments of this answer given with written reasons or notes: {one.n_notes}. {where}"


def _bears(one: ShownJudgment, answer: ShownAnswer) -> str:
    """Say what a judgment has to do with the final score."""
    if answer.undecided:
        return "there is no final score yet"
    if not one.counts:
        return "does not count for the final score"
    return "counts for the final score" if answer.final is not None else "is why there is no final score"


def _judgment(one: ShownJudgment, bears: str) -> Iterator[str]:
    yield html.heading(3, f"{one.name}: {one.judged} ({bears})")
    if one.marks:
        marks = "; ".join(f"{title} {mark:g}" for title, mark in one.marks.items())
        yield html.paragraph(f"Marks: {marks}.")
    if one.n_points:
        yield html.paragraph(f"Points credited: {len(one.points)} of {one.n_points} on the point sheet.")
    yield html.bullets(one.points)
    for what, said in (("Errors marked", one.errors), ("Gaps marked", one.gaps)):
        if said:
            yield html.paragraph(f"{what}: {'; '.join(said)}.")
    if one.passages:
        if any(passage.words is None for passage in one.passages):
            yield html.paragraph(_PASSAGES, quiet=True)
        rows = [(f"{p.start} to {p.end}", p.shows, p.words) for p in one.passages]
        yield html.table("Passages", ("characters", "what they show", "words"), rows)
    if one.note is not None:
        yield html.paragraph(f"{'Reason' if one.name == 'Adjudicator' else 'Note'} given: {one.note}")


def _arithmetic_section(results: Results, packet: AppealPacket) -> str:
    if packet.worked is None:
        return html.section("Arithmetic", (), html.paragraph(packet.left_out or "There is no total."))
    return html.section(
        "Arithmetic", (), *how_worked(results), worked_table(packet.worked, results.short_note)
    )


def _error_section(packet: AppealPacket) -> str:
    bars, row = packet.bars, packet.scaled
    if bars is None or row is None or bars.headline is None:
        return html.section(
            "Error bar", (), html.paragraph("No error bar can be computed for this candidate.")
        )
    what = "total" if row.total is not None else "written scaled score"
    lines = ((EVERYTHING, bars.everything), (READERS, bars.readers))
    rows = [_bar_row(COVERS[name], bar) for name, bar in lines if bar is not None]
    return html.section(
        "Error bar",
        (),
        html.paragraph(
            f"Where the {what} would lie in 95 of 100 cases if it were arrived at again, by what may differ."
        ),
        html.table(
            f"Error bars of the {what}",
            ("what may differ", "from", "to"),
            rows,
            numbers=frozenset({"from", "to"}),
        ),
        "" if bars.everything is not None else html.paragraph(_READERS_ALONE),
        html.bullets(packet.covers),
        short=True,
    )


def _bar_row(covers: str, bar: Bar) -> tuple[str, str, str]:
    return covers, f"{bar.low:.1f}", f"{bar.high:.1f}"
