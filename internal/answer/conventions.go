package answer

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/code"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/statements"
)

// adviseOn adds what the project's conventions say of a file that does not exist yet. Each convention is said once in a session.
func (s *sheet) adviseOn(ctx context.Context, t memory.Touch) error {
	if len(s.lines) > 0 || t.Kind != memory.Edit || len(t.Path) > maxPath || !s.missing(t.Path) {
		return nil
	}
	names, err := statements.ConventionsFact(s.project).Get(ctx, s.tx)
	if err != nil {
		return err
	}
	rule, test := names.Ahead(t.Path)
	line := code.Line(rule)
	if line == "" || test != "" && !s.missing(test) || prose.Hijacks(line) {
		return nil
	}
	if err := s.recollect(ctx); err != nil {
		return err
	}
	l := memory.Suggestion{Offer: memory.OfferConvention, Path: test, Confidence: 1, Reason: rule.Is}
	known := slices.ContainsFunc(s.earlier, func(o memory.Suggestion) bool {
		return o.Offer == l.Offer && o.Reason == l.Reason && !o.ShownAt.Before(s.compacted)
	})
	if test != "" {
		line += "; for this one: " + record.ShownName(test)
	}
	if !known {
		s.add(l, "repo: "+brain.AsData(line))
	}
	return nil
}

// missing reports whether a file of the project is known not to exist. Files outside of the project, and those that cannot be looked at, are not.
func (s *sheet) missing(file string) bool {
	root, err := memory.UnescapePath(s.to.Place.Root)
	name, bad := memory.UnescapePath(file)
	if err != nil || bad != nil || !filepath.IsLocal(filepath.FromSlash(name)) {
		return false
	}
	_, err = os.Lstat(filepath.Join(filepath.FromSlash(root), filepath.FromSlash(name)))
	return os.IsNotExist(err)
}
