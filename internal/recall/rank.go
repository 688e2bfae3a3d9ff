package recall

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/vocab"
)

// Ranker answers questions about one image. It keeps its buffers between questions and serves one at a time.
type Ranker struct {
	measure
	habits  *Habits  // of the project; nil without
	leans   bool     // their pairs of words have a say in this question
	form    Form     // of this question
	inForce Features // the weights of this question
	without [numTerms]bool
	lists   [numTerms][]FileNo      // the first of each term
	place   [numTerms]seated[uint8] // the position of a file there, from 1; 0 is none
	picked  seated[bool]
	banned  []FileNo
	mix     Mix
}

// NewRanker returns a ranker with the learned weights.
func NewRanker(image *Image) *Ranker {
	return &Ranker{measure: measure{Image: image, params: DefaultParams()}}
}

// Vary replaces the numbers, before the first question.
func (r *Ranker) Vary(p Params) { r.params = p }

// Point says what the files mean, for the next answers; nil says that it is not known.
func (r *Ranker) Point(d *FileVectors) { r.meant = d }

// learned are the weights that all projects share. Where it is not known what files mean, or that does
// not help, the other evidence has the say it has without.
func (r *Ranker) learned(f Form) *Learned { return r.params.Learned(r.meant != nil && f.reaches()) }

// weightsFor are the weights of a question: those that all projects share, and what the project has learned about such questions.
func (r *Ranker) weightsFor(f Form) Features {
	w := r.learned(f).Weights.mixed(f, r.mix)
	if r.habits == nil {
		return w
	}
	if own := &r.habits.own[f]; own.ahead() {
		for t := range w {
			for k, x := range own.shift[t] {
				w[t][k] += x
			}
		}
	}
	if r.leans { // learned from commits: they speak for what a session opens the less the more sessions are known
		w[Habit][byFigure] = 1
		if f == OpenByWords {
			w[Habit][byFigure] = 1 - r.mix.Mature
		}
	}
	return w
}

// Without leaves terms out of the next answers, for comparisons.
func (r *Ranker) Without(terms ...Term) {
	clear(r.without[:])
	for _, t := range terms {
		r.without[t] = true
	}
}

// Answer is a file with the reasons for it.
type Answer struct {
	File       FileNo
	Score      float64
	Likelihood float64 // the chance that the file will be needed
	Elsewhere  float64 // … by the experience of other projects alone
	// Reached says that only spreading led here: nothing in the question itself points to the file.
	Reached bool
	// Form is the form of question it answers.
	Form Form
	// Mix is how far the weights of that form were trusted.
	Mix      Mix
	features Features
}

const (
	byPlace = iota
	byFigure
	byBest
)

// Features are what the score was made of.
func (a Answer) Features() Features { return a.features }

// Part is what one term adds to a score.
type Part struct {
	Term   Term
	Figure float64 // as measured
	Place  int     // in the term's own list, 1 is first; 0 if it stands too far down
	Share  float64 // of the score
}

// Rank returns the best answers, best first.
func (r *Ranker) Rank(q Question, limit int) []Answer {
	var alone []scored
	if title := titleOf(q.Text); title != "" {
		first := q
		first.Text = title
		alone = r.order(first)
	}
	found := r.order(q) // last, because what an answer is made of is that of the whole text
	if len(alone) > 0 {
		r.agree(found, alone)
	}
	return r.judge(found, limit)
}

// titleOf is the first line of a long text, empty where there is none. What follows it, an explanation or pasted output, has more words and
// says less about where the work is.
func titleOf(text string) string {
	title, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if len(vocab.Spoken(title)) < 2 || len(vocab.Spoken(rest)) < longText {
		return ""
	}
	return title
}

const longText = 8 // words after the title

// agree lets the title of a text have the same say as the whole.
func (r *Ranker) agree(found, alone []scored) {
	by := make(map[FileNo]float64, len(alone))
	for _, c := range alone {
		by[c.file] = c.score
	}
	for i, c := range found {
		score, known := by[c.file]
		if !known {
			score = alone[len(alone)-1].score
		}
		found[i].score = (c.score + score) / 2
	}
	r.sort(found)
}

