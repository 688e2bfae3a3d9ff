// Package texts makes texts findable: it indexes what was said, shown and written, and searches it by words and by meaning. The
// knowledge graph (entities, what is said of them, their relations) is kept as texts too. It decides nothing about goals, dreams or
// what a session is shown.
package texts

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// SearchInput is a question to everything that was said, decided, learned and committed.
type SearchInput struct {
	brain.Scope `flag:"all"`
	// Query is free text. Phrases in quotes must occur; kind:, project:, since:, until:, path: and is: narrow it down.
	Query string `json:"query" arg:"1.."`
	Limit int    `json:"limit,omitempty" flag:"limit,n" about:"at most this many, 0 for all candidates"`
	// Kinds of texts, none for all: kinds of crystals, or commit, session, snippet, document, entity.
	Kinds    []string  `json:"kinds,omitempty" flag:"kind,k,comma" about:"only texts of this kind: {kinds}, commit, session, snippet, document, entity"`
	Sessions bool      `json:"sessions,omitempty" flag:"sessions" about:"only what was said in sessions"`
	History  bool      `json:"history,omitempty" flag:"history" about:"also what was superseded, merged or has expired"`
	Weak     bool      `json:"weak,omitempty" flag:"weak" about:"also results that score far below the best"`
	AsOf     time.Time `json:"as_of,omitzero" flag:"as-of" about:"answer as at this time"`
	// Asker says on whose behalf somebody looks; what they do not find is remembered as a gap. Empty: nobody's, leave no trace.
	Asker memory.Origin `json:"-"`

	Parsed *Query // nil: not parsed yet
}

// SearchResult is what was found: by groups in the order of memory.Groups, in each the best first.
type SearchResult struct {
	Found []Found `json:"found"`
	// Filters says which words of the question became filters.
	Filters []string `json:"filters,omitempty"`
	// Notices say what of the question was not understood as it seems to be meant.
	Notices []string `json:"notices,omitempty"`
	// Past says that nothing current answers and only the past was found.
	Past bool `json:"past,omitempty"`
	// Weaker is how many more there would be, had those that answer weakly not been left out.
	Weaker int `json:"weaker,omitempty"`
	// Documents is how many there were to look at in all.
	Documents int64 `json:"documents"`
}

// First are the memories among the first few results, which were probably read.
func (r SearchResult) First() (ids []memory.CrystalID) {
	const few = 3
	for _, f := range r.Found[:min(len(r.Found), few)] {
		if f.Crystal != nil {
			ids = append(ids, f.Crystal.ID)
		}
	}
	return ids
}

// Found is one text.
type Found struct {
	Ref     string           `json:"ref"`
	Group   memory.Group     `json:"group"`
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
	// Known is the share of the question, weighted by rarity, that the words of the text hold.
	Known float64 `json:"known"`
	// Shares are what each source adds to the score.
	Shares []Share `json:"shares,omitempty"`
	// Doubt is what takes from it: the text needs a check, or belongs to the past.
	Doubt float64 `json:"doubt,omitempty"`
	// Crystal is the memory that the text is of, if any.
	Crystal *memory.Crystal `json:"crystal,omitempty"`
	// Waiting says that it is still in the spool: the store was busy when it was said, and the next drain stores it.
	Waiting bool `json:"waiting,omitempty"`
	// Excerpt is the text, or of a long one the part that answers most, with the places of the question's words.
	Excerpt Excerpt `json:"excerpt"`
	// Answer is what the agent said to a prompt.
	Answer *Answer `json:"answer,omitempty"`
}

// Answer is what an agent said to a prompt, with its closing message last.
type Answer struct {
	Agent   memory.Agent `json:"agent"`
	Text    string       `json:"text"`
	Excerpt Excerpt      `json:"excerpt"`
}

// answerTo reads the answer to a prompt; nil for another text, and where there is none.
func answerTo(ctx context.Context, tx *store.Tx, d store.Document, terms []string) (*Answer, error) {
	if d.Kind != memory.SessionText || d.Title != string(memory.Prompted) {
		return nil, nil
	}
	said, err := tx.AnswersTo(ctx, d.Session, d.EventSeq)
	if err != nil || len(said) == 0 {
		return nil, err
	}
	var all []string
	for _, e := range said {
		all = append(all, e.Text)
	}
	text := strings.Join(all, "\n\n")
	return &Answer{Agent: said[0].Agent, Text: text, Excerpt: Highlight(text, terms, 0, vocab.TextWords)}, nil
}

// Speaker is whose words the text is.
func (f Found) Speaker() memory.Origin {
	if f.Crystal != nil {
		return brain.Speaker(*f.Crystal)
	}
	return f.Origin
}

