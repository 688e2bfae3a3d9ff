package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/replay"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/steward"
)

// ContextRow is one line of that benchmark: how much of what sessions opened had been named when
// they began.
type ContextRow struct {
	Bench    string  `json:"bench"`
	Repo     string  `json:"repo"` // macro: all repositories alike
	Ranker   string  `json:"ranker"`
	Sessions int     `json:"sessions"`
	Opened   int     `json:"opened"`   // files, by all of them
	Named    int     `json:"named"`    // of these
	Coverage float64 `json:"coverage"` // share of a session's files that was named, mean, percent
	Hit      float64 `json:"hit"`      // sessions of which at least one file was named, percent
	Tokens   float64 `json:"tokens"`   // of what was shown, mean
}

const (
	contextRoom   = 640 // bytes of lines about files: 160 tokens, as much as two dozen names take
	contextWarmUp = 2   // sessions of a repository before which nothing is asked

	// What is compared. The whole start may be larger, and names files in its other parts too.
	startFiles    = ranker
	startWhole    = "hebb, the whole start"
	startRecent   = "most recent"
	startFrequent = "most frequent"

	filesInMind = "### Files in mind" // the part of the start that is about files
)

// StartCoverage replays the sessions of repositories and looks, before each from the third on,
// which of the files it is going to open are named in the start of a session. What had happened by
// then has been reported as hooks report it: older commits, and the sessions that were over. Lists
// of files get the same room in plain lines.
func StartCoverage(ctx context.Context, in Input) ([]ContextRow, error) {
	var all []ContextRow
	for _, pair := range in.Sessions {
		rows, err := in.starts(ctx, pair)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pair.Repo, err)
		}
		all = append(all, rows...)
	}
	return append(all, macroRows(all, len(in.Sessions))...), nil
}

func (in Input) starts(ctx context.Context, pair SessionFiles) (rows []ContextRow, err error) {
	recorded, err := ReadRecording(pair)
	if err != nil {
		return nil, err
	}
	hebb, err := Product{Tuning: in.Tuning}.open(ctx, pair.Repo)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, hebb.Close()) }()
	hebb.WordsEvery = 0 // nothing is asked in words
	s := &starter{examinee: hebb, past: map[string]*openings{}}
	all := recorded.happenings(sessionCalls{commit: s.Commit, start: s.examine, end: s.Session})
	if err := replay.Run(ctx, inOrder(all), in.afterWarmUp(contextWarmUp)); err != nil {
		return nil, err
	}
	for i := range s.rows {
		s.rows[i].divide(float64(s.rows[i].Sessions))
	}
	return s.rows, nil
}

// starter is hebb at the start of sessions, and the lists it is compared to.
type starter struct {
	*examinee
	past  map[string]*openings // of files that exist, by path
	opens int
	rows  []ContextRow // by ranker; sums until the end
}

// Commit is given to both sides.
func (s *starter) Commit(ctx context.Context, c Commit) error {
	s.follow(c)
	return s.examinee.Commit(ctx, c)
}

// follow takes renames and deletions over into the lists.
func (s *starter) follow(c Commit) {
	for _, f := range c.Files {
		switch f.Status {
		case replay.Renamed:
			if o := s.past[f.Old]; o != nil && s.past[f.Path] == nil {
				s.past[f.Path] = o
			}
			delete(s.past, f.Old)
		case replay.Deleted:
			delete(s.past, f.Path)
		}
	}
}

// Session is reported as hooks report it: into the spool, which is drained when the session is
// over. So it closes, goes to its shelf, and the heat of all files fades by one step.
func (s *starter) Session(ctx context.Context, over AgentSession) error {
	return s.report(ctx, over, s.sessionEvents(over))
}

// report spools the events of a session that is over, and drains.
func (s *starter) report(ctx context.Context, over AgentSession, events []memory.Event) error {
	for _, o := range over.Opens() {
		s.open(o.Target)
	}
	s.Until(over.End())
	box := spool.Spool{Dir: s.Brain.Config.Spool(), Limits: s.Tuning.Spool}
	for _, e := range events {
		if err := box.Append(e); err != nil {
			return err
		}
	}
	out, err := steward.Run(ctx, s.Brain, steward.Drain, steward.DrainInput{Wait: true})
	if err == nil && len(out.Maintenance.Warnings)+out.Rejected > 0 {
		warnings := strings.Join(out.Maintenance.Warnings, "; ")
		err = fmt.Errorf("drain: %d events refused; %s: %w", out.Rejected, warnings, memory.ErrInvalid)
	}
	return err
}

