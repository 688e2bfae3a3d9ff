-- The foundation: who worked where (project, session), what was seen (event, access) and what it was about (neuron).
-- {int}, {real}, {text}, {serial} and {strict} are filled in per database. Times are unix milliseconds.
-- An index of PostgreSQL takes about 2,700 bytes: indexed texts are bounded where they come in (package brain).

CREATE TABLE meta (
	name  {text} NOT NULL PRIMARY KEY,
	value {text} NOT NULL
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
	last_ord      {int}  NOT NULL DEFAULT 0    -- numbered so far; forgetting leaves gaps
) {strict};

CREATE INDEX session_by_agent ON session (agent_session, agent);
CREATE INDEX session_by_project ON session (project_id, last_event_at);
CREATE INDEX session_open ON session (last_event_at) WHERE closed_at IS NULL;

CREATE TABLE event (
	seq        {serial},
	id         {text} NOT NULL UNIQUE,     -- made by whoever saw it; drawing it twice stores it once
	project_id {int}  NOT NULL REFERENCES project (id),
	session_id {int}  REFERENCES session (id),
	ord        {int}  NOT NULL,            -- position in its session, 0 outside any
	at         {int}  NOT NULL,
	kind       {text} NOT NULL,
	origin     {text} NOT NULL,
	agent      {text} NOT NULL,
	subagent   {text} NOT NULL,
	tool       {text} NOT NULL,
	input      {text} NOT NULL,
	text       {text} NOT NULL,
	hash       {int}  NOT NULL             -- of all the above and the accesses: damage shows
) {strict};

CREATE INDEX event_by_session ON event (session_id, ord);
CREATE INDEX event_by_project ON event (project_id, at);
CREATE INDEX event_by_time ON event (at);

CREATE TABLE neuron (
	id         {int}  NOT NULL PRIMARY KEY, -- hash of project, kind, key
	project_id {int}  NOT NULL REFERENCES project (id),
	kind       {text} NOT NULL,
	key        {text} NOT NULL,
	accesses   {int}  NOT NULL,
	first_at   {int}  NOT NULL,
	last_at    {int}  NOT NULL
) {strict};

CREATE INDEX neuron_by_project ON neuron (project_id, kind, last_at);

CREATE TABLE access (
	event_seq {int}  NOT NULL REFERENCES event (seq) ON DELETE CASCADE,
	n         {int}  NOT NULL,
	neuron_id {int}  NOT NULL REFERENCES neuron (id),
	kind      {text} NOT NULL,
	PRIMARY KEY (event_seq, n)
) {strict};

CREATE INDEX access_by_neuron ON access (neuron_id, event_seq);

-- An event that was forgotten on purpose is not learned again from the same source.
CREATE TABLE tombstone (
	event_id     {text} NOT NULL PRIMARY KEY,
	forgotten_at {int}  NOT NULL
) {strict};
