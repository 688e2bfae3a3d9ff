package learn

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
	Path       string         `json:"path" arg:"1"`
	Format     foreign.Format `json:"format" flag:"from" about:"the format of another tool"`
	Everywhere bool           `json:"everywhere,omitempty" flag:"everywhere" about:"keep it for every project"`
	Dry        bool           `json:"dry,omitempty" flag:"dry-run" about:"only count what would be imported"`
}

// MoveInResult counts what was imported. Everything carries the origin import, the least trusted.
type MoveInResult struct {
	Format       foreign.Format `json:"format"`
	Crystals     int            `json:"crystals"`
	Known        int            `json:"known"`      // of these, there already
	Superseded   int            `json:"superseded"` // earlier texts of notes that say something else now; they stay as history
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
	if err := m.supersedeNotes(ctx, read.Crystals); err != nil {
		return err
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
	if known, err := tx.Crystal(ctx, c.ID); err == nil && !known.ValidTo.IsZero() && m.isNotes() {
		return true, m.sayNoteAgain(ctx, tx, known.Crystal)
	} else if !brain.IsNotFound(err) {
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
	if err == nil && m.isNotes() {
		err = tx.Leave(ctx, store.Trace{Crystal: kept.ID, What: traceNote, Detail: m.folder()})
	}
	return kept.Known, err
}

const (
	traceNote     = "read from notes" // of this folder
	traceNoteGone = "its note no longer says it"
)

// isNotes reports whether the texts are those of notes that people go on editing, known by their file and heading.
func (m *mover) isNotes() bool {
	return m.out.Format == foreign.Markdown
}

// folder is where the notes lie: another folder has notes of the same names.
func (m *mover) folder() string {
	path, err := filepath.Abs(m.in.Path)
	if err != nil {
		path = m.in.Path
	}
	if !statements.IsFolder(path) {
		path = filepath.Dir(path)
	}
	return scrub.Line(scrub.Clean(filepath.ToSlash(path)))
}

// sayNoteAgain brings back what a note says once more, having said something else in between.
func (m *mover) sayNoteAgain(ctx context.Context, tx *store.Tx, c memory.Crystal) error {
	traces, err := tx.Traces(ctx, c.ID)
	if err != nil {
		return err
	}
	for _, t := range slices.Backward(traces) {
		if t.What == statements.TraceWrong {
			return nil // somebody here knows better
		}
		if t.What == statements.TraceSuperseded || t.What == traceNoteGone {
			break
		}
	}
	c.ValidTo = time.Time{}
	return errors.Join(tx.SaveCrystal(ctx, c), tx.Leave(ctx, store.Trace{Crystal: c.ID, What: statements.TraceSaidAgain, Detail: c.Source}))
}

// supersedeNotes makes history of what the notes that were read said before. Under the same heading the new text takes the
// place of the old one.
func (m *mover) supersedeNotes(ctx context.Context, read []memory.Crystal) error {
	if !m.isNotes() {
		return nil
	}
	said, files := map[string]memory.CrystalID{}, map[string]bool{} // by source and text, and the first of each source
	projects := map[memory.ProjectID]bool{}
	for _, c := range read {
		text, source := strings.TrimSpace(scrub.Clean(c.Text)), scrub.Line(scrub.Clean(c.Source))
		id := memory.CrystalID(memory.DerivedEventID("foreign", source, text))
		said[source+"\x00"+text] = id
		if _, met := said[source]; !met {
			said[source] = id
		}
		files[noteFile(source)], projects[c.Project] = true, true
	}
	for project := range projects {
		ended := 0
		err := m.Store.UpdateDurable(ctx, func(tx *store.Tx) error {
			ended = 0
			known, err := tx.Crystals(ctx, store.CrystalFilter{Source: string(m.out.Format) + ":", Projects: []memory.ProjectID{project}, Current: true})
			if err != nil {
				return err
			}
			for _, c := range known {
				if _, still := said[c.Source+"\x00"+c.Text]; still || !files[noteFile(c.Source)] || c.Lifecycle == memory.Frozen {
					continue
				}
				gone, err := m.endNote(ctx, tx, c.Crystal, said[c.Source])
				if err != nil {
					return err
				}
				if gone {
					ended++
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		m.out.Superseded += ended
	}
	return nil
}

// noteFile is the file of a source, without the heading.
func noteFile(source string) string {
	file, _, _ := strings.Cut(source, "#")
	return file
}

// endNote makes history of a text whose note says something else now, unless another folder has a note of that name.
func (m *mover) endNote(ctx context.Context, tx *store.Tx, c memory.Crystal, by memory.CrystalID) (ended bool, err error) {
	traces, err := tx.Traces(ctx, c.ID)
	if err != nil {
		return false, err
	}
	for _, t := range traces {
		if t.What == traceNote && t.Detail != m.folder() {
			return false, nil
		}
	}
	newer, err := tx.Crystal(ctx, by)
	if by == "" || brain.IsNotFound(err) {
		return true, statements.EndCrystal(ctx, tx, c, traceNoteGone, "")
	}
	if err != nil {
		return false, err
	}
	if !slices.Contains(newer.Parents, c.ID) {
		newer.Parents = append(newer.Parents, c.ID)
	}
	return true, errors.Join(tx.SaveCrystal(ctx, newer.Crystal), statements.EndCrystal(ctx, tx, c, statements.TraceSuperseded, string(by)))
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
				kept, err := store.Relations.Memory(g.Relation(rel))
				if err == nil {
					_, err = g.Take(ctx, kept)
				}
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
			return r.Wire(ctx, m.project, chunk, r.Tx.Now)
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
