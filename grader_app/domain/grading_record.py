"""The state of a round, replayed from its events; screens and exports share this one reading."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from operator import attrgetter

from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import Event
from grader_app.domain.final_score import ScoreStanding, coded_standing, standing, with_decision
from grader_app.domain.grade import Grade
from grader_app.domain.panel import Assignment
from grader_app.domain.replayed_round import ReplayedRound
from grader_app.domain.rereads import Reread
from grader_app.domain.rubric import Rubric
from grader_app.domain.settling import NOTHING_SETTLED, Settling


class GradingRecord(ReplayedRound):
    """A round as its log tells it: what stands, and what follows from it for answers and their scores.

    Parameters
    ----------
    events, inputs
        As for `ReplayedRound`, which lists what stands.
    """

    def rubric(self, rubric_hash: str) -> Rubric:
        """Give a rubric by its content hash."""
        if rubric_hash not in self._rubrics:
            content = self.inputs.files[rubric_hash]["content"]
            self._rubrics[rubric_hash] = Rubric.model_validate_json(canonical_json(content))
        return self._rubrics[rubric_hash]

    def rubric_of(self, item: str) -> Rubric:
        """Give the rubric an item is graded under now."""
        sheet = self.inputs.files[self.current_files["item", item]]["content"]["sheet"]
        for digest, kept in self.inputs.files.items():
            if (kept["kind"], kept["id"], kept["version"]) == (
                "rubric",
                sheet["rubric"],
                sheet["rubric_version"],
            ):
                return self.rubric(digest)
        raise KeyError(f"{sheet['rubric']} version {sheet['rubric_version']}")

    def items(self) -> list[str]:
        """List the round's items in its order, then any other item that has answers."""
        named = [entry.item for entry in self.round.items] if self.round else []
        others = sorted({response["item"] for response in self.inputs.responses.values()} - set(named))
        return named + others

    def response_ids(self, item: str | None = None) -> list[str]:
        """List the answers in the round, sorted by id; those taken back are left out."""
        return sorted(
            response_id
            for response_id, response in self.inputs.responses.items()
            if response_id not in self.withdrawn and item in (None, response["item"])
        )

    def is_dealt(self, response_id: str) -> bool:
        """Say whether an answer has been dealt to anyone."""
        return bool(self._reads[response_id])

    def reads(self, response_id: str) -> list[Grade]:
        """List the grades of an answer that stand, in order of read number."""
        given, gone = self.grades.get, self.superseded
        found = [grade for a in self._reads[response_id] if (grade := given(a)) is not None and a not in gone]
        if len(found) > 1:
            found.sort(key=attrgetter("read_number", "event_seq"))
        return found

    def expected_reads(self, response_id: str) -> int:
        """Count the reads dealt for an answer, less those taken out of a queue or replaced by another."""
        return sum(not self._is_gone(a) for a in self._reads[response_id])

    def _is_gone(self, assignment_id: str) -> bool:
        return assignment_id in self.released or assignment_id in self.superseded

    def extend(self, events: Iterable[Event]) -> None:
        """Replay further events of the same log."""
        self._standings: dict[str, ScoreStanding] = {}
        self._alike: dict[ScoreStanding, ScoreStanding] = {}
        self._settlings: dict[str, Settling] = {}
        super().extend(events)

    def copied(self) -> GradingRecord:
        """Return a record of the same round in which something can be supposed otherwise."""
        other = copy.copy(self)
        other._standings = {}
        other._settlings = {}
        return other

    def first_standing(self, response_id: str) -> ScoreStanding:
        """Say which score of an answer stood before it was read again."""
        return self._standing(response_id, self.settling_of(response_id).without_reread())

    def standing(self, response_id: str) -> ScoreStanding:
        """Say which score of an answer stands."""
        # Asked for several times of every answer: by tables, by scaling, by pages.
        known = self._standings.get(response_id)
        if known is not None:
            return known
        found = self._standing(response_id, self.settling_of(response_id))
        # Most answers stand as thousands of others do, and share what says so.
        alike = self._standings[response_id] = self._alike.setdefault(found, found)
        return alike

    def _standing(self, response_id: str, settling: Settling) -> ScoreStanding:
        if response_id in self.excluded:
            return ScoreStanding(None, None, "coded", "Taken out of the round by the lead.")
        if response_id in self.calibration.drawn:
            return self._panel_standing(response_id)
        if not self._reads[response_id]:
            return ScoreStanding(None, None, "waiting", "Not dealt yet.")
        reads = self.reads(response_id)
        rubric = self.rubric(reads[-1].rubric_hash) if reads else None
        if rubric is None or self.round is None:
            return ScoreStanding(
                None, None, "waiting", f"0 of {self.expected_reads(response_id)} reads are in."
            )
        if any(a in self.calibration.recalled for a in self._reads[response_id]):
            why = "The point sheet changed, and it is to be graded again."
            return ScoreStanding(None, None, "waiting", why)
        found = standing(
            reads,
            self.expected_reads(response_id),
            rubric,
            self.round.reading,
            settling,
            self.rubric,
        )
        return with_decision(found, self.decisions.get(response_id))

    def settling_of(self, response_id: str) -> Settling:
        """Give what bears on an answer's score beside its reads."""
        if (
            response_id not in self._thirds
            and response_id not in self.settling.adjudications
            and response_id not in self.settling.raised
            and response_id not in self.rereads.last_of
        ):
            return NOTHING_SETTLED
        if response_id not in self._settlings:
            self._settlings[response_id] = self._settling(response_id)
        return self._settlings[response_id]

    def _settling(self, response_id: str) -> Settling:
        third = self.third_read_or_none(response_id)
        decided = self.decisions.get(response_id)
        # An answer that is read anew for a score is settled anew as well.
        since = decided.event_seq if decided is not None and decided.counts_as == "scored" else 0
        adjudication = self.settling.last_adjudication_or_none(response_id, after=since)
        reread = self.reread_or_none(response_id)
        before = (
            None
            if reread is None
            else self.settling.last_adjudication_or_none(
                response_id, after=since, before=reread.begun.event_seq
            )
        )
        raised = self.settling.last_raised_or_none(response_id)
        return Settling(
            third,
            third is None and self.waiting_third_or_none(response_id) is not None,
            adjudication,
            raised if raised and raised.event_seq > since else None,
            reread,
            before,
        )

    def reread_or_none(self, response_id: str) -> Reread | None:
        """Give the re-read of an answer before release."""
        if response_id not in self.rereads.last_of:
            return None
        gone = {
            one.assignment_id
            for one in self.rereads.dealt_of(response_id)
            if self._is_gone(one.assignment_id)
        }
        return self.rereads.of_or_none(response_id, gone)

    def third_read_or_none(self, response_id: str) -> Grade | None:
        """Give the third read of an answer as it stands."""
        return next(
            (self.third_grades[a] for a in self._thirds_of(response_id) if a in self.third_grades), None
        )

    def waiting_third_or_none(self, response_id: str) -> Assignment | None:
        """Give the third read of an answer that has been dealt and is not in."""
        waiting = (a for a in self._thirds_of(response_id) if a not in self.third_grades)
        return next((self.assignments[a] for a in waiting), None)

    def judgments(self, response_id: str) -> list[Grade]:
        """List all that bears on an answer's score: reads that stand, then third read and re-reads."""
        third, reread = self.third_read_or_none(response_id), self.reread_or_none(response_id)
        more = [] if third is None else [third]
        return [*self.reads(response_id), *more, *([] if reread is None else reread.given)]

    def independent_grades(self) -> list[Grade]:
        """List the live grades that figures on agreement use.

        Notes
        -----
        A grade corrected after its author heard from the lead about this answer is no longer independent:
        then the last version given before counts.
        """
        heard = {word.assignment_id: word.event_seq for word in reversed(self.settling.words)}
        return [
            grade
            if assignment_id not in heard
            else [one for one in self.history[assignment_id] if one.event_seq < heard[assignment_id]][-1]
            for assignment_id, grade in self.grades.items()
        ]

    def was_apprentice(self, grader_id: str, event_seq: int) -> bool:
        """Say whether a grader was an apprentice at an event, so that what they did then does not count."""
        if grader_id not in self.apprenticeships:
            return False
        ended = self.apprenticeships[grader_id]
        return ended is None or event_seq < ended

    def is_recused(self, grader_id: str, response_id: str) -> bool:
        """Say whether a grader has stepped aside from what the writer of an answer wrote."""
        candidate_id = self.candidate_of(response_id)
        return candidate_id is not None and (grader_id, candidate_id) in self.recusals

    def _thirds_of(self, response_id: str) -> list[str]:
        # Reading a defaultdict must not fill it.
        return [a for a in self._thirds.get(response_id, ()) if not self._is_gone(a)]

    def _panel_standing(self, response_id: str) -> ScoreStanding:
        """Say which score of an answer stands that a panel calibrates on: its consensus."""
        frozen = self.calibration.frozen.get(response_id)
        if frozen is None:
            return ScoreStanding(None, None, "waiting", "The panel calibrates on this answer.")
        if frozen.condition_code is None:
            return ScoreStanding(frozen.score, frozen.score, "final", "The panel's consensus in calibration.")
        rubric = self.rubric_of(self.inputs.responses[response_id]["item"])
        return with_decision(coded_standing(frozen.condition_code, rubric), self.decisions.get(response_id))
