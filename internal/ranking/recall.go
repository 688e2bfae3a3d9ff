// Package ranking finds the files that a task needs, from what record has learned: ranking, known fixes, what comes next, why a file was
// named. In sleep it learns what words mean in a project, and from where past commits were ranked.
package ranking

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/code"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	OpenTouches = 200 // latest touches of a session that say what it has open
	// MinCommitLikeness is how like a question a commit must be to count: one common word of many is chance.
	MinCommitLikeness = 0.2
)

// Keeps reports whether a text can be stored as it is: a name that looks like a secret is not worth repeating, and a
// receipt that was cleaned would name another file.
func Keeps(text string) bool {
	return scrub.Clean(text) == text && !strings.Contains(text, "[redacted:")
}

const (
	youngPast      = 50 // with fewer commits and sessions a file's own clues say how sure an answer is (hebb-bench replay)
	answersRanked  = 50 // answers weighed to the end for one question (a question shows ten at most)
	openFilesAsked = 4  // latest files of a session that a question takes along (hebb-bench replay)
	evidenceShown  = 3  // commits and sessions that --explain names for an answer (what fits on a screen)
)

// RecallInput is a question: what the work is about, which files it has open, or both.
type RecallInput struct {
	brain.Scope
	Text string `json:"text,omitempty"`
	// Earlier are prompts before the text, latest first: a short text goes on with them. They hold no error of this question.
	Earlier []string `json:"-"`
	// Open are files the work has touched, latest first.
	Open []string `json:"open,omitempty"`
	// Listed is what searches of the session printed, the latest search first.
	Listed []Listing `json:"-"`
	// Session takes the open files and what was listed from a session, and asks what it opens next.
	Session string `json:"session,omitempty"`
	// Asking is the session in which the question comes up: what its searches printed counts beside open files.
	Asking memory.SessionID `json:"-"`
	// Next asks what a session opens next, instead of what a change touches. Without open files both are weighed, by how
	// much is known of sessions.
	Next bool `json:"next,omitempty"`
	// Change asks for what a change touches alone, for comparisons.
	Change bool `json:"-"`
	// Banned files are no answers.
	Banned []string `json:"banned,omitempty"`
	Limit  int      `json:"limit,omitempty"`
	// Budget in tokens for the lines answered; 0 is none.
	Budget int `json:"budget,omitempty"`
	// Least confidence of an answer; 0 shows all.
	Least float64 `json:"least,omitempty"`
	// Explain adds every term, the way activation took and the evidence.
	Explain bool `json:"explain,omitempty"`
	// Precedents names the commit or session that says most as the reason of an answer, where one does.
	Precedents bool `json:"tell,omitempty"`
	// Without leaves terms out, for comparisons.
	Without []recall.Term `json:"-"`
	// Wordless answers as if there were no table of words, for comparisons.
	Wordless bool `json:"-"`
}

// RecallResult is what will be needed.
type RecallResult struct {
	Files []Recalled `json:"files"`
	// Fixes are files that fixed the error in the question before.
	Fixes []Recalled `json:"fixes"`
	// Error is the error that the question holds.
	Error string `json:"error,omitempty"`
	// Unknown are open files that were named and that no past knows: they led to no answer.
	Unknown []string `json:"unknown,omitempty"`
	// Vague says that the text tells nothing by itself. Running are then the files of the last session that opened any, the latest first, and
	// Files what it may open next.
	Vague   bool     `json:"vague,omitempty"`
	Running []string `json:"running,omitempty"`
	// Episodes is how much past there was to learn from.
	Episodes int `json:"episodes"`
	Tokens   int `json:"tokens"`
}

// Recalled is one answer.
type Recalled struct {
	Path       string           `json:"path"`
	Project    memory.ProjectID `json:"project"`
	Score      float64          `json:"score"`
	Confidence float64          `json:"confidence"`
	// Reason is why, in a few words.
	Reason string `json:"reason"`
	// Reached says that only spreading led to it.
	Reached bool   `json:"reached,omitempty"`
	Through string `json:"through,omitempty"`
	Ignored int64  `json:"ignored,omitempty"`
	Tokens  int    `json:"tokens"`
	// Fragment is where in the file to look, if its code holds the words of the question.
	Fragment *Fragment  `json:"fragment,omitempty"`
	Parts    []Part     `json:"parts,omitempty"`
	Proof    []Evidence `json:"evidence,omitempty"`

	answer    recall.Answer
	standing  float64           // what is left of its say after being ignored
	precedent *recall.Precedent // nil where no single thing of the past says most …
	with      string            // … else the open file it is about, if it is about one
}

