package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Synapse is what two neurons have learned of each other. A is the smaller ID.
type Synapse struct {
	A, B    memory.NeuronID
	Project memory.ProjectID
	Origin  memory.Origin
	plasticity.Link
}

// NewSynapse returns a link of nothing between two neurons, in their order.
func NewSynapse(project memory.ProjectID, origin memory.Origin, one, other memory.NeuronID) Synapse {
	return Synapse{A: min(one, other), B: max(one, other), Project: project, Origin: origin, Link: plasticity.NewLink()}
}

const synapseColumns = `a, b, project_id, origin, ab, ba, co_accesses, co_sessions, tagged_at, last_at, last_event,
	session_id, session_gain, day, day_gain`

// SynapsesOf returns the links between pairs, as far as they exist.
func (tx *Tx) SynapsesOf(ctx context.Context, pairs []plasticity.Pair) (map[plasticity.Pair]Synapse, error) {
	var found []Synapse
	for some := range slices.Chunk(pairs, pairsAtOnce) {
		in, args := listedPairs(some)
		if err := tx.db.Each(ctx, `SELECT `+synapseColumns+` FROM synapse WHERE (a, b) IN `+in, args, db.Collect(&found, (*Synapse).fields)); err != nil {
			return nil, fmt.Errorf("synapses of %d pairs: %w", len(some), err)
		}
	}
	byPair := make(map[plasticity.Pair]Synapse, len(found))
	for _, s := range found {
		byPair[plasticity.Pair{s.A, s.B}] = s
	}
	return byPair, nil
}

// pairsAtOnce are looked up by one statement.
const pairsAtOnce = 64

// listedPairs is listed for pairs.
func listedPairs(pairs []plasticity.Pair) (in string, args []any) {
	for i := range db.RoundUp(len(pairs)) {
		p := pairs[min(i, len(pairs)-1)]
		args = append(args, int64(p[0]), int64(p[1]))
	}
	return `(VALUES (?, ?)` + strings.Repeat(`, (?, ?)`, len(args)/2-1) + `)`, args
}

// SynapseFilter chooses synapses; zero fields do not filter.
type SynapseFilter struct {
	Project memory.ProjectID
	Neuron  memory.NeuronID // an end
	Origin  memory.Origin
	Living  bool // neither end is gone
	Limit   int
}

// StrongestSynapses returns synapses, the strongest direction first.
func (tx *Tx) StrongestSynapses(ctx context.Context, f SynapseFilter) ([]Synapse, error) {
	w := db.Where{}
	w.When(f.Neuron != 0, `(a = ? OR b = ?)`, int64(f.Neuron), int64(f.Neuron))
	switch {
	case f.Project != 0 && f.Neuron != 0:
		w.And(`+project_id = ?`, int64(f.Project)) // +: by the ends, which are few, not by the project
	case f.Project != 0:
		w.And(`project_id = ?`, int64(f.Project))
	}
	w.When(f.Origin != "", `origin = ?`, string(f.Origin))
	w.When(f.Living, `NOT EXISTS (SELECT 1 FROM neuron WHERE neuron.id IN (scaled.a, scaled.b) AND neuron.gone = 1)`)
	weight := `CASE WHEN ab > ba THEN ab ELSE ba END`
	if f.Project == 0 { // links of several projects compare with the registers of those
		weight += ` + COALESCE((SELECT weight FROM balance WHERE balance.project_id = scaled.project_id ORDER BY balance.seq DESC LIMIT 1), 0)`
	}
	query := `SELECT ` + synapseColumns + ` FROM synapse AS scaled` + w.String() + ` ORDER BY ` + weight + ` DESC, co_accesses DESC, a, b` + w.Limit(f.Limit)
	return db.All(ctx, tx.db, query, w.Args, (*Synapse).fields)
}

// fields are where synapseColumns go.
func (s *Synapse) fields() []any {
	return []any{
		(*int64)(&s.A), (*int64)(&s.B), (*int64)(&s.Project), &s.Origin, &s.AB, &s.BA, &s.CoAccesses, &s.CoSessions, db.Time(&s.TaggedAt),
		db.Time(&s.LastAt), &s.LastEvent, (*int64)(&s.Session), &s.SessionGain, &s.Day, &s.DayGain,
	}
}

// synapsesAtOnce are written by one statement: few enough for any database's limit of parameters.
const synapsesAtOnce = 32

