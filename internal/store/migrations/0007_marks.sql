-- By which text a call that breaks a statement is recognised, a line each.
ALTER TABLE crystal ADD COLUMN marks TEXT NOT NULL DEFAULT '';
