package recall

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/vocab"

	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	lessonAnswers = 40    // first files of an answer from which habits are learned (hebb-bench replay)
	shiftHold     = 0.001 // share of that way that each answer takes back (hebb-bench replay)
	openAsked     = 4     // latest files of a session that go with a question
)

// Habits are what a project's own past has taught about ranking: which words of a question speak for or against which words of a path
// there; for each form of question how far the weights should differ from those that many projects
// have in common; and how often answers were right. They are learned from questions whose answer is
// known: each commit and session is asked about as if it were still to come, and what was ranked too
// high or too low moves them. How often answers to prompts were right is seen at the prompts.
type Habits struct {
	episodes int       // of the past that were gone through
	pairs    []float32 // how much two words speak for each other, by the hash of both
	own      [NumForms]ownWeights
}

// ownWeights are what a project has learned about one form of question.
type ownWeights struct {
	shift  Features // added to the weights that all projects share
	lead   float64  // what that has saved of late: the log loss without it less that with it
	record record
}

// leadFade is what an answer keeps of its say in the lead when the next one comes: some hundred decide.
const leadFade = 0.99

// ahead says whether the weights of the project have been better of late than those that all share. If not they go on learning unused.
func (o *ownWeights) ahead() bool { return o.lead >= 0 }

// The pairs share 1<<habitBits places, by hash. A quarter of that costs 0.2 points of R@10, four times that gains nothing.
const (
	habitBits  = 16
	habitStep  = 1.0 / 4096 // what is kept of a figure
	habitForm  = 3
	habitHead  = 3 * wordBytes
	habitBytes = 2 // of a figure
	mostHabit  = 7 // a figure says no more than that
)

// NewHabits knows nothing.
func NewHabits() *Habits { return &Habits{pairs: make([]float32, 1<<habitBits)} }

// Episodes says how much past was gone through.
func (h *Habits) Episodes() int { return h.episodes }

// alone stands for no word in particular: some words of paths are always or never meant.
const alone vocab.Word = 77

// placeOf is where two words, of a question and of a path, have their figure.
func placeOf(a, b vocab.Word) uint32 {
	h := (uint32(a)*0x9E3779B1 ^ uint32(b)) * 0x85EBCA6B
	return (h ^ h>>15) & (1<<habitBits - 1)
}

// evened makes texts of different lengths alike.
func evened(asked, of []vocab.Word) float64 {
	return 1 / math.Sqrt(float64(max(1, (len(asked)+1)*len(of))))
}

// lean is how much the words of a question speak for a file, or against it.
func (h *Habits) lean(asked, of []vocab.Word) float64 {
	pairs, sum := (*[1 << habitBits]float32)(h.pairs), float32(0) // some hundred files are asked about at a time
	for _, b := range of {
		for _, a := range asked {
			sum += pairs[placeOf(a, b)]
		}
		sum += pairs[placeOf(alone, b)]
	}
	return float64(sum) * evened(asked, of)
}

// Adopt lets habits weigh in the next answers; nil brings the weights back as they are for all projects.
func (r *Ranker) Adopt(h *Habits) { r.habits = h }

// Blame says by how much each score should change: the right ones should stand above all wrong ones together. Nothing if all are right,
// or none.
func Blame(scores []float64, right []bool) []float64 {
	blame := make([]float64, len(scores))
	rights := 0
	for _, is := range right {
		if is {
			rights++
		}
	}
	if rights == 0 || rights == len(scores) {
		return blame
	}
	top, wrong, share := slices.Max(scores), 0.0, 0.0
	for i, z := range scores {
		if blame[i] = math.Exp(z - top); !right[i] {
			wrong += blame[i]
		}
	}
	for i, z := range blame {
		if right[i] {
			share += 1 / (z + wrong)
		}
	}
	for i, z := range blame {
		d := -z * share
		if right[i] {
			d = wrong / (z + wrong)
		}
		if d /= float64(rights); math.Abs(d) < slight {
			d = 0
		}
		blame[i] = d
	}
	return blame
}

// slight is a change not worth its time.
const slight = 1e-4

