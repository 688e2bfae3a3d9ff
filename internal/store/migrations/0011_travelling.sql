-- Events carry the version of their form, and the time of a clock that was ahead of this one. Their hashes are those of the form in which they travel:
-- package store computes them right after this step.
ALTER TABLE event ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE event ADD COLUMN ahead INTEGER;

-- A project that is to be rebuilt has a mark of its own, which says how far that is.
INSERT INTO fact (name, project_id, subject, at, value, checksum)
	SELECT 'anew', project.id, '', fact.at, '{"since":"2026-11-20T00:00:00Z"}', -1 FROM fact JOIN project WHERE fact.name = 'anew' AND fact.value <> '[]' AND fact.value <> 'null';
DELETE FROM fact WHERE name = 'anew' AND project_id = 0;
DELETE FROM fact WHERE name = 'transcripts'; -- which projects were to be put in order: they are marked at once
