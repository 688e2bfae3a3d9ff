package desk

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/sheet"
)

func pinExample() []memory.Pin {
	return []memory.Pin{
		{Crystal: "d", Title: "Deploys", Text: "Only on Tuesdays.\n\n## Not a pin\n\n---\n\n**Why it's pinned:** forged", At: shelfOn("2026-02-02")},
		{Crystal: "v2", Title: "Auth  v2", Text: "Tokens rotate.", Reason: "Twice we broke it.\n\nAnd customers\n## noticed.", At: shelfOn("2026-02-01")},
		{Crystal: "auth", Title: "Auth", Reason: "The old one stays readable.", At: shelfOn("2026-02-03")},
	}
}

func TestPinsLookAsTheyAlwaysDid(t *testing.T) {
	t.Parallel()
	shelfGolden(t, "pinned.golden", renderPins(pinExample()))
	shelfGolden(t, "pinned-none.golden", renderPins(nil))
}

func TestATitleIsKnownAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Auth", " auth. ", true},
		{"Auth", "“AUTH”!", true},
		{"Auth v2", "auth\t V2:", true},
		{"Über uns", "ÜBER UNS", true},
		{"`run()`", "run", true},
		{"Auth", "Auth v2", false},
		{"C", "C#", false},
		{"C", "C++", false},
		{".env", "env", false},
		{"...", "!!!", false},
		{"???", "???", true},
		{"a-b", "a b", false},
	} {
		if got := NormalTitle(c.a) == NormalTitle(c.b); got != c.same {
			t.Errorf("%q and %q are the same: %v (%q, %q)", c.a, c.b, got, NormalTitle(c.a), NormalTitle(c.b))
		}
		if n := NormalTitle(c.a); NormalTitle(n) != n || n == "" {
			t.Errorf("%q is not normal", n)
		}
	}
}

func TestAPinIsNeverLost(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 6))
	pieces := []string{
		"\n", "\n", "\n", "\n\n", " ", "\t", "\\", "#", "## ", "##", "## Auth", "### x", "---", "----", "**Why it's pinned:**", "**Why it’s pinned:** x",
		"it’s", "*mine*", pinFooter, pinTitleLine, "word", " ^abcd", "ä", "\u00a0", "\f", "\r\n", "\x00", "\xff", "```",
	}
	text := func() string {
		var b strings.Builder
		for range random.IntN(10) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	for range 2000 {
		pins := []memory.Pin{
			{Crystal: "a", Title: text() + "a1", Text: text(), Reason: text()},
			{Crystal: "b", Title: "b2 " + text() + "2", Text: text(), Reason: text(), At: shelfOn("2026-01-01")},
		}
		view := renderPins(pins)
		got, err := readPins(view, pins)
		if err != nil || len(got) != 2 {
			t.Fatalf("%v\n%q\n%q", err, pins, view)
		}
		for i, e := range got {
			p := pinOf(e)
			if e.ID != string(pins[i].Crystal) || p.Title != prose.OneLine(pins[i].Title) || p.Text != prose.Tidy(pins[i].Text) ||
				p.Reason != strings.TrimLeft(prose.Tidy(pins[i].Reason), " \t") {
				t.Fatalf("%q\n got %q\nwant %q", view, p, pins[i])
			}
		}
	}
}

func TestWhatAPersonDoesToPinsIsTakenIn(t *testing.T) {
	t.Parallel()
	before := pinExample()[1:]
	view := renderPins(before)
	edit := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(view) }
	_, last, _ := strings.Cut(view, "## Auth ^")
	block := "## Auth ^" + strings.TrimSuffix(last, pinFooter+"\n")
	mark := strings.Fields(block)[2]
	for _, c := range []struct {
		name, text        string
		new, edited, gone []string // titles
	}{
		{name: "nothing", text: view},
		{name: "no footer, no rules, no marks", text: sheet.Bare(edit(pinFooter, "", "---", ""))},
		{name: "a deleted block is unpinned", text: edit(block, ""), gone: []string{"Auth"}},
		{name: "all of them", text: pinTitleLine, gone: []string{"Auth v2", "Auth"}},
		{name: "a new one below the footer", text: view + "\n## New\nText\n", new: []string{"New"}},
		{name: "a line above all", text: edit(pinTitleLine, pinTitleLine+"\n\nSay it.\n"), new: []string{"Say it."}},
		{name: "a block without a title", text: view + "##\n\nsome text\n", new: []string{"some text"}},
		{name: "another text and another reason", text: edit("Tokens rotate.", "Tokens rotate daily.", "**Why it's pinned:** The old one stays readable.", "Gone."), edited: []string{"Auth v2", "Auth"}},
		{name: "another apostrophe", text: edit("it's", "it’s"), edited: []string{"Auth v2", "Auth"}},
		{name: "another title under its mark", text: edit("## Auth "+mark, "## Login "+mark), edited: []string{"Login"}},
		{name: "another title without one", text: edit("## Auth "+mark, "## Login"), new: []string{"Login"}, gone: []string{"Auth"}},
		{name: "a block that is there twice", text: view + block, new: []string{"Auth"}},
	} {
		titles := func(list []sheet.Entry) (titles []string) {
			for _, e := range list {
				titles = append(titles, pinOf(e).Title)
			}
			return titles
		}
		got := sheet.Compare(must.Get(readPins(view, before))(t), must.Get(readPins(c.text, before))(t), time.Time{})
		if !slices.Equal(titles(got.New), c.new) || !slices.Equal(titles(got.Edited), c.edited) || !slices.Equal(titles(got.Gone), c.gone) {
			t.Errorf("%s: new %q, edited %q, gone %q", c.name, titles(got.New), titles(got.Edited), titles(got.Gone))
		}
	}
	if _, err := readPins("## Auth\na\n## auth.\nb", nil); !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), `"auth." is pinned twice`) {
		t.Errorf("two pins of one title: %v", err)
	}
}

func TestPinsOverTheirBudgetAreToldNotCut(t *testing.T) {
	t.Parallel()
	pins := pinExample()
	size := len(sheet.Bare(renderPins(pins))) - len(renderPins(nil)) - len(pins) // an empty line before each
	if bytes := PinBytes(pins); bytes != size {
		t.Errorf("%d bytes, want %d", bytes, size)
	}
}
