package texts

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// rank orders the candidates of a group, the best first: all that may be shown, and of these, as strong, those worth showing.
func (f *finder) rank(ctx context.Context) error {
	candidates := f.prefilter()
	var err error
	if f.similar, err = f.similarity(ctx, candidates); err != nil {
		return err
	}
	shown := candidates
	if f.in.Limit > 0 { // the state of a memory changes few places: it is read for the best ones only
		shown = nil
		for _, r := range f.fuse(candidates) {
			if len(shown) == spare*f.in.Limit {
				break
			}
			shown = append(shown, f.found[r.ID])
		}
	}
	if shown, err = f.allowed(ctx, shown); err != nil {
		return err
	}
	if f.in.Limit > 0 && len(shown) < f.in.Limit && len(candidates) > spare*f.in.Limit {
		if shown, err = f.allowed(ctx, candidates); err != nil {
			return err
		}
	}
	f.results = f.fuse(shown)
	for _, r := range f.results {
		f.known = max(f.known, f.question.Known(f.found[r.ID].count))
	}
	return nil
}

// strongest are the results of a group that are worth showing. share is how much of the question the best text of the group holds, as a
// share of what the best text of all groups holds.
func (f *finder) strongest(share float64) []Result {
	// Weak results are kept for tasks (many terms) and for long lists.
	if n := len(f.terms); f.in.Weak || n == 0 || n >= taskTerms || f.in.Limit == 0 || f.in.Limit > deepAnswers {
		return f.results
	}
	most := 0.0
	for _, r := range f.results {
		most = max(most, r.Sum())
	}
	return slices.DeleteFunc(slices.Clone(f.results), func(r Result) bool {
		return most > 0 && !strong(share*r.Sum()/most, f.question.Known(f.found[r.ID].count), f.similar[r.ID], f.Config.Tuning.Search)
	})
}

// strong reports whether a result is worth showing beside the best one: its score as a share of the best, plus the share of the
// question in its own words, is high enough, or its vector is near.
func strong(share, known, cos float64, t tuning.Search) bool {
	return share+known >= t.StrongLeast || cos >= t.NearLeast
}

// spare is how many times the limit are ranked: some are hidden, and some lose places by doubt.
const spare = 2

// allowed reads the state of candidates as memories, and removes those that may not be shown.
func (f *finder) allowed(ctx context.Context, list []*candidate) ([]*candidate, error) {
	var ids []int64
	for _, c := range list {
		if slices.Contains(memory.CrystalKinds, memory.CrystalKind(c.Kind)) {
			ids = append(ids, c.ID)
		}
	}
	states, err := f.tx.CrystalStates(ctx, ids)
	if err != nil {
		return nil, err
	}
	for id, state := range states {
		f.found[id].kept = &state
	}
	return slices.DeleteFunc(slices.Clone(list), func(c *candidate) bool { return c.kept != nil && !f.shown(*c.kept) }), nil
}

// Measured with hebb-bench conversations where nothing else is said.
const (
	taskTerms   = 8   // a shorter question describes no task: three words led to notes on README.md
	deepAnswers = 50  // longer lists show weak results too
	sessionBest = 5   // best texts of a session that count for its others: LoCoMo, 5 to 8 are alike
	codeWidth   = 160 // characters of code, on two lines: its file has the rest
	weighedMost = 100 // candidates that are scored by everything: 80 to 200 are alike
)

// fuse ranks candidates, the best first.
func (f *finder) fuse(list []*candidate) []Result {
	candidates := make([]Candidate, 0, len(list))
	agrees := make(map[int64]bool, len(list))
	for _, c := range list {
		w := f.scored(c)
		agrees[c.ID] = len(f.terms) == 0 || Agrees(w.Scores, f.Config.Tuning.Search.NearLeast)
		if agrees[c.ID] || w.Scores[Graph] > 0 {
			candidates = append(candidates, w)
		}
	}
	weights := f.Config.Tuning.Crystal.Weights
	// Predicted files count by their confidence, and less for a question too short to describe a task.
	weights.WeightGraph *= f.sure * min(1, float64(len(f.terms))/float64(taskTerms))
	return agreeingFirst(Fuse(candidates, weights, f.in.History, f.tx.Now), agrees, len(f.terms) >= taskTerms)
}