// Answer is what ranking said, for those who learn from it.
func (r Recalled) Answer() recall.Answer { return r.answer }

// Part is what one term adds to a score.
type Part struct {
	Term    string  `json:"term"`
	Meaning string  `json:"meaning"`
	Figure  float64 `json:"figure"`
	Place   int     `json:"place,omitempty"`
	Share   float64 `json:"share"`
}

// Evidence is a past piece of work that speaks for an answer.
type Evidence struct {
	Kind string    `json:"kind"` // commit, session, link
	ID   string    `json:"id"`
	At   time.Time `json:"at"`
	Text string    `json:"text"`
	Why  string    `json:"why"`
}

// Recall says which files a task needs.
var Recall = brain.Operation[RecallInput, RecallResult]{
	Name: "recall", Summary: "Say which files a task needs, and why",
	Run: func(ctx context.Context, b *brain.Brain, in RecallInput) (RecallResult, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (RecallResult, error) {
			if in.vague() {
				return goOn(ctx, b, tx, in)
			}
			return RecallFiles(ctx, b, tx, in)
		})
	},
}

func RecallFiles(ctx context.Context, b *brain.Brain, tx *store.Tx, in RecallInput) (out RecallResult, err error) {
	out.Files, out.Fixes = []Recalled{}, []Recalled{}
	in.Text = brain.Question(in.Text)
	if strings.TrimSpace(in.Text) == "" && len(in.Open) == 0 && in.Session == "" {
		return out, fmt.Errorf("recall: say what the task is, or name an open file: %w", memory.ErrInvalid)
	}
	projects, err := Scoped(ctx, b, tx, in.Scope)
	if err != nil {
		return out, err
	}
	out.Unknown = slices.Clone(in.Open)
	for _, id := range projects {
		if err := RecallIn(ctx, b, tx, id, in, &out); err != nil {
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
			if err := point(ctx, b, tx, id, shown, in.Text); err != nil {
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
		if err := GiveReasons(ctx, tx, shown); err != nil {
			return out, err
		}
	}
	out.Files = within(out.Files, in, &out.Tokens)
	out.Fixes = within(out.Fixes, in, &out.Tokens)
	return out, nil
}

// Ahead asks what RecallFiles will ask about a project, as far as that does not depend on answers; see store.Tx.Ahead. Blocks of the past are
// asked for from the state of the file on: if it proves unusable, they are read again.
func Ahead(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, text string) {
	var mapped int64
	for _, version := range recall.PastVersions(b.Config.Cache(), id) {
		mapped = max(mapped, version)
	}
	_, _ = tx.Project(ctx, id)
	_, _ = record.GenerationMark(id).Get(ctx, tx)
	_, _ = tx.PastVersion(ctx, id)
	_ = tx.EachBlock(ctx, id, mapped, nil)
	_, _ = standings(ctx, tx, id)
	_, _ = b.Rules(ctx, tx, id)
	if met, _, ok := Met(id, brain.Question(text)); ok {
		_, _ = tx.FixesSeen(ctx, met)
		_, _ = tx.Companions(ctx, met, wiredLinks)
		_, _ = tx.ErrorTexts(ctx, met)
	}
}

// Scoped are the projects of a scope: one, or all.
func Scoped(ctx context.Context, b *brain.Brain, tx *store.Tx, s brain.Scope) ([]memory.ProjectID, error) {
	id, err := b.Resolve(ctx, tx, s)
	if err != nil || id != 0 {
		return []memory.ProjectID{id}, err
	}
	projects, err := tx.Projects(ctx)
	ids := make([]memory.ProjectID, len(projects))
	for i, p := range projects {
		ids[i] = p.ID
	}
	return ids, err
}

// within cuts answers to what was asked for.
func within(answers []Recalled, in RecallInput, tokens *int) []Recalled {
	kept := answers[:0]
	for _, a := range answers {
		if a.Confidence < in.Least || in.Limit > 0 && len(kept) == in.Limit || in.Budget > 0 && *tokens+a.Tokens > in.Budget {
			continue
		}
		*tokens += a.Tokens
		kept = append(kept, a)
	}
	return kept
}

// RecallIn answers from the past of one project.
func RecallIn(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, in RecallInput, out *RecallResult) error {
	p, err := record.PastOf(ctx, b, tx, id)
	if err != nil {
		return err
	}
	defer record.Pasts(b).Put(p)
	out.Episodes += p.Image.Episodes()
	if err := fixes(ctx, b, tx, id, in.Text, out); err != nil {
		return err
	}
	q, known, err := question(ctx, b, tx, p, in)
	if err != nil {
		return err
	}
	out.Unknown = slices.DeleteFunc(out.Unknown, func(path string) bool { return slices.Contains(known, path) })
	ranker := p.Ranker
	ranker.Without(in.Without...)
	p.Mean(&q, in.Wordless)
	q.Contents, q.Akin = fitting(b, p, q)
	answers := ranker.Rank(q, max(answersRanked, in.Limit))
	standing, err := standings(ctx, tx, id)
	if err != nil {
		return err
	}
	for _, a := range answers {
		r := Recalled{Path: p.Image.File(a.File).Path, Project: id, Score: a.Score, Confidence: recall.Shown(a.Likelihood), Reached: a.Reached, answer: a, standing: 1}
		if s, ok := standing[r.Path]; ok {
			r.Score += math.Log(s.Standing)
			r.Confidence *= s.Standing
			r.Ignored, r.standing = s.Ignored, s.Standing
		}
		parts := ranker.Explain(a)
		largest := largestParts(parts)
		r.Reason = reason(largest)
		if t, ok := ranker.Precedent(q, a, largest, MinCommitLikeness); ok {
			r.precedent = &t
			if t.Times > 0 {
				r.with = p.Image.File(t.With).Path
			}
		}
		r.Tokens = lineTokens(r)
		if in.Explain {
			if err := explain(ctx, b, tx, p, ranker, q, answers, parts, &r); err != nil {
				return err
			}
		}
		out.Files = append(out.Files, r)
	}
	if p.Image.Episodes() < youngPast {
		return byClues(ctx, b, tx, p, q.Text, out)
	}
	return nil
}

const (
	textsAsked = 100 // files that a question finds by their text (as many as have a place in a list of evidence)
	akinAsked  = 60  // files that an open one finds by its text (as many as a kind of evidence brings in)
)

// fitting returns the files whose text fits a question, and those whose text fits that of its latest open file. Where the words of files are not
// known, or the file with them cannot be used, ranking goes on without: it is made again in the background.
func fitting(b *brain.Brain, p *record.Past, q recall.Question) (asked, akin []recall.Fit) {
	words, err := recall.OpenFileWords(b.Config.Contents(p.Project))
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
func question(ctx context.Context, b *brain.Brain, tx *store.Tx, p *record.Past, in RecallInput) (q recall.Question, known []string, err error) {
	q = recall.Question{Text: recall.InContext(in.Text, in.Earlier), At: tx.Now}
	open := slices.Clone(in.Open)
	if in.Session != "" {
		s, err := record.FindSession(ctx, tx, in.Session)
		if err != nil {
			return q, nil, err
		}
		opened, err := openedIn(ctx, tx, s.ID)
		if err != nil {
			return q, nil, err
		}
		open, in.Asking = append(open, opened...), s.ID
	}
	if in.Asking != 0 && len(open) > 0 {
		printed, err := printedIn(ctx, tx, in.Asking)
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
	if b.Numbers.Wired {
		q.Links, err = wired(ctx, b, tx, p, q.Open)
	}
	return q, known, err
}

// find looks a file up as it was named: from the top of the project, or from the folder one stands in.
func find(p *record.Past, dir, path string) (recall.FileNo, bool) {
	if n, known := p.Image.Find(path); known {
		return n, true
	}
	if dir == "" {
		return 0, false
	}
	place, err := project.Resolve(dir)
	if err != nil {
		return 0, false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return p.Image.Find(project.Key(place, path))
}

// wired reads what the open files have learned to go with.
func wired(ctx context.Context, b *brain.Brain, tx *store.Tx, p *record.Past, open []recall.FileNo) ([]recall.Fit, error) {
	rules, err := b.Rules(ctx, tx, p.Project)
	if err != nil {
		return nil, err
	}
	day := plasticity.Days(tx.Now)
	var links []recall.Fit
	for i, f := range open {
		from := memory.NewNeuronID(p.Project, memory.FileNeuron, p.Image.File(f).Path)
		companions, err := tx.Companions(ctx, from, wiredLinks)
		if err != nil {
			return nil, err
		}
		for _, c := range companions {
			to, known := p.Image.Find(c.Key)
			if !known || c.Kind != memory.FileNeuron || c.Origin == memory.OriginRepo {
				continue // what commits say is counted from the commits
			}
			weight := rules.Weight.Value(c.Weight, day)
			boost := 1 + min(rules.Myelin.Value(c.Myelin, day), b.Numbers.MyelinCap)
			links = append(links, recall.Fit{File: to, Fit: weight * boost * rules.Fan(len(companions)) * math.Exp2(-float64(i)/recall.OpenHalfLife)})
		}
	}
	return links, nil
}

// standings are the files whose say has shrunk because suggestions of them were ignored.
func standings(ctx context.Context, tx *store.Tx, id memory.ProjectID) (map[string]store.Strength, error) {
	ignored, err := tx.Neurons(ctx, store.NeuronFilter{Project: id, Diminished: true, Order: store.ByIgnored})
	found := make(map[string]store.Strength, len(ignored))
	for _, n := range ignored {
		found[n.Key] = n
	}
	return found, err
}

// byClues lowers the confidence of answers whose own clues are weak, where too little has happened to know from experience.
func byClues(ctx context.Context, b *brain.Brain, tx *store.Tx, p *record.Past, text string, out *RecallResult) error {
	rules, err := b.Rules(ctx, tx, p.Project)
	if err != nil {
		return err
	}
	neuron := func(r Recalled) memory.NeuronID { return memory.NewNeuronID(p.Project, memory.FileNeuron, r.Path) }
	ids := make([]memory.NeuronID, len(out.Files))
	for i, r := range out.Files {
		ids[i] = neuron(r)
	}
	known, err := tx.NeuronsByID(ctx, ids)
	if err != nil {
		return err
	}
	day := plasticity.Days(tx.Now)
	for i := range out.Files {
		r := &out.Files[i]
		if r.Project != p.Project || text == "" {
			continue
		}
		clues := p.Ranker.Clues(text, r.answer.File)
		if n, ok := known[neuron(*r)]; ok {
			clues.Myelin, clues.Idle = rules.Myelin.Value(n.Myelin, day), tx.Now.Sub(n.LastAt).Hours()
		}
		r.Confidence = min(r.Confidence, recall.Shown(recall.Confidence(clues))*r.standing)
	}
	return nil
}

// largestParts are those that speak most for an answer.
func largestParts(parts []recall.Part) (largest []recall.Part) {
	for _, p := range parts {
		if p.Share > 0 && len(largest) < reasonTerms {
			largest = append(largest, p)
		}
	}
	return largest
}

// reason names the kinds of evidence.
func reason(parts []recall.Part) string {
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = p.Term.String()
	}
	return strings.Join(names, ", ")
}

const reasonTerms = 3

// lineTokens estimates what a line costs in an agent's context.
func lineTokens(r Recalled) int { return (len(r.Path)+len(r.Reason)+lineOverhead)/BytesPerToken + 1 }

const (
	lineOverhead  = 24 // the dash, the brackets and the figure
	BytesPerToken = 4  // of paths and English words, about
)

// explain adds the terms, the way and the evidence.
func explain(ctx context.Context, b *brain.Brain, tx *store.Tx, p *record.Past, ranker *recall.Ranker, q recall.Question, answers []recall.Answer, parts []recall.Part, r *Recalled) error {
	for _, part := range parts {
		r.Parts = append(r.Parts, Part{
			Term: part.Term.String(), Meaning: part.Term.Meaning(), Figure: part.Figure, Place: part.Place, Share: part.Share,
		})
	}
	if through, ok := ranker.Through(answers, r.answer); ok && r.Reached {
		r.Through = p.Image.File(through).Path
	}
	for _, e := range ranker.Evidence(q, r.answer, evidenceShown) {
		shown, err := evidence(ctx, tx, e)
		if err != nil {
			return err
		}
		r.Proof = append(r.Proof, shown)
	}
	return linkEvidence(ctx, b, tx, p, q, r)
}

func evidence(ctx context.Context, tx *store.Tx, e recall.Evidence) (Evidence, error) {
	shown := Evidence{At: e.At, Why: whyEvidence(e)}
	if e.Kind == recall.SessionEpisode {
		s, err := tx.Session(ctx, memory.SessionID(e.Ref))
		shown.Kind, shown.ID, shown.Text = "session", memory.SessionID(e.Ref).String(), s.Intent
		if brain.IsNotFound(err) {
			err = nil
		}
		return shown, err
	}
	c, err := tx.EventBySeq(ctx, e.Ref)
	shown.Kind, shown.ID, shown.Text = "commit", c.Input, c.Text
	if brain.IsNotFound(err) {
		err = nil
	}
	return shown, err
}

func whyEvidence(e recall.Evidence) string {
	switch {
	case e.Like && e.With:
		return "like the question, with an open file"
	case e.With:
		return "with an open file"
	}
	return "like the question"
}

// linkEvidence adds what the open files have learned of the answer.
func linkEvidence(ctx context.Context, b *brain.Brain, tx *store.Tx, p *record.Past, q recall.Question, r *Recalled) error {
	rules, err := b.Rules(ctx, tx, p.Project)
	if err != nil {
		return err
	}
	to := memory.NewNeuronID(p.Project, memory.FileNeuron, r.Path)
	for _, f := range q.Open {
		path := p.Image.File(f).Path
		links, err := tx.SynapsesOf(ctx, []plasticity.Pair{plasticity.PairOf(to, memory.NewNeuronID(p.Project, memory.FileNeuron, path))})
		if err != nil {
			return err
		}
		for _, l := range links {
			weight := rules.Weight.Value(max(l.AB, l.BA), plasticity.Days(tx.Now))
			r.Proof = append(r.Proof, Evidence{
				Kind: "link", ID: path, At: l.LastAt, Text: fmt.Sprintf("weight %.2f, %d co-accesses", weight, l.CoAccesses),
				Why: "learned from " + sourceOf(l.Origin),
			})
		}
	}
	return nil
}

func sourceOf(o memory.Origin) string {
	switch o {
	case memory.OriginRepo:
		return "commits"
	case memory.OriginImport:
		return "the source text"
	case memory.OriginUser:
		return "what you said"
	}
	return "sessions"
}

// fixesIn adds what fixed an error in one project, and its files that the error names.
func fixesIn(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, dir, text string, out *RecallResult) error {
	if err := fixes(ctx, b, tx, id, text, out); err != nil {
		return err
	}
	p, err := record.PastOf(ctx, b, tx, id)
	if err != nil {
		return err
	}
	defer record.Pasts(b).Put(p)
	for _, f := range fault.Files(text) {
		if n, known := find(p, dir, f); known {
			r := Recalled{Path: p.Image.File(n).Path, Project: id, Confidence: 1, Score: 1, Reason: "named in the error"}
			r.Tokens = lineTokens(r)
			out.Files = append(out.Files, r)
		}
	}
	return nil
}

// ShownPath reports whether a path is worth an agent's attention: no lock file, nothing generated, and no name that is a text of its own.
func ShownPath(path string) bool {
	raw, err := memory.UnescapePath(path)
	return !code.Generated(path) && (err != nil || !prose.NameSpeaks(raw))
}
