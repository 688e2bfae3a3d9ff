package answer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestV19Budgets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ window, want int }{
		{1_000_000, 8000}, {200_000, 8000}, {199_000, 6000}, {128_000, 6000}, {127_999, 4000}, {64_000, 4000}, {63_000, 3200},
		{8_000, 3200}, {1, 3200}, {0, 8000}, {-1, 8000},
	} {
		if got := Budget(8000, c.window); got != c.want {
			t.Errorf("window of %d: %d, want %d", c.window, got, c.want)
		}
	}
}

func TestAModeScalesTheWholeAndItsSlots(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		budget int
		mode   Mode
		total  int
		share  float64
	}{
		{8000, ModeFull, 48000, 6}, {8000, ModeWarm, 8000, 1}, {8000, "", 8000, 1}, {8000, ModeContinue, 1200, .15},
		{8000, ModeMicro, 240, .03}, {6000, ModeWarm, 6000, .75}, {4000, ModeWarm, 4000, .5}, {3200, ModeWarm, 3200, .4},
		{3200, ModeMicro, 96, .012}, {-5, ModeWarm, 0, 0},
	} {
		total, share := Room(c.budget, c.mode)
		if total != c.total || math.Abs(share-c.share) > 1e-4 {
			t.Errorf("%d %s: %d and %v, want %d and %v", c.budget, c.mode, total, share, c.total, c.share)
		}
	}
}

func slotItems(texts ...string) []Item {
	items := make([]Item, len(texts))
	for i, text := range texts {
		items[i].Text = text
	}
	return items
}