func Search(ctx context.Context, b *brain.Brain, tx *store.Tx, in SearchInput) (out SearchResult, err error) {
	if strings.TrimSpace(in.Query) == "" && len(in.Kinds) == 0 && !in.Sessions {
		return out, fmt.Errorf("search: say what to look for: %w", memory.ErrInvalid)
	}
	if in.Parsed == nil {
		query := ParseQuery(in.Query, b.Now())
		in.Parsed = &query
	}
	query := *in.Parsed
	defer func() { out.Notices = append(out.Notices, query.Unread...) }()
	if out, err = answer(ctx, b, tx, in, query); err != nil || len(out.Found) > 0 {
		return out, err
	}
	if in.History || !in.AsOf.IsZero() || !query.AsOf.IsZero() {
		return out, nil
	}
	in.History = true // better what is past than nothing
	past, err := answer(ctx, b, tx, in, query)
	if err != nil || len(past.Found) == 0 {
		return out, err
	}
	past.Past = true
	return past, nil
}

func answer(ctx context.Context, b *brain.Brain, tx *store.Tx, in SearchInput, query Query) (out SearchResult, err error) {
	all := &finder{Brain: b, tx: tx, in: in, query: query}
	out.Found = []Found{}
	if err := all.read(ctx); err != nil {
		return out, err
	}
	out.Filters, out.Notices = all.applied(), all.notices
	var groups []*finder
	for _, group := range memory.Groups {
		f, err := all.within(ctx, group)
		if err != nil {
			return out, err
		}
		if out.Documents = f.documents; f.frequency.Documents == 0 || !f.asked() {
			continue
		}
		if err := f.gather(ctx); err != nil {
			return out, err
		}
		groups = append(groups, f)
	}
	if len(groups) > 0 && groups[0].group == memory.GroupMemory {
		if err := groups[0].byFiles(ctx, filesOfCandidates(groups, b.Config.Tuning.Search.Files)); err != nil {
			return out, err
		}
	}
	return out, show(ctx, groups, in.Limit, &out)
}

// show ranks the candidates of each group and reads the texts that are shown.
func show(ctx context.Context, groups []*finder, limit int, out *SearchResult) error {
	known, total := 0.0, 0
	for _, f := range groups {
		if err := f.rank(ctx); err != nil {
			return err
		}
		known, total = max(known, f.known), total+len(f.results)
	}
	found := make([]int, len(groups))
	for i, f := range groups {
		share := 1.0
		if f.group != memory.GroupMemory && known > 0 { // what was said stands before all else, however much of the question code holds
			share = f.known / known
		}
		f.results = f.strongest(share)
		found[i] = len(f.results)
	}
	if limit > 0 {
		total = min(total, limit)
		found = places(groups, limit)
	}
	for i, f := range groups {
		texts, err := f.texts(ctx, f.results[:found[i]])
		if err != nil {
			return err
		}
		out.Found = append(out.Found, texts...)
		total -= found[i]
	}
	out.Weaker = max(total, 0)
	return nil
}

// memoriesInTurn is how many memories come for each document, turn or commit, and fragment of code, as long as there are any.
const memoriesInTurn = 3

// places divides the places of a list among the groups, in turns. What one group leaves the others have.
func places(groups []*finder, limit int) []int {
	given := make([]int, len(groups))
	for left, more := limit, true; left > 0 && more; {
		more = false
		for i, f := range groups {
			turn := 1
			if f.group == memory.GroupMemory {
				turn = memoriesInTurn
			}
			n := min(turn, left, len(f.results)-given[i])
			given[i], left = given[i]+n, left-n
			more = more || n > 0
		}
	}
	return given
}

// finder answers one question from the texts of one group.
type finder struct {
	*brain.Brain
	tx        *store.Tx
	in        SearchInput
	query     Query
	group     memory.Group
	documents int64 // in all groups
	frequency store.Frequency
	terms     []string
	wordsOnly bool
	vector    memory.Vector
	projects  []memory.ProjectID // none for all
	filter    store.DocumentFilter
	paths     []*regexp.Regexp // of the filter
	common    vocab.Collection
	question  *vocab.Question
	found     map[int64]*candidate
	similar   map[int64]float64 // cosine of candidates to the question
	results   []Result
	known     float64  // share of the question that the best result holds
	small     bool     // the group holds a small share of all texts
	wide      bool     // the projects searched hold a large share of the texts of the group
	sure      float64  // confidence of the best predicted file
	notices   []string // filters that were ignored
}

