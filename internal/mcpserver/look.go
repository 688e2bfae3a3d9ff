package mcpserver

import (
	"context"
	"fmt"

	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
)

func (c *call) stats(ctx context.Context, _ struct{}) (reply, error) {
	out := run(ctx, c, inspect.Stats, c.scope)
	var a reply
	for _, p := range out.Projects {
		a.line("%s: %s, %s, %s, %s, %s, %s, %s", p.Name, prose.Count(p.Files, "file", "files"),
			prose.Count(p.Errors, "error", "errors"), prose.Count(p.Commits, "commit", "commits"),
			prose.Count(p.Sessions, "session", "sessions"), prose.Count(p.Events, "event", "events"),
			prose.Count(total(p.Synapses), "link", "links"),
			prose.Count(total(p.Suggestions), "suggestion", "suggestions"))
	}
	if len(out.Projects) == 0 {
		a.line("Nothing is known of this project yet: hebb init learns its history.")
	}
	a.line("Store: %s, %d bytes", out.Store.Engine+" "+out.Store.Version, out.Store.Bytes)
	if out.LastSleep != nil {
		a.line("Slept last: %s", when(out.LastSleep.At))
	}
	return a, c.err
}

func total[K comparable](counts map[K]int64) (sum int64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

// pin adds a pin.
func (a *reply) pin(p memory.Pin) {
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
}

func (c *call) pins(ctx context.Context, _ struct{}) (reply, error) {
	out := run(ctx, c, desk.Pins, c.scope)
	var a reply
	for _, p := range out.Pins {
		a.pin(p)
	}
	if len(out.Pins) == 0 {
		a.line("Nothing is pinned here.")
	}
	if len(out.Waiting) > 0 {
		a.line("Pins proposed by agents that wait for the user (hebb pin list --waiting): %d.", len(out.Waiting))
	}
	a.line("Pins take %d of %d bytes at the start of a session.", out.Bytes, out.Most)
	return a, c.err
}

// hot adds a file.
func (a *reply) hot(f desk.HotFile) {
	heat := fmt.Sprintf("%.2f", f.Heat)
	a.line("- %s (%s, heat %s, %d touches, last %s)", record.ShownName(f.Path), f.Tier, heat, f.Touches, when(f.LastAt))
	a.some("  is (from "+f.SummaryBy.Name()+"): %s", cited(f.SummaryBy, f.Summary))
	a.some("  note (from "+f.NoteBy.Name()+"): %s", cited(f.NoteBy, f.Note))
}

func (c *call) heat(ctx context.Context, in desk.HeatInput) (reply, error) {
	in.Scope = c.scope
	out := run(ctx, c, desk.Warmth, in)
	var a reply
	a.some("Project %s", out.Project)
	if len(out.Files) == 0 {
		a.line("No file is in mind here; files warm up as they are worked on.")
	}
	for _, f := range out.Files {
		a.hot(f)
	}
	for _, p := range out.Clusters {
		a.line("- together: %s and %s, in %s", record.ShownName(p.A), record.ShownName(p.B),
			prose.Count(p.Sessions, "session", "sessions"))
	}
	return a, c.err
}

// session adds what happened in a session.
func (a *reply) session(s memory.Session) {
	by := ""
	if s.SummaryBy != "" {
		by = " · described by " + string(s.SummaryBy)
	}
	a.line("- %s · %s · %s%s", when(s.LastEventAt), s.Agent, s.ID, by)
	a.some("  Happened: %s", told(s.SummaryBy, s.Happened))
	a.some("  Learned: %s", told(s.SummaryBy, s.Learned))
	a.some("  Next: %s", told(s.SummaryBy, s.Next))
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
	sessions := run(ctx, c, desk.Shelf, in)
	for _, s := range sessions {
		a.session(s)
	}
	if len(sessions) == 0 {
		a.line("No session has ended here yet.")
	}
	return a, c.err
}
