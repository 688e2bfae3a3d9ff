package inspect

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	stepsMost = 3000 // of a session: what a person scrolls through
	stepText  = 1200 // bytes of what was said in a step
)

// WaterfallInput names a session.
type WaterfallInput struct {
	Session string `json:"session"`
}

// Step is one thing that happened in a session.
type Step struct {
	At    time.Time        `json:"at"`
	Kind  memory.EventKind `json:"kind"`
	Tool  string           `json:"tool,omitempty"`
	Input string           `json:"input,omitempty"`
	Text  string           `json:"text,omitempty"`
	Who   memory.Origin    `json:"who,omitempty"`
	Sub   string           `json:"subagent,omitempty"`
	// Files were touched, Changed those of them that were edited.
	Files   []string `json:"files,omitempty"`
	Changed []string `json:"changed,omitempty"`
	// Answer is what was shown, for a step of that kind.
	Answer *Answer `json:"answer,omitempty"`
}

// WaterfallResult is a session from its first prompt to its commits.
type WaterfallResult struct {
	memory.Session
	ProjectName string `json:"project_name"`
	Steps       []Step `json:"steps"`
	// Left are the steps before the first one here.
	Left int `json:"left,omitempty"`
}

// Waterfall shows what happened in a session, in order.
var Waterfall = reading("waterfall", func(ctx context.Context, b *brain.Brain, tx *store.Tx, in WaterfallInput) (out WaterfallResult, err error) {
	if out.Session, err = record.FindSession(ctx, tx, in.Session); err != nil {
		return out, err
	}
	p, err := tx.Project(ctx, out.Project)
	if err != nil {
		return out, err
	}
	out.ProjectName = p.Name
	events, err := tx.Events(ctx, store.EventFilter{Session: out.ID, Limit: stepsMost + 1})
	if err != nil {
		return out, err
	}
	if len(events) > stepsMost {
		events, out.Left = events[:stepsMost], int(out.Events)-stepsMost
	}
	commits, err := ownCommits(ctx, tx, out.Session)
	if err != nil {
		return out, err
	}
	found, err := tx.Suggestions(ctx, store.SuggestionFilter{Session: out.ID})
	if err != nil {
		return out, err
	}
	lines, err := ranking.Worded(ctx, tx, found...)
	if err != nil {
		return out, err
	}
	answers := grouped(lines)
	if err := tell(ctx, tx, answers); err != nil {
		return out, err
	}
	shown := map[string]*Answer{}
	for i := range answers {
		shown[answers[i].ID] = &answers[i]
	}
	for _, e := range slices.Concat(commits, events) {
		step := stepOf(e)
		if e.Kind == memory.Suggested {
			if step.Answer, step.Text, step.Input = shown[string(e.ID)], "", ""; step.Answer == nil {
				continue // the first files were noted, and nothing was shown
			}
		}
		out.Steps = append(out.Steps, step)
	}
	slices.Reverse(out.Steps) // they come newest first
	slices.SortStableFunc(out.Steps, func(a, b Step) int { return a.At.Compare(b.At) })
	return out, nil
})

// ownCommits are the commits of a session among those made while it ran, the newest first: of the sessions at work it was the last to change
// a file of the commit, or it worked alone and no session changed any.
func ownCommits(ctx context.Context, tx *store.Tx, s memory.Session) ([]memory.StoredEvent, error) {
	during := store.EventFilter{Project: s.Project, Kind: memory.Committed, Since: s.OpenedAt, Until: s.LastEventAt}
	commits, err := tx.Events(ctx, during)
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	during.Kind = memory.ToolUsed
	calls, err := tx.Events(ctx, during)
	return slices.DeleteFunc(commits, func(c memory.StoredEvent) bool { return !owns(s.ID, c, calls) }), err
}

// owns reports whether a commit is that of a session, by the calls of all sessions at work, the newest first.
func owns(id memory.SessionID, c memory.StoredEvent, calls []memory.StoredEvent) bool {
	alone := true
	for _, call := range calls {
		changed := func(t memory.Touch) bool {
			return t.Kind == memory.Edit && slices.ContainsFunc(c.Touches, func(of memory.Touch) bool { return of.Path == t.Path })
		}
		if call.At.Before(c.At.Add(time.Second)) && slices.ContainsFunc(call.Touches, changed) { // git knows no parts of a second
			return call.Session == id
		}
		alone = alone && call.Session == id
	}
	return alone
}

func stepOf(e memory.StoredEvent) Step {
	s := Step{
		At: e.At, Kind: e.Kind, Tool: e.Tool, Input: scrub.Excerpt(e.Input, stepText), Text: scrub.Excerpt(e.Text, stepText), Who: e.Origin, Sub: e.Subagent,
	}
	for _, t := range e.Touches {
		if !slices.Contains(s.Files, t.Path) {
			s.Files = append(s.Files, t.Path)
		}
		if t.Kind == memory.Edit && !slices.Contains(s.Changed, t.Path) {
			s.Changed = append(s.Changed, t.Path)
		}
	}
	return s
}

// HeatMapInput chooses how much of a project is drawn.
type HeatMapInput struct {
	brain.Scope
	Sessions int `json:"sessions,omitempty"`
	Files    int `json:"files,omitempty"`
}

// HeatMapResult says which session touched which file.
type HeatMapResult struct {
	Sessions []memory.Session `json:"sessions"` // the oldest first
	Files    []HeatRow        `json:"files"`    // the most touched first
}

// HeatRow is one file: for each session 0, 1 if it was read or 2 if it was changed.
type HeatRow struct {
	Path  string `json:"path"`
	Cells []int  `json:"cells"`
}

const (
	mapSessions = 30
	mapFiles    = 24
)

// HeatMap draws files against sessions.
var HeatMap = reading("heatmap", func(ctx context.Context, b *brain.Brain, tx *store.Tx, in HeatMapInput) (out HeatMapResult, err error) {
	out = HeatMapResult{Sessions: []memory.Session{}, Files: []HeatRow{}}
	id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
	if err != nil {
		return out, err
	}
	found, err := tx.Sessions(ctx, store.SessionFilter{Project: id, Limit: cmp.Or(in.Sessions, mapSessions)})
	if err != nil {
		return out, err
	}
	slices.Reverse(found)
	out.Sessions = append(out.Sessions, found...)
	column, ids := map[memory.SessionID]int{}, []memory.SessionID{}
	for i, s := range out.Sessions {
		column[s.ID], ids = i, append(ids, s.ID)
	}
	opened, err := tx.OpenedIn(ctx, ids)
	if err != nil {
		return out, err
	}
	at := map[string]int{}
	for _, o := range opened {
		i, known := at[o.Path]
		if !known {
			i = len(out.Files)
			at[o.Path] = i
			out.Files = append(out.Files, HeatRow{Path: o.Path, Cells: make([]int, len(ids))})
		}
		heat := 1
		if o.Changed {
			heat = 2
		}
		out.Files[i].Cells[column[o.Session]] = heat
	}
	sum := func(r HeatRow) (n int) {
		for _, c := range r.Cells {
			n += c
		}
		return n
	}
	slices.SortStableFunc(out.Files, func(a, b HeatRow) int { return cmp.Compare(sum(b), sum(a)) })
	out.Files = out.Files[:min(len(out.Files), cmp.Or(in.Files, mapFiles))]
	return out, nil
})
