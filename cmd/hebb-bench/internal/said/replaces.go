package said

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/listen"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// RevisedRow is how well it is recognised that a statement replaces an earlier one.
type RevisedRow struct {
	Bench     string  `json:"bench"`
	Model     string  `json:"model"`    // builtin, cross-validated, or other repositories
	Recall    float64 `json:"recall"`   // share of revisions that replace the right one of what the pairs of their repository say
	Wrong     int     `json:"wrong"`    // revisions that replace another one
	All       float64 `json:"all"`      // recall among all that was said in the repository
	AllWrong  int     `json:"allwrong"` // and what is replaced wrongly
	Ordinary  int     `json:"ordinary"` // labelled statements that replace an earlier one: hardly any should
	Of        int     `json:"of"`       // labelled statements
	Threshold float64 `json:"threshold"`
	N         int     `json:"n"` // revisions
}

// pair is a line of pairs.jsonl: something said, and what replaces it later. Adds is on the same topic and replaces nothing, Told is the
// same again in other words.
type pair struct {
	ID      string `json:"id"`
	Repo    string `json:"repo"`
	Said    string `json:"said"`
	Revised string `json:"revised"`
	Adds    string `json:"adds"`
	Told    string `json:"told"`
}

func decodePair(line []byte) (p pair, err error) {
	err = json.Unmarshal(line, &p)
	return p, err
}

// Revisions are the statements of a folder, each a choice among earlier ones.
type Revisions []*choice

// choice is a new statement, the earlier ones, and which of them it replaces.
type choice struct {
	sort  string
	group string // choices of one group are judged by the same model
	fold  int    // likewise, in cross-validation by pair
	newer *listen.Said
	older []*listen.Said
	right int // of older; -1 for none

	pairs []listen.Pair
	cue   float64
}

// The sorts of choices.
const (
	amongPairs = "among pairs" // a revision, among what the pairs of its repository say
	amongAll   = "among all"   // the same, among all statements of the repository of worth 2 or 3
	ordinary   = "ordinary"    // a labelled statement, among the labelled ones before it
	repeated   = "repeated"    // what a pair says, in other words: only to learn from
	invented   = "invented"    // made up: only to learn from
)

// pool is statements, each once.
type pool struct {
	texts []string
	said  []*listen.Said
}

func prepare(text string) *listen.Said {
	return related().NewSaid(text, vocab.TextWords(text), embedding.GeneralRow)
}

func (p *pool) add(text string) {
	if !slices.Contains(p.texts, text) {
		p.texts, p.said = append(p.texts, text), append(p.said, prepare(text))
	}
}

func (p *pool) without(drop func(text string) bool) (rest pool) {
	for i, text := range p.texts {
		if !drop(text) {
			rest.texts, rest.said = append(rest.texts, text), append(rest.said, p.said[i])
		}
	}
	return rest
}

func (p *pool) choice(sort, group string, fold int, text, right string) *choice {
	c := &choice{sort: sort, group: group, fold: fold % foldCount, newer: prepare(text), older: p.said, right: slices.Index(p.texts, right)}
	c.pairs = listen.Pairs(c.newer, c.older)
	return c
}

// ReadRevisions reads pairs.jsonl of a folder; none if it has no such file.
func ReadRevisions(folder fs.FS, prompts Prompts) (Revisions, error) {
	pairs, err := readLines(folder, "pairs.jsonl", decodePair)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, err
	}
	var list Revisions
	few, all := map[string]*pool{}, map[string]*pool{}
	of := func(pools map[string]*pool, repository string) *pool {
		if pools[repository] == nil {
			pools[repository] = &pool{}
		}
		return pools[repository]
	}
	quotes := map[string][]string{}
	for _, p := range prompts {
		repository, _, _ := strings.Cut(p.ID, ":")
		earlier := of(all, repository)
		for _, q := range p.keep {
			if q.Worth >= 2 && !slices.Contains(earlier.texts, q.Quote) {
				list = append(list, earlier.choice(ordinary, repository, len(list), q.Quote, ""))
				earlier.add(q.Quote)
				quotes[p.ID] = append(quotes[p.ID], q.Quote)
			}
		}
	}
	for _, p := range pairs { // what a pair says takes the place of the quotes that it was made from
		id, _, _ := strings.Cut(p.ID, "#")
		from := of(all, p.Repo)
		*from = from.without(func(text string) bool { return slices.Contains(quotes[id], text) && sameWords(text, p.Said) })
		of(few, p.Repo).add(p.Said)
	}
	for _, p := range pairs {
		of(all, p.Repo).add(p.Said)
	}
	for i, p := range pairs {
		list = append(list, few[p.Repo].choice(repeated, p.Repo, i, p.Told, ""))
		if p.Revised != "" {
			list = append(list, few[p.Repo].choice(amongPairs, p.Repo, i, p.Revised, p.Said), all[p.Repo].choice(amongAll, p.Repo, i, p.Revised, p.Said))
		}
	}
	return list, nil
}

