package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Graph is what a project has learned: its neurons and the links between them.
type Graph struct {
	Project        memory.ProjectID
	Links, Neurons int64
	Most           bool // most links of the store are the project's: the tables are read in their own order, without an index
}

// GraphOf measures the graph of a project.
func (tx *Tx) GraphOf(ctx context.Context, project memory.ProjectID) (g Graph, err error) {
	g.Project = project
	var all int64
	err = tx.db.One(ctx, `SELECT (SELECT COUNT(*) FROM synapse WHERE project_id = ?), (SELECT COUNT(*) FROM neuron WHERE gone = 0 AND project_id = ?),
		(SELECT COUNT(*) FROM synapse)`, []any{int64(project), int64(project)}, &g.Links, &g.Neurons, &all)
	g.Most = 2*g.Links > all
	return g, db.Wrap(err, "graph of %s", project)
}

// own is the condition that a row is the project's.
func (g Graph) own() (text string, args []any) {
	if g.Most {
		return `+project_id = ?`, []any{int64(g.Project)}
	}
	return `project_id = ?`, []any{int64(g.Project)}
}

// Suspects returns the links of a graph that could be doomed: both directions are weaker than the bound.
func (tx *Tx) Suspects(ctx context.Context, g Graph, bounds plasticity.Suspect) ([]Synapse, error) {
	within, args := g.own()
	return db.All(ctx, tx.db, `SELECT `+synapseColumns+` FROM synapse WHERE `+within+` AND (co_accesses <= ? OR last_at < ? OR ab < ? AND ba < ?)
			AND ab < ? AND ba < ? AND last_at < ?`, append(args, // what fewest pass comes first
		bounds.Met, db.Millis(bounds.Abandoned), float64(bounds.Dead), float64(bounds.Dead),
		float64(bounds.Strength), float64(bounds.Strength), db.Millis(bounds.Before)), (*Synapse).fields)
}

// Severed returns the links of a graph's neurons that are gone, met last before a time.
func (tx *Tx) Severed(ctx context.Context, g Graph, before time.Time) ([]Synapse, error) {
	g.Most = false // an index has those that are gone
	within, args := g.own()
	gone, args := `(SELECT id FROM neuron WHERE gone = 1 AND links > 0 AND `+within+`)`, append(args, db.Millis(before))
	var found []Synapse
	for _, end := range []string{`a`, `b`} {
		err := tx.db.Each(ctx, `SELECT `+synapseColumns+` FROM synapse WHERE `+end+` IN `+gone+` AND last_at < ? ORDER BY a, b`,
			args, db.Collect(&found, (*Synapse).fields))
		if err != nil {
			return nil, fmt.Errorf("severed links: %w", err)
		}
	}
	return found, nil
}

// LoneNeurons returns the neurons of a graph without links, with few accesses and less myelin and activation than given.
func (tx *Tx) LoneNeurons(ctx context.Context, g Graph, accesses int64, myelin, activation plasticity.Stored) ([]Strength, error) {
	g.Most = false // likewise those without links
	within, args := g.own()
	return db.All(ctx, tx.db, `SELECT `+strengthColumns+` FROM neuron WHERE `+within+` AND links = 0 AND gone = 0 AND accesses < ?
		AND myelin < ? AND activation < ? ORDER BY id`, append(args, accesses, float64(myelin), float64(activation)), (*Strength).fields)
}

// Unsteady bounds the files that are used too much or too little.
type Unsteady struct {
	Busy, Rare float64           // accesses above and below which a file is
	Myelin     plasticity.Stored // what a rare file must be worth
	Today      int64             // a busy file that was damped on this day is left alone
}

// UnsteadyFiles returns the files of a graph that are used too much or too little, those that are rare only once.
func (tx *Tx) UnsteadyFiles(ctx context.Context, g Graph, u Unsteady) ([]Strength, error) {
	within, args := g.own()
	return db.All(ctx, tx.db, `SELECT `+strengthColumns+` FROM neuron WHERE `+within+`
		AND (accesses > ? AND damped <> ? OR accesses < ? AND boosted = 0 AND myelin > ?) AND kind = ? AND gone = 0 ORDER BY id`,
		append(args, int64(math.Floor(u.Busy)), u.Today, int64(math.Ceil(u.Rare)), float64(u.Myelin), string(memory.FileNeuron)), (*Strength).fields)
}

