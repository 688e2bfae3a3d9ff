package evaluate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/transfer"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// TextScaleInput says how large memories of texts are to be.
type TextScaleInput struct {
	Program  string // the hebb whose cold start is measured
	Sizes    []int  // crystals
	Alike    int    // notes that hardly differ
	Runs     int    // questions per row
	Tuning   tuning.Tuning
	Clock    Clock
	Progress func(done, total int) // crystals
}

// TextScaleRow is one measure on a memory of so many texts.
type TextScaleRow struct {
	Bench string  `json:"bench"`
	Case  string  `json:"case"` // ingest, question, process, remember, alike
	Texts int     `json:"texts"`
	N     int     `json:"n"`
	Rate  float64 `json:"per_s,omitempty"`
	P50   float64 `json:"p50_ms,omitempty"`
	P95   float64 `json:"p95_ms,omitempty"`
	Found int     `json:"found,omitempty"` // in the first place
	Bytes int64   `json:"bytes,omitempty"`
}

// TextScale measures how fast texts are imported and found in memories of growing size, and whether notes that hardly
// differ are all kept and found again.
func TextScale(ctx context.Context, in TextScaleInput) (rows []TextScaleRow, err error) {
	total, done := in.Alike, 0
	for _, n := range in.Sizes {
		total += n
	}
	step := func(n int) {
		if done += n; in.Progress != nil {
			in.Progress(done, total)
		}
	}
	for _, n := range in.Sizes {
		more, err := in.size(ctx, n, step)
		if err != nil {
			return rows, err
		}
		rows = append(rows, more...)
	}
	if in.Alike > 0 {
		more, err := in.alike(ctx, step)
		return append(rows, more...), err
	}
	return rows, nil
}

