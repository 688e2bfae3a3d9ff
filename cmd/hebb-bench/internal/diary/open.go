package diary

import (
	"bytes"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Told is a line about something that is open, and the times at which it was to be read. Whether it was true then is decided by people
// who read the recording: no rule here could know it better than the rule that wrote the line.
type Told struct {
	ID    string   `json:"id"` // the same for the same words about the same repository
	Repo  string   `json:"repo"`
	Kind  string   `json:"kind"`
	Line  string   `json:"line"`
	Where []string `json:"where"`
	Times []string `json:"times"` // at which it was to be read: at a start, or after the session
	First Moment   `json:"first"`
	Last  Moment   `json:"last"`
	About string   `json:"about,omitempty"` // when the goal, the question or the error came up
}

// Moment points into a recording.
type Moment struct {
	Session   int    `json:"session"`   // number, as in the list of what was played
	Recording string `json:"recording"` // its name in the file of sessions
	At        string `json:"at"`
}

// Played is something that happened, as a reader needs it to judge the lines: a prompt, a run and how it ended, a change of a file, a commit.
type Played struct {
	Repo    string `json:"repo"`
	Session int    `json:"session"`
	At      string `json:"at"`
	Event   string `json:"event"` // prompt, passed, failed, edit, commit
	Text    string `json:"text"`
}

// Reading is what a person found who read a line against the recording.
type Reading struct {
	ID      string `json:"id"`
	Verdict string `json:"verdict"`        // true, false, unclear
	From    string `json:"from,omitempty"` // of a false one: the time (as in Told) from which it is false; empty: it never was true
	Why     string `json:"why"`
}

//go:embed readings.jsonl
var readingsFile []byte

// Readings are those that are committed, by the line.
func Readings() (map[string]Reading, error) {
	read := map[string]Reading{}
	d := json.NewDecoder(bytes.NewReader(readingsFile))
	for {
		var r Reading
		switch err := d.Decode(&r); {
		case errors.Is(err, io.EOF):
			return read, nil
		case err != nil:
			return nil, fmt.Errorf("readings.jsonl: %w", err)
		case !slices.Contains([]string{"true", "false", "unclear"}, r.Verdict):
			return nil, fmt.Errorf("readings.jsonl: %s: verdict %q", r.ID, r.Verdict)
		}
		read[r.ID] = r
	}
}

// Verdict is what the readings say of lines about open things. A line counts once for each time at which it was to be read.
type Verdict struct {
	Bench   string  `json:"bench"`
	Case    string  `json:"case"` // open
	Repo    string  `json:"repo"`
	Kind    string  `json:"kind"`
	Lines   int     `json:"lines"`
	Unread  int     `json:"unread"` // lines
	Moments int     `json:"moments"`
	False   int     `json:"false"`
	Unclear int     `json:"unclear"`
	Share   float64 `json:"false_share"` // of the moments of lines that were read, percent
}

// Judge holds lines against readings, by kind.
func Judge(told []Told, readings map[string]Reading) (list []Verdict) {
	for _, t := range told {
		at := slices.IndexFunc(list, func(v Verdict) bool { return v.Repo == t.Repo && v.Kind == t.Kind })
		if at < 0 {
			at, list = len(list), append(list, Verdict{Bench: bench, Case: "open", Repo: t.Repo, Kind: t.Kind})
		}
		v := &list[at]
		v.Lines++
		r, read := readings[t.ID]
		if !read {
			v.Unread++
			continue
		}
		v.Moments += len(t.Times)
		for _, at := range t.Times {
			switch {
			case r.Verdict == "false" && at >= r.From:
				v.False++
			case r.Verdict == "unclear":
				v.Unclear++
			}
		}
		v.Share = 100 * float64(v.False) / float64(v.Moments)
	}
	return list
}

var (
	// aboutFiles are gaps that claim nothing about work.
	aboutFiles = regexp.MustCompile(`^(- )?(Nothing is said of|Not known yet)\b`)
	// aboutOpen finds lines about open things among those of sessions and dreams.
	aboutOpen = regexp.MustCompile(`(?i)^(- )?(next|done since|later)\b|\blast error\b|\berrors? (still )?open\b|\bnot answered yet\b|\bstill (failing|to do)\b`)
)

// tell notes a line if it is about something open.
func (d *diary) tell(l line, about time.Time) {
	kind := l.mechanism
	if aboutFiles.MatchString(l.text) {
		return
	}
	if kind != goalLines && kind != failingLines && kind != gapLines {
		if kind = sessionLines; !aboutOpen.MatchString(l.text) {
			return
		}
	}
	sum := fnv.New32a()
	fmt.Fprint(sum, d.repo, "\n", strings.TrimPrefix(l.text, "- "))
	id := hex.EncodeToString(sum.Sum(nil))
	at := slices.IndexFunc(d.life.Told, func(t Told) bool { return t.ID == id })
	now := Moment{d.session, d.recording, d.now.UTC().Format(time.RFC3339)}
	if at < 0 {
		at = len(d.life.Told)
		d.life.Told = append(d.life.Told, Told{ID: id, Repo: d.repo, Kind: kind, Line: l.text, First: now})
	}
	t := &d.life.Told[at]
	if t.Last = now; !slices.Contains(t.Where, l.where) {
		t.Where = append(t.Where, l.where)
	}
	if !slices.Contains(t.Times, now.At) {
		t.Times = append(t.Times, now.At)
	}
	if !about.IsZero() {
		t.About = about.UTC().Format(time.RFC3339)
	}
}

// play notes what happened.
func (d *diary) play(at time.Time, event, text string) {
	d.life.Played = append(d.life.Played, Played{d.repo, d.session, at.UTC().Format(time.RFC3339), event, text})
}

// playCommits notes the commits that the world has made since the last call.
func (d *diary) playCommits() {
	for ; d.told < d.next; d.told++ {
		c := d.commits[d.told]
		names := make([]string, 0, len(c.Files))
		for _, f := range c.Files {
			names = append(names, f.Path)
		}
		d.play(c.At, "commit", c.Subject+": "+strings.Join(names[:min(len(names), 8)], ", "))
	}
}