// agreeingFirst moves the best result whose words or meaning agree with the question to the first place. If there is none, all that speaks
// for the results is a predicted file, which is no answer unless the question describes a task.
func agreeingFirst(results []Result, agrees map[int64]bool, task bool) []Result {
	best := slices.IndexFunc(results, func(r Result) bool { return agrees[r.ID] })
	switch {
	case best > 0:
		first := results[best]
		copy(results[1:], results[:best])
		results[0] = first
	case best < 0 && !task:
		return nil
	}
	return results
}

// prefilter scores words, and keeps the candidates with the highest word scores and those found otherwise.
func (f *finder) prefilter() []*candidate {
	list := make([]*candidate, 0, len(f.found))
	usual := map[string]*lengths{}
	for _, c := range f.found {
		u := usual[c.Kind]
		if u == nil {
			u = &lengths{}
			usual[c.Kind] = u
		}
		u.texts, u.words, u.around = u.texts+1, u.words+c.count.Length, u.around+c.count.Around
		c.usual = u
		list = append(list, c)
	}
	scores := map[group][]float64{}
	for _, c := range list {
		u := c.usual.usual()
		c.words, c.near = f.question.Words(c.count, u), f.question.Window(c.count, u)
		if g := c.group(); g != (group{}) && c.words > 0 {
			scores[g] = append(scores[g], c.words)
		}
	}
	best := make(map[group]float64, len(scores))
	for g, scores := range scores {
		slices.Sort(scores)
		for _, s := range scores[max(0, len(scores)-sessionBest):] {
			best[g] += s
		}
	}
	slices.SortFunc(list, func(a, b *candidate) int {
		if order := cmp.Compare(b.words+b.near, a.words+a.near); order != 0 { // cmp.Or would compute the rest each time
			return order
		}
		return cmp.Or(cmp.Compare(b.graph, a.graph), cmp.Compare(b.ID, a.ID))
	})
	n := 0
	list = slices.DeleteFunc(list, func(c *candidate) bool {
		n++
		return n > weighedMost && !c.byVector && c.graph == 0
	})
	for _, c := range list {
		c.context = best[c.group()]
	}
	return list
}

// lengths sums the lengths of texts of one kind.
type lengths struct{ texts, words, around int }

func (l *lengths) usual() vocab.Usual {
	return vocab.Usual{Length: float64(l.words) / float64(l.texts), Around: float64(l.around) / float64(l.texts)}
}

// texts reads what was found.
func (f *finder) texts(ctx context.Context, results []Result) ([]Found, error) {
	ids := make([]int64, len(results))
	crystals, fragments := []int64{}, []int64{}
	for i, r := range results {
		ids[i] = r.ID
		switch c := f.found[ids[i]]; {
		case c.kept != nil:
			crystals = append(crystals, ids[i])
		case c.Kind == memory.SnippetText, c.Kind == memory.DocumentText:
			fragments = append(fragments, ids[i])
		}
	}
	docs, err := f.tx.Texts(ctx, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]store.Document, len(docs))
	for _, d := range docs {
		byID[d.ID] = d
	}
	kept, err := f.tx.Crystals(ctx, store.CrystalFilter{Documents: crystals})
	if err != nil {
		return nil, err
	}
	whole := make(map[int64]*memory.Crystal, len(kept))
	for i := range kept {
		whole[kept[i].Document] = &kept[i].Crystal
	}
	lines, err := f.tx.LinesOf(ctx, fragments)
	if err != nil {
		return nil, err
	}
	width := 0
	if f.group == memory.GroupCode {
		width = codeWidth
	}
	found := make([]Found, 0, len(results))
	for i, r := range results {
		c, d := f.found[ids[i]], byID[ids[i]]
		if d.ID == 0 {
			continue // deleted since this process cached it
		}
		one := Found{
			Ref: d.Ref, Group: f.group, Kind: d.Kind, Project: d.Project, Origin: d.Origin, At: d.At, Path: d.Path, Title: d.Title, Text: d.Text,
			Session: d.Session, Score: r.Score, Known: f.question.Known(c.count), Shares: r.Shares, Doubt: 1 - r.Factor,
			Excerpt: Highlight(d.Text, f.terms, width, vocab.TextWords),
		}
		one.Crystal = whole[ids[i]]
		if one.Answer, err = answerTo(ctx, f.tx, d, f.terms); err != nil {
			return nil, err
		}
		if one.Answer != nil { // else a question that an agent answered is taken for one without an answer
			one.Known = f.question.KnownIn(vocab.TextWords(one.Text + " " + one.Answer.Text))
		}
		if at, known := lines[ids[i]]; known {
			one.Lines = &at
		}
		found = append(found, one)
	}
	return found, nil
}