// FilesToReview returns the files of a graph with more than some myelin, idle since before a time and with fewer
// reviews than given.
func (tx *Tx) FilesToReview(ctx context.Context, g Graph, myelin plasticity.Stored, idle time.Time, reviews int64) ([]Strength, error) {
	within, args := g.own()
	return db.All(ctx, tx.db, `SELECT `+strengthColumns+` FROM neuron WHERE `+within+` AND last_at <= ? AND myelin > ? AND reviews < ?
		AND kind = ? AND gone = 0 ORDER BY id`,
		append(args, db.Millis(idle), float64(myelin), reviews, string(memory.FileNeuron)), (*Strength).fields)
}

// ExpireTags takes the tags off links of a project that were tagged before a time, up to a number.
func (tx *Tx) ExpireTags(ctx context.Context, project memory.ProjectID, before time.Time, most int) (int64, error) {
	n, err := tx.db.Exec(ctx, `UPDATE synapse SET tagged_at = NULL
		WHERE (a, b) IN (SELECT a, b FROM synapse WHERE tagged_at < ? AND +project_id = ? ORDER BY tagged_at LIMIT ?)`,
		db.Millis(before), int64(project), most)
	return n, db.Wrap(err, "expire tags")
}

// CountTags counts the tags that ExpireTags would take off.
func (tx *Tx) CountTags(ctx context.Context, project memory.ProjectID, before time.Time) (int64, error) {
	return db.Value[int64](ctx, tx.db, `SELECT COUNT(*) FROM synapse WHERE tagged_at < ? AND +project_id = ?`, db.Millis(before), int64(project))
}

// RecentAccesses returns what sessions of a project read or edited after a time: the latest ones, ordered by time.
func (tx *Tx) RecentAccesses(ctx context.Context, project memory.ProjectID, since time.Time, most int) ([]plasticity.Access, error) {
	var found []plasticity.Access
	err := tx.db.Each(ctx, `SELECT event.seq, event.session_id, event.at, access.neuron_id FROM event
			JOIN access ON access.event_seq = event.seq
		WHERE event.project_id = ? AND event.at > ? AND event.session_id IS NOT NULL AND access.kind IN (?, ?)
		ORDER BY event.at DESC, event.seq DESC, access.n DESC LIMIT ?`,
		[]any{int64(project), db.Millis(since), string(memory.Read), string(memory.Edit), most}, db.Collect(&found, func(a *plasticity.Access) []any {
			return []any{&a.Seq, (*int64)(&a.Session), db.Time(&a.At), (*int64)(&a.Neuron)}
		}))
	if err != nil {
		return nil, fmt.Errorf("recent accesses of %s: %w", project, err)
	}
	slices.Reverse(found)
	return found, nil
}

// NewEvidence returns the projects with events after one, and the number of the latest event.
func (tx *Tx) NewEvidence(ctx context.Context, after int64) (projects []memory.ProjectID, last int64, err error) {
	latest := map[memory.ProjectID]int64{}
	// +: by seq; grouped by an index it would read all events
	err = tx.db.Each(ctx, `SELECT +project_id, MAX(seq) FROM event WHERE seq > ? AND NOT `+ownEvents+` GROUP BY +project_id`, []any{after},
		db.CollectMap(latest, db.Column))
	for _, id := range slices.Sorted(maps.Keys(latest)) {
		projects, last = append(projects, id), max(last, latest[id])
	}
	return projects, max(last, after), db.Wrap(err, "new evidence")
}

// Synapse returns the link between two neurons.
func (tx *Tx) Synapse(ctx context.Context, a, b memory.NeuronID) (Synapse, error) {
	var found []Synapse
	err := tx.db.Each(ctx, `SELECT `+synapseColumns+` FROM synapse WHERE a = ? AND b = ?`,
		[]any{int64(min(a, b)), int64(max(a, b))}, db.Collect(&found, (*Synapse).fields))
	first, err := db.First(found, err)
	return first, db.Wrap(err, "synapse %s %s", a, b)
}

