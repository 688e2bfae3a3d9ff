// Package learn gives a project its first knowledge: commits, old transcripts, source text, conventions, and what other memory
// tools keep.
package learn

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/code"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

const (
	// commitFiles is how many files a commit may have to say what belongs together (replay protocol of the benchmark).
	commitFiles = 30
	// stemWeight is the weight of a link between files of one stem, such as parser.go and parser_test.go: a hint that use
	// has to confirm.
	stemWeight = 0.3
)

// LearnInput says which repository to learn from.
type LearnInput struct {
	Dir string `json:"dir"`
	// Again only goes on where an earlier run ended, without reading the source text again. A project that hebb does not
	// know is left alone.
	Again bool `json:"again,omitempty"`
	// Most commits that are new, and Longest, end the run; the next one goes on from there. 0: no bound.
	Most    int           `json:"most,omitempty"`
	Longest time.Duration `json:"longest,omitempty"`
	// Progress is called with how many of all commits have been read.
	Progress func(done, total int) `json:"-"`
}

// LearnResult counts what was learned.
type LearnResult struct {
	Project memory.ProjectID `json:"project"`
	Commits int              `json:"commits"`        // read now
	Added   int              `json:"added"`          // of these, new in the store
	Wide    int              `json:"wide"`           // too many files to say what belongs together; kept without them
	Files   int              `json:"files"`          // of the work tree, whose source text was read
	Links   int              `json:"links"`          // that history and source text suggest
	Left    bool             `json:"left,omitempty"` // commits are left for the next run
	roots   int              // of the commits, without parents

	documents bool // a commit changed a document of the repository
}

// LearnHistory reads a repository's commits as accesses. A second run reads only what is new and changes nothing else.
var LearnHistory = brain.Operation[LearnInput, LearnResult]{
	Name: "learn-history",
	Run:  learnHistory,
}

func learnHistory(ctx context.Context, b *brain.Brain, in LearnInput) (out LearnResult, err error) {
	place, err := brain.PlaceAt(b.Config, in.Dir)
	if err != nil {
		return out, fmt.Errorf("learn history: %w", err)
	}
	out.Project = place.Project()
	if in.Again {
		if known, err := b.KnowsProject(ctx, out.Project); err != nil || !known || b.Config.Paused(out.Project) {
			return out, err
		}
	}
	done, err := LearnedOf(ctx, b.Store, out.Project)
	if err != nil {
		return out, err
	}
	repo, err := git.At(place)
	if err != nil {
		return out, err
	}
	repo.Latest = b.Now()
	tip, err := repo.Tip(ctx)
	if err != nil || in.Again && done.UpToDate(tip) {
		return out, err
	}
	if done.Part.Unwired == nil {
		before := 0
		err := record.Pasts(b).View(ctx, b.Store, out.Project, func(_ *store.Tx, p *record.Past) error {
			before = p.Image.Episodes()
			return nil
		})
		if err != nil {
			return out, err
		}
		done.Part.Unwired = &before
		if err := done.save(ctx, b.Store); err != nil {
			return out, err
		}
	}
	l := learner{
		brain: b, place: place, out: &out, progress: in.Progress, size: brain.FirstBatch(b.Config.Tuning.Store), last: done.Part.Last,
		most: in.Most, longest: in.Longest, began: b.Now(),
	}
	if err := l.read(ctx, repo, done.Since()); err != nil {
		return out, err // it names the repository
	}
	if err := l.wireHistory(ctx, *done.Part.Unwired); err != nil {
		return out, err
	}
	if out.Left {
		done.Part = partRun{Last: l.last, Added: done.Part.Added + out.Added}
		return out, done.save(ctx, b.Store)
	}
	if !in.Again || len(done.Tips) == 0 {
		if err := l.readSource(ctx, repo); err != nil {
			return out, err
		}
	}
	// Only now: an interrupted run starts over and skips what it knows.
	return out, done.finish(ctx, b.Store, tip)
}

// learner collects commits into transactions of bounded length.
type learner struct {
	brain    *brain.Brain
	place    memory.Place
	out      *LearnResult
	total    int
	progress func(done, total int)
	size     brain.BatchSize
	events   []memory.Event
	last     string // the commit that was recorded last
	most     int
	longest  time.Duration
	began    time.Time
}

// errRunEnds says that the rest of a history is for the next run.
var errRunEnds = errors.New("the run ends here")

