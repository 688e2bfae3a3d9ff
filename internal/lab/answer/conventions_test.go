package answer_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/code"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// The folder of the lab's project does not exist, so all of its files are new.
func TestAConventionIsSaidOnceInASession(t *testing.T) {
	l := newSite(t)
	var paths []string
	for i := range 9 {
		paths = append(paths, fmt.Sprintf("http/h%d_handler.go", i), fmt.Sprintf("store/s%d.go", i), fmt.Sprintf("store/s%d_test.go", i))
	}
	must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error {
		return statements.ConventionsFact(l.Place.Project()).Set(t.Context(), tx, code.Learn(paths))
	}))
	const ending, tested = "- repo: 9 of 9 .go files in http end in _handler.go\n", "- repo: 9 of 9 .go files in store have a test; for this one: store/page_test.go\n"
	out := l.edits("run", "http/login.go")
	shows(t, "a new file", out, ending)
	if len(out.Lines) != 1 || out.Lines[0].Offer != memory.OfferConvention || out.Lines[0].Moment != memory.AtEdit || out.Lines[0].Path != "" {
		t.Errorf("lines %+v", out.Lines)
	}
	shows(t, "the same file", l.edits("run", "http/login.go"), "") // the receipt waits in the spool
	shows(t, "another file that breaks the same convention", l.edits("run", "http/logout.go"), "")
	shows(t, "another convention", l.edits("run", "store/page.go"), tested)
	l.Later(time.Second)
	shows(t, "after the receipts are stored", l.edits("run", "http/logout.go"), "")
	shows(t, "a file that is deleted", l.planned("two", func(e *memory.Event) {
		e.Tool, e.Touches = "Bash", []memory.Touch{{Kind: memory.Delete, Path: "http/login.go"}}
	}), "")
	shows(t, "a file outside of the project", l.edits("two", "/http/login.go"), "")
	shows(t, "a patch of two files", l.planned("two", func(e *memory.Event) {
		e.Tool, e.Touches = "apply_patch", []memory.Touch{{Kind: memory.Edit, Path: "store/page.go"}, {Kind: memory.Edit, Path: "http/login.go"}}
	}), tested)

	compacted := l.Event(memory.Compacting, 0)
	compacted.At, compacted.AgentSession = l.Clock, "run"
	l.Observe(compacted)
	l.Later(time.Second)
	shows(t, "after a compaction", l.edits("run", "http/logout.go"), ending)

	l.remember(memory.Rule, "http/logout.go must not read the body")
	shows(t, "a file with a rule", l.edits("three", "http/logout.go"), "http/logout.go must not read the body")
	shows(t, "once the rule was shown", l.edits("three", "http/logout.go"), ending)
}
