//go:build packages

package main

// What people install, as they install it: the archive with install.sh, npm packages, hebb upgrade. Run by scripts/packages-check.

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const laterVersion = "99.0.0"

// newcomer is somebody with an empty home, with Claude Code's folder in it, and a repository.
type newcomer struct {
	*testing.T
	home, repo string
	env        []string
}

func newNewcomer(t *testing.T) *newcomer {
	t.Helper()
	dir := t.TempDir()
	m := &newcomer{T: t, home: filepath.Join(dir, "home"), repo: filepath.Join(dir, "repo")}
	m.env = append(os.Environ(), "HOME="+m.home, "HEBB_HOME="+filepath.Join(m.home, ".hebb"), "HEBB_BACKGROUND=0",
		"npm_config_cache="+filepath.Join(dir, "npm"), "npm_config_offline=true", "npm_config_audit=false", "npm_config_fund=false",
		"npm_config_update_notifier=false", "GIT_CONFIG_GLOBAL="+os.DevNull)
	if err := errors.Join(os.MkdirAll(filepath.Join(m.home, ".claude"), 0o700), os.MkdirAll(m.repo, 0o700),
		os.WriteFile(filepath.Join(m.repo, "main.go"), []byte("package main\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	m.run(m.repo, "git", "init", "-q")
	m.run(m.repo, "git", "add", ".")
	m.run(m.repo, "git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "main: begin")
	return m
}

func (m *newcomer) try(dir string, command ...string) (string, error) {
	cmd := exec.CommandContext(m.Context(), command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, m.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (m *newcomer) run(dir string, command ...string) string {
	m.Helper()
	out, err := m.try(dir, command...)
	if err != nil {
		m.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
	return out
}

// laterHebb is a hebb of a later version.
func laterHebb(t *testing.T) string {
	return built(t, filepath.Join(t.TempDir(), "hebb"), laterVersion)
}

// built is a hebb of a version.
func built(t *testing.T, path, version string, values ...string) string {
	t.Helper()
	flags := "-ldflags=-s -w -X github.com/hebb-memory/hebb/internal/cli.Version=" + version
	for _, value := range values {
		flags += " -X 'github.com/hebb-memory/hebb/internal/" + value + "'"
	}
	out, err := exec.Command("go", "build", flags, "-o", path, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// newKey is a file with a private key of ssh-keygen, and the public half.
func newKey(t *testing.T) (file, public string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(file + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	return file, strings.TrimSpace(string(text))
}

// withKey is a copy of a file of the repository that holds a public key.
func withKey(t *testing.T, file, empty, public string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", file))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), empty) {
		t.Fatalf("%s: no %s", file, empty)
	}
	held := strings.NewReplacer("''", "'"+public+"'", `""`, `"`+public+`"`).Replace(empty)
	out := filepath.Join(t.TempDir(), filepath.Base(file))
	if err := os.WriteFile(out, []byte(strings.Replace(string(text), empty, held, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	return out
}

// serveRelease serves a release with one archive. Its checksum is right unless wrong is true. It is signed if there is a key.
func serveRelease(t *testing.T, from string, wrong *bool, key string) string {
	t.Helper()
	dir := t.TempDir()
	name := fmt.Sprintf("hebb_%s_%s_%s.tar.gz", laterVersion, runtime.GOOS, runtime.GOARCH)
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	packed := gzip.NewWriter(f)
	files := tar.NewWriter(packed)
	err = files.WriteHeader(&tar.Header{Name: "hebb", Mode: 0o755, Size: int64(len(text)), Typeflag: tar.TypeReg})
	_, second := files.Write(text)
	if err := errors.Join(err, second, files.Close(), packed.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	archive, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(dir)))
	mux.HandleFunc("/SHA256SUMS", func(w http.ResponseWriter, _ *http.Request) {
		sum := sha256.Sum256(archive)
		if wrong != nil && *wrong {
			sum[0]++
		}
		fmt.Fprintf(w, "%x  %s\n", sum, name)
	})
	if key != "" {
		list := filepath.Join(dir, "signed")
		err := os.WriteFile(list, fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(archive), name), 0o600)
		out, second := exec.Command("ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", "hebb-release", list).CombinedOutput()
		if err := errors.Join(err, second); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		mux.HandleFunc("/SHA256SUMS.sig", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, list+".sig") })
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// hookCommands are what the settings of Claude Code call.
func (m *newcomer) hookCommands() (commands []string) {
	m.Helper()
	text, err := os.ReadFile(filepath.Join(m.home, ".claude", "settings.json"))
	if err != nil {
		m.Fatal(err)
	}
	var s struct {
		Hooks map[string][]struct{ Hooks []struct{ Command string } }
	}
	if err := json.Unmarshal(text, &s); err != nil {
		m.Fatal(err)
	}
	for _, groups := range s.Hooks {
		for _, g := range groups {
			for _, h := range g.Hooks {
				commands = append(commands, h.Command)
			}
		}
	}
	if len(commands) < 7 {
		m.Fatalf("%d hooks are wired: %s", len(commands), text)
	}
	return commands
}

func TestInstallScript(t *testing.T) {
	m := newNewcomer(t)
	wrong := true
	m.env = append(m.env, "HEBB_RELEASES="+serveRelease(t, laterHebb(t), &wrong, ""))
	install, err := filepath.Abs("../../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	installed := filepath.Join(m.home, ".local", "bin", "hebb")
	if out, err := m.try(m.home, "sh", install); err == nil || !strings.Contains(out, "checksum") {
		t.Errorf("an archive with another checksum: %v, %s", err, out)
	}
	if _, err := os.Stat(installed); err == nil {
		t.Error("an archive with another checksum was installed")
	}
	wrong = false
	out := m.run(m.home, "sh", install)
	if !strings.Contains(out, "Installed "+installed) || !strings.Contains(out, laterVersion) {
		t.Errorf("install.sh says: %s", out)
	}
	out = m.run(m.repo, installed, "init", "--yes")
	if !strings.Contains(out, "wired") {
		t.Errorf("init says: %s", out)
	}
	// The folder is moved: hooks go on.
	if err := os.Rename(filepath.Join(m.home, ".local"), filepath.Join(m.home, "moved")); err != nil {
		t.Fatal(err)
	}
	m.hooksWork()
}

// install.sh does what it says, or says why not.
func TestInstallScriptRefuses(t *testing.T) {
	m := newNewcomer(t)
	m.env = append(m.env, "HEBB_RELEASES="+serveRelease(t, laterHebb(t), nil, ""))
	install, err := filepath.Abs("../../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(m.home, ".local", "bin")
	fails := func(what, want string, env ...string) {
		t.Helper()
		out, err := m.try(m.home, append(append([]string{"env"}, env...), "sh", install)...)
		if err == nil || !strings.Contains(out, want) || strings.Contains(out, "Installed") {
			t.Errorf("%s: %v, %s", what, err, out)
		}
	}
	if err := os.MkdirAll(filepath.Join(bin, "hebb"), 0o700); err != nil {
		t.Fatal(err)
	}
	fails("hebb is a folder", "is a folder")
	if err := errors.Join(os.Remove(filepath.Join(bin, "hebb")),
		os.WriteFile(filepath.Join(bin, "hebb"), []byte("#!/bin/sh\necho 'hebb 99.1.0  go1.26'\n"), 0o700)); err != nil {
		t.Fatal(err)
	}
	fails("an older release", "an older one")
	for _, place := range []string{"http://example.org/x", "http://127.0.0.1:80@example.org", "http://localhost.example.org", "ftp://example.org", "file:///etc"} {
		fails(place, "want https", "HEBB_RELEASES="+place)
	}
	victim := filepath.Join(m.home, "victim")
	if err := errors.Join(os.Remove(filepath.Join(bin, "hebb")), os.WriteFile(victim, []byte("keep"), 0o600),
		os.Symlink(victim, filepath.Join(bin, ".hebb-new"))); err != nil {
		t.Fatal(err)
	}
	if out := m.run(m.home, "sh", install); !strings.Contains(out, "checksum compared, not signed") {
		t.Errorf("without a key: %s", out)
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != "keep" {
		t.Errorf("the target of a planted link: %v, %d bytes", err, len(text))
	}
	left, err := filepath.Glob(filepath.Join(bin, ".hebb-new-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %s, %v", left, err)
	}
}

// With a key, only what is signed is installed: by install.sh, by hebb upgrade and by npm's launcher.
func TestReleasesAreSigned(t *testing.T) {
	m := newNewcomer(t)
	key, public := newKey(t)
	_, other := newKey(t)
	later := laterHebb(t)
	signed, unsigned := serveRelease(t, later, nil, key), serveRelease(t, later, nil, "")
	installed := filepath.Join(m.home, ".local", "bin", "hebb")
	own := built(t, filepath.Join(m.home, "bin", "hebb"), "1.0.0", "wiring.ReleaseKey="+public)
	for _, c := range []struct {
		releases, key string
		good          bool
	}{{unsigned, public, false}, {signed, other, false}, {signed, public, true}} {
		out, err := m.try(m.home, "env", "HEBB_RELEASES="+c.releases, "sh", withKey(t, "install.sh", "\nkey=''", c.key))
		if (err == nil) != c.good || strings.Contains(out, "signature verified") != c.good || exists(installed) != c.good {
			t.Errorf("install.sh: %v, %s, want %t", err, out, c.good)
		}
		if c.key != public {
			continue
		}
		out, err = m.try(m.home, "env", "HEBB_RELEASES="+c.releases, own, "upgrade")
		if (err == nil) != c.good {
			t.Errorf("upgrade: %v, %s, want %t", err, out, c.good)
		}
	}
	if out := m.run(m.home, own, "version"); !strings.Contains(out, laterVersion) {
		t.Errorf("upgraded to %s", out)
	}

	launcher := filepath.Join(m.home, "node_modules", "@hebb-memory", "hebb", "hebb.js")
	platform := "hebb-" + runtime.GOOS + "-" + map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	there := filepath.Join(m.home, "node_modules", "@hebb-memory", platform, "bin", "hebb")
	text, err := os.ReadFile(withKey(t, filepath.Join("npm", "hebb.js"), "\nconst key = \"\"", public))
	if err := errors.Join(err, os.MkdirAll(filepath.Dir(launcher), 0o700), os.MkdirAll(filepath.Dir(there), 0o700), os.WriteFile(launcher, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	m.run(".", "cp", later, there)
	if out, err := m.try(m.home, "node", launcher, "version"); err == nil || !strings.Contains(out, "is not signed") {
		t.Errorf("a program that is not signed: %v, %s", err, out)
	}
	m.run(".", "ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", "hebb-release", there)
	if out := m.run(m.home, "node", launcher, "version"); !strings.Contains(out, laterVersion) {
		t.Errorf("a program that is signed says: %s", out)
	}
	f, err := os.OpenFile(there, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString("x")
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	if out, err := m.try(m.home, "node", launcher, "version"); err == nil || !strings.Contains(out, "is not signed") {
		t.Errorf("a program that was changed: %v, %s", err, out)
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func TestUpgradeCommand(t *testing.T) {
	m := newNewcomer(t)
	own := built(t, filepath.Join(m.home, "bin", "hebb"), "1.0.0")
	m.run(m.repo, own, "init", "--yes")
	wrong := true
	m.env = append(m.env, "HEBB_RELEASES="+serveRelease(t, laterHebb(t), &wrong, ""))
	if out := m.run(m.home, own, "upgrade", "--check"); !strings.Contains(out, "hebb "+laterVersion+" is out") {
		t.Errorf("upgrade --check says: %s", out)
	}
	if out, err := m.try(m.home, own, "upgrade"); err == nil || !strings.Contains(out, "checksum") {
		t.Errorf("another checksum: %v, %s", err, out)
	}
	wrong = false
	m.run(m.home, own, "upgrade")
	for _, one := range []string{own, filepath.Join(m.home, ".hebb", "bin", "hebb")} {
		if out := m.run(m.home, one, "version"); !strings.Contains(out, laterVersion) {
			t.Errorf("%s is %s", one, out)
		}
	}
	if out := m.run(m.home, own, "upgrade"); !strings.Contains(out, "is the newest release") {
		t.Errorf("a second upgrade says: %s", out)
	}
}

func TestNpmPackages(t *testing.T) {
	m := newNewcomer(t)
	out := filepath.Join(t.TempDir(), "packages")
	platform := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	m.run(".", "../../scripts/npm-packages", "1.0.0", out, runtime.GOOS+"-"+platform+"="+program)
	m.run(out, "npm", "pack", "--silent", "./hebb", "./hebb-"+runtime.GOOS+"-"+platform)
	packed, err := filepath.Glob(filepath.Join(out, "*.tgz"))
	if err != nil || len(packed) != 2 {
		t.Fatalf("packed: %s, %v", packed, err)
	}
	project := filepath.Join(m.home, "tools")
	if err := os.MkdirAll(project, 0o700); err != nil {
		t.Fatal(err)
	}
	m.run(project, append([]string{"npm", "install", "--silent", "--prefix", project}, packed...)...)
	m.env = append(m.env, "PATH="+filepath.Join(project, "node_modules", ".bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	if got := m.run(m.repo, filepath.Join(project, "node_modules", ".bin", "hebb"), "init", "--yes"); !strings.Contains(got, "wired") {
		t.Errorf("init says: %s", got)
	}
	if out, err := m.try(m.repo, filepath.Join(project, "node_modules", ".bin", "hebb"), "recall"); err == nil || m.exitCode(err) != 2 {
		t.Errorf("the launcher hands the exit code on: %v, %s", err, out)
	}
	for _, c := range m.hookCommands() {
		if strings.Contains(c, "node") || !strings.Contains(c, filepath.Join(m.home, ".hebb", "bin", "hebb")) {
			t.Errorf("a hook calls %s", c)
		}
	}
	// The packages go: hooks go on.
	if err := os.RemoveAll(project); err != nil {
		t.Fatal(err)
	}
	m.hooksWork()
}

func (m *newcomer) exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

// hooksWork calls a hook as the settings say, and finds its event in the memory.
func (m *newcomer) hooksWork() {
	m.Helper()
	payload := fmt.Sprintf(`{"session_id": "s1", "cwd": %q, "hook_event_name": "UserPromptSubmit", "prompt": "look at the zebra crossing"}`, m.repo)
	cmd := exec.CommandContext(m.Context(), "sh", "-c", m.hookCommands()[0])
	cmd.Dir, cmd.Env, cmd.Stdin = m.repo, m.env, strings.NewReader(payload)
	if out, err := cmd.CombinedOutput(); err != nil {
		m.Fatalf("hook: %v\n%s", err, out)
	}
	events := m.run(m.repo, filepath.Join(m.home, ".hebb", "bin", "hebb"), "sessions", "events")
	if !strings.Contains(events, "zebra crossing") {
		m.Errorf("the event of a hook is not in the memory:\n%s", events)
	}
}
