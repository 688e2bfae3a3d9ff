package learn

import (
	"context"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/code"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
)

// AdviceInput names a file that is to be made.
type AdviceInput struct {
	Dir  string `json:"dir"`
	Path string `json:"path"` // from the top of the project
}

// AdviceResult is one line, empty where no project convention applies to the file.
type AdviceResult struct {
	Advice string `json:"advice"`
}

// Advise says what the project conventions ask of a file that is to be made, as an agent is told before it writes one.
var Advise = brain.Operation[AdviceInput, AdviceResult]{
	Name: "advice", Summary: "Say what the project conventions ask of a file",
	Run: func(ctx context.Context, b *brain.Brain, in AdviceInput) (out AdviceResult, err error) {
		place, err := b.PlaceAt(in.Dir)
		if err != nil {
			return out, err
		}
		repo, err := git.At(place)
		if err != nil {
			return out, err
		}
		paths, err := repo.Files(ctx)
		if err != nil {
			return out, err
		}
		rule, test := code.Learn(paths).Ahead(memory.EscapePath(strings.TrimPrefix(in.Path, "./")))
		if out.Advice = code.Line(rule); test != "" {
			out.Advice += "; for this one: " + test
		}
		return out, nil
	},
}
