package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
	"github.com/hebb-memory/hebb/internal/workmem"
)

const (
	aheadTokens  = 80  // before an edit or a command: one line
	changedMost  = 8   // files of one patch that are looked at
	aboutMost    = 100 // memories about one file that are read, the latest
	namedMost    = 50  // memories with the words of one name that are read, the latest
	symbolsMost  = 40  // names that a file defines
	runsMost     = 5   // latest runs of a command
	shownCommand = 90  // characters of a command or an error
)

// aheadKinds are the kinds of memories that bear on how work is done. A fact is what a person keeps without saying what it is.
var aheadKinds = []memory.CrystalKind{memory.Rule, memory.Decision, memory.Correction, memory.Preference, memory.Lesson, memory.Fact}

// ahead answers a tool call that is about to be made: before an edit with what was said of the file, or of a new one with the convention that
// its name or place breaks; before a command with what was said of it, or with what worked where it failed. It shows one line, and only what is
// sure: somebody tied it to the file, its words name the thing, or most files of the project follow it.
func ahead(ctx context.Context, b *brain.Brain, e memory.Event) (Shown, error) {
	if e.AgentSession == "" {
		return Shown{}, nil
	}
	return newSheet(b, memory.AtEdit, e, nil, aheadTokens).answer(ctx, func(ctx context.Context, s *sheet) error {
		changed := slices.DeleteFunc(slices.Clone(e.Touches), func(t memory.Touch) bool { return t.Kind != memory.Edit && t.Kind != memory.Delete })
		for _, t := range changed[:min(len(changed), changedMost)] {
			for _, about := range []func(context.Context, string) ([]store.Kept, error){s.tiedTo, s.naming} {
				if len(s.lines) > 0 {
					continue
				}
				if err := s.remind(ctx, about, t.Path); err != nil {
					return err
				}
			}
		}
		for _, t := range changed[:min(len(changed), changedMost)] {
			if err := s.adviseOn(ctx, t); err != nil {
				return err
			}
		}
		if shell.IsTool(e.Tool) && e.Input != "" && len(s.lines) == 0 {
			s.moment = memory.AtCommand
			if err := s.remindOfCommand(ctx); err != nil {
				return err
			}
			return s.instead(ctx)
		}
		return nil
	})
}

// remind adds the strongest of the memories about something that the session was not shown, the person's first.
func (s *sheet) remind(ctx context.Context, look func(context.Context, string) ([]store.Kept, error), thing string) error {
	about, err := look(ctx, thing)
	about = slices.DeleteFunc(about, func(c store.Kept) bool {
		inPassing := c.Kind == memory.Fact && s.moment != memory.AtError && (c.Origin != memory.OriginUser || c.Heard > 0)
		return inPassing || c.Session == s.session || !statements.InForce(c.Crystal)
	})
	if err != nil || len(about) == 0 {
		return err
	}
	if err := errors.Join(s.tx.LoadAnchors(ctx, about), s.recollect(ctx)); err != nil {
		return err
	}
	about = statements.Holding(about, s.tx.Now)
	strength := func(c store.Kept) float64 { return dream.Statement{Crystal: c.Crystal}.Strength(s.tx.Now) }
	slices.SortStableFunc(about, func(a, b store.Kept) int {
		return cmp.Or(cmp.Compare(a.Origin.Tier(), b.Origin.Tier()), cmp.Compare(strength(b), strength(a)), cmp.Compare(a.ID, b.ID))
	})
	for _, c := range about {
		if s.said(c.ID) {
			continue
		}
		if line := quote(s.code, c.Crystal, s.tx.Now); line != "" && s.add(memory.Suggestion{Offer: memory.OfferMemory, Crystal: c.ID, Confidence: 1}, line) {
			return nil
		}
	}
	return nil
}

// recollect is lookBack once, with what waits in the spool: most moments end before they need it.
func (s *sheet) recollect(ctx context.Context) error {
	if s.waiting != nil {
		return nil
	}
	s.waiting = append([]memory.Event{}, waiting(s.brain, s.to)...)
	return s.lookBack(ctx)
}

// folders are a file and the folders above it.
func folders(file string) []string {
	places := []string{file}
	for dir := path.Dir(file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		places = append(places, dir)
	}
	return places
}

