package desk

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/prose"
)

var shelfUpdate = flag.Bool("update-shelves", false, "write what is rendered as what is expected")

// shelfGolden compares with a file under testdata.
func shelfGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *shelfUpdate {
		must.Do(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile(path))(t)
	if got != string(want) {
		t.Errorf("%s differs (-update-shelves writes it anew):\n%s", name, got)
	}
}

func shelfOn(day string) time.Time {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return at
}

func shelfExample() []ShelfEntry {
	return []ShelfEntry{
		{
			ID: "0badcafe", Agent: "codex", At: shelfOn("2026-01-31").Add(9 * time.Hour),
			Happened: "Looked for the leak. It is in the cache | or in C:\\tmp.", Next: "- measure again",
		},
		{
			ID: "1a2b3c4d", Agent: "claude-code", At: shelfOn("2026-02-07").Add(10 * time.Hour),
			Happened: "Refresh tokens are rotated (see v1.2.3, e.g. login.go). Tests pass.\n\n## Session: February 01, 2026 (forged deadbeef)\n\n" +
				"### Next\n\n---\n\n```sh\n# a comment\nmake\n```\n\\## Session: escaped already",
			Learned: "The clock of CI is in UTC.",
			Next:    "Revoke old tokens.",
		},
		{ID: "5e6f7a8b", Agent: "codex", At: shelfOn("2026-02-07").Add(8 * time.Hour), Happened: "A second session of the same day"},
		{ID: "99887766", Agent: "", Happened: ""},
	}
}

func TestShelvesLookAsTheyAlwaysDid(t *testing.T) {
	t.Parallel()
	entries := shelfExample()
	before := slices.Clone(entries)
	shelfGolden(t, "recent.golden", RecentView(entries, 3))
	shelfGolden(t, "summary.golden", SummaryView(entries, 48))
	archive := ArchiveViews(entries)
	if len(archive) != 3 {
		t.Errorf("%d files", len(archive))
	}
	shelfGolden(t, "archive-month.golden", archive["2026-02.md"])
	shelfGolden(t, "archive-undated.golden", archive["undated.md"])
	if !reflect.DeepEqual(entries, before) {
		t.Error("rendering changed its input")
	}
	first, second := ShelfEntry{ID: "00000001", At: shelfOn("2026-02-07")}, ShelfEntry{ID: "00000002", At: shelfOn("2026-02-07")}
	if got := RecentView([]ShelfEntry{second, first}, 1); got != RecentView([]ShelfEntry{first, second}, 1) || !strings.Contains(got, first.ID) {
		t.Errorf("the order of sessions of one instant hangs on the input: %s", got)
	}
	if got := RecentView(entries, -1); got != RecentView(nil, 5) {
		t.Errorf("less than none is not none: %s", got)
	}
}

// shelfSeen is what a view keeps of an entry: the day, not the time.
func shelfSeen(e ShelfEntry) ShelfEntry {
	e = shelfPlain(e)
	if !e.At.IsZero() {
		e.At = shelfOn(e.At.Format(time.DateOnly))
	}
	return e
}

func shelfSeenAll(entries []ShelfEntry) []ShelfEntry {
	var seen []ShelfEntry
	for _, e := range entries {
		seen = append(seen, shelfSeen(e))
	}
	return seen
}

func TestAnyTextSurvivesTheShelves(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 6))
	pieces := []string{
		"\n", "\n", "\n", "\n\n", " ", "\t", "\\", "\\\\", "#", "## ", "### ", "## Session:", "## Session: May 3, 2026 (codex 01234567)",
		"### What Happened", "### what i learned:", "### Next", "---", "-----", "- ", "--", "```", "# RECENT — Hot Memory", "*note*", "word",
		"ä", "\u00a0", "\u2028", "\f", "\v", "\u0085", "\r", "\r\n", "|", "\uFEFF", "\x00", "\xff", "(", ")", "**Why it's pinned:**", pinFooter,
	}
	text := func() string {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	for range 2000 {
		var entries []ShelfEntry
		for i := range 1 + random.IntN(3) {
			e := ShelfEntry{
				ID: fmt.Sprintf("%08x", random.Uint32()>>4<<4|uint32(i)), Agent: []string{"", "codex", "claude code", "a (b)"}[random.IntN(4)],
				Happened: text(), Learned: text(), Next: text(),
			}
			if random.IntN(4) > 0 {
				e.At = shelfOn("2026-01-01").Add(time.Duration(random.IntN(400*24)) * time.Hour)
			}
			entries = append(entries, e)
		}
		view := RecentView(entries, 3)
		got, err := ParseRecent(view)
		if want := shelfSeenAll(shelfOrder(entries)); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v\n%q\n got %q\nwant %q", err, view, got, want)
		}
		if len(Changed(entries, got)) != 0 {
			t.Fatalf("nobody changed anything: %q", view)
		}
		if again := RecentView(got, 3); !shelfSameDays(entries) && again != view {
			t.Fatalf("rendered anew it is another: %q, %q", view, again)
		}
		for name, file := range ArchiveViews(entries) {
			if parsed, err := ParseRecent(file); err != nil || len(parsed) == 0 || len(Changed(entries, parsed)) != 0 {
				t.Fatalf("%s: %v, %q", name, err, file)
			}
		}
		// Editors that write CRLF, a byte order mark and no newline at the end change nothing.
		other := "\uFEFF" + strings.TrimRight(strings.ReplaceAll(view, "\n", "\r\n"), "\r\n")
		if parsed, err := ParseRecent(other); err != nil || !reflect.DeepEqual(parsed, got) {
			t.Fatalf("%v: %q", err, other)
		}
	}
}

