package forget

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/typed"
)

// Forgetting is what is to be forgotten. It is kept in the store until it is done: a process that is killed on the way leaves it to
// the next drain. Every step can be repeated.
type Forgetting struct {
	ID       string              `json:"id"`
	Crystals []memory.CrystalID  `json:"crystals,omitempty"`
	Texts    memory.ProjectID    `json:"texts,omitzero"` // the project that is forgotten with all its texts
	Events   []store.EventFilter `json:"events,omitempty"`
	// Sessions and Projects are those of the events.
	Sessions []memory.SessionID `json:"sessions,omitempty"`
	Projects []memory.ProjectID `json:"projects,omitempty"`
	// Old says that the events go for their age: nobody asked to forget what they say.
	Old bool `json:"old,omitempty"`
}

var forgettingFact = store.NewFact[[]Forgetting]("forgetting")

// Uncleaned says that files, free pages of the store or backups may hold what was forgotten.
var Uncleaned = store.NewFact[bool]("forgetting/uncleaned")

// CleanDue reports whether they may, and nothing is being forgotten any more.
func CleanDue(ctx context.Context, tx *store.Tx) (bool, error) {
	unfinished, err := forgettingFact.Get(ctx, tx)
	due, failed := Uncleaned.Get(ctx, tx)
	return due && len(unfinished) == 0, errors.Join(err, failed)
}

// addPlaces adds the sessions and projects of events.
func (f *Forgetting) addPlaces(ctx context.Context, tx *store.Tx, events store.EventFilter) error {
	sessions, err := tx.SessionsOf(ctx, events)
	if err != nil {
		return err
	}
	projects, err := tx.ProjectsOf(ctx, events)
	if err != nil {
		return err
	}
	f.Sessions, f.Projects = goals.Union(f.Sessions, sessions...), goals.Union(f.Projects, projects...)
	return nil
}

// namedMost bounds how many events Named returns: the newest say which copies were made after them.
const namedMost = 1000

// Named returns IDs of what is to be forgotten: all texts, and the newest events.
func (f *Forgetting) Named(ctx context.Context, st *store.Store) (ids []string, err error) {
	for _, id := range f.Crystals {
		ids = append(ids, string(id))
	}
	err = st.View(ctx, func(tx *store.Tx) error {
		if f.Texts != 0 {
			kept, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{f.Texts}})
			for _, c := range kept {
				ids = append(ids, string(c.ID))
			}
			if err != nil {
				return err
			}
		}
		for _, filter := range f.Events {
			filter.Limit = namedMost
			events, err := tx.Events(ctx, filter)
			for _, e := range events {
				ids = append(ids, string(e.ID))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return ids, err
}

func setUnfinished(ctx context.Context, tx *store.Tx, list []Forgetting) error {
	if len(list) == 0 {
		return forgettingFact.Clear(ctx, tx)
	}
	return forgettingFact.Set(ctx, tx, list)
}

// BeginForgetting writes down durably what is to be forgotten.
func BeginForgetting(ctx context.Context, st *store.Store, f *Forgetting) error {
	id, err := st.NewID()
	if err != nil {
		return err
	}
	f.ID = string(id)
	return st.UpdateDurable(ctx, func(tx *store.Tx) error {
		list, err := forgettingFact.Get(ctx, tx)
		if err == nil {
			err = setUnfinished(ctx, tx, append(list, *f))
		}
		if err == nil && !f.Old {
			err = Uncleaned.Set(ctx, tx, true)
		}
		for i := 0; i < len(f.Projects) && err == nil; i++ {
			err = record.MarkAnew(ctx, tx, f.Projects[i])
		}
		return err
	})
}

// Resume forgets what another process wrote down and did not end, or is still at: each step may be taken twice.
func Resume(ctx context.Context, b *brain.Brain) error {
	list, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]Forgetting, error) { return forgettingFact.Get(ctx, tx) })
	return errors.Join(err, brain.EachAlone(ctx, list, func(f Forgetting) error { return ForgetNow(ctx, b, f) }))
}

