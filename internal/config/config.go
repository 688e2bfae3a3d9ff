// Package config finds hebb's folder and reads its config.toml. Every setting has a default; a bad one is refused by
// name.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/user"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Environment variables that override the file.
const (
	EnvHome       = "HEBB_HOME"       // the data folder
	EnvStore      = "HEBB_STORE"      // removed: doctor says what to do
	EnvBackground = "HEBB_BACKGROUND" // 0: hooks start nothing in the background
	EnvInject     = "HEBB_INJECT"     // 0: hooks watch and show the agent nothing
)

// Config is everything a process needs to know before it opens anything.
type Config struct {
	Dir        string // the data folder
	System     string // settings for everybody on this machine, of which ScribeForbidden reads one
	Background bool   // hooks may start a drain when a turn ends
	Inject     bool   // hooks may show the agent what a prompt recalls
	Ask        bool   // an agent asks the person before it breaks a rule that they insisted on
	Gates      Gates
	Learn      Learn
	Listen     Listen
	Sources    Sources
	Dream      Dream
	Search     Search
	LLM        LLM
	Tuning     tuning.Tuning
	// Removed are settings of the file that an earlier version had and this one ignores, each with what to do.
	Removed []string
}

// Gate says whether something is done without asking.
type Gate string

const (
	GateAlways Gate = "always"
	GateAsk    Gate = "ask"
	GateNever  Gate = "never"
)

// Always is also what an empty gate says.
func (g Gate) Always() bool { return g == GateAlways || g == "" }

// Gates say what working memory does automatically.
type Gates struct {
	// Load: show an agent what is in mind when its session begins; ask: only that there is something.
	Load Gate `toml:"load"`
	// Log: keep a finished session on the shelves and let the heat of files fade by it; ask and never: only one that is
	// wrapped up.
	Log Gate `toml:"log"`
}

// Learn says what hebb learns of a repository automatically.
type Learn struct {
	// History: learn commits in the background; ask: say once that hebb init learns them; never: say nothing either.
	History Gate `toml:"history"`
}

// checkGates refuses gates that are neither always, ask nor never.
func checkGates(c Config) error {
	for _, one := range []struct {
		name  string
		value Gate
	}{{"gates.load", c.Gates.Load}, {"gates.log", c.Gates.Log}, {"learn.history", c.Learn.History}} {
		switch one.value {
		case "", GateAlways, GateAsk, GateNever:
		default:
			return fmt.Errorf("%s is %q: want always, ask or never: %w", one.name, one.value, memory.ErrInvalid)
		}
	}
	return nil
}

// Listen says where what a person says in prompts is not remembered.
type Listen struct {
	Off     bool     // nowhere is it remembered
	Folders []string // nor in projects in these folders, absolute and with forward slashes
}

// Listens reports whether what a person says in prompts is remembered at a place.
func (c Config) Listens(place memory.Place) bool {
	return !c.Listen.Off && !slices.ContainsFunc(c.Listen.Folders, func(folder string) bool {
		return within(folder, place.Root) || within(folder, place.Identity) || c.liesIn(folder, place.Identity)
	})
}

// liesIn reports whether a clone of a project on this machine lies in a folder.
func (c Config) liesIn(folder, identity string) bool {
	places, _ := c.Places() // what cannot be read lies nowhere
	return slices.ContainsFunc(places, func(p Place) bool { return p.Project == identity && within(folder, p.Identity) })
}

// within reports whether an escaped path is a folder or lies in it.
func within(folder, escaped string) bool {
	path, err := memory.UnescapePath(escaped)
	if err != nil {
		path = escaped
	}
	rest, inside := strings.CutPrefix(filepath.ToSlash(path), strings.TrimSuffix(folder, "/"))
	return inside && (rest == "" || rest[0] == '/')
}

