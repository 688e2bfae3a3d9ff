package said

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// RevisedRow is how well it is recognised that a statement replaces an earlier one. Each figure counts what is surely replaced; those
// with Likely count what may be outdated as well.
type RevisedRow struct {
	Bench          string  `json:"bench"`
	Model          string  `json:"model"`  // builtin, cross-validated, or made-up projects: cross-validated there
	Recall         float64 `json:"recall"` // share of revisions that replace the right one of what the pairs of their repository say
	Likely         float64 `json:"likely"`
	Wrong          int     `json:"wrong"` // revisions that replace another one
	All            float64 `json:"all"`   // recall among all that was said in the repository
	AllLikely      float64 `json:"all_likely"`
	AllWrong       int     `json:"allwrong"` // and what is replaced wrongly
	Ordinary       int     `json:"ordinary"` // statements that replace nothing, and yet replace an earlier one: hardly any should
	OrdinaryLikely int     `json:"ordinary_likely"`
	Of             int     `json:"of"`   // statements that replace nothing
	Sure           float64 `json:"sure"` // the thresholds
	Perhaps        float64 `json:"perhaps"`
	N              int     `json:"n"` // revisions
}

// pair is a line of pairs.jsonl: something said, and what replaces it later. Adds is on the same topic and replaces nothing, Beside is the
// same sort of statement about another thing, Told is the same again in other words.
type pair struct {
	ID      string `json:"id"`
	Repo    string `json:"repo"`
	Said    string `json:"said"`
	Revised string `json:"revised"`
	Adds    string `json:"adds"`
	Beside  string `json:"beside"`
	Told    string `json:"told"`
}

func decodePair(line []byte) (p pair, err error) {
	err = json.Unmarshal(line, &p)
	return p, err
}

// Revisions are the statements of a folder, each a choice among earlier ones.
type Revisions []*choice

// choice is a new statement among earlier ones, and which of them it replaces.
type choice struct {
	sort  string
	group string // choices of one group are judged by the same model
	right int    // of the earlier ones; -1 for none
	count int    // of the earlier ones
	pairs []statements.Pair
	none  []float64
	cues  []string
}

// The sorts of choices.
const (
	amongPairs = "among pairs" // a revision, among what the pairs of its repository say
	amongAll   = "among all"   // the same, among all statements of the repository of worth 2 or 3, or among those of other repositories too
	amongFew   = "among few"   // made up: only to learn from
	amongTold  = "among told"  // likewise: what is revised was said in other words
	ordinary   = "ordinary"    // a statement that replaces nothing
)

// pool is statements, each once.
type pool struct {
	texts []string
	said  []*statements.Said
}

var preparedTexts = map[string]*statements.Said{}