// sameWords reports whether two texts share at least half of the words of the shorter one.
func sameWords(a, b string) bool {
	x, y := vocab.TextWords(a), vocab.TextWords(b)
	shared := 0
	for _, w := range x {
		if slices.Contains(y, w) {
			shared++
		}
	}
	return 2*shared >= min(len(x), len(y))
}

// chosen is what a model chose.
type chosen struct {
	*choice
	index       int
	probability float64
}

func choose(m *listen.Replacing, c *choice) chosen {
	index, probability := m.Choose(c.newer, c.older)
	return chosen{c, index, probability}
}

// JudgeRevisions measures the model that comes with the program.
func JudgeRevisions(list Revisions) []RevisedRow {
	if len(list) == 0 {
		return nil
	}
	m := listen.BuiltinReplacing()
	var all []chosen
	for _, c := range list {
		all = append(all, choose(m, c))
	}
	return []RevisedRow{revisedRow("builtin", all, m.Threshold)}
}

func revisedRow(model string, all []chosen, threshold float64) RevisedRow {
	var right, wrong, n [2]int
	row := RevisedRow{Bench: "revised", Model: model, Threshold: threshold}
	for _, c := range all {
		among := slices.Index([]string{amongPairs, amongAll}, c.sort)
		replaces := c.probability >= threshold && c.index >= 0
		switch {
		case among >= 0:
			n[among]++
			if replaces && c.index == c.right {
				right[among]++
			} else if replaces {
				wrong[among]++
			}
		case c.sort == ordinary:
			row.Of++
			if replaces {
				row.Ordinary++
			}
		}
	}
	row.Recall, row.Wrong, row.All, row.AllWrong, row.N = portion(right[0], n[0]), wrong[0], portion(right[1], n[1]), wrong[1], n[0]
	return row
}

// The thresholds at which cross-validation reports, beside the one that a model gets.
var thresholds = []float64{0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1}

// CrossValidateRevisions trains without a fifth of the pairs and judges that fifth, for each fifth; then likewise with repositories.
func CrossValidateRevisions(ctx context.Context, list Revisions) (rows []RevisedRow, err error) {
	if len(list) == 0 {
		return nil, nil
	}
	for _, by := range []struct {
		model string
		key   func(*choice) string
	}{
		{"cross-validated", func(c *choice) string { return string(rune('0' + c.fold)) }},
		{"other repositories", func(c *choice) string { return c.group }},
	} {
		all, err := revisionsOutOfFold(ctx, list, by.key)
		if err != nil {
			return nil, err
		}
		own := carefulThreshold(all)
		for _, threshold := range slices.Concat([]float64{own}, thresholds) {
			rows = append(rows, revisedRow(by.model, all, threshold))
		}
	}
	return rows, nil
}

func revisionsOutOfFold(ctx context.Context, list Revisions, key func(*choice) string) (all []chosen, err error) {
	judged := map[string]bool{}
	for _, c := range list {
		k := key(c)
		if judged[k] {
			continue
		}
		judged[k] = true
		var teach, judge Revisions
		for _, d := range list {
			if key(d) == k {
				judge = append(judge, d)
			} else {
				teach = append(teach, d)
			}
		}
		m, err := trainReplacing(ctx, teach)
		if err != nil {
			return nil, err
		}
		for _, d := range judge {
			all = append(all, choose(m, d))
		}
	}
	return all, nil
}

// carefulThreshold is the lowest one at which no ordinary statement replaces an earlier one: a statement that is lost by mistake costs
// more than one that stands beside its replacement.
func carefulThreshold(all []chosen) float64 {
	highest := 0.5
	for _, c := range all {
		if c.sort == ordinary {
			highest = max(highest, c.probability)
		}
	}
	return highest + 1e-6
}
