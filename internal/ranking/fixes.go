package ranking

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// fixes looks for an error in the question and for what fixed it before.
func (a *Query) fixes(ctx context.Context, id memory.ProjectID, text string, out *RecallResult) error {
	met, found, ok := Met(id, text)
	if !ok {
		return nil
	}
	out.Error = scrub.Clean(found.Key())
	fixes, err := a.FixesOf(ctx, met)
	if err != nil {
		return err
	}
	for _, f := range fixes {
		if found.Bare() && !namesFile(text, f.Path) {
			continue
		}
		other, err := elsewhere(ctx, a.tx, met, text, f.Path)
		if err != nil {
			return err
		}
		if !other {
			out.Fixes = append(out.Fixes, f)
		}
	}
	return nil
}

// Met is the error in a text, by which it is known again in a project. What says only that something failed is none.
func Met(id memory.ProjectID, text string) (memory.NeuronID, fault.Fault, bool) {
	found, ok := fault.Find(text)
	return memory.NewNeuronID(id, memory.ErrorNeuron, scrub.Clean(found.Key())), found, ok && !found.Vague()
}

// Proven returns the files that were seen to fix the error in a text, the latest first, without asking how strong their links are. An error that
// names nothing of its own is the same only if the text names the file.
func Proven(ctx context.Context, tx *store.Tx, id memory.ProjectID, text string) ([]store.FixSeen, error) {
	met, found, ok := Met(id, text)
	if !ok {
		return nil, nil
	}
	seen, err := tx.FixesSeen(ctx, met)
	if err != nil {
		return nil, err
	}
	var same []store.FixSeen
	for _, f := range seen {
		if found.Bare() && (len(fault.Files(text)) == 0 || !namesFile(text, f.Path)) {
			continue
		}
		other, err := elsewhere(ctx, tx, met, text, f.Path)
		if err != nil {
			return nil, err
		}
		if !other {
			same = append(same, f)
		}
	}
	return same, nil
}

// elsewhere reports whether an error happens now in other files than the one that was changed to fix it, and had happened in that one: the change
// was made where the error was, and says nothing of another place.
func elsewhere(ctx context.Context, tx *store.Tx, met memory.NeuronID, text, file string) (bool, error) {
	in := func(text string) bool {
		return slices.ContainsFunc(fault.Files(text), func(n string) bool { return samePlace(filepath.ToSlash(n), file) })
	}
	if len(fault.Files(text)) == 0 || in(text) {
		return false, nil
	}
	before, err := tx.ErrorTexts(ctx, met)
	return slices.ContainsFunc(before, in), err
}

// namesFile reports whether an error's own text names the file. One that says only that something was nil happens
// everywhere, so without the place it is not the same error.
func namesFile(text, file string) bool {
	named := fault.Files(text)
	return len(named) == 0 || slices.ContainsFunc(named, func(n string) bool { return path.Base(filepath.ToSlash(n)) == path.Base(file) })
}

// samePlace compares a file as a tool names it, from wherever it was run, with a file of the project: by name, and by folder where both have one.
func samePlace(named, file string) bool {
	in, folder := path.Base(path.Dir(named)), path.Base(path.Dir(file))
	return path.Base(named) == path.Base(file) && (in == folder || in == "." || in == ".." || folder == ".")
}

// FixesOf returns the files that fixed an error: somebody said so, or the command passed after they were changed. What was merely changed or read
// after an error is none.
func (a *Query) FixesOf(ctx context.Context, met memory.NeuronID) ([]Recalled, error) {
	seen, err := a.tx.FixesSeen(ctx, met)
	if err != nil || len(seen) == 0 {
		return nil, err
	}
	companions, err := a.tx.Companions(ctx, met, wiredLinks)
	if err != nil {
		return nil, err
	}
	day := plasticity.Days(a.tx.Now)
	var found []Recalled
	for _, c := range companions {
		at := slices.IndexFunc(seen, func(f store.FixSeen) bool { return f.Neuron == c.ID })
		if at < 0 {
			continue
		}
		rules, err := a.rules(ctx, c.Project)
		if err != nil {
			return nil, err
		}
		weight := rules.Weight.Value(c.Weight, day)
		confidence := recall.FixConfidence(weight, rules.Myelin.Value(c.Myelin, day))
		if weight < fixWeight || confidence < a.fixGate {
			continue
		}
		r := Recalled{
			Path: c.Key, Project: c.Project, Score: confidence, Confidence: confidence * c.Standing, Ignored: c.Ignored, Reason: FixReason(seen[at]),
		}
		r.Tokens = LineTokens(r)
		found = append(found, r)
	}
	return found, nil
}

// FixReason says how the fix was seen: somebody named it, or the command that had failed passed after the file was changed.
func FixReason(seen store.FixSeen) string {
	switch {
	case seen.Named == memory.OriginUser:
		return "fixed this error before"
	case seen.Passed == 1:
		return "fixed this error in one session"
	case seen.Passed > 1:
		return fmt.Sprintf("fixed this error in %d sessions", seen.Passed)
	case seen.Named == memory.OriginAgent:
		return "fixed this error before, an agent said"
	}
	return "fixed this error before, " + string(seen.Named) + " said"
}

