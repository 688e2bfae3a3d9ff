package statements

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// What an agent wants to change and cannot prove that the person wants is a proposal. It is a trace whose detail names the
// change; a new text is a crystal that never held. Nothing that is shown changes until the person confirms or rejects it.

// warrant says in whose name a memory is changed.
type warrant struct {
	who     string // as traces name it: empty for the person, the prompt that was quoted, or "agent"
	lacking string // why the change is only a proposal; empty: it is made
}

// warrantFor decides whether a memory may be changed. An agent changes what agents said. What is the person's, and history, it changes only
// with a whole sentence of the person that speaks of it and was said since.
func warrantFor(ctx context.Context, tx *store.Tx, c memory.Crystal, change string, by memory.Origin, quote string) (warrant, error) {
	if brain.ByUser(by) {
		return warrant{}, nil
	}
	agents := warrant{who: string(memory.OriginAgent)}
	if c.Origin != memory.OriginUser && c.ValidTo.IsZero() {
		agents.lacking = ""
	} else {
		agents.lacking = "memory " + string(c.ID) + " is the user's"
	}
	traces, err := tx.Traces(ctx, c.ID)
	if err != nil || quote == "" || proposal(traces) == ProposeReplace { // who proposed a text does not accept it
		return agents, err
	}
	said, found, err := Quoted(ctx, tx, c.Project, quote)
	lacking := ""
	switch {
	case err != nil:
		return agents, err
	case !found:
		lacking = "no prompt of the last day has the words " + scrub.Line(fmt.Sprintf("%q", quote))
	case !said.Whole:
		lacking = fmt.Sprintf("the quote is only a part of the sentence %q", scrub.Line(said.Text))
	case !said.Prompt.At.After(c.SaidAt):
		lacking = "the user typed that before memory " + string(c.ID) + " was said"
	case change != ProposeConfirm && change != ProposeReplace && sameWords(said.Text, c.Text):
		lacking = "the quote says what the memory says"
	case !speaksOf(said.Text, c.Text):
		lacking = fmt.Sprintf("the quote does not speak of %q", scrub.Line(c.Text))
	default:
		return warrant{who: PromptSource + string(said.Prompt.ID)}, nil
	}
	if agents.lacking != "" {
		agents.lacking = lacking
	}
	return agents, nil
}

// MayForget says why an agent only proposes to forget a crystal; it is empty where it may.
func MayForget(ctx context.Context, tx *store.Tx, c memory.Crystal, by memory.Origin, quote string) (lacking string, err error) {
	c.ValidTo = time.Time{} // history of agents is theirs to delete
	w, err := warrantFor(ctx, tx, c, ProposeForget, by, quote)
	return w.lacking, err
}

// sameWords reports whether one text says another again.
func sameWords(a, b string) bool {
	x, y := comparable(memory.Crystal{Text: a}), comparable(memory.Crystal{Text: b})
	return texts.Compare(x, y, math.NaN()) != texts.Distinct
}

// Propose notes that an agent wants a memory rejected, forgotten or confirmed.
func Propose(ctx context.Context, tx *store.Tx, id memory.CrystalID, change string) error {
	c, err := tx.Crystal(ctx, id)
	if err != nil || change == ProposeReject && !c.ValidTo.IsZero() {
		return err
	}
	traces, err := tx.Traces(ctx, id)
	if waits := proposal(traces); err != nil || waits == change || waits == ProposeReplace { // only the person decides on a new text
		return err
	}
	return tx.Leave(ctx, store.Trace{Crystal: id, What: TraceProposed, Detail: change})
}

// proposeText keeps the text of an agent that is to replace earlier statements as one that does not hold.
func proposeText(ctx context.Context, tx *store.Tx, c memory.Crystal, earlier []memory.Crystal) (out RememberResult, err error) {
	if wrong, is, err := rejection(ctx, tx, c); err != nil || is {
		return RememberResult{Crystal: wrong, Rejected: is}, err
	}
	c.Parents = nil
	for _, old := range earlier {
		c.Parents = append(c.Parents, old.ID)
	}
	waiting, err := proposed(ctx, tx, []memory.ProjectID{c.Project})
	if err != nil {
		return out, err
	}
	for _, w := range waiting {
		if w.Text == c.Text && slices.Equal(w.Parents, c.Parents) {
			return RememberResult{Crystal: w.Crystal, Known: true}, nil
		}
	}
	if c.ID, err = NewCrystalID(tx); err != nil {
		return out, err
	}
	c.SaidAt, c.LastAt, c.ValidTo, c.Importance = tx.Now, tx.Now, tx.Now, SaidImportance
	if err = StoreCrystal(ctx, tx, c); err == nil {
		err = tx.Leave(ctx, store.Trace{Crystal: c.ID, What: TraceProposed, Detail: ProposeReplace})
	}
	return RememberResult{Crystal: c}, err
}

// Insisted reports whether a person asked to remember a statement of theirs, said it again or confirmed it.
func Insisted(ctx context.Context, tx *store.Tx, c memory.Crystal) (bool, error) {
	if c.Origin != memory.OriginUser || c.Heard == 0 {
		return c.Origin == memory.OriginUser, nil
	}
	traces, err := tx.Traces(ctx, c.ID)
	return slices.ContainsFunc(traces, func(t store.Trace) bool {
		return t.What == TraceSaidAgain || confirmedByPerson(t) && t.Detail != c.Source // else the same prompt, understood by somebody else too
	}), err
}

// confirmedByPerson reports whether a trace is a person's yes: neither an agent's nor that of the code.
func confirmedByPerson(t store.Trace) bool {
	return t.What == traceConfirmed && (t.Detail == "" || strings.HasPrefix(t.Detail, PromptSource))
}

// proposal is the change that an agent proposes and nobody has decided on; empty for none.
func proposal(traces []store.Trace) string {
	for _, t := range slices.Backward(inForce(traces)) {
		switch t.What {
		case TraceProposed:
			return t.Detail
		case TraceWrong, TraceSuperseded, TraceMerged, TraceSaidAgain:
			return ""
		case traceConfirmed:
			if confirmedByPerson(t) {
				return ""
			}
		}
	}
	return ""
}

// accept makes the text that an agent proposed the person's: they have confirmed it. It takes the place of what it was proposed for.
func accept(ctx context.Context, settings tuning.Crystal, tx *store.Tx, c memory.Crystal) (memory.Crystal, error) {
	var earlier []memory.Crystal
	for _, id := range c.Parents {
		old, err := tx.Crystal(ctx, id)
		switch {
		case brain.IsNotFound(err):
		case err != nil:
			return c, err
		case old.ValidTo.IsZero() && old.Lifecycle != memory.Frozen:
			earlier = append(earlier, old.Crystal)
		}
	}
	own := c
	own.ID, own.Origin, own.Source, own.Parents = "", memory.OriginUser, "edit", nil
	own.SaidAt, own.LastAt, own.ValidTo = tx.Now, tx.Now, time.Time{}
	out, err := Crystallise(ctx, settings, tx, own)
	if err != nil {
		return c, err
	}
	earlier = slices.DeleteFunc(earlier, func(old memory.Crystal) bool { return old.ID == out.ID || slices.Contains(out.Superseded, old.ID) })
	if _, err = replace(ctx, tx, &out.Crystal, earlier...); err == nil {
		err = tx.SaveCrystal(ctx, out.Crystal)
	}
	if err == nil {
		err = tx.Leave(ctx, store.Trace{Crystal: c.ID, What: TraceSuperseded, Detail: string(out.ID)})
	}
	return out.Crystal, err
}
