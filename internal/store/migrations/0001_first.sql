-- The schema of the first release, for both databases: the words in braces are filled in per database. Times are unix milliseconds.
-- Indexed texts are bounded where they come in (package brain), because a PostgreSQL index entry takes about 2,700 bytes.
--
-- checksum covers what was written into its row, so that doctor --deep finds a byte that changed on the disk.

-- One row: figures of the whole store.
CREATE TABLE totals (
	id              {int}  NOT NULL PRIMARY KEY,
	documents       {int}  NOT NULL, -- kept now
	words           {int}  NOT NULL, -- of all of them together
	deleted         {int}  NOT NULL, -- documents, so far
	replaced        {int}  NOT NULL, -- when another state of the store, such as a backup, took the place of this one
	flushed         {int}  NOT NULL, -- changes with every durable commit, so that it reaches the disk
	weight_rate     {real} NOT NULL, -- what a day leaves of decaying values: the rates under which they are stored
	myelin_rate     {real} NOT NULL,
	activation_rate {real} NOT NULL
) {strict};

INSERT INTO totals VALUES (1, 0, 0, 0, 0, 0, 0, 0, 0);

-- Values that are kept as a whole: the progress of jobs, and small documents.
CREATE TABLE fact (
	name       {text} NOT NULL,
	project_id {int}  NOT NULL, -- 0: of the whole store
	subject    {text} NOT NULL, -- what else it is about, if anything
	at         {int}  NOT NULL, -- when it was set
	value      {text} NOT NULL, -- JSON
	PRIMARY KEY (name, project_id, subject)
) {clustered};

-- Which process may do what only one may do at a time. A holder that does not renew its lease loses it.
CREATE TABLE lease (
	name   {text} NOT NULL PRIMARY KEY,
	holder {text} NOT NULL,
	until  {int}  NOT NULL
) {strict};

CREATE TABLE project (
	id       {int}  NOT NULL PRIMARY KEY, -- hash of identity
	identity {text} NOT NULL,             -- not indexed: it may be longer than an index of PostgreSQL takes, and id stands for it
	root     {text} NOT NULL,
	name     {text} NOT NULL,
	tagged   {int}  NOT NULL DEFAULT 0,   -- the name was given by a person and stays
	first_at {int}  NOT NULL,
	last_at  {int}  NOT NULL,
	clock    {int}  NOT NULL DEFAULT 0    -- sessions closed so far
) {strict};

CREATE INDEX project_by_name ON project (name);

CREATE TABLE session (
	id            {int}  NOT NULL PRIMARY KEY, -- hash of agent, agent_session, project
	project_id    {int}  NOT NULL REFERENCES project (id),
	agent         {text} NOT NULL,
	agent_session {text} NOT NULL,
	opened_at     {int}  NOT NULL,
	last_event_at {int}  NOT NULL,
	closed_at     {int},
	close_reason  {text} NOT NULL DEFAULT '',
	recovered     {int}  NOT NULL DEFAULT 0,
	ticked        {int}  NOT NULL DEFAULT 0,
	intent        {text} NOT NULL DEFAULT '',
	by_hand       {int}  NOT NULL DEFAULT 0,   -- a person set the intent
	events        {int}  NOT NULL DEFAULT 0,   -- kept now
	last_ord      {int}  NOT NULL DEFAULT 0,   -- numbered so far; forgetting leaves gaps
	learned_ord   {int}  NOT NULL DEFAULT 0,   -- events up to here have become episodes
	happened      {text} NOT NULL DEFAULT '',  -- its summary
	learned       {text} NOT NULL DEFAULT '',
	next          {text} NOT NULL DEFAULT '',
	told_by       {text} NOT NULL DEFAULT '',  -- who wrote the summary
	told_at       {int},                       -- NULL: no summary yet
	checksum      {int}  NOT NULL DEFAULT -1
) {strict};

CREATE INDEX session_by_agent ON session (agent_session, agent);
CREATE INDEX session_by_project ON session (project_id, last_event_at);
CREATE INDEX session_open ON session (last_event_at) WHERE closed_at IS NULL;
CREATE INDEX session_untold ON session (closed_at) WHERE told_at IS NULL AND closed_at IS NOT NULL;

