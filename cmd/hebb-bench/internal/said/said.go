// Package said measures and trains how hebb understands what a person says, and what an agent says
// at the end: on labelled texts, with the models that come with the program or by cross-validation.
package said

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/hebb-memory/hebb/internal/statements"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Speaker is whose texts are listened to, and how their model is made.
type Speaker struct {
	kinds      []statements.Kind
	places     int
	precision  float64                                        // that the model's threshold is set to
	sure       float64                                        // and that of what need not wait; 0: nothing waits
	besides    func() Prompts                                 // what is learned from beside the labelled texts; nil for nothing
	meaning    bool                                           // learn from the vectors of sentences; else with the frequent words of the other model
	statements func(statements.Prompt) []statements.Statement // as the program uses the model
	builtin    func() *statements.Model
}

var (
	// Person types prompts.
	Person = Speaker{
		kinds: statements.Kinds, places: statements.Places, precision: 0.50, sure: 0.70, besides: madeUp, meaning: true,
		statements: statements.Statements, builtin: statements.Builtin,
	}
	// Agent ends its turns with closing messages.
	Agent = Speaker{
		kinds: statements.ClosingKinds, places: statements.ClosingPlaces, precision: 0.85,
		statements: func(p statements.Prompt) []statements.Statement { return statements.Closing(p.Text) }, builtin: statements.BuiltinClosing,
	}
)

// Row is how well statements are heard in labelled prompts.
type Row struct {
	Bench     string  `json:"bench"`
	Model     string  `json:"model"` // builtin, or cross-validated
	Set       string  `json:"set"`
	Precision float64 `json:"precision" show:"%.3f"`
	Recall3   float64 `json:"recall3" show:"%.3f"` // of what clearly matters later
	Recall2   float64 `json:"recall2" show:"%.3f"` // and of what probably does
	Threshold float64 `json:"threshold" show:"%.3f"`
	Kind      float64 `json:"kind" show:"%.3f"` // share of the right statements that have the label's kind
	N         int     `json:"n"`                // prompts
}

// quote is a labelled clause of a prompt.
type quote struct {
	Quote string          `json:"quote"`
	Kind  statements.Kind `json:"kind"`
	Worth int             `json:"worth"` // 3 clearly matters in a later session, 2 probably, 1 marginally: not counted

	start, end int
}

// prompt is a labelled prompt.
type prompt struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Lang string `json:"lang"` // empty: English

	person, session, set string

	keep  []quote
	typed statements.Prompt
}

func (p *prompt) english() bool { return p.Lang == "" || p.Lang == "en" }

// Prompts are the labelled prompts of a folder.
type Prompts []*prompt

// The files of labels: wide ones count tasks that decide something, strict ones only what a careful
// colleague would write down.
const (
	wide   = "labels.jsonl"
	strict = "written.jsonl"
)

// ReadStrict reads the strict labels of some folders.
func ReadStrict(folders ...string) (all Prompts, err error) {
	for _, folder := range folders {
		prompts, err := Read(os.DirFS(folder), strict)
		if errors.Is(err, fs.ErrNotExist) { // it has only these
			prompts, err = Read(os.DirFS(folder), wide)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		for _, p := range prompts {
			if p.set = filepath.Base(folder); !p.english() {
				p.set += ", not English"
			}
		}
		all = append(all, prompts...)
	}
	return all, nil
}

// Read reads prompts.jsonl and a file of labels of a folder.
func Read(folder fs.FS, file string) (Prompts, error) {
	prompts, err := readLines(folder, "prompts.jsonl", decodePrompt)
	if err != nil {
		return nil, err
	}
	labels, err := readLines(folder, file, decode[label])
	if err != nil {
		return nil, err
	}
	byID := map[string]*prompt{}
	for _, p := range prompts {
		byID[p.ID] = p
	}
	for _, l := range labels {
		p := byID[l.ID]
		if p == nil {
			return nil, fmt.Errorf("%s has %q, prompts.jsonl does not", file, l.ID)
		}
		if l.Typed != nil && !*l.Typed {
			continue // whatever is heard in it is wrong
		}
		for _, q := range l.Keep {
			if q.start = strings.Index(p.Text, q.Quote); q.start < 0 {
				return nil, fmt.Errorf("%s does not contain its quote %q", l.ID, q.Quote)
			}
			q.end = q.start + len(q.Quote)
			p.keep = append(p.keep, q)
		}
	}
	return prompts, nil
}

func readLines[T any](folder fs.FS, name string, decode func([]byte) (T, error)) (list []T, err error) {
	file, err := fs.ReadFile(folder, name)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(file) {
		value, err := decode(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, len(list)+1, err)
		}
		list = append(list, value)
	}
	return list, nil
}

