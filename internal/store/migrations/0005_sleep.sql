-- Sleep: what was forgotten and why, when hebb slept and what came of it, and who is asleep just now.

CREATE INDEX synapse_tagged ON synapse (tagged_at) WHERE tagged_at IS NOT NULL;

ALTER TABLE neuron ADD COLUMN peak {real} NOT NULL DEFAULT -1e300; -- myelin at its last use
ALTER TABLE neuron ADD COLUMN reviews {int} NOT NULL DEFAULT 0;    -- by sleep, since its last use
ALTER TABLE neuron ADD COLUMN boosted {int} NOT NULL DEFAULT 0;    -- by sleep, since its last use
ALTER TABLE neuron ADD COLUMN damped {int} NOT NULL DEFAULT 0;     -- day since 1970 on which sleep damped it last
UPDATE neuron SET peak = myelin;

CREATE INDEX neuron_gone ON neuron (id) WHERE gone = 1 AND links > 0;

-- What sleep let go: it can be brought back for a while, and is not learned again from the same evidence later.
CREATE TABLE forgotten (
	a          {int}  NOT NULL,
	b          {int}  NOT NULL,            -- 0: a is a neuron, otherwise both are the ends of a link
	project_id {int}  NOT NULL REFERENCES project (id),
	reason     {text} NOT NULL,
	at         {int}  NOT NULL,
	sleep_id   {int}  NOT NULL,
	data       {text} NOT NULL,            -- the row as JSON; empty once the time to bring it back is over
	PRIMARY KEY (a, b)
) {clustered};

CREATE INDEX forgotten_by_b ON forgotten (b);
CREATE INDEX forgotten_by_project ON forgotten (project_id, at);
CREATE INDEX forgotten_whole ON forgotten (at) WHERE data <> ''; -- not the many that cannot be brought back any more

-- One row for each sleep that did something.
CREATE TABLE sleep (
	id     {serial},
	at     {int}  NOT NULL,
	why    {text} NOT NULL, -- close, idle, asked
	report {text} NOT NULL  -- JSON
) {strict};

-- Who may do what only one may do at a time. A holder that says nothing until then has lost it.
CREATE TABLE lease (
	name   {text} NOT NULL PRIMARY KEY,
	holder {text} NOT NULL,
	until  {int}  NOT NULL
) {strict};
