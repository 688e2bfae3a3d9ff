package store

import "github.com/hebb-memory/hebb/internal/store/db"

// Unchecked are the tables and columns in which CheckRows notices no change, with the reason.
var Unchecked = map[string]string{
	"balance":   learned,
	"forgotten": learned,
	"vector":    indexed,
	"snippet":   indexed,

	"access.n":             learned,
	"crystal.overtaken_by": "earlier versions kept a doubt there, nothing reads it",
	"crystal.marks":        "the statement stays what it is without them",
	"crystal.line":         "its text is checked; without the rest it is an ordinary memory of an agent",
	"document.scope":       "compared by the database's own check of its full text",
	"document.length":      indexed,
	"document.session_id":  indexed,
	"document.event_seq":   indexed,
	"event.command":        learned,
	"neuron.myelin":        learned,
	"neuron.activation":    learned,
	"neuron.ignored":       learned,
	"neuron.standing":      learned,
	"neuron.gone":          learned,
	"neuron.peak":          learned,
	"neuron.reviews":       learned,
	"neuron.boosted":       learned,
	"neuron.damped":        learned,
	"project.root":         seen,
	"project.name":         seen,
	"project.tagged":       seen,
	"project.first_at":     seen,
	"project.last_at":      seen,
	"totals.id":            counted,
	"totals.replaced":      counted,
	"totals.flushed":       counted,
	"totals.weight_rate":   counted,
	"totals.myelin_rate":   counted,
	"session.last_ord":     counted,
	"session.learned_ord":  counted,

	"totals.activation_rate": counted,
}

const (
	learned = "learned from events; hebb learns it again"
	indexed = "made from texts; hebb makes it again"
	counted = "a figure of the whole, or how far a job has come"
	seen    = "written again when the project is seen again"
)

var (
	checkedSession = &db.Table{Name: "session", Key: 1, Fields: `id project_id agent agent_session closed_at close_reason recovered ticked intent by_hand
		happened learned next told_by told_at`}
	checkedSynapse    = &db.Table{Name: "synapse", Key: 2, Counted: "co_sessions", Fields: `a b project_id origin ab ba co_accesses tagged_at last_at last_event session_id session_gain day day_gain`}
	checkedBlock      = &db.Table{Name: "block", Key: 3, Fields: `project_id kind number version data`}
	checkedPack       = &db.Table{Name: "pack", Key: 1, Fields: `session_id project_id first_seq events data`}
	checkedSuggestion = &db.Table{Name: "suggestion", Key: 1, Fields: `id event_seq n project_id session_id neuron_id moment kind path crystal_id score confidence reason tokens held
		shown_at outcome settled_at`}
	checkedHeat       = &db.Table{Name: "heat", Key: 1, Fields: `neuron_id project_id heat touches last_at session_id summary summary_by note note_by note_at`}
	checkedState      = &db.Table{Name: "state", Key: 1, Fields: `id project_id at by text refused`}
	checkedGoal       = &db.Table{Name: "goal", Key: 1, Fields: `id project_id status data`}
	checkedConnection = &db.Table{Name: "connection", Key: 1, Fields: `id project_id goal_id at strength keys why outcome data`}

	checkedTables = []*db.Table{
		checkedSession, checkedSynapse, checkedBlock, checkedPack, checkedSuggestion, checkedHeat, checkedState, checkedGoal, checkedConnection,
	}
)
