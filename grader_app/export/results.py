"""The results of a round, computed from nothing but its events and what they refer to."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, get_args

from grader_app import __version__
from grader_app.agreement.blinding_of_round import FlaggedScores, flagged_scores
from grader_app.agreement.checks_of_round import ItemChecks, checks_of_record
from grader_app.agreement.of_round import FacetRatings, notes_on_graders, ratings_of_record, report_of_record
from grader_app.agreement.reader_variance import reader_variance_of_record
from grader_app.domain.events import FIRST_HASH, Event, EventKind, unbroken
from grader_app.domain.final_score import ScoreStanding, Status
from grader_app.domain.grade import Grade
from grader_app.domain.grading_basis import all_qualified
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.inputs import Inputs
from grader_app.domain.reconciliation import Reconciliation, reconcile
from grader_app.domain.round import Round
from grader_app.errors import ExportProblem, ScalingProblem
from grader_app.export.json_lines import inputs_pieces
from grader_app.export.redaction import first_rereads, replaced_judgments
from grader_app.scaling.composite import written_raw
from grader_app.scaling.errors_of_round import errors_of_record
from grader_app.scaling.of_round import pool_of_record, scaled_of_record
from grader_app.scaling.pool import Pool
from grader_app.scaling.scale_pool import Scaled
from grader_app.scaling.score_errors import ScoreErrors

_READS = {EventKind.ANSWERS_DEALT, EventKind.GRADE_SUBMITTED, EventKind.GRADE_CORRECTED}


class Results:
    """Everything an exporter may draw on.

    Parameters
    ----------
    events
        The whole log.
    inputs
        What it refers to: no texts, no salts, no names.
    version
        Version of the program that the files name.
    checked
        Check the chain of hashes while it is replayed.

    Attributes
    ----------
    acts_but_reads
        Every event but deals and grades, oldest first. There are few of them; a long log is read once.

    Raises
    ------
    ExportProblem
        No round was ever registered.
    ChainBroken
        The chain was to be checked, and does not hold.
    """

    def __init__(
        self, events: Sequence[Event], inputs: Inputs, version: str = __version__, *, checked: bool = False
    ) -> None:
        self.events = events
        self.inputs = inputs
        self.version = version
        self.acts_but_reads: list[Event] = []
        self.record = GradingRecord(self._keeping(unbroken(events) if checked else events), inputs)

    def _keeping(self, events: Iterable[Event]) -> Iterator[Event]:
        for event in events:
            if event.kind not in _READS:
                self.acts_but_reads.append(event)
            yield event

    @cached_property
    def round(self) -> Round:
        """The round as last registered."""
        if self.record.round is None:
            raise ExportProblem(
                "No round is registered, so there is nothing to export. "
                "Write round.yaml, then run `grader-app assign`."
            )
        return self.record.round

    @cached_property
    def round_hash(self) -> str:
        """Content hash of the round."""
        return self.record.current_files["round", self.round.id]

    def item_title(self, item: str) -> str:
        """Name an item for a reader: its title with its id."""
        digest = self.record.current_files.get(("item", item))
        kept = self.inputs.files.get(digest) if digest else None
        return f"{kept['content']['sheet']['title']} ({item})" if kept else item

    @property
    def last_hash(self) -> str:
        """Hash of the last event."""
        return self.events[-1].hash if self.events else FIRST_HASH

    @cached_property
    def inputs_fingerprint(self) -> str:
        """SHA-256 of what the events refer to, as exported."""
        fingerprint = hashlib.sha256()
        for piece in inputs_pieces(self.inputs):
            fingerprint.update(piece)
        return fingerprint.hexdigest()

    @cached_property
    def response_ids(self) -> tuple[str, ...]:
        """Every answer in the round, by candidate, item and id."""
        responses = self.inputs.responses
        return tuple(
            sorted(
                self.record.response_ids(),
                key=lambda r: (responses[r]["candidate_id"], responses[r]["item"], r),
            )
        )

    @cached_property
    def standings(self) -> dict[str, ScoreStanding]:
        """Where the score of each answer stands, by response id."""
        return {response_id: self.record.standing(response_id) for response_id in self.response_ids}

    @cached_property
    def reconciliation(self) -> Reconciliation:
        """Whether every paper is accounted for, and what each candidate has."""
        return reconcile(self.record)

    @cached_property
    def grades(self) -> tuple[Grade, ...]:
        """Every grade that stands, by response and grader."""
        return tuple(sorted(self.record.grades.values(), key=attrgetter("response_id", "grader_id")))

    @property
    def discloses_no_first_score(self) -> bool:
        """Whether the board never discloses a score from before an automatic re-read."""
        return self.round.release.redaction == "new_york"

    @cached_property
    def replaced(self) -> dict[str, frozenset[int]]:
        """What the round's redaction hides, by response id."""
        return replaced_judgments(self.record) if self.discloses_no_first_score else {}

    @cached_property
    def hidden_before(self) -> dict[str, float]:
        """Before which event the round's redaction hides what was decided of an answer; inf for all of it."""
        return first_rereads(self.record) if self.discloses_no_first_score else {}

    def is_hidden(self, response_id: str, event_seq: int) -> bool:
        """Say whether the round's redaction hides a judgment of an answer."""
        return event_seq in self.replaced.get(response_id, ())

    @cached_property
    def open_items(self) -> tuple[str, ...]:
        """The round's items that the lead has not closed."""
        return tuple(entry.item for entry in self.round.items if entry.item not in self.record.closed_items)

    @property
    def provisional(self) -> bool:
        """Whether any item is still open."""
        return bool(self.open_items)

    @property
    def release(self) -> dict[str, str] | None:
        """When scores were released, by whom and from which export; None while they are not."""
        found = self.record.release.released
        if found is None:
            return None
        return {
            "at": found.at,
            "by": found.actor,
            "prepared_at": found.prepared.at,
            "prepared_by": found.prepared.actor,
            "manifest_hash": found.prepared.manifest_hash,
        }

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know before any number, in sentences."""
        notes = []
        if self.provisional:
            notes.append(
                f"Provisional: {len(self.open_items)} of {len(self.round.items)} items "
                f"{'is' if len(self.open_items) == 1 else 'are'} still open ({', '.join(self.open_items)}), "
                "so scores may still change."
            )
        if not self.record.rules.standing.are_the_rounds_own:
            set_at = self.record.rules.decisions[-1].at[:10]
            notes.append(f"Scaled by rules that were set on {set_at} in place of the round's own.")
        notes += notes_on_graders(self.record)
        if self.release is not None:
            said = self.release
            notes.append(
                f"Scores were released on {said['at'][:10]} at {said['at'][11:16]} UTC by {said['by']}, "
                f"prepared by {said['prepared_by']}, "
                f"from the export whose manifest has the hash {said['manifest_hash']}."
            )
        if self.record.revealed:
            notes.append(
                f"The sources of {len(self.record.revealed)} answers have been revealed; "
                "those answers can no longer be graded."
            )
        return tuple(notes)

    @cached_property
    def short_note(self) -> str:
        """The same in a few words, for the rows of a table."""
        words = {
            "provisional": self.provisional,
            "graders not calibrated": self.round.qualification == "not_required"
            or not all_qualified(self.record),
            "with simulated graders": any(grade.grader_id in self.record.simulated for grade in self.grades),
        }
        return "; ".join(word for word, holds in words.items() if holds)

    @cached_property
    def agreement(self) -> dict[str, Any]:
        """The agreement report."""
        report = report_of_record(self.record, unlisted=self.replaced, rated=self.rated)
        return report | {"version": self.version}

    @cached_property
    def rated(self) -> tuple[FacetRatings, ...]:
        """The ratings of each item and facet."""
        return tuple(ratings_of_record(self.record))

    @cached_property
    def checks(self) -> list[ItemChecks]:
        """What planted checks show of each grader, item by item."""
        return checks_of_record(self.record)

    @cached_property
    def flagged(self) -> list[FlaggedScores]:
        """Scores of answers whose text gives its author away, beside the others, item by item."""
        return flagged_scores(self.record, leave_out=self.replaced)

    @property
    def scaled(self) -> Scaled | None:
        """The scaled pool; None where it cannot be scaled, and `not_scaled` says why."""
        return self._scaling[0]

    @property
    def not_scaled(self) -> str:
        """Why there are no scaled scores, or nothing."""
        return self._scaling[1]

    @cached_property
    def _scaling(self) -> tuple[Scaled | None, str]:
        try:
            return scaled_of_record(self.record, pool=self.pool), ""
        except ScalingProblem as problem:
            return None, str(problem)

    @cached_property
    def errors(self) -> ScoreErrors | None:
        """Error bars and what follows from them; None where nothing is scaled."""
        if self.scaled is None:
            return None
        readers = reader_variance_of_record(self.record, self.rated)
        return errors_of_record(self.record, self.scaled, readers, pool=self.pool)

    @cached_property
    def pool(self) -> Pool:
        """The candidates with their final scores and MBE, as they are scaled."""
        return pool_of_record(self.record)

    @cached_property
    def composites(self) -> dict[str, float]:
        """Written raw score of every complete candidate by id, also where nothing can be scaled."""
        weights = self.round.weights
        if not weights:
            return {}
        raws = {c.candidate_id: written_raw(c.scores, weights) for c in self.pool.candidates}
        return {candidate_id: raw for candidate_id, raw in raws.items() if raw is not None}

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many answers, candidates, graders and grades there are, and answers by status."""
        by_status = Counter(standing.status for standing in self.standings.values())
        graders = {grade.grader_id for grade in self.grades}
        return {
            "answers": len(self.response_ids),
            "candidates": len({self.inputs.responses[r]["candidate_id"] for r in self.response_ids}),
            "graders": len(graders),
            "simulated_graders": len(graders & self.record.simulated),
            "grades": len(self.grades),
            **{f"answers_{status}": by_status[status] for status in get_args(Status)},
        }
