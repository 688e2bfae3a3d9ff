package recall

import (
	"math"
	"math/bits"
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/vocab"
)

// Source: test vectors of the design.
const (
	myelinCap       = 0.5   // myelin beyond this adds no confidence
	myelinBonus     = 0.3   // what myelin adds to confidence
	recencyHours    = 168.0 // an access this long ago adds no confidence any more
	recencyBonus    = 0.2   // what an access just now adds to confidence
	pathBonus       = 0.4   // what words in the path add to confidence
	stemFloor       = 0.5   // the least context of a file whose stem the question names
	stemClue        = 0.4   // what that adds to confidence
	sourceBonus     = 0.3   // what being source text adds to confidence
	docMalus        = 0.15  // what being documentation takes from confidence
	consensusFactor = 1.15  // two sources that name the same file make this much surer than the surer one
)

// Clues are what a single file shows without a history to compare it with.
type Clues struct {
	Context float64 // share of the question's words that are known of the file, by their rarity
	Myelin  float64
	Idle    float64 // hours since its last access
	Path    float64 // share of the question's words in its path
	Stem    bool    // a word of the question is its stem
	Kind    FileKind
}

// FileKind distinguishes source text from documentation.
type FileKind int

const (
	OtherFile FileKind = iota
	SourceFile
	DocFile
)

// KindOf goes by the extension.
func KindOf(name string) FileKind {
	switch strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")) {
	case "ts", "tsx", "js", "jsx", "mjs", "cjs", "vue", "svelte", "py", "rs", "go", "swift", "java", "c", "cc", "cpp", "h",
		"hpp", "rb", "kt", "scala", "zig", "cs", "php":
		return SourceFile
	case "md", "txt", "rst", "adoc", "doc", "docx":
		return DocFile
	}
	return OtherFile
}

// Confidence is how sure the clues make. The context is a gate: without it nothing else counts; the rest amplifies. It
// can exceed 1: it ranks as it is and is shown up to 0.99.
func Confidence(c Clues) float64 {
	context := c.Context
	sum := 1 + min(c.Myelin, myelinCap)*myelinBonus + max(0, 1-c.Idle/recencyHours)*recencyBonus + c.Path*pathBonus
	if c.Stem {
		context = max(context, stemFloor)
		sum += stemClue
	}
	switch c.Kind {
	case SourceFile:
		sum += sourceBonus
	case DocFile:
		sum -= docMalus
	}
	return context * sum
}

// Shown is a confidence as people see it.
func Shown(confidence float64) float64 { return math.Min(confidence, .99) }

// Consensus is the confidence of two sources that name the same file without knowing of each other.
func Consensus(a, b float64) float64 { return math.Min(max(a, b)*consensusFactor, .99) }

// FixConfidence is how sure a link from an error to a file makes.
func FixConfidence(weight, myelin float64) float64 { return math.Min(weight*(1+myelin), .99) }

// likelihood is the chance that an answer is right, learned from what became of answers with such scores: sure scores
// alone tell less than sure scores ahead of the rest.
func (c Calibration) likelihood(score, share float64) float64 {
	return 1 / (1 + math.Exp(-(c.Base + c.Score*score + c.Share*math.Log(max(share, 1e-9)))))
}

// Calibration turns scores of one form of question into chances.
type Calibration struct{ Base, Score, Share float64 }

// Clues gathers what a file shows about a question; the caller adds its myelin and last access.
func (r *Ranker) Clues(text string, n FileNo) Clues {
	words := Asked(text)
	if len(words) == 0 {
		return Clues{}
	}
	f := r.file(n)
	lex := newLexicon(words)
	known, inPath := lex.mask(f.Words)|lex.mask(f.Names), lex.mask(f.Words)
	for _, e := range r.Of(n) {
		known |= lex.mask(r.wordsSaid(e))
	}
	stem := vocab.Stemmed(vocab.Stem(f.Path))
	return Clues{
		Context: float64(bits.OnesCount64(known)) / float64(len(words)),
		Path:    float64(bits.OnesCount64(inPath)) / float64(len(words)),
		Stem:    len(stem) >= shortestStem && slices.Contains(words, vocab.WordOf(stem)),
		Kind:    KindOf(f.Path),
	}
}

// shortestStem keeps short names from matching by chance.
const shortestStem = 4

