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

// Source: hebb-bench prompts, with weights that had not seen the repository (docs/adr/0020).
const (
	JudgedAnswers = 3    // first answers to a question that say how sure one may be
	judgedOpened  = 20   // files opened after a prompt that count: who opens many opens any
	trustShared   = 10.0 // answers that the experience of other projects is worth
	recordFade    = 0.99 // what a question keeps of its say when the next one comes
)

// Gate is the chance from which files are shown if this share of them should be right. Most are surer.
func Gate(precision float64) float64 { return 0.75 * precision }

// record says how often the answers of a project to one form of question proved right. The chance
// that other projects teach is moved and stretched to fit (Platt scaling, a Newton step a question).
type record struct {
	base, tilt float64 // log-odds here are base + (1+tilt) times those elsewhere
	curvature  [3]float64
}

func (r *record) figures(each func(*float64)) {
	for _, f := range []*float64{&r.base, &r.tilt, &r.curvature[0], &r.curvature[1], &r.curvature[2]} {
		each(f)
	}
}

func logOdds(chance float64) float64 {
	chance = min(max(chance, 1e-9), 1-1e-9)
	return math.Log(chance / (1 - chance))
}

// chance is what a chance that other projects teach comes to here.
func (r *record) chance(elsewhere float64) float64 {
	return 1 / (1 + math.Exp(-(r.base + (1+r.tilt)*logOdds(elsewhere))))
}

// learn takes the outcome of a question into the record.
func (r *record) learn(o Outcome) {
	for i := range r.curvature {
		r.curvature[i] *= recordFade
	}
	var slope [2]float64
	for i, elsewhere := range o.Chances {
		x, chance, is := logOdds(elsewhere), r.chance(elsewhere), 0.0
		if o.Right[i] {
			is = 1
		}
		slope[0] += is - chance
		slope[1] += (is - chance) * x
		spread := chance * (1 - chance)
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

// Ranked are the first files for a prompt, shown or not, with the chances that other projects
// teach. The receipt of the prompt keeps them until it is known what became of them.
type Ranked struct {
	Form    Form      `json:"form"`
	Files   []string  `json:"files"`
	Chances []float64 `json:"chances"`
}

// Add adds the next file.
func (r *Ranked) Add(path string, a Answer) {
	r.Form, r.Files = a.Form, append(r.Files, path)
	r.Chances = append(r.Chances, math.Round(1e4*a.Elsewhere)/1e4)
}

// Outcome says which of the first answers to a question proved right.
type Outcome struct {
	Ranked
	Right []bool
}

// Judge says which of the files a session opened after the prompt. Nobody can say where it opened
// nothing that it had not opened before.
func (r Ranked) Judge(before, after []string) (o Outcome, judged bool) {
	var opened []string
	for _, f := range after {
		if len(opened) < judgedOpened && !slices.Contains(opened, f) && !slices.Contains(before, f) {
			opened = append(opened, f)
		}
	}
	o.Ranked = r
	for _, f := range r.Files {
		o.Right = append(o.Right, slices.Contains(opened, f))
	}
	known := r.Form >= OpenByWords && r.Form < NumForms && len(r.Files) == len(r.Chances)
	return o, known && len(opened) > 0
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
