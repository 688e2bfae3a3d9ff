package answer

import (
	"context"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/store"
)

const groupSessions = 5 // sessions a group needs before hebb roi compares it (of fewer an interval says nothing)

// RoiResult is the return on suggestions, measured.
type RoiResult struct {
	// Shown is how many of the lines agents saw led to the file; Withheld the same of lines that were kept from them:
	// what they would have opened anyway.
	Shown    Precision `json:"shown"`
	Withheld Precision `json:"withheld"`
	// Groups are sessions with suggestions, with suggestions withheld, and from before there were any.
	Groups []RoiGroup `json:"groups"`
	// Saved is what sessions with suggestions do less than another group.
	Saved  []RoiSaving  `json:"saved"`
	Tokens TokensResult `json:"tokens"`
	Least  int          `json:"least"` // sessions a group needs to be compared
	Level  float64      `json:"level"` // certainty of the intervals
}

// Precision is the share of judged lines whose file was opened or changed.
type Precision struct {
	Taken  int64           `json:"taken"`
	Judged int64           `json:"judged"` // ignored ones too; those of sessions that did nothing more are not judged
	Share  *brain.Interval `json:"share,omitempty"`
}

// The groups of sessions that are compared.
const (
	groupShown  = "shown"
	groupHeld   = "held"
	groupBefore = "before"
)

// RoiGroup is what the sessions of a group did, on average. Without enough sessions it has no figures.
type RoiGroup struct {
	Name     string          `json:"name"`
	Sessions int             `json:"sessions"`
	Searches *brain.Interval `json:"searches,omitempty"`
	Rereads  *brain.Interval `json:"rereads,omitempty"`
	// Measured counts the sessions of which it is known how much every search and re-read returned. Only they have tokens.
	Measured int        `json:"measured"`
	Tokens   *RoiTokens `json:"tokens,omitempty"`

	searches, rereads []float64
	tokens            tokenLists
}

// RoiTokens is what went into the context of a session, on average.
type RoiTokens struct {
	Searches brain.Interval `json:"searches"` // what searches returned
	Rereads  brain.Interval `json:"rereads"`  // what was read again
	Shown    brain.Interval `json:"shown"`    // the lines of hebb
}

// tokenLists are the tokens of measured sessions, one figure for each.
type tokenLists struct {
	searches, rereads, shown []float64
	read                     []float64 // searches and re-reads
	all                      []float64 // with the lines of hebb
}

func (t *tokenLists) add(a *account) {
	searches, rereads, shown := tokens(a.searchBytes), tokens(a.rereadBytes), float64(a.spent)
	t.searches, t.rereads, t.shown = append(t.searches, searches), append(t.rereads, rereads), append(t.shown, shown)
	t.read, t.all = append(t.read, searches+rereads), append(t.all, searches+rereads+shown)
}

// RoiSaving is how much less sessions with suggestions do than those of a group, per session.
type RoiSaving struct {
	Against  string         `json:"against"`
	Searches brain.Interval `json:"searches"`
	Rereads  brain.Interval `json:"rereads"`
	// Tokens is missing where one of the groups has too few measured sessions.
	Tokens *TokenSaving `json:"tokens,omitempty"`
}

// TokenSaving is how many tokens fewer a session with suggestions reads, by what both groups measured.
type TokenSaving struct {
	Searches brain.Interval `json:"searches"`
	Rereads  brain.Interval `json:"rereads"`
	Saved    brain.Interval `json:"saved"` // of searches and re-reads together
	Spent    brain.Interval `json:"spent"` // on the lines of hebb
	Net      brain.Interval `json:"net"`   // saved without what was spent
}

// Roi says what suggestions are worth.
var Roi = brain.Operation[brain.Scope, RoiResult]{
	Name: "roi", Summary: "Say what suggestions are worth, measured against sessions without them",
	Run: func(ctx context.Context, b *brain.Brain, in brain.Scope) (RoiResult, error) {
		return brain.View(ctx, b, func(tx *store.Tx) (RoiResult, error) { return roi(ctx, b, tx, in) })
	},
}

