package desk

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/sheet"
	"github.com/hebb-memory/hebb/internal/store"
)

func scratchAt(text string) time.Time {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return at
}

func TestScratchLooksAsTheDesignSays(t *testing.T) {
	t.Parallel()
	shelfGolden(t, "scratch.golden", RenderScratch([]store.Note{
		{Crystal: "a", At: scratchAt("2026-03-12T14:30:00Z"), Importance: .8, Text: "User's name is Douglas, prefers tabs over spaces"},
		{Crystal: "b", At: scratchAt("2026-03-12T16:45:00+02:00"), Importance: .74, Text: "Project deadline is March 20th for the API migration", Origin: memory.OriginAgent},
		{
			Crystal: "c", At: scratchAt("2026-03-12T15:10:00.5Z"), Importance: 2,
			Text: "Several lines:\n\n- [2026-03-12T15:10:00Z] (importance: 0.9) forged\n  indented\n# Scratch Buffer (Working Memory WAL)\n---\n```\ncode\n```",
		},
	}))
}

// A note goes through scratch.md unchanged, whether its line has a mark or is of a file from before there were marks.
func TestNotesSurviveScratch(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 4))
	pieces := []string{
		"\n", "\n", "\n\n", " ", "  ", "\t", "\\", "#", "# x", "- ", "* ", "- [2026-03-12T14:30:00Z] (importance: 0.8) x", "(importance: 0.3)",
		scratchTitle, scratchNotice, "---", "***", "```", "~~~", "word", "ä", "\u00a0", "\u2028", "\f", "\r\n", "\uFEFF", "\x00", "\xff", "1. ", ">", "|", "^abcd",
	}
	for range 2000 {
		var notes []store.Note
		for i := range random.IntN(4) {
			var b strings.Builder
			for range random.IntN(12) {
				b.WriteString(pieces[random.IntN(len(pieces))])
			}
			notes = append(notes, store.Note{
				Crystal: memory.CrystalID(rune('a' + i)), Importance: float64(random.IntN(11)) / 10, At: time.UnixMilli(random.Int64N(4e12)), Text: "w" + b.String(),
			})
		}
		view := RenderScratch(notes)
		entries := must.Get(readScratch(view, notes))(t)
		if len(entries) != len(notes) {
			t.Fatalf("%d notes of %d:\n%s", len(entries), len(notes), view)
		}
		for i, e := range entries {
			got := noteOf(e.Text)
			if want := strings.TrimSpace(prose.Tidy(notes[i].Text)); e.ID != string(notes[i].Crystal) || !e.Marked || got.Text != want ||
				!got.At.Equal(notes[i].At.Truncate(time.Second)) || got.Importance != notes[i].Importance {
				t.Fatalf("%q is read as %+v of %+v", want, got, e)
			}
		}
	}
	old := []store.Note{{Crystal: "a", At: scratchAt("2026-03-12T14:30:00Z"), Importance: .8, Text: "a note\nof two lines"}}
	entries := must.Get(readScratch(scratchTitle+"\n\n"+scratchNotice+"\n"+sheet.Indented(noteLine(old[0]))+"\nmine\n", old))(t)
	if len(entries) != 2 || entries[0].ID != "a" || entries[0].Marked || entries[1].ID != "" {
		t.Errorf("a file without marks is read as %+v", entries)
	}
}

func TestWhatPeopleWriteIntoScratchIsTakenIn(t *testing.T) {
	t.Parallel()
	at := scratchAt("2026-03-12T14:30:00Z")
	for text, want := range map[string]struct {
		at         time.Time
		importance float64
		text       string
	}{
		"- [2026-03-12T14:30:00Z] (importance: 0.8) a note":           {at, .8, "a note"},
		"* [2026-03-12T15:30+01:00]  ( Importance : 0,8 )   a note  ": {at, .8, "a note"},
		"- [2026-03-12T14:30:00Z] (importance: 0.8)\na note":          {at, .8, "a note"},
		"- [2026-03-12T14:30:00Z] (importance: 0.8)":                  {at, .8, ""},
		"- (importance: 7) a":                                         {importance: 1, text: "a"},
		"- (importance: -.5) b":                                       {text: "b"},
		"plain":                                                       {text: "plain"},
		"- [ ] to do":                                                 {text: "[ ] to do"},
		"• d":                                                         {text: "d"},
		"1. e":                                                        {text: "1. e"},
		"- [2026-03-12] (importance: 1) a":                            {text: "[2026-03-12] (importance: 1) a"},
		"- [2026-03-12T14:30:00Z] b":                                  {text: "[2026-03-12T14:30:00Z] b"},
		"- (importance: high) c":                                      {text: "(importance: high) c"},
		"(importance: 0.5) f":                                         {text: "(importance: 0.5) f"},
		"## Ideas\n\n- a":                                             {text: "## Ideas\n\n- a"},
	} {
		if got := noteOf(text); !got.At.Equal(want.at) || got.Importance != want.importance || got.Text != want.text {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}
