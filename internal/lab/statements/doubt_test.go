package statements_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
)

// What the person laid down holds while code changes; what is said to be so does not. What is gone is doubted whoever said it.
func TestDoubtDependsOnWhoSaidWhatAndOnWhatChanged(t *testing.T) {
	changed := strings.ReplaceAll(retryCode, "tries := 3", "tries := 5")
	without := strings.ReplaceAll(retryCode, "Retry", "Again")
	for _, c := range []struct {
		name   string
		kind   memory.CrystalKind
		by     memory.Origin
		tied   string
		after  string // the file; empty: it is gone
		doubt  string
		hidden bool
	}{
		{"a rule about a file that changed", memory.Rule, memory.OriginUser, "client.go", changed, "", false},
		{"a decision about a function that changed", memory.Decision, memory.OriginUser, "client.go#Retry", changed, "", false},
		{"a rule about a function that is gone", memory.Rule, memory.OriginUser, "client.go#Retry", without, " (Retry in client.go is gone)", false},
		{"a rule about a file that is gone", memory.Rule, memory.OriginUser, "client.go", "", " (client.go is gone)", false},
		{"a fact about a file that changed", memory.Fact, memory.OriginUser, "client.go", changed, " (client.go changed since)", false},
		{"a fact about a function beside one that changed", memory.Fact, memory.OriginUser, "client.go#Other", changed, "", false},
		{"a lesson about a function that changed", memory.Lesson, memory.OriginUser, "client.go#Retry", changed, " (Retry in client.go changed since)", false},
		{"an agent's rule about a file that changed", memory.Rule, memory.OriginAgent, "client.go", changed, " (client.go changed since)", false},
		{"an agent's lesson about a file that is gone", memory.Lesson, memory.OriginAgent, "client.go", "", " (client.go is gone)", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := braintest.NewLibrary(t)
			l.Write("client.go", retryCode)
			kept := l.Remember("what was seen to happen at noon", braintest.Of(c.kind), braintest.By(c.by), braintest.TiedTo(c.tied))
			if c.after == "" {
				must.Do(t, os.Remove(filepath.Join(l.Dir, "client.go")))
			} else {
				l.Write("client.go", c.after)
			}
			now := statements.CodeAt(memory.EscapePath(filepath.ToSlash(l.Dir)), 1<<20).Doubt(kept.Crystal)
			if now.String() != c.doubt || now.Told() == c.hidden {
				t.Errorf("doubt %q, told %t", now, now.Told())
			}
			listed := braintest.Must(l.Lab, statements.CheckCrystals, statements.CheckInput{Scope: l.Scope()})
			if (len(listed) == 1) != (c.doubt != "") || len(listed) == 1 && listed[0].String() != c.doubt {
				t.Errorf("hebb memories check lists %v, and a moment says %q", listed, c.doubt)
			}
			if unread := statements.CodeAt(memory.EscapePath(filepath.ToSlash(l.Dir)), 10).Doubt(l.Crystal(kept.ID)); c.after != "" && (unread.String() != "") != (c.doubt != "") {
				t.Errorf("where the code is too large to be read at once, the last check counts, not %q", unread)
			}
		})
	}
}

// What the person says again speaks of the code as it is by then.
func TestWhatIsSaidAgainIsTiedToTheCodeOfNow(t *testing.T) {
	l := braintest.NewLibrary(t)
	l.Write("client.go", retryCode)
	const fact = "the client gives up early"
	l.Remember(fact, braintest.TiedTo("client.go"))
	l.Write("client.go", strings.ReplaceAll(retryCode, "tries := 3", "tries := 5"))
	check := func() []statements.Doubtful {
		return braintest.Must(l.Lab, statements.CheckCrystals, statements.CheckInput{Scope: l.Scope()})
	}
	if list := check(); len(list) != 1 {
		t.Fatalf("%d need a check", len(list))
	}
	l.Remember(fact, braintest.TiedTo("client.go"))
	if list := check(); len(list) != 0 {
		t.Errorf("said again and still doubted: %v", list)
	}
	whats := []string{}
	for _, trace := range braintest.Must(l.Lab, statements.WhyCrystal, statements.ProvenanceInput{ID: string(l.Crystals()[0].ID)}).Traces {
		whats = append(whats, trace.What)
	}
	if want := []string{"said", "doubted", statements.TraceSaidAgain}; !slices.Equal(whats, want) {
		t.Errorf("traces %q, want %q", whats, want)
	}
}
