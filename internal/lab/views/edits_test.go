package views_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/sheet"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

var edited = []string{"projects/shop/scratch.md", "projects/shop/PINNED.md", "projects/shop/MEMORY.md"}

// author is who said a text that holds; empty if none does.
func author(l *braintest.Lab, words string) (by memory.Origin) {
	for _, c := range l.Crystals() {
		if strings.Contains(c.Text+" ", words+" ") && c.ValidTo.IsZero() && (by == "" || c.Origin == memory.OriginUser) {
			by = c.Origin
		}
	}
	return by
}

// A person edits the files while agents note things and dreams go on: nothing is lost, nothing has the wrong author, and nothing ends unasked.
func TestEditsBetweenThoseOfAgents(t *testing.T) {
	for _, seed := range must.Part(t, 60, 12) {
		l := braintest.NewLab(t)
		l.See(3, l.Worked("run", 0, "a.go")...)
		l.Note("the first w0 stands here", false)
		braintest.Must(l, desk.PinText, desk.PinInput{Scope: l.Scope(), Title: "First", Text: "the first pin"})
		l.Dreams(state.DreamInput{Force: true})
		random := rand.New(rand.NewPCG(uint64(seed), 51))
		n := 0
		text := func(verb string) string {
			n++
			return fmt.Sprintf("%s drawer w%d holds the %x keys", verb, n, random.Uint32())
		}
		by := map[string]memory.Origin{} // what has to hold
		step := func(name string, do func(file string)) {
			file := edited[random.IntN(len(edited))]
			l.Clock = l.Clock.Add(time.Hour)
			do(file)
			if out := l.Refreshed(); len(out.Warnings) > 0 {
				t.Fatalf("seed %d, %s: %q", seed, name, out.Warnings)
			}
			for said, want := range by {
				if got := author(l, said); got != want {
					t.Fatalf("seed %d, %s of %s: %q is held as %q, want %q\n%s", seed, name, file, said, got, want, l.Text(file))
				}
			}
		}
		// line is a line of a file that says something of the test's, and what it says.
		line := func(file string) (line, said string) {
			var lines []string
			for one := range strings.Lines(l.Text(file)) {
				if strings.Contains(one, " drawer w") && !strings.Contains(one, "search:") && !strings.Contains(one, "## ") {
					lines = append(lines, one)
				}
			}
			if len(lines) == 0 {
				return "", ""
			}
			line = lines[random.IntN(len(lines))]
			for text := range by {
				if strings.Contains(line, text) {
					said = text
				}
			}
			return line, said
		}
		for range 14 {
			switch random.IntN(7) {
			case 0, 1:
				step("adding", func(file string) {
					said := text("a")
					by[said] = memory.OriginUser
					l.Change(file, func(s string) string {
						switch {
						case strings.HasSuffix(file, "PINNED.md"):
							return s + "\n## Title of " + said + "\n\n" + said + "\n"
						case strings.HasSuffix(file, "MEMORY.md"):
							return strings.Replace(s, "## Active Context\n", "## Active Context\n\n- "+said+"\n", 1)
						}
						return s + said + "\n"
					})
				})
			case 2:
				step("rewording", func(file string) {
					if old, said := line(file); said != "" {
						next := text("b")
						delete(by, said)
						by[next] = memory.OriginUser
						l.Change(file, func(s string) string { return strings.Replace(s, old, strings.Replace(old, said, next, 1), 1) })
					}
				})
			case 3:
				step("taking out", func(file string) {
					if old, said := line(file); said != "" && !strings.HasSuffix(file, "PINNED.md") { // an unpinned text stays a memory
						delete(by, said)
						l.Change(file, func(s string) string { return strings.Replace(s, old, "", 1) })
					}
				})
			case 4:
				step("an agent's note", func(string) {
					said := text("c")
					by[said] = memory.OriginAgent
					braintest.Must(l, desk.TakeNote, statements.NoteInput{Scope: l.Scope(), Text: said, Origin: memory.OriginAgent})
				})
			case 5:
				step("a dream", func(string) { l.Dreams(state.DreamInput{Force: true}) })
			case 6: // many lines go at once: the file waits until they are back
				file := edited[random.IntN(2)]
				whole := l.Text(file)
				l.Change(file, func(string) string { return strings.SplitAfter(whole, "\n")[0] })
				if out := l.Refreshed(); len(out.Warnings) > 0 {
					if !strings.Contains(out.Warnings[0], "are gone from it") || strings.Count(l.Text(file), "\n") != 1 {
						t.Fatalf("seed %d: %q", seed, out.Warnings)
					}
				} else if gone := strings.Count(whole, " ^"); gone > 1 {
					t.Fatalf("seed %d: %d are gone and nobody is asked", seed, gone)
				}
				must.Do(t, os.WriteFile(l.File(file), []byte(whole), 0o600)) // hebb removes the file of no pins
				step("putting back", func(string) {})
			}
		}
	}
}