// within is the same question to the texts of a group: words are as rare as they are there.
func (f finder) within(ctx context.Context, group memory.Group) (*finder, error) {
	words := vocab.TextWords(f.query.Text)
	var err error
	if f.frequency, err = f.tx.Frequency(ctx, group, words); err != nil {
		return nil, err
	}
	f.group, f.filter.Group, f.documents, f.found = group, group, f.frequency.All, map[int64]*candidate{}
	f.small = float64(f.frequency.Documents) < wideShare*float64(f.documents)
	f.common = vocab.Collection{Texts: f.frequency.Documents, In: f.frequency.In}
	f.terms = f.common.Cap(words)
	f.question = f.common.Ask(f.terms)
	if !f.wordsOnly {
		f.vector = VectorOf(f.question.Terms)
	}
	return &f, nil
}

// asked reports whether the filters leave anything of the group.
func (f *finder) asked() bool {
	return len(f.filter.Kinds) == 0 || slices.ContainsFunc(f.filter.Kinds, func(kind string) bool { return memory.GroupOf(kind) == f.group })
}

// read turns the question into filters.
func (f *finder) read(ctx context.Context) error {
	if err := f.scope(ctx); err != nil {
		return err
	}
	f.filter = store.DocumentFilter{Projects: f.projects, Kinds: slices.Clone(f.in.Kinds), Since: f.query.Since, Until: f.query.Until}
	for _, k := range f.query.Kinds {
		f.filter.Kinds = append(f.filter.Kinds, string(k))
	}
	if f.in.Sessions = f.in.Sessions || f.query.Sessions; f.in.Sessions {
		f.filter.Kinds = append(f.filter.Kinds, memory.SessionText)
	}
	f.filter.Without = append(f.filter.Without, memory.SegmentText)
	if err := f.sources(); err != nil {
		return err
	}
	for _, p := range f.query.Paths {
		p = memory.EscapePath(p) // as paths are kept, whatever somebody types
		f.filter.Paths, f.paths = append(f.filter.Paths, p), append(f.paths, PathPattern(p))
	}
	if f.in.AsOf.IsZero() {
		f.in.AsOf = f.query.AsOf
	}
	if at := f.in.AsOf; !at.IsZero() && (f.filter.Until.IsZero() || at.Before(f.filter.Until)) {
		f.filter.Until = at.Add(time.Millisecond) // nothing was known then of what came later
	}
	f.in.History = f.in.History || f.query.History
	return nil
}

// sources leaves out sources that the settings exclude. Asking for an excluded source is an error that names the setting.
func (f *finder) sources() error {
	if !f.Config.Search.Looks(config.SourceSessions) {
		f.filter.Without = append(f.filter.Without, memory.SessionText)
		if slices.Contains(f.filter.Kinds, memory.SessionText) {
			return fmt.Errorf("search: search.sources in %s leaves sessions out: add %q there: %w", f.Config.File(), config.SourceSessions, memory.ErrInvalid)
		}
	}
	if f.Config.Search.Looks(config.SourceMemory) {
		return nil
	}
	if slices.ContainsFunc(f.filter.Kinds, func(kind string) bool { return kind != memory.SessionText }) {
		return fmt.Errorf("search: search.sources in %s leaves memories out: add %q there: %w", f.Config.File(), config.SourceMemory, memory.ErrInvalid)
	}
	if len(f.filter.Kinds) == 0 {
		f.filter.Kinds = []string{memory.SessionText}
	}
	return nil
}

// scope says which projects are asked: those named in the question or, unless all are, this one and what is true of the
// person everywhere.
func (f *finder) scope(ctx context.Context) error {
	for _, name := range f.query.Projects {
		id, err := brain.Named(ctx, f.tx, name)
		if brain.IsNotFound(err) || errors.Is(err, memory.ErrConflict) || errors.Is(err, memory.ErrInvalid) { // no text is an error
			f.notices = append(f.notices, scrub.Line(err.Error())+". It was left out.")
			continue
		}
		if err != nil {
			return err
		}
		f.projects = append(f.projects, id)
	}
	if len(f.projects) > 0 || f.in.All && f.in.Project == "" {
		return nil
	}
	id, err := brain.Resolve(ctx, f.tx, f.Config, f.in.Scope)
	f.projects = []memory.ProjectID{id, 0}
	return err
}

// applied names the filters and times that were read from the question.
func (f *finder) applied() (filters []string) {
	const day = "2 Jan 2006"
	add := func(words string, at time.Time) {
		if !at.IsZero() {
			filters = append(filters, words+at.Format(day))
		}
	}
	add("since ", f.query.Since)
	add("before ", f.query.Until)
	add("rather since ", f.query.Named.Since) // ranks and rules nothing out
	add("rather before ", f.query.Named.Until)
	add("as of ", f.in.AsOf)
	for _, k := range f.filter.Kinds {
		filters = append(filters, "kind "+k)
	}
	for _, p := range f.filter.Paths {
		filters = append(filters, "path "+p)
	}
	return filters
}
