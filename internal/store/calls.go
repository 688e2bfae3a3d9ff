package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Call is one use of a tool by a session, what a person recorded into the session by hand, or a prompt.
type Call struct {
	ID       memory.EventID
	Session  memory.SessionID
	Subagent string
	Kind     memory.EventKind
	Origin   memory.Origin
	Tool     string
	Input    string
	At       time.Time
	// ResultBytes is the size of the answer; nil where it was not measured.
	ResultBytes *int64
	Touches     []CallTouch
}

// CallTouch is a file that a call touched. Errors it met are not among them.
type CallTouch struct {
	Neuron memory.NeuronID
	Kind   memory.TouchKind
}

// callKinds are the events in which a session does something with files, and its prompts.
const (
	toolKinds = `'` + string(memory.ToolUsed) + `', '` + string(memory.ToolFailed) + `'`
	callKinds = `(` + toolKinds + `, '` + string(memory.Recorded) + `', '` + string(memory.Prompted) + `')`
)

// WalkCalls visits what a project's sessions were asked and did since a moment, session by session, each in its order. yield must
// not use the transaction: the rows are still being read.
func (tx *Tx) WalkCalls(ctx context.Context, project memory.ProjectID, since time.Time, yield func(Call) error) error {
	var call Call
	last := int64(-1)
	flush := func() error {
		if last < 0 {
			return nil
		}
		return yield(call)
	}
	err := tx.db.Each(ctx, `SELECT event.seq, event.id, event.session_id, event.subagent, event.kind, event.origin, event.tool, event.input, event.at,
			event.result_bytes, COALESCE(access.neuron_id, 0), COALESCE(access.kind, '')
		FROM event LEFT JOIN access ON access.event_seq = event.seq AND access.kind <> ?
		WHERE event.project_id = ? AND event.at >= ? AND event.session_id IS NOT NULL AND event.kind IN `+callKinds+`
		ORDER BY event.session_id, event.ord, event.seq, access.n`,
		[]any{string(errorAccess), int64(project), db.Millis(since)}, func(rows *sql.Rows) error {
			var next Call
			var touch CallTouch
			var seq, at int64
			err := rows.Scan(&seq, &next.ID, (*int64)(&next.Session), &next.Subagent, &next.Kind, &next.Origin, &next.Tool, &next.Input, &at,
				&next.ResultBytes, (*int64)(&touch.Neuron), &touch.Kind)
			if err != nil {
				return err
			}
			if seq != last {
				if err := flush(); err != nil {
					return err
				}
				next.At = db.FromMillis(at)
				call, last = next, seq
			}
			if touch.Kind != "" {
				call.Touches = append(call.Touches, touch)
			}
			return nil
		})
	if err == nil {
		err = flush()
	}
	return db.Wrap(err, "calls of project %s", project)
}

// CommandsSince returns the commands that agents themselves ran in a project since a moment, session by session, each in its order: session,
// kind, line and time.
func (tx *Tx) CommandsSince(ctx context.Context, project memory.ProjectID, since time.Time) ([]Call, error) {
	found, err := db.All(ctx, tx.db, `SELECT session_id, kind, input, at FROM event
		WHERE project_id = ? AND +command <> 0 AND at >= ? AND session_id IS NOT NULL AND subagent = '' AND origin = ? AND input <> ''
		ORDER BY session_id, ord, seq`, []any{int64(project), db.Millis(since), string(memory.OriginTool)},
		func(c *Call) []any { return []any{(*int64)(&c.Session), &c.Kind, &c.Input, db.Time(&c.At)} })
	return found, db.Wrap(err, "commands of project %s", project)
}

// LatestTools returns the latest uses of tools in a project, or in the session if one is given, newest first and
// without what they asked or touched.
func (tx *Tx) LatestTools(
	ctx context.Context, project memory.ProjectID, session memory.SessionID, limit int,
) ([]Call, error) {
	w := db.Where{}
	if session != 0 { // +: by the session; a new one has few events, and all of the project would be read for more
		w.And(`session_id = ? AND +project_id = ?`, int64(session), int64(project))
	} else {
		w.And(`project_id = ?`, int64(project))
	}
	w.And(`session_id IS NOT NULL AND kind IN (` + toolKinds + `)`)
	w.Args = append(w.Args, limit)
	return db.All(ctx, tx.db, `SELECT session_id, subagent, kind, tool, at FROM event`+w.String()+` ORDER BY at DESC, seq DESC LIMIT ?`, w.Args,
		func(c *Call) []any { return []any{(*int64)(&c.Session), &c.Subagent, &c.Kind, &c.Tool, db.Time(&c.At)} })
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
