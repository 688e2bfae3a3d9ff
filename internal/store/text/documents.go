package text

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Document is a text that can be found. It never changes: what says something else is another document.
type Document struct {
	ID      int64
	Ref     string // what it is the text of
	Project memory.ProjectID
	Kind    string
	Origin  memory.Origin
	At      time.Time
	Path    string
	Title   string
	Text    string
	// Words are how the text is compared, Around those of the text before and after it.
	Words, Around []string
	Session       memory.SessionID
	EventSeq      int64
}

// hash is the fingerprint of what the document says and of the words that lead to it.
func (d Document) hash() int64 {
	return memory.ContentHash("document", d.Ref, d.Project.String(), d.Kind, string(d.Origin), strconv.FormatInt(db.Millis(d.At), 10), d.Path, d.Title, d.Text,
		strings.Join(d.Words, " "), strings.Join(d.Around, " "))
}

// keepable is the document as every database can keep and find it.
func (d Document) keepable() Document {
	d.Ref, d.Path, d.Words, d.Around = indexed(d.Ref), indexed(d.Path), searchable(d.Words), searchable(d.Around)
	return d
}

const documentColumns = `document.id, ref, project_id, document.kind, origin, at, path, title, text, document.words, document.around,
	COALESCE(session_id, 0), COALESCE(event_seq, 0)`

// fields are where documentColumns go.
func (d *Document) fields() []any {
	return []any{
		&d.ID, &d.Ref, (*int64)(&d.Project), &d.Kind, &d.Origin, db.Time(&d.At), &d.Path, &d.Title, &d.Text, db.Words(&d.Words), db.Words(&d.Around),
		(*int64)(&d.Session), &d.EventSeq,
	}
}

// AddDocuments writes documents and returns their numbers. One that is there already, saying the same, stays as it is and
// keeps its number; one that says something else takes its place.
func (tx *Tx) AddDocuments(ctx context.Context, docs []Document) ([]int64, error) {
	kept, refs, last := make([]Document, len(docs)), make([]string, len(docs)), map[string]int{}
	for i, d := range docs {
		kept[i] = d.keepable()
		refs[i] = kept[i].Ref
		last[refs[i]] = i // what is said twice is what is said last
	}
	known, err := tx.fingerprints(ctx, refs)
	if err != nil {
		return nil, err
	}
	changed := tally{words: map[int64]int64{}}
	var fresh []Document
	var stale []int64
	for i, d := range kept {
		before, found := known[d.Ref]
		if last[d.Ref] != i || found && before.hash == d.hash() {
			continue
		}
		if found {
			stale = append(stale, before.id)
		}
		fresh = append(fresh, d)
		changed.count(d.Kind, d.Words, 1)
	}
	if err := tx.deleteDocuments(ctx, stale, &changed); err != nil {
		return nil, err
	}
	for some := range db.Pieces(fresh, 64) {
		if err := tx.insertDocuments(ctx, some, known); err != nil {
			return nil, fmt.Errorf("%s …: %w", some[0].Ref, err)
		}
	}
	ids := make([]int64, len(docs))
	for i, ref := range refs {
		ids[i] = known[ref].id
	}
	return ids, tx.countWords(ctx, changed)
}

// fingerprint shows whether a document has changed.
type fingerprint struct{ id, hash int64 }

func (f *fingerprint) fields() []any { return []any{&f.id, &f.hash} }

func (tx *Tx) fingerprints(ctx context.Context, refs []string) (map[string]fingerprint, error) {
	return db.MapOf[string](ctx, tx.db, `SELECT ref, id, hash FROM document WHERE ref IN %s`, refs, (*fingerprint).fields)
}

