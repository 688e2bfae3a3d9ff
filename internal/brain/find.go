package brain

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/bootstrap"
	"github.com/hebb-memory/hebb/internal/crystal"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

// SearchInput is a question to everything that was said, decided, learned and committed.
type SearchInput struct {
	Scope
	// Query is free text. Phrases in quotes must occur; kind:, project:, since:, until:, path: and is: narrow it down, and so
	// do words of time such as last week.
	Query string `json:"query"`
	Limit int    `json:"limit,omitempty"`
	// Kinds of texts, none for all: kinds of crystals, or commit, session, snippet, entity.
	Kinds []string `json:"kinds,omitempty"`
	// Sessions looks into what was said in sessions alone.
	Sessions bool `json:"sessions,omitempty"`
	// History also finds what was superseded, merged or has expired.
	History bool `json:"history,omitempty"`
	// AsOf answers as one would have at that time.
	AsOf time.Time `json:"as_of,omitzero"`
	// Without leaves sources of scores out, for comparisons.
	Without []crystal.Source `json:"-"`

	space  string        // in which meanings are compared
	vector memory.Vector // of the question there; nil: that of the general table
}

// SearchResult is what was found, best first.
type SearchResult struct {
	Found []Found `json:"found"`
	// Filters says how the question was understood, where words of it became filters.
	Filters []string `json:"filters,omitempty"`
	// Past says that nothing current answers: all of it belongs to the past.
	Past bool `json:"past,omitempty"`
	// Documents is how many there were to look at in all.
	Documents int64 `json:"documents"`
}

// Found is one text.
type Found struct {
	Ref     string           `json:"ref"`
	Kind    string           `json:"kind"`
	Project memory.ProjectID `json:"project,omitzero"`
	Origin  memory.Origin    `json:"origin"`
	At      time.Time        `json:"at"`
	Path    string           `json:"path,omitempty"`
	Title   string           `json:"title,omitempty"`
	Text    string           `json:"text"`
	Session memory.SessionID `json:"session,omitzero"`
	// Lines are where a fragment of code stands in its file.
	Lines *store.Lines `json:"lines,omitempty"`
	Score float64      `json:"score"`
	// Known is the share of what the question's words tell that the text holds.
	Known float64 `json:"known"`
	// Shares are what each source adds to the score.
	Shares []crystal.Share `json:"shares,omitempty"`
	// Doubt is what takes from it: the text needs a check, or belongs to the past.
	Doubt float64 `json:"doubt,omitempty"`
	// Crystal is the memory behind the text, where there is one.
	Crystal *memory.Crystal `json:"crystal,omitempty"`
	// Excerpt is the part that answers most, with the places of the question's words.
	Excerpt crystal.Excerpt `json:"excerpt"`
}

// SearchTexts finds texts by their words and by their meaning.
var SearchTexts = Operation[SearchInput, SearchResult]{
	Name: "search", Summary: "Find what was said, decided, learned or committed",
	Run: func(ctx context.Context, b *Brain, in SearchInput) (SearchResult, error) {
		in.space, in.vector = b.askedSpace(ctx, in.Query) // first: nothing is held while a model elsewhere is asked
		return viewed(ctx, b, func(tx *store.Tx) (SearchResult, error) { return b.search(ctx, tx, in) })
	},
}

func (b *Brain) search(ctx context.Context, tx *store.Tx, in SearchInput) (out SearchResult, err error) {
	if strings.TrimSpace(in.Query) == "" && len(in.Kinds) == 0 && !in.Sessions {
		return out, fmt.Errorf("search: say what to look for: %w", memory.ErrInvalid)
	}
	rules := crystal.NewRules(b.config.Tuning.Crystal)
	query := rules.ParseQuery(in.Query, b.now()).Resolve(b.milestones(ctx, tx, in.Scope))
	if out, err = b.answer(ctx, tx, in, rules, query); err != nil || len(out.Found) > 0 {
		return out, err
	}
	if query.Guessed { // what looked like a time was none
		query = query.Timeless()
		if out, err = b.answer(ctx, tx, in, rules, query); err != nil || len(out.Found) > 0 {
			return out, err
		}
	}
	if in.History || !in.AsOf.IsZero() || !query.AsOf.IsZero() {
		return out, nil
	}
	in.History = true // better what is past than nothing
	out, err = b.answer(ctx, tx, in, rules, query)
	out.Past = len(out.Found) > 0
	return out, err
}