// order scores the candidates for a question, the best first.
func (r *Ranker) order(q Question) []scored {
	r.take(q)
	r.form = FormOf(len(r.words) > 0, len(q.Open) > 0, q.InSession)
	r.leans = r.form.byWords() && r.habits != nil && !r.without[Habit]
	r.mix = r.trust(q)
	r.inForce = r.weightsFor(r.form)
	r.ban(q)
	var candidates []FileNo
	r.picked.reset()
	for t := range r.lists {
		r.place[t].reset()
		r.lists[t] = nil
	}
	for t := range numTerms {
		if !r.without[t] && terms[t].offers && t != Spread {
			r.list(t)
			candidates = r.pick(candidates, t, offers)
		}
	}
	if len(q.Open) == 0 && !r.answered() {
		return nil // nothing in the past knows these words; what is popular is no answer
	}
	r.weigh(candidates)
	r.weighFolders(candidates)
	r.weighTests(candidates)
	found := make([]scored, 0, len(candidates)+offers)
	for _, f := range candidates {
		x := r.features(f)
		found = append(found, scored{f, r.inForce.product(&x)})
	}
	r.sort(found)
	if !r.without[Spread] && r.form.reaches() && len(found) > 0 {
		found = r.spread(found)
	}
	return found
}

// answered reports whether anything in the past speaks to the question itself.
func (r *Ranker) answered() bool {
	for t := range numTerms {
		if terms[t].direct && len(r.lists[t]) > 0 {
			return true
		}
	}
	return false
}

// scored is a candidate for an answer.
type scored struct {
	file  FileNo
	score float64
}

// judge makes answers of the best candidates, and chances of their scores.
func (r *Ranker) judge(found []scored, limit int) []Answer {
	sum := 0.0
	for _, c := range found {
		sum += math.Exp(c.score - found[0].score)
	}
	answers := make([]Answer, min(len(found), limit))
	for i := range answers {
		c := found[i]
		elsewhere := r.elsewhere(r.form, c.score, math.Exp(c.score-found[0].score)/sum)
		answers[i] = Answer{
			File: c.file, Score: c.score, Form: r.form, Mix: r.mix, features: r.features(c.file),
			Likelihood: elsewhere, Elsewhere: elsewhere, Reached: r.terms[Spread].of(c.file) > 0 && !r.pointedAt(c.file),
		}
		if r.habits != nil {
			answers[i].Likelihood = r.habits.own[r.form].record.chance(elsewhere)
		}
	}
	return answers
}

// elsewhere is the chance that an answer is right, by the experience that made the weights.
func (r *Ranker) elsewhere(form Form, score, share float64) float64 {
	calibrations := &r.learned(form).Calibrations
	score -= r.gained(form)
	chance := calibrations[form].likelihood(score, share)
	if form >= OpenByWords {
		chance = r.mix.Mature*chance + (1-r.mix.Mature)*calibrations[form-OpenByWords].likelihood(score, share)
	}
	return chance
}

// gained is what the texts of files add to a score on average. The chances were learned from scores without.
func (r *Ranker) gained(form Form) float64 {
	of := func(f Form) (sum float64) {
		gain := &learnedContents().Calibrations[f]
		if len(r.lists[Contents]) > 0 {
			sum += gain.Base
		}
		if len(r.lists[Akin]) > 0 {
			sum += gain.Score
		}
		return sum
	}
	if form < OpenByWords {
		return of(form)
	}
	return (1 - r.mix.Mature) * (r.mix.Clear*of(form-OpenByWords) + (1-r.mix.Clear)*of(ChangeByFiles))
}

// trust says how far sessions and words can be trusted with a question.
func (r *Ranker) trust(q Question) Mix {
	m := Mix{Mature: 1, Clear: 1}
	if !q.InSession {
		return m
	}
	m.Mature = r.maturity(q)
	if len(q.Open) > 0 && len(r.words) > 0 {
		m.Clear = clearWords / (clearWords + float64(len(r.words)))
	}
	return m
}

// maturity is how much sessions can say about a question, 0 to 1. A young memory goes by commits.
func (r *Ranker) maturity(q Question) float64 {
	known := float64(len(r.byKind[SessionEpisode]))
	half := matureProject
	if len(q.Open) > 0 {
		known, half = 0, matureFile
		for i, f := range q.Open {
			for _, n := range r.Of(f) {
				if r.briefs[n].kind == SessionEpisode {
					known += openFactor(i)
				}
			}
		}
	}
	return known / (known + half)
}

