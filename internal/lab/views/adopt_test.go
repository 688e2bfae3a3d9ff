package views_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/views"
)

const handbook = `# The shop

We sell vouchers for small theatres, and the till is the heart of it.

- Next: this entry looks like a step of a session.

## Build

- Run make test before every commit.
- The till needs Go 1.26 and no C compiler.
- Artefacts:
  - dist/till for the counters
  - dist/office for the back office

Release steps:

1. Tag the commit.
2. Wait for the signing machine in the cellar.

| counter | colour |
|---|---|
| north | green |

` + "```sh\nmake release VERSION=7 # a comment with a sentence.\n```" + `

## Menschen

- Jürgen prüft jede Änderung am Kassenbuch.
- 会計は火曜日に締める。

Douglas owns the ledger, prefers tabs over spaces and wants
to be asked before anything is sent to the printers.
`

// human are the lines of a text that may not get lost.
func human(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimLeft(strings.TrimSpace(line), "-#*+ "); strings.Trim(line, "|-` ") != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestNoSentenceOfAnAdoptedTextIsLostInTenDreams(t *testing.T) {
	t.Parallel()
	var long strings.Builder
	for n := range 3000 {
		fmt.Fprintf(&long, "- Rule %d: counter %d closes its drawer at minute %d of the hour.\n", n, n*7, n%60)
	}
	models := map[string]func(old string) string{
		"rules":                nil,
		"a model that repeats": func(old string) string { return old },
		"a model that drops every third line": func(old string) string {
			var kept []string
			for i, line := range strings.Split(old, "\n") {
				if i%3 != 0 || !strings.HasPrefix(line, "- ") {
					kept = append(kept, line)
				}
			}
			return strings.Join(kept, "\n")
		},
	}
	for how, answer := range models {
		for name, text := range map[string]string{
			"plain": handbook, "CRLF": strings.ReplaceAll(handbook, "\n", "\r\n"), "BOM": "\ufeff" + handbook, "no line end": strings.TrimSpace(handbook),
			"200 kB": handbook + long.String(),
		} {
			if how != "rules" && name != "plain" {
				continue // how the text is written is nothing that a model sees
			}
			t.Run(how+", "+name, func(t *testing.T) {
				t.Parallel()
				l := braintest.NewLab(t)
				l.See(3, l.Worked("run", 0, "a.go")...)
				file := l.HandWrites("MEMORY.md", text)
				adopted := l.Adopts(file).Files[0]
				want := strings.TrimPrefix(text, "\ufeff")
				if backup, err := os.ReadFile(adopted.Backup); err != nil || string(backup) != want {
					t.Fatalf("the backup differs: %v", err)
				}
				if answer != nil {
					l.AnsweredBy(answer)
				}
				for cycle := range 10 {
					l.Clock = l.Clock.Add(5 * 24 * time.Hour)
					l.Note(fmt.Sprintf("Something new of day %d about drawer %d", cycle, cycle), false)
					l.Dreams(state.DreamInput{Force: true})
					if lost := l.Lost(human(want)); len(lost) > 0 {
						t.Fatalf("after dream %d are lost: %q\n%.6000s", cycle+1, lost, l.Text("projects/shop/MEMORY.md"))
					}
					s := must.Get(state.ParseState(l.Text("projects/shop/MEMORY.md")))(t)
					if cycle == 0 && !strings.Contains(s.Above, want) {
						t.Fatalf("the first dream changed the text:\n%.3000s", s.Above)
					}
					if cycle == 9 && strings.Contains(s.Above, "Run make test before every commit") {
						t.Errorf("after ten dreams nothing was imported:\n%s", s.Above)
					}
				}
				if now, err := os.ReadFile(file); err != nil || string(now) != text {
					t.Errorf("the person's own file was changed: %v", err)
				}
			})
		}
	}
}

func TestAdoptingTwiceChangesNothingAndAChangedFileAddsWhatIsNew(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	file := l.HandWrites("MEMORY.md", handbook)
	first := l.Adopts(file).Files[0]
	if first.Known || first.Pieces != 1 || first.Lines == 0 {
		t.Fatalf("%+v", first)
	}
	before := l.Text("projects/shop/MEMORY.md")
	l.Clock = l.Clock.Add(time.Hour)
	copied := l.HandWrites("AGENTS.md", handbook)
	for _, again := range l.Adopts(file, copied).Files {
		if !again.Known || again.Pieces != 0 {
			t.Errorf("%+v", again)
		}
	}
	if now := l.Text("projects/shop/MEMORY.md"); now != before {
		t.Errorf("MEMORY.md changed:\n%s", now)
	}
	for range 3 {
		l.Clock = l.Clock.Add(24 * time.Hour)
		l.Dreams(state.DreamInput{Force: true})
	}
	changed := strings.Replace(handbook, "- Run make test before every commit.\n", "- Run make check before every commit.\n", 1)
	must.Do(t, os.WriteFile(file, []byte(changed), 0o600))
	if out := l.Adopts(file).Files[0]; out.Known || out.Lines != 1 {
		t.Errorf("%+v", out)
	}
	// The person deletes the file: what was adopted stays.
	must.Do(t, os.Remove(file))
	for range 3 {
		l.Clock = l.Clock.Add(24 * time.Hour)
		l.Dreams(state.DreamInput{Force: true})
	}
	if lost := l.Lost(append(human(handbook), "Run make check before every commit.")); len(lost) > 0 {
		t.Errorf("lost: %q", lost)
	}
}

func TestWhatThePersonChangesBetweenDreamsStandsInMEMORY(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	l.Adopts(l.HandWrites("MEMORY.md", handbook))
	const name = "projects/shop/MEMORY.md"
	for cycle := range 6 {
		l.Clock = l.Clock.Add(24 * time.Hour)
		if cycle == 2 {
			l.Change(name, func(text string) string {
				return strings.Replace(text, "会計は火曜日に締める。", "会計は水曜日に締める。", 1)
			})
			l.TakesOut(name, "Jürgen prüft jede Änderung am Kassenbuch.")
		}
		if cycle == 4 { // the file goes: it is written anew from what is kept
			must.Do(t, os.Remove(l.File(name)))
		}
		l.Dreams(state.DreamInput{Force: true})
	}
	text := l.Text(name)
	if !strings.Contains(text, "会計は水曜日に締める") || strings.Contains(text, "火曜日") || strings.Contains(text, "Jürgen") {
		t.Errorf("the person's changes are not there:\n%s", text)
	}
	if lost := l.Lost([]string{"Douglas owns the ledger, prefers tabs over spaces and wants", "Run make test before every commit."}); len(lost) > 0 {
		t.Errorf("lost: %q\n%s", lost, text)
	}
}

func TestWhatCannotBeAdoptedIsRefusedWithItsMend(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	for _, c := range []struct {
		name, file, want string
		kind             error
	}{
		{"nothing there", filepath.Join(t.TempDir(), "MEMORY.md"), "no such file", memory.ErrNotFound},
		{"a folder", t.TempDir(), "name the text file itself", memory.ErrInvalid},
		{"another encoding", l.HandWrites("MEMORY.md", "caf\xe9"), "save it as UTF-8", memory.ErrInvalid},
		{"too long", l.HandWrites("MEMORY.md", strings.Repeat("x", views.SeedMost+1)), "may have 1024", memory.ErrInvalid},
		{"hebb's own", l.HandWrites("MEMORY.md", state.RenderState(state.Document{})), "a file that hebb writes", memory.ErrInvalid},
		{"half a snippet", l.HandWrites("CLAUDE.md", "x\n<!-- hebb:begin -->\ny\n"), "put the marks right", memory.ErrInvalid},
	} {
		_, err := steward.Run(t.Context(), l.Brain, views.Adopt, views.AdoptInput{Scope: l.Scope(), Files: []string{c.file}})
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if out := l.Adopts(l.HandWrites("MEMORY.md", "")).Files[0]; out.Pieces != 0 || out.Lines != 0 {
		t.Errorf("an empty file: %+v", out)
	}
	// A secret is kept nowhere, and hebb's own words in the file are not the person's.
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	out := l.Adopts(l.HandWrites("CLAUDE.md", "- The token is "+secret+".\n<!-- hebb:begin -->\nhebb's words\n<!-- hebb:end -->\n")).Files[0]
	text := l.Text("projects/shop/MEMORY.md")
	backup, err := os.ReadFile(out.Backup)
	if err != nil || !out.Cleaned || strings.Contains(text+string(backup), secret) || strings.Contains(text, "hebb's words") {
		t.Errorf("%+v, %v:\n%s", out, err, text)
	}
}

func TestAdoptedPiecesAreConsolidatedAndThePersons(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	var text strings.Builder
	for n := range 200 {
		fmt.Fprintf(&text, "Sentence %3d of two hundred is this one.\n", n) // 8 000 characters
	}
	l.Adopts(l.HandWrites("MEMORY.md", text.String()[:8000]))
	kept := must.Get(brain.View(t.Context(), l.Store, func(tx *store.Tx) ([]store.Kept, error) {
		return tx.Crystals(t.Context(), store.CrystalFilter{Projects: []memory.ProjectID{l.Place.Project()}})
	}))(t)
	pieces := 0
	for _, c := range kept {
		if strings.HasPrefix(c.Source, state.AdoptedSource) {
			pieces++
			if c.Importance != 0.75 || c.Lifecycle != memory.Consolidated || c.Origin != memory.OriginUser {
				t.Errorf("%+v", c)
			}
		}
	}
	if pieces != 6 {
		t.Errorf("there are %d of 8 000 characters, want 6", pieces)
	}
}

func TestForgettingReachesWhatWasAdopted(t *testing.T) {
	t.Parallel()
	const secretPlan, harmless = "The founders sell the company to Oberon in autumn.", "Run make test before every commit."
	for name, forget := range map[string]func(l *braintest.Lab, piece memory.CrystalID) forget.ForgetInput{
		"a piece": func(_ *braintest.Lab, piece memory.CrystalID) forget.ForgetInput {
			return forget.ForgetInput{IDs: []memory.EventID{memory.EventID(piece)}}
		},
		"the whole project": func(*braintest.Lab, memory.CrystalID) forget.ForgetInput {
			return forget.ForgetInput{Scope: brain.Scope{Project: "shop"}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := braintest.NewLab(t)
			l.See(3, l.Worked("run", 0, "a.go")...)
			file := l.HandWrites("MEMORY.md", "- "+secretPlan+"\n")
			l.Adopts(file)
			l.Adopts(l.HandWrites("CLAUDE.md", "- "+harmless+"\n"))
			found, err := steward.Run(t.Context(), l.Brain, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: "founders Oberon", Limit: 1})
			if err != nil || len(found.Found) != 1 || !strings.Contains(l.Text("projects/shop/MEMORY.md"), secretPlan) {
				t.Fatalf("%+v, %v", found, err)
			}
			in := forget(l, memory.CrystalID(found.Found[0].Ref))
			in.Apply = true
			must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, in))(t)
			kept := false
			must.Do(t, filepath.WalkDir(l.Config.Dir, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || filepath.Ext(path) == ".db" || strings.Contains(path, ".db-") {
					return err
				}
				text, err := os.ReadFile(path)
				if strings.Contains(string(text), "Oberon") {
					t.Errorf("%s still says it", path)
				}
				kept = kept || strings.HasSuffix(path, ".seed-backup") && strings.Contains(string(text), harmless)
				return err
			}))
			if kept != (len(in.IDs) > 0) {
				t.Errorf("the copy of the other file is kept: %v", kept)
			}
			if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), secretPlan) {
				t.Errorf("the person's own file says %q, %v", text, err)
			}
		})
	}
}

func TestForgettingAPromptLeavesWhatWasAdoptedAlone(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	l.See(3, l.Asked("other", "build the shop again, the signing machine in it prefers spaces", 5))
	backup := l.Adopts(l.HandWrites("MEMORY.md", handbook)).Files[0].Backup
	before := l.Text("projects/shop/MEMORY.md")
	must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{Session: "other", Apply: true}))(t)
	after := l.Text("projects/shop/MEMORY.md")
	for _, line := range human(handbook) {
		if strings.Contains(before, line) && !strings.Contains(after, line) {
			t.Errorf("%q is gone with a prompt that only has words in common", line)
		}
	}
	if _, err := os.Stat(backup); err != nil {
		t.Error(err)
	}
}
