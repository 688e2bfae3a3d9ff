package recall_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/recall"
)

// tree is a small work tree; the rest of it speaks of other things, so that words are rare.
func tree() *recall.FileWords {
	c := recall.NewFileWords()
	c.Put(recall.ReadFile{Path: "auth/token.go", Size: 10, Modified: 1, Hash: 7}, "func refreshToken(session Session) error { return expired }")
	c.Put(recall.ReadFile{Path: "auth/login.go", Size: 20, Modified: 2}, "func login(user User, password string) Session")
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		c.Put(recall.ReadFile{Path: "other/" + name + ".go", Size: 5, Modified: 3}, "package other; var table = lookup()")
	}
	return c
}

func find(t *testing.T, file, question string) []string {
	t.Helper()
	r := must.Get(recall.OpenFileWords(file))(t)
	defer func() { _ = r.Close() }()
	found := must.Get(r.Find(recall.Asked(question), 3))(t)
	var paths []string
	for _, f := range found {
		if f.Fit <= 0 || f.Fit > 3 {
			t.Errorf("%s fits %v", f.Path, f.Fit)
		}
		paths = append(paths, f.Path)
	}
	return paths
}

func TestAQuestionFindsTheFileThatHoldsItsWords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cache", "1.words")
	must.Do(t, tree().Save(file))
	for question, want := range map[string]string{
		"the token is not refreshed": "auth/token.go", // refreshToken is split, refreshed is stemmed
		"wrong password":             "auth/login.go",
	} {
		if got := find(t, file, question); len(got) == 0 || got[0] != want {
			t.Errorf("%q: %q, want %s first", question, got, want)
		}
	}
	if got := find(t, file, "package table lookup"); len(got) != 0 {
		t.Errorf("words that most files hold lead to %q", got)
	}
}

func akin(t *testing.T, file, open string) (paths []string) {
	t.Helper()
	r := must.Get(recall.OpenFileWords(file))(t)
	defer func() { _ = r.Close() }()
	found := must.Get(r.Akin(open, 10))(t)
	for _, f := range found {
		if f.Path != open {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// A name leads from where it is defined to where it is used, and back.
func TestFilesThatShareANameAreAkin(t *testing.T) {
	file := filepath.Join(t.TempDir(), "1.words")
	c := tree()
	c.Put(recall.ReadFile{Path: "api/handler.go"}, "func handle() { auth.refreshToken(nil) }")
	c.Put(recall.ReadFile{Path: "web/page.go"}, "func render(template Template)")
	must.Do(t, c.Save(file))
	for again := range 2 { // as made, and as read and made again
		for open, want := range map[string]string{"auth/token.go": "api/handler.go", "api/handler.go": "auth/token.go"} {
			if got := akin(t, file, open); len(got) == 0 || got[0] != want {
				t.Errorf("akin to %s: %q, want %s first", open, got, want)
			}
		}
		for _, open := range []string{"web/page.go", "not/there.go", "zzz.go"} {
			if got := akin(t, file, open); len(got) != 0 {
				t.Errorf("akin to %s, which shares no name: %q", open, got)
			}
		}
		if again == 0 {
			must.Do(t, recall.LoadFileWords(file).Save(file))
		}
	}
}

func TestOnlyWhatChangedIsReadAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "1.words")
	must.Do(t, tree().Save(file))
	c := recall.LoadFileWords(file)
	if got := c.Sources["auth/token.go"]; got.Size != 10 || got.Modified != 1 || got.Hash != 7 || got.Length == 0 || c.Changed {
		t.Fatalf("loaded %+v, changed %v", got, c.Changed)
	}
	c.Drop("auth/login.go")
	c.Touch(recall.ReadFile{Path: "auth/token.go", Size: 10, Modified: 9, Hash: 7})
	c.Put(recall.ReadFile{Path: "auth/reset.go", Size: 30, Modified: 4}, "func resetPassword(user User)")
	if !c.Changed {
		t.Error("three changes and nothing changed")
	}
	must.Do(t, c.Save(file))
	if got := find(t, file, "password"); len(got) != 1 || got[0] != "auth/reset.go" {
		t.Errorf("password leads to %q", got)
	}
	if got := find(t, file, "refresh token"); len(got) != 1 || got[0] != "auth/token.go" {
		t.Errorf("a file that was only touched: %q", got)
	}
	if got := recall.LoadFileWords(file).Sources["auth/token.go"]; got.Modified != 9 {
		t.Errorf("touched at %d", got.Modified)
	}
}

func TestATornOrForeignFileIsRefusedAndMadeAnew(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "1.words")
	must.Do(t, tree().Save(whole))
	data := must.Get(os.ReadFile(whole))(t)
	newer := append([]byte(nil), data...)
	newer[4]++
	for name, bad := range map[string][]byte{
		"empty": nil, "foreign": []byte("SQLite format 3 and more, longer than the head of such a file is"), "torn": data[:len(data)-3], "newer": newer,
	} {
		file := filepath.Join(t.TempDir(), "1.words")
		must.Do(t, os.WriteFile(file, bad, 0o600))
		if _, err := recall.OpenFileWords(file); !errors.Is(err, memory.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		if c := recall.LoadFileWords(file); len(c.Sources) != 0 {
			t.Errorf("%s: %d files", name, len(c.Sources))
		}
		if err := tree().Save(file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := find(t, file, "password"); len(got) != 1 {
			t.Errorf("%s, made anew: %q", name, got)
		}
	}
	if err := errors.Join(recall.RemoveFileWords(whole), recall.RemoveFileWords(whole)); err != nil {
		t.Errorf("removed twice: %v", err)
	}
}

func TestFilesWhoseWordsCannotBeReadAreReadAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "1.words")
	c := tree()
	must.Do(t, c.Save(file))
	data := must.Get(os.ReadFile(file))(t)
	const head, buckets, number = 48, 4097, 4
	first := head + number*len(c.Sources) + number*buckets // of the words, with where their postings are
	copy(data[first+number:], "\xff\xff\xff\xff")
	must.Do(t, os.WriteFile(file, data, 0o600))
	c = recall.LoadFileWords(file)
	c.Put(recall.ReadFile{Path: "auth/reset.go", Size: 30, Modified: 4}, "func resetPassword(user User)")
	must.Do(t, c.Save(file))
	if known := recall.LoadFileWords(file).Sources; len(known) != 1 || known["auth/reset.go"].Size != 30 {
		t.Errorf("%v are known, want only the file that was read now", known)
	}
}

