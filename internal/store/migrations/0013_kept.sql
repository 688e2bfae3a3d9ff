-- A name is that of a page or an entity, also of the entity that an observation is about or a relation begins at; of a pin its title as titles
-- are compared.
DROP INDEX memory_by_name;
CREATE INDEX memory_by_name ON memory (project_id, kind, name) WHERE name <> '';

-- All that somebody keeps is a memory. derived_id (kind, project, parts…) is memory.DerivedID.
INSERT INTO memory (id, project_id, kind, name, text, origin, subject, importance, valence, lifecycle, source, session_id, heard, parents, said_at, valid_to,
	last_at, accesses, gap_hours, unsure, marks, more, hash)
WITH kept (id, project_id, kind, name, text, origin, subject, importance, lifecycle, source, parents, said_at, valid_to, accesses, marks, more) AS (
	SELECT id, project_id, 'concern', '', json_extract(data, '$.title'), json_extract(data, '$.origin'), '', 0.0, status, '', '',
		CAST(round((julianday(json_extract(data, '$.created_at')) - 2440587.5) * 86400000) AS INTEGER), NULL, 0, '',
		json_remove(data, '$.id', '$.project', '$.title', '$.status', '$.origin', '$.created_at')
	FROM goal
	UNION ALL SELECT printf('%026d', id), project_id, 'thought', '', why, '', goal_id, strength, outcome, '', '', at, NULL, 0, keys, iif(data = '{}', '', data)
	FROM connection
	UNION ALL SELECT derived_id('page', 0, subject), 0, 'page', subject, json_extract(value, '$.text'), json_extract(value, '$.by'), '', 0.0, '', '', '', at, NULL, 0, '', ''
	FROM fact WHERE name = 'page'
	UNION ALL SELECT subject, 0, 'payment', '', COALESCE(json_extract(value, '$.note'), ''), '', '', 0.0, '', '', '', at, NULL, 0, '',
		json_remove(value, '$.id', '$.at', '$.note')
	FROM fact WHERE name = 'payment'
	UNION ALL SELECT derived_id('gap', project_id, json_extract(gap.value, '$.text')), project_id, 'gap', '', json_extract(gap.value, '$.text'),
		json_extract(gap.value, '$.origin'), '', 0.0, '', '', '',
		CAST(round((julianday(json_extract(gap.value, '$.at')) - 2440587.5) * 86400000) AS INTEGER), NULL, json_extract(gap.value, '$.times'), '', ''
	FROM fact, json_each(fact.value) AS gap WHERE name = 'dream/gaps'
	UNION ALL SELECT derived_id('pin', fact.project_id, fact.subject), fact.project_id, 'pin', json_extract(value, '$.normal'), json_extract(value, '$.title'),
		COALESCE(NULLIF(json_extract(value, '$.by'), ''), memory.origin), fact.subject, 0.0, '', COALESCE(json_extract(value, '$.reason'), ''), '', at, NULL, 0, '', ''
	FROM fact JOIN memory ON memory.id = fact.subject WHERE fact.name = 'pin'
	UNION ALL SELECT derived_id('note', fact.project_id, fact.subject), fact.project_id, 'note', '', '', '', fact.subject, iif(fact.name = 'note', value + 0.0, 0.0),
		iif(fact.name = 'note', 'generated', 'archived'), '', '', at, NULL, 0, '', ''
	FROM fact JOIN memory ON memory.id = fact.subject WHERE fact.name IN ('note', 'note/taken')
	UNION ALL SELECT derived_id('entity', project_id, name), project_id, 'entity', name, type, origin, '', 0.0, '', '', '', created_at, NULL, 0, '', ''
	FROM entity
	UNION ALL SELECT derived_id('observation', project_id, entity, text), project_id, 'observation', entity, text, origin, derived_id('entity', project_id, entity), confidence, '',
		'', '', said_at, valid_to, 0, '', ''
	FROM observation
	UNION ALL SELECT derived_id('relation', project_id, source, type, target), project_id, 'relation', source, type, '', derived_id('entity', project_id, source), 0.0, '', target,
		derived_id('entity', project_id, target) || ' ', created_at, NULL, 0, '', ''
	FROM relation
)
SELECT id, project_id, kind, name, text, origin, subject, importance, 0.0, lifecycle, source, 0, 0.0, parents, said_at, valid_to, -62135596800000, accesses, 0.0, 0,
	marks, more, derived_hash(project_id, kind, text)
FROM kept;

DELETE FROM fact WHERE name IN ('page', 'payment', 'dream/gaps', 'pin', 'note', 'note/taken');

-- After the checksums: these statements lock out those who still read.

DROP TABLE connection;
DROP TABLE goal;
DROP TABLE relation;
DROP TABLE observation;
DROP TABLE entity;