// ForgetNow forgets what was written down, in short transactions. What was said goes first, so that nothing of it is shown while the rest goes on.
// A process that rebuilds a project begins again because of this.
func ForgetNow(ctx context.Context, b *brain.Brain, f Forgetting) error {
	for _, id := range f.Projects {
		if err := sleep.Unpack(ctx, b.Store, id); err != nil {
			return err
		}
	}
	for i := 0; i < len(f.Projects) && !f.Old; i++ {
		if err := hide(ctx, b, f.Projects[i]); err != nil {
			return err
		}
	}
	if err := forgetTexts(ctx, b.Store, f); err != nil {
		return err
	}
	if f.Texts != 0 {
		if err := recall.RemoveFileWords(b.Config.Contents(f.Texts)); err != nil {
			return err
		}
	}
	if !f.Old {
		for _, events := range f.Events {
			if err := forgetWords(ctx, b.Store, events); err != nil {
				return err
			}
		}
	}
	if err := forgetDocuments(ctx, b.Store, f.Events); err != nil {
		return err
	}
	for _, events := range f.Events {
		if err := forgetEvents(ctx, b.Store, events); err != nil {
			return err
		}
	}
	for _, id := range f.Sessions {
		if err := restoreSession(ctx, b.Store, id); err != nil {
			return err
		}
	}
	return b.Store.UpdateDurable(ctx, func(tx *store.Tx) error {
		if err := statements.ForgetSent(ctx, tx); err != nil {
			return err
		}
		list, err := forgettingFact.Get(ctx, tx)
		if err != nil {
			return err
		}
		return setUnfinished(ctx, tx, slices.DeleteFunc(list, func(other Forgetting) bool { return other.ID == f.ID }))
	})
}

// Rows of one write transaction while forgetting. A text has about forty: its words are counted off.
const (
	textsAtOnce  = 15
	eventsForgot = 60
)

// inPieces hands a list over in pieces, one short transaction each.
func inPieces[T any](ctx context.Context, st *store.Store, list []T, size int, work func(*store.Tx, []T) error) error {
	for some := range slices.Chunk(list, size) {
		if err := st.UpdateSome(ctx, func(tx *store.Tx) error { return work(tx, some) }); err != nil {
			return err
		}
	}
	return nil
}

// TextFacts are the facts of a project that go with its texts.
func TextFacts(id memory.ProjectID) []state.Clearable {
	return append(state.TextFacts(id), statements.ConventionsFact(id))
}

// forgetTexts deletes what was remembered: texts by their IDs, all of a project that is forgotten whole.
func forgetTexts(ctx context.Context, st *store.Store, f Forgetting) error {
	err := inPieces(ctx, st, f.Crystals, 1, func(tx *store.Tx, ids []memory.CrystalID) error {
		gone, err := tx.Crystal(ctx, ids[0])
		if err != nil {
			return brain.IgnoreNotFound(err)
		}
		if err := traceSource(ctx, tx, gone.Crystal); err != nil {
			return err
		}
		return forgetText(ctx, tx, gone.Crystal)
	})
	if err != nil || f.Texts == 0 {
		return err
	}
	err = st.UpdateSome(ctx, func(tx *store.Tx) error {
		err := tx.DropStates(ctx, f.Texts, 0)
		for _, fact := range TextFacts(f.Texts) {
			err = errors.Join(err, fact.Clear(ctx, tx))
		}
		return errors.Join(err, statements.ForgetScribe(ctx, tx, f.Texts))
	})
	for more := true; more && err == nil; {
		err = st.UpdateSome(ctx, func(tx *store.Tx) (err error) {
			more, err = tx.DropTexts(ctx, f.Texts, textsAtOnce)
			return err
		})
	}
	return err
}

// forgetText deletes a text with what names it.
func forgetText(ctx context.Context, tx *store.Tx, c memory.Crystal) error {
	return errors.Join(brain.IgnoreNotFound(tx.Drop(ctx, c.ID)), tx.ForgetReceipts(ctx, c.ID), statements.UnnoteLine(ctx, tx, c),
		forgetTextInStates(ctx, tx, c), state.ForgetThoughts(ctx, tx, c.ID), goals.ForgetCrystal(ctx, tx, c))
}

