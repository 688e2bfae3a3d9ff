package goals

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/goal"
	"github.com/hebb-memory/hebb/internal/listen"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/typed"
	"github.com/hebb-memory/hebb/internal/vocab"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// goalFiles are the files of a session that a goal from it is linked to.
const goalFiles = 5

// FollowGoals lets a session that ended move the goals of its project: what it left to do becomes a goal, what a person spoke of
// is mentioned, what was worked on is touched, and what did not move for long is left alone for a while.
func FollowGoals(ctx context.Context, b *brain.Brain, tx *store.Tx, s memory.Session, f workmem.Facts) error {
	goals, err := goalsIn(ctx, tx, true, s.Project)
	if err != nil {
		return err
	}
	p, err := tx.Project(ctx, s.Project)
	if err != nil {
		return err
	}
	work, err := workOf(ctx, tx, s)
	if err != nil {
		return err
	}
	words := newSense()
	said := goalTerms(strings.Join(f.Prompts, "\n"))
	for _, g := range goals {
		if g.From != s.ID && g.CreatedAt.Before(s.OpenedAt) {
			if status, by := words.Ended(g, work); status != "" {
				if err := tx.SaveGoal(ctx, goal.Close(g, status, s.ID, by, s.LastEventAt)); err != nil {
					return err
				}
				continue
			}
		}
		mentioned := goal.Mentions(said, g)
		changed := mentioned && g.MentionedAt.Before(s.OpenedAt) // else the prompt itself was followed
		if changed {
			g.MentionedAt = s.LastEventAt
		}
		linked := func(path string) bool { return slices.Contains(g.Links.Files, path) }
		// A session that reads a goal's files and mentions it works on it, even without a result.
		works := slices.ContainsFunc(f.Edited, linked) || mentioned && slices.ContainsFunc(f.Read, linked)
		if works && g.Counted != s.ID && g.From != s.ID { // a session that is resumed counts once
			before, progress := g.Counted, len(f.Commits)+len(f.Fixed) > 0
			g, changed = goal.Worked(g, progress, s.LastEventAt), true
			if g.Counted = s.ID; !progress {
				if g, err = leaveAlone(ctx, b, tx, s, g, before, p.Clock); err != nil {
					return err
				}
			}
		}
		if changed {
			if err := tx.SaveGoal(ctx, g); err != nil {
				return err
			}
		}
	}
	files := f.Edited[:min(len(f.Edited), goalFiles)]
	if s.HasOwnSummary() { // what rules read out of a session is no wish of anybody
		for _, g := range goal.FromNext(s.Next, goalTerms) {
			g.Origin, g.CreatedAt, g.Links.Files = s.SummaryBy, s.LastEventAt, files
			if err := keepStated(ctx, b, tx, s.Project, s.ID, g); err != nil {
				return err
			}
		}
	}
	return keepPutOff(ctx, b, tx, s.Project, s.ID, files)
}

// workOf is what a session did: what was asked, committed, changed, and said at the end of each turn.
func workOf(ctx context.Context, tx *store.Tx, s memory.Session) (w goal.Work, err error) {
	events, err1 := tx.Events(ctx, store.EventFilter{Session: s.ID})
	commits, err2 := tx.Events(ctx, store.EventFilter{
		Project: s.Project, Kind: memory.Committed, Since: s.OpenedAt, Until: s.LastEventAt.Add(time.Minute), // git counts whole seconds
	})
	for _, e := range slices.Backward(events) {
		switch {
		case ByPerson(e.Event):
			w.Asked = append(w.Asked, typed.OwnWords(e.Text))
		case e.Kind == memory.TurnEnded && e.Subagent == "" && e.Text != "":
			w.Messages, w.Left = append(w.Messages, e.Text), strings.Split(workmem.LeftToDo(e.Text), "\n")
		}
		w.Edited = Union(w.Edited, touched(e.Event, memory.Edit)...)
	}
	for _, c := range slices.Backward(commits) {
		subject, _, _ := strings.Cut(c.Text, "\n")
		w.Commits = append(w.Commits, goal.Deed{Text: subject, Files: touched(c.Event, memory.Edit), Gone: touched(c.Event, memory.Delete)})
	}
	return w, errors.Join(err1, err2)
}

