-- Homeostasis scales each project by itself. A row is what weights and myelin of a project are scaled by from then on, as a
-- sum of logarithms: for events numbered above seq, until the next row. The row with the largest seq holds now.
CREATE TABLE balance (
	project_id {int}  NOT NULL REFERENCES project (id),
	seq        {int}  NOT NULL, -- latest event of the project when it was written
	weight     {real} NOT NULL,
	myelin     {real} NOT NULL,
	PRIMARY KEY (project_id, seq)
) {clustered};

-- There was one pair of figures for all projects: each begins with these.
INSERT INTO balance (project_id, seq, weight, myelin)
	SELECT id, 0,
		COALESCE((SELECT CAST(value AS {real}) FROM meta WHERE name = 'balance/weight'), 0),
		COALESCE((SELECT CAST(value AS {real}) FROM meta WHERE name = 'balance/myelin'), 0)
	FROM project WHERE EXISTS (SELECT 1 FROM meta WHERE name IN ('balance/weight', 'balance/myelin'));
DELETE FROM meta WHERE name IN ('balance/weight', 'balance/myelin', 'sleep/held', 'sleep/cursor');

-- Sleep goes through one project after the other.
DROP INDEX synapse_by_project;
CREATE INDEX synapse_by_project ON synapse (project_id, a);
CREATE INDEX neuron_of_project ON neuron (project_id, id);
DROP INDEX neuron_gone;
CREATE INDEX neuron_gone ON neuron (project_id, id) WHERE gone = 1 AND links > 0;
DROP INDEX neuron_lone;
CREATE INDEX neuron_lone ON neuron (project_id, id) WHERE links = 0 AND gone = 0;