// insertDocuments writes many at once: with each statement SQLite's full text begins a new part, to be merged later.
func (tx *Tx) insertDocuments(ctx context.Context, docs []Document, numbers map[string]fingerprint) error {
	const row = `(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	args := make([]any, 0, 18*len(docs))
	for _, d := range docs {
		args = append(args, d.Ref, int64(d.Project), d.Kind, string(d.Origin), db.Millis(d.At), d.Path, d.Title, d.Text, strings.Join(d.Words, " "),
			strings.Join(d.Around, " "), scope(d.Project)+" "+string(memory.GroupOf(d.Kind)), len(d.Words), d.hash(), db.OrNull(int64(d.Session)), db.OrNull(d.EventSeq))
	}
	return tx.db.Each(ctx, `INSERT INTO document (ref, project_id, kind, origin, at, path, title, text, words, around, scope, length, hash,
			session_id, event_seq) VALUES `+row+strings.Repeat(`, `+row, len(docs)-1)+` RETURNING ref, id, hash`, args, db.CollectMap(numbers, (*fingerprint).fields))
}

// scope is a project as a word of full text, so that its index leads to the documents of one project alone.
func scope(id memory.ProjectID) string { return id.String() }

// DeleteDocuments removes documents, and what they mean with them.
func (tx *Tx) DeleteDocuments(ctx context.Context, ids ...int64) error {
	less := tally{words: map[int64]int64{}}
	if err := tx.deleteDocuments(ctx, ids, &less); err != nil {
		return fmt.Errorf("delete documents: %w", err)
	}
	return tx.countWords(ctx, less)
}

func (tx *Tx) deleteDocuments(ctx context.Context, ids []int64, less *tally) error {
	return db.EachOf(ctx, tx.db, `DELETE FROM document WHERE id IN %s RETURNING kind, words`, nil, ids, func(rows *sql.Rows) error {
		var kind, words string
		err := rows.Scan(&kind, &words)
		less.count(kind, strings.Fields(words), -1)
		return err
	})
}

// tally is how the counts of words change.
type tally struct {
	docs, length int64
	words        map[int64]int64 // of each group, by their hash
}

// Beside its words a group counts its documents, and the words of all of them together, under names that are no words.
const (
	documentsCounted = " documents"
	wordsCounted     = " words"
)

func (t *tally) count(kind string, words []string, by int64) {
	group := memory.GroupOf(kind)
	t.docs += by
	t.length += by * int64(len(words))
	t.words[wordHash(group, documentsCounted)] += by
	if len(words) > 0 {
		t.words[wordHash(group, wordsCounted)] += by * int64(len(words))
	}
	seen := map[int64]bool{}
	for _, w := range words {
		if h := wordHash(group, w); !seen[h] {
			seen[h] = true
			t.words[h] += by
		}
	}
}

// countWords adds to the counts. A word that no document has any more goes.
func (tx *Tx) countWords(ctx context.Context, t tally) error {
	var less []int64
	maps.DeleteFunc(t.words, func(_, by int64) bool { return by == 0 })
	words := slices.Sorted(maps.Keys(t.words))
	for _, w := range words {
		if t.words[w] < 0 {
			less = append(less, w)
		}
	}
	for some := range db.Pieces(words, 256) {
		args := make([]any, 0, 2*len(some))
		for _, w := range some {
			args = append(args, w, t.words[w])
		}
		_, err := tx.db.Exec(ctx, `INSERT INTO term (word, docs) VALUES (?, ?)`+strings.Repeat(`, (?, ?)`, len(some)-1)+`
			ON CONFLICT (word) DO UPDATE SET docs = term.docs + excluded.docs`, args...)
		if err != nil {
			return fmt.Errorf("count words: %w", err)
		}
	}
	if err := db.ExecOf(ctx, tx.db, `DELETE FROM term WHERE docs <= 0 AND word IN %s`, nil, less); err != nil {
		return fmt.Errorf("count words: %w", err)
	}
	if t.docs == 0 && t.length == 0 {
		return nil
	}
	return tx.db.Run(ctx, `UPDATE totals SET documents = documents + ?, words = words + ?`, t.docs, t.length)
}

// Replaced says when another state of the store took the place of this one, such as a backup: numbers that were read before
// may mean other documents since. 0 if none ever did.
func (tx *Tx) Replaced(ctx context.Context) (int64, error) {
	return db.Value[int64](ctx, tx.db, `SELECT replaced FROM totals`)
}

// Replace says that this state takes the place of another one now.
func (tx *Tx) Replace(ctx context.Context) error {
	return tx.db.Run(ctx, `UPDATE totals SET replaced = CASE WHEN replaced < ? THEN ? ELSE replaced + 1 END`, db.Millis(tx.Now), db.Millis(tx.Now))
}

// Frequency is how common words are in a group of texts.
type Frequency struct {
	All       int64            // documents, of all groups
	Documents int64            // of the group
	Words     int64            // of these together
	In        map[string]int64 // of these, those with a word; one that none has is missing
}

// Frequency counts words in a group.
func (tx *Tx) Frequency(ctx context.Context, group memory.Group, words []string) (Frequency, error) {
	all, err := db.Value[int64](ctx, tx.db, `SELECT documents FROM totals`)
	f := Frequency{All: all, In: map[string]int64{}}
	if err != nil {
		return f, fmt.Errorf("frequency of words: %w", err)
	}
	asked, docs := map[int64]string{}, map[int64]int64{}
	for _, w := range append([]string{documentsCounted, wordsCounted}, searchable(words)...) {
		asked[wordHash(group, w)] = w
	}
	err = db.EachOf(ctx, tx.db, `SELECT word, docs FROM term WHERE word IN %s`, nil, slices.Sorted(maps.Keys(asked)), db.CollectMap(docs, db.Column))
	for word, n := range docs {
		f.In[asked[word]] = n
	}
	f.Documents, f.Words = f.In[documentsCounted], f.In[wordsCounted]
	delete(f.In, documentsCounted)
	delete(f.In, wordsCounted)
	return f, db.Wrap(err, "frequency of words")
}

// DocumentFilter chooses documents; zero fields do not filter.
type DocumentFilter struct {
	Projects     []memory.ProjectID
	Group        memory.Group
	Kinds        []string
	Without      []string // kinds
	Paths        []string // one of these: a path, its end, a folder above it, or a pattern with * and ?, which may let more through
	Since, Until time.Time
	Session      memory.SessionID
	Limit        int
}

// where chooses documents. With "+" before them the columns of an index do not lead: numbers or words do.
func (f DocumentFilter) where(lead string) *db.Where {
	w := &db.Where{}
	w.When(len(f.Projects) > 0, lead+`project_id IN `+db.Marks(len(f.Projects)), db.Values(f.Projects)...)
	if kinds := f.Group.Kinds(); len(kinds) > 0 {
		w.And(`document.kind IN `+db.Marks(len(kinds)), db.Values(kinds)...)
	} else if f.Group != "" {
		w.And(`document.kind NOT IN `+db.Marks(len(memory.OtherTexts)), db.Values(memory.OtherTexts)...)
	}
	w.When(len(f.Kinds) > 0, `document.kind IN `+db.Marks(len(f.Kinds)), db.Values(f.Kinds)...)
	w.When(len(f.Without) > 0, `document.kind NOT IN `+db.Marks(len(f.Without)), db.Values(f.Without)...)
	f.wherePath(w)
	w.When(!f.Since.IsZero(), `at >= ?`, db.Millis(f.Since))
	w.When(!f.Until.IsZero(), `at < ?`, db.Millis(f.Until))
	w.When(f.Session != 0, lead+`session_id = ?`, int64(f.Session))
	return w
}

// wherePath lets documents through whose path is one of those wanted: as it is, or written without the folders above it.
func (f DocumentFilter) wherePath(w *db.Where) {
	var ways []string
	var args []any
	for _, p := range f.Paths {
		p = strings.Trim(p, "/")
		if strings.ContainsAny(p, "*?") {
			p = strings.ReplaceAll(p, "**/", "*") // no folder at all will do
			if p = likePattern.Replace(p); len(p) > likeLength || strings.Count(p, `%`) > likeStars {
				p = `%`
			}
			ways = append(ways, `path LIKE ? ESCAPE '\'`, `path LIKE ? ESCAPE '\'`)
			args = append(args, p, `%/`+p)
			continue
		}
		exact := indexed(p)
		ways = append(ways, `path = ?`, `path >= ? AND path < ?`)
		args = append(args, exact, exact+"/", exact+"0") // "0" comes right after "/"
		if p = likePattern.Replace(p); len(p) <= likeLength {
			ways = append(ways, `path LIKE ? ESCAPE '\'`, `path LIKE ? ESCAPE '\'`)
			args = append(args, `%/`+p, `%/`+p+`/%`)
		}
	}
	w.When(len(ways) > 0, `path <> '' AND (`+strings.Join(ways, ` OR `)+`)`, args...)
}

