package recall

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Form is a form of question: what it asks for, and what it is asked with.
type Form int

// The first three ask what a change will touch, the others what a session opens. Receipts keep these.
const (
	ChangeByWords Form = iota
	ChangeByBoth
	ChangeByFiles
	OpenByWords
	OpenByBoth
	OpenByFiles
	NumForms
)

// FormOf is the form of a question.
func FormOf(words, open, inSession bool) Form {
	f := ChangeByWords
	switch {
	case words && open:
		f = ChangeByBoth
	case open:
		f = ChangeByFiles
	}
	if inSession {
		f += OpenByWords
	}
	return f
}

// reaches says whether spreading, and what files mean, helps. What a session opens next is better predicted by the files it has open
// themselves (docs/benchmarks.md, what each mechanism is worth).
func (f Form) reaches() bool { return f != OpenByBoth && f != OpenByFiles }

// byWords says whether words are all there is to go by. Only there the habits of a project have a say.
func (f Form) byWords() bool { return f == ChangeByWords || f == OpenByWords }

var formNames = [NumForms]string{"change by words", "change by both", "change by files", "open by words", "open by both", "open by files"}

// String is the form's name, as in the files of learned weights.
func (f Form) String() string { return formNames[f] }

// Weights say how much each feature counts for each form of question.
type Weights [NumForms]Features

// Mix says how far the weights of a form can be trusted with a question. What a session opens is predicted by what changes
// touch, the more so the less sessions are known (Mature); and by its files alone, the more so the longer the prompt
// runs on (Clear).
type Mix struct{ Mature, Clear float64 }

// Own is how much of the score the weights of the form itself make.
func (m Mix) Own() float64 { return m.Mature * m.Clear }

// Score is the score of a file with these features.
func (w *Weights) Score(f Form, m Mix, x *Features) float64 {
	mixed := w.mixed(f, m)
	return mixed.product(x)
}

// mixed are the weights of a form as far as they are trusted, and of the forms that stand in for it.
func (w *Weights) mixed(f Form, m Mix) (sum Features) {
	if f < OpenByWords {
		return w[f]
	}
	add := func(part Form, share float64) {
		for t := range sum {
			for k, x := range w[part][t] {
				sum[t][k] += share * x
			}
		}
	}
	add(f-OpenByWords, (1-m.Mature)*m.Clear)
	add(f, m.Mature*m.Clear)
	if m.Clear < 1 { // both: the files alone have the rest
		add(ChangeByFiles, (1-m.Mature)*(1-m.Clear))
		add(OpenByFiles, m.Mature*(1-m.Clear))
	}
	return sum
}

// product adds up the shares of all terms.
func (w *Features) product(x *Features) (sum float64) {
	for t := range w {
		sum += dot(&w[t], &x[t])
	}
	return sum
}

func dot(a, b *[3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// Learned are weights as hebb-bench fit learns them, with the chances that their scores stand for.
type Learned struct {
	Weights      Weights
	Calibrations [NumForms]Calibration
}

// ParseLearned reads a file of hebb-bench fit: a row for each form and term, with the weights of its place, its figure and its figure
// against the best, and a row "chance" for each form, with its calibration. Lines that begin with # are comments.
func ParseLearned(text string) (*Learned, error) {
	l := &Learned{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 5 {
			return nil, fmt.Errorf("learned weights: %q: %w", line, memory.ErrDamaged)
		}
		form := slices.Index(formNames[:], fields[0])
		term, isTerm := TermNamed(fields[1])
		var x [3]float64
		var err error
		for i, figure := range fields[2:] {
			var failed error
			x[i], failed = strconv.ParseFloat(figure, 64)
			err = errors.Join(err, failed)
		}
		switch {
		case err != nil || form < 0 || !isTerm && fields[1] != "chance":
			return nil, fmt.Errorf("learned weights: %q: %w", line, memory.ErrDamaged)
		case isTerm:
			l.Weights[form][term] = x
		default:
			l.Calibrations[form] = Calibration{Base: x[0], Score: x[1], Share: x[2]}
		}
	}
	return l, nil
}

//go:embed learned.tsv
var learnedText string

//go:embed learned_meaning.tsv
var learnedMeaningText string

// What the texts of files weigh was learned apart, from histories whose work trees are known, beside the other weights as they are. Its
// rows "chance" say how much they add to a score on average: by the words of the question, and by its open files.
//
//go:embed learned_contents.tsv
var learnedContentsText string

var learnedContents = sync.OnceValue(func() *Learned { return mustParse(learnedContentsText) })

var (
	learned        = sync.OnceValue(func() *Learned { return mustParse(learnedText).complete() })
	learnedMeaning = sync.OnceValue(func() *Learned { return mustParse(learnedMeaningText).complete() }) // where files have vectors
)

// Shipped are the weights that are part of the program.
func Shipped(meaning bool) *Learned {
	if meaning {
		return learnedMeaning()
	}
	return learned()
}

func mustParse(text string) *Learned {
	l, err := ParseLearned(text)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return l
}

// complete adds the weights of texts to the others, and those of searches to the forms that stand in for a session's: what a session was
// shown says as much where few sessions are known.
func (l *Learned) complete() *Learned {
	for form := range l.Weights {
		for _, t := range []Term{Contents, Akin} {
			l.Weights[form][t] = learnedContents().Weights[form][t]
		}
	}
	for _, form := range []Form{ChangeByBoth, ChangeByFiles} {
		l.Weights[form][Listed] = l.Weights[form+OpenByWords][Listed]
	}
	return l
}

// likelihood is the chance that an answer is right, learned from what became of answers with such scores: sure scores
// alone tell less than sure scores ahead of the rest.
func (c Calibration) likelihood(score, share float64) float64 {
	return 1 / (1 + math.Exp(-(c.Base + c.Score*score + c.Share*math.Log(max(share, 1e-9)))))
}

// Calibration turns scores of one form of question into chances.
type Calibration struct{ Base, Score, Share float64 }

// Features of a file are three for each term, all 0 to 1: its place in the list of that term, its figure, and its
// figure against the best.
type Features [numTerms][3]float64
