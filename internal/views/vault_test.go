package views

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

const view1 = "projects/web/RECENT.md"

// clock stands still until a test moves it.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func newVault(t *testing.T) (Vault, *clock) {
	t.Helper()
	c := &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	return Vault{Dir: filepath.Join(t.TempDir(), "vault"), Grace: 10 * time.Minute, Now: c.Now}, c
}

func (v Vault) file(name string) string { return filepath.Join(v.Dir, filepath.FromSlash(name)) }

func write(t *testing.T, file, text string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must.Do(t, os.WriteFile(file, []byte(text), 0o644))
}

func replace(t *testing.T, v Vault, name, seen, next string, want bool) {
	t.Helper()
	if got, err := v.Replace(name, seen, next); got != want || err != nil {
		t.Fatalf("Replace(%q, %q): %v, %v; want %v", seen, next, got, err, want)
	}
}

func look(t *testing.T, v Vault, name, last string) Found {
	t.Helper()
	return must.Get(v.Edits(name, last))(t)
}

// edits are what a look reports, as text<base.
func edits(found Found) string {
	var all []string
	for _, e := range found.Edits {
		all = append(all, e.Text+"<"+e.Base)
	}
	return strings.Join(all, " ")
}

func expect(t *testing.T, v Vault, last, wantText, wantEdits string) Found {
	t.Helper()
	found := look(t, v, view1, last)
	if found.Text != wantText || edits(found) != wantEdits || found.Missing != (wantText == "") {
		t.Fatalf("a look shows %q, edits %q, missing %v; want %q, %q", found.Text, edits(found), found.Missing, wantText, wantEdits)
	}
	return found
}

func done(t *testing.T, found Found) {
	t.Helper()
	for _, e := range found.Edits {
		must.Do(t, e.Done())
	}
}

// private lists the files in the private folder.
func private(t *testing.T, v Vault) (files []string) {
	t.Helper()
	must.Do(t, filepath.WalkDir(v.file(privateFolder), func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && !entry.IsDir() {
			files = append(files, filepath.Base(name))
		}
		return err
	}))
	return files
}

func TestAViewIsWrittenAndReadBack(t *testing.T) {
	t.Parallel()
	v, _ := newVault(t)
	if _, err := v.Read(view1); !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), view1) {
		t.Errorf("no folder yet: %v", err)
	}
	expect(t, v, "", "", "")
	replace(t, v, view1, "", "one\n", true)
	if text, err := v.Read(view1); text != "one\n" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := v.Read("PINNED.md"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("no file: %v", err)
	}
	expect(t, v, "one\n", "one\n", "")
	replace(t, v, view1, "one\n", "two\n", true)
	expect(t, v, "two\n", "two\n", "")
}

func TestWhatIsNewIsOnlyForItsOwnerAndWhatIsThereKeepsItsMode(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // has no such modes
	}
	for _, m := range []means{exchanging, linking, creating} {
		v, _ := newVault(t)
		v.means = m
		mode := func(name string, want fs.FileMode) {
			t.Helper()
			if info, err := os.Stat(v.file(name)); err != nil || info.Mode().Perm() != want {
				t.Errorf("means %d: %s has mode %v, %v; want %v", m, name, info.Mode().Perm(), err, want)
			}
		}
		replace(t, v, view1, "", "one", true)
		mode(".", 0o700)
		mode("projects", 0o700)
		mode("projects/web", 0o700)
		mode(privateFolder, 0o700)
		mode(view1, 0o600)
		must.Do(t, os.Chmod(v.file(view1), 0o664))
		replace(t, v, view1, "one", "two", true)
		mode(view1, 0o664)
	}
}

func TestTheSameTextWritesNothing(t *testing.T) {
	t.Parallel()
	v, _ := newVault(t)
	write(t, v.file(view1), "same")
	before, err := os.Stat(v.file(view1))
	if err != nil {
		t.Fatal(err)
	}
	for _, seen := range []string{"same", "other", ""} {
		replace(t, v, view1, seen, "same", true)
	}
	after, err := os.Stat(v.file(view1))
	if err != nil || !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("the file was touched: %v, %v", after, err)
	}
	if files := private(t, v); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
}

