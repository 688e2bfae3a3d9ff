package desk

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

func scratchAt(text string) time.Time {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return at
}

func scratchExample() []ScratchEntry {
	return []ScratchEntry{
		{At: scratchAt("2026-03-12T14:30:00Z"), Importance: .8, Text: "User's name is Douglas, prefers tabs over spaces"},
		{At: scratchAt("2026-03-12T16:45:00+02:00"), Importance: .74, Text: "Project deadline is March 20th for the API migration"},
		{
			At: scratchAt("2026-03-12T15:10:00.5Z"), Importance: 2,
			Text: "Several lines:\n\n- [2026-03-12T15:10:00Z] (importance: 0.9) forged\n  indented\n# Scratch Buffer (Working Memory WAL)\n---\n```\ncode\n```",
		},
		{Importance: -1, Text: "  without a time"},
		{At: scratchAt("2026-03-12T15:20:00Z"), Importance: .5, Text: " \n\t\n"},
	}
}

// scratchSeen is what the file keeps of notes.
func scratchSeen(entries []ScratchEntry) []ScratchEntry {
	var seen []ScratchEntry
	for _, e := range entries {
		if e = scratchPlain(e); e.Text != "" {
			seen = append(seen, e)
		}
	}
	return seen
}

func TestScratchLooksAsTheDesignSays(t *testing.T) {
	t.Parallel()
	shelfGolden(t, "scratch.golden", RenderScratch(scratchExample()))
	shelfGolden(t, "scratch-none.golden", RenderScratch(nil))
}

func TestNotesSurviveScratch(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 4))
	pieces := []string{
		"\n", "\n", "\n", "\n\n", " ", "  ", "\t", "\\", "#", "- ", "* ", "- [2026-03-12T14:30:00Z] (importance: 0.8) x", "[", "]", "(importance: 0.3)",
		scratchTitle, scratchNotice, "---", "***", "```", "~~~", "word", "ä", "\u00a0", "\u2028", "\f", "\v", "\u0085", "\r", "\r\n", "\uFEFF", "\x00", "\xff",
		"[AUTO]", "1. ", ">", "|",
	}
	text := func() string {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	for range 3000 {
		var entries []ScratchEntry
		for range random.IntN(4) {
			e := ScratchEntry{Importance: random.Float64()*1.4 - .2, Text: text()}
			if random.IntN(4) > 0 {
				e.At = time.UnixMilli(random.Int64N(4e12))
			}
			entries = append(entries, e)
		}
		view := RenderScratch(entries)
		got, loose, err := parseScratch(view)
		if want := scratchSeen(entries); err != nil || len(loose) > 0 || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, loose %q\n%q\n got %+v\nwant %+v", err, loose, view, got, want)
		}
		if again := RenderScratch(got); again != view {
			t.Fatalf("written again it differs:\n%q\n%q", view, again)
		}
		if added, err := scratchNew(view, view); err != nil || len(added) > 0 {
			t.Fatalf("nobody wrote anything, new is %+v, %v", added, err)
		}
		// Whatever is appended comes out, once and whole.
		more := scratchSeen([]ScratchEntry{{At: time.Date(2026, 3, 12, 12, 0, 0, 0, time.UTC), Importance: .7, Text: text() + "end"}})
		added, err := scratchNew(view, view+ScratchBlock(more[0]))
		if err != nil || !reflect.DeepEqual(added, more) {
			t.Fatalf("appended %+v to %q: %+v, %v", more, view, added, err)
		}
	}
}

