package evaluate

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/replay"
)

const (
	nearestCommits  = 50
	nearestSessions = 20
)

// HistoryBaselines is a learner that answers with every simple way to guess the files of a commit, and with fusions of
// them. One pass over a history serves all.
type HistoryBaselines struct {
	past  *experience
	sheet sheet
	mixer mixer
}

// NewHistoryBaselines fits NewLearner.
func NewHistoryBaselines(context.Context, string) (Learner, error) {
	return &HistoryBaselines{past: &experience{}, sheet: sheet{tree: newTree()}}, nil
}

// Commit learns a commit.
func (b *HistoryBaselines) Commit(_ context.Context, c Commit) error {
	learnCommit(b.sheet.tree, b.past, c)
	return nil
}

func learnCommit(t *tree, past *experience, c Commit) {
	files := t.commit(c)
	if !replay.Large(c) {
		past.learn(t, files, t.words.learn(c.Subject))
	}
	t.bury(c)
}

// Session does nothing: histories have no sessions.
func (b *HistoryBaselines) Session(context.Context, AgentSession) error { return nil }

// Rank answers with those rankers that can use what the question gives.
func (b *HistoryBaselines) Rank(_ context.Context, q Question) ([]Ranking, error) {
	s, past := &b.sheet, b.past
	s.begin(q)
	heat := s.list("frecency", past, past.frecent)
	s.list("recent", past, past.recent)
	s.list("frequent", past, past.frequent)
	var plain, all []list // for rrf; for the weighted fusions, in the order of their weights
	if q.HasText {
		path := s.list("bm25-path", past, s.byPath)
		history := s.list("bm25-history", past, s.withWords(past.byRecords))
		knn := s.list("knn", past, s.nearest(past.worksNearest, nearestCommits))
		knnPaths := s.list("knn-paths", past, s.nearest(past.worksNearestByPaths, nearestCommits))
		plain = append(plain, path, history, knn)
		all = append(all, path, history, knn, knnPaths)
	}
	if len(q.Open) > 0 {
		rules := s.list("rules", past, s.fromOpen(past.rules, alike))
		decayed := s.list("rules-decayed", past, s.fromOpen(past.rulesDecayed, alike))
		sized := s.list("rules-sized", past, s.fromOpen(past.rulesSized, alike))
		cosine := s.list("cosine", past, s.fromOpen(past.cosine, alike))
		path := s.list("path", past, s.fromOpen(s.tree.similarPaths, alike))
		plain = append(plain, rules, cosine, path)
		all = append(all, rules, decayed, cosine, path, sized)
	}
	plain, all = append(plain, heat), append(all, heat)
	s.list("rrf", past, func(to *scores) { reciprocalRanks(to, plain) })
	b.mixer.begin(q.Task, all, len(s.tree.files))
	s.list("fusion", past, func(to *scores) { fixedBlend(q.HasText, len(q.Open) > 0).score(to, &b.mixer.features) })
	s.list("ltr", past, b.mixer.score)
	return s.rankings(), nil
}

// Correct lets the learned fusion learn.
func (b *HistoryBaselines) Correct(_ context.Context, _ Question, gold []string) error {
	b.mixer.learn(b.sheet.tree, gold)
	return nil
}

// SessionBaselines is the same for sessions: what commits and what finished sessions taught is kept apart, over one
// set of files.
type SessionBaselines struct {
	git      *experience
	sessions *experience
	chain    [][]follower // by file, sorted
	sheet    sheet
	mixer    mixer
}

// follower counts how often a file was opened right after another.
type follower struct {
	file  int32
	times float64
}

// NewSessionBaselines fits NewLearner.
func NewSessionBaselines(context.Context, string) (Learner, error) {
	return &SessionBaselines{git: &experience{}, sessions: &experience{}, sheet: sheet{tree: newTree()}}, nil
}

