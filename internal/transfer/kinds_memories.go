package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// writtenMemory is a memory with what happened to it.
type writtenMemory struct {
	memory.Memory
	Traces []store.Trace `json:"traces,omitempty"`
}

// persons are the kinds that are only imported with ImportInput.Mine. Only the user decides what is never forgotten: the texts of others'
// pins are imported, and are not pinned.
var persons = []memory.CrystalKind{memory.KindPin, memory.KindPage, memory.KindNote, memory.KindPayment, memory.KindThought, memory.KindGap}

// figure is what counts memories of a kind; nil: nothing does.
func (out *TransferResult) figure(kind memory.CrystalKind) *int {
	if kind.Statement() {
		return &out.Crystals
	}
	return map[memory.CrystalKind]*int{
		memory.KindEntity: &out.Entities, memory.KindRelation: &out.Relations, memory.KindPin: &out.Pins, memory.KindPage: &out.Pages, memory.KindGoal: &out.Goals,
	}[kind]
}

func (out *TransferResult) count(kind memory.CrystalKind) {
	if n := out.figure(kind); n != nil {
		*n++
	}
}

// memoryLines are lines of memories. Exports of before the table of memories have a name for each kind: these are only read.
type memoryLines struct {
	name string
	read func(json.RawMessage) (writtenMemories, error)
}

// writtenMemories are those of one line.
type writtenMemories []writtenMemory

func (list writtenMemories) weight() (sum int) {
	for _, m := range list {
		if sum++; m.Kind.Statement() {
			sum += 3 + len(m.Traces)/4
		}
	}
	return sum
}

func readMemory(raw json.RawMessage) (writtenMemories, error) {
	var m writtenMemory
	err := json.Unmarshal(raw, &m)
	return writtenMemories{m}, err
}

// linesBefore are the lines that earlier versions wrote of a kind; in gives the value the project that stands beside it.
func linesBefore[T any](name string, n store.Noun[T], in func(*T, memory.ProjectID, time.Time)) memoryLines {
	return memoryLines{name, func(raw json.RawMessage) (writtenMemories, error) {
		var v T
		var beside struct {
			Project   memory.ProjectID `json:"project"`
			CreatedAt time.Time        `json:"created_at"`
		}
		err := errors.Join(json.Unmarshal(raw, &v), json.Unmarshal(raw, &beside))
		if in != nil {
			in(&v, beside.Project, beside.CreatedAt)
		}
		m, failed := n.Memory(v)
		list := writtenMemories{{Memory: m}}
		if e, ok := any(v).(memory.Entity); ok { // with what was said of it
			for _, o := range e.Observations {
				o.Project, o.Entity = e.Project, e.Name
				m, err := store.Observations.Memory(o)
				list, failed = append(list, writtenMemory{Memory: m}), errors.Join(failed, err)
			}
		}
		return list, errors.Join(err, failed)
	}}
}

func (l memoryLines) typ() string { return l.name }

