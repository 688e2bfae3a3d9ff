package recall

import (
	"math"
	"math/bits"
	"path"
	"slices"
	"strings"
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
	stem := stem(Stem(f.Path))
	return Clues{
		Context: float64(bits.OnesCount64(known)) / float64(len(words)),
		Path:    float64(bits.OnesCount64(inPath)) / float64(len(words)),
		Stem:    len(stem) >= shortestStem && slices.Contains(words, WordOf(stem)),
		Kind:    KindOf(f.Path),
	}
}

// shortestStem keeps short names from matching by chance.
const shortestStem = 4