// listenOf reads [listen] off: true, false or a list of folders. A folder is also known by where its links lead, as projects are.
func listenOf(setting any, home string) (l Listen, err error) {
	wrong := func(what any) error {
		return fmt.Errorf("listen.off is %v: want true, false or a list of folders such as [\"~/work/client\"]: %w", what, memory.ErrInvalid)
	}
	switch off := setting.(type) {
	case nil:
	case bool:
		l.Off = off
	case []any:
		for _, entry := range off {
			folder, ok := entry.(string)
			if !ok {
				return l, wrong(entry)
			}
			if rest, below := strings.CutPrefix(filepath.ToSlash(folder), "~/"); below && home != "" {
				folder = filepath.Join(home, rest)
			}
			if !filepath.IsAbs(folder) {
				return l, fmt.Errorf("listen.off holds %q: want the whole path of a folder, such as \"~/work/client\": %w", folder, memory.ErrInvalid)
			}
			l.Folders = append(l.Folders, filepath.ToSlash(filepath.Clean(folder)))
			if led, err := filepath.EvalSymlinks(folder); err == nil && filepath.ToSlash(led) != l.Folders[len(l.Folders)-1] {
				l.Folders = append(l.Folders, filepath.ToSlash(led))
			}
		}
	default:
		return l, wrong(off)
	}
	return l, nil
}

// Sources says which memories of agents and which rule files are not read.
type Sources struct {
	All    bool
	Agents []memory.Agent // SharedFiles stands for files of no single agent
}

// SharedFiles is the name for rule files that belong to no single agent.
const SharedFiles = "AGENTS.md"

// Off reports whether the files of an agent are not read; the empty name stands for files of no single agent.
func (s Sources) Off(a memory.Agent) bool {
	return s.All || slices.Contains(s.Agents, cmp.Or(a, SharedFiles))
}

// sourcesOf reads [sources] off: true, false or a list of agents.
func sourcesOf(setting any) (s Sources, err error) {
	wrong := func(what any) error {
		return fmt.Errorf("sources.off is %v: want true, false or a list such as [\"claude-code\", %q]: %w", what, SharedFiles, memory.ErrInvalid)
	}
	switch off := setting.(type) {
	case nil:
	case bool:
		s.All = off
	case []any:
		for _, entry := range off {
			name, ok := entry.(string)
			if !ok || name == "" {
				return s, wrong(entry)
			}
			s.Agents = append(s.Agents, memory.Agent(name))
		}
	default:
		return s, wrong(off)
	}
	return s, nil
}

// Dream says whether the state is rewritten automatically.
type Dream struct {
	Off bool // no dream but those that are asked for
}

// Search says where a question looks.
type Search struct {
	SkipMemory, SkipSessions bool // sources that are left out
}

// Sources of texts that a question may look into, and by default does.
const (
	SourceMemory   = "memory"   // what was remembered, the graph of knowledge, commits and code
	SourceSessions = "sessions" // what was said in sessions
)

// Looks reports whether a source is looked into.
func (s Search) Looks(source string) bool {
	return source == SourceMemory && !s.SkipMemory || source == SourceSessions && !s.SkipSessions
}

func searchOf(sources []string) (Search, error) {
	for _, source := range sources {
		if source != SourceMemory && source != SourceSessions {
			return Search{}, fmt.Errorf("search.sources holds %q: want %q, %q or both: %w",
				source, SourceMemory, SourceSessions, memory.ErrInvalid)
		}
	}
	if len(sources) == 0 {
		return Search{}, fmt.Errorf("search.sources is empty: name %q, %q or both, or leave the line out: %w",
			SourceMemory, SourceSessions, memory.ErrInvalid)
	}
	return Search{
		SkipMemory: !slices.Contains(sources, SourceMemory), SkipSessions: !slices.Contains(sources, SourceSessions),
	}, nil
}

// LLM is a language model that dreams. None is needed: without one, rules dream.
type LLM struct {
	Provider  string `toml:"provider"` // anthropic or openai; empty for none
	URL       string `toml:"url"`
	Model     string `toml:"model"`
	KeyEnv    string `toml:"key_env"`    // environment variable that holds the key
	AllowHTTP bool   `toml:"allow_http"` // also to another machine
	// Scribe says who reads a session once it is over and notes what the person said: ScribeAgent, ScribeModel, the name of an agent, or
	// empty for nobody.
	Scribe string `toml:"scribe"`
	Listen bool   `toml:"listen"` // the earlier name of scribe = "model"
}

