"""Calibration, references a panel makes itself: packets drawn, consensus frozen, the panel judged."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.agreement.of_attempt import FEWEST_OTHERS, name_of_drawn
from grader_app.domain.calibration_set import Packet
from grader_app.ui.current import bench
from grader_app.ui.lead_pages.calibration_meeting import in_words
from grader_app.ui.lead_pages.item_sets import sets_of
from grader_app.ui.parts.html_table import Cell, draw_line, draw_table
from grader_app.ui.parts.notice import act_as_lead
from grader_app.ui.parts.spoken import counted
from grader_app.workflow.feedback import MeetingPaper, finished_attempts, meeting_of
from grader_app.workflow.panel_reference import (
    FEWEST_READERS,
    LONGEST_REASON,
    Consensus,
    draw_packets,
    freeze_references,
    judge_panel,
)


def draw(lead_id: str, item: str) -> None:
    """Draw each set of a question whose references its panel makes."""
    for packet in sets_of(item):
        if packet.set.reference == "panel":
            st.subheader(packet.set.title)
            _draw(lead_id, packet)


def _draw(lead_id: str, packet: Packet) -> None:
    with bench().record() as record:
        drawn = {r: number for r, (name, number) in record.calibration.drawn.items() if name == packet.id}
        frozen = {drawn[r] for r, one in record.calibration.frozen.items() if one.set_id == packet.id}
    if not drawn:
        _draw_drawing(lead_id, packet)
        return
    sizes = [sum(number == which for number in drawn.values()) for which in (1, 2)]
    draw_line(
        f"{counted(sizes[0], 'answer')} drawn for the first packet and {sizes[1]} for the second. They are "
        "not dealt: what the panel agrees on is their final score."
    )
    if 1 not in frozen:
        _draw_freezing(lead_id, packet, 1)
        return
    _draw_frozen(packet, 1)
    _draw_judging(lead_id, packet)
    if 2 in frozen:
        _draw_frozen(packet, 2)


def _draw_drawing(lead_id: str, packet: Packet) -> None:
    papers, judged = packet.set.papers or 0, packet.set.judged_papers or 0
    draw_line(
        f"Two packets are drawn from answers that were never dealt, spread over length: {papers} on which "
        f"the panel makes its references, and {judged} on which each grader is judged against the others."
    )
    if st.button("Draw the packets", key=f"draw:{packet.id}"):
        act_as_lead(partial(_draw_packets, lead_id, packet.id))


def _draw_packets(lead_id: str, set_id: str) -> str:
    first, second = draw_packets(bench(), lead_id, set_id)
    return f"Drawn: {first} answers for the first packet, {second} for the second. Graders can begin."


def _count_finished(set_id: str, number: int) -> tuple[int, int]:
    """Count the graders who have finished a packet, and those of them whom the gate has judged."""
    with bench().record() as record:
        done = finished_attempts(record, set_id, number)
        return len(done), sum(attempt.judgment is not None for attempt in done)


def _draw_judging(lead_id: str, packet: Packet) -> None:
    done, judged = _count_finished(packet.id, 2)
    draw_line(
        f"Second packet: {counted(done, 'grader')} finished, {judged} judged. Each is judged against at "
        f"least {FEWEST_OTHERS} others; whoever finishes later is judged when you ask again."
    )
    if done > judged and st.button("Judge the panel", key=f"judge:{packet.id}"):
        act_as_lead(partial(_judge, lead_id, packet.id))
    with bench().record() as record:
        open_second = not any(
            record.calibration.drawn.get(r) == (packet.id, 2) for r in record.calibration.frozen
        )
    if done and done == judged and open_second:
        _draw_freezing(lead_id, packet, 2)


def _judge(lead_id: str, set_id: str) -> str:
    return f"{counted(judge_panel(bench(), lead_id, set_id), 'grader')} judged. The panel part says how."


def _draw_freezing(lead_id: str, packet: Packet, number: int) -> None:
    """Draw the papers of a packet with what the panel gave, and the lead's word where it departs from it."""
    which = "first" if number == 1 else "second"
    done, _ = _count_finished(packet.id, number)
    if done < FEWEST_READERS:
        draw_line(
            f"{counted(done, 'grader')} finished the {which} packet. From {FEWEST_READERS} on its references "
            "can be frozen, after the panel has met on it."
        )
        return
    draw_line(
        f"{counted(done, 'grader')} finished the {which} packet. Discuss the papers under Meeting, then "
        "freeze: a paper takes the panel's middle score unless you choose another, with the reason."
    )
    choices = _choices(packet.item)
    with st.form(f"freeze:{packet.id}:{number}"):
        rows = [
            (paper, *_draw_row(packet.item, paper, choices))
            for paper in meeting_of(bench(), packet.id, number)
        ]
        if st.form_submit_button(f"Freeze the references of the {which} packet"):
            said = {
                paper.response_id: Consensus(*choices[chosen], reason=reason)
                for paper, chosen, reason in rows
                if chosen is not None
            }
            act_as_lead(partial(_freeze, lead_id, packet.id, number, said))