// ResolveInput says which files fixed an error.
type ResolveInput struct {
	Dir   string   `json:"dir"`
	Error string   `json:"error"`
	Files []string `json:"files"`
	// Session is the one it was fixed in, if any.
	Session string `json:"session,omitempty"`

	Origin memory.Origin `json:"origin,omitempty"` // empty: the user
}

// Resolve wires an error to the files that fixed it, so that they come up when it is met again.
var Resolve = brain.NeverBusy(brain.Operation[ResolveInput, RecallResult]{
	Name: "resolve",
	Run: func(ctx context.Context, b *brain.Brain, in ResolveInput) (out RecallResult, err error) {
		if found, ok := fault.Find(in.Error); !ok || found.Vague() {
			return out, fmt.Errorf("resolve: no error in %.80q: give the line that names it, as the tool printed it: %w", in.Error, memory.ErrInvalid)
		}
		if len(in.Files) == 0 {
			return out, fmt.Errorf("resolve: name the files that fixed it: %w", memory.ErrInvalid)
		}
		place, err := brain.PlaceAt(b.Config, in.Dir)
		if err != nil {
			return out, err
		}
		e, err := record.EventByHand(place, record.RecordInput{Dir: in.Dir, Paths: in.Files, Kind: memory.Edit, Text: in.Error, Origin: in.Origin})
		if err != nil {
			return out, err
		}
		e.Kind = memory.Resolved
		for i, t := range e.Touches {
			if err := belongs(ctx, b.Store, e, t.Path); err != nil {
				return out, fmt.Errorf("resolve: %s: %w", in.Files[i], err)
			}
		}
		if _, err := record.RecordByHand(ctx, b, e, in.Session); err != nil {
			return out, err
		}
		return knownFixes(ctx, b, brain.Scope{Dir: in.Dir}, in.Error)
	},
}, func(in ResolveInput) string { return brain.Joined(append([]string{in.Error}, in.Files...)...) })

// belongs refuses a file that is not the project's, or is neither there nor known: a slip would come back as a fix.
func belongs(ctx context.Context, st *store.Store, e memory.Event, path string) error {
	if filepath.IsAbs(path) {
		return fmt.Errorf("lies outside the project %s: %w", e.Place.Root, memory.ErrInvalid)
	}
	root, errRoot := memory.UnescapePath(e.Place.Root)
	name, errName := memory.UnescapePath(path)
	if errRoot == nil && errName == nil {
		if _, err := os.Lstat(filepath.Join(filepath.FromSlash(root), filepath.FromSlash(name))); err == nil {
			return nil
		}
	}
	_, err := brain.View(ctx, st, func(tx *store.Tx) (store.Strength, error) {
		return tx.Neuron(ctx, memory.NewNeuronID(e.Place.Project(), memory.FileNeuron, path))
	})
	if brain.IsNotFound(err) {
		return fmt.Errorf("no such file, and none is known by that name: %w", memory.ErrNotFound)
	}
	return err
}

// FixesInput asks what fixed an error before.
type FixesInput struct {
	brain.Scope `flag:"all"`
	Error       string `json:"error" arg:"1..-"`
}

// Fixes says what fixed an error before.
var Fixes = brain.Operation[FixesInput, RecallResult]{
	Name: "error",
	Run: func(ctx context.Context, b *brain.Brain, in FixesInput) (RecallResult, error) {
		if found, ok := fault.Find(in.Error); !ok || found.Vague() {
			return RecallResult{}, fmt.Errorf("error: none in %.80q: give the line that names it, as the tool printed it: %w", in.Error, memory.ErrInvalid)
		}
		return knownFixes(ctx, b, in.Scope, in.Error)
	},
}

func knownFixes(ctx context.Context, b *brain.Brain, scope brain.Scope, text string) (RecallResult, error) {
	return brain.View(ctx, b.Store, func(tx *store.Tx) (out RecallResult, err error) {
		out.Files, out.Fixes = []Recalled{}, []Recalled{}
		projects, err := Scoped(ctx, b.Config, tx, scope)
		if err != nil {
			return out, err
		}
		for _, id := range projects {
			if err := NewQuery(b, tx).fixesIn(ctx, id, scope.Dir, text, &out); err != nil {
				return out, err
			}
		}
		slices.SortStableFunc(out.Fixes, func(a, b Recalled) int { return cmp.Compare(b.Confidence, a.Confidence) })
		return out, nil
	})
}

// fixesIn adds what fixed an error in one project, and its files that the error names.
func (a *Query) fixesIn(ctx context.Context, id memory.ProjectID, dir, text string, out *RecallResult) error {
	if err := a.fixes(ctx, id, text, out); err != nil {
		return err
	}
	p, err := a.pasts.Of(ctx, a.tx, id)
	if err != nil {
		return err
	}
	defer a.pasts.Put(p)
	for _, f := range fault.Files(text) {
		if n, known := find(p, dir, f); known {
			r := Recalled{Path: p.Image.File(n).Path, Project: id, Confidence: 1, Score: 1, Reason: "named in the error"}
			r.Tokens = LineTokens(r)
			out.Files = append(out.Files, r)
		}
	}
	return nil
}
