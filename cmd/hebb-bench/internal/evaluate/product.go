package evaluate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/replay"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Product is hebb itself under examination, asked in several ways.
type Product struct {
	Tuning   tuning.Tuning
	Vary     func(*brain.Variation) // nil: nothing
	Variants []Variant              // none: hebb as it is, and without its table of words
	Weights  *recall.Learned        // instead of the shipped ones, for learning them
	// Held are weights instead of the shipped ones for one repository each, with which it learns
	// weights of its own.
	Held map[string]*recall.Learned
	// OnLesson receives each question with its answers, for learning from them.
	OnLesson func(lesson)
}

// Variant is one way to ask the same memory.
type Variant struct {
	Name    string        // in the tables
	Without []recall.Term // evidence left out
	// Wordless asks as if no table of words had been learned.
	Wordless bool
}

// ranker is what the product is called in the tables.
const ranker = replay.Ranker

// WithoutWords is what it is called without its table of words.
const WithoutWords = "hebb without words"

// New opens a memory that knows nothing.
func (p Product) New(ctx context.Context, repo string) (Learner, error) { return p.open(ctx, repo) }

func (p Product) open(ctx context.Context, repo string) (*examinee, error) {
	if len(p.Variants) == 0 {
		p.Variants = []Variant{{Name: ranker}, {Name: WithoutWords, Wordless: true}}
	}
	hebb, err := replay.NewHebb(ctx, p.Tuning)
	if err == nil && p.Vary != nil {
		hebb.Brain.Vary(p.Vary)
	}
	if err == nil && p.Held == nil && !slices.ContainsFunc(p.Variants, func(v Variant) bool { return !v.Wordless }) {
		hebb.WordsEvery = 0 // nobody asks for what it would learn
	}
	if err == nil && p.Weights != nil {
		hebb.Brain.Numbers.LessonsAfter = math.MaxInt // habits have no say beside given weights
	}
	w := p.Weights
	if held := p.Held[repo]; held != nil {
		w = held
	}
	if err == nil && w != nil {
		hebb.Brain.Vary(func(v *brain.Variation) { v.Recall.Learned = func(bool) *recall.Learned { return w } })
	}
	return &examinee{Hebb: hebb, Product: p, repo: repo}, err
}

// examinee is one memory in one repository.
type examinee struct {
	*replay.Hebb
	Product
	repo  string
	last  []ranking.Recalled
	count int
}

// Session is recorded as the hooks of an agent do.
func (e *examinee) Session(ctx context.Context, s AgentSession) error {
	e.Until(s.End())
	return e.Observe(ctx, e.sessionEvents(s))
}

// sessionEvents are what the hooks of an agent would have said of a session, in the order of time.
func (e *examinee) sessionEvents(over AgentSession) (events []memory.Event) {
	add := func(kind memory.EventKind, origin memory.Origin, at time.Time) *memory.Event {
		e.count++
		events = append(events, memory.Event{
			ID: memory.DerivedEventID("bench", e.Place.Identity, over.ID, fmt.Sprint(e.count)), At: at, Kind: kind,
			Origin: origin, Agent: memory.Agent(over.Agent), AgentSession: over.ID, Place: e.Place,
		})
		return &events[len(events)-1]
	}
	add(memory.SessionStarted, memory.OriginTool, over.Start).Input = "startup"
	for _, p := range over.Prompts {
		add(memory.Prompted, memory.OriginUser, p.At).Text = p.Text
	}
	for _, o := range over.Events {
		used := add(memory.ToolUsed, memory.OriginTool, o.At)
		switch used.Tool = o.Op; {
		case o.Changes():
			used.Touches = []memory.Touch{{Kind: memory.Edit, Path: memory.EscapePath(o.Target)}}
		case o.Op == "read":
			used.Touches = []memory.Touch{{Kind: memory.Read, Path: memory.EscapePath(o.Target)}}
		case o.Op == "grep":
			used.Touches = []memory.Touch{{Kind: memory.Mention, Path: memory.EscapePath(o.Target)}}
		default: // a command
			used.Input = o.Target
		}
	}
	slices.SortStableFunc(events, func(a, b memory.Event) int { return a.At.Compare(b.At) })
	add(memory.SessionEnded, memory.OriginTool, over.End())
	return events
}

// Rank asks in all ways.
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
		rankings = append(rankings, replay.NewRanking(v.Name, answers))
	}
	return rankings, nil
}

func (e *examinee) ask(ctx context.Context, q Question, v Variant) ([]ranking.Recalled, error) {
	return e.Recall(ctx, q, ranking.RecallInput{Without: v.Without, Wordless: v.Wordless})
}

// Correct hands the answers on to who learns from them.
func (e *examinee) Correct(ctx context.Context, q Question, gold []string) error {
	if e.OnLesson == nil {
		return nil
	}
	if len(e.last) > 0 {
		e.OnLesson(lessonOf(e.repo, q.Task, e.last, gold))
	}
	if q.Task != "S2" {
		return nil
	}
	q.HasText = false
	answers, err := e.ask(ctx, q, e.Variants[0])
	if err == nil && len(answers) > 0 {
		e.OnLesson(lessonOf(e.repo, silent, answers, gold))
	}
	return err
}
