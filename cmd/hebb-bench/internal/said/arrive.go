package said

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/replay"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// Arrived is how much of what was said arrives when a later prompt needs it.
type Arrived struct {
	Bench  string  `json:"bench"`
	From   string  `json:"from"`               // stated: all of it is in memory; heard: what hebb understood of the prompts themselves
	N      int     `json:"n"`                  // pairs
	Held   int     `json:"held"`               // statements in memory
	Start  float64 `json:"start" show:"%.3f"`  // share of pairs whose statement is shown at the start of a new session
	Prompt float64 `json:"prompt" show:"%.3f"` // or with the later prompt
	Either float64 `json:"either" show:"%.3f"`
	Lines  float64 `json:"lines" show:"%.2f"` // memory lines at a later prompt, mean
	// NeutralSilent is the share of neutral prompts without a memory line.
	NeutralSilent float64 `json:"neutral_silent" show:"%.3f"`
	// RevisedCurrent is the share of revised statements that are not shown as current once what
	// replaces them was said.
	RevisedCurrent float64 `json:"revised_current" show:"%.3f"`
}

// laterPair is a line of pairs.jsonl: something said, and a prompt weeks later that needs it.
type laterPair struct{ Repo, Kind, Said, Later, Revised string }

// neutral is a prompt on which memory should say nothing.
type neutral struct{ ID, Text string }

// Arrival is a folder with pairs, neutral prompts, and the labelled prompts in which the statements
// were typed.
type Arrival struct {
	pairs    []laterPair
	neutrals []neutral
	prompts  Prompts
}

// ReadArrival reads a folder.
func ReadArrival(folder fs.FS) (a Arrival, err error) {
	if a.pairs, err = readLines(folder, "pairs.jsonl", decode[laterPair]); err != nil {
		return a, err
	}
	if a.neutrals, err = readLines(folder, "neutral.jsonl", decode[neutral]); err != nil {
		return a, err
	}
	a.prompts, err = Read(folder, strict)
	return a, err
}

// Judge stores what was said in a memory for each repository and asks as agents do: a start, then
// the later prompt.
func (a Arrival) Judge(ctx context.Context) (rows []Arrived, err error) {
	var repositories []string
	revised := 0
	for _, p := range a.pairs {
		if !slices.Contains(repositories, p.Repo) {
			repositories = append(repositories, p.Repo)
		}
		revised += truth(p.Revised != "")
	}
	for _, from := range []string{"stated", "heard"} {
		row := Arrived{Bench: "arrive", From: from, N: len(a.pairs)}
		for _, repository := range repositories {
			if err := a.judge(ctx, repository, &row); err != nil {
				return nil, fmt.Errorf("%s: %w", repository, err)
			}
		}
		for _, sum := range []*float64{&row.Start, &row.Prompt, &row.Either, &row.Lines} {
			*sum /= float64(len(a.pairs))
		}
		row.NeutralSilent /= float64(max(1, len(a.neutrals)))
		row.RevisedCurrent /= float64(max(1, revised))
		rows = append(rows, row)
	}
	return rows, nil
}

// office is a memory under examination.
type office struct {
	*replay.Hebb
	now time.Time
}

func newOffice(ctx context.Context, repository string, now time.Time) (*office, error) {
	h, err := replay.NewHebb(ctx, tuning.Default())
	if err != nil {
		return nil, err
	}
	h.WordsEvery = 0
	h.Place.Root = filepath.Join(h.Place.Root, "work", repository)
	h.Place.Identity = h.Place.Root
	o := &office{Hebb: h, now: now}
	err = os.MkdirAll(h.Place.Root, 0o700)
	if err == nil {
		err = o.Observe(ctx, []memory.Event{o.event(memory.SessionStarted, "first", "")})
	}
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return o, nil
}

// keep keeps statements as `hebb remember` does, and notes which memory is which.
func (o *office) keep(ctx context.Context, said []stated, kept map[memory.CrystalID]string) error {
	for _, s := range said {
		o.later(time.Second)
		m, err := steward.Run(ctx, o.Brain, statements.Remember, statements.RememberInput{
			Scope: o.scope(), Text: s.text, Kind: memory.CrystalKind(cmp.Or(map[string]string{"later": "goal"}[s.kind], s.kind)),
		})
		if err != nil {
			return err
		}
		kept[m.ID] = s.text
	}
	return nil
}

func (o *office) scope() brain.Scope { return brain.Scope{Project: o.Place.Project().String()} }

func (o *office) later(d time.Duration) {
	o.now = o.now.Add(d)
	o.Until(o.now)
}

func (o *office) event(kind memory.EventKind, session, text string) memory.Event {
	o.later(time.Second)
	return memory.Event{
		ID: memory.DerivedEventID("arrive", session, string(kind), o.now.String()), At: o.now, Kind: kind,
		Origin: memory.OriginUser, Agent: agent.ClaudeCode, AgentSession: session, Place: o.Place, Text: text,
	}
}

