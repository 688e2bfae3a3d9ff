package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/typed"
)

// shelvedAtOnce are the sessions that get their summary in one go: an older hebb may have left hundreds.
const shelvedAtOnce = 50

// Shelve gives closed sessions their summary, by rules, and the files they touched a line on what they are. It returns the
// projects whose shelves changed. A session that goes on meanwhile waits for its next close.
func Shelve(ctx context.Context, st *store.Store, c config.Config) (changed []memory.ProjectID, written int, err error) {
	type summary struct {
		session memory.Session
		summary Summary
		files   map[memory.NeuronID]string
		facts   Facts
	}
	failed := map[memory.SessionID]bool{}
	var problems error
	for {
		summaries, err := brain.View(ctx, st, func(tx *store.Tx) (list []summary, err error) {
			waiting, err := tx.SessionsWithoutSummary(ctx, shelvedAtOnce)
			if err != nil {
				return nil, err
			}
			for _, s := range waiting {
				one := summary{session: s}
				if record.Logs(c.Gates.Log, s) && s.Agent != memory.AgentPerson && !failed[s.ID] {
					facts, err := facts(ctx, tx, s)
					if err == nil {
						one.facts, one.summary = facts, summarised(facts)
						one.files, err = seedSummaries(ctx, tx, s.Project, append(facts.Edited, facts.Read...))
					}
					if err != nil { // one that cannot be read holds up no other
						failed[s.ID], problems = true, errors.Join(problems, fmt.Errorf("session %s: %w", s.ID, err))
					}
				}
				if !failed[s.ID] {
					list = append(list, one)
				}
			}
			return list, nil
		})
		if err != nil || len(summaries) == 0 {
			return changed, written, errors.Join(problems, err)
		}
		for _, one := range slices.Backward(summaries) { // what one leaves to do a later one may have done
			err := st.Update(ctx, func(tx *store.Tx) error {
				s, err := tx.Session(ctx, one.session.ID)
				if err != nil || s.Open() || !s.SummaryAt.IsZero() {
					return err
				}
				s.Happened, s.Learned = scrub.Clean(one.summary.Happened), scrub.Clean(one.summary.Learned)
				s.Next = scrub.Clean(prose.Below("next", one.summary.Next))
				s.SummaryBy, s.SummaryAt = memory.OriginTool, tx.Now
				if err := errors.Join(tx.SaveSession(ctx, s), saveSummaries(ctx, tx, one.files)); err != nil || s.Happened == "" {
					return err
				}
				return goals.FollowGoals(ctx, c.Tuning.Crystal, tx, s, workOf(one.facts))
			})
			if err != nil {
				failed[one.session.ID], problems = true, errors.Join(problems, fmt.Errorf("session %s: %w", one.session.ID, err))
				continue
			}
			written++
			if !slices.Contains(changed, one.session.Project) {
				changed = append(changed, one.session.Project)
			}
		}
		if len(summaries)+len(failed) < shelvedAtOnce {
			return changed, written, problems
		}
		if len(summaries) == 0 || ctx.Err() != nil {
			return changed, written, errors.Join(problems, ctx.Err())
		}
	}
}

// summarised is what is said about a session, with files as they are shown.
func summarised(f Facts) Summary {
	names := func(paths []string) (names []string) {
		for _, p := range paths {
			if ranking.ShownPath(p) {
				names = append(names, record.ShownName(p))
			}
		}
		return names
	}
	f.Edited, f.Read = names(f.Edited), names(f.Read)
	for i := range f.Fixed {
		f.Fixed[i].Files = names(f.Fixed[i].Files)
	}
	return Summarise(f)
}