func TestAStartIsComposed(t *testing.T) {
	t.Parallel()
	const long = "one two three four five six seven eight nine ten"
	for _, c := range []struct {
		name  string
		slots []Slot
		total int
		share float64
		want  string
	}{
		{
			"all of it, with a blank line between slots",
			[]Slot{{Title: "Pins", Cap: 100, Items: slotItems("a", "b\n  b2")}, {Title: "Goals", Cap: 100, Items: slotItems("c")}},
			1000, 1, "### Pins\na\nb\n  b2\n\n### Goals\nc\n",
		},
		{
			"a slot without items has no title",
			[]Slot{
				{Title: "Pins", Cap: 100}, {Title: "Goals", Cap: 100, Items: slotItems("", "c")},
				{Title: "Notes", Cap: 100, Items: slotItems("c")},
			},
			1000, 1, "### Goals\nc\n",
		},
		{
			"a slot without a title has no title line",
			[]Slot{{Cap: 100, Items: slotItems("a")}, {Title: "T", Cap: 9, Items: slotItems("b")}},
			1000, 1, "a\n\n### T\nb\n",
		},
		{
			"to the byte", []Slot{{Title: "Pins", Cap: 100, Items: slotItems("ab")}, {Title: "Goals", Cap: 100, Items: slotItems("c")}},
			len("### Pins\nab\n\n### Goals\nc\n"), 1, "### Pins\nab\n\n### Goals\nc\n",
		},
		{
			"a byte less leaves out the slot that matters less",
			[]Slot{{Title: "Pins", Cap: 100, Items: slotItems("ab")}, {Title: "Goals", Cap: 100, Items: slotItems("c")}},
			len("### Pins\nab\n\n### Goals\nc\n") - 1, 1, "### Pins\nab\n",
		},
		{
			"an item that does not fit is passed over", []Slot{{Cap: 100, Items: slotItems("first", strings.Repeat("x", 50), "last")}},
			20, 1, "first\nlast\n",
		},
		{
			"the cap leaves room for the next slot, which what was left out may not take from it",
			[]Slot{{Cap: 10, Items: slotItems("aaaa", "bbbb", "cccc")}, {Cap: 100, Items: slotItems("dddd", "eeee")}},
			21, 1, "aaaa\nbbbb\n\ndddd\neeee\n",
		},
		{
			"what nobody needs goes to what was left out, in its place",
			[]Slot{{Cap: 5, Items: slotItems("aaaa", "bbbb", "cccc")}, {Cap: 5, Items: slotItems("dddd", "eeee")}},
			16, 1, "aaaa\nbbbb\n\ndddd\n",
		},
		{
			"the share scales the cap",
			[]Slot{{Cap: 20, Items: slotItems("aaaa", "bbbb", "cccc", "dddd")}, {Cap: 20, Items: slotItems("eeee", "ffff")}},
			21, .5, "aaaa\nbbbb\n\neeee\nffff\n",
		},
		{
			"a slot with cap 0 is off",
			[]Slot{{Title: "Pins", Cap: 0, Items: slotItems("a"), Always: true}, {Cap: 10, Items: slotItems("b")}},
			1000, 1, "b\n",
		},
		{
			"nothing is shown twice",
			[]Slot{
				{Cap: 100, Items: []Item{{Key: "k", Text: "one"}, {Key: "k", Text: "other"}, {Text: "two"}}},
				{Cap: 100, Items: []Item{{Key: "k", Text: "again"}, {Text: "two"}, {Text: "one"}, {Key: "two", Text: "two, keyed"}}},
			},
			1000, 1, "one\ntwo\n\ntwo, keyed\n",
		},
		{
			"what an earlier slot had no room for is shown by a later one",
			[]Slot{
				{Cap: 5, Items: []Item{{Key: "k", Text: "too long for its slot"}}},
				{Cap: 100, Items: []Item{{Key: "k", Text: "short"}}},
			},
			1000, 1, "short\n",
		},
		{
			"the first of a slot that must speak is cut at a word",
			[]Slot{{Title: "Pins", Cap: 100, Items: slotItems(long), Always: true}},
			40, 1, "### Pins\none two three four five six…\n",
		},
		{"elsewhere it is left out", []Slot{{Title: "Pins", Cap: 100, Items: slotItems(long)}}, 40, 1, ""},
		{"only the first is cut", []Slot{{Cap: 100, Items: slotItems("a", long), Always: true}}, 40, 1, "a\n"},
		{"a beginning that says nothing is left out", []Slot{{Cap: 100, Items: slotItems(long), Always: true}}, 18, 1, ""},
		{
			"a cut item becomes whole where there is room",
			[]Slot{{Cap: 30, Items: slotItems(long), Always: true}, {Cap: 10, Items: slotItems("b")}},
			100, 1, long + "\n\nb\n",
		},
		{
			"before a slot that matters less has more than its cap",
			[]Slot{{Cap: 30, Items: slotItems(long), Always: true}, {Cap: 6, Items: slotItems("b", strings.Repeat("c", 20))}},
			len(long) + len("\n\nb\n"), 1, long + "\n\nb\n",
		},
		{
			"or longer", []Slot{{Cap: 24, Items: slotItems(long), Always: true}, {Cap: 10, Items: slotItems("b")}},
			40, 1, "one two three four five six seven…\n\nb\n",
		},
		{
			"also behind a short one", []Slot{{Cap: 100, Items: slotItems("see https://example.org/a/very/long/path"), Always: true}},
			30, 1, "see https://example.org/a/…\n",
		},
		{
			"a word without an end is cut between characters", []Slot{{Cap: 100, Items: slotItems(strings.Repeat("語", 20)), Always: true}},
			30, 1, "語語語語語語語語…\n",
		},
		{
			"what must be shown is whole as far as its own cap goes, then short, before all else",
			[]Slot{
				{Title: "Left", Cap: 100, Items: slotItems("what was done")},
				{Title: "Pins", Cap: 26, Items: []Item{{Text: "a: alpha", Short: "a"}, {Text: "b: beta", Short: "b"}, {Text: "c: gamma ray", Short: "c"}}, Must: true},
			},
			28, .01, "### Pins\na: alpha\nb: beta\nc\n",
		},
		{
			"and whole where there is room",
			[]Slot{
				{Title: "Pins", Cap: 10, Items: []Item{{Text: "a: alpha", Short: "a"}, {Text: "b: beta", Short: "b"}}, Must: true},
				{Title: "Left", Cap: 100, Items: slotItems("what was done")},
			},
			100, 1, "### Pins\na: alpha\nb: beta\n\n### Left\nwhat was done\n",
		},
		{"no room", []Slot{{Cap: 100, Items: slotItems("a"), Always: true}}, 0, 1, ""},
		{"less than no room", []Slot{{Cap: 100, Items: slotItems("a"), Always: true}}, -10, 1, ""},
		{"a share that is no number", []Slot{{Cap: 100, Items: slotItems("a"), Always: true}}, 100, math.NaN(), "a\n"},
		{"a text that is none", []Slot{{Cap: 100, Items: slotItems("a\xffb\n")}}, 100, 1, "a\uFFFDb\n"},
	} {
		if got := Compose(c.slots, c.total, c.share); got != c.want {
			t.Errorf("%s: got\n%q\nwant\n%q", c.name, got, c.want)
		}
	}
}

