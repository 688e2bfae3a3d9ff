package brain

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// forgetting is what is to be forgotten. It is kept in the store until it is done: a process that is killed on the way leaves it to
// the next drain. Every step can be repeated.
type forgetting struct {
	ID       string              `json:"id"`
	Crystals []memory.CrystalID  `json:"crystals,omitempty"`
	Texts    memory.ProjectID    `json:"texts,omitzero"` // the project that is forgotten with all its texts
	Events   []store.EventFilter `json:"events,omitempty"`
	// Sessions and Projects are those of the events.
	Sessions []memory.SessionID `json:"sessions,omitempty"`
	Projects []memory.ProjectID `json:"projects,omitempty"`
	// reach is what the events may have taught, by project. It is kept with the marks of the projects.
	reach map[memory.ProjectID]*store.Reach
	// Old says that the events go for their age: nobody asked to forget what they say.
	Old bool `json:"old,omitempty"`
}

var forgettingFact = store.NewFact[[]forgetting]("forgetting")

// addPlaces adds the sessions and projects of events.
func (f *forgetting) addPlaces(ctx context.Context, tx *store.Tx, events store.EventFilter) error {
	sessions, err := tx.SessionsOf(ctx, events)
	if err != nil {
		return err
	}
	projects, err := tx.ProjectsOf(ctx, events)
	if err != nil {
		return err
	}
	f.Sessions, f.Projects = union(f.Sessions, sessions...), union(f.Projects, projects...)
	reach, err := tx.ReachOf(ctx, events)
	if f.reach == nil {
		f.reach = map[memory.ProjectID]*store.Reach{}
	}
	for id, more := range reach {
		if known := f.reach[id]; known != nil {
			known.Add(more)
		} else {
			f.reach[id] = more
		}
	}
	return err
}

func unfinishedForgetting(ctx context.Context, tx *store.Tx) ([]forgetting, error) {
	return forgettingFact.Get(ctx, tx)
}

func setUnfinished(ctx context.Context, tx *store.Tx, list []forgetting) error {
	if len(list) == 0 {
		return forgettingFact.Clear(ctx, tx)
	}
	return forgettingFact.Set(ctx, tx, list)
}

// clearable is a fact of any type.
type clearable interface {
	Clear(ctx context.Context, tx *store.Tx) error
}

// beginForgetting writes down durably what is to be forgotten.
func (b *Brain) beginForgetting(ctx context.Context, f *forgetting) error {
	id, err := memory.NewEventID(b.now(), b.entropy)
	if err != nil {
		return err
	}
	f.ID = string(id)
	return b.store.UpdateDurable(ctx, func(tx *store.Tx) error {
		list, err := unfinishedForgetting(ctx, tx)
		if err != nil {
			return err
		}
		if err := setUnfinished(ctx, tx, append(list, *f)); err != nil {
			return err
		}
		for _, id := range f.Projects {
			if err := b.markAnew(ctx, tx, id, f.reach[id]); err != nil {
				return err
			}
		}
		return nil
	})
}

// resume finishes what another process began and did not end: forgetting, and learning anew.
func (b *Brain) resume(ctx context.Context) error {
	list, err := viewed(ctx, b, func(tx *store.Tx) ([]forgetting, error) { return unfinishedForgetting(ctx, tx) })
	if err != nil {
		return err
	}
	for _, f := range list {
		busy, err := b.aloneFor(ctx, anewLease, leaseTime, func(turn *lease) error { return b.forgetWith(ctx, f, turn) })
		if err != nil || busy {
			return err // the other process is at it
		}
	}
	return b.learnAnew(ctx)
}

// forgetNow forgets what was written down.
func (b *Brain) forgetNow(ctx context.Context, f forgetting) error {
	busy, err := b.aloneFor(ctx, anewLease, leaseTime, func(turn *lease) error { return b.forgetWith(ctx, f, turn) })
	if err != nil || !busy {
		return err
	}
	return b.forgetWith(ctx, f, nil) // another process learns anew, and starts over because of this
}

// forgetWith forgets in short transactions. What was said goes first, so that nothing of it is shown while the rest goes on.
func (b *Brain) forgetWith(ctx context.Context, f forgetting, turn *lease) error {
	if err := b.forgetTexts(ctx, f); err != nil {
		return err
	}
	if !f.Old {
		for _, events := range f.Events {
			if err := b.forgetWords(ctx, events); err != nil {
				return err
			}
		}
	}
	if err := b.forgetDocuments(ctx, f.Events); err != nil {
		return err
	}
	if turn != nil { // links go by the hundred, not with each of their ends
		for _, id := range f.Projects {
			l := relearner{Brain: b, project: id, turn: turn}
			if err := l.begin(ctx); err != nil {
				return err
			}
			if err := l.unlearn(ctx); err != nil {
				return err
			}
		}
	}
	for _, events := range f.Events {
		if err := b.forgetEvents(ctx, events, f.Projects, turn); err != nil {
			return err
		}
	}
	for _, id := range f.Sessions {
		if err := b.restoreSession(ctx, id); err != nil {
			return err
		}
	}
	return b.store.UpdateDurable(ctx, func(tx *store.Tx) error {
		list, err := unfinishedForgetting(ctx, tx)
		if err != nil {
			return err
		}
		return setUnfinished(ctx, tx, slices.DeleteFunc(list, func(other forgetting) bool { return other.ID == f.ID }))
	})
}