// scored collects the scores of a candidate.
func (f *finder) scored(c *candidate) Candidate {
	out := Candidate{ID: c.ID, At: c.At}
	out.Scores[Words] = c.words
	out.Scores[Phrase] = f.question.Phrase(c.count)
	out.Scores[Graph] = c.graph
	out.Scores[Meaning] = math.NaN()
	if cos, known := f.similar[c.ID]; known {
		out.Scores[Meaning] = cos
	}
	if out.Scores[WordsNear] = c.near; c.count.Around == 0 {
		out.Scores[WordsNear] = math.NaN()
	}
	if out.Scores[Context] = c.context; c.group() == (group{}) {
		out.Scores[Context] = math.NaN()
	}
	if c.Title != "" && c.Kind != memory.SessionText {
		out.Scores[Title] = f.question.KnownIn(vocab.TextWords(c.Title))
	}
	if c.Path != "" {
		out.Scores[Path] = f.question.KnownIn(vocab.TextWords(c.Path))
	}
	if named := f.query.Named; !named.Since.IsZero() {
		out.Scores[When] = named.Fit(c.At)
	}
	if c.kept != nil {
		out.Importance, out.Unsure = c.kept.Importance, c.kept.Unsure
		out.Past = !c.kept.ValidTo.IsZero() || !c.kept.Lifecycle.Living()
	}
	return out
}

// shown reports whether a memory may be shown: as of a time, only what held then; otherwise the past only on request.
func (f *finder) shown(c store.CrystalState) bool {
	if c.Lifecycle == memory.Waiting {
		return false
	}
	if at := f.in.AsOf; !at.IsZero() {
		return !c.SaidAt.After(at) && (c.ValidTo.IsZero() || c.ValidTo.After(at))
	}
	if f.query.Unsure && !c.Unsure || f.query.Pinned && c.Lifecycle != memory.Frozen {
		return false
	}
	return f.in.History || c.ValidTo.IsZero() && c.Lifecycle.Living()
}

// similarity is the cosine of each candidate's vector to the question's. Vectors that this process has not cached come from
// the store.
func (f *finder) similarity(ctx context.Context, list []*candidate) (map[int64]float64, error) {
	similarity := make(map[int64]float64, len(list))
	if f.vector == nil {
		return similarity, nil
	}
	var unread []int64
	m := meaningsOf(f.Brain)
	m.mutex.Lock()
	for _, c := range list {
		if index := m.of[part{c.Project, f.group}]; index != nil {
			if cos, known := index.Cos(f.vector, c.ID); known {
				similarity[c.ID] = cos
				continue
			}
		}
		if c.ID > m.last {
			unread = append(unread, c.ID)
		}
	}
	m.mutex.Unlock()
	vectors, err := f.tx.VectorsOf(ctx, GeneralModel, unread)
	for id, v := range vectors {
		similarity[id] = f.vector.Cos(v)
	}
	return similarity, err
}
