package said

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/replay"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// SearchRow is how often a search finds what was said, in percent.
type SearchRow struct {
	Bench     string  `json:"bench"`
	Beside    string  `json:"beside"`    // nothing, or the code, documents and commits of a repository
	Question  string  `json:"question"`  // told: what was said, in other words; later: a prompt weeks later that runs into it
	Memories  int     `json:"memories"`  // of the largest memory asked
	Documents int64   `json:"documents"` // all texts of that memory
	Snippets  int     `json:"snippets"`  // of these, functions and types
	N         int     `json:"n"`
	Hit1      float64 `json:"hit1"`
	Hit3      float64 `json:"hit3"`
	P50       float64 `json:"p50_ms" show:"%.2f"`
}

// asked is a line of pairs.jsonl.
type asked struct{ Repo, Kind, Said, Later, Told string }

// Search keeps what the pairs of each repository say in a memory of its own, once with nothing else
// and once beside all that hebb init learns of the repository in dir, and asks for each in other
// words. It reads dir and writes nothing there.
func Search(ctx context.Context, folder fs.FS, dir string) ([]SearchRow, error) {
	pairs, err := readLines(folder, "pairs.jsonl", decode[asked])
	if err != nil {
		return nil, err
	}
	of := map[string][]asked{}
	var repositories []string
	for _, p := range pairs {
		if of[p.Repo] == nil {
			repositories = append(repositories, p.Repo)
		}
		of[p.Repo] = append(of[p.Repo], p)
	}
	var rows []SearchRow
	for _, beside := range []string{"nothing", "repository"} {
		told, later := SearchRow{Bench: "search", Beside: beside, Question: "told"}, SearchRow{Bench: "search", Beside: beside, Question: "later"}
		var took []time.Duration
		for _, repository := range repositories {
			some, err := searchIn(ctx, of[repository], dir, beside == "repository", &told, &later)
			if err != nil {
				return nil, err
			}
			took = append(took, some...)
		}
		slices.Sort(took)
		for _, row := range []*SearchRow{&told, &later} {
			row.P50 = math.Round(float64(took[len(took)/2].Microseconds())/10) / 100
			row.Hit1, row.Hit3 = math.Round(1000*row.Hit1/float64(row.N))/10, math.Round(1000*row.Hit3/float64(row.N))/10
			rows = append(rows, *row)
		}
	}
	return rows, nil
}

// searchIn asks one memory, and adds to both rows how often the right statement came first.
func searchIn(ctx context.Context, pairs []asked, dir string, learned bool, told, later *SearchRow) (took []time.Duration, err error) {
	h, err := replay.NewHebb(ctx, tuning.Default())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	h.Until(time.Now())
	scope := brain.Scope{Dir: dir}
	code := learn.SnippetsResult{}
	if learned {
		if _, err := steward.Run(ctx, h.Brain, learn.LearnHistory, learn.LearnInput{Dir: dir}); err != nil {
			return nil, err
		}
		if _, err := steward.Run(ctx, h.Brain, texts.IndexTexts, texts.IndexInput{}); err != nil {
			return nil, err
		}
		if code, err = steward.Run(ctx, h.Brain, learn.ReadSnippets, learn.SnippetsInput{Dir: dir}); err != nil {
			return nil, err
		}
	}
	for _, p := range pairs {
		in := statements.RememberInput{Scope: scope, Text: p.Said, Kind: memory.CrystalKind(p.Kind)}
		if !slices.Contains(memory.CrystalKinds, in.Kind) {
			in.Kind = memory.Fact
		}
		if _, err := steward.Run(ctx, h.Brain, statements.Remember, in); err != nil {
			return nil, err
		}
	}
	for _, p := range pairs {
		for _, q := range []struct {
			row  *SearchRow
			text string
		}{{told, p.Told}, {later, p.Later}} {
			if q.text == "" { // kept, so that there is more to choose from
				continue
			}
			began := time.Now()
			out, err := steward.Run(ctx, h.Brain, answer.SearchTexts, texts.SearchInput{Scope: scope, Query: q.text, Limit: 10})
			if err != nil {
				return nil, err
			}
			took = append(took, time.Since(began))
			place := slices.IndexFunc(out.Found, func(f texts.Found) bool {
				return f.Crystal != nil && strings.TrimSpace(f.Text) == strings.TrimSpace(p.Said)
			})
			q.row.N++
			if place == 0 {
				q.row.Hit1++
			}
			if place >= 0 && place < 3 {
				q.row.Hit3++
			}
			q.row.Memories, q.row.Documents, q.row.Snippets = max(q.row.Memories, len(pairs)), max(q.row.Documents, out.Documents), max(q.row.Snippets, code.Snippets)
		}
	}
	return took, nil
}