func (b *Brain) answer(ctx context.Context, tx *store.Tx, in SearchInput, rules crystal.Rules, query crystal.Query) (out SearchResult, err error) {
	f := &finder{Brain: b, tx: tx, in: in, rules: rules, query: query, search: crystal.NewSearch(b.config.Tuning.Search), found: map[int64]*candidate{}}
	out.Found = []Found{}
	if err := f.read(ctx); err != nil {
		return out, err
	}
	out.Filters, out.Documents = f.told(), f.common.Texts
	if err := f.gather(ctx); err != nil {
		return out, err
	}
	out.Found, err = f.best(ctx)
	return out, err
}

// finder answers one question.
type finder struct {
	*Brain
	tx       *store.Tx
	in       SearchInput
	query    crystal.Query
	terms    []string
	vector   memory.Vector
	projects []memory.ProjectID // none for all
	filter   store.DocumentFilter
	common   crystal.Collection
	question *crystal.Question
	rules    crystal.Rules
	search   crystal.Search
	found    map[int64]*candidate
	sure     float64 // how likely the likeliest file is
}

// candidate is a text that may answer, with what speaks for it.
type candidate struct {
	store.Sketch
	count                       crystal.Count
	words, near, company, graph float64
	standing                    bool
	meant                       bool // its meaning led to it
	kept                        *store.CrystalState
}

