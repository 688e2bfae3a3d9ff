package desk

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/config"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// WrapUpInput is what somebody says of a session that ends. All of it may be left out.
type WrapUpInput struct {
	brain.Scope
	Session string `json:"session,omitempty" flag:"session,s" about:"this session: its ID, the beginning of it, or the agent's own name for the run"` // ID or the agent's own; empty: the latest of the project
	// Happened, Learned and Next take the place of what rules would say.
	Happened string `json:"happened,omitempty" flag:"happened" about:"what happened, or -"`
	Learned  string `json:"learned,omitempty" flag:"learned" about:"what was learned, or -"`
	Next     string `json:"next,omitempty" flag:"next" about:"what comes next, or -"`
	// Notes say of files why they matter just now.
	Notes     map[string]string `json:"notes,omitempty"`
	PinTitle  string            `json:"pin_title,omitempty" flag:"pin" about:"the title of a pin"`
	PinText   string            `json:"pin_text,omitempty" flag:"pin-text" about:"the text of the pin, if its title is not enough"`
	PinReason string            `json:"pin_reason,omitempty" flag:"pin-reason" about:"why it is pinned"`
	Origin    memory.Origin     `json:"origin,omitempty" flag:"by" of:"user agent" about:"the author (default: the agent where one runs this, else you)"` // empty: the user
}

// WrapUpResult is the session as it is kept.
type WrapUpResult struct {
	Session memory.Session   `json:"session"`
	Lesson  memory.CrystalID `json:"lesson,omitempty"` // what was learned, findable
	Noted   []string         `json:"noted,omitempty"`  // files
	Pin     *memory.Pin      `json:"pin,omitempty"`
	// Warnings are steps that failed; the others were done.
	Warnings []string `json:"warnings,omitempty"`
}

// InProject is the project whose files show the session.
func (r WrapUpResult) InProject() memory.ProjectID { return r.Session.Project }

// WrapUp ends a session in words. What rules know is added to what is not said.
var WrapUp = brain.NeverBusy(brain.Operation[WrapUpInput, WrapUpResult]{
	Name: "wrapup", Files: brain.WriteFiles,
	Run: func(ctx context.Context, b *brain.Brain, in WrapUpInput) (out WrapUpResult, err error) {
		if err := brain.Fits("wrapup", in.Origin, in.Happened, in.Learned, in.Next); err != nil {
			return out, err
		}
		in.Origin = cmp.Or(in.Origin, memory.OriginUser)
		err = record.Recording(ctx, b, b.Say, func(r *record.Recorder) error {
			out, err = wrapUp(ctx, b.Config, r, in)
			return err
		})
		if err != nil {
			return out, err
		}
		if _, _, err := Shelve(ctx, b.Store, b.Config); err != nil {
			out.Warnings = append(out.Warnings, "summaries: "+scrub.Line(err.Error()))
		}
		out.Session, err = brain.View(ctx, b.Store, func(tx *store.Tx) (memory.Session, error) { return tx.Session(ctx, out.Session.ID) })
		return out, err
	},
}, func(in WrapUpInput) string {
	return brain.Joined(in.Happened, in.Learned, in.Next, in.PinTitle, in.PinText)
})