func touched(e memory.Event, kind memory.TouchKind) (paths []string) {
	for _, t := range e.Touches {
		if t.Kind == kind {
			paths = append(paths, t.Path)
		}
	}
	return paths
}

// newSense compares words by the table of general English and by the sets of words that belong together in software.
func newSense() goal.Sense {
	known := map[string]*listen.Term{}
	term := func(word string) *listen.Term {
		if known[word] == nil {
			known[word] = &listen.NewSaid(word, []string{word}, embedding.GeneralRow).Terms[0]
		}
		return known[word]
	}
	return goal.Sense{
		Terms: vocab.TextWords, Told: func(word string) float64 { return term(word).Weight },
		Like: func(a, b string) float64 { return term(a).Like(term(b)) },
	}
}

// keepPutOff makes goals of what the person put off in a session, in their words.
func keepPutOff(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, session memory.SessionID, files []string) error {
	put, err := tx.Crystals(ctx, store.CrystalFilter{
		Projects: []memory.ProjectID{id}, Kinds: []memory.CrystalKind{memory.Intention}, Session: session, Heard: true, Current: true, Living: true, OldestFirst: true,
	})
	for _, c := range put {
		if g, ok := goal.Step(c.Text, goalTerms); ok && err == nil && newSense().Subject(c.Text) != nil {
			g.Origin, g.MentionedAt, g.CreatedAt, g.Links = c.Origin, c.SaidAt, c.SaidAt, memory.GoalLinks{Files: files, Crystals: []memory.CrystalID{c.ID}}
			err = keepStated(ctx, b, tx, id, session, g)
		}
	}
	return err
}

// keepStated keeps a goal that a session stated. What was done or dropped since stays so.
func keepStated(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, session memory.SessionID, g memory.Goal) error {
	g.Project, g.From = id, session
	all, err := tx.Goals(ctx, false, id)
	if err != nil || slices.ContainsFunc(all, func(old memory.Goal) bool { return old.From == session && !old.Status.Open() && goal.Same(old, g, nil) }) {
		return err
	}
	_, err = keepGoal(ctx, b, tx, g)
	return err
}

// leaveAlone lets a goal rest that sessions go round in circles about. before is the session that last worked on it.
func leaveAlone(ctx context.Context, b *brain.Brain, tx *store.Tx, s memory.Session, g memory.Goal, before memory.SessionID, clock int64) (memory.Goal, error) {
	calls, spent, err1 := callsOn(ctx, tx, s.ID, g.Links.Files)
	earlier, _, err2 := callsOn(ctx, tx, before, g.Links.Files)
	if err := errors.Join(err1, err2); err != nil || !goal.Stuck(g, spent, calls, earlier) {
		return g, err
	}
	g, line, err := goal.Incubate(g, clock)
	if err == nil {
		_, err = statements.Note(ctx, b, tx, s.Project, statements.NoteInput{Text: line, Kind: memory.Episode, Origin: memory.OriginAgent, Source: incubationSource}, tx.Now)
	}
	return g, err
}

// callsOn are the calls of a session on some files, what failed in between, and how long that went on, without the pauses.
func callsOn(ctx context.Context, tx *store.Tx, id memory.SessionID, files []string) (calls []goal.Call, spent time.Duration, err error) {
	if id == 0 {
		return nil, 0, nil
	}
	events, err := tx.Events(ctx, store.EventFilter{Session: id})
	var last time.Time
	for _, e := range slices.Backward(events) {
		before := len(calls)
		switch e.Kind {
		case memory.ToolFailed:
			if found, ok := fault.Find(e.Text); ok {
				calls = append(calls, goal.Call{Tool: e.Tool, Error: found.Key()})
			}
		case memory.ToolUsed:
			for _, t := range e.Touches {
				if slices.Contains(files, t.Path) {
					calls = append(calls, goal.Call{Tool: e.Tool, File: t.Path})
				}
			}
		}
		if len(calls) == before {
			continue
		}
		if gap := e.At.Sub(last); !last.IsZero() && gap <= goal.Pause {
			spent += gap
		}
		last = e.At
	}
	return calls, spent, err
}