// gather collects candidates: by the rarest words, by phrases, by meaning, and what is said of the files that the
// question needs.
func (f *finder) gather(ctx context.Context) error {
	if err := f.byWords(ctx); err != nil {
		return err
	}
	if err := f.byMeaning(ctx); err != nil {
		return err
	}
	if err := f.byFiles(ctx); err != nil {
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
	if f.found[s.ID] != nil {
		return nil
	}
	words := string(s.Words)
	c := &candidate{Sketch: s, count: f.question.Count(words, string(s.Around))}
	c.standing = c.said(memory.Prompted) && standing(words)
	c.Words, c.Around = nil, nil
	f.found[s.ID] = c
	return nil
}

// said reports whether it is a turn of this kind.
func (c *candidate) said(kind memory.EventKind) bool {
	return c.Kind == SessionText && c.Title == string(kind)
}

// alike names the texts that are about as long: a person's turns are not like an agent's.
func (c *candidate) alike() string {
	if c.Kind == SessionText {
		return c.Kind + c.Title
	}
	return c.Kind
}

// group is what a text stands together with: its session, or what is said of the same file.
func (c *candidate) group() string {
	if c.Kind == SessionText {
		return c.Session.String()
	}
	return c.Path
}

// standing reports whether words tell what is always wanted, or preferred.
func standing(words string) bool {
	for _, w := range []string{"alway", "prefer"} {
		if at := strings.Index(words, w); at >= 0 && (at == 0 || words[at-1] == ' ') && (at+len(w) == len(words) || words[at+len(w)] == ' ') {
			return true
		}
	}
	return false
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
	if err := look(store.Expression{All: lead.All, Any: lead.Any}); err != nil || len(f.found) > 0 {
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

// byMeaning looks for texts that point where the question points, unless it insists on words.
func (f *finder) byMeaning(ctx context.Context) error {
	if len(f.query.Phrases) > 0 {
		return nil
	}
	hits, err := f.near(ctx, f.tx, f.in.space, f.vector, f.projects, f.config.Tuning.Search.Near)
	if err != nil {
		return err
	}
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

// read turns the question into words, a direction and filters.
func (f *finder) read(ctx context.Context) error {
	if err := f.scope(ctx); err != nil {
		return err
	}
	words := recall.TextWords(f.query.Text)
	frequency, err := f.tx.Frequency(ctx, words)
	if err != nil {
		return err
	}
	f.common = crystal.Collection{Texts: frequency.Documents, Words: frequency.Words, In: frequency.In}
	f.terms = f.rules.Cap(words, func(t string) int { return int(frequency.In[t]) })
	f.question = f.search.Ask(f.common, f.terms)
	if f.vector = f.in.vector; f.vector == nil {
		f.in.space, f.vector = generalSpace, directionOf(f.question.Subject())
	}
	f.filter = store.DocumentFilter{Projects: f.projects, Kinds: slices.Clone(f.in.Kinds)}
	if !f.query.Worded { // a time in the wording ranks (see weighed): what is said of it may lie beside it
		f.filter.Since, f.filter.Until = f.query.Since, f.query.Until
	}
	for _, k := range f.query.Kinds {
		f.filter.Kinds = append(f.filter.Kinds, string(k))
	}
	if f.in.Sessions || f.query.Sessions {
		f.filter.Kinds = append(f.filter.Kinds, SessionText)
	}
	if len(f.query.Paths) > 0 {
		f.filter.Path = memory.EscapePath(f.query.Paths[0]) // as paths are kept, whatever somebody types
	}
	if f.in.AsOf.IsZero() {
		f.in.AsOf = f.query.AsOf
	}
	if at := f.in.AsOf; !at.IsZero() && (f.filter.Until.IsZero() || at.Before(f.filter.Until)) {
		f.filter.Until = at.Add(time.Millisecond) // nothing was known then of what came later
	}
	f.in.History = f.in.History || f.query.History && (!f.query.Worded || strings.Contains(f.query.Raw, "is:"))
	return nil
}

// scope says which projects are asked: those named in the question or, unless all are, this one and what is true of the
// person everywhere.
func (f *finder) scope(ctx context.Context) error {
	for _, name := range f.query.Projects {
		id, err := f.named(ctx, f.tx, name)
		if err != nil {
			return err
		}
		f.projects = append(f.projects, id)
	}
	if len(f.projects) > 0 || f.in.All && f.in.Project == "" {
		return nil
	}
	id, err := f.resolve(ctx, f.tx, f.in.Scope)
	f.projects = []memory.ProjectID{id, 0}
	return err
}

// best orders the candidates. Only those that words speak for most, and those that meaning or files led to, are weighed
// against each other: the rest could not win.
func (f *finder) best(ctx context.Context) ([]Found, error) {
	list := f.promising()
	near, err := f.directions(ctx, list)
	if err != nil {
		return nil, err
	}
	// What they are as memories decides about few of them: it is read for those that may be shown.
	some := list
	if f.in.Limit > 0 {
		some = f.fused(list, near)
		some = some[:min(len(some), spare*f.in.Limit)]
	}
	if some, err = f.shownOf(ctx, some); err != nil {
		return nil, err
	}
	if f.in.Limit > 0 && len(some) < f.in.Limit && len(list) > spare*f.in.Limit {
		if some, err = f.shownOf(ctx, list); err != nil {
			return nil, err
		}
	}
	results := f.fuse(some, near)
	if f.in.Limit > 0 {
		results = results[:min(len(results), f.in.Limit)]
	}
	return f.texts(ctx, results)
}

// spare times as many as are shown are looked at: some are hidden, and some are in doubt.
const spare = 4

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
		if asked && !f.search.Answers(w.Scores) {
			continue // neither a word nor a file speaks for it, and its meaning is not near enough
		}
		if c.Kind == CommitText || c.Kind == SessionText || c.Kind == SnippetText {
			f.scale(&w.Scores, f.config.Tuning.Search.FoundFactor)
		}
		candidates = append(candidates, w)
	}
	t := f.config.Tuning.Crystal
	// Files that are only guessed at say little, and a few words describe no task.
	t.WeightGraph *= f.sure * min(1, float64(len(f.terms))/float64(f.config.Tuning.Search.TaskTerms))
	return crystal.NewRules(t).Fuse(candidates, f.in.History, f.tx.Now)
}

// fused are candidates in the order in which they answer.
func (f *finder) fused(list []*candidate, near map[int64]float64) []*candidate {
	results := f.fuse(list, near)
	out := make([]*candidate, len(results))
	for i, r := range results {
		out[i] = f.found[numberOf(r.ID)]
	}
	return out
}

// promising scores words and returns the candidates that are worth weighing.
func (f *finder) promising() []*candidate {
	list := make([]*candidate, 0, len(f.found))
	usual := map[string]*lengths{}
	for _, c := range f.found {
		kind := c.alike()
		if usual[kind] == nil {
			usual[kind] = &lengths{}
		}
		usual[kind].add(c.count)
		list = append(list, c)
	}
	together := map[string][]float64{}
	for _, c := range list {
		u := usual[c.alike()].usual()
		c.words, c.near = f.question.Words(c.count, u), f.question.Window(c.count, u)
		if group := c.group(); group != "" && c.words > 0 {
			together[group] = append(together[group], c.words)
		}
	}
	best := make(map[string]float64, len(together))
	for group, scores := range together {
		slices.Sort(scores)
		for _, s := range scores[max(0, len(scores)-f.config.Tuning.Search.SessionBest):] {
			best[group] += s
		}
	}
	for _, c := range list {
		c.company = best[c.group()]
	}
	slices.SortFunc(list, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.words+b.near, a.words+a.near), cmp.Compare(b.graph, a.graph), cmp.Compare(b.ID, a.ID))
	})
	n := 0
	return slices.DeleteFunc(list, func(c *candidate) bool {
		n++
		return n > f.config.Tuning.Search.Weighed && !c.meant && c.graph == 0
	})
}

