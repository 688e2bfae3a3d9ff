-- The tool calls of a session that ended long ago, in one row instead of several for each call. Package store knows the format.
CREATE TABLE pack (
	session_id INTEGER NOT NULL PRIMARY KEY REFERENCES session (id),
	project_id INTEGER NOT NULL REFERENCES project (id),
	first_seq  INTEGER NOT NULL, -- of its events
	events     INTEGER NOT NULL, -- how many it holds
	data       BLOB    NOT NULL,
	checksum   INTEGER NOT NULL DEFAULT -1
) STRICT;

CREATE INDEX pack_by_project ON pack (project_id);
