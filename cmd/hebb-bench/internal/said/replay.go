package said

import (
	"cmp"
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/dreams"
	"github.com/hebb-memory/hebb/internal/hook"
	"github.com/hebb-memory/hebb/internal/listen"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/replay"
	"github.com/hebb-memory/hebb/internal/scribe"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Replayed is what is left in memory of the sessions of one developer.
type Replayed struct {
	Bench    string  `json:"bench"`
	Model    string  `json:"model"` // builtin, or trained on everybody else's prompts
	Sessions int     `json:"sessions"`
	Prompts  int     `json:"prompts"`
	Memories int     `json:"memories"` // current, heard in prompts
	Labelled int     `json:"labelled"` // statements with a worth of 3
	Held     int     `json:"held"`     // of these that memory holds, as current or as history
	Share    float64 `json:"share" show:"%.3f"`
	Whole    int     `json:"whole"` // of those held, that are shown with all of their words
	Shown    int     `json:"shown"` // statements at a start after the last session
	State    string  `json:"-"`     // MEMORY.md
	Start    string  `json:"-"`     // what a session is shown after the last one
}

// developer has what readers answered who played the scribe: {session, answer}. They saw the
// question and nothing else.
//
//go:embed scribe/developer.jsonl
var developer embed.FS

// Replay sends the sessions of the developer who has most of them through the hook, each at its own
// time, and drains after every session as the hook's background process does. folder holds
// X.sessions.jsonl.gz. Model is builtin, others (trained without that developer's prompts), or
// scribe: others, and each session is read by the scribe that readers played.
func Replay(ctx context.Context, prompts Prompts, folder, model string) (out Replayed, err error) {
	out.Bench, out.Model = "said replay", model
	given, err := readAnswers()
	if err != nil {
		return out, err
	}
	sessions, err := mostSessions(folder)
	if err != nil {
		return out, err
	}
	theirs := map[string]bool{}
	for _, s := range sessions {
		theirs[s.ID] = true
	}
	ofOthers := func(p *prompt) bool { return !theirs[p.session[strings.LastIndexByte(p.session, ':')+1:]] }
	if model != "builtin" {
		m, err := Person.Train(ctx, filter(prompts, ofOthers))
		if err != nil {
			return out, err
		}
		defer listen.Use(listen.Use(m))
	}
	h, err := replay.NewHebb(ctx, tuning.Default())
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	data := h.Brain.Config.Dir
	h.Place.Root = filepath.Join(data, "work", path.Base(sessions[0].Repo)) // gives the project its name
	h.Place.Identity = h.Place.Root
	if err := os.MkdirAll(h.Place.Root, 0o700); err != nil {
		return out, err
	}
	for _, s := range sessions {
		out.Sessions++
		out.Prompts += len(s.Prompts)
		err := live(ctx, h, data, s)
		if err == nil && model == "scribe" {
			_, err = scribe.ReadSessions(ctx, h.Brain, h.Place.Project(), func(context.Context, memory.Agent, string) (string, error) {
				return cmp.Or(given[s.ID], "{}"), nil
			})
		}
		if err != nil {
			return out, fmt.Errorf("session %s: %w", s.ID, err)
		}
	}
	scope := brain.Scope{Project: h.Place.Project().String()}
	if _, err := steward.Run(ctx, h.Brain, dreams.Dream, dreams.DreamInput{Scope: scope, Force: true}); err != nil {
		return out, err
	}
	if err := out.count(ctx, h.Brain, prompts, ofOthers); err != nil {
		return out, err
	}
	start, failed := steward.Run(ctx, h.Brain, answer.StartContext, answer.ContextInput{Scope: scope, Asked: true})
	out.Start, out.Shown = start.Text, strings.Count(start.Text, "\n- user, ")
	out.State, err = memoryFile(h, data)
	return out, errors.Join(err, failed)
}

// count compares what memory holds with the labels of all prompts but those of others.
func (r *Replayed) count(ctx context.Context, b *brain.Brain, prompts Prompts, ofOthers func(*prompt) bool) error {
	kept, err := brain.View(ctx, b, func(tx *store.Tx) ([]store.Kept, error) { return tx.Crystals(ctx, store.CrystalFilter{}) })
	for _, c := range kept {
		if c.Heard > 0 && c.ValidTo.IsZero() {
			r.Memories++
		}
	}
	for _, p := range prompts {
		for _, q := range p.keep {
			if q.Worth < 3 || ofOthers(p) {
				continue
			}
			holding := slices.DeleteFunc(slices.Clone(kept), func(c store.Kept) bool { return !holds(c.Text, q.Quote) })
			r.Labelled++
			r.Held += truth(len(holding) > 0)
			r.Whole += truth(slices.ContainsFunc(holding, func(c store.Kept) bool { return whole(c.Crystal, q.Quote) }))
		}
	}
	r.Share = portion(r.Held, r.Labelled)
	return err
}

// readAnswers reads what readers answered about sessions, by the session.
func readAnswers() (map[string]string, error) {
	type answer struct {
		Session string          `json:"session"`
		Answer  json.RawMessage `json:"answer"`
	}
	list, err := readLines(developer, "scribe/developer.jsonl", decode[answer])
	given := map[string]string{}
	for _, a := range list {
		given[a.Session] = string(a.Answer)
	}
	return given, err
}

// whole reports whether nearly all words of a quote stand in what is shown of a statement. Words
// such as "ok, so" are not shown.
func whole(c memory.Crystal, quote string) bool {
	shown, all := brain.PlainWords(dream.Statement{Crystal: c}.Words()), brain.PlainWords(quote)
	there := 0
	for _, w := range all {
		if slices.Contains(shown, w) {
			there++
		}
	}
	return 10*there >= 9*len(all) || there >= len(all)-2
}

// mostSessions are the sessions of the developer who has most, in the order of time.
func mostSessions(folder string) ([]evaluate.AgentSession, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.sessions.jsonl.gz"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(err, fmt.Errorf("no X.sessions.jsonl.gz in %s", folder))
	}
	var all []evaluate.AgentSession
	for _, file := range files {
		for s, err := range evaluate.ReadSessions(file) {
			if err != nil {
				return nil, err
			}
			all = append(all, s)
		}
	}
	return evaluate.Busiest(all), nil
}

