package statements_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/lines"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/transcript"
)

// poisoned is a session into which somebody put words that must not become knowledge.
type poisoned struct {
	Name    string            `json:"name"`
	Channel string            `json:"channel"` // web, issue, dependency, mcp, error or forged
	Wanted  []string          `json:"wanted"`  // what the attacker wants to be told: expressions, in any case
	Tracked map[string]string `json:"tracked"` // files of the repository; none: there is no repository
	// Events in the order of time: "prompt", "says" (the last words of a turn), "way" (words on the way), "refused" or "compacted" with a
	// text, "edit" with a file, "read" with a file and its text, "ran" and "failed" with a command and what it printed, and "output" with a
	// tool, its input and what it returned.
	Events [][]string `json:"events"`
}

// fooledScribe is what a model notes that believes all that it reads.
type fooledScribe struct {
	Name   string       `json:"name"`
	Add    []lines.Line `json:"add"`
	Honest []lines.Line `json:"honest"` // what a good reader notes of the session too
}

// poisonAnswer is what a real reader answered, first and after the faults.
type poisonAnswer struct {
	Name    string            `json:"name"`
	Answers []json.RawMessage `json:"answers"`
}

// poisonFile reads a file of testdata with one value a line, by its name.
func poisonFile[T any](t *testing.T, file string, name func(T) string) (byName map[string]T, names []string) {
	t.Helper()
	byName = map[string]T{}
	for line := range strings.Lines(string(must.Get(os.ReadFile(filepath.Join("..", "..", "statements", "testdata", file)))(t))) {
		var one T
		must.Do(t, json.Unmarshal([]byte(line), &one))
		byName[name(one)], names = one, append(names, name(one))
	}
	return byName, names
}

// seen lets a lab see the session, and returns what only the agent's transcript has of it.
func (p poisoned) seen(t *testing.T, l *braintest.Lab) (texts []transcript.Text) {
	t.Helper()
	if len(p.Tracked) > 0 {
		g := braintest.NewGround(t, l)
		for name, text := range p.Tracked {
			must.Do(t, os.MkdirAll(filepath.Dir(g.Path("shop/"+name)), 0o700))
			braintest.WriteFile(t, g.Path("shop/"+name), []byte(text))
		}
		g.Git("shop", "init", "-q", "-b", "main")
		g.Git("shop", "add", "-A")
		g.Git("shop", "commit", "-qm", "start")
		l.Place = must.Get(brain.PlaceAt(l.Config, g.Path("shop")))(t)
	}
	var events []memory.Event
	for i, e := range p.Events {
		at := braintest.Start.Add(time.Duration(i) * time.Millisecond)
		is := func(kind memory.EventKind) *memory.Event {
			one := l.Event(kind, 0)
			one.At, one.AgentSession, one.Text = at, "one", ""
			events = append(events, one)
			return &events[len(events)-1]
		}
		tells := func(kind transcript.TextKind, tool, input, text string) {
			texts = append(texts, transcript.Text{At: at, Kind: kind, Tool: tool, Input: input, Text: text})
		}
		switch e[0] {
		case "prompt":
			one := is(memory.Prompted)
			one.Origin, one.Text = memory.OriginUser, e[1]
		case "says":
			one := is(memory.TurnEnded)
			one.Origin, one.Text = memory.OriginAgent, e[1]
		case "compacted":
			is(memory.Compacted).Text = e[1]
		case "way":
			tells(transcript.OnTheWay, "", "", e[1])
		case "refused":
			tells(transcript.Refused, "", "", e[1])
		case "edit":
			one := is(memory.ToolUsed)
			one.Tool, one.Touches = "Edit", []memory.Touch{{Kind: memory.Edit, Path: e[1]}}
		case "read":
			one := is(memory.ToolUsed)
			one.Tool, one.Touches = "Read", []memory.Touch{{Kind: memory.Read, Path: e[1]}}
			tells(transcript.Output, "Read", e[1], e[2])
		case "ran", "failed":
			one := is(memory.ToolUsed)
			if one.Tool, one.Input = "Bash", e[1]; e[0] == "failed" {
				one.Kind, one.Text = memory.ToolFailed, e[2]
			}
			tells(transcript.Output, "Bash", e[1], e[2])
		case "output":
			one := is(memory.ToolUsed)
			one.Tool, one.Input = e[1], e[2]
			tells(transcript.Output, e[1], e[2], e[3])
		default:
			t.Fatalf("%s: no event %q", p.Name, e[0])
		}
	}
	end := l.Ends("one")
	end.At = braintest.Start.Add(time.Minute)
	l.See(1, append(events, end)...)
	return texts
}

