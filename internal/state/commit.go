package state

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// DreamMaterial is what an agent that dreams itself is given.
type DreamMaterial struct {
	// Prompt holds the material as data, the rules, and the form of the answer.
	Prompt string `json:"prompt"`
	// LeftOut counts pieces of material for which there was no room.
	LeftOut int `json:"left_out,omitempty"`
}

// DreamBegin hands an agent the material of a dream. It changes nothing.
var DreamBegin = brain.Operation[brain.Scope, DreamMaterial]{
	Name: "dream-begin", Files: brain.ReadFiles,
	Run: func(ctx context.Context, b *brain.Brain, in brain.Scope) (out DreamMaterial, err error) {
		d := newDreamer(b)
		id, err := d.projectOf(ctx, in)
		if err != nil {
			return out, err
		}
		return d.begin(ctx, id)
	},
}

func (d dreamer) begin(ctx context.Context, id memory.ProjectID) (out DreamMaterial, err error) {
	nonce, err := d.store.NewID()
	if err != nil {
		return out, err
	}
	about := aboutProject(ctx, d.store, d.config, id)
	return brain.View(ctx, d.store, func(tx *store.Tx) (DreamMaterial, error) {
		m, err := d.material(ctx, tx, id, about)
		if err != nil {
			return out, err
		}
		out.Prompt, out.LeftOut, err = Prompt(m, string(nonce), d.config.Tuning.Dream.PromptTokens, tx.Now)
		return out, err
	})
}

// DreamCommitInput is the state as an agent wrote it.
type DreamCommitInput struct {
	brain.Scope
	State string `json:"state"`
}

// DreamCommit examines a state that an agent wrote and keeps its new lines as memories of the agent's; what it left out is pointed to. Then
// the state is rendered. One that the guards refuse is kept for inspection.
var DreamCommit = brain.RepeatableNeverBusy(brain.Operation[DreamCommitInput, DreamResult]{
	Name: "dream-commit", Files: brain.WriteAllFiles,
	Run: func(ctx context.Context, b *brain.Brain, in DreamCommitInput) (DreamResult, error) {
		d := newDreamer(b)
		id, err := d.projectOf(ctx, in.Scope)
		if err != nil {
			return DreamResult{}, err
		}
		return d.commit(ctx, id, in.State, stateByAgent)
	},
})

func (d dreamer) commit(ctx context.Context, id memory.ProjectID, answer, by string) (out DreamResult, err error) {
	about := aboutProject(ctx, d.store, d.config, id)
	if err := d.takeIn(ctx, id, about); err != nil {
		return out, err
	}
	var m Material
	err = d.store.View(ctx, func(tx *store.Tx) error {
		m, err = d.material(ctx, tx, id, about)
		return err
	})
	if err != nil {
		return out, err
	}
	made, refused := ReadAnswer(scrub.Clean(answer))
	if refused == nil {
		made = m.standing(made, nil)
		refused = Judge(m.standing(m.Old, nil), made).Err()
	}
	if refused != nil {
		if err := d.refuse(ctx, id, by, scrub.Clean(answer), refused); err != nil {
			return out, err
		}
		out, err = d.rendered(ctx, id, StateByRules, "asked for", false)
		out.Warnings = append(out.Warnings, "refused, rules dreamt instead: "+scrub.Line(refused.Error()))
		return out, err
	}
	made, leftOut := ByAgent(m.Old, made)
	if err := d.record(ctx, func(r *record.Recorder) error { return d.rewritten(ctx, r.Tx, id, m, made) }); err != nil {
		return out, err
	}
	out, err = d.rendered(ctx, id, by, "written by the "+by, false)
	if leftOut > 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("%s in sections about the user left out: only the user does", prose.Count(leftOut, "line", "lines")))
	}
	return out, err
}

// rewritten keeps the lines of a new state that no memory says, and puts aside what it reports no more. What the person said stays: only
// they can end it, and what they took out does not come back.
func (d dreamer) rewritten(ctx context.Context, tx *store.Tx, id memory.ProjectID, m Material, made Document) error {
	wrong, err := tx.Rejected(ctx, []memory.ProjectID{0, id})
	if err != nil {
		return err
	}
	err = keepLines(ctx, d.config.Tuning.Crystal, tx, id, made, m.Entries, func(section Section, item string) memory.Origin {
		if derived(item) || slices.Contains(linesIn(m.Old, section), item) || slices.ContainsFunc(wrong, func(c memory.Crystal) bool { return holds(c.Text, saidIn(item)) }) {
			return ""
		}
		return memory.OriginAgent
	})
	text := strings.Join(made.Sections[:], "\n")
	left := Aside{At: tx.Now.UnixMilli()}
	for _, t := range m.Told {
		at := slices.IndexFunc(m.Entries, func(e Entry) bool { return e.ID == t.Crystal && !statements.IsStatement(e.Crystal) })
		if at < 0 {
			continue
		}
		e := m.Entries[at]
		told := strings.Contains(normal(text), normal(prose.Shorten(e.Text, lineLength))) || e.Origin == memory.OriginUser && reports(text, e.Text)
		if t.Pointer && e.Aside || !t.Pointer && !told {
			left.Crystals = append(left.Crystals, t.Crystal)
		}
	}
	return errors.Join(err, asideFact(id).Set(ctx, tx, left))
}

// ByAgent prepares a state that an agent or a model wrote: the sections that say who the person is and how to work stay as they are in the
// old state, because whatever an agent changed there would be its words in the person's name. It counts the lines that it left out.
func ByAgent(old, made Document) (_ Document, leftOut int) {
	for section := range SectionCount {
		if section.Personal() {
			leftOut += different(SplitItems(made.Sections[section]), SplitItems(old.Sections[section]))
			made.Sections[section] = old.Sections[section]
		}
	}
	return made, leftOut
}