// holds reports whether a text and a quote have half of the shorter one in common, one of them
// inside the other.
func holds(text, quote string) bool {
	text, quote = strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(quote), " ")
	return strings.Contains(text, quote) || strings.Contains(quote, text) && 2*len(text) >= len(quote)
}

// live reports a session as the hooks of Claude Code do.
func live(ctx context.Context, h *replay.Hebb, data string, s evaluate.AgentSession) error {
	c := config.Config{Dir: data, Tuning: tuning.Default()}
	for _, one := range evaluate.HookCalls(s, h.Place.Root) {
		h.Until(one.At)
		one.Payload["session_id"], one.Payload["cwd"] = s.ID, h.Place.Root
		text, err := json.Marshal(one.Payload)
		if err != nil {
			return err
		}
		run := hook.Hook{
			Agent: agent.ClaudeCode, Tuning: c.Tuning, Getenv: func(string) string { return "" }, Entropy: rand.Reader,
			Now: func() time.Time { return one.At }, Spool: spool.Spool{Dir: c.Spool(), Limits: c.Tuning.Spool},
		}
		if err := run.Run(strings.NewReader(string(text))); err != nil {
			return err
		}
	}
	h.Until(s.End().Add(time.Second))
	_, err := steward.Run(ctx, h.Brain, steward.Drain, steward.DrainInput{Wait: true, Sleep: true})
	return err
}

// memoryFile is MEMORY.md as people find it.
func memoryFile(h *replay.Hebb, data string) (string, error) {
	folder := filepath.Join(config.Config{Dir: data}.Vault(), "projects", filepath.Base(h.Place.Root))
	file, err := os.ReadFile(filepath.Join(folder, "MEMORY.md"))
	return string(file), err
}
