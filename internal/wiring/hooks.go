package wiring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/tailscale/hujson"
)

// hooksEdit puts the hooks of the agent into a JSON document and takes them out. Entries of others stay.
type hooksEdit struct{}

func (hooksEdit) put(d *document, j job, r *report) error {
	s, want := j.settings, j.settings.wanted(j.version)
	command := commandLine(j.program, s.agent)
	kept := make(map[string]bool)
	err := s.sweep(d, func(e entry) bool {
		r.ours = true
		r.entries = append(r.entries, e)
		i := slices.IndexFunc(want, func(h hookRule) bool { return h.event == e.event && h.fits(e.matcher) })
		if i < 0 || kept[e.event] {
			return false
		}
		kept[e.event] = true
		d.update(e.value, s.layout.write(e.before+command, want[i]))
		return true
	})
	if err != nil {
		return err
	}
	if key := s.layout.rootKey; key != "" && lookup(d.object, key) == nil {
		d.addMember(d.object, 1, key, s.layout.rootValue)
	}
	for _, h := range want {
		if kept[h.event] {
			continue
		}
		r.missing = append(r.missing, h.event)
		if err := d.addHook(h, s.layout, s.layout.write(command, h)); err != nil {
			return err
		}
	}
	r.off = r.off || d.switchedOff(s.off)
	return nil
}

func (hooksEdit) take(d *document, j job, r *report) error {
	return j.settings.sweep(d, func(entry) bool { r.ours = true; return false })
}

// sweep removes the handlers of ours for which keep returns false, with the groups and lists that become empty.
func (s *settings) sweep(d *document, keep func(entry) bool) error {
	hooks, err := d.hooks()
	if hooks == nil || err != nil {
		return err
	}
	removed := false
	for i := 0; i < len(hooks.Members); i++ {
		list, ok := hooks.Members[i].Value.Value.(*hujson.Array)
		if !ok {
			continue
		}
		event := hooks.Members[i].Name.Value.(hujson.Literal).String()
		if s.sweepEvent(d, event, list, keep) && empty(list) && !d.had("hooks", event) {
			d.removeMember(hooks, i)
			i--
			removed = true
		}
	}
	if removed && empty(hooks) && !d.had("hooks") {
		d.removeValue(d.object, hooks)
	}
	return nil
}

func (s *settings) sweepEvent(d *document, event string, list *hujson.Array, keep func(entry) bool) (removed bool) {
	if s.layout.flat {
		return s.sweepList(d, event, "", list, keep)
	}
	for i := 0; i < len(list.Elements); i++ {
		g, ok := list.Elements[i].Value.(*hujson.Object)
		if !ok {
			continue
		}
		hooks, ok := lookup(g, "hooks").(*hujson.Array)
		if !ok {
			continue
		}
		matcher, _ := lookup(g, "matcher").(hujson.Literal)
		gone := s.sweepList(d, event, textOf(matcher), hooks, keep)
		if gone && empty(hooks) {
			d.removeElement(list, i)
			i--
		}
		removed = removed || gone
	}
	return removed
}

// empty reports whether a list or an object holds nothing, not even a comment.
func empty(v hujson.ValueTrimmed) bool {
	switch v := v.(type) {
	case *hujson.Object:
		return len(v.Members) == 0 && len(bytes.TrimSpace(v.AfterExtra)) == 0
	case *hujson.Array:
		return len(v.Elements) == 0 && len(bytes.TrimSpace(v.AfterExtra)) == 0
	}
	return false
}

// sweepList goes through a list of handlers.
func (s *settings) sweepList(d *document, event, matcher string, list *hujson.Array, keep func(entry) bool) (removed bool) {
	for i := 0; i < len(list.Elements); i++ {
		e, ok := s.entry(event, matcher, &list.Elements[i])
		if ok && !keep(e) {
			d.removeElement(list, i)
			i--
			removed = true
		}
	}
	return removed
}

