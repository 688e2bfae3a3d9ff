-- Dreams: notes that wait for one, the state of mind that each leaves, moods, and what skills earn.

-- A note is a crystal that no dream has taken into the state yet. Which dream did is kept.
CREATE TABLE note (
	crystal_id {text} NOT NULL PRIMARY KEY REFERENCES crystal (id) ON DELETE CASCADE,
	project_id {int}  NOT NULL, -- 0: about the person
	importance {real} NOT NULL,
	at         {int}  NOT NULL,
	state_id   {int}            -- none: it waits
) {strict};

CREATE INDEX note_waiting ON note (project_id, at) WHERE state_id IS NULL;

-- States as they were written, and those that were refused. The sections that follow the person belong to project 0.
CREATE TABLE state (
	id         {serial},
	project_id {int}  NOT NULL,
	at         {int}  NOT NULL,
	by         {text} NOT NULL, -- rules, llm, agent, user
	text       {text} NOT NULL,
	refused    {text} NOT NULL  -- why it did not become the state; empty: it did
) {strict};

CREATE INDEX state_by_project ON state (project_id, id);

CREATE TABLE mood (
	at     {int}  NOT NULL,
	reward {real} NOT NULL,
	stress {real} NOT NULL,
	bond   {real} NOT NULL,
	why    {text} NOT NULL
) {strict};

CREATE INDEX mood_by_time ON mood (at);

-- What skills earn and cost, in millionths of a USDC.
CREATE TABLE ledger (
	id     {text} NOT NULL PRIMARY KEY,
	at     {int}  NOT NULL,
	amount {int}  NOT NULL, -- below zero: spent
	skill  {text} NOT NULL,
	buyer  {text} NOT NULL,
	note   {text} NOT NULL
) {strict};

CREATE INDEX ledger_by_time ON ledger (at);
