package desk

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

func pinExample() []memory.Pin {
	return []memory.Pin{
		{Title: "Deploys", Text: "Only on Tuesdays.\n\n## Not a pin\n\n---\n\n**Why it's pinned:** forged", At: shelfOn("2026-02-02")},
		{Title: "Auth  v2", Text: "Tokens rotate.", Reason: "Twice we broke it.\n\nAnd customers\n## noticed.", At: shelfOn("2026-02-01")},
		{Title: "Auth", Reason: "The old one stays readable.", At: shelfOn("2026-02-03")},
	}
}

func TestPinsLookAsTheyAlwaysDid(t *testing.T) {
	t.Parallel()
	shelfGolden(t, "pinned.golden", PinnedView(pinExample()))
	shelfGolden(t, "pinned-none.golden", PinnedView(nil))
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
		"it’s", "*mine*", pinFooter, "# PINNED — Core Memories", "word", "ä", "\u00a0", "\f", "\r\n", "\x00", "\xff", "```",
	}
	text := func() string {
		var b strings.Builder
		for range random.IntN(10) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	for range 2000 {
		pins := []memory.Pin{{Title: text() + "a1", Text: text(), Reason: text()}, {Title: "b2 " + text() + "2", Text: text(), Reason: text(), At: shelfOn("2026-01-01")}}
		view := PinnedView(pins)
		got, err := ParsePinned(view)
		if err != nil || len(got) != 2 {
			t.Fatalf("%v\n%q\n%q", err, pins, view)
		}
		for i, p := range got {
			want := pinPlain(pins[i])
			want.At = time.Time{}
			if p != want {
				t.Fatalf("%q\n got %q\nwant %q", view, p, want)
			}
		}
		if added, changed, gone := ChangedPins(pins, got); len(added)+len(changed)+len(gone) > 0 {
			t.Fatalf("nobody changed anything: %q", view)
		}
	}
}

func TestWhatAPersonDoesToPinsIsTakenIn(t *testing.T) {
	t.Parallel()
	before := pinExample()[1:]
	view := PinnedView(before)
	edit := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(view) }
	block := strings.TrimPrefix(pinBlock(before[1]), "\n")
	for _, c := range []struct {
		name, text           string
		added, changed, gone []memory.Pin
	}{
		{name: "nothing", text: view},
		{name: "no footer, no rules, another apostrophe", text: edit(pinFooter, "", "---", "", "it's", "it’s")},
		{name: "a deleted block is unpinned", text: edit(block, ""), gone: []memory.Pin{before[1]}},
		{name: "all of them", text: pinHead, gone: before},
		{
			name: "a new one below the footer", text: view + "\n## New\nText\n",
			added: []memory.Pin{{Title: "New", Text: "Text"}},
		},
		{
			name: "another text and another reason", text: edit("Tokens rotate.", "Tokens rotate daily.", "**Why it's pinned:** The old one stays readable.", "Gone."),
			changed: []memory.Pin{
				{Title: "Auth v2", Text: "Tokens rotate daily.", Reason: before[0].Reason, At: before[0].At},
				{Title: "Auth", Text: "Gone.", At: before[1].At},
			},
		},
		{
			name: "another spelling of the title", text: edit("## Auth v2", "## AUTH V2."),
			changed: []memory.Pin{{Title: "AUTH V2.", Text: before[0].Text, Reason: before[0].Reason, At: before[0].At}},
		},
		{
			name: "another title is another pin", text: edit("## Auth v2", "## Auth v3"),
			added: []memory.Pin{{Title: "Auth v3", Text: before[0].Text, Reason: before[0].Reason}}, gone: before[:1],
		},
		{name: "a block that is there twice", text: view + block},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			after := must.Get(ParsePinned(c.text))(t)
			added, changed, gone := ChangedPins(before, after)
			if !reflect.DeepEqual(added, c.added) || !reflect.DeepEqual(changed, c.changed) || !reflect.DeepEqual(gone, c.gone) {
				t.Errorf("added %q, changed %q, gone %q", added, changed, gone)
			}
		})
	}
}

func TestPinsOverTheirBudgetAreToldNotCut(t *testing.T) {
	t.Parallel()
	pins := pinExample()
	size := len(PinnedView(pins)) - len(PinnedView(nil)) - len(pins) // an empty line before each
	if bytes := PinBytes(pins); bytes != size {
		t.Errorf("%d bytes, want %d", bytes, size)
	}
}