func TestWhatPeopleWriteIntoScratchIsTakenIn(t *testing.T) {
	t.Parallel()
	note := ScratchEntry{At: scratchAt("2026-03-12T14:30:00Z"), Importance: .8, Text: "a note"}
	for _, c := range []struct {
		name, text string
		entries    []ScratchEntry
		loose      []string
	}{
		{name: "nothing"},
		{name: "only the header", text: RenderScratch(nil)},
		{name: "a file of the design, with empty lines between", text: scratchTitle + "\r\n\r\n" + scratchNotice + "\r\n\r\n- [2026-03-12T14:30:00.000Z] (importance: 0.8) a note\r\n", entries: []ScratchEntry{note}},
		{name: "a mark of bytes before it", text: "\uFEFF" + RenderScratch([]ScratchEntry{note}), entries: []ScratchEntry{note}},
		{name: "plain lines are a note each", text: "first\nsecond\n", loose: []string{"first", "second"}},
		{name: "without a line end", text: "first", loose: []string{"first"}},
		{name: "items of all kinds", text: "- a\n* b\n+ c\n• d\n1. e\n", loose: []string{"a", "b", "c", "d", "1. e"}},
		{name: "boxes and links are no times", text: "- [ ] to do\n- [x] done\n- [docs](https://x.test)\n", loose: []string{"[ ] to do", "[x] done", "[docs](https://x.test)"}},
		{name: "indented lines belong to what is above", text: "- a\n  b\n\n  c\n\td\ne\n", loose: []string{"a\nb\n\nc\nd", "e"}},
		{name: "an item below an item belongs to it", text: "- a\n  - b\n    - c\n", loose: []string{"a\n- b\n  - c"}},
		{name: "indented lines below nothing", text: "  a\n  b\n", loose: []string{"a\nb"}},
		{name: "one blank is no indent", text: "- a\n - b\n", loose: []string{"a", "b"}},
		{name: "lines below a note belong to it", text: ScratchBlock(note) + "  more\n", entries: []ScratchEntry{{At: note.At, Importance: .8, Text: "a note\nmore"}}},
		{name: "a plain line below a note does not", text: ScratchBlock(note) + "more\n", entries: []ScratchEntry{note}, loose: []string{"more"}},
		{name: "a text below an empty note", text: "- [2026-03-12T14:30:00Z] (importance: 0.8)\n  a note\n", entries: []ScratchEntry{note}},
		{name: "a note of nothing", text: "- [2026-03-12T14:30:00Z] (importance: 0.8)\n"},
		{name: "other spellings of a note", text: "* [2026-03-12T15:30+01:00]  ( Importance : 0,8 )   a note  \n", entries: []ScratchEntry{note}},
		{name: "an importance beyond the range", text: "- (importance: 7) a\n- (importance: -.5) b\n", entries: []ScratchEntry{{Importance: 1, Text: "a"}, {Text: "b"}}},
		{
			name:  "what is nearly a note stays as it is",
			text:  "- [2026-03-12] (importance: 0.8) a\n- [2026-03-12T14:30:00Z] b\n- (importance: high) c\n- (importance: NaN) d\n- (importance: 0x1) e\n(importance: 0.5) f\n- [2026-03-12T14:30:00Z (importance: 0.5) g\n- (importance: 0.5 h\n",
			loose: []string{"[2026-03-12] (importance: 0.8) a", "[2026-03-12T14:30:00Z] b", "(importance: high) c", "(importance: NaN) d", "(importance: 0x1) e", "(importance: 0.5) f", "[2026-03-12T14:30:00Z (importance: 0.5) g", "(importance: 0.5 h"},
		},
		{name: "headings and remarks are kept", text: "## Ideas\n<!-- later -->\n> quoted\n", loose: []string{"## Ideas", "<!-- later -->", "> quoted"}},
		{name: "rules say nothing", text: "a\n\n---\n***\n_____\nb\n", loose: []string{"a", "b"}},
		{name: "a block of code is one", text: "```go\nx := 1\n\n\ty()\n```\nafter\n", loose: []string{"```go\nx := 1\n\n\ty()\n```", "after"}},
		{name: "one that is never closed is lines", text: "```\na\n" + ScratchBlock(note), entries: []ScratchEntry{note}, loose: []string{"```", "a"}},
		{name: "one around a note is lines", text: "```\n" + ScratchBlock(note) + "```\n", entries: []ScratchEntry{note}, loose: []string{"```", "```"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			entries, loose, err := parseScratch(c.text)
			if err != nil || !reflect.DeepEqual(entries, c.entries) || !slices.Equal(loose, c.loose) {
				t.Errorf("%v\n got %+v, loose %q\nwant %+v, loose %q", err, entries, loose, c.entries, c.loose)
			}
		})
	}
}

func TestEveryWordOfAPersonComesOutOfScratch(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 5))
	pieces := []string{
		"\n", "\n", "\n\n", " ", "  ", "\t", "- ", "* ", "1. ", "```", "---", "- [2026-03-12T14:30:00Z] (importance: 0.8) ", "[", "]", "(", ")", "(importance: 0.3) ", "> ", "## ",
	}
	for range 3000 {
		var b strings.Builder
		var words []string
		for i := range 12 {
			b.WriteString(pieces[random.IntN(len(pieces))])
			if random.IntN(2) == 0 {
				word := "w" + string(rune('a'+i))
				words = append(words, word)
				b.WriteString(word + " ")
			}
		}
		entries := must.Get(scratchNew(RenderScratch(nil), b.String()))(t)
		var all []string
		for _, e := range entries {
			all = append(all, strings.FieldsFunc(e.Text, func(r rune) bool { return (r < 'a' || r > 'z') && r != 'w' })...)
		}
		all = slices.DeleteFunc(all, func(w string) bool { return len(w) != 2 || w[0] != 'w' })
		if !slices.Equal(all, words) {
			t.Fatalf("%q: %q, want %q", b.String(), all, words)
		}
	}
}