// logLoss is how far the right ones are from standing above all wrong ones together. Nothing if all are right, or none.
func logLoss(scores []float64, right []bool) (loss float64) {
	top, wrong, rights := slices.Max(scores), 0.0, 0
	for i, z := range scores {
		if right[i] {
			rights++
		} else {
			wrong += math.Exp(z - top)
		}
	}
	if rights == 0 || rights == len(scores) {
		return 0
	}
	for i, z := range scores {
		if right[i] {
			loss += math.Log1p(wrong / math.Exp(z-top))
		}
	}
	return loss / float64(rights)
}

// Course is a session as it went, for asking about it once more.
type Course struct {
	Started time.Time
	Prompts []Spoken
	Files   []FileNo // in the order they were opened, again when the agent came back to one
	Listed  []Search // in order
	// Outcomes are what became of the answers to its prompts.
	Outcomes []Outcome
}

// Search is what one search of a session printed.
type Search struct {
	Files  []FileNo
	Opened int // files of the course before it
}

// Spoken is a prompt of a session.
type Spoken struct {
	Text   string
	Opened int // files of the course before it
}

// Rehearsal is a past to go through once more. The image may go on meanwhile.
type Rehearsal struct {
	files    []File
	episodes []Episode // never change
	courses  []Course
	params   Params
}

// Rehearse takes what going through the past needs.
func (r *Ranker) Rehearse(courses []Course) *Rehearsal {
	return &Rehearsal{r.filesFrom(0, r.Files()), r.episodesFrom(0, r.Episodes()), courses, r.params}
}

// Lessons are the numbers of learning habits that tests change.
type Lessons struct {
	Most      int     // latest commits that are asked about once more
	Sessions  int     // latest sessions likewise
	From      int     // commits of which none is asked about: too little was known before them
	PairRate  float64 // how far one answer moves what words of a question say about words of a path
	ShiftRate float64 // how far one answer moves the weights of a project
	ShiftMost float64 // a weight of a project differs from that of all by this at most
}

// DefaultLessons returns the numbers that hebb uses. Source: hebb-bench replay; the first time takes some ten
// seconds on one core.
func DefaultLessons() Lessons {
	return Lessons{Most: 4000, Sessions: 200, From: 100, PairRate: 1, ShiftRate: 0.03, ShiftMost: 3}
}

// Teach goes through what the habits have not seen of a past, piece by piece: first a commit or session is asked about, then the habits
// learn from the answer, then it is known. It returns new habits and leaves the old ones as they are. An error of progress ends it and is
// returned as it is.
func (re *Rehearsal) Teach(old *Habits, t Lessons, progress func(share float64) error) (*Habits, error) {
	if old == nil || old.episodes > len(re.episodes) {
		old = NewHabits()
	}
	h := &Habits{episodes: len(re.episodes), pairs: slices.Clone(old.pairs), own: old.own}
	from := max(old.episodes, len(re.episodes)-t.Most)
	if from >= len(re.episodes) { // nothing is to be learned, and the past need not be played for it
		return h, nil
	}
	past := newStage(re)
	pupil := pupil{h, NewRanker(past.Image), past, t}
	pupil.Adopt(h)
	pupil.Vary(re.params)
	order, courses := re.inOrder(), re.courses
	courses = courses[max(0, len(courses)-t.Sessions):]
	for i, n := range order {
		e := &re.episodes[n]
		for len(courses) > 0 && !courses[0].Started.After(e.At) {
			if err := progress(float64(i) / float64(len(order))); err != nil {
				return nil, err
			}
			pupil.session(&courses[0])
			courses = courses[1:]
		}
		if n >= from && past.Commits() >= t.From {
			pupil.commit(e)
		}
		if err := progress(float64(i) / float64(len(order))); err != nil {
			return nil, err
		}
		past.play(n)
	}
	return DecodeHabits(h.Encode()) // as it is kept, so that who reads it goes on alike
}

// inOrder is the order of time, and sorts the courses alike: sessions that were found after the commits made meanwhile come between them.
func (re *Rehearsal) inOrder() []int {
	order := make([]int, len(re.episodes))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return re.episodes[a].At.Compare(re.episodes[b].At) })
	slices.SortStableFunc(re.courses, func(a, b Course) int { return a.Started.Compare(b.Started) })
	return order
}

// pupil asks about the past and learns from the answers.
type pupil struct {
	*Habits
	*Ranker
	past *stage
	Lessons
}