// facts gathers what a session did.
func facts(ctx context.Context, tx *store.Tx, s memory.Session) (f Facts, err error) {
	events, err := tx.Events(ctx, store.EventFilter{Session: s.ID})
	if err != nil {
		return f, err
	}
	slices.Reverse(events) // oldest first
	f.Recovered = s.Recovered
	d := deeds{edited: map[string]int{}, read: map[string]int{}}
	happened, times := make([]memory.Event, len(events)), make([]time.Time, len(events))
	for i, e := range events {
		happened[i], times[i] = e.Event, e.At
	}
	f.Minutes = int(goals.Worktime(times) / time.Minute)
	var plan []string
	for _, e := range events {
		switch e.Kind {
		case memory.ToolUsed:
			if e.Subagent == "" && e.Origin == memory.OriginTool && agent.WritesPlan(e.Tool) {
				plan = append(plan, e.Text)
			}
		case memory.Prompted:
			if e.Origin == memory.OriginUser && e.Subagent == "" && !record.IsCommand(strings.TrimSpace(e.Text)) {
				f.Answered = true
				if own := typed.OwnWords(e.Text); isTask(own) {
					f.Prompts = append(f.Prompts, own)
				}
			}
		case memory.TurnEnded:
			if e.Subagent == "" && strings.TrimSpace(e.Text) != "" {
				f.LastMessage, f.Answered = e.Text, false
			}
		}
		d.see(e.Event)
	}
	f.Plan = goals.PlanOf(plan)
	if f.Intent = s.Intent; !isTask(f.Intent) {
		f.Intent = ""
	}
	if f.Intent == "" && len(f.Prompts) > 0 {
		f.Intent = f.Prompts[0]
	}
	f.Edited, f.Read = d.files()
	met := map[string]bool{} // later
	for _, one := range slices.Backward(fault.Follow(happened, agent.Codex)) {
		problem := fault.Summary(one.Text)
		if one.State == fault.Over && len(one.Changed) > 0 && !met[problem] {
			f.Fixed = append(f.Fixed, Fix{Error: problem, Files: slices.Sorted(slices.Values(one.Changed))})
		}
		met[problem] = true // one that came back is not fixed
	}
	slices.Reverse(f.Fixed)
	if f.Commits, err = commitsDuring(ctx, tx, s); err != nil {
		return f, err
	}
	f.Notes, err = saidDuring(ctx, tx, s)
	return f, err
}

// deeds are the files of a session, with how often they were changed and read.
type deeds struct{ edited, read map[string]int }

func (d *deeds) see(e memory.Event) {
	for _, t := range e.Touches {
		switch t.Kind {
		case memory.Edit:
			d.edited[t.Path]++
		case memory.Read:
			d.read[t.Path]++
		}
	}
}

// files are those that were changed and those that were only read, the most touched first.
func (d *deeds) files() (edited, read []string) {
	order := func(times map[string]int, skip map[string]int) (list []string) {
		for path := range times {
			if skip[path] == 0 {
				list = append(list, path)
			}
		}
		slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b)) })
		return list
	}
	return order(d.edited, nil), order(d.read, d.edited)
}

// commitsDuring are the subjects of the commits made while a session ran, oldest first.
func commitsDuring(ctx context.Context, tx *store.Tx, s memory.Session) (subjects []string, err error) {
	until := s.LastEventAt.Add(time.Minute) // git counts whole seconds, and a commit may be the last thing done
	commits, err := tx.Events(ctx, store.EventFilter{Project: s.Project, Kind: memory.Committed, Since: s.OpenedAt, Until: until})
	for _, c := range slices.Backward(commits) {
		subject, _, _ := strings.Cut(c.Text, "\n")
		subjects = append(subjects, subject)
	}
	return subjects, err
}

// saidDuring are the texts that were remembered while a session ran, oldest first.
func saidDuring(ctx context.Context, tx *store.Tx, s memory.Session) (texts []Noted, err error) {
	kept, err := tx.Crystals(ctx, store.CrystalFilter{
		Projects: []memory.ProjectID{s.Project}, Current: true, Stated: true, SaidSince: s.OpenedAt,
		SaidBefore: s.LastEventAt.Add(time.Minute + time.Millisecond), OldestFirst: true,
	})
	for _, c := range kept {
		if c.Origin == memory.OriginUser || c.Origin == memory.OriginAgent {
			texts = append(texts, Noted{Text: c.Text, Origin: c.Origin})
		}
	}
	return texts, err
}

