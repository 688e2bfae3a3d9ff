package state

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

func stateExample() Document {
	s := Document{
		Above:  "# My notes\r\n\r\nDeploy on Tuesdays only.\r\n",
		Below:  "\nThanks for reading.",
		Dreamt: time.Date(2026, 3, 12, 16, 0, 0, 0, time.UTC),
	}
	s.Sections = [SectionCount]string{
		SectionPhenotype: "- Runs the tests before it says that something works.",
		SectionBond:      "- The person is called Douglas and prefers tabs over spaces.\n\n## Not one of hebb's\n\nHe wrote this himself.",
		SectionActive:    "- Session 2026-03-12: moved the API to cookies.\n- Next: delete the old tokens.\n  They are in `auth/old`.",
		SectionPointers:  "- Past: P2P bridge CORS debugging → search: `CORS P2P EigenTrust`",
		SectionGaps:      "- Question: why is the bridge slow on Mondays?\n\n## The Bond\n<!-- hebb:state ends -->",
		SectionSkills:    "- go test before commit — seen 7 times (0.8)",
	}
	return s
}

func TestTheStateLooksAsItAlwaysDid(t *testing.T) {
	t.Parallel()
	golden(t, "state.golden", RenderState(stateExample()))
	golden(t, "state-empty.golden", RenderState(Document{}))
}

func TestAStateIsReadBackWholeWhateverItSays(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 1))
	pieces := []string{
		"\n", "\n", "\n\n", " ", "\t", "\\", "#", "## ", "## The Bond", "## Bond:", "## active context (mine)", "# Working Memory State", "---", "```", "word",
		"ä", "\u00a0", "\r\n", "\r", "_Last dream: never | Mood: x_", stateBegin, stateEnd, "<!-- hebb:state ends -->", "- a", "  b", "\uFEFF",
		sectionRows[SectionPointers].hint, sectionRows[SectionSkills].hint, "## Unknown", "### x", "|", "\x00", "\xff",
	}
	text := func(without ...string) string {
		var b strings.Builder
		for range random.IntN(10) {
			piece := pieces[random.IntN(len(pieces))]
			for _, w := range without {
				piece = strings.ReplaceAll(piece, w, "")
			}
			b.WriteString(piece)
		}
		return b.String()
	}
	for range 5000 {
		s := Document{Above: text("<!--"), Below: text("<!--"), Lead: text()}
		if random.IntN(2) == 0 {
			s.Dreamt = time.Unix(random.Int64N(4e9), 5).UTC()
		}
		for i := range s.Sections {
			s.Sections[i] = text()
		}
		want := statePlain(s)
		if want.Above == stateBOM+"\n" {
			continue
		}
		view := RenderState(s)
		if !strings.HasPrefix(view, s.Above) || !strings.HasSuffix(view, s.Below) {
			t.Fatalf("text outside of the block changed: %q", view)
		}
		got, err := ParseState(view)
		if err != nil {
			t.Fatalf("%v\n%q", err, view)
		}
		if got != want {
			t.Fatalf("%q\n got %+v\nwant %+v", view, got, want)
		}
		if again := RenderState(got); again != view {
			t.Fatalf("another text:\n%q\n%q", again, view)
		}
		// An editor that writes other line ends changes nothing that hebb reads in its block.
		begin := strings.Index(view, stateBegin)
		end := begin + strings.Index(view[begin:], "\n"+stateEnd)
		other := view[:begin] + strings.ReplaceAll(view[begin:end], "\n", "\r\n") + view[end:]
		if got, err = ParseState(other); err != nil || got != want {
			t.Fatalf("%v\n%q\n got %+v\nwant %+v", err, other, got, want)
		}
	}
}

