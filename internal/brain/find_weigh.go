package brain

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/hebb-memory/hebb/internal/crystal"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

// best orders the candidates. Only those that words speak for most, and those that meaning or files led to, are weighed
// against each other: the rest could not win.
func (f *finder) best(ctx context.Context) ([]Found, error) {
	list := f.promising()
	f.answers = f.answerFactor(list)
	near, err := f.directions(ctx, list)
	if err != nil {
		return nil, err
	}
	// What they are as memories decides about few of them: it is read for those that may be shown.
	some, wishes := list, []*candidate(nil)
	if f.in.Limit > 0 {
		some = f.fused(list, near)
		some = some[:min(len(some), spare*f.in.Limit)]
		for _, c := range list { // should the wish that fits best be no more, another may take its place
			if c.wish != nil && !slices.Contains(some, c) {
				wishes = append(wishes, c)
			}
		}
	}
	if some, err = f.shownOf(ctx, some); err != nil {
		return nil, err
	}
	if f.in.Limit > 0 && len(some) < f.in.Limit && len(list) > spare*f.in.Limit {
		wishes = nil
		if some, err = f.shownOf(ctx, list); err != nil {
			return nil, err
		}
	}
	if wishes, err = f.shownOf(ctx, wishes); err != nil {
		return nil, err
	}
	some = append(some, wishes...)
	results := f.arranged(some, near)
	room := len(results)
	if f.in.Limit > 0 {
		room = min(room, f.in.Limit)
	}
	// A task has use for whatever may help, the course of things for whatever tells of it, and who wants to see many answers wants the
	// weak ones too.
	t := f.config.Tuning.Search
	if n := len(f.terms); !f.in.Weak && !f.aim.Course && n > 0 && n < t.TaskTerms && f.in.Limit > 0 && f.in.Limit <= t.Deep {
		results = f.strong(results, near)
	}
	results = results[:min(len(results), room)]
	f.weaker = room - len(results)
	return f.texts(ctx, results)
}

// strong leaves out what is noise beside the best.
func (f *finder) strong(results []crystal.Result, near map[int64]float64) []crystal.Result {
	most := 0.0
	for _, r := range results {
		most = max(most, r.Sum()*(1-r.Less)) // the best is what is shown first; who says a thing does not make it noise
	}
	return slices.DeleteFunc(results, func(r crystal.Result) bool {
		id := numberOf(r.ID)
		return most > 0 && r.Standing == memory.Passing && !f.search.Strong(r.Sum()/most, f.question.Known(f.found[id].count), near[id])
	})
}

// spare times as many as are shown are looked at: some are hidden, and some are in doubt.
const spare = 2

// shownOf reads what candidates are as memories, and leaves out those that may not answer.
func (f *finder) shownOf(ctx context.Context, list []*candidate) ([]*candidate, error) {
	if err := f.memories(ctx, list); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(list), func(c *candidate) bool { return c.kept != nil && !f.shown(*c.kept) }), nil
}

// fuse weighs candidates against each other, the best first.
func (f *finder) fuse(list []*candidate, near map[int64]float64) []crystal.Result {
	candidates := make([]crystal.Candidate, 0, len(list))
	asked := len(f.terms) > 0
	for _, c := range list {
		w := f.weighed(c, near)
		answers := f.search.Answers(w.Scores)
		if f.stands(c) {
			c.wish.Answers = answers
		} else if asked && !answers {
			continue // neither a word nor a file speaks for it, and its meaning is not near enough
		}
		if c.Kind == CommitText || c.Kind == SessionText || c.Kind == WindowText || c.Kind == SnippetText {
			f.scale(&w.Scores, f.config.Tuning.Search.FoundFactor)
		}
		candidates = append(candidates, w)
	}
	t := f.config.Tuning.Crystal
	// Files that are only guessed at say little, and a few words describe no task.
	t.WeightGraph *= f.sure * min(1, float64(len(f.terms))/float64(f.config.Tuning.Search.TaskTerms))
	return crystal.NewRules(t).Fuse(candidates, f.in.History, f.tx.Now)
}

// answerFactor is what an agent's turns count beside a person's: in full where no person said anything with the question's words.
func (f *finder) answerFactor(list []*candidate) float64 {
	said := false
	for _, c := range list {
		said = said || c.said(memory.Prompted) && f.question.Known(c.count) > 0
	}
	switch t := f.config.Tuning.Search; {
	case !said:
		return 1
	case f.aim.Answered:
		return t.AnswerWanted
	default:
		return t.AnswerFactor
	}
}

