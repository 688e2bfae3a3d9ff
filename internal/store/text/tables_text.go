package text

import "github.com/hebb-memory/hebb/internal/store/db"

var (
	checkedCrystal = db.NewTable("crystal", 1, `id document_id kind subject importance valence lifecycle source session_id heard parents said_at valid_to last_at accesses
		gap_hours unsure hash`)
	checkedAnchor      = db.NewTable("anchor", 3, `crystal_id path symbol project_id commit_id hash at_hand`)
	checkedEntity      = db.NewTable("entity", 2, `project_id name type origin created_at`)
	checkedObservation = db.NewTable("observation", 3, `project_id entity hash text origin confidence said_at valid_to`)
	checkedRelation    = db.NewTable("relation", 4, `project_id source type target created_at`)
	checkedPin         = db.NewTable("pin", 1, `crystal_id project_id normal title reason at`)
	checkedPage        = db.NewTable("page", 1, `name text by at`)
	checkedView        = db.NewTable("view", 1, `name text at`)

	// Tables are those of this package.
	Tables = []*db.Table{checkedCrystal, checkedAnchor, checkedEntity, checkedObservation, checkedRelation, checkedPin, checkedPage, checkedView}
)