// examine marks what would be shown at the start of a session.
func (s *starter) examine(ctx context.Context, session AgentSession) error {
	var wanted []string
	for _, e := range session.Opens() {
		if !slices.Contains(wanted, e.Target) {
			wanted = append(wanted, e.Target)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	s.Until(session.Start)
	block, whole, err := s.start(ctx)
	if err != nil {
		return err
	}
	s.mark(startFiles, block, wanted)
	s.mark(startRecent, plainLines(s.recent(), contextRoom), wanted)
	s.mark(startFrequent, plainLines(s.frequent(), contextRoom), wanted)
	s.mark(startWhole, whole, wanted)
	return nil
}

func (s *starter) mark(name, text string, wanted []string) {
	at := slices.IndexFunc(s.rows, func(r ContextRow) bool { return r.Ranker == name })
	if at < 0 {
		at, s.rows = len(s.rows), append(s.rows, ContextRow{Bench: "context", Repo: s.repo, Ranker: name})
	}
	tokens, named := prose.Tokens(text), 0
	text = SpelledOut(text)
	for _, path := range wanted {
		if names(text, memory.EscapePath(path)) {
			named++
		}
	}
	s.rows[at].add(ContextRow{
		Sessions: 1, Opened: len(wanted), Named: named, Coverage: percentOf(named, len(wanted)), Hit: 100 * oneIf(named > 0),
		Tokens: float64(tokens),
	})
}

// start asks for the start of a session: its lines about files, no more than everybody has, and the
// whole of it.
func (s *starter) start(ctx context.Context) (block, whole string, err error) {
	in := answer.ContextInput{Scope: brain.Scope{Project: s.Place.Project().String()}, Source: "startup", Asked: true}
	shown, err := steward.Run(ctx, s.Brain, answer.StartContext, in)
	if err != nil {
		return "", "", err
	}
	_, block, _ = strings.Cut(shown.Text, filesInMind) // none where no session came back to a file
	_, block, _ = strings.Cut(block, "\n")
	block, _, _ = strings.Cut(block, "\n\n") // up to the next part
	return firstLines(block, contextRoom), shown.Text, nil
}

// openings are when a file was last opened, and how often: what lists without any memory go by.
type openings struct{ last, times int }

func (s *starter) open(path string) {
	if s.past[path] == nil {
		s.past[path] = &openings{}
	}
	s.opens++
	s.past[path].last = s.opens
	s.past[path].times++
}

// recent are the files by when they were last opened, the latest first.
func (s *starter) recent() []string {
	return s.by(func(a, b *openings) int { return cmp.Compare(b.last, a.last) })
}

// frequent are the files by how often they were opened; of equals the latest comes first.
func (s *starter) frequent() []string {
	return s.by(func(a, b *openings) int { return cmp.Or(cmp.Compare(b.times, a.times), cmp.Compare(b.last, a.last)) })
}

func (s *starter) by(order func(a, b *openings) int) []string {
	paths := slices.SortedFunc(maps.Keys(s.past), func(a, b string) int { return order(s.past[a], s.past[b]) })
	for i := range paths {
		paths[i] = memory.EscapePath(paths[i])
	}
	return paths
}

// plainLines sets paths on lines of their own as long as there is room; one that does not fit is
// passed over.
func plainLines(paths []string, room int) string {
	var b strings.Builder
	for _, path := range paths {
		if b.Len()+len(path) < room {
			b.WriteString(path + "\n")
		}
	}
	return b.String()
}

// firstLines are the whole lines of a text that fit into the room with their ends.
func firstLines(text string, room int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if b.Len()+len(strings.TrimSuffix(line, "\n"))+1 > room {
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// SpelledOut gives files of a folder that are written as a shell would take them, as in
// cmd/{main.go,serve.go}, their whole paths.
func SpelledOut(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		for {
			open := strings.Index(line, "/{")
			if open < 0 {
				break
			}
			names, rest, closed := strings.Cut(line[open+len("/{"):], "}")
			if !closed {
				break
			}
			from := strings.LastIndexAny(line[:open], " \t{},") + 1
			b.WriteString(line[:from])
			for name := range strings.SplitSeq(names, ",") {
				b.WriteString(line[from:open] + "/" + strings.TrimSpace(name) + " ")
			}
			line = rest
		}
		b.WriteString(line)
	}
	return b.String()
}

// names reports whether a text names a path whole: not as the end or the beginning of a longer one.
func names(text, path string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], path)
		if at < 0 {
			return false
		}
		start, end := from+at, from+at+len(path)
		before, after := text[:start], strings.TrimPrefix(text[end:], ".") // it may end a sentence
		if (before == "" || !inPath(before[len(before)-1])) && (after == "" || !inPath(after[0])) {
			return true
		}
		from = start + 1
	}
}

// inPath reports whether a path may go on with this byte. Those beyond ASCII are parts of letters.
func inPath(c byte) bool {
	return strings.IndexByte(`/.-_\`, c) >= 0 || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || c >= 0x80
}

// macroRows are the means over several repositories.
func macroRows(all []ContextRow, repos int) (rows []ContextRow) {
	for _, row := range all {
		at := slices.IndexFunc(rows, func(r ContextRow) bool { return r.Ranker == row.Ranker })
		if at < 0 {
			at, rows = len(rows), append(rows, ContextRow{Bench: row.Bench, Repo: Macro, Ranker: row.Ranker})
		}
		rows[at].add(row)
	}
	if repos < 2 {
		return nil
	}
	for i := range rows {
		rows[i].divide(float64(repos))
	}
	return rows
}

func (r *ContextRow) add(o ContextRow) {
	r.Sessions, r.Opened, r.Named = r.Sessions+o.Sessions, r.Opened+o.Opened, r.Named+o.Named
	r.Coverage, r.Hit, r.Tokens = r.Coverage+o.Coverage, r.Hit+o.Hit, r.Tokens+o.Tokens
}

// divide makes means of sums.
func (r *ContextRow) divide(n float64) {
	r.Coverage, r.Hit, r.Tokens = twoDecimals(r.Coverage/n), twoDecimals(r.Hit/n), twoDecimals(r.Tokens/n)
}

func twoDecimals(v float64) float64 { return math.Round(100*v) / 100 }
