package store

import (
	"context"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// toolKinds are the events in which a tool was used.
const toolKinds = `'` + string(memory.ToolUsed) + `', '` + string(memory.ToolFailed) + `'`

func isCall(kind memory.EventKind) bool { return kind == memory.ToolUsed || kind == memory.ToolFailed }

// CommandsSince returns the commands that agents themselves ran in a project since a moment, session by session, each in its order: session,
// kind, line and time.
func (tx *Tx) CommandsSince(ctx context.Context, project memory.ProjectID, since time.Time) ([]memory.StoredEvent, error) {
	found, err := db.All(ctx, tx.db, `SELECT session_id, kind, input, at FROM event
		WHERE project_id = ? AND +command <> 0 AND at >= ? AND session_id IS NOT NULL AND subagent = '' AND origin = ? AND input <> ''
		ORDER BY session_id, ord, seq`, []any{int64(project), db.Millis(since), string(memory.OriginTool)},
		func(e *memory.StoredEvent) []any {
			return []any{(*int64)(&e.Session), &e.Kind, &e.Input, db.Time(&e.At)}
		})
	return found, db.Wrap(err, "commands of project %s", project)
}

// CallsOfOthers returns what the latest calls in a project, but those of a session, asked and touched, a text each, the newest first.
func (tx *Tx) CallsOfOthers(ctx context.Context, project memory.ProjectID, session memory.SessionID, limit int) ([]string, error) {
	found, err := db.All[string](ctx, tx.db, `SELECT input || CHAR(10) || COALESCE((SELECT GROUP_CONCAT(neuron.key, CHAR(10)) FROM access
		JOIN neuron ON neuron.id = access.neuron_id WHERE access.event_seq = event.seq), '') FROM event
		WHERE project_id = ? AND kind IN (`+toolKinds+`) AND session_id <> ? ORDER BY at DESC, seq DESC LIMIT ?`,
		[]any{int64(project), int64(session), limit}, db.Column)
	return found, db.Wrap(err, "calls of others")
}

// LatestTools returns the latest uses of tools in a project, or in the session if one is given, newest first and
// without what they asked or touched.
func (tx *Tx) LatestTools(
	ctx context.Context, project memory.ProjectID, session memory.SessionID, limit int,
) ([]memory.StoredEvent, error) {
	w := db.Where{}
	if session != 0 { // +: by the session; a new one has few events, and all of the project would be read for more
		w.And(`session_id = ? AND +project_id = ?`, int64(session), int64(project))
	} else {
		w.And(`project_id = ?`, int64(project))
	}
	w.And(`session_id IS NOT NULL AND kind IN (` + toolKinds + `)`)
	w.Args = append(w.Args, limit)
	return db.All(ctx, tx.db, `SELECT session_id, subagent, kind, tool, at FROM event`+w.String()+` ORDER BY at DESC, seq DESC LIMIT ?`, w.Args,
		func(e *memory.StoredEvent) []any {
			return []any{(*int64)(&e.Session), &e.Subagent, &e.Kind, &e.Tool, db.Time(&e.At)}
		})
}

// PromptBefore returns what a session was last asked at a moment, "" when nothing.
func (tx *Tx) PromptBefore(ctx context.Context, session memory.SessionID, at time.Time) (string, error) {
	return db.Optional[string](ctx, tx.db, `SELECT text FROM event WHERE session_id = ? AND kind = ? AND at <= ? ORDER BY ord DESC LIMIT 1`,
		int64(session), string(memory.Prompted), db.Millis(at))
}

// SuggestionCount is how many lines of a project had one outcome, and what they cost.
type SuggestionCount struct {
	Outcome  memory.Outcome
	Held     bool
	Fileless bool // the lines name no file: what became of them cannot be seen
	Lines    int64
	Tokens   int64
}

// CountSuggestions counts what was shown in a project, or withheld, by outcome, and apart what names no file.
func (tx *Tx) CountSuggestions(ctx context.Context, project memory.ProjectID) ([]SuggestionCount, error) {
	return db.All(ctx, tx.db, `SELECT outcome, held, CASE WHEN neuron_id = 0 THEN 1 ELSE 0 END AS fileless, COUNT(*), SUM(tokens) FROM suggestion
		WHERE project_id = ? GROUP BY outcome, held, fileless ORDER BY held, outcome, fileless`, []any{int64(project)}, func(c *SuggestionCount) []any {
		return []any{&c.Outcome, &c.Held, &c.Fileless, &c.Lines, &c.Tokens}
	})
}

// PastBytes is the size of a project's past as ranking reads it.
func (tx *Tx) PastBytes(ctx context.Context, project memory.ProjectID) (int64, error) {
	return db.Value[int64](ctx, tx.db, `SELECT COALESCE(SUM(LENGTH(data)), 0) FROM block WHERE project_id = ?`, int64(project))
}
