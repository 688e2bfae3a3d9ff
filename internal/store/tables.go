package store

import (
	"strings"

	"github.com/hebb-memory/hebb/internal/store/db"
	"github.com/hebb-memory/hebb/internal/store/text"
)

var (
	checkedSession = db.NewTable("session", 1, `id project_id agent agent_session closed_at close_reason recovered ticked intent by_hand
		happened learned next told_by told_at`)
	checkedSynapse = &db.Table{Name: "synapse", Key: 2, Counted: "co_sessions", Columns: strings.Fields(
		`a b project_id origin ab ba co_accesses tagged_at last_at last_event session_id session_gain day day_gain`)}
	checkedBlock      = db.NewTable("block", 3, `project_id kind number version data`)
	checkedSuggestion = db.NewTable("suggestion", 1, `id event_seq n project_id session_id neuron_id moment kind path crystal_id score confidence reason tokens held
		shown_at outcome settled_at`)
	checkedHeat       = db.NewTable("heat", 1, `neuron_id project_id heat touches last_at session_id summary summary_by note note_by note_at`)
	checkedNote       = db.NewTable("note", 1, `crystal_id project_id importance at state_id`)
	checkedState      = db.NewTable("state", 1, `id project_id at by text refused`)
	checkedMood       = db.NewTable("mood", 5, `at reward stress bond why`)
	checkedLedger     = db.NewTable("ledger", 1, `id at amount skill buyer note`)
	checkedGoal       = db.NewTable("goal", 1, `id project_id status data`)
	checkedConnection = db.NewTable("connection", 1, `id project_id goal_id at strength keys why outcome data`)

	checkedTables = append([]*db.Table{checkedSession, checkedSynapse, checkedBlock, checkedSuggestion, checkedHeat, checkedNote, checkedState, checkedMood, checkedLedger, checkedGoal, checkedConnection}, text.Tables...)
)