func TestAnEditIsHandedOverByteByByte(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"plain": "mine\n", "no end of line": "mine", "Windows": "\ufeffmine\r\n", "no UTF-8": "\xff\xfe\x00m", "blank": " \n",
	} {
		v, _ := newVault(t)
		replace(t, v, view1, "", "hebb's\n", true)
		write(t, v.file(view1), text)
		found := look(t, v, view1, "hebb's\n")
		if found.Text != text || len(found.Edits) != 1 || found.Edits[0].Text != text || found.Edits[0].Base != "hebb's\n" {
			t.Errorf("%s: %+v", name, found)
		}
		if info, err := os.Stat(v.file(view1)); err != nil || !found.At.Equal(info.ModTime()) {
			t.Errorf("%s: written %v, %v; reported %v", name, info.ModTime(), err, found.At)
		}
		done(t, found)
		if again := look(t, v, view1, "hebb's\n"); len(again.Edits) != 1 {
			t.Errorf("%s: the view is not replaced, yet its edit is gone: %+v", name, again)
		}
		if known := look(t, v, view1, text); len(known.Edits) != 0 {
			t.Errorf("%s: a text that was imported is an edit: %+v", name, known)
		}
	}
}

func TestAnEmptyOrMissingFileIsNoEdit(t *testing.T) {
	t.Parallel()
	v, _ := newVault(t)
	replace(t, v, view1, "", "one", true)
	write(t, v.file(view1), "")
	if found := look(t, v, view1, "one"); found.Missing || found.Text != "" || len(found.Edits) != 0 {
		t.Errorf("empty: %+v", found)
	}
	replace(t, v, view1, "", "two", true)
	must.Do(t, os.Remove(v.file(view1)))
	expect(t, v, "two", "", "")
	replace(t, v, view1, "two", "three", false)
	replace(t, v, view1, "", "three", true)
	expect(t, v, "three", "three", "")
}

func TestNothingIsReplacedOrRemovedThatWasNotSeen(t *testing.T) {
	t.Parallel()
	v, _ := newVault(t)
	replace(t, v, view1, "", "one", true)
	write(t, v.file(view1), "mine")
	replace(t, v, view1, "one", "two", false)
	replace(t, v, view1, "", "two", false)
	if removed, err := v.Remove(view1, "one"); removed || err != nil {
		t.Errorf("removed: %v, %v", removed, err)
	}
	expect(t, v, "one", "mine", "mine<one")
}

func TestWhatIsWrittenToAReplacedFileIsAnEdit(t *testing.T) {
	t.Parallel()
	v, clock := newVault(t)
	replace(t, v, view1, "", "one", true)
	editor := must.Get(os.OpenFile(v.file(view1), os.O_WRONLY|os.O_APPEND, 0))(t)
	defer editor.Close()
	say := func(text string) {
		must.Get(editor.WriteString(text))(t)
	}
	replace(t, v, view1, "one", "two", true)
	expect(t, v, "two", "two", "")
	say("+a")
	expect(t, v, "two", "two", "one+a<one")
	found := expect(t, v, "two", "two", "one+a<one") // until it is safe, it is reported
	say("+b")
	done(t, found) // what came after the look is not known by it
	found = expect(t, v, "two", "two", "one+a+b<one+a")
	done(t, found)
	expect(t, v, "two", "two", "")

	clock.pass(v.Grace - time.Millisecond)
	say("+c") // grace began again with the latest edit
	clock.pass(time.Millisecond)
	found = expect(t, v, "two", "two", "one+a+b+c<one+a+b")
	clock.pass(365 * 24 * time.Hour)
	found = expect(t, v, "two", "two", edits(found)) // an edit that nobody took in is kept for good
	done(t, found)
	editor.Close()
	clock.pass(v.Grace - time.Millisecond)
	expect(t, v, "two", "two", "")
	if len(private(t, v)) == 0 {
		t.Error("removed before its time")
	}
	clock.pass(time.Millisecond)
	expect(t, v, "two", "two", "")
	if files := private(t, v); len(files) != 0 {
		t.Errorf("left after its time: %v", files)
	}
	if _, err := os.Stat(v.file(privateFolder)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("empty folders are left: %v", err)
	}
}

func TestALostBaseDoesNotLoseTheEdit(t *testing.T) {
	t.Parallel()
	v, _ := newVault(t)
	replace(t, v, view1, "", "one", true)
	replace(t, v, view1, "one", "two", true)
	for _, name := range private(t, v) {
		file := v.file(privateFolder + "/" + view1 + "/" + name)
		if strings.HasSuffix(name, baseSuffix) {
			write(t, file, "") // as a power cut leaves it
		} else if text, err := os.ReadFile(file); err == nil && string(text) == "one" {
			write(t, file, "late")
		}
	}
	expect(t, v, "two", "two", "late<")
}

func TestAPersonMayGoBackToWhatHebbWrote(t *testing.T) {
	t.Parallel()
	v, _ := newVault(t)
	replace(t, v, view1, "", "one", true)
	replace(t, v, view1, "one", "two", true)
	write(t, v.file(view1), "one")
	expect(t, v, "two", "one", "one<two")
	replace(t, v, view1, "one", "one", true) // hebb agrees
	write(t, v.file(view1), "two")
	expect(t, v, "one", "two", "two<one")
}