// SaveSynapses writes synapses as they now are, each pair once.
func (tx *Tx) SaveSynapses(ctx context.Context, synapses []Synapse) error {
	for some := range db.Pieces(synapses, synapsesAtOnce) {
		if err := tx.saveSynapses(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) saveSynapses(ctx context.Context, synapses []Synapse) error {
	const row = `(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	var args []any
	for _, s := range synapses {
		args = append(args, int64(s.A), int64(s.B), int64(s.Project), string(s.Origin), float64(s.AB), float64(s.BA),
			s.CoAccesses, db.TimeOrNull(s.TaggedAt), db.Millis(s.LastAt), string(s.LastEvent), int64(s.Session), s.SessionGain, s.Day, s.DayGain, s.CoSessions)
	}
	_, err := tx.db.Exec(ctx, `INSERT INTO synapse (a, b, project_id, origin, ab, ba, co_accesses, tagged_at, last_at, last_event,
			session_id, session_gain, day, day_gain, co_sessions) VALUES `+row+strings.Repeat(`, `+row, len(synapses)-1)+`
		ON CONFLICT (a, b) DO UPDATE SET origin = excluded.origin, ab = excluded.ab, ba = excluded.ba,
			co_accesses = excluded.co_accesses, co_sessions = excluded.co_sessions, tagged_at = excluded.tagged_at,
			last_at = excluded.last_at, last_event = excluded.last_event, session_id = excluded.session_id,
			session_gain = excluded.session_gain, day = excluded.day, day_gain = excluded.day_gain`, args...)
	return err
}

// metBy are the neurons that a session met.
const metBy = `(SELECT access.neuron_id FROM event JOIN access ON access.event_seq = event.seq WHERE event.session_id = ?)`

// metTogether is the condition that a session met both ends of a synapse. +: by what the one end is linked to; to look each of all pairs up is
// five times as expensive.
const metTogether = `a IN ` + metBy + ` AND +b IN ` + metBy

// CountTogether counts, for every synapse both of whose ends a session met, that it did.
func (tx *Tx) CountTogether(ctx context.Context, session memory.SessionID) error {
	return tx.db.Run(ctx, `UPDATE synapse SET co_sessions = co_sessions + 1 WHERE `+metTogether, int64(session), int64(session))
}

// DeleteSynapse removes a synapse.
func (tx *Tx) DeleteSynapse(ctx context.Context, a, b memory.NeuronID) error {
	return tx.db.Run(ctx, `DELETE FROM synapse WHERE a = ? AND b = ?`, int64(a), int64(b))
}

// CountSynapses counts synapses by origin.
func (tx *Tx) CountSynapses(ctx context.Context, project memory.ProjectID) (map[memory.Origin]int64, error) {
	w := db.Where{}
	w.When(project != 0, `project_id = ?`, int64(project))
	return db.Map[memory.Origin, int64](ctx, tx.db, `SELECT origin, COUNT(*) FROM synapse`+w.String()+` GROUP BY origin`, w.Args, db.Column)
}

// Companion is a neuron at the other end of a synapse, with the weight that leads there.
type Companion struct {
	Strength
	Weight     plasticity.Stored
	CoAccesses int64
	CoSessions int64
	Origin     memory.Origin
	LastMet    time.Time
}

// FixSeen is how a file came to be known as the fix of an error: somebody said so, or the command that had failed passed after it was changed.
type FixSeen struct {
	Neuron  memory.NeuronID
	Path    string
	Named   memory.Origin // the most trusted who said so; empty: nobody did
	Passed  int64         // of the latest sessions, those in which the command passed after the change
	Command string        // that passed last; empty where it is not kept
	At      time.Time     // when it was last seen to fix it
}

// fixMeetings are the latest fixes of an error that are read: enough to decide.
const fixMeetings = 5

// FixesSeen returns the files that were seen to fix an error, the latest first. A success is noted as a meeting of the error with the command that
// passed; what was changed since the failure before it is the fix. A success that hebb did not see itself, but read in a file from elsewhere, shows nothing.
func (tx *Tx) FixesSeen(ctx context.Context, fault memory.NeuronID) (list []FixSeen, err error) {
	var f FixSeen
	var kind memory.EventKind
	var origin memory.Origin
	at := map[memory.NeuronID]int{}
	read := func(rows *sql.Rows) error {
		if err := rows.Scan((*int64)(&f.Neuron), &f.Path, &kind, &origin, &f.Command, db.Time(&f.At)); err != nil {
			return err
		}
		i, known := at[f.Neuron]
		if !known {
			i = len(list)
			at[f.Neuron] = i
			list = append(list, FixSeen{Neuron: f.Neuron, Path: f.Path, Command: f.Command, At: f.At})
		}
		if kind == memory.ToolUsed {
			list[i].Passed++
		} else if list[i].Named == "" || origin.Tier() < list[i].Named.Tier() {
			list[i].Named = origin
		}
		return nil
	}
	met := `(SELECT event.seq, event.session_id, event.ord, event.kind, event.origin, event.input, event.at FROM access JOIN event ON event.seq = access.event_seq
		WHERE access.neuron_id = ? AND event.kind = ? AND (event.kind <> '` + string(memory.ToolUsed) + `' OR event.origin = '` + string(memory.OriginTool) + `') ORDER BY access.event_seq DESC LIMIT ?) AS met`
	columns := `SELECT neuron.id, neuron.key, met.kind, met.origin, met.input, met.at FROM `
	err = tx.db.Each(ctx, columns+met+` JOIN access AS fix ON fix.event_seq = met.seq AND fix.kind <> ? JOIN neuron ON neuron.id = fix.neuron_id
		WHERE neuron.gone = 0 ORDER BY met.seq DESC, fix.n`, []any{int64(fault), string(memory.Resolved), fixMeetings, string(errorAccess)}, read)
	if err == nil {
		err = tx.db.Each(ctx, columns+met+` JOIN event AS later ON later.session_id = met.session_id AND later.ord < met.ord AND later.ord > COALESCE(
				(SELECT MAX(failed.ord) FROM access AS again JOIN event AS failed ON failed.seq = again.event_seq
					WHERE again.neuron_id = ? AND failed.session_id = met.session_id AND failed.kind = ? AND failed.ord < met.ord), met.ord)
			JOIN access AS fix ON fix.event_seq = later.seq AND fix.kind = ? JOIN neuron ON neuron.id = fix.neuron_id
			WHERE neuron.gone = 0 GROUP BY met.seq, neuron.id, neuron.key, met.kind, met.origin, met.input, met.at ORDER BY met.seq DESC, neuron.key`,
			[]any{int64(fault), string(memory.ToolUsed), fixMeetings, int64(fault), string(memory.ToolFailed), string(memory.Edit)}, read)
	}
	return list, db.Wrap(err, "how %s was fixed", fault)
}

// Fixed is a success that showed an error to be fixed, or somebody's word that it is.
type Fixed struct {
	Fault memory.NeuronID
	Error string // by which it is known again
	Event memory.EventID
	At    time.Time
}

// Fixed returns the errors that were fixed in a project since a time, the latest first; 0 is all projects. See FixesSeen.
func (tx *Tx) Fixed(ctx context.Context, project memory.ProjectID, since time.Time, most int) ([]Fixed, error) {
	w := db.Where{}
	w.When(project != 0, `event.project_id = ?`, int64(project))
	// A cross join is read in the order in which it is written.
	w.And(`event.at >= ? AND access.event_seq = event.seq AND neuron.id = access.neuron_id AND access.kind = ? AND (event.kind = ? OR event.kind = ? AND event.origin = ?)`,
		db.Millis(since), string(errorAccess), string(memory.Resolved), string(memory.ToolUsed), string(memory.OriginTool))
	tail := w.String() + ` ORDER BY event.at DESC, event.seq DESC` + w.Limit(most)
	found, err := db.All(ctx, tx.db, `SELECT access.neuron_id, neuron.key, event.id, event.at FROM event CROSS JOIN access
		CROSS JOIN neuron`+tail, w.Args, func(f *Fixed) []any {
		return []any{(*int64)(&f.Fault), &f.Error, &f.Event, db.Time(&f.At)}
	})
	return found, db.Wrap(err, "errors that were fixed")
}

// errorTexts are the latest occurrences of an error that are read.
const errorTexts = 40

// ErrorTexts returns what was printed or pasted where an error was met, the latest first.
func (tx *Tx) ErrorTexts(ctx context.Context, fault memory.NeuronID) ([]string, error) {
	return db.All(ctx, tx.db, `SELECT event.text FROM access JOIN event ON event.seq = access.event_seq
		WHERE access.neuron_id = ? AND event.kind IN (?, ?) ORDER BY access.event_seq DESC LIMIT ?`,
		[]any{int64(fault), string(memory.ToolFailed), string(memory.Resolved), errorTexts}, func(text *string) []any { return []any{text} })
}

// Companions returns what a neuron is wired to, the strongest first.
func (tx *Tx) Companions(ctx context.Context, id memory.NeuronID, limit int) ([]Companion, error) {
	return db.All(ctx, tx.db, `SELECT * FROM (
			SELECT b AS other, ab AS weight, co_accesses, co_sessions, origin, last_at AS met_at FROM synapse WHERE a = ?
			UNION ALL SELECT a, ba, co_accesses, co_sessions, origin, last_at FROM synapse WHERE b = ?) AS link
		JOIN (SELECT `+strengthColumns+` FROM neuron) AS neuron ON neuron.id = link.other
		WHERE neuron.gone = 0 ORDER BY weight DESC, neuron.key LIMIT ?`, []any{int64(id), int64(id), limit}, func(c *Companion) []any {
		return append([]any{new(any), &c.Weight, &c.CoAccesses, &c.CoSessions, &c.Origin, db.Time(&c.LastMet)}, c.fields()...)
	})
}

// deleteSynapses deletes links, and leaves it to the caller to count them off their ends.
const deleteSynapses = `DELETE FROM synapse WHERE (a, b) IN `

// execPairs runs a statement that ends in IN for pairs, after its other parameters.
func (tx *Tx) execPairs(ctx context.Context, statement string, pairs []plasticity.Pair, before ...any) error {
	for some := range slices.Chunk(pairs, pairsAtOnce) {
		in, args := listedPairs(some)
		if _, err := tx.db.Exec(ctx, statement+in, append(slices.Clone(before), args...)...); err != nil {
			return err
		}
	}
	return nil
}
