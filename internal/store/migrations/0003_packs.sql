-- The tool calls of a session that ended long ago, in one row instead of several for each call. Package store knows the format.
CREATE TABLE pack (
	session_id {int}  NOT NULL PRIMARY KEY REFERENCES session (id),
	project_id {int}  NOT NULL REFERENCES project (id),
	first_seq  {int}  NOT NULL, -- of its events
	events     {int}  NOT NULL, -- how many it holds
	data       {blob} NOT NULL,
	checksum   {int}  NOT NULL DEFAULT -1
) {strict};

CREATE INDEX pack_by_project ON pack (project_id);

-- An event that comes out of a pack has its number again.
{given_seq}