// tiedTo returns the memories that were tied on purpose to a file or to a folder above it. Files that were merely open when something was said are no
// evidence.
func (s *sheet) tiedTo(ctx context.Context, file string) ([]store.Kept, error) {
	return s.tx.CrystalsAbout(ctx, s.project, folders(file), aboutMost, holding)
}

// naming returns the memories with the name of a file, of a folder above it or of something that it defines in the words that are shown.
func (s *sheet) naming(ctx context.Context, file string) ([]store.Kept, error) {
	titles, err := s.tx.Titles(ctx, s.project, memory.SnippetText, []string{file}, symbolsMost)
	if err != nil {
		return nil, err
	}
	symbols := slices.DeleteFunc(titles[file], func(name string) bool { return !statements.IsIdentifier(name) })
	var any []string
	for _, name := range symbols {
		if words := vocab.TextWords(name); len(words) > 0 { // from_ has none
			any = append(any, words[len(words)-1]) // the whole name
		}
	}
	looks := []store.Expression{{All: vocab.TextWords(path.Base(file))}, {Any: any}}
	for _, dir := range folders(file)[1:] {
		looks = append(looks, store.Expression{All: vocab.TextWords(dir)})
	}
	found, err := s.kept(ctx, looks...)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	alone, err := s.tx.OnlyFileNamed(ctx, s.project, file)
	return slices.DeleteFunc(found, func(c store.Kept) bool {
		return !statements.SpeaksOf(dream.Statement{Crystal: c.Crystal}.Words(), file, alone, symbols)
	}), err
}

// holding are the memories that bear on work and hold now.
var holding = store.CrystalFilter{Kinds: aheadKinds, Current: true, Living: true, Bare: true}

