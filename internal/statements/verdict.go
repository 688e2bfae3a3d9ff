package statements

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Verdict is what a person says of a line that an agent was shown, or of a memory.
type Verdict string

const (
	VerdictRight    Verdict = "right"    // a memory is confirmed; a file counts as used
	VerdictWrong    Verdict = "wrong"    // a memory is rejected and not heard again; a file loses standing
	VerdictOutdated Verdict = "outdated" // a memory ends now and may be said again; a file loses its standing until it is used
	VerdictNever    Verdict = "never"    // it is not shown again unasked; search still finds it
)

// VerdictInput judges a line by its ID, or a memory by its own.
type VerdictInput struct {
	Line    string  `json:"line,omitempty"`
	Memory  string  `json:"memory,omitempty"`
	Verdict Verdict `json:"verdict,omitempty"`
	// Undo takes the latest verdict back.
	Undo bool `json:"undo,omitempty"`
}

// Judged is a verdict with how things stood before it.
type Judged struct {
	Verdict Verdict   `json:"verdict"`
	At      time.Time `json:"at"`
	// Line is the shown line on which it was given, ShownAt when and In where that was; all empty for a memory by itself, and for a line
	// that was held back.
	Line    string           `json:"line,omitempty"`
	ShownAt time.Time        `json:"shown_at,omitzero"`
	In      memory.ProjectID `json:"in,omitzero"`
	// Before are the memories that it may have changed, as they stood, and After as they stood then.
	Before []stood `json:"before,omitempty"`
	After  []stood `json:"after,omitempty"`
	// Made is the memory that confirming a proposal made.
	Made memory.CrystalID `json:"made,omitempty"`
	// Path is that of a line about a file, Outcome and SettledAt what was known of it, and From and To how the file stood before and after.
	Path      string         `json:"path,omitempty"`
	Outcome   memory.Outcome `json:"outcome,omitempty"`
	SettledAt time.Time      `json:"settled_at,omitzero"`
	From      fileStanding   `json:"from,omitzero"`
	To        fileStanding   `json:"to,omitzero"`
}

// stood is what a verdict changes in a memory. Its words are not here: they go when somebody forgets them.
type stood struct {
	ID         memory.CrystalID `json:"id"`
	Lifecycle  memory.Lifecycle `json:"lifecycle"`
	Importance float64          `json:"importance"`
	Heard      float64          `json:"heard,omitempty"`
	ValidTo    time.Time        `json:"valid_to,omitzero"`
	LastAt     time.Time        `json:"last_at"`
	Accesses   int64            `json:"accesses"`
	GapHours   float64          `json:"gap_hours,omitempty"`
	Unsure     bool             `json:"unsure,omitempty"`
}

// verdictOn is the latest verdict on a memory, whichever line showed it, or on a line about a file.
func verdictOn(project memory.ProjectID, id string) store.Fact[Judged] {
	return store.NewFact[Judged]("verdict").Of(project).About(id)
}

// Verdicts are the latest verdicts on memories and on lines about files of a project, by their IDs.
func Verdicts(ctx context.Context, tx *store.Tx, project memory.ProjectID) (map[string]Judged, error) {
	return verdictOn(project, "").BySubject(ctx, tx)
}

// Judgement is a verdict that was given, or taken back.
type Judgement struct {
	ID      string  `json:"id"` // of the line or the memory
	Verdict Verdict `json:"verdict,omitempty"`
	Undone  bool    `json:"undone,omitempty"`
}

// GiveVerdict acts on what a person says of a line that was shown, or of a memory, and takes it back.
var GiveVerdict = brain.NeverBusy(brain.Operation[VerdictInput, Judgement]{
	Name: "verdict",
	Run: func(ctx context.Context, b *brain.Brain, in VerdictInput) (Judgement, error) {
		return brain.Update(ctx, b, func(tx *store.Tx) (Judgement, error) {
			j := judging{tx: tx, settings: b.Config.Tuning.Crystal, rules: plasticity.NewRules(b.Numbers.Plasticity, plasticity.Balance{})}
			return j.give(ctx, in)
		})
	},
}, nil)

// judging gives one verdict.
type judging struct {
	tx       *store.Tx
	settings tuning.Crystal
	rules    plasticity.Rules
	line     memory.Suggestion // the zero value for a memory by itself
	crystal  memory.CrystalID  // empty for a line about a file
	project  memory.ProjectID
}

func (j *judging) give(ctx context.Context, in VerdictInput) (out Judgement, err error) {
	if (in.Line == "") == (in.Memory == "") {
		return out, fmt.Errorf("verdict: name a line or a memory, one of them: %w", memory.ErrInvalid)
	}
	if known := []Verdict{VerdictRight, VerdictWrong, VerdictOutdated, VerdictNever}; !in.Undo && !slices.Contains(known, in.Verdict) {
		return out, fmt.Errorf("verdict %q: want right, wrong, outdated or never: %w", in.Verdict, memory.ErrInvalid)
	}
	if out.ID, err = j.find(ctx, in); err != nil {
		return out, err
	}
	fact := verdictOn(j.project, out.ID)
	last, err := fact.Get(ctx, j.tx)
	if err != nil {
		return out, err
	}
	if in.Undo {
		if last.Verdict == "" {
			return out, fmt.Errorf("verdict on %s: there is none to take back: %w", out.ID, memory.ErrNotFound)
		}
		out.Undone = true
		if err := j.undo(ctx, last); err != nil {
			return out, err
		}
		return out, fact.Clear(ctx, j.tx)
	}
	if last.Verdict != "" { // another verdict takes its place
		if err := j.undo(ctx, last); err != nil {
			return out, err
		}
	}
	given := Judged{Verdict: in.Verdict, At: j.tx.Now}
	if !j.line.Held {
		given.Line, given.ShownAt, given.In = in.Line, j.line.ShownAt, j.line.Project
	}
	if j.crystal != "" {
		err = j.onMemory(ctx, &given)
	} else {
		err = j.onFile(ctx, &given)
	}
	if err != nil {
		return out, err
	}
	out.Verdict = in.Verdict
	return out, fact.Set(ctx, j.tx, given)
}

