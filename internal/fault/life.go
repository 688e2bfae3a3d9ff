package fault

import (
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/shell"
)

// State says what became of a failure.
type State int

const (
	Unknown State = iota // nobody can tell
	Open                 // surely: it was the last to be heard of it, and nothing that could end it happened since
	Likely               // probably fixed: something was changed, the agent ended its turn, and it was not met again
	Over                 // what failed was seen to work
)

// Failure is a run that builds, checks, tests or starts the work and failed for a reason that it
// printed.
type Failure struct {
	memory.Event
	State   State
	Changed []string // files changed since

	key     string
	run     shell.Tried
	altered bool // something happened that may have ended it
}

// Follow goes through what happened, the oldest first, and says what became of each failure, in the
// order of their last run. It is the one rule by which hebb speaks of failures; whoever shows one
// as failing shows only those that are open. Of one agent it is not known how its commands end.
func Follow(events []memory.Event, silent memory.Agent) []Failure {
	var list []Failure
	edited := map[string]bool{}
	for _, e := range events {
		e = Ended(e)
		for _, t := range e.Touches {
			if e.Kind == memory.ToolPlanned || t.Kind == memory.Read || t.Kind == memory.Mention || IsProse(t.Path) {
				continue
			}
			if e.Kind == memory.Committed && edited[t.Path] {
				continue // it was changed before the failure, or the change itself was seen
			}
			edited[t.Path] = true
			for i := range list {
				list[i].change(t.Path)
			}
		}
		switch e.Kind {
		case memory.ToolFailed:
			list = failed(list, e)
		case memory.ToolUsed:
			if shell.IsTool(e.Tool) {
				passed(list, e, e.Agent != silent)
			}
		case memory.TurnEnded:
			for i, f := range list {
				if f.State == Unknown && f.altered && strings.TrimSpace(e.Text) != "" {
					list[i].State = Likely
				}
			}
		}
	}
	return list
}

func (f *Failure) change(path string) {
	if f.State == Over {
		return
	}
	if f.alter(); !slices.Contains(f.Changed, path) {
		f.Changed = append(f.Changed, path)
	}
}

// alter notes that the failure may be over.
func (f *Failure) alter() {
	if f.State != Over {
		f.State, f.altered = Unknown, true
	}
}

// failed adds a failure. It takes the place of those that the same or a wider run met: what it met
// now is what is known.
func failed(list []Failure, e memory.Event) []Failure {
	now := shell.Try(e.Input, true, e.Text)
	key, ok := reason(e, now.Deed())
	if !ok {
		return list
	}
	list = slices.DeleteFunc(list, func(f Failure) bool {
		return f.State != Over && (f.key == key || now.Shows(f.run) != shell.None)
	})
	return append(list, Failure{Event: e, State: Open, key: key, run: now})
}

// passed marks what a run that ended well shows to work: what it covers, and what met the same
// error elsewhere.
func passed(list []Failure, e memory.Event, reported bool) {
	now, over := shell.Try(e.Input, false, ""), map[string]bool{}
	if now.Deed() == shell.Looks {
		return
	}
	for i := range list {
		f := &list[i]
		proof := now.Shows(f.run)
		switch {
		case f.State == Over:
		case proof == shell.Sure && reported:
			f.State = Over
			found, _ := Find(f.Text)
			over[f.key] = !found.Bare()
		case proof != shell.None || now.Altering():
			f.alter()
		}
	}
	for i, f := range list {
		if over[f.key] && f.State != Over {
			list[i].State = Over
		}
	}
}

// IsProse reports whether a file is written for people: no test depends on it.
func IsProse(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".rst", ".adoc", ".txt":
		return true
	}
	return strings.HasPrefix(path.Base(name), ".git") || path.Base(name) == "LICENSE"
}

// reason is why a run failed, if it is one that says something about the work: not a search, not a
// word that was mistyped, not the machine or the network.
func reason(e memory.Event, deed shell.Deed) (key string, ok bool) {
	if !shell.IsTool(e.Tool) || deed < shell.Starts || shell.Blames(e.Input, e.Text) || shell.Detached(e.Input) {
		return "", false
	}
	count, _ := counted(e.Text)
	found, known := Find(e.Text)
	known = known && !found.Vague()
	switch {
	case cutOff(e.Text) && count == 0 || known && found.ofMachine(e.Text) && (count == 0 || found.Kind != "TIMEOUT"):
		return "", false
	case known:
		return found.Key(), true
	case deed == shell.Starts || deed != shell.Lints && count == 0 && len(Files(e.Text)) == 0 && strings.Contains(strings.TrimSpace(e.Text), "\n"):
		return "", false // of several lines none says why; where there is only how it ended, that is all there is to know
	}
	return strings.Join(Telling(e.Text), "\n"), true
}

// cutOff reports whether a run was ended before it was done.
func cutOff(text string) bool {
	return hasAny(text, "SIGTERM", "SIGKILL", "SIGINT", "signal: killed", "signal: terminated", "signal: interrupt", "KeyboardInterrupt", "timed out after", "\nKilled")
}

