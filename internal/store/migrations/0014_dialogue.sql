-- What a conversation tells of a turn beside its words: of the words around it, how many first ones ask what it answers; of its own, how
-- many first ones name who speaks. Turns that are there keep none until they are made anew.
ALTER TABLE document ADD COLUMN asked {int} NOT NULL DEFAULT 0;
ALTER TABLE document ADD COLUMN named {int} NOT NULL DEFAULT 0;
