package transfer_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

func TestASourceThatIsLeftOutIsNotSearched(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(2, l.Asked("one", "is the voucher printer of the till paid for", 1))
	must.Get(steward.Run(t.Context(), l.Brain, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: "The till needs a voucher printer."}))(t)
	must.Get(steward.Run(t.Context(), l.Brain, steward.Drain, steward.DrainInput{}))(t)
	kinds := func(in texts.SearchInput) (kinds []string) {
		t.Helper()
		in.Scope, in.Query = l.Scope(), "voucher printer till"
		out := must.Get(steward.Run(t.Context(), l.Brain, answer.SearchTexts, in))(t)
		for _, f := range out.Found {
			if !slices.Contains(kinds, f.Kind) {
				kinds = append(kinds, f.Kind)
			}
		}
		slices.Sort(kinds)
		return kinds
	}
	if got := kinds(texts.SearchInput{}); !slices.Equal(got, []string{"fact", "session"}) {
		t.Errorf("by default %q are found", got)
	}
	l.Config.Search = config.Search{SkipSessions: true}
	if got := kinds(texts.SearchInput{}); !slices.Equal(got, []string{"fact"}) {
		t.Errorf("without sessions %q are found", got)
	}
	_, err := steward.Run(t.Context(), l.Brain, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: "voucher", Sessions: true})
	if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), `add "sessions" there`) {
		t.Errorf("a search in sessions returned %v", err)
	}
	l.Config.Search = config.Search{SkipMemory: true}
	if got := kinds(texts.SearchInput{}); !slices.Equal(got, []string{"session"}) {
		t.Errorf("without memories %q are found", got)
	}
	if got := kinds(texts.SearchInput{Sessions: true}); !slices.Equal(got, []string{"session"}) {
		t.Errorf("in sessions, without memories, %q are found", got)
	}
}
