package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tailscale/hujson"

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

// versionTimeout bounds the wait for an agent to tell its version: it starts a whole JavaScript runtime for that.
const versionTimeout = 3 * time.Second

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
	Version string       `json:"version,omitempty"` // empty if it did not tell
	File    string       `json:"file"`              // its settings, whether or not they exist
	State   State        `json:"state"`
	Missing []string     `json:"missing,omitempty"` // events that do not reach hebb
	Problem string       `json:"problem,omitempty"` // what a person should know or mend
}

// survey is a Wiring with what lies behind it.
type survey struct {
	Wiring
	adapter *adapter
	version version
	source  []byte // nil: no file
	entries []entry
	off     bool // the person has switched all hooks off
	err     error
}

// Inspect looks whether an agent is there and how its settings stand to the hooks that call program, the absolute path
// of a hebb that stays where it is.
func Inspect(ctx context.Context, m Machine, name memory.Agent, program string) (Wiring, error) {
	s, err := inspect(ctx, m, name, program)
	return s.Wiring, err
}

func inspect(ctx context.Context, m Machine, name memory.Agent, program string) (survey, error) {
	a := find(string(name))
	if a == nil {
		return survey{}, unknown(string(name))
	}
	if !rooted(program) {
		return survey{}, fmt.Errorf("wire %s: program %q: want an absolute path: %w", a.name, program, memory.ErrInvalid)
	}
	s := survey{adapter: a, Wiring: Wiring{Agent: a.name, State: Unwired}}
	folder := a.settings.folderIn(m)
	s.File = filepath.Join(folder, a.settings.file)
	s.askAgent(ctx, m)
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		s.Found = true
	}
	if !s.Found {
		return s, nil
	}
	if s.source, s.err = os.ReadFile(s.File); errors.Is(s.err, fs.ErrNotExist) {
		s.source, s.err = nil, nil
	}
	if s.err == nil {
		s.err = s.read(program)
	}
	if s.err != nil {
		s.err = fmt.Errorf("%s: %w", s.File, s.err)
		s.State, s.Problem, s.Missing = Unreadable, s.err.Error(), nil
	}
	return s, nil
}

// folderIn returns the folder of the agent's settings.
func (s settings) folderIn(m Machine) string {
	if dir := m.Getenv(s.folderEnv); dir != "" {
		return dir
	}
	return filepath.Join(m.Home, filepath.FromSlash(s.folder))
}

// askAgent finds the agent's program and its version.
func (s *survey) askAgent(ctx context.Context, m Machine) {
	program, err := m.LookPath(s.adapter.settings.program)
	for _, place := range s.adapter.settings.places {
		if err == nil {
			break
		}
		program, err = m.LookPath(filepath.Join(m.Home, filepath.FromSlash(place)))
	}
	why := fmt.Sprintf("no %s on PATH", s.adapter.settings.program)
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
		s.Problem = fmt.Sprintf("version unknown (%s), so only hooks that all versions have are wanted", why)
	}
}

// read compares the settings with the hooks that are wanted.
func (s *survey) read(program string) error {
	d, err := parseDocument(s.source)
	if err != nil {
		return err
	}
	off, _ := lookup(d.object, "disableAllHooks").(hujson.Literal)
	s.off = off.Bool()
	reached := make(map[string]bool)
	err = s.adapter.sweep(d, func(e entry) bool {
		s.entries = append(s.entries, e)
		reached[e.event] = reached[e.event] || e.all
		return true
	})
	if err != nil {
		return err
	}
	want := s.adapter.settings.wanted(s.version)
	for _, h := range want {
		if !reached[h.event] {
			s.Missing = append(s.Missing, h.event)
		}
	}
	if err := s.adapter.edit(d, want, program); err != nil {
		return err
	}
	switch {
	case s.source != nil && string(d.bytes()) == string(s.source):
		s.State = Wired
	case len(s.entries) > 0:
		s.State = Partly
	}
	return nil
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
}

// CheckHealth looks at the hooks as they stand.
func CheckHealth(ctx context.Context, m Machine, name memory.Agent, program string) (Health, error) {
	s, err := inspect(ctx, m, name, program)
	if err != nil {
		return Health{}, err
	}
	h := Health{Wiring: s.Wiring, Disabled: s.off}
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

// Problems says in sentences what is wrong and how to mend it; nothing if all is well or the agent is not installed.
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
	add := func(mend, problem string, args ...any) {
		list = append(list, fmt.Sprintf("%s: %s; %s", w.File, fmt.Sprintf(problem, args...), mend))
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
		add("set disableAllHooks to false there", "disableAllHooks is true, so no hook runs")
	}
	for _, program := range h.Gone {
		add(renew+" with the hebb that is to be called", "hooks call %s, which cannot be run", program)
	}
	if len(h.OnFailure) > 0 {
		add(renew+", which takes it out", "onFailure is set for %s, so a failing hook could stop the agent", strings.Join(h.OnFailure, ", "))
	}
	if w.Problem != "" {
		list = append(list, w.Problem+"; see that the agent can be started from here, then "+renew)
	}
	return list
}
