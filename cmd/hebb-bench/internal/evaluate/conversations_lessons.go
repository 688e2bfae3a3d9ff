package evaluate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/replay"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

// lessons goes through the repositories that agents wrote notes in, in the order of time: what was
// committed and done is learned, notes are remembered where they belong, and prompts ask for the
// notes that were there by then.
func (r *textReplay) lessons(ctx context.Context) error {
	floor, err := newFloor(ctx, "fts5 text and path", nil)
	if err != nil {
		return err
	}
	r.floors = append(r.floors, floor)
	var repos []string
	for _, q := range r.set.queries {
		if !slices.Contains(repos, q.NS) {
			repos = append(repos, q.NS)
		}
	}
	for _, repo := range repos {
		happenings, err := r.history(repo)
		if err != nil {
			return err
		}
		r.now = time.Time{}
		if err := replay.Run(ctx, inOrder(happenings), func(int) bool { return true }); err != nil {
			return fmt.Errorf("%s: %w", repo, err)
		}
	}
	return nil
}

func (r *textReplay) history(repo string) (happenings []happening, err error) {
	folder := filepath.Join(r.Dir, "sessions")
	recorded, err := ReadRecording(SessionFiles{repo, setFile(folder, repo+".commits"), setFile(folder, repo+".sessions")})
	if err != nil {
		return nil, err
	}
	learner := &examinee{repo: repo, Hebb: &replay.Hebb{Place: r.place(repo), Brain: r.brain, WordsEvery: 10}}
	happenings = recorded.happenings(sessionCalls{
		commit: func(ctx context.Context, c Commit) error {
			r.until(c.At)
			return learner.Commit(ctx, c)
		},
		end: func(ctx context.Context, s AgentSession) error {
			r.until(s.End())
			return learner.Session(ctx, s)
		},
	})
	for _, m := range r.set.memories {
		if m.NS == repo {
			happenings = append(happenings, happening{m.at, 3, replay.Moment{Name: "note " + m.ID, Learn: func(ctx context.Context) error {
				r.until(m.at)
				return r.note(ctx, m)
			}}})
		}
	}
	for _, q := range r.set.queries {
		if q.NS == repo {
			happenings = append(happenings, happening{q.at, 0, replay.Moment{Name: "question " + q.QID, Ask: func(ctx context.Context) error {
				r.until(q.at)
				if _, err := steward.Run(ctx, r.brain, steward.Drain, steward.DrainInput{Wait: true}); err != nil {
					return err
				}
				return r.ask(ctx, q, texts.SearchInput{Query: q.Query, Kinds: []string{string(memory.Lesson)}})
			}}})
		}
	}
	return happenings, nil
}

// note is a lesson that an agent writes down.
func (r *textReplay) note(ctx context.Context, m textMemory) error {
	kept, err := steward.Run(ctx, r.brain, statements.Remember, statements.RememberInput{
		Scope: brain.Scope{Project: r.place(m.NS).Project().String()}, Text: m.Text, Kind: memory.Lesson,
		Files: []string{m.Path}, Origin: memory.OriginAgent,
	})
	if errors.Is(err, memory.ErrRefused) { // agents have had as much kept in a session as they may: it cannot be found
		return nil
	}
	if err != nil {
		return err
	}
	r.ids[string(kept.ID)] = append(r.ids[string(kept.ID)], m.ID)
	return r.floors[0].add(ctx, m.NS, m.ID, m.Path+" "+m.Text)
}
