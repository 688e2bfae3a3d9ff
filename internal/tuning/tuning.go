// Package tuning is the only home of hebb's numbers. Each has a name, a unit, a range, a default and a source;
// config.toml may override it, and `hebb tuning` prints the table. Code elsewhere reads the fields and states no
// figure of its own.
package tuning

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Tuning is one consistent set of numbers.
type Tuning struct {
	Session   Session
	Capture   Capture
	Hook      Hook
	Spool     Spool
	Store     Store
	Recall    Recall
	Sleep     Sleep
	Crystal   Crystal
	Embedding Embedding
	Search    Search
	Context   Context
	Dream     Dream
	LLM       LLM
	Goal      Goal
}

// Session says when a run of an agent begins and ends.
type Session struct {
	IdleAfter    time.Duration // a quiet session is closed
	OrphanAfter  time.Duration // an open one found this late is closed as recovered
	IntentLength int           // characters of the first prompt kept as the intent
	RepeatWithin time.Duration // the same word again within this is the same event
}

// Capture bounds what is kept of one event.
type Capture struct {
	TextLimit  int // bytes of a prompt, an error, a message
	InputLimit int // bytes of a command or pattern
	TouchLimit int // files of one event
}

// Spool bounds the letter box between hooks and store.
type Spool struct {
	Limit       int64 // bytes at which observations are dropped
	SaidReserve int64 // bytes beyond the limit kept for words of people and agents
	// WriterPatience is how long a drain waits for a hook that is still writing.
	WriterPatience time.Duration
}

// Store holds the settings of the database.
type Store struct {
	BusyTimeout    time.Duration // wait for another writer
	BatchTime      time.Duration // aim for one write transaction of a long job
	BatchMax       int           // events of one such transaction
	CheckpointSize int           // pages of write-ahead log that start a checkpoint
	JournalLimit   int64         // bytes the log is cut back to
	PageCache      int64         // bytes of pages a reading connection keeps
	ServerCache    int64         // likewise, of a process that answers many questions
	Sketches       int64         // bytes of sketches of documents a process keeps; none, but where it answers many questions:
	ServerSketches int64         // then so many
	BackupsKept    int           // backups of each kind but the automatic ones
	BackupBytes    int64         // of all automatic backups
}

// Default returns the numbers hebb ships with.
func Default() Tuning {
	var t Tuning
	for _, e := range t.entries() {
		e.value.set(e.Default)
	}
	t.Crystal.Weights, t.Search.Candidates = defaultWeights(), defaultCandidates()
	return t
}

// Entry describes one number for people and for programs. Min, Max, Default and Value are in Unit.
type Entry struct {
	Name    string  `json:"name"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
	Default float64 `json:"default"`
	Min     float64 `json:"min"`
	Max     float64 `json:"max"`
	Meaning string  `json:"meaning"`
	Source  string  `json:"source"`

	value number
}

// Changed reports whether the value differs from the default.
func (e Entry) Changed() bool { return e.Value != e.Default }

// Table returns every number with its present value, sorted by name.
func (t Tuning) Table() []Entry {
	es := t.entries()
	for i := range es {
		es[i].Value = es[i].value.get()
	}
	slices.SortFunc(es, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	return es
}

// Set changes one number by name. text is a plain figure in the entry's unit or, for times, a duration such as 90s.
func (t *Tuning) Set(name, text string) error {
	for _, e := range t.entries() {
		if e.Name != name {
			continue
		}
		v, err := e.parse(text)
		if err != nil {
			return fmt.Errorf("tuning %s = %s: %w", name, text, err)
		}
		e.value.set(v)
		return nil
	}
	return fmt.Errorf("tuning %s: no such number%s: %w", name, t.nearest(name), memory.ErrInvalid)
}

// Check looks at how the numbers fit each other.
func (t Tuning) Check() error {
	if t.Session.OrphanAfter < t.Session.IdleAfter {
		return fmt.Errorf("tuning session.orphan_after = %v: must not be shorter than session.idle_after (%v): %w",
			t.Session.OrphanAfter, t.Session.IdleAfter, memory.ErrInvalid)
	}
	return nil
}

func (e Entry) parse(text string) (float64, error) {
	text = strings.TrimSpace(text)
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		d, derr := time.ParseDuration(text)
		unit, isTime := timeUnits[e.Unit]
		if derr != nil || !isTime {
			return 0, fmt.Errorf("want a number of %s: %w", e.Unit, memory.ErrInvalid)
		}
		v = float64(d) / float64(unit)
	}
	if !(v >= e.Min && v <= e.Max) {
		return 0, fmt.Errorf("must be %s to %s %s: %w", Figure(e.Min), Figure(e.Max), e.Unit, memory.ErrInvalid)
	}
	if e.value.whole() && v != float64(int64(v)) {
		return 0, fmt.Errorf("must be a whole number of %s: %w", e.Unit, memory.ErrInvalid)
	}
	return v, nil
}

func (t Tuning) nearest(name string) string {
	last := name[strings.LastIndexByte(name, '.')+1:]
	for _, e := range t.entries() {
		if last != "" && strings.HasSuffix(e.Name, "."+last) || strings.ReplaceAll(e.Name, "_", "") == strings.ReplaceAll(name, "_", "") {
			return fmt.Sprintf(" (did you mean %s?)", e.Name)
		}
	}
	return " (hebb tuning lists them)"
}

// Figure writes a number without needless digits.
func Figure(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// number is a field of a Tuning, read and written in its entry's unit.
type number interface {
	get() float64
	set(float64)
	whole() bool
}

type duration struct {
	field *time.Duration
	unit  time.Duration
}

func (d duration) get() float64  { return float64(*d.field) / float64(d.unit) }
func (d duration) set(v float64) { *d.field = time.Duration(v * float64(d.unit)) }
func (d duration) whole() bool   { return false }

type scaled[T int | int64] struct {
	field *T
	unit  T
}

func (s scaled[T]) get() float64  { return float64(*s.field) / float64(s.unit) }
func (s scaled[T]) set(v float64) { *s.field = T(v * float64(s.unit)) }
func (s scaled[T]) whole() bool   { return s.unit == 1 }

// fraction is a field that need not be a whole number and has no unit to be scaled by.
type fraction struct{ field *float64 }

func (f fraction) get() float64  { return *f.field }
func (f fraction) set(v float64) { *f.field = v }
func (f fraction) whole() bool   { return false }

var timeUnits = map[string]time.Duration{"ms": time.Millisecond, "s": time.Second, "min": time.Minute, "h": time.Hour, "days": 24 * time.Hour}
