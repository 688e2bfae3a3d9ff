package inspect

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// linesOfAnswer is how many lines an answer has at most, for reading enough of them at once.
const linesOfAnswer = 8

// Marker changes whenever something changes that a page could show.
var Marker = reading("marker", func(ctx context.Context, _ *brain.Brain, tx *store.Tx, _ struct{}) (string, error) {
	return tx.Marker(ctx)
})

// AnswersInput chooses answers, by the moment at which they were shown.
type AnswersInput struct {
	brain.Scope
	Session string    `json:"session,omitempty"`
	Before  time.Time `json:"before,omitzero"`
	Limit   int       `json:"limit,omitempty"`
}

// Answer is what was shown at one moment.
type Answer struct {
	ID          string           `json:"id"`
	At          time.Time        `json:"at"`
	Moment      memory.Moment    `json:"moment"`
	Project     memory.ProjectID `json:"project"`
	ProjectName string           `json:"project_name"`
	Session     memory.SessionID `json:"session"`
	Agent       memory.Agent     `json:"agent"`
	Prompt      string           `json:"prompt,omitempty"` // what the session was last asked
	Tokens      int              `json:"tokens"`
	Held        bool             `json:"held,omitempty"`
	Lines       []AnswerLine     `json:"lines"`
}

// AnswerLine is one line of it and what became of it.
type AnswerLine struct {
	ranking.Line
	Name string `json:"name"`
	// SaidAgain says that the person had to say the memory once more in the session although it was shown.
	SaidAgain bool               `json:"said_again,omitempty"`
	Verdict   statements.Verdict `json:"verdict,omitempty"`
}

// Answers lists what agents were shown, one for each moment, the latest first.
var Answers = reading("answers", func(ctx context.Context, b *brain.Brain, tx *store.Tx, in AnswersInput) ([]Answer, error) {
	chosen, err := record.Filter(ctx, b.Config, tx, in.Scope, in.Session)
	if err != nil {
		return nil, err
	}
	f := store.SuggestionFilter{Project: chosen.Project, Session: chosen.Session, Before: in.Before}
	if in.Limit > 0 {
		f.Limit = in.Limit * linesOfAnswer
	}
	found, err := tx.Suggestions(ctx, f)
	if err != nil {
		return nil, err
	}
	lines, err := ranking.Worded(ctx, tx, found...)
	if err != nil {
		return nil, err
	}
	answers := grouped(lines)
	if f.Limit > 0 && len(found) == f.Limit && len(answers) > 1 {
		answers = answers[:len(answers)-1] // the last one may be cut
	}
	if in.Limit > 0 {
		answers = answers[:min(len(answers), in.Limit)]
	}
	return answers, tell(ctx, tx, answers)
})

// grouped puts the lines of one moment together.
func grouped(lines []ranking.Line) []Answer {
	answers, at := []Answer{}, map[string]int{}
	for _, l := range lines {
		event, _, _ := strings.Cut(l.ID, "-")
		i, known := at[event]
		if !known {
			i = len(answers)
			at[event] = i
			answers = append(answers, Answer{ID: event, At: l.ShownAt, Moment: l.Moment, Project: l.Project, Session: l.Session, Held: l.Held})
		}
		answers[i].Tokens += l.Tokens
		answers[i].Lines = append(answers[i].Lines, AnswerLine{Line: l, Name: l.Name()})
	}
	return answers
}

// tell adds who was shown the answers, what they had been asked, and what became of each line.
func tell(ctx context.Context, tx *store.Tx, answers []Answer) error {
	projects, sessions := map[memory.ProjectID]memory.Project{}, map[memory.SessionID]memory.Session{}
	verdicts := map[memory.ProjectID]map[string]statements.Judged{}
	again, err := saidAgain(ctx, tx, answers)
	if err != nil {
		return err
	}
	everywhere, err := statements.Verdicts(ctx, tx, 0)
	if err != nil {
		return err
	}
	for i := range answers {
		a := &answers[i]
		p, err1 := once(projects, a.Project, func() (memory.Project, error) { return tx.Project(ctx, a.Project) })
		s, err2 := once(sessions, a.Session, func() (memory.Session, error) { return tx.Session(ctx, a.Session) })
		given, err3 := once(verdicts, a.Project, func() (map[string]statements.Judged, error) { return statements.Verdicts(ctx, tx, a.Project) })
		for _, err := range []error{err1, err2, err3} {
			if brain.IgnoreNotFound(err) != nil {
				return err
			}
		}
		a.ProjectName, a.Agent = p.Name, s.Agent
		if a.Prompt, err = tx.PromptBefore(ctx, a.Session, a.At); err != nil {
			return err
		}
		for k := range a.Lines {
			l := &a.Lines[k]
			l.Verdict = cmp.Or(given[cmp.Or(string(l.Crystal), l.ID)].Verdict, everywhere[string(l.Crystal)].Verdict)
			l.SaidAgain = l.Crystal != "" && again[seen{l.Crystal, a.Session}]
		}
	}
	return nil
}