CREATE TABLE event (
	seq          {serial},
	id           {text} NOT NULL UNIQUE,     -- made by the process that saw it; storing it twice keeps one row
	project_id   {int}  NOT NULL REFERENCES project (id),
	session_id   {int}  REFERENCES session (id),
	ord          {int}  NOT NULL,            -- position in its session, 0 outside any
	at           {int}  NOT NULL,
	kind         {text} NOT NULL,
	origin       {text} NOT NULL,
	agent        {text} NOT NULL,
	subagent     {text} NOT NULL,
	tool         {text} NOT NULL,
	input        {text} NOT NULL,
	text         {text} NOT NULL,
	result_bytes {int},                      -- size of the tool's answer; NULL where the agent does not report it
	command      {int}  NOT NULL DEFAULT 0,  -- of a tool call: hash of its input as a command line, equal for the same command; 0: none
	hash         {int}  NOT NULL             -- of all the above and the accesses
) {strict};

CREATE INDEX event_by_session ON event (session_id, ord);
CREATE INDEX event_by_project ON event (project_id, at);
CREATE INDEX event_by_time ON event (at);
CREATE INDEX event_by_command ON event (project_id, command, at) WHERE command <> 0;

-- An event that was forgotten on purpose is not learned again from the same source.
CREATE TABLE tombstone (
	event_id     {text} NOT NULL PRIMARY KEY,
	forgotten_at {int}  NOT NULL
) {strict};

-- Associative memory. All of it is derived from the events and can be made again from them.
-- A decaying value is kept as ln(x) + rate * days, so that time changes no row; -1e300 stands for 0.
CREATE TABLE neuron (
	id         {int}  NOT NULL PRIMARY KEY, -- hash of project, kind, key
	project_id {int}  NOT NULL REFERENCES project (id),
	kind       {text} NOT NULL,
	key        {text} NOT NULL,
	accesses   {int}  NOT NULL,
	first_at   {int}  NOT NULL,
	last_at    {int}  NOT NULL,
	myelin     {real} NOT NULL DEFAULT -1e300,
	activation {real} NOT NULL DEFAULT -1e300,
	links      {int}  NOT NULL DEFAULT 0, -- synapses it is an end of
	ignored    {int}  NOT NULL DEFAULT 0, -- consecutive suggestions that were not used
	standing   {real} NOT NULL DEFAULT 1, -- factor on its score after being ignored
	gone       {int}  NOT NULL DEFAULT 0, -- deleted, or renamed away
	peak       {real} NOT NULL DEFAULT -1e300, -- myelin at its last use
	reviews    {int}  NOT NULL DEFAULT 0, -- by sleep, since its last use
	boosted    {int}  NOT NULL DEFAULT 0, -- by sleep, since its last use
	damped     {int}  NOT NULL DEFAULT 0  -- day since 1970 on which sleep damped it last
) {strict};

-- No index over myelin, nor over a synapse's origin: every access writes them, and only lists for people read them.
CREATE INDEX neuron_by_project ON neuron (project_id, kind, last_at);
CREATE INDEX neuron_of_project ON neuron (project_id, id); -- sleep goes through one project after the other
CREATE INDEX neuron_diminished ON neuron (project_id) WHERE standing < 1;
CREATE INDEX neuron_gone ON neuron (project_id, id) WHERE gone = 1 AND links > 0;
CREATE INDEX neuron_lone ON neuron (project_id, id) WHERE links = 0 AND gone = 0;

CREATE TABLE access (
	event_seq {int}  NOT NULL REFERENCES event (seq) ON DELETE CASCADE,
	n         {int}  NOT NULL,
	neuron_id {int}  NOT NULL REFERENCES neuron (id),
	kind      {text} NOT NULL,
	old_path  {text} NOT NULL DEFAULT '', -- the file's old name in a rename
	PRIMARY KEY (event_seq, n)
) {strict};

CREATE INDEX access_by_neuron ON access (neuron_id, event_seq);

