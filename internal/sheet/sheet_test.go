package sheet

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/prose"
)

func form() Form {
	return Form{
		Frame: func(line string) bool { return line == "# Title" },
		Heads: func(line string) bool { return strings.HasPrefix(line, "## ") },
	}
}

func itself(id string) string { return id }

func texts(entries []Entry) (list []string) {
	for _, e := range entries {
		list = append(list, e.Text)
	}
	return list
}

func TestASheetIsCutIntoEntries(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{name: "nothing"},
		{name: "only a frame and rules", text: "# Title\n\n---\n***\n_____\n"},
		{name: "of Windows, with a mark of bytes", text: "\uFEFF# Title\r\n\r\n- a\r\n", want: []string{"- a"}},
		{name: "lines are an entry each", text: "first\nsecond", want: []string{"first", "second"}},
		{name: "indented lines belong to what is above", text: "- a\n  b\n\n  c\n\td\ne\n", want: []string{"- a\nb\n\nc\nd", "e"}},
		{name: "an item below an item belongs to it", text: "- a\n  - b\n    - c\n", want: []string{"- a\n- b\n  - c"}},
		{name: "one blank is no indent", text: "- a\n - b\n", want: []string{"- a", "- b"}},
		{name: "a block goes to the next heading", text: "x\n## A\n\ntext\n---\nmore\n# Title\n\n---\n\n## B\n", want: []string{"x", "## A\n\ntext\n---\nmore", "## B"}},
		{name: "another heading is a line", text: "### a\nb\n", want: []string{"### a", "b"}},
		{name: "a block of code is one", text: "```go\nx := 1\n\n\ty()\n```\nafter\n", want: []string{"```go\nx := 1\n\n\ty()\n```", "after"}},
		{name: "one that is never closed is lines", text: "```\na\n", want: []string{"```", "a"}},
		{name: "one around a mark is lines", text: "```\n- b ^1a2b\n```\n", want: []string{"```", "- b ^1a2b", "```"}},
	} {
		if got := texts(must.Get(Read(c.text, form()))(t)); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
	if _, err := Read("\xff", form()); err == nil {
		t.Error("bytes that are no text are read")
	}
}

// Whatever people write, each of its words is in an entry, and the lines of all entries are those of the text.
func TestNoWordIsLost(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 5))
	pieces := []string{"\n", "\n", "\n\n", " ", "  ", "\t", "# Title\n", "## ", "- ", "---", "```", "~~~\n", "word", "ä", "- (own) x", " ^1a2b", "^1a2b ", "\r\n", "^12"}
	for range 3000 {
		var b strings.Builder
		for i := range random.IntN(14) {
			b.WriteString(pieces[random.IntN(len(pieces))])
			if random.IntN(2) == 0 {
				fmt.Fprint(&b, "w", i)
			}
		}
		entries := must.Get(Read(b.String(), form()))(t)
		said := strings.Join(texts(entries), "\n")
		for _, word := range strings.Fields(prose.LineEnds(b.String())) {
			if strings.Contains(word, "w") && !strings.Contains(said, word) {
				t.Fatalf("%q of %q is not in %q", word, b.String(), said)
			}
		}
		if left := must.Get(Read(Without(b.String(), entries), form()))(t); len(left) > 0 {
			t.Fatalf("without its entries %q still has %q", b.String(), texts(left))
		}
	}
}

func TestAMarkIsShortAndItsOwn(t *testing.T) {
	t.Parallel()
	var ids []string
	for i := range 3000 {
		ids = append(ids, fmt.Sprint("memory ", i))
	}
	marks := MarksOf(append(ids, ids[0]), itself)
	long := 0
	for _, id := range ids {
		line := marks.On(id, "- a\nb")
		first, _, _ := strings.Cut(line, "\n")
		if len(first) > len("- a ^1a2b") {
			long++
		}
		got := Resolve([]Entry{{Text: line}}, marks, func(Entry) string { return "" })[0]
		if got.ID != id || got.Text != "- a\nb" || !got.Marked || Bare(line) != "- a\nb" {
			t.Fatalf("%q is read as %+v", line, got)
		}
	}
	if long == 0 || long > 300 {
		t.Errorf("%d marks of 3000 are longer than four signs", long)
	}
	if marks.On("another", "- a") != "- a" || marks.On("", "- a") != "- a" {
		t.Error("a memory that is not here has a mark")
	}
}

