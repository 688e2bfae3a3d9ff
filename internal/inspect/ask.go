package inspect

import (
	"context"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/views"
)

// EventsInput chooses events.
type EventsInput struct {
	brain.Scope `flag:"all"`
	Session     string           `json:"session,omitempty" flag:"session,s" about:"only this session"`
	Kind        memory.EventKind `json:"kind,omitempty" flag:"kind,k" about:"only this kind"`
	Origin      memory.Origin    `json:"origin,omitempty" flag:"origin" about:"only this origin"`
	Since       time.Time        `json:"since,omitzero" flag:"since" about:"only after this"`
	Limit       int              `json:"limit,omitempty" flag:"limit,n"`
}

// Events lists what was seen, newest first.
var Events = reading("events", func(ctx context.Context, b *brain.Brain, tx *store.Tx, in EventsInput) ([]memory.StoredEvent, error) {
	f, err := record.Filter(ctx, b.Config, tx, in.Scope, in.Session)
	if err != nil {
		return nil, err
	}
	f.Kind, f.Origin, f.Since, f.Limit = in.Kind, in.Origin, in.Since, in.Limit
	return tx.Events(ctx, f)
})

// SessionsInput chooses sessions.
type SessionsInput struct {
	brain.Scope `flag:"all"`
	Open        bool `json:"open,omitempty" flag:"open" about:"only those still running"`
	Limit       int  `json:"limit,omitempty" flag:"limit,n"`
}

// Sessions lists runs of agents, newest first.
var Sessions = reading("sessions", func(ctx context.Context, b *brain.Brain, tx *store.Tx, in SessionsInput) ([]memory.Session, error) {
	id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
	if err != nil {
		return nil, err
	}
	return tx.Sessions(ctx, store.SessionFilter{Project: id, Open: in.Open, Limit: in.Limit})
})

// ProjectSummary is a project with its figures.
type ProjectSummary struct {
	memory.Project
	store.ProjectCounts
}

// Doubles lists projects that look like one under two names.
var Doubles = brain.Operation[struct{}, []brain.Double]{
	Name: "doubles",
	Run:  func(ctx context.Context, b *brain.Brain, _ struct{}) ([]brain.Double, error) { return b.Doubles(ctx) },
}

// Projects lists the projects hebb knows, the one last worked in first.
var Projects = reading("projects", func(ctx context.Context, _ *brain.Brain, tx *store.Tx, _ struct{}) ([]ProjectSummary, error) {
	projects, err := tx.Projects(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]ProjectSummary, len(projects))
	for i, p := range projects {
		if out[i], err = summarise(ctx, tx, p); err != nil {
			return nil, err
		}
	}
	return out, nil
})

func summarise(ctx context.Context, tx *store.Tx, p memory.Project) (ProjectSummary, error) {
	counts, err := tx.CountProject(ctx, p.ID)
	return ProjectSummary{Project: p, ProjectCounts: counts}, err
}

// StatusInput chooses the project to look at.
type StatusInput struct {
	brain.Scope
	Top int `json:"top,omitempty"` // files and sessions to name
}

// StatusResult is the state of a project and of the store.
type StatusResult struct {
	Project  *ProjectSummary  `json:"project"` // nil when hebb knows nothing of this folder yet
	Paused   bool             `json:"paused,omitempty"`
	Twins    []brain.Twin     `json:"twins,omitempty"` // other clones of this repository with memories of their own
	Files    []memory.Neuron  `json:"files"`
	Sessions []memory.Session `json:"sessions"`
	Texts    map[string]int64 `json:"texts,omitempty"` // what can be searched in the project, by kind
	Projects int              `json:"projects"`
	Events   int64            `json:"events"`
	Store    store.Facts      `json:"store"`
	Spool    spool.State      `json:"spool"`
	// Scribe is what of the project was sent to an agent or a model.
	Scribe statements.ScribeReport `json:"scribe,omitzero"`
	// Attention is what the person may want to look at, in whole sentences.
	Attention []string `json:"attention,omitempty"`
}