// read records the commits of a repository, less those that since leads to, until the run's bounds.
func (l *learner) read(ctx context.Context, repo git.Repo, since string) (err error) {
	if l.progress != nil {
		if l.total, err = repo.Count(ctx, since); err != nil {
			return brain.GitError{Err: err}
		}
	}
	var refused error
	err = repo.History(ctx, since, func(c git.Commit) error {
		refused = l.add(ctx, c)
		return refused
	})
	switch {
	case errors.Is(refused, errRunEnds):
		l.out.Left = true
		return nil
	case refused != nil:
		return refused
	case err != nil:
		return brain.GitError{Err: err}
	}
	return l.flush(ctx)
}

// ends reports whether the run has reached its bounds.
func (l *learner) ends() bool {
	return l.most > 0 && l.out.Added >= l.most || l.longest > 0 && l.out.Added > 0 && l.brain.Now().Sub(l.began) >= l.longest
}

func (l *learner) add(ctx context.Context, c git.Commit) error {
	if c.Root {
		l.out.roots++
	}
	isDocument := func(f git.Change) bool { return code.IsDocument(f.Path) || code.IsDocument(f.Old) }
	l.out.documents = l.out.documents || c.FileCount > len(c.Files) || slices.ContainsFunc(c.Files, isDocument)
	limits := l.brain.Config.Tuning.Capture
	wide := c.FileCount > commitFiles
	if wide {
		limits.TouchLimit = len(c.Files)
	}
	e := c.Event(l.place, limits)
	if wide {
		e.Tool = memory.WideCommit
		e.Touches = slices.DeleteFunc(e.Touches, func(t memory.Touch) bool {
			return t.Kind != memory.Delete && t.Kind != memory.Rename
		})
		l.out.Wide++
	}
	l.events = append(l.events, e)
	if len(l.events) < l.size.Size {
		return nil
	}
	if err := l.flush(ctx); err != nil {
		return err
	}
	if l.ends() {
		return errRunEnds
	}
	return nil
}

// flush stores what was collected.
func (l *learner) flush(ctx context.Context) error {
	if len(l.events) == 0 {
		return nil
	}
	began := l.brain.Now()
	added := 0
	err := record.Recording(ctx, l.brain, l.brain.Store.Update, func(r *record.Recorder) (err error) {
		added, err = r.RecordAll(ctx, l.events...)
		return err
	})
	if err != nil {
		return err
	}
	l.size.Took(len(l.events), l.brain.Now().Sub(began))
	l.out.Commits += len(l.events)
	l.out.Added += added
	l.last = l.events[len(l.events)-1].Input
	l.events = l.events[:0]
	if l.progress != nil {
		l.progress(l.out.Commits, l.total)
	}
	return nil
}

// wireHistory links what the new commits changed together.
func (l *learner) wireHistory(ctx context.Context, from int) error {
	hints, err := record.HintsOfHistory(ctx, l.brain.Store, record.Pasts(l.brain), l.out.Project, from)
	if err != nil || len(hints) == 0 {
		return err
	}
	now := l.brain.Now().UTC().Truncate(time.Millisecond)
	if err := l.wire(ctx, hints, now); err != nil {
		return err
	}
	return l.brain.Store.Update(ctx, func(tx *store.Tx) error { return record.LogWired(ctx, tx, l.out.Project, now) })
}

// treeRead is what readSource has read last, by which program and into what.
type treeRead struct {
	State      string `json:"state,omitempty"` // of the files
	Program    int64  `json:"program,omitempty"`
	Met        int64  `json:"met,omitempty"` // the project, unix milliseconds: later if it was forgotten since
	Generation string `json:"generation,omitempty"`
}

func treeFact(id memory.ProjectID) store.Fact[treeRead] {
	return store.NewFact[treeRead]("tree/read").Of(id)
}

