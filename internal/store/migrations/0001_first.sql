-- The schema of the first release. Times are unix milliseconds. Indexed texts are bounded where they come in (package brain).
--
-- checksum covers what was written into its row, so that doctor --deep finds a byte that changed on the disk.

-- One row: figures of the whole store.
CREATE TABLE totals (
	id              INTEGER NOT NULL PRIMARY KEY,
	documents       INTEGER NOT NULL, -- kept now
	words           INTEGER NOT NULL, -- of all of them together
	deleted         INTEGER NOT NULL, -- documents, so far
	replaced        INTEGER NOT NULL, -- when another state of the store, such as a backup, took the place of this one
	flushed         INTEGER NOT NULL, -- changes with every durable commit, so that it reaches the disk
	weight_rate     REAL    NOT NULL, -- what a day leaves of decaying values: the rates under which they are stored
	myelin_rate     REAL    NOT NULL,
	activation_rate REAL    NOT NULL
) STRICT;

INSERT INTO totals VALUES (1, 0, 0, 0, 0, 0, 0, 0, 0);

-- Values that are kept as a whole: the progress of jobs, and small documents.
CREATE TABLE fact (
	name       TEXT    NOT NULL,
	project_id INTEGER NOT NULL, -- 0: of the whole store
	subject    TEXT    NOT NULL, -- what else it is about, if anything
	at         INTEGER NOT NULL, -- when it was set
	value      TEXT    NOT NULL, -- JSON
	PRIMARY KEY (name, project_id, subject)
) WITHOUT ROWID, STRICT;

-- Which process may do what only one may do at a time. A holder that does not renew its lease loses it.
CREATE TABLE lease (
	name   TEXT    NOT NULL PRIMARY KEY,
	holder TEXT    NOT NULL,
	until  INTEGER NOT NULL
) STRICT;

CREATE TABLE project (
	id       INTEGER NOT NULL PRIMARY KEY, -- hash of identity
	identity TEXT    NOT NULL,             -- not indexed: it may be long, and id stands for it
	root     TEXT    NOT NULL,
	name     TEXT    NOT NULL,
	tagged   INTEGER NOT NULL DEFAULT 0,   -- the name was given by a person and stays
	first_at INTEGER NOT NULL,
	last_at  INTEGER NOT NULL,
	clock    INTEGER NOT NULL DEFAULT 0    -- sessions closed so far
) STRICT;

CREATE INDEX project_by_name ON project (name);

CREATE TABLE session (
	id            INTEGER NOT NULL PRIMARY KEY, -- hash of agent, agent_session, project
	project_id    INTEGER NOT NULL REFERENCES project (id),
	agent         TEXT    NOT NULL,
	agent_session TEXT    NOT NULL,
	opened_at     INTEGER NOT NULL,
	last_event_at INTEGER NOT NULL,
	closed_at     INTEGER,
	close_reason  TEXT    NOT NULL DEFAULT '',
	recovered     INTEGER NOT NULL DEFAULT 0,
	ticked        INTEGER NOT NULL DEFAULT 0,
	intent        TEXT    NOT NULL DEFAULT '',
	by_hand       INTEGER NOT NULL DEFAULT 0,   -- a person set the intent
	events        INTEGER NOT NULL DEFAULT 0,   -- kept now
	last_ord      INTEGER NOT NULL DEFAULT 0,   -- numbered so far; forgetting leaves gaps
	learned_ord   INTEGER NOT NULL DEFAULT 0,   -- events up to here have become episodes
	happened      TEXT    NOT NULL DEFAULT '',  -- its summary
	learned       TEXT    NOT NULL DEFAULT '',
	next          TEXT    NOT NULL DEFAULT '',
	told_by       TEXT    NOT NULL DEFAULT '',  -- who wrote the summary
	told_at       INTEGER,                       -- NULL: no summary yet
	checksum      INTEGER NOT NULL DEFAULT -1
) STRICT;

CREATE INDEX session_by_agent ON session (agent_session, agent);
CREATE INDEX session_by_project ON session (project_id, last_event_at);
CREATE INDEX session_open ON session (last_event_at) WHERE closed_at IS NULL;
CREATE INDEX session_untold ON session (closed_at) WHERE told_at IS NULL AND closed_at IS NOT NULL;

