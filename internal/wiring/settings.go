package wiring

import (
	"io/fs"

	"github.com/tailscale/hujson"

	"github.com/hebb-memory/hebb/internal/memory"
)

// settings says how hebb is wired to one agent: where the agent is, which hooks are wanted and which files say so.
type settings struct {
	agent   memory.Agent
	aliases []string // other names that people type, beside those of the adapter

	program     string   // its name on PATH
	places      []string // where else it may be, below the home folder
	folderEnv   string   // variable that moves the folder
	folderBelow string   // below the folder that the variable names
	folder      string   // below the home folder
	noted       noted

	parts []part

	hooks  []hookRule
	layout layout
	// modern is the first version that knows all hooks and their options. Before it, one unknown event made Claude
	// Code ignore the whole file.
	modern version
	// off is where a person switches all hooks off in the settings, if the agent has such a switch.
	off toggle

	// plain says that the agent ignores the whole file of its hooks if that has comments or trailing commas.
	plain bool

	// notes are what a person has to do or to know after wiring, projectNotes after wiring a project.
	notes, projectNotes []string
}

// hookRule is one hook that hebb wants.
type hookRule struct {
	event   string
	async   bool   // the agent need not wait: nothing is answered
	modern  bool   // unknown to old versions
	old     bool   // only for old versions, which have nothing better
	matcher string // which tools; empty is all
	timeout int    // in seconds, where the agent allows less than hookTimeout
}

// layout is how an agent writes a hook.
type layout struct {
	flat bool // hooks stand in the event's list itself, else in groups with a matcher
	// write makes the hook that runs a command line.
	write func(command string, h hookRule) handler
	// root is a member that the file must have.
	rootKey   string
	rootValue int
}

// toggle is a switch in a settings file: at path stands value when hooks are off.
type toggle struct {
	path  []string
	value bool
}

// hookTimeout is the time in seconds after which an agent stops waiting for a hook. hebb ends long before; without it a hook at
// the end of a session has 1.5 seconds and all others ten minutes. It is no setting, because it is written into the agent's file:
// a change would do nothing until the next wiring, and the doctor would report every hook as out of date.
const hookTimeout = 5

// handler and group are hooks as they stand in the file; each agent uses some of the fields. A group without matcher is
// for all tools. onFailure and failClosed are never set: a memory that fails must not stop the work.
type (
	handler struct {
		Name       string `json:"name,omitempty"`
		Matcher    string `json:"matcher,omitempty"` // where hooks do not stand in groups
		Type       string `json:"type,omitempty"`
		Command    string `json:"command,omitempty"`
		Bash       string `json:"bash,omitempty"`
		PowerShell string `json:"powershell,omitempty"`
		Timeout    int    `json:"timeout,omitempty"`
		TimeoutSec int    `json:"timeoutSec,omitempty"`
		Async      bool   `json:"async,omitempty"`
	}
	group struct {
		Matcher string    `json:"matcher,omitempty"`
		Hooks   []handler `json:"hooks"`
	}
)

// seconds is how long the agent may wait for a hook.
func (h hookRule) seconds() int {
	if h.timeout > 0 {
		return h.timeout
	}
	return hookTimeout
}

// fits reports whether a hook of ours with a matcher receives all that this rule wants.
func (h hookRule) fits(matcher string) bool {
	return matcher == h.matcher || h.matcher == "" && matcher == "*"
}

// wanted lists the hooks for a version of the agent. A version that is not known counts as old: its hooks are fewer
// and are waited for, but they work everywhere.
func (s *settings) wanted(v version) []hookRule {
	var list []hookRule
	old := v.before(s.modern)
	for _, h := range s.hooks {
		switch {
		case old && h.modern, !old && h.old:
			continue
		case old:
			h.async = false
		}
		list = append(list, h)
	}
	return list
}

// entry is one of our handlers, found in a file.
type entry struct {
	event     string
	before    string // variables set in front of the command
	program   string
	matcher   string // which tools, sources, reasons … its group is for
	onFailure bool
	value     *hujson.Value
}

// noted is where an agent writes down which version of it ran last.
type noted struct {
	file string // below the home folder, or in the agent's where a variable has moved that
	keys []string
}

// part is one file in which hebb has something to say to an agent.
type part struct {
	user    string // below the agent's folder, or ~/ below the home folder; empty: not there for a person
	project string // below the project's folder; empty: not there for a project
	moves   bool   // a file beside the agent's folder is in it where a variable has moved that
	other   string // a name that is taken instead where such a file is there
	within  string // only where this folder is, below the home folder
	snippet bool   // only where it was asked for
	mode    fs.FileMode
	edit    editor
}

// job is the input of an editor.
type job struct {
	settings *settings
	version  version
	program  string
	before   []byte // the file before hebb, where that is known: what was empty then is kept
}

// report is what an editor found in the file.
type report struct {
	ours    bool // hebb is in the file
	missing []string
	entries []entry
	off     bool
}

// editor changes files of one kind.
type editor interface {
	// put returns the file with hebb in it. A source of nil stands for no file.
	put(source []byte, j job) ([]byte, report, error)
	// take returns the file without hebb; nil if all of it is hebb's.
	take(source []byte, j job) ([]byte, report, error)
}
