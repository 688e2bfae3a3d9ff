package wiring

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
)

// tomlHooks puts the hooks of an agent into TOML, each as a [[hooks]] table of its own, and takes them out. Entries of others stay.
type tomlHooks struct{}

// tomlHook is a hook of ours as it stands in the file.
type tomlHook struct {
	entry
	command string
	line    tomlLine   // of the command
	lines   []tomlLine // of the table
}

// ownHooks lists the hooks of ours. Where hooks are not [[hooks]] tables, it is an error to want some there.
func (s *settings) ownHooks(t *tomlText, wanted bool) (list []tomlHook, err error) {
	hooks, isList := t.values["hooks"].([]any)
	var tables [][]tomlLine
	for _, l := range t.under([]string{"hooks"}) {
		if l.header && len(l.path) == 1 {
			tables = append(tables, nil)
		}
		if len(tables) > 0 {
			tables[len(tables)-1] = append(tables[len(tables)-1], l)
		}
	}
	if lines := t.under([]string{"hooks"}); len(lines) > 0 && (!isList || len(tables) != len(hooks)) {
		own := slices.ContainsFunc(hooks, func(hook any) bool { _, ok := s.tomlEntry(hook); return ok })
		if wanted || own {
			return nil, fmt.Errorf("line %d: hebb edits hooks only where each is a table [[hooks]]: write them so, or take hebb out by hand: %w",
				t.line(lines[0].start), memory.ErrInvalid)
		}
		return nil, nil
	}
	for i, hook := range hooks {
		if e, ok := s.tomlEntry(hook); ok {
			h := tomlHook{entry: e, lines: tables[i]}
			for _, l := range h.lines {
				if !l.header && l.path[1] == "command" {
					h.line, h.command = l, hook.(map[string]any)["command"].(string)
				}
			}
			list = append(list, h)
		}
	}
	return list, nil
}

// tomlEntry reads a decoded hook and reports whether it is ours.
func (s *settings) tomlEntry(hook any) (e entry, ok bool) {
	values, _ := hook.(map[string]any)
	command, _ := values["command"].(string)
	e.event, _ = values["event"].(string)
	e.matcher, _ = values["matcher"].(string)
	e.before, e.program, ok = ownCommand(command, nil, s.agent)
	return e, ok
}

// count takes the hooks of ours out of decoded values and says how many they were.
func (s *settings) count(values map[string]any) int {
	hooks, ok := values["hooks"].([]any)
	if !ok {
		return 0
	}
	others := slices.DeleteFunc(slices.Clone(hooks), func(hook any) bool { _, ours := s.tomlEntry(hook); return ours })
	if values["hooks"] = others; len(others) == 0 {
		delete(values, "hooks")
	}
	return len(hooks) - len(others)
}

func (tomlHooks) put(source []byte, j job) ([]byte, report, error) {
	var r report
	s, want := j.settings, j.settings.wanted(j.version)
	t, err := parseTOML(source)
	if err != nil {
		return nil, r, err
	}
	list, err := s.ownHooks(t, true)
	if err != nil {
		return nil, r, err
	}
	command := commandLine(j.program, s.agent)
	kept := make(map[string]bool)
	out := tomlText{source: t.source}
	for _, h := range slices.Backward(list) { // what is not edited yet stands where it did
		r.ours = true
		r.entries = append(r.entries, h.entry)
		i := slices.IndexFunc(want, func(w hookRule) bool { return w.event == h.event && w.fits(h.matcher) })
		if i < 0 || kept[h.event] {
			out.source = out.without(h.lines)
			continue
		}
		kept[h.event] = true
		if h.command != h.before+command {
			out.source = out.with(h.line, quoteJSON(h.before+command))
		}
	}
	for _, w := range want {
		if !kept[w.event] {
			r.missing = append(r.missing, w.event)
			out.source = withBlock(out.source, fmt.Sprintf("[[hooks]]\nevent = %q\ncommand = %s\ntimeout = %d\n", w.event, quoteJSON(command), w.seconds()))
		}
	}
	if bytes.Equal(out.source, t.source) {
		return source, r, nil
	}
	return t.checked(out.source, r, len(want), s.count)
}

func (tomlHooks) take(source []byte, j job) ([]byte, report, error) {
	var r report
	t, err := parseTOML(source)
	if err != nil {
		return nil, r, err
	}
	list, err := j.settings.ownHooks(t, false)
	if err != nil || len(list) == 0 {
		return source, r, err
	}
	r.ours = true
	var lines []tomlLine
	for _, h := range list {
		lines = append(lines, h.lines...)
	}
	return t.checked(t.without(lines), r, 0, j.settings.count)
}
