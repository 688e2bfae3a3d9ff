package learn

import (
	"context"
	"strings"

	"github.com/hebb-memory/hebb/internal/bootstrap"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/outline"
	"github.com/hebb-memory/hebb/internal/snippet"
	"github.com/hebb-memory/hebb/internal/store"
)

// AdviceInput names a file that is new or touched.
type AdviceInput struct {
	Dir  string `json:"dir"`
	Path string `json:"path"` // from the top of the project
}

// AdviceResult is one line, empty where no project convention applies to the file.
type AdviceResult struct {
	Advice string `json:"advice"`
}

// Advise says what the project conventions ask of a file: where its test lives, what files there are called.
var Advise = brain.Operation[AdviceInput, AdviceResult]{
	Name: "advice", Summary: "Say what the project conventions ask of a file",
	Run: func(ctx context.Context, b *brain.Brain, in AdviceInput) (out AdviceResult, err error) {
		place, err := b.PlaceAt(in.Dir)
		if err != nil {
			return out, err
		}
		git, err := bootstrap.At(place)
		if err != nil {
			return out, err
		}
		paths, err := git.Files(ctx)
		if err != nil {
			return out, err
		}
		var types []snippet.Snippet
		err = b.Store.View(ctx, func(tx *store.Tx) error {
			return tx.EachTitle(ctx, place.Project(), memory.SnippetText, func(path, title, text string) error {
				kind, _, _ := strings.Cut(text, " ")
				types = append(types, snippet.Snippet{Path: path, Name: title, Kind: outline.Kind(kind)})
				return nil
			})
		})
		if err != nil {
			return out, err
		}
		out.Advice = snippet.Learn(paths, types).Advice(memory.EscapePath(strings.TrimPrefix(in.Path, "./")))
		return out, nil
	},
}
