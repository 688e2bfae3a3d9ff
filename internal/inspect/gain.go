package inspect

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/store"
)

// GainInput chooses the lines to follow.
type GainInput struct {
	brain.Scope
	Since time.Time `json:"since,omitzero"`
}

// TokensResult is what was shown to agents, what it cost and what came of it, counted from what
// sessions did. Nothing in it is a model: it does not say what an agent would have spent without
// it. Roi compares.
type TokensResult struct {
	Sessions int    `json:"sessions"` // that were shown something
	Lines    int    `json:"lines"`
	Tokens   int    `json:"tokens"`  // that these lines cost
	Moments  []Bill `json:"moments"` // the same, for each moment that cost something
	Files    int    `json:"files"`   // shown, each once a session
	Opened   int    `json:"opened"`  // of these, opened afterwards
	// Straight were opened without a search between being shown and being opened.
	Straight int `json:"straight"`
	// SearchTokens is what a search returned on average, of the Searches whose answer was measured; of
	// Unmeasured ones the size is not known.
	SearchTokens float64 `json:"search_tokens"`
	Searches     int     `json:"searches"`
	Unmeasured   int     `json:"unmeasured"`

	searchBytes int64
}

// Bill is what was shown at one kind of moment.
type Bill struct {
	Moment   memory.Moment `json:"moment"`
	Sessions int           `json:"sessions"`
	Lines    int           `json:"lines"`
	Tokens   int           `json:"tokens"`
}

func (t *TokensResult) count(ledgers []*ledger) {
	bills := map[memory.Moment]*Bill{}
	for _, m := range memory.Moments {
		bills[m] = &Bill{Moment: m}
	}
	for _, l := range ledgers {
		for _, a := range l.sessions {
			t.add(a, bills)
		}
	}
	t.Moments = []Bill{}
	for _, m := range memory.Moments {
		if bills[m].Lines > 0 {
			t.Moments = append(t.Moments, *bills[m])
		}
	}
	if t.Searches > 0 {
		t.SearchTokens = tokens(t.searchBytes) / float64(t.Searches)
	}
}

func (t *TokensResult) add(a *account, bills map[memory.Moment]*Bill) {
	met := map[memory.Moment]bool{}
	for _, s := range a.lines {
		b := bills[s.Moment]
		if s.Held || b == nil {
			continue
		}
		if !met[s.Moment] {
			met[s.Moment] = true
			b.Sessions++
		}
		b.Lines++
		b.Tokens += s.Tokens
		t.Lines++
		t.Tokens += s.Tokens
	}
	if len(met) > 0 {
		t.Sessions++
	}
	for _, o := range a.offers {
		t.Files++
		if o.opened {
			t.Opened++
		}
		if o.opened && !o.searched {
			t.Straight++
		}
	}
	t.Searches += a.searches - a.unmeasured
	t.Unmeasured += a.unmeasured
	t.searchBytes += a.searchBytes
}

// tokens estimates what bytes of an answer cost an agent.
func tokens(bytes int64) float64 { return float64(bytes) / ranking.BytesPerToken }

// ledger is what the sessions of a project were shown and what they did.
type ledger struct {
	lines    []memory.Suggestion
	sessions map[memory.SessionID]*account
	receipts map[string][]memory.Suggestion // lines by the event that recorded them
}

// account is one session of a ledger.
type account struct {
	lines []memory.Suggestion // the oldest first
	turns []*turn             // that began with a prompt for which there were lines
	now   *turn               // the one that is being read, if any
	work                      // in all turns

	unmeasured int  // searches whose answer is of unknown size
	blind      bool // a search or a re-read is of unknown size
	sighted    bool // some answer is of known size

	offers map[memory.NeuronID]*offer
	met    map[memory.NeuronID]bool
}

// work is what a session did to find its way.
type work struct {
	searches    int
	rereads     int   // reads of a file it had open before
	searchBytes int64 // that searches returned
	rereadBytes int64 // that re-reads returned
}

// turn is what followed a prompt, until the next one.
type turn struct {
	work
	over  bool
	held  bool
	spent int                      // tokens of the lines that were shown
	named map[memory.NeuronID]bool // files in the lines, and whether they were opened
}

// offer is a file a session was shown, from the first time on.
type offer struct {
	at       time.Time
	searched bool // before it was opened
	opened   bool
}

