package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/code"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// SnippetsInput says of which project to read the documents and the code.
type SnippetsInput struct {
	Dir string `json:"dir"`
	// Documents leaves the code out.
	Documents bool `json:"documents,omitempty"`
	// Wordless leaves out the words of files, for which the whole work tree is looked through.
	Wordless bool `json:"-"`
	// Only are the files to look at, sorted, as git lists them; nil: all of the project.
	Only []string `json:"-"`
	// Longest ends the run; the next one goes on. 0: no bound, except in a folder that is no repository.
	Longest time.Duration `json:"-"`
	// Progress is called with how many of all files are done.
	Progress func(done, total int) `json:"-"`
}

// SnippetsResult counts what was read.
type SnippetsResult struct {
	Project   memory.ProjectID    `json:"project"`
	Files     int                 `json:"files"`    // source files
	Read      int                 `json:"read"`     // of these, opened now
	Changed   int                 `json:"changed"`  // of these, new or changed
	Gone      int                 `json:"gone"`     // known before
	Snippets  int                 `json:"snippets"` // of the changed
	Short     int                 `json:"short"`    // of the changed, functions and types too short to be kept
	Skipped   map[code.Reason]int `json:"skipped"`
	Documents int                 `json:"documents"` // documents of the repository
	Sections  int                 `json:"sections"`  // of the new and changed ones
}

// skips reports whether a known file is not to be looked at.
func (in SnippetsInput) skips(path string) bool {
	if in.Only == nil {
		return false
	}
	name, _ := memory.UnescapePath(path)
	_, found := slices.BinarySearch(in.Only, name)
	return !found
}

// walkTime is how long a folder that is no repository may be looked through in one run. The next run goes on: what did not change
// is not read again.
const walkTime = 30 * time.Second

// ReadSnippets makes the functions and types of a project, and the sections of its documents, findable. Files that are as they were are not read again.
var ReadSnippets = brain.Operation[SnippetsInput, SnippetsResult]{
	Name: "extract-snippets",
	Run:  RefreshSnippets,
}

func RefreshSnippets(ctx context.Context, b *brain.Brain, in SnippetsInput) (out SnippetsResult, err error) {
	place, err := brain.PlaceAt(b.Config, in.Dir)
	if err != nil {
		return out, fmt.Errorf("read the code of %s: %w", in.Dir, err)
	}
	root, err := memory.UnescapePath(place.Root)
	if err != nil {
		return out, err
	}
	out.Project = place.Project()
	known, documents := map[string]code.State{}, map[string]code.State{}
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		sources, err := tx.Sources(ctx, out.Project)
		for _, s := range sources {
			known := known
			if in.skips(s.Path) {
				continue
			}
			if code.IsDocument(s.Path) {
				known = documents
			}
			known[s.Path] = code.State{Size: s.Size, Modified: s.Modified, Hash: s.Hash, Skipped: code.Reason(s.Skipped)}
		}
		return err
	})
	if err != nil {
		return out, err
	}
	repo, err := git.At(place)
	if err != nil {
		return out, err
	}
	options, began := code.Options{Documents: true}, b.Now()
	if options.Paths = in.Only; in.Only == nil {
		options.Paths, err = repo.Files(ctx)
	}
	if err != nil {
		options.Paths = nil // no repository, or no git: the walk looks for itself
		if git.IsWide(repo.Root) {
			options.Paths = []string{} // which it does not in all that a machine or a person has
		}
		in.Longest = cmp.Or(in.Longest, walkTime)
	}
	if in.Longest > 0 {
		options.Ends = func() bool { return b.Now().Sub(began) > in.Longest }
	}
	read := &snippetWriter{st: b.Store, now: b.Now, project: out.Project, kind: memory.DocumentText, size: brain.FirstBatch(b.Config.Tuning.Store), out: &out}
	met, err := read.walk(ctx, root, options, documents)
	out.Documents = met.Files
	if err != nil {
		return out, err
	}
	var unread error // ranking does without, and so does the rest
	contents := b.Config.Contents(out.Project)
	if !in.Wordless && (in.Only == nil || !Unread(contents)) {
		unread = readContents(ctx, contents, root, options, in)
		known, err := b.KnowsProject(ctx, out.Project)
		if unread = errors.Join(unread, err); err == nil && !known { // forgotten meanwhile, or never recorded
			unread = errors.Join(unread, recall.RemoveFileWords(contents))
		}
	}
	if in.Documents {
		return out, unread
	}
	options.Documents, options.Progress = false, in.Progress
	code := &snippetWriter{st: b.Store, now: b.Now, project: out.Project, kind: memory.SnippetText, size: brain.FirstBatch(b.Config.Tuning.Store), out: &out}
	met, err = code.walk(ctx, root, options, known)
	out.Files, out.Read, out.Changed, out.Skipped, out.Gone = met.Files, met.Read, met.Changed, met.Skipped, len(met.Gone)
	if err == nil {
		err = learnConventions(ctx, b.Store, out.Project, out.Changed+out.Gone > 0)
	}
	return out, errors.Join(unread, err)
}

