-- What a connection was made of: the episode that came to mind, its files, and how deep the thinking went (JSON).
ALTER TABLE connection ADD COLUMN data {text} NOT NULL DEFAULT '';
