package said

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/replay"
	"github.com/hebb-memory/hebb/internal/scribe"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// ScribeRow is what memory keeps of real sessions that a scribe has read.
type ScribeRow struct {
	Bench     string  `json:"bench"`
	Sessions  string  `json:"sessions"` // which
	Prompts   int     `json:"prompts"`
	Precision float64 `json:"precision"`
	Recall3   float64 `json:"recall3"`
	Right     int     `json:"right"`
	Wrong     int     `json:"wrong"`
	Marginal  int     `json:"marginal"` // labelled as marginal: counted neither way
}

// answers has what readers answered who played the model: {session, answer}. They saw the question and nothing else.
//
//go:embed scribe
var answers embed.FS

// labelled is a prompt with the labels of a strict reader.
type labelled struct {
	ID     string  `json:"id"`
	Text   string  `json:"text"`
	Before string  `json:"before"` // the end of the agent's message before it
	Keep   []quote `json:"keep"`
	Typed  bool    `json:"typed"`
}

const (
	fromPeople, fromSaid = 40, 24 // sessions of each draw
	promptsLeast         = 4
	promptsMost          = 40
)

// The wording of the question was tried on the first two draws; nothing was changed after the third was read.
var draws = []string{"tried", "tried again", "unseen"}

// Scribe lets memory keep what the readers answered, with default settings, and compares that with the strict labels. With a folder it writes the
// questions there instead.
func Scribe(ctx context.Context, bench fs.FS, questions string) (rows []ScribeRow, err error) {
	given, err := readAnswers("scribe/answers.jsonl")
	if err != nil {
		return nil, err
	}
	for i, name := range draws {
		row := ScribeRow{Bench: "scribe", Sessions: name}
		sessions, err := drawn(bench, i)
		if err != nil {
			return nil, err
		}
		found, all := 0, 0
		for k, s := range sessions {
			kept, err := readOne(ctx, s, func(question string) (string, error) {
				if questions != "" {
					return "{}", os.WriteFile(filepath.Join(questions, fmt.Sprintf("%s-%02d.txt", name, k)), []byte(question), 0o600)
				}
				return given[s[0].session()], nil
			})
			if err != nil {
				return nil, fmt.Errorf("session %s: %w", s[0].session(), err)
			}
			row.Prompts += len(s)
			for p, texts := range kept {
				for _, text := range texts {
					switch worth := s[p].worth(text); {
					case worth >= 2:
						row.Right++
					case worth == 1:
						row.Marginal++
					default:
						row.Wrong++
					}
				}
			}
			for p := range s {
				for _, q := range s[p].Keep {
					if q.Worth == 3 {
						all++
						if slices.ContainsFunc(kept[p], func(text string) bool { return overlap(text, q.Quote) }) {
							found++
						}
					}
				}
			}
		}
		row.Precision, row.Recall3 = portion(row.Right, row.Right+row.Wrong), portion(found, all)
		rows = append(rows, row)
	}
	return rows, nil
}

// readAnswers reads what readers answered about sessions, by the session.
func readAnswers(file string) (map[string]string, error) {
	type answer struct {
		Session string          `json:"session"`
		Answer  json.RawMessage `json:"answer"`
	}
	list, err := readLines(answers, file, func(line []byte) (a answer, err error) { return a, json.Unmarshal(line, &a) })
	given := map[string]string{}
	for _, a := range list {
		given[a.Session] = string(a.Answer)
	}
	return given, err
}

