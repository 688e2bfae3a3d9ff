package record_test

import (
	"errors"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
)

// A process that lives long keeps what its sessions have in view. What is forgotten is no longer in view.
func TestWhatIsForgottenIsNotLinkedToWhatComesNext(t *testing.T) {
	l := braintest.NewLab(t)
	forgotten := l.Touch("one", 1, memory.Edit, "a.go")
	l.Observe(l.Touch("two", 0, memory.Edit, "a.go"), forgotten, l.Touch("one", 2, memory.Edit, "b.go")) // a.go stays known
	if l.Weight("a.go", "b.go") == 0 {
		t.Fatal("two files that were edited one after the other are not linked")
	}
	in := forget.ForgetInput{IDs: []memory.EventID{forgotten.ID}, Apply: true}
	other, err := brain.Open(t.Context(), l.Config, l.Now) // as another process
	if err != nil {
		t.Fatal(err)
	}
	_, err = steward.Run(t.Context(), other, steward.Forget, in)
	must.Do(t, errors.Join(err, other.Close()))
	l.Observe(l.Touch("one", 3, memory.Edit, "c.go"))
	if l.Weight("b.go", "c.go") == 0 || l.Weight("a.go", "c.go") != 0 {
		t.Errorf("links of c.go: %v to b.go, %v to a.go, which is forgotten", l.Weight("b.go", "c.go"), l.Weight("a.go", "c.go"))
	}
}
