package forget

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
)

// A project is rebuilt when events were forgotten or came from elsewhere: a store of its own learns from its log, from the first event to
// the last, as this one did when they came, and what it learned takes the place of what is here in one transaction. Until then the old
// figures serve, and new events are learned as always. If the process ends before, nothing has changed, and the next drain begins again.

const anewLease = "anew"

// LearnAnew rebuilds the marked projects, unless another process does so. It leaves out those of which events are still being forgotten.
func LearnAnew(ctx context.Context, b *brain.Brain) (problems error) {
	for {
		id, err := nextMarked(ctx, b)
		if err != nil || id == 0 {
			return errors.Join(problems, err)
		}
		busy, err := b.AloneFor(ctx, anewLease, sleep.LeaseTime, func(turn *brain.Lease) error {
			return (&rebuilder{Brain: b, project: id, turn: turn, numbers: map[string]int64{}}).run(ctx)
		})
		if err == nil && !busy || errors.Is(err, errChanged) {
			continue
		}
		if err != nil {
			problems = errors.Join(problems, fmt.Errorf("rebuild project %s: %w", id, err))
		}
		if busy || brain.ConcernsAll(ctx, err) {
			return problems
		}
		failed := b.Store.Update(ctx, func(tx *store.Tx) error {
			mark, failed := record.Anew.Of(id).Get(ctx, tx)
			mark.Failed, mark.Problem = tx.Now, scrub.Line(scrub.Clean(err.Error()))
			return errors.Join(failed, record.Anew.Of(id).Set(ctx, tx, mark))
		})
		if failed != nil {
			return errors.Join(problems, failed)
		}
	}
}

// nextMarked is a project to be rebuilt now, 0 if there is none.
func nextMarked(ctx context.Context, b *brain.Brain) (next memory.ProjectID, err error) {
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		marks, err1 := record.Anew.ByProject(ctx, tx)
		unfinished, err2 := forgettingFact.Get(ctx, tx)
		for id, mark := range marks {
			if mark.Due(tx.Now) && !losesEvents(unfinished, id) {
				next = id
			}
		}
		return errors.Join(err1, err2)
	})
	return next, err
}

// RemoveShadows removes what rebuilds left that were killed. It holds what was forgotten since.
func RemoveShadows(ctx context.Context, b *brain.Brain) error {
	left := leftShadows(b)
	if len(left) == 0 {
		return nil
	}
	_, err := b.Alone(ctx, anewLease, sleep.LeaseTime, func() error { return removeAll(left) }) // who is at work removes its own
	return err
}

func losesEvents(unfinished []Forgetting, id memory.ProjectID) bool {
	return slices.ContainsFunc(unfinished, func(f Forgetting) bool { return slices.Contains(f.Projects, id) })
}

// errChanged ends a rebuild whose project was marked once more: events that it has learned from are forgotten, or others came before them.
var errChanged = errors.New("the log was changed meanwhile")

// rebuilder rebuilds one project.
type rebuilder struct {
	*brain.Brain
	project memory.ProjectID
	turn    *brain.Lease
	began   string       // the generation of the past when it began
	shadow  *brain.Brain // of the store that learns
	clock   time.Time    // of the shadow
	place   memory.Place
	after   int64 // the last event that the shadow has
	commits int   // that the shadow has
	wired   int   // of these, those whose files are linked
	logged  bool  // the log says when that was done

	done, events int // steps
	sleeps       []store.SleepRecord
	numbers      map[string]int64 // of the sleeps that were repeated, by the numbers that they had
}

// shadows begin the names of the folders of stores that learn. One that is there when another rebuild begins is left of a process that was killed.
const shadows = "rebuild-"

// Nobody else reads or writes a store that learns.
const (
	shadowCache = 64 << 20 // bytes of its pages in memory
	shadowChunk = 1 << 20  // rows that a sleep changes in one transaction
)

func leftShadows(b *brain.Brain) []string {
	left, _ := filepath.Glob(filepath.Join(b.Config.Cache(), shadows+"*"))
	return left
}

func removeAll(folders []string) (err error) {
	for _, folder := range folders {
		err = errors.Join(err, filesys.RemoveFolder(folder))
	}
	return err
}

func (r *rebuilder) run(ctx context.Context) (err error) {
	if err := errors.Join(removeAll(leftShadows(r.Brain)), os.MkdirAll(r.Config.Cache(), 0o700)); err != nil {
		return err
	}
	folder, err := os.MkdirTemp(r.Config.Cache(), shadows)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, filesys.RemoveFolder(folder)) }()
	c := r.Config
	c.Dir, c.Tuning.Store.PageCache = folder, shadowCache
	now := func() time.Time { return r.clock }
	st, err := sqlite.Open(ctx, brain.SqliteOptions(c, now))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	r.shadow = brain.NewBrain(c, st, now)
	r.shadow.Numbers = r.Numbers
	r.shadow.Numbers.Chunk = shadowChunk
	return r.learn(ctx)
}

