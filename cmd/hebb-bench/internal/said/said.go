// Package said measures how well hebb understands what a person says that matters later: on labelled
// prompts, by what is shown at a prompt, and by what arrives in a later session.
package said

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/statements"
)

// Row is how well statements are heard in labelled prompts.
type Row struct {
	Bench     string  `json:"bench"`
	Set       string  `json:"set"`
	Precision float64 `json:"precision" show:"%.3f"`
	Recall3   float64 `json:"recall3" show:"%.3f"` // of what clearly matters later
	Recall2   float64 `json:"recall2" show:"%.3f"` // and of what probably does
	Kind      float64 `json:"kind" show:"%.3f"`    // share of the right statements that have the label's kind
	N         int     `json:"n"`                   // prompts
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

	session, set string

	keep []quote
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

func decodePrompt(line []byte) (*prompt, error) {
	p := &prompt{}
	if err := json.Unmarshal(line, p); err != nil {
		return nil, err
	}
	at := strings.LastIndexByte(p.ID, ':')
	if at < 0 {
		return nil, fmt.Errorf("id %q: want person:index or repository:session:index", p.ID)
	}
	p.session = p.ID[:at]
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

// counted sums up what was heard so far.
type counted struct {
	right, wrong, kind int
	found              map[*quote]bool
}

func (c *counted) add(p *prompt, s statements.Statement) {
	switch worth, kind := p.worth(s); {
	case worth >= 2:
		c.right++
		if kind == s.Kind {
			c.kind++
		}
	case worth == 0:
		c.wrong++
	}
	for i := range p.keep {
		if q := &p.keep[i]; q.overlaps(s) {
			c.found[q] = true
		}
	}
}

func (c *counted) row(set string, prompts Prompts) Row {
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
		Bench: "said", Set: set, Precision: portion(c.right, c.right+c.wrong), Recall3: portion(found[3], all[3]),
		Recall2: portion(found[2]+found[3], all[2]+all[3]), Kind: portion(c.kind, c.right), N: len(prompts),
	}
}

func portion(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }

// Judge measures what is heard in each set.
func Judge(prompts Prompts) (rows []Row) {
	sets := map[string]Prompts{}
	for _, p := range prompts {
		sets[p.set] = append(sets[p.set], p)
	}
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		heard := counted{found: map[*quote]bool{}}
		for _, p := range sets[name] {
			for _, s := range statements.Statements(p.Text) {
				heard.add(p, s)
			}
		}
		rows = append(rows, heard.row(name, sets[name]))
	}
	return rows
}

func truth(is bool) int {
	if is {
		return 1
	}
	return 0
}
