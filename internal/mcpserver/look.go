package mcpserver

import (
	"context"
	"fmt"
	"maps"

	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
)

type statsFacts struct {
	Projects  []projectFact `json:"projects"`
	Store     string        `json:"store"`
	Bytes     int64         `json:"bytes"`
	LastSleep string        `json:"last_sleep,omitempty"`
	Note      string        `json:"note,omitempty"`
}

type projectFact struct {
	Name        string `json:"name"`
	Files       int64  `json:"files"`
	Errors      int64  `json:"errors"`
	Commits     int64  `json:"commits"`
	Sessions    int64  `json:"sessions"`
	Events      int64  `json:"events"`
	Links       int64  `json:"links"`
	Suggestions int64  `json:"suggestions"`
}

func (c *call) stats(ctx context.Context, _ struct{}) (reply, error) {
	out := run(ctx, c, inspect.Stats, c.scope)
	facts := statsFacts{Projects: []projectFact{}, Store: out.Store.Engine + " " + out.Store.Version, Bytes: out.Store.Bytes}
	var l lines
	for _, p := range out.Projects {
		one := projectFact{Name: p.Name, Files: p.Files, Errors: p.Errors, Commits: p.Commits, Sessions: p.Sessions, Events: p.Events}
		for n := range maps.Values(p.Synapses) {
			one.Links += n
		}
		for n := range maps.Values(p.Suggestions) {
			one.Suggestions += n
		}
		facts.Projects = append(facts.Projects, one)
		l.add("%s: %d files, %d errors, %d commits, %d sessions, %d events, %d links, %d suggestions",
			one.Name, one.Files, one.Errors, one.Commits, one.Sessions, one.Events, one.Links, one.Suggestions)
	}
	if len(facts.Projects) == 0 {
		facts.Note = "Nothing is known of this project yet: hebb init learns its history."
		l.add("%s", facts.Note)
	}
	l.add("Store: %s, %d bytes", facts.Store, facts.Bytes)
	if out.LastSleep != nil {
		facts.LastSleep = when(out.LastSleep.At)
		l.add("Slept last: %s", facts.LastSleep)
	}
	return reply{facts, l.String()}, c.err
}

type pinFact struct {
	Title      string `json:"title"`
	Text       string `json:"text,omitempty"`
	Reason     string `json:"reason,omitempty"`
	Origin     string `json:"origin"`
	Everywhere bool   `json:"everywhere,omitempty"`
}

func pinned(p memory.Pin) pinFact {
	fact := pinFact{Title: p.Title, Reason: p.Reason, Origin: string(p.Origin), Everywhere: p.Project == 0}
	if p.Text != p.Title {
		fact.Text = p.Text
	}
	return fact
}

func (l *lines) pin(p pinFact) {
	place := ""
	if p.Everywhere {
		place = ", everywhere"
	}
	l.add("- %s (from %s%s)", p.Title, p.Origin, place)
	l.more("  %s", p.Text)
	l.more("  because: %s", p.Reason)
}

type pinsFacts struct {
	Pins    []pinFact `json:"pins"`
	Waiting int       `json:"waiting"` // proposals that the user has not accepted
	Bytes   int       `json:"bytes"`
	Most    int       `json:"most_bytes"`
}

func (c *call) pins(ctx context.Context, _ struct{}) (reply, error) {
	out := run(ctx, c, desk.Pins, c.scope)
	facts := pinsFacts{Pins: make([]pinFact, len(out.Pins)), Waiting: len(out.Waiting), Bytes: out.Bytes, Most: out.Most}
	var l lines
	for i, p := range out.Pins {
		facts.Pins[i] = pinned(p)
		l.pin(facts.Pins[i])
	}
	if len(out.Pins) == 0 {
		l.add("Nothing is pinned here.")
	}
	if facts.Waiting > 0 {
		l.add("Pins proposed by agents that wait for the user (hebb pins --waiting): %d.", facts.Waiting)
	}
	l.add("Pins take %d of %d bytes at the start of a session.", facts.Bytes, facts.Most)
	return reply{facts, l.String()}, c.err
}

