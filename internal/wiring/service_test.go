package wiring

import (
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// below lists what is in a folder.
func below(t *testing.T, dir string) (names []string) {
	t.Helper()
	must.Do(t, filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		names = append(names, name)
		return err
	}))
	return names
}

// What is installed is taken out to the byte, folders included, on each system that has a file for it, and other files stay.
func TestAServiceIsTakenOutToTheByte(t *testing.T) {
	for _, system := range []string{"linux", "darwin"} {
		for _, other := range []bool{false, true} {
			home, data := t.TempDir(), t.TempDir()
			s := ServiceFor(system, home, `/opt/my "tools"/50%/$hebb`, data)
			if other {
				must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(s.File), 0o755),
					os.WriteFile(filepath.Join(filepath.Dir(s.File), "mine.service"), []byte("mine"), 0o600)))
			}
			before := below(t, home)
			for range 2 { // a second time changes nothing
				must.Do(t, s.Write())
			}
			text, err := os.ReadFile(s.File)
			if installed, failed := s.Installed(); err != nil || failed != nil || installed == nil || string(text) != s.Text {
				t.Errorf("%s: installed %v, %v, %v: %s", system, installed, failed, err, text)
			}
			must.Do(t, errors.Join(s.Delete(), s.Delete()))
			if after := below(t, home); !slices.Equal(after, before) {
				t.Errorf("%s: left are %v, before were %v", system, after, before)
			}
			if installed, err := s.Installed(); installed != nil || err != nil {
				t.Errorf("%s: still installed: %v", system, err)
			}
		}
	}
}

func TestAFileOfSomebodyElseStays(t *testing.T) {
	s := ServiceFor("linux", t.TempDir(), "/usr/bin/hebb", t.TempDir())
	must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(s.File), 0o700), os.WriteFile(s.File, []byte("[Unit]\n"), 0o600)))
	for name, do := range map[string]func() error{"write": s.Write, "delete": s.Delete} {
		if err := do(); !errors.Is(err, memory.ErrConflict) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if text, err := os.ReadFile(s.File); err != nil || string(text) != "[Unit]\n" {
		t.Errorf("it is now %q, %v", text, err)
	}
}

// Paths reach the program as they are: systemd expands % and $, a plist is XML.
func TestPathsInAServiceAreQuoted(t *testing.T) {
	unit := ServiceFor("linux", "/home/ada", `/opt/my "tools"/50%/$hebb`, "/home/ada/.hebb").Text
	if want := `ExecStart="/opt/my \"tools\"/50%%/$$hebb" daemon run --stay --home "/home/ada/.hebb"` + "\n"; !strings.Contains(unit, want) {
		t.Errorf("no %s in\n%s", want, unit)
	}
	var words []string
	d := xml.NewDecoder(strings.NewReader(ServiceFor("darwin", "/Users/ada", `/opt/<a & b>/hebb`, "/Users/ada/.hebb").Text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, is := token.(xml.CharData); is && strings.TrimSpace(string(text)) != "" {
			words = append(words, string(text))
		}
	}
	if !slices.Contains(words, "/opt/<a & b>/hebb") || !slices.Contains(words, "/Users/ada/.hebb") {
		t.Errorf("the plist says %q", words)
	}
	windows := ServiceFor("windows", `C:\Users\ada`, `C:\Program Files\hebb.exe`, `C:\Users\ada\.hebb`)
	if got := windows.Install[0][8]; got != `"C:\Program Files\hebb.exe" daemon run --stay --home "C:\Users\ada\.hebb"` || windows.File != "" {
		t.Errorf("the task runs %s", got)
	}
}