CREATE TABLE event (
	seq          INTEGER PRIMARY KEY AUTOINCREMENT,
	id           TEXT    NOT NULL UNIQUE,     -- made by the process that saw it; storing it twice keeps one row
	project_id   INTEGER NOT NULL REFERENCES project (id),
	session_id   INTEGER REFERENCES session (id),
	ord          INTEGER NOT NULL,            -- position in its session, 0 outside any
	at           INTEGER NOT NULL,
	kind         TEXT    NOT NULL,
	origin       TEXT    NOT NULL,
	agent        TEXT    NOT NULL,
	subagent     TEXT    NOT NULL,
	tool         TEXT    NOT NULL,
	input        TEXT    NOT NULL,
	text         TEXT    NOT NULL,
	result_bytes INTEGER,                      -- size of the tool's answer; NULL where the agent does not report it
	command      INTEGER NOT NULL DEFAULT 0,  -- of a tool call: hash of its input as a command line, equal for the same command; 0: none
	hash         INTEGER NOT NULL             -- of all the above and the accesses
) STRICT;

CREATE INDEX event_by_session ON event (session_id, ord);
CREATE INDEX event_by_project ON event (project_id, at);
CREATE INDEX event_by_time ON event (at);
CREATE INDEX event_by_command ON event (project_id, command, at) WHERE command <> 0;

-- An event that was forgotten on purpose is not learned again from the same source.
CREATE TABLE tombstone (
	event_id     TEXT    NOT NULL PRIMARY KEY,
	forgotten_at INTEGER NOT NULL
) STRICT;

-- Associative memory. All of it is derived from the events and can be made again from them.
-- A decaying value is kept as ln(x) + rate * days, so that time changes no row; -1e300 stands for 0.
CREATE TABLE neuron (
	id         INTEGER NOT NULL PRIMARY KEY, -- hash of project, kind, key
	project_id INTEGER NOT NULL REFERENCES project (id),
	kind       TEXT    NOT NULL,
	key        TEXT    NOT NULL,
	accesses   INTEGER NOT NULL,
	first_at   INTEGER NOT NULL,
	last_at    INTEGER NOT NULL,
	myelin     REAL    NOT NULL DEFAULT -1e300,
	activation REAL    NOT NULL DEFAULT -1e300,
	links      INTEGER NOT NULL DEFAULT 0, -- synapses it is an end of
	ignored    INTEGER NOT NULL DEFAULT 0, -- consecutive suggestions that were not used
	standing   REAL    NOT NULL DEFAULT 1, -- factor on its score after being ignored
	gone       INTEGER NOT NULL DEFAULT 0, -- deleted, or renamed away
	peak       REAL    NOT NULL DEFAULT -1e300, -- myelin at its last use
	reviews    INTEGER NOT NULL DEFAULT 0, -- by sleep, since its last use
	boosted    INTEGER NOT NULL DEFAULT 0, -- by sleep, since its last use
	damped     INTEGER NOT NULL DEFAULT 0  -- day since 1970 on which sleep damped it last
) STRICT;

-- No index over myelin, nor over a synapse's origin: every access writes them, and only lists for people read them.
CREATE INDEX neuron_by_project ON neuron (project_id, kind, last_at);
CREATE INDEX neuron_of_project ON neuron (project_id, id); -- sleep goes through one project after the other
CREATE INDEX neuron_diminished ON neuron (project_id) WHERE standing < 1;
CREATE INDEX neuron_gone ON neuron (project_id, id) WHERE gone = 1 AND links > 0;
CREATE INDEX neuron_lone ON neuron (project_id, id) WHERE links = 0 AND gone = 0;

CREATE TABLE access (
	event_seq INTEGER NOT NULL REFERENCES event (seq) ON DELETE CASCADE,
	n         INTEGER NOT NULL,
	neuron_id INTEGER NOT NULL REFERENCES neuron (id),
	kind      TEXT    NOT NULL,
	old_path  TEXT    NOT NULL DEFAULT '', -- the file's old name in a rename
	PRIMARY KEY (event_seq, n)
) STRICT;

CREATE INDEX access_by_neuron ON access (neuron_id, event_seq);

CREATE TABLE synapse (
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
) STRICT;

