// Package wiring writes hebb's hooks, MCP server and plugins into the settings of coding agents, and takes them out again. It
// edits nothing else there: comments, order and white space of other entries stay, and a backup of each file is kept until hebb
// is taken out. It keeps the copy of hebb that they call. What an agent sends to its hooks is package agent's.
package wiring

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tailscale/hujson"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

// Machine is what the installer asks of the computer it runs on.
type Machine struct {
	Home     string
	Getenv   func(string) string
	LookPath func(program string) (string, error)
	// Version returns what a program says to --version.
	Version func(ctx context.Context, program string) (string, error)
}

// versionTimeout bounds --version, for which an agent starts a JavaScript runtime; that took Gemini 12 seconds at its first start
// on a busy machine. Without a version, only hooks that all versions have are wanted.
const versionTimeout = 15 * time.Second

// ThisMachine is the computer hebb runs on.
func ThisMachine() (Machine, error) {
	home, err := os.UserHomeDir()
	if err != nil { // HOME is not set; the system may still know
		u, err := user.Current()
		if err != nil {
			return Machine{}, fmt.Errorf("home folder: %w", err)
		}
		home = u.HomeDir
	}
	return Machine{Home: home, Getenv: os.Getenv, LookPath: exec.LookPath, Version: askVersion}, nil
}

func askVersion(ctx context.Context, program string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--version")
	cmd.WaitDelay = time.Second // a grandchild may hold the pipe open
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", program, err)
	}
	return string(out), nil
}

// Asked is the machine with the versions of agents asked at once: each may take seconds to start.
func (m Machine) Asked(ctx context.Context, names []memory.Agent) Machine {
	type answer struct {
		text string
		err  error
	}
	version := m.Version
	answers := map[string]func() answer{} // by program
	for _, name := range names {
		s := settingsFor(string(name))
		if s == nil {
			continue
		}
		if program, err := s.programOn(m); err == nil && answers[program] == nil {
			ask := sync.OnceValue(func() answer {
				text, err := version(ctx, program)
				return answer{text, err}
			})
			answers[program] = ask
			go ask()
		}
	}
	m.Version = func(ctx context.Context, program string) (string, error) {
		if ask := answers[program]; ask != nil {
			a := ask()
			return a.text, a.err
		}
		return version(ctx, program)
	}
	return m
}

// programOn finds the agent's program.
func (s *settings) programOn(m Machine) (string, error) {
	program, err := m.LookPath(s.program)
	for i := 0; err != nil && i < len(s.places); i++ {
		program, err = m.LookPath(filepath.Join(m.Home, filepath.FromSlash(s.places[i])))
	}
	return program, err
}

// seenVersion is the version that the agent itself has noted in a file, for one that runs inside an editor.
func (s *settings) seenVersion(m Machine) (v version, text string, err error) {
	file := filepath.Join(m.Home, filepath.FromSlash(s.noted.file))
	if folder, moved := s.folderIn(m); moved {
		file = filepath.Join(folder, s.noted.file)
	}
	source, err := filesys.ReadFile(file)
	if s.noted.file == "" || err != nil {
		return v, "", cmp.Or(err, memory.ErrNotFound)
	}
	var values map[string]any
	if err := json.Unmarshal(source, &values); err != nil {
		return v, "", err
	}
	for _, key := range s.noted.keys {
		if noted, ok := values[key].(string); ok {
			if v, text, err = parseVersion(noted); err == nil {
				return v, text, nil
			}
		}
	}
	return v, "", memory.ErrNotFound
}

// State says how far an agent's settings call hebb.
type State string

const (
	Wired      State = "wired"      // all hooks are there and as they should be
	Partly     State = "partly"     // some are missing, or old
	Unwired    State = "unwired"    // none is there
	Unreadable State = "unreadable" // the file cannot be understood and is left alone
)

// Wiring is what hebb finds in one agent's settings.
type Wiring struct {
	Agent   memory.Agent `json:"agent"`
	Found   bool         `json:"found"`             // the agent is installed here
	Version string       `json:"version,omitempty"` // empty if unknown
	File    string       `json:"file,omitempty"`    // where its hooks are, whether or not it exists
	Files   []string     `json:"files,omitempty"`   // all that hebb writes, that one first
	State   State        `json:"state"`
	Missing []string     `json:"missing,omitempty"` // events that do not reach hebb
	Problem string       `json:"problem,omitempty"` // what a person should know or fix
}

// survey is a Wiring with the changes that would complete it.
type survey struct {
	Wiring
	settings *settings
	version  version
	changes  []Change // that would wire it, empty ones too
	entries  []entry
	off      bool // the person has switched all hooks off
	ignored  bool // the agent cannot read the file, though hebb can
	err      error
}

