/**
 * SQLite schema of a bundle, described in docs/reference/bundle.md. A change that an older program
 * would misread increments `FORMAT_VERSION`; a reader rejects every other version by name.
 */

/** Version of the bundle's tables, stored as `user_version` of SQLite. */
export const FORMAT_VERSION = 2;

/** SQLite `application_id` of a bundle: the letters `ORRY`. */
export const APPLICATION_ID = 0x4f525259;

export const schema: string = `
CREATE TABLE run (
  format_version INTEGER NOT NULL,
  program_version TEXT NOT NULL,
  scenario TEXT NOT NULL,
  claim TEXT NOT NULL,
  file TEXT NOT NULL,
  world TEXT NOT NULL,
  seed INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  hash TEXT NOT NULL,
  events INTEGER NOT NULL,
  virtual_ms REAL NOT NULL,
  wall_ms REAL NOT NULL
) STRICT;
CREATE TABLE digest (sha256 TEXT NOT NULL) STRICT;
CREATE TABLE plan (json TEXT NOT NULL, source TEXT NOT NULL) STRICT;
CREATE TABLE findings (
  number INTEGER PRIMARY KEY,
  invariant TEXT,
  checker TEXT,
  says TEXT NOT NULL,
  at_ms REAL NOT NULL
) STRICT;
CREATE TABLE subjects (
  finding INTEGER NOT NULL,
  index_name TEXT,
  document TEXT,
  shard INTEGER,
  node TEXT,
  term INTEGER,
  client TEXT,
  request INTEGER,
  operation TEXT,
  sent_ms REAL,
  answered_ms REAL,
  seq_no INTEGER
) STRICT;
CREATE TABLE doubts (number INTEGER PRIMARY KEY, says TEXT NOT NULL) STRICT;
CREATE TABLE receipts (
  number INTEGER PRIMARY KEY,
  fault TEXT NOT NULL,
  description TEXT NOT NULL,
  started_ms REAL NOT NULL,
  ended_ms REAL NOT NULL,
  hits INTEGER NOT NULL
) STRICT;
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  at_ms REAL NOT NULL,
  node TEXT NOT NULL,
  kind TEXT NOT NULL,
  action TEXT,
  sender TEXT,
  receiver TEXT,
  index_name TEXT,
  shard INTEGER,
  json TEXT NOT NULL
) STRICT;
CREATE TABLE operations (
  client TEXT NOT NULL,
  id INTEGER NOT NULL,
  operation TEXT NOT NULL,
  invoked_ms REAL NOT NULL,
  completed_ms REAL,
  status INTEGER,
  outcome TEXT NOT NULL,
  PRIMARY KEY (client, id)
) STRICT;
CREATE TABLE faults (
  number INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  description TEXT NOT NULL,
  from_ms REAL NOT NULL,
  to_ms REAL
) STRICT;
CREATE TABLE cluster_states (
  cluster TEXT NOT NULL,
  version INTEGER NOT NULL,
  term INTEGER NOT NULL,
  at_ms REAL NOT NULL,
  cluster_manager TEXT,
  nodes TEXT NOT NULL
) STRICT;
CREATE TABLE shards (
  cluster TEXT NOT NULL,
  version INTEGER NOT NULL,
  at_ms REAL NOT NULL,
  index_name TEXT NOT NULL,
  shard INTEGER NOT NULL,
  is_primary INTEGER NOT NULL,
  state TEXT NOT NULL,
  node TEXT,
  allocation_id TEXT
) STRICT;
`;
