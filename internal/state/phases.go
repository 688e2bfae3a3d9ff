package state

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// PhaseReport is what a dream did with crystals, besides rewriting the state.
type PhaseReport struct {
	Replayed   int `json:"replayed"`   // lively sessions that were gone through again
	Refreshed  int `json:"refreshed"`  // crystals that became more important by it
	Compressed int `json:"compressed"` // texts made of several that say much the same; those stay
	Linked     int `json:"linked"`     // crystals nobody ever found, tied to their nearest
	Outdated   int `json:"outdated"`   // own thoughts that rested on what no longer holds
	Gaps       int `json:"gaps"`       // that are known now

	// Calls are questions to the configured model. Insights are what came of them, Refused what was not founded.
	Calls    int       `json:"calls,omitempty"`
	Insights []string  `json:"insights,omitempty"`
	Refused  []Refusal `json:"refused,omitempty"`
}

// Changed says that something was written.
func (r PhaseReport) Changed() bool {
	return r.Refreshed+r.Compressed+r.Linked+r.Outdated+len(r.Insights) > 0
}

// traceLinked says that a dream tied a crystal to another, which the detail names.
const traceLinked = "linked"

// phaseMarks are what the phases of a project have looked at, so that none looks at the same material twice.
type phaseMarks struct {
	// Replayed are the latest sessions that were gone through, with the time of their last event: one that goes on is gone
	// through once more.
	Replayed map[memory.SessionID]int64 `json:"replayed,omitempty"`
	// Compared is the document up to which crystals were compared, Thought the one up to which a model thought about them.
	Compared int64 `json:"compared,omitempty"`
	Thought  int64 `json:"thought,omitempty"`
}

func PhasesFact(id memory.ProjectID) store.Fact[phaseMarks] {
	return store.NewFact[phaseMarks]("dream/phases").Of(id)
}

// phases does what needs no language model: replay, compression, rescue. It decides while it reads and writes all of it in one
// short transaction. A second run on the same material changes nothing.
func phases(ctx context.Context, st *store.Store, settings tuning.Crystal, id memory.ProjectID) (out PhaseReport, err error) {
	p := &phasing{settings: settings, project: id, report: &out}
	err = st.View(ctx, func(tx *store.Tx) error {
		p.tx = tx
		return p.run(ctx)
	})
	if err == nil {
		err = st.UpdateDurable(ctx, p.write)
	}
	if err != nil {
		return out, fmt.Errorf("dream: phases: %w", err)
	}
	return out, nil
}

// phasing is one run of the phases.
type phasing struct {
	settings tuning.Crystal
	tx       *store.Tx
	project  memory.ProjectID
	marks    phaseMarks
	thoughts []Thought
	report   *PhaseReport
	// writes are the changes that were decided. They are made later, on crystals that may have changed or gone since.
	writes []func(*store.Tx) error
}

func (p *phasing) write(tx *store.Tx) error {
	for _, change := range p.writes {
		if err := change(tx); err != nil {
			return err
		}
	}
	return nil
}

// change decides to change a crystal, if it is still there.
func (p *phasing) change(ctx context.Context, id memory.CrystalID, change func(*store.Tx, memory.Crystal) error) {
	p.writes = append(p.writes, func(tx *store.Tx) error {
		now, err := tx.Crystal(ctx, id)
		if err != nil {
			return brain.IgnoreNotFound(err)
		}
		return change(tx, now.Crystal)
	})
}

func (p *phasing) run(ctx context.Context) (err error) {
	if p.marks, err = PhasesFact(p.project).Get(ctx, p.tx); err != nil {
		return err
	}
	kept, err := latestSaid(ctx, p.tx, p.project)
	if err != nil {
		return err
	}
	if p.thoughts, err = thoughtsOf(ctx, p.tx, kept); err != nil {
		return err
	}
	if err := errors.Join(p.replay(ctx), p.outdate(ctx)); err != nil {
		return err
	}
	p.compress(ctx)
	if err := p.rescue(ctx); err != nil {
		return err
	}
	gaps, err := GapsAmong(ctx, p.tx, p.project, kept)
	p.report.Gaps = len(gaps)
	p.writes = append(p.writes, func(tx *store.Tx) error { return PhasesFact(p.project).Set(ctx, tx, p.marks) })
	return err
}

// thoughtsOf makes crystals ready to be compared: those that live and are no documents.
func thoughtsOf(ctx context.Context, tx *store.Tx, kept []store.Kept) (thoughts []Thought, err error) {
	var ids []int64
	compared := func(c store.Kept) bool { return c.Lifecycle.Living() && len(c.Text) <= texts.ComparedMost }
	for _, c := range kept {
		if compared(c) {
			ids = append(ids, c.Document)
		}
	}
	vectors, err := tx.VectorsOf(ctx, texts.GeneralModel, ids)
	for _, c := range kept {
		if compared(c) {
			thoughts = append(thoughts, Thought{Crystal: c.Crystal, Document: c.Document, Vector: vectors[c.Document], Words: vocab.TextWords(c.Text)})
		}
	}
	return thoughts, err
}

// refreshedMost are the crystals that one dream makes more important.
const refreshedMost = 100

// replayEpisodes are the sessions that one dream goes through again: as many as it reads.
const replayEpisodes = 12