func TestAViewIsRemovedWithTheSameCare(t *testing.T) {
	t.Parallel()
	v, clock := newVault(t)
	if removed, err := v.Remove(view1, ""); !removed || err != nil {
		t.Errorf("no folder: %v, %v", removed, err)
	}
	replace(t, v, view1, "", "one", true)
	editor := must.Get(os.OpenFile(v.file(view1), os.O_WRONLY|os.O_APPEND, 0))(t)
	defer editor.Close()
	for range 2 { // the second time there is nothing to do
		if removed, err := v.Remove(view1, "one"); !removed || err != nil {
			t.Fatal(removed, err)
		}
	}
	expect(t, v, "", "", "")
	must.Get(editor.WriteString("+late"))(t)
	if names, err := v.List(""); err != nil || !slices.Equal(names, []string{view1}) {
		t.Errorf("nobody would look for the late edit: %v, %v", names, err)
	}
	found := expect(t, v, "", "", "one+late<one")
	done(t, found)
	editor.Close()
	clock.pass(v.Grace)
	expect(t, v, "", "", "")
	if names, err := v.List(""); err != nil || len(names) != 0 || len(private(t, v)) != 0 {
		t.Errorf("left: %v, %v, %v", names, private(t, v), err)
	}
}

func TestNamesThatAreNoneEverywhereAreRefused(t *testing.T) {
	t.Parallel()
	v, _ := newVault(t)
	for _, name := range []string{
		"", "/", "/etc/passwd", "../out.md", "a/../../out.md", "a/..", ".", "./a", "a//b", "a/", ".retired/a", "a/.hidden", `a\b`, `..\out.md`,
		"C:/x.md", "C:x.md", "a\x00b", "a\nb", "a\u0085b", "\xff.md", "a?", "con", "a/NUL.md", "Com1.tar.gz", "aux .md", "dot.", "blank ",
	} {
		_, replaced := v.Replace(name, "", "text")
		_, looked := v.Edits(name, "")
		_, read := v.Read(name)
		_, removed := v.Remove(name, "")
		for _, err := range []error{replaced, looked, read, removed} {
			if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), fmt.Sprintf("%q", name)) {
				t.Errorf("%q: %v", name, err)
			}
		}
		if name != "" && name != "." {
			if _, err := v.List(name); !errors.Is(err, memory.ErrInvalid) {
				t.Errorf("List(%q): %v", name, err)
			}
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(v.Dir)); err != nil || len(entries) != 0 {
		t.Errorf("something was made: %v, %v", entries, err)
	}
	for _, name := range []string{"a", "console.md", "Größe – 大.md", "a b/c.d.md", "com10"} {
		replace(t, v, name, "", "text", true)
	}
}

func TestAVaultNeedsAFolderAndAClock(t *testing.T) {
	t.Parallel()
	for _, v := range []Vault{{Dir: t.TempDir()}, {Now: (&clock{}).Now}} {
		if _, err := v.Replace("a", "", "b"); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%+v: %v", v, err)
		}
	}
}

func TestLinksAreNotFollowedOutOfTheFolder(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // not everybody may make links
	}
	v, _ := newVault(t)
	outside := t.TempDir()
	write(t, filepath.Join(outside, "a.md"), "outside")
	write(t, v.file("inside/a.md"), "inside")
	for link, to := range map[string]string{
		"out.md": filepath.Join(outside, "a.md"), "in.md": "inside/a.md", "out": outside, "in": "inside", "dangling.md": "nowhere",
	} {
		must.Do(t, os.Symlink(to, v.file(link)))
	}
	for _, name := range []string{"out.md", "in.md", "dangling.md", "out/a.md", "out/new.md"} {
		_, replaced := v.Replace(name, "outside", "hebb")
		_, created := v.Replace(name, "", "hebb")
		_, looked := v.Edits(name, "")
		_, read := v.Read(name)
		_, removed := v.Remove(name, "outside")
		for _, err := range []error{replaced, created, looked, read, removed} {
			if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "is a link") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if text, err := os.ReadFile(filepath.Join(outside, "a.md")); string(text) != "outside" || err != nil {
		t.Errorf("outside: %q, %v", text, err)
	}
	replace(t, v, "in/a.md", "inside", "hebb", true) // a linked folder inside is only another name
	if text, err := v.Read("inside/a.md"); text != "hebb" || err != nil {
		t.Errorf("inside: %q, %v", text, err)
	}
	if names, err := v.List(""); err != nil || !slices.Equal(names, []string{"in/a.md", "inside/a.md"}) {
		t.Errorf("%v, %v", names, err)
	}
}

