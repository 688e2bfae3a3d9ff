package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

// A test can never reach a user's memory: without a folder of its own it gets none.
func TestDefaultFolderIsRefusedInTests(t *testing.T) {
	for _, e := range []func(string) string{env(), env("HOME", t.TempDir()), os.Getenv} {
		if e(EnvHome) != "" {
			continue // somebody runs the tests with a folder of their own
		}
		c, err := Load(e)
		if !errors.Is(err, memory.ErrRefused) || c.Dir != "" {
			t.Errorf("folder %q, %v", c.Dir, err)
		}
	}
}

func TestDefaultsWithoutAFile(t *testing.T) {
	dir := t.TempDir()
	c := must.Get(Load(env(EnvHome, dir)))(t)
	if want := (Config{Dir: dir, System: systemFile(env()), Background: true, Inject: true, Tuning: tuning.Default()}); !reflect.DeepEqual(c, want) {
		t.Errorf("config %+v, want %+v", c, want)
	}
	for got, want := range map[string]string{
		c.File(): "config.toml", c.Database(): "hebb.db", c.Spool(): "spool", c.Backups(): "backups",
		c.Procedures(): filepath.Join("vault", "procedures"),
	} {
		if got != filepath.Join(dir, want) {
			t.Errorf("%s is not below %s", got, dir)
		}
	}
}

// A folder that depends on where hebb runs would be another memory in each.
func TestARelativeFolderIsRefused(t *testing.T) {
	for _, dir := range []string{"some/folder", "hebb", "../hebb", "~/.hebb", "."} {
		if c, err := Load(env(EnvHome, dir)); !errors.Is(err, memory.ErrRefused) || c.Dir != "" || !strings.Contains(err.Error(), EnvHome) {
			t.Errorf("%s: folder %q, %v", dir, c.Dir, err)
		}
	}
}

func TestFileAndEnvironment(t *testing.T) {
	const file = `
background = false
[tuning.session]
idle_after = 20
[tuning]
"hook.prompt_wait" = 99.5
`
	c, err := load(t, file)
	if err != nil {
		t.Fatal(err)
	}
	if c.Background {
		t.Errorf("config %+v", c)
	}
	if s := c.Tuning.Session; s.IdleAfter != 20*time.Minute || s.OrphanAfter() != 40*time.Minute {
		t.Errorf("session %+v", s)
	}
	if d := c.Tuning.Hook.PromptWait; d != 99500*time.Microsecond {
		t.Errorf("deadline %v", d)
	}
	c, err = load(t, file, EnvBackground, "1")
	if err != nil || c.Background {
		t.Errorf("background is off if either says so: %+v, %v", c, err)
	}
	if c, err = load(t, "background = true", EnvBackground, "0"); err != nil || c.Background {
		t.Errorf("background %v, %v", c.Background, err)
	}
}

func TestInjectionIsOffIfEitherSaysSo(t *testing.T) {
	for _, c := range []struct {
		file, env string
		want      bool
	}{
		{"", "", true},
		{"[hook]\ninject = true", "1", true},
		{"[hook]\ninject = false", "", false},
		{"[hook]\ninject = false", "1", false},
		{"hook.inject = true", "0", false},
	} {
		if got, err := load(t, c.file, EnvInject, c.env); err != nil || got.Inject != c.want {
			t.Errorf("%q with %s=%q: %v, %v", c.file, EnvInject, c.env, got.Inject, err)
		}
	}
}

func load(t *testing.T, file string, more ...string) (Config, error) {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "config.toml"), []byte(file), 0o600))
	return Load(env(append([]string{EnvHome, dir}, more...)...))
}