// readLedger follows what was shown in a project to what its sessions did.
func readLedger(ctx context.Context, tx *store.Tx, id memory.ProjectID, since time.Time) (*ledger, error) {
	l := &ledger{sessions: map[memory.SessionID]*account{}, receipts: map[string][]memory.Suggestion{}}
	var err error
	if l.lines, err = tx.Suggestions(ctx, store.SuggestionFilter{Project: id, Since: since}); err != nil {
		return nil, err
	}
	for i := len(l.lines) - 1; i >= 0; i-- { // oldest first
		s := l.lines[i]
		a := l.account(s.Session)
		a.lines = append(a.lines, s)
		event, _, _ := strings.Cut(s.ID, "-")
		l.receipts[event] = append(l.receipts[event], s)
		if s.Neuron != 0 && !s.Held && a.offers[s.Neuron] == nil {
			a.offers[s.Neuron] = &offer{at: s.ShownAt}
		}
	}
	err = tx.WalkCalls(ctx, id, since, func(c memory.StoredEvent) error {
		switch a := l.account(c.Session); {
		case c.Kind != memory.Prompted:
			a.take(c)
		case c.Subagent == "":
			a.begin(l.receipts[string(answer.ReceiptID(c.ID))])
		}
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

// begin starts the turn of a prompt; it is followed if there were lines for it.
func (a *account) begin(lines []memory.Suggestion) {
	if a.now != nil {
		a.now.over = true
	}
	if a.now = nil; len(lines) == 0 {
		return
	}
	a.now = &turn{held: lines[0].Held, named: map[memory.NeuronID]bool{}}
	a.turns = append(a.turns, a.now)
	for _, s := range lines {
		if s.Neuron != 0 {
			a.now.named[s.Neuron] = false
		}
		if !s.Held {
			a.now.spent += s.Tokens
		}
	}
}

// take counts one call of a session.
func (a *account) take(c memory.StoredEvent) {
	did := work{}
	if Searches(c.Tool, c.Input) {
		did.searches = 1
		for _, o := range a.offers {
			o.searched = o.searched || !o.opened && !c.At.Before(o.at)
		}
	}
	for _, t := range c.Touches {
		if t.Kind != memory.Read && t.Kind != memory.Edit {
			continue // a search that lists a file has not opened it
		}
		file := memory.NewNeuronID(c.Project, memory.FileNeuron, t.Path)
		if t.Kind == memory.Read && a.met[file] {
			did.rereads++
		}
		a.met[file] = true
		if o := a.offers[file]; o != nil && !c.At.Before(o.at) {
			o.opened = true
		}
		if a.now != nil {
			if _, named := a.now.named[file]; named {
				a.now.named[file] = true
			}
		}
	}
	a.weigh(c.ResultBytes, &did)
	a.add(did)
	if a.now != nil {
		a.now.add(did)
	}
}

// weigh adds the size of an answer, if it is known, to what it was asked for.
func (a *account) weigh(bytes *int64, did *work) {
	switch {
	case bytes == nil:
		a.blind = a.blind || did.searches+did.rereads > 0
		a.unmeasured += did.searches
		return
	case did.searches > 0:
		did.searchBytes = *bytes
	case did.rereads > 0:
		did.rereadBytes = *bytes
	}
	a.sighted = true
}

func (w *work) add(o work) {
	w.searches += o.searches
	w.rereads += o.rereads
	w.searchBytes += o.searchBytes
	w.rereadBytes += o.rereadBytes
}

// measured reports whether it is known what all searches and re-reads of the session returned. One
// without any of them counts only if something else was measured: it may be older than the measure.
func (a *account) measured() bool { return a.sighted && !a.blind }

// Searches reports whether a tool call looks for files or text instead of opening a file that is
// known. In doubt it does: figures about what hebb saves must not flatter it.
func Searches(tool, input string) bool {
	switch strings.ToLower(tool) {
	case "grep", "glob", "search", "find", "ripgrep", "grep_search", "file_search", "search_files",
		"search_file_content", "codebase_search", "semantic_search":
		return true
	}
	if shell.IsTool(tool) {
		line, _, _ := strings.Cut(input, "<<") // the text of a here-document follows
		line = shellGiven().ReplaceAllString(line, "; ")
		return shellSearch().MatchString(shellQuoted().ReplaceAllString(line, "x"))
	}
	return false
}

var (
	// shellGiven is what introduces a line given to a shell: bash -lc 'rg x'.
	shellGiven = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:ba|z)?sh -\w*c\s+['"]`) })
	// shellQuoted is an escaped character or a quoted word.
	shellQuoted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\.|'[^']*(?:'|$)|"(?:\\.|[^"\\])*(?:"|$)`) })
	// shellSearch is a program that searches, where a command begins. After a pipe it only filters
	// what another program printed, unless xargs hands it files.
	shellSearch = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("(?m)" + `(?:^|[;&({` + "`" + `]|\|\||\bxargs\b)\s*` +
			`(?:(?:-\S+|\w+=\S*|sudo|time|command|exec|nice|env|if|then|else|while|do|!)\s+)*(?:\S*/)?(?:` +
			`(?i:grep|egrep|fgrep|rg|ag|ack|ugrep|find|fd|fdfind|locate|tree|findstr|select-string)(?:\.exe)?` +
			`|git\s+(?:-[Cc]\s+\S+\s+|-\S+\s+)*(?:grep|ls-files))(?:\s|[;|&)]|$)`)
	})
)
