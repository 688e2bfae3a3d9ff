// Package ranking finds the files that a task needs, from what record has learned: ranking, known fixes, what comes next, why a file was
// named. In sleep it learns what words mean in a project, and from where past commits were ranked.
package ranking

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	youngPast      = 50 // with fewer commits and sessions a file's own clues say how sure an answer is (hebb-bench replay)
	answersRanked  = 50 // answers weighed to the end for one question (a question shows ten at most)
	openFilesAsked = 4  // latest files of a session that a question takes along (hebb-bench replay)
	evidenceShown  = 3  // commits and sessions that --explain names for an answer (what fits on a screen)
)

// Recall says which files a task needs.
var Recall = brain.Operation[RecallInput, RecallResult]{
	Name: "recall",
	Run: func(ctx context.Context, b *brain.Brain, in RecallInput) (RecallResult, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (RecallResult, error) {
			if !in.vague() {
				return RecallFiles(ctx, b, tx, in)
			}
			id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
			if err != nil {
				return RecallResult{}, err
			}
			return NewQuery(b, tx).goOn(ctx, id, in)
		})
	},
}

// RecallFiles says which files a task needs, in one transaction.
func RecallFiles(ctx context.Context, b *brain.Brain, tx *store.Tx, in RecallInput) (RecallResult, error) {
	if strings.TrimSpace(brain.Question(in.Text)) == "" && len(in.Open) == 0 && in.Session == "" {
		return RecallResult{}, fmt.Errorf("recall: say what the task is, or name an open file: %w", memory.ErrInvalid)
	}
	projects, err := Scoped(ctx, b.Config, tx, in.Scope)
	if err != nil {
		return RecallResult{}, err
	}
	return NewQuery(b, tx).files(ctx, projects, in)
}

// files answers from the pasts of some projects.
func (a *Query) files(ctx context.Context, projects []memory.ProjectID, in RecallInput) (out RecallResult, err error) {
	out.Files, out.Fixes = []Recalled{}, []Recalled{}
	in.Text = brain.Question(in.Text)
	out.Unknown = slices.Clone(in.Open)
	for _, id := range projects {
		if err := a.In(ctx, id, in, &out); err != nil {
			return out, err
		}
	}
	slices.SortStableFunc(out.Files, func(a, b Recalled) int { return cmp.Compare(b.Score, a.Score) })
	if len(projects) > 1 || out.Episodes < youngPast { // scores compare within one past, if there is one
		slices.SortStableFunc(out.Files, func(a, b Recalled) int { return cmp.Compare(b.Confidence, a.Confidence) })
	}
	shown := out.Files
	if in.Limit > 0 {
		shown = shown[:min(len(shown), in.Limit)]
	}
	if in.Precedents {
		for _, id := range projects {
			if err := a.point(ctx, id, shown, in.Text); err != nil {
				return out, err
			}
		}
	}
	for i := 1; i < len(out.Files); i++ { // no answer is surer than a better one
		out.Files[i].Confidence = min(out.Files[i].Confidence, out.Files[i-1].Confidence)
	}
	if in.Precedents {
		if unsure := slices.IndexFunc(shown, func(r Recalled) bool { return r.Confidence < in.Least }); unsure >= 0 {
			shown = shown[:unsure] // no later one is surer
		}
		if err := GiveReasons(ctx, a.tx, shown); err != nil {
			return out, err
		}
	}
	out.Files = within(out.Files, in, &out.Tokens)
	out.Fixes = within(out.Fixes, in, &out.Tokens)
	return out, nil
}

