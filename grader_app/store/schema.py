"""The tables, triggers and views of ``workbench.db``, and the version of their shape."""

from __future__ import annotations

SCHEMA_VERSION = 5
"""Raised with any change below; stored as SQLite's ``user_version``."""

APPLICATION_ID = 0x47524157
"""Marks the file as a workbench database (``GRAW``)."""

TABLES = """
CREATE TABLE workspace (id TEXT PRIMARY KEY NOT NULL, made_at TEXT NOT NULL);

CREATE TABLE event (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL
);
-- A commit costs by the page, and each index adds one: no more of them than questions are asked by.
CREATE INDEX event_by_subject ON event (subject, kind, seq);
CREATE INDEX event_by_kind ON event (kind, actor, seq);
-- What can change anything but grades: its last place says whether what is kept in memory still holds.
CREATE INDEX event_but_grades ON event (seq) WHERE kind <> 'GradeSubmitted';

-- Who acted: names stand here and in no event and no export.
CREATE TABLE actor (
  id TEXT PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('account', 'cli')),
  name TEXT NOT NULL,
  made_at TEXT NOT NULL,
  UNIQUE (kind, name)
);

-- A client's token for one submission: a resend finds the event it already made.
CREATE TABLE submission (
  token TEXT PRIMARY KEY NOT NULL,
  event_seq INTEGER NOT NULL REFERENCES event (seq)
) WITHOUT ROWID;

-- Answers, notes and reasons. Events name them by a salted hash; the words lie only here.
CREATE TABLE kept_text (hash TEXT PRIMARY KEY NOT NULL, salt TEXT NOT NULL, body TEXT NOT NULL);

CREATE TABLE file_version (
  hash TEXT PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('round', 'rubric', 'item', 'calibration_set')),
  id TEXT NOT NULL,
  version TEXT NOT NULL,
  content TEXT NOT NULL,
  UNIQUE (kind, id, version)
);

CREATE TABLE response (
  id TEXT PRIMARY KEY NOT NULL,
  item TEXT NOT NULL,
  candidate_id TEXT NOT NULL,
  deal_order INTEGER NOT NULL,
  text_hash TEXT NOT NULL REFERENCES kept_text (hash),
  cut_off INTEGER NOT NULL CHECK (cut_off IN (0, 1)),
  row_hash TEXT NOT NULL,
  UNIQUE (item, deal_order)
) WITHOUT ROWID;

-- A score corrected is a further revision; the earlier one stays.
CREATE TABLE mbe (
  candidate_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  mbe REAL NOT NULL,
  row_hash TEXT NOT NULL,
  PRIMARY KEY (candidate_id, revision)
) WITHOUT ROWID;

-- Papers of calibration sets, each under a random id as an answer has. No candidate wrote them for the round.
CREATE TABLE set_paper (
  id TEXT PRIMARY KEY NOT NULL,
  item TEXT NOT NULL,
  set_hash TEXT NOT NULL REFERENCES file_version (hash),
  essay TEXT NOT NULL,
  text_hash TEXT NOT NULL REFERENCES kept_text (hash),
  UNIQUE (set_hash, essay)
) WITHOUT ROWID;

-- What is before a grader: an answer, or a paper of a calibration set.
CREATE TABLE assignment (
  id TEXT PRIMARY KEY NOT NULL,
  response_id TEXT NOT NULL,
  item TEXT NOT NULL,
  grader_id TEXT NOT NULL REFERENCES actor (id),
  position INTEGER NOT NULL,
  read_number INTEGER NOT NULL,
  event_seq INTEGER NOT NULL REFERENCES event (seq),
  kind TEXT NOT NULL
    CHECK (kind IN ('live', 'validity', 'repeat', 'calibration', 'third', 'reread', 'apprentice')),
  UNIQUE (grader_id, response_id, kind)
);
CREATE INDEX assignment_queue ON assignment (grader_id, item, position);
CREATE INDEX assignment_by_response ON assignment (response_id);

-- The only tables whose rows change; they are in no export.
CREATE TABLE password (
  account_id TEXT PRIMARY KEY NOT NULL REFERENCES actor (id),
  hash TEXT NOT NULL,
  one_time INTEGER NOT NULL CHECK (one_time IN (0, 1)),
  changed_at TEXT NOT NULL
);
CREATE TABLE session (
  token_hash TEXT PRIMARY KEY NOT NULL,
  account_id TEXT NOT NULL REFERENCES actor (id),
  csrf_token TEXT NOT NULL,
  started_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL
);
CREATE TABLE draft (
  assignment_id TEXT PRIMARY KEY NOT NULL REFERENCES assignment (id),
  body TEXT NOT NULL,
  revision INTEGER NOT NULL,
  saved_at TEXT NOT NULL
);
-- Who has an answer on the desk, and until when nobody else is given it.
CREATE TABLE lease (
  assignment_id TEXT PRIMARY KEY NOT NULL REFERENCES assignment (id),
  expires_at TEXT NOT NULL
);
-- Papers of a calibration packet as a grader has put them in order so far.
CREATE TABLE ranking_draft (
  attempt_id TEXT PRIMARY KEY NOT NULL,
  body TEXT NOT NULL,
  revision INTEGER NOT NULL,
  saved_at TEXT NOT NULL
);
"""