func (r *rebuilder) learn(ctx context.Context) error {
	known := true
	var log []store.Numbered
	var between []step
	var tree record.Tree
	err := record.Pasts(r.Brain).View(ctx, r.Store, r.project, func(tx *store.Tx, p *record.Past) error {
		at, err := tx.Project(ctx, r.project)
		if brain.IsNotFound(err) {
			known = false
			return nil
		}
		if err != nil {
			return err
		}
		r.place, r.began = memory.Place{Identity: at.Identity, Root: at.Root}, p.Generation
		if log, err = tx.LogOf(ctx, r.project, 0); err != nil {
			return err
		}
		if r.sleeps, err = tx.Sleeps(ctx, time.Time{}, sleep.SleepsKept); err != nil {
			return err
		}
		if between, err = r.unlogged(ctx, tx, log); err != nil {
			return err
		}
		tree, err = treeOf(ctx, tx, r.project, p)
		return err
	})
	if err != nil {
		return err
	}
	if !known {
		return r.Store.Update(ctx, func(tx *store.Tx) error { return record.Anew.Of(r.project).Clear(ctx, tx) })
	}
	if err := r.follow(ctx, log, between); err != nil {
		return err
	}
	r.at(r.Now())
	err = record.Recording(ctx, r.shadow, r.shadow.Store.Update, func(rec *record.Recorder) error {
		err := rec.SeeProject(ctx, memory.Event{At: r.clock, Place: r.place}) // all its events may be forgotten
		return errors.Join(err, rec.LearnTree(ctx, r.project, tree))
	})
	for done := false; !done && err == nil; {
		if log, done, err = r.takeOver(ctx); err == nil {
			err = r.follow(ctx, log, nil)
		}
	}
	if err != nil {
		return err
	}
	return recall.RemovePast(r.Config.Cache(), r.project) // a process that wrote one meanwhile notices the new generation
}

// step is an event of the log in its place.
type step struct {
	store.Numbered
	when time.Time
}

// judged is a verdict of the person on a line about a file: the input is the line, the tool what it is. It is kept as a fact, not in the log.
const judged memory.EventKind = "judged"

// unlogged are steps that the log does not have: verdicts, and the ends of sessions and the sleeps of before it had these, as far as they are
// known otherwise.
func (r *rebuilder) unlogged(ctx context.Context, tx *store.Tx, log []store.Numbered) (steps []step, err error) {
	logged := map[memory.SessionID]bool{}
	var first time.Time
	for _, e := range log {
		switch {
		case e.Kind == memory.Closed:
			logged[e.Ended()] = true
		case e.Kind == memory.Slept && first.IsZero():
			first = e.At
		}
	}
	add := func(at time.Time, e memory.Event) {
		e.At = at
		steps = append(steps, step{when: at, Numbered: store.Numbered{StoredEvent: memory.StoredEvent{Project: r.project, Event: e}}})
	}
	sessions, err := tx.Sessions(ctx, store.SessionFilter{Project: r.project})
	for _, s := range sessions {
		if !s.Open() && !logged[s.ID] {
			add(s.ClosedAt, memory.Event{Kind: memory.Closed, Tool: string(s.CloseReason), Input: string(s.Agent), Text: s.AgentSession})
		}
	}
	if err != nil {
		return nil, err
	}
	for _, s := range r.sleeps {
		if first.IsZero() || s.At.Before(first) {
			add(s.At, memory.Event{Kind: memory.Slept, Text: strconv.FormatInt(s.ID, 10)})
		}
	}
	verdicts, err := statements.Verdicts(ctx, tx, r.project)
	for line, v := range verdicts {
		if v.Path != "" {
			add(v.At, memory.Event{Kind: judged, Tool: string(v.Verdict), Input: line})
		}
	}
	return steps, err
}

// treeOf is what is known of a project from its work tree. Its links are those that no session has confirmed.
func treeOf(ctx context.Context, tx *store.Tx, project memory.ProjectID, p *record.Past) (tree record.Tree, err error) {
	tree.Files = filesOf(p)
	links, err := tx.StrongestSynapses(ctx, store.SynapseFilter{Project: project, Origin: memory.OriginImport})
	for _, s := range links {
		tree.Links = append(tree.Links, record.TreeLink{A: s.A, B: s.B, Weight: max(s.AB, s.BA)})
	}
	return tree, err
}

// filesOf are the files of a work tree, with the names they define.
func filesOf(p *record.Past) (files []record.TreeFile) {
	for i := range p.Image.Files() {
		if f := p.Image.File(recall.FileNo(i)); f.InTree && !f.Gone {
			files = append(files, record.TreeFile{Path: f.Path, Names: f.Names})
		}
	}
	return files
}

