package memory

import (
	"strings"
)

// FileSource is where a text of OriginFile stands. Its String is the Source of the crystal.
type FileSource struct {
	File    string  // for people: "CLAUDE.md", "~/.codex/AGENTS.md"
	For     string  // the files it is about, as patterns; empty: all
	By      Agent   // the agent that noted it by itself; empty: people wrote it
	Readers []Agent // who reads the file without hebb
}

// String is such as "CLAUDE.md (read by claude-code, copilot)" or "~/x.md (noted by codex; read by codex)".
func (f FileSource) String() string {
	var about []string
	if f.For != "" {
		about = append(about, isFor+f.For)
	}
	if f.By != "" {
		about = append(about, notedBy+string(f.By))
	}
	var readers []string
	for _, a := range f.Readers {
		readers = append(readers, string(a))
	}
	if len(readers) > 0 {
		about = append(about, readBy+strings.Join(readers, ", "))
	}
	return f.File + " (" + strings.Join(about, "; ") + ")"
}

const (
	isFor   = "for "
	notedBy = "noted by "
	readBy  = "read by "
)

// FileSource returns where a text stands that was read from a file of an agent, and whether it was.
func (c Crystal) FileSource() (f FileSource, ok bool) {
	at := strings.LastIndex(c.Source, " (")
	if c.Origin != OriginFile || at < 0 {
		return f, false
	}
	f.File = c.Source[:at]
	for part := range strings.SplitSeq(strings.TrimSuffix(c.Source[at+2:], ")"), "; ") {
		if patterns, is := strings.CutPrefix(part, isFor); is {
			f.For = patterns
		}
		if by, is := strings.CutPrefix(part, notedBy); is {
			f.By = Agent(by)
		}
		if readers, is := strings.CutPrefix(part, readBy); is {
			for one := range strings.SplitSeq(readers, ", ") {
				f.Readers = append(f.Readers, Agent(one))
			}
		}
	}
	return f, true
}

// Label says whose words they are: "Claude noted", or the name of the file.
func (f FileSource) Label() string {
	if f.By == "" {
		return f.File
	}
	name, _, _ := strings.Cut(string(f.By), "-")
	return strings.ToUpper(name[:1]) + name[1:] + " noted"
}
