-- The versions of a project's blocks are one count, so that a reader asks once whether anything is new, and then for
-- what is.
CREATE INDEX block_by_version ON block (project_id, version);