// find says what is judged, and its ID.
func (j *judging) find(ctx context.Context, in VerdictInput) (id string, err error) {
	if in.Memory != "" {
		c, err := FindCrystal(ctx, j.tx, in.Memory)
		j.crystal, j.project = c.ID, c.Project
		return string(c.ID), err
	}
	found, err := j.tx.Suggestions(ctx, store.SuggestionFilter{ID: in.Line})
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(found, func(s memory.Suggestion) bool { return s.ID == in.Line })
	if i < 0 {
		return "", fmt.Errorf("line %q: %w", in.Line, memory.ErrNotFound)
	}
	j.line, j.crystal, j.project = found[i], found[i].Crystal, found[i].Project
	if j.crystal == "" && j.line.Path == "" {
		return "", fmt.Errorf("line %q names no file and no memory: there is nothing to judge: %w", in.Line, memory.ErrInvalid)
	}
	if j.crystal != "" { // several lines may show one memory
		kept, err := j.tx.Crystal(ctx, j.crystal)
		j.project = kept.Project
		return string(j.crystal), err
	}
	return j.line.ID, nil
}

// onMemory changes a memory, and notes how everything was that the change may touch.
func (j *judging) onMemory(ctx context.Context, given *Judged) error {
	c, err := FindCrystal(ctx, j.tx, string(j.crystal))
	if err != nil {
		return err
	}
	touched := append([]memory.CrystalID{c.ID}, c.Parents...)
	if given.Before, err = j.stand(ctx, touched); err == nil {
		err = j.change(ctx, c.Crystal, given)
	}
	if err == nil {
		given.After, err = j.stand(ctx, touched)
	}
	return err
}

// stand is how memories stand that are there.
func (j *judging) stand(ctx context.Context, ids []memory.CrystalID) (list []stood, err error) {
	for _, id := range ids {
		c, err := j.tx.Crystal(ctx, id)
		switch {
		case err == nil:
			list = append(list, standing(c.Crystal))
		case !brain.IsNotFound(err):
			return nil, err
		}
	}
	return list, nil
}

func standing(c memory.Crystal) stood {
	return stood{c.ID, c.Lifecycle, c.Importance, c.Heard, c.ValidTo.UTC(), c.LastAt.UTC(), c.Accesses, c.GapHours, c.Unsure}
}

// change carries a verdict on a memory out.
func (j *judging) change(ctx context.Context, c memory.Crystal, given *Judged) error {
	after, trace := c, ""
	switch given.Verdict {
	case VerdictRight, VerdictWrong:
		judged, _, err := judge(ctx, j.settings, j.tx, JudgeInput{ID: string(c.ID), Right: given.Verdict == VerdictRight})
		if judged.ID != c.ID && !slices.Contains(c.Parents, judged.ID) {
			given.Made = judged.ID
		}
		return err
	case VerdictOutdated:
		after.ValidTo, after.Unsure, trace = j.tx.Now, false, traceOutdated
	default:
		after.Lifecycle, trace = memory.Archived, traceNever
	}
	if c.Lifecycle == memory.Frozen {
		return pinned("mark", c)
	}
	if err := j.tx.SaveCrystal(ctx, after); err != nil {
		return err
	}
	return j.tx.Leave(ctx, store.Trace{Crystal: c.ID, What: trace})
}

// undo brings back how things stood before a verdict. A memory that was changed since stays so; the judged one must not have been.
func (j *judging) undo(ctx context.Context, last Judged) error {
	for _, before := range last.Before {
		c, err := j.tx.Crystal(ctx, before.ID)
		if i := slices.IndexFunc(last.After, func(s stood) bool { return s.ID == before.ID }); err == nil && i >= 0 && standing(c.Crystal) != last.After[i] {
			if before.ID != j.crystal {
				continue
			}
			return fmt.Errorf("verdict on %s: it was changed since, so there is no way back; change it itself: %w", c.ID, memory.ErrConflict)
		}
		if err == nil {
			c.Lifecycle, c.Importance, c.Heard, c.ValidTo, c.LastAt = before.Lifecycle, before.Importance, before.Heard, before.ValidTo, before.LastAt
			c.Accesses, c.GapHours, c.Unsure = before.Accesses, before.GapHours, before.Unsure
			err = j.tx.SaveCrystal(ctx, c.Crystal)
		}
		if err == nil && before.ID == j.crystal {
			err = j.tx.Leave(ctx, store.Trace{Crystal: before.ID, What: traceUndone, Detail: string(last.Verdict)})
		}
		if brain.IgnoreNotFound(err) != nil {
			return err
		}
	}
	if j.crystal != "" {
		made, err := j.tx.Crystal(ctx, last.Made)
		if last.Made == "" || brain.IsNotFound(err) || err == nil && !made.ValidTo.IsZero() {
			return nil
		}
		return errors.Join(err, EndCrystal(ctx, j.tx, made.Crystal, traceUndone, string(last.Verdict)))
	}
	return j.undoFile(ctx, last)
}
