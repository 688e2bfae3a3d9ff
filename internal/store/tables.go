package store

import "github.com/hebb-memory/hebb/internal/store/db"

var (
	checkedSession = &db.Table{Name: "session", Key: 1, Fields: `id project_id agent agent_session closed_at close_reason recovered ticked intent by_hand
		happened learned next told_by told_at`}
	checkedPack  = &db.Table{Name: "pack", Key: 1, Fields: `session_id project_id first_seq events data`}
	checkedHeat  = &db.Table{Name: "heat", Key: 1, Fields: `neuron_id project_id heat touches last_at session_id summary summary_by note note_by note_at`}
	checkedState = &db.Table{Name: "state", Key: 1, Fields: `id project_id at by text refused`}

	checkedTables = []*db.Table{
		checkedSession, checkedPack, checkedHeat, checkedState,
	}
)