// Linked counts new links at their ends, and that the pairs are forgotten no more.
func (tx *Tx) Linked(ctx context.Context, pairs ...plasticity.Pair) error {
	more := map[memory.NeuronID]int64{}
	for _, p := range pairs {
		more[p[0]]++
		more[p[1]]++
	}
	if err := tx.execPairs(ctx, `DELETE FROM forgotten WHERE (a, b) IN `, pairs); err != nil {
		return err
	}
	return tx.countLinks(ctx, more)
}

// countLinks adds to how many links neurons have.
func (tx *Tx) countLinks(ctx context.Context, more map[memory.NeuronID]int64) error {
	same := map[int64][]memory.NeuronID{} // by how many
	for _, id := range slices.Sorted(maps.Keys(more)) {
		same[more[id]] = append(same[more[id]], id)
	}
	for _, n := range slices.Sorted(maps.Keys(same)) {
		if err := db.ExecOf(ctx, tx.db, `UPDATE neuron SET links = links + ? WHERE id IN %s`, []any{n}, same[n]); err != nil {
			return err
		}
	}
	return nil
}

// Gone is something that sleep forgot.
type Gone struct {
	A, B    memory.NeuronID // B is 0 for a neuron
	Project memory.ProjectID
	Reason  plasticity.Reason
	At      time.Time
	Sleep   int64
	// Synapse or Neuron is what it was, as long as it can be brought back.
	Synapse *Synapse
	Neuron  *Strength
}

// Prune forgets links and neurons, given whole, and records that it did. The row of a neuron stays, for the events that
// refer to it.
func (tx *Tx) Prune(ctx context.Context, gone ...Gone) error {
	less := map[memory.NeuronID]int64{}
	var links []plasticity.Pair
	for _, g := range gone {
		var was any = g.Synapse
		if g.Synapse != nil {
			less[g.A]--
			less[g.B]--
			links = append(links, plasticity.Pair{g.A, g.B})
		} else {
			was = g.Neuron
			if _, err := tx.db.Exec(ctx, `UPDATE neuron SET gone = 1 WHERE id = ?`, int64(g.A)); err != nil {
				return fmt.Errorf("forget %s: %w", g.A, err)
			}
		}
		data, err := whole(was)
		if err != nil {
			return fmt.Errorf("remember what was forgotten: %w", err)
		}
		_, err = tx.db.Exec(ctx, `INSERT INTO forgotten (a, b, project_id, reason, at, sleep_id, data) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (a, b) DO UPDATE SET reason = excluded.reason, at = excluded.at, sleep_id = excluded.sleep_id, data = excluded.data`,
			int64(g.A), int64(g.B), int64(g.Project), string(g.Reason), db.Millis(tx.Now), g.Sleep, string(data))
		if err != nil {
			return fmt.Errorf("remember what was forgotten: %w", err)
		}
	}
	if err := tx.execPairs(ctx, deleteSynapses, links); err != nil {
		return fmt.Errorf("forget links: %w", err)
	}
	return tx.countLinks(ctx, less)
}

// GoneFilter chooses what sleep forgot; zero fields do not filter.
type GoneFilter struct {
	Project memory.ProjectID
	Neuron  memory.NeuronID // itself, or an end
	Before  time.Time
	Sleep   int64
	Whole   bool // only what can still be brought back
	Limit   int
}

// ListGone lists what sleep forgot, the latest first.
func (tx *Tx) ListGone(ctx context.Context, f GoneFilter) ([]Gone, error) {
	w := db.Where{}
	w.When(f.Project != 0, `project_id = ?`, int64(f.Project))
	w.When(f.Neuron != 0, `(a = ? OR b = ?)`, int64(f.Neuron), int64(f.Neuron))
	w.When(!f.Before.IsZero(), `at < ?`, db.Millis(f.Before))
	w.When(f.Sleep != 0, `sleep_id = ?`, f.Sleep)
	w.When(f.Whole, `data <> ''`)
	query := `SELECT a, b, project_id, reason, at, sleep_id, data FROM forgotten` + w.String() + ` ORDER BY at DESC, a, b`
	query += w.Limit(f.Limit)
	var found []Gone
	var data string
	err := tx.db.Each(ctx, query, w.Args, db.ForEach(func(g *Gone) []any {
		return []any{(*int64)(&g.A), (*int64)(&g.B), (*int64)(&g.Project), &g.Reason, db.Time(&g.At), &g.Sleep, &data}
	}, func(g Gone) error {
		err := g.read(data)
		found = append(found, g)
		return err
	}))
	return found, db.Wrap(err, "what is forgotten")
}