// kept reads those that full text finds.
func (s *sheet) kept(ctx context.Context, looks ...store.Expression) ([]store.Kept, error) {
	ids := []int64{}
	filter := store.DocumentFilter{Projects: []memory.ProjectID{s.project, 0}, Limit: namedMost}
	for _, k := range aheadKinds {
		filter.Kinds = append(filter.Kinds, string(k))
	}
	for _, look := range looks {
		err := s.tx.MatchStubs(ctx, look, filter, func(found store.Stub) error {
			ids = append(ids, found.ID)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	of := holding
	of.Documents = ids
	return s.tx.Crystals(ctx, of)
}

// remindOfCommand adds a memory about the command, rather one about what the program is asked to do than one about the program.
func (s *sheet) remindOfCommand(ctx context.Context) error {
	about, err := s.aboutCommand(ctx, s.to.Input)
	runs := shell.Runs(s.to.Input, s.to.Place.Root)
	nearer := slices.DeleteFunc(slices.Clone(about), func(c store.Kept) bool {
		return !slices.ContainsFunc(runs, func(r shell.Run) bool { return r.SubNamedIn(dream.Statement{Crystal: c.Crystal}.Words()) })
	})
	for _, some := range [][]store.Kept{nearer, about} {
		if err == nil && len(s.lines) == 0 {
			err = s.remind(ctx, func(context.Context, string) ([]store.Kept, error) { return some, nil }, s.to.Input)
		}
	}
	return err
}

// aboutCommand returns the memories whose words name the command, without those that it obeys.
func (s *sheet) aboutCommand(ctx context.Context, line string) ([]store.Kept, error) {
	runs := shell.Runs(line, s.to.Place.Root)
	var looks []store.Expression
	for _, r := range runs {
		if r.Utility() {
			continue
		}
		if r.Ordinary() { // only with what it is asked to do
			looks = append(looks, store.Expression{Phrases: [][]string{vocab.TextWords(r.Program + " " + r.Sub())}})
		} else {
			looks = append(looks, store.Expression{All: vocab.TextWords(r.Program)})
		}
		if r.SpokenOf(r.Sub()) {
			looks = append(looks, store.Expression{All: vocab.TextWords(r.Sub())})
		}
	}
	found, err := s.kept(ctx, looks...)
	return slices.DeleteFunc(found, func(c store.Kept) bool {
		standing := c.Heard == 0 || c.Kind == memory.Rule || c.Kind == memory.Preference || c.Kind == memory.Correction
		text := dream.Statement{Crystal: c.Crystal}.Words() // what is shown
		if slices.ContainsFunc(runs, func(r shell.Run) bool { return r.AskedFor(text) }) {
			return true
		}
		return !slices.ContainsFunc(runs, func(r shell.Run) bool { return !r.Utility() && (r.NamedIn(text) || standing && r.SpokenOf(text)) })
	}), err
}

// instead adds what worked where the command failed when it last ran in this project: in the same session, shortly after, with no file changed in
// between, and not failing since. A command that the session itself ran is no news to it.
func (s *sheet) instead(ctx context.Context) error {
	runs := shell.Runs(s.to.Input, s.to.Place.Root)
	if len(s.lines) > 0 || len(runs) != 1 || runs[0].Utility() {
		return nil
	}
	earlier, err := s.tx.RunsOf(ctx, s.project, s.to, runsMost)
	if err != nil {
		return err
	}
	for _, failed := range slices.DeleteFunc(earlier, elsewhere) {
		if failed.Kind != memory.ToolFailed {
			return nil // it has worked since
		}
		if found, ok := fault.Find(failed.Text); failed.Session == s.session || ok && found.OfCode() {
			continue
		}
		worked, err := s.workedAfter(ctx, failed, runs[0])
		if err != nil {
			return err
		}
		problem := fault.Summary(failed.Text)
		gone, err := s.code.GoneIn(ctx, s.tx, s.project, worked)
		if err != nil {
			return err
		}
		if worked == "" || len(gone) > 0 || workmem.Hijacks(problem) || workmem.Hijacks(worked) {
			continue
		}
		if err := s.recollect(ctx); err != nil || s.ranWell(s.to.Input) {
			return err
		}
		line := fmt.Sprintf("this command failed here on %s (%s); worked right after: %s", brain.ShortDay(failed.At, s.tx.Now), asData(problem), asData(worked))
		l := memory.Suggestion{Offer: memory.OfferCommand, Confidence: 1, Reason: prose.Shorten(prose.OneLine(worked), shownCommand)}
		if !slices.ContainsFunc(s.earlier, func(o memory.Suggestion) bool { return o.Offer == l.Offer && o.Reason == l.Reason }) {
			s.add(l, line)
		}
		return nil
	}
	return nil
}

// elsewhere reports whether a tool call was not seen here, but comes from a file that somebody gave.
func elsewhere(e memory.StoredEvent) bool { return e.Origin != memory.OriginTool }

// workedAfter returns the command that worked instead of a failed one. Subagents that work at the same time run commands of their own.
func (s *sheet) workedAfter(ctx context.Context, failed memory.StoredEvent, run shell.Run) (string, error) {
	after, err := s.tx.EventsAfter(ctx, failed, store.InsteadMost)
	for _, o := range after {
		if o.At.Sub(failed.At) > store.InsteadWithin || slices.ContainsFunc(o.Touches, func(t memory.Touch) bool { return t.Kind != memory.Read && t.Kind != memory.Mention }) {
			return "", nil
		}
		other := shell.Runs(o.Input, s.to.Place.Root)
		if o.Kind != memory.ToolUsed || elsewhere(o) || o.Subagent != failed.Subagent || len(other) != 1 || !shell.Instead(run, other[0], failed.Text) {
			continue
		}
		o.Place = s.to.Place
		since, err := s.tx.RunsOf(ctx, s.project, o.Event, 1)
		if err == nil && len(since) == 1 && since[0].Kind == memory.ToolUsed && !elsewhere(since[0]) {
			return o.Input, nil
		}
		return "", err
	}
	return "", err
}

// ranWell reports whether the session ran a command without a failure, and the store does not know yet.
func (s *sheet) ranWell(line string) bool {
	form := shell.Form(line, s.to.Place.Root)
	return slices.ContainsFunc(s.waiting, func(o memory.Event) bool {
		return o.Kind == memory.ToolUsed && o.Input != "" && shell.Form(o.Input, s.to.Place.Root) == form
	})
}

// asData is a text from a tool, shortened and quoted.
func asData(text string) string {
	return workmem.Quoted(prose.Shorten(brain.AsData(text), shownCommand))
}