// arranged are candidates in the order in which they are shown.
func (f *finder) arranged(list []*candidate, near map[int64]float64) []crystal.Result {
	results := f.fuse(list, near)
	switch {
	case f.aim.Course:
		return f.search.Spread(results, func(r crystal.Result) memory.SessionID { return f.found[numberOf(r.ID)].Session })
	case !f.aim.Past:
		wishes := map[string]crystal.Wish{}
		for _, c := range list {
			if f.stands(c) {
				wishes[nameOf(c.ID)] = *c.wish
			}
		}
		if len(wishes) > 0 {
			return f.search.Lift(results, wishes)
		}
	}
	return results
}

// stands reports whether a candidate is a wish that holds: what was preferred before is a text like others.
func (f *finder) stands(c *candidate) bool {
	return c.wish != nil && (c.kept == nil || !f.in.AsOf.IsZero() || c.kept.ValidTo.IsZero() && c.kept.Lifecycle.Living())
}

// fused are candidates in the order in which they answer.
func (f *finder) fused(list []*candidate, near map[int64]float64) []*candidate {
	results := f.arranged(list, near)
	out := make([]*candidate, len(results))
	for i, r := range results {
		out[i] = f.found[numberOf(r.ID)]
	}
	return out
}

// promising scores words and returns the candidates that are worth weighing.
func (f *finder) promising() []*candidate {
	list := make([]*candidate, 0, len(f.found))
	usual := map[[2]string]*lengths{}
	for _, c := range f.found {
		u := usual[c.alike()]
		if u == nil {
			u = &lengths{}
			usual[c.alike()] = u
		}
		u.add(c.count)
		c.usual = u
		list = append(list, c)
	}
	together := map[company][]float64{}
	for _, c := range list {
		u := c.usual.usual()
		c.words, c.near, c.asked = f.question.Words(c.count, u), f.question.Window(c.count, u), f.question.Asked(c.count, u)
		if group := c.group(); group != (company{}) && c.words > 0 {
			together[group] = append(together[group], c.words)
		}
	}
	best := make(map[company]float64, len(together))
	for group, scores := range together {
		slices.Sort(scores)
		for _, s := range scores[max(0, len(scores)-f.config.Tuning.Search.SessionBest):] {
			best[group] += s
		}
	}
	slices.SortFunc(list, func(a, b *candidate) int {
		if order := cmp.Compare(b.words+b.near, a.words+a.near); order != 0 { // mostly: the rest is not even looked at
			return order
		}
		return cmp.Or(cmp.Compare(b.graph, a.graph), cmp.Compare(b.ID, a.ID))
	})
	n := 0
	list = slices.DeleteFunc(list, func(c *candidate) bool {
		n++
		return n > f.config.Tuning.Search.Weighed && !c.meant && c.graph == 0 && c.wish == nil
	})
	for _, c := range list {
		c.company = best[c.group()]
	}
	return list
}

// lengths is how long texts of one kind are.
type lengths struct{ texts, words, around, answers, asked int }

func (l *lengths) add(c crystal.Count) {
	l.texts, l.words, l.around = l.texts+1, l.words+c.Length, l.around+c.Around
	if c.Asked > 0 {
		l.answers, l.asked = l.answers+1, l.asked+c.Asked
	}
}

func (l *lengths) usual() crystal.Usual {
	return crystal.Usual{
		Length: float64(l.words) / float64(l.texts), Around: float64(l.around) / float64(l.texts), Asked: float64(l.asked) / float64(max(l.answers, 1)),
	}
}