// ofMachine reports whether the error is about the machine, the network or a tool that is missing:
// nobody knows whether it is still so.
func (f Fault) ofMachine(text string) bool {
	switch f.Kind {
	case "FILE_NOT_FOUND":
		return len(Files(text)) == 0 // a compiler names where the file is asked for
	case statedKind, "BUILD_FAILURE": // a tool's own words, which may be about anything
		return hasAny(strings.ToLower(text), "download", "network", "timed out", "could not resolve", "not installed", "executable", "to connect",
			"cannot connect", "not connect") || strings.HasSuffix(f.Message, "not found")
	case "CONNECTION_REFUSED", "CONNECTION_RESET", "DNS_FAILURE", "ADDRESS_IN_USE", "TLS_ERROR", "AUTHENTICATION_FAILED", "TIMEOUT", "OUT_OF_MEMORY", "DISK_FULL",
		"PERMISSION_DENIED", "COMMAND_NOT_FOUND", "DOCKER_ERROR", "KUBERNETES_ERROR", "GIT_ERROR", "NPM_ERROR", "SYSTEM_ERROR":
		return true
	}
	return hasAny(f.Kind, "CONNECT", "SOCKET", "NETWORK", "HTTP", "URL", "FETCH", "SSL", "RETR")
}

func hasAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// Ended is an event as it truly ended: a run whose end says nothing (| tail, || true, an agent that
// does not report it) failed if what it printed says so. What a run printed that did not fail is
// not kept.
func Ended(e memory.Event) memory.Event {
	if e.Kind != memory.ToolUsed || e.Text == "" || !shell.IsTool(e.Tool) {
		return e
	}
	if failing(e.Text) {
		e.Kind = memory.ToolFailed
	} else {
		e.Text = ""
	}
	return e
}

// failing reports whether what a run printed says that it failed.
func failing(text string) bool {
	count, zero := counted(text)
	found, ok := Find(text)
	switch {
	case count > 0:
		return true
	case !ok:
		return false
	case found.OfCode() || found.Vague():
		return true
	}
	return !zero && !strings.Contains(strings.ToLower(text), "pass")
}

// counted are the failures that a tool counts in its summary ("1 failed, 4 passed", "Errors: 2"),
// and whether it counts none of one kind.
func counted(text string) (most int, zero bool) {
	for _, line := range readableLines(text) {
		words := strings.FieldsFunc(strings.ToLower(line[:min(len(line), longestLine)]), func(r rune) bool { return strings.ContainsRune(" ,;:=()[]#|!", r) })
		for i, w := range words {
			n := 0
			switch strings.TrimSuffix(w, ".") {
			case "fail", "failed", "failing", "failure", "failures", "error", "errors", "problem", "problems", "issue", "issues", "offense", "offenses", "violations":
				switch {
				case i > 0 && isCount(words[i-1]) && !strings.Contains(line, words[i-1]+":"):
					n = i
				case i > 1 && isCount(words[i-2]) && strings.HasPrefix(words[i-1], "test"): // 1 tests failed
					n = i - 1
				case i+1 < len(words) && isCount(words[i+1]):
					n = i + 2
				}
			}
			if n > 0 && strings.Trim(words[n-1], "0.") == "" {
				zero = true
			} else if n > 0 {
				most++
			}
		}
	}
	return most, zero
}

func isCount(word string) bool {
	return word != "" && len(word) < 6 && strings.Trim(word, "0123456789") == ""
}

const (
	tellingLines  = 4 // of what a run printed that say why it failed
	sentenceWords = 3
)

// Telling are the lines of a text that say why a run failed: the most telling one and those that
// follow it.
func Telling(text string) (telling []string) {
	lines := slices.DeleteFunc(readableLines(text), func(l string) bool { return wordsIn(l) == 0 })
	if len(lines) > 1 && inspectWhole(lines[0]).weight == vague {
		lines = lines[1:] // how it ended
	}
	if len(lines) == 0 {
		return nil
	}
	at := -1
	if found, ok := Find(text); ok && !found.Vague() && found.Kind != "BUILD_FAILURE" {
		says := func(text string) bool { one, ok := Find(text); return ok && one.Message == found.Message }
		at = slices.IndexFunc(lines, says)
		for i := 0; at < 0 && i+1 < len(lines); i++ { // what a panic says stands below it
			if says(lines[i] + "\n" + lines[i+1]) {
				at = i
			}
		}
	}
	if at < 0 {
		at = max(slices.IndexFunc(lines, tells), 0)
	}
	for end := at + 1; end < len(lines) && end < at+tellingLines; end++ { // what belongs to it is indented, or a sentence
		if !isBlank(lines[end][0]) && wordsIn(lines[end]) < sentenceWords {
			return lines[at:end]
		}
	}
	return lines[at:min(len(lines), at+tellingLines)]
}

// tells reports whether a line says what went wrong, and not only how often.
func tells(line string) bool {
	n, zero := counted(line)
	return n == 0 && !zero && (hasAny(strings.ToLower(line), "error", "fail", "expected", "assert", "not ok") || !isFrame(line) && len(Files(line)) > 0)
}

// wordsIn counts the words of a line that have letters.
func wordsIn(line string) (n int) {
	for at := 0; at < len(line); {
		l := wordLength(line[at:])
		if l > 1 && !isDigit(line, at) {
			n++
		}
		at += max(l, 1)
	}
	return n
}
