-- A sleep asks for what nothing leads to: few of many.
CREATE INDEX neuron_lone ON neuron (id) WHERE links = 0 AND gone = 0;