// entry reads a handler and reports whether it is ours.
func (s *settings) entry(event, matcher string, v *hujson.Value) (entry, bool) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return entry{}, false
	}
	command, _ := lookup(o, "command").(hujson.Literal)
	if bash, ok := lookup(o, "bash").(hujson.Literal); ok && command == nil {
		command = bash
	}
	if m, ok := lookup(o, "matcher").(hujson.Literal); ok && s.layout.flat {
		matcher = m.String()
	}
	before, program, ok := ownCommand(textOf(command), texts(lookup(o, "args")), s.agent)
	if !ok {
		return entry{}, false
	}
	return entry{
		event: event, before: before, program: program, matcher: matcher, value: v,
		onFailure: lookup(o, "onFailure") != nil || lookup(o, "failClosed") != nil,
	}, true
}

// textOf is a literal's text; of no literal it is empty.
func textOf(l hujson.Literal) string {
	if l == nil || l.Kind() != '"' {
		return ""
	}
	return l.String()
}

// texts are the strings of a list.
func texts(v hujson.ValueTrimmed) []string {
	list, ok := v.(*hujson.Array)
	if !ok {
		return nil
	}
	var all []string
	for _, e := range list.Elements {
		if l, ok := e.Value.(hujson.Literal); ok && l.Kind() == '"' {
			all = append(all, l.String())
		}
	}
	return all
}

// lookup returns the value of a key that an object has, the last if there are several, or nil.
func lookup(o *hujson.Object, key string) hujson.ValueTrimmed {
	for i := len(o.Members) - 1; i >= 0; i-- {
		if o.Members[i].Name.Value.(hujson.Literal).String() == key {
			return o.Members[i].Value.Value
		}
	}
	return nil
}

// at returns the value at a path of keys, or nil.
func (d *document) at(path []string) (found hujson.ValueTrimmed) {
	found = d.object
	for _, key := range path {
		o, ok := found.(*hujson.Object)
		if !ok {
			return nil
		}
		found = lookup(o, key)
	}
	return found
}

// switchedOff reports whether a person has switched all hooks off.
func (d *document) switchedOff(t toggle) bool {
	l, ok := d.at(t.path).(hujson.Literal)
	return ok && (l.Kind() == 't' || l.Kind() == 'f') && l.Bool() == t.value
}

// hooks returns the object under "hooks", or nil where there is none.
func (d *document) hooks() (*hujson.Object, error) {
	v, err := d.member(d.object, "hooks")
	if v == nil || err != nil {
		return nil, err
	}
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, d.wrong(*v, `"hooks" must be an object`)
	}
	return o, nil
}

// addHook puts a hook at the end of an event's list.
func (d *document) addHook(h hookRule, l layout, hook handler) error {
	var item any = group{Matcher: h.matcher, Hooks: []handler{hook}}
	if l.flat {
		item = hook
	}
	hooks, err := d.hooks()
	if err != nil {
		return err
	}
	if hooks == nil {
		d.addMember(d.object, 1, "hooks", map[string][]any{h.event: {item}})
		return nil
	}
	v, err := d.member(hooks, h.event)
	if err != nil {
		return err
	}
	if v == nil {
		d.addMember(hooks, 2, h.event, []any{item})
		return nil
	}
	list, ok := v.Value.(*hujson.Array)
	if !ok {
		return d.wrong(*v, fmt.Sprintf("%q must be a list", h.event))
	}
	d.addElement(list, 3, item)
	return nil
}

// update makes v say what h says. Where it does already, no byte changes.
func (d *document) update(v *hujson.Value, h any) {
	indent, multi := lastLine(v.BeforeExtra)
	fresh := d.value(h, place{indent: indent, inline: !multi})
	if !reflect.DeepEqual(plain(*v), plain(fresh)) {
		v.Value = fresh.Value
	}
}

// plain is a value as encoding/json sees it.
func plain(v hujson.Value) any {
	v = v.Clone()
	v.Minimize()
	var out any
	if json.Unmarshal(v.Pack(), &out) != nil {
		return nil
	}
	return out
}
