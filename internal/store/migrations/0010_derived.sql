-- What events taught is made again from them where it is damaged (doctor --rebuild): it needs no checksums.
ALTER TABLE synapse DROP COLUMN checksum;
ALTER TABLE block DROP COLUMN checksum;
ALTER TABLE suggestion DROP COLUMN checksum;

-- Nothing reads the doubts of earlier versions.
DROP INDEX crystal_overtaken;
ALTER TABLE crystal DROP COLUMN overtaken_by;
