package views

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/typed"
)

// lastSessions are as many as are looked at for one that was open at a time.
const lastSessions = 500

// silentMost is the time without an event after which a session is taken to be over, closed or not.
const silentMost = 24 * time.Hour

// editor says whose the change of a file is that was made at a time.
func (f files) editor(ctx context.Context, name string, at time.Time) (typed.Editor, error) {
	e := typed.Edit{Asked: name == f.edited}
	err := f.b.Store.View(ctx, func(tx *store.Tx) error {
		open, err := SessionsAt(ctx, tx, at)
		e.Open = len(open) > 0
		for _, s := range open {
			if err != nil || e.Reported {
				break
			}
			e.Reported, err = reported(ctx, tx, s.ID, path.Join(path.Base(string(f.vault)), name))
		}
		return err
	})
	return e.By(), err
}

// SessionsAt are the sessions of agents that were open at a time.
func SessionsAt(ctx context.Context, tx *store.Tx, at time.Time) (open []memory.Session, err error) {
	all, err := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Limit: lastSessions})
	for _, s := range all {
		over := !s.ClosedAt.IsZero() && s.ClosedAt.Before(at) && s.LastEventAt.Before(at) || at.Sub(s.LastEventAt) > silentMost
		if s.Agent != memory.AgentGit && s.Agent != memory.AgentUser && !s.OpenedAt.After(at) && !over {
			open = append(open, s)
		}
	}
	return open, err
}

// reported says that a session edited a file, or ran a command that names it.
func reported(ctx context.Context, tx *store.Tx, s memory.SessionID, file string) (bool, error) {
	events, err := tx.Events(ctx, store.EventFilter{Session: s})
	return slices.ContainsFunc(events, func(e memory.StoredEvent) bool {
		return strings.Contains(e.Input, path.Base(file)) || slices.ContainsFunc(e.Touches, func(t memory.Touch) bool {
			return t.Kind == memory.Edit && strings.HasSuffix(t.Path, "/"+file)
		})
	}), err
}

// waits says what the person does about an edit that may not be theirs.
func (f files) waits(name string, by typed.Editor) string {
	who := "while an agent worked, so it may be the agent's"
	if by == typed.ByAgent {
		who = "by an agent"
	}
	return fmt.Sprintf("%s was changed %s. It is not taken as yours until you save it with `hebb memories read %s --edit`, or while no agent works",
		f.path(name), who, pageOf(name))
}