// commit asks what a commit touches: by its words, by one of its files, and by both.
func (p pupil) commit(e *Episode) {
	if e.Kind != CommitEpisode {
		return
	}
	right := func(f FileNo) bool { return p.past.touches(e.Files, f) }
	words := e.Words[:min(len(e.Words), mostWords)]
	if len(words) > 0 {
		p.learn(Question{words: words, At: e.At}, right)
	}
	if len(e.Files) < 2 {
		return
	}
	seed, known := p.past.number[e.Files[uint64(e.At.Unix())%uint64(len(e.Files))]] // any of them, and the same one each time
	if !known {
		return
	}
	open := []FileNo{seed}
	if len(words) > 0 {
		p.learn(Question{words: words, Open: open, At: e.At}, right)
	}
	p.learn(Question{words: []vocab.Word{}, Open: open, At: e.At}, right)
}

// session asks at each prompt before the first file what a session opens, and at each file it had
// not opened before for that one, as if it had just begun: only its prompts and files are known.
func (p pupil) session(c *Course) {
	for _, o := range c.Outcomes {
		p.own[o.Form].record.learn(o)
	}
	open := func(before int) (latest, opened []FileNo) { // latest first
		for _, f := range slices.Backward(c.Files[:before]) {
			if n, known := p.past.number[f]; known && !slices.Contains(opened, n) {
				opened = append(opened, n)
			}
		}
		return opened[:min(len(opened), openAsked)], opened
	}
	var earlier []string // latest first
	for _, s := range c.Prompts {
		text := InContext(s.Text, earlier)
		earlier = slices.Insert(earlier, 0, s.Text)
		if _, opened := open(s.Opened); len(opened) == 0 && len(Asked(text)) > 0 {
			q := Question{Text: text, At: c.Started, InSession: true}
			p.learn(q, func(f FileNo) bool { return p.past.touches(c.Files[s.Opened:], f) })
		}
	}
	said := ""
	for i, f := range c.Files {
		for _, s := range c.Prompts {
			if s.Opened <= i {
				said = s.Text
			}
		}
		latest, opened := open(i)
		n, known := p.past.number[f]
		if len(latest) == 0 || !known || slices.Contains(opened, n) {
			continue
		}
		right := func(f FileNo) bool { return f == n }
		q := Question{Text: said, Open: latest, Banned: opened, Listed: p.listed(c, i), At: c.Started, InSession: true}
		if len(Asked(said)) > 0 {
			p.learn(q, right)
		}
		q.Text = ""
		p.learn(q, right)
	}
}

// listed is what searches had printed before a session opened a file.
func (p pupil) listed(c *Course, before int) (fits []Fit) {
	for _, l := range c.Listed {
		if l.Opened > before {
			break
		}
		for _, f := range l.Files {
			if n, known := p.past.number[f]; known {
				fits = append(fits, Fit{n, ListedFit(before-l.Opened, len(l.Files))})
			}
		}
	}
	return fits
}

// learn asks a question and moves the habits towards the right answer.
func (p pupil) learn(q Question, is func(FileNo) bool) {
	answers := p.Rank(q, lessonAnswers)
	if len(answers) == 0 {
		return
	}
	own := &p.own[answers[0].Form]
	right := make([]bool, len(answers))
	for i, a := range answers {
		right[i] = is(a.File)
	}
	if answers[0].Form < OpenByWords { // others are judged by what became of them
		o := Outcome{Right: right}
		for _, a := range answers[:min(len(answers), JudgedAnswers)] {
			o.Add("", a)
		}
		own.record.learn(o)
	}
	shared, scores, used := make([]float64, len(answers)), make([]float64, len(answers)), own.ahead()
	for i := range answers {
		shared[i], scores[i] = answers[i].Score, answers[i].Score
		if shift := own.shift.product(&answers[i].features); used {
			shared[i] -= shift
		} else {
			scores[i] += shift
		}
	}
	own.lead = leadFade*own.lead + logLoss(shared, right) - logLoss(scores, right)
	for i, d := range Blame(scores, right) {
		if d != 0 {
			p.move(own, &answers[i], d)
		}
	}
	for term := range own.shift {
		for k, x := range own.shift[term] {
			own.shift[term][k] = min(max(x*(1-shiftHold), -p.ShiftMost), p.ShiftMost)
		}
	}
}

