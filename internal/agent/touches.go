package agent

import (
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
)

// touches lists the files that a tool's fields name, each once: edits first, then what was read or
// deleted, then what was mentioned in the answer.
func (a *adapter) touches(p payload, tool *toolRule, event *eventRule, workdir string) []memory.Touch {
	list := touchList{limit: p.limits.TouchLimit, folder: workdir}
	add := func(kind memory.TouchKind, fields []string) {
		for _, field := range fields {
			for _, name := range p.all(event.at(field)) {
				if kind != memory.Mention || fileLike(name) { // what is searched may be a folder
					list.add(kind, absolute(workdir, name))
				}
			}
		}
	}
	add(memory.Edit, tool.edits)
	add(memory.Read, tool.reads)
	add(memory.Delete, tool.deletes)
	add(memory.Mention, tool.mentions)
	if patch := p.at(event.at(tool.patch)); patch.patch {
		list.addPatch(patch.one, workdir)
	}
	if command := p.at(event.at(tool.command)); command.set && !command.patch {
		list.addCommand(scrub.Clean(command.uncut()), workdir) // what is private names no files either
		for _, printed := range a.resultsOf(tool) {
			list.addPrinted(scrub.Clean(p.get(printed)))
		}
	}
	list.addPrinted(scrub.Clean(p.get(tool.printed)))
	if tool.listed {
		for _, names := range a.resultsOf(tool) {
			list.addLines(scrub.Clean(p.get(names)), workdir)
		}
	}
	return list.touches
}

// touchList collects touches, each file once.
type touchList struct {
	touches  []memory.Touch
	limit    int
	folder   string // in which the last command ran
	searches bool   // a command prints names of files
}

func (l *touchList) add(kind memory.TouchKind, path string) {
	known := func(t memory.Touch) bool { return t.Path == path }
	if path != "" && len(l.touches) < l.limit && !slices.ContainsFunc(l.touches, known) {
		l.touches = append(l.touches, memory.Touch{Kind: kind, Path: path})
	}
}

// addLines adds the files named on lines of their own, or before a line number. Lines with spaces
// are sentences.
func (l *touchList) addLines(text, workdir string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		for i := 2; i+1 < len(line); i++ { // C: is no file
			if line[i] == ':' && line[i+1] >= '0' && line[i+1] <= '9' {
				line = line[:i]
			}
		}
		line = strings.TrimPrefix(strings.TrimSuffix(line, ":"), "File: ") // the title above the lines of a file
		whole := Rooted(line) || !strings.Contains(line, " ")
		if whole && fileLike(line) && !strings.Contains(line, " bytes cut] …") {
			l.add(memory.Mention, absolute(workdir, line))
		}
	}
}

// addPrinted adds the files that commands printed: before the number of a line, as searches and
// compilers do, and, where one of them prints names, those that stand on a line of their own with
// their folder. Other words with a dot are mostly no files.
func (l *touchList) addPrinted(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		begin := 0
		if Drive(line) {
			begin = len("C:")
		}
		name, rest, numbered := strings.Cut(line[begin:], ":")
		name = line[:begin] + name
		numbered = numbered && rest != "" && rest[0] >= '0' && rest[0] <= '9'
		alone := l.searches && rest == "" && strings.ContainsAny(name, `/\`)
		if (numbered || alone) && !strings.Contains(name, " ") && plainFileName(name) && !strings.HasPrefix(rest, "//") {
			l.add(memory.Mention, absolute(l.folder, name))
		}
	}
}
