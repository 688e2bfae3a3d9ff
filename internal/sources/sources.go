// Package sources reads what coding agents remember by themselves and the rule files that people
// write for them: CLAUDE.md, AGENTS.md, Codex memories, Cursor rules and the like. It returns one
// line for each fact or rule. It never writes, and it opens no file outside the project and the
// agents' own folders. The texts are other people's: secrets are still in them.
package sources

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

const (
	maxFile  = 1 << 20 // bytes; rule files are a few kilobytes
	maxFiles = 200     // as many memories as Claude Code itself looks at
	maxLines = 2000
	maxText  = 2000 // characters of one line
)

// Machine is what tells where agents keep their files.
type Machine struct {
	Home   string
	Getenv func(string) string
}

// Line is one fact or rule.
type Line struct {
	// Agent is whose memory or rule file it is. It is empty for files that belong to no single
	// agent, such as AGENTS.md.
	Agent memory.Agent
	// Readers are the agents that read the line by themselves. They need not be shown it.
	Readers []memory.Agent
	File    string   // for people: "CLAUDE.md", "~/.codex/AGENTS.md"
	Path    string   // absolute
	Noted   bool     // written by the agent; otherwise by a person
	User    bool     // holds in every project; otherwise in this one
	Globs   []string // the files it is about; none: all
	Text    string
	At      time.Time
}

// Problem is a file that was found but not read, or not to its end.
type Problem struct {
	File string // for people
	What string
	// Again says that it may be read the next time: a file that is locked, or on a disk that is away.
	Again bool
}

// Read returns the lines of every file that agents would read in a project. root is the project's
// main checkout. Files of an agent for which off returns true are left out; off is called with the
// empty name for files that belong to no single agent. A line that stands in several files is
// returned once, with the readers of all of them.
func Read(ctx context.Context, m Machine, root string, off func(memory.Agent) bool) ([]Line, []Problem) {
	f := find(m, root, off)
	var lines []Line
	at := map[string]int{} // index of a line by its text and scope
	for _, file := range f.files {
		if ctx.Err() != nil {
			break
		}
		text, err := file.read()
		if err != nil {
			var asItIs unreadable
			f.problem(file.shown, err.Error(), !errors.As(err, &asItIs))
			continue
		}
		for _, line := range file.lines(text, f.home, f.root) {
			key := fmt.Sprintf("%t %t %q %s", line.User, line.Noted, line.Globs, line.Text)
			if i, ok := at[key]; ok {
				lines[i].Readers = union(lines[i].Readers, line.Readers)
				continue
			}
			if len(lines) == maxLines {
				f.problem(file.shown, fmt.Sprintf("more than %d lines in all files; the rest is not read", maxLines), false)
				return lines, f.problems
			}
			at[key] = len(lines)
			lines = append(lines, line)
		}
	}
	return lines, f.problems
}

// readingVersion is raised when the same files give other lines than before, so that they are read again.
const readingVersion = 1

// Fingerprint changes when a file that Read would read appears, changes or vanishes. It costs a
// look at each file and reads only those that can import others.
func Fingerprint(m Machine, root string, off func(memory.Agent) bool) string {
	sum := sha256.New()
	fmt.Fprintln(sum, readingVersion)
	for _, file := range find(m, root, off).files {
		fmt.Fprintln(sum, file.path, file.real, file.size, file.changed.UnixNano(), file.readers)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// union returns the agents of both lists in the order of their names.
func union(a, b []memory.Agent) []memory.Agent {
	all := append(slices.Clone(a), b...)
	slices.Sort(all)
	return slices.Compact(all)
}

// lines returns the lines of a file.
func (f *file) lines(text, home, root string) []Line {
	header, body := cutHeader(text)
	if !inForce(header) {
		return nil
	}
	var facts []fact
	line := Line{
		Agent: f.agent, Readers: f.readers, File: f.shown, Path: f.path,
		Noted: f.noted, User: f.user, Globs: globs(header, f.below), At: f.changed,
	}
	switch f.form {
	case claudeMemory:
		facts = claudeFacts(header, body)
		if at, err := time.Parse(time.RFC3339, header.one("metadata.modified", "modified")); err == nil {
			line.At = at
		}
	case codexHandbook:
		facts = handbookFacts(body, root)
	case codexSummary:
		facts = sectionsOf(markdownFacts(body), "User preferences", "General Tips")
	case codexNote:
		facts = markdownFacts(body)
		const form = "2006-01-02T15-04-05"
		name := filepath.Base(f.path)
		if at, err := time.Parse(form, name[:min(len(name), len(form))]); err == nil {
			line.At = at
		}
	case kiloMemory:
		facts = kiloFacts(body)
	default:
		facts = withSituation(markdownFacts(body), header)
	}
	var lines []Line
	for _, fact := range facts {
		one := line
		one.Noted = one.Noted || fact.section() == "Gemini Added Memories"
		one.User = one.User && !fact.project
		if one.Noted && one.User { // one folder for all projects: the text may name one of them
			if names(fact.text, root) {
				one.User = false
			} else if names(fact.text, home) || namesFolder(fact.text) {
				continue // of another project
			}
		}
		if one.Text = prose.Shorten(prose.OneLine(fact.text), maxText); one.Text != "" {
			lines = append(lines, one)
		}
	}
	return lines
}

// namesFolder reports whether a text names a folder or file by its whole path.
func namesFolder(text string) bool {
	for word := range strings.FieldsSeq(text) {
		word = strings.Trim(word, "`'\"()[]<>,;:.")
		if strings.HasPrefix(word, "/") && strings.Count(word, "/") > 1 || len(word) > 3 && word[1] == ':' && word[2] == '\\' {
			return true
		}
	}
	return false
}

// names reports whether a text names a file in a folder.
func names(text, folder string) bool {
	for rest := text; folder != ""; {
		_, after, ok := strings.Cut(rest, folder)
		if !ok {
			return false
		}
		next, _ := utf8.DecodeRuneInString(after)
		if after == "" || strings.ContainsRune(`/\ .,;:)'"`+"`", next) {
			return true
		}
		rest = after
	}
	return false
}
