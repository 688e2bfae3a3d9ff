package statements

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// What happens to crystals, as their traces name it.
const (
	traceSaid       = "said"
	TraceSaidAgain  = store.SaidAgain
	TraceSuperseded = "superseded"
	TraceMerged     = "merged"
	TraceExpired    = "expired"
	traceConfirmed  = "confirmed"
	traceDoubted    = "doubted"
	traceUsed       = "used"
	TraceWrong      = store.CalledWrong
)

// TraceProposed is left on what an agent proposes to change.
const TraceProposed = store.Proposed

// PromptSource begins the source of what was said in a prompt; the ID of its event follows.
const PromptSource = "prompt "

// SourceOf is the source of what was said in an event.
func SourceOf(e memory.StoredEvent) string { return string(e.Kind) + " " + string(e.ID) }

// SaidImportance is the importance of what was just said, until it is computed: the design's default of notes.
const SaidImportance = 0.7

const private = "[private]" // what scrub leaves of a text that the person hid

// RememberInput is something to be kept.
type RememberInput struct {
	brain.Scope
	Text string `json:"text" arg:"1..-"`
	// Quote is what an agent says are the person's own words. The whole sentence of theirs that has them is kept in place of the text.
	Quote string             `json:"quote,omitempty" flag:"quote" about:"for agents: the user's own words, as they wrote them"`
	Kind  memory.CrystalKind `json:"kind,omitempty" flag:"kind,k" about:"the kind of knowledge"` // empty: a fact
	// Subject is what it is a statement about: it takes the place of an earlier statement about the same.
	Subject    string   `json:"subject,omitempty" flag:"subject" about:"what it is a statement about"`
	Replaces   []string `json:"replaces,omitempty" flag:"replaces" about:"ID of a memory that no longer holds; may be repeated"`
	Everywhere bool     `json:"everywhere,omitempty" flag:"everywhere"`
	Files      []string `json:"files,omitempty" flag:"file,f" about:"code that it is about, path or path#symbol; may be repeated"`
	// Breaks are marks of a call that breaks a rule, see memory.CheckMarks.
	Breaks []string      `json:"breaks,omitempty"`
	Origin memory.Origin `json:"origin,omitempty"` // empty: the user
	Source string        `json:"source,omitempty"`
}

// RememberResult is what was kept.
type RememberResult struct {
	memory.Crystal
	// Known says that it was known word for word.
	Known bool `json:"known,omitempty"`
	// Superseded are the earlier statements whose place it took.
	Superseded []memory.CrystalID `json:"superseded,omitempty"`
	// Rejected says that nothing was kept, because the person has rejected the crystal, which has the same words.
	Rejected bool `json:"rejected,omitempty"`
	// Proposed says why the text is only a proposal of an agent, which waits for the person. It is empty for what was kept.
	Proposed string `json:"proposed,omitempty"`
}

// Numbered are the memories that the person was last shown with numbers in a project: the first is 1.
var Numbered = store.NewFact[[]memory.CrystalID]("memories/numbered")

// IsNumber reports whether somebody names a memory by a number. No ID is that short.
func IsNumber(word string) bool {
	return word != "" && len(word) <= 3 && strings.Trim(word, "0123456789") == ""
}

// OfNumber is the memory that a number stands for in a project. Any other word stands for itself.
func OfNumber(ctx context.Context, tx *store.Tx, project memory.ProjectID, word string) (string, error) {
	if !IsNumber(word) {
		return word, nil
	}
	n, _ := strconv.Atoi(word) // of digits
	shown, err := Numbered.Of(project).Get(ctx, tx)
	switch {
	case err != nil:
		return "", err
	case len(shown) == 0:
		return "", fmt.Errorf("number %s: no list with numbers was shown in this project (hebb memories shows one): %w", word, memory.ErrNotFound)
	case n < 1 || n > len(shown):
		return "", fmt.Errorf("number %s: the last list in this project had 1 to %d (hebb memories shows them): %w", word, len(shown), memory.ErrNotFound)
	}
	return string(shown[n-1]), nil
}

// FindCrystal looks a crystal up by its ID or a beginning that only it has.
func FindCrystal(ctx context.Context, tx *store.Tx, id string) (store.Kept, error) {
	if IsNumber(id) {
		return store.Kept{}, fmt.Errorf("text %q: want an ID or its beginning, not a number (hebb memories shows them): %w", id, memory.ErrInvalid)
	}
	if id == "" || strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyz") != "" {
		return store.Kept{}, fmt.Errorf("text %q: want an ID or its beginning (hebb memories shows them): %w", id, memory.ErrInvalid)
	}
	found, err := tx.Crystals(ctx, store.CrystalFilter{Prefix: id, Limit: 2})
	switch {
	case err != nil:
		return store.Kept{}, err
	case len(found) == 0:
		return store.Kept{}, fmt.Errorf("no text has the ID %q (hebb memories shows them): %w", id, memory.ErrNotFound)
	case len(found) > 1:
		return store.Kept{}, fmt.Errorf("text %q could be %s or %s: give a longer prefix: %w", id, found[0].ID, found[1].ID, memory.ErrConflict)
	}
	return found[0], nil
}

