package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

const suggestionColumns = `id, n, project_id, session_id, neuron_id, moment, kind, path, crystal_id, score, confidence, reason, tokens, held,
	shown_at, outcome, settled_at`

// InsertSuggestion keeps a line that was shown by an event.
func (tx *Tx) InsertSuggestion(ctx context.Context, seq int64, s memory.Suggestion) error {
	_, err := tx.db.Exec(ctx, `INSERT INTO suggestion (id, event_seq, n, project_id, session_id, neuron_id, moment, kind, path, crystal_id, score, confidence, reason,
			tokens, held, shown_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`, s.ID, seq, s.Position, int64(s.Project), int64(s.Session), int64(s.Neuron), string(s.Moment),
		string(s.Offer), s.Path, string(s.Crystal), s.Score, s.Confidence, s.Reason, s.Tokens, db.Flag(s.Held), db.Millis(s.ShownAt))
	return db.Wrap(err, "insert suggestion %s", s.ID)
}

// SettleSuggestion says what became of a suggestion.
func (tx *Tx) SettleSuggestion(ctx context.Context, id string, outcome memory.Outcome, at time.Time) error {
	err := tx.db.Run(ctx, `UPDATE suggestion SET outcome = ?, settled_at = ? WHERE id = ?`, string(outcome), db.Millis(at), id)
	return db.Wrap(err, "settle suggestion %s", id)
}

// SuggestionFilter chooses suggestions; zero fields do not filter.
type SuggestionFilter struct {
	ID      string // or the beginning of one
	Project memory.ProjectID
	Session memory.SessionID
	Crystal memory.CrystalID
	Since   time.Time
	Before  time.Time
	Pending bool
	Limit   int
}

// Suggestions returns what was shown, newest first.
func (tx *Tx) Suggestions(ctx context.Context, f SuggestionFilter) ([]memory.Suggestion, error) {
	w := db.Where{}
	if f.ID != "" {
		w.And(`id >= ? AND id < ?`, f.ID, f.ID+"~") // IDs hold nothing beyond z
	}
	w.When(f.Project != 0, `project_id = ?`, int64(f.Project))
	w.When(f.Session != 0, `session_id = ?`, int64(f.Session))
	w.When(!f.Since.IsZero(), `shown_at >= ?`, db.Millis(f.Since))
	w.When(!f.Before.IsZero(), `shown_at < ?`, db.Millis(f.Before))
	w.When(f.Crystal != "", `crystal_id = ?`, string(f.Crystal))
	w.When(f.Pending, `outcome = ''`)
	query := `SELECT ` + suggestionColumns + ` FROM suggestion` + w.String() + ` ORDER BY shown_at DESC, n, id`
	query += w.Limit(f.Limit)
	return db.All(ctx, tx.db, query, w.Args, func(s *memory.Suggestion) []any {
		return []any{
			&s.ID, &s.Position, (*int64)(&s.Project), (*int64)(&s.Session), (*int64)(&s.Neuron), &s.Moment, &s.Offer, &s.Path, &s.Crystal,
			&s.Score, &s.Confidence, &s.Reason, &s.Tokens, &s.Held, db.Time(&s.ShownAt), &s.Outcome, db.Time(&s.SettledAt),
		}
	})
}

// ForgetReceipts takes a memory that is forgotten out of the receipts that name it, and out of the events that recorded them. That something
// was shown, and what it cost, stays.
func (tx *Tx) ForgetReceipts(ctx context.Context, id memory.CrystalID) error {
	named, err := tx.Suggestions(ctx, SuggestionFilter{Crystal: id})
	for _, s := range named {
		failed := tx.db.Run(ctx, `UPDATE suggestion SET crystal_id = '', reason = '' WHERE id = ?`, s.ID)
		event, _, _ := strings.Cut(s.ID, "-")
		if err = cmp.Or(err, failed, tx.forgetInReceipt(ctx, memory.EventID(event), id)); err != nil {
			break
		}
	}
	return db.Wrap(err, "receipts of %s", id)
}