// ban notes the files that cannot be answers besides those that are gone: open, or named so.
func (r *Ranker) ban(q Question) {
	r.banned = append(append(r.banned[:0], q.Open...), q.Banned...)
	slices.Sort(r.banned)
}

func (r *Ranker) isBanned(f FileNo) bool {
	if r.gone[f] {
		return true
	}
	_, banned := slices.BinarySearch(r.banned, f)
	return banned
}

// list orders the files of a term; only the first count as placed.
func (r *Ranker) list(t Term) {
	first := podium{before: r.before}
	if len(r.toward[t]) > 0 {
		r.pull(t, &first)
	} else {
		tl := &r.terms[t]
		for _, f := range slices.Backward(tl.some) { // what is late is mostly better
			if v := tl.of(f); v >= first.floor && !r.isBanned(f) {
				first.put(f, v)
			}
		}
	}
	for i, f := range first.files {
		seat, _ := r.files.take(uint32(f))
		*r.place[t].place(seat) = uint8(i + 1)
	}
	r.lists[t] = first.files
}

// podium holds the files with the largest figures.
type podium struct {
	files   []FileNo // best first
	figures []float64
	floor   float64 // figure of the last one, once all places are taken
	before  func(a, b FileNo) bool
}

// put finds the place of a file that is not below the floor.
func (p *podium) put(f FileNo, v float64) {
	if len(p.files) == placedFiles {
		last := placedFiles - 1
		if v == p.floor && !p.before(f, p.files[last]) {
			return
		}
		p.files, p.figures = p.files[:last], p.figures[:last]
	}
	i := len(p.files)
	for i > 0 && (v > p.figures[i-1] || v == p.figures[i-1] && p.before(f, p.files[i-1])) {
		i--
	}
	p.files, p.figures = slices.Insert(p.files, i, f), slices.Insert(p.figures, i, v)
	if len(p.files) == placedFiles {
		p.floor = p.figures[placedFiles-1]
	}
}

// before orders files of equal figures: the one touched last, then by path.
func (r *Ranker) before(a, b FileNo) bool {
	if r.lastAt[a] != r.lastAt[b] {
		return r.lastAt[a] > r.lastAt[b]
	}
	return r.path(a) < r.path(b)
}

func (r *Ranker) pick(candidates []FileNo, t Term, most int) []FileNo {
	for _, f := range r.lists[t][:min(most, len(r.lists[t]))] {
		if picked := r.picked.place(r.files.seat(uint32(f))); !*picked {
			*picked = true
			candidates = append(candidates, f)
		}
	}
	return candidates
}

// weigh takes the figures that only weigh candidates.
func (r *Ranker) weigh(candidates []FileNo) {
	heat := r.folderHeat()
	commits := float64(len(r.byKind[CommitEpisode]))
	for _, f := range candidates {
		of := r.Of(f)
		r.terms[Count].add(f, float64(len(of)))
		r.terms[FolderHeat].add(f, heat.of(r.dirOf(f)))
		if len(of) > 0 && r.briefs[of[0]].kind == CommitEpisode {
			r.terms[Newness].add(f, fade(commits-float64(r.briefs[of[0]].rank), newHalfLife))
		}
	}
}

// weighFolders takes the figures that files have from their folders.
func (r *Ranker) weighFolders(candidates []FileNo) {
	for _, f := range candidates {
		r.terms[FolderWords].add(f, r.folderFits.of(r.dirOf(f)))
	}
}

// saysTest reports whether words ask for tests.
func saysTest(words []vocab.Word) bool {
	return slices.Contains(words, vocab.WordOf("test")) || slices.Contains(words, vocab.WordOf("spec"))
}

// weighTests marks the tests among candidates: wanted or not is learned separately.
func (r *Ranker) weighTests(candidates []FileNo) {
	term := TestFile
	if saysTest(r.words) {
		term = TestAsked
	}
	for _, f := range candidates {
		if vocab.IsTest(r.path(f)) {
			r.terms[term].add(f, 1)
		}
	}
}

