package forget_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// What another process forgets while a project is rebuilt does not come back with what is rebuilt.
func TestWhatIsForgottenWhileAProjectIsRebuiltStaysForgotten(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(60, append(l.SomeWork(), l.Touch("three", 40, memory.Edit, "secret/plan.go"), l.Say("three", 41, memory.Prompted, "the secret plan"),
		l.Touch("three", 42, memory.Edit, "web/auth.go"), l.Say("three", 43, memory.SessionEnded, ""))...)
	other := *l
	other.Reopen()
	forgot := false
	l.Store.Watch(func() func(store.RowCount) {
		return func(store.RowCount) {
			learns := must.Get(filepath.Glob(filepath.Join(l.Config.Cache(), "rebuild-*")))(t)
			if forgot || len(learns) == 0 {
				return
			}
			forgot = true
			braintest.Must(&other, steward.Forget, forget.ForgetInput{Session: "three", Apply: true})
		}
	})
	must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error { return record.MarkAnew(t.Context(), tx, l.Place.Project()) }))
	must.Do(t, forget.LearnAnew(t.Context(), l.Brain))
	l.Store.Watch(nil)
	if !forgot {
		t.Fatal("nothing was forgotten meanwhile")
	}
	must.Do(t, other.Close())
	l.See(61)
	for _, n := range l.Learned().Neurons {
		if n.Key == "secret/plan.go" {
			t.Errorf("it is back: %+v", n)
		}
	}
	must.Do(t, record.Pasts(l.Brain).View(t.Context(), l.Store, l.Place.Project(), func(_ *store.Tx, p *record.Past) error {
		if _, known := p.Image.Find("secret/plan.go"); known {
			t.Error("the past knows it again")
		}
		return nil
	}))
}

// A process that is killed when it has rebuilt a project leaves its copy of the log. The next drain removes it.
func TestTheStoreOfARebuildThatWasDoneDoesNotStay(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(60, l.SomeWork()...)
	left := filepath.Join(l.Config.Cache(), "rebuild-1")
	must.Do(t, os.MkdirAll(left, 0o700))
	l.See(61)
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("%s: %v", left, err)
	}
}