type heatFacts struct {
	Project  string        `json:"project,omitempty"`
	Files    []hotFact     `json:"files"`
	Together []clusterFact `json:"together,omitempty"`
}

type hotFact struct {
	Path    string `json:"path"`
	Tier    string `json:"tier"`
	Heat    string `json:"heat"`
	Touches int64  `json:"touches"`
	LastAt  string `json:"last_at,omitempty"`
	Summary string `json:"summary,omitempty"`
	Note    string `json:"note,omitempty"`

	SummaryBy string `json:"summary_by,omitempty"`
	NoteBy    string `json:"note_by,omitempty"`
}

type clusterFact struct {
	Files    []string `json:"files"`
	Sessions int      `json:"sessions"`
}

func hot(f ranking.HotFile) hotFact {
	return hotFact{
		Path: f.Path, Tier: f.Tier, Heat: fmt.Sprintf("%.2f", f.Heat), Touches: f.Touches, LastAt: when(f.LastAt), Summary: f.Summary, Note: f.Note,
		SummaryBy: string(f.SummaryBy), NoteBy: string(f.NoteBy),
	}
}

func (l *lines) hot(f hotFact) {
	l.add("- %s (%s, heat %s, %d touches, last %s)", f.Path, f.Tier, f.Heat, f.Touches, f.LastAt)
	l.more("  is (from "+f.SummaryBy+"): %s", f.Summary)
	l.more("  note (from "+f.NoteBy+"): %s", f.Note)
}

type heatInput struct {
	Limit int
	Cold  bool
}

func (c *call) heat(ctx context.Context, in heatInput) (reply, error) {
	out := run(ctx, c, ranking.Warmth, ranking.HeatInput{Scope: c.scope, Limit: in.Limit, Cold: in.Cold})
	facts := heatFacts{Project: out.Project, Files: make([]hotFact, len(out.Files))}
	var l lines
	l.more("Project %s", facts.Project)
	for i, f := range out.Files {
		facts.Files[i] = hot(f)
		l.hot(facts.Files[i])
	}
	if len(out.Files) == 0 {
		l.add("No file is in mind here; files warm up as they are worked on.")
	}
	for _, p := range out.Clusters {
		facts.Together = append(facts.Together, clusterFact{Files: []string{p.A, p.B}, Sessions: p.Sessions})
		l.add("- together: %s and %s, in %d sessions", p.A, p.B, p.Sessions)
	}
	return reply{facts, l.String()}, c.err
}

type sessionFact struct {
	ID       string `json:"id"`
	Agent    string `json:"agent"`
	At       string `json:"at"`
	ToldBy   string `json:"told_by,omitempty"`
	Happened string `json:"happened,omitempty"`
	Learned  string `json:"learned,omitempty"`
	Next     string `json:"next,omitempty"`
}

func sessionOf(s memory.Session) sessionFact {
	return sessionFact{
		ID: s.ID.String(), Agent: string(s.Agent), At: when(s.LastEventAt), ToldBy: string(s.ToldBy), Happened: s.Happened, Learned: s.Learned, Next: s.Next,
	}
}

func (l *lines) session(s sessionFact) {
	head := fmt.Sprintf("- %s · %s · %s", s.At, s.Agent, s.ID)
	if s.ToldBy != "" {
		head += " · told by " + s.ToldBy
	}
	l.add("%s", head)
	l.more("  %s", s.Happened)
	l.more("  Learned: %s", s.Learned)
	l.more("  Next: %s", s.Next)
}

func (c *call) recent(ctx context.Context, in struct{ Limit int }) (reply, error) {
	out := run(ctx, c, desk.Shelf, desk.ShelfInput{Scope: c.scope, Limit: in.Limit})
	facts := struct {
		Sessions []sessionFact `json:"sessions"`
	}{make([]sessionFact, len(out))}
	var l lines
	for i, s := range out {
		facts.Sessions[i] = sessionOf(s)
		l.session(facts.Sessions[i])
	}
	if len(out) == 0 {
		l.add("No session has ended here yet.")
	}
	return reply{facts, l.String()}, c.err
}