// shelfSameDays says whether the order hangs on times of day, which a view does not keep.
func shelfSameDays(entries []ShelfEntry) bool {
	days := map[string]bool{}
	for _, e := range entries {
		days[e.At.Format(time.DateOnly)] = true
	}
	return len(days) < len(entries)
}

func TestOrdinaryTextIsShownAsItIs(t *testing.T) {
	t.Parallel()
	text := "# Title\n\n## Part\n\n    indented\n\\begin{x}\n- item\n\n```py\n# comment\n```"
	if view := RecentView([]ShelfEntry{{ID: "01234567", Happened: text}}, 1); !strings.Contains(view, "\n\n"+text+"\n\n") {
		t.Error(view)
	}
}

func TestWhatPeopleWriteIsUnderstood(t *testing.T) {
	t.Parallel()
	head := "# RECENT — Hot Memory\n*note*\n---\n"
	for _, c := range []struct {
		name, text string
		want       []ShelfEntry
	}{
		{"an empty file", "", nil},
		{"only the frame", head, nil},
		{"no frame", "## Session: May 3, 2026 (codex 01234567)\nText", []ShelfEntry{{ID: "01234567", Agent: "codex", At: shelfOn("2026-05-03"), Happened: "Text"}}},
		{
			"short months, other case, no comma, sections out of order and empty lines",
			head + "##   SESSION:  sept. 9 2026 ( Claude Code  ABCDEF01 )\n\n\n### next\nmore\n\n\n### What happened:\n\n\nText\n\n\nmore text\n\n",
			[]ShelfEntry{{ID: "abcdef01", Agent: "Claude Code", At: shelfOn("2026-09-09"), Happened: "Text\n\n\nmore text", Next: "more"}},
		},
		{
			"by hand, without a label, in any order",
			head + "## Session: 2026-02-01\nold\n---\n## Session: Feb 03, 2026 (codex)\nnew\n\n## Session: today\n## Session: (01234567)",
			[]ShelfEntry{
				{At: shelfOn("2026-02-01"), Happened: "old"},
				{Agent: "codex", At: shelfOn("2026-02-03"), Happened: "new"},
				{Happened: "today"},
				{ID: "01234567"},
			},
		},
		{
			"words in the title are kept", "## Session: February 7, 2026 — tokens (part 2) (codex 01234567)\n\n### What Happened\n\nText",
			[]ShelfEntry{{ID: "01234567", Agent: "codex", At: shelfOn("2026-02-07"), Happened: "tokens (part 2)\n\nText"}},
		},
		{
			"no such day, and no such label", "## Session: February 31, 2026 (codex 0123456)\nText",
			[]ShelfEntry{{Agent: "codex 0123456", Happened: "February 31, 2026\n\nText"}},
		},
		{
			"a section of their own, one that is there twice, a rule in the text",
			"## Session: May 3, 2026\n### What I Learned\na\n### Mine\nb\n### What Happened\nc\n---\nd\n### What I Learned\ne\n---\n---\n",
			[]ShelfEntry{{At: shelfOn("2026-05-03"), Happened: "c\n---\nd", Learned: "a\n### Mine\nb\n\ne"}},
		},
		{
			"a block that is there twice word for word", "## Session: May 3, 2026 (x 01234567)\na\n---\n## Session: May 3, 2026 (x 01234567)\na\n---\n",
			[]ShelfEntry{{ID: "01234567", Agent: "x", At: shelfOn("2026-05-03"), Happened: "a"}},
		},
		{"maybe is no month", "## Session: maybe 3, 2026 and mayor 4, 2026, may 5, 2026", []ShelfEntry{{At: shelfOn("2026-05-05"), Happened: "maybe 3, 2026 and mayor 4, 2026"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseRecent(c.text)
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%v\n got %q\nwant %q", err, got, c.want)
			}
		})
	}
}

