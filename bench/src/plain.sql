-- The tables that a transaction is stored in, with their indexes and without the store's triggers: what plain SQLite would have.

CREATE TABLE event_log (
  seq            INTEGER PRIMARY KEY,
  header         TEXT NOT NULL,
  leaf_hash      BLOB NOT NULL,
  event_id       TEXT GENERATED ALWAYS AS (header ->> '$.event_id') VIRTUAL,
  event_type     TEXT GENERATED ALWAYS AS (header ->> '$.event_type') VIRTUAL,
  occurred_at    TEXT GENERATED ALWAYS AS (header ->> '$.occurred_at') VIRTUAL,
  recorded_at    TEXT GENERATED ALWAYS AS (header ->> '$.recorded_at') VIRTUAL,
  producer       TEXT GENERATED ALWAYS AS (header ->> '$.producer') VIRTUAL,
  correlation_id TEXT GENERATED ALWAYS AS (header ->> '$.correlation_id') VIRTUAL,
  causation_id   TEXT GENERATED ALWAYS AS (header ->> '$.causation_id') VIRTUAL,
  schema_version INTEGER GENERATED ALWAYS AS (header ->> '$.schema_version') VIRTUAL
) STRICT;

CREATE UNIQUE INDEX event_log_by_id ON event_log (event_id);
CREATE INDEX event_log_by_type ON event_log (event_type, seq);
CREATE INDEX event_log_by_correlation ON event_log (correlation_id, seq);

CREATE TABLE event_bodies (
  seq      INTEGER PRIMARY KEY,
  salt     BLOB NOT NULL,
  payload  TEXT NOT NULL,
  metadata TEXT NOT NULL
) STRICT;

CREATE TABLE transaction_ids (
  seq            INTEGER PRIMARY KEY,
  transaction_id TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX transaction_ids_by_id ON transaction_ids (transaction_id);
