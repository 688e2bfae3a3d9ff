package evaluate

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/replay"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// SessionTasks are the questions made from a session: from its first prompt, which files it will
// open (S1) and which of them it will edit (S1e); and whenever it goes on to a file it has not
// opened yet, which one (S2).
var SessionTasks = []string{"S1", "S1e", "S2"}

const (
	sessionWarmUp = 10 // sessions that only teach
	openFiles     = 4  // most recent files that go with a question
)

// Sessions goes through the sessions of repositories in the order of time, one goroutine per
// repository. When a session begins, older commits and the sessions that were over have been
// learned.
func Sessions(ctx context.Context, files []SessionFiles, learners []NewLearner, o Options) (Results, error) {
	repos := make([]string, len(files))
	for i, pair := range files {
		repos[i] = pair.Repo
	}
	if err := o.check(SessionTasks, repos); err != nil {
		return nil, err
	}
	return inParallel(ctx, SessionTasks, files, func(ctx context.Context, pair SessionFiles) (Results, error) {
		recorded, err := ReadRecording(pair)
		if err != nil {
			return nil, err
		}
		return examine(ctx, pair.Repo, o.Tasks, learners, func(e *replay.Exam) error {
			r := sessionReplay{e}
			all := recorded.happenings(sessionCalls{commit: e.Learn, start: r.questions, end: r.learn})
			return replay.Run(ctx, inOrder(recorded.atStarts(all)), o.afterWarmUp(sessionWarmUp))
		})
	})
}

func collect[T any](values iter.Seq2[T, error]) ([]T, error) {
	var all []T
	for value, err := range values {
		if err != nil {
			return nil, err
		}
		all = append(all, value)
	}
	return all, nil
}

type sessionReplay struct{ *replay.Exam }

// learn hands a finished session to all learners.
func (r sessionReplay) learn(ctx context.Context, over AgentSession) error {
	for _, e := range over.Opens() {
		r.Files[e.Target] = true
	}
	for _, learner := range r.Learners {
		if err := learner.(SessionLearner).Session(ctx, over); err != nil {
			return err
		}
	}
	return nil
}

// questions asks about one session. Only files known by its start count: nobody can name the
// others.
func (r sessionReplay) questions(ctx context.Context, s AgentSession) error {
	opens := slices.DeleteFunc(s.Opens(), func(e SessionEvent) bool { return !r.Files[e.Target] })
	if err := r.atStart(ctx, s, opens); err != nil {
		return err
	}
	var opened, recent []string // in the order of opening; the most recent first
	for i, e := range opens {
		if len(recent) > 0 && !slices.Contains(opened, e.Target) {
			text := s.PromptAt(e.At)
			q := Question{
				ID: fmt.Sprintf("%s/%d", s.ID, i), Task: "S2", Text: text, HasText: hasWords(text), At: e.At,
				Open: recent, Banned: opened, Listed: s.listed(e.At, opens[:i]),
			}
			if err := r.Ask(ctx, q, []string{e.Target}); err != nil {
				return err
			}
		}
		if !slices.Contains(opened, e.Target) {
			opened = append(opened, e.Target)
		}
		recent = toFront(recent, e.Target)
	}
	return nil
}

// atStart asks S1 and S1e, if the first prompt says anything.
func (r sessionReplay) atStart(ctx context.Context, s AgentSession, opens []SessionEvent) error {
	if len(s.Prompts) == 0 || !hasWords(s.Prompts[0].Text) {
		return nil
	}
	var files, edited []string
	for _, e := range opens {
		if !slices.Contains(files, e.Target) {
			files = append(files, e.Target)
		}
		if e.Changes() && !slices.Contains(edited, e.Target) {
			edited = append(edited, e.Target)
		}
	}
	q := Question{ID: s.ID, Text: s.Prompts[0].Text, HasText: true, At: s.Start}
	for _, task := range []struct {
		name string
		gold []string
	}{{"S1", files}, {"S1e", edited}} {
		q.Task = task.name
		if len(task.gold) == 0 {
			continue
		}
		if err := r.Ask(ctx, q, task.gold); err != nil {
			return err
		}
	}
	return nil
}

// listed is what searches before a moment printed, the latest first. Those of one moment were one
// call.
func (s AgentSession) listed(before time.Time, opens []SessionEvent) (listings []ranking.Listing) {
	var at time.Time
	for _, e := range slices.Backward(s.Events) {
		if e.Op != "grep" || !e.At.Before(before) {
			continue
		}
		if len(listings) == 0 || !e.At.Equal(at) {
			since := 0
			for i, o := range opens {
				if o.At.After(e.At) && (i == 0 || o.Target != opens[i-1].Target) {
					since++
				}
			}
			listings, at = append(listings, ranking.Listing{Since: since}), e.At
		}
		if last := &listings[len(listings)-1]; !slices.Contains(last.Files, memory.EscapePath(e.Target)) {
			last.Files = append(last.Files, memory.EscapePath(e.Target))
		}
	}
	return listings
}

func hasWords(text string) bool { return len(vocab.Words(text)) > 0 }

// toFront returns the most recent files with path before the others.
func toFront(recent []string, path string) []string {
	next := append(make([]string, 0, openFiles), path)
	for _, other := range recent {
		if other != path && len(next) < openFiles {
			next = append(next, other)
		}
	}
	return next
}
