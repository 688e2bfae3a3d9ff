// Package said measures and trains how hebb understands what a person says, and what an agent says at the end: on labelled texts, with the
// models that come with the program or by cross-validation.
package said

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/hebb-memory/hebb/internal/listen"
)

// Speaker is whose texts are listened to, and how their model is made.
type Speaker struct {
	kinds      []listen.Kind
	places     int
	precision  float64                                // that the model's threshold is set to
	besides    func() Prompts                         // what is learned from beside the labelled texts; nil for nothing
	borrows    bool                                   // the frequent words of the person's model
	statements func(listen.Prompt) []listen.Statement // as the program uses the model
	builtin    func() *listen.Model
}

var (
	// Person types prompts.
	Person = Speaker{
		kinds: listen.Kinds, places: listen.Places, precision: 0.70, besides: madeUp, statements: listen.Statements, builtin: listen.Builtin,
	}
	// Agent ends its turns with closing messages.
	Agent = Speaker{
		kinds: listen.ClosingKinds, places: listen.ClosingPlaces, precision: 0.85, borrows: true,
		statements: func(p listen.Prompt) []listen.Statement { return listen.Closing(p.Text) }, builtin: listen.BuiltinClosing,
	}
)

// Row is how well statements are heard in labelled prompts.
type Row struct {
	Bench     string  `json:"bench"`
	Model     string  `json:"model"` // builtin, or cross-validated
	Precision float64 `json:"precision"`
	Recall3   float64 `json:"recall3"` // of what clearly matters later
	Recall2   float64 `json:"recall2"` // and of what probably does
	Threshold float64 `json:"threshold"`
	Kind      float64 `json:"kind"` // share of the right statements that have the label's kind
	N         int     `json:"n"`    // prompts
}

// quote is a labelled clause of a prompt.
type quote struct {
	Quote string      `json:"quote"`
	Kind  listen.Kind `json:"kind"`
	Worth int         `json:"worth"` // 3 clearly matters in a later session, 2 probably, 1 marginally: not counted

	start, end int
}

// prompt is a labelled prompt.
type prompt struct {
	ID   string `json:"id"`
	Text string `json:"text"`

	session string
	keep    []quote
	typed   listen.Prompt
}

// Prompts are the labelled prompts of a folder.
type Prompts []*prompt

