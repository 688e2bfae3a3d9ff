package wiring

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// script is a program that says its version as hebb does.
func script(version string) []byte {
	return fmt.Appendf(nil, "#!/bin/sh\necho '{\"version\": \"%s\"}'\n", version)
}

func write(t *testing.T, path string, text []byte) string {
	t.Helper()
	must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o700)))
	return path
}

func versionAt(t *testing.T, path string) string {
	t.Helper()
	return must.Get(versionOf(t.Context(), path))(t)
}

func needsShell(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs of this test are shell scripts")
	}
}

// ownFolder is a folder that only the person may write to, as no temporary one is.
func ownFolder(t *testing.T) string {
	t.Helper()
	dir := must.Get(filepath.Abs(must.Get(os.MkdirTemp(".", "own-"))(t)))(t)
	t.Cleanup(func() { must.Do(t, os.RemoveAll(dir)) })
	return dir
}

func TestTheCopyFollowsItsProgramAndSurvivesIt(t *testing.T) {
	needsShell(t)
	from := write(t, filepath.Join(ownFolder(t), "node_modules", "hebb"), script("1.0.0"))
	c := CopyIn(t.TempDir())
	path, err := c.Make(t.Context(), from)
	if err != nil || path != c.Path() || versionAt(t, path) != "1.0.0" {
		t.Fatalf("a copy at %s: %v", path, err)
	}
	write(t, from, script("1.0.10"))
	if err := c.Follow(t.Context()); err != nil || versionAt(t, path) != "1.0.10" {
		t.Errorf("after an upgrade the copy has version %s: %v", versionAt(t, path), err)
	}
	if again, err := c.Make(t.Context(), path); err != nil || again != path || versionAt(t, path) != "1.0.10" {
		t.Errorf("the copy copied to itself: %s, %v", again, err)
	}
	if err := errors.Join(os.Remove(from), c.Follow(t.Context())); err != nil || versionAt(t, path) != "1.0.10" {
		t.Errorf("without its program the copy is gone: %v", err)
	}
}