func wrapUp(ctx context.Context, c config.Config, r *record.Recorder, in WrapUpInput) (out WrapUpResult, err error) {
	s, err := sessionToWrap(ctx, c, r, in)
	if err != nil {
		return out, err
	}
	text := func(t string) string { return strings.TrimSpace(scrub.Clean(t)) }
	said := memory.Session{SummaryBy: in.Origin, Happened: text(in.Happened), Learned: text(in.Learned), Next: prose.WithoutLabel(text(in.Next), "next")}
	if said.Happened+said.Learned+said.Next != "" {
		if !s.HasOwnSummary() { // what is not said now is left to the rules, which look at what is there
			s = s.WithoutDerivedSummary()
		}
		switch {
		case s.HasOwnSummary() && in.Origin.Tier() > s.SummaryBy.Tier(): // the person's words stand alone
			if out.Warnings, err = keepAsNotes(ctx, c.Tuning.Crystal, r.Tx, s, said); err != nil {
				return out, err
			}
		case s.HasOwnSummary() && in.Origin.Tier() < s.SummaryBy.Tier(): // the person's words take the place of the agent's
			facts, err := facts(ctx, r.Tx, s)
			if err != nil {
				return out, err
			}
			byRules := memory.Session{Project: s.Project, Happened: summarised(facts).Happened}
			if _, err = keepAsNotes(ctx, c.Tuning.Crystal, r.Tx, byRules, s); err != nil {
				return out, err
			}
			s.Happened, s.Learned, s.Next = "", "", ""
			fallthrough
		default:
			if s, err = describeSession(ctx, r.Tx, s, said); err != nil {
				return out, err
			}
		}
	}
	if said.Learned != "" {
		lesson, err := statements.Crystallise(ctx, c.Tuning.Crystal, r.Tx, memory.Crystal{
			Project: s.Project, Kind: memory.Lesson, Text: said.Learned, Origin: in.Origin, Source: "session " + s.ID.String(),
			Lifecycle: memory.Generated, SaidAt: r.Tx.Now,
		})
		if err != nil {
			return out, err
		}
		out.Lesson = lesson.ID
	}
	for _, path := range slices.Sorted(maps.Keys(in.Notes)) {
		noted, err := KeepFileNote(ctx, c.Tuning.Crystal, r, s.Project, NoteFileInput{Scope: in.Scope, Path: path, Note: in.Notes[path], Origin: in.Origin})
		if err != nil {
			return out, err
		}
		out.Noted = append(out.Noted, noted.Path)
		if noted.Beside {
			out.Warnings = append(out.Warnings, fmt.Sprintf("the user's note on %s stands; yours is kept as a note of its own", noted.Path))
		}
	}
	if in.PinTitle != "" {
		pin, _, err := Pin(ctx, c.Tuning.Crystal, r.Tx, memory.Pin{Project: s.Project, Title: in.PinTitle, Text: in.PinText, Reason: in.PinReason, Origin: in.Origin})
		if err != nil {
			return out, err
		}
		out.Pin = &pin
	}
	out.Session = s
	if s.HasOwnSummary() {
		facts, err := facts(ctx, r.Tx, s)
		if err != nil {
			return out, err
		}
		if err := goals.FollowGoals(ctx, c.Tuning.Crystal, r.Tx, s, workOf(facts)); err != nil {
			return out, err
		}
	}
	return out, r.Wrapped(ctx, s)
}

// describeSession adds what is said of a session to what the same origin said before.
func describeSession(ctx context.Context, tx *store.Tx, s, said memory.Session) (_ memory.Session, err error) {
	if s.Next, err = stillNext(ctx, tx, s, said.Next); err != nil {
		return s, err
	}
	s.Happened, s.Learned = cmp.Or(said.Happened, s.Happened), cmp.Or(said.Learned, s.Learned)
	if s.Happened == "" { // only part of it is said: the rest is as rules see it
		facts, err := facts(ctx, tx, s)
		if err != nil {
			return s, err
		}
		s.Happened = summarised(facts).Happened
	}
	s.SummaryBy, s.SummaryAt = said.SummaryBy, tx.Now
	return s, tx.SaveSession(ctx, s)
}

// keepAsNotes keeps what an agent says of a session that the person has described as notes in the agent's own name, unless the
// session says it already. A session has one origin, so nothing of the agent's goes into it. The warnings say what became of it.
func keepAsNotes(ctx context.Context, settings tuning.Crystal, tx *store.Tx, s, said memory.Session) (warnings []string, err error) {
	if said.Happened != "" && said.Happened != s.Happened {
		_, err := statements.Note(ctx, settings, tx, s.Project, statements.NoteInput{Text: said.Happened, Kind: memory.Episode, Origin: said.SummaryBy})
		if err != nil {
			return nil, err
		}
		warnings = append(warnings, "the user has described this session, and their words stand; what you say happened is kept as a note")
	}
	steps := slices.DeleteFunc(prose.Items(said.Next), func(step string) bool { return slices.Contains(prose.Items(s.Next), step) })
	if len(steps) == 0 {
		return warnings, nil
	}
	_, err = statements.Note(ctx, settings, tx, s.Project, statements.NoteInput{Text: "Next: " + strings.Join(steps, "; "), Kind: memory.Intention, Origin: said.SummaryBy})
	return append(warnings, "the user has described this session, and their words stand; what you say comes next is kept as a note"), err
}