// Read reads prompts.jsonl and labels.jsonl of a folder.
func Read(folder fs.FS) (Prompts, error) {
	prompts, err := readLines(folder, "prompts.jsonl", decodePrompt)
	if err != nil {
		return nil, err
	}
	labels, err := readLines(folder, "labels.jsonl", decodeLabel)
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
			return nil, fmt.Errorf("labels.jsonl has %q, prompts.jsonl does not", l.ID)
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

func decodePrompt(line []byte) (*prompt, error) {
	p := &prompt{}
	if err := json.Unmarshal(line, p); err != nil {
		return nil, err
	}
	at := strings.LastIndexByte(p.ID, ':')
	index, err := strconv.Atoi(p.ID[at+1:])
	if at < 0 || err != nil {
		return nil, fmt.Errorf("id %q: want repository:session:index", p.ID)
	}
	p.session, p.typed = p.ID[:at], listen.Prompt{Text: p.Text, Index: index}
	return p, nil
}

// label is a line of labels.jsonl.
type label struct {
	ID   string  `json:"id"`
	Keep []quote `json:"keep"`
}

func decodeLabel(line []byte) (l label, err error) {
	err = json.Unmarshal(line, &l)
	return l, err
}

// overlaps reports whether a statement and a quote share at least half of the shorter of the two.
func (q quote) overlaps(s listen.Statement) bool {
	shared := min(s.End, q.end) - max(s.Start, q.start)
	return shared > 0 && 2*shared >= min(s.End-s.Start, q.end-q.start)
}

// worth is the highest worth of the quotes that a statement finds, and the kind of that quote.
func (p *prompt) worth(s listen.Statement) (worth int, kind listen.Kind) {
	for _, q := range p.keep {
		if q.Worth > worth && q.overlaps(s) {
			worth, kind = q.Worth, q.Kind
		}
	}
	return worth, kind
}

// judgement is a statement that a model has judged.
type judgement struct {
	listen.Statement
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

// Judge measures the model that comes with the program, as the program uses it.
func (sp Speaker) Judge(prompts Prompts) Row {
	c := counted{found: map[*quote]bool{}}
	for _, p := range prompts {
		for _, s := range sp.statements(p.typed) {
			c.add(judgement{s, p})
		}
	}
	row := c.row("builtin", prompts)
	row.Threshold = sp.builtin().Threshold
	return row
}

const (
	plainPrecision = 0.56 // of a plain regression: cross-validation reports at this one as well
	foldCount      = 5
	rounds         = 3 // of cross-validation, with other folds each
)

// CrossValidate trains on four fifths of the sessions and judges the last fifth, for each fifth and three times over; then it
// trains on all repositories but one and judges that one, for each, if there are several.
func (sp Speaker) CrossValidate(ctx context.Context, prompts Prompts) ([]Row, error) {
	precisions := []float64{sp.precision, plainPrecision}
	sums := make([]Row, len(precisions))
	for round := range rounds {
		judged, err := sp.outOfFold(ctx, prompts, sessionFolds(prompts, uint64(round)))
		if err != nil {
			return nil, err
		}
		for i, precision := range precisions {
			row := atPrecision(judged, prompts, precision)
			s := &sums[i]
			s.Precision += row.Precision / rounds
			s.Recall3 += row.Recall3 / rounds
			s.Recall2 += row.Recall2 / rounds
			s.Threshold += row.Threshold / rounds
			s.Kind += row.Kind / rounds
			s.Bench, s.Model, s.N = row.Bench, row.Model, row.N
		}
	}
	repositories := repositoryFolds(prompts)
	if repositories.count < 2 {
		return sums, nil
	}
	judged, err := sp.outOfFold(ctx, prompts, repositories)
	if err != nil {
		return nil, err
	}
	for _, precision := range precisions {
		row := atPrecision(judged, prompts, precision)
		row.Model = "other repositories"
		sums = append(sums, row)
	}
	return sums, nil
}

// folds says by which of count models each prompt is judged: one that was trained without the prompts of that fold.
type folds struct {
	count int
	of    map[*prompt]int
}

// foldBy deals prompts into folds, those with the same key into the same one.
func foldBy(prompts Prompts, most int, key func(*prompt) string, shuffle func(keys []string)) folds {
	var keys []string
	for _, p := range prompts {
		if !slices.Contains(keys, key(p)) {
			keys = append(keys, key(p))
		}
	}
	shuffle(keys)
	f := folds{min(most, len(keys)), map[*prompt]int{}}
	for _, p := range prompts {
		f.of[p] = slices.Index(keys, key(p)) % f.count
	}
	return f
}

func sessionFolds(prompts Prompts, seed uint64) folds {
	return foldBy(prompts, foldCount, func(p *prompt) string { return p.session }, func(keys []string) {
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	})
}

func repositoryFolds(prompts Prompts) folds {
	return foldBy(prompts, len(prompts), func(p *prompt) string {
		repository, _, _ := strings.Cut(p.session, ":")
		return repository
	}, func([]string) {})
}

// outOfFold judges every prompt by a model that was trained without its fold, the likeliest statement first.
func (sp Speaker) outOfFold(ctx context.Context, prompts Prompts, f folds) ([]judgement, error) {
	var judged []judgement
	for fold := range f.count {
		var teach Prompts
		for _, p := range prompts {
			if f.of[p] != fold {
				teach = append(teach, p)
			}
		}
		m, err := sp.train(ctx, teach)
		if err != nil {
			return nil, err
		}
		for _, p := range prompts {
			if f.of[p] == fold {
				for _, s := range m.Score(p.typed) {
					judged = append(judged, judgement{s, p})
				}
			}
		}
	}
	slices.SortStableFunc(judged, func(a, b judgement) int { return cmp.Compare(b.Probability, a.Probability) })
	return judged, nil
}

// atPrecision is what is heard with the lowest threshold that still reaches a precision.
func atPrecision(judged []judgement, prompts Prompts, precision float64) (best Row) {
	const few = 20 // statements from which on a precision says something
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
	if at >= 0 {
		best.Threshold = judged[at].Probability
	}
	return best
}
