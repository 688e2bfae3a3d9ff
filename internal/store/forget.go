package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
	"github.com/hebb-memory/hebb/internal/store/text"
)

// Forgotten counts what forgetting takes away.
type Forgotten struct {
	Events   int64 `json:"events"`
	Accesses int64 `json:"accesses"`
	Files    int64 `json:"files"`
	Sessions int64 `json:"sessions"`
	Projects int64 `json:"projects"`
}

// Forget deletes the chosen events and restores every count derived from them to what it would be had they never
// been seen. Each leaves a tombstone, so that reading the same source again does not bring it back. Sessions that keep
// other events are returned for the caller to settle. What is left of the projects still is what they have learned from
// the forgotten too (strengths, weights, blocks): the caller makes it again after Unlearn. No document of a session that
// loses an event stays, for each also holds words of its neighbours: the caller makes those of the kept sessions again.
func (tx *Tx) Forget(ctx context.Context, f EventFilter) (gone Forgotten, kept []memory.SessionID, err error) {
	w := f.where()
	if len(w.Conditions) == 0 {
		return gone, nil, fmt.Errorf("forget: choose by id, session, origin or time: %w", memory.ErrInvalid)
	}
	chosen := `(SELECT seq FROM event` + w.String() + `)`
	neurons, err := tx.db.Ids(ctx, `SELECT DISTINCT neuron_id FROM access WHERE event_seq IN `+chosen, w.Args)
	if err != nil {
		return gone, nil, fmt.Errorf("forget: %w", err)
	}
	sessions, err := tx.db.Ids(ctx, `SELECT DISTINCT session_id FROM event`+w.String()+` AND session_id IS NOT NULL`, w.Args)
	if err != nil {
		return gone, nil, fmt.Errorf("forget: %w", err)
	}
	projects, err := tx.db.Ids(ctx, `SELECT DISTINCT project_id FROM event`+w.String(), w.Args)
	if err != nil {
		return gone, nil, fmt.Errorf("forget: %w", err)
	}
	if err := tx.forgetDocuments(ctx, w, chosen, sessions); err != nil {
		return gone, nil, fmt.Errorf("forget: %w", err)
	}
	if gone, err = tx.deleteEvents(ctx, w, chosen); err != nil {
		return gone, nil, fmt.Errorf("forget: %w", err)
	}
	for _, id := range neurons {
		n, err := tx.recountNeuron(ctx, id)
		if err == nil {
			_, err = tx.db.Exec(ctx, `DELETE FROM forgotten WHERE (a = ? OR b = ?) AND NOT EXISTS (SELECT 1 FROM neuron WHERE id = ?)`, id, id, id)
		}
		if err != nil {
			return gone, nil, fmt.Errorf("forget: recount neuron %s: %w", memory.NeuronID(id), err)
		}
		gone.Files += n
	}
	for _, id := range sessions {
		s, err := tx.Session(ctx, memory.SessionID(id))
		if err != nil {
			return gone, nil, fmt.Errorf("forget: %w", err)
		}
		n, err := tx.RecountSession(ctx, memory.SessionID(id))
		if err == nil && n > 0 {
			err = tx.buryRun(ctx, s)
		}
		if err != nil {
			return gone, nil, fmt.Errorf("forget: %w", err)
		}
		gone.Sessions += n
		if n == 0 {
			kept = append(kept, memory.SessionID(id))
		}
	}
	for _, id := range projects {
		n, err := tx.recountProject(ctx, id)
		if err != nil {
			return gone, nil, fmt.Errorf("forget: recount project %s: %w", memory.ProjectID(id), err)
		}
		gone.Projects += n
	}
	return gone, kept, nil
}