// replay goes through lively sessions again that no dream has gone through.
func (p *phasing) replay(ctx context.Context) error {
	sessions, err := p.tx.ShelvedSessions(ctx, p.project, replayEpisodes)
	if err != nil {
		return err
	}
	seen := map[memory.SessionID]int64{}
	var episodes []Episode
	for _, s := range sessions {
		last := s.LastEventAt.UnixMilli()
		seen[s.ID] = last
		if p.marks.Replayed[s.ID] >= last {
			continue
		}
		_, commits, err := p.tx.Work(ctx, s)
		if err != nil {
			return err
		}
		e := Episode{Key: s.ID.String(), From: s.OpenedAt, To: s.LastEventAt, Lively: commits > 0 || s.Learned != ""}
		if e.Files, err = p.tx.EditedBetween(ctx, s.ID, 0, math.MaxInt64, statements.AnchorsMost); err != nil {
			return err
		}
		e.Lively = e.Lively || slices.ContainsFunc(p.thoughts, func(c Thought) bool {
			return c.Valence != 0 && !c.SaidAt.Before(e.From) && !c.SaidAt.After(e.To)
		})
		if episodes = append(episodes, e); e.Lively {
			p.report.Replayed++
		}
	}
	p.marks.Replayed = seen
	gains := Replay(episodes, p.thoughts)
	order := slices.DeleteFunc(slices.Clone(p.thoughts), func(c Thought) bool { return gains[c.ID] <= 0 || c.Lifecycle == memory.Frozen })
	slices.SortStableFunc(order, func(x, y Thought) int { return cmp.Compare(gains[y.ID], gains[x.ID]) })
	for _, c := range order[:min(len(order), refreshedMost)] {
		p.change(ctx, c.ID, func(tx *store.Tx, now memory.Crystal) error {
			now.Importance += gains[c.ID]
			return tx.SaveCrystal(ctx, now)
		})
		p.report.Refreshed++
	}
	return nil
}

// outdate ends thoughts of dreams that rest on what no longer holds.
func (p *phasing) outdate(ctx context.Context) error {
	ended := map[memory.CrystalID]bool{}
	for _, c := range p.thoughts {
		if !brain.IsThought(c.Crystal) {
			continue
		}
		for _, parent := range c.Parents {
			on, err := p.tx.Crystal(ctx, parent)
			if err != nil && !brain.IsNotFound(err) {
				return err
			}
			if err == nil && on.ValidTo.IsZero() {
				continue
			}
			p.change(ctx, c.ID, func(tx *store.Tx, now memory.Crystal) error {
				now.ValidTo = tx.Now
				return errors.Join(tx.SaveCrystal(ctx, now), tx.Leave(ctx, store.Trace{Crystal: c.ID, What: statements.TraceSuperseded, Detail: string(parent)}))
			})
			ended[c.ID] = true
			p.report.Outdated++
			break
		}
	}
	p.thoughts = slices.DeleteFunc(p.thoughts, func(c Thought) bool { return ended[c.ID] })
	return nil
}

// compress makes one text of what was said several times in other words. What it is made of stays as it is.
func (p *phasing) compress(ctx context.Context) {
	cut := map[memory.CrystalID]texts.Statement{}
	statement := func(c Thought) texts.Statement {
		if _, ok := cut[c.ID]; !ok {
			cut[c.ID] = texts.NewStatement(c.Crystal, vocab.TextWords)
		}
		return cut[c.ID]
	}
	like := func(x, y Thought) bool {
		return texts.Compare(statement(x), statement(y), x.Vector.Cos(y.Vector)) != texts.Distinct
	}
	isNew := func(c Thought) bool { return c.Document > p.marks.Compared }
	for _, made := range Compress(p.thoughts, isNew, like) {
		c := memory.Crystal{
			Kind: memory.Insight, Text: made.Text, Origin: memory.OriginAgent, Source: CompressionSource, Lifecycle: memory.Generated,
			Project: made.Parents[0].Project,
		}
		for _, parent := range made.Parents { // no more trusted than the least of them
			c.Parents = append(c.Parents, parent.ID)
			c.Importance = max(c.Importance, parent.Importance)
			if parent.Origin.Tier() > c.Origin.Tier() {
				c.Origin = parent.Origin
			}
		}
		p.writes = append(p.writes, func(tx *store.Tx) error {
			c.SaidAt = tx.Now
			_, err := statements.Crystallise(ctx, p.settings, tx, c)
			return err
		})
		p.report.Compressed++
	}
	for _, c := range p.thoughts {
		p.marks.Compared = max(p.marks.Compared, c.Document)
	}
}

// rescue ties crystals that nobody ever found to their nearest, and leaves a trace of that with both.
func (p *phasing) rescue(ctx context.Context) (err error) {
	linked := func(id memory.CrystalID) bool {
		traces, failed := p.tx.Traces(ctx, id)
		err = errors.Join(err, failed)
		return slices.ContainsFunc(traces, func(t store.Trace) bool { return t.What == traceLinked })
	}
	for _, l := range Rescue(p.thoughts, linked, p.tx.Now) {
		p.change(ctx, l.Orphan, func(tx *store.Tx, _ memory.Crystal) error {
			if _, err := tx.Crystal(ctx, l.Nearest); err != nil {
				return brain.IgnoreNotFound(err)
			}
			return tx.Leave(ctx, store.Trace{Crystal: l.Orphan, What: traceLinked, Detail: string(l.Nearest)},
				store.Trace{Crystal: l.Nearest, What: traceLinked, Detail: string(l.Orphan)})
		})
		p.report.Linked++
	}
	return err
}

// ForgetThoughts deletes what dreams made of crystals that are forgotten on purpose.
func ForgetThoughts(ctx context.Context, tx *store.Tx, gone memory.CrystalID) error {
	made, err := tx.Crystals(ctx, store.CrystalFilter{Kinds: []memory.CrystalKind{memory.Insight}})
	if err != nil {
		return err
	}
	for _, c := range made {
		if brain.IsThought(c.Crystal) && slices.Contains(c.Parents, gone) {
			if err := tx.DeleteCrystal(ctx, c.ID); err != nil {
				return err
			}
		}
	}
	return nil
}
