package brain

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
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

func onOneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// write puts a file into a folder of its own.
func (l *lab) handWrites(name, text string) string {
	l.t.Helper()
	file := filepath.Join(l.t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
	return file
}

func (l *lab) adopts(files ...string) AdoptResult {
	l.t.Helper()
	out, err := Run(l.t.Context(), l.Brain, Adopt, AdoptInput{Scope: l.scope(), Files: files})
	if err != nil || len(out.Warnings) > 0 {
		l.t.Fatalf("%+v, %v", out, err)
	}
	return out
}

// lost are the lines that stand neither in MEMORY.md nor in a crystal that a pointer there is proven to find.
func (l *lab) lost(lines []string) (lost []string) {
	l.t.Helper()
	text := l.text("projects/shop/MEMORY.md")
	s, err := workmem.ParseState(text)
	if err != nil {
		l.t.Fatal(err)
	}
	told := onOneLine(text)
	pointed := ""
	for _, item := range workmem.SplitItems(s.Sections[workmem.SectionPointers]) {
		p, ok := dream.ParsePointer(item)
		if !ok {
			continue
		}
		found, err := Run(l.t.Context(), l.Brain, SearchTexts, SearchInput{Scope: l.scope(), Query: p.Words, Limit: dreamFinds})
		if err != nil {
			l.t.Fatal(err)
		}
		for _, f := range found.Found {
			if f.Crystal != nil {
				pointed += onOneLine(f.Text) + "\n"
			}
		}
	}
	for _, line := range lines {
		if line = onOneLine(line); !strings.Contains(told, line) && !strings.Contains(pointed, line) {
			lost = append(lost, line)
		}
	}
	return lost
}

// answeredBy has a stub answer as a language model would.
func (l *lab) answeredBy(answer func(old string) string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s, err := workmem.ParseState(l.text("projects/shop/MEMORY.md"))
		if err != nil {
			l.t.Error(err)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"message": map[string]any{"role": "assistant", "content": answer(workmem.StateDocument(s))}, "done": true, "done_reason": "stop",
		})
	}))
	l.t.Cleanup(server.Close)
	l.config.LLM = config.LLM{Provider: "ollama", URL: server.URL, Model: "any"}
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
		"a model that rewords": func(old string) string {
			return strings.NewReplacer("Run make test before every commit", "make test has to run before a commit", "prefers tabs over spaces", "likes tabs, not spaces").Replace(old)
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
				l := newLab(t)
				l.see(3, l.worked("run", 0, "a.go")...)
				file := l.handWrites("MEMORY.md", text)
				adopted := l.adopts(file).Files[0]
				want := strings.TrimPrefix(text, "\ufeff")
				if backup, err := os.ReadFile(adopted.Backup); err != nil || string(backup) != want {
					t.Fatalf("the backup differs: %v", err)
				}
				if answer != nil {
					l.answeredBy(answer)
				}
				for cycle := range 10 {
					l.clock = l.clock.Add(5 * 24 * time.Hour)
					l.note(fmt.Sprintf("Something new of day %d about drawer %d", cycle, cycle), false)
					l.dreams(DreamInput{Force: true})
					if lost := l.lost(human(want)); len(lost) > 0 {
						t.Fatalf("after dream %d are lost: %q\n%.6000s", cycle+1, lost, l.text("projects/shop/MEMORY.md"))
					}
					s, err := workmem.ParseState(l.text("projects/shop/MEMORY.md"))
					if err != nil {
						t.Fatal(err)
					}
					if cycle == 0 && !strings.Contains(s.Above, want) {
						t.Fatalf("the first dream changed the text:\n%.3000s", s.Above)
					}
					if cycle == 9 && strings.Contains(s.Above, "Run make test before every commit") {
						t.Errorf("after ten dreams nothing was taken in:\n%s", s.Above)
					}
				}
				if now, err := os.ReadFile(file); err != nil || string(now) != text {
					t.Errorf("the person's own file was changed: %v", err)
				}
			})
		}
	}
}

