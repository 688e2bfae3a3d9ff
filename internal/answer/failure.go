package answer

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

const (
	failureTokens = 120
	failureFixes  = 2 // files
	quotedLetters = 4 // of a word of an error that counts when it is quoted
)

// failure answers a tool call that failed: with the files that fixed the same error, or else with the command that worked instead, and with what was
// said of the error. An error that was never fixed is met with silence.
func failure(ctx context.Context, s sheet) (Shown, error) {
	e := s.to
	if e.AgentSession == "" || strings.TrimSpace(e.Text) == "" {
		return Shown{}, nil
	}
	return s.at(memory.AtError, failureTokens).answer(ctx, func(ctx context.Context, s *sheet) error {
		err := s.fixed(ctx)
		if err == nil {
			err = s.instead(ctx)
		}
		if err == nil {
			about, failed := s.quoting(ctx, e.Text)
			err = errors.Join(failed, s.remind(ctx, 1, about))
		}
		return err
	})
}

// fixed adds the files that were seen to fix the error.
func (s *sheet) fixed(ctx context.Context) error {
	fixes, err := ranking.Proven(ctx, s.tx, s.project, s.to.Text)
	if err != nil || len(fixes) == 0 {
		return err
	}
	if err := s.recollect(ctx); err != nil {
		return err
	}
	for _, f := range fixes {
		known := slices.ContainsFunc(s.earlier, func(l memory.Suggestion) bool { return l.Path == f.Path && l.Offer == memory.OfferFix && !l.Held })
		if len(s.lines) == failureFixes || known || !s.code.Has(f.Path) || !ranking.ShownPath(f.Path) || len(f.Path) > maxPath || !ranking.Keeps(f.Path) {
			continue
		}
		reason := ranking.FixReason(f)
		line := record.ShownName(f.Path) + " " + reason + " (" + brain.ShortDay(f.At, s.tx.Now)
		if f.Passed > 0 && f.Command != "" {
			line += "; after the change this passed: " + asData(f.Command)
		}
		s.add(memory.Suggestion{Offer: memory.OfferFix, Path: f.Path, Confidence: 1, Reason: reason}, line+")")
	}
	return nil
}

// quoting returns the memories that quote the error in a text: its words one after the other, and names of code as they are.
func (s *sheet) quoting(ctx context.Context, text string) ([]store.Kept, error) {
	found, ok := fault.Find(text)
	part, words := quotable(found.Message)
	if !ok || found.Vague() || len(words) == 0 {
		return nil, nil
	}
	all, err := s.statements(ctx, part)
	return slices.DeleteFunc(all, func(c store.Kept) bool {
		names, said := codeWords(c.Text), strings.Join(vocab.TextWords(c.Text), " ")
		other := func(w string) bool { return statements.IsIdentifier(w) && !slices.Contains(names, w) }
		return !strings.Contains(" "+said+" ", " "+strings.Join(words, " ")+" ") || slices.ContainsFunc(codeWords(part), other)
	}), err
}

// quotable is the part of an error's message that one who speaks of it repeats: the last that says something.
func quotable(message string) (part string, words []string) {
	parts := strings.Split(strings.NewReplacer("<n>", " ", "<str>", " ", "<url>", " ").Replace(message), ": ")
	for _, part := range slices.Backward(parts) {
		words := vocab.TextWords(part)
		if long := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return len(w) < quotedLetters }); len(long) >= 2 {
			return part, words
		}
	}
	return "", nil
}

func codeWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
