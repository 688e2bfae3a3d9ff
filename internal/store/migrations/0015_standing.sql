-- What holds beyond the moment it was said: 1 is preferred, 2 is wanted always. Texts that are there are judged by how they begin, coarsely;
-- those to come are read by sentences.
ALTER TABLE document ADD COLUMN standing {int} NOT NULL DEFAULT 0;

UPDATE document SET standing = 2 WHERE origin = 'user' AND (kind = 'preference' OR kind = 'session' AND title = 'prompt')
	AND (LOWER(text) LIKE 'always %' OR LOWER(text) LIKE 'never %' OR LOWER(text) LIKE '%from now on%');
UPDATE document SET standing = 1 WHERE standing = 0 AND (kind = 'preference' AND origin IN ('user', 'agent')
	OR kind = 'session' AND title = 'prompt' AND origin = 'user' AND LOWER(text) LIKE '%i prefer %');

CREATE INDEX document_standing ON document (project_id, at) WHERE standing > 0;
