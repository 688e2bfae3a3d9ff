package answer

import (
	"context"
	"fmt"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	triedFiles    = 15 // ranked files that a trial shows, whether they pass or not
	triedMemories = 8  // and memories
)

// TryInput is a prompt that nobody sent, in one project.
type TryInput struct {
	brain.Scope
	Text string `json:"text"`
}

// TryResult is what a session's first prompt would be shown, and what was weighed for it. It leaves no trace.
type TryResult struct {
	// Shown is the answer as the agent would read it, nothing being withheld for comparison.
	Shown Shown `json:"shown"`
	// Agent is the one that would read it: that of the latest session.
	Agent     memory.Agent `json:"agent"`
	Tokens    int          `json:"tokens"`
	Budget    int          `json:"budget"`
	MostFiles int          `json:"most_files"` // files that an answer names
	// Silent says why there is no answer.
	Silent   string             `json:"silent,omitempty"`
	Files    []ranking.Recalled `json:"files"`
	Fixes    []ranking.Recalled `json:"fixes"`
	FileGate float64            `json:"file_gate"` // confidence from which a file is shown
	Memories []TriedMemory      `json:"memories"`
	// MemoryGate is the probability from which a memory is shown.
	MemoryGate float64 `json:"memory_gate"`
}

// TriedMemory is a memory and the probability that the prompt needs it.
type TriedMemory struct {
	memory.Crystal
	Probability float64 `json:"probability"`
}

// Try answers a prompt that nobody sent.
var Try = brain.Operation[TryInput, TryResult]{
	Name: "try",
	Run: func(ctx context.Context, b *brain.Brain, in TryInput) (TryResult, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (out TryResult, err error) {
			id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
			if err != nil {
				return out, err
			}
			if id == 0 {
				return out, fmt.Errorf("try a prompt: choose one project: %w", memory.ErrInvalid)
			}
			p, err := tx.Project(ctx, id)
			if err != nil {
				return out, err
			}
			asked := memory.AgentUser
			latest, err := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: id, Limit: 1})
			if err != nil {
				return out, err
			}
			if len(latest) > 0 {
				asked = latest[0].Agent
			}
			e := memory.Event{
				ID: memory.DerivedEventID("try", in.Text), At: tx.Now, Kind: memory.Prompted, Origin: memory.OriginUser, Agent: asked,
				AgentSession: "try", Place: memory.Place{Identity: p.Identity, Root: p.Root}, Text: in.Text,
			}
			out, err = try(ctx, newReply(newSheet(b, e), tx))
			out.Agent = asked
			return out, err
		})
	},
}

func try(ctx context.Context, r *reply) (out TryResult, err error) {
	r.tuning.Holdout = 0
	out = TryResult{
		Budget: r.budget, Files: []ranking.Recalled{}, Fixes: []ranking.Recalled{}, Memories: []TriedMemory{},
		FileGate: recall.Gate(r.tuning.Precision), MemoryGate: sure,
	}
	if !isTask(r.to) {
		out.Silent = "This is no task: commands and a word between two tasks are not answered."
		return out, nil
	}
	if err := out.weigh(ctx, r); err != nil {
		return out, err
	}
	_, _, failed := ranking.Met(r.project, brain.Question(r.to.Text))
	if !failed && !tells(r.to.Text) {
		out.Silent = "Its words name nothing: no file or memory can be told by them."
		return out, nil
	}
	if out.Shown, err = r.compose(ctx); err != nil {
		return out, err
	}
	out.Shown.Receipt, out.MostFiles = nil, r.tuning.ShowFiles
	for _, l := range out.Shown.Lines {
		out.Tokens += l.Tokens
	}
	if len(out.Shown.Lines) == 0 {
		out.Silent = "Nothing is likely enough: silence costs nothing."
	}
	return out, nil
}

// weigh ranks files and memories as the answer does, those that do not pass included.
func (t *TryResult) weigh(ctx context.Context, r *reply) error {
	found, err := ranking.RecallFiles(ctx, r.brain, r.tx, ranking.RecallInput{
		Scope: brain.Scope{Project: r.project.String()}, Text: r.to.Text, Next: true, Limit: triedFiles, Explain: true,
	})
	if brain.IgnoreNotFound(err) != nil {
		return err
	}
	if err := ranking.GiveReasons(ctx, r.tx, found.Files); err != nil {
		return err
	}
	t.Files, t.Fixes = append(t.Files, found.Files...), append(t.Fixes, found.Fixes...)
	all, err := r.statements(ctx, r.to.Text)
	if err != nil {
		return err
	}
	all = statements.Holding(all, r.tx.Now)
	slices.SortStableFunc(all, func(a, b store.Kept) int { return a.SaidAt.Compare(b.SaidAt) })
	var list []string
	for _, c := range all {
		list = append(list, c.Text)
	}
	for _, choice := range Likeliest(r.to.Text, list, triedMemories) {
		t.Memories = append(t.Memories, TriedMemory{all[choice.Index].Crystal, rounded(choice.Probability)})
	}
	return nil
}
