package state

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sheet"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// A line that somebody writes into MEMORY.md becomes a memory whose source names the section, so that the next rendering tells it there.
const lineSource = "MEMORY.md"

// writtenIn is the section of MEMORY.md in which a memory was written, SectionCount for all others.
func writtenIn(c memory.Crystal) Section {
	for s := range SectionCount {
		if c.Source == lineSource+": "+s.String() {
			return s
		}
	}
	return SectionCount
}

// IsLine reports whether a memory was a line of MEMORY.md.
func IsLine(c memory.Crystal) bool { return c.Source == lineSource || writtenIn(c) < SectionCount }

// keepLine keeps a line of a section as a memory. In a section that follows the person it holds everywhere, but below the title of the
// project's own lines.
func keepLine(ctx context.Context, settings tuning.Crystal, tx *store.Tx, id memory.ProjectID, s Section, here bool, item string, by memory.Origin) (memory.Crystal, error) {
	text, kind := strings.TrimSpace(scrub.Clean(item)), sectionRows[s].written
	if label, _ := split(text); label == labelInsight {
		kind = memory.Insight
	}
	if !strings.Contains(text, "\n") && s != SectionPointers {
		text = saidIn(text)
	}
	if text == "" || text == bullet {
		return memory.Crystal{}, nil
	}
	if s.Personal() && !here {
		id = 0
	}
	said, err := statements.Crystallise(ctx, settings, tx, memory.Crystal{
		Project: id, Kind: kind, Text: text, Origin: by, Source: lineSource + ": " + s.String(), Lifecycle: memory.Consolidated, SaidAt: tx.Now,
	})
	return said.Crystal, err
}

// eachLine hands over the lines of a document.
func eachLine(s Document, use func(section Section, here bool, item string)) {
	for section, text := range s.Sections {
		everywhere, here := text, ""
		if Section(section).Personal() {
			everywhere, here = SplitHere(text)
		}
		for i, part := range []string{everywhere, here} {
			for _, item := range blocks(part) {
				use(Section(section), i == 1, item)
			}
		}
	}
}

// keepLines keeps the lines of a document that no memory says. by says whose words a line is; "" leaves it out.
func keepLines(ctx context.Context, settings tuning.Crystal, tx *store.Tx, id memory.ProjectID, s Document, entries []Entry, by func(section Section, item string) memory.Origin) (err error) {
	eachLine(s, func(section Section, here bool, item string) {
		if derived(item) && ours(item) { // it surely follows from other things
			return
		}
		said := saidIn(item)
		_, pointer := ParsePointer(item)
		known := slices.ContainsFunc(entries, func(e Entry) bool { return e.ID != "" && holds(e.Text, said) || e.line(section) == item })
		if origin := by(section, item); origin != "" && !known && !(pointer && section == SectionPointers) {
			_, failed := keepLine(ctx, settings, tx, id, section, here, item, origin)
			err = errors.Join(err, failed)
		}
	})
	return err
}

// takeOld keeps the lines of a state that no memory says: of one that an earlier version of hebb wrote, but what a memory said that has ended
// since; of one that the person brings back, all.
func takeOld(ctx context.Context, settings tuning.Crystal, tx *store.Tx, id memory.ProjectID, m Material, back bool) error {
	last, err := WrittenState(ctx, tx, id)
	if err != nil {
		return err
	}
	var failed error
	err = keepLines(ctx, settings, tx, id, m.Old, m.Entries, func(section Section, item string) memory.Origin {
		by := originOf(item)
		if derived(item) && (back || slices.Contains(linesIn(last, section), item)) {
			return ""
		}
		if back || !slices.Contains(linesIn(last, section), item) { // the person's own line
			return by
		}
		ended, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{0, id}, Contains: strings.TrimSuffix(saidIn(item), prose.CutMark), Limit: 1})
		if failed = errors.Join(failed, err); err != nil || len(ended) > 0 {
			return ""
		}
		if by == memory.OriginUser { // a model wrote it
			by = memory.OriginAgent
		}
		return by
	})
	return errors.Join(err, failed)
}

// hereMark ends the name of a section whose lines hold only in the project.
const hereMark = " here"