// Longer patterns are too slow, or too long for a database.
const (
	likeLength = 2000 // bytes
	likeStars  = 8
)

// likePattern makes a pattern of SQL from one of file names. * does not stop at a folder there.
var likePattern = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, `*`, `%`, `?`, `_`)

func (f DocumentFilter) limit() int64 {
	if f.Limit <= 0 {
		return math.MaxInt64
	}
	return int64(f.Limit)
}

// within narrows an expression down to a group and to some projects. Where any one word will do, these are rare, and looking at all they
// lead to costs less than going through the documents of a project; so it does where most documents are in the projects. What
// is found is the same: the filter has the last word.
func within(e Expression, f DocumentFilter) Expression {
	if e.Grouped {
		e.Group = string(f.Group)
	}
	if (len(e.Any) > 0 || e.Wide) && !e.Scoped {
		return e
	}
	for _, p := range f.Projects {
		e.Scopes = append(e.Scopes, scope(p))
	}
	return e
}

// Match returns documents that full text finds, the newest first.
func (tx *Tx) Match(ctx context.Context, e Expression, f DocumentFilter) ([]Document, error) {
	if e = searchableExpression(e); e.Empty() {
		return nil, nil
	}
	e = within(e, f)
	w := f.where(`+`)
	return db.All(ctx, tx.db, fullTextQuery(documentColumns, w.Further(), f.limit()), append([]any{expression(e)}, w.Args...), (*Document).fields)
}

// DocumentsByRef returns those of some documents that are there, in no order.
func (tx *Tx) DocumentsByRef(ctx context.Context, refs ...string) ([]Document, error) {
	var found []Document
	for _, ref := range refs {
		if err := tx.db.Each(ctx, `SELECT `+documentColumns+` FROM document WHERE ref = ?`,
			[]any{indexed(ref)}, db.Collect(&found, (*Document).fields)); err != nil {
			return nil, fmt.Errorf("document %s: %w", ref, err)
		}
	}
	return found, nil
}

// CountDocuments counts documents by kind.
func (tx *Tx) CountDocuments(ctx context.Context, project memory.ProjectID) (map[string]int64, error) {
	w := db.Where{}
	w.When(project != 0, `project_id = ?`, int64(project))
	return db.Map[string, int64](ctx, tx.db, `SELECT kind, COUNT(*) FROM document`+w.String()+` GROUP BY kind`, w.Args, db.Column)
}
