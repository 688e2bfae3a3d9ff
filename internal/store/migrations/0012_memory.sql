-- Everything that somebody keeps, one row each. A row says all of it: search has copies of texts (document), which are made from here.
-- Package memory has the table of kinds.
CREATE TABLE memory (
	id          TEXT    NOT NULL PRIMARY KEY,
	project_id  INTEGER NOT NULL, -- 0: of the person, in every project
	kind        TEXT    NOT NULL,
	name        TEXT    NOT NULL, -- what distinguishes it from others of its kind in its project; empty: nothing but its ID
	text        TEXT    NOT NULL,
	origin      TEXT    NOT NULL,
	subject     TEXT    NOT NULL, -- what it is about
	importance  REAL    NOT NULL,
	valence     REAL    NOT NULL,
	lifecycle   TEXT    NOT NULL,
	source      TEXT    NOT NULL,
	session_id  INTEGER NOT NULL, -- in which it was said in passing; 0: somebody asked to remember it
	heard       REAL    NOT NULL, -- the probability that it is worth keeping
	parents     TEXT    NOT NULL, -- IDs, each followed by a space
	said_at     INTEGER NOT NULL,
	valid_to    INTEGER,           -- when another statement superseded it
	last_at     INTEGER NOT NULL,
	accesses    INTEGER NOT NULL,
	gap_hours   REAL    NOT NULL,
	unsure      INTEGER NOT NULL, -- the code it refers to has changed
	marks       TEXT    NOT NULL, -- by which text a call that breaks it is recognised, a line each
	more        TEXT    NOT NULL, -- what its kind alone has, as JSON
	document_id INTEGER UNIQUE REFERENCES document (id), -- by which search finds it
	hash        INTEGER NOT NULL, -- of its text
	checksum    INTEGER NOT NULL DEFAULT -1
) STRICT;

CREATE UNIQUE INDEX memory_by_name ON memory (project_id, kind, name) WHERE name <> '';
CREATE INDEX memory_by_hash ON memory (hash);
CREATE INDEX memory_by_subject ON memory (subject) WHERE subject <> '';
CREATE INDEX memory_by_said ON memory (said_at);
CREATE INDEX memory_by_kind ON memory (kind, said_at);
CREATE INDEX memory_by_project ON memory (project_id, kind, said_at);
CREATE INDEX memory_heard ON memory (said_at) WHERE heard > 0;
CREATE INDEX memory_by_session ON memory (session_id) WHERE session_id <> 0;
CREATE INDEX memory_unsure ON memory (id) WHERE unsure = 1;

INSERT INTO memory (id, project_id, kind, name, text, origin, subject, importance, valence, lifecycle, source, session_id, heard, parents, said_at, valid_to,
	last_at, accesses, gap_hours, unsure, marks, more, document_id, hash)
SELECT crystal.id, document.project_id, crystal.kind, '', document.text, document.origin, subject, importance, valence, lifecycle, source, crystal.session_id,
	heard, parents, said_at, valid_to, last_at, accesses, gap_hours, unsure, marks, line, document_id, crystal.hash
FROM crystal JOIN document ON document.id = document_id;

-- After the checksums: these statements lock out those who still read.

CREATE TABLE place_of (
	crystal_id TEXT    NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
	project_id INTEGER NOT NULL, -- of the memory: every search asks for the anchors of a project
	path       TEXT    NOT NULL,
	symbol     TEXT    NOT NULL, -- empty: the whole file
	commit_id  TEXT    NOT NULL,
	hash       INTEGER NOT NULL,
	at_hand    INTEGER NOT NULL, -- the memory does not speak of it: it was in use
	checksum   INTEGER NOT NULL DEFAULT -1,
	PRIMARY KEY (crystal_id, path, symbol)
) WITHOUT ROWID, STRICT;

INSERT INTO place_of (crystal_id, project_id, path, symbol, commit_id, hash, at_hand, checksum)
SELECT crystal_id, project_id, path, symbol, commit_id, hash, at_hand, checksum FROM anchor;

DROP TABLE anchor;
DROP TABLE crystal;
ALTER TABLE place_of RENAME TO anchor;

CREATE INDEX anchor_by_path ON anchor (path);
CREATE INDEX anchor_by_project ON anchor (project_id, path);