// FuzzFind reads files with one byte changed: an answer or an error, never a panic.
func FuzzFind(f *testing.F) {
	file := filepath.Join(f.TempDir(), "1.words")
	must.Do(f, tree().Save(file))
	whole := must.Get(os.ReadFile(file))(f)
	for at := 0; at < len(whole); at += 97 {
		f.Add(at, byte(255))
	}
	f.Fuzz(func(t *testing.T, at int, b byte) {
		if at < 0 || at >= len(whole) {
			return
		}
		bad := append([]byte(nil), whole...)
		bad[at] = b
		file := filepath.Join(t.TempDir(), "1.words")
		must.Do(t, os.WriteFile(file, bad, 0o600))
		if err := recall.LoadFileWords(file).Save(filepath.Join(t.TempDir(), "2.words")); err != nil {
			t.Error(err)
		}
		r, err := recall.OpenFileWords(file)
		if err != nil {
			return
		}
		defer func() { _ = r.Close() }()
		_, _ = r.Find(recall.Asked("refresh the token and the password of a session"), 10)
		_, _ = r.Akin("auth/token.go", 10)
	})
}

// Pictures are known, so that they are not read again, and change nothing about which words are rare.
func TestFilesWithoutWordsDoNotCount(t *testing.T) {
	file := filepath.Join(t.TempDir(), "1.words")
	c := tree()
	for n := range 100 {
		c.Put(recall.ReadFile{Path: fmt.Sprintf("pictures/%d.png", n), Size: 5, Modified: 3}, "")
	}
	must.Do(t, c.Save(file))
	if got := find(t, file, "package table lookup"); len(got) != 0 {
		t.Errorf("words that most texts hold lead to %q", got)
	}
	if got := find(t, file, "wrong password"); len(got) != 1 || got[0] != "auth/login.go" {
		t.Errorf("found %q, want auth/login.go", got)
	}
	if known := len(recall.LoadFileWords(file).Sources); known != len(c.Sources) {
		t.Errorf("%d files are known, want %d", known, len(c.Sources))
	}
}
