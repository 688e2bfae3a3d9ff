package storetest

// unchecked are the tables and columns in which CheckRows notices no change, with the reason.
var unchecked = map[string]string{
	"balance":    learned,
	"block":      learned,
	"forgotten":  learned,
	"suggestion": learned,
	"neuron":     learned, // the names of files that events touched are among their hashes
	"synapse":    learned,
	"vector":     indexed,
	"snippet":    indexed,

	"access.n":            learned,
	"document.scope":      "compared by the database's own check of its full text",
	"document.length":     indexed,
	"document.session_id": indexed,
	"document.event_seq":  indexed,
	"event.command":       learned,
	"event.ord":           counted,
	"project.root":        seen,
	"project.clock":       learned,
	"session.ticked":      learned,
	"project.name":        seen,
	"project.tagged":      seen,
	"project.first_at":    seen,
	"project.last_at":     seen,
	"totals.id":           counted,
	"totals.replaced":     counted,
	"totals.flushed":      counted,
	"totals.weight_rate":  counted,
	"totals.myelin_rate":  counted,
	"session.last_ord":    counted,
	"session.learned_ord": counted,

	"totals.activation_rate": counted,
}

const (
	learned = "learned from events; hebb learns it again"
	indexed = "made from texts; hebb makes it again"
	counted = "a figure of the whole, or how far a job has come"
	seen    = "written again when the project is seen again"
)
