-- Working memory: what is in mind now, what is left of a session that ended, what is never to go, and the files people read.

-- How much a file matters at present, on its project's clock, and what is said of it. Only what sessions touched is here.
CREATE TABLE heat (
	neuron_id  {int}  NOT NULL PRIMARY KEY REFERENCES neuron (id) ON DELETE CASCADE,
	project_id {int}  NOT NULL,
	heat       {real} NOT NULL, -- as stored: package plasticity reads it
	touches    {int}  NOT NULL,
	last_at    {int}  NOT NULL,
	session_id {int}  NOT NULL, -- that touched it last
	summary    {text} NOT NULL, -- what the file is
	summary_by {text} NOT NULL,
	note       {text} NOT NULL, -- why it matters just now
	note_by    {text} NOT NULL,
	note_at    {int}  NOT NULL
) {strict};

CREATE INDEX heat_by_project ON heat (project_id, heat);

-- What is left of a session.
ALTER TABLE session ADD COLUMN happened {text} NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN learned {text} NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN next {text} NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN told_by {text} NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN told_at {int}; -- none: it waits for its summary

CREATE INDEX session_untold ON session (closed_at) WHERE told_at IS NULL AND closed_at IS NOT NULL;

CREATE TABLE pin (
	crystal_id {text} NOT NULL PRIMARY KEY REFERENCES crystal (id) ON DELETE CASCADE,
	project_id {int}  NOT NULL, -- 0: everywhere
	normal     {text} NOT NULL, -- title as titles are compared
	title      {text} NOT NULL,
	reason     {text} NOT NULL,
	at         {int}  NOT NULL,
	UNIQUE (project_id, normal)
) {strict};

-- Pages that people write about themselves and their work.
CREATE TABLE page (
	name {text} NOT NULL PRIMARY KEY,
	text {text} NOT NULL,
	by   {text} NOT NULL,
	at   {int}  NOT NULL
) {strict};

-- What hebb last wrote into a file for people: whatever else stands there is theirs.
CREATE TABLE view (
	name {text} NOT NULL PRIMARY KEY,
	text {text} NOT NULL,
	at   {int}  NOT NULL
) {strict};
