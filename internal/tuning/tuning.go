// Package tuning holds the settings that people may change in config.toml; `hebb config show` prints them. A number that nobody
// would change is a constant beside the formula that uses it.
package tuning

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Entry describes one setting. Default, Min and Max are in Unit.
type Entry struct {
	Name    string  `json:"name"`
	Unit    string  `json:"unit"`
	Default float64 `json:"default"`
	Min     float64 `json:"min"`
	Max     float64 `json:"max"`
	Meaning string  `json:"meaning"`

	field any // a pointer to an int, an int64, a float64 or a time.Duration
}

// Setting is an entry with its present value.
type Setting struct {
	Entry
	Value float64 `json:"value"`
}

// Changed reports whether the value differs from the default.
func (s Setting) Changed() bool { return s.Value != s.Default }

// Table returns every setting, sorted by name.
func (t Tuning) Table() []Setting {
	var all []Setting
	for _, e := range t.settings() {
		all = append(all, Setting{e, e.get()})
	}
	return all
}

// gateShare is the confidence from which a file is shown, as a share of the precision.
const gateShare = 0.75

// Set changes one setting by name. text is a figure in the entry's unit or, for times, a duration such as 90s.
func (t *Tuning) Set(name, text string) error {
	switch name {
	case "hook.min_confidence", "hook.min_confidence_later": // until hook.precision replaced them
		if v, err := strconv.ParseFloat(text, 64); err == nil && name == "hook.min_confidence" {
			t.Hook.Precision = min(max(v/gateShare, 0.05), 0.99)
		}
		return nil
	case "dream.insight_calls", "dream.prompt_tokens", "goal.show_for", "hook.holdout_after", "hook.likely_confidence", "hook.likely_files",
		"hook.max_fixes", "recall.fix_confidence", "recall.min_confidence": // nobody had a reason to change them
		return nil
	case "sleep.keep_commands": // until tool calls were packed instead of shortened
		name = "sleep.pack_after"
	}
	for _, e := range t.settings() {
		if e.Name != name {
			continue
		}
		v, err := e.parse(text)
		if err != nil {
			return fmt.Errorf("tuning %s = %s: %w", name, text, err)
		}
		e.set(v)
		return nil
	}
	var known []string
	for _, e := range t.settings() {
		known = append(known, e.Name)
	}
	return fmt.Errorf("tuning %s: no such setting (did you mean %s?): %w", name, Nearest(name, known), memory.ErrInvalid)
}

func (e Entry) parse(text string) (float64, error) {
	text = strings.TrimSpace(text)
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		d, derr := time.ParseDuration(text)
		if _, isTime := e.field.(*time.Duration); derr != nil || !isTime {
			return 0, fmt.Errorf("want a number of %s: %w", e.Unit, memory.ErrInvalid)
		}
		v = float64(d) / e.scale()
	}
	if !(v >= e.Min && v <= e.Max) {
		return 0, fmt.Errorf("must be %s to %s %s: %w", Figure(e.Min), Figure(e.Max), e.Unit, memory.ErrInvalid)
	}
	if _, whole := e.field.(*int); whole && e.scale() == 1 && v != float64(int64(v)) {
		return 0, fmt.Errorf("must be a whole number of %s: %w", e.Unit, memory.ErrInvalid)
	}
	return v, nil
}

// Nearest is the name that a person most likely meant: the one with the fewest letters to change, where a section or an
// ending that was left out counts less.
func Nearest(name string, known []string) (nearest string) {
	plain := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
	last := func(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
	fewest := math.Inf(1)
	for _, k := range known {
		letters := float64(changes(plain(name), plain(k)))
		switch {
		case last(name) == last(k):
			letters /= 4
		case strings.HasPrefix(plain(k), plain(name)):
			letters /= 2
		}
		if letters < fewest {
			nearest, fewest = k, letters
		}
	}
	return nearest
}

// changes counts the letters to insert, remove or replace that make one text of the other (Levenshtein's distance).
func changes(from, to string) int {
	row := make([]int, len(to)+1)
	for i := range row {
		row[i] = i
	}
	for i := range len(from) {
		above := row[0]
		row[0] = i + 1
		for j := range len(to) {
			here := above
			if from[i] != to[j] {
				here = 1 + min(above, row[j], row[j+1])
			}
			above, row[j+1] = row[j+1], here
		}
	}
	return row[len(to)]
}

// Figure writes a number without needless digits.
func Figure(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

const (
	kilobyte = 1 << 10
	megabyte = 1 << 20
)

// units are those that fields are not kept in.
var units = map[string]float64{
	"ms": float64(time.Millisecond), "s": float64(time.Second), "min": float64(time.Minute), "h": float64(time.Hour),
	"days": float64(24 * time.Hour), "KB": kilobyte, "MB": megabyte,
}

func (e Entry) scale() float64 {
	if u, ok := units[e.Unit]; ok {
		return u
	}
	return 1
}

func (e Entry) get() float64 {
	switch f := e.field.(type) {
	case *int:
		return float64(*f) / e.scale()
	case *int64:
		return float64(*f) / e.scale()
	case *time.Duration:
		return float64(*f) / e.scale()
	default:
		return *f.(*float64)
	}
}

func (e Entry) set(v float64) {
	switch f := e.field.(type) {
	case *int:
		*f = int(v * e.scale())
	case *int64:
		*f = int64(v * e.scale())
	case *time.Duration:
		*f = time.Duration(v * e.scale())
	default:
		*f.(*float64) = v
	}
}