CREATE INDEX synapse_by_b ON synapse (b);
CREATE INDEX synapse_by_project ON synapse (project_id, a);
CREATE INDEX synapse_tagged ON synapse (tagged_at) WHERE tagged_at IS NOT NULL;

-- Homeostasis scales each project by itself. A row is what weights and myelin of a project are scaled by from then on, as a
-- sum of logarithms: for events numbered above seq, until the next row. The row with the largest seq holds now.
CREATE TABLE balance (
	project_id INTEGER NOT NULL REFERENCES project (id),
	seq        INTEGER NOT NULL, -- latest event of the project when it was written
	weight     REAL    NOT NULL,
	myelin     REAL    NOT NULL,
	PRIMARY KEY (project_id, seq)
) WITHOUT ROWID, STRICT;

-- The past of a project as ranking reads it, packed. Package recall knows the format.
CREATE TABLE block (
	project_id INTEGER NOT NULL REFERENCES project (id),
	kind       INTEGER NOT NULL,
	number     INTEGER NOT NULL,
	version    INTEGER NOT NULL, -- one count per project, so that a reader fetches only what is new
	data       BLOB    NOT NULL,
	checksum   INTEGER NOT NULL DEFAULT -1,
	PRIMARY KEY (project_id, kind, number)
) STRICT;

CREATE INDEX block_by_version ON block (project_id, version);

-- One line shown to an agent, and whether it was used.
CREATE TABLE suggestion (
	id         TEXT    NOT NULL PRIMARY KEY,
	event_seq  INTEGER NOT NULL REFERENCES event (seq) ON DELETE CASCADE,
	n          INTEGER NOT NULL,            -- position in what was shown
	project_id INTEGER NOT NULL REFERENCES project (id),
	session_id INTEGER NOT NULL,
	neuron_id  INTEGER NOT NULL,
	moment     TEXT    NOT NULL,            -- start, prompt, edit, command, error, compact, subagent
	kind       TEXT    NOT NULL,            -- file, fix, preload, memory, command, convention, context
	path       TEXT    NOT NULL,            -- empty: names no file
	crystal_id TEXT    NOT NULL,            -- empty: shows no memory
	score      REAL    NOT NULL,
	confidence REAL    NOT NULL,
	reason     TEXT    NOT NULL,
	tokens     INTEGER NOT NULL,
	held       INTEGER NOT NULL,            -- withheld from the agent, for comparison
	shown_at   INTEGER NOT NULL,
	outcome    TEXT    NOT NULL DEFAULT '', -- used (changed), opened, ignored, unknown; empty while the session runs
	settled_at INTEGER,
	checksum   INTEGER NOT NULL DEFAULT -1
) STRICT;

CREATE INDEX suggestion_by_event ON suggestion (event_seq);
CREATE INDEX suggestion_by_session ON suggestion (session_id, shown_at);
CREATE INDEX suggestion_by_project ON suggestion (project_id, shown_at);

-- What sleep removed: it can be restored for a while, and is not learned again from the same evidence later.
CREATE TABLE forgotten (
	a          INTEGER NOT NULL,
	b          INTEGER NOT NULL,            -- 0: a is a neuron, otherwise both are the ends of a link
	project_id INTEGER NOT NULL REFERENCES project (id),
	reason     TEXT    NOT NULL,
	at         INTEGER NOT NULL,
	sleep_id   INTEGER NOT NULL,
	data       TEXT    NOT NULL,            -- the row as JSON; empty once it can no longer be restored
	PRIMARY KEY (a, b)
) WITHOUT ROWID, STRICT;

CREATE INDEX forgotten_by_b ON forgotten (b);
CREATE INDEX forgotten_by_project ON forgotten (project_id, at);
CREATE INDEX forgotten_whole ON forgotten (at) WHERE data <> '';

-- One row for each sleep that did something.
CREATE TABLE sleep (
	id     INTEGER PRIMARY KEY AUTOINCREMENT,
	at     INTEGER NOT NULL,
	why    TEXT    NOT NULL, -- close, idle, asked
	report TEXT    NOT NULL  -- JSON
) STRICT;