func TestWhatMeansSomethingOnlyWhereItStandsStays(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	l.adopts(l.handWrites("CLAUDE.md", handbook))
	for range 6 {
		l.clock = l.clock.Add(24 * time.Hour)
		l.dreams(DreamInput{Force: true})
	}
	s, err := workmem.ParseState(l.text("projects/shop/MEMORY.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"- Next: this entry looks", "- Artefacts:\n  - dist/till", "Release steps:\n\n1. Tag", "| counter | colour |\n|---|---|\n| north | green |", "```sh\nmake release",
	} {
		if !strings.Contains(s.Above, want) {
			t.Errorf("%q left the text:\n%s", want, s.Above)
		}
	}
	if active := s.Sections[workmem.SectionActive]; !strings.Contains(active, "- Build: Run make test before every commit.") ||
		!strings.Contains(active, "- Menschen: Douglas owns the ledger, prefers tabs over spaces and wants to be asked") {
		t.Errorf("not taken in:\n%s", active)
	}
}

func TestAdoptingTwiceChangesNothingAndAChangedFileAddsWhatIsNew(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	file := l.handWrites("MEMORY.md", handbook)
	first := l.adopts(file).Files[0]
	if first.Known || first.Pieces != 1 || first.Lines == 0 {
		t.Fatalf("%+v", first)
	}
	before := l.text("projects/shop/MEMORY.md")
	l.clock = l.clock.Add(time.Hour)
	copied := l.handWrites("AGENTS.md", handbook)
	for _, again := range l.adopts(file, copied).Files {
		if !again.Known || again.Pieces != 0 {
			t.Errorf("%+v", again)
		}
	}
	if now := l.text("projects/shop/MEMORY.md"); now != before {
		t.Errorf("MEMORY.md changed:\n%s", now)
	}
	for range 3 {
		l.clock = l.clock.Add(24 * time.Hour)
		l.dreams(DreamInput{Force: true})
	}
	changed := strings.Replace(handbook, "- Run make test before every commit.\n", "- Run make check before every commit.\n", 1)
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := l.adopts(file).Files[0]; out.Known || out.Lines != 1 {
		t.Errorf("%+v", out)
	}
	// The person deletes the file: what was adopted stays.
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		l.clock = l.clock.Add(24 * time.Hour)
		l.dreams(DreamInput{Force: true})
	}
	if lost := l.lost(append(human(handbook), "Run make check before every commit.")); len(lost) > 0 {
		t.Errorf("lost: %q", lost)
	}
}

func TestWhatThePersonChangesBetweenDreamsStandsInMEMORY(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	l.adopts(l.handWrites("MEMORY.md", handbook))
	const name = "projects/shop/MEMORY.md"
	for cycle := range 6 {
		l.clock = l.clock.Add(24 * time.Hour)
		if cycle == 2 {
			l.change(name, func(text string) string {
				text = strings.Replace(text, "会計は火曜日に締める。", "会計は水曜日に締める。", 1)
				text = strings.Replace(text, "- Jürgen prüft jede Änderung am Kassenbuch.\n", "", 1)
				return strings.Replace(text, "- Menschen: Jürgen prüft jede Änderung am Kassenbuch.\n", "", 1)
			})
		}
		if cycle == 4 { // the file goes: it is written anew from what is kept
			if err := os.Remove(l.file(name)); err != nil {
				t.Fatal(err)
			}
		}
		l.dreams(DreamInput{Force: true})
	}
	text := l.text(name)
	if !strings.Contains(text, "会計は水曜日に締める") || strings.Contains(text, "火曜日") || strings.Contains(text, "Jürgen") {
		t.Errorf("the person's changes are not there:\n%s", text)
	}
	if lost := l.lost([]string{"Douglas owns the ledger, prefers tabs over spaces and wants", "Run make test before every commit."}); len(lost) > 0 {
		t.Errorf("lost: %q\n%s", lost, text)
	}
}

func TestWhatCannotBeAdoptedIsRefusedWithItsMend(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	for _, c := range []struct {
		name, file, want string
		kind             error
	}{
		{"nothing there", filepath.Join(t.TempDir(), "MEMORY.md"), "no such file", memory.ErrNotFound},
		{"a folder", t.TempDir(), "name the text file itself", memory.ErrInvalid},
		{"another encoding", l.handWrites("MEMORY.md", "caf\xe9"), "save it as UTF-8", memory.ErrInvalid},
		{"too long", l.handWrites("MEMORY.md", strings.Repeat("x", seedMost+1)), "may have 1024", memory.ErrInvalid},
		{"hebb's own", l.handWrites("MEMORY.md", workmem.RenderState(workmem.State{})), "a file that hebb writes", memory.ErrInvalid},
		{"half a snippet", l.handWrites("CLAUDE.md", "x\n<!-- hebb:begin -->\ny\n"), "put the marks right", memory.ErrInvalid},
	} {
		_, err := Run(t.Context(), l.Brain, Adopt, AdoptInput{Scope: l.scope(), Files: []string{c.file}})
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if out := l.adopts(l.handWrites("MEMORY.md", "")).Files[0]; out.Pieces != 0 || out.Lines != 0 {
		t.Errorf("an empty file: %+v", out)
	}
	// A secret is kept nowhere, and hebb's own words in the file are not the person's.
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	out := l.adopts(l.handWrites("CLAUDE.md", "- The token is "+secret+".\n<!-- hebb:begin -->\nhebb's words\n<!-- hebb:end -->\n")).Files[0]
	text := l.text("projects/shop/MEMORY.md")
	backup, err := os.ReadFile(out.Backup)
	if err != nil || !out.Cleaned || strings.Contains(text+string(backup), secret) || strings.Contains(text, "hebb's words") {
		t.Errorf("%+v, %v:\n%s", out, err, text)
	}
}

func TestAdoptedPiecesAreConsolidatedAndThePersons(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	var text strings.Builder
	for n := range 200 {
		fmt.Fprintf(&text, "Sentence %3d of two hundred is this one.\n", n) // 8 000 characters
	}
	l.adopts(l.handWrites("MEMORY.md", text.String()[:8000]))
	kept, err := viewed(t.Context(), l.Brain, func(tx *store.Tx) ([]store.Kept, error) {
		return tx.Crystals(t.Context(), store.CrystalFilter{Projects: []memory.ProjectID{l.place.Project()}})
	})
	if err != nil {
		t.Fatal(err)
	}
	pieces := 0
	for _, c := range kept {
		if strings.HasPrefix(c.Source, adoptedSource) {
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
	for name, forget := range map[string]func(l *lab, piece memory.CrystalID) ForgetInput{
		"a piece": func(_ *lab, piece memory.CrystalID) ForgetInput {
			return ForgetInput{IDs: []memory.EventID{memory.EventID(piece)}}
		},
		"the whole project": func(*lab, memory.CrystalID) ForgetInput { return ForgetInput{Scope: Scope{Project: "shop"}} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.see(3, l.worked("run", 0, "a.go")...)
			file := l.handWrites("MEMORY.md", "- "+secretPlan+"\n")
			l.adopts(file)
			l.adopts(l.handWrites("CLAUDE.md", "- "+harmless+"\n"))
			found, err := Run(t.Context(), l.Brain, SearchTexts, SearchInput{Scope: l.scope(), Query: "founders Oberon", Limit: 1})
			if err != nil || len(found.Found) != 1 || !strings.Contains(l.text("projects/shop/MEMORY.md"), secretPlan) {
				t.Fatalf("%+v, %v", found, err)
			}
			in := forget(l, memory.CrystalID(found.Found[0].Ref))
			in.Apply = true
			if _, err := Run(t.Context(), l.Brain, Forget, in); err != nil {
				t.Fatal(err)
			}
			kept := false
			err = filepath.WalkDir(l.config.Dir, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || filepath.Ext(path) == ".db" || strings.Contains(path, ".db-") {
					return err
				}
				text, err := os.ReadFile(path)
				if strings.Contains(string(text), "Oberon") {
					t.Errorf("%s still says it", path)
				}
				kept = kept || strings.HasSuffix(path, ".seed-backup") && strings.Contains(string(text), harmless)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
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
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	l.see(3, l.asked("other", "build the shop again, the signing machine in it prefers spaces", 5))
	backup := l.adopts(l.handWrites("MEMORY.md", handbook)).Files[0].Backup
	before := l.text("projects/shop/MEMORY.md")
	if _, err := Run(t.Context(), l.Brain, Forget, ForgetInput{Session: "other", Apply: true}); err != nil {
		t.Fatal(err)
	}
	after := l.text("projects/shop/MEMORY.md")
	for _, line := range human(handbook) {
		if strings.Contains(before, line) && !strings.Contains(after, line) {
			t.Errorf("%q is gone with a prompt that only has words in common", line)
		}
	}
	if _, err := os.Stat(backup); err != nil {
		t.Error(err)
	}
}

func TestAnEarlierStateDoesNotLoseWhatDreamsHaveTakenIn(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.see(3, l.worked("run", 0, "a.go")...)
	l.adopts(l.handWrites("MEMORY.md", handbook))
	for range 4 {
		l.clock = l.clock.Add(5 * time.Hour)
		l.dreams(DreamInput{Scope: l.scope(), Force: true})
	}
	kept, err := Run(t.Context(), l.Brain, States, l.scope())
	if err != nil || len(kept.Kept) < 3 {
		t.Fatalf("%d states, %v", len(kept.Kept), err)
	}
	for _, s := range kept.Kept {
		if _, err := Run(t.Context(), l.Brain, RestoreState, RestoreStateInput{Scope: l.scope(), ID: s.ID}); err != nil {
			t.Fatal(err)
		}
		if lost := l.lost(human(handbook)); len(lost) > 0 {
			t.Errorf("state %d, brought back, loses %q", s.ID, lost)
		}
	}
}
