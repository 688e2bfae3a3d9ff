package answer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// Shown is what an agent is shown at a moment.
type Shown struct {
	// Text is what the agent reads. It is empty where there is nothing good to show, and where it is held out.
	Text string `json:"text,omitempty"`
	// Lines are what the text says, or would have said had it not been held out.
	Lines []memory.Suggestion `json:"lines,omitempty"`
	// Receipt is the event that records the lines, and the first files for a prompt, shown or not. A caller records it before showing the
	// text; nil where there is neither. Before a call its Input says why the person is to be asked, if they are.
	Receipt *memory.Event `json:"receipt,omitempty"`
}

const peekLimit = 256 << 10 // bytes of the newest part of the spool, for what a session did since the last drain: a long turn

// waiting are the events of the session that hooks have left and no drain has taken yet: a turn that was interrupted starts none.
func waiting(c config.Config, sp spool.Spool, e memory.Event) []memory.Event {
	name, err := json.Marshal(e.AgentSession) // as it stands in the spool
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(sp.Peek(peekLimit, string(name)), func(o memory.Event) bool {
		return o.ID == e.ID || o.Agent != e.Agent || o.AgentSession != e.AgentSession || c.Home(o.Place).Project() != e.Place.Project()
	})
}

// sheet is an answer in the making: lines within a budget, and what the session was shown before.
type sheet struct {
	brain   *brain.Brain
	tx      *store.Tx
	moment  memory.Moment
	to      memory.Event
	waiting []memory.Event // of the session, not in the store yet
	project memory.ProjectID
	session memory.SessionID
	opening string // before the first line
	code    *statements.Code

	earlier   []memory.Suggestion // what the session was shown, in no order
	rules     []store.Kept        // in files that the agent does not read by itself; statements reads them
	never     map[string]bool     // files that the person does not want to be shown
	compacted time.Time           // when its context was compacted last
	held      bool                // nothing is shown, for comparison
	ask       string              // why the person is to be asked before the call

	lines  []memory.Suggestion
	ranked recall.Ranked // the first files, shown or not
	text   strings.Builder
	tokens int
	budget int // tokens
}

func newSheet(b *brain.Brain, e memory.Event) sheet {
	project := e.Place.Project()
	return sheet{
		brain: b, to: e, project: project, opening: opening, lines: []memory.Suggestion{},
		session: memory.NewSessionID(e.Agent, e.AgentSession, project), code: statements.CodeAt(e.Place.Root, momentBytes),
	}
}

// at is a sheet for a moment, with so many tokens.
func (s sheet) at(moment memory.Moment, budget int) sheet {
	s.moment, s.budget = moment, budget
	return s
}

// waits are the events of the session that no drain has taken yet.
func (s sheet) waits() []memory.Event { return waiting(s.brain.Config, s.brain.Spool, s.to) }

const momentBytes = 2 << 20 // of code that are compared with what is said of it while an agent waits

// quote is a memory as an agent reads it, with the doubt that the code raises now; empty if that leaves nothing to say.
func quote(code *statements.Code, c memory.Crystal, now time.Time) string {
	doubt := code.Doubt(c)
	if !doubt.Told() {
		return ""
	}
	words := state.Statement{Crystal: c}.Words()
	if f, ok := c.FileSource(); ok {
		f.File = record.ShownName(f.File)
		return f.Label() + ": " + prose.Quoted(brain.AsData(words)) + doubt.String()
	}
	return Quote(brain.Speaker(c), c.SaidAt, now, words) + doubt.String()
}

// answer reads what a moment needs.
func (s sheet) answer(ctx context.Context, read func(context.Context, *sheet) error) (Shown, error) {
	return brain.View(ctx, s.brain.Store, func(tx *store.Tx) (Shown, error) {
		s.tx = tx
		if err := read(ctx, &s); err != nil {
			return Shown{}, err
		}
		return s.result()
	})
}

// opening says what the lines are, whose they are and what they are not.
const opening = agent.Recalls

