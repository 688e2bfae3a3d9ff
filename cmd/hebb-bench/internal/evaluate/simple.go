package evaluate

import (
	"context"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/replay"
)

// simple answers with the simple methods of package replay. A finished session teaches what a
// commit of the files that it opened would, under the words of its prompts.
type simple struct{ *replay.Simple }

// NewSimple fits NewLearner.
func NewSimple(context.Context, string) (Learner, error) { return simple{replay.NewSimple()}, nil }

// Session learns a finished session.
func (s simple) Session(ctx context.Context, over AgentSession) error {
	c := Commit{Hash: over.ID, At: over.End()}
	for _, e := range over.Opens() {
		if !slices.ContainsFunc(c.Files, func(f Change) bool { return f.Path == e.Target }) {
			c.Files = append(c.Files, Change{Path: e.Target, Status: replay.Modified})
		}
	}
	var prompts []string
	for _, p := range over.Prompts {
		prompts = append(prompts, p.Text)
	}
	c.Subject, c.FileCount = strings.Join(prompts, " "), len(c.Files)
	return s.Commit(ctx, c)
}