func (tx *Tx) forgetInReceipt(ctx context.Context, event memory.EventID, id memory.CrystalID) error {
	found, err := tx.Events(ctx, EventFilter{ID: event})
	for _, e := range found {
		var lines []memory.Suggestion
		if json.Unmarshal([]byte(e.Text), &lines) != nil {
			continue // no receipt of this version
		}
		for i, l := range lines {
			if l.Crystal == id {
				lines[i].Crystal, lines[i].Reason = "", ""
			}
		}
		text, err := json.Marshal(lines)
		if e.Text = string(text); err == nil {
			err = tx.db.Run(ctx, `UPDATE event SET text = ?, hash = ? WHERE id = ?`, e.Text, e.Hash(), string(e.ID))
		}
		if err != nil {
			return err
		}
	}
	return err
}

// LastTold is when agents were told crystals last. Times to come do not count: they were a wrong clock's.
func (tx *Tx) LastTold(ctx context.Context) (map[memory.CrystalID]time.Time, error) {
	type telling struct {
		crystal memory.CrystalID
		at      time.Time
	}
	found, err := db.All(ctx, tx.db, `SELECT crystal_id, MAX(shown_at) FROM suggestion WHERE crystal_id <> '' AND held = 0 AND shown_at <= ? GROUP BY crystal_id`,
		[]any{db.Millis(tx.Now)}, func(t *telling) []any { return []any{&t.crystal, db.Time(&t.at)} })
	told := map[memory.CrystalID]time.Time{}
	for _, t := range found {
		told[t.crystal] = t.at
	}
	return told, db.Wrap(err, "what agents were told")
}

// SaidAgain is what a trace says of a crystal that was said once more. Its detail is where: for a prompt, "prompt " and the event's ID.
const SaidAgain = "said again"

// Miss is a session in which the person had to say again what was remembered.
type Miss struct {
	Crystal memory.CrystalID
	Session memory.SessionID
	At      time.Time
	Shown   bool // the session had been shown it
}

// Misses returns the sessions in which people said some crystals again in a prompt although these were remembered when the session began,
// or had been shown to it: one for each session, the oldest first. A repetition whose prompt is forgotten does not count.
func (tx *Tx) Misses(ctx context.Context, ids []memory.CrystalID) (found []Miss, err error) {
	type repetition struct {
		Miss
		late bool
	}
	met := map[Miss]bool{}
	err = db.EachOf(ctx, tx.db, `SELECT audit.crystal_id, event.session_id, event.at, CASE WHEN session.opened_at > memory.said_at THEN 1 ELSE 0 END,
			CASE WHEN EXISTS (SELECT 1 FROM suggestion WHERE suggestion.session_id = event.session_id AND suggestion.crystal_id = audit.crystal_id
				AND held = 0 AND shown_at < event.at) THEN 1 ELSE 0 END
		FROM audit JOIN memory ON memory.id = audit.crystal_id JOIN event ON event.id = SUBSTR(audit.detail, 8)
		JOIN session ON session.id = event.session_id
		WHERE audit.what = ? AND event.kind = ? AND audit.crystal_id IN %s ORDER BY event.at, audit.id`, []any{SaidAgain, string(memory.Prompted)}, ids,
		db.ForEach(func(r *repetition) []any {
			return []any{&r.Crystal, (*int64)(&r.Session), db.Time(&r.At), &r.late, &r.Shown}
		}, func(r repetition) error {
			key := Miss{Crystal: r.Crystal, Session: r.Session}
			if (r.late || r.Shown) && !met[key] {
				met[key] = true
				found = append(found, r.Miss)
			}
			return nil
		}))
	return found, db.Wrap(err, "misses")
}

// Contradicted is what a trace says of a crystal that a session was shown and against which the person then spoke. Details as for SaidAgain.
const Contradicted = "contradicted"

// Answers are what people said after they had said or been shown a crystal.
type Answers struct {
	Again        int // times that they said it once more
	Contradicted int // sessions; a prompt that is forgotten does not count
}