// texts reads what was found.
func (f *finder) texts(ctx context.Context, results []crystal.Result) ([]Found, error) {
	ids := make([]int64, len(results))
	crystals, fragments := []int64{}, []int64{}
	for i, r := range results {
		ids[i] = numberOf(r.ID)
		switch c := f.found[ids[i]]; {
		case c.kept != nil:
			crystals = append(crystals, ids[i])
		case c.Kind == SnippetText:
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
	found, seqs := make([]Found, 0, len(results)), make([]int64, 0, len(results))
	for i, r := range results {
		c, d := f.found[ids[i]], byID[ids[i]]
		if d.ID == 0 {
			continue // it has gone: what this process knows of it is from another state
		}
		one := Found{
			Ref: d.Ref, Kind: d.Kind, Project: d.Project, Origin: d.Origin, At: d.At, Path: d.Path, Title: d.Title, Text: d.Text,
			Session: d.Session, Score: r.Score, Known: f.question.Known(c.count), Shares: r.Shares, Doubt: 1 - r.Factor,
			Excerpt: f.rules.Highlight(d.Text, f.terms, 0, recall.TextWords),
		}
		one.Crystal = whole[ids[i]]
		switch r.Standing {
		case memory.Always:
			one.Standing = "always"
		case memory.Preferred:
			one.Standing = "preferred"
		}
		if at, known := lines[ids[i]]; known {
			one.Lines = &at
		}
		found, seqs = append(found, one), append(seqs, d.EventSeq)
	}
	if f.in.Sessions {
		return f.intoWindows(ctx, found, seqs)
	}
	return found, nil
}

// nameOf and numberOf write and read the number of a document where a name is wanted; of equals the newer comes first.
func nameOf(id int64) string {
	var digits [19]byte
	n := math.MaxInt64 - id
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = byte('0' + n%10)
		n /= 10
	}
	return string(digits[:])
}

func numberOf(name string) int64 {
	n, _ := strconv.ParseInt(name, 10, 64)
	return math.MaxInt64 - n
}

// weighed is a candidate as the rules weigh it.
func (f *finder) weighed(c *candidate, near map[int64]float64) crystal.Candidate {
	out := crystal.Candidate{ID: nameOf(c.ID), At: c.At}
	out.Scores[crystal.Words] = c.words
	out.Scores[crystal.Phrase] = f.question.Phrase(c.count)
	if out.Scores[crystal.Asked] = c.asked; c.Kind != SessionText {
		out.Scores[crystal.Asked], out.Scores[crystal.Speaker] = math.NaN(), math.NaN()
	} else if f.question.Named(c.count) {
		out.Scores[crystal.Speaker] = 1
	}
	out.Scores[crystal.Graph] = c.graph
	out.Scores[crystal.Meaning] = math.NaN()
	if cos, known := near[c.ID]; known {
		out.Scores[crystal.Meaning] = cos
	}
	if out.Scores[crystal.WordsNear] = c.near; c.count.Around == 0 {
		out.Scores[crystal.WordsNear] = math.NaN()
	}
	if out.Scores[crystal.Context] = c.company; c.group() == (company{}) {
		out.Scores[crystal.Context] = math.NaN()
	}
	if c.Kind == SessionText && !c.said(memory.Prompted) {
		out.Less = 1 - f.answers
	}
	if c.Title != "" && c.Kind != SessionText {
		out.Scores[crystal.Title] = f.common.Known(f.terms, recall.TextWords(c.Title))
	}
	if c.Path != "" {
		out.Scores[crystal.Path] = f.common.Known(f.terms, recall.TextWords(c.Path))
	}
	if f.query.Worded {
		out.Scores[crystal.When] = f.rules.Fit(f.query, c.At)
	}
	if c.kept != nil {
		out.Importance, out.Unsure = c.kept.Importance, c.kept.Unsure
		out.Past = !c.kept.ValidTo.IsZero() || !c.kept.Lifecycle.Living()
	}
	for _, s := range f.in.Without {
		out.Scores[s] = 0
	}
	return out
}

func (f *finder) scale(s *crystal.Scores, by float64) {
	for i := range s {
		s[i] *= by
	}
}

// memories reads what candidates are as memories of their own.
func (f *finder) memories(ctx context.Context, list []*candidate) error {
	var ids []int64
	for _, c := range list {
		if slices.Contains(memory.CrystalKinds, memory.CrystalKind(c.Kind)) {
			ids = append(ids, c.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	kept, err := f.tx.CrystalStates(ctx, ids)
	for id, state := range kept {
		f.found[id].kept = &state
	}
	return err
}

// shown reports whether a crystal may answer: as of a time, only what held then; otherwise the past only if asked for.
func (f *finder) shown(c store.CrystalState) bool {
	if at := f.in.AsOf; !at.IsZero() {
		return !c.SaidAt.After(at) && (c.ValidTo.IsZero() || c.ValidTo.After(at))
	}
	if f.query.Unsure && !c.Unsure || f.query.Pinned && c.Lifecycle != memory.Frozen {
		return false
	}
	return f.in.History || c.ValidTo.IsZero() && c.Lifecycle.Living()
}

// directions says how near candidates point to where the question points: those that this process has read already, and the
// rest from the store.
func (f *finder) directions(ctx context.Context, list []*candidate) (map[int64]float64, error) {
	near := make(map[int64]float64, len(list))
	if f.vector == nil {
		return near, nil
	}
	var unread []int64
	m := f.meanings()
	m.mutex.Lock()
	for _, c := range list {
		if index := m.of[c.Project]; index != nil && m.space == f.in.space {
			if cos, known := index.Cos(f.vector, c.ID); known {
				near[c.ID] = cos
				continue
			}
		}
		if c.ID > m.last || m.space != f.in.space {
			unread = append(unread, c.ID)
		}
	}
	m.mutex.Unlock()
	vectors, err := f.tx.MeaningsOf(ctx, f.in.space, unread)
	for id, v := range vectors {
		near[id] = f.vector.Cos(v)
	}
	return near, err
}