// Who reads sessions.
const (
	ScribeAgent = "agent" // the coding agent that a session was held with, in its headless mode
	ScribeModel = "model" // the language model of the provider
	ScribeOff   = "off"   // nobody
)

// ScribeAgents can read the sessions of all agents, if they are named.
var ScribeAgents = []string{"claude-code"}

// AgentReads reports whether a coding agent reads sessions, and writes the state of projects if there is no provider.
func (l LLM) AgentReads() bool {
	return l.Scribe == ScribeAgent || slices.Contains(ScribeAgents, l.Scribe)
}

// withoutProvider is for a provider that cannot be asked: nobody reads sessions in its place.
func (l LLM) withoutProvider() LLM {
	if l.Scribe == ScribeModel {
		l.Scribe = ""
	}
	l.Provider, l.URL, l.Model = "", "", ""
	return l
}

func (l LLM) check() (LLM, error) {
	if l.Listen && l.Scribe == "" && l.Provider != "" {
		l.Scribe = ScribeModel
	}
	if l.Scribe == ScribeOff {
		l.Scribe = ""
	}
	switch {
	case l.Scribe == "", l.AgentReads(), l.Scribe == ScribeModel && l.Provider != "":
		return l, nil
	case l.Scribe == ScribeModel:
		l.Scribe = ""
		return l, fmt.Errorf("llm.scribe is %q and no llm.provider is named: name one, or set %q: %w", ScribeModel, ScribeAgent, memory.ErrInvalid)
	}
	err := fmt.Errorf("llm.scribe is %q: want %s or %s: %w", l.Scribe, strings.Join(append([]string{ScribeAgent, ScribeModel}, ScribeAgents...), ", "), ScribeOff, memory.ErrInvalid)
	l.Scribe = ""
	return l, err
}

// WithSetting is a config.toml with a value for a name in a section, without the name if the value is empty. Nothing else in it changes,
// but that earlier names of the setting go.
func WithSetting(text, section, name, value string, earlier ...string) string {
	lines := strings.SplitAfter(text, "\n")
	at, header := "", -1
	for i := 0; i < len(lines); i++ {
		bare := strings.TrimSpace(lines[i])
		if title, is := strings.CutPrefix(bare, "["); is {
			title, _, _ = strings.Cut(title, "]")
			if at = strings.TrimSpace(title); at == section && header < 0 {
				header = i
			}
		}
		set, _, is := strings.Cut(bare, "=")
		if set = strings.TrimSpace(set); at == section && is && (set == name || slices.Contains(earlier, set)) {
			lines = slices.Delete(lines, i, i+1)
			i--
		}
	}
	line := fmt.Sprintf("%s = %s\n", name, value)
	switch {
	case value == "" && header >= 0 && isEmptySection(lines[header:]):
		lines = slices.Delete(lines, header, header+1)
	case value == "":
	case header >= 0:
		lines[header] = strings.TrimSuffix(lines[header], "\n") + "\n"
		lines = slices.Insert(lines, header+1, line)
	default:
		if text != "" && !strings.HasSuffix(text, "\n") {
			lines = append(lines, "\n")
		}
		lines = append(lines, "\n["+section+"]\n", line)
	}
	if text == "" {
		return strings.TrimSpace(strings.Join(lines, "")) + "\n"
	}
	return strings.Join(lines, "")
}

// isEmptySection reports whether nothing stands in the section that begins with the first line, not even a comment.
func isEmptySection(lines []string) bool {
	title := strings.TrimSpace(lines[0])
	for _, line := range lines[1:] {
		if line = strings.TrimSpace(line); line != "" {
			return strings.HasPrefix(line, "[") && strings.HasSuffix(title, "]")
		}
	}
	return strings.HasSuffix(title, "]")
}

// SetScribe writes into config.toml who reads sessions, "" for nobody.
func (c Config) SetScribe(who string) error {
	value := ""
	if who != "" {
		value = strconv.Quote(who)
	}
	return c.set(func(then Config) bool { return then.LLM.Scribe == who }, "llm", "scribe", value, "listen")
}