CREATE TABLE synapse (
	a            {int}  NOT NULL REFERENCES neuron (id), -- the smaller ID
	b            {int}  NOT NULL REFERENCES neuron (id),
	project_id   {int}  NOT NULL REFERENCES project (id),
	ab           {real} NOT NULL, -- weight from a to b, as a decaying value
	ba           {real} NOT NULL,
	co_accesses  {int}  NOT NULL,
	co_sessions  {int}  NOT NULL,
	origin       {text} NOT NULL, -- agent: learned from sessions; repo: from commits; import: from the source text
	tagged_at    {int},           -- new, and waiting for a second co-access
	last_at      {int}  NOT NULL,
	last_event   {text} NOT NULL,
	session_id   {int}  NOT NULL, -- the last session that changed it, and by how much
	session_gain {real} NOT NULL,
	day          {int}  NOT NULL, -- likewise for the day
	day_gain     {real} NOT NULL,
	checksum     {int}  NOT NULL DEFAULT -1,
	PRIMARY KEY (a, b)
) {strict};

CREATE INDEX synapse_by_b ON synapse (b);
CREATE INDEX synapse_by_project ON synapse (project_id, a);
CREATE INDEX synapse_tagged ON synapse (tagged_at) WHERE tagged_at IS NOT NULL;

-- Homeostasis scales each project by itself. A row is what weights and myelin of a project are scaled by from then on, as a
-- sum of logarithms: for events numbered above seq, until the next row. The row with the largest seq holds now.
CREATE TABLE balance (
	project_id {int}  NOT NULL REFERENCES project (id),
	seq        {int}  NOT NULL, -- latest event of the project when it was written
	weight     {real} NOT NULL,
	myelin     {real} NOT NULL,
	PRIMARY KEY (project_id, seq)
) {clustered};

-- The past of a project as ranking reads it, packed. Package recall knows the format.
CREATE TABLE block (
	project_id {int}  NOT NULL REFERENCES project (id),
	kind       {int}  NOT NULL,
	number     {int}  NOT NULL,
	version    {int}  NOT NULL, -- one count per project, so that a reader fetches only what is new
	data       {blob} NOT NULL,
	checksum   {int}  NOT NULL DEFAULT -1,
	PRIMARY KEY (project_id, kind, number)
) {strict};

CREATE INDEX block_by_version ON block (project_id, version);

-- One line shown to an agent, and whether it was used.
CREATE TABLE suggestion (
	id         {text} NOT NULL PRIMARY KEY,
	event_seq  {int}  NOT NULL REFERENCES event (seq) ON DELETE CASCADE,
	n          {int}  NOT NULL,            -- position in what was shown
	project_id {int}  NOT NULL REFERENCES project (id),
	session_id {int}  NOT NULL,
	neuron_id  {int}  NOT NULL,
	moment     {text} NOT NULL,            -- start, prompt, edit, command, error, compact, subagent
	kind       {text} NOT NULL,            -- file, fix, preload, memory, command, convention, context
	path       {text} NOT NULL,            -- empty: names no file
	crystal_id {text} NOT NULL,            -- empty: shows no memory
	score      {real} NOT NULL,
	confidence {real} NOT NULL,
	reason     {text} NOT NULL,
	tokens     {int}  NOT NULL,
	held       {int}  NOT NULL,            -- withheld from the agent, for comparison
	shown_at   {int}  NOT NULL,
	outcome    {text} NOT NULL DEFAULT '', -- used (changed), opened, ignored, unknown; empty while the session runs
	settled_at {int},
	checksum   {int}  NOT NULL DEFAULT -1
) {strict};

CREATE INDEX suggestion_by_event ON suggestion (event_seq);
CREATE INDEX suggestion_by_session ON suggestion (session_id, shown_at);
CREATE INDEX suggestion_by_project ON suggestion (project_id, shown_at);

-- What sleep removed: it can be restored for a while, and is not learned again from the same evidence later.
CREATE TABLE forgotten (
	a          {int}  NOT NULL,
	b          {int}  NOT NULL,            -- 0: a is a neuron, otherwise both are the ends of a link
	project_id {int}  NOT NULL REFERENCES project (id),
	reason     {text} NOT NULL,
	at         {int}  NOT NULL,
	sleep_id   {int}  NOT NULL,
	data       {text} NOT NULL,            -- the row as JSON; empty once it can no longer be restored
	PRIMARY KEY (a, b)
) {clustered};

CREATE INDEX forgotten_by_b ON forgotten (b);
CREATE INDEX forgotten_by_project ON forgotten (project_id, at);
CREATE INDEX forgotten_whole ON forgotten (at) WHERE data <> '';

