-- Rows that are found by their whole key lie in its order, without an index beside the table: a link is read and written in half the time.

CREATE TABLE synapse_clustered (
	a            INTEGER NOT NULL REFERENCES neuron (id), -- the smaller ID
	b            INTEGER NOT NULL REFERENCES neuron (id),
	project_id   INTEGER NOT NULL REFERENCES project (id),
	ab           REAL    NOT NULL, -- weight from a to b, as a decaying value
	ba           REAL    NOT NULL,
	co_accesses  INTEGER NOT NULL,
	co_sessions  INTEGER NOT NULL,
	origin       TEXT    NOT NULL, -- agent: learned from sessions; repo: from commits; import: from the source text
	tagged_at    INTEGER,           -- new, and waiting for a second co-access
	last_at      INTEGER NOT NULL,
	last_event   TEXT    NOT NULL,
	session_id   INTEGER NOT NULL, -- the last session that changed it, and by how much
	session_gain REAL    NOT NULL,
	day          INTEGER NOT NULL, -- likewise for the day
	day_gain     REAL    NOT NULL,
	checksum     INTEGER NOT NULL DEFAULT -1,
	PRIMARY KEY (a, b)
) WITHOUT ROWID, STRICT;

INSERT INTO synapse_clustered (a, b, project_id, ab, ba, co_accesses, co_sessions, origin, tagged_at, last_at, last_event, session_id, session_gain,
	day, day_gain, checksum)
SELECT a, b, project_id, ab, ba, co_accesses, co_sessions, origin, tagged_at, last_at, last_event, session_id, session_gain,
	day, day_gain, checksum FROM synapse ORDER BY a, b;

DROP TABLE synapse;
ALTER TABLE synapse_clustered RENAME TO synapse;

CREATE INDEX synapse_by_b ON synapse (b);
CREATE INDEX synapse_by_project ON synapse (project_id, a);
CREATE INDEX synapse_tagged ON synapse (tagged_at) WHERE tagged_at IS NOT NULL;
