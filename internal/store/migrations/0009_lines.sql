-- What a line of knowledge has beside its text, as JSON; empty for everything else.
ALTER TABLE crystal ADD COLUMN line TEXT NOT NULL DEFAULT '';