// Answers returns what people answered to some crystals.
func (tx *Tx) Answers(ctx context.Context, ids []memory.CrystalID) (map[memory.CrystalID]Answers, error) {
	type count struct {
		id              memory.CrystalID
		what            string
		times, sessions int
	}
	found := map[memory.CrystalID]Answers{}
	err := db.EachOf(ctx, tx.db, `SELECT audit.crystal_id, audit.what, COUNT(*), COUNT(DISTINCT event.session_id)
		FROM audit LEFT JOIN event ON event.id = SUBSTR(audit.detail, 8) WHERE audit.what IN (?, ?) AND audit.crystal_id IN %s
		GROUP BY audit.crystal_id, audit.what`, []any{SaidAgain, Contradicted}, ids,
		db.ForEach(func(c *count) []any { return []any{&c.id, &c.what, &c.times, &c.sessions} }, func(c count) error {
			a := found[c.id]
			if c.what == SaidAgain {
				a.Again = c.times
			} else {
				a.Contradicted = c.sessions
			}
			found[c.id] = a
			return nil
		}))
	return found, db.Wrap(err, "answers of people")
}

// FileTouch is a touch of a file by a session, or an error that it met: Path is then the error's key.
type FileTouch struct {
	Neuron memory.NeuronID
	Path   string
	Kind   memory.TouchKind
	At     time.Time
	Ord    int64
}

// SessionTouches returns what a session touched after a position, in order. With a limit it returns the latest, newest
// first, and no packed ones.
func (tx *Tx) SessionTouches(ctx context.Context, id memory.SessionID, afterOrd int64, limit int) ([]FileTouch, error) {
	if limit > 0 {
		return tx.touches(ctx, id, `event.ord > ? ORDER BY event.ord DESC, access.n DESC LIMIT ?`, afterOrd, limit)
	}
	found, err := tx.touches(ctx, id, `event.ord > ? ORDER BY event.ord, access.n`, afterOrd)
	if err != nil {
		return nil, err
	}
	packed, err := tx.packed(ctx, id)
	for _, e := range packed {
		for _, t := range e.Touches {
			if e.Ord > afterOrd {
				found = append(found, FileTouch{memory.NewNeuronID(e.Project, memory.FileNeuron, t.Path), t.Path, t.Kind, e.At, e.Ord})
			}
		}
	}
	if len(packed) > 0 {
		slices.SortStableFunc(found, func(a, b FileTouch) int { return cmp.Compare(a.Ord, b.Ord) })
	}
	return found, err
}

// TouchesBefore returns the latest touches of a session before a position, newest first. A file that a search listed was not touched.
func (tx *Tx) TouchesBefore(ctx context.Context, id memory.SessionID, ord int64, limit int) ([]FileTouch, error) {
	return tx.touches(ctx, id, `event.ord < ? AND NOT (access.kind = ? AND event.kind = ?)
		ORDER BY event.ord DESC, access.n DESC LIMIT ?`, ord, string(memory.Mention), string(memory.ToolUsed), limit)
}

func (tx *Tx) touches(ctx context.Context, id memory.SessionID, tail string, args ...any) ([]FileTouch, error) {
	return db.All(ctx, tx.db, `SELECT neuron.id, neuron.key, access.kind, event.at, event.ord FROM event
		JOIN access ON access.event_seq = event.seq JOIN neuron ON neuron.id = access.neuron_id
		WHERE event.session_id = ? AND `+tail, append([]any{int64(id)}, args...),
		func(t *FileTouch) []any { return []any{(*int64)(&t.Neuron), &t.Path, &t.Kind, db.Time(&t.At), &t.Ord} })
}

// LearnedOrd is the position up to which a session's events have become episodes.
func (tx *Tx) LearnedOrd(ctx context.Context, id memory.SessionID) (ord int64, err error) {
	err = tx.db.One(ctx, `SELECT learned_ord FROM session WHERE id = ?`, []any{int64(id)}, &ord)
	return ord, db.Wrap(err, "session %s", id)
}

// SetLearnedOrd moves that position.
func (tx *Tx) SetLearnedOrd(ctx context.Context, id memory.SessionID, ord int64) error {
	return tx.db.Run(ctx, `UPDATE session SET learned_ord = ? WHERE id = ?`, ord, int64(id))
}