// opened is a memory in a folder of its own.
func (in TextScaleInput) opened(ctx context.Context, run func(c config.Config, place memory.Place, b *brain.Brain) error) (err error) {
	dir, err := os.MkdirTemp("", "hebb-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c := config.Config{Dir: filepath.Join(dir, "memory"), Tuning: in.Tuning}
	folder := filepath.Join(dir, "project")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	place, err := project.Resolve(folder)
	if err != nil {
		return err
	}
	place = place.Settled()
	b, err := brain.Open(ctx, c.Serving(), in.Clock) // as `hebb mcp` answers
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return run(c, place, b)
}

func (in TextScaleInput) size(ctx context.Context, n int, step func(int)) (rows []TextScaleRow, err error) {
	err = in.opened(ctx, func(c config.Config, place memory.Place, b *brain.Brain) error {
		w := newWriter(in.Clock())
		const atOnce = 5000 // one transaction each, as a large import would be
		start := in.Clock()
		for sent := 0; sent < n; sent += atOnce {
			file, err := w.export(place, min(atOnce, n-sent))
			if err != nil {
				return err
			}
			if _, err := transfer.Import(ctx, b, transfer.ImportInput{From: bytes.NewReader(file)}); err != nil {
				return err
			}
			step(min(atOnce, n-sent))
		}
		rows = append(rows, TextScaleRow{Case: "ingest", Texts: n, N: n, Rate: math.Round(float64(n) / in.Clock().Sub(start).Seconds()), Bytes: folderBytes(c.Dir)})
		row, err := in.questions(ctx, b, place, w, n)
		if err != nil {
			return err
		}
		rows = append(rows, row)
		p := process{
			args:  []string{in.Program, "search", w.question()},
			env:   []string{config.EnvHome + "=" + c.Dir, config.EnvBackground + "=0", "PWD=" + place.Root},
			input: func() string { return "" },
		}
		p.args = append(p.args, "--all")
		sorted, _, err := p.times(ctx, in.Clock, max(in.Runs/10, 5), 1)
		if err != nil {
			return err
		}
		rows = append(rows, TextScaleRow{
			Case: "process", Texts: n, N: len(sorted), P50: milliseconds(percentile(sorted, 0.50)), P95: milliseconds(percentile(sorted, 0.95)),
		})
		return nil
	})
	for i := range rows {
		rows[i].Bench = "text scale"
	}
	return rows, err
}

// questions asks for some words of a note each, after one question that reads what later ones need.
func (in TextScaleInput) questions(ctx context.Context, b *brain.Brain, place memory.Place, w *writer, n int) (TextScaleRow, error) {
	scope := brain.Scope{Project: place.Project().String()}
	var took []time.Duration
	for i := range in.Runs + 2 {
		start := in.Clock()
		if _, err := steward.Run(ctx, b, answer.SearchTexts, texts.SearchInput{Scope: scope, Query: w.question(), Limit: shownFor}); err != nil {
			return TextScaleRow{}, err
		}
		if i >= 2 {
			took = append(took, in.Clock().Sub(start))
		}
	}
	slices.Sort(took)
	return TextScaleRow{Case: "question", Texts: n, N: len(took), P50: milliseconds(percentile(took, 0.50)), P95: milliseconds(percentile(took, 0.95))}, nil
}

// alike remembers notes that differ in one word, one by one, and looks for each.
func (in TextScaleInput) alike(ctx context.Context, step func(int)) (rows []TextScaleRow, err error) {
	err = in.opened(ctx, func(_ config.Config, place memory.Place, b *brain.Brain) error {
		note := func(i int) string {
			return fmt.Sprintf("The %s service keeps its sessions in the shared cache, and the platform team deploys it on Fridays", made(i))
		}
		start := in.Clock()
		ids := make([]memory.CrystalID, in.Alike)
		for i := range in.Alike {
			kept, err := steward.Run(ctx, b, statements.Remember, statements.RememberInput{Scope: brain.Scope{Dir: place.Root}, Text: note(i)})
			if err != nil {
				return err
			}
			ids[i] = kept.ID
			step(1)
		}
		rate := math.Round(float64(in.Alike) / in.Clock().Sub(start).Seconds())
		rows = append(rows, TextScaleRow{Bench: "text scale", Case: "remember", Texts: in.Alike, N: in.Alike, Rate: rate})
		row := TextScaleRow{Bench: "text scale", Case: "alike", Texts: in.Alike, N: in.Alike}
		var took []time.Duration
		for i, id := range ids {
			start := in.Clock()
			out, err := steward.Run(ctx, b, answer.SearchTexts, texts.SearchInput{Scope: brain.Scope{Dir: place.Root}, Query: note(i), Limit: shownFor})
			if err != nil {
				return err
			}
			took = append(took, in.Clock().Sub(start))
			if len(out.Found) > 0 && out.Found[0].Ref == string(id) {
				row.Found++
			}
		}
		slices.Sort(took)
		row.P50, row.P95 = milliseconds(percentile(took, 0.50)), milliseconds(percentile(took, 0.95))
		rows = append(rows, row)
		return nil
	})
	return rows, err
}

// made is a word that nobody has written before: syllables, one for each digit.
func made(i int) string {
	syllables := []string{"ba", "ke", "lo", "mi", "nu", "pa", "re", "so", "ti", "vu", "ga", "de", "fo", "hi", "ju", "za"}
	var b strings.Builder
	for i += len(syllables); i > 0; i /= len(syllables) {
		b.WriteString(syllables[i%len(syllables)])
	}
	return b.String() + "x"
}

// writer writes notes whose words are as common as words are: the n-th most common is met about 1/n as often as the first.
type writer struct {
	random *rand.Rand
	zipf   *rand.Zipf
	now    time.Time
	sent   int
	last   []string
}

func newWriter(now time.Time) *writer {
	random := rand.New(rand.NewPCG(3, 14))
	const words = 40_000
	return &writer{random: random, zipf: rand.NewZipf(random, 1.05, 20, words), now: now}
}

func (w *writer) note() string {
	words := make([]string, 8+w.random.IntN(17))
	for i := range words {
		words[i] = made(int(w.zipf.Uint64())) //nolint:gosec // a few thousand
		if i%3 == 0 {
			words[i] = largeWords[w.random.IntN(len(largeWords))] // words that mean something
		}
	}
	if w.random.IntN(50) == 0 || w.last == nil {
		w.last = words
	}
	return strings.Join(words, " ")
}

// question is some words of a note.
func (w *writer) question() string {
	w.note()
	words := slices.Clone(w.last)
	w.random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	w.last = nil
	return strings.Join(words[:5], " ")
}

// export is a file that import takes.
func (w *writer) export(place memory.Place, n int) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	id := place.Project()
	p := memory.Project{ID: id, Identity: place.Identity, Root: place.Root, Name: "bench", FirstAt: w.now, LastAt: w.now}
	lines := []any{map[string]any{"type": "hebb-export", "version": 1}, map[string]any{"type": "project", "project": p}}
	for range n {
		w.sent++
		at := w.now.Add(-time.Duration(w.sent) * time.Minute)
		lines = append(lines, map[string]any{"type": "crystal", "crystal": memory.Crystal{
			ID: memory.CrystalID(memory.DerivedEventID("bench", fmt.Sprint(w.sent))), Project: id, Kind: memory.Fact, Text: w.note(),
			Importance: 0.5, Lifecycle: memory.Generated, Origin: memory.OriginUser, SaidAt: at, LastAt: at,
		}})
	}
	for _, l := range lines {
		if err := e.Encode(l); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}