// Rows of one write transaction while forgetting. A text has about forty: its words are counted off.
const (
	textsAtOnce  = 15
	eventsForgot = 60
)

// forgetTexts deletes what was remembered: texts by their IDs, all of a project that is forgotten whole.
func (b *Brain) forgetTexts(ctx context.Context, f forgetting) error {
	for _, id := range f.Crystals {
		err := b.updateSome(ctx, func(tx *store.Tx) error {
			gone, err := tx.Crystal(ctx, id)
			if err != nil {
				return ignoreNotFound(err)
			}
			if err := tx.DeleteCrystal(ctx, id); err != nil {
				return err
			}
			if err := b.forgetTextInStates(ctx, tx, gone.Crystal); err != nil {
				return err
			}
			return forgetThoughts(ctx, tx, id)
		})
		if err != nil {
			return err
		}
	}
	if f.Texts == 0 {
		return nil
	}
	err := b.updateSome(ctx, func(tx *store.Tx) error {
		if _, err := tx.DropGoals(ctx, f.Texts); err != nil {
			return err
		}
		for _, fact := range []clearable{pointersFact(f.Texts), phasesFact(f.Texts), dreamsFact(f.Texts), seedFact(f.Texts)} {
			if err := fact.Clear(ctx, tx); err != nil {
				return err
			}
		}
		if err := tx.DropStates(ctx, f.Texts, 0); err != nil {
			return err
		}
		return forgetGaps(ctx, tx, f.Texts, "")
	})
	for more := true; more && err == nil; {
		err = b.updateSome(ctx, func(tx *store.Tx) (err error) {
			_, more, err = tx.DropTexts(ctx, f.Texts, textsAtOnce)
			return err
		})
	}
	return err
}

