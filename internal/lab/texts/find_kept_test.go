package texts_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

// answered asks one question and returns the whole answer.
func answered(t *testing.T, b *brain.Brain, dir, query string) string {
	t.Helper()
	out := must.Get(steward.Run(t.Context(), b, answer.SearchTexts, texts.SearchInput{Scope: brain.Scope{Dir: dir}, Query: query, Limit: 10}))(t)
	text := must.Get(json.MarshalIndent(out, "", " "))(t)
	return string(text)
}

// serving is a process that goes on, beside those that desk.with starts. For it, all is said two days ago.
func serving(t *testing.T, c config.Config) *brain.Brain {
	t.Helper()
	b := must.Get(brain.Open(t.Context(), c, func() time.Time { return braintest.Start.Add(48 * time.Hour) }))(t)
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func TestAServerAnswersAsAProcessThatAsksOnce(t *testing.T) {
	t.Parallel()
	d := braintest.NewDesk(t)
	server := serving(t, d.Serving())
	r := rand.New(rand.NewPCG(5, 8))
	pool := strings.Fields("login parser token cookie build cache store index always error fix plan deploy friday postgres schema review")
	words := func(n int) string {
		some := make([]string, n)
		for i := range some {
			some[i] = pool[min(r.IntN(len(pool)), r.IntN(len(pool)))]
		}
		return strings.Join(some, " ")
	}
	var kept []memory.CrystalID
	remember := func() {
		d.With(func(b *brain.Brain) error {
			out, err := steward.Run(t.Context(), b, statements.Remember, statements.RememberInput{Scope: brain.Scope{Dir: d.Dir}, Text: fmt.Sprintf("%s %d", words(4+r.IntN(8)), len(kept))})
			kept = append(kept, out.ID)
			return err
		})
	}
	for range 25 {
		remember()
	}
	for round := range 12 {
		switch i := r.IntN(len(kept)); round % 3 {
		case 1:
			remember()
		case 2:
			d.With(func(b *brain.Brain) error {
				_, err := steward.Run(t.Context(), b, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{memory.EventID(kept[i])}, Apply: true})
				return err
			})
			kept = append(kept[:i], kept[i+1:]...)
		}
		for range 4 {
			query := words(1 + r.IntN(4))
			if r.IntN(3) == 0 {
				query += " kind:fact"
			}
			if got, want := answered(t, server, d.Dir, query), answered(t, serving(t, d.Config), d.Dir, query); got != want {
				t.Fatalf("round %d, %q: the server answers\n%s\nand a new process\n%s", round, query, got, want)
			}
		}
	}
}

func TestAServerKnowsNothingOfWhatARestoreTookAway(t *testing.T) {
	t.Parallel()
	d := braintest.NewDesk(t)
	server := serving(t, d.Serving())
	say := func(text string) {
		d.With(func(b *brain.Brain) error {
			_, err := steward.Run(t.Context(), b, statements.Remember, statements.RememberInput{Scope: brain.Scope{Dir: d.Dir}, Text: text})
			return err
		})
	}
	found := func(query string) (documents []string) {
		t.Helper()
		out := must.Get(steward.Run(t.Context(), server, answer.SearchTexts, texts.SearchInput{Scope: brain.Scope{Dir: d.Dir}, Query: query, Limit: 10}))(t)
		for _, f := range out.Found {
			documents = append(documents, f.Text)
		}
		return documents
	}
	say("the parser reads tokens")
	copied := d.Backup(filepath.Join(t.TempDir(), "copy.db")).File
	say("the login needs a cookie")
	if got := found("login cookie"); len(got) != 1 {
		t.Fatalf("found %q", got)
	}
	d.MustRestore(copied)
	say("postgres runs on port 5433") // has the number that the login had
	if got := found("login cookie"); len(got) != 0 {
		t.Errorf("what was taken away is found: %q", got)
	}
	if got := found("postgres port"); len(got) != 1 || got[0] != "postgres runs on port 5433" {
		t.Errorf("found %q", got)
	}
}
