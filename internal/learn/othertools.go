package learn

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/foreign"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

// MoveInInput names what another tool keeps.
type MoveInInput struct {
	brain.Scope
	Path   string         `json:"path"`
	Format foreign.Format `json:"format"`
	// Everywhere keeps it for all projects.
	Everywhere bool `json:"everywhere,omitempty"`
	// Dry reads and counts, and keeps nothing.
	Dry bool `json:"dry,omitempty"`
}

// MoveInResult counts what was imported. Everything carries the origin import, the least trusted.
type MoveInResult struct {
	Format       foreign.Format `json:"format"`
	Crystals     int            `json:"crystals"`
	Known        int            `json:"known"` // of these, there already
	Entities     int            `json:"entities"`
	Observations int            `json:"observations"`
	Relations    int            `json:"relations"`
	Links        int            `json:"links"`    // between files
	Problems     []string       `json:"problems"` // what was passed over, and where
}

// MoveIn imports what another memory tool keeps. It only reads there, and a second run adds nothing.
var MoveIn = brain.Operation[MoveInInput, MoveInResult]{
	Name: "move-in",
	Run:  moveIn,
}

func moveIn(ctx context.Context, b *brain.Brain, in MoveInInput) (out MoveInResult, err error) {
	out.Format, out.Problems = in.Format, []string{}
	m := mover{Brain: b, in: in, out: &out}
	if err := m.whose(ctx); err != nil {
		return out, err
	}
	read, err := foreign.Read(ctx, out.Format, in.Path, foreign.Options{Project: m.project, Named: m.named, Zone: b.Now().Location()})
	if err != nil {
		return out, err
	}
	for _, p := range read.Problems {
		out.Problems = append(out.Problems, p.String())
	}
	out.Crystals, out.Entities, out.Relations, out.Links = len(read.Crystals), len(read.Entities), len(read.Relations), len(read.Links)
	for _, e := range read.Entities {
		out.Observations += len(e.Observations)
	}
	if in.Dry {
		return out, nil
	}
	return out, m.keep(ctx, read)
}

// mover imports the memories of one other tool.
type mover struct {
	*brain.Brain
	in      MoveInInput
	out     *MoveInResult
	place   memory.Place
	project memory.ProjectID
	known   map[string]memory.ProjectID // projects by name and by folder
}

// whose says to which project what is read belongs.
func (m *mover) whose(ctx context.Context) (err error) {
	if !m.in.Everywhere && m.in.Project == "" {
		if m.place, err = brain.PlaceAt(m.Config, m.in.Dir); err != nil {
			return err
		}
		m.project = m.place.Project()
	}
	return m.Store.View(ctx, func(tx *store.Tx) error {
		if m.in.Project != "" {
			if m.project, err = brain.Named(ctx, tx, m.in.Project); err != nil {
				return err
			}
		}
		projects, err := tx.Projects(ctx)
		m.known = map[string]memory.ProjectID{}
		for _, p := range projects {
			m.known[p.Name], m.known[p.Root] = p.ID, p.ID
		}
		return err
	})
}

// named finds the project that the other tool knows by a name or a folder: only this one, unless all are asked for.
func (m *mover) named(name string) (memory.ProjectID, bool) {
	id, found := m.known[name]
	if !found {
		id, found = m.known[filepath.ToSlash(filepath.Clean(name))]
	}
	if !found && m.place.Root != "" {
		found = filepath.Base(m.place.Root) == filepath.Base(name)
		id = m.project
	}
	return id, found && (m.in.All || m.in.Everywhere || id == m.project)
}

// textsAtOnce are kept in one transaction, so that others may write in between.
const textsAtOnce = 100