// lengths is how long texts of one kind are.
type lengths struct{ texts, words, around int }

func (l *lengths) add(c crystal.Count) {
	l.texts, l.words, l.around = l.texts+1, l.words+c.Length, l.around+c.Around
}

func (l *lengths) usual() crystal.Usual {
	return crystal.Usual{Length: float64(l.words) / float64(l.texts), Around: float64(l.around) / float64(l.texts)}
}

// texts reads what was found.
func (f *finder) texts(ctx context.Context, results []crystal.Result) ([]Found, error) {
	ids := make([]int64, len(results))
	crystals := []int64{}
	for i, r := range results {
		ids[i] = numberOf(r.ID)
		if f.found[ids[i]].kept != nil {
			crystals = append(crystals, ids[i])
		}
	}
	docs, err := f.tx.DocumentsByID(ctx, ids, store.DocumentFilter{})
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
	lines, err := f.tx.LinesOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	found := make([]Found, 0, len(results))
	for i, r := range results {
		c, d := f.found[ids[i]], byID[ids[i]]
		one := Found{
			Ref: d.Ref, Kind: d.Kind, Project: d.Project, Origin: d.Origin, At: d.At, Path: d.Path, Title: d.Title, Text: d.Text,
			Session: d.Session, Score: r.Score, Known: f.question.Known(c.count), Shares: r.Shares, Doubt: 1 - r.Factor,
			Excerpt: f.rules.Highlight(d.Text, f.terms, 0, recall.TextWords),
		}
		one.Crystal = whole[ids[i]]
		if at, known := lines[ids[i]]; known {
			one.Lines = &at
		}
		found = append(found, one)
	}
	return found, nil
}

// nameOf and numberOf write and read the number of a document where a name is wanted; of equals the newer comes first.
func nameOf(id int64) string { return fmt.Sprintf("%019d", math.MaxInt64-id) }

func numberOf(name string) int64 {
	n, _ := strconv.ParseInt(name, 10, 64)
	return math.MaxInt64 - n
}

// weighed is a candidate as the rules weigh it.
func (f *finder) weighed(c *candidate, near map[int64]float64) crystal.Candidate {
	out := crystal.Candidate{ID: nameOf(c.ID), At: c.At}
	out.Scores[crystal.Words] = c.words
	out.Scores[crystal.Graph] = c.graph
	out.Scores[crystal.Meaning] = math.NaN()
	if cos, known := near[c.ID]; known {
		out.Scores[crystal.Meaning] = cos
	}
	if out.Scores[crystal.WordsNear] = c.near; c.count.Around == 0 {
		out.Scores[crystal.WordsNear] = math.NaN()
	}
	if out.Scores[crystal.Context] = c.company; c.group() == "" {
		out.Scores[crystal.Context] = math.NaN()
	}
	if c.Kind == SessionText && !c.said(memory.Prompted) {
		f.scale(&out.Scores, f.config.Tuning.Search.AnswerFactor)
	}
	if c.standing {
		f.scale(&out.Scores, 1+f.config.Tuning.Search.StandingGain)
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
	m := &f.meanings
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

// told says which words of the question became filters.
func (f *finder) told() (filters []string) {
	const day = "2 Jan 2006"
	near := "" // a time in the wording ranks and rules nothing out
	if f.query.Worded {
		near = "rather "
	}
	if !f.query.Since.IsZero() {
		filters = append(filters, near+"since "+f.query.Since.Format(day))
	}
	if !f.query.Until.IsZero() {
		filters = append(filters, near+"before "+f.query.Until.Format(day))
	}
	if !f.in.AsOf.IsZero() {
		filters = append(filters, "as of "+f.in.AsOf.Format(day))
	}
	for _, k := range f.filter.Kinds {
		filters = append(filters, "kind "+k)
	}
	if f.filter.Path != "" {
		filters = append(filters, "path "+f.filter.Path)
	}
	return filters
}

// milestones looks up when something was released. A name that is no tag of the project is just words.
func (b *Brain) milestones(ctx context.Context, tx *store.Tx, scope Scope) func(string) (time.Time, bool) {
	return func(name string) (time.Time, bool) {
		if name == "" {
			return time.Time{}, false
		}
		id, err := b.resolve(ctx, tx, scope)
		if err != nil || id == 0 {
			return time.Time{}, false
		}
		p, err := tx.Project(ctx, id)
		if err != nil {
			return time.Time{}, false
		}
		git, err := bootstrap.At(memory.Place{Identity: p.Identity, Root: p.Root})
		if err != nil {
			return time.Time{}, false
		}
		return git.Tagged(ctx, name)
	}
}
