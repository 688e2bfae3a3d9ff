package brain

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/crystal"
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

// candidate is a text that may answer, with what speaks for it.
type candidate struct {
	store.Sketch
	count                              crystal.Count
	words, near, asked, company, graph float64
	wish                               *crystal.Wish // it stands, and fits
	meant                              bool          // its meaning led to it
	usual                              *lengths      // of texts like it
	kept                               *store.CrystalState
}

// gather collects candidates: by the rarest words, by phrases, by meaning, what is said of the files that the
// question needs, and what the person always wants.
func (f *finder) gather(ctx context.Context) error {
	var near <-chan []embedding.Hit
	if len(f.query.Phrases) == 0 { // a question that insists on words does not ask for meaning
		var err error
		var share float64
		if near, share, err = f.near(ctx, f.tx, f.in.space, f.vector, f.projects, f.config.Tuning.Search.Near); err != nil {
			return err
		}
		f.wide = share >= f.config.Tuning.Search.WideShare
	}
	if err := f.byWords(ctx); err != nil {
		return err
	}
	if near != nil {
		if err := f.byMeaning(ctx, <-near); err != nil {
			return err
		}
	}
	if err := f.byFiles(ctx); err != nil {
		return err
	}
	if err := f.byStanding(ctx); err != nil {
		return err
	}
	if len(f.found) > 0 || strings.TrimSpace(f.query.Text) != "" {
		return nil
	}
	filter := f.filter // nothing but filters was given: the latest that pass
	filter.Limit = f.config.Tuning.Search.LeadTexts
	return f.tx.LatestSketches(ctx, filter, f.add)
}

// add takes a text in, with how often it has the question's words.
func (f *finder) add(s store.Sketch) error {
	if f.found[s.ID] != nil || !f.inPath(s.Path) {
		return nil
	}
	c := &candidate{Sketch: s, count: f.question.Count(s.Words, s.Around, s.Asked, s.Named)}
	if s.Standing == memory.Always && !f.aim.Past || s.Standing == memory.Preferred && f.aim.Request {
		// Its stored direction leans to what stood around it.
		wish := crystal.Wish{Standing: s.Standing, Cos: f.about.Cos(directionOf(strings.Fields(s.Words))), Words: c.count.Hit()}
		if f.search.Fits(f.aim, wish) {
			c.wish = &wish
		}
	}
	c.Words, c.Around = "", ""
	f.found[s.ID] = c
	return nil
}

// inPath reports whether a text lies where the question wants it. The store lets a little more through.
func (f *finder) inPath(path string) bool {
	return len(f.filter.Paths) == 0 || slices.ContainsFunc(f.filter.Paths, func(pattern string) bool { return crystal.InPath(pattern, path) })
}

// said reports whether it is a turn of this kind.
func (c *candidate) said(kind memory.EventKind) bool {
	return c.Kind == SessionText && c.Title == string(kind)
}

// alike names the texts that are about as long: a person's turns are not like an agent's.
func (c *candidate) alike() [2]string {
	if c.Kind == SessionText {
		return [2]string{c.Kind, c.Title}
	}
	return [2]string{c.Kind}
}

// company is what texts stand together in: a session, or what is said of the same file.
type company struct {
	session memory.SessionID
	path    string
}

func (c *candidate) group() company {
	if c.Kind == SessionText || c.Kind == WindowText {
		return company{session: c.Session}
	}
	return company{path: c.Path}
}

// byWords looks for texts with the words that lead. Should the rarest be so common that texts must hold several, and none
// does, any one will do.
func (f *finder) byWords(ctx context.Context) error {
	filter := f.filter
	filter.Limit = f.config.Tuning.Search.LeadTexts
	lead := f.search.Lead(f.common, f.terms)
	look := func(e store.Expression) error {
		e.Phrases = f.phrases()
		return f.tx.MatchSketches(ctx, e, filter, f.add)
	}
	if err := look(store.Expression{All: lead.All, Any: lead.Any, Wide: f.wide}); err != nil || len(f.found) > 0 {
		return err
	}
	any := slices.DeleteFunc(slices.Clone(f.terms), func(t string) bool { return f.common.In[t] == 0 })
	if len(any) == 0 {
		return nil
	}
	return look(store.Expression{Any: any, Scoped: true}) // common words: by the project, not through all others
}

func (f *finder) phrases() (phrases [][]string) {
	for _, p := range f.query.Phrases {
		if words := recall.TextWords(p); len(words) > 0 {
			phrases = append(phrases, words)
		}
	}
	return phrases
}

// byMeaning takes the texts that point where the question points.
func (f *finder) byMeaning(ctx context.Context, hits []embedding.Hit) error {
	var unread []int64
	for _, h := range hits {
		if f.found[h.ID] == nil {
			unread = append(unread, h.ID)
		}
	}
	if err := f.tx.SketchesByID(ctx, unread, f.filter, f.add); err != nil {
		return err
	}
	for _, h := range hits {
		if c := f.found[h.ID]; c != nil {
			c.meant = true
		}
	}
	return nil
}

// byFiles foresees the files that the question needs, and takes what is said of them.
func (f *finder) byFiles(ctx context.Context) error {
	t := f.config.Tuning.Search
	if len(f.projects) == 0 || len(f.terms) == 0 || t.Files == 0 || len(f.query.Phrases) > 0 {
		return nil
	}
	id := f.projects[0]
	if any, err := f.tx.AnyAnchored(ctx, id); err != nil || !any {
		return err
	}
	files := RecallResult{}
	if err := f.recallIn(ctx, f.tx, id, RecallInput{Text: f.in.Query, Limit: t.Files}, &files); err != nil {
		return err
	}
	slices.SortStableFunc(files.Files, func(a, b Recalled) int { return cmp.Compare(b.Score, a.Score) })
	files.Files = files.Files[:min(len(files.Files), t.Files)]
	score, paths := map[string]float64{}, f.spokenOf(t.Files)
	for _, r := range files.Files {
		f.sure = max(f.sure, r.Confidence)
		score[r.Path] = r.Confidence
		paths = append(paths, r.Path)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	about, err := f.tx.AboutFiles(ctx, id, paths, t.FileNotes)
	if err != nil {
		return err
	}
	var unread []int64
	for _, a := range about {
		if f.found[a.Document] == nil {
			unread = append(unread, a.Document)
		}
	}
	if err := f.tx.SketchesByID(ctx, unread, f.filter, f.add); err != nil {
		return err
	}
	for _, a := range about {
		if c := f.found[a.Document]; c != nil {
			c.graph = max(c.graph, score[a.Path])
		}
	}
	return nil
}

// byStanding takes the latest of what the person always wants or prefers, whatever its words: a request may touch it.
func (f *finder) byStanding(ctx context.Context) error {
	if f.aim.Past || len(f.terms) == 0 || len(f.query.Phrases) > 0 {
		return nil
	}
	filter := f.filter
	filter.Standing, filter.Limit = true, f.config.Tuning.Search.Weighed
	return f.tx.LatestSketches(ctx, filter, f.add)
}

// spokenOf are the files that the texts found so far speak of, those whose texts answer most: what else is said of them
// may answer too.
func (f *finder) spokenOf(most int) (paths []string) {
	said := map[string]float64{}
	for _, c := range f.found {
		if c.Path != "" && c.count.Hit() {
			said[c.Path] += f.question.Known(c.count)
		}
	}
	for path := range said {
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(said[b], said[a]), cmp.Compare(a, b)) })
	return paths[:min(len(paths), most)]
}