// move moves the weights, and the pairs of words where they have a say, towards an answer or away from it.
func (p pupil) move(own *ownWeights, a *Answer, by float64) {
	for term := range Habit { // the habits themselves weigh 1
		for k, x := range a.features[term] {
			own.shift[term][k] += p.ShiftRate * by * x
		}
	}
	if a.Form != ChangeByWords {
		return
	}
	of := p.Image.file(a.File).Words
	step := float32(p.PairRate * by * evened(p.words, of))
	move := func(place uint32) { p.pairs[place] = min(max(p.pairs[place]+step, -mostHabit), mostHabit) }
	for _, b := range of {
		for _, w := range p.words {
			move(placeOf(w, b))
		}
		move(placeOf(alone, b))
	}
}

// stage is an image on which a past is played again. Files have their paths of today.
type stage struct {
	*Image
	*Rehearsal
	number map[FileNo]FileNo // here, of a file of the past
	last   map[FileNo]int    // the last episode of files that are gone
}

func newStage(re *Rehearsal) *stage {
	s := &stage{Image: NewImage(), Rehearsal: re, number: make(map[FileNo]FileNo, len(re.files)), last: map[FileNo]int{}}
	for _, n := range re.inOrder() {
		for _, f := range re.episodes[n].Files {
			if re.files[f].Gone {
				s.last[f] = n
			}
		}
	}
	return s
}

// play adds an episode of the past.
func (s *stage) play(n int) {
	e := s.episodes[n]
	files := make([]FileNo, len(e.Files))
	for i, f := range e.Files {
		here, known := s.number[f]
		if !known {
			here = s.room()
			s.number[f] = here
			file := s.files[f]
			file.Gone, file.dir = false, nowhere
			file.Names, file.InTree = nil, false // those of today: a commit that is asked about may have defined them
			s.place(here, file)
		}
		files[i] = here
	}
	e.Files = files
	s.link(e)
	for i, f := range s.Rehearsal.episodes[n].Files {
		if at, gone := s.last[f]; gone && at == n {
			file := s.file(files[i])
			file.Gone = true
			s.place(files[i], file)
		}
	}
}

// touches reports whether a file of the stage is among files of the past.
func (s *stage) touches(files []FileNo, here FileNo) bool {
	return slices.ContainsFunc(files, func(f FileNo) bool {
		n, known := s.number[f]
		return known && n == here
	})
}

// figures are all that is kept of own weights.
func (o *ownWeights) figures(each func(*float64)) {
	for t := range o.shift {
		for k := range o.shift[t] {
			each(&o.shift[t][k])
		}
	}
	each(&o.lead)
	o.record.figures(each)
}

// Encode packs habits.
func (h *Habits) Encode() []byte {
	var b []byte
	for _, n := range []int{habitForm, h.episodes, int(numTerms)} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	for form := range h.own {
		h.own[form].figures(func(v *float64) { b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(*v))) })
	}
	for _, v := range h.pairs {
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(math.Round(float64(v)/habitStep))))
	}
	return b
}

// DecodeHabits unpacks habits. Those of another version of hebb, which weighs other evidence, are refused: they are learned again.
func DecodeHabits(b []byte) (*Habits, error) {
	h := NewHabits()
	size := habitHead + habitBytes<<habitBits
	for form := range h.own {
		h.own[form].figures(func(*float64) { size += wordBytes })
	}
	if len(b) != size || binary.LittleEndian.Uint32(b) != habitForm || binary.LittleEndian.Uint32(b[2*wordBytes:]) != uint32(numTerms) {
		return nil, fmt.Errorf("habits of %d bytes: %w", len(b), memory.ErrDamaged)
	}
	h.episodes = int(binary.LittleEndian.Uint32(b[wordBytes:]))
	b = b[habitHead:]
	for form := range h.own {
		h.own[form].figures(func(v *float64) {
			*v = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
			b = b[wordBytes:]
		})
	}
	for i := range h.pairs {
		h.pairs[i] = float32(float64(int16(binary.LittleEndian.Uint16(b[i*habitBytes:]))) * habitStep)
	}
	return h, nil
}
