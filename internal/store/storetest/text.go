package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

var awkwardTexts = map[string]string{
	"empty":             "",
	"blanks":            " \t\r\n ",
	"emoji":             "👩‍👩‍👧‍👦 🏳️‍🌈 \U0001F9E0",
	"quotes":            `'; DROP TABLE event; -- "x" \ ` + "`y` $1 ? %s",
	"right to left":     "\u202eשלום\u202c العربية",
	"controls":          "\x01\x1b[31m\x7f\u0085",
	"ends of Unicode":   "\u0001\ufffd\uffff\U0010ffff",
	"16 KB":             strings.Repeat("ä日", 16<<10/5),
	"looks like a time": "2026-11-15 08:00:00",
	"looks like a null": "NULL",
}

// twins are names that a careless store takes for one.
var twins = [][2]string{
	{memory.EscapePath("/src/\xff.go"), memory.EscapePath("/src/\xfe.go")},
	{"caf\u00e9.go", "cafe\u0301.go"},
	{"README", "readme"},
	{"a.go", "a.go "},
	{memory.EscapePath(`a\xff`), memory.EscapePath("a\xff")},
}

var textCases = []contractCase{
	{"any text round-trips in every field", func(t *testing.T, h *home) {
		s := h.open()
		for name, text := range awkwardTexts {
			e := edited(1, name, "run"+text, start, "path"+text)
			e.Text, e.Input, e.Tool, e.Subagent = text, text, text, text
			fill(t, s, e)
			p := memory.Project{ID: memory.NewProjectID("id" + text), Identity: "id" + text, Root: text, Name: text, FirstAt: start, LastAt: start}
			see(t, s, p)
			expectProject(t, s, p)
			run := session("run"+text, start)
			run.Intent, run.Events = text, 1
			saveSessions(t, s, run)
			update(t, s, func(tx *store.Tx) error { return store.NewFact[string]("m"+text).Set(t.Context(), tx, text) })
			view(t, s, func(tx *store.Tx) error {
				got, err := tx.Events(t.Context(), store.EventFilter{ID: e.ID})
				want := memory.StoredEvent{Event: e, Project: e.Place.Project(), Session: sessionOf(e), Ord: 1}
				want.Place = memory.Place{}
				if len(got) != 1 || !reflect.DeepEqual(got[0], want) {
					t.Errorf("%s: got %+v\nwant %+v", name, got, want)
				}
				gotRun, err2 := tx.Session(t.Context(), run.ID)
				if !reflect.DeepEqual(gotRun, run) {
					t.Errorf("%s: got %+v\nwant %+v", name, gotRun, run)
				}
				meta, err3 := store.NewFact[string]("m"+text).Get(t.Context(), tx)
				if meta != text {
					t.Errorf("%s: meta is %q", name, meta)
				}
				return errors.Join(err, err2, err3)
			})
		}
	}},
	{"names that look alike are two neurons", func(t *testing.T, h *home) {
		s := h.open()
		for i, pair := range twins {
			fill(t, s, edited(i, fmt.Sprint("twins ", i), "", start, pair[0], pair[1], pair[0]))
			view(t, s, func(tx *store.Tx) error {
				got, err := tx.Neurons(t.Context(), store.NeuronFilter{Project: place(i).Project()})
				if len(got) != 2 || got[0].Key != pair[0] || got[0].Accesses != 2 || got[1].Key != pair[1] {
					t.Errorf("%q: got %+v", pair, got)
				}
				return err
			})
		}
	}},
	{"names as long as brain lets in can be kept", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		noise := func(bytes int) string { // nothing an engine could press together
			var text strings.Builder
			for text.Len() < bytes {
				text.WriteRune(rune('\u4e00' + r.IntN(20000)))
			}
			return text.String()
		}
		e := edited(1, "long", noise(1000), start, noise(4000))
		e.Place = memory.Place{Identity: noise(4000), Root: "/" + noise(4000) + "/x"}
		p := memory.Project{ID: e.Place.Project(), Identity: e.Place.Identity, Root: e.Place.Root, Name: noise(3 * 500), FirstAt: start, LastAt: start}
		see(t, s, p)
		fill(t, s, e)
		update(t, s, func(tx *store.Tx) error { return tx.NameProject(t.Context(), p.ID, p.Name) })
		view(t, s, func(tx *store.Tx) error {
			named, err := tx.ProjectsNamed(t.Context(), p.Name)
			runs, err2 := tx.SessionsOfRun(t.Context(), e.Agent, e.AgentSession)
			if len(named) != 1 || named[0].Identity != p.Identity || len(runs) != 1 {
				t.Errorf("found %d projects and %d sessions", len(named), len(runs))
			}
			return errors.Join(err, err2)
		})
	}},
	{"text that is no text is refused by name and leaves nothing", func(t *testing.T, h *home) {
		s := h.open()
		for name, text := range map[string]string{"a NUL": "a\x00b", "half a rune": "\xe6\x97", "a stray byte": "\xff"} {
			for field, set := range map[string]func(e *memory.Event){
				"text":  func(e *memory.Event) { e.Text = text },
				"input": func(e *memory.Event) { e.Input = text },
				"run":   func(e *memory.Event) { e.AgentSession = text },
				"path":  func(e *memory.Event) { e.Touches = []memory.Touch{{Kind: memory.Edit, Path: text}} },
				"place": func(e *memory.Event) { e.Place.Identity = text },
			} {
				e := edited(1, name, "run", start)
				set(&e)
				err := s.Update(t.Context(), func(tx *store.Tx) error { _, err := record(t.Context(), tx, e); return err })
				if !errors.Is(err, memory.ErrInvalid) {
					t.Errorf("%s in %s: got %v, want invalid", name, field, err)
				}
			}
		}
		expectEmpty(t, s)
	}},
}
