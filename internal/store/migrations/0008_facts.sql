-- Small documents and records that are read as a whole are facts: they need no tables of their own. Their rows get checksums right after this step.
-- What is about a crystal has its ID as the subject and its project.
INSERT INTO fact (name, project_id, subject, at, value) SELECT 'lease', 0, name, until, json_quote(holder) FROM lease;
INSERT INTO fact (name, project_id, subject, at, value) SELECT 'tombstone', 0, event_id, forgotten_at, 'true' FROM tombstone;
INSERT INTO fact (name, project_id, subject, at, value) SELECT 'page', 0, name, at, json_object('text', text, 'by', by) FROM page;
INSERT INTO fact (name, project_id, subject, at, value) SELECT 'view', 0, name, at, json_quote(text) FROM view;
INSERT INTO fact (name, project_id, subject, at, value)
	SELECT 'payment', 0, id, at, json_object('amount', amount, 'skill', skill, 'buyer', buyer, 'note', note) FROM ledger;
INSERT INTO fact (name, project_id, subject, at, value)
	SELECT 'mood/felt', 0, substr('0000000000' || n, length('' || n) + 1), at,
		json_object('reward', reward, 'stress', stress, 'bond', bond, 'why', why)
	FROM (SELECT mood.*, ROW_NUMBER() OVER (ORDER BY at) AS n FROM mood) AS numbered;
INSERT INTO fact (name, project_id, subject, at, value)
	SELECT 'sleep/report', 0, substr('0000000000' || id, length('' || id) + 1), at,
		json_object('id', id, 'why', why, 'report', report) FROM sleep;
INSERT INTO fact (name, project_id, subject, at, value)
	SELECT 'pin', document.project_id, crystal_id, pin.at, json_object('title', pin.title, 'normal', normal, 'reason', reason)
	FROM pin JOIN crystal ON crystal.id = crystal_id JOIN document ON document.id = document_id;
INSERT INTO fact (name, project_id, subject, at, value)
	SELECT 'note', document.project_id, crystal_id, note.at, json_quote(note.importance)
	FROM note JOIN crystal ON crystal.id = crystal_id JOIN document ON document.id = document_id WHERE state_id IS NULL;
INSERT INTO fact (name, project_id, subject, at, value)
	SELECT 'note/taken', document.project_id, crystal_id, note.at, json_quote(state_id)
	FROM note JOIN crystal ON crystal.id = crystal_id JOIN document ON document.id = document_id WHERE state_id IS NOT NULL;

-- After the checksums: these statements lock out those who still read.

DROP TABLE lease;
DROP TABLE tombstone;
DROP TABLE page;
DROP TABLE view;
DROP TABLE ledger;
DROP TABLE mood;
DROP TABLE sleep;
DROP TABLE pin;
DROP TABLE note;

-- Counted for a cache of texts that is no more.
ALTER TABLE totals DROP COLUMN deleted;