// Wirable lists the agents that hebb can wire.
func Wirable() []memory.Agent {
	var names []memory.Agent
	for _, s := range wirings() {
		names = append(names, s.agent)
	}
	return names
}

// ParseWirable reads the name of an agent that can be wired, as people type it.
func ParseWirable(name string) (memory.Agent, error) {
	if s := settingsFor(name); s != nil {
		return s.agent, nil
	}
	return "", notWirable(memory.Agent(name))
}

// settingsFor returns the settings of an agent by its name or an alias, or nil.
func settingsFor(name string) *settings {
	if known, err := agent.Parse(name); err == nil {
		name = string(known)
	}
	for _, s := range wirings() {
		if string(s.agent) == name || slices.Contains(s.aliases, name) {
			return s
		}
	}
	return nil
}

// byHand are the agents that hebb reaches as an MCP server alone: nothing of a hook would reach their models, or the hooks could not be tried.
var byHand = []string{"amp", "antigravity", "goose", "windsurf", "zed"}

func notWirable(name memory.Agent) error {
	if name == "agy" {
		name = "antigravity" // whose program it is
	}
	if slices.Contains(byHand, string(name)) {
		return fmt.Errorf("%s is not wired by hebb: add `hebb mcp` to its MCP servers by hand, "+
			"docs/agents/%s.md says where, and what to write into the agent's instructions: %w", name, name, memory.ErrInvalid)
	}
	var names []string
	for _, s := range wirings() {
		names = append(append(names, string(s.agent)), s.aliases...)
	}
	return fmt.Errorf("agent %q: want one of %s: %w", name, strings.Join(names, ", "), memory.ErrInvalid)
}

// Inspect reports whether an agent is installed and whether what an order is about calls its program, the absolute path of a hebb. An agent without
// settings of its own counts as not installed.
func Inspect(ctx context.Context, m Machine, name memory.Agent, o Order) (Wiring, error) {
	s, err := inspect(ctx, m, name, o)
	return s.Wiring, err
}

func inspect(ctx context.Context, m Machine, name memory.Agent, o Order) (survey, error) {
	st := settingsFor(string(name))
	switch known, err := agent.Parse(string(name)); {
	case err == nil && known != agent.Auto && (st == nil || st.agent != known):
		return survey{Wiring: Wiring{Agent: name, State: Unwired}}, nil
	case st == nil:
		return survey{}, notWirable(name)
	case !agent.Rooted(o.Program):
		return survey{}, fmt.Errorf("wire %s: program %q: want an absolute path: %w", st.agent, o.Program, memory.ErrInvalid)
	}
	s := survey{settings: st, Wiring: Wiring{Agent: st.agent, State: Unwired}}
	parts := st.partsFor(m, o, o.Snippet)
	if len(parts) == 0 {
		return s, fmt.Errorf("wire %s: it has no settings in a project; wire it for yourself: %w", st.agent, memory.ErrInvalid)
	}
	for _, l := range parts {
		s.Files = append(s.Files, l.file)
	}
	s.File = s.Files[0]
	s.askAgent(ctx, m)
	if folder, _ := st.folderIn(m); isFolder(folder) {
		s.Found = true
	}
	if !s.Found && !o.Anyway {
		return s, nil
	}
	ours := false
	for i, l := range parts {
		c, r, err := l.plan(job{settings: st, version: s.version, program: o.called()})
		if err != nil {
			s.err = fmt.Errorf("%s: %w", l.file, err)
			s.State, s.Problem, s.Missing, s.changes = Unreadable, s.err.Error(), nil, nil
			return s, nil
		}
		ours = ours || r.ours
		if v, err := hujson.Parse(c.Old); i == 0 && st.plain && err == nil && !v.IsStandard() {
			s.ignored = true
			s.Problem = fmt.Sprintf("%s has comments or trailing commas, so %s ignores all that it says, hooks included", l.file, st.agent)
		}
		s.changes = append(s.changes, c)
		s.entries = append(s.entries, r.entries...)
		s.Missing = append(s.Missing, r.missing...)
		s.off = s.off || r.off
	}
	switch {
	case !slices.ContainsFunc(s.changes, func(c Change) bool { return !c.Empty() }):
		s.State = Wired
	case ours:
		s.State = Partly
	}
	return s, nil
}

