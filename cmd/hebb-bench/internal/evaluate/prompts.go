package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/replay"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/steward"
)

// PromptsInput says what to replay.
type PromptsInput struct {
	Input
	Vary func(*brain.Variation) // nil: nothing
}

// Micro is the repository under which all prompts are counted alike.
const Micro = "micro"

// PromptRow is one line of that benchmark: how many prompts were answered with files, and how many
// of these the session opened.
type PromptRow struct {
	Bench string `json:"bench"`
	Repo  string `json:"repo"` // micro: all prompts alike
	// Prompt is which prompts of a session are counted: the first, the later ones, or of all the lines
	// by stated confidence.
	Prompt   string  `json:"prompt"`
	Asked    int     `json:"asked,omitempty"`
	Answered int     `json:"answered,omitempty"`
	Lines    int     `json:"lines"`
	Right    int     `json:"right"`
	Share    float64 `json:"share,omitempty"` // answered of asked, percent
	Precise  float64 `json:"precision"`       // right of lines, percent
}

// promptRows are those of one repository: first prompts, later ones, and the lines by their stated
// confidence in steps of ten percent.
type promptRows [statedRows + 10]PromptRow

const (
	firstRow = iota
	laterRow
	statedRows
)

func newPromptRows(repo string) (rows promptRows) {
	for i := range rows {
		from := 10 * (i - statedRows)
		rows[i] = PromptRow{Bench: "prompts", Repo: repo, Prompt: fmt.Sprintf("stated %d-%d %%", from, from+9)}
	}
	rows[firstRow].Prompt, rows[laterRow].Prompt = "first", "later"
	return rows
}

// counted are the rows with their percentages, without those that nothing was counted in.
func (rows promptRows) counted() (list []PromptRow) {
	for _, r := range rows {
		r.Share, r.Precise = percentOf(r.Answered, r.Asked), percentOf(r.Right, r.Lines)
		if r.Asked+r.Lines > 0 {
			list = append(list, r)
		}
	}
	return list
}

// Prompts replays the sessions of repositories as hooks report them and looks, from the eleventh
// session on, at the lines about files that each prompt is answered with: right is a file that the
// session opened after it, and had not opened before. What was said and done before the prompt is
// known, and what had been recorded when the session began. Prompts after which a session opens
// nothing are left out.
func Prompts(ctx context.Context, in PromptsInput) ([]PromptRow, error) {
	var list []PromptRow
	total := newPromptRows(Micro)
	for _, pair := range in.Sessions {
		found, err := in.prompts(ctx, pair)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pair.Repo, err)
		}
		for i, r := range found {
			t := &total[i]
			t.Asked, t.Answered, t.Lines, t.Right = t.Asked+r.Asked, t.Answered+r.Answered, t.Lines+r.Lines, t.Right+r.Right
		}
		list = append(list, found.counted()...)
	}
	return append(list, total.counted()...), nil
}

func percentOf(part, whole int) float64 {
	return twoDecimals(100 * float64(part) / float64(max(whole, 1)))
}

func (in PromptsInput) prompts(ctx context.Context, pair SessionFiles) (rows promptRows, err error) {
	recorded, err := ReadRecording(pair)
	if err != nil {
		return rows, err
	}
	in.Tuning.Hook.Holdout = 0 // drawn by the IDs of events, which differ from run to run
	hebb, err := Product{Tuning: in.Tuning, Vary: in.Vary}.open(ctx, pair.Repo)
	if err != nil {
		return rows, err
	}
	defer func() { err = errors.Join(err, hebb.Close()) }()
	p := &prompted{
		starter: starter{hebb}, events: map[string][]memory.Event{},
		rows: newPromptRows(pair.Repo),
	}
	all := recorded.happenings(sessionCalls{commit: p.Commit, start: p.examine, end: p.Session})
	err = replay.Run(ctx, inOrder(all), in.afterWarmUp(0))
	return p.rows, err
}

// prompted is hebb at the prompts of sessions.
type prompted struct {
	starter
	asked  int                       // sessions
	events map[string][]memory.Event // of sessions that go on, with the receipts of their prompts
	rows   promptRows
}

// Session is reported with its receipts, and then habits are learned as sleep does. The agents of
// the recordings were shown nothing: what they opened, they opened by themselves.
func (p *prompted) Session(ctx context.Context, over AgentSession) error {
	if err := p.report(ctx, over, p.events[over.ID]); err != nil {
		return err
	}
	delete(p.events, over.ID)
	_, err := steward.Run(ctx, p.Brain, ranking.Learn, ranking.Input{Project: p.Place.Project()})
	return err
}

// examine answers each prompt of a session and marks that. Its events wait in the spool meanwhile;
// they are taken out again, so that the session is not known before it ends.
func (p *prompted) examine(ctx context.Context, s AgentSession) (err error) {
	p.Until(s.Start)
	p.asked++
	box := spool.Spool{Dir: p.Brain.Config.Spool(), Limits: p.Tuning.Spool}
	defer func() { err = errors.Join(err, os.RemoveAll(box.Dir)) }()
	row := &p.rows[firstRow]
	for _, e := range p.sessionEvents(s) {
		events := []memory.Event{e}
		if e.Kind == memory.Prompted {
			shown, err := steward.Run(ctx, p.Brain, answer.Moment, e)
			if err != nil {
				return err
			}
			if shown.Receipt != nil {
				shown.Receipt.At = e.At // the clock stands still while the session is asked about
				events = append(events, *shown.Receipt)
			}
			if opened := openedAfter(s, e.At); p.asked > sessionWarmUp && len(opened) > 0 {
				p.mark(row, shown, opened)
			}
			row = &p.rows[laterRow]
		}
		for _, e := range events {
			p.events[s.ID] = append(p.events[s.ID], e)
			if err := box.Append(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// openedAfter are the files that a session opened from a moment on and not before.
func openedAfter(s AgentSession, at time.Time) (after []string) {
	var before []string
	for _, o := range s.Opens() {
		if path := memory.EscapePath(o.Target); o.At.Before(at) {
			before = append(before, path)
		} else if !slices.Contains(before, path) {
			after = append(after, path)
		}
	}
	return after
}

func (p *prompted) mark(row *PromptRow, shown answer.Shown, opened []string) {
	row.Asked++
	answered := 0
	for _, l := range shown.Lines {
		if l.Offer != memory.OfferFile && l.Offer != memory.OfferPreload {
			continue
		}
		answered = 1
		for _, r := range []*PromptRow{row, &p.rows[statedRows+int(math.Round(100*l.Confidence))/10]} {
			r.Lines++
			if slices.Contains(opened, l.Path) {
				r.Right++
			}
		}
	}
	row.Answered += answered
}