func (m *mover) keep(ctx context.Context, read foreign.Memory) error {
	for chunk := range slices.Chunk(read.Crystals, textsAtOnce) {
		var known int
		err := record.Recording(ctx, m.Brain, m.Store.UpdateDurable, func(r *record.Recorder) error {
			known = 0
			if err := m.meet(ctx, r); err != nil {
				return err
			}
			for _, c := range chunk {
				there, err := m.crystal(ctx, r.Tx, c)
				if err != nil {
					return err
				}
				if there {
					known++
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		m.out.Known += known
	}
	if err := m.knowledge(ctx, read); err != nil {
		return err
	}
	return m.links(ctx, read.Links)
}

// meet makes the project known.
func (m *mover) meet(ctx context.Context, r *record.Recorder) error {
	if m.place.Identity == "" {
		return nil
	}
	return r.SeeProject(ctx, memory.Event{At: r.Tx.Now, Place: m.place})
}

// crystal keeps one text. Its ID follows from where it stood and what it says, so that a second run finds it.
func (m *mover) crystal(ctx context.Context, tx *store.Tx, c memory.Crystal) (known bool, err error) {
	c.Text, c.Source = strings.TrimSpace(scrub.Clean(c.Text)), scrub.Line(scrub.Clean(c.Source))
	c.Subject = scrub.Line(scrub.Clean(c.Subject))
	if c.Text == "" {
		return true, nil
	}
	c.ID, c.Origin = memory.CrystalID(memory.DerivedEventID("foreign", c.Source, c.Text)), memory.OriginImport
	if _, err := tx.Crystal(ctx, c.ID); !brain.IsNotFound(err) {
		return true, err
	}
	if gone, err := tx.Forgotten(ctx, memory.EventID(c.ID)); err != nil || gone {
		return true, err // it was deleted here on purpose
	}
	if c.SaidAt.IsZero() || c.SaidAt.After(tx.Now) {
		c.SaidAt = tx.Now
	}
	c.LastAt = tx.Now // it has just been taken up: what is old must not expire at the first sleep
	if c.Lifecycle == "" {
		c.Lifecycle = memory.Generated
	}
	for i, a := range c.Anchors {
		c.Anchors[i].Path = statements.ScrubbedPath(a.Path)
	}
	kept, err := statements.Crystallise(ctx, m.Config.Tuning.Crystal, tx, c)
	return kept.Known, err
}

// knowledge keeps entities and relations.
func (m *mover) knowledge(ctx context.Context, read foreign.Memory) error {
	if len(read.Entities) == 0 {
		return nil
	}
	byProject := map[memory.ProjectID][]memory.Entity{}
	for _, e := range read.Entities {
		byProject[e.Project] = append(byProject[e.Project], e)
	}
	return record.Recording(ctx, m.Brain, m.Store.UpdateDurable, func(r *record.Recorder) error {
		if err := m.meet(ctx, r); err != nil {
			return err
		}
		for id, entities := range byProject {
			g := &texts.GraphChange{Tx: r.Tx, Project: id, Touched: map[string]bool{}}
			for _, e := range entities {
				if err := g.Import(ctx, e); err != nil {
					return err
				}
			}
			for _, rel := range read.Relations {
				if rel.Project != id {
					continue
				}
				gone, err := g.Deleted(ctx, g.Relation(rel))
				if err != nil {
					return err
				}
				if gone {
					continue
				}
				_, err = r.Tx.Relate(ctx, g.Relation(rel))
				if brain.IsNotFound(err) {
					m.out.Relations--
					m.out.Problems = append(m.out.Problems, fmt.Sprintf("%s: relation %s %s %s: there is no such entity", m.in.Path, rel.From, rel.Type, rel.To))
					continue
				}
				if err != nil {
					return err
				}
			}
			if err := g.Index(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

// links wires files as another tool had them, as imported evidence: it is the first to be forgotten.
func (m *mover) links(ctx context.Context, links []foreign.FileLink) error {
	var hints []record.Hint
	for _, l := range links {
		from, one := m.relative(l.From)
		to, other := m.relative(l.To)
		if one && other && from != to {
			hints = append(hints, record.Hint{A: from, B: to, Origin: memory.OriginImport, Weight: l.Weight})
		}
	}
	m.out.Links = len(hints)
	for chunk := range slices.Chunk(hints, m.Config.Tuning.Store.BatchMax) {
		err := record.Recording(ctx, m.Brain, m.Store.Update, func(r *record.Recorder) error {
			if err := m.meet(ctx, r); err != nil {
				return err
			}
			return r.Wire(ctx, m.project, chunk)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// relative is a path in the project.
func (m *mover) relative(path string) (string, bool) {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		return statements.ScrubbedPath(memory.EscapePath(path)), true
	}
	rest, inside := strings.CutPrefix(memory.EscapePath(path), m.place.Root+"/")
	return statements.ScrubbedPath(rest), inside && m.place.Root != ""
}