func TestAStateIsReadHoweverPeopleLeftIt(t *testing.T) {
	t.Parallel()
	five := "# Working Memory State\n\n_Last dream: 2026-03-12T16:00:00Z | Mood: calm_\n\n" +
		"## Active Context\n\nNow.\n\n## The Bond\n\nDouglas.\n\n" +
		"## Crystal Pointers\n\n" + sectionRows[SectionPointers].hint + "\n\n- Past: a → search: `a b`\n\n" +
		"## Curiosity Gaps\n\nWhy?\n\n## Emerging Skills\n\n" + sectionRows[SectionSkills].hint + "\n\n- SQL → Confidence: 72% | Occurrences: 4\n"
	upgraded := Document{Dreamt: time.Date(2026, 3, 12, 16, 0, 0, 0, time.UTC)}
	upgraded.Sections = [SectionCount]string{
		SectionBond: "Douglas.", SectionActive: "Now.", SectionPointers: "- Past: a → search: `a b`", SectionGaps: "Why?",
		SectionSkills: "- SQL → Confidence: 72% | Occurrences: 4",
	}
	upgraded.Absent = [SectionCount]bool{SectionPhenotype: true, SectionNiche: true}
	below := upgraded
	below.Above = "Mine.\r\n\r\n---\r\n\r\n<!-- Dream-generated working memory follows. -->\r\n\r\n"
	noEnd := Document{Absent: [SectionCount]bool{true, false, true, true, true, true, true}}
	noEnd.Sections[SectionBond] = "Douglas.\n\nAnd me."
	maturity := Document{Lead: "Hello.", Absent: [SectionCount]bool{true, true, true, true, true, true, true}}
	alone := Document{Above: "\uFEFF# Mine\n\n```\n# Working Memory State\n```\n## The Bond\n\xff", Absent: maturity.Absent}
	for _, c := range []struct {
		name, text string
		want       Document
	}{
		{"five sections in another order", five, upgraded},
		{"with a byte order mark", "\uFEFF" + five, upgraded},
		{"with other line ends", strings.ReplaceAll(five, "\n", "\r\n"), upgraded},
		{"below a person's text", below.Above + five, below},
		{"without the end mark", stateBegin + "\n## the bond\nDouglas.\n## **Bond**:\nAnd me.", Document{Absent: noEnd.Absent, Sections: noEnd.Sections}},
		{"without the begin mark", "# Working Memory State\n_Last dream: soon | Mood: calm_\n## The Bond\nDouglas.\n\nAnd me.\n" + stateEnd, noEnd},
		{"facts that hebb does not know", "# Working Memory State\n*Last dream: never | Mood: calm | Maturity: 4%*\nHello.", stateWithBlank(maturity)},
		{"a person's text alone", alone.Above, alone},
		{"nothing", "", Document{Absent: maturity.Absent}},
	} {
		got, err := ParseState(c.text)
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n got %+v\nwant %+v", c.name, err, got, c.want)
		}
	}
}

// stateWithBlank is the state whose lead stands without an empty line, as in the file.
func stateWithBlank(s Document) Document {
	s.Lead = strings.ReplaceAll(s.Lead, "\n\n", "\n")
	return s
}

func TestAFileThatCannotBeUnderstoodIsRefusedWithAMend(t *testing.T) {
	t.Parallel()
	block := RenderState(Document{})
	for _, c := range []struct {
		text string
		kind error
		says string
	}{
		{block + block, memory.ErrConflict, "ends twice"},
		{block + stateEnd + "\n", memory.ErrConflict, "ends twice"},
		{"mine\n" + stateEnd, memory.ErrInvalid, "does not begin before that"},
		{stateEnd + "\n" + stateBegin, memory.ErrInvalid, "does not begin before that"},
		{stateBegin + "\n## The Bond\n\xff", memory.ErrInvalid, "save it as UTF-8"},
	} {
		if _, err := ParseState(c.text); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}

func TestThreeSectionsFollowThePerson(t *testing.T) {
	t.Parallel()
	personal := ""
	for s := range SectionCount {
		if s.Personal() {
			personal += s.String() + ";"
		}
	}
	if want := "The Phenotype;The Bond;Emerging Skills;"; personal != want {
		t.Errorf("%s, want %s", personal, want)
	}
}

func TestItemsStayTogetherAndMakeTheWholeText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"- a\n- b\n  goes on\n\n  and on\n* c", "- a#- b\n  goes on\n\n  and on#* c"},
		{"One thing\nover two lines.\n\nAnother.", "One thing\nover two lines.#\nAnother."},
		{"1. a\n2) b\n3 is a number", "1. a#2) b\n3 is a number"},
		{"- a\n```\n- no item\n\nx\n```\n- b", "- a\n```\n- no item\n\nx\n```#- b"},
	} {
		if got := strings.Join(SplitItems(c.text), "#"); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	heading := SplitItems("### Title\ntext\n## Other\n\n- a")
	if len(heading) != 4 {
		t.Errorf("%q", heading)
	}
	random := rand.New(rand.NewPCG(7, 2))
	pieces := []string{"\n", "\n", "\n\n", "- a", "  b", "word", "```", "# h", "1. x", " ", "\t"}
	for range 3000 {
		var b strings.Builder
		for range random.IntN(14) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		if got := strings.Join(SplitItems(b.String()), "\n"); got != b.String() {
			t.Fatalf("%q became %q", b.String(), got)
		}
	}
}

func FuzzParseState(f *testing.F) {
	f.Add(RenderState(stateExample()))
	f.Add("# Working Memory State\r\n## The Bond\r\nx")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseState(text)
		if err != nil {
			return
		}
		again, err := ParseState(RenderState(s))
		if err != nil || again != statePlain(s) {
			t.Fatalf("%q: %v\n got %+v\nwant %+v", text, err, again, statePlain(s))
		}
	})
}
