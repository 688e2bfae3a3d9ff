package evaluate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/replay"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/words"
)

// PromptRow is one line of that benchmark: how many prompts were answered with files, and how many of these the session opened.
type PromptRow struct {
	Bench    string  `json:"bench"`
	Repo     string  `json:"repo"` // micro: all prompts alike
	Prompt   string  `json:"prompt"`
	Asked    int     `json:"asked"`
	Answered int     `json:"answered"`
	Lines    int     `json:"lines"`
	Right    int     `json:"right"`
	Share    float64 `json:"share"`     // answered of asked, percent
	Precise  float64 `json:"precision"` // right of lines, percent
}

// The prompts of a session that are counted apart.
const (
	firstPrompt  = "first"
	laterPrompts = "later"
)

// Prompts replays the sessions of repositories as hooks report them and looks, from the eleventh session on, at the lines about files that
// each prompt is answered with: right is a file that the session opened after it, and had not opened before. What was said and done before
// the prompt is known, and what had been recorded when the session began. Prompts after which a session opens nothing are left out.
func Prompts(ctx context.Context, in ContextInput) ([]PromptRow, error) {
	step, err := in.beginSessions(ctx, nil, in.Files)
	if err != nil {
		return nil, err
	}
	var rows []PromptRow
	total := [2]PromptRow{{Bench: "prompts", Repo: Micro, Prompt: firstPrompt}, {Bench: "prompts", Repo: Micro, Prompt: laterPrompts}}
	for _, pair := range in.Files {
		found, err := in.prompts(ctx, pair, step)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pair.Repo, err)
		}
		for i := range found {
			total[i].add(found[i])
			found[i].Share, found[i].Precise = percentOf(found[i].Answered, found[i].Asked), percentOf(found[i].Right, found[i].Lines)
		}
		rows = append(rows, found[:]...)
	}
	for i := range total {
		total[i].Share, total[i].Precise = percentOf(total[i].Answered, total[i].Asked), percentOf(total[i].Right, total[i].Lines)
	}
	return append(rows, total[:]...), nil
}

func (r *PromptRow) add(o PromptRow) {
	r.Asked, r.Answered, r.Lines, r.Right = r.Asked+o.Asked, r.Answered+o.Answered, r.Lines+o.Lines, r.Right+o.Right
}

func percentOf(part, whole int) float64 {
	return twoDecimals(100 * float64(part) / float64(max(whole, 1)))
}

func (in ContextInput) prompts(ctx context.Context, pair SessionFiles, step func()) (rows [2]PromptRow, err error) {
	recorded, err := readRecording(pair)
	if err != nil {
		return rows, err
	}
	hebb, err := Product{Tuning: in.Tuning}.open(ctx, pair.Repo)
	if err != nil {
		return rows, err
	}
	defer func() { err = errors.Join(err, hebb.Close()) }()
	p := &prompted{starter: starter{examinee: hebb, past: newOpened(), known: replay.FileSet{}}}
	p.rows = [2]PromptRow{{Bench: "prompts", Repo: pair.Repo, Prompt: firstPrompt}, {Bench: "prompts", Repo: pair.Repo, Prompt: laterPrompts}}
	all := recorded.happenings(sessionCalls{commit: p.Commit, start: p.examine, end: p.Session, step: step})
	err = replay.Run(ctx, inOrder(all), in.afterWarmUp(sessionWarmUp))
	return p.rows, err
}

// prompted is hebb at the prompts of sessions.
type prompted struct {
	starter
	rows [2]PromptRow
}

// Session is reported, and then habits are learned as sleep does. The agents of the recordings were shown nothing, so there are no receipts.
func (p *prompted) Session(ctx context.Context, over AgentSession) error {
	if err := p.starter.Session(ctx, over); err != nil {
		return err
	}
	_, err := steward.Run(ctx, p.Brain, words.Learn, words.Input{Project: p.Place.Project()})
	return err
}

// examine marks what each prompt of a session is answered with. Its events wait in the spool meanwhile; they are taken out again, so that
// the session is not known before it ends.
func (p *prompted) examine(ctx context.Context, s AgentSession) (err error) {
	p.Until(s.Start)
	box := spool.Spool{Dir: p.Brain.Config.Spool(), Limits: p.Tuning.Spool}
	defer func() { err = errors.Join(err, os.RemoveAll(box.Dir)) }()
	opens := s.Opens()
	first := true
	for _, e := range p.sessionEvents(s) {
		if e.Kind == memory.SessionEnded {
			break
		}
		if e.Kind == memory.Prompted {
			var before, after []string
			for _, o := range opens {
				if o.At.Before(e.At) {
					before = append(before, memory.EscapePath(o.Target))
				} else {
					after = append(after, memory.EscapePath(o.Target))
				}
			}
			shown, err := steward.Run(ctx, p.Brain, answer.Moment, e)
			if err != nil {
				return err
			}
			row := &p.rows[1]
			if first {
				row = &p.rows[0]
			}
			first = false
			if slices.ContainsFunc(after, func(path string) bool { return !slices.Contains(before, path) }) {
				row.mark(shown, after)
			}
		}
		if err := box.Append(e); err != nil {
			return err
		}
	}
	return nil
}

func (r *PromptRow) mark(shown answer.Shown, opened []string) {
	r.Asked++
	lines := 0
	for _, l := range shown.Lines {
		if l.Offer != memory.OfferFile && l.Offer != memory.OfferPreload {
			continue
		}
		lines++
		if slices.Contains(opened, l.Path) {
			r.Right++
		}
	}
	r.Lines += lines
	if lines > 0 {
		r.Answered++
	}
}