// SetAsk writes into config.toml whether agents are to ask before they break a rule.
func (c Config) SetAsk(ask bool) error {
	value := ""
	if ask {
		value = "true"
	}
	return c.set(func(then Config) bool { return then.Ask == ask }, "hook", "ask", value)
}

// SetTuning writes one of the settings that tuning.Tuning has into config.toml. "default" takes it out.
func (c Config) SetTuning(name, value string) error {
	want := tuning.Default()
	if value == "default" {
		value = ""
		if !slices.ContainsFunc(want.Table(), func(s tuning.Setting) bool { return s.Name == name }) {
			return want.Set(name, "0") // which says what is near
		}
	} else if err := want.Set(name, value); err != nil {
		return err
	} else if number, err := strconv.ParseFloat(value, 64); err != nil {
		value = strconv.Quote(value)
	} else {
		value = strconv.FormatFloat(number, 'f', -1, 64)
	}
	of := func(t tuning.Tuning) float64 {
		table := t.Table()
		return table[slices.IndexFunc(table, func(s tuning.Setting) bool { return s.Name == name })].Value
	}
	section, key, _ := strings.Cut(name, ".")
	return c.set(func(then Config) bool { return of(then.Tuning) == of(want) }, "tuning."+section, key, value)
}

// set changes one setting in config.toml. A file in which that cannot be done by a line under its section is left as it is.
func (c Config) set(took func(Config) bool, section, name, value string, earlier ...string) error {
	file := c.File()
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target // the link stays
	}
	text, err := filesys.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	changed := WithSetting(string(text), section, name, value, earlier...)
	c.Tuning = tuning.Default()
	if then, err := parse([]byte(changed), c, ""); err != nil || !took(then) {
		return fmt.Errorf("%s: write %s = %s under [%s] yourself, or take it out: %w", file, name, value, section, errors.Join(err, memory.ErrInvalid))
	}
	if changed == string(text) || strings.TrimSpace(changed)+string(text) == "" {
		return nil
	}
	return filesys.Replace(file, []byte(changed))
}

// File is where the settings are.
func (c Config) File() string { return filepath.Join(c.Dir, "config.toml") }

const serverCache = 16 << 20 // with 2 MB a question to 10 000 texts takes 1.25 times as long

// Serving is the configuration of a process that answers many questions: it keeps more of what it has read.
func (c Config) Serving() Config {
	c.Tuning.Store.PageCache = serverCache
	return c
}

// Database is the embedded store's file.
func (c Config) Database() string { return filepath.Join(c.Dir, "hebb.db") }

// Spool is the folder hooks write to.
func (c Config) Spool() string { return filepath.Join(c.Dir, "spool") }

// Backups is the folder copies of the store go to.
func (c Config) Backups() string { return filepath.Join(c.Dir, "backups") }

// Cache is the folder of files that are made from the store and can be removed at any time.
func (c Config) Cache() string { return filepath.Join(c.Dir, "cache") }

// Vault is the folder of files that people read and edit.
func (c Config) Vault() string { return filepath.Join(c.Dir, "vault") }

// Contents is the file with the words of a project's files, which are derived from its work tree.
func (c Config) Contents(id memory.ProjectID) string {
	return filepath.Join(c.Dir, "cache", id.String()+".words")
}

// Leases is the folder with a file for each thing that only one process may do at a time.
func (c Config) Leases() string { return filepath.Join(c.Dir, "leases") }

// Runs is the folder with a file for each process in the background, which says until when it ends.
func (c Config) Runs() string { return filepath.Join(c.Dir, "runs") }

// Procedures is the folder of how-to files that people write.
func (c Config) Procedures() string { return filepath.Join(c.Dir, "vault", "procedures") }

// pausedDir is the folder with an empty file for each project in which hebb is paused: a hook has no time to ask the store.
func (c Config) pausedDir() string { return filepath.Join(c.Dir, "paused") }

// Paused reports whether hebb neither watches nor speaks in a project.
func (c Config) Paused(id memory.ProjectID) bool {
	_, err := os.Stat(filepath.Join(c.pausedDir(), id.String()))
	return err == nil
}

