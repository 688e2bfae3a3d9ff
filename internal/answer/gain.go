package answer

import (
	"context"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/store"
)

// TokensInput chooses the suggestions to follow.
type TokensInput struct {
	brain.Scope
	Since time.Time `json:"since,omitzero"`
}

// TokensResult is what suggestions cost and what came of them, counted from what sessions did. Nothing in it is a
// model: it does not say what an agent would have spent without them. Roi compares.
type TokensResult struct {
	Sessions int `json:"sessions"` // that were shown something
	Lines    int `json:"lines"`
	Tokens   int `json:"tokens"` // that these lines cost
	Files    int `json:"files"`  // shown, each once a session
	Opened   int `json:"opened"` // of these, opened afterwards
	// Straight were opened without a search between being shown and being opened.
	Straight int `json:"straight"`
	// SearchTokens is what a search returned on average, of the Searches whose answer was measured; of Unmeasured ones the
	// size is not known.
	SearchTokens float64 `json:"search_tokens"`
	Searches     int     `json:"searches"`
	Unmeasured   int     `json:"unmeasured"`

	SearchBytes int64 `json:"-"`
}

// Tokens says what suggestions cost, and how many files were opened straight from them.
var Tokens = brain.Operation[TokensInput, TokensResult]{
	Name: "tokens", Summary: "Say what suggestions cost and what was opened without a search",
	Run: func(ctx context.Context, b *brain.Brain, in TokensInput) (TokensResult, error) {
		return brain.View(ctx, b, func(tx *store.Tx) (out TokensResult, err error) {
			ids, err := ranking.Scoped(ctx, b, tx, in.Scope)
			if err != nil {
				return out, err
			}
			for _, id := range ids {
				l, err := readLedger(ctx, tx, id, in.Since)
				if err != nil {
					return out, err
				}
				out.add(l)
			}
			return out, nil
		})
	},
}

func (t *TokensResult) add(l *ledger) {
	for _, s := range l.lines {
		if !s.Held {
			t.Lines++
			t.Tokens += s.Tokens
		}
	}
	for _, s := range l.sessions {
		if s.shown {
			t.Sessions++
		}
		for _, o := range s.offers {
			if o.held {
				continue
			}
			t.Files++
			if o.opened {
				t.Opened++
			}
			if o.opened && !o.searched {
				t.Straight++
			}
		}
		t.Searches += s.searches - s.unmeasured
		t.Unmeasured += s.unmeasured
		t.SearchBytes += s.searchBytes
	}
	if t.Searches > 0 {
		t.SearchTokens = tokens(t.SearchBytes) / float64(t.Searches)
	}
}

// tokens estimates what bytes of an answer cost an agent.
func tokens(bytes int64) float64 { return float64(bytes) / ranking.BytesPerToken }

// ledger is what the sessions of a project were shown and what they did.
type ledger struct {
	lines    []memory.Suggestion
	sessions map[memory.SessionID]*account
}

// account is one session of a ledger.
type account struct {
	shown    bool // lines were shown to it
	held     bool // lines were withheld from it
	opens    int  // files read or changed
	searches int
	rereads  int // reads of a file it had open before
	spent    int // tokens of the lines it was shown

	searchBytes int64 // that searches returned
	rereadBytes int64 // that re-reads returned
	unmeasured  int   // searches whose answer is of unknown size
	blind       bool  // a search or a re-read is of unknown size
	sighted     bool  // some answer is of known size

	offers map[memory.NeuronID]*offer
	met    map[memory.NeuronID]bool
}

// offer is a file a session was shown, from the first time on.
type offer struct {
	at       time.Time
	held     bool
	searched bool // before it was opened
	opened   bool
}

// readLedger follows what was suggested in a project to what its sessions did.
func readLedger(ctx context.Context, tx *store.Tx, id memory.ProjectID, since time.Time) (*ledger, error) {
	l := &ledger{sessions: map[memory.SessionID]*account{}}
	var err error
	if l.lines, err = tx.Suggestions(ctx, store.SuggestionFilter{Project: id, Since: since}); err != nil {
		return nil, err
	}
	for i := len(l.lines) - 1; i >= 0; i-- { // oldest first
		s := l.lines[i]
		a := l.account(s.Session)
		if s.Offer == memory.OfferContext { // every session has one
			a.spent += s.Tokens
			continue
		}
		a.shown, a.held = a.shown || !s.Held, a.held || s.Held
		if !s.Held {
			a.spent += s.Tokens
		}
		if a.offers[s.Neuron] == nil {
			a.offers[s.Neuron] = &offer{at: s.ShownAt, held: s.Held}
		}
	}
	err = tx.WalkCalls(ctx, id, since, func(c store.Call) error {
		l.account(c.Session).take(c)
		return nil
	})
	return l, err
}

func (l *ledger) account(id memory.SessionID) *account {
	a, ok := l.sessions[id]
	if !ok {
		a = &account{offers: map[memory.NeuronID]*offer{}, met: map[memory.NeuronID]bool{}}
		l.sessions[id] = a
	}
	return a
}

// take counts one call of a session.
func (a *account) take(c store.Call) {
	search, reread := Searches(c.Tool, c.Input), false
	if search {
		a.searches++
		for _, o := range a.offers {
			o.searched = o.searched || !o.opened && !c.At.Before(o.at)
		}
	}
	for _, t := range c.Touches {
		if t.Kind != memory.Read && t.Kind != memory.Edit {
			continue // a search that lists a file has not opened it
		}
		a.opens++
		if t.Kind == memory.Read && a.met[t.Neuron] {
			a.rereads++
			reread = true
		}
		a.met[t.Neuron] = true
		if o := a.offers[t.Neuron]; o != nil && !c.At.Before(o.at) {
			o.opened = true
		}
	}
	a.weigh(c.ResultBytes, search, reread)
}

// weigh adds the size of an answer, if it is known, to what it was asked for.
func (a *account) weigh(bytes *int64, search, reread bool) {
	switch {
	case bytes == nil:
		a.blind = a.blind || search || reread
		if search {
			a.unmeasured++
		}
		return
	case search:
		a.searchBytes += *bytes
	case reread:
		a.rereadBytes += *bytes
	}
	a.sighted = true
}

// measured reports whether it is known what all searches and re-reads of the session returned. One without any of
// them counts only if something else was measured: it may be older than the measure.
func (a *account) measured() bool { return a.sighted && !a.blind }

const (
	StaleMyelin = 0.1 // a file with less myelin is not worth a word when it fades (test vectors of the design)
)

const (
	StaleIdle = 7 * 24 * time.Hour // a file nobody has touched for this long is fading (test vectors of the design)
)
