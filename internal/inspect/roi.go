package inspect

import (
	"context"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

const leastHeld = 10 // held-out prompts that a comparison needs (of fewer the interval is too wide to say anything)

// RoiResult is what the lines shown to agents were worth, measured.
type RoiResult struct {
	// Shown is how many of the lines agents saw led to the file; Withheld the same of lines that were
	// kept from them: what they would have opened anyway.
	Shown    Precision `json:"shown"`
	Withheld Precision `json:"withheld"`
	// Prompts are those of which chance decided whether their lines were shown, and whose turn is
	// over; Held were shown nothing.
	Prompts int `json:"prompts"`
	Held    int `json:"held"`
	// Compared is what followed prompts with lines and prompts whose lines were withheld. It is empty
	// while too few were held out.
	Compared []Compared        `json:"compared"`
	Tokens   TokensResult      `json:"tokens"`
	Misses   statements.Misses `json:"misses"`
	Least    int               `json:"least"`   // held-out prompts that a comparison needs
	Holdout  float64           `json:"holdout"` // share of prompts that are held out
	Level    float64           `json:"level"`   // certainty of the intervals
}

// Precision is the share of judged lines whose file was opened or changed.
type Precision struct {
	Taken  int64           `json:"taken"`
	Judged int64           `json:"judged"` // ignored ones too; those of sessions that did nothing more are not judged
	Share  *brain.Interval `json:"share,omitempty"`
}

// Compared is one figure about what followed prompts, on average, with lines and without.
type Compared struct {
	What    Figure         `json:"what"`
	With    float64        `json:"with"`
	Without float64        `json:"without"`
	Less    brain.Interval `json:"less"`  // how much less it is with lines
	Shown   int            `json:"shown"` // prompts with lines that have the figure
	Held    int            `json:"held"`  // and without
}

// Figure names what is compared.
type Figure string

const (
	FigureSearches Figure = "searches"
	FigureRereads  Figure = "rereads"
	FigureTokens   Figure = "tokens" // that searches and re-reads returned
	FigureNet      Figure = "net"    // the same, with the tokens of the lines
	FigureOpened   Figure = "opened" // share of prompts after which a file in their lines was opened
)

// figures are how each is read from a turn; false: the turn does not have it.
var figures = []struct {
	name Figure
	of   func(*account, *turn) (float64, bool)
}{
	{FigureSearches, func(_ *account, t *turn) (float64, bool) { return float64(t.searches), true }},
	{FigureRereads, func(_ *account, t *turn) (float64, bool) { return float64(t.rereads), true }},
	{FigureTokens, func(a *account, t *turn) (float64, bool) { return tokens(t.searchBytes + t.rereadBytes), a.measured() }},
	{FigureNet, func(a *account, t *turn) (float64, bool) {
		return tokens(t.searchBytes+t.rereadBytes) + float64(t.spent), a.measured()
	}},
	{FigureOpened, func(_ *account, t *turn) (float64, bool) {
		for _, opened := range t.named {
			if opened {
				return 1, true
			}
		}
		return 0, len(t.named) > 0
	}},
}

// Roi says what was gained by what agents were shown.
var Roi = reading("roi", func(ctx context.Context, b *brain.Brain, tx *store.Tx, in GainInput) (RoiResult, error) {
	ids, err := ranking.Scoped(ctx, b.Config, tx, in.Scope)
	if err != nil {
		return RoiResult{}, err
	}
	return roi(ctx, tx, b.Config.Tuning.Hook, ids, in.Since)
})

func roi(ctx context.Context, tx *store.Tx, t tuning.Hook, projects []memory.ProjectID, since time.Time) (out RoiResult, err error) {
	out = RoiResult{Least: leastHeld, Holdout: t.Holdout, Level: brain.IntervalLevel, Compared: []Compared{}}
	var ledgers []*ledger
	var turns []followed
	for _, id := range projects {
		l, err := readLedger(ctx, tx, id, since)
		if err != nil {
			return out, err
		}
		ledgers = append(ledgers, l)
		out.judge(l.lines)
		sessions, err := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: id})
		if err != nil {
			return out, err
		}
		turns = append(turns, l.drawn(sessions, t.HoldoutAfter)...)
	}
	out.Tokens.count(ledgers)
	for _, p := range []*Precision{&out.Shown, &out.Withheld} {
		if p.Judged > 0 {
			p.Share = new(brain.Wilson(p.Taken, p.Judged, out.Level))
		}
	}
	out.compare(turns, brain.NewSampler())
	out.Misses, err = statements.MissedSince(ctx, tx, projects, since)
	return out, err
}

// judge counts what became of lines.
func (r *RoiResult) judge(lines []memory.Suggestion) {
	for _, s := range lines {
		p := &r.Shown
		if s.Held {
			p = &r.Withheld
		}
		switch s.Outcome {
		case memory.Used, memory.Opened:
			p.Taken++
			p.Judged++
		case memory.Ignored:
			p.Judged++
		}
	}
}

// followed is a turn in its session.
type followed struct {
	in   *account
	turn *turn
}

// drawn are the turns that are over and might have been held out as well as shown: the first
// sessions of a project never are. Nothing that a turn did decides whether it is among them.
func (l *ledger) drawn(sessions []memory.Session, after int) (turns []followed) {
	slices.SortStableFunc(sessions, func(a, b memory.Session) int { return a.OpenedAt.Compare(b.OpenedAt) })
	for _, s := range sessions[min(after, len(sessions)):] {
		a := l.sessions[s.ID]
		if a == nil || after > 0 && !s.OpenedAt.After(sessions[after-1].OpenedAt) {
			continue
		}
		for _, t := range a.turns {
			if t.over || !s.Open() {
				turns = append(turns, followed{a, t})
			}
		}
	}
	return turns
}

// compare says what followed prompts with lines and prompts without, where enough were held out to
// say anything.
func (r *RoiResult) compare(turns []followed, s brain.Sampler) {
	for _, f := range turns {
		if r.Prompts++; f.turn.held {
			r.Held++
		}
	}
	for _, figure := range figures {
		var with, without []float64
		for _, f := range turns {
			switch value, has := figure.of(f.in, f.turn); {
			case has && f.turn.held:
				without = append(without, value)
			case has:
				with = append(with, value)
			}
		}
		if r.Holdout > 0 && min(len(with), len(without)) >= r.Least {
			r.Compared = append(r.Compared, Compared{
				What: figure.name, With: brain.Mean(with), Without: brain.Mean(without), Less: s.Difference(with, without), Shown: len(with), Held: len(without),
			})
		}
	}
}