// forgetDocuments deletes what makes events findable, and all of the sessions they belong to.
func (b *Brain) forgetDocuments(ctx context.Context, filters []store.EventFilter) error {
	for _, events := range filters {
		ids, err := viewed(ctx, b, func(tx *store.Tx) ([]int64, error) { return tx.DocumentsOf(ctx, events) })
		if err != nil {
			return err
		}
		for some := range slices.Chunk(ids, textsAtOnce) {
			if err := b.updateSome(ctx, func(tx *store.Tx) error { return tx.DeleteDocuments(ctx, some...) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// forgetEvents deletes events, a few at a time. Each transaction leaves a store as if those had never been seen, apart from what
// is learned anew.
func (b *Brain) forgetEvents(ctx context.Context, events store.EventFilter, projects []memory.ProjectID, turn *lease) error {
	seqs, err := viewed(ctx, b, func(tx *store.Tx) ([]int64, error) { return tx.EventSeqs(ctx, events) })
	if err != nil {
		return err
	}
	for some := range slices.Chunk(seqs, eventsForgot) {
		err := b.updateSome(ctx, func(tx *store.Tx) error {
			if turn != nil {
				if _, err := turn.take(ctx, tx); err != nil { // without it another process starts over
					return err
				}
			}
			if _, _, err := tx.Forget(ctx, store.EventFilter{Seqs: some}); err != nil {
				return err
			}
			for _, id := range projects { // whoever learns one anew just now starts over
				if err := b.newEra(ctx, tx, id); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// restoreSession settles a session that has lost events: its intent, what is said of it, and what makes the rest of it findable.
func (b *Brain) restoreSession(ctx context.Context, id memory.SessionID) error {
	var docs []store.Document
	there := true
	err := b.store.View(ctx, func(tx *store.Tx) error {
		if _, err := tx.Session(ctx, id); err != nil {
			there = false // it went with its last event
			return ignoreNotFound(err)
		}
		turns, err := tx.Said(ctx, id, math.MaxInt64, math.MaxInt32)
		if err == nil { // what was said beside the forgotten held its words too
			docs, err = b.turnDocuments(ctx, tx, turns, 0, len(turns))
		}
		return err
	})
	if err != nil || !there {
		return err
	}
	for some := range slices.Chunk(docs, textsAtOnce) {
		err := b.updateSome(ctx, func(tx *store.Tx) error {
			_, err := b.addDocuments(ctx, tx, some)
			return err
		})
		if err != nil {
			return err
		}
	}
	return b.updateSome(ctx, func(tx *store.Tx) error {
		if err := b.restoreIntent(ctx, tx, id); err != nil {
			return err
		}
		s, err := tx.Session(ctx, id)
		if err != nil {
			return err
		}
		s = s.Untold() // rules may have said of it what came from the forgotten, and say it anew
		if err := tx.SaveSession(ctx, s); err != nil || s.Open() {
			return err // an open one is cut into stretches when it closes
		}
		return b.indexWindows(ctx, tx, s)
	})
}

// restoreIntent takes the intent from what is left, for the forgotten prompt may have been its source.
func (b *Brain) restoreIntent(ctx context.Context, tx *store.Tx, id memory.SessionID) error {
	s, err := tx.Session(ctx, id)
	if err != nil || s.IntentByHand {
		return err
	}
	prompt, err := tx.FirstPrompt(ctx, id)
	if err != nil {
		return err
	}
	s.Intent = intent(prompt, b.config.Tuning.Session.IntentLength)
	return tx.SaveSession(ctx, s)
}

// forgetWords deletes what hebb made of the words of events: goals, thoughts, notes, and lines of states.
func (b *Brain) forgetWords(ctx context.Context, f store.EventFilter) error {
	var words string
	var sessions map[memory.SessionID]bool
	var projects []memory.ProjectID
	err := b.store.View(ctx, func(tx *store.Tx) (err error) {
		if projects, err = tx.ProjectsOf(ctx, f); err == nil {
			words, sessions, err = b.wordsOf(ctx, tx, f)
		}
		return err
	})
	if err != nil || strings.TrimSpace(words) == "" {
		return err
	}
	for _, id := range projects {
		if err := b.updateSome(ctx, func(tx *store.Tx) error { return b.forgetInState(ctx, tx, id, words, false) }); err != nil {
			return err
		}
		if err := b.forgetDerived(ctx, id, words, sessions); err != nil {
			return err
		}
	}
	return nil
}

// wordsOf returns the text of the events of a filter and the summaries of their sessions.
func (b *Brain) wordsOf(ctx context.Context, tx *store.Tx, f store.EventFilter) (words string, seen map[memory.SessionID]bool, err error) {
	var said strings.Builder
	seen = map[memory.SessionID]bool{}
	events, err := tx.Events(ctx, f)
	if err != nil {
		return "", seen, err
	}
	for _, e := range events {
		said.WriteString(e.Text + "\n")
		if e.Session == 0 || seen[e.Session] {
			continue
		}
		seen[e.Session] = true
		s, err := tx.Session(ctx, e.Session)
		if isNotFound(err) {
			continue
		}
		if err != nil {
			return "", seen, err
		}
		if !s.Told() {
			said.WriteString(s.Happened + "\n" + s.Learned + "\n" + s.Next + "\n")
		}
	}
	return said.String(), seen, nil
}

// forgetDerived deletes goals that came from forgotten sessions, connections to what happened there, and notes that hebb made of
// what was said there.
func (b *Brain) forgetDerived(ctx context.Context, id memory.ProjectID, words string, sessions map[memory.SessionID]bool) error {
	var deletions []func(*store.Tx) error
	err := b.store.View(ctx, func(tx *store.Tx) (err error) {
		deletions, err = b.derivedFrom(ctx, tx, id, spaced(words), sessions)
		return err
	})
	if err != nil {
		return err
	}
	for some := range slices.Chunk(deletions, textsAtOnce) {
		err := b.updateSome(ctx, func(tx *store.Tx) error {
			for _, remove := range some {
				if err := ignoreNotFound(remove(tx)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// derivedFrom finds what hebb made of forgotten words. Comparing takes long, so it only reads.
func (b *Brain) derivedFrom(
	ctx context.Context, tx *store.Tx, id memory.ProjectID, forgotten string, sessions map[memory.SessionID]bool,
) (deletions []func(*store.Tx) error, err error) {
	concerns, err := tx.Goals(ctx, false, id)
	if err != nil {
		return nil, err
	}
	for _, g := range concerns {
		read := sessions[g.From] || noticedGap(g) // nobody stated it apart from what is forgotten
		if read && quotes(plainWords(g.Title+" . "+g.Text), forgotten) {
			deletions = append(deletions, func(tx *store.Tx) error { return tx.DeleteGoal(ctx, g.ID) })
		}
	}
	thoughts, err := tx.Thoughts(ctx, id, time.Time{}, math.MaxInt32)
	if err != nil {
		return nil, err
	}
	for _, t := range thoughts {
		if quotes(plainWords(t.Episode), forgotten) {
			deletions = append(deletions, func(tx *store.Tx) error { return tx.DeleteThought(ctx, t.ID) })
		}
	}
	kept, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id, 0}})
	if err != nil {
		return nil, err
	}
	for _, c := range kept {
		made := c.Source == "MEMORY.md" || hebbsOwn(c.Crystal) || c.Source == "note" && (strings.HasPrefix(c.Text, automatic) || c.Kind == memory.Insight)
		if made && c.Origin != memory.OriginUser && quotes(plainWords(c.Text), forgotten) {
			deletions = append(deletions, func(tx *store.Tx) error { return tx.DeleteCrystal(ctx, c.ID) })
		}
	}
	return deletions, nil
}
