package desk

import (
	"context"
	"fmt"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// UnwatchedRun begins the names of runs that no hook watches: what is known of them came through another door.
const UnwatchedRun = "mcp-"

// AttendInput is an action of an agent that hooks may or may not watch.
type AttendInput struct {
	Dir   string       `json:"dir"`
	Agent memory.Agent `json:"agent"`
	// Known is the agent's own name for its run, if known.
	Known string `json:"known,omitempty"`
	// Run is the name of the run if nothing else is known of it; it begins with UnwatchedRun.
	Run string `json:"run"`
	// Tool and Input are what the agent does.
	Tool  string `json:"tool"`
	Input string `json:"input,omitempty"`
}

// Attendance is the session of an action.
type Attendance struct {
	Session memory.SessionID `json:"session"`
	// Own says that no hook watches the agent: the session is one of its own, and ends when Leave says so.
	Own bool `json:"own"`
}

// Attend finds the session in which an agent works. One that hooks watch has it already, and they see what it does; any other
// begins one with its first action, which is recorded.
var Attend = brain.Operation[AttendInput, Attendance]{
	Name: "attend",
	Run: func(ctx context.Context, b *brain.Brain, in AttendInput) (out Attendance, err error) {
		place, err := brain.PlaceAt(b.Config, in.Dir)
		if err != nil {
			return out, err
		}
		if b.Config.Paused(place.Project()) {
			return out, nil // what an agent asks there is not watched; what it wants kept is kept without a session
		}
		watched, err := brain.View(ctx, b.Store, func(tx *store.Tx) (memory.SessionID, error) {
			return watchedSession(ctx, b.Config.Tuning.Session, tx, place.Project(), in)
		})
		if err != nil || watched != 0 {
			return Attendance{Session: watched}, err
		}
		now := b.Now()
		begin := memory.Event{
			ID: memory.DerivedEventID(in.Run, place.Identity, "begin"), At: now, Kind: memory.SessionStarted, Origin: memory.OriginTool, Agent: in.Agent,
			AgentSession: in.Run, Place: place, Input: "startup",
		}
		action := begin
		action.Kind, action.Tool, action.Input = memory.ToolUsed, in.Tool, in.Input
		if action.ID, err = b.Store.NewID(); err != nil {
			return out, err
		}
		err = record.Recording(ctx, b, b.Store.Update, func(r *record.Recorder) error {
			_, err := r.RecordAll(ctx, begin, action)
			return err
		})
		return Attendance{Session: memory.NewSessionID(in.Agent, in.Run, place.Project()), Own: true}, err
	},
}

// watchedSession is the session of an agent that hooks watch: the one it named, else the newest that has not ended and has recent
// events; one that was wrapped up continues with the next action. 0 where there is none.
func watchedSession(ctx context.Context, settings tuning.Session, tx *store.Tx, id memory.ProjectID, in AttendInput) (memory.SessionID, error) {
	latest, err := tx.Sessions(ctx, store.SessionFilter{Project: id, Limit: latestSessions})
	if err != nil {
		return 0, err
	}
	for _, s := range latest {
		if s.Agent != in.Agent || strings.HasPrefix(s.AgentSession, UnwatchedRun) {
			continue
		}
		goesOn := s.CloseReason != memory.ClosedByAgent && tx.Now.Sub(s.LastEventAt) < settings.OrphanAfter()
		if in.Known == s.AgentSession || in.Known == "" && goesOn {
			return s.ID, nil
		}
	}
	return 0, nil
}

// latestSessions are looked through: more agents do not work in a project at once.
const latestSessions = 50

// LeaveInput is a run that ends.
type LeaveInput struct {
	Dir   string       `json:"dir"`
	Agent memory.Agent `json:"agent"`
	Run   string       `json:"run"`
}

// Leave closes the sessions that Attend began for a run, in whatever project.
var Leave = brain.Operation[LeaveInput, struct{}]{
	Name: "leave",
	Run: func(ctx context.Context, b *brain.Brain, in LeaveInput) (out struct{}, err error) {
		place, err := brain.PlaceAt(b.Config, in.Dir)
		if err != nil {
			return out, err
		}
		return out, record.Recording(ctx, b, b.Store.Update, func(r *record.Recorder) error {
			return r.EndRun(ctx, memory.Event{At: r.Tx.Now, Kind: memory.SessionEnded, Agent: in.Agent, AgentSession: in.Run, Place: place})
		})
	},
}

// PauseInput chooses the project in which hebb is to pause, or to go on.
type PauseInput struct {
	brain.Scope
	Pause bool `json:"pause"`
}

// PauseResult says what is so now.
type PauseResult struct {
	Project memory.ProjectID `json:"project"`
	Paused  bool             `json:"paused"`
	Changed bool             `json:"changed"`
}

// PauseProject makes hebb neither watch nor speak in a project, until it is resumed.
var PauseProject = brain.Operation[PauseInput, PauseResult]{
	Name: "pause",
	Run: func(ctx context.Context, b *brain.Brain, in PauseInput) (out PauseResult, err error) {
		if in.All {
			return out, fmt.Errorf("pause one project at a time: %w", memory.ErrInvalid)
		}
		out.Paused = in.Pause
		out.Project, err = brain.View(ctx, b.Store, func(tx *store.Tx) (memory.ProjectID, error) { return brain.Resolve(ctx, tx, b.Config, in.Scope) })
		if err != nil {
			return out, err
		}
		if in.Pause == b.Config.Paused(out.Project) {
			return out, nil
		}
		since := b.Config.PausedSince(out.Project, b.Now())
		// The time is noted first: without it, what is read later could not know of it.
		err = b.Store.UpdateDurable(ctx, func(tx *store.Tx) error { return brain.NotePause(ctx, tx, out.Project, in.Pause, since) })
		if err == nil {
			out.Changed, err = b.Config.Pause(out.Project, in.Pause)
		}
		return out, err
	},
}
