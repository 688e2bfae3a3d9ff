package braintest

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/views"
)

func onOneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// write puts a file into a folder of its own.
func (l *Lab) HandWrites(name, text string) string {
	l.T.Helper()
	file := filepath.Join(l.T.TempDir(), name)
	must.Do(l.T, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func (l *Lab) Adopts(files ...string) views.AdoptResult {
	l.T.Helper()
	out, err := steward.Run(l.T.Context(), l.Brain, views.Adopt, views.AdoptInput{Scope: l.Scope(), Files: files})
	if err != nil || len(out.Warnings) > 0 {
		l.T.Fatalf("%+v, %v", out, err)
	}
	return out
}

// Lost are the lines that stand neither in MEMORY.md nor in a memory that holds.
func (l *Lab) Lost(lines []string) (lost []string) {
	l.T.Helper()
	kept := onOneLine(l.Text("projects/shop/MEMORY.md"))
	for _, c := range l.Crystals() {
		if c.Lifecycle.Living() && c.ValidTo.IsZero() {
			kept += "\n" + onOneLine(c.Text)
		}
	}
	for _, line := range lines {
		if line = onOneLine(line); !strings.Contains(kept, line) {
			lost = append(lost, line)
		}
	}
	return lost
}

// AnsweredBy has a stub answer as a language model would.
func (l *Lab) AnsweredBy(answer func(old string) string) {
	l.Model(func(string) string {
		s, err := state.ParseState(l.Text("projects/shop/MEMORY.md"))
		if err != nil {
			l.T.Error(err)
		}
		return answer(state.StateDocument(s))
	})
}
