// Package braintest is a memory for tests: a real store in a temporary folder, a clock, and short ways to record what happened.
package braintest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

var Start = time.Date(2026, 11, 15, 8, 0, 0, 0, time.UTC)

// lab is a brain on a real store in a folder of its own, with a clock that the test moves.
type Lab struct {
	*brain.Brain
	T     *testing.T
	Clock time.Time
	Place memory.Place
	Count int
}

// emptyStore is a store as it is after its migrations, made once: a quarter of the time of these tests went into making it.
var emptyStore = sync.OnceValues(func() (data []byte, err error) {
	dir, err := os.MkdirTemp("", "empty-store")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c, err := config.Load(func(name string) string { return map[string]string{config.EnvHome: dir}[name] })
	if err != nil {
		return nil, err
	}
	b, err := steward.Open(context.Background(), c, func() time.Time { return Start })
	if err != nil {
		return nil, err
	}
	if err := b.Close(); err != nil { // empties the log into the file
		return nil, err
	}
	return os.ReadFile(c.Database())
})

func NewLab(t *testing.T) *Lab {
	t.Helper()
	dir := t.TempDir()
	empty := must.Get(emptyStore())(t)
	c := must.Get(config.Load(func(name string) string { return map[string]string{config.EnvHome: dir}[name] }))(t)
	WriteFile(t, c.Database(), empty)
	l := &Lab{T: t, Clock: Start, Place: memory.Place{Identity: "/shop/.git", Root: "/shop"}}
	l.Brain = must.Get(steward.Open(t.Context(), c, func() time.Time { return l.Clock }))(t)
	t.Cleanup(func() {
		rows, damage, err := l.checkRows()
		if err != nil || len(damage) > 0 {
			t.Errorf("after %s: %d rows, damage %v, %v", t.Name(), rows, damage, err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// Reopen opens the store again after a test has closed it.
func (l *Lab) Reopen() {
	l.T.Helper()
	var err error
	if l.Brain, err = steward.Open(context.Background(), l.Config, func() time.Time { return l.Clock }); err != nil {
		l.T.Fatal(err)
	}
}

func (l *Lab) checkRows() (rows int64, damage []store.Damage, err error) {
	err = l.Store.View(context.Background(), func(tx *store.Tx) error {
		rows, damage, err = tx.CheckRows(context.Background())
		return err
	})
	return rows, damage, err
}

// Event is one of the agent's run "run", some minutes after start.
func (l *Lab) Event(kind memory.EventKind, minutes float64) memory.Event {
	l.Count++
	return memory.Event{
		ID: memory.DerivedEventID(l.T.Name(), fmt.Sprint(l.Count)), At: Start.Add(time.Duration(minutes * float64(time.Minute))), Kind: kind,
		Origin: memory.OriginTool, Agent: "claude-code", AgentSession: "run", Place: l.Place, Text: fmt.Sprint("text ", l.Count),
	}
}

// See spools events and drains them at a number of minutes after start.
func (l *Lab) See(minutes float64, events ...memory.Event) steward.DrainResult {
	l.T.Helper()
	return l.Drains(minutes, steward.DrainInput{}, events...)
}

// Drains is See as the background does after a hook, or as somebody who calls hebb drain.
func (l *Lab) Drains(minutes float64, in steward.DrainInput, events ...memory.Event) steward.DrainResult {
	l.T.Helper()
	l.Clock, in.Wait = Start.Add(time.Duration(minutes*float64(time.Minute))), true
	l.spool(events)
	return Must(l, steward.Drain, in)
}

func (l *Lab) spool(events []memory.Event) {
	l.T.Helper()
	for _, e := range events {
		must.Do(l.T, l.Spool.Append(e))
	}
}

func (l *Lab) Sessions() []memory.Session {
	l.T.Helper()
	return Must(l, inspect.Sessions, inspect.SessionsInput{Scope: brain.Scope{All: true}})
}

func (l *Lab) Events() []memory.StoredEvent {
	l.T.Helper()
	return Must(l, inspect.Events, inspect.EventsInput{Scope: brain.Scope{All: true}})
}

// ProjectClock counts the sessions closed in the lab's project.
func (l *Lab) ProjectClock() int64 {
	l.T.Helper()
	for _, p := range Must(l, inspect.Projects, struct{}{}) {
		if p.Identity == l.Place.Identity {
			return p.Clock
		}
	}
	return 0
}