VIEWS = """
CREATE VIEW account AS
SELECT a.id, a.name,
  json_extract(added.body, '$.role') AS role,
  coalesce(json_extract(added.body, '$.simulated'), 0) AS simulated,
  EXISTS (SELECT 1 FROM event e WHERE e.subject = a.id AND e.kind = 'AccountDisabled') AS disabled,
  coalesce(json_extract(added.body, '$.apprentice'), 0)
    AND NOT EXISTS (SELECT 1 FROM event e WHERE e.subject = a.id AND e.kind = 'ApprenticeshipEnded')
    AS apprentice
FROM actor a JOIN event added ON added.subject = a.id AND added.kind = 'AccountAdded'
WHERE a.kind = 'account';

-- The event that holds an assignment's grade as it stands: its latest correction, or the grade itself.
CREATE VIEW current_grade AS
SELECT e.subject AS assignment_id, max(e.seq) AS event_seq
FROM event e WHERE e.kind IN ('GradeSubmitted', 'GradeCorrected') GROUP BY e.subject;

-- One row a rating: an answer, a grader, a facet, a value. A condition code leaves the value empty. Checks
-- and calibration are no ratings.
CREATE VIEW rating AS
SELECT a.item, a.response_id, a.grader_id, a.read_number, 'score' AS facet,
  json_extract(e.body, '$.score') AS value, json_extract(e.body, '$.condition_code') AS condition_code,
  e.at AS submitted_at
FROM current_grade c JOIN event e ON e.seq = c.event_seq JOIN assignment a ON a.id = c.assignment_id
WHERE a.kind = 'live'
UNION ALL
SELECT a.item, a.response_id, a.grader_id, a.read_number, m.key, m.value, NULL, e.at
FROM current_grade c JOIN event e ON e.seq = c.event_seq JOIN assignment a ON a.id = c.assignment_id,
  json_each(e.body, '$.marks') m
WHERE a.kind = 'live';

CREATE VIEW closed_item AS
SELECT subject AS item FROM event
WHERE seq IN (SELECT max(seq) FROM event WHERE kind IN ('ItemClosed', 'ItemReopened') GROUP BY subject)
  AND kind = 'ItemClosed';

-- Assignments out of their grader's queue: referred to the lead, or taken out. That a recusal was taken
-- back moves nothing by itself.
CREATE VIEW set_aside AS
SELECT e.subject AS assignment_id, e.kind, e.seq AS event_seq FROM event e
WHERE e.kind IN ('AnswerReferred', 'AnswerReturned')
  AND e.seq = (SELECT max(x.seq) FROM event x WHERE x.subject = e.subject
    AND x.kind IN ('AnswerReferred', 'AnswerReturned')
    AND coalesce(json_extract(x.body, '$.decision'), '') <> 'recusal_lifted')
  AND (e.kind = 'AnswerReferred' OR json_extract(e.body, '$.decision') <> 'returned');

-- Answers kept out of everybody's queue: an incident is open, or the lead has taken them out of the round.
CREATE VIEW held_response AS
SELECT a.response_id FROM set_aside s JOIN event e ON e.seq = s.event_seq
  JOIN assignment a ON a.id = s.assignment_id
WHERE json_extract(e.body, '$.reason') LIKE 'concern%' OR json_extract(e.body, '$.decision') = 'excluded';

-- Assignments printed on paper whose packet was not recalled.
CREATE VIEW on_paper AS
SELECT p.value AS assignment_id, e.subject AS grader_id, json_extract(e.body, '$.packet_id') AS packet_id
FROM event e, json_each(e.body, '$.assignment_ids') p
WHERE e.kind = 'PacketPrinted' AND NOT EXISTS (SELECT 1 FROM event x
  WHERE x.subject = json_extract(e.body, '$.packet_id') AND x.kind = 'PacketRecalled');

CREATE VIEW withdrawn_response AS
SELECT value AS response_id FROM event, json_each(event.body, '$.response_ids')
WHERE kind = 'AnswersWithdrawn';

CREATE VIEW revealed_response AS
SELECT value AS response_id FROM event, json_each(event.body, '$.response_ids')
WHERE kind = 'SourcesRevealed';
"""

