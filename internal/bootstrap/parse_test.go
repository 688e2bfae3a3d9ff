package bootstrap

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

const header = "\x00aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\x001\x002\x00subject\x00"

func TestTheParserRefusesWhatIsNotGits(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     error
	}{
		{"nothing at all is an end", "", io.EOF},
		{"no opening", "M\x00", memory.ErrDamaged},
		{"no hash", strings.Replace(header, "aaaa", "zzzz", 1), memory.ErrDamaged},
		{"a strange status", header + "\nQ\x00file\x00", memory.ErrDamaged},
		{"a long status", header + "\nR100\x00file\x00", memory.ErrDamaged},
		{"an end inside the header", header[:46], io.ErrUnexpectedEOF},
		{"an end after a status", header + "\nM\x00", io.ErrUnexpectedEOF},
		{"an end inside a name", header + "\nM\x00fi", io.ErrUnexpectedEOF},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := newParser(strings.NewReader(c.in), Git{}).next(); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestAnEndlessFieldIsReadPast(t *testing.T) {
	endless := strings.Repeat("x", 5*fieldLimit)
	in := strings.Replace(header, "subject", endless, 1) + "\nA\x00" + endless + "\x00M\x00good\x00" + header
	p := newParser(strings.NewReader(in), Git{})
	c, err := p.next()
	if err != nil || len(c.Subject) != fieldLimit || c.FileCount != 2 || len(c.Files) != 1 || c.Files[0].Path != "good" {
		t.Errorf("subject of %d bytes, %d files, kept %q, %v", len(c.Subject), c.FileCount, c.Files, err)
	}
	if c, err := p.next(); err != nil || c.Subject != "subject" {
		t.Errorf("the next commit: %q, %v", c.Subject, err)
	}
}

// A hundred thousand files are not held: the reader below makes them as they are read.
func TestAHundredThousandFilesAreNotHeld(t *testing.T) {
	p := newParser(io.MultiReader(strings.NewReader(header), io.LimitReader(repeat("M\x00file\x00"), 7*100_000)), Git{})
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
	f.Add(header + header + "\nM\x00\nM\x00")
	f.Add("\x00\x00\x00\x00")
	f.Fuzz(func(t *testing.T, in string) {
		p := newParser(strings.NewReader(in), Git{})
		for {
			c, err := p.next()
			if err != nil {
				return
			}
			if !isHash(c.Hash) || len(c.Files) > eventFiles || len(c.Files) > c.FileCount || c.At.Year() > 9999 || c.At.Unix() < 0 {
				t.Fatalf("out of bounds: %+v", c)
			}
			for _, change := range c.Files {
				if change.Path == "" || change.Path[0] == '/' || strings.HasPrefix(change.Path, "../") || strings.Contains(change.Path, "\x00") {
					t.Fatalf("path %q", change.Path)
				}
			}
		}
	})
}
