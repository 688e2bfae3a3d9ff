package git

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

var place = memory.Place{Identity: "/src/app/.git", Root: "/src/app"}

func TestACommitBecomesAnEvent(t *testing.T) {
	at := time.Unix(1_700_000_000, 0).UTC()
	c := Commit{
		Hash: strings.Repeat("a", 40), At: at, Subject: "fix the roof",
		Files: []Change{
			{Path: "new.go", Status: 'A'}, {Path: "old.go", Status: 'D'}, {Path: "\xff", Status: 'M'}, {Path: `a\b`, Status: 'T'},
			{Path: "new.go", Status: 'A'}, {Path: "to\xfe", Status: 'R', Old: `from\`}, {Path: "go.sum", Status: 'M'},
			{Path: "yarn.lock", Status: 'D'}, {Path: "vendor/x.go", Status: 'R', Old: "x.go"},
		},
	}
	got := c.Event(place, tuning.Default().Capture)
	want := memory.Event{
		ID: memory.DerivedEventID("git", place.Identity, c.Hash), At: at, Kind: memory.Committed, Origin: memory.OriginRepo,
		Agent: memory.AgentGit, Place: place, Input: c.Hash, Text: "fix the roof",
		Touches: []memory.Touch{
			{Kind: memory.Edit, Path: "new.go"}, {Kind: memory.Delete, Path: "old.go"}, {Kind: memory.Edit, Path: `\xff`},
			{Kind: memory.Edit, Path: `a\\b`}, {Kind: memory.Rename, Path: `to\xfe`, From: `from\\`},
			{Kind: memory.Mention, Path: "go.sum"}, {Kind: memory.Delete, Path: "yarn.lock"},
			{Kind: memory.Rename, Path: "vendor/x.go", From: "x.go"},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
	if got.AgentSession != "" {
		t.Error("a commit belongs to no session")
	}
	c.Bot = true
	if made := c.Event(place, tuning.Default().Capture); made.Subagent != BotSubagent || made.ID != got.ID {
		t.Errorf("made by a program: %+v", made)
	}
	other := place
	other.Root = "/tmp/worktree"
	if c.Event(other, tuning.Capture{}).ID != got.ID {
		t.Error("the same commit met from another worktree is the same event")
	}
}

func TestAnEventKeepsItsLimits(t *testing.T) {
	for _, c := range []struct {
		name, subject string
		limits        tuning.Capture
		text          string
		touches       int
	}{
		{"text is cut between runes", "éé", tuning.Capture{TextLimit: 3, TouchLimit: 9}, "é", 2},
		{"bytes that are no text are marked", "a\xffb", tuning.Capture{TextLimit: 99, TouchLimit: 9}, "a\uFFFDb", 2},
		{"the mark is not cut in half", "\xff\xff", tuning.Capture{TextLimit: 2, TouchLimit: 9}, "", 2},
		{"touches end at their limit", "x", tuning.Capture{TextLimit: 9, TouchLimit: 1}, "x", 1},
		{"nothing is allowed", "x", tuning.Capture{}, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := []Change{{Path: "a", Status: 'A'}, {Path: "b", Status: 'A'}}
			e := Commit{Subject: c.subject, Files: files}.Event(place, c.limits)
			if e.Text != c.text || len(e.Touches) != c.touches {
				t.Errorf("got %q and %d touches, want %q and %d", e.Text, len(e.Touches), c.text, c.touches)
			}
		})
	}
}

func TestACommitIsDatedByItsAuthorWithinReason(t *testing.T) {
	latest := time.Unix(2000, 0)
	for _, c := range []struct {
		name              string
		author, committer string
		latest            time.Time
		want              int64
	}{
		{"the author's time, though a rebase came later", "1000", "1900", latest, 1000},
		{"an author's clock ahead is held to the committer's", "1500", "1000", latest, 1000},
		{"both clocks ahead are held to the latest", "9000", "9000", latest, 2000},
		{"without a latest they stand", "9000", "9000", time.Time{}, 9000},
		{"an author's time that is none", "", "1000", latest, 1000},
		{"an author's time beyond all calendars", "18446744073709551615", "1000", latest, 1000},
		{"a committer's time that is none", "1000", "nonsense", latest, 1000},
		{"a year that JSON cannot write", "253402300800", "253402300800", time.Time{}, 0},
		{"before the epoch", "-5", "-5", latest, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := moment(c.author, c.committer, c.latest); got.Unix() != c.want || got.Location() != time.UTC {
				t.Errorf("got %v, want %v", got, time.Unix(c.want, 0).UTC())
			}
		})
	}
}

func TestARealCommitCarriesItsTime(t *testing.T) {
	r := newRepo(t)
	r.commit("one", []string{"GIT_AUTHOR_DATE=1600000000 +0530"}, "a")
	r.commit("two", []string{"GIT_AUTHOR_DATE=4000000000 +0000", "GIT_COMMITTER_DATE=4000000000 +0000"}, "b")
	now := time.Unix(1_800_000_000, 0)
	got := history(t, Repo{Root: r.dir, Latest: now}, "")
	if len(got) != 2 || got[0].At.Unix() != 1_600_000_000 || !got[1].At.Equal(now) {
		t.Errorf("got %+v", got)
	}
}