// readSource records what the work tree says: which files there are, also those that only wide commits brought, the names
// they define, and which belong together. Files that are all as they were are not read again.
func (l *learner) readSource(ctx context.Context, repo git.Repo) error {
	var now treeRead
	if built, known := debug.ReadBuildInfo(); known {
		now.Program = memory.ContentHash(built.String())
	}
	paths, err := repo.Tracked(ctx)
	if err != nil {
		return brain.GitError{Err: err}
	}
	now.State = treeState(repo.Root, paths)
	known, err := brain.View(ctx, l.brain.Store, func(tx *store.Tx) (read treeRead, err error) {
		if err := l.into(ctx, tx, &now); err != nil {
			return read, err
		}
		return treeFact(l.out.Project).Get(ctx, tx)
	})
	if err != nil || known == now && now.Met != 0 {
		return err
	}
	if err := l.readTree(ctx, repo.Root, paths); err != nil {
		return err
	}
	return l.brain.Store.Update(ctx, func(tx *store.Tx) error {
		return errors.Join(l.into(ctx, tx, &now), treeFact(l.out.Project).Set(ctx, tx, now))
	})
}

// into says which past of the project the source text is read into.
func (l *learner) into(ctx context.Context, tx *store.Tx, read *treeRead) error {
	p, err := tx.Project(ctx, l.out.Project)
	if brain.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	read.Met = p.FirstAt.UnixMilli()
	read.Generation, err = record.GenerationMark(l.out.Project).Get(ctx, tx)
	return err
}

// treeState tells whether files have changed, by their names, sizes and times.
func treeState(root string, paths []string) string {
	state := sha256.New()
	for _, name := range paths {
		var size, modified int64
		if info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name))); err == nil {
			size, modified = info.Size(), info.ModTime().UnixNano()
		}
		fmt.Fprintf(state, "%s\x00%d %d\n", name, size, modified)
	}
	return hex.EncodeToString(state.Sum(nil))
}

func (l *learner) readTree(ctx context.Context, root string, paths []string) error {
	names := map[string][]string{}
	_, err := code.Walk(ctx, root, code.Options{Paths: paths, Texts: true}, nil, func(f code.File) error {
		if f.State.Skipped == "" {
			names[statements.ScrubbedPath(f.Path)] = scrubbed(code.Names(f.Path, f.Text))
		}
		return nil
	})
	if err != nil {
		return err
	}
	l.out.Files = len(names)
	var hints []record.Hint
	for _, group := range stemGroups(slices.Sorted(maps.Keys(names))) {
		for i, a := range group {
			for _, b := range group[i+1:] {
				hints = append(hints, record.Hint{A: a, B: b, Origin: memory.OriginImport, Weight: stemWeight})
			}
		}
	}
	if err := l.define(ctx, nil, names); err != nil { // a project without files is met too
		return err
	}
	for paths := range slices.Chunk(slices.Sorted(maps.Keys(names)), l.brain.Config.Tuning.Store.BatchMax) {
		if err := l.define(ctx, paths, names); err != nil {
			return err
		}
	}
	return l.wire(ctx, hints, l.brain.Now().UTC().Truncate(time.Millisecond))
}

// define records the names that some files define, in one transaction.
func (l *learner) define(ctx context.Context, paths []string, names map[string][]string) error {
	return record.Recording(ctx, l.brain, l.brain.Store.Update, func(r *record.Recorder) error {
		known, err := l.knows(ctx, r)
		if err != nil || !known {
			return err
		}
		p, err := r.Past(ctx, l.out.Project)
		if err != nil {
			return err
		}
		for _, path := range paths {
			p.Image.Define(path, vocab.Terms(strings.Join(names[path], " ")))
		}
		return nil
	})
}

// knows reports whether the project may be learned about. One without commits is met here; one whose commits are all
// forgotten on purpose stays forgotten.
func (l *learner) knows(ctx context.Context, r *record.Recorder) (bool, error) {
	_, err := r.Tx.Project(ctx, l.out.Project)
	if !brain.IsNotFound(err) {
		return err == nil, err
	}
	if l.out.Commits > 0 {
		return false, nil
	}
	return true, r.SeeProject(ctx, memory.Event{At: r.Tx.Now, Place: l.place})
}

func scrubbed(names []string) []string {
	for i, n := range names {
		names[i] = scrub.Clean(n)
	}
	return names
}

// hintsAtOnce are wired in one transaction: a link and its two ends each.
const hintsAtOnce = 150

// wire records hints in transactions of bounded length.
func (l *learner) wire(ctx context.Context, hints []record.Hint, now time.Time) error {
	l.out.Links += len(hints)
	for chunk := range slices.Chunk(hints, hintsAtOnce) {
		err := record.Recording(ctx, l.brain, l.brain.Store.Update, func(r *record.Recorder) error {
			return r.Wire(ctx, l.out.Project, chunk, now)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
