package said

import (
	"cmp"
	"context"
	"crypto/rand"
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
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/dreams"
	"github.com/hebb-memory/hebb/internal/hook"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/replay"
	"github.com/hebb-memory/hebb/internal/scribe"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Replayed is what is left in memory of the sessions of one developer.
type Replayed struct {
	Bench     string  `json:"bench"`
	Model     string  `json:"model"` // builtin, or trained on everybody else's prompts
	Sessions  int     `json:"sessions"`
	Prompts   int     `json:"prompts"`
	Memories  int     `json:"memories"` // current, heard in prompts
	Labelled  int     `json:"labelled"` // statements with a worth of 3
	Held      int     `json:"held"`     // of these that memory holds, as current or as history
	Share     float64 `json:"share"`
	Whole     int     `json:"whole"`        // of those held, that are shown with all of their words
	Shown     int     `json:"shown"`        // statements at a start after the last session
	Listening float64 `json:"listening_ms"` // what listening adds to the import of a prompt, mean
	State     string  `json:"-"`            // MEMORY.md
	Start     string  `json:"-"`            // what a session is shown after the last one
}

// Replay sends the sessions of the developer who has most of them through the hook, each at its own time, and drains after every
// session as the hook's background process does. folder holds X.sessions.jsonl.gz. Model is builtin, others (trained without that developer's
// prompts), or scribe: others, and each session is read by a scribe whose answers are in scribe/developer.jsonl. With a folder for questions
// these are written there, and the scribe finds nothing.
func Replay(ctx context.Context, prompts Prompts, folder, model, questions string) (out Replayed, err error) {
	out.Bench, out.Model = "said replay", model
	given, err := readAnswers("scribe/developer.jsonl")
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
	ofDeveloper := func(p *prompt) bool { return theirs[p.session[strings.LastIndexByte(p.session, ':')+1:]] }
	if model != "builtin" {
		m, err := Person.Train(ctx, slices.DeleteFunc(slices.Clone(prompts), ofDeveloper))
		if err != nil {
			return out, err
		}
		defer statements.Use(statements.Use(m))
	}
	h, err := replay.NewHebb(ctx, tuning.Default())
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	var listening time.Duration
	record.Follow(record.Followers{ // as package steward does, with a clock
		Recorded: func(ctx context.Context, b *brain.Brain, tx *store.Tx, e memory.StoredEvent) error {
			err := desk.FeelEvent(ctx, b, tx, e)
			start := time.Now()
			err = errors.Join(err, statements.Listen(ctx, b, tx, e))
			listening += time.Since(start)
			return err
		},
		Closed: texts.IndexWindows,
	})
	data := h.Brain.Config.Dir
	h.Place.Root = filepath.Join(data, "work", path.Base(sessions[0].Repo)) // gives the project its name
	h.Place.Identity = h.Place.Root
	if err := os.MkdirAll(h.Place.Root, 0o700); err != nil {
		return out, err
	}
	for _, s := range sessions {
		out.Sessions++
		out.Prompts += len(s.Prompts)
		if err := live(ctx, h, data, s); err != nil {
			return out, fmt.Errorf("session %s: %w", s.ID, err)
		}
		if model != "scribe" {
			continue
		}
		_, err := scribe.ReadSessions(ctx, h.Brain, h.Place.Project(), func(_ context.Context, _ memory.Agent, question string) (string, error) {
			if questions != "" {
				return "{}", os.WriteFile(filepath.Join(questions, s.ID+".txt"), []byte(question), 0o600)
			}
			return cmp.Or(given[s.ID], "{}"), nil
		})
		if err != nil {
			return out, fmt.Errorf("session %s: %w", s.ID, err)
		}
	}
	if _, err := steward.Run(ctx, h.Brain, dreams.Dream, dreams.DreamInput{Scope: brain.Scope{Project: h.Place.Project().String()}, Force: true}); err != nil {
		return out, err
	}
	var kept []memory.Crystal
	var project memory.ProjectID
	err = h.Brain.Store.View(ctx, func(tx *store.Tx) error {
		all, err := tx.Crystals(ctx, store.CrystalFilter{})
		for _, c := range all {
			kept, project = append(kept, c.Crystal), c.Project
			if c.Heard > 0 && c.ValidTo.IsZero() {
				out.Memories++
			}
		}
		return err
	})
	if err != nil {
		return out, err
	}
	for _, p := range prompts {
		if !ofDeveloper(p) {
			continue
		}
		for _, q := range p.keep {
			if q.Worth < 3 {
				continue
			}
			out.Labelled++
			if slices.ContainsFunc(kept, func(c memory.Crystal) bool { return holds(c.Text, q.Quote) }) {
				out.Held++
			}
			if slices.ContainsFunc(kept, func(c memory.Crystal) bool { return holds(c.Text, q.Quote) && whole(c, q.Quote) }) {
				out.Whole++
			}
		}
	}
	out.Share = float64(out.Held) / float64(max(out.Labelled, 1))
	out.Listening = listening.Seconds() * 1000 / float64(max(out.Prompts, 1))
	start, failed := answer.StartContext.Run(ctx, h.Brain, answer.ContextInput{Scope: brain.Scope{Project: project.String()}, Asked: true})
	out.Start, out.Shown = start.Text, strings.Count(start.Text, "\n- user, ")
	out.State, err = memoryFile(h, data)
	return out, errors.Join(err, failed)
}

// whole reports whether nearly all words of a quote stand in what is shown of a statement. Words such as "ok, so" are not shown.
func whole(c memory.Crystal, quote string) bool {
	shown, all, there := brain.PlainWords(dream.Statement{Crystal: c}.Words()), brain.PlainWords(quote), 0
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

// holds reports whether a text and a quote have half of the shorter one in common, one of them inside the other.
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
			Agent: agent.ClaudeCode, Tuning: c.Tuning, Getenv: func(string) string { return "" }, Now: func() time.Time { return one.At }, Entropy: rand.Reader,
			Spool: spool.Spool{Dir: c.Spool(), Limits: c.Tuning.Spool},
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
	file, err := os.ReadFile(filepath.Join(config.Config{Dir: data}.Vault(), "projects", filepath.Base(h.Place.Root), "MEMORY.md"))
	return string(file), err
}
