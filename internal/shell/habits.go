package shell

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"
)

// Ran is a line that was run in a session, and how it ended.
type Ran struct {
	Session int64
	Line    string
	Failed  bool
	At      time.Time
}

// Habit is what is done again and again and works: commands that follow each other.
type Habit struct {
	Steps    []string
	Sessions int // in which it passed
	Last     time.Time

	times int
	in    map[int64]bool
}

const (
	habitSteps    = 4         // of the longest procedure
	habitPause    = time.Hour // between two steps that belong together
	habitFailures = 3         // in a row, at the end, by which a command shows that it does not work any more
	stepLength    = 60        // bytes; a longer command is a script of its own
)

// Habits finds what is done again and again in the lines that sessions ran, each session's in
// order. A line counts only if its success cannot be masked. A procedure is what passed in at least
// so many sessions; a command that failed three times in a row at the end is none, nor a part of one.
func Habits(ran []Ran, root string, least int) (procedures []Habit) {
	failures := map[string]int{}
	for _, r := range slices.SortedStableFunc(slices.Values(ran), func(a, b Ran) int { return a.At.Compare(b.At) }) {
		done := steps(r.Line, root)
		for _, s := range done {
			if !r.Failed {
				failures[s] = 0
			} else if len(done) == 1 { // of several nobody knows which one failed
				failures[s]++
			}
		}
	}
	chains := map[string]*Habit{}
	var chain []Ran // the latest steps of the session, each a line of its own
	for _, r := range ran {
		if r.Failed {
			continue
		}
		if n := len(chain); n > 0 && (chain[n-1].Session != r.Session || r.At.Sub(chain[n-1].At) > habitPause) {
			chain = nil
		}
		for _, s := range steps(r.Line, root) {
			if n := len(chain); n > 0 && chain[n-1].Line == s {
				chain[n-1].At = r.At
				continue
			}
			chain = append(chain, Ran{Session: r.Session, Line: s, At: r.At})
			chain = chain[max(0, len(chain)-habitSteps):]
			for from := range len(chain) - 1 {
				var list []string
				for _, c := range chain[from:] {
					list = append(list, c.Line)
				}
				if len(slices.Compact(slices.Sorted(slices.Values(list)))) == len(list) {
					see(chains, list, r)
				}
			}
		}
	}
	works := func(h Habit) bool {
		return !slices.ContainsFunc(h.Steps, func(s string) bool { return failures[s] >= habitFailures })
	}
	for _, h := range ordered(chains) {
		within := func(other Habit) bool { return holds(other.Steps, h.Steps) || holds(h.Steps, other.Steps) }
		if h.Sessions >= least && works(h) && !slices.ContainsFunc(procedures, within) {
			procedures = append(procedures, h)
		}
	}
	return procedures
}

// see counts that a session did something.
func see(habits map[string]*Habit, list []string, r Ran) {
	key := strings.Join(list, "\n")
	h := habits[key]
	if h == nil {
		h = &Habit{Steps: list, in: map[int64]bool{}}
		habits[key] = h
	}
	h.in[r.Session] = true
	h.Sessions, h.times = len(h.in), h.times+1
	if r.At.After(h.Last) {
		h.Last = r.At
	}
}

// ordered are habits, first those that say most: many steps in many sessions.
func ordered(habits map[string]*Habit) (list []Habit) {
	for _, h := range habits {
		list = append(list, *h)
	}
	slices.SortFunc(list, func(a, b Habit) int {
		worth := func(h Habit) int { return h.Sessions * (len(h.Steps) - 1) }
		return cmp.Or(cmp.Compare(worth(b), worth(a)), cmp.Compare(b.times, a.times), slices.Compare(a.Steps, b.Steps))
	})
	return list
}

// holds reports whether all of some steps are among others, in any order.
func holds(all, some []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// forges keep what was made. What they are asked with differs each time.
var forges = []string{"git", "gh", "hg", "jj"}

// deeds of forges are steps of a procedure; what else they are asked is looking around.
var deeds = []string{"commit", "push", "tag", "merge", "rebase", "pr create", "pr merge", "release create"}

// steps are the commands of a line that do work, by what makes them the same again.
func steps(line, root string) (list []string) {
	for _, r := range Runs(line, root) {
		step := r.String()
		if slices.Contains(forges, r.Program) {
			words := slices.DeleteFunc(slices.Clone(r.Args), func(a string) bool { return strings.HasPrefix(a, "-") })
			deed := strings.Join(words[:min(len(words), 2)], " ")
			if !slices.Contains(deeds, deed) {
				deed = r.Sub()
			}
			if step = r.Program + " " + deed; !slices.Contains(deeds, deed) {
				continue
			}
		}
		odd := func(a string) bool {
			return strings.ContainsAny(a, " \t\n'\"`") || strings.ContainsRune(a, Expanded) || path.IsAbs(a) || strings.HasPrefix(a, "~")
		}
		if r.Utility() || r.Masked || len(step) > stepLength || !slices.Contains(forges, r.Program) && (odd(r.Program) || slices.ContainsFunc(r.Args, odd)) {
			continue
		}
		list = append(list, step)
	}
	return list
}