// folderHeat is how often each folder was changed of late.
func (r *Ranker) folderHeat() *tally[FolderNo] {
	heat := &tally[FolderNo]{seats: &r.dirs}
	r.recent(CommitEpisode, folderWindow, func(n uint32, age float64) {
		files := r.filesOf(n)
		for i, f := range files {
			d := r.dirOf(f)
			if !slices.ContainsFunc(files[:i], func(o FileNo) bool { return r.dirOf(o) == d }) {
				heat.add(d, fade(age, folderHeatHalfLife))
			}
		}
	})
	return heat
}

func (r *Ranker) features(f FileNo) (x Features) {
	for t := range numTerms {
		x[t] = r.feature(t, f)
	}
	return x
}

func (r *Ranker) feature(t Term, f FileNo) (x [3]float64) {
	if t == Habit {
		x[byFigure] = r.lean(f)
		return x
	}
	v := r.figure(t, f)
	if v <= 0 || r.without[t] {
		return x
	}
	x[byFigure] = v / (v + terms[t].half)
	if !terms[t].offers {
		return x
	}
	x[byBest] = v / r.figure(t, r.lists[t][0])
	if at := r.place[t].at(r.files.seat(uint32(f))); at > 0 {
		x[byPlace] = placeScale / (placeScale + float64(int(at)-1))
	}
	return x
}

// lean is how much the habits of the project speak for a file, or against it.
func (r *Ranker) lean(f FileNo) float64 {
	if !r.leans {
		return 0
	}
	return r.habits.lean(r.words, r.file(f).Words)
}

// sort puts candidates in order; ties go to the file touched last.
func (r *Ranker) sort(found []scored) {
	slices.SortFunc(found, func(a, b scored) int {
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c
		}
		if r.before(a.file, b.file) {
			return -1
		}
		return 1
	})
}

// spread lets the best candidates excite what they were changed with, and weighs everything again. What a file passes
// on is shared among all it was changed with, so that one that goes with everything says nothing.
func (r *Ranker) spread(found []scored) []scored {
	for _, c := range found[:min(len(found), spreadFrom)] {
		strength := math.Exp(c.score - found[0].score)
		if strength < spreadFloor {
			break
		}
		of := r.Of(c.file)
		for _, n := range of[max(0, len(of)-spreadEpisodes):] {
			files := r.filesOf(n)
			if len(files) < 2 {
				continue
			}
			share := strength * r.bond(n) / float64(len(files)-1) / float64(len(of)+1)
			for _, f := range files {
				if f != c.file {
					r.terms[Spread].add(f, share)
				}
			}
		}
	}
	r.list(Spread)
	for i := range found {
		x := r.feature(Spread, found[i].file)
		found[i].score += dot(&r.inForce[Spread], &x)
	}
	reached := r.pick(nil, Spread, offers)
	r.weighFolders(reached)
	r.weighTests(reached)
	for _, f := range reached {
		x := r.features(f)
		found = append(found, scored{f, r.inForce.product(&x)})
	}
	r.sort(found)
	return found
}

// pointedAt reports whether something in the question leads to a file directly.
func (r *Ranker) pointedAt(f FileNo) bool {
	for t := range numTerms {
		if terms[t].direct && r.terms[t].of(f) > 0 {
			return true
		}
	}
	return false
}

// Explain takes a score of the last answers apart, the largest share first; of a long text that of the whole, without the vote of its title.
func (r *Ranker) Explain(a Answer) []Part {
	var parts []Part
	for t := range numTerms {
		p := Part{Term: t, Figure: r.figure(t, a.File), Place: int(r.place[t].at(r.files.seat(uint32(a.File))))}
		if t == Habit {
			p.Figure = a.features[t][byFigure]
		}
		p.Share = dot(&r.inForce[t], &a.features[t])
		if p.Share != 0 {
			parts = append(parts, p)
		}
	}
	slices.SortFunc(parts, func(a, b Part) int { return cmp.Compare(math.Abs(b.Share), math.Abs(a.Share)) })
	return parts
}

// pull finds the files most like the vectors of a term.
func (r *Ranker) pull(t Term, first *podium) {
	for f := range FileNo(min(r.meant.files, r.Files())) {
		if v := r.pulled(t, f); v > 0 && v >= first.floor && !r.isBanned(f) {
			first.put(f, v)
		}
	}
}