// NewCrystalID makes the ID of a new crystal.
func NewCrystalID(tx *store.Tx) (memory.CrystalID, error) {
	id, err := tx.NewID()
	return memory.CrystalID(id), err
}

// StoreCrystal writes a new crystal with its document, its vector and the first line of its history.
func StoreCrystal(ctx context.Context, tx *store.Tx, c memory.Crystal) error {
	words := vocab.TextWords(c.Text)
	document, err := tx.AddCrystal(ctx, c, words)
	if err != nil {
		return err
	}
	return errors.Join(
		tx.SetVectors(ctx, texts.GeneralModel, []store.DocumentVector{{Document: document, Project: c.Project, Vector: texts.VectorOf(words)}}),
		tx.Leave(ctx, store.Trace{Crystal: c.ID, What: traceSaid, Detail: c.Source}))
}

// Rejected reports whether the person has rejected a statement with the same words, in the same project or everywhere. Filler, capitals
// and punctuation do not count. What the person has asked to remember since is not rejected any more.
func Rejected(ctx context.Context, tx *store.Tx, c memory.Crystal) (bool, error) {
	_, is, err := rejection(ctx, tx, c)
	return is, err
}

// rejection finds the rejected statement that has the same words.
func rejection(ctx context.Context, tx *store.Tx, c memory.Crystal) (found memory.Crystal, is bool, err error) {
	projects := []memory.ProjectID{c.Project, 0}
	wrong, err := tx.Rejected(ctx, projects)
	if err != nil || len(wrong) == 0 {
		return found, false, err
	}
	said := comparable(c)
	for _, w := range wrong {
		if texts.Compare(said, comparable(w), math.NaN()) == texts.Distinct {
			continue
		}
		kept, err := tx.Crystal(ctx, w.ID)
		if err != nil {
			return found, false, err
		}
		switch state, err := Became(ctx, tx, kept.Crystal); {
		case err != nil:
			return found, false, err
		case state != StateRejected: // it was confirmed again and then replaced
			continue
		}
		since, err := tx.Crystals(ctx, store.CrystalFilter{Projects: projects, Origin: memory.OriginUser, Current: true, SaidSince: kept.ValidTo})
		again := slices.ContainsFunc(since, func(k store.Kept) bool {
			return texts.Compare(said, comparable(k.Crystal), math.NaN()) != texts.Distinct
		})
		return kept.Crystal, err == nil && !again, err
	}
	return found, false, nil
}

// comparable is a crystal as a statement of which only the words count.
func comparable(c memory.Crystal) texts.Statement {
	return texts.NewStatement(memory.Crystal{Text: c.Text, Lifecycle: memory.Generated}, vocab.TextWords)
}

// pinned refuses to change a text that every session is shown.
func pinned(change string, c memory.Crystal) error {
	return fmt.Errorf("%s %s: it is pinned: change the pin with hebb pin, or remove it with hebb pin remove: %w", change, c.ID, memory.ErrConflict)
}

// What became of a memory.
const (
	StateSuperseded = "superseded"
	StateRejected   = "rejected"
	StateProposed   = "proposed"
	StateRetired    = "retired"  // a line of knowledge that is over
	StateAside      = "gave way" // a line of knowledge that holds, but made room for more useful ones
)

// The changes that an agent can propose.
const (
	ProposeReplace = "replace" // on the new text, whose parents are the statements it is to replace
	ProposeReject  = "reject"  // on the memory itself, like the following
	ProposeForget  = "forget"
	ProposeConfirm = "confirm"
)

// Became is the state of a crystal as Memory names it.
func Became(ctx context.Context, tx *store.Tx, c memory.Crystal) (string, error) {
	if c.ValidTo.IsZero() {
		switch living := c.Lifecycle.Living(); {
		case living && c.Line != nil && c.Line.Aside:
			return StateAside, nil
		case living:
			return "", nil
		}
		return string(c.Lifecycle), nil
	}
	traces, err := tx.Traces(ctx, c.ID)
	for _, t := range slices.Backward(inForce(traces)) {
		switch t.What {
		case TraceWrong:
			return StateRejected, err
		case traceRetired:
			return StateRetired, err
		case TraceSuperseded, traceConfirmed, traceOutdated:
			return StateSuperseded, err
		case TraceProposed:
			if t.Detail == ProposeReplace {
				return StateProposed, err
			}
		}
	}
	return StateSuperseded, err
}

// Traces of verdicts.
const (
	traceOutdated = "outdated"
	traceNever    = "put away"
	traceUndone   = "taken back"
)

// inForce are traces without those of verdicts that were taken back.
func inForce(traces []store.Trace) (kept []store.Trace) {
	for _, t := range traces {
		if t.What != traceUndone {
			kept = append(kept, t)
			continue
		}
		for i, v := range slices.Backward(kept) {
			if slices.Contains([]string{TraceWrong, TraceSuperseded, traceConfirmed, traceOutdated, traceNever}, v.What) {
				kept = slices.Delete(kept, i, i+1)
				break
			}
		}
	}
	return kept
}