// lookBack reads what the session was shown, and when it lost it, from the store and from what waits for it.
func (s *sheet) lookBack(ctx context.Context) (err error) {
	if s.earlier, err = s.tx.Suggestions(ctx, store.SuggestionFilter{Session: s.session}); err != nil {
		return err
	}
	if s.never, err = statements.NeverShown(ctx, s.tx, s.project); err != nil {
		return err
	}
	compacting, err := s.tx.Events(ctx, store.EventFilter{Session: s.session, Kind: memory.Compacting, Limit: 1, Bare: true})
	for _, e := range compacting {
		s.compacted = e.At
	}
	for _, e := range s.waiting {
		var shown []memory.Suggestion
		if e.Kind == memory.Compacting {
			s.compacted = e.At
		}
		if e.Kind != memory.Suggested || json.Unmarshal([]byte(e.Text), &shown) != nil {
			continue // the drain will set aside what cannot be read
		}
		for i := range shown {
			shown[i].ShownAt = e.At
		}
		s.earlier = append(s.earlier, shown...)
	}
	for _, l := range s.earlier { // not every agent reports that it is going to compact
		if l.Moment == memory.AtCompact && l.ShownAt.After(s.compacted) {
			s.compacted = l.ShownAt
		}
	}
	return err
}

// said reports whether the session was shown a memory already at such a moment, or is by this answer. Tool calls are a moment of their
// own: what a start or a prompt was shown an hour ago is worth a line before the call that breaks it. What a subagent was shown, and
// what the session was shown before its context was compacted, is not in its context.
func (s *sheet) said(id memory.CrystalID) bool {
	return slices.ContainsFunc(slices.Concat(s.earlier, s.lines), func(l memory.Suggestion) bool {
		atPrompt := l.Moment == memory.AtPrompt || l.Moment == memory.AtStart || l.Moment == memory.AtCompact
		alike := l.Moment != memory.AtSubagent && atPrompt == (s.moment == memory.AtPrompt)
		return l.Crystal == id && alike && !l.Held && (l.ShownAt.IsZero() || !l.ShownAt.Before(s.compacted))
	})
}

// add puts a line into the answer if it fits into the budget, and says whether it did. The first one pays for the opening.
func (s *sheet) add(l memory.Suggestion, line string) bool {
	if l.Path != "" && l.Crystal == "" && s.never[l.Path] {
		return false
	}
	line = "- " + line + "\n"
	if s.text.Len() == 0 {
		line = s.opening + line
	}
	l.Tokens, l.Moment, l.Held = len(line)/ranking.BytesPerToken+1, s.moment, s.held
	if s.tokens+l.Tokens > s.budget || !keepsReceipt(l) || !ranking.Keeps(line) {
		return false
	}
	s.tokens += l.Tokens
	s.text.WriteString(line)
	s.lines = append(s.lines, l)
	return true
}

// keepsReceipt reports whether the line's receipt can be stored as it is.
func keepsReceipt(l memory.Suggestion) bool {
	text, err := json.Marshal(l)
	return err == nil && ranking.Keeps(string(text))
}

func (s *sheet) result() (out Shown, err error) {
	if len(s.lines) == 0 && len(s.ranked.Files) == 0 && s.ask == "" {
		return out, nil
	}
	text, err := json.Marshal(s.lines)
	first, failed := json.Marshal(s.ranked)
	if err = errors.Join(err, failed); err != nil {
		return out, fmt.Errorf("receipts: %w", err)
	}
	if !ranking.Keeps(string(text)) {
		return out, fmt.Errorf("receipts: together they look like a secret: %w", memory.ErrInvalid)
	}
	out.Lines = s.lines
	out.Receipt = receipt(s.to, s.tx.Now, string(text))
	out.Receipt.Input = s.ask
	if len(s.ranked.Files) > 0 && ranking.Keeps(string(first)) {
		out.Receipt.Input = string(first)
	}
	if !s.held {
		out.Text = s.text.String()
	}
	return out, nil
}

// receipt is the event that records what was shown at an event.
func receipt(to memory.Event, now time.Time, lines string) *memory.Event {
	return &memory.Event{
		ID: ReceiptID(to.ID), At: now, Kind: memory.Suggested,
		Origin: memory.OriginTool, Agent: to.Agent, AgentSession: to.AgentSession, Place: to.Place, Text: lines,
	}
}

// Quoted puts a text between quotation marks that nothing inside it can close.
func Quoted(text string) string { return prose.Quoted(text) }

// Quote is a memory as an agent reads it: who said it, when, and the words as data, such as: user, 3 Nov: “use tabs”.
func Quote(origin memory.Origin, at, now time.Time, text string) string {
	who := origin.Name() + ", " + brain.ShortDay(at, now)
	switch {
	case origin == memory.OriginRepo:
		who = origin.Name()
	case origin.Tier() > memory.OriginTool.Tier():
		who = "from " + who
	}
	return who + ": " + prose.Quoted(brain.AsData(text))
}