INSERT_ONLY = {
    "workspace": ["id"],
    "event": ["seq"],
    "actor": ["id", "kind, name"],
    "submission": ["token"],
    "kept_text": ["hash"],
    "file_version": ["hash", "kind, id, version"],
    "response": ["id", "item, deal_order"],
    "mbe": ["candidate_id, revision"],
    "set_paper": ["id", "set_hash, essay"],
    "assignment": ["id", "grader_id, response_id, kind"],
}
"""Tables whose rows never change, with every set of columns that is unique in them."""

WITHOUT_ROWID = {"submission", "response", "mbe", "set_paper"}
"""Insert-only tables that have no hidden ``rowid``."""

# One grade an assignment. The trigger alone keeps it: writers wait for each other.
_SAME_ASSIGNMENT_GRADED = "NEW.kind = 'GradeSubmitted' AND kind = 'GradeSubmitted' AND subject = NEW.subject"


def triggers() -> dict[str, str]:
    """Give the SQL of each guarding trigger by its name.

    Notes
    -----
    ``INSERT OR REPLACE`` deletes without firing a delete trigger, so an insert over a row with an
    existing key is refused as well: by every unique key, SQLite's hidden ``rowid`` and the one grade
    an assignment has included. A text may be deleted only once a ``TextRetired`` event names it, so that
    a board can destroy words when its retention term ends and the chain still verifies.
    """
    made: dict[str, str] = {}
    for table, keys in INSERT_ONLY.items():
        unique = [_equal_to_new(key) for key in keys]
        if table not in WITHOUT_ROWID:
            unique.append("rowid = NEW.rowid")
        if table == "event":
            unique.append(_SAME_ASSIGNMENT_GRADED)
        there = " OR ".join(f"EXISTS (SELECT 1 FROM {table} WHERE {key})" for key in unique)
        made[f"{table}_no_update"] = (
            f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} rows never change'); END"
        )
        retired = (
            " WHEN NOT EXISTS (SELECT 1 FROM event WHERE kind = 'TextRetired' AND subject = OLD.hash)"
            if table == "kept_text"
            else ""
        )
        made[f"{table}_no_delete"] = (
            f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table}{retired} "
            f"BEGIN SELECT RAISE(ABORT, '{table} rows are never deleted'); END"
        )
        made[f"{table}_no_replace"] = (
            f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} "
            f"WHEN {there} "
            f"BEGIN SELECT RAISE(ABORT, '{table} already has this row'); END"
        )
    return made


def _equal_to_new(columns: str) -> str:
    return " AND ".join(f"{column} = NEW.{column}" for column in columns.split(", "))