// The files that a version without marks wrote are read once as it read them, before they get marks.
func TestFilesOfAnEarlierVersionAreReadOnce(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	for _, title := range []string{"Auth", "Money"} {
		braintest.Must(l, desk.PinText, desk.PinInput{Scope: l.Scope(), Title: title, Text: "All of " + title + " is kept."})
	}
	l.Note("The staging server is called oslo", false)
	l.Note("The till rounds half up", false)
	l.Note("Ana owns the importer", false)
	l.Dreams(state.DreamInput{Force: true})
	l.Note("The gateway sleeps at night", false)
	l.Note("The printer needs a drum", false)
	must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error {
		for _, name := range edited {
			old := sheet.Bare(l.Text(name)) // as it was written before there were marks
			if old == l.Text(name) {
				t.Fatalf("%s has no marks:\n%s", name, old)
			}
			if err := tx.SetWritten(t.Context(), l.VaultID(), name, old); err != nil {
				return err
			}
			l.Change(name, func(string) string { return old })
		}
		return nil
	}))
	l.TakesOut(edited[0], "The printer needs a drum") // that version wrote it again
	l.Change(edited[0], func(s string) string { return s + "mine in scratch\n" })
	l.Change(edited[1], func(s string) string {
		s = strings.Replace(s, "All of Auth is kept.", "Auth is by cookies.", 1)
		return s[:strings.Index(s, "## Money")] + "## Mine\n\nmine in pins\n"
	})
	l.TakesOut(edited[2], "The staging server is called oslo")
	l.Change(edited[2], func(s string) string {
		return strings.Replace(s, "- 2026-11-15: The till", "- mine in memory\n- 2026-11-15: The till", 1)
	})
	if out := l.Refreshed(); out.Edits != 3 || len(out.Warnings) > 0 {
		t.Fatalf("%+v", out)
	}
	for said, want := range map[string]memory.Origin{
		"The gateway sleeps at night": memory.OriginUser, "The printer needs a drum": memory.OriginUser, "mine in scratch": memory.OriginUser,
		"mine in memory": memory.OriginUser, "The till rounds half up": memory.OriginUser, "Ana owns the importer": memory.OriginUser, "The staging server is called oslo": "",
	} {
		if got := author(l, said); got != want {
			t.Errorf("%q is held as %q, want %q", said, got, want)
		}
	}
	var pins []string
	for _, p := range braintest.Must(l, desk.Pins, l.Scope()).Pins {
		pins = append(pins, p.Title+": "+p.Text)
	}
	slices.Sort(pins)
	if want := []string{"Auth: Auth is by cookies.", "Mine: mine in pins"}; !slices.Equal(pins, want) {
		t.Errorf("pins %q, want %q", pins, want)
	}
	for _, name := range edited {
		if text := l.Text(name); sheet.Bare(text) == text {
			t.Errorf("%s got no marks:\n%s", name, text)
		}
	}
	if out := l.Refreshed(); out.Edits+out.Written+len(out.Warnings) > 0 {
		t.Errorf("a second look: %+v", out)
	}
}

// A long paste into MEMORY.md is kept whole.
func TestManyNewLinesOfMEMORYAreKept(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("run", 0, "a.go")...)
	l.Note("The staging server is called oslo", false)
	l.Dreams(state.DreamInput{Force: true})
	var paste strings.Builder
	for i := range 230 {
		fmt.Fprintf(&paste, "- pasted thought %d\n", i)
	}
	l.Change(edited[2], func(s string) string {
		return strings.Replace(s, "## Active Context\n", "## Active Context\n\n"+paste.String(), 1)
	})
	if out := l.Refreshed(); out.Edits != 1 || len(out.Warnings) > 0 {
		t.Fatalf("%+v", out)
	}
	for i := range 230 {
		if said := fmt.Sprintf("pasted thought %d", i); author(l, said) != memory.OriginUser {
			t.Fatalf("%q is not kept", said)
		}
	}
}