// follow lets the shadow learn from a log, or what came to it. What was not logged when it was done comes between.
func (r *rebuilder) follow(ctx context.Context, log []store.Numbered, between []step) (err error) {
	if len(log) == 0 {
		return nil
	}
	r.after = log[len(log)-1].Seq
	r.logged = r.logged || slices.ContainsFunc(log, func(e store.Numbered) bool { return e.Kind == memory.Wired && e.Tool == string(memory.OriginRepo) })
	steps := inOrder(log, between)
	r.events += len(steps)
	for len(steps) > 0 {
		size := slices.IndexFunc(steps, func(s step) bool { return special(s) != special(steps[0]) })
		if size < 0 {
			size = len(steps)
		}
		if special(steps[0]) {
			size = 1
			err = r.special(ctx, steps[0])
		} else {
			size = min(size, stepsAtOnce)
			err = r.replay(ctx, steps[:size])
		}
		r.done += size
		if err = errors.Join(err, r.renew(ctx)); err != nil {
			return err
		}
		steps = steps[size:]
	}
	r.at(r.Now()) // commits after the last note that hints were wired, if there are any
	return r.wire(ctx)
}

// special reports whether a step is no event to learn from.
func special(s step) bool {
	return s.Kind == memory.Slept || s.Kind == memory.Wired || s.Kind == judged && s.Seq == 0 // no import makes a verdict
}

func (r *rebuilder) special(ctx context.Context, s step) error {
	r.at(s.At)
	switch {
	case s.Kind == judged:
		return r.shadow.Store.Update(ctx, func(tx *store.Tx) error {
			return statements.JudgeAgain(ctx, tx, r.Numbers.Plasticity, s.Input, statements.Verdict(s.Tool))
		})
	case s.Kind == memory.Slept && s.Tool == sleep.Undone:
		return sleep.UndoAgain(ctx, r.shadow, r.numbers[s.Text])
	case s.Kind == memory.Slept:
		id := r.number(s)
		if r.numbers[s.Text] == id { // the projects that were merged into this one had it both
			return nil
		}
		r.numbers[s.Text], r.numbers[strconv.FormatInt(id, 10)] = id, id
		return sleep.Replay(ctx, r.shadow, r.project, sleep.SleepPart(s.Input), id)
	case s.Tool == string(memory.OriginRepo):
		return r.wire(ctx)
	}
	var hints []record.Hint
	if err := json.Unmarshal([]byte(s.Text), &hints); err != nil {
		return fmt.Errorf("event %s: %w: %w", s.ID, memory.ErrDamaged, err)
	}
	for i := range hints {
		hints[i].Origin = memory.OriginImport
	}
	return r.hint(ctx, hints)
}

// number is that of a sleep in this store. Sleeps of others, and those too old to be undone, are numbered by their time, below 0.
func (r *rebuilder) number(s step) int64 {
	i := slices.IndexFunc(r.sleeps, func(known store.SleepRecord) bool {
		return strconv.FormatInt(known.ID, 10) == s.Text && known.At.Sub(s.At).Abs() < time.Second
	})
	if i < 0 {
		return -s.At.UnixMilli()
	}
	return r.sleeps[i].ID
}

// at moves the shadow's clock, which runs no other way.
func (r *rebuilder) at(when time.Time) {
	if when.After(r.clock) {
		r.clock = when
	}
}

// stepsAtOnce are learned from in one transaction of the shadow, for which nobody waits.
const stepsAtOnce = 2000

// lateness is how much later than others an event may come and still be learned from in its turn, as it was then. What comes later than that was
// read from a transcript long after it happened.
const lateness = 24 * time.Hour

// inOrder puts a log in the order in which it happened. A commit stays where it was learned: the work before it came without it.
func inOrder(log []store.Numbered, between []step) []step {
	steps := make([]step, 0, len(log)+len(between))
	var latest time.Time
	late := map[memory.SessionID]time.Time{} // sessions read long after they were held, by the time of their last event
	for _, e := range log {
		s := step{Numbered: e, when: e.At}
		ended, read := time.Time{}, false
		if e.Kind == memory.Closed {
			ended, read = late[e.Ended()]
		}
		switch {
		case read:
			s.when = ended
		case e.Kind == memory.Committed, e.At.Before(latest) && e.At.After(latest.Add(-lateness)):
			s.when = latest
		case e.At.Before(latest) && e.Session != 0:
			late[e.Session] = e.At
		case e.At.After(latest):
			latest = e.At
		}
		if s.when.Equal(latest) {
			delete(late, e.Session) // it goes on
		}
		steps = append(steps, s)
	}
	slices.SortStableFunc(steps, func(a, b step) int { return a.when.Compare(b.when) })
	steps = append(steps, between...) // what ends a session comes after its last event
	slices.SortStableFunc(steps, func(a, b step) int { return a.when.Compare(b.when) })
	return steps
}