func TestWhatDoesNotRunIsNotCopied(t *testing.T) {
	needsShell(t)
	dir := t.TempDir()
	from := write(t, filepath.Join(dir, "hebb"), script("1.0.0"))
	c := CopyIn(filepath.Join(dir, "data"))
	path := must.Get(c.Make(t.Context(), from))(t)
	write(t, from, []byte("#!/bin/sh\nexit 3\n"))
	if _, err := c.Make(t.Context(), from); err == nil || versionAt(t, path) != "1.0.0" {
		t.Errorf("a program that fails was copied: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "data", "bin", ".new-*")); len(left) > 0 {
		t.Errorf("left behind: %s", left)
	}
}

func TestWhereNoCopyRunsAgentsCallTheProgramItself(t *testing.T) {
	needsShell(t)
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	from := write(t, filepath.Join(dir, "hebb"), onlyOutside(data, "1.0.0"))
	c := CopyIn(data)
	if path, err := c.Make(t.Context(), from); err == nil {
		t.Fatalf("a copy that does not run: %s", path)
	}
	if c.Called() != c.Path() {
		t.Errorf("before anybody says so, agents call %s", c.Called())
	}
	if err := c.Bypass(from); err != nil || c.Called() != from {
		t.Errorf("agents call %s: %v", c.Called(), err)
	}
	write(t, from, onlyOutside(data, "1.10.0"))
	if err := c.Follow(t.Context()); err != nil || c.Called() != from {
		t.Errorf("after an upgrade agents call %s: %v", c.Called(), err)
	}
	write(t, from, script("1.11.0")) // the folder allows programs by now
	if path, err := c.Make(t.Context(), from); err != nil || path != c.Path() || c.Called() != path {
		t.Errorf("agents call %s and not the copy: %v", c.Called(), err)
	}
}

// onlyOutside is a script that does not run inside a folder, as no program does on a file system that
// allows none.
func onlyOutside(folder, version string) []byte {
	return bytes.Replace(script(version), []byte("\n"), fmt.Appendf(nil, "\ncase $0 in %s/*) exit 126;; esac\n", folder), 1)
}

func TestFollowWithoutACopyDoesNothing(t *testing.T) {
	c := CopyIn(filepath.Join(t.TempDir(), "none"))
	if err := c.Follow(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(c.dir); !os.IsNotExist(err) {
		t.Errorf("a folder was made: %v", err)
	}
}

func TestOwner(t *testing.T) {
	bins := []string{"", "/home/a/go/bin"}
	for path, want := range map[string]string{
		"/home/a/.npm/_npx/0a1b/node_modules/@hebb-memory/hebb-linux-x64/bin/hebb":     "npx",
		"/usr/lib/node_modules/@hebb-memory/hebb/node_modules/@hebb-memory/x/bin/hebb": "npm",
		"/opt/homebrew/Caskroom/hebb/1.2.0/hebb":                                       "Homebrew",
		"/home/linuxbrew/.linuxbrew/Cellar/hebb/1.2.0/bin/hebb":                        "Homebrew",
		"C:/Users/a/scoop/apps/hebb/current/hebb.exe":                                  "Scoop",
		"/nix/store/abc-hebb/bin/hebb":                                                 "Nix",
		"/home/a/.local/share/mise/installs/hebb/1.0/hebb":                             "mise",
		"/tmp/go-build123/b001/exe/hebb":                                               "go run",
		"/usr/bin/hebb":                                                                "apt",
		"/home/a/go/bin/hebb":                                                          "go install",
		"/home/a/.local/bin/hebb":                                                      "",
		"/usr/local/bin/hebb":                                                          "",
	} {
		name, upgrade := ProgramOwner(path, func(string) bool { return true }, bins)
		if name != want || (upgrade == "") != (want == "") {
			t.Errorf("%s belongs to %q (%s), want %q", path, name, upgrade, want)
		}
	}
	if name, _ := ProgramOwner("/usr/bin/hebb", func(string) bool { return false }, bins); name != "" {
		t.Errorf("without a package /usr/bin/hebb belongs to %q", name)
	}
}

// release serves the archive of a version; sum takes its checksum, or a wrong one.
func release(t *testing.T, version string, sum func([]byte) string) string {
	t.Helper()
	var archive bytes.Buffer
	packed := gzip.NewWriter(&archive)
	files := tar.NewWriter(packed)
	for name, text := range map[string][]byte{"README.md": []byte("read"), "hebb": script(version)} {
		err := files.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text)), Typeflag: tar.TypeReg})
		if _, second := files.Write(text); err != nil || second != nil {
			t.Fatal(err, second)
		}
	}
	must.Do(t, errors.Join(files.Close(), packed.Close()))
	name := fmt.Sprintf("hebb_%s_%s_%s.tar.gz", version, runtime.GOOS, runtime.GOARCH)
	mux := http.NewServeMux()
	mux.HandleFunc("/"+Sums, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "%s  hebb_%s_plan9_mips.tar.gz\n%s  %s\n", strings.Repeat("0", 64), version, sum(archive.Bytes()), name)
	})
	mux.HandleFunc("/"+name, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(archive.Bytes()) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func sha(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func TestUpgrade(t *testing.T) {
	needsShell(t)
	program := write(t, filepath.Join(t.TempDir(), "hebb"), script("1.0.0"))
	newest, err := NewestRelease(t.Context(), release(t, "1.1.0", sha), "")
	if err != nil || newest.Version != "1.1.0" {
		t.Fatalf("newest: %+v, %v", newest, err)
	}
	if err := newest.Install(t.Context(), program); err != nil || versionAt(t, program) != "1.1.0" {
		t.Errorf("installed: %v", err)
	}
	wrong := must.Get(NewestRelease(t.Context(), release(t, "1.2.0", func([]byte) string { return strings.Repeat("a", 64) }), ""))(t)
	if err := wrong.Install(t.Context(), program); !errors.Is(err, memory.ErrRefused) || versionAt(t, program) != "1.1.0" {
		t.Errorf("another checksum: %v, version %s", err, versionAt(t, program))
	}
}

func TestNewerThan(t *testing.T) {
	r := Release{Version: "1.3.2"}
	for version, want := range map[string][2]bool{
		"1.3.1": {true, true}, "v1.2.10": {true, true}, "1.3.2": {false, true}, "v1.3.2": {false, true}, "1.10.0": {false, true},
		"1.3.2-rc.1": {true, true}, "1.4.0-rc.1": {false, true}, "(devel)": {true, false}, "a1b2c3d-dirty": {true, false},
		"v0.0.0-20261118101112-abcdefabcdef": {true, false}, "v1.3.1-4-ga1b2c3d": {true, false}, "1.3.1-dirty": {true, false},
		"1.3.1-snapshot.a1b2c3d": {true, false},
	} {
		if newer, known := r.NewerThan(version); known != want[1] || known && newer != want[0] {
			t.Errorf("1.3.2 beside %s: newer %t, known %t", version, newer, known)
		}
	}
}

func TestTheCopyFollowsALinkOnPath(t *testing.T) {
	needsShell(t)
	dir := ownFolder(t)
	one, two := write(t, filepath.Join(dir, "Cellar", "1", "hebb"), script("1.0.0")), write(t, filepath.Join(dir, "Cellar", "2", "hebb"), script("1.0.2"))
	link := filepath.Join(dir, "bin", "hebb")
	must.Do(t, errors.Join(os.Mkdir(filepath.Dir(link), 0o700), os.Symlink(one, link)))
	t.Setenv("PATH", filepath.Dir(link)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	c := CopyIn(filepath.Join(dir, "data"))
	must.Get(c.Make(t.Context(), one))(t)
	must.Do(t, errors.Join(os.Remove(link), os.Symlink(two, link), os.RemoveAll(filepath.Dir(one)), c.Follow(t.Context())))
	if v := versionAt(t, c.Path()); v != "1.0.2" {
		t.Errorf("after the link was moved the copy has version %s", v)
	}
}

func TestWhatWasAbandonedIsRemoved(t *testing.T) {
	needsShell(t)
	dir := t.TempDir()
	c := CopyIn(dir)
	left := filepath.Join(dir, "bin", ".new-1")
	must.Do(t, os.MkdirAll(left, 0o700))
	hoursAgo := time.Now().Add(-2 * abandoned)
	must.Do(t, os.Chtimes(left, hoursAgo, hoursAgo))
	must.Get(c.Make(t.Context(), write(t, filepath.Join(dir, "hebb"), script("1.0.0"))))(t)
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("a copy that was killed is still there: %v", err)
	}
}

func TestOnlyHTTPSIsAsked(t *testing.T) {
	for _, address := range []string{"http://example.org/x", "ftp://example.org/x", "file:///etc/passwd", "::"} {
		if _, err := NewestRelease(t.Context(), address, ""); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: %v", address, err)
		}
	}
	away := httptest.NewServer(http.RedirectHandler("http://example.org/", http.StatusFound))
	t.Cleanup(away.Close)
	if _, err := NewestRelease(t.Context(), away.URL, ""); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a redirect to plain http: %v", err)
	}
}
