package statements

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// FileLine is one fact or rule of an agent's own memory or of a rule file.
type FileLine struct {
	Source memory.FileSource
	Text   string
	At     time.Time // when the file was changed
}

// FilesRead is what was read of the files of agents about a project, or about all projects.
type FilesRead struct {
	Fingerprint string  `json:"fingerprint,omitempty"` // of the files
	Documents   []int64 `json:"documents,omitempty"`   // numbers of the lines that hold
}

// FilesReadOf is the fact about a project, 0 for all.
func FilesReadOf(id memory.ProjectID) store.Fact[FilesRead] {
	return store.NewFact[FilesRead]("files-read").Of(id)
}

// FilesKept counts what became of the lines.
type FilesKept struct {
	Added int `json:"added"`
	Ended int `json:"ended"` // no longer there
	Heard int `json:"heard"` // said to hebb already, in these or nearly these words
}

// traceGone says that the file does not say it any more.
const traceGone = "gone from its file"

// KeepFiles brings what is kept of the files of agents about a project (0: about all) in step with what they say now. It
// changes nothing that was said to hebb. What the person has rejected, replaced or forgotten does not come back.
//
// Without a fingerprint a file could not be read for now: nothing is gone then, and the next run looks again.
func KeepFiles(ctx context.Context, tx *store.Tx, id memory.ProjectID, lines []FileLine, fingerprint string) (out FilesKept, err error) {
	kept, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id}, Origin: memory.OriginFile})
	if err != nil {
		return out, err
	}
	known, there := map[memory.CrystalID]memory.Crystal{}, map[memory.CrystalID]bool{}
	for _, c := range kept {
		known[c.ID] = c.Crystal
	}
	for _, line := range lines {
		c := lineCrystal(line, id, tx.Now)
		if c.Text == "" || there[c.ID] || prose.Withheld(c.Origin, c.Text) {
			continue
		}
		there[c.ID] = true
		old, is := known[c.ID]
		gone := is && old.Lifecycle == memory.Expired && !old.ValidTo.IsZero()
		if !is || gone {
			wanted, err := wanted(ctx, tx, c, &out)
			if err != nil {
				return out, err
			}
			if !wanted {
				continue
			}
		}
		switch {
		case !is:
			out.Added++
			err = addLine(ctx, tx, c)
		case gone:
			old.Lifecycle, old.ValidTo, old.Source = memory.Generated, time.Time{}, c.Source
			err = tx.SaveCrystal(ctx, old)
		case old.Source != c.Source:
			old.Source = c.Source
			err = tx.SaveCrystal(ctx, old)
		}
		if err != nil {
			return out, err
		}
	}
	for _, c := range kept {
		if fingerprint == "" {
			there[c.ID] = true
		}
		if !there[c.ID] && c.ValidTo.IsZero() && c.Lifecycle.Living() && c.Lifecycle != memory.Frozen {
			c.Lifecycle = memory.Expired
			if err := EndCrystal(ctx, tx, c.Crystal, traceGone, ""); err != nil {
				return out, err
			}
			out.Ended++
		}
	}
	return out, noteFiles(ctx, tx, id, there, fingerprint)
}

// lineCrystal is a line as it is kept. The ID follows from the project and the words, so that a line that is forgotten
// on purpose stays forgotten.
func lineCrystal(line FileLine, id memory.ProjectID, now time.Time) memory.Crystal {
	c := memory.Crystal{
		Project: id, Kind: memory.Rule, Text: strings.TrimSpace(scrub.Clean(line.Text)), Importance: SaidImportance, Lifecycle: memory.Generated,
		Origin: memory.OriginFile, Source: scrub.Line(scrub.Clean(line.Source.String())), SaidAt: line.At, LastAt: now,
	}
	if line.Source.By != "" {
		c.Kind = memory.Fact
	}
	if c.SaidAt.IsZero() || c.SaidAt.After(now) {
		c.SaidAt = now
	}
	c.ID = lineID(id, c.Text)
	return c
}

// lineID is the ID of a line of a project.
func lineID(id memory.ProjectID, text string) memory.CrystalID {
	return memory.CrystalID(memory.DerivedEventID("file", id.String(), text))
}

// wanted reports whether a line that is not kept is to be: hebb has it neither from the person nor from an agent, and the person has
// neither forgotten nor rejected it.
func wanted(ctx context.Context, tx *store.Tx, c memory.Crystal, out *FilesKept) (bool, error) {
	for _, id := range []memory.ProjectID{c.Project, 0} {
		if gone, err := tx.Forgotten(ctx, memory.EventID(lineID(id, c.Text))); err != nil || gone {
			return false, err
		}
	}
	if is, err := Rejected(ctx, tx, c); err != nil || is {
		return false, err
	}
	same, err := saidBefore(ctx, tx, c)
	if slices.ContainsFunc(same, func(k store.Kept) bool { return k.Origin.Tier() < c.Origin.Tier() && k.Lifecycle.Living() }) {
		out.Heard++
		return false, err
	}
	return err == nil, err
}

// addLine keeps a line that is new. What an agent noted is tied to the code it names, so that it is doubted when that is gone.
func addLine(ctx context.Context, tx *store.Tx, c memory.Crystal) (err error) {
	if f, _ := c.FileSource(); f.By != "" {
		if c.Anchors, err = anchors(ctx, tx, c.Project, c.Text, nil); err != nil {
			return err
		}
	}
	return StoreCrystal(ctx, tx, c)
}

// noteFiles notes what was read, and which lines stand there.
func noteFiles(ctx context.Context, tx *store.Tx, id memory.ProjectID, there map[memory.CrystalID]bool, fingerprint string) error {
	read := FilesRead{Fingerprint: fingerprint}
	kept, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id}, Origin: memory.OriginFile, Bare: true})
	for _, c := range kept {
		if there[c.ID] { // also those that are hidden now: somebody may take that back
			read.Documents = append(read.Documents, c.Document)
		}
	}
	slices.Sort(read.Documents)
	if err != nil {
		return err
	}
	return FilesReadOf(id).Set(ctx, tx, read)
}

const linesMost = 200 // notes, and rules, that an answer looks at: the latest

// InFiles returns what agents have noted by themselves about a project and about all projects, and the rules in files that people wrote
// for agents, both without what one agent reads by itself, and without rules for some files only.
func InFiles(ctx context.Context, tx *store.Tx, id memory.ProjectID, to memory.Agent) (notes, rules []store.Kept, err error) {
	here, err := FilesReadOf(id).Get(ctx, tx)
	everywhere, err2 := FilesReadOf(0).Get(ctx, tx)
	documents := append(here.Documents, everywhere.Documents...)
	if err = errors.Join(err, err2); err != nil || len(documents) == 0 {
		return nil, nil, err
	}
	kept, err := tx.Crystals(ctx, store.CrystalFilter{Documents: documents, Origin: memory.OriginFile, Current: true, Living: true, Bare: true})
	for _, c := range kept { // the latest first
		f, _ := c.FileSource()
		switch {
		case slices.Contains(f.Readers, to) || f.For != "":
		case f.By != "" && len(notes) < linesMost:
			notes = append(notes, c)
		case f.By == "" && len(rules) < linesMost:
			rules = append(rules, c)
		}
	}
	return notes, rules, err
}
