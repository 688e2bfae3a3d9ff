package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/hebb-memory/hebb/internal/memory"
)

// settings says where an agent keeps its hooks and which of them hebb wants.
type settings struct {
	program   string   // its name on PATH
	places    []string // where else it may be, below the home folder
	folderEnv string   // variable that moves the folder
	folder    string   // below the home folder
	file      string   // in the folder

	hooks []hookRule
	// modern is the first version that knows all hooks and their options. Before it, one unknown event made Claude
	// Code ignore the whole file.
	modern version
}

// hookRule is one hook that hebb wants.
type hookRule struct {
	event  string
	async  bool // the agent need not wait: nothing is answered
	modern bool // unknown to old versions
}

// hookTimeout is the time in seconds after which an agent gives a hook up. hebb leaves long before; without it a hook
// at the end of a session has 1.5 seconds and all others ten minutes. It is no entry of tuning, because it is part of
// what is written into the agent's file: a setting would do nothing until the next wiring, and until then the doctor
// would call every hook out of date.
const hookTimeout = 5

var claudeSettings = settings{
	program: "claude", places: []string{".local/bin/claude", ".claude/local/claude"},
	folderEnv: "CLAUDE_CONFIG_DIR", folder: ".claude", file: "settings.json",
	modern: version{2, 1, 101},
	hooks: []hookRule{
		{event: "SessionStart"},
		{event: "UserPromptSubmit"},
		{event: "PostToolUse", async: true},
		{event: "PostToolUseFailure", async: true, modern: true},
		{event: "Stop", async: true},
		{event: "SubagentStop", async: true},
		{event: "PreCompact"},
		{event: "PostCompact", async: true, modern: true},
		{event: "SessionEnd"},
	},
}

// handler and group are hooks as they stand in the file. A group without matcher is for all tools. onFailure is never
// set: a memory that fails must not stop the work.
type (
	handler struct {
		Type    string `json:"type"`
		Command string `json:"command"`
		Timeout int    `json:"timeout"`
		Async   bool   `json:"async,omitempty"`
	}
	group struct {
		Hooks []handler `json:"hooks"`
	}
)

// wanted lists the hooks for a version of the agent. A version that is not known counts as old: its hooks are fewer
// and are waited for, but they work everywhere.
func (s settings) wanted(v version) []hookRule {
	var list []hookRule
	for _, h := range s.hooks {
		if v.before(s.modern) {
			if h.modern {
				continue
			}
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
	all       bool // its group is for all tools, sources, reasons …
	onFailure bool
	value     *hujson.Value
}

// edit sets the hooks in a document to those wanted; with none wanted it takes ours out. Entries of others stay.
func (a *adapter) edit(d *document, want []hookRule, program string) error {
	wanted := make(map[string]hookRule)
	for _, h := range want {
		wanted[h.event] = h
	}
	kept := make(map[string]bool)
	err := a.sweep(d, func(e entry) bool {
		h, ok := wanted[e.event]
		if !ok || !e.all || kept[e.event] {
			return false
		}
		kept[e.event] = true
		d.update(e.value, h.handler(e.before+commandLine(program, a.name)))
		return true
	})
	if err != nil {
		return err
	}
	for _, h := range want {
		if !kept[h.event] {
			if err := d.addHook(h.event, group{[]handler{h.handler(commandLine(program, a.name))}}); err != nil {
				return err
			}
		}
	}
	if _, err := hujson.Parse(d.root.Pack()); err != nil {
		return fmt.Errorf("edit would break the file: %w: %w", err, memory.ErrRefused)
	}
	return nil
}

func (h hookRule) handler(command string) handler {
	return handler{Type: "command", Command: command, Timeout: hookTimeout, Async: h.async}
}

// sweep shows every handler of ours to keep and takes out those it does not want, with the groups and lists that
// become empty by it.
func (a *adapter) sweep(d *document, keep func(entry) bool) error {
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
		if a.sweepEvent(d, hooks.Members[i].Name.Value.(hujson.Literal).String(), list, keep) && len(list.Elements) == 0 {
			d.removeMember(hooks, i)
			i--
			removed = true
		}
	}
	if removed && len(hooks.Members) == 0 {
		for i := range d.object.Members {
			if d.object.Members[i].Value.Value == hujson.ValueTrimmed(hooks) {
				d.removeMember(d.object, i)
				break
			}
		}
	}
	return nil
}

func (a *adapter) sweepEvent(d *document, event string, groups *hujson.Array, keep func(entry) bool) (removed bool) {
	for i := 0; i < len(groups.Elements); i++ {
		g, ok := groups.Elements[i].Value.(*hujson.Object)
		if !ok {
			continue
		}
		list, ok := lookup(g, "hooks").(*hujson.Array)
		if !ok {
			continue
		}
		gone := false
		for j := 0; j < len(list.Elements); j++ {
			e, ok := a.entry(event, g, &list.Elements[j])
			if ok && !keep(e) {
				d.removeElement(list, j)
				j--
				gone = true
			}
		}
		if gone && len(list.Elements) == 0 {
			d.removeElement(groups, i)
			i--
		}
		removed = removed || gone
	}
	return removed
}

// entry reads a handler and reports whether it is ours.
func (a *adapter) entry(event string, g *hujson.Object, v *hujson.Value) (entry, bool) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return entry{}, false
	}
	command, _ := lookup(o, "command").(hujson.Literal)
	var args []string
	if list, ok := lookup(o, "args").(*hujson.Array); ok {
		for _, e := range list.Elements {
			if arg, ok := e.Value.(hujson.Literal); ok {
				args = append(args, arg.String())
			}
		}
	}
	before, program, ok := ownCommand(command.String(), args, a)
	if !ok {
		return entry{}, false
	}
	matcher, _ := lookup(g, "matcher").(hujson.Literal)
	return entry{
		event: event, before: before, program: program, value: v, onFailure: lookup(o, "onFailure") != nil,
		all: matcher == nil || matcher.String() == "" || matcher.String() == "*",
	}, true
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