// decode reads a line of JSON.
func decode[T any](line []byte) (value T, err error) {
	err = json.Unmarshal(line, &value)
	return value, err
}

// filter are the prompts that keep wants.
func filter(prompts Prompts, keep func(*prompt) bool) Prompts {
	return slices.DeleteFunc(slices.Clone(prompts), func(p *prompt) bool { return !keep(p) })
}

func decodePrompt(line []byte) (*prompt, error) {
	p := &prompt{}
	if err := json.Unmarshal(line, p); err != nil {
		return nil, err
	}
	at := strings.LastIndexByte(p.ID, ':')
	if at < 0 {
		return nil, fmt.Errorf("id %q: want person:index or repository:session:index", p.ID)
	}
	p.session, p.typed = p.ID[:at], statements.Prompt{Text: p.Text}
	p.person, _, _ = strings.Cut(p.ID, ":")
	return p, nil
}

// label is a line of a file of labels.
type label struct {
	ID    string  `json:"id"`
	Keep  []quote `json:"keep"`
	Typed *bool   `json:"typed"`
}

// overlaps reports whether a statement and a quote share at least half of the shorter of the two.
func (q quote) overlaps(s statements.Statement) bool {
	shared := min(s.End, q.end) - max(s.Start, q.start)
	return shared > 0 && 2*shared >= min(s.End-s.Start, q.end-q.start)
}

// worth is the highest worth of the quotes that a statement finds, and the kind of that quote.
func (p *prompt) worth(s statements.Statement) (worth int, kind statements.Kind) {
	for _, q := range p.keep {
		if q.Worth > worth && q.overlaps(s) {
			worth, kind = q.Worth, q.Kind
		}
	}
	return worth, kind
}

// judgement is a statement that a model has judged.
type judgement struct {
	statements.Statement
	prompt *prompt
}

// counted sums up what was heard so far.
type counted struct {
	right, wrong, kind int
	found              map[*quote]bool
}

func (c *counted) add(j judgement) {
	switch worth, kind := j.prompt.worth(j.Statement); {
	case worth >= 2:
		c.right++
		if kind == j.Kind {
			c.kind++
		}
	case worth == 0:
		c.wrong++
	}
	for i := range j.prompt.keep {
		if q := &j.prompt.keep[i]; q.overlaps(j.Statement) {
			c.found[q] = true
		}
	}
}

func (c *counted) row(model string, prompts Prompts) Row {
	var all, found [4]int
	for _, p := range prompts {
		for i := range p.keep {
			q := &p.keep[i]
			all[q.Worth]++
			if c.found[q] {
				found[q.Worth]++
			}
		}
	}
	return Row{
		Bench: "said", Model: model, Precision: portion(c.right, c.right+c.wrong), Recall3: portion(found[3], all[3]),
		Recall2: portion(found[2]+found[3], all[2]+all[3]), Kind: portion(c.kind, c.right), N: len(prompts),
	}
}

func portion(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }

