package state

import (
	"context"
	"errors"
	"github.com/hebb-memory/hebb/internal/project"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// Habit is what is done again and again in a project: commands that follow each other and pass.
type Habit struct {
	Steps    []string
	Sessions int // in which they did
	Last     time.Time
}

// String is a habit as the state has it. The commands are those of agents.
func (h Habit) String() string {
	return bullet + prose.SaidBy(memory.OriginAgent, h.name()) + h.often()
}

func (h Habit) name() string { return prose.OneLine(strings.Join(h.Steps, " → ")) }

func (h Habit) often() string {
	return seen + "in " + prose.Count(h.Sessions, "session", "sessions") + ", last " + h.Last.UTC().Format(time.DateOnly)
}

// HabitSessions is in how many sessions commands followed each other before they are a procedure.
const HabitSessions = 3

const habitSince = 90 * 24 * time.Hour // of work: what nobody did for so long is no habit any more

// Habits are what sessions of a project did again and again and what worked: commands that follow each other. Subagents work at the same time as
// others, so their commands follow nothing. Commands that were not seen here but come from elsewhere teach nothing, and neither do those that name a
// file which is gone from the code. least is in how many sessions.
func Habits(ctx context.Context, tx *store.Tx, p memory.Project, code *statements.Code, least int) (procedures []Habit, err error) {
	sessions, err := tx.Sessions(ctx, store.SessionFilter{Project: p.ID})
	if err != nil {
		return nil, err
	}
	silent := map[memory.SessionID]bool{} // the agent may not have reported failures
	for _, s := range sessions {
		silent[s.ID] = s.Agent == agent.Codex
	}
	var ran []shell.Ran
	days, err := tx.WorkDays(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	calls, err := tx.CommandsSince(ctx, p.ID, days.Back(habitSince, tx.Now))
	for _, c := range calls {
		failed := c.Kind == memory.ToolFailed
		silent[c.Session] = silent[c.Session] && !failed
		ran = append(ran, shell.Ran{Session: int64(c.Session), Line: c.Input, Failed: failed, At: c.At})
	}
	var seen []shell.Ran
	for _, r := range ran {
		if !silent[memory.SessionID(r.Session)] {
			seen = append(seen, r)
		}
	}
	for _, h := range shell.Habits(seen, p.Root, least) {
		gone, failed := code.GoneIn(ctx, tx, p.ID, strings.Join(h.Steps, " "))
		if err = errors.Join(err, failed); len(gone) > 0 {
			continue
		}
		for i := range h.Steps {
			h.Steps[i] = scrub.Line(h.Steps[i])
		}
		procedures = append(procedures, Habit{Steps: h.Steps, Sessions: h.Sessions, Last: h.Last})
	}
	return procedures, err
}

// aboutProject is what the files of a project say of it. They may hold anything, secrets too. It asks git, which may take seconds: no
// transaction waits for that.
func aboutProject(ctx context.Context, st *store.Store, c config.Config, id memory.ProjectID) git.About {
	p, err := brain.View(ctx, st, func(tx *store.Tx) (memory.Project, error) { return tx.Project(ctx, id) })
	if err != nil || project.IsFolder(p.Identity, p.Root) { // the dream itself reports an unknown project; a folder is no repository
		return git.About{}
	}
	root, here := brain.FolderOf(c, p)
	if !here {
		return git.About{}
	}
	a := git.Repo{Root: root}.About(ctx)
	for _, list := range []*[]string{&a.Uses, &a.Built, &a.RunsOn, &a.Released} {
		for i, s := range *list {
			(*list)[i] = scrub.Line(scrub.Clean(s))
		}
	}
	if sentences := prose.Sentences(scrub.Line(scrub.Clean(a.Is))); len(sentences) > 0 {
		a.Is = strings.TrimSpace(sentences[0])
	}
	return a
}