// In answers from the past of one project.
func (a *Query) In(ctx context.Context, id memory.ProjectID, in RecallInput, out *RecallResult) error {
	p, err := a.pasts.Of(ctx, a.tx, id)
	if err != nil {
		return err
	}
	defer a.pasts.Put(p)
	out.Episodes += p.Image.Episodes()
	if err := a.fixes(ctx, id, in.Text, out); err != nil {
		return err
	}
	q, known, err := a.question(ctx, p, in)
	if err != nil {
		return err
	}
	out.Unknown = slices.DeleteFunc(out.Unknown, func(path string) bool { return slices.Contains(known, path) })
	ranker := p.Ranker
	ranker.Without(in.Without...)
	p.Mean(&q, in.Wordless)
	q.Contents, q.Akin = a.fitting(p, q)
	answers := ranker.Rank(q, max(answersRanked, in.Limit))
	standing, err := standings(ctx, a.tx, id)
	if err != nil {
		return err
	}
	for _, found := range answers {
		r := Recalled{
			Path: p.Image.File(found.File).Path, Project: id, Score: found.Score, Confidence: recall.Shown(found.Likelihood), Reached: found.Reached,
			answer: found, standing: 1,
		}
		if s, ok := standing[r.Path]; ok {
			r.Score += math.Log(s.Standing)
			r.Confidence *= s.Standing
			r.Ignored, r.standing = s.Ignored, s.Standing
		}
		parts := ranker.Explain(found)
		largest := largestParts(parts)
		r.Reason = reason(largest)
		if t, ok := ranker.Precedent(q, found, largest, minCommitLikeness); ok {
			r.precedent = &t
			if t.Times > 0 {
				r.with = p.Image.File(t.With).Path
			}
		}
		r.Tokens = LineTokens(r)
		if in.Explain {
			if err := a.explain(ctx, p, q, answers, &r); err != nil {
				return err
			}
		}
		out.Files = append(out.Files, r)
	}
	if p.Image.Episodes() < youngPast {
		return a.byClues(ctx, p, q.Text, out)
	}
	return nil
}

const (
	textsAsked = 100 // files that a question finds by their text (as many as have a place in a list of evidence)
	akinAsked  = 60  // files that an open one finds by its text (as many as a kind of evidence brings in)
)

// fitting returns the files whose text fits a question, and those whose text fits that of its latest open file. Where the words of files are not
// known, or the file with them cannot be used, ranking goes on without: it is made again in the background.
func (a *Query) fitting(p *record.Past, q recall.Question) (asked, akin []recall.Fit) {
	words, err := recall.OpenFileWords(a.contents(p.Project))
	if err != nil {
		return nil, nil
	}
	defer func() { _ = words.Close() }()
	found, err := words.Find(recall.Asked(q.Text), textsAsked)
	if err != nil {
		return nil, nil
	}
	asked = fits(p, found)
	if len(q.Open) > 0 && (q.InSession || q.Text == "") { // the latest says most; beside words for a change it says nothing new
		if found, err = words.Akin(p.Image.File(q.Open[0]).Path, akinAsked); err == nil {
			akin = fits(p, found)
		}
	}
	return asked, akin
}

// fits are the files of a past among those found.
func fits(p *record.Past, found []recall.FoundFile) (fits []recall.Fit) {
	for _, f := range found {
		if n, known := p.Image.Find(f.Path); known {
			fits = append(fits, recall.Fit{File: n, Fit: f.Fit})
		}
	}
	return fits
}

// question turns paths into the files of a past, and adds what a session has open. known are the paths it could place.
func (a *Query) question(ctx context.Context, p *record.Past, in RecallInput) (q recall.Question, known []string, err error) {
	q = recall.Question{Text: recall.InContext(in.Text, in.Earlier), At: a.tx.Now}
	open := slices.Clone(in.Open)
	if in.Session != "" {
		s, err := record.FindSession(ctx, a.tx, in.Session)
		if err != nil {
			return q, nil, err
		}
		opened, err := openedIn(ctx, a.tx, s.ID)
		if err != nil {
			return q, nil, err
		}
		open, in.Asking = append(open, opened...), s.ID
	}
	if in.Asking != 0 && len(open) > 0 {
		printed, err := printedIn(ctx, a.tx, in.Asking)
		if err != nil {
			return q, nil, err
		}
		in.Listed = append(in.Listed, printed...)
	}
	for _, l := range in.Listed {
		for _, path := range l.Files {
			if n, ok := find(p, in.Dir, path); ok {
				q.Listed = append(q.Listed, recall.Fit{File: n, Fit: recall.ListedFit(l.Since, len(l.Files))})
			}
		}
	}
	for _, path := range open {
		n, ok := find(p, in.Dir, path)
		if ok {
			known = append(known, path)
		}
		if !ok || slices.Contains(q.Open, n) {
			continue
		}
		if len(q.Open) < openFilesAsked {
			q.Open = append(q.Open, n)
		} else {
			q.Banned = append(q.Banned, n)
		}
	}
	for _, path := range in.Banned {
		if n, ok := find(p, in.Dir, path); ok {
			q.Banned = append(q.Banned, n)
		}
	}
	q.InSession = !in.Change && (in.Next || in.Session != "" || len(q.Open) == 0)
	return q, known, err
}