-- Text memory. A document is everything that search can find; it never changes: other text is another row.
CREATE TABLE document (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	ref        TEXT    NOT NULL UNIQUE,     -- what it is the text of: a crystal, a commit, a session segment, a code snippet
	project_id INTEGER NOT NULL,            -- 0: of the person, in every project
	kind       TEXT    NOT NULL,
	origin     TEXT    NOT NULL,
	at         INTEGER NOT NULL,
	path       TEXT    NOT NULL,
	title      TEXT    NOT NULL,
	text       TEXT    NOT NULL,
	words      TEXT    NOT NULL,            -- as they are compared: cut, stemmed, without stop words
	around     TEXT    NOT NULL,            -- likewise, of the text before and after it
	scope      TEXT    NOT NULL,            -- its project and its group, each as a word
	length     INTEGER NOT NULL,            -- in words
	hash       INTEGER NOT NULL,
	session_id INTEGER,
	event_seq  INTEGER REFERENCES event (seq) ON DELETE CASCADE
) STRICT;

CREATE INDEX document_by_project ON document (project_id, kind, at);
CREATE INDEX document_by_event ON document (event_seq);
CREATE INDEX document_by_session ON document (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX document_by_path ON document (project_id, path) WHERE path <> '';

-- The index over the words of documents. It holds no text of its own, and triggers keep it true, so that whatever deletes a document,
-- its words go too. Words are cut already: blanks are all that separates them.
CREATE VIRTUAL TABLE document_words USING fts5 (words, around, scope, content = '', contentless_delete = 1, tokenize = 'ascii');

CREATE TRIGGER document_added AFTER INSERT ON document BEGIN
	INSERT INTO document_words (rowid, words, around, scope) VALUES (new.id, new.words, new.around, new.scope);
END;

CREATE TRIGGER document_gone AFTER DELETE ON document BEGIN
	DELETE FROM document_words WHERE rowid = old.id;
END;

-- In how many documents of a group a word occurs. Words are kept as hashes: SQLite may leave bytes of a deleted row in its page, and a
-- word may be a secret.
CREATE TABLE term (
	word INTEGER NOT NULL PRIMARY KEY,
	docs INTEGER NOT NULL
) STRICT;

-- The vector of a document, one row for each embedding model.
CREATE TABLE vector (
	space       TEXT    NOT NULL, -- the model
	document_id INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
	project_id  INTEGER NOT NULL,
	kind        TEXT    NOT NULL, -- of the document
	data        BLOB    NOT NULL,
	PRIMARY KEY (space, document_id)
) WITHOUT ROWID, STRICT;

CREATE INDEX vector_by_document ON vector (document_id);

-- Source files and documents of the repository whose parts are documents here, as they were when they were read.
CREATE TABLE source (
	project_id INTEGER NOT NULL,
	path       TEXT    NOT NULL,
	size       INTEGER NOT NULL,
	modified   INTEGER NOT NULL, -- nanoseconds since 1970
	hash       INTEGER NOT NULL,
	skipped    TEXT    NOT NULL, -- why it has no snippets
	PRIMARY KEY (project_id, path)
) WITHOUT ROWID, STRICT;

-- The lines of a snippet or of a section. They move without its text changing.
CREATE TABLE snippet (
	document_id INTEGER NOT NULL PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
	first_line  INTEGER NOT NULL,
	last_line   INTEGER NOT NULL
) STRICT;

-- What a document is as a memory of its own.
CREATE TABLE crystal (
	id          TEXT    NOT NULL PRIMARY KEY,
	document_id INTEGER NOT NULL UNIQUE REFERENCES document (id),
	kind        TEXT    NOT NULL,
	subject     TEXT    NOT NULL,
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
	hash        INTEGER NOT NULL, -- of its text
	checksum    INTEGER NOT NULL DEFAULT -1
) STRICT;

CREATE INDEX crystal_by_hash ON crystal (hash);
CREATE INDEX crystal_by_subject ON crystal (subject) WHERE subject <> '';
CREATE INDEX crystal_by_said ON crystal (said_at);
CREATE INDEX crystal_by_kind ON crystal (kind, said_at);
CREATE INDEX crystal_heard ON crystal (said_at) WHERE heard > 0;
CREATE INDEX crystal_by_session ON crystal (session_id) WHERE session_id <> 0;
CREATE INDEX crystal_unsure ON crystal (id) WHERE unsure = 1;

-- The places in the code that a crystal refers to.
CREATE TABLE anchor (
	crystal_id TEXT    NOT NULL REFERENCES crystal (id) ON DELETE CASCADE,
	project_id INTEGER NOT NULL, -- of the crystal: every search asks for the anchors of a project
	path       TEXT    NOT NULL,
	symbol     TEXT    NOT NULL, -- empty: the whole file
	commit_id  TEXT    NOT NULL,
	hash       INTEGER NOT NULL,
	at_hand    INTEGER NOT NULL, -- the crystal does not speak of it: it was in use
	checksum   INTEGER NOT NULL DEFAULT -1,
	PRIMARY KEY (crystal_id, path, symbol)
) WITHOUT ROWID, STRICT;

CREATE INDEX anchor_by_path ON anchor (path);
CREATE INDEX anchor_by_project ON anchor (project_id, path);

-- What happened to crystals.
CREATE TABLE audit (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	crystal_id TEXT    NOT NULL,
	at         INTEGER NOT NULL,
	what       TEXT    NOT NULL, -- said, used, merged, superseded, expired, confirmed, doubted, called wrong
	detail     TEXT    NOT NULL
) STRICT;

CREATE INDEX audit_by_crystal ON audit (crystal_id);
CREATE INDEX audit_wrong ON audit (what, crystal_id, detail) WHERE what = 'called wrong';

-- The knowledge graph.
CREATE TABLE entity (
	project_id INTEGER NOT NULL,
	name       TEXT    NOT NULL,
	type       TEXT    NOT NULL,
	origin     TEXT    NOT NULL, -- who named it
	created_at INTEGER NOT NULL,
	checksum   INTEGER NOT NULL DEFAULT -1,
	PRIMARY KEY (project_id, name)
) WITHOUT ROWID, STRICT;

CREATE TABLE observation (
	project_id INTEGER NOT NULL,
	entity     TEXT    NOT NULL,
	text       TEXT    NOT NULL,
	origin     TEXT    NOT NULL,
	confidence REAL    NOT NULL,
	said_at    INTEGER NOT NULL,
	valid_to   INTEGER,
	hash       INTEGER NOT NULL, -- of its text, which may be too long for an index
	checksum   INTEGER NOT NULL DEFAULT -1,
	PRIMARY KEY (project_id, entity, hash),
	FOREIGN KEY (project_id, entity) REFERENCES entity (project_id, name) ON DELETE CASCADE ON UPDATE CASCADE
) WITHOUT ROWID, STRICT;

CREATE TABLE relation (
	project_id INTEGER NOT NULL,
	source     TEXT    NOT NULL,
	type       TEXT    NOT NULL,
	target     TEXT    NOT NULL,
	created_at INTEGER NOT NULL,
	checksum   INTEGER NOT NULL DEFAULT -1,
	PRIMARY KEY (project_id, source, type, target),
	FOREIGN KEY (project_id, source) REFERENCES entity (project_id, name) ON DELETE CASCADE ON UPDATE CASCADE,
	FOREIGN KEY (project_id, target) REFERENCES entity (project_id, name) ON DELETE CASCADE ON UPDATE CASCADE
) WITHOUT ROWID, STRICT;

CREATE INDEX relation_by_target ON relation (project_id, target);

-- Working memory: how much a file matters at present, by its project's clock. Only files that sessions touched are here.
CREATE TABLE heat (
	neuron_id  INTEGER NOT NULL PRIMARY KEY REFERENCES neuron (id) ON DELETE CASCADE,
	project_id INTEGER NOT NULL,
	heat       REAL    NOT NULL, -- as stored: package plasticity reads it
	touches    INTEGER NOT NULL,
	last_at    INTEGER NOT NULL,
	session_id INTEGER NOT NULL, -- that touched it last
	summary    TEXT    NOT NULL, -- what the file is
	summary_by TEXT    NOT NULL,
	note       TEXT    NOT NULL, -- why it matters at present
	note_by    TEXT    NOT NULL,
	note_at    INTEGER NOT NULL,
	checksum   INTEGER NOT NULL DEFAULT -1
) STRICT;

CREATE INDEX heat_by_project ON heat (project_id, heat);

CREATE TABLE pin (
	crystal_id TEXT    NOT NULL PRIMARY KEY REFERENCES crystal (id) ON DELETE CASCADE,
	project_id INTEGER NOT NULL, -- 0: everywhere
	normal     TEXT    NOT NULL, -- title as titles are compared
	title      TEXT    NOT NULL,
	reason     TEXT    NOT NULL,
	at         INTEGER NOT NULL,
	checksum   INTEGER NOT NULL DEFAULT -1,
	UNIQUE (project_id, normal)
) STRICT;

-- Pages that people write about themselves and their work.
CREATE TABLE page (
	name     TEXT    NOT NULL PRIMARY KEY,
	text     TEXT    NOT NULL,
	by       TEXT    NOT NULL,
	at       INTEGER NOT NULL,
	checksum INTEGER NOT NULL DEFAULT -1
) STRICT;

-- What hebb last wrote into a Markdown file: any other text there was written by a person.
CREATE TABLE view (
	name     TEXT    NOT NULL PRIMARY KEY,
	text     TEXT    NOT NULL,
	at       INTEGER NOT NULL,
	checksum INTEGER NOT NULL DEFAULT -1
) STRICT;

-- A note is a crystal that waits until a dream takes it into the state.
CREATE TABLE note (
	crystal_id TEXT    NOT NULL PRIMARY KEY REFERENCES crystal (id) ON DELETE CASCADE,
	project_id INTEGER NOT NULL, -- 0: about the person
	importance REAL    NOT NULL,
	at         INTEGER NOT NULL,
	state_id   INTEGER,           -- the dream that took it; NULL: it waits
	checksum   INTEGER NOT NULL DEFAULT -1
) STRICT;

CREATE INDEX note_waiting ON note (project_id, at) WHERE state_id IS NULL;

-- States as dreams wrote them, and those that were refused. The sections about the person belong to project 0.
CREATE TABLE state (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	at         INTEGER NOT NULL,
	by         TEXT    NOT NULL, -- rules, llm, agent, user
	text       TEXT    NOT NULL,
	refused    TEXT    NOT NULL, -- why it did not become the state; empty: it did
	checksum   INTEGER NOT NULL DEFAULT -1
) STRICT;

CREATE INDEX state_by_project ON state (project_id, id);

CREATE TABLE mood (
	at       INTEGER NOT NULL,
	reward   REAL    NOT NULL,
	stress   REAL    NOT NULL,
	bond     REAL    NOT NULL,
	why      TEXT    NOT NULL,
	checksum INTEGER NOT NULL DEFAULT -1
) STRICT;

CREATE INDEX mood_by_time ON mood (at);

-- What skills earn and cost, in millionths of a USDC.
CREATE TABLE ledger (
	id       TEXT    NOT NULL PRIMARY KEY,
	at       INTEGER NOT NULL,
	amount   INTEGER NOT NULL, -- below zero: spent
	skill    TEXT    NOT NULL,
	buyer    TEXT    NOT NULL,
	note     TEXT    NOT NULL,
	checksum INTEGER NOT NULL DEFAULT -1
) STRICT;

CREATE INDEX ledger_by_time ON ledger (at);

CREATE TABLE goal (
	id         TEXT    NOT NULL PRIMARY KEY,
	project_id INTEGER NOT NULL, -- 0: of the person, everywhere
	status     TEXT    NOT NULL,
	data       TEXT    NOT NULL, -- the goal as JSON
	checksum   INTEGER NOT NULL DEFAULT -1
) STRICT;

CREATE INDEX goal_by_project ON goal (project_id, status);

-- What thinking between tasks connected to a goal.
CREATE TABLE connection (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	goal_id    TEXT    NOT NULL REFERENCES goal (id) ON DELETE CASCADE,
	at         INTEGER NOT NULL, -- when it was shown
	strength   REAL    NOT NULL,
	keys       TEXT    NOT NULL, -- what identifies the thought, each followed by a line end
	why        TEXT    NOT NULL,
	outcome    TEXT    NOT NULL, -- used, wrong, or empty
	data       TEXT    NOT NULL, -- the episode, its files, the depth (JSON)
	checksum   INTEGER NOT NULL DEFAULT -1
) STRICT;

CREATE INDEX connection_by_project ON connection (project_id, at);
CREATE INDEX connection_by_goal ON connection (goal_id);