// seen is a memory in a session.
type seen struct {
	crystal memory.CrystalID
	session memory.SessionID
}

// saidAgain are the memories that people said once more in a session that had been shown them.
func saidAgain(ctx context.Context, tx *store.Tx, answers []Answer) (map[seen]bool, error) {
	var ids []memory.CrystalID
	for _, a := range answers {
		for _, l := range a.Lines {
			if l.Crystal != "" && !slices.Contains(ids, l.Crystal) {
				ids = append(ids, l.Crystal)
			}
		}
	}
	misses, err := tx.Misses(ctx, ids)
	again := map[seen]bool{}
	for _, m := range misses {
		if m.Shown {
			again[seen{m.Crystal, m.Session}] = true
		}
	}
	return again, err
}

// once finds a value in a map, or makes it.
func once[K comparable, V any](known map[K]V, key K, find func() (V, error)) (V, error) {
	if v, ok := known[key]; ok {
		return v, nil
	}
	v, err := find()
	if err == nil {
		known[key] = v
	}
	return v, err
}

// WorthInput chooses the lines to count.
type WorthInput struct {
	brain.Scope `flag:"all"`
	Since       time.Time `json:"since,omitzero" flag:"since" about:"with --worth: only after this"`
}

// WorthRow is what was shown at one kind of moment.
type WorthRow struct {
	Moment memory.Moment `json:"moment,omitempty"`
	Lines  int64         `json:"lines"`
	Tokens int64         `json:"tokens"`
	Judged int64         `json:"judged"` // lines of which it is known whether they were right
	Right  int64         `json:"right"`
}

func (r *WorthRow) add(o WorthRow) {
	r.Lines, r.Tokens, r.Judged, r.Right = r.Lines+o.Lines, r.Tokens+o.Tokens, r.Judged+o.Judged, r.Right+o.Right
}

// WorthResult is what was shown and how much of it proved right.
type WorthResult struct {
	WorthRow
	Moments []WorthRow `json:"moments"` // of those at which something was shown
	// Withheld are the lines that were kept back, drawn at random: how many of their files were opened anyway.
	Withheld WorthRow          `json:"withheld"`
	Misses   statements.Misses `json:"misses"`
	// Late are answers that were not ready in time, with the reason of the last one, and Lost events that could not be kept: in all projects,
	// since the spool was made. Hooks that have no time left add to one figure.
	Late spool.Count `json:"late,omitzero"`
	Lost spool.Count `json:"lost,omitzero"`
}

// Worth counts what was shown and what of it proved right: opened, changed, or called right by the person.
var Worth = reading("worth", func(ctx context.Context, b *brain.Brain, tx *store.Tx, in WorthInput) (out WorthResult, err error) {
	ids, err := ranking.Scoped(ctx, b.Config, tx, in.Scope)
	if err != nil {
		return out, err
	}
	lines, err := shownSince(ctx, tx, ids, in.Since)
	if err != nil {
		return out, err
	}
	rows := map[memory.Moment]*WorthRow{}
	for _, m := range memory.Moments {
		rows[m] = &WorthRow{Moment: m}
	}
	given := map[string]bool{} // lines on which the person gave a verdict: whether it was right
	for _, of := range append(ids, 0) {
		verdicts, err := statements.Verdicts(ctx, tx, of)
		if err != nil {
			return out, err
		}
		for _, v := range verdicts {
			if len(v.Before) > 0 && v.Line != "" { // a line about a file has its outcome
				given[v.Line] = v.Verdict == statements.VerdictRight
			}
		}
	}
	for _, s := range lines {
		row := WorthRow{Lines: 1, Tokens: int64(s.Tokens)}
		right, judged := given[s.ID]
		switch s.Outcome {
		case memory.Used, memory.Opened:
			right, judged = true, true
		case memory.Ignored:
			judged = true
		}
		if judged {
			row.Judged = 1
		}
		if right {
			row.Right = 1
		}
		switch at := rows[s.Moment]; {
		case s.Held:
			out.Withheld.add(row)
		case at != nil:
			at.add(row)
			out.add(row)
		}
	}
	out.Moments = []WorthRow{}
	for _, m := range memory.Moments {
		if rows[m].Lines > 0 {
			out.Moments = append(out.Moments, *rows[m])
		}
	}
	state := b.Spool.State()
	out.Late, out.Lost = state.Late, state.Lost
	out.Misses, err = statements.MissedSince(ctx, tx, ids, in.Since)
	return out, err
})

// shownSince are the lines that were shown in some projects, or withheld, since a moment.
func shownSince(ctx context.Context, tx *store.Tx, projects []memory.ProjectID, since time.Time) (lines []memory.Suggestion, err error) {
	for _, id := range projects {
		found, err := tx.Suggestions(ctx, store.SuggestionFilter{Project: id, Since: since})
		if err != nil {
			return nil, err
		}
		lines = append(lines, found...)
	}
	return lines, nil
}
