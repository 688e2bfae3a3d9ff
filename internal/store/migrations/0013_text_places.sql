-- Whether anything is said of the code of a project is asked with every search: one look, not a walk through the anchors of all others.
ALTER TABLE anchor ADD COLUMN project_id {int} NOT NULL DEFAULT 0;
UPDATE anchor SET project_id = (SELECT document.project_id FROM crystal JOIN document ON document.id = crystal.document_id WHERE crystal.id = anchor.crystal_id);
CREATE INDEX anchor_by_project ON anchor (project_id, path);

-- Who named an entity. Of those that are there nobody knows: in doubt, nobody who is trusted.
ALTER TABLE entity ADD COLUMN origin {text} NOT NULL DEFAULT 'import';