func (g *Gone) read(data string) error {
	if data == "" {
		return nil
	}
	var err error
	if g.B == 0 {
		g.Neuron = &Strength{}
		err = json.Unmarshal([]byte(data), g.Neuron)
	} else {
		g.Synapse = &Synapse{A: g.A, B: g.B, Project: g.Project}
		err = g.Synapse.readWhole([]byte(data))
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", memory.ErrDamaged, err)
	}
	return db.Wrap(err, "forgotten %s %s", g.A, g.B)
}

// whole is a neuron or a link as it can be brought back. Sleep forgets most links that a session makes, so these are short: a list of what
// the row of forgotten does not say itself.
func whole(was any) ([]byte, error) {
	s, isLink := was.(*Synapse)
	if !isLink {
		return json.Marshal(was)
	}
	tagged := int64(0)
	if !s.TaggedAt.IsZero() {
		tagged = db.Millis(s.TaggedAt)
	}
	return json.Marshal([]any{
		s.Origin, s.AB, s.BA, s.CoAccesses, s.CoSessions, tagged, db.Millis(s.LastAt), s.LastEvent, int64(s.Session), s.SessionGain, s.Day, s.DayGain,
	})
}

// readWhole reads a link that whole wrote, or one that was written by its names, as in the first versions.
func (s *Synapse) readWhole(data []byte) error {
	if data[0] == '{' {
		return json.Unmarshal(data, s)
	}
	var tagged, last int64
	list := []any{
		&s.Origin, &s.AB, &s.BA, &s.CoAccesses, &s.CoSessions, &tagged, &last, &s.LastEvent, (*int64)(&s.Session), &s.SessionGain, &s.Day, &s.DayGain,
	}
	want := len(list)
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	if len(list) != want {
		return fmt.Errorf("%d of %d values", len(list), want)
	}
	if tagged != 0 {
		s.TaggedAt = db.FromMillis(tagged)
	}
	s.LastAt = db.FromMillis(last)
	return nil
}

// AnyForgotten reports whether sleep has forgotten anything of a project.
func (tx *Tx) AnyForgotten(ctx context.Context, project memory.ProjectID) (bool, error) {
	return tx.db.Any(ctx, `forgotten WHERE project_id = ?`, int64(project))
}

// ForgottenAt returns when sleep forgot a link.
func (tx *Tx) ForgottenAt(ctx context.Context, a, b memory.NeuronID) (time.Time, error) {
	var at int64
	err := tx.db.One(ctx, `SELECT at FROM forgotten WHERE a = ? AND b = ?`, []any{int64(a), int64(b)}, &at)
	return db.FromMillis(at), db.Wrap(err, "when %s %s was forgotten", a, b)
}

// Remembered takes something off the list of what was forgotten: it is back.
func (tx *Tx) Remembered(ctx context.Context, a, b memory.NeuronID) error {
	return tx.db.Run(ctx, `DELETE FROM forgotten WHERE a = ? AND b = ?`, int64(a), int64(b))
}

// CloseForgotten makes forgetting before a time final, for up to a number of rows. That something was forgotten stays known, except for
// links that sessions taught: those come back by use alone, whereas a source may name the others again at any time.
func (tx *Tx) CloseForgotten(ctx context.Context, before time.Time, most int) (int64, error) {
	old, err := tx.ListGone(ctx, GoneFilter{Whole: true, Before: before, Limit: most})
	if err != nil {
		return 0, err
	}
	for _, g := range old {
		if s := g.Synapse; s != nil && s.Origin != memory.OriginRepo && s.Origin != memory.OriginImport {
			err = tx.Remembered(ctx, g.A, g.B)
		} else {
			_, err = tx.db.Exec(ctx, `UPDATE forgotten SET data = '' WHERE a = ? AND b = ?`, int64(g.A), int64(g.B))
		}
		if err != nil {
			return 0, fmt.Errorf("close what was forgotten: %w", err)
		}
	}
	return int64(len(old)), nil
}