def _choices(item: str) -> dict[str, tuple[float | None, str | None]]:
    """Give score and condition code by the words for each, best first."""
    rubric = bench().material().rubrics[item]
    scores: dict[str, tuple[float | None, str | None]] = {
        f"{value:g}": (value, None) for value in reversed(rubric.score.range.values())
    }
    return scores | {code.title: (None, code.id) for code in rubric.condition_codes}


def _draw_row(
    item: str, paper: MeetingPaper, choices: dict[str, tuple[float | None, str | None]]
) -> tuple[str | None, str]:
    given = " / ".join(in_words(item, gave) for gave in paper.given.values())
    left, centre, right = st.columns([3, 2, 4], vertical_alignment="center")
    left.text(f"{paper.essay}: {given}; {_middle_in_words(paper)}")
    chosen = centre.selectbox(
        f"Reference of {paper.essay}",
        list(choices),
        index=None,
        placeholder="as the middle",
        key=f"reference:{paper.response_id}",
        label_visibility="collapsed",
    )
    reason = right.text_input(
        f"Reason for {paper.essay}",
        key=f"why:{paper.response_id}",
        placeholder="reason, where it is not the middle",
        label_visibility="collapsed",
        max_chars=LONGEST_REASON,
    )
    return chosen, reason


def _middle_in_words(paper: MeetingPaper) -> str:
    if paper.middle is not None:
        return f"middle {paper.middle:g}"
    return "all alike" if len(set(paper.given.values())) == 1 else "codes and scores, so choose"


def _freeze(lead_id: str, set_id: str, number: int, said: dict[str, Consensus]) -> str:
    count = freeze_references(bench(), lead_id, set_id, number, said)
    return f"{counted(count, 'reference')} frozen; they are these answers' final scores."


def _draw_frozen(packet: Packet, number: int) -> None:
    titles = {code.id: code.title for code in bench().material().rubrics[packet.item].condition_codes}
    with bench().record() as record:
        frozen = [
            (name_of_drawn(record, r), one)
            for r, one in record.calibration.frozen.items()
            if record.calibration.drawn.get(r) == (packet.id, number)
        ]
    rows: list[list[Cell]] = [
        [
            name,
            one.response_id,
            f"{one.score:g}" if one.score is not None else titles.get(one.condition_code or ""),
            len(one.grade_events),
            one.reason or None,
        ]
        for name, one in sorted(frozen, key=lambda found: found[0])
    ]
    with st.expander(
        f"References of the {'first' if number == 1 else 'second'} packet, frozen ({len(rows)})"
    ):
        draw_table(["Paper", "Answer", "Reference", "Readers", "Why not the middle"], rows)