func (l memoryLines) export(ctx context.Context, e *exporter) error {
	if l.name != "memory" {
		return nil
	}
	line := &kind[writtenMemory]{name: l.name}
	for _, kinds := range slices.Concat([][]memory.CrystalKind{memory.CrystalKinds}, slices.Collect(slices.Chunk(memory.OtherKinds, 1))) {
		found, err := e.tx.Memories(ctx, store.CrystalFilter{Kinds: kinds, Projects: e.projects, OldestFirst: true}) // none of one that is forgotten whole
		for _, m := range found {
			if _, unknown := desk.ParsePage(m.Name); m.Kind == memory.KindPage && unknown != nil {
				continue // no import takes it
			}
			if e.move != nil {
				if m.Project != e.move.from {
					continue
				}
				m.Project, m.Session, m.More = e.move.into.ID, e.move.sessions[m.Session], e.move.renamed(m.More)
			}
			traces, failed := e.tx.Traces(ctx, m.ID)
			e.out.count(m.Kind)
			err = errors.Join(err, failed, line.write(e.to, writtenMemory{m.Crystal, traces}))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (l memoryLines) decode(t *importer, raw json.RawMessage) (any, error) {
	list, err := l.read(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", memory.ErrInvalid, err)
	}
	for i := range list {
		m := &list[i]
		t.cleanMemory(&m.Memory)
		for i := range m.Traces {
			trace := &m.Traces[i]
			trace.Crystal, trace.At = m.ID, t.moment(trace.At)
			cleanLines(&trace.What, &trace.Detail)
		}
	}
	return list, nil
}

// cleanMemory removes secrets and control characters, and marks what others said as imported. An ID that follows from what the memory says is
// derived anew: that, or the project, may have changed.
func (t *importer) cleanMemory(m *memory.Memory) {
	if !t.mine {
		m.Origin = memory.OriginImport
		if m.Lifecycle == memory.Frozen {
			m.Lifecycle = memory.Generated // only a person here decides what is never forgotten
		}
	}
	m.SaidAt, m.LastAt, m.ValidTo = t.moment(m.SaidAt), t.moment(m.LastAt), t.moment(m.ValidTo)
	cleanLines(&m.Name, &m.Subject)
	switch {
	case m.Kind.Statement():
		m.Name, m.More, m.Marks = "", nil, statements.GoodMarks(m.Marks)
		m.Source, m.Text = oneLine(m.Source), strings.TrimSpace(scrub.Clean(m.Text))
	case m.Kind == memory.KindPage:
		m.Text = scrub.Clean(m.Text)
	case m.Kind == memory.KindObservation:
		m.Text = strings.TrimSpace(scrub.Clean(m.Text))
	default:
		m.Text, m.Source = oneLine(m.Text), scrub.Clean(m.Source)
	}
	for i := range m.Marks {
		cleanLines(&m.Marks[i])
	}
	for i, a := range m.Anchors {
		m.Anchors[i] = memory.Anchor{Path: statements.ScrubbedPath(a.Path), Symbol: oneLine(a.Symbol), Commit: oneLine(a.Commit), Hash: a.Hash, AtHand: a.AtHand}
	}
	if len(m.More) > 0 {
		m.More = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).ReplaceAllFunc(m.More, func(quoted []byte) []byte { // each text in it
			var text string
			if json.Unmarshal(quoted, &text) != nil || scrub.Clean(text) == text {
				return quoted
			}
			clean, _ := json.Marshal(scrub.Clean(text)) // a text can be written
			return clean
		})
	}
	*m = m.Settled()
}

// checkLine refuses a memory that hebb itself would not make.
func (l memoryLines) checkLine(ctx context.Context, t *importer, value any) error {
	for _, m := range value.(writtenMemories) { //nolint:forcetypeassert // decode made it
		if _, err := memory.ParseEventID(string(m.ID)); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		if !t.mine && slices.Contains(persons, m.Kind) {
			continue
		}
		if err := t.checkProjectID(ctx, m.Project); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		for _, part := range []struct {
			wrong bool
			what  string
		}{
			{m.Kind.Row().Kind != m.Kind, fmt.Sprintf("kind %q", oneLine(string(m.Kind)))},
			{m.Text == "" && one(m.Kind, memory.KindObservation, memory.KindGoal, memory.KindGap), "no text"},
			{m.SaidAt.IsZero() && one(m.Kind, memory.KindPage, memory.KindPayment, memory.KindThought, memory.KindGap), "no time"},
			{m.Kind.Statement() && !slices.Contains(memory.Lifecycles, m.Lifecycle), fmt.Sprintf("lifecycle %q", m.Lifecycle)},
			{!slices.Contains(memory.Origins, m.Origin) && (m.Origin != "" || one(m.Kind, memory.KindObservation, memory.KindPin, memory.KindPage, memory.KindGoal)), fmt.Sprintf("origin %q", m.Origin)},
			{m.Importance < 0 || m.Importance > 1, fmt.Sprintf("importance %g", m.Importance)},
			{m.Heard < 0 || m.Heard > 1, fmt.Sprintf("heard %g", m.Heard)},
			{m.Valence < -1 || m.Valence > 1, fmt.Sprintf("valence %g", m.Valence)},
			{m.Accesses < 0 || m.GapHours < 0, "a negative count of uses"},
			{slices.ContainsFunc(m.Anchors, func(a memory.Anchor) bool { return a.Path == "" || len(a.Path) > record.LongestName }), "an anchor without a path, or with too long a one"},
			{slices.ContainsFunc(m.Traces, func(t store.Trace) bool { return t.What == "" || t.At.IsZero() }), "a trace needs what happened and when"},
			{m.Kind == memory.KindPin && desk.NormalTitle(m.Text) == "", "a pin needs a title"},
		} {
			if part.wrong {
				return fmt.Errorf("memory %s, %s: %s: %w", m.ID, m.Kind, part.what, memory.ErrInvalid)
			}
		}
		for _, id := range m.Parents {
			if _, err := memory.ParseEventID(string(id)); err != nil {
				return fmt.Errorf("memory %s: parent: %w", m.ID, err)
			}
		}
		if err := t.checkKind(ctx, m.Memory); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
	}
	return nil
}

// one says whether a kind is that of a statement, or one of some others.
func one(kind memory.CrystalKind, others ...memory.CrystalKind) bool {
	return kind.Statement() || slices.Contains(others, kind)
}

// checkKind refuses what no memory of its kind says.
func (t *importer) checkKind(ctx context.Context, m memory.Memory) error {
	switch m.Kind {
	case memory.KindEntity:
		if m.Name == "" {
			return fmt.Errorf("an entity needs a name: %w", memory.ErrInvalid)
		}
		t.entities[m.ID] = true
		return store.CheckNames(m.Name)
	case memory.KindObservation:
		return t.needEntities(ctx, m.Project, m.Name)
	case memory.KindRelation:
		return errors.Join(store.CheckNames(m.Text), t.needEntities(ctx, m.Project, m.Name, m.Source))
	case memory.KindPage:
		_, err := desk.ParsePage(m.Name)
		return err
	case memory.KindGoal:
		g, err := store.Goals.Of(m)
		if err == nil && (!slices.Contains(memory.GoalKinds, g.Kind) || !slices.Contains(memory.GoalStatuses, g.Status)) {
			err = fmt.Errorf("goal %s: kind %q, status %q: %w", g.ID, g.Kind, g.Status, memory.ErrInvalid)
		}
		return err
	case memory.KindPayment:
		p, err := store.Payments.Of(m)
		if err == nil && (p.Amount == 0 || math.Abs(float64(p.Amount)) > state.MostUSDC*state.Usdc) {
			err = fmt.Errorf("payment %s: amount %d: %w", p.ID, p.Amount, memory.ErrInvalid)
		}
		return err
	case memory.KindThought:
		_, err := store.Thoughts.Of(m)
		return err
	}
	return nil
}

// needEntities refuses what speaks of an entity that neither the file nor this store has.
func (t *importer) needEntities(ctx context.Context, project memory.ProjectID, names ...string) error {
	for _, name := range names {
		known, err := t.tx.HasEntity(ctx, project, name)
		if err == nil && !known && !t.entities[memory.EntityID(project, name)] {
			err = fmt.Errorf("entity %q: %w", name, memory.ErrNotFound)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// takeLine stores new memories. One that is known, or was deleted here, stays as it is, unless it is a page and older.
func (l memoryLines) takeLine(ctx context.Context, t *importer, value any) error {
	for _, m := range value.(writtenMemories) { //nolint:forcetypeassert // decode made it
		t.out.count(m.Kind)
		if !t.mine && slices.Contains(persons, m.Kind) {
			continue
		}
		added, err := t.takeMemory(ctx, m.Memory)
		if err == nil && added {
			err = t.tx.Leave(ctx, m.Traces...)
		}
		if err != nil {
			return err
		}
		if !added && t.out.figure(m.Kind) != nil {
			t.out.Known++
		}
	}
	return nil
}

func (t *importer) takeMemory(ctx context.Context, m memory.Memory) (added bool, err error) {
	forgotten, err1 := t.tx.Forgotten(ctx, memory.EventID(m.ID))
	known, err2 := t.tx.Crystal(ctx, m.ID)
	here := !brain.IsNotFound(err2) && m.Kind != memory.KindThought // whose ID is a number, and another store's
	older := here && m.Kind == memory.KindPage && known.SaidAt.Before(m.SaidAt)
	untyped := here && m.Kind == memory.KindEntity && known.Text == ""
	if err := errors.Join(err1, brain.IgnoreNotFound(err2)); err != nil || forgotten || here && !older && !untyped {
		return false, err
	}
	switch m.Kind {
	case memory.KindEntity, memory.KindObservation, memory.KindRelation:
		if t.graphs[m.Project] == nil { // it is indexed at the end of the batch
			t.graphs[m.Project] = &texts.GraphChange{Tx: t.tx, Project: m.Project, Touched: map[string]bool{}}
		}
		return t.graphs[m.Project].Take(ctx, m)
	case memory.KindPin, memory.KindNote:
		c, err := t.tx.Crystal(ctx, memory.CrystalID(m.Subject))
		if err != nil {
			return false, brain.IgnoreNotFound(err) // its text was deleted here
		}
		m.Project = c.Project
		if p, _ := store.Pins.Of(m); m.Kind == memory.KindPin {
			if _, err := desk.PinOf(ctx, t.tx, p.Project, desk.NormalTitle(p.Title), p.Waiting()); !brain.IsNotFound(err) {
				return false, err
			}
			return true, t.tx.SetPin(ctx, p, desk.PinKey(p))
		}
	case memory.KindGoal:
		g, err := store.Goals.Of(m)
		if err != nil || t.mine {
			break
		}
		g.MentionedAt = time.Time{} // this person has not mentioned what others asked for
		return true, store.Goals.Keep(ctx, t.tx, g)
	case memory.KindThought: // what was shown and what came of it decides what is shown next; it is numbered anew
		c, err1 := store.Thoughts.Of(m)
		goal, err2 := t.tx.Has(ctx, memory.CrystalID(c.Goal))
		before, err3 := t.tx.Thoughts(ctx, c.Project, c.At, math.MaxInt32)
		if err := errors.Join(err1, err2, err3); err != nil || !goal || slices.ContainsFunc(before, func(k store.Thought) bool {
			return k.Goal == c.Goal && k.At.Equal(c.At) && slices.Equal(k.Keys, c.Keys)
		}) {
			return false, err
		}
		_, err := t.tx.AddThought(ctx, c)
		return true, err
	case memory.KindGap:
		asked, err := state.Searches(ctx, t.tx, m.Project)
		if err != nil || len(state.Hit(asked, m.Text)) < len(asked) { // it was asked here too
			return false, err
		}
	}
	if !m.Kind.Statement() {
		return true, t.tx.Keep(ctx, m.Settled())
	}
	words := vocab.TextWords(m.Text)
	document, err := t.tx.AddCrystal(ctx, m, words)
	if err == nil {
		err = t.tx.SetVectors(ctx, texts.GeneralModel, []store.DocumentVector{{Document: document, Project: m.Project, Vector: texts.VectorOf(words)}})
	}
	return true, err
}