// PausedSince is when a project was paused; now if it is not.
func (c Config) PausedSince(id memory.ProjectID, now time.Time) time.Time {
	info, err := os.Stat(filepath.Join(c.pausedDir(), id.String()))
	if err != nil {
		return now
	}
	return info.ModTime()
}

// Pause makes hebb neither watch nor speak in a project, or ends that. It reports whether that changed anything.
func (c Config) Pause(id memory.ProjectID, pause bool) (changed bool, err error) {
	file := filepath.Join(c.pausedDir(), id.String())
	if changed = c.Paused(id) != pause; !changed {
		return false, nil
	}
	if !pause {
		return true, filesys.Remove(file)
	}
	if err := os.MkdirAll(c.pausedDir(), 0o700); err != nil {
		return false, err
	}
	return true, filesys.WriteFile(file, nil, 0o600)
}

// Load finds the folder and reads the settings. Where only config.toml is at fault, the returned Config holds what is
// understood of it and the defaults else, so that a hook can go on while every command reports the error.
func Load(getenv func(string) string) (Config, error) {
	c := Config{
		Background: getenv(EnvBackground) != "0", Inject: getenv(EnvInject) != "0",
		System: systemFile(getenv), Tuning: tuning.Default(),
	}
	if getenv(EnvStore) != "" {
		c.Removed = append(c.Removed, EnvStore+" was removed ("+removed["store"]+"): unset it")
	}
	var err error
	if c.Dir, err = DataDir(getenv); err != nil {
		return c, err
	}
	if info, err := os.Stat(c.Dir); err == nil && !info.IsDir() {
		return c, fmt.Errorf("data folder %s is a file: move it away, or set %s to a folder: %w", c.Dir, EnvHome, memory.ErrInvalid)
	}
	text, err := filesys.ReadFile(c.File())
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("read settings: %w", err)
	}
	c, err = parse(text, c, homeDir(getenv))
	if err != nil {
		return c, fmt.Errorf("%s: %w", c.File(), err)
	}
	return c, nil
}

// DataDir is one folder for everything, so that a person can find it, copy it and delete it. A test binary has no
// default: tests can never reach a user's memory.
func DataDir(getenv func(string) string) (string, error) {
	dir, err := dataDir(getenv)
	if err == nil {
		err = Own(dir)
	}
	if err != nil {
		return "", err
	}
	return dir, nil
}

func dataDir(getenv func(string) string) (string, error) {
	if dir := getenv(EnvHome); dir != "" {
		if !filepath.IsAbs(dir) { // it would be another folder, with another memory, for each folder that hebb runs in
			return "", fmt.Errorf("%s is %q, which is another folder wherever hebb runs: set it to a whole path, such as %s: %w",
				EnvHome, dir, filepath.Join(cmp.Or(homeDir(getenv), filepath.FromSlash("/home/you")), ".hebb"), memory.ErrRefused)
		}
		return filepath.Clean(dir), nil
	}
	if program := filepath.Base(os.Args[0]); strings.HasSuffix(program, ".test") || strings.HasSuffix(program, ".test.exe") {
		return "", fmt.Errorf("a test must set %s and may not touch the default folder: %w", EnvHome, memory.ErrRefused)
	}
	home := homeDir(getenv)
	if home == "" {
		u, err := user.Current()
		if err != nil {
			return "", fmt.Errorf("no home folder (set %s): %w", EnvHome, err)
		}
		home = u.HomeDir
	}
	return filepath.Join(home, ".hebb"), nil
}

// HideFromGit puts a .gitignore into the data folder, so that a repository around it does not commit the memory. One that is there stays, and
// so does a data folder that is a repository of its own.
func (c Config) HideFromGit() {
	if !filesys.IsFolder(c.Dir) {
		return
	}
	for _, name := range []string{".gitignore", ".git"} {
		if _, err := os.Lstat(filepath.Join(c.Dir, name)); err == nil {
			return
		}
	}
	const text = "# A memory is no source text: git leaves it out. Make this file empty if you want it in a repository.\n*\n"
	_ = filesys.WriteFile(filepath.Join(c.Dir, ".gitignore"), []byte(text), 0o600) // fails in a folder that is full or read only
}

