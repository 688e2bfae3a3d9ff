package replay

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Ranker is what hebb is called in the results.
const Ranker = "hebb"

// Hebb is a memory under examination: events go into a store of its own, questions to recall.
type Hebb struct {
	Brain *brain.Brain
	Place memory.Place
	// WordsEvery is after how many commits or sessions sleep is assumed to check whether the words have to be learned again; 0:
	// never.
	WordsEvery int
	dir        string
	now        time.Time
	since      int // pieces of work since it last did
}

// NewHebb opens a memory that knows nothing, in a temporary folder.
func NewHebb(ctx context.Context, t tuning.Tuning) (*Hebb, error) {
	dir, err := os.MkdirTemp("", "hebb-bench-")
	if err != nil {
		return nil, err
	}
	tree := filepath.ToSlash(filepath.Join(dir, "tree")) // which is not there: a history names files of long ago
	h := &Hebb{Place: memory.Place{Identity: tree, Root: tree}, dir: dir, WordsEvery: 10}
	h.Brain, err = steward.Open(ctx, config.Config{Dir: dir, Tuning: t}, func() time.Time { return h.now })
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return h, nil
}

// Close removes the memory.
func (h *Hebb) Close() error { return errors.Join(h.Brain.Close(), os.RemoveAll(h.dir)) }

// Until moves the clock forward; it never goes back, whatever dates commits carry.
func (h *Hebb) Until(at time.Time) {
	if at.After(h.now) {
		h.now = at
	}
}

// Commit learns a commit as hebb init does.
func (h *Hebb) Commit(ctx context.Context, c Commit) error {
	h.Until(c.At)
	event := memory.Event{
		ID: memory.DerivedEventID("git", h.Place.Identity, c.Hash), At: c.At, Kind: memory.Committed, Origin: memory.OriginRepo,
		Agent: memory.AgentGit, Place: h.Place, Input: c.Hash, Text: strings.ToValidUTF8(c.Subject, "\uFFFD"),
	}
	for _, f := range c.Files {
		t := memory.Touch{Kind: memory.Edit, Path: memory.EscapePath(f.Path)}
		switch f.Status {
		case Deleted:
			t.Kind = memory.Delete
		case Renamed:
			t.Kind, t.From = memory.Rename, memory.EscapePath(f.Old)
		}
		event.Touches = append(event.Touches, t)
	}
	if Large(c) {
		event.Tool = memory.WideCommit
	}
	return h.Observe(ctx, []memory.Event{event})
}

// Observe records the events of one piece of work, and learns what words mean when that is due, as sleep does.
func (h *Hebb) Observe(ctx context.Context, events []memory.Event) error {
	if _, err := steward.Run(ctx, h.Brain, steward.Observe, events); err != nil {
		return err
	}
	if h.since++; h.since < h.WordsEvery || h.WordsEvery == 0 {
		return nil
	}
	h.since = 0
	_, err := steward.Run(ctx, h.Brain, ranking.Learn, ranking.Input{Project: h.Place.Project()})
	return err
}

// rankedAnswers is how far down answers are marked.
const rankedAnswers = 100

// Recall asks a question. in may leave evidence out or bring other weights.
func (h *Hebb) Recall(ctx context.Context, q Question, in ranking.RecallInput) ([]ranking.Recalled, error) {
	h.Until(q.At)
	in.Scope = brain.Scope{Project: h.Place.Project().String()}
	in.Open, in.Banned, in.Limit = escaped(q.Open), escaped(q.Banned), rankedAnswers
	in.Listed = q.Listed
	in.Next, in.Change = q.Task[0] == 'S', q.Task[0] == 'T'
	if q.HasText {
		in.Text = q.Text
	}
	if in.Text == "" && len(in.Open) == 0 {
		return nil, nil
	}
	out, err := steward.Run(ctx, h.Brain, ranking.Recall, in)
	return out.Files, err
}

// Rank answers as hebb is.
func (h *Hebb) Rank(ctx context.Context, q Question) ([]Ranking, error) {
	answers, err := h.Recall(ctx, q, ranking.RecallInput{})
	return []Ranking{NewRanking(Ranker, answers)}, err
}

// NewRanking spells the paths of answers as the history does.
func NewRanking(ranker string, answers []ranking.Recalled) Ranking {
	r := Ranking{Ranker: ranker}
	for _, a := range answers {
		path := a.Path
		if raw, err := memory.UnescapePath(path); err == nil {
			path = raw
		}
		r.Paths = append(r.Paths, path)
	}
	return r
}

func escaped(paths []string) []string {
	list := make([]string, len(paths))
	for i, p := range paths {
		list[i] = memory.EscapePath(p)
	}
	return list
}