-- One row for each sleep that did something.
CREATE TABLE sleep (
	id     {serial},
	at     {int}  NOT NULL,
	why    {text} NOT NULL, -- close, idle, asked
	report {text} NOT NULL  -- JSON
) {strict};

-- Text memory. A document is everything that search can find; it never changes: other text is another row.
CREATE TABLE document (
	id         {serial},
	ref        {text} NOT NULL UNIQUE,     -- what it is the text of: a crystal, a commit, a session segment, a code snippet
	project_id {int}  NOT NULL,            -- 0: of the person, in every project
	kind       {text} NOT NULL,
	origin     {text} NOT NULL,
	at         {int}  NOT NULL,
	path       {text} NOT NULL,
	title      {text} NOT NULL,
	text       {text} NOT NULL,
	words      {text} NOT NULL,            -- as they are compared: cut, stemmed, without stop words
	around     {text} NOT NULL,            -- likewise, of the text before and after it
	scope      {text} NOT NULL,            -- its project and its group, each as a word
	length     {int}  NOT NULL,            -- in words
	hash       {int}  NOT NULL,
	session_id {int},
	event_seq  {int} REFERENCES event (seq) ON DELETE CASCADE
) {strict};

CREATE INDEX document_by_project ON document (project_id, kind, at);
CREATE INDEX document_by_event ON document (event_seq);
CREATE INDEX document_by_session ON document (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX document_by_path ON document (project_id, path) WHERE path <> '';

{fulltext}

-- In how many documents of a group a word occurs. Words are kept as hashes: SQLite may leave bytes of a deleted row in its page, and a
-- word may be a secret.
CREATE TABLE term (
	word {int} NOT NULL PRIMARY KEY,
	docs {int} NOT NULL
) {strict};

-- The vector of a document, one row for each embedding model.
CREATE TABLE vector (
	space       {text} NOT NULL, -- the model
	document_id {int}  NOT NULL REFERENCES document (id) ON DELETE CASCADE,
	project_id  {int}  NOT NULL,
	kind        {text} NOT NULL, -- of the document
	data        {blob} NOT NULL,
	PRIMARY KEY (space, document_id)
) {clustered};

CREATE INDEX vector_by_document ON vector (document_id);

-- Source files and documents of the repository whose parts are documents here, as they were when they were read.
CREATE TABLE source (
	project_id {int}  NOT NULL,
	path       {text} NOT NULL,
	size       {int}  NOT NULL,
	modified   {int}  NOT NULL, -- nanoseconds since 1970
	hash       {int}  NOT NULL,
	skipped    {text} NOT NULL, -- why it has no snippets
	PRIMARY KEY (project_id, path)
) {clustered};

-- The lines of a snippet or of a section. They move without its text changing.
CREATE TABLE snippet (
	document_id {int} NOT NULL PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
	first_line  {int} NOT NULL,
	last_line   {int} NOT NULL
) {strict};

-- What a document is as a memory of its own.
CREATE TABLE crystal (
	id          {text} NOT NULL PRIMARY KEY,
	document_id {int}  NOT NULL UNIQUE REFERENCES document (id),
	kind        {text} NOT NULL,
	subject     {text} NOT NULL,
	importance  {real} NOT NULL,
	valence     {real} NOT NULL,
	lifecycle   {text} NOT NULL,
	source      {text} NOT NULL,
	session_id  {int}  NOT NULL, -- in which it was said in passing; 0: somebody asked to remember it
	heard       {real} NOT NULL, -- the probability that it is worth keeping
	parents     {text} NOT NULL, -- IDs, each followed by a space
	said_at     {int}  NOT NULL,
	valid_to    {int},           -- when another statement superseded it
	last_at     {int}  NOT NULL,
	accesses    {int}  NOT NULL,
	gap_hours   {real} NOT NULL,
	unsure      {int}  NOT NULL, -- the code it refers to has changed
	hash        {int}  NOT NULL, -- of its text
	checksum    {int}  NOT NULL DEFAULT -1
) {strict};

CREATE INDEX crystal_by_hash ON crystal (hash);
CREATE INDEX crystal_by_subject ON crystal (subject) WHERE subject <> '';
CREATE INDEX crystal_by_said ON crystal (said_at);
CREATE INDEX crystal_by_kind ON crystal (kind, said_at);
CREATE INDEX crystal_heard ON crystal (said_at) WHERE heard > 0;
CREATE INDEX crystal_by_session ON crystal (session_id) WHERE session_id <> 0;
CREATE INDEX crystal_unsure ON crystal (id) WHERE unsure = 1;

-- The places in the code that a crystal refers to.
CREATE TABLE anchor (
	crystal_id {text} NOT NULL REFERENCES crystal (id) ON DELETE CASCADE,
	project_id {int}  NOT NULL, -- of the crystal: every search asks for the anchors of a project
	path       {text} NOT NULL,
	symbol     {text} NOT NULL, -- empty: the whole file
	commit_id  {text} NOT NULL,
	hash       {int}  NOT NULL,
	at_hand    {int}  NOT NULL, -- the crystal does not speak of it: it was in use
	checksum   {int}  NOT NULL DEFAULT -1,
	PRIMARY KEY (crystal_id, path, symbol)
) {clustered};

CREATE INDEX anchor_by_path ON anchor (path);
CREATE INDEX anchor_by_project ON anchor (project_id, path);

-- What happened to crystals.
CREATE TABLE audit (
	id         {serial},
	crystal_id {text} NOT NULL,
	at         {int}  NOT NULL,
	what       {text} NOT NULL, -- said, used, merged, superseded, expired, confirmed, doubted, called wrong
	detail     {text} NOT NULL
) {strict};

CREATE INDEX audit_by_crystal ON audit (crystal_id);
CREATE INDEX audit_wrong ON audit (what, crystal_id, detail) WHERE what = 'called wrong';

-- The knowledge graph.
CREATE TABLE entity (
	project_id {int}  NOT NULL,
	name       {text} NOT NULL,
	type       {text} NOT NULL,
	origin     {text} NOT NULL, -- who named it
	created_at {int}  NOT NULL,
	checksum   {int}  NOT NULL DEFAULT -1,
	PRIMARY KEY (project_id, name)
) {clustered};

CREATE TABLE observation (
	project_id {int}  NOT NULL,
	entity     {text} NOT NULL,
	text       {text} NOT NULL,
	origin     {text} NOT NULL,
	confidence {real} NOT NULL,
	said_at    {int}  NOT NULL,
	valid_to   {int},
	hash       {int}  NOT NULL, -- of its text, which may be too long for an index
	checksum   {int}  NOT NULL DEFAULT -1,
	PRIMARY KEY (project_id, entity, hash),
	FOREIGN KEY (project_id, entity) REFERENCES entity (project_id, name) ON DELETE CASCADE ON UPDATE CASCADE
) {clustered};

CREATE TABLE relation (
	project_id {int}  NOT NULL,
	source     {text} NOT NULL,
	type       {text} NOT NULL,
	target     {text} NOT NULL,
	created_at {int}  NOT NULL,
	checksum   {int}  NOT NULL DEFAULT -1,
	PRIMARY KEY (project_id, source, type, target),
	FOREIGN KEY (project_id, source) REFERENCES entity (project_id, name) ON DELETE CASCADE ON UPDATE CASCADE,
	FOREIGN KEY (project_id, target) REFERENCES entity (project_id, name) ON DELETE CASCADE ON UPDATE CASCADE
) {clustered};

CREATE INDEX relation_by_target ON relation (project_id, target);

-- Working memory: how much a file matters at present, by its project's clock. Only files that sessions touched are here.
CREATE TABLE heat (
	neuron_id  {int}  NOT NULL PRIMARY KEY REFERENCES neuron (id) ON DELETE CASCADE,
	project_id {int}  NOT NULL,
	heat       {real} NOT NULL, -- as stored: package plasticity reads it
	touches    {int}  NOT NULL,
	last_at    {int}  NOT NULL,
	session_id {int}  NOT NULL, -- that touched it last
	summary    {text} NOT NULL, -- what the file is
	summary_by {text} NOT NULL,
	note       {text} NOT NULL, -- why it matters at present
	note_by    {text} NOT NULL,
	note_at    {int}  NOT NULL,
	checksum   {int}  NOT NULL DEFAULT -1
) {strict};

CREATE INDEX heat_by_project ON heat (project_id, heat);

CREATE TABLE pin (
	crystal_id {text} NOT NULL PRIMARY KEY REFERENCES crystal (id) ON DELETE CASCADE,
	project_id {int}  NOT NULL, -- 0: everywhere
	normal     {text} NOT NULL, -- title as titles are compared
	title      {text} NOT NULL,
	reason     {text} NOT NULL,
	at         {int}  NOT NULL,
	checksum   {int}  NOT NULL DEFAULT -1,
	UNIQUE (project_id, normal)
) {strict};

-- Pages that people write about themselves and their work.
CREATE TABLE page (
	name     {text} NOT NULL PRIMARY KEY,
	text     {text} NOT NULL,
	by       {text} NOT NULL,
	at       {int}  NOT NULL,
	checksum {int}  NOT NULL DEFAULT -1
) {strict};

-- What hebb last wrote into a Markdown file: any other text there was written by a person.
CREATE TABLE view (
	name     {text} NOT NULL PRIMARY KEY,
	text     {text} NOT NULL,
	at       {int}  NOT NULL,
	checksum {int}  NOT NULL DEFAULT -1
) {strict};

-- A note is a crystal that waits until a dream takes it into the state.
CREATE TABLE note (
	crystal_id {text} NOT NULL PRIMARY KEY REFERENCES crystal (id) ON DELETE CASCADE,
	project_id {int}  NOT NULL, -- 0: about the person
	importance {real} NOT NULL,
	at         {int}  NOT NULL,
	state_id   {int},           -- the dream that took it; NULL: it waits
	checksum   {int}  NOT NULL DEFAULT -1
) {strict};

CREATE INDEX note_waiting ON note (project_id, at) WHERE state_id IS NULL;

-- States as dreams wrote them, and those that were refused. The sections about the person belong to project 0.
CREATE TABLE state (
	id         {serial},
	project_id {int}  NOT NULL,
	at         {int}  NOT NULL,
	by         {text} NOT NULL, -- rules, llm, agent, user
	text       {text} NOT NULL,
	refused    {text} NOT NULL, -- why it did not become the state; empty: it did
	checksum   {int}  NOT NULL DEFAULT -1
) {strict};

CREATE INDEX state_by_project ON state (project_id, id);

CREATE TABLE mood (
	at       {int}  NOT NULL,
	reward   {real} NOT NULL,
	stress   {real} NOT NULL,
	bond     {real} NOT NULL,
	why      {text} NOT NULL,
	checksum {int}  NOT NULL DEFAULT -1
) {strict};

CREATE INDEX mood_by_time ON mood (at);

-- What skills earn and cost, in millionths of a USDC.
CREATE TABLE ledger (
	id       {text} NOT NULL PRIMARY KEY,
	at       {int}  NOT NULL,
	amount   {int}  NOT NULL, -- below zero: spent
	skill    {text} NOT NULL,
	buyer    {text} NOT NULL,
	note     {text} NOT NULL,
	checksum {int}  NOT NULL DEFAULT -1
) {strict};

CREATE INDEX ledger_by_time ON ledger (at);

CREATE TABLE goal (
	id         {text} NOT NULL PRIMARY KEY,
	project_id {int}  NOT NULL, -- 0: of the person, everywhere
	status     {text} NOT NULL,
	data       {text} NOT NULL, -- the goal as JSON
	checksum   {int}  NOT NULL DEFAULT -1
) {strict};

CREATE INDEX goal_by_project ON goal (project_id, status);

-- What thinking between tasks connected to a goal.
CREATE TABLE connection (
	id         {serial},
	project_id {int}  NOT NULL,
	goal_id    {text} NOT NULL REFERENCES goal (id) ON DELETE CASCADE,
	at         {int}  NOT NULL, -- when it was shown
	strength   {real} NOT NULL,
	keys       {text} NOT NULL, -- what identifies the thought, each followed by a line end
	why        {text} NOT NULL,
	outcome    {text} NOT NULL, -- used, wrong, or empty
	data       {text} NOT NULL, -- the episode, its files, the depth (JSON)
	checksum   {int}  NOT NULL DEFAULT -1
) {strict};

CREATE INDEX connection_by_project ON connection (project_id, at);
CREATE INDEX connection_by_goal ON connection (goal_id);