// entriesOf are the lines of MEMORY.md, with the memories that they tell. A line without a mark is the memory whose line it was.
func entriesOf(s Document, told []Told) (entries []sheet.Entry) {
	eachLine(s, func(section Section, here bool, item string) {
		e := sheet.Entry{Section: section.String(), Text: item}
		if here {
			e.Section += hereMark
		}
		entries = append(entries, e)
	})
	entries = sheet.Resolve(entries, marksOf(told), func(e sheet.Entry) string { return toldBy(told, e.Text) })
	return slices.DeleteFunc(entries, func(e sheet.Entry) bool { // what surely follows from other things is hebb's, also of an earlier day
		return e.ID == "" && derived(e.Text) && (told == nil || ours(e.Text))
	})
}

// marksOf are the marks of the memories that MEMORY.md tells. A pointer has none: it only leads to one.
func marksOf(told []Told) sheet.Marks {
	lines := slices.DeleteFunc(slices.Clone(told), func(t Told) bool { return t.Pointer })
	return sheet.MarksOf(lines, func(t Told) string { return string(t.Crystal) })
}

// toldBy is the memory that a line told when it was written.
func toldBy(told []Told, item string) string {
	if at := slices.IndexFunc(told, func(t Told) bool { return !t.Pointer && t.Line == lineHash(item) }); at >= 0 {
		return string(told[at].Crystal)
	}
	return ""
}

// marked is a state with the marks of its lines, as people edit it.
func marked(s Document, told []Told) Document {
	marks := marksOf(told)
	mark := func(text string) string {
		items := blocks(text)
		for i, item := range items {
			items[i] = marks.On(toldBy(told, item), item)
		}
		return joinItems(items)
	}
	for section, text := range s.Sections {
		everywhere, here := SplitHere(text)
		s.Sections[section] = JoinHere(mark(everywhere), mark(here))
	}
	return s
}

// edited keeps what a person changed in MEMORY.md: lines they added become memories of theirs, lines they changed take the place of the memories
// that they told, and lines they took out end them.
func edited(ctx context.Context, settings tuning.Crystal, tx *store.Tx, id memory.ProjectID, change sheet.Change) error {
	told, err := toldFact(id).Get(ctx, tx)
	if err != nil {
		return err
	}
	for _, e := range change.Gone {
		err = errors.Join(err, statements.TakeOut(ctx, tx, e.ID, lineSource, ""))
	}
	for _, e := range slices.Concat(change.Edited, change.New) {
		name, here := strings.CutSuffix(e.Section, hereMark)
		section, _ := stateHeading("## " + name)
		by := memory.OriginUser
		if e.ID == "" { // a line that says whose words it is was put back
			by = originOf(e.Text)
		}
		c, failed := keepLine(ctx, settings, tx, id, section, here, e.Text, by)
		if err = errors.Join(err, failed); failed != nil || c.ID == "" {
			continue
		}
		if told != nil {
			told = append(told, Told{Line: lineHash(e.Text), Crystal: c.ID, Said: statements.IsStatement(c)})
		}
		if e.ID != "" {
			err = errors.Join(err, statements.TakeOut(ctx, tx, e.ID, lineSource, c.ID))
		}
	}
	if told == nil { // the first rendering has yet to read the other lines
		return err
	}
	return errors.Join(err, toldFact(id).Set(ctx, tx, told))
}

// seedSection is the section that a heading of an adopted text names: a state of another tool names its sections as this one does.
func seedSection(item string) (Section, bool) {
	if _, level := prose.Heading(item); level == 0 {
		return SectionCount, false
	}
	if s, ok := stateHeading(item); ok && s != SectionPointers {
		return s, true
	}
	return SectionActive, true
}

// takeSeed keeps the lines of adopted texts above a state as memories, each in the section that its heading names. A text that is longer than
// a state, and what means something only where it stands (code, tables, quotations), is found by search alone: its pieces are memories too.
func takeSeed(ctx context.Context, settings tuning.Crystal, tx *store.Tx, id memory.ProjectID, above string) (err error) {
	for _, seed := range adoptedTexts(above) {
		section := SectionActive
		if len(seed) > Whole {
			continue
		}
		for _, item := range SplitItems(strings.ReplaceAll(seed, "\r\n", "\n")) {
			text := strings.TrimSpace(item)
			if s, heads := seedSection(text); heads {
				section = s
				continue
			}
			if strings.ContainsAny(text[:min(len(text), 1)], "|><=[{!`~") || prose.IsRule(text) || strings.HasSuffix(text, ":") {
				continue
			}
			_, failed := keepLine(ctx, settings, tx, id, section, true, text, memory.OriginUser)
			err = errors.Join(err, failed)
		}
	}
	return err
}
