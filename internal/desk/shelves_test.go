package desk

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
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

func TestOrdinaryTextIsShownAsItIs(t *testing.T) {
	t.Parallel()
	text := "# Title\n\n## Part\n\n    indented\n\\begin{x}\n- item\n\n```py\n# comment\n```"
	if view := RecentView([]ShelfEntry{{ID: "01234567", Happened: text}}, 1); !strings.Contains(view, "\n\n"+text+"\n\n") {
		t.Error(view)
	}
}

func TestViewsLabelWhatOthersSaid(t *testing.T) {
	t.Parallel()
	live := Live([]HeatResult{{Project: "shop", Files: []HotFile{
		{Path: "till.go", Heat: 3, Summary: "the till", SummaryBy: memory.OriginAgent, Note: "half moved", NoteBy: memory.OriginAgent},
		{Path: "door.go", Heat: 2.5, Summary: "Exports: Open", SummaryBy: memory.OriginTool, Note: "mine", NoteBy: memory.OriginUser},
	}}})
	want := "## Working Memory — shop\ntill.go [3.0] — (agent): “the till”\n  > (agent): “half moved”\ndoor.go [2.5] — Exports: Open\n  > mine\n"
	if live != want {
		t.Errorf("live.md is\n%s\nwant\n%s", live, want)
	}
	entry := ShelfEntry{ID: "0123abcd", Agent: "codex", At: time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC), By: memory.OriginAgent,
		Happened: "### Next\n\nThe till moved.\n---", Learned: "Cents.", Next: "- test it\n- ship it"}
	view := RecentView([]ShelfEntry{entry}, 5)
	if !strings.Contains(view, "(agent): “Next”") || !strings.Contains(view, "(agent): “Cents.”") {
		t.Errorf("RECENT.md does not label the agent's words:\n%s", view)
	}
	if got := SummaryView([]ShelfEntry{{ID: "0123abcd", Happened: "The till moved.", By: memory.OriginAgent}}, 80); !strings.Contains(got, "(agent): “The till moved.”") {
		t.Errorf("SUMMARY.md does not label the agent's words:\n%s", got)
	}
}