// homeDir is the home folder that the environment names.
func homeDir(getenv func(string) string) string { return cmp.Or(getenv("HOME"), getenv("USERPROFILE")) }

// document is config.toml as people write it.
type document struct {
	Background bool `toml:"background"`
	Hook       struct {
		Inject bool `toml:"inject"`
		Ask    bool `toml:"ask"`
	} `toml:"hook"`
	Gates  Gates `toml:"gates"`
	Learn  Learn `toml:"learn"`
	Listen struct {
		Off any `toml:"off"`
	} `toml:"listen"`
	Sources struct {
		Off any `toml:"off"`
	} `toml:"sources"`
	Dream  dreamDocument `toml:"dream"`
	Search struct {
		Sources []string `toml:"sources"`
	} `toml:"search"`
	LLM    LLM            `toml:"llm"`
	Tuning map[string]any `toml:"tuning"`
}

// dreamDocument has two numbers of the tuning under the names that people look for.
type dreamDocument struct {
	Enabled         bool   `toml:"enabled"`
	IntervalMinutes *int64 `toml:"interval_minutes"`
	MinCrystals     *int64 `toml:"min_crystals"`
}

// unset is config.toml without a line.
func unset() (d document) {
	d.Background, d.Hook.Inject, d.Dream.Enabled = true, true, true
	d.Search.Sources = []string{SourceMemory, SourceSessions}
	return d
}

// parse reads config.toml. A setting that is not understood keeps its default and is named in the
// error; the others hold all the same, so that a slip elsewhere does not switch listening on again.
func parse(text []byte, c Config, home string) (Config, error) {
	d := unset()
	decoder := toml.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&d)
	var unknown *toml.StrictMissingError
	if err != nil && !errors.As(err, &unknown) {
		return c, explain(err)
	}
	var faults []error
	if unknown != nil {
		var gone []string
		faults, gone = unknownSettings(unknown, c.Tuning)
		c.Removed = append(c.Removed, gone...)
	}
	note := func(err error) {
		if err != nil {
			faults = append(faults, err)
		}
	}
	c.Background, c.Inject, c.Ask = c.Background && d.Background, c.Inject && d.Hook.Inject, d.Hook.Ask
	c.Gates, c.Learn = d.Gates, d.Learn
	if d.LLM.Provider == "ollama" {
		c.Removed = append(c.Removed, ollamaRemoved(d.LLM.URL))
		d.LLM = d.LLM.withoutProvider()
	}
	c.LLM, err = d.LLM.check()
	note(err)
	c.Dream.Off = !d.Dream.Enabled
	note(checkGates(c))
	c.Search, err = searchOf(d.Search.Sources)
	note(err)
	c.Listen, err = listenOf(d.Listen.Off, home)
	note(err)
	c.Sources, err = sourcesOf(d.Sources.Off)
	note(err)
	note(d.Dream.set(&c.Tuning))
	values := map[string]string{}
	note(flatten("", d.Tuning, values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if why := removedSetting("tuning." + name); why != "" {
			c.Removed = append(c.Removed, why)
			continue
		}
		note(c.Tuning.Set(name, values[name]))
	}
	return c, inOneLine(faults)
}

// inOneLine joins errors with semicolons.
func inOneLine(faults []error) error {
	if len(faults) == 0 {
		return nil
	}
	var words []string
	for _, err := range faults {
		words = append(words, strings.TrimSuffix(err.Error(), ": "+memory.ErrInvalid.Error()))
	}
	return fmt.Errorf("%s: %w", strings.Join(words, "; "), memory.ErrInvalid)
}

// set takes over the numbers of [dream].
func (d dreamDocument) set(t *tuning.Tuning) error {
	for _, one := range []struct {
		name, tuned string
		value       *int64
	}{
		{"dream.interval_minutes", "dream.interval", d.IntervalMinutes},
		{"dream.min_crystals", "dream.min_crystals", d.MinCrystals},
	} {
		if one.value == nil {
			continue
		}
		if err := t.Set(one.tuned, strconv.FormatInt(*one.value, 10)); err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
	}
	return nil
}

