-- Text memory: what was said, decided and learned, found again by its words and by its meaning.

-- Everything that can be found. A document never changes: one that says something else is another row.
CREATE TABLE document (
	id         {serial},
	ref        {text} NOT NULL UNIQUE, -- what it is the text of: a crystal, a commit, a stretch of a session, a fragment of code
	project_id {int}  NOT NULL,        -- 0: of the person, in every project
	kind       {text} NOT NULL,
	origin     {text} NOT NULL,
	at         {int}  NOT NULL,
	path       {text} NOT NULL,
	title      {text} NOT NULL,
	text       {text} NOT NULL,
	words      {text} NOT NULL,        -- as they are compared: cut, stemmed, without stop words
	around     {text} NOT NULL,        -- likewise, of what stands before and behind it
	scope      {text} NOT NULL,        -- its project as a word
	length     {int}  NOT NULL,        -- in words
	hash       {int}  NOT NULL,
	session_id {int},
	event_seq  {int} REFERENCES event (seq) ON DELETE CASCADE
) {strict};

CREATE INDEX document_by_project ON document (project_id, kind, at);
CREATE INDEX document_by_event ON document (event_seq);
CREATE INDEX document_by_session ON document (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX document_by_path ON document (project_id, path) WHERE path <> '';

{fulltext}

-- In how many documents a word occurs: the rare ones lead a search. Words stand here by their hash: of a deleted row SQLite may
-- leave bytes in its page, and a word may be a secret.
CREATE TABLE term (
	word {int} NOT NULL PRIMARY KEY,
	docs {int} NOT NULL
) {strict};

-- Meaning, one row for each space in which a document has a direction.
CREATE TABLE vector (
	space       {text} NOT NULL,
	document_id {int}  NOT NULL REFERENCES document (id) ON DELETE CASCADE,
	project_id  {int}  NOT NULL,
	data        {blob} NOT NULL,
	PRIMARY KEY (space, document_id)
) {clustered};

CREATE INDEX vector_by_document ON vector (document_id);

-- Source files whose fragments are documents, as they were when they were read.
CREATE TABLE source (
	project_id {int}  NOT NULL,
	path       {text} NOT NULL,
	size       {int}  NOT NULL,
	modified   {int}  NOT NULL, -- nanoseconds since 1970
	hash       {int}  NOT NULL,
	skipped    {text} NOT NULL, -- why it has no fragments
	PRIMARY KEY (project_id, path)
) {clustered};

-- Where a fragment stands in its file. Lines move without its text changing.
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
	parents     {text} NOT NULL, -- IDs, each followed by a space
	said_at     {int}  NOT NULL,
	valid_to    {int},           -- another statement took its place then
	last_at     {int}  NOT NULL,
	accesses    {int}  NOT NULL,
	gap_hours   {real} NOT NULL,
	unsure      {int}  NOT NULL, -- the code it speaks of has changed
	hash        {int}  NOT NULL  -- of what it says
) {strict};

CREATE INDEX crystal_by_hash ON crystal (hash);
CREATE INDEX crystal_by_subject ON crystal (subject) WHERE subject <> '';
CREATE INDEX crystal_by_said ON crystal (said_at);
CREATE INDEX crystal_unsure ON crystal (id) WHERE unsure = 1;

-- The places in the code that a crystal speaks of.
CREATE TABLE anchor (
	crystal_id {text} NOT NULL REFERENCES crystal (id) ON DELETE CASCADE,
	path       {text} NOT NULL,
	symbol     {text} NOT NULL, -- empty: the whole file
	commit_id  {text} NOT NULL,
	hash       {int}  NOT NULL,
	PRIMARY KEY (crystal_id, path, symbol)
) {clustered};

CREATE INDEX anchor_by_path ON anchor (path);

-- What happened to crystals, so that nothing goes without a trace.
CREATE TABLE audit (
	id         {serial},
	crystal_id {text} NOT NULL,
	at         {int}  NOT NULL,
	what       {text} NOT NULL, -- said, used, merged, superseded, expired, confirmed, doubted, restored
	detail     {text} NOT NULL
) {strict};

CREATE INDEX audit_by_crystal ON audit (crystal_id);

-- The knowledge graph.
CREATE TABLE entity (
	project_id {int}  NOT NULL,
	name       {text} NOT NULL,
	type       {text} NOT NULL,
	created_at {int}  NOT NULL,
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
	PRIMARY KEY (project_id, entity, hash),
	FOREIGN KEY (project_id, entity) REFERENCES entity (project_id, name) ON DELETE CASCADE ON UPDATE CASCADE
) {clustered};

CREATE TABLE relation (
	project_id {int}  NOT NULL,
	source     {text} NOT NULL,
	type       {text} NOT NULL,
	target     {text} NOT NULL,
	created_at {int}  NOT NULL,
	PRIMARY KEY (project_id, source, type, target),
	FOREIGN KEY (project_id, source) REFERENCES entity (project_id, name) ON DELETE CASCADE ON UPDATE CASCADE,
	FOREIGN KEY (project_id, target) REFERENCES entity (project_id, name) ON DELETE CASCADE ON UPDATE CASCADE
) {clustered};

CREATE INDEX relation_by_target ON relation (project_id, target);