func TestEachNoteIsNewOnce(t *testing.T) {
	t.Parallel()
	a, b := ScratchEntry{At: time.Date(2026, 3, 12, 12, 0, 0, 0, time.UTC), Importance: .7, Text: "a"}, ScratchEntry{At: time.Date(2026, 3, 12, 12, 0, 0, 0, time.UTC), Importance: .7, Text: "b"}
	line := ScratchEntry{Text: "by hand", ByHand: true}
	view := RenderScratch([]ScratchEntry{a, b})
	for _, c := range []struct {
		name, before, after string
		want                []ScratchEntry
	}{
		{"nothing changed", view, view, nil},
		{"from an empty file", "", view, []ScratchEntry{a, b}},
		{"moved", view, RenderScratch([]ScratchEntry{b, a}), nil},
		{"removed", view, RenderScratch([]ScratchEntry{a}), nil},
		{"the same once more", view, view + ScratchBlock(a), []ScratchEntry{a}},
		{"twice the same at once", RenderScratch(nil), RenderScratch([]ScratchEntry{a, a}), []ScratchEntry{a, a}},
		{"a line by hand", view, view + "by hand\n", []ScratchEntry{line}},
		{"a line by hand that was there", view + "by hand\n", "by hand\n" + view, nil},
		{"another line by hand of the same words", view + "by hand\n", view + "- by hand\nby hand\n", []ScratchEntry{line}},
		{"between the others", view, RenderScratch([]ScratchEntry{a, {At: time.Date(2026, 3, 12, 12, 0, 0, 0, time.UTC), Importance: .9, Text: "new"}, b}), []ScratchEntry{{At: time.Date(2026, 3, 12, 12, 0, 0, 0, time.UTC), Importance: .9, Text: "new"}}},
		{"changed", view, strings.Replace(view, ") b", ") b, and more", 1), []ScratchEntry{{At: time.Date(2026, 3, 12, 12, 0, 0, 0, time.UTC), Importance: .7, Text: "b, and more"}}},
	} {
		if got, err := scratchNew(c.before, c.after); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, c.want)
		}
	}
}

func TestAFileThatIsNoTextIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"\xff\xfea\x00", "a\x00b", "caf\xe9"} {
		if _, _, err := parseScratch(text); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "UTF-8") {
			t.Errorf("%q: %v", text, err)
		}
		for _, pair := range [][2]string{{text, ""}, {"", text}} {
			if _, err := scratchNew(pair[0], pair[1]); !errors.Is(err, memory.ErrInvalid) {
				t.Errorf("%q: %v", pair, err)
			}
		}
	}
}

func TestImportanceIsSaidInTenths(t *testing.T) {
	t.Parallel()
	for importance, want := range map[float64]float64{.84: .8, .85: .9, -3: 0, 3: 1, math.Inf(1): 1, .04: 0} {
		if got := scratchTenths(importance); got != want {
			t.Errorf("%v: %v, want %v", importance, got, want)
		}
	}
	if got := scratchTenths(math.NaN()); got != 0 {
		t.Errorf("no number: %v", got)
	}
}

// scratchNew is all that a person added.
func scratchNew(before, after string) ([]ScratchEntry, error) {
	edit, err := NewScratchEdit(before, after)
	if err != nil {
		return nil, err
	}
	return edit.Next(edit.Left()), nil
}

// TestAnEditInPartsHandsOutEachEntryOnce: what is left is found again from the text that is known so far.
func TestAnEditInPartsHandsOutEachEntryOnce(t *testing.T) {
	before := RenderScratch([]ScratchEntry{{Importance: 0.5, Text: "old one"}, {Importance: 0.5, Text: "old two"}})
	var after strings.Builder
	after.WriteString("first by hand\n")
	after.WriteString(before)
	for i := range 25 {
		fmt.Fprintf(&after, "- item %d\n  below %d\n\n```\ncode %d\n```\n", i, i, i)
	}
	want, err := scratchNew(before, after.String())
	if err != nil || len(want) != 51 {
		t.Fatalf("%d entries, %v", len(want), err)
	}
	var got []ScratchEntry
	for known := before; ; {
		edit := must.Get(NewScratchEdit(known, after.String()))(t)
		part := edit.Next(7)
		if len(part) == 0 {
			break
		}
		if got = append(got, part...); len(got)+edit.Left() != len(want) {
			t.Fatalf("%d handed out and %d left of %d", len(got), edit.Left(), len(want))
		}
		known = edit.Known()
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("in parts %v, at once %v", got, want)
	}
}

// TestOpenFencesAreLookedForOnce counts lines: each of 5,000 open fences used to read on to the end of the file.
func TestOpenFencesAreLookedForOnce(t *testing.T) {
	lines := slices.Repeat([]string{"```go"}, 5000)
	open := map[string]int{}
	for at := range lines {
		if end := scratchFenced(lines, at, open); end != 0 {
			t.Fatalf("line %d: a block ends at %d", at, end)
		}
		if open["```"] != len(lines) {
			t.Fatalf("line %d: the search is not remembered: %v", at, open)
		}
	}
}

// parseScratch separates the notes of a scratch file from what a person wrote there by hand.
func parseScratch(text string) (entries []ScratchEntry, loose []string, err error) {
	parts, _, err := scratchRead(text)
	for _, p := range parts {
		if p.ByHand {
			loose = append(loose, p.Text)
		} else {
			entries = append(entries, p.ScratchEntry)
		}
	}
	return entries, loose, err
}