// CountForgotten counts by reading what Forget would take away. texts says that the texts of its projects are forgotten too.
func (tx *Tx) CountForgotten(ctx context.Context, f EventFilter, texts bool) (gone Forgotten, err error) {
	w := f.where()
	w.And(`NOT ` + ownEvents)
	chosen := `(SELECT seq FROM event` + w.String() + `)`
	for _, count := range []struct {
		into  *int64
		query string
	}{
		{&gone.Events, `SELECT COUNT(*) FROM event` + w.String()},
		{&gone.Accesses, `SELECT COUNT(*) FROM access WHERE event_seq IN ` + chosen},
		{&gone.Files, `SELECT COUNT(*) FROM neuron JOIN (SELECT neuron_id, COUNT(*) AS n FROM access WHERE event_seq IN ` + chosen + `
			GROUP BY neuron_id) AS met ON met.neuron_id = neuron.id WHERE kind = '` + string(memory.FileNeuron) + `' AND met.n = accesses`},
		{&gone.Sessions, `SELECT COUNT(*) FROM (SELECT session_id, COUNT(*) AS n FROM event` + w.String() + ` GROUP BY session_id) AS picked
			WHERE picked.n = (SELECT COUNT(*) FROM event WHERE event.session_id = picked.session_id)`},
	} {
		if err := tx.db.One(ctx, count.query, w.Args, count.into); err != nil {
			return gone, fmt.Errorf("count what would be forgotten: %w", err)
		}
	}
	gone.Projects, err = tx.countProjectsGone(ctx, w, texts)
	return gone, db.Wrap(err, "count what would be forgotten")
}

// countProjectsGone counts the projects that would go with the chosen events, as recountProject decides it.
func (tx *Tx) countProjectsGone(ctx context.Context, w *db.Where, texts bool) (n int64, err error) {
	kept := ` AND NOT ` + text.Spoken(`project.id`)
	if texts {
		kept = ``
	}
	err = tx.db.One(ctx, `SELECT COUNT(*) FROM project JOIN (SELECT project_id, COUNT(*) AS n FROM event`+w.String()+` GROUP BY project_id) AS picked
			ON picked.project_id = project.id
		WHERE tagged = 0 AND picked.n = (SELECT COUNT(*) FROM event WHERE event.project_id = project.id AND NOT `+ownEvents+`)
			AND NOT EXISTS (SELECT 1 FROM session WHERE session.project_id = project.id
				AND NOT EXISTS (SELECT 1 FROM event WHERE event.session_id = session.id))`+kept, w.Args, &n)
	return n, err
}

// DocumentsOf returns the documents that Forget would delete: those of the chosen events and all of their sessions.
func (tx *Tx) DocumentsOf(ctx context.Context, f EventFilter) (ids []int64, err error) {
	w := f.where()
	chosen := `(SELECT seq FROM event` + w.String() + `)`
	sessions, err := tx.db.Ids(ctx, `SELECT DISTINCT session_id FROM event`+w.String()+` AND session_id IS NOT NULL`, w.Args)
	if err == nil {
		ids, err = tx.documentsOf(ctx, w, chosen, sessions)
	}
	return ids, db.Wrap(err, "documents of events")
}

// SessionsOf returns the sessions of the events that a filter chooses.
func (tx *Tx) SessionsOf(ctx context.Context, f EventFilter) ([]memory.SessionID, error) {
	w := f.where()
	return db.All[memory.SessionID](ctx, tx.db,
		`SELECT DISTINCT session_id FROM event`+w.String()+` AND session_id IS NOT NULL ORDER BY session_id`, w.Args, db.Column)
}

// ProjectsOf returns the projects of the events that a filter chooses.
func (tx *Tx) ProjectsOf(ctx context.Context, f EventFilter) ([]memory.ProjectID, error) {
	w := f.where()
	return db.All[memory.ProjectID](ctx, tx.db, `SELECT DISTINCT project_id FROM event`+w.String()+` ORDER BY project_id`, w.Args, db.Column)
}

// forgetDocuments deletes what was made findable of events, and of the sessions they belong to. Deleting the events would
// take their documents too, but not out of the counts of words.
func (tx *Tx) forgetDocuments(ctx context.Context, w *db.Where, chosen string, sessions []int64) error {
	ids, err := tx.documentsOf(ctx, w, chosen, sessions)
	if err != nil {
		return err
	}
	return tx.DeleteDocuments(ctx, ids...)
}

func (tx *Tx) documentsOf(ctx context.Context, w *db.Where, chosen string, sessions []int64) (ids []int64, err error) {
	if ids, err = tx.db.Ids(ctx, `SELECT id FROM document WHERE event_seq IN `+chosen, w.Args); err != nil {
		return nil, err
	}
	err = db.EachOf(ctx, tx.db, `SELECT id FROM document WHERE session_id IS NOT NULL AND session_id IN %s`, nil, sessions, db.Collect(&ids, db.Column))
	return ids, err
}