func TestAStartNeverBreaksItsBudget(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 2))
	words := []string{"alpha", "β", "语言", "of", "\n  > ", "it", " ", "— so", strings.Repeat("long", 30), "👩‍💻"}
	cut, whole := 0, 0
	for range 4000 {
		var slots []Slot
		for s := range random.IntN(8) {
			slot := Slot{Cap: random.IntN(400) - 10, Always: random.IntN(3) == 0}
			if random.IntN(5) > 0 {
				slot.Title = fmt.Sprintf("Slot %d", s)
			}
			for range random.IntN(8) {
				// The name stands first in the text, so that it can be found again.
				name := random.IntN(30)
				text := fmt.Sprintf("<%d>", name)
				for range random.IntN(30) {
					text += " " + words[random.IntN(len(words))]
				}
				item := Item{Text: strings.TrimSpace(text)}
				if random.IntN(2) == 0 {
					item.Key = fmt.Sprint(name)
				}
				slot.Items = append(slot.Items, item)
			}
			slots = append(slots, slot)
		}
		total, share := random.IntN(1500), random.Float64()*2
		got := Compose(slots, total, share)
		if len(got) > total {
			t.Fatalf("%d bytes of %d:\n%s", len(got), total, got)
		}
		if !utf8.ValidString(got) {
			t.Fatalf("no text: %q", got)
		}
		if again := Compose(slots, total, share); again != got {
			t.Fatalf("got\n%s\nand then\n%s", got, again)
		}
		c, w := slotsHold(t, slots, got)
		cut, whole = cut+c, whole+w
	}
	if cut < 100 || whole < 10000 {
		t.Errorf("%d cut and %d whole: this proves little", cut, whole)
	}
}

func TestWhatMustBeToldIsNeverLeftOutOfTheRoomItNeeds(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 9))
	for range 2000 {
		must := Slot{Title: "Pins", Cap: 1 + random.IntN(300), Must: true}
		for i := range random.IntN(12) {
			name := fmt.Sprintf("- <%d>", i)
			must.Items = append(must.Items, Item{Text: name + ": " + strings.Repeat("word ", random.IntN(40)) + ".", Short: name})
		}
		other := Slot{Title: "Other", Cap: 200, Items: slotItems("one", "two", strings.Repeat("three ", 20))}
		slots := []Slot{other, must}
		need := Needs(slots)
		for _, total := range []int{need, need + 7, need + 300} {
			got := Compose(slots, total, random.Float64())
			if len(got) > total {
				t.Fatalf("%d bytes of %d:\n%s", len(got), total, got)
			}
			for _, item := range must.Items {
				if !strings.Contains(got, item.Short) {
					t.Fatalf("%s is left out of %d bytes (needed %d):\n%s", item.Short, total, need, got)
				}
			}
		}
	}
	if got := Needs([]Slot{{Title: "Pins", Cap: 0, Items: slotItems("a"), Must: true}, {Cap: 10, Items: slotItems("b")}}); got != 0 {
		t.Errorf("a slot that is off needs %d bytes", got)
	}
}

// slotsHold walks through the slots along the text: every part of it must be the title or an item of a slot, in their order,
// and each key and each text without a key only once.
func slotsHold(t *testing.T, slots []Slot, text string) (cut, whole int) {
	t.Helper()
	keys, texts := map[string]bool{}, map[string]bool{}
	left := text
	for _, s := range slots {
		after, ok := left, true
		if len(after) < len(text) {
			after, ok = strings.CutPrefix(after, "\n")
		}
		if s.Title != "" && ok {
			after, ok = strings.CutPrefix(after, "### "+s.Title+"\n")
		}
		if !ok || s.Cap <= 0 {
			continue
		}
		shown := 0
		for _, item := range s.Items {
			again := item.Key != "" && keys[item.Key] || item.Key == "" && texts[item.Text]
			if again {
				continue
			}
			if rest, ok := strings.CutPrefix(after, item.Text+"\n"); ok {
				after = rest
				whole++
			} else if rest, ok := slotCutPrefix(after, item.Text); ok && s.Always && shown == 0 {
				after = rest
				cut++
			} else {
				continue
			}
			shown++
			if item.Key != "" {
				keys[item.Key] = true
			}
			texts[item.Text] = true
		}
		if shown > 0 {
			left = after
		}
	}
	if left != "" {
		t.Fatalf("of no slot, or twice, or in another order: %q\nin\n%s", left, text)
	}
	return cut, whole
}

// slotCutPrefix takes the beginning of an item and the sign of the cut off a text.
func slotCutPrefix(text, item string) (rest string, ok bool) {
	begin, rest, ok := strings.Cut(text, "…\n")
	return rest, ok && len(begin) >= slotLeast/2 && strings.HasPrefix(item, begin)
}

func TestComposingLeavesTheSlotsAlone(t *testing.T) {
	t.Parallel()
	build := func() []Slot {
		return []Slot{{Title: "T", Cap: 20, Items: []Item{{Key: "k", Text: "some text that is long\n"}, {Text: "b"}}, Always: true}}
	}
	slots := build()
	Compose(slots, 25, 1)
	if want := build(); !reflect.DeepEqual(slots, want) {
		t.Errorf("%+v, want %+v", slots, want)
	}
}