// addHook puts a group at the end of an event's list.
func (d *document) addHook(event string, g group) error {
	hooks, err := d.hooks()
	if err != nil {
		return err
	}
	if hooks == nil {
		d.addMember(d.object, 1, "hooks", map[string][]group{event: {g}})
		return nil
	}
	v, err := d.member(hooks, event)
	if err != nil {
		return err
	}
	if v == nil {
		d.addMember(hooks, 2, event, []group{g})
		return nil
	}
	list, ok := v.Value.(*hujson.Array)
	if !ok {
		return d.wrong(*v, fmt.Sprintf("%q must be a list", event))
	}
	d.addElement(list, 3, g)
	return nil
}

// update makes v say what h says. Where it does already, no byte changes.
func (d *document) update(v *hujson.Value, h handler) {
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

// equivalent reports whether two settings files say the same, apart from white space and from empty lists of hooks.
func equivalent(a, b []byte) bool {
	x, errX := essence(a)
	y, errY := essence(b)
	return errX == nil && errY == nil && x == y
}

// essence is a document without white space and without lists of hooks that are empty, followed by its comments.
func essence(source []byte) (string, error) {
	d, err := parseDocument(source)
	if err != nil {
		return "", err
	}
	var comments []string
	note := func(e hujson.Extra) {
		if t := bytes.TrimSpace(e); len(t) > 0 {
			comments = append(comments, string(t))
		}
	}
	for v := range d.root.All() {
		note(v.BeforeExtra)
		note(v.AfterExtra)
		switch c := v.Value.(type) {
		case *hujson.Object:
			note(c.AfterExtra)
		case *hujson.Array:
			note(c.AfterExtra)
		}
	}
	sort.Strings(comments)
	if hooks, _ := d.hooks(); hooks != nil {
		for i := len(hooks.Members) - 1; i >= 0; i-- {
			if list, ok := hooks.Members[i].Value.Value.(*hujson.Array); ok && len(list.Elements) == 0 {
				hooks.Members = append(hooks.Members[:i], hooks.Members[i+1:]...)
			}
		}
		for i := range d.object.Members {
			if len(hooks.Members) == 0 && d.object.Members[i].Value.Value == hujson.ValueTrimmed(hooks) {
				d.object.Members = append(d.object.Members[:i], d.object.Members[i+1:]...)
				break
			}
		}
	}
	d.root.Minimize()
	return string(d.root.Pack()) + "\n" + strings.Join(comments, "\n"), nil
}
