package answer

import (
	"context"
	"fmt"
	"github.com/hebb-memory/hebb/internal/project"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// change is a file in mind that others changed while nobody was here.
type change struct {
	path     string
	subjects []string // the latest first
}

// briefingTime is what asking git may take while the agent waits.
const briefingTime = 60 * time.Millisecond

// briefing asks git which files in mind changed since the last session. It is left out where git takes too long or is none. What failed before a change that
// no session made may be over.
func (s *starting) briefing(ctx context.Context) {
	s.failing = slices.DeleteFunc(s.failing, s.changedByHand)
	most := s.brain.Config.Tuning.Context.BriefingCommits
	if len(s.heat.Files) == 0 || s.last.IsZero() || most == 0 || s.root == "" || project.IsFolder(s.project.Identity, s.project.Root) { // no repository
		return
	}
	repo := git.Repo{Root: s.root}
	ctx, cancel := context.WithTimeout(ctx, briefingTime)
	defer cancel()
	commits, err := repo.Since(ctx, s.last, most)
	if err != nil {
		return
	}
	subjects := map[string][]string{}
	for _, c := range commits {
		for _, path := range c.Paths {
			subjects[path] = append(subjects[path], c.Subject)
			if !fault.IsProse(path) {
				s.failing = nil
			}
		}
	}
	for _, f := range s.heat.Files {
		if list := subjects[f.Path]; len(list) > 0 {
			s.changes = append(s.changes, change{path: f.Path, subjects: list})
		}
	}
}

// changedByHand reports whether a file that a failure names was written after it.
func (s *starting) changedByHand(f fault.Failure) bool {
	return slices.ContainsFunc(fault.Files(f.Text), func(name string) bool {
		if !filepath.IsAbs(name) {
			name = filepath.Join(s.root, filepath.FromSlash(name))
		}
		info, err := os.Lstat(name)
		return s.root != "" && err == nil && info.ModTime().After(f.At.Add(time.Second)) // clocks of file systems are coarse
	})
}

func (s *starting) changeItems() (items []Item) {
	for _, c := range s.changes {
		text := "- " + record.ShownName(c.path) + ": commit"
		if n := len(c.subjects); n > 1 {
			text = fmt.Sprintf("- %s: %d commits, the latest", record.ShownName(c.path), n)
		}
		if subject := brain.AsData(c.subjects[0]); !prose.Withheld(memory.OriginAgent, subject) {
			text += " " + prose.Quoted(subject)
		}
		items = append(items, Item{Key: "change " + c.path, Text: text})
	}
	return items
}

// failingItems are the latest failures that are surely open.
func (s *starting) failingItems() (items []Item) {
	for _, f := range slices.Backward(s.failing) {
		if text := failedCall(f.Event, failingBytes); len(items) < failingShown && !prose.Withheld(memory.OriginTool, text) {
			items = append(items, Item{Key: said(text), Text: "- " + stillFailing + ", " + brain.ShortDay(f.At, s.now) + ": " + text})
		}
	}
	return items
}

// gatherGoals reads what is to be done: goals that are open, those that the last session ended, those that rest too long, what thinking found, and what
// was not answered.
func (s *starting) gatherGoals(ctx context.Context, tx *store.Tx) error {
	open, err := goals.GoalsOf(ctx, tx, s.project.ID, false)
	if err != nil {
		return err
	}
	// What came from elsewhere is shown to an agent only once this person has spoken of it, and what was heard in a sentence once they speak of it again, if that says
	// what it is about and no model has read it.
	open = slices.DeleteFunc(open, func(g memory.Goal) bool {
		return goals.OnlyHeard(g) || goals.Heard(g) && (s.read(g.From) || !statements.Alone(g.Title)) || !brain.BySomebody(g.Origin) && g.MentionedAt.IsZero() || withheld(g.Origin, g.Title)
	})
	for _, g := range open {
		if len(s.recent) > 0 && g.ClosedIn == s.recent[0].ID && !g.Status.Open() && !goals.OnlyLeft(g) { // until another session was the last
			s.ended = append(s.ended, g)
		}
	}
	open = slices.DeleteFunc(open, func(g memory.Goal) bool { return !g.Status.Open() })
	s.goals = goals.Direct(goals.Order(open, tx.Now))
	for _, g := range open {
		if line := goals.Incubation(g, s.project.Clock); line != "" {
			s.resting = append(s.resting, line)
		}
	}
	if s.found, err = goals.Recollections(ctx, s.brain.Config, tx, s.project.ID, open); err != nil {
		return err
	}
	if s.manner.Brief {
		s.found = nil
	}
	return nil
}

// goalItems are the most pressing goals, and those that rest too long.
func (s *starting) goalItems() (items []Item) {
	for _, g := range s.goals[:min(len(s.goals), goalsShown)] {
		text := s.saidLine("", g.Goal.Origin, g.Goal.CreatedAt, g.Goal.Title)
		if text != "" && s.manner.Connected {
			text += s.connected(g.Goal)
		}
		items = append(items, Item{Key: said(g.Goal.Title), Text: text, Agents: g.Goal.Origin == memory.OriginAgent})
	}
	for _, g := range s.ended {
		items = append(items, Item{Text: "- " + s.endedLine(g)})
	}
	for _, line := range s.resting {
		items = append(items, Item{Text: "- " + brain.AsData(line)})
	}
	for _, r := range s.found {
		items = append(items, Item{Text: fmt.Sprintf("- goal %s may be helped by: %s (%s; %s)", prose.Quoted(brain.AsData(r.Title)), prose.Quoted(brain.AsData(r.Episode)), brain.ShortDay(r.Lived, s.now), brain.AsData(r.Why))})
	}
	return items
}

// endedLine says that a goal is over, and by what hebb knows it: it may be wrong.
func (s *starting) endedLine(g memory.Goal) string {
	line := fmt.Sprintf("%s since: %s", g.Status, prose.Quoted(brain.AsData(g.Title)))
	if g.ClosedBy != "" && !withheld(memory.OriginAgent, g.ClosedBy) {
		line += ", hebb gathers from " + prose.Quoted(brain.AsData(g.ClosedBy))
	}
	return line + " (hebb goals wake takes it back)"
}

const goalsShown = 3

// connected names another goal that a file connects with one: who works at the one may do the other too.
func (s *starting) connected(g memory.Goal) string {
	for _, other := range s.goals {
		for _, file := range g.Links.Files {
			if other.Goal.ID != g.ID && slices.Contains(other.Goal.Links.Files, file) && ranking.ShownPath(file) && s.code.Has(file) {
				return fmt.Sprintf(" (%s connects it with %s)", record.ShownName(file), prose.Quoted(brain.AsData(other.Goal.Title)))
			}
		}
	}
	return ""
}
