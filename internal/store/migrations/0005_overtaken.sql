-- The later statement that may have taken the place of a crystal, until somebody decides.
ALTER TABLE crystal ADD COLUMN overtaken_by TEXT NOT NULL DEFAULT '';
CREATE INDEX crystal_overtaken ON crystal (overtaken_by) WHERE overtaken_by <> '';