// replay lets the shadow learn from steps none of which is special.
func (r *rebuilder) replay(ctx context.Context, steps []step) error {
	for len(steps) > 0 {
		commits := steps[0].Kind == memory.Committed
		run := slices.IndexFunc(steps, func(s step) bool { return (s.Kind == memory.Committed) != commits })
		if run < 0 {
			run = len(steps)
		}
		if !commits && !r.logged {
			r.at(steps[0].when)
			if err := r.wire(ctx); err != nil {
				return err
			}
		}
		for _, s := range steps[:run] {
			r.at(s.At)
		}
		err := record.Recording(ctx, r.shadow, r.shadow.Store.Update, func(rec *record.Recorder) error {
			for _, s := range steps[:run] {
				if err := r.step(ctx, rec, s); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if commits {
			r.commits += run
		}
		steps = steps[run:]
	}
	return nil
}

func (r *rebuilder) step(ctx context.Context, rec *record.Recorder, s step) error {
	if s.Kind == memory.Closed {
		return rec.ReplayClose(ctx, s.Ended(), memory.CloseReason(s.Tool), s.At)
	}
	e := s.StoredEvent
	e.Place = r.place
	return rec.Replay(ctx, s.Seq, e)
}

// wire links files that the commits since the last time keep changing together.
func (r *rebuilder) wire(ctx context.Context) error {
	if r.commits == r.wired {
		return nil
	}
	hints, err := record.HintsOfHistory(ctx, r.shadow.Store, record.Pasts(r.shadow), r.project, r.wired)
	if err != nil {
		return err
	}
	r.wired = r.commits
	return r.hint(ctx, hints)
}

func (r *rebuilder) hint(ctx context.Context, hints []record.Hint) error {
	return record.Recording(ctx, r.shadow, r.shadow.Store.Update, func(rec *record.Recorder) error {
		for _, h := range hints {
			if _, err := rec.Hint(ctx, r.project, h, r.clock); err != nil {
				return err
			}
		}
		return nil
	})
}

// renew keeps the turn, and says how far the rebuild is.
func (r *rebuilder) renew(ctx context.Context) error {
	return r.Store.Update(ctx, func(tx *store.Tx) error {
		if err := r.holds(ctx, tx); err != nil {
			return err
		}
		mark, err := record.Anew.Of(r.project).Get(ctx, tx)
		mark.Done, mark.Events = r.done, r.events
		return errors.Join(err, record.Anew.Of(r.project).Set(ctx, tx, mark))
	})
}

// holds refuses to go on where another process rebuilds the project, or has changed its log other than at the end.
func (r *rebuilder) holds(ctx context.Context, tx *store.Tx) error {
	held, err := r.turn.Take(ctx, tx)
	if err == nil && !held {
		err = fmt.Errorf("another process rebuilds project %s: %w", r.project, memory.ErrConflict)
	}
	if err != nil {
		return err
	}
	generation, err := record.GenerationMark(r.project).Get(ctx, tx)
	if err == nil && generation != r.began {
		err = errChanged
	}
	return err
}

// takeOver puts what the shadow has learned into the store, unless there are newer events, which it does not know yet.
func (r *rebuilder) takeOver(ctx context.Context) (newer []store.Numbered, done bool, err error) {
	err = r.shadow.Store.View(ctx, func(from *store.Tx) error {
		return r.Store.Update(ctx, func(tx *store.Tx) error {
			err := r.holds(ctx, tx)
			if err == nil {
				newer, err = tx.LogOf(ctx, r.project, r.after)
			}
			if done = err == nil && len(newer) == 0; !done {
				return err
			}
			return errors.Join(tx.TakeOver(ctx, r.project, from), record.NewGeneration(ctx, tx, r.project), record.Anew.Of(r.project).Clear(ctx, tx))
		})
	})
	return newer, done, err
}

// hide drops what questions read of a project's past, until it is rebuilt: what is forgotten must not be answered. What the work tree says stays.
func hide(ctx context.Context, b *brain.Brain, project memory.ProjectID) error {
	err := record.Recording(ctx, b, b.Store.Update, func(r *record.Recorder) error {
		p, err := r.Past(ctx, project)
		if err != nil {
			return err
		}
		files := filesOf(p)
		if err := r.DropPast(ctx, project); err != nil {
			return err
		}
		return r.LearnTree(ctx, project, record.Tree{Files: files}) // their links are in the store
	})
	return errors.Join(err, recall.RemovePast(b.Config.Cache(), project))
}