// plan works out the edit that puts hebb into one file.
func (l located) plan(j job) (Change, report, error) {
	c := l.change()
	c.wires = true
	var err error
	if c.Old, err = readOptional(l.file); err != nil {
		return Change{}, report{}, err
	}
	var r report
	if c.New, r, err = l.edit.put(c.Old, j); err != nil {
		return Change{}, report{}, err
	}
	if c.ours = r.ours; c.ours && !c.own {
		rest, _, err := l.edit.take(c.Old, j)
		c.own = err == nil && (rest == nil || l.restores(nil, rest, j))
	}
	return c, r, nil
}

// folderIn returns the folder of the agent's settings, and whether a variable has moved it.
func (s *settings) folderIn(m Machine) (folder string, moved bool) {
	if dir := m.Getenv(s.folderEnv); s.folderEnv != "" && dir != "" {
		return filepath.Join(dir, s.folderBelow), true
	}
	return filepath.Join(m.Home, filepath.FromSlash(s.folder)), false
}

// askAgent finds the agent's program and its version.
func (s *survey) askAgent(ctx context.Context, m Machine) {
	program, err := s.settings.programOn(m)
	why := fmt.Sprintf("no %s on PATH", s.settings.program)
	if err == nil {
		s.Found = true
		var text string
		if text, err = m.Version(ctx, program); err == nil {
			s.version, s.Version, err = parseVersion(text)
		}
		if err != nil {
			why = err.Error()
		}
	}
	if err != nil {
		s.version, s.Version, err = s.settings.seenVersion(m)
	}
	if err != nil && s.settings.modern != (version{}) { // else the version makes no difference
		s.Problem = fmt.Sprintf("version unknown (%s), so only the basic hooks will be added", why)
	}
}

// Health is what the doctor wants to know about one agent's hooks.
type Health struct {
	Wiring Wiring `json:"wiring"`
	// Programs lists what our hooks call; Gone those of them that cannot be run.
	Programs []string `json:"programs,omitempty"`
	Gone     []string `json:"gone,omitempty"`
	// OnFailure lists events whose hook of ours may block the agent when it fails.
	OnFailure []string `json:"on_failure,omitempty"`
	// Disabled is set when the person has switched all hooks off.
	Disabled bool `json:"disabled,omitempty"`

	off     toggle // where
	ignored bool   // by the agent, which cannot read the file
}

// CheckHealth looks at the hooks as they stand.
func CheckHealth(ctx context.Context, m Machine, name memory.Agent, program string) (Health, error) {
	s, err := inspect(ctx, m, name, Order{Program: program})
	if err != nil {
		return Health{}, err
	}
	h := Health{Wiring: s.Wiring, Disabled: s.off, ignored: s.ignored}
	if s.settings != nil {
		h.off = s.settings.off
	}
	for _, e := range s.entries {
		if e.onFailure {
			h.OnFailure = append(h.OnFailure, e.event)
		}
		if slices.Contains(h.Programs, e.program) {
			continue
		}
		h.Programs = append(h.Programs, e.program)
		path := e.program
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			path = filepath.Join(m.Home, rest)
		}
		if _, err := m.LookPath(path); err != nil {
			h.Gone = append(h.Gone, e.program)
		}
	}
	return h, nil
}

// Problems says in sentences what is wrong and how to fix it; nothing if all is well or the agent is not installed.
func (h Health) Problems() []string {
	const renew = "run hebb init --yes"
	w := h.Wiring
	if !w.Found {
		return nil
	}
	if w.State == Unreadable {
		return []string{w.Problem + "; correct the file by hand, then " + renew}
	}
	var list []string
	add := func(remedy, problem string, args ...any) {
		list = append(list, fmt.Sprintf("%s: %s; %s", w.File, fmt.Sprintf(problem, args...), remedy))
	}
	switch {
	case w.State == Unwired:
		add(renew, "no hooks of hebb")
	case w.State == Partly && len(w.Missing) > 0:
		add(renew, "no hooks for %s", strings.Join(w.Missing, ", "))
	case w.State == Partly:
		add(renew, "hooks of hebb are out of date")
	}
	if h.Disabled {
		name := strings.Join(h.off.path, ".")
		add(fmt.Sprintf("set %s to %t there", name, !h.off.value), "%s is %t, so no hook runs", name, h.off.value)
	}
	for _, program := range h.Gone {
		add(renew+" with the hebb that is to be called", "hooks call %s, which cannot be run", program)
	}
	if len(h.OnFailure) > 0 {
		add(renew+", which takes it out", "onFailure is set for %s, so a failing hook could stop the agent", strings.Join(h.OnFailure, ", "))
	}
	switch {
	case h.ignored:
		list = append(list, w.Problem+"; take them out of the file")
	case w.Problem != "":
		list = append(list, w.Problem+"; see that the agent can be started from here, then "+renew)
	}
	return list
}
