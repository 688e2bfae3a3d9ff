package texts

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// candidate is a text that may answer, with its scores.
type candidate struct {
	store.Stub
	count                       vocab.Count
	words, near, context, graph float64
	byVector                    bool     // found by its vector
	usual                       *lengths // of texts like it
	kept                        *store.CrystalState
}

// gather collects the candidates of a group: by the rarest words, by phrases and by vector.
func (f *finder) gather(ctx context.Context) error {
	var near <-chan []embedding.Hit
	if len(f.query.Phrases) == 0 { // quoted words must occur: no candidates by vector
		var err error
		var share float64
		of := Neighbours{f.vector, f.group, f.projects, f.Config.Tuning.Search.Near}
		if near, share, err = Near(ctx, f.Brain, f.tx, of); err != nil {
			return err
		}
		f.wide = share >= wideShare
	}
	if err := f.byWords(ctx); err != nil {
		return err
	}
	if near != nil {
		if err := f.byVector(ctx, <-near); err != nil {
			return err
		}
	}
	if len(f.found) > 0 || strings.TrimSpace(f.query.Text) != "" {
		return nil
	}
	filter := f.filter // only filters were given: the latest texts that pass
	filter.Limit = f.Config.Tuning.Search.LeadTexts
	return f.tx.LatestStubs(ctx, filter, f.add)
}

// add adds a candidate.
func (f *finder) add(s store.Stub) error {
	if f.found[s.ID] != nil || !f.inPath(s.Path) {
		return nil
	}
	c := &candidate{Stub: s, count: f.question.Count(s.Words, s.Around)}
	c.Words, c.Around = "", ""
	f.found[s.ID] = c
	return nil
}

// addByID adds those of some texts that pass the filters.
func (f *finder) addByID(ctx context.Context, ids []int64) error {
	unread := slices.DeleteFunc(ids, func(id int64) bool { return f.found[id] != nil })
	return f.tx.StubsByID(ctx, unread, f.filter, f.add)
}

// inPath applies the path filters exactly; the store's own filter passes a little more.
func (f *finder) inPath(path string) bool {
	return len(f.paths) == 0 || slices.ContainsFunc(f.paths, func(p *regexp.Regexp) bool { return p.MatchString(path) })
}

// group is the texts of one session, or about one file.
type group struct {
	session memory.SessionID
	path    string
}

func (c *candidate) group() group {
	if c.Kind == memory.SessionText {
		return group{session: c.Session}
	}
	return group{path: c.Path}
}

// byWords finds texts with the rarest words. If the question has only common words and no text holds enough of them, texts
// with any one of them are candidates.
func (f *finder) byWords(ctx context.Context) error {
	filter := f.filter
	filter.Limit = f.Config.Tuning.Search.LeadTexts
	var phrases [][]string
	for _, p := range f.query.Phrases {
		if words := vocab.TextWords(p); len(words) > 0 {
			phrases = append(phrases, words)
		}
	}
	match := func(e store.Expression) error {
		e.Phrases = phrases
		return f.tx.MatchStubs(ctx, e, filter, f.add)
	}
	terms := f.common.SelectTerms(f.terms, filter.Limit)
	if err := match(store.Expression{All: terms.All, Any: terms.Any, Wide: f.wide, Grouped: f.small}); err != nil || len(f.found) > 0 {
		return err
	}
	any := slices.DeleteFunc(slices.Clone(f.terms), func(t string) bool { return f.common.In[t] == 0 })
	if len(any) == 0 {
		return nil
	}
	return match(store.Expression{Any: any, Scoped: true, Grouped: f.small}) // common words: use the index of the project
}

// byVector adds the texts whose vectors are nearest to that of the question.
func (f *finder) byVector(ctx context.Context, hits []embedding.Hit) error {
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	if err := f.addByID(ctx, ids); err != nil {
		return err
	}
	for _, h := range hits {
		if c := f.found[h.ID]; c != nil {
			c.byVector = true
		}
	}
	return nil
}

// fileNotes is how many of the latest notes about a predicted file are looked at: lessons in hebb-bench conversations.
const fileNotes = 100

// wideShare is the share of all texts from which on words are looked up in all of them and other projects filtered out
// afterwards: on a million texts of one project its index costs 7 of 9 ms.
const wideShare = 0.25

// byFiles predicts the files that the question needs, and adds the texts about them. others are the files that texts of all groups are about.
func (f *finder) byFiles(ctx context.Context, others []string) error {
	t := f.Config.Tuning.Search
	if len(f.projects) == 0 || len(f.terms) == 0 || t.Files == 0 || len(f.query.Phrases) > 0 {
		return nil
	}
	id := f.projects[0]
	if any, err := f.tx.AnyAnchored(ctx, id); err != nil || !any {
		return err
	}
	files := ranking.RecallResult{}
	if err := ranking.NewQuery(f.Brain, f.tx).In(ctx, id, ranking.RecallInput{Text: f.in.Query, Limit: t.Files}, &files); err != nil {
		return err
	}
	slices.SortStableFunc(files.Files, func(a, b ranking.Recalled) int { return cmp.Compare(b.Score, a.Score) })
	files.Files = files.Files[:min(len(files.Files), t.Files)]
	score, paths := map[string]float64{}, slices.Clone(others)
	for _, r := range files.Files {
		f.sure = max(f.sure, r.Confidence)
		score[r.Path] = r.Confidence
		paths = append(paths, r.Path)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	about, err := f.tx.AboutFiles(ctx, id, paths, fileNotes)
	if err != nil {
		return err
	}
	ids := make([]int64, len(about))
	for i, a := range about {
		ids[i] = a.Document
	}
	if err := f.addByID(ctx, ids); err != nil {
		return err
	}
	for _, a := range about {
		if c := f.found[a.Document]; c != nil {
			c.graph = max(c.graph, score[a.Path])
		}
	}
	return nil
}

// filesOfCandidates are the files that the best candidates so far are about: other texts about them may answer too.
func filesOfCandidates(groups []*finder, most int) (paths []string) {
	said := map[string]float64{}
	for _, f := range groups {
		for _, c := range f.found {
			if c.Path != "" && c.count.Hit() {
				said[c.Path] += f.question.Known(c.count)
			}
		}
	}
	paths = slices.SortedFunc(maps.Keys(said), func(a, b string) int { return cmp.Or(cmp.Compare(said[b], said[a]), cmp.Compare(a, b)) })
	return paths[:min(len(paths), most)]
}

// ByWords returns the documents of some kinds of memories of a project, and of all, whose words a text has: at most a number, first those that
// have most of it. It reads the index of words alone, which a process that answers one question can afford.
func ByWords(ctx context.Context, b *brain.Brain, tx *store.Tx, project memory.ProjectID, text string, kinds []string, most int) ([]int64, error) {
	all := finder{Brain: b, tx: tx, wordsOnly: true, query: Query{Text: text}, projects: []memory.ProjectID{project, 0}}
	all.filter = store.DocumentFilter{Projects: all.projects, Kinds: kinds}
	f, err := all.within(ctx, memory.GroupMemory)
	if err != nil || f.frequency.Documents == 0 {
		return nil, err
	}
	if err := f.byWords(ctx); err != nil {
		return nil, err
	}
	known := make(map[int64]float64, len(f.found))
	for id, c := range f.found {
		known[id] = f.question.Known(c.count)
	}
	ids := slices.SortedFunc(maps.Keys(known), func(a, b int64) int { return cmp.Or(cmp.Compare(known[b], known[a]), cmp.Compare(b, a)) })
	return ids[:min(len(ids), most)], nil
}