// stillNext is what is to be done next: what is said now, and the earlier steps that it does not name word for word and whose goal is
// not over. A step that is told in other words is kept: better shown again than lost.
func stillNext(ctx context.Context, tx *store.Tx, s memory.Session, next string) (string, error) {
	if s.Next == "" || next == s.Next {
		return cmp.Or(next, s.Next), nil
	}
	goals, err := tx.Goals(ctx, false, s.Project)
	if err != nil {
		return "", err
	}
	plain := func(text string) string { return strings.ToLower(strings.TrimRight(prose.OneLine(text), ".,;: ")) }
	over := prose.Items(next)
	for _, g := range goals {
		if g.From == s.ID && !g.Status.Open() {
			over = append(over, g.Text, g.Title)
		}
	}
	before := prose.Items(s.Next)
	left := slices.DeleteFunc(slices.Clone(before), func(step string) bool {
		return slices.ContainsFunc(over, func(text string) bool { return plain(text) == plain(step) })
	})
	switch {
	case next == "" && len(left) == len(before):
		return s.Next, nil // in the words in which it was said
	case next == "" && len(left) == 1:
		return left[0], nil
	}
	var lines []string
	if next != "" {
		lines = append(lines, next)
	}
	for _, step := range left {
		lines = append(lines, "- "+step)
	}
	return strings.Join(lines, "\n"), nil
}

// sessionToWrap is the one that is named, else the latest of the project.
func sessionToWrap(ctx context.Context, c config.Config, r *record.Recorder, in WrapUpInput) (memory.Session, error) {
	tx := r.Tx
	if in.Session != "" {
		return record.FindSession(ctx, tx, in.Session)
	}
	id, err := brain.Resolve(ctx, tx, c, in.Scope)
	if err != nil {
		return memory.Session{}, err
	}
	open, err := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: id, Open: true, Limit: 2})
	if err != nil {
		return memory.Session{}, err
	}
	switch len(open) {
	case 1:
		return open[0], nil
	case 2:
		return memory.Session{}, fmt.Errorf("sessions %s (%s) and %s (%s) are both open: say which with --session: %w",
			open[0].ID, open[0].Agent, open[1].ID, open[1].Agent, memory.ErrConflict)
	}
	latest, err := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: id, Limit: 1})
	if err == nil && len(latest) == 0 && strings.TrimSpace(in.Happened) != "" && in.Project == "" {
		return sessionUnseen(ctx, c, r, in) // no hook watches this agent: its word is all there is
	}
	if err == nil && len(latest) == 0 {
		err = fmt.Errorf("there is no session of this project to wrap up (hebb init lets hebb watch your agent): %w", memory.ErrNotFound)
	}
	if err != nil {
		return memory.Session{}, err
	}
	return latest[0], nil
}

// sessionUnseen is a session that no hook recorded.
func sessionUnseen(ctx context.Context, c config.Config, r *record.Recorder, in WrapUpInput) (memory.Session, error) {
	place, err := brain.PlaceAt(c, in.Dir)
	if err != nil {
		return memory.Session{}, err
	}
	if err := r.SeeProject(ctx, memory.Event{At: r.Tx.Now, Place: place}); err != nil {
		return memory.Session{}, err
	}
	run := fmt.Sprintf("by hand %016x", uint64(memory.ContentHash("session", in.Happened, in.Learned, in.Next)))
	s := memory.Session{
		ID: memory.NewSessionID(memory.AgentUser, run, place.Project()), Project: place.Project(), Agent: memory.AgentUser, AgentSession: run,
		OpenedAt: r.Tx.Now, LastEventAt: r.Tx.Now, ClosedAt: r.Tx.Now, CloseReason: memory.ClosedByWrapUp,
	}
	known, err := r.Tx.Session(ctx, s.ID)
	if brain.IsNotFound(err) {
		return s, nil
	}
	return known, err
}

// NoteFileInput says of a file why it matters just now, or what it is.
type NoteFileInput struct {
	brain.Scope
	Path    string        `json:"path" arg:"1"`
	Note    string        `json:"note,omitempty" arg:"2..-"` // empty takes the note off
	Summary string        `json:"summary,omitempty" flag:"summary" about:"what the file is"`
	Origin  memory.Origin `json:"origin,omitempty"` // empty: the user
}

