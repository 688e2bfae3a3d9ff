package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	aheadTokens  = 80  // before an edit or a command
	aheadMost    = 2   // memories that a call goes against
	changedMost  = 8   // files of one patch that are looked at
	aboutMost    = 100 // memories about one file that are read, the latest
	symbolsMost  = 40  // names that a file defines
	runsMost     = 5   // latest runs of a command
	shownCommand = 90  // characters of a command or an error
)

// ahead answers a tool call that is about to be made: with what was said that it goes against; before an
// edit with what was said of the file, or the convention that a new one breaks by its name or place;
// before a command with what worked where it failed. It shows only what is sure.
func ahead(ctx context.Context, s sheet) (Shown, error) {
	e := s.to
	if e.AgentSession == "" {
		return Shown{}, nil
	}
	return s.at(memory.AtEdit, aheadTokens).answer(ctx, func(ctx context.Context, s *sheet) error {
		changed := slices.DeleteFunc(slices.Clone(e.Touches), func(t memory.Touch) bool { return t.Kind != memory.Edit && t.Kind != memory.Delete })
		changed = changed[:min(len(changed), changedMost)]
		call := statements.Call{Added: e.Text, Row: embedding.GeneralRow}
		for _, t := range changed {
			call.Paths = append(call.Paths, t.Path)
		}
		call.New = len(call.Paths) > 0 && !slices.ContainsFunc(call.Paths, func(p string) bool { return !s.missing(p) })
		if shell.IsTool(e.Tool) && e.Input != "" {
			s.moment, call.Command = memory.AtCommand, e.Input
		}
		all, err := s.statements(ctx, strings.Join(append(call.Paths, call.Command, call.Added), " "))
		if err == nil {
			err = s.warn(ctx, call, slices.Concat(all, s.rules))
		}
		for _, t := range changed {
			for _, about := range []func(context.Context, string, []store.Kept) ([]store.Kept, error){s.tiedTo, s.naming} {
				if err == nil && len(s.lines) == 0 {
					some, failed := about(ctx, t.Path, all)
					err = errors.Join(failed, s.remind(ctx, 1, some))
				}
			}
		}
		for _, t := range changed {
			if err == nil {
				err = s.adviseOn(ctx, t)
			}
		}
		if err == nil && call.Command != "" {
			err = s.instead(ctx)
		}
		if err == nil {
			err = s.triggered(ctx, strings.Join(append(call.Paths, call.Command, call.Added), "\n"))
		}
		return err
	})
}

// warn adds what was said that the call goes against, even with what the session ran before, and asks the person first where they insisted.
func (s *sheet) warn(ctx context.Context, call statements.Call, all []store.Kept) error {
	asks := s.brain.Config.Ask
	if asks {
		pinned, _, err := desk.PinsHere(ctx, s.tx, s.project)
		if err != nil {
			return err
		}
		for _, p := range pinned {
			c := store.Kept{Crystal: memory.Crystal{Text: cmp.Or(p.Text, p.Title), Origin: p.Origin, SaidAt: p.At, Lifecycle: memory.Frozen}}
			all = append(slices.Clip(all), c)
		}
	}
	words := func(c store.Kept) string { return state.Statement{Crystal: c.Crystal}.Words() }
	broken := func(list []store.Kept) (told, forbidden []store.Kept) {
		seen := statements.Look(call)
		for _, c := range list {
			pinned := c.Lifecycle == memory.Frozen
			if !pinned && seen.Against(words(c), c.Marks...) { // pins are shown at each start
				told = append(told, c)
			}
			if asks && seen.Forbidden(words(c), c.Marks...) && (pinned || statements.InForce(c.Crystal)) {
				forbidden = append(forbidden, c)
			}
		}
		return told, forbidden
	}
	told, forbidden := broken(all)
	if len(told)+len(forbidden) == 0 {
		return nil
	}
	err := s.recollect(ctx)
	for _, e := range s.waiting {
		if e.Kind == memory.ToolUsed && shell.IsTool(e.Tool) {
			call.Ran = append(call.Ran, e.Input)
		}
	}
	told, forbidden = broken(all)
	if err = errors.Join(err, s.remind(ctx, aheadMost, told)); err != nil {
		return err
	}
	for _, c := range forbidden {
		insisted, err := statements.Insisted(ctx, s.tx, c.Crystal)
		if err != nil {
			return err
		}
		if insisted { // again with each such call: the answer to the last one was for that one
			said := prose.Quoted(prose.Shorten(brain.AsData(words(c)), askedCharacters))
			s.ask = "hebb: you said on " + brain.ShortDay(c.SaidAt, s.tx.Now) + ": " + said
			return nil
		}
	}
	return nil
}

