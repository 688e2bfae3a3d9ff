package said

import (
	"context"
	"errors"
	"io/fs"
	"maps"
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
	Bench    string  `json:"bench"`
	Beside   string  `json:"beside"`   // nothing, or the code, documents and commits of a repository
	Question string  `json:"question"` // told: in other words; later: a prompt weeks later that runs into it
	N        int     `json:"n"`
	Hit1     float64 `json:"hit1"`
	Hit3     float64 `json:"hit3"`
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
	for _, p := range pairs {
		of[p.Repo] = append(of[p.Repo], p)
	}
	var rows []SearchRow
	for _, beside := range []string{"nothing", "repository"} {
		both := []SearchRow{{Bench: "search", Beside: beside, Question: "told"}, {Bench: "search", Beside: beside, Question: "later"}}
		for _, repository := range slices.Sorted(maps.Keys(of)) {
			if err := searchIn(ctx, of[repository], dir, both); err != nil {
				return nil, err
			}
		}
		for _, row := range both {
			row.Hit1, row.Hit3 = 100*row.Hit1/float64(row.N), 100*row.Hit3/float64(row.N)
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// searchIn asks one memory, and adds to both rows how often the right statement came first.
func searchIn(ctx context.Context, pairs []asked, dir string, rows []SearchRow) (err error) {
	h, err := replay.NewHebb(ctx, tuning.Default())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	h.Until(time.Now())
	if rows[0].Beside == "repository" {
		_, err1 := steward.Run(ctx, h.Brain, learn.LearnHistory, learn.LearnInput{Dir: dir})
		_, err2 := steward.Run(ctx, h.Brain, texts.IndexTexts, texts.IndexInput{})
		_, err3 := steward.Run(ctx, h.Brain, learn.ReadSnippets, learn.SnippetsInput{Dir: dir})
		if err := errors.Join(err1, err2, err3); err != nil {
			return err
		}
	}
	scope := brain.Scope{Dir: dir}
	for _, p := range pairs {
		in := statements.RememberInput{Scope: scope, Text: p.Said, Kind: memory.CrystalKind(p.Kind)}
		if !slices.Contains(memory.CrystalKinds, in.Kind) {
			in.Kind = memory.Fact
		}
		if _, err := steward.Run(ctx, h.Brain, statements.Remember, in); err != nil {
			return err
		}
	}
	for _, p := range pairs {
		for i, text := range []string{p.Told, p.Later} {
			if text == "" { // kept, so that there is more to choose from
				continue
			}
			in := texts.SearchInput{Scope: scope, Query: text, Limit: 10}
			out, err := steward.Run(ctx, h.Brain, answer.SearchTexts, in)
			if err != nil {
				return err
			}
			place := slices.IndexFunc(out.Found, func(f texts.Found) bool {
				return f.Crystal != nil && strings.TrimSpace(f.Text) == strings.TrimSpace(p.Said)
			})
			rows[i].N++
			rows[i].Hit1 += float64(truth(place == 0))
			rows[i].Hit3 += float64(truth(place >= 0 && place < 3))
		}
	}
	return nil
}