// removed are settings and sections that earlier versions had, with what holds instead.
var removed = map[string]string{
	"store":                    "the memory is a file on each machine; hebb export --from postgres://… brings what a server holds",
	"schema":                   "see store",
	"owner":                    "see store",
	"daemon":                   "figures are not offered to Prometheus any more",
	"embedding":                "no model elsewhere is asked for vectors; the built-in table finds texts by meaning",
	"tuning.embedding":         "no model elsewhere is asked for vectors",
	"tuning.search.model_wait": "no model elsewhere is asked for vectors",
}

// removedSetting says what to know of a setting that earlier versions had; "" if none did.
func removedSetting(name string) string {
	for part := name; ; {
		if why, is := removed[part]; is {
			return fmt.Sprintf("%s was removed (%s): take it out", name, why)
		}
		dot := strings.LastIndexByte(part, '.')
		if dot < 0 {
			return ""
		}
		part = part[:dot]
	}
}

// ollamaRemoved says how the model of an Ollama server is asked now.
func ollamaRemoved(url string) string {
	url = strings.TrimSuffix(strings.TrimRight(url, "/"), "/api/chat")
	if url == "" || strings.Contains(url, "@") { // a password may stand in it
		url = "http://127.0.0.1:11434"
	}
	return fmt.Sprintf(`llm.provider = "ollama" was removed, and no model is asked: Ollama speaks OpenAI's protocol, so write provider = "openai" and `+
		`url = "%s/v1", and start it with OLLAMA_CONTEXT_LENGTH=32768`, url)
}

// unknownSettings names each setting that no part of hebb reads, and the known one that is most like it.
func unknownSettings(unknown *toml.StrictMissingError, t tuning.Tuning) (faults []error, gone []string) {
	known := names("", reflect.TypeFor[document]())
	for _, e := range t.Table() {
		known = append(known, "tuning."+e.Name)
	}
	for _, one := range unknown.Errors {
		row, _ := one.Position()
		name := strings.Join(one.Key(), ".")
		if why := removedSetting(name); why != "" {
			gone = append(gone, why)
			continue
		}
		faults = append(faults, fmt.Errorf("line %d: unknown setting %q (did you mean %s?): %w",
			row, name, tuning.Nearest(name, known), memory.ErrInvalid))
	}
	return faults, gone
}

// names lists the sections and settings that a part of config.toml can hold.
func names(prefix string, t reflect.Type) (all []string) {
	for field := range t.Fields() {
		name := prefix + field.Tag.Get("toml")
		all = append(all, name)
		if field.Type.Kind() == reflect.Struct {
			all = append(all, names(name+".", field.Type)...)
		}
	}
	return all
}

// explain turns the parser's errors into one line that names the place.
func explain(err error) error {
	var bad *toml.DecodeError
	if errors.As(err, &bad) {
		row, column := bad.Position()
		return fmt.Errorf("line %d, column %d: %s: %w", row, column, bad.Error(), memory.ErrInvalid)
	}
	return fmt.Errorf("%w: %w", memory.ErrInvalid, err)
}

// flatten makes [tuning.session] idle_after = 20 and "session.idle_after" = 20 the same.
func flatten(prefix string, from map[string]any, into map[string]string) error {
	for name, value := range from {
		key := strings.TrimPrefix(prefix+"."+name, ".")
		switch v := value.(type) {
		case map[string]any:
			if len(v) == 0 {
				into[key] = "" // an empty table is no setting either
			}
			if err := flatten(key, v, into); err != nil {
				return err
			}
		case int64:
			into[key] = strconv.FormatInt(v, 10)
		case float64:
			into[key] = strconv.FormatFloat(v, 'g', -1, 64)
		case string:
			into[key] = v
		default:
			return fmt.Errorf("tuning %s: want a number or a duration, not %v: %w", key, value, memory.ErrInvalid)
		}
	}
	return nil
}