// Source: hebb-bench prompts.
const (
	judgedAnswers = 5     // first answers to a question that say how sure one may be
	countedLines  = 3     // … and those of them that would have been shown
	chanceSteps   = 20    // of equal width, by which lines are counted
	leastStep     = 6     // less likely ones are never shown
	worstStep     = 0.5   // share of the wanted precision that lines of each step must have by themselves
	trustShared   = 20.0  // answers that the experience of other projects is worth
	recordFade    = 0.998 // what a question keeps of its say when the next one comes
	fewLines      = 10.0  // fewer lines do not say how precise they are
	priorLines    = 3.0   // lines as right as their chance says that each step begins with
	scarceLines   = 0.02  // a step without lines counts as this many
)

// record says how often the answers of a project to one form of question proved right. The chance that the experience of other projects
// gives an answer is moved and stretched to fit (Platt scaling, by a Newton step for each question). Beside it the first answers are
// counted by their chance, to know from which chance on they are as precise as wanted.
type record struct {
	base, tilt   float64 // log-odds here are base + (1+tilt) times those elsewhere
	curvature    [3]float64
	lines, right [chanceSteps]float64
}

func (r *record) figures(each func(*float64)) {
	each(&r.base)
	each(&r.tilt)
	for _, list := range [][]float64{r.curvature[:], r.lines[:], r.right[:]} {
		for i := range list {
			each(&list[i])
		}
	}
}

// FirstGate is the chance from which lines are shown before anything is known of their precision. It is below the precision because most
// lines have a higher chance than the least one shown.
func FirstGate(precision float64) float64 { return 0.75 * precision }

// gate is the least chance from which lines were as precise as wanted.
func (r *record) gate(precision float64) float64 {
	gate, lines, right, counted := 1.0, 0.0, 0.0, 0.0
	first := FirstGate(precision)
	for i := chanceSteps - 1; i >= leastStep; i-- {
		chance := (float64(i) + .5) / chanceSteps
		here, share := r.lines[i]+scarceLines, (r.right[i]+priorLines*chance)/(r.lines[i]+priorLines)
		lines, right, counted = lines+here, right+here*share, counted+r.lines[i]
		if share < worstStep*precision {
			break
		}
		if known := counted >= fewLines || chance >= first; known && right >= precision*lines {
			gate = float64(i) / chanceSteps
		}
	}
	if counted < fewLines {
		return max(first, gate)
	}
	return gate
}

func logOdds(chance float64) float64 {
	chance = min(max(chance, 1e-9), 1-1e-9)
	return math.Log(chance / (1 - chance))
}

// chance is what a chance that other projects teach comes to here.
func (r *record) chance(elsewhere float64) float64 {
	return 1 / (1 + math.Exp(-(r.base + (1+r.tilt)*logOdds(elsewhere))))
}

// learn takes the first answers to a question into the record.
func (r *record) learn(answers []Answer, right []bool) {
	for _, list := range [][]float64{r.curvature[:], r.lines[:], r.right[:]} {
		for i := range list {
			list[i] *= recordFade
		}
	}
	var slope [2]float64
	for i, a := range answers[:min(len(answers), judgedAnswers)] {
		is := 0.0
		if right[i] {
			is = 1
		}
		if i < countedLines {
			step := min(int(a.Likelihood*chanceSteps), chanceSteps-1)
			r.lines[step]++
			r.right[step] += is
		}
		x := (logOdds(a.Likelihood) - r.base) / (1 + r.tilt) // elsewhere
		slope[0] += is - a.Likelihood
		slope[1] += (is - a.Likelihood) * x
		spread := a.Likelihood * (1 - a.Likelihood)
		for k, by := range []float64{1, x, x * x} {
			r.curvature[k] += spread * by
		}
	}
	const prior = trustShared / 4 // the curvature of answers as likely right as wrong
	a, b, c := r.curvature[0]+prior, r.curvature[1], r.curvature[2]+prior
	det := a*c - b*b
	r.base += (c*slope[0] - b*slope[1]) / det
	r.tilt = min(max(r.tilt+(a*slope[1]-b*slope[0])/det, -.8), 2)
}

// InContext is a prompt as it is asked about: one of few words goes on with what was said before it, the latest first. "yes, delete them"
// continues an earlier request.
func InContext(prompt string, earlier []string) string {
	for _, text := range earlier {
		if len(slices.DeleteFunc(vocab.Words(prompt), func(w string) bool { return len(w) < longWord })) >= wordsEnough {
			break
		}
		prompt += " " + text // one line: the title of a text is its own
	}
	return prompt
}

const (
	wordsEnough = 3 // different words of a prompt that say something by themselves (hebb-bench prompts) …
	longWord    = 5 // … of so many bytes: yes, fix, them and run are none
)
