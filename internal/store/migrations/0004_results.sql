-- How large the answer was that an agent got from a tool: what a search or a read costs is measured, not guessed.
-- NULL where nobody measured it: before this step, and where an agent's payload does not say.
ALTER TABLE event ADD COLUMN result_bytes {int};