func TestAFolderInThePlaceOfAViewIsRefused(t *testing.T) {
	t.Parallel()
	v, _ := newVault(t)
	write(t, v.file("a.md/b"), "text")
	if _, err := v.Replace("a.md", "", "hebb"); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "no plain file") {
		t.Error(err)
	}
}

func TestWhatIsTooLargeIsLeftAlone(t *testing.T) {
	t.Parallel()
	v, _ := newVault(t)
	large := strings.Repeat("x", sizeMost)
	write(t, v.file(view1), large)
	if found := look(t, v, view1, ""); found.Text != large || len(found.Edits) != 1 {
		t.Errorf("4 MB are too much: %d bytes, %d edits", len(found.Text), len(found.Edits))
	}
	write(t, v.file(view1), large+"x")
	_, looked := v.Edits(view1, "")
	_, replaced := v.Replace(view1, "", "hebb")
	_, removed := v.Remove(view1, "")
	_, read := v.Read(view1)
	for _, err := range []error{looked, replaced, removed, read} {
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), v.file(view1)) || !strings.Contains(err.Error(), "shorten it") {
			t.Error(err)
		}
	}
	if info, err := os.Stat(v.file(view1)); err != nil || info.Size() != sizeMost+1 || len(private(t, v)) != 0 {
		t.Errorf("touched: %v, %v", info, err)
	}
	write(t, v.file(view1), "small")
	if _, err := v.Replace(view1, "small", large+"x"); !errors.Is(err, memory.ErrInvalid) {
		t.Error(err)
	}
	if _, err := v.Replace(view1, "small", ""); !errors.Is(err, memory.ErrInvalid) {
		t.Error(err)
	}
	expect(t, v, "small", "small", "")
}

func TestListNamesTheViewsOfAFolder(t *testing.T) {
	t.Parallel()
	v, _ := newVault(t)
	if names, err := v.List(""); err != nil || len(names) != 0 {
		t.Errorf("no folder: %v, %v", names, err)
	}
	for _, name := range []string{"live.md", "projects/web/RECENT.md", "projects/web/PINNED.md", "projects/api/RECENT.md"} {
		replace(t, v, name, "", "one", true)
		replace(t, v, name, "one", "two", true)
	}
	write(t, v.file("projects/web/.RECENT.md.swp"), "an editor's")
	write(t, v.file(".obsidian/app.json"), "{}")
	write(t, v.file(privateFolder+"/note"), "not ours")
	for folder, want := range map[string]string{
		"":             "live.md projects/api/RECENT.md projects/web/PINNED.md projects/web/RECENT.md",
		"projects/web": "projects/web/PINNED.md projects/web/RECENT.md",
		"projects/api": "projects/api/RECENT.md",
		"elsewhere":    "",
	} {
		if names, err := v.List(folder); err != nil || strings.Join(names, " ") != want {
			t.Errorf("List(%q): %v, %v; want %s", folder, names, err, want)
		}
	}
}

func TestTheNameOfACopySaysEverything(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		c := retired{
			since: time.UnixMilli(r.Int64N(1 << 42)), known: digest(fmt.Sprint(r.Int())), next: digest(fmt.Sprint(r.Int())), nonce: "ABCDEFGHIJ",
			acked: r.IntN(2) == 0,
		}
		got, ok := parseRetired(c.name())
		if !ok || got.name() != c.name() || got != c {
			t.Fatalf("%s: %+v, %v; want %+v", c.name(), got, ok, c)
		}
		if len(c.name()) > 255 {
			t.Fatalf("%s is too long for a file name", c.name())
		}
	}
	good := retired{since: time.UnixMilli(1), known: digest("a"), next: digest("b"), nonce: "N"}
	for _, name := range []string{
		"", "note.md", good.stem(), good.base(), good.fresh(), good.name() + ".md", "x" + good.name(), "+" + good.name()[1:], good.name() + "-told",
	} {
		if c, ok := parseRetired(name); ok {
			t.Errorf("%q is taken for a copy: %+v", name, c)
		}
	}
}

// The folder outlives a version of hebb: a copy that an older one retired must be known again.
func TestCopiesOfEarlierVersionsAreKnown(t *testing.T) {
	t.Parallel()
	v, _ := newVault(t)
	const stem = "1772366400000-7692c3ad3540bb803c020b3aee66cd88-3fc4ccfe745870e2c0d99f71f30ff065-ABCDEFGHIJ" // one, then two
	folder := v.file(privateFolder + "/" + view1)
	write(t, filepath.Join(folder, stem+"-told"), "one and more")
	write(t, filepath.Join(folder, stem+".base"), "one")
	write(t, v.file(view1), "two")
	expect(t, v, "two", "two", "one and more<one")
}