// NoteFile keeps a note with a file. It is shown as long as the file is hot.
var NoteFile = brain.NeverBusy(brain.Operation[NoteFileInput, HotFile]{
	Name: "note-file", Files: brain.WriteFiles,
	Run: func(ctx context.Context, b *brain.Brain, in NoteFileInput) (out HotFile, err error) {
		in.Origin = cmp.Or(in.Origin, memory.OriginUser)
		var id memory.ProjectID
		err = record.Recording(ctx, b, b.Say, func(r *record.Recorder) error {
			if id, err = brain.Resolve(ctx, r.Tx, b.Config, in.Scope); err != nil {
				return err
			}
			out, err = KeepFileNote(ctx, b.Config.Tuning.Crystal, r, id, in)
			return err
		})
		return out, err
	},
}, func(in NoteFileInput) string { return brain.Joined(in.Path, in.Note, in.Summary) })

// KeepFileNote keeps a note with a file of a project. A file that no session has met is met by being noted.
func KeepFileNote(ctx context.Context, settings tuning.Crystal, r *record.Recorder, id memory.ProjectID, in NoteFileInput) (out HotFile, err error) {
	if err := brain.Fits("note on a file", in.Origin, in.Path, in.Note, in.Summary); err != nil {
		return out, err
	}
	p, err := r.Tx.Project(ctx, id)
	if brain.IsNotFound(err) {
		return out, fmt.Errorf("note on %s: nothing is known of this project yet (hebb init): %w", in.Path, memory.ErrNotFound)
	}
	if err != nil {
		return out, err
	}
	place := memory.Place{Identity: p.Identity, Root: p.Root}
	key := statements.ScrubbedPath(statements.Keys(place, in.Dir, []string{in.Path})[0])
	neuron := memory.NewNeuronID(id, memory.FileNeuron, key)
	known, err := r.Tx.Neuron(ctx, neuron)
	if brain.IsNotFound(err) || err == nil && known.Gone {
		if err := meetByHand(ctx, r, place, key, in.Origin); err != nil {
			return out, err
		}
	} else if err != nil {
		return out, err
	}
	h, err := r.Heat(ctx, id, neuron)
	if err != nil {
		return out, err
	}
	if h.LastAt.IsZero() {
		h.LastAt = r.Tx.Now
	}
	h.Path = key
	beside := ""
	if summary := scrub.Line(scrub.Clean(in.Summary)); summary != "" {
		if brain.Persons(h.SummaryBy, h.Summary, in.Origin) {
			beside = key + ": " + summary
		} else {
			h.Summary, h.SummaryBy = summary, in.Origin
		}
	}
	if note := scrub.Line(scrub.Clean(in.Note)); note != "" || in.Summary == "" {
		switch {
		case !brain.Persons(h.NoteBy, h.Note, in.Origin):
			h.Note, h.NoteBy, h.NoteAt = note, in.Origin, r.Tx.Now
		case note == "":
			return out, brain.PersonsOwn("clear", "the note on "+key)
		case note != h.Note:
			beside = strings.TrimPrefix(beside+"; "+key+": "+note, "; ")
		}
	}
	out = HotFileOf(*h, float64(p.Clock))
	if beside != "" {
		out.Beside = true
		_, err = statements.Note(ctx, settings, r.Tx, id, statements.NoteInput{Text: beside, Kind: memory.Fact, Origin: in.Origin})
	}
	return out, err
}

// meetByHand records that somebody spoke of a file, if it is there.
func meetByHand(ctx context.Context, r *record.Recorder, place memory.Place, key string, origin memory.Origin) error {
	root, err := memory.UnescapePath(place.Root)
	if err == nil {
		var path string
		if path, err = memory.UnescapePath(key); err == nil && !filepath.IsAbs(path) {
			path = filepath.Join(filepath.FromSlash(root), filepath.FromSlash(path))
		}
		if err == nil {
			_, err = os.Stat(path)
		}
	}
	if err != nil {
		return fmt.Errorf("%s is no file of %s: name it from the project's root, or from where you are: %w", key, place.Root, brain.ErrNoSuch)
	}
	id, err := r.Tx.NewID()
	if err != nil {
		return err
	}
	_, err = r.Record(ctx, memory.Event{
		ID: id, At: r.Tx.Now, Kind: memory.Recorded, Origin: origin, Agent: memory.AgentUser, Place: place,
		Touches: []memory.Touch{{Kind: memory.Mention, Path: key}},
	})
	return err
}