func (tx *Tx) deleteEvents(ctx context.Context, w *db.Where, chosen string) (gone Forgotten, err error) {
	events, err := db.All(ctx, tx.db, `SELECT id, agent, kind, at, COALESCE((SELECT agent_session FROM session WHERE session.id = event.session_id), '')
		FROM event`+w.String(), w.Args, func(e *memory.Event) []any { return []any{&e.ID, &e.Agent, &e.Kind, db.Time(&e.At), &e.AgentSession} })
	if err != nil {
		return gone, err
	}
	for _, e := range events {
		err := tx.Tombstone(ctx, e.ID)
		if err == nil && e.AgentSession != "" && e.Kind != memory.Suggested {
			err = tx.Trace(ctx, e)
		}
		if err != nil {
			return gone, err
		}
	}
	if gone.Accesses, err = tx.db.Exec(ctx, `DELETE FROM access WHERE event_seq IN `+chosen, w.Args...); err != nil {
		return gone, err
	}
	gone.Events, err = tx.db.Exec(ctx, `DELETE FROM event`+w.String(), w.Args...)
	return gone, err
}

// recountNeuron derives a neuron's figures from the accesses left; one without any is deleted. It counts the deleted files. The
// links of a deleted neuron that sleep forgot stay known as forgotten: it may be met again when its project is rebuilt.
func (tx *Tx) recountNeuron(ctx context.Context, id int64) (files int64, err error) {
	if left, err := tx.db.Any(ctx, `access WHERE neuron_id = ?`, id); err != nil {
		return 0, err
	} else if !left {
		return tx.deleteNeuron(ctx, id)
	}
	return 0, tx.db.Run(ctx, `UPDATE neuron SET
		accesses = (SELECT COUNT(*) FROM access WHERE neuron_id = neuron.id),
		first_at = (SELECT MIN(event.at) FROM access JOIN event ON event.seq = access.event_seq WHERE neuron_id = neuron.id),
		last_at  = (SELECT MAX(event.at) FROM access JOIN event ON event.seq = access.event_seq WHERE neuron_id = neuron.id)
		WHERE id = ?`, id)
}

// deleteNeuron deletes a neuron with its synapses; each neuron at their other ends has one link less. What was shown of
// it stays: that belongs to the event that showed it.
func (tx *Tx) deleteNeuron(ctx context.Context, id int64) (files int64, err error) {
	_, err = tx.db.Exec(ctx, `UPDATE neuron SET links = links - 1
		WHERE id IN (SELECT b FROM synapse WHERE a = ? UNION ALL SELECT a FROM synapse WHERE b = ?)`, id, id)
	if err != nil {
		return 0, err
	}
	if _, err := tx.db.Exec(ctx, `DELETE FROM synapse WHERE a = ? OR b = ?`, id, id); err != nil {
		return 0, err
	}
	var kind memory.NeuronKind
	if err := tx.db.One(ctx, `DELETE FROM neuron WHERE id = ? RETURNING kind`, []any{id}, &kind); err != nil {
		return 0, err
	}
	if kind == memory.FileNeuron {
		files = 1
	}
	return files, nil
}

// RecountSession derives a session's figures from the events it has; one without any goes, and its tick with it.
func (tx *Tx) RecountSession(ctx context.Context, session memory.SessionID) (deleted int64, err error) {
	id := int64(session)
	if left, err := tx.db.Any(ctx, `event WHERE session_id = ?`, id); err != nil {
		return 0, err
	} else if !left {
		if err := tx.untick(ctx, id); err != nil {
			return 0, err
		}
		if err := tx.db.Run(ctx, `DELETE FROM event WHERE kind = ? AND (project_id, input, text) IN (SELECT project_id, agent, agent_session FROM session WHERE id = ?)`,
			string(memory.Closed), id); err != nil {
			return 0, err
		}
		return tx.db.Exec(ctx, `DELETE FROM session WHERE id = ?`, id)
	}
	return 0, tx.db.Run(ctx, `UPDATE session SET
		events        = (SELECT COUNT(*) FROM event WHERE session_id = session.id),
		opened_at     = (SELECT MIN(at) FROM event WHERE session_id = session.id),
		last_event_at = (SELECT MAX(at) FROM event WHERE session_id = session.id)
		WHERE id = ?`, id)
}

