-- Every meeting of two things moves myelin and writes the origin of their link: an index over either costs each of them,
-- and serves only lists that a person asks for now and then.

DROP INDEX neuron_by_myelin;
DROP INDEX synapse_by_project;
CREATE INDEX synapse_by_project ON synapse (project_id);
