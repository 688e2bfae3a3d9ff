-- Rows that nothing else can be compared with carry a checksum too. Those that are here get theirs right after this step.
ALTER TABLE fact ADD COLUMN checksum INTEGER NOT NULL DEFAULT -1;
ALTER TABLE sleep ADD COLUMN checksum INTEGER NOT NULL DEFAULT -1;
ALTER TABLE source ADD COLUMN checksum INTEGER NOT NULL DEFAULT -1;
ALTER TABLE audit ADD COLUMN checksum INTEGER NOT NULL DEFAULT -1;
ALTER TABLE tombstone ADD COLUMN checksum INTEGER NOT NULL DEFAULT -1;
