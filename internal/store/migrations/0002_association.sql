-- Associative memory: how strong things have grown, what they are wired to, and what was offered to whom. All of it is
-- derived from the events and can be made again from them.

-- A fading figure is kept as ln(x) + rate * days, so that time changes no row; -1e300 stands for nothing.
ALTER TABLE neuron ADD COLUMN myelin {real} NOT NULL DEFAULT -1e300;
ALTER TABLE neuron ADD COLUMN activation {real} NOT NULL DEFAULT -1e300;
ALTER TABLE neuron ADD COLUMN links {int} NOT NULL DEFAULT 0;    -- synapses it is an end of
ALTER TABLE neuron ADD COLUMN ignored {int} NOT NULL DEFAULT 0;  -- offers in a row that nobody took up
ALTER TABLE neuron ADD COLUMN standing {real} NOT NULL DEFAULT 1; -- what is left of its say after being ignored
ALTER TABLE neuron ADD COLUMN lost {real} NOT NULL DEFAULT 0;    -- share the last ignoring took, given back on use
ALTER TABLE neuron ADD COLUMN gone {int} NOT NULL DEFAULT 0;     -- deleted, or renamed away

CREATE INDEX neuron_diminished ON neuron (project_id) WHERE standing < 1;
CREATE INDEX neuron_by_myelin ON neuron (project_id, myelin);

-- A file's old name in a rename.
ALTER TABLE access ADD COLUMN old_path {text} NOT NULL DEFAULT '';

ALTER TABLE session ADD COLUMN learned_ord {int} NOT NULL DEFAULT 0; -- events up to here have become episodes

CREATE TABLE synapse (
	a            {int}  NOT NULL REFERENCES neuron (id), -- the smaller ID
	b            {int}  NOT NULL REFERENCES neuron (id),
	project_id   {int}  NOT NULL REFERENCES project (id),
	ab           {real} NOT NULL, -- weight from a to b, as a fading figure
	ba           {real} NOT NULL,
	co_accesses  {int}  NOT NULL,
	co_sessions  {int}  NOT NULL,
	origin       {text} NOT NULL, -- agent: learned from sessions; repo: from commits; import: from the source text
	tagged_at    {int},           -- new, and waiting for a second meeting
	last_at      {int}  NOT NULL,
	last_event   {text} NOT NULL,
	session_id   {int}  NOT NULL, -- that moved it last, and by how much
	session_gain {real} NOT NULL,
	day          {int}  NOT NULL, -- likewise for the day
	day_gain     {real} NOT NULL,
	PRIMARY KEY (a, b)
) {strict};

CREATE INDEX synapse_by_b ON synapse (b);
CREATE INDEX synapse_by_project ON synapse (project_id, origin);

-- The past of a project as ranking reads it, packed. Package recall knows what is inside.
CREATE TABLE block (
	project_id {int} NOT NULL REFERENCES project (id),
	kind       {int} NOT NULL,
	number     {int} NOT NULL,
	version    {int} NOT NULL, -- counts changes, so that a reader fetches only what is new
	data       {blob} NOT NULL,
	PRIMARY KEY (project_id, kind, number)
) {strict};

-- One line shown to an agent: a receipt that is followed to what became of it.
CREATE TABLE suggestion (
	id         {text} NOT NULL PRIMARY KEY,
	event_seq  {int}  NOT NULL REFERENCES event (seq) ON DELETE CASCADE,
	n          {int}  NOT NULL,            -- position in what was shown
	project_id {int}  NOT NULL REFERENCES project (id),
	session_id {int}  NOT NULL,
	neuron_id  {int}  NOT NULL,
	kind       {text} NOT NULL,            -- file, fix, preload, stale
	path       {text} NOT NULL,
	score      {real} NOT NULL,
	confidence {real} NOT NULL,
	reason     {text} NOT NULL,
	tokens     {int}  NOT NULL,
	held       {int}  NOT NULL,            -- withheld from the agent, for comparison
	shown_at   {int}  NOT NULL,
	outcome    {text} NOT NULL DEFAULT '', -- used (changed), opened, ignored, unknown; empty while the session runs
	settled_at {int}
) {strict};

CREATE INDEX suggestion_by_event ON suggestion (event_seq);
CREATE INDEX suggestion_by_session ON suggestion (session_id, shown_at);
CREATE INDEX suggestion_by_project ON suggestion (project_id, shown_at);
