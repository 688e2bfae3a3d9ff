-- Files are found by their last name. Package store asks for it in the same words.
CREATE INDEX neuron_by_base ON neuron (project_id, substr(key, length(rtrim(key, replace(key, '/', ''))) + 1, 255)) WHERE kind = 'file';