func roi(ctx context.Context, b *brain.Brain, tx *store.Tx, in brain.Scope) (out RoiResult, err error) {
	out = RoiResult{
		Least: groupSessions, Level: brain.IntervalLevel, Saved: []RoiSaving{},
		Groups: []RoiGroup{{Name: groupShown}, {Name: groupHeld}, {Name: groupBefore}},
	}
	ids, err := ranking.Scoped(ctx, b, tx, in)
	if err != nil {
		return out, err
	}
	for _, id := range ids {
		l, err := readLedger(ctx, tx, id, time.Time{})
		if err != nil {
			return out, err
		}
		sessions, err := tx.Sessions(ctx, store.SessionFilter{Project: id})
		if err != nil {
			return out, err
		}
		out.Tokens.add(l)
		out.judge(l.lines)
		out.group(l, sessions)
	}
	out.measure(b.Sampler())
	return out, nil
}

// judge counts what became of lines. A fading file is named as a reminder, not as a guess at what comes next.
func (r *RoiResult) judge(lines []memory.Suggestion) {
	for _, s := range lines {
		p := &r.Shown
		if s.Held {
			p = &r.Withheld
		}
		switch {
		case s.Offer == memory.OfferStale:
		case s.Outcome == memory.Used, s.Outcome == memory.Opened:
			p.Taken++
			p.Judged++
		case s.Outcome == memory.Ignored:
			p.Judged++
		}
	}
}

// group sorts the finished sessions of a project that opened a file.
func (r *RoiResult) group(l *ledger, sessions []memory.Session) {
	var first time.Time // when something was suggested here for the first time
	if n := len(l.lines); n > 0 {
		first = l.lines[n-1].ShownAt
	}
	for _, s := range sessions {
		a := l.sessions[s.ID]
		if a == nil || a.opens == 0 || s.Open() {
			continue
		}
		var g *RoiGroup
		switch {
		case a.shown:
			g = &r.Groups[0]
		case a.held:
			g = &r.Groups[1]
		case first.IsZero() || s.OpenedAt.Before(first):
			g = &r.Groups[2]
		default:
			continue // there was nothing good to show it: another kind of task
		}
		g.Sessions++
		g.searches = append(g.searches, float64(a.searches))
		g.rereads = append(g.rereads, float64(a.rereads))
		if a.measured() {
			g.Measured++
			g.tokens.add(a)
		}
	}
}

// measure turns counts into figures with intervals, where there are enough to say anything.
func (r *RoiResult) measure(s brain.Sampler) {
	for _, p := range []*Precision{&r.Shown, &r.Withheld} {
		if p.Judged > 0 {
			p.Share = new(brain.Wilson(p.Taken, p.Judged, r.Level))
		}
	}
	with := &r.Groups[0]
	for i := range r.Groups {
		g := &r.Groups[i]
		if g.Sessions < r.Least {
			continue
		}
		g.Searches, g.Rereads = new(s.Mean(g.searches)), new(s.Mean(g.rereads))
		if i > 0 && with.Sessions >= r.Least {
			r.Saved = append(r.Saved, RoiSaving{
				Against:  g.Name,
				Searches: s.Difference(with.searches, g.searches), Rereads: s.Difference(with.rereads, g.rereads),
				Tokens: r.tokensSaved(s, with, g),
			})
		}
	}
	for i := range r.Groups {
		if g := &r.Groups[i]; g.Measured >= r.Least {
			t := &g.tokens
			g.Tokens = &RoiTokens{Searches: s.Mean(t.searches), Rereads: s.Mean(t.rereads), Shown: s.Mean(t.shown)}
		}
	}
}

// tokensSaved compares what sessions with suggestions and those of another group have read, or says nothing.
func (r *RoiResult) tokensSaved(s brain.Sampler, with, without *RoiGroup) *TokenSaving {
	if with.Measured < r.Least || without.Measured < r.Least {
		return nil
	}
	less, more := &with.tokens, &without.tokens
	return &TokenSaving{
		Searches: s.Difference(less.searches, more.searches), Rereads: s.Difference(less.rereads, more.rereads),
		Saved: s.Difference(less.read, more.read), Spent: s.Mean(less.shown), Net: s.Difference(less.all, more.all),
	}
}