// readContents brings the file with the words of a project's files up to date, for ranking. Only files that changed are read.
func readContents(ctx context.Context, file, root string, options code.Options, in SnippetsInput) error {
	words := recall.LoadFileWords(file)
	known := map[string]code.State{}
	for path, s := range words.Sources {
		if in.skips(path) {
			continue
		}
		known[path] = code.State{Size: s.Size, Modified: s.Modified, Hash: s.Hash}
	}
	options.Documents, options.Texts, options.MaxFiles = false, true, recall.MostSourceFiles
	met, err := code.Walk(ctx, filepath.FromSlash(root), options, known, func(f code.File) error {
		if statements.ScrubbedPath(f.Path) != f.Path {
			return nil // a name that looks like a secret
		}
		s := recall.ReadFile{Path: f.Path, Size: f.State.Size, Modified: f.State.Modified, Hash: f.State.Hash}
		if f.Same {
			words.Touch(s)
		} else {
			words.Put(s, scrub.Clean(string(f.Text)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, path := range met.Gone {
		words.Drop(path)
	}
	if !words.Changed {
		return nil
	}
	return words.Save(file)
}

// Unread reports whether a project has no file with the words of its files; config.Contents names it.
func Unread(contents string) bool {
	_, err := os.Stat(contents)
	return errors.Is(err, fs.ErrNotExist)
}

// learnConventions stores the conventions of a project's files, which an agent is shown before it makes a new one.
func learnConventions(ctx context.Context, st *store.Store, id memory.ProjectID, changed bool) error {
	var names code.Conventions
	err := st.View(ctx, func(tx *store.Tx) error {
		known, err := statements.ConventionsFact(id).Get(ctx, tx)
		if err != nil || known.Tests != nil && !changed {
			return err
		}
		sources, err := tx.Sources(ctx, id)
		var paths []string
		for _, s := range sources {
			paths = append(paths, statements.ScrubbedPath(s.Path))
		}
		names = code.Learn(paths)
		return err
	})
	if err != nil || names.Tests == nil {
		return err
	}
	return st.Update(ctx, func(tx *store.Tx) error { return statements.ConventionsFact(id).Set(ctx, tx, names) })
}

// walk reads what is new and changed, and drops what is gone.
func (w *snippetWriter) walk(ctx context.Context, root string, o code.Options, known map[string]code.State) (code.Walked, error) {
	met, err := code.Walk(ctx, filepath.FromSlash(root), o, known, func(f code.File) error { return w.add(ctx, f) })
	if err = errors.Join(err, w.flush(ctx)); err != nil {
		return met, err
	}
	for some := range slices.Chunk(met.Gone, goneAtOnce) {
		if o.Ends != nil && o.Ends() {
			break
		}
		err := w.st.Update(ctx, func(tx *store.Tx) (err error) {
			for _, path := range some {
				err = errors.Join(err, tx.DropSource(ctx, w.project, path, w.kind),
					tx.DropFragments(ctx, w.project, statements.ScrubbedPath(path), w.kind, nil))
			}
			return err
		})
		if err != nil {
			return met, err
		}
	}
	return met, nil
}

// goneAtOnce is how many files are forgotten in one transaction, each with its fragments.
const goneAtOnce = 32

// snippetWriter writes files in transactions of bounded length.
type snippetWriter struct {
	st      *store.Store
	now     func() time.Time
	project memory.ProjectID
	kind    string // of the texts
	size    brain.BatchSize
	waiting []code.File
	pieces  int
	out     *SnippetsResult
}

func (w *snippetWriter) add(ctx context.Context, f code.File) error {
	w.waiting = append(w.waiting, f)
	w.pieces += 1 + len(f.Snippets)
	if w.pieces < w.size.Size {
		return nil
	}
	return w.flush(ctx)
}

func (w *snippetWriter) flush(ctx context.Context) error {
	if len(w.waiting) == 0 {
		return nil
	}
	began := w.now()
	err := w.st.Update(ctx, func(tx *store.Tx) error {
		for _, f := range w.waiting {
			if err := w.write(ctx, tx, f); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, f := range w.waiting {
		if w.kind == memory.DocumentText {
			w.out.Sections += len(f.Snippets)
			continue
		}
		w.out.Snippets += len(f.Snippets)
		w.out.Short += f.Short
	}
	w.size.Took(w.pieces, w.now().Sub(began))
	w.waiting, w.pieces = w.waiting[:0], 0
	return nil
}

func (w *snippetWriter) write(ctx context.Context, tx *store.Tx, f code.File) error {
	s := store.Source{Path: f.Path, Size: f.State.Size, Modified: f.State.Modified, Hash: f.State.Hash, Skipped: string(f.State.Skipped)}
	if err := tx.SaveSource(ctx, w.project, s); err != nil || f.Same {
		return err
	}
	docs := make([]store.Document, len(f.Snippets))
	for i, s := range f.Snippets {
		docs[i] = w.document(tx, f, s)
	}
	ids, err := texts.AddDocuments(ctx, tx, docs)
	if err != nil {
		return err
	}
	for i, s := range f.Snippets {
		if err := tx.SetLines(ctx, ids[i], store.Lines{First: s.Start, Last: s.End}); err != nil {
			return err
		}
	}
	return tx.DropFragments(ctx, w.project, statements.ScrubbedPath(f.Path), w.kind, ids)
}

func (w *snippetWriter) document(tx *store.Tx, f code.File, s code.Snippet) store.Document {
	text, at := scrub.Clean(s.Text()), tx.Now
	words := vocab.TextWords(text)
	if w.kind == memory.DocumentText { // its heading is the title, and among its words
		text = scrub.Clean(s.Opening)
		if changed := time.Unix(0, f.State.Modified); changed.Before(at) {
			at = changed
		}
	}
	return store.Document{
		Ref: w.kind + ":" + w.project.String() + ":" + strconv.FormatInt(int64(s.ID), 16), Project: w.project, Kind: w.kind,
		Origin: memory.OriginRepo, At: at, Path: statements.ScrubbedPath(s.Path), Title: scrub.Line(scrub.Clean(s.Name)), Text: text,
		Words: words, Around: vocab.TextWords(statements.ScrubbedPath(s.Path)),
	}
}