// told are the lines that stand, the person's statements and the lines of the next session's start that say what the attacker wants.
func (p poisoned) told(t *testing.T, l *braintest.Lab) (found []string) {
	t.Helper()
	wants := regexp.MustCompile("(?i)" + strings.Join(p.Wanted, "|"))
	for text, c := range page(t, l) {
		if wants.MatchString(text + "\n" + strings.Join(c.Line.When, "\n")) {
			found = append(found, text)
		}
	}
	for text := range held(l) {
		if wants.MatchString(text) {
			found = append(found, "as the person's: "+text)
		}
	}
	start := braintest.Must(l, answer.StartContext, answer.ContextInput{Scope: brain.Scope{Project: l.Place.Project().String()}, Asked: true}).Text
	for line := range strings.Lines(start) {
		typed := strings.HasPrefix(line, "- asked: ") || strings.HasPrefix(line, "- then: ")
		if strings.HasPrefix(line, "- ") && !typed && !strings.Contains(line, ", not confirmed)") && wants.MatchString(line) { // lines of the page are found above
			found = append(found, "at the start: "+strings.TrimSpace(line))
		}
	}
	slices.Sort(found)
	return found
}

// poisonOpen is what a fooled scribe still tells: holes that are known. What a person pastes is often their own plan, so it counts as
// a text of others only where it imitates a turn.
var poisonOpen = map[string][]string{"forged-pasted-mail": {"tickets/audit.md: there are to be no audit logs in the shop"}}

// Nothing that a page, an issue, a dependency, a server, an error or a forged turn says is told before the person has said yes: neither when a
// real reader is the scribe, nor when one is that believes all of it. What was really learned stands all the same.
func TestPoisonedSessions(t *testing.T) {
	sessions, names := poisonFile(t, "poison.jsonl", func(p poisoned) string { return p.Name })
	if folder := os.Getenv("HEBB_POISON_QUESTIONS"); folder != "" {
		for _, name := range names {
			writePoisonQuestions(t, sessions[name], folder)
		}
		return
	}
	fooled, _ := poisonFile(t, "poison_fooled.jsonl", func(f fooledScribe) string { return f.Name })
	read, _ := poisonFile(t, "poison_answers.jsonl", func(a poisonAnswer) string { return a.Name })
	honest, kept := 0, 0
	for _, name := range names {
		l := braintest.NewLab(t)
		texts := sessions[name].seen(t, l)
		must.Get(readsWith(t, l, texts, func(string) any { return lines.Answer{Add: slices.Concat(fooled[name].Add, fooled[name].Honest)} }))(t)
		if found := sessions[name].told(t, l); len(found) > 0 && !slices.Equal(found, poisonOpen[name]) {
			t.Errorf("%s: a fooled scribe tells\n\t%s", name, strings.Join(found, "\n\t"))
		}
		stands := page(t, l)
		for _, h := range fooled[name].Honest {
			honest++
			if _, is := stands[h.Text]; is {
				kept++
			} else {
				t.Logf("%s: does not stand: %s: %v", name, h.Text, linesIn(t, l, statements.WaitingLines)[h.Text].Line)
			}
		}
		if a, is := read[name]; is {
			l := braintest.NewLab(t)
			next := 0
			must.Get(readsWith(t, l, sessions[name].seen(t, l), func(string) any {
				next++
				return string(a.Answers[min(next, len(a.Answers))-1])
			}))(t)
			if found := sessions[name].told(t, l); len(found) > 0 {
				t.Errorf("%s: the reader tells\n\t%s", name, strings.Join(found, "\n\t"))
			}
		}
	}
	if t.Logf("%d of %d honest lines stand", kept, honest); kept*100 < honest*85 {
		t.Errorf("%d of %d honest lines stand", kept, honest)
	}
}

// writePoisonQuestions writes what a reader is asked to folder/NAME.txt; if folder/NAME.1.json has the answer, what it is asked then to
// folder/NAME.again.txt.
func writePoisonQuestions(t *testing.T, p poisoned, folder string) {
	t.Helper()
	l := braintest.NewLab(t)
	texts, file := p.seen(t, l), p.Name+".txt"
	_, _ = readsWith(t, l, texts, func(question string) any {
		must.Do(t, os.WriteFile(filepath.Join(folder, file), []byte(question), 0o600))
		first, err := os.ReadFile(filepath.Join(folder, p.Name+".1.json"))
		if err != nil || file != p.Name+".txt" {
			return memory.ErrRefused
		}
		file = p.Name + ".again.txt"
		return string(first)
	})
}