// Status reports the state of a project and of the store.
var Status = brain.Operation[StatusInput, StatusResult]{
	Name: "status",
	Run: func(ctx context.Context, b *brain.Brain, in StatusInput) (StatusResult, error) {
		facts, err := b.Store.Facts(ctx)
		if err != nil {
			return StatusResult{}, fmt.Errorf("status: %w", err)
		}
		out, err := brain.View(ctx, b.Store, func(tx *store.Tx) (StatusResult, error) { return status(ctx, b.Config, tx, in) })
		out.Store, out.Spool = facts, b.Spool.State()
		if err == nil && in.Project == "" && !in.All {
			out.Twins, err = b.TwinsAt(ctx, in.Dir)
		}
		return out, err
	},
}

func status(ctx context.Context, c config.Config, tx *store.Tx, in StatusInput) (out StatusResult, err error) {
	out.Files, out.Sessions = []memory.Neuron{}, []memory.Session{} // never null in JSON
	projects, err := tx.Projects(ctx)
	if err != nil {
		return out, err
	}
	out.Projects = len(projects)
	if out.Events, err = tx.CountEvents(ctx, store.EventFilter{}); err != nil {
		return out, err
	}
	id, err := brain.Resolve(ctx, tx, c, in.Scope)
	if err != nil {
		return out, err
	}
	out.Paused = c.Paused(id)
	if out.Scribe, err = statements.ReportScribe(ctx, tx, c, id); err != nil {
		return out, err
	}
	p, err := tx.Project(ctx, id)
	if brain.IsNotFound(err) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	summary, err := summarise(ctx, tx, p)
	if err != nil {
		return out, err
	}
	out.Project = &summary
	if out.Texts, err = tx.CountDocuments(ctx, id); err != nil {
		return out, err
	}
	files, err := tx.Neurons(ctx, store.NeuronFilter{Project: id, Kind: memory.FileNeuron, Limit: in.Top})
	if err != nil {
		return out, err
	}
	sessions, err := tx.Sessions(ctx, store.SessionFilter{Project: id, Limit: in.Top})
	for _, f := range files {
		out.Files = append(out.Files, f.Neuron)
	}
	out.Sessions = append(out.Sessions, sessions...)
	if err != nil {
		return out, err
	}
	out.Attention, err = attention(ctx, c, tx, id)
	return out, err
}

// attention is what waits for the person: problems with files, pins that agents proposed, a dream.
func attention(ctx context.Context, c config.Config, tx *store.Tx, id memory.ProjectID) (lines []string, err error) {
	if health, err := views.HealthLine(ctx, tx); err != nil {
		return nil, err
	} else if health != "" {
		lines = append(lines, health)
	}
	lines = append(lines, c.Removed...) // settings that mean nothing any more
	_, proposed, err := desk.PinsHere(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	if n := len(proposed); n > 0 {
		lines = append(lines, fmt.Sprintf("Proposed by agents and not shown until you accept them: %s (hebb pin list --waiting)", prose.Count(n, "pin", "pins")))
	}
	heard, err := heardLately(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	if heard > 0 {
		lines = append(lines, fmt.Sprintf("Heard in your prompts since the last session began: %s (hebb memories --heard)", prose.Count(heard, "statement", "statements")))
	}
	due, err := state.DreamDue(ctx, c, tx, id)
	if due.Run {
		lines = append(lines, due.Line()+" (hebb state dream)")
	}
	return lines, err
}

// heardLately counts what was understood from prompts of the person since the last session of a
// project began.
func heardLately(ctx context.Context, tx *store.Tx, id memory.ProjectID) (int, error) {
	sessions, err := tx.ShelvedSessions(ctx, id, 1)
	if err != nil || len(sessions) == 0 {
		return 0, err
	}
	heard, err := tx.Crystals(ctx, store.CrystalFilter{
		Projects: []memory.ProjectID{id}, Current: true, Living: true, Heard: true, Origin: memory.OriginUser, SaidSince: sessions[0].OpenedAt,
	})
	return len(heard), err
}
