package evaluate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Product is hebb itself under examination: events go into a store of its own, questions to recall.
type Product struct {
	Tuning   tuning.Tuning
	Variants []Variant       // none: hebb as it is
	Weights  *recall.Weights // instead of the learned ones, for learning them
	// Tell is told each question with its answers, for learning from them.
	Tell func(lesson)
}

// Variant is one way to ask the same memory.
type Variant struct {
	Name    string        // in the tables
	Without []recall.Term // evidence left out
	// Wordless asks as if no table of words had been learned.
	Wordless bool
}

// ranker is what the product is called in the tables.
const ranker = "hebb"

// WithoutWords is what it is called without its table of words.
const WithoutWords = "hebb without words"

// New opens a memory that knows nothing.
func (p Product) New(ctx context.Context, repo string) (Learner, error) {
	dir, err := os.MkdirTemp("", "hebb-bench-")
	if err != nil {
		return nil, err
	}
	e := &examinee{Product: p, repo: repo, dir: dir, place: memory.Place{Identity: dir, Root: dir}}
	if len(e.Variants) == 0 {
		e.Variants = []Variant{{Name: ranker}, {Name: WithoutWords, Wordless: true}}
	}
	// A crash of the benchmark may lose its store: nothing waits for the disk.
	e.brain, err = brain.Open(ctx, config.Config{Dir: dir, Tuning: p.Tuning}, func() time.Time { return e.now })
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return e, nil
}

// examinee is one memory in one repository.
type examinee struct {
	Product
	repo  string
	dir   string
	place memory.Place
	brain *brain.Brain
	now   time.Time
	last  []brain.Recalled
	told  int
	since int // pieces of work since it was last asked whether words are to be learned
}

// Close removes the memory.
func (e *examinee) Close() error { return errors.Join(e.brain.Close(), os.RemoveAll(e.dir)) }

// until moves the clock on; it never goes back, whatever dates commits carry.
func (e *examinee) until(at time.Time) {
	if at.After(e.now) {
		e.now = at
	}
}

// Commit is told as the history of a repository tells it.
func (e *examinee) Commit(ctx context.Context, c Commit) error {
	e.until(c.At)
	event := memory.Event{
		ID: memory.DerivedEventID("git", e.place.Identity, c.Hash), At: c.At, Kind: memory.Committed, Origin: memory.OriginRepo,
		Agent: memory.AgentGit, Place: e.place, Input: c.Hash, Text: c.Subject, Touches: touches(c),
	}
	if c.Large() {
		event.Tool = memory.WideCommit
	}
	if _, err := brain.Observe.Run(ctx, e.brain, []memory.Event{event}); err != nil {
		return err
	}
	return e.learnWords(ctx)
}

// learnWords learns what words mean when that is due, as sleep does.
func (e *examinee) learnWords(ctx context.Context) error {
	if e.since++; e.since < betweenLooks {
		return nil
	}
	e.since = 0
	_, err := brain.LearnWords.Run(ctx, e.brain, brain.WordsInput{Project: e.place.Project()})
	return err
}

// betweenLooks is after how many commits or sessions sleep is assumed to look whether there is something to learn.
const betweenLooks = 10

// touches are the files of a commit as an event names them.
func touches(c Commit) []memory.Touch {
	var list []memory.Touch
	for _, f := range c.Files {
		t := memory.Touch{Kind: memory.Edit, Path: memory.EscapePath(f.Path)}
		switch f.Status {
		case Deleted:
			t.Kind = memory.Delete
		case Renamed:
			t.Kind, t.From = memory.Rename, memory.EscapePath(f.Old)
		}
		list = append(list, t)
	}
	return list
}

// Session is told as the hooks of an agent tell it.
func (e *examinee) Session(ctx context.Context, s AgentSession) error {
	e.until(s.End())
	var events []memory.Event
	add := func(kind memory.EventKind, at time.Time, text string, touches ...memory.Touch) {
		e.told++
		events = append(events, memory.Event{
			ID: memory.DerivedEventID("bench", e.place.Identity, s.ID, fmt.Sprint(e.told)), At: at, Kind: kind,
			Origin: memory.OriginAgent, Agent: memory.Agent(s.Agent), AgentSession: s.ID, Place: e.place, Text: text, Touches: touches,
		})
	}
	said := 0
	for _, o := range s.Opens() {
		for ; said < len(s.Prompts) && !s.Prompts[said].At.After(o.At); said++ {
			add(memory.Prompted, s.Prompts[said].At, s.Prompts[said].Text)
		}
		kind := memory.Read
		if o.Changes() {
			kind = memory.Edit
		}
		add(memory.ToolUsed, o.At, "", memory.Touch{Kind: kind, Path: memory.EscapePath(o.Target)})
	}
	add(memory.SessionEnded, s.End(), "")
	if _, err := brain.Observe.Run(ctx, e.brain, events); err != nil {
		return err
	}
	return e.learnWords(ctx)
}

// rankedAnswers is how far down answers are marked.
const rankedAnswers = 100

// Rank asks.
func (e *examinee) Rank(ctx context.Context, q Question) ([]Ranking, error) {
	var rankings []Ranking
	for i, v := range e.Variants {
		answers, err := e.ask(ctx, q, v)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			e.last = answers
		}
		r := Ranking{Ranker: v.Name}
		for _, a := range answers {
			path := e.plain(a.Path)
			r.Paths = append(r.Paths, path)
			if a.Reached {
				r.Spread = append(r.Spread, path)
			}
		}
		rankings = append(rankings, r)
	}
	return rankings, nil
}

// plain is a path as the history spells it.
func (e *examinee) plain(path string) string {
	if raw, err := memory.UnescapePath(path); err == nil {
		return raw
	}
	return path
}

func escaped(paths []string) []string {
	list := make([]string, len(paths))
	for i, p := range paths {
		list[i] = memory.EscapePath(p)
	}
	return list
}

func (e *examinee) ask(ctx context.Context, q Question, v Variant) ([]brain.Recalled, error) {
	e.until(q.At)
	in := brain.RecallInput{
		Scope: brain.Scope{Project: e.place.Project().String()}, Open: escaped(q.Open), Banned: escaped(q.Banned), Next: q.Task[0] == 'S', Change: q.Task[0] == 'T',
		Limit: rankedAnswers, Without: v.Without, Wordless: v.Wordless, Weights: e.Weights,
	}
	if q.HasText {
		in.Text = q.Text
	}
	if in.Text == "" && len(in.Open) == 0 {
		return nil, nil
	}
	out, err := brain.Recall.Run(ctx, e.brain, in)
	return out.Files, err
}

// Correct hands the answers on to who learns from them.
func (e *examinee) Correct(ctx context.Context, q Question, gold []string) error {
	if e.Tell == nil {
		return nil
	}
	if len(e.last) > 0 {
		e.Tell(lessonOf(e.repo, q.Task, e.last, gold))
	}
	if q.Task != "S2" {
		return nil
	}
	q.HasText = false
	answers, err := e.ask(ctx, q, e.Variants[0])
	if err == nil && len(answers) > 0 {
		e.Tell(lessonOf(e.repo, silent, answers, gold))
	}
	return err
}