// forgetLines deletes the lines of knowledge that nothing proves any more, and what the scribe did with sessions that go whole.
func forgetLines(ctx context.Context, st *store.Store, id memory.ProjectID, said wordsForgotten) error {
	var lost []memory.Crystal
	var whole []memory.SessionID
	gone := func(e memory.StoredEvent) bool { return said.events[statements.SourceOf(e)] }
	err := st.View(ctx, func(tx *store.Tx) error {
		lost, whole = nil, nil
		for session := range said.sessions {
			of, err := tx.Session(ctx, session)
			if brain.IsNotFound(err) {
				continue
			}
			if err != nil {
				return err
			}
			lines, all, err := statements.WithoutProof(ctx, tx, of, gone)
			if lost = append(lost, lines...); err != nil {
				return err
			}
			if all {
				whole = append(whole, session)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = inPieces(ctx, st, whole, 1, func(tx *store.Tx, some []memory.SessionID) error { return statements.Unread(ctx, tx, id, some[0]) })
	if err != nil {
		return err
	}
	return inPieces(ctx, st, lost, 1, func(tx *store.Tx, some []memory.Crystal) error { return forgetText(ctx, tx, some[0]) })
}

// traceSource keeps a transcript from saying once more what a text was made of: the event may come under another name.
func traceSource(ctx context.Context, tx *store.Tx, c memory.Crystal) error {
	_, id, _ := strings.Cut(c.Source, " ")
	if _, err := memory.ParseEventID(id); err != nil {
		return nil //nolint:nilerr // no event said it
	}
	said, err := tx.Events(ctx, store.EventFilter{ID: memory.EventID(id), Bare: true})
	for _, e := range said {
		if e.AgentSession != "" {
			err = errors.Join(err, tx.Trace(ctx, e.Event))
		}
	}
	return err
}

// forgetDocuments deletes what makes events findable, and all of the sessions they belong to.
func forgetDocuments(ctx context.Context, st *store.Store, filters []store.EventFilter) error {
	for _, events := range filters {
		ids, err := brain.View(ctx, st, func(tx *store.Tx) ([]int64, error) { return tx.DocumentsOf(ctx, events) })
		if err != nil {
			return err
		}
		err = inPieces(ctx, st, ids, textsAtOnce, func(tx *store.Tx, some []int64) error { return tx.DeleteDocuments(ctx, some...) })
		if err != nil {
			return err
		}
	}
	return nil
}

// forgetEvents deletes events, a few at a time. Each transaction leaves a store as if those had never been seen, apart from what
// is rebuilt.
func forgetEvents(ctx context.Context, st *store.Store, events store.EventFilter) error {
	seqs, err := brain.View(ctx, st, func(tx *store.Tx) ([]int64, error) { return tx.EventSeqs(ctx, events) })
	if err != nil {
		return err
	}
	return inPieces(ctx, st, seqs, eventsForgot, func(tx *store.Tx, some []int64) error {
		_, _, err := tx.Forget(ctx, store.EventFilter{Seqs: some})
		return err
	})
}

// restoreSession settles a session that has lost events: its intent, what is said of it, and what makes the rest of it findable.
func restoreSession(ctx context.Context, st *store.Store, id memory.SessionID) error {
	var docs []store.Document
	there := true
	err := st.View(ctx, func(tx *store.Tx) error {
		if _, err := tx.Session(ctx, id); err != nil {
			there = false // it went with its last event
			return brain.IgnoreNotFound(err)
		}
		turns, err := tx.SaidBetween(ctx, id, 0, math.MaxInt64)
		if err == nil { // what was said beside the forgotten held its words too
			docs, err = texts.TurnDocuments(ctx, tx, turns, false, false)
		}
		return err
	})
	if err != nil || !there {
		return err
	}
	err = inPieces(ctx, st, docs, textsAtOnce, func(tx *store.Tx, some []store.Document) error {
		_, err := texts.AddDocuments(ctx, tx, some)
		return err
	})
	if err != nil {
		return err
	}
	return st.UpdateSome(ctx, func(tx *store.Tx) error {
		if err := RestoreIntent(ctx, tx, id); err != nil {
			return err
		}
		s, err := tx.Session(ctx, id)
		if err != nil {
			return err
		}
		s = s.WithoutDerivedSummary() // rules may have said of it what came from the forgotten, and derive it again
		return errors.Join(tx.SaveSession(ctx, s), texts.DropSegments(ctx, tx, id))
	})
}

// RestoreIntent takes the intent from what is left, for the forgotten prompt may have been its source.
func RestoreIntent(ctx context.Context, tx *store.Tx, id memory.SessionID) error {
	s, err := tx.Session(ctx, id)
	if err != nil || s.IntentByHand {
		return err
	}
	prompt, err := tx.FirstPrompt(ctx, id)
	if err != nil {
		return err
	}
	s.Intent = record.IntentOf(typed.Task(prompt))
	return tx.SaveSession(ctx, s)
}

// forgetWords deletes what hebb made of the words of events: goals, thoughts, notes, and lines of states.
func forgetWords(ctx context.Context, st *store.Store, f store.EventFilter) error {
	var said wordsForgotten
	var projects []memory.ProjectID
	err := st.View(ctx, func(tx *store.Tx) (err error) {
		if projects, err = tx.ProjectsOf(ctx, f); err == nil {
			said, err = wordsOf(ctx, tx, f)
		}
		return err
	})
	if err != nil || strings.TrimSpace(said.words) == "" {
		return err
	}
	for _, id := range projects {
		if err := st.UpdateSome(ctx, func(tx *store.Tx) error { return forgetInState(ctx, tx, id, said) }); err != nil {
			return err
		}
		if err := errors.Join(forgetDerived(ctx, st, id, said), forgetLines(ctx, st, id, said)); err != nil {
			return err
		}
	}
	return nil
}

// wordsForgotten is what was said in events that are forgotten, or a text that is.
type wordsForgotten struct {
	words    string // of the events, and of the summaries of their sessions
	commands string // of tool calls
	piece    bool   // the words are part of a text that was adopted
	sessions map[memory.SessionID]bool
	events   map[string]bool // as the sources of statements name them
}

func wordsOf(ctx context.Context, tx *store.Tx, f store.EventFilter) (out wordsForgotten, err error) {
	var said, commands strings.Builder
	out = wordsForgotten{sessions: map[memory.SessionID]bool{}, events: map[string]bool{}}
	events, err := tx.Events(ctx, f)
	if err != nil {
		return out, err
	}
	for _, e := range events {
		said.WriteString(e.Text + "\n" + e.Input + "\n")
		commands.WriteString(e.Input + "\n")
		out.events[statements.SourceOf(e)] = true
		if e.Session == 0 || out.sessions[e.Session] {
			continue
		}
		out.sessions[e.Session] = true
		s, err := tx.Session(ctx, e.Session)
		if brain.IsNotFound(err) {
			continue
		}
		if err != nil {
			return out, err
		}
		if !s.HasOwnSummary() {
			said.WriteString(s.Happened + "\n" + s.Learned + "\n" + s.Next + "\n")
		}
	}
	out.words, out.commands = said.String(), commands.String()
	return out, nil
}

// forgetDerived deletes goals that came from forgotten sessions, connections to what happened there, and notes that hebb made of
// what was said there.
func forgetDerived(ctx context.Context, st *store.Store, id memory.ProjectID, said wordsForgotten) error {
	deletions, err := brain.View(ctx, st, func(tx *store.Tx) ([]deletion, error) { return derivedFrom(ctx, tx, id, said) })
	if err != nil {
		return err
	}
	return inPieces(ctx, st, deletions, textsAtOnce, func(tx *store.Tx, some []deletion) (err error) {
		for _, remove := range some {
			err = errors.Join(err, brain.IgnoreNotFound(remove(tx)))
		}
		return err
	})
}

// deletion removes one thing.
type deletion func(*store.Tx) error

// derivedFrom finds what hebb made of forgotten words. Comparing takes long, so it only reads.
func derivedFrom(ctx context.Context, tx *store.Tx, id memory.ProjectID, said wordsForgotten) (deletions []deletion, err error) {
	forgotten := goals.Spaced(said.words)
	concerns, err1 := tx.Goals(ctx, false, id)
	thoughts, err2 := tx.Thoughts(ctx, id, time.Time{}, math.MaxInt32)
	kept, err3 := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id, 0}})
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	for _, g := range concerns {
		read := said.sessions[g.From] // nobody stated it apart from what is forgotten
		if read && (brain.SaidIn(g.Title, forgotten, true) || brain.Quotes(brain.PlainWords(g.Text), forgotten)) {
			deletions = append(deletions, func(tx *store.Tx) error { return tx.Drop(ctx, memory.CrystalID(g.ID)) })
		}
	}
	for _, t := range thoughts {
		if brain.Quotes(brain.PlainWords(t.Episode), forgotten) {
			deletions = append(deletions, func(tx *store.Tx) error { return tx.DeleteThought(ctx, t.ID) })
		}
	}
	for _, c := range kept {
		heard := said.events[c.Source]
		made := state.IsLine(c.Crystal) || brain.HebbsOwn(c.Crystal) || c.Source == "note" && c.Kind == memory.Insight
		if heard || made && c.Origin != memory.OriginUser && brain.Quotes(brain.PlainWords(c.Text), forgotten) {
			deletions = append(deletions, func(tx *store.Tx) error {
				return errors.Join(statements.HoldAgain(ctx, tx, c.Crystal), brain.IgnoreNotFound(tx.Drop(ctx, c.ID)), tx.ForgetReceipts(ctx, c.ID), goals.ForgetCrystal(ctx, tx, c.Crystal))
			})
		}
	}
	return deletions, nil
}