// fragmentsNamed is the number of fragments that the summary of a file names.
const fragmentsNamed = 6

// seedSummaries says what files are that nobody has described yet, by what they define. Later touches do not change it.
func seedSummaries(ctx context.Context, tx *store.Tx, project memory.ProjectID, files []string) (map[memory.NeuronID]string, error) {
	ids := make([]memory.NeuronID, len(files))
	for i, path := range files {
		ids[i] = memory.NewNeuronID(project, memory.FileNeuron, path)
	}
	known, err := tx.HeatOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	seeded := map[memory.NeuronID]string{}
	for i, path := range files {
		if h, warm := known[ids[i]]; !warm || h.Summary != "" {
			continue
		}
		titles, err := tx.Titles(ctx, project, path, fragmentsNamed+1)
		if err != nil {
			return nil, err
		}
		if text := defines(titles); text != "" {
			seeded[ids[i]] = text
		}
	}
	return seeded, nil
}

// defines is a line on what a file defines, such as "Defines: Open, Close, Reader …".
func defines(titles []string) string {
	var names []string
	for _, t := range titles {
		if name := scrub.Line(t); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	more := ""
	if len(names) > fragmentsNamed {
		names, more = names[:fragmentsNamed], " …"
	}
	return "Defines: " + strings.Join(names, ", ") + more
}

func saveSummaries(ctx context.Context, tx *store.Tx, summaries map[memory.NeuronID]string) error {
	ids := make([]memory.NeuronID, 0, len(summaries))
	for id := range summaries {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	known, err := tx.HeatOf(ctx, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		h, warm := known[id]
		if !warm || h.Summary != "" {
			continue
		}
		h.Summary, h.SummaryBy = summaries[id], memory.OriginTool
		if err := tx.SaveHeat(ctx, h); err != nil {
			return err
		}
	}
	return nil
}

// Entry is a session as it stands on a shelf.
func Entry(s memory.Session) ShelfEntry {
	text := func(t string) string { return brain.Harmless(s.SummaryBy, t) }
	return ShelfEntry{
		ID: record.ShortID(s.ID), Agent: string(s.Agent), At: s.LastEventAt, By: s.SummaryBy,
		Happened: text(s.Happened), Learned: text(s.Learned), Next: text(s.Next),
	}
}

// workOf is what the goals of a project learn from a session.
func workOf(f Facts) goals.Work {
	return goals.Work{Prompts: f.Prompts, Edited: f.Edited, Read: f.Read, Progress: len(f.Commits)+len(f.Fixed) > 0, Plan: f.Plan}
}

// ShelfInput asks for the sessions on the shelves.
type ShelfInput struct {
	brain.Scope
	Limit int `json:"limit,omitempty"` // 0: as many as the recent shelf holds
}

// Shelf lists what is left of the latest sessions.
var Shelf = brain.Operation[ShelfInput, []memory.Session]{
	Name: "recent", Files: brain.ReadFiles | brain.WriteAllFiles,
	Run: func(ctx context.Context, b *brain.Brain, in ShelfInput) ([]memory.Session, error) {
		_, _, unfinished := Shelve(ctx, b.Store, b.Config)
		if in.Limit <= 0 {
			in.Limit = b.Config.Tuning.Context.RecentSessions
		}
		out, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]memory.Session, error) {
			id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
			if err != nil {
				return nil, err
			}
			if id != 0 {
				return tx.ShelvedSessions(ctx, id, in.Limit)
			}
			projects, err := tx.Projects(ctx)
			var all []memory.Session
			for _, p := range projects {
				some, err := tx.ShelvedSessions(ctx, p.ID, in.Limit)
				if err != nil {
					return nil, err
				}
				all = append(all, some...)
			}
			slices.SortFunc(all, func(x, y memory.Session) int { return y.LastEventAt.Compare(x.LastEventAt) })
			return all[:min(len(all), in.Limit)], err
		})
		if err == nil && len(out) == 0 {
			err = unfinished
		}
		if out == nil {
			out = []memory.Session{}
		}
		return out, err
	},
}
