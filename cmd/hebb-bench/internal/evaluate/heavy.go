package evaluate

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// heavy makes the events of sessions as hooks report them in heavy daily use: prompts, reads,
// searches, edits, commands that fail and pass, closing messages, ends, and a commit after most
// sessions. Everything is drawn from one seed.
type heavy struct {
	random *rand.Rand
	place  memory.Place
	files  []string
	count  int
	number int // of sessions
}

const (
	heavySession = 150 // events of a session
	heavyTurn    = 18  // events of a turn
	heavyArea    = 40  // neighbouring files that a session works on
	heavyFiles   = 2000
	heavyPerDir  = 20
)

func newHeavy(place memory.Place) *heavy {
	h := &heavy{random: rand.New(rand.NewPCG(400, 150)), place: place}
	for i := range heavyFiles {
		if i%heavyPerDir == 0 {
			h.number++
		}
		h.files = append(h.files, fmt.Sprintf("%s%d/%s_%s%d.go", largeWords[i/heavyPerDir%len(largeWords)], h.number, h.word(), h.word(), i))
	}
	h.number = 0
	return h
}

func (h *heavy) word() string { return largeWords[h.random.IntN(len(largeWords))] }

func (h *heavy) chance(share float64) bool { return h.random.Float64() < share }

// words are n of them in a row.
func (h *heavy) words(n int) string {
	text := h.word()
	for range n - 1 {
		text += " " + h.word()
	}
	return text
}

func (h *heavy) event(at time.Time, kind memory.EventKind, session string) memory.Event {
	h.count++
	e := memory.Event{
		ID: memory.DerivedEventID("heavy", fmt.Sprint(h.count)), At: at, Kind: kind, Origin: memory.OriginTool,
		Agent: "claude-code", AgentSession: session, Place: h.place,
	}
	switch kind {
	case memory.Prompted:
		e.Origin = memory.OriginUser
	case memory.TurnEnded:
		e.Origin = memory.OriginAgent
	}
	return e
}

// turns are the next session, a slice of events for each turn; the last one ends the session.
func (h *heavy) turns(begin time.Time) (turns [][]memory.Event) {
	h.number++
	session := fmt.Sprintf("heavy-%d", h.number)
	first := h.random.IntN(len(h.files) - heavyArea)
	area := h.files[first : first+heavyArea]
	at := begin
	var changed []memory.Touch
	var failed string // the command that has to pass
	start := h.event(at, memory.SessionStarted, session)
	start.Input = "startup"
	turn := []memory.Event{start}
	for n := 1; n < heavySession-1; n++ {
		at = at.Add(time.Duration(5+h.random.IntN(30)) * time.Second)
		file := area[h.random.IntN(len(area))]
		switch place := n % heavyTurn; {
		case place == 1:
			e := h.event(at, memory.Prompted, session)
			e.Text = h.prompt(file)
			turn = append(turn, e)
		case place == 0:
			e := h.event(at, memory.TurnEnded, session)
			e.Text = fmt.Sprintf("I changed the %s so that the %s no longer waits for the %s. The tests of %s pass. %s.",
				h.word(), h.word(), h.word(), h.word(), h.words(25))
			turns, turn = append(turns, append(turn, e)), nil
		case failed != "" && h.chance(.4):
			e := h.event(at, memory.ToolUsed, session)
			e.Tool, e.Input, failed = "Bash", failed, ""
			turn = append(turn, e)
		default:
			e := h.call(at, session, file)
			if e.Kind == memory.ToolFailed {
				failed = e.Input
			}
			if e.Tool == "Edit" {
				changed = append(changed, e.Touches...)
			}
			turn = append(turn, e)
		}
	}
	turn = append(turn, h.event(at.Add(time.Minute), memory.SessionEnded, session))
	if len(changed) > 0 && h.chance(.7) {
		turn = append(turn, h.commit(at.Add(2*time.Minute), changed))
	}
	return append(turns, turn)
}

// prompt is what a person writes: a task, sometimes a file, sometimes something to keep.
func (h *heavy) prompt(file string) string {
	text := fmt.Sprintf("Please %s the %s of the %s: the %s %s returns an old %s after a %s, see %s.",
		h.word(), h.word(), h.word(), h.word(), h.word(), h.word(), h.word(), h.words(8))
	if h.chance(.3) {
		text += " Start with " + file + "."
	}
	if h.chance(.1) {
		text += fmt.Sprintf(" From now on always run the %s check before you commit the %s.", h.word(), h.word())
	}
	if h.chance(.1) {
		text += fmt.Sprintf(" We decided to use %s instead of %s for the %s.", h.word(), h.word(), h.word())
	}
	return text
}

// call is one call of a tool.
func (h *heavy) call(at time.Time, session, file string) memory.Event {
	size := int64(500 + h.random.IntN(8000))
	e := h.event(at, memory.ToolUsed, session)
	e.ResultBytes = &size
	switch draw := h.random.Float64(); {
	case draw < .42:
		e.Tool, e.Touches = "Read", []memory.Touch{{Kind: memory.Read, Path: file}}
	case draw < .64:
		e.Tool, e.Touches = "Edit", []memory.Touch{{Kind: memory.Edit, Path: file}}
	case draw < .74:
		e.Tool, e.Input = "Grep", h.words(2)
		for range 6 {
			e.Touches = append(e.Touches, memory.Touch{Kind: memory.Mention, Path: h.files[h.random.IntN(len(h.files))]})
		}
	case draw < .94:
		e.Tool, e.Input = "Bash", h.command(file)
	default:
		e.Kind, e.Tool, e.Input = memory.ToolFailed, "Bash", h.command(file)
		e.Text = fmt.Sprintf("--- FAIL: Test%s%d (0.01s)\n    %s:%d: the %s is %d, want %d\n%s: undefined: %s%s\nFAIL\nexit status 1",
			h.word(), h.random.IntN(50), file, h.random.IntN(900), h.word(), h.random.IntN(99), h.random.IntN(99), file, h.word(), h.word())
	}
	return e
}

// command is a command line: most are the same again and again.
func (h *heavy) command(file string) string {
	switch h.random.IntN(5) {
	case 0:
		return "git status --short"
	case 1:
		return "go test ./" + file[:len(file)-3] + "/..."
	case 2:
		return "make lint"
	case 3:
		return fmt.Sprintf("sed -n %d,%dp %s | head -%d", h.random.IntN(500), 500+h.random.IntN(500), file, h.random.IntN(100))
	}
	return fmt.Sprintf("cd %s && go build ./... 2>&1 | grep %s | tail -%d", file[:len(file)-3], h.word(), h.random.IntN(40))
}

func (h *heavy) commit(at time.Time, changed []memory.Touch) memory.Event {
	e := h.event(at, memory.Committed, "")
	e.Agent, e.Origin, e.Input = memory.AgentGit, memory.OriginRepo, string(e.ID)
	e.Text = fmt.Sprintf("%s: %s the %s of the %s", h.word(), h.word(), h.word(), h.word())
	seen := map[string]bool{}
	for _, t := range changed {
		if !seen[t.Path] {
			seen[t.Path] = true
			e.Touches = append(e.Touches, t)
		}
	}
	return e
}