// Commit learns a commit.
func (b *SessionBaselines) Commit(_ context.Context, c Commit) error {
	learnCommit(b.sheet.tree, b.git, c)
	return nil
}

const (
	sessionWindow = 12   // files learned together; a long session is not one piece of work
	sessionText   = 2000 // bytes of its prompts
)

// Session learns a finished session: its files in windows, the first under the words of its prompts.
func (b *SessionBaselines) Session(_ context.Context, s AgentSession) error {
	t := b.sheet.tree
	var files []int32
	before := int32(-1)
	for _, e := range s.Opens() {
		file := t.ensure(e.Target)
		if before >= 0 && before != file {
			b.follow(before, file)
		}
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
		before = file
	}
	prompts := make([]string, len(s.Prompts))
	for i, p := range s.Prompts {
		prompts[i] = p.Text
	}
	text := strings.Join(prompts, " ")
	words := t.words.learn(text[:min(len(text), sessionText)])
	for window := range slices.Chunk(files, sessionWindow) {
		b.sessions.learn(t, window, words)
		words = nil
	}
	return nil
}

func (b *SessionBaselines) follow(before, file int32) {
	b.chain = grown(b.chain, before)
	list := b.chain[before]
	at, ok := slices.BinarySearchFunc(list, file, func(f follower, file int32) int { return cmp.Compare(f.file, file) })
	if !ok {
		list = slices.Insert(list, at, follower{file: file})
		b.chain[before] = list
	}
	list[at].times++
}

// next scores the files that used to be opened right after the seed.
func (b *SessionBaselines) next(s *scores, seed int32, factor float64) {
	s.fit(len(b.sheet.tree.files))
	if int(seed) >= len(b.chain) || len(b.chain[seed]) == 0 {
		return
	}
	share := 1 / (1 + b.sessions.files[seed].count)
	for _, f := range b.chain[seed] {
		s.add(f.file, factor*(share*f.times))
	}
}

// Rank answers with those rankers that can use what the question gives. Names without a source are of sessions.
func (b *SessionBaselines) Rank(_ context.Context, q Question) ([]Ranking, error) {
	s, git, own := &b.sheet, b.git, b.sessions
	s.begin(q)
	s.list("recent", own, own.recent)
	s.list("frequent", own, own.frequent)
	plain := []list{s.list("frecency", own, own.frecent)} // for rrf; the learned fusion takes all
	s.list("recent-git", git, git.recent)
	plain = append(plain, s.list("frecency-git", git, git.frecent))
	if q.HasText {
		plain = append(plain,
			s.list("bm25-path", git, s.byPath),
			s.list("bm25-git", git, s.withWords(git.byRecords)))
		s.list("bm25-sessions", own, s.withWords(own.byRecords))
		plain = append(plain,
			s.list("knn-git", git, s.nearest(git.worksNearest, nearestCommits)),
			s.list("knn-sessions", own, s.nearest(own.worksNearest, nearestSessions)))
	}
	if len(q.Open) > 0 {
		plain = append(plain,
			s.list("rules-sized-git", git, s.fromOpen(git.rulesSized, halving)),
			s.list("rules-sized-sessions", own, s.fromOpen(own.rulesSized, halving)))
		s.list("rules-git", git, s.fromOpen(git.rules, halving))
		s.list("saturating", own, s.fromOpen(own.saturating, halving))
		plain = append(plain,
			s.list("chain", own, s.fromOpen(b.next, halving)),
			s.list("path", git, s.fromOpen(s.tree.similarPaths, halving)))
	}
	b.mixer.begin(q.Task, s.lists, len(s.tree.files))
	s.list("rrf", git, func(to *scores) { reciprocalRanks(to, plain) })
	s.list("ltr", git, b.mixer.score)
	return s.rankings(), nil
}

// Correct lets the learned fusion learn.
func (b *SessionBaselines) Correct(_ context.Context, _ Question, gold []string) error {
	b.mixer.learn(b.sheet.tree, gold)
	return nil
}