// buryRun marks the run of a session that is gone, unless it worked in other projects too.
func (tx *Tx) buryRun(ctx context.Context, s memory.Session) error {
	left, err := tx.db.Any(ctx, `session WHERE agent = ? AND agent_session = ?`, string(s.Agent), s.AgentSession)
	if err != nil || left {
		return err
	}
	return tx.TraceRun(ctx, s.Agent, s.AgentSession)
}

// untick takes back what a session moved its project's clock.
func (tx *Tx) untick(ctx context.Context, session int64) error {
	return tx.db.Run(ctx, `UPDATE project SET clock = clock - 1
		WHERE id = (SELECT project_id FROM session WHERE id = ? AND ticked = 1)`, session)
}

// recountProject derives a project's dates from the events left; one without any goes, unless a person named it, said
// something about it, or a session without events (imported after its events were forgotten here) still belongs to it.
func (tx *Tx) recountProject(ctx context.Context, id int64) (deleted int64, err error) {
	stays, err := tx.db.Any(ctx, `project WHERE id = ? AND (tagged = 1
		OR EXISTS (SELECT 1 FROM event WHERE project_id = ? AND NOT `+ownEvents+`) OR EXISTS (SELECT 1 FROM session WHERE project_id = ?)
		OR `+text.Spoken(`?`)+`)`, id, id, id, id)
	if err != nil {
		return 0, err
	}
	if !stays {
		documents, err := tx.db.Ids(ctx, `SELECT id FROM document WHERE project_id = ?`, []any{id})
		if err != nil {
			return 0, err
		}
		if err := tx.DeleteDocuments(ctx, documents...); err != nil {
			return 0, err
		}
		// Goals, states and facts of the project stay for when it is met again: nobody asked to forget them.
		for _, t := range Tables() {
			if slices.Contains(t.Refers, "project") || t.Name == "source" {
				if err := tx.db.Run(ctx, `DELETE FROM `+t.Name+` WHERE project_id = ?`, id); err != nil {
					return 0, err
				}
			}
		}
		return tx.db.Exec(ctx, `DELETE FROM project WHERE id = ?`, id)
	}
	_, err = tx.db.Exec(ctx, `UPDATE project SET
		first_at = COALESCE((SELECT MIN(at) FROM event WHERE project_id = project.id AND NOT `+ownEvents+`), first_at),
		last_at  = COALESCE((SELECT MAX(at) FROM event WHERE project_id = project.id AND NOT `+ownEvents+`), last_at)
		WHERE id = ?`, id)
	return 0, err
}

// FirstPrompt returns the first prompt kept of a session that a person typed, "" when there is none.
func (tx *Tx) FirstPrompt(ctx context.Context, id memory.SessionID) (string, error) {
	return db.Optional[string](ctx, tx.db, `SELECT text FROM event WHERE session_id = ? AND kind = ? AND origin <> ? ORDER BY ord LIMIT 1`,
		int64(id), string(memory.Prompted), string(memory.OriginTool))
}

// Empty deletes everything, for a restore that replaces it. What is no memory stays: the rates under which the caller goes on
// writing, and the leases.
func (tx *Tx) Empty(ctx context.Context) error {
	for _, t := range Tables() {
		if t.Name == "totals" || t.Name == "fact" {
			continue
		}
		if _, err := tx.db.Exec(ctx, `DELETE FROM `+t.Name); err != nil {
			return fmt.Errorf("empty %s: %w", t.Name, err)
		}
	}
	if _, err := tx.db.Exec(ctx, `DELETE FROM fact WHERE name <> ?`, leases.name); err != nil {
		return fmt.Errorf("empty fact: %w", err)
	}
	if _, err := tx.db.Exec(ctx, `UPDATE totals SET documents = 0, words = 0`); err != nil {
		return fmt.Errorf("empty totals: %w", err)
	}
	clear(tx.balance)
	return tx.Replace(ctx)
}
