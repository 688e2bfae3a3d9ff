package ranking

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/config"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	toolCallsRead = 5000 // latest tool calls of a project that the next tool is predicted from (some fifty sessions)
	nextTools     = 3    // tools that hebb sessions predict names as likely next (what later ones add is noise)
)

// PredictInput chooses the session to look ahead of.
type PredictInput struct {
	record.SessionInput
	// Tool is the one just used; empty takes the session's last.
	Tool  string `json:"tool,omitempty" flag:"tool,t" about:"the tool just used, instead of the session's last"`
	Limit int    `json:"limit,omitempty" flag:"limit,n" about:"files to name"`
}

// PredictResult is what comes next.
type PredictResult struct {
	Session *memory.Session `json:"session,omitempty"` // nil where no agent has worked yet
	Files   []Recalled      `json:"files"`
	Tool    string          `json:"tool,omitempty"` // the one just used
	Tools   []NextTool      `json:"tools"`
	// Followed is how often that tool was followed by another, or by itself.
	Followed int `json:"followed"`
}

// NextTool is a tool that came after another.
type NextTool struct {
	Tool  string  `json:"tool"`
	Count int     `json:"count"`
	Share float64 `json:"share"` // of all that came after it
}

// Predict says which file a session opens next, and which tool it uses next.
var Predict = brain.Operation[PredictInput, PredictResult]{
	Name: "predict",
	Run: func(ctx context.Context, b *brain.Brain, in PredictInput) (PredictResult, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (PredictResult, error) {
			session, err := sessionIfAny(ctx, b.Config, tx, in.SessionInput)
			if err != nil {
				return PredictResult{}, err
			}
			return NewQuery(b, tx).predict(ctx, session, in)
		})
	},
}

// predict looks ahead of a session, of which there may be none.
func (a *Query) predict(ctx context.Context, s *memory.Session, in PredictInput) (PredictResult, error) {
	out := PredictResult{Session: s, Files: []Recalled{}, Tools: []NextTool{}, Tool: in.Tool}
	if s == nil {
		return out, nil
	}
	prompt, err := a.tx.PromptBefore(ctx, s.ID, a.tx.Now)
	if err != nil {
		return out, err
	}
	recalled, err := a.files(ctx, []memory.ProjectID{s.Project}, RecallInput{
		Text: prompt, Session: s.ID.String(), Next: true, Limit: in.Limit, Precedents: true,
	})
	if err != nil {
		return out, err
	}
	out.Files = recalled.Files
	return out, toolsAfter(ctx, a.tx, *s, &out)
}

// sessionIfAny is the session that was named, else the newest of the scope, nil where there is none.
func sessionIfAny(ctx context.Context, c config.Config, tx *store.Tx, in record.SessionInput) (*memory.Session, error) {
	if in.Session != "" {
		s, err := record.FindSession(ctx, tx, in.Session)
		return &s, err
	}
	id, err := brain.Resolve(ctx, tx, c, in.Scope)
	if err != nil {
		return nil, err
	}
	newest, err := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: id, Limit: 1})
	if err != nil || len(newest) == 0 {
		return nil, err
	}
	return &newest[0], nil
}

// toolsAfter counts what came after the tool just used, in the latest calls of the session's project.
func toolsAfter(ctx context.Context, tx *store.Tx, s memory.Session, out *PredictResult) error {
	if out.Tool == "" {
		last, err := tx.LatestTools(ctx, s.Project, s.ID, 1)
		if err != nil || len(last) == 0 {
			return err
		}
		out.Tool = last[0].Tool
	}
	calls, err := tx.LatestTools(ctx, s.Project, 0, toolCallsRead)
	if err != nil {
		return err
	}
	counts := followers(calls, out.Tool)
	for tool, n := range counts {
		out.Tools = append(out.Tools, NextTool{Tool: tool, Count: n})
		out.Followed += n
	}
	for i := range out.Tools {
		out.Tools[i].Share = float64(out.Tools[i].Count) / float64(out.Followed)
	}
	slices.SortFunc(out.Tools, func(a, b NextTool) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Tool, b.Tool))
	})
	out.Tools = out.Tools[:min(len(out.Tools), nextTools)]
	return nil
}

// followers counts which tools came right after one, in calls that stand newest first. An agent's helpers work side by
// side with it: what follows is what the same hand did next.
func followers(calls []memory.StoredEvent, tool string) map[string]int {
	type hand struct {
		session  memory.SessionID
		subagent string
	}
	next, counts := map[hand]string{}, map[string]int{}
	for _, c := range calls {
		by := hand{c.Session, c.Subagent}
		if after, ok := next[by]; ok && strings.EqualFold(c.Tool, tool) {
			counts[after]++
		}
		next[by] = c.Tool
	}
	return counts
}