func prepare(text string) *statements.Said {
	if preparedTexts[text] == nil { // to find its meaning takes long
		preparedTexts[text] = related().NewSaid(text, vocab.TextWords(text), embedding.GeneralRow)
	}
	return preparedTexts[text]
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

func (p *pool) choice(sort, group string, newer *statements.Said, right string) *choice {
	c := &choice{sort: sort, group: group, right: slices.Index(p.texts, right), count: len(p.texts), pairs: statements.Pairs(newer, p.said)}
	c.none, c.cues = statements.None(newer, c.pairs, c.count), newer.Cues()
	return c
}

// ReadRevisions reads pairs.jsonl of a folder, and the statements beside them by the wide labels; none if it has no such file.
func ReadRevisions(folder fs.FS) (Revisions, error) {
	pairs, err := readLines(folder, "pairs.jsonl", decodePair)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, err
	}
	prompts, err := Read(folder, wide)
	if err != nil {
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
				list = append(list, earlier.choice(ordinary, repository, prepare(q.Quote), ""))
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
	for _, p := range pairs {
		if p.Revised != "" {
			newer := prepare(p.Revised)
			list = append(list, few[p.Repo].choice(amongPairs, p.Repo, newer, p.Said), all[p.Repo].choice(amongAll, p.Repo, newer, p.Said))
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

func choose(m *statements.Replacing, c *choice) chosen {
	index, probability := m.ChooseAmong(c.pairs, c.none, c.cues)
	return chosen{c, index, probability}
}

// JudgeRevisions measures the model that comes with the program.
func JudgeRevisions(list Revisions) []RevisedRow {
	if len(list) == 0 {
		return nil
	}
	m := statements.BuiltinReplacing()
	var all []chosen
	for _, c := range list {
		all = append(all, choose(m, c))
	}
	return []RevisedRow{revisedRow("builtin", all, m.Sure, m.Likely)}
}

func revisedRow(model string, all []chosen, sure, likely float64) RevisedRow {
	var right, may, wrong, n [2]int
	row := RevisedRow{Bench: "revised", Model: model, Sure: sure, Perhaps: likely}
	for _, c := range all {
		among := slices.Index([]string{amongPairs, amongAll}, c.sort)
		surely, perhaps := truth(c.index >= 0 && c.probability >= sure), truth(c.index >= 0 && c.probability >= likely)
		switch {
		case c.sort == amongFew || c.sort == amongTold:
			continue
		case among < 0:
			row.Of++
			row.Ordinary += surely
			row.OrdinaryLikely += perhaps
			continue
		case c.index == c.right:
			right[among] += surely
			may[among] += perhaps
		default:
			wrong[among] += surely
		}
		n[among]++
	}
	row.Recall, row.Likely, row.Wrong, row.N = portion(right[0], n[0]), portion(may[0], n[0]), wrong[0], n[0]
	row.All, row.AllLikely, row.AllWrong = portion(right[1], n[1]), portion(may[1], n[1]), wrong[1]
	return row
}

// CrossValidateRevisions trains without a fifth of the projects and repositories and judges that fifth, for each fifth.
func CrossValidateRevisions(ctx context.Context, list Revisions) (rows []RevisedRow, err error) {
	all, err := revisionsOutOfFold(ctx, list)
	if err != nil {
		return nil, err
	}
	sure := surely(slices.DeleteFunc(slices.Clone(all), func(c chosen) bool { return slices.Contains(list, c.choice) }))
	for _, model := range []string{"cross-validated", "made-up projects"} {
		some := slices.DeleteFunc(slices.Clone(all), func(c chosen) bool { return slices.Contains(list, c.choice) != (model == "cross-validated") })
		for _, t := range []float64{askedFrom, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.1} {
			rows = append(rows, revisedRow(model, some, sure, t))
		}
	}
	return rows, nil
}

// revisionsOutOfFold judges a folder as well: no model learns from it.
func revisionsOutOfFold(ctx context.Context, list Revisions) (all []chosen, err error) {
	var groups []string
	every := slices.Concat(inventedPairs(), list)
	for _, c := range every {
		if !slices.Contains(groups, c.group) {
			groups = append(groups, c.group)
		}
	}
	for fold := range foldCount {
		judges := func(c *choice) bool { return slices.Index(groups, c.group)%foldCount == fold }
		m, err := learnChoice(ctx, slices.DeleteFunc(slices.Clone(inventedPairs()), judges))
		if err != nil {
			return nil, err
		}
		for _, c := range every {
			if judges(c) {
				all = append(all, choose(m, c))
			}
		}
	}
	return all, nil
}

// askedFrom is the probability from which a statement may be replaced: the earlier one is shown with that doubt until somebody decides. On the
// statements of TestReversals one of twenty that replace nothing reaches it, and nearly half of those that do. Lower ones find more there, but
// revisions are rare in life: a reader of six such doubts of two developers found none right.
const askedFrom = 0.5

// surely is the lowest probability that no statement reaches which replaces nothing: what is lost by mistake costs more than a question.
func surely(all []chosen) (sure float64) {
	for _, c := range all {
		if c.sort == ordinary {
			sure = max(sure, c.probability)
		}
	}
	return rounded(sure) + 0.001
}