// judge adds what arrives in one repository.
func (a Arrival) judge(ctx context.Context, repository string, row *Arrived) (err error) {
	o, err := newOffice(ctx, repository, time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	if row.From == "heard" {
		err = a.hear(ctx, o, repository)
	} else {
		err = a.state(ctx, o, repository, func(p laterPair) string { return p.Said })
	}
	if err != nil {
		return err
	}
	o.later(21 * 24 * time.Hour)
	if err := a.ask(ctx, o, repository, row); err != nil {
		return err
	}
	if err := a.state(ctx, o, repository, func(p laterPair) string { return p.Revised }); err != nil {
		return err
	}
	return a.askRevised(ctx, o, repository, row)
}

// state keeps what the pairs of a repository say.
func (a Arrival) state(ctx context.Context, o *office, repository string, text func(laterPair) string) error {
	var said []stated
	for _, p := range a.pairs {
		if p.Repo == repository && text(p) != "" {
			said = append(said, stated{kind: p.Kind, text: text(p)})
		}
	}
	return o.keep(ctx, said, map[memory.CrystalID]string{})
}

// hear reports the prompts of a repository's sessions, a quarter of an hour apart.
func (a Arrival) hear(ctx context.Context, o *office, repository string) error {
	for i, p := range a.prompts {
		if !strings.HasPrefix(p.ID, repository+":") {
			continue
		}
		o.later(15 * time.Minute)
		events := []memory.Event{o.event(memory.Prompted, p.session, p.Text)}
		if i+1 == len(a.prompts) || a.prompts[i+1].session != p.session {
			events = append(events, o.event(memory.SessionEnded, p.session, ""))
		}
		if err := o.Observe(ctx, events); err != nil {
			return err
		}
	}
	return nil
}

// ask begins a session for each pair and for each neutral prompt. Answers write nothing, so each
// finds the same memory.
func (a Arrival) ask(ctx context.Context, o *office, repository string, row *Arrived) error {
	kept, err := steward.Run(ctx, o.Brain, statements.Memories, statements.MemoriesInput{Scope: o.scope(), Said: true})
	if err != nil {
		return err
	}
	row.Held += len(kept)
	for i, p := range a.pairs {
		if p.Repo != repository {
			continue
		}
		atStart, atPrompt, err := o.session(ctx, fmt.Sprint("pair-", i), p.Later)
		if err != nil {
			return err
		}
		start, prompted := shows(atStart.Text, p.Said), shows(atPrompt.Text, p.Said)
		row.Start += float64(truth(start))
		row.Prompt += float64(truth(prompted))
		row.Either += float64(truth(start || prompted))
		row.Lines += float64(memoryLines(atPrompt))
	}
	for i, n := range a.neutrals {
		if !strings.HasPrefix(n.ID, repository+":") {
			continue
		}
		_, atPrompt, err := o.session(ctx, fmt.Sprint("neutral-", i), n.Text)
		if err != nil {
			return err
		}
		row.NeutralSilent += float64(truth(memoryLines(atPrompt) == 0))
	}
	return nil
}

// askRevised asks again where what was said has been replaced.
func (a Arrival) askRevised(ctx context.Context, o *office, repository string, row *Arrived) error {
	for i, p := range a.pairs {
		if p.Repo != repository || p.Revised == "" {
			continue
		}
		atStart, atPrompt, err := o.session(ctx, fmt.Sprint("revised-", i), p.Later)
		if err != nil {
			return err
		}
		row.RevisedCurrent += float64(truth(!shows(atStart.Text, p.Said) && !shows(atPrompt.Text, p.Said)))
	}
	return nil
}

// session is a new session: its start, and a prompt.
func (o *office) session(ctx context.Context, name, text string) (atStart, atPrompt answer.Shown, err error) {
	begins := o.event(memory.SessionStarted, name, "")
	begins.Input = "startup"
	if atStart, err = steward.Run(ctx, o.Brain, answer.Moment, begins); err != nil {
		return atStart, atPrompt, err
	}
	atPrompt, err = steward.Run(ctx, o.Brain, answer.Moment, o.event(memory.Prompted, name, text))
	return atStart, atPrompt, err
}

func memoryLines(s answer.Shown) (n int) {
	for _, l := range s.Lines {
		n += truth(l.Offer == memory.OfferMemory)
	}
	return n
}

// shows reports whether a line of a text has the words of a statement: four of five, as long ones
// are cut; or, where another cut of the same prompt was heard, half of them in the same order.
func shows(text, said string) bool {
	wanted := vocab.TextWords(said)
	for line := range strings.Lines(text) {
		line, has := strings.Trim(line, "- \n"), 0
		words := vocab.TextWords(line)
		for _, w := range wanted {
			has += truth(slices.Contains(words, w))
		}
		if 5*has >= 4*len(wanted) {
			return true
		}
		if _, quoted, ok := strings.Cut(line, "“"); ok && holds(strings.TrimRight(strings.TrimSuffix(quoted, "”"), " .…"), said) {
			return true
		}
	}
	return false
}

// holds reports whether a text and a quote have half of the shorter one in common, one of them
// inside the other.
func holds(text, quote string) bool {
	text, quote = strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(quote), " ")
	return strings.Contains(text, quote) || strings.Contains(quote, text) && 2*len(text) >= len(quote)
}