// Every fault names its place or its name, and leaves the defaults for a hook to go on with.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"syntax", "background = true\n\n[tuning\n", "config.toml: line 3, column"},
		{"type", "background = 3", "line 1, column"},
		{"unknown setting", "\ncolour = 'red'", `line 2: unknown setting "colour" (did you mean `},
		{"unknown number", "[tuning.sesion]\nidle_after = 3", "tuning sesion.idle_after: no such setting (did you mean session.idle_after?)"},
		{"out of range", "[tuning.session]\nidle_after = -1", "tuning session.idle_after = -1: must be 1 to 1440 min"},
		{"not a number", "[tuning.session]\nidle_after = true", "tuning session.idle_after: want a number or a duration, not true"},
		{"not a date", "[tuning.session]\nidle_after = 2026-11-15", "tuning session.idle_after: want a number or a duration"},
		{"nothing finite", "[tuning.session]\nidle_after = nan", "tuning session.idle_after = NaN: must be"},
		{"no whole number", "[tuning.hook]\nmax_files = 1.5", "tuning hook.max_files = 1.5: must be a whole number of files"},
		{"dreams without end", "[dream]\ninterval_minutes = 0", "dream.interval_minutes: tuning dream.interval = 0: must be 1 to 100000 min"},
		{"a dream of half a crystal", "[dream]\nmin_crystals = -1", "dream.min_crystals: tuning dream.min_crystals = -1: must be 0 to 1000"},
		{"no source", "[search]\nsources = []", "search.sources is empty: name \"memory\", \"sessions\" or both, or leave the line out"},
		{"an unknown source", "[search]\nsources = ['memory', 'web']", "search.sources holds \"web\": want \"memory\", \"sessions\" or both"},
		{"a word for a switch", "[dream]\nenabled = 'no'", "line 2, column"},
		{"a word for listening", "[listen]\noff = 'shop'", "listen.off is shop: want true, false or a list of folders"},
		{"a number for a folder", "[listen]\noff = [3]", "listen.off is 3: want true, false or a list of folders"},
		{"a name for a folder", "[listen]\noff = ['shop']", `listen.off holds "shop": want the whole path of a folder, such as "~/work/client"`},
		{"no folder", "[listen]\noff = ['']", `listen.off holds "": want the whole path of a folder`},
		{"a slip", "bakground = false", `unknown setting "bakground" (did you mean background?)`},
		{"a slip in a section", "[dream]\nenable = false", `unknown setting "dream.enable" (did you mean dream.enabled?)`},
		{"a slip in the section's name", "[hok]\ninject = false", `unknown setting "hok" (did you mean hook?)`},
		{"a slip in a number", "[tuning.session]\nidle_aftr = 3", "tuning session.idle_aftr: no such setting (did you mean session.idle_after?)"},
		{"a number without its section", "[tuning]\nidle_after = 3", "tuning idle_after: no such setting (did you mean session.idle_after?)"},
		{"an empty section", "[tuning.sessions]", "tuning sessions: no such setting (did you mean "},
		{"scribe", "[llm]\nscribe = 'me'", `llm.scribe is "me": want agent, model, claude-code or off`},
		{"scribe without a model", "[llm]\nscribe = 'model'", `llm.scribe is "model" and no llm.provider is named: name one, or set "agent"`},
		{"two slips", "[gates]\nlod = 'ask'\n[llm]\nkey = 'x'", `line 2: unknown setting "gates.lod" (did you mean gates.load?); line 4: unknown setting "llm.key" (did you mean llm.key_env?)`},
		{"another word for off", "[listen]\nenabled = false", `unknown setting "listen.enabled"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := load(t, c.file)
			if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want %q in one line", err, c.want)
			}
			if got.Dir == "" || got.Tuning != tuning.Default() {
				t.Errorf("no defaults to go on with: %+v", got)
			}
		})
	}
}

// A slip switches off nothing else that the person has set: a hook goes on with the rest of the file.
func TestSettingsBesideAnUnknownOneHold(t *testing.T) {
	got, err := load(t, "bakground = true\n[hook]\ninject = false\n[listen]\noff = true\n[tuning.session]\nidle_after = 20\nidle_aftr = 3\n")
	if !errors.Is(err, memory.ErrInvalid) || got.Inject || !got.Listen.Off || got.Tuning.Session.IdleAfter != 20*time.Minute {
		t.Errorf("%+v, %v", got, err)
	}
	for _, want := range []string{`"bakground"`, "session.idle_aftr", got.File()} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
}

func TestAServerOfTheEnvironmentIsNotUsed(t *testing.T) {
	c, err := Load(env(EnvHome, t.TempDir(), EnvStore, "postgres://me:secret@db/hebb"))
	if said := strings.Join(c.Removed, ""); err != nil || !strings.Contains(said, "HEBB_STORE was removed") || strings.Contains(said, "secret") {
		t.Errorf("%q, %v", c.Removed, err)
	}
}

func TestFolderThatIsAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must.Do(t, os.WriteFile(file, nil, 0o600))
	c, err := Load(env(EnvHome, file))
	if err == nil || !strings.Contains(err.Error(), file+" is a file: move it away, or set HEBB_HOME") || c.Dir != file {
		t.Errorf("config %+v, error %v", c, err)
	}
}

func TestDreamsAndSearchHaveTheirDefaults(t *testing.T) {
	c, err := load(t, "")
	if err != nil || c.Dream.Off || c.Tuning.Dream.Interval != 2*time.Hour || c.Tuning.Dream.MinCrystals != 5 ||
		!c.Search.Looks(SourceMemory) || !c.Search.Looks(SourceSessions) {
		t.Errorf("%+v, %+v, %v", c.Dream, c.Search, err)
	}
	c, err = load(t, "[dream]\nenabled = false\ninterval_minutes = 60\nmin_crystals = 9\n[search]\nsources = ['memory']\n")
	if err != nil || !c.Dream.Off || c.Tuning.Dream.Interval != time.Hour || c.Tuning.Dream.MinCrystals != 9 ||
		!c.Search.Looks(SourceMemory) || c.Search.Looks(SourceSessions) {
		t.Errorf("%+v, %+v, %v", c.Dream, c.Search, err)
	}
	// Who tunes the same number says it last.
	c, err = load(t, "[dream]\nmin_crystals = 9\n[tuning.dream]\nmin_crystals = 7\n")
	if err != nil || c.Tuning.Dream.MinCrystals != 7 {
		t.Errorf("%d, %v", c.Tuning.Dream.MinCrystals, err)
	}
}

func TestListeningIsOffWhereTheUserSaysSo(t *testing.T) {
	home := t.TempDir()
	must.Do(t, errors.Join(os.MkdirAll(filepath.Join(home, "work", "client"), 0o700), os.Symlink(filepath.Join(home, "work"), filepath.Join(home, "link"))))
	real := must.Get(filepath.EvalSymlinks(home))(t)
	at := func(root, identity string) memory.Place {
		return memory.Place{Root: memory.EscapePath(filepath.ToSlash(filepath.Join(real, root))), Identity: memory.EscapePath(filepath.ToSlash(filepath.Join(real, identity)))}
	}
	shop, client, worktree, clients := at("shop", "shop/.git"), at("work/client", "work/client/.git"), at("tmp/tree", "work/client/.git"), at("work/clients", "work/clients")
	for _, c := range []struct {
		file string
		off  []memory.Place
	}{
		{"", nil},
		{"[listen]\noff = false", nil},
		{"[listen]\noff = []", nil},
		{"[listen]\noff = true", []memory.Place{shop, client, worktree, clients}},
		{"[listen]\noff = ['~/work/client/']", []memory.Place{client, worktree}},
		{"[listen]\noff = ['~/link']", []memory.Place{client, worktree, clients}},
		{"listen.off = ['" + filepath.ToSlash(real) + "/shop', '~/none']", []memory.Place{shop}},
	} {
		got := must.Get(load(t, c.file, "HOME", home))(t)
		for _, place := range []memory.Place{shop, client, worktree, clients} {
			if off := slices.Contains(c.off, place); got.Listens(place) == off {
				t.Errorf("%q: listens at %s: %v", c.file, place.Root, !off)
			}
		}
	}
	if !(Config{}).Listens(shop) {
		t.Error("a config that nobody wrote does not listen")
	}
}

func TestAFileForbidsTheScribe(t *testing.T) {
	for _, c := range []struct {
		system, project string
		want            string
	}{
		{"", "", ""},
		{"[llm]\nscribe = \"no\"", "", "system no"},
		{"", "scribe = \"Off\"", "project Off"},
		{"", "scribe = 0 # never", "project 0"},
		{"", "Scribe = \"disabled\"", "project disabled"},
		{"", "llm.\"scribe\" = \"none\"", "project none"},
		{"", "scribe =", "project nothing"},
		{"scribe = \"on\"", "scribe: true", ""},
		{"[llm]\nscribe = \"model\"", "scribe = 'claude-code'", ""},
		{"[llm]\nscribe = \"off\" # here\n", "", "system"},
		{"llm.scribe = 'off'", "", "system"},
		{"llm = { model = 'm', \"scribe\" = false }", "", "system"},
		{"[llm]\nscribe = \"agent\"", "scribe = \"off\"\r\n", "project"},
		{"", "scribe: off", "project"},
		{"", "# scribe: off\nscribe_off = 1\nnote = 'scribe: off'", ""},
	} {
		system, project := filepath.Join(t.TempDir(), "config.toml"), t.TempDir()
		must.Do(t, errors.Join(os.WriteFile(system, []byte(c.system), 0o600), os.WriteFile(filepath.Join(project, ProjectFile), []byte(c.project), 0o600)))
		got, says := Config{System: system}.ScribeForbidden([]string{t.TempDir(), project})
		by, unknown, _ := strings.Cut(c.want, " ")
		if want := map[string]string{"": "", "system": system, "project": filepath.Join(project, ProjectFile)}[by]; got != want || says != unknown {
			t.Errorf("%q and %q: forbidden by %q, which says %q, want %q and %q", c.system, c.project, got, says, want, unknown)
		}
	}
	if got, _ := (Config{System: t.TempDir()}).ScribeForbidden(nil); got == "" {
		t.Error("a file that cannot be read forbids nothing")
	}
}

func TestTheScribeIsWrittenIntoTheSettings(t *testing.T) {
	for _, c := range []struct{ before, who, after string }{
		{"", "agent", "[llm]\nscribe = \"agent\"\n"},
		{"# mine\nbackground = true", "agent", "# mine\nbackground = true\n\n[llm]\nscribe = \"agent\"\n"},
		{"[llm] # a model\nmodel = \"m\"\n\n[gates]\n", "agent", "[llm] # a model\nscribe = \"agent\"\nmodel = \"m\"\n\n[gates]\n"},
		{"[llm]\nscribe = \"model\"\n", "agent", "[llm]\nscribe = \"agent\"\n"},
		{"[llm]\nmodel = \"m\"\nscribe  = \"agent\"\n[gates]\nload = \"ask\"\n", "", "[llm]\nmodel = \"m\"\n[gates]\nload = \"ask\"\n"},
		{"[gates]\n", "", "[gates]\n"},
		{"\n[llm]\nlisten = true\n", "", "\n"},
		{"[llm] # mine\nscribe = \"agent\"\n[gates]\n", "", "[llm] # mine\n[gates]\n"},
		{"[llm]\nscribe = \"agent\"\n# off for now\n", "", "[llm]\n# off for now\n"},
	} {
		value := ""
		if c.who != "" {
			value = strconv.Quote(c.who)
		}
		if got := WithSetting(c.before, "llm", "scribe", value, "listen"); got != c.after {
			t.Errorf("%q with %q is %q, want %q", c.before, c.who, got, c.after)
		}
		if again := WithSetting(c.after, "llm", "scribe", value, "listen"); again != c.after {
			t.Errorf("%q once more is %q", c.after, again)
		}
	}
}

func TestSettingsThatCannotTakeALineAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	c := Config{Dir: filepath.Join(dir, "home"), Tuning: tuning.Default()}
	must.Do(t, os.Mkdir(c.Dir, 0o700))
	dotted := "llm.provider = \"openai\"\nllm.model = \"m\"\n"
	real := filepath.Join(dir, "dotfiles.toml")
	must.Do(t, errors.Join(os.WriteFile(real, []byte(dotted), 0o600), os.Symlink(real, c.File())))
	if err := c.SetScribe(ScribeAgent); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("dotted names: %v", err)
	}
	if text, err := os.ReadFile(real); string(text) != dotted || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	must.Do(t, os.WriteFile(real, []byte("background = true\n"), 0o600))
	must.Do(t, c.SetScribe(ScribeAgent))
	if target, err := os.Readlink(c.File()); target != real || err != nil {
		t.Errorf("the link is gone: %q, %v", target, err)
	}
	if text, err := os.ReadFile(real); string(text) != "background = true\n\n[llm]\nscribe = \"agent\"\n" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

// Settings of earlier versions are ignored and named, and what stands beside them holds.
func TestRemovedSettingsWarn(t *testing.T) {
	for _, c := range []struct {
		file string
		want []string
	}{
		{"store = 'postgres://db/hebb'\nschema = 'team'\nowner = 'ada'\n", []string{"store was removed (the memory is a file", "schema was", "owner was"}},
		{"[daemon]\nmetrics = true\n", []string{"daemon was removed (figures"}},
		{"[embedding]\nprovider = 'ollama'\nmodel = 'm'\n", []string{"embedding was removed (no model elsewhere is asked"}},
		{"[tuning.embedding]\ntimeout = 3\n", []string{"tuning.embedding.timeout was removed"}},
		{"[tuning.search]\nmodel_wait = 3\nweak_below = 0.5\n", []string{"tuning.search.model_wait was removed"}},
		{"[llm]\nprovider = 'ollama'\nmodel = 'm'\nscribe = 'model'\n", []string{`write provider = "openai" and url = "http://127.0.0.1:11434/v1"`}},
		{"[llm]\nprovider = 'ollama'\nurl = 'http://10.0.0.2:11434/api/chat'\nallow_http = true\n", []string{`url = "http://10.0.0.2:11434/v1"`}},
		{"[llm]\nprovider = 'ollama'\nurl = 'http://me:secret@host'\n", []string{`url = "http://127.0.0.1:11434/v1"`}},
	} {
		got, err := load(t, "background = false\n"+c.file)
		if err != nil || got.Background || got.LLM.Provider != "" || got.LLM.Scribe != "" || len(got.Removed) != len(c.want) {
			t.Errorf("%q: %+v, %v", c.file, got, err)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(got.Removed[i], want) {
				t.Errorf("%q says %q, want %q", c.file, got.Removed[i], want)
			}
		}
	}
	if got, err := load(t, "[llm]\nprovider = 'ollama'\nmodel = 'm'\nscribe = 'agent'\n"); err != nil || got.LLM.Scribe != ScribeAgent || got.LLM.Model != "" {
		t.Errorf("the scribe goes on: %+v, %v", got.LLM, err)
	}
}
