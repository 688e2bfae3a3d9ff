package daemon

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/code"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/shell"
)

// mostByHand is how many files a person saves at a time. More are a formatter's, a generator's or an editor's that replaces
// a word everywhere: what belongs together does not show in them.
const mostByHand = 30

// notByHand reports whether a file is never a person's edit, by its name: editors' temporary files and copies, logs, and
// what tools write. Most of them are ignored by git or gone when somebody looks.
func notByHand(name string) bool {
	base := path.Base(name)
	if strings.HasSuffix(base, "~") || base == "4913" || base == ".DS_Store" || code.Generated(name) {
		return true
	}
	begins := func(with string) bool { return strings.HasPrefix(base, with) }
	return slices.ContainsFunc([]string{".#", "#", ".goutputstream-", ".nfs", ".~lock.", "~$"}, begins) || strings.Contains(base, "___jb_") ||
		slices.Contains([]string{".swp", ".swo", ".swx", ".tmp", ".temp", ".bak", ".orig", ".rej", ".part", ".log", ".pid", ".lock"}, path.Ext(base))
}

// Lesson is what is to be read again in a work tree.
type Lesson struct {
	WorkTree
	Changed []string // files, sorted
	All     bool     // all files, with their words
	Words   bool     // the words of the changed files, for ranking, as well
	Commits bool     // there are new commits
}

// and is both lessons of a work tree.
func (l Lesson) and(o Lesson) Lesson {
	l.Changed = slices.Compact(slices.Sorted(slices.Values(append(l.Changed, o.Changed...))))
	l.All, l.Words, l.Commits = l.All || o.All, l.Words || o.Words, l.Commits || o.Commits
	return l
}

// agentWindow is how long before or after a change of a file no agent has reported a call, if the change is the person's.
const agentWindow = 10 * time.Second

// byAgent reports whether an agent used a tool about the time of a change.
func byAgent(events []memory.Event, at time.Time) bool {
	return slices.ContainsFunc(events, func(e memory.Event) bool {
		used := e.Kind == memory.ToolPlanned || e.Kind == memory.ToolUsed || e.Kind == memory.ToolFailed
		return used && e.Agent != memory.AgentPerson && e.At.Sub(at).Abs() <= agentWindow
	})
}

// Ran is a command that a person ran in a shell. Its output is not part of it.
type Ran struct {
	Dir     string    `json:"dir"`
	Command string    `json:"command"`
	Status  int       `json:"status"`
	Began   time.Time `json:"began"`
}

// endedByHand are the exit statuses of commands that were mistyped, stopped or ended by a person or the system: they say nothing
// about the work.
var endedByHand = []int{126, 127, 129, 130, 137, 141, 143, 146, 147, 148, 149, 150}

// tells reports whether a command says something about the work: it does more than to show something, and came to its end.
func (r Ran) tells() bool {
	return !slices.Contains(endedByHand, r.Status) && shell.Try(r.Command, r.Status != 0, "").Deed() != shell.Looks
}

// event is the command as an event of the person's session, not yet scrubbed. folder is where it ran, from the top of the project.
func (r Ran) event(at time.Time, place memory.Place, folder string) memory.Event {
	if folder != "." {
		r.Command = "cd " + folder + " && " + r.Command
	}
	e := seen(at, place, "shell", folder, r.Command, strconv.Itoa(r.Status), strconv.FormatInt(r.Began.UnixNano(), 10))
	e.Input = r.Command
	if r.Status != 0 {
		e.Kind, e.Text = memory.ToolFailed, "error: command failed: "+strings.Join(strings.Fields(shell.Form(r.Command, "")), " ")
	}
	return e
}

// seen is something that the person was seen to do with a tool. The parts make it this event, however often it is seen. A
// project has one session of the person for each day.
func seen(at time.Time, place memory.Place, tool string, parts ...string) memory.Event {
	return memory.Event{
		ID: memory.DerivedEventID(append([]string{"person", tool, place.Identity}, parts...)...),
		At: at.UTC().Truncate(time.Millisecond), Kind: memory.ToolUsed, Origin: memory.OriginTool,
		Agent: memory.AgentPerson, AgentSession: at.Local().Format(time.DateOnly), Place: place, Tool: tool,
	}
}

// pending are the files of a work tree that changed and have not been quiet for long enough since, with when each changed last.
type pending map[string]time.Time

// stragglers is how many files may go on changing while all others of a burst are quiet: a log that is being written, for example.
const stragglers = 3

// take removes and returns the files that have been quiet, sorted. Where more than a person saves are changing, it waits for all of them but
// stragglers, so that a burst is seen as one.
func (p pending) take(quiet time.Duration, now time.Time) (names []string) {
	for name, at := range p {
		if now.Sub(at) >= quiet {
			names = append(names, name)
		}
	}
	if len(p) > mostByHand && len(p)-len(names) > stragglers {
		return nil
	}
	for _, name := range names {
		delete(p, name)
	}
	slices.Sort(names)
	return names
}