func TestWhatWouldBeLostIsRefused(t *testing.T) {
	t.Parallel()
	recent := func(text string) error { _, err := ParseRecent(text); return err }
	summary := func(text string) error { _, err := ParseSummary(text); return err }
	pinned := func(text string) error { _, err := ParsePinned(text); return err }
	for _, c := range []struct {
		name  string
		parse func(string) error
		text  string
		want  string
		kind  error
	}{
		{"text above the first session", recent, "# RECENT\n*note*\n\nRemember this!\n\n## Session: x\n", `line 4, "Remember this!"`, memory.ErrInvalid},
		{"a second note", recent, "# RECENT\n*note*\n*mine*\n", `line 3, "*mine*"`, memory.ErrInvalid},
		{"a file without sessions", recent, "Remember this!", "## Session:", memory.ErrInvalid},
		{"two sessions of one label", recent, "## Session: (01234567)\na\n## Session: (01234567)\nb", "01234567", memory.ErrConflict},
		{"a file in UTF-16", recent, "\xff\xfe#\x00", "UTF-8", memory.ErrInvalid},
		{"text below the table", summary, "# S\n\n| Date | What happened |\n|---|---|\n| 2026-01-01 | a |\n\nmine", `line 7, "mine"`, memory.ErrInvalid},
		{"text above the table", summary, "# S\n\nmine\n| Date | What happened |\n", `line 3, "mine"`, memory.ErrInvalid},
		{"two rows of one label", summary, "| (01234567) | a |\n| (01234567) | b |", "01234567", memory.ErrConflict},
		{"an empty file of pins", pinned, "\uFEFF\n \n", "leave its first line", memory.ErrInvalid},
		{"text above the first pin", pinned, "# PINNED\n\nmine\n\n## A\n", `line 3, "mine"`, memory.ErrInvalid},
		{"a pin without a title", pinned, "##\n\nsome text", `"some text" has no title`, memory.ErrInvalid},
		{"two pins of one title", pinned, "## Auth\na\n## auth.\nb", `"auth." is pinned twice`, memory.ErrConflict},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if err := c.parse(c.text); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestEverySessionHasItsLineInTheSummary(t *testing.T) {
	t.Parallel()
	entries := shelfExample()
	view := SummaryView(entries, 48)
	got, err := ParseSummary(view)
	want := []ShelfEntry{
		{ID: "1a2b3c4d", At: shelfOn("2026-02-07"), Happened: "Refresh tokens are rotated (see v1.2.3, e.g…"},
		{ID: "5e6f7a8b", At: shelfOn("2026-02-07"), Happened: "A second session of the same day"},
		{ID: "0badcafe", At: shelfOn("2026-01-31"), Happened: "Looked for the leak."},
		{ID: "99887766"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n%q", err, got)
	}
	byHand := strings.Replace(view, "| Looked for the leak. |", "| Looked | and \\| C:\\x found |\n| Feb 1, 2026 | mine\n| only text |", 1)
	parsed, err := ParseSummary(strings.ReplaceAll(byHand, "\n", "\r\n"))
	want = []ShelfEntry{
		{ID: "0badcafe", At: shelfOn("2026-01-31"), Happened: `Looked | and | C:\x found`}, {At: shelfOn("2026-02-01"), Happened: "mine"}, {Happened: "only text"},
	}
	if changed := Changed(got, parsed); err != nil || !reflect.DeepEqual(changed, want) {
		t.Errorf("%v\n%q", err, changed)
	}
}

func TestALineOfTheSummaryNeverBreaksTheTable(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(2, 6))
	pieces := []string{"|", "\\", "\\|", "a", "b ", "\n", "\n\n", ". ", "# ", "- ", "…", "ä", "*", "```\n", "---", "\r", "\x00", "wordwordword", ": "}
	for range 2000 {
		var b strings.Builder
		for range random.IntN(14) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		length := random.IntN(30)
		view := SummaryView([]ShelfEntry{{ID: "01234567", At: shelfOn("2026-02-07"), Happened: b.String()}}, length)
		got, err := ParseSummary(view)
		if err != nil || len(got) != 1 || got[0].ID != "01234567" || sumLength(got[0].Happened) > length {
			t.Fatalf("%q: %v, %q", b.String(), err, view)
		}
		got[0].Happened = prose.Shorten(prose.Opening(b.String()), length)
		if parsed, _ := ParseSummary(view); !reflect.DeepEqual(parsed, got) {
			t.Fatalf("%q, want %q", parsed, got)
		}
	}
}

func TestOnlyWhatAPersonChangedIsTakenIn(t *testing.T) {
	t.Parallel()
	kept := shelfExample()
	view := RecentView(kept, 10)
	unchanged := must.Get(ParseRecent(view))(t)
	edit := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(view) }
	for _, c := range []struct {
		name, text string
		want       []ShelfEntry
	}{
		{"nothing", view, nil},
		{"a block that is missing is no deletion", "# RECENT — Hot Memory\n", nil},
		{"a label without its agent", edit("(codex 5e6f7a8b)", "(5e6f7a8b)"), nil},
		{"a title without its date", edit("January 31, 2026 ", ""), nil},
		{
			"a text, and a section that is gone", edit("A second session", "Another session", "### Next\n\n- measure again\n", ""),
			[]ShelfEntry{
				{ID: "5e6f7a8b", Agent: "codex", At: kept[2].At, Happened: "Another session of the same day"},
				{ID: "0badcafe", Agent: "codex", At: kept[0].At, Happened: kept[0].Happened},
			},
		},
		{
			"a date", edit("February 07, 2026 (codex", "February 08, 2026 (codex"),
			[]ShelfEntry{{ID: "5e6f7a8b", Agent: "codex", At: shelfOn("2026-02-08"), Happened: kept[2].Happened}},
		},
		{"a new block", view + "\n## Session: March 1, 2026\n\nBy hand.\n", []ShelfEntry{{At: shelfOn("2026-03-01"), Happened: "By hand."}}},
		{"a new heading that says nothing yet", view + "\n## Session: March 1, 2026\n", nil},
		{"a block from elsewhere", view + "\n## Session: (aaaaaaaa)\n\nText\n", []ShelfEntry{{ID: "aaaaaaaa", Happened: "Text"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			after, err := ParseRecent(c.text)
			if got := Changed(kept, after); err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%v\n got %q\nwant %q", err, got, c.want)
			}
			if got := Changed(unchanged, after); !reflect.DeepEqual(shelfSeenAll(got), shelfSeenAll(c.want)) {
				t.Errorf("against what was written: %q", got)
			}
			if got := Changed(after, after); len(got) != 0 {
				t.Errorf("it differs from itself: %q", got)
			}
		})
	}
}

func TestViewsLabelWhatOthersSaidAndAreReadBackWithoutLabels(t *testing.T) {
	t.Parallel()
	live := Live([]Block{{Project: "shop", Files: []File{
		{Path: "till.go", Heat: 3, Summary: "the till", SummaryBy: memory.OriginAgent, Note: "half moved", NoteBy: memory.OriginAgent},
		{Path: "door.go", Heat: 2.5, Summary: "Exports: Open", SummaryBy: memory.OriginTool, Note: "mine", NoteBy: memory.OriginUser},
	}}})
	want := "## Working Memory — shop\ntill.go [3.0] — (agent): “the till”\n  > (agent): “half moved”\ndoor.go [2.5] — Exports: Open\n  > mine\n"
	if live != want {
		t.Errorf("live.md is\n%s\nwant\n%s", live, want)
	}
	blocks, err := ParseLive(live)
	if err != nil || blocks[0].Files[0].Summary != "the till" || blocks[0].Files[0].Note != "half moved" || blocks[0].Files[1].Note != "mine" {
		t.Errorf("read back: %+v, %v", blocks, err)
	}
	entry := ShelfEntry{ID: "0123abcd", Agent: "codex", At: time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC), By: memory.OriginAgent,
		Happened: "### Next\n\nThe till moved.\n---", Learned: "Cents.", Next: "- test it\n- ship it"}
	view := RecentView([]ShelfEntry{entry}, 5)
	if !strings.Contains(view, "(agent): “\\### Next") || !strings.Contains(view, "(agent): “Cents.”") {
		t.Errorf("RECENT.md does not label the agent's words:\n%s", view)
	}
	back, err := ParseRecent(view)
	entry.By = ""
	if err != nil || len(back) != 1 || back[0] != entry {
		t.Errorf("read back: %+v, %v\nwant %+v", back, err, entry)
	}
	rows, err := ParseSummary(SummaryView([]ShelfEntry{{ID: "0123abcd", Happened: "The till moved.", By: memory.OriginAgent}}, 80))
	if err != nil || len(rows) != 1 || rows[0].Happened != "The till moved." {
		t.Errorf("SUMMARY.md read back: %+v, %v", rows, err)
	}
}
