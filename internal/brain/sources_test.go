package brain

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
)

func TestASourceThatIsLeftOutIsNotSearched(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.see(2, l.asked("one", "is the voucher printer of the till paid for", 1))
	if _, err := Run(t.Context(), l.Brain, Remember, RememberInput{Scope: l.scope(), Text: "The till needs a voucher printer."}); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), l.Brain, Drain, DrainInput{}); err != nil {
		t.Fatal(err)
	}
	kinds := func(in SearchInput) (kinds []string) {
		t.Helper()
		in.Scope, in.Query = l.scope(), "voucher printer till"
		out, err := Run(t.Context(), l.Brain, SearchTexts, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range out.Found {
			if !slices.Contains(kinds, f.Kind) {
				kinds = append(kinds, f.Kind)
			}
		}
		slices.Sort(kinds)
		return kinds
	}
	if got := kinds(SearchInput{}); !slices.Equal(got, []string{"fact", "session"}) {
		t.Errorf("by default %q are found", got)
	}
	l.config.Search = config.Search{SkipSessions: true}
	if got := kinds(SearchInput{}); !slices.Equal(got, []string{"fact"}) {
		t.Errorf("without sessions %q are found", got)
	}
	_, err := Run(t.Context(), l.Brain, SearchTexts, SearchInput{Scope: l.scope(), Query: "voucher", Sessions: true})
	if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), `add "sessions" there`) {
		t.Errorf("who asks for sessions hears %v", err)
	}
	l.config.Search = config.Search{SkipMemory: true}
	if got := kinds(SearchInput{}); !slices.Equal(got, []string{"session"}) {
		t.Errorf("without memories %q are found", got)
	}
	if got := kinds(SearchInput{Sessions: true}); !slices.Equal(got, []string{"session"}) {
		t.Errorf("in sessions, without memories, %q are found", got)
	}
}