// drawn are the sessions of a draw from the prompts in people/ and said/, by their names and not by what is in them. The prompts of one person in
// people/ count as one session.
func drawn(bench fs.FS, draw int) (sessions [][]labelled, err error) {
	decode := func(line []byte) (p labelled, err error) { return p, json.Unmarshal(line, &p) }
	for _, set := range []struct {
		prompts, labels string
		each            int
	}{{"people/prompts.jsonl", "people/labels.jsonl", fromPeople}, {"said/prompts.jsonl", "said/written.jsonl", fromSaid}} {
		prompts, err1 := readLines(bench, set.prompts, decode)
		labels, err2 := readLines(bench, set.labels, decode)
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		read := map[string]labelled{}
		for _, l := range labels {
			read[l.ID] = l
		}
		byName := map[string][]labelled{}
		for _, p := range prompts {
			p.Keep, p.Typed = read[p.ID].Keep, read[p.ID].Typed
			if s := p.session(); len(byName[s]) < promptsMost {
				byName[s] = append(byName[s], p)
			}
		}
		var names []string
		for name, list := range byName {
			if len(list) >= promptsLeast {
				names = append(names, name)
			}
		}
		lot := func(name string) string { sum := sha256.Sum256([]byte(name)); return string(sum[:]) }
		slices.SortFunc(names, func(a, b string) int { return cmp.Compare(lot(a), lot(b)) })
		from := min(draw*set.each, len(names))
		for _, name := range names[from:min(from+set.each, len(names))] {
			sessions = append(sessions, byName[name])
		}
	}
	return sessions, nil
}

func (p labelled) session() string { return p.ID[:strings.LastIndexByte(p.ID, ':')] }

// worth is that of the best label of a prompt that a kept text overlaps.
func (p labelled) worth(text string) (most int) {
	for _, q := range p.Keep {
		if p.Typed && overlap(text, q.Quote) {
			most = max(most, q.Worth)
		}
	}
	return most
}

// overlap reports whether half of the shorter of two texts stands in the other, in one piece.
func overlap(a, b string) bool {
	x, y := []rune(strings.ToLower(strings.Join(strings.Fields(a), " "))), []rune(strings.ToLower(strings.Join(strings.Fields(b), " ")))
	longest, row := 0, make([]int, len(y)+1) // row[k+1]: common letters that end at x[i] and y[k]
	for i := range x {
		for k := len(y) - 1; k >= 0; k-- {
			row[k+1] = 0
			if x[i] == y[k] {
				row[k+1] = row[k] + 1
			}
			longest = max(longest, row[k+1])
		}
		row[0] = 0
	}
	return longest > 0 && 2*longest >= min(len(x), len(y))
}

// readOne records a session, lets it be read, and returns what memory shows as the person's word, by the prompt in which it was said.
func readOne(ctx context.Context, prompts []labelled, ask func(question string) (string, error)) (kept map[int][]string, err error) {
	h, err := replay.NewHebb(ctx, tuning.Default())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	start := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	var events []memory.Event
	add := func(kind memory.EventKind, origin memory.Origin, text string) memory.EventID {
		at := start.Add(time.Duration(len(events)) * time.Minute)
		id := memory.DerivedEventID("scribe", fmt.Sprint(len(events)))
		events = append(events, memory.Event{
			ID: id, At: at, Kind: kind, Origin: origin, Agent: agent.ClaudeCode, AgentSession: "one", Place: h.Place, Text: text,
		})
		return id
	}
	of := map[string]int{}
	for i, p := range prompts {
		if p.Before != "" {
			add(memory.TurnEnded, memory.OriginAgent, p.Before)
		}
		of[statements.PromptSource+string(add(memory.Prompted, memory.OriginUser, p.Text))] = i
	}
	add(memory.SessionEnded, memory.OriginTool, "")
	h.Until(events[len(events)-1].At.Add(time.Minute))
	if _, err := steward.Run(ctx, h.Brain, steward.Observe, events); err != nil {
		return nil, err
	}
	_, err = scribe.ReadSessions(ctx, h.Brain, h.Place.Project(), func(_ context.Context, _ memory.Agent, question string) (string, error) { return ask(question) })
	if err != nil {
		return nil, err
	}
	kept = map[int][]string{}
	return kept, h.Brain.Store.View(ctx, func(tx *store.Tx) error {
		list, err := tx.Crystals(ctx, store.CrystalFilter{Heard: true, Current: true, Living: true, Origin: memory.OriginUser})
		for _, c := range list {
			if i, ok := of[c.Source]; ok {
				kept[i] = append(kept[i], c.Text)
			}
			traces, failed := tx.Traces(ctx, c.ID)
			err = errors.Join(err, failed)
			for _, t := range traces { // said again in another prompt
				if i, ok := of[t.Detail]; ok && t.Detail != c.Source {
					kept[i] = append(kept[i], c.Text)
				}
			}
		}
		return err
	})
}
