package answer

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/statements"
)

// A line of knowledge is told at the call that it is about: one of its triggers stands in the call and in few calls before. Of the page, which the
// session has seen, only what to do is told again: a reader found 13 of 27 such lines helpful at that moment and none wrong, but 6 of 27 facts and
// decisions, 1 of 20 lines after failures, and what was half done out of date 3 times of 3 (docs/benchmarks.md).
const (
	linesAtCall  = 2
	callsRead    = 500 // latest of the project, by which a trigger is common
	commonShare  = 0.02
	commonCalls  = 2 // a trigger that no more calls have is not common, however few there are
	triggerBytes = 8 << 10
)

// toldAgain are the kinds that say what to do.
var toldAgain = []memory.CrystalKind{memory.Cause, memory.Procedure, memory.Preference, memory.Rule, memory.Correction}

// triggered adds the lines of knowledge that a call is about, those with the rarest trigger first.
func (s *sheet) triggered(ctx context.Context, call string) error {
	all, err := statements.LinesThatHold(ctx, s.tx, s.project)
	if err != nil || len(all) == 0 {
		return err
	}
	call = strings.ToLower(call[:min(len(call), triggerBytes)])
	type hit struct {
		line     memory.Crystal
		triggers []string
		calls    int
	}
	var hits []hit
	for _, c := range all {
		if c.Session == s.session || c.Kind == memory.State || !c.Line.Aside && !slices.Contains(toldAgain, c.Kind) || c.Kind == memory.Procedure && s.follows(c.Text) {
			continue
		}
		h := hit{line: c}
		for _, t := range c.Line.When {
			if t = strings.ToLower(t); standsIn(call, t) {
				h.triggers = append(h.triggers, t)
			}
		}
		if h.triggers != nil {
			hits = append(hits, h)
		}
	}
	if len(hits) == 0 {
		return nil
	}
	if err := s.recollect(ctx); err != nil {
		return err
	}
	before, err := s.tx.CallsOfOthers(ctx, s.project, s.session, callsRead)
	if err != nil {
		return err
	}
	for i := range hits {
		hits[i].calls = len(before)
		for _, t := range hits[i].triggers {
			n := 0
			for _, b := range before {
				if standsIn(strings.ToLower(b), t) {
					n++
				}
			}
			hits[i].calls = min(hits[i].calls, n)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.calls, b.calls) })
	most := linesAtCall - len(s.lines)
	for _, h := range hits {
		if most <= 0 || h.calls > max(commonCalls, int(commonShare*float64(len(before)))) {
			break
		}
		if s.said(h.line.ID) {
			continue
		}
		if line := quote(s.code, h.line, s.tx.Now); line != "" && s.add(memory.Suggestion{Offer: memory.OfferMemory, Crystal: h.line.ID, Confidence: 1}, line) {
			most--
		}
	}
	return nil
}

// follows reports whether the planned command is one that a text names: it says nothing new to who runs it.
func (s *sheet) follows(text string) bool {
	return s.moment == memory.AtCommand && slices.ContainsFunc(shell.Runs(s.to.Input, s.to.Place.Root), func(r shell.Run) bool {
		command := r.Program
		for _, arg := range r.Args {
			if strings.HasPrefix(arg, "-") {
				break
			}
			command += " " + arg
		}
		return strings.Contains(command, " ") && strings.Contains(text, command)
	})
}

// standsIn reports whether a text has a trigger as whole words.
func standsIn(text, trigger string) bool {
	word := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	first, _ := utf8.DecodeRuneInString(trigger)
	last, _ := utf8.DecodeLastRuneInString(trigger)
	for from := 0; ; {
		at := strings.Index(text[from:], trigger)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(trigger):])
		if !(word(first) && word(before)) && !(word(last) && word(after)) {
			return true
		}
		from = at + len(trigger)
	}
}
