-- Each row carries a checksum of what was written into it, so that doctor --deep finds a byte that changed on the disk.
-- NULL: written before this step; hebb adds the checksum in the background.
ALTER TABLE session ADD COLUMN checksum {int};
ALTER TABLE synapse ADD COLUMN checksum {int};
ALTER TABLE block ADD COLUMN checksum {int};
ALTER TABLE suggestion ADD COLUMN checksum {int};
ALTER TABLE heat ADD COLUMN checksum {int};
ALTER TABLE crystal ADD COLUMN checksum {int};
ALTER TABLE anchor ADD COLUMN checksum {int};
ALTER TABLE entity ADD COLUMN checksum {int};
ALTER TABLE observation ADD COLUMN checksum {int};
ALTER TABLE relation ADD COLUMN checksum {int};
ALTER TABLE pin ADD COLUMN checksum {int};
ALTER TABLE page ADD COLUMN checksum {int};
ALTER TABLE view ADD COLUMN checksum {int};
ALTER TABLE note ADD COLUMN checksum {int};
ALTER TABLE state ADD COLUMN checksum {int};
ALTER TABLE mood ADD COLUMN checksum {int};
ALTER TABLE ledger ADD COLUMN checksum {int};
ALTER TABLE goal ADD COLUMN checksum {int};
ALTER TABLE connection ADD COLUMN checksum {int};
