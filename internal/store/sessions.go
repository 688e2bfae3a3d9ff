package store

import (
	"context"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

const sessionColumns = `id, project_id, agent, agent_session, opened_at, last_event_at, closed_at, close_reason,
	recovered, ticked, intent, by_hand, events, happened, learned, next, told_by, told_at`

// Session returns one session.
func (tx *Tx) Session(ctx context.Context, id memory.SessionID) (memory.Session, error) {
	ss, err := tx.sessions(ctx, `SELECT `+sessionColumns+` FROM session WHERE id = ?`, int64(id))
	first, err := db.First(ss, err)
	return first, db.Wrap(err, "session %s", id)
}

// SessionsOfRun returns the sessions of one run of an agent: one per project it worked in.
func (tx *Tx) SessionsOfRun(ctx context.Context, agent memory.Agent, agentSession string) ([]memory.Session, error) {
	return tx.sessions(ctx, `SELECT `+sessionColumns+` FROM session WHERE agent_session = ? AND agent = ? ORDER BY id`,
		agentSession, string(agent))
}

// SessionsLike returns sessions by the range their ID lies in, or by the agent's own name of the run.
func (tx *Tx) SessionsLike(ctx context.Context, first, last memory.SessionID, agentSession string, limit int) ([]memory.Session, error) {
	return tx.sessions(ctx, `SELECT `+sessionColumns+` FROM session WHERE id BETWEEN ? AND ? OR agent_session = ?
		ORDER BY last_event_at DESC, id LIMIT ?`, int64(first), int64(last), agentSession, limit)
}

// SessionFilter chooses sessions; zero fields do not filter.
type SessionFilter struct {
	Project  memory.ProjectID
	Open     bool
	ByAgents bool // not what the daemon saw a person do
	Limit    int
}

// Sessions returns sessions, newest first.
func (tx *Tx) Sessions(ctx context.Context, f SessionFilter) ([]memory.Session, error) {
	w := db.Where{}
	w.When(f.Project != 0, `project_id = ?`, int64(f.Project))
	w.When(f.Open, `closed_at IS NULL`)
	w.When(f.ByAgents, `agent <> ?`, string(memory.AgentPerson))
	return tx.latest(ctx, w, f.Limit)
}

// latest returns sessions, the latest first. Those that a wrong clock has dated after now come where they arrived: after what was stored
// before them.
func (tx *Tx) latest(ctx context.Context, w db.Where, limit int) ([]memory.Session, error) {
	query := `SELECT ` + sessionColumns + ` FROM session` + w.String() + ` ORDER BY `
	usual := w
	usual.Args = slices.Clip(w.Args)
	plain := query + `last_event_at DESC, id` + usual.Limit(limit)
	found, err := tx.sessions(ctx, plain, usual.Args...)
	if err != nil || len(found) == 0 || !found[0].LastEventAt.After(tx.Now) {
		return found, err
	}
	now := db.Millis(tx.Now)
	w.Args = append(slices.Clip(w.Args), now, now)
	query += `CASE WHEN last_event_at <= ? THEN last_event_at ELSE COALESCE((SELECT earlier.at FROM event AS earlier
		WHERE earlier.seq < (SELECT MIN(seq) FROM event WHERE session_id = session.id) AND earlier.at <= ? ORDER BY earlier.seq DESC LIMIT 1),
		CASE WHEN events > 0 THEN 0 ELSE last_event_at END) END DESC, id` + w.Limit(limit)
	return tx.sessions(ctx, query, w.Args...)
}

// QuietSessions returns open sessions whose last event is not inside (quietSince, future]: those that fell silent, and
// those a wrong clock dated so far ahead that they would never fall silent.
func (tx *Tx) QuietSessions(ctx context.Context, quietSince, future time.Time) ([]memory.Session, error) {
	return tx.sessions(ctx, `SELECT `+sessionColumns+` FROM session
		WHERE closed_at IS NULL AND (last_event_at <= ? OR last_event_at > ?) ORDER BY last_event_at, id`,
		db.Millis(quietSince), db.Millis(future))
}

// WorkDays returns the days on which a project had a session, or any project for 0. Days to come count as today.
func (tx *Tx) WorkDays(ctx context.Context, project memory.ProjectID) (memory.WorkDays, error) {
	w := db.Where{}
	w.When(project != 0, `project_id = ?`, int64(project))
	found, err := db.All(ctx, tx.db, `SELECT DISTINCT opened_at / 86400000, last_event_at / 86400000 FROM session`+w.String(), w.Args,
		func(d *[2]int64) []any { return []any{&d[0], &d[1]} })
	today := memory.Day(tx.Now)
	days := memory.WorkDays{}
	for _, d := range found {
		days = append(days, min(d[0], today), min(d[1], today))
	}
	slices.Sort(days)
	return slices.Compact(days), db.Wrap(err, "days of work in %s", project)
}

// SessionsWithoutSummary returns closed sessions that have no summary yet, the latest first.
func (tx *Tx) SessionsWithoutSummary(ctx context.Context, limit int) ([]memory.Session, error) {
	return tx.sessions(ctx, `SELECT `+sessionColumns+` FROM session WHERE told_at IS NULL AND closed_at IS NOT NULL
		ORDER BY closed_at DESC, id LIMIT ?`, limit)
}

// ShelvedSessions returns the closed sessions of a project of which something is left, the latest first.
func (tx *Tx) ShelvedSessions(ctx context.Context, project memory.ProjectID, limit int) ([]memory.Session, error) {
	w := db.Where{}
	w.And(`project_id = ? AND closed_at IS NOT NULL AND happened <> ''`, int64(project))
	return tx.latest(ctx, w, limit)
}

// SessionsBefore counts the sessions of a project that were opened before a moment, up to most.
func (tx *Tx) SessionsBefore(ctx context.Context, project memory.ProjectID, at time.Time, most int) (int, error) {
	return db.Value[int](ctx, tx.db, `SELECT COUNT(*) FROM (SELECT 1 FROM session WHERE project_id = ? AND opened_at < ? LIMIT ?) AS earlier`,
		int64(project), db.Millis(at), most)
}

func (tx *Tx) sessions(ctx context.Context, query string, args ...any) (found []memory.Session, err error) {
	err = tx.db.Each(ctx, query, args, db.Collect(&found, func(s *memory.Session) []any {
		return []any{
			(*int64)(&s.ID), (*int64)(&s.Project), &s.Agent, &s.AgentSession, db.Time(&s.OpenedAt), db.Time(&s.LastEventAt), db.Time(&s.ClosedAt),
			&s.CloseReason, &s.Recovered, &s.Ticked, &s.Intent, &s.IntentByHand, &s.Events, &s.Happened, &s.Learned, &s.Next, &s.SummaryBy, db.Time(&s.SummaryAt),
		}
	}))
	return found, err
}

// SaveSession writes a session as it now is. Its count and numbering of events are NumberEvents's.
func (tx *Tx) SaveSession(ctx context.Context, s memory.Session) error {
	said := []any{
		int64(s.ID), int64(s.Project), string(s.Agent), s.AgentSession, db.TimeOrNull(s.ClosedAt), string(s.CloseReason), db.Flag(s.Recovered), db.Flag(s.Ticked),
		s.Intent, db.Flag(s.IntentByHand), s.Happened, s.Learned, s.Next, string(s.SummaryBy), db.TimeOrNull(s.SummaryAt),
	}
	return tx.db.Run(ctx, `
		INSERT INTO session (id, project_id, agent, agent_session, closed_at, close_reason, recovered, ticked, intent, by_hand, happened,
			learned, next, told_by, told_at, checksum, opened_at, last_event_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET
			opened_at = excluded.opened_at, last_event_at = excluded.last_event_at, closed_at = excluded.closed_at,
			close_reason = excluded.close_reason, recovered = excluded.recovered, ticked = excluded.ticked,
			intent = excluded.intent, by_hand = excluded.by_hand, happened = excluded.happened, learned = excluded.learned,
			next = excluded.next, told_by = excluded.told_by, told_at = excluded.told_at, checksum = excluded.checksum`,
		append(said, db.Checksum(said...), db.Millis(s.OpenedAt), db.Millis(s.LastEventAt))...)
}

// TickProject moves the clock on which file heat fades.
func (tx *Tx) TickProject(ctx context.Context, id memory.ProjectID) error {
	return tx.db.Run(ctx, `UPDATE project SET clock = clock + 1 WHERE id = ?`, int64(id))
}

// KeepOrdinal counts an event that brings its position in the session along, as one from an export does.
func (tx *Tx) KeepOrdinal(ctx context.Context, id memory.SessionID, ord int64) error {
	err := tx.db.Change(ctx, `UPDATE session SET events = events + 1, last_ord = CASE WHEN last_ord < ? THEN ? ELSE last_ord END
		WHERE id = ?`, ord, ord, int64(id))
	return db.Wrap(err, "number event of session %s", id)
}

// NumberEvents counts n more events of a session and returns the position of the last one.
func (tx *Tx) NumberEvents(ctx context.Context, id memory.SessionID, n int64) (ord int64, err error) {
	err = tx.db.One(ctx, `UPDATE session SET last_ord = last_ord + ?, events = events + ? WHERE id = ? RETURNING last_ord`,
		[]any{n, n, int64(id)}, &ord)
	return ord, db.Wrap(err, "number event of session %s", id)
}

// Agents returns the agents that sessions are of.
func (tx *Tx) Agents(ctx context.Context) ([]memory.Agent, error) {
	return db.All[memory.Agent](ctx, tx.db, `SELECT DISTINCT agent FROM session ORDER BY agent`, nil, db.Column)
}