// SleepRecord is one sleep as it is kept.
type SleepRecord struct {
	ID     int64     `json:"id"`
	At     time.Time `json:"at"`
	Why    string    `json:"why"`
	Report string    `json:"report"` // JSON
}

var sleeps = NewFact[SleepRecord]("sleep/report")

// BeginSleep writes a sleep down and returns its number; EndSleep adds what came of it.
func (tx *Tx) BeginSleep(ctx context.Context, why string) (int64, error) {
	id, err := sleeps.next(ctx, tx)
	if err != nil {
		return 0, err
	}
	return id, sleeps.numbered(id).Set(ctx, tx, SleepRecord{ID: id, At: tx.Now, Why: why, Report: "{}"})
}

// EndSleep writes down what came of a sleep, or that nothing did if the report is empty, and drops all but the latest so
// many.
func (tx *Tx) EndSleep(ctx context.Context, id int64, report string, kept int) error {
	sleep := sleeps.numbered(id)
	if report == "" {
		return sleep.Clear(ctx, tx)
	}
	begun, err := sleep.Get(ctx, tx)
	if err != nil || begun.ID == 0 { // removed meanwhile, by a restore
		return err
	}
	begun.Report = report
	if err := sleep.SetAt(ctx, tx, begun, begun.At); err != nil {
		return err
	}
	return sleeps.trim(ctx, tx, kept)
}

// Sleeps lists sleeps, the latest first.
func (tx *Tx) Sleeps(ctx context.Context, since time.Time, limit int) (list []SleepRecord, err error) {
	found, err := sleeps.records(ctx, tx, ` AND project_id = 0 AND at >= ? ORDER BY subject DESC LIMIT ?`, db.Millis(since), limit)
	for _, r := range found {
		r.value.At = r.at
		list = append(list, r.value)
	}
	return list, err
}

// leases are by name: the holder, and as their time until when it holds.
var leases = NewFact[string]("lease")

// TakeLease gives a holder the right to do what only one may do at a time, for a while, or says that another has it. Clocks
// of two machines differ a little; a lease dated more than a whole span further ahead than it could be was written by a
// wrong one and holds nobody off, nor does that of gone, whom the caller knows to be gone.
func (tx *Tx) TakeLease(ctx context.Context, name, holder, gone string, span time.Duration) (bool, error) {
	held, err := leases.records(ctx, tx, ` AND project_id = 0 AND subject = ?`, name)
	if errors.Is(err, memory.ErrDamaged) { // nobody can say whose it is: it counts as expired, and the doctor reports it
		held, err = nil, nil
	}
	if err != nil {
		return false, err
	}
	until := tx.Now.Add(span)
	for _, l := range held {
		lapsed := l.at.Before(tx.Now) || l.at.After(until.Add(span))
		if l.value != holder && l.value != gone && !lapsed {
			return false, nil
		}
	}
	return true, leases.About(name).SetAt(ctx, tx, holder, until)
}

// EndLease gives it back.
func (tx *Tx) EndLease(ctx context.Context, name, holder string) error {
	lease := leases.About(name)
	now, err := lease.Get(ctx, tx)
	if errors.Is(err, memory.ErrDamaged) {
		err = nil
	}
	if err != nil || now != holder {
		return err
	}
	return lease.Clear(ctx, tx)
}

// rewrite replaces what is kept of something forgotten.
func (tx *Tx) rewrite(ctx context.Context, g Gone, was any) error {
	data, err := whole(was)
	if err == nil {
		_, err = tx.db.Exec(ctx, `UPDATE forgotten SET data = ? WHERE a = ? AND b = ?`, string(data), int64(g.A), int64(g.B))
	}
	return db.Wrap(err, "rewrite what was forgotten")
}

// Kept returns the time of the latest event of a project but for a number of later ones, zero if there are no more.
func (tx *Tx) Kept(ctx context.Context, project memory.ProjectID, most int) (time.Time, error) {
	at, err := db.All(ctx, tx.db, `SELECT at FROM event WHERE project_id = ? AND NOT `+ownEvents+` ORDER BY at DESC LIMIT 1 OFFSET ?`, []any{int64(project), most},
		func(at *time.Time) []any { return []any{db.Time(at)} })
	if err != nil || len(at) == 0 {
		return time.Time{}, err
	}
	return at[0], nil
}
