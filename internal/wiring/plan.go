package wiring

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

// Order says what is to be wired, and where.
type Order struct {
	Program string // absolute path of a hebb that stays where it is
	Project string // folder of the project to wire; empty: the person's own settings
	Snippet bool   // also say a word about hebb in the file that the agent reads first
	Anyway  bool   // even where the agent was not found
}

// called is what agents run. Files of a project are shared with others, so a path of this machine has no place in them.
func (o Order) called() string {
	if o.Project != "" {
		return "hebb"
	}
	return o.Program
}

// Plan is all that wiring or unwiring one agent changes.
type Plan struct {
	Agent   memory.Agent
	Changes []Change // of files that change; the first is the one with the hooks, if that is among them
	Notes   []string // what a person has to do or to know afterwards
}

// located is a part with its place on a machine.
type located struct {
	part
	file string
	base string // folder that stays, however empty

	shared bool // it is a project's
}

// partsFor lists the files that an order is about.
func (s *settings) partsFor(m Machine, o Order, snippets bool) []located {
	folder, moved := s.folderIn(m)
	var list []located
	for _, p := range s.parts {
		if p.snippet && !snippets {
			continue
		}
		l := located{part: p, base: m.Home}
		switch rest, home := strings.CutPrefix(p.user, "~/"); {
		case o.Project != "" && p.project != "":
			l.shared, l.base, l.file = true, o.Project, filepath.Join(o.Project, filepath.FromSlash(p.project))
			if l.mode == 0 {
				l.mode = fileForAll
			}
		case o.Project != "" || p.user == "":
			continue
		case home && p.moves && moved:
			l.file = filepath.Join(folder, filepath.FromSlash(rest))
		case home:
			l.file = filepath.Join(m.Home, filepath.FromSlash(rest))
		default:
			l.file = filepath.Join(folder, filepath.FromSlash(p.user))
		}
		if p.within != "" && !isFolder(filepath.Join(m.Home, filepath.FromSlash(p.within))) {
			continue
		}
		if other := filepath.Join(filepath.Dir(l.file), p.other); p.other != "" && !exists(l.file) && exists(other) {
			l.file = other
		}
		list = append(list, l)
	}
	return list
}

// readOptional reads a file; nil stands for none.
func readOptional(name string) ([]byte, error) {
	source, err := filesys.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && source == nil:
		return []byte{}, nil
	}
	return source, err
}

// PlanWire returns the edits that make an agent call hebb, none if it does.
func PlanWire(ctx context.Context, m Machine, name memory.Agent, o Order) (Plan, error) {
	s, err := inspect(ctx, m, name, o)
	switch {
	case err != nil:
		return Plan{}, err
	case s.settings == nil:
		return Plan{}, notWirable(name)
	case !s.Found && !o.Anyway:
		return Plan{}, fmt.Errorf("wire %s: not installed here: %w", s.Agent, memory.ErrNotFound)
	case s.err != nil:
		return Plan{}, fmt.Errorf("wire %s: %w", s.Agent, s.err)
	case !isMCPCommand([]string{o.Program, "mcp"}):
		return Plan{}, fmt.Errorf("wire %s: program %q: hebb would not know its entries again; give it a name with hebb in it: %w",
			s.Agent, o.Program, memory.ErrInvalid)
	}
	p := Plan{Agent: s.Agent, Notes: s.settings.notes}
	if o.Project != "" {
		p.Notes = s.settings.projectNotes
	}
	for _, c := range s.changes {
		if !c.Empty() {
			p.Changes = append(p.Changes, c)
		}
	}
	return p, nil
}

// PlanUnwire returns the edits that take hebb out. A file that nobody else changed meanwhile is again what it was, byte for byte; from others
// hebb's entries go. One that hebb itself made is removed: then there is no backup and nothing is left in it.
func PlanUnwire(m Machine, name memory.Agent, o Order) (Plan, error) {
	s := settingsFor(string(name))
	if s == nil {
		return Plan{Agent: name}, notWirable(name)
	}
	p := Plan{Agent: s.agent}
	for _, l := range s.partsFor(m, o, true) {
		j := job{settings: s}
		c := l.change()
		var err error
		if c.Old, err = readOptional(c.File); err != nil {
			return Plan{}, fmt.Errorf("unwire %s: %w", s.agent, err)
		}
		if c.Old == nil {
			continue
		}
		backup, missing := filesys.ReadFile(c.File + backupSuffix)
		if missing == nil {
			j.before = backup
		}
		var r report
		if c.New, r, err = l.edit.take(c.Old, j); err != nil {
			return Plan{}, fmt.Errorf("unwire %s: %s: %w", s.agent, c.File, err)
		}
		if c.ours = r.ours; !c.ours {
			continue
		}
		switch {
		case c.New == nil:
		case missing == nil && l.restores(backup, c.New, j):
			c.New = backup
		case errors.Is(missing, fs.ErrNotExist) && l.restores(nil, c.New, j):
			c.New = nil
		}
		p.Changes = append(p.Changes, c)
	}
	return p, nil
}

// restores reports whether what is left without hebb is what putting hebb into a file and taking it out again makes of that
// file, or of none: then that file can take its place.
func (l located) restores(before, without []byte, j job) bool {
	j.program = "hebb"
	wired, r, err := l.edit.put(before, j)
	if err != nil || r.ours {
		return false
	}
	again, _, err := l.edit.take(wired, j)
	return err == nil && bytes.Equal(again, without)
}

func (l located) change() Change {
	_, own := l.edit.(ownFile)
	return Change{File: l.file, mode: l.mode, base: l.base, shared: l.shared, own: own}
}

// Empty reports whether there is nothing to do.
func (p Plan) Empty() bool { return len(p.Changes) == 0 }

// Diff shows all edits to a person, in the manner of diff -u.
func (p Plan) Diff() string {
	var b strings.Builder
	for _, c := range p.Changes {
		b.WriteString(c.Diff())
	}
	return b.String()
}

// Apply makes all the edits or none: if one fails, those before it are taken back. Where hebb is taken out, the folders that
// it made go as well, as far as nothing else is in them.
func (p Plan) Apply() error {
	for i, c := range p.Changes {
		err := c.Apply()
		if err == nil {
			continue
		}
		for k := i - 1; k >= 0; k-- {
			if undo := p.Changes[k].reverse().Apply(); undo != nil {
				err = fmt.Errorf("%w; what was changed before could not be taken back: %w", err, undo)
			}
		}
		for _, made := range p.Changes[:i+1] {
			if made.wires && made.Old == nil {
				made.removeFolders(false)
			}
		}
		return err
	}
	for _, c := range p.Changes {
		if !c.wires {
			_ = filesys.Remove(c.File + backupSuffix) // it has served, or there is none
			c.removeFolders(true)
		}
	}
	return nil
}
