package statements

import (
	"context"
	"maps"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

// neverFile says that a file is not to be shown unasked.
func neverFile(project memory.ProjectID, path string) store.Fact[bool] {
	return store.NewFact[bool]("never").Of(project).About(path)
}

// NeverShown are the files of a project that the person does not want to be shown unasked.
func NeverShown(ctx context.Context, tx *store.Tx, project memory.ProjectID) (map[string]bool, error) {
	return neverFile(project, "").BySubject(ctx, tx)
}

// fileStanding is what verdicts change in a file. The zero value is that of a file that no session has met.
type fileStanding struct {
	Ignored  int64   `json:"ignored,omitempty"`
	Standing float64 `json:"standing"`
}

const outdatedStreak = 8 // suggestions ignored in a row that being outdated counts as: they bring a file to the least standing

// after is how a file stands after a verdict on a line about it.
func (s fileStanding) after(rules plasticity.Rules, v Verdict) fileStanding {
	switch v {
	case VerdictRight:
		return fileStanding{Standing: 1}
	case VerdictWrong:
		return s.ignored(rules, 1)
	}
	return s.ignored(rules, outdatedStreak)
}

// ignored is how a file stands after suggestions of it were passed over.
func (s fileStanding) ignored(rules plasticity.Rules, times int) fileStanding {
	for range times {
		s.Ignored++
		s.Standing = rules.Ignored(s.Standing, int(s.Ignored))
	}
	return s
}

// onFile says what became of a line about a file, and lets the file gain or lose standing.
func (j *judging) onFile(ctx context.Context, given *Judged) error {
	given.Path, given.Outcome, given.SettledAt = j.line.Path, j.line.Outcome, j.line.SettledAt
	outcome := memory.Ignored
	if given.Verdict == VerdictRight {
		outcome = memory.Used
	}
	if err := j.tx.SettleSuggestion(ctx, j.line.ID, outcome, j.tx.Now); err != nil {
		return err
	}
	if given.Verdict == VerdictNever {
		if err := neverFile(j.project, j.line.Path).Set(ctx, j.tx, true); err != nil {
			return err
		}
	}
	n, err := j.tx.Neuron(ctx, j.line.Neuron)
	if err != nil {
		return brain.IgnoreNotFound(err) // shown from the past, never met by a session
	}
	given.From = fileStanding{n.Ignored, n.Standing}
	given.To = given.From.after(j.rules, given.Verdict)
	n.Ignored, n.Standing = given.To.Ignored, given.To.Standing
	return j.tx.SaveStrength(ctx, n)
}

// JudgeAgain gives a verdict on a line about a file once more, where what the file learned is made again from the log.
func JudgeAgain(ctx context.Context, tx *store.Tx, p plasticity.Params, line string, v Verdict) error {
	lines, err := tx.Suggestions(ctx, store.SuggestionFilter{ID: line})
	if err != nil || len(lines) == 0 {
		return err
	}
	j := judging{tx: tx, rules: plasticity.NewRules(p, plasticity.Balance{}), line: lines[0], project: lines[0].Project}
	return j.onFile(ctx, &Judged{Verdict: v})
}

// undoFile takes a verdict on a line about a file back. Other verdicts on the file stay in force.
func (j *judging) undoFile(ctx context.Context, last Judged) error {
	outcome, at, err := last.Outcome, last.SettledAt, error(nil)
	if outcome == memory.Pending { // its session may be over by now
		if outcome, at, err = record.Became(ctx, j.tx, j.line); err != nil {
			return err
		}
	}
	if err := j.tx.SettleSuggestion(ctx, j.line.ID, outcome, at); err != nil {
		return err
	}
	j.line.Outcome, j.line.SettledAt = outcome, at // for a verdict that takes its place
	given, err := Verdicts(ctx, j.tx, j.project)
	if err != nil {
		return err
	}
	delete(given, j.line.ID)
	maps.DeleteFunc(given, func(_ string, v Judged) bool { return v.Path != j.line.Path })
	never := func(v Judged) bool { return v.Verdict == VerdictNever }
	if never(last) && !slices.ContainsFunc(slices.Collect(maps.Values(given)), never) {
		if err := neverFile(j.project, j.line.Path).Clear(ctx, j.tx); err != nil {
			return err
		}
	}
	return j.stands(ctx, last, given, last.Outcome == memory.Pending && outcome == memory.Ignored)
}

// stands lets a file stand as if a verdict had not been given: the others that followed it act on how it stood before. passedOver says
// that the end of the session found the line ignored.
func (j *judging) stands(ctx context.Context, without Judged, others map[string]Judged, passedOver bool) error {
	n, err := j.tx.Neuron(ctx, j.line.Neuron)
	if err != nil || without.From == (fileStanding{}) {
		return brain.IgnoreNotFound(err)
	}
	was, now := without.To, without.From
	for _, id := range slices.SortedFunc(maps.Keys(others), func(a, b string) int { return others[a].At.Compare(others[b].At) }) {
		v := others[id]
		if v.At.Before(without.At) || v.From != was {
			continue
		}
		was, v.From, v.To = v.To, now, now.after(j.rules, v.Verdict)
		now = v.To
		if err := verdictOn(j.project, id).Set(ctx, j.tx, v); err != nil {
			return err
		}
	}
	if n.Ignored == was.Ignored && n.Standing == was.Standing {
		n.Ignored, n.Standing = now.Ignored, now.Standing
	} else { // sessions have moved it since, by a share of what there was
		n.Standing = min(1, n.Standing*now.Standing/was.Standing)
	}
	if passedOver {
		passedOver, err = j.onlyLine(ctx)
	}
	if passedOver {
		s := fileStanding{n.Ignored, n.Standing}.ignored(j.rules, 1)
		n.Ignored, n.Standing = s.Ignored, s.Standing
	}
	if err != nil {
		return err
	}
	return j.tx.SaveStrength(ctx, n)
}

// onlyLine reports whether no other line about the file counted at the end of the session: a file that is shown twice is ignored once.
func (j *judging) onlyLine(ctx context.Context) (bool, error) {
	lines, err := j.tx.Suggestions(ctx, store.SuggestionFilter{Session: j.line.Session})
	if err != nil || j.line.Held {
		return false, err
	}
	given, err := Verdicts(ctx, j.tx, j.project)
	return !slices.ContainsFunc(lines, func(l memory.Suggestion) bool {
		return l.Neuron == j.line.Neuron && l.ID != j.line.ID && !l.Held && given[l.ID].Verdict == ""
	}), err
}