// Judge measures the model that comes with the program, as the program uses it: what it keeps of
// each set, and what of that is sure.
func (sp Speaker) Judge(prompts Prompts) (rows []Row) {
	sets := prompts.sets()
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		kept, sure := counted{found: map[*quote]bool{}}, counted{found: map[*quote]bool{}}
		for _, p := range sets[name] {
			for _, s := range sp.statements(p.typed) {
				if kept.add(judgement{s, p}); !s.Maybe {
					sure.add(judgement{s, p})
				}
			}
		}
		row, of := sure.row("sure", sets[name]), kept.row("kept", sets[name])
		row.Set, row.Threshold, of.Set, of.Threshold = name, sp.builtin().Sure, name, sp.builtin().Threshold
		rows = append(rows, row, of)
	}
	return rows
}

// sets are prompts by the set that they belong to.
func (p Prompts) sets() map[string]Prompts {
	sets := map[string]Prompts{}
	for _, one := range p {
		sets[one.set] = append(sets[one.set], one)
	}
	return sets
}

const foldCount = 10

// CrossValidate trains on nine tenths of the people and judges the last tenth, for each tenth: each
// set, and what is English of all.
func (sp Speaker) CrossValidate(ctx context.Context, prompts Prompts) (rows []Row, err error) {
	judged, err := sp.outOfFold(ctx, prompts, sp.examples(prompts))
	sets := prompts.sets()
	sets["English"] = filter(prompts, (*prompt).english)
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		for _, precision := range []float64{0.8, 0.7, 0.6, 0.5} {
			row := atPrecision(judged, sets[name], precision)
			row.Set = name
			rows = append(rows, row)
		}
	}
	return rows, err
}

// folds says by which of ten models each prompt is judged: one that was trained without the prompts
// of that fold. All prompts of a person are in one fold, of the same author all of a session.
func folds(prompts Prompts) map[*prompt]int {
	key := func(p *prompt) string { return p.person }
	if !slices.ContainsFunc(prompts, func(p *prompt) bool { return p.person != prompts[0].person }) {
		key = func(p *prompt) string { return p.session }
	}
	var keys []string
	for _, p := range prompts {
		if !slices.Contains(keys, key(p)) {
			keys = append(keys, key(p))
		}
	}
	fold := map[*prompt]int{}
	for _, p := range prompts {
		fold[p] = slices.Index(keys, key(p)) % foldCount
	}
	return fold
}

// outOfFold judges every prompt by a model that was trained without its fold, the likeliest
// statement first.
func (sp Speaker) outOfFold(ctx context.Context, prompts Prompts, examples []example) (judged []judgement, err error) {
	fold := folds(prompts)
	for k := range foldCount {
		m, err := sp.train(ctx, slices.DeleteFunc(slices.Clone(examples), func(e example) bool {
			in, labelled := fold[e.prompt]
			return labelled && in == k
		}))
		if err != nil {
			return nil, err
		}
		for _, p := range prompts {
			if fold[p] == k {
				for _, s := range m.Score(p.typed) {
					judged = append(judged, judgement{s, p})
				}
			}
		}
	}
	slices.SortStableFunc(judged, func(a, b judgement) int { return cmp.Compare(b.Probability, a.Probability) })
	return judged, nil
}

// atPrecision is what is heard in some prompts with the lowest threshold that still reaches a
// precision.
func atPrecision(judged []judgement, prompts Prompts, precision float64) (best Row) {
	const few = 20 // statements from which on a precision says something
	in := map[*prompt]bool{}
	for _, p := range prompts {
		in[p] = true
	}
	judged = slices.DeleteFunc(slices.Clone(judged), func(j judgement) bool { return !in[j.prompt] })
	c := counted{found: map[*quote]bool{}}
	at := -1
	for i, j := range judged {
		if c.add(j); c.right+c.wrong >= few && portion(c.right, c.right+c.wrong) >= precision {
			at = i
		}
	}
	c = counted{found: map[*quote]bool{}}
	for _, j := range judged[:at+1] {
		c.add(j)
	}
	best = c.row("cross-validated", prompts)
	if best.Threshold = 1; at >= 0 { // nothing passes where it is not reached
		best.Threshold = judged[at].Probability
	}
	return best
}
