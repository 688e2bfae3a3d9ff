package git

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

const header = "\x00aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\x00\x001\x002\x00Ada\x00ada@example.org\x00Ada\x00ada@example.org\x00subject\x00"

func TestTheParserRefusesWhatIsNotGits(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     error
	}{
		{"nothing at all is an end", "", io.EOF},
		{"no opening", "M\x00", memory.ErrDamaged},
		{"no hash", strings.Replace(header, "aaaa", "zzzz", 1), memory.ErrDamaged},
		{"a strange status", header + "\nQ\x00file\x00", memory.ErrDamaged},
		{"a long status", header + "\nMM\x00file\x00", memory.ErrDamaged},
		{"a copy, which was not asked for", header + "\nC100\x00old\x00new\x00", memory.ErrDamaged},
		{"a rename that does not say how alike", header + "\nR\x00old\x00new\x00", memory.ErrDamaged},
		{"a rename that is alike by letters", header + "\nRabc\x00old\x00new\x00", memory.ErrDamaged},
		{"an end between the names of a rename", header + "\nR100\x00old\x00", io.ErrUnexpectedEOF},
		{"an end inside the new name", header + "\nR100\x00old\x00ne", io.ErrUnexpectedEOF},
		{"an end inside the header", header[:46], io.ErrUnexpectedEOF},
		{"an end after a status", header + "\nM\x00", io.ErrUnexpectedEOF},
		{"an end inside a name", header + "\nM\x00fi", io.ErrUnexpectedEOF},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := newParser(strings.NewReader(c.in), Repo{}).next(); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestAnEndlessFieldIsReadPast(t *testing.T) {
	endless := strings.Repeat("x", 5*fieldLimit)
	in := strings.Replace(header, "subject", endless, 1) + "\nA\x00" + endless + "\x00M\x00good\x00" + header
	p := newParser(strings.NewReader(in), Repo{})
	c, err := p.next()
	if err != nil || len(c.Subject) != fieldLimit || c.FileCount != 2 || len(c.Files) != 1 || c.Files[0].Path != "good" {
		t.Errorf("subject of %d bytes, %d files, kept %q, %v", len(c.Subject), c.FileCount, c.Files, err)
	}
	if c, err := p.next(); err != nil || c.Subject != "subject" {
		t.Errorf("the next commit: %q, %v", c.Subject, err)
	}
}

func TestARenameWithOneUsableNameIsWhatRemains(t *testing.T) {
	endless := strings.Repeat("x", 2*fieldLimit)
	for _, c := range []struct {
		name, in string
		want     []Change
	}{
		{"both names", "\nR087\x00old\x00new\x00M\x00m\x00", []Change{{Path: "new", Status: 'R', Old: "old"}, {Path: "m", Status: 'M'}}},
		{"the old name leads elsewhere", "\nR100\x00../old\x00new\x00", []Change{{Path: "new", Status: 'A'}}},
		{"the new name leads elsewhere", "\nR100\x00old\x00/new\x00", []Change{{Path: "old", Status: 'D'}}},
		{"both lead elsewhere", "\nR100\x00../old\x00/new\x00", nil},
		{"the old name is endless", "\nR100\x00" + endless + "\x00new\x00", []Change{{Path: "new", Status: 'A'}}},
		{"the new name is endless", "\nR100\x00old\x00" + endless + "\x00", []Change{{Path: "old", Status: 'D'}}},
		{"names like statuses", "\nR100\x00R100\x00M\x00", []Change{{Path: "M", Status: 'R', Old: "R100"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := newParser(strings.NewReader(header+c.in), Repo{}).next()
			if err != nil || !slices.Equal(got.Files, c.want) || got.FileCount == 0 {
				t.Errorf("got %+v of %d, %v; want %+v", got.Files, got.FileCount, err, c.want)
			}
		})
	}
}

// A hundred thousand files are not held: the reader below makes them as they are read.
func TestAHundredThousandFilesAreNotHeld(t *testing.T) {
	p := newParser(io.MultiReader(strings.NewReader(header), io.LimitReader(repeat("M\x00file\x00"), 7*100_000)), Repo{})
	c, err := p.next()
	if err != nil || c.FileCount != 100_000 || len(c.Files) != eventFiles {
		t.Errorf("kept %d of %d, %v", len(c.Files), c.FileCount, err)
	}
}

type repeat string

func (r repeat) Read(p []byte) (int, error) {
	n := 0
	for n+len(r) <= len(p) {
		n += copy(p[n:], r)
	}
	return n, nil
}

func FuzzParser(f *testing.F) {
	f.Add(header)
	f.Add(header + "\nA\x00a\x00D\x00b\x00" + header)
	f.Add(header + "\nR100\x00a\x00b\x00R050\x00c\x00d\x00" + header)
	f.Add(header + header + "\nM\x00\nM\x00")
	f.Add("\x00\x00\x00\x00")
	f.Fuzz(func(t *testing.T, in string) {
		p := newParser(strings.NewReader(in), Repo{})
		for {
			c, err := p.next()
			if err != nil {
				return
			}
			if !isHash(c.Hash) || len(c.Files) > eventFiles || len(c.Files) > c.FileCount || c.At.Year() > 9999 || c.At.Unix() < 0 {
				t.Fatalf("out of bounds: %+v", c)
			}
			for _, change := range c.Files {
				if !isLocal(change.Path) || strings.Contains(change.Path, "\x00") {
					t.Fatalf("path %q", change.Path)
				}
				if (change.Old != "") != (change.Status == 'R') || change.Old != "" && !isLocal(change.Old) {
					t.Fatalf("%c from %q", change.Status, change.Old)
				}
			}
		}
	})
}
