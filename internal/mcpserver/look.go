package mcpserver

import (
	"context"
	"fmt"

	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
)

func (c *call) stats(ctx context.Context, _ struct{}) (reply, error) {
	out := run(ctx, c, inspect.Stats, c.scope)
	var a reply
	projects := make([]object, len(out.Projects))
	for i, p := range out.Projects {
		links, suggestions := total(p.Synapses), total(p.Suggestions)
		projects[i] = objectOf("name", p.Name, "files", p.Files, "errors", p.Errors, "commits", p.Commits, "sessions", p.Sessions,
			"events", p.Events, "links", links, "suggestions", suggestions)
		a.line("%s: %s, %s, %s, %s, %s, %s, %s", p.Name, prose.Count(p.Files, "file", "files"), prose.Count(p.Errors, "error", "errors"),
			prose.Count(p.Commits, "commit", "commits"), prose.Count(p.Sessions, "session", "sessions"), prose.Count(p.Events, "event", "events"),
			prose.Count(links, "link", "links"), prose.Count(suggestions, "suggestion", "suggestions"))
	}
	store := out.Store.Engine + " " + out.Store.Version
	a.facts = objectOf("projects", projects, "store", store, "bytes", out.Store.Bytes)
	if len(projects) == 0 {
		a.note("Nothing is known of this project yet: hebb init learns its history.")
	}
	a.line("Store: %s, %d bytes", store, out.Store.Bytes)
	if out.LastSleep != nil {
		a.fact("last_sleep", when(out.LastSleep.At), "Slept last: %s")
	}
	return a, c.err
}

func total[K comparable](counts map[K]int64) (sum int64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

// pin adds a pin and returns its facts.
func (a *reply) pin(p memory.Pin) object {
	place, text := "", p.Text
	if p.Project == 0 {
		place = ", everywhere"
	}
	if text == p.Title {
		text = ""
	}
	a.line("- pin from %s%s: %s", p.Origin.Name(), place, cited(p.Origin, p.Title))
	a.some("  text: %s", cited(p.Origin, text))
	a.some("  because: %s", cited(p.Origin, p.Reason))
	return objectOf("title", p.Title, "text?", text, "reason?", p.Reason, "origin", p.Origin, "everywhere?", p.Project == 0)
}

func (c *call) pins(ctx context.Context, _ struct{}) (reply, error) {
	out := run(ctx, c, desk.Pins, c.scope)
	var a reply
	a.facts = objectOf("pins", each(out.Pins, a.pin), "waiting", len(out.Waiting), "bytes", out.Bytes, "most_bytes", out.Most)
	if len(out.Pins) == 0 {
		a.line("Nothing is pinned here.")
	}
	if len(out.Waiting) > 0 {
		a.line("Pins proposed by agents that wait for the user (hebb pin list --waiting): %d.", len(out.Waiting))
	}
	a.line("Pins take %d of %d bytes at the start of a session.", out.Bytes, out.Most)
	return a, c.err
}

// hot adds a file and returns its facts.
func (a *reply) hot(f ranking.HotFile) object {
	heat := fmt.Sprintf("%.2f", f.Heat)
	a.line("- %s (%s, heat %s, %d touches, last %s)", record.ShownName(f.Path), f.Tier, heat, f.Touches, when(f.LastAt))
	a.some("  is (from "+f.SummaryBy.Name()+"): %s", cited(f.SummaryBy, f.Summary))
	a.some("  note (from "+f.NoteBy.Name()+"): %s", cited(f.NoteBy, f.Note))
	return objectOf("path", f.Path, "tier", f.Tier, "heat", heat, "touches", f.Touches, "last_at?", when(f.LastAt), "summary?", f.Summary,
		"note?", f.Note, "summary_by?", f.SummaryBy, "note_by?", f.NoteBy)
}

func (c *call) heat(ctx context.Context, in ranking.HeatInput) (reply, error) {
	in.Scope = c.scope
	out := run(ctx, c, ranking.Warmth, in)
	var a reply
	a.fact("project", out.Project, "Project %s")
	if a.facts.set("files", each(out.Files, a.hot)); len(out.Files) == 0 {
		a.line("No file is in mind here; files warm up as they are worked on.")
	}
	a.facts.set("together?", each(out.Clusters, func(p ranking.HotPair) object {
		a.line("- together: %s and %s, in %s", record.ShownName(p.A), record.ShownName(p.B), prose.Count(p.Sessions, "session", "sessions"))
		return objectOf("files", []string{p.A, p.B}, "sessions", p.Sessions)
	}))
	return a, c.err
}

// session adds what happened in a session and returns its facts.
func (a *reply) session(s memory.Session) object {
	by := ""
	if s.SummaryBy != "" {
		by = " · described by " + string(s.SummaryBy)
	}
	a.line("- %s · %s · %s%s", when(s.LastEventAt), s.Agent, s.ID, by)
	a.some("  Happened: %s", told(s.SummaryBy, s.Happened))
	a.some("  Learned: %s", told(s.SummaryBy, s.Learned))
	a.some("  Next: %s", told(s.SummaryBy, s.Next))
	return objectOf("id", s.ID.String(), "agent", s.Agent, "at", when(s.LastEventAt), "told_by?", s.SummaryBy, "happened?", s.Happened,
		"learned?", s.Learned, "next?", s.Next)
}

// told is what a session says of itself; where rules say it, what they quote stands in quotation marks.
func told(by memory.Origin, text string) string {
	if by == memory.OriginTool {
		return text
	}
	return cited(by, text)
}

func (c *call) recent(ctx context.Context, in desk.ShelfInput) (a reply, err error) {
	in.Scope = c.scope
	sessions := each(run(ctx, c, desk.Shelf, in), a.session)
	if a.facts.set("sessions", sessions); len(sessions) == 0 {
		a.line("No session has ended here yet.")
	}
	return a, c.err
}