func TestAMarkIsFoundWhereverPeopleTypeAndNothingElseIsOne(t *testing.T) {
	t.Parallel()
	marks := MarksOf([]string{"one", "two"}, itself)
	one := strings.TrimPrefix(marks.On("one", ""), " ")
	two := strings.TrimPrefix(marks.On("two", ""), " ")
	words := func(e Entry) string { return map[string]string{"like two": "two"}[e.Text] }
	for text, want := range map[string]Entry{
		"- a " + one:                      {ID: "one", Text: "- a"},
		"- a " + one + " and more":        {ID: "one", Text: "- a and more"},
		"- a" + "\t" + one + "  \n  b":    {ID: "one", Text: "- a\n  b"},
		"## T " + one + "\n\ntext":        {ID: "one", Text: "## T\n\ntext"},
		"- a " + one + " - b " + two:      {ID: "one", Text: "- a - b"}, // two lines that somebody joined
		"- a ^9z9z":                       {Text: "- a"},
		"- a" + one:                       {Text: "- a" + one},
		"- 2 ^10, x ^ab1c, [^1] ^1a2bc":   {Text: "- 2 ^10, x ^ab1c, [^1] ^1a2bc"},
		"like two":                        {ID: "two", Text: "like two"},
		"see ^9z9z in the list of others": {Text: "see ^9z9z in the list of others"},
	} {
		got := Resolve([]Entry{{Text: text}}, marks, words)[0]
		if got.ID != want.ID || got.Text != want.Text {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
	both := Resolve([]Entry{{Text: "like two"}, {Text: "moved " + two}}, marks, words)
	if both[0].ID != "" || both[1].ID != "two" {
		t.Errorf("a mark comes before words: %+v", both)
	}
}

func TestWhatIsDifferentIsNewEditedOrGone(t *testing.T) {
	t.Parallel()
	sheet := func(lines ...string) (list []Entry) { // "id text", "text"
		for _, line := range lines {
			id, text, marked := strings.Cut(line, ":")
			if !marked {
				id, text = "", line
			}
			list = append(list, Entry{ID: id, Text: text})
		}
		return list
	}
	show := func(list []Entry) (shown []string) {
		for _, e := range list {
			shown = append(shown, e.ID+":"+e.Text)
		}
		return shown
	}
	five := sheet("1:a", "2:b", "3:c", "4:d", "5:e", "hebb's", "hebb's")
	for _, c := range []struct {
		name              string
		after             []Entry
		added, edit, gone []string
		many              bool
	}{
		{name: "nothing", after: five},
		{name: "moved", after: sheet("hebb's", "5:e", "4:d", "3:c", "2:b", "1:a")},
		{name: "one is gone", after: sheet("1:a", "2:b", "3:c", "4:d"), gone: []string{"5:e"}},
		{name: "two of five are gone", after: sheet("1:a", "2:b", "3:c"), gone: []string{"4:d", "5:e"}, many: true},
		{name: "an edit", after: sheet("1:A", "2:b", "3:c", "4:d", "5:e"), edit: []string{"1:A"}},
		{name: "twice the same mark", after: sheet("1:a", "1:a, again", "2:b", "3:c", "4:d", "5:e"), added: []string{":a, again"}},
		{name: "a mark from elsewhere", after: append(sheet("9:z"), five...), added: []string{":z"}},
		{name: "hebb's line once more", after: append(sheet("hebb's"), five...), added: []string{":hebb's"}},
	} {
		got := Compare(five, c.after, time.Time{})
		if !slices.Equal(show(got.New), c.added) || !slices.Equal(show(got.Edited), c.edit) || !slices.Equal(show(got.Gone), c.gone) || got.Many() != c.many {
			t.Errorf("%s: new %q, edited %q, gone %q, many %v", c.name, show(got.New), show(got.Edited), show(got.Gone), got.Many())
		}
	}
	var thirty []Entry
	for i := range 30 {
		thirty = append(thirty, Entry{ID: fmt.Sprint(i), Text: "x"})
	}
	for left, many := range map[int]bool{29: false, 28: false, 27: false, 26: true} {
		if got := Compare(thirty, thirty[:left], time.Time{}); got.Many() != many {
			t.Errorf("%d of 30 are left: many %v", left, got.Many())
		}
	}
	if got := Compare(sheet("1:a"), nil, time.Time{}); got.Many() {
		t.Error("the only one is always meant")
	}
	other := Compare([]Entry{{ID: "1", Section: "A", Text: "a"}}, []Entry{{ID: "1", Section: "B", Text: "a"}}, time.Time{})
	if len(other.Edited) != 1 || len(other.Gone)+len(other.New) > 0 {
		t.Errorf("in another section: %+v", other)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("# Title\n\n- a ^1a2b\n  b\n```\nx\n```\n## B ^3c4d\n\ntext\n---\n")
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := Read(text, form())
		if err != nil {
			return
		}
		if left, err := Read(Without(text, entries), form()); err != nil || len(left) > 0 {
			t.Fatalf("%v, left %q", err, texts(left))
		}
		Resolve(entries, MarksOf([]string{"one"}, itself), func(Entry) string { return "" })
	})
}
