package evaluate

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/hebb-memory/hebb/internal/recall"
)

// SessionTasks are the questions made from a session: from its first prompt, which files it will open (S1) and which
// of them it will edit (S1e); and whenever it goes on to a file it has not opened yet, which one (S2).
var SessionTasks = []string{"S1", "S1e", "S2"}

// SessionsInput says which sessions to replay before which learners.
type SessionsInput struct {
	Files    []SessionFiles
	Learners []NewLearner
	Options
}

const (
	sessionWarmUp = 10 // sessions that only teach
	openFiles     = 4  // most recent files that go with a question
)

// Sessions goes through the sessions of repositories by their start, one goroutine per repository. What had happened
// by then has been told: older commits, and the sessions that were over.
func Sessions(ctx context.Context, in SessionsInput) (Results, error) {
	repos, files := make([]string, len(in.Files)), make([]string, len(in.Files))
	for i, pair := range in.Files {
		repos[i], files[i] = pair.Repo, pair.Sessions
	}
	if err := in.check(SessionTasks, repos); err != nil {
		return nil, err
	}
	step, err := in.steps(ctx, files)
	if err != nil {
		return nil, err
	}
	return inParallel(ctx, SessionTasks, in.Files, func(ctx context.Context, pair SessionFiles) (Results, error) {
		commits, err := collect(ReadCommits(pair.Commits))
		if err != nil {
			return nil, err
		}
		sessions, err := collect(ReadSessions(pair.Sessions))
		if err != nil {
			return nil, err
		}
		return examine(ctx, pair.Repo, in.Options, in.Learners, func(e *exam) error {
			if err := newSessionReplay(e, commits, sessions).run(ctx, step); err != nil {
				return fmt.Errorf("%s, %w", pair.Sessions, err)
			}
			return nil
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

type sessionReplay struct {
	*exam
	files   fileSet
	byStart []AgentSession
	untold  struct {
		commits  []Commit
		sessions []AgentSession // by their end
	}
}

func newSessionReplay(e *exam, commits []Commit, sessions []AgentSession) *sessionReplay {
	r := &sessionReplay{exam: e, files: fileSet{}, byStart: sessions}
	r.untold.commits = slices.Clone(commits)
	r.untold.sessions = slices.Clone(sessions)
	slices.SortStableFunc(r.untold.commits, func(a, b Commit) int { return a.At.Compare(b.At) })
	slices.SortStableFunc(r.byStart, func(a, b AgentSession) int { return a.Start.Compare(b.Start) })
	slices.SortStableFunc(r.untold.sessions, func(a, b AgentSession) int { return a.End().Compare(b.End()) })
	return r
}

func (r *sessionReplay) run(ctx context.Context, step func()) error {
	for i, s := range r.byStart {
		if err := r.tellBefore(ctx, s); err != nil {
			return err
		}
		if i >= sessionWarmUp && (i-sessionWarmUp)%max(r.options.Every, 1) == 0 {
			if err := r.questions(ctx, s); err != nil {
				return fmt.Errorf("session %s: %w", s.ID, err)
			}
		}
		step()
	}
	return nil
}

// tellBefore tells what happened before the session began, commits first.
func (r *sessionReplay) tellBefore(ctx context.Context, s AgentSession) error {
	for len(r.untold.commits) > 0 && r.untold.commits[0].At.Before(s.Start) {
		c := r.untold.commits[0]
		r.untold.commits = r.untold.commits[1:]
		r.files.commit(c)
		if err := r.tellCommit(ctx, c); err != nil {
			return fmt.Errorf("commit %s: %w", c.Hash, err)
		}
	}
	for len(r.untold.sessions) > 0 && r.untold.sessions[0].End().Before(s.Start) {
		over := r.untold.sessions[0]
		r.untold.sessions = r.untold.sessions[1:]
		for _, e := range over.Opens() {
			r.files[e.Target] = true
		}
		if err := r.tellSession(ctx, over); err != nil {
			return fmt.Errorf("session %s: %w", over.ID, err)
		}
	}
	return ctx.Err()
}

// questions asks about one session. Only files known by its start count: nobody can name the others.
func (r *sessionReplay) questions(ctx context.Context, s AgentSession) error {
	opens := slices.DeleteFunc(s.Opens(), func(e SessionEvent) bool { return !r.files[e.Target] })
	if err := r.atStart(ctx, s, opens); err != nil {
		return err
	}
	var opened, recent []string // in the order of opening; the most recent first
	for i, e := range opens {
		if len(recent) > 0 && !slices.Contains(opened, e.Target) {
			text := s.PromptAt(e.At)
			q := Question{
				ID: fmt.Sprintf("%s/%d", s.ID, i), Task: "S2", Text: text, HasText: hasWords(text), At: e.At,
				Open: recent, Banned: opened,
			}
			if err := r.ask(ctx, q, []string{e.Target}); err != nil {
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
func (r *sessionReplay) atStart(ctx context.Context, s AgentSession, opens []SessionEvent) error {
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
		if err := r.ask(ctx, q, task.gold); err != nil {
			return err
		}
	}
	return nil
}

func hasWords(text string) bool { return len(recall.Words(text)) > 0 }

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