const askedCharacters = 200 // of a rule, when the person is asked

// remind adds the strongest of some memories that the session was not shown, the person's first.
func (s *sheet) remind(ctx context.Context, most int, about []store.Kept) error {
	about = slices.DeleteFunc(about, func(c store.Kept) bool {
		inPassing := c.Kind == memory.Fact && s.moment != memory.AtError && (c.Origin != memory.OriginUser || c.Heard > 0)
		return inPassing || c.Kind == memory.Intention || c.Session == s.session || !statements.InForce(c.Crystal)
	})
	if len(about) == 0 {
		return nil
	}
	if err := errors.Join(s.tx.LoadAnchors(ctx, about), s.recollect(ctx)); err != nil {
		return err
	}
	about = statements.Holding(about, s.tx.Now)
	strength := func(c store.Kept) float64 { return state.Statement{Crystal: c.Crystal}.Strength(s.tx.Now) }
	slices.SortStableFunc(about, func(a, b store.Kept) int {
		return cmp.Or(cmp.Compare(a.Origin.Tier(), b.Origin.Tier()), cmp.Compare(strength(b), strength(a)), cmp.Compare(a.ID, b.ID))
	})
	for _, c := range about {
		if s.said(c.ID) || most == 0 {
			continue
		}
		if line := quote(s.code, c.Crystal, s.tx.Now); line != "" && s.add(memory.Suggestion{Offer: memory.OfferMemory, Crystal: c.ID, Confidence: 1}, line) {
			most--
		}
	}
	return nil
}

// recollect is lookBack once, with what waits in the spool: most moments end before they need it.
func (s *sheet) recollect(ctx context.Context) error {
	if s.waiting != nil {
		return nil
	}
	s.waiting = append([]memory.Event{}, waiting(s.brain.Config, s.brain.Spool, s.to)...)
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

// tiedTo returns the memories that were tied on purpose to a file or to a folder above it, not those
// that were said when it was merely open.
func (s *sheet) tiedTo(ctx context.Context, file string, _ []store.Kept) ([]store.Kept, error) {
	about, err := s.tx.CrystalsAbout(ctx, s.project, folders(file), aboutMost, store.CrystalFilter{Kinds: neededKinds, Current: true, Living: true, Bare: true})
	return slices.DeleteFunc(about, func(c store.Kept) bool { return c.Origin == memory.OriginFile }), err
}

// naming returns those whose shown words name a file, a folder above it or something that it defines,
// and do not demand to change it.
func (s *sheet) naming(ctx context.Context, file string, all []store.Kept) ([]store.Kept, error) {
	titles, err := s.tx.Titles(ctx, s.project, file, symbolsMost)
	symbols := slices.DeleteFunc(titles, func(name string) bool { return !statements.IsIdentifier(name) })
	call, alone := statements.Look(statements.Call{Paths: []string{file}, Row: embedding.GeneralRow}), true
	silent := func(c store.Kept) bool {
		text := state.Statement{Crystal: c.Crystal}.Words()
		return !statements.SpeaksOf(text, file, alone, symbols) || call.Obeys(text)
	}
	if all = slices.DeleteFunc(slices.Clone(all), silent); err == nil && len(all) > 0 {
		alone, err = s.tx.OnlyFileNamed(ctx, s.project, file)
	}
	return slices.DeleteFunc(all, silent), err
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
		if worked == "" || len(gone) > 0 || prose.Hijacks(problem) || prose.Hijacks(worked) {
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
	return prose.Quoted(prose.Shorten(brain.AsData(text), shownCommand))
}
