package recall

// Form is a form of question: what it asks for, and what it is asked with.
type Form int

// The first three ask what a change will touch, the others what a session opens.
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

// spreads says whether spreading helps. What a session opens next is better told by the files it has open themselves
// (docs/benchmarks.md, ablation).
func (f Form) spreads() bool { return f != OpenByBoth && f != OpenByFiles }

// means says whether what files mean helps. What a session opens next is better told by the files it has open
// themselves, here as well.
func (f Form) means() bool { return f != OpenByBoth && f != OpenByFiles }

// byWords says whether words are all there is to go by. Only there the habits of a project have a say.
func (f Form) byWords() bool { return f == ChangeByWords || f == OpenByWords }

// GoName is the form's name in this package, for the weights as source text.
func (f Form) GoName() string {
	return [NumForms]string{"ChangeByWords", "ChangeByBoth", "ChangeByFiles", "OpenByWords", "OpenByBoth", "OpenByFiles"}[f]
}

// Weights say how much each feature counts for each form of question.
type Weights [NumForms]Features

// Mix says how far the weights of a form can be trusted with a question. What a session opens is foreseen by what changes
// touch, the more so the less sessions are known (Mature); and by its files alone, the more so the longer the prompt
// runs on (Clear).
type Mix struct{ Mature, Clear float64 }

// Own is how much of the score the weights of the form itself make.
func (m Mix) Own() float64 { return m.Mature * m.Clear }

// score adds up the shares of all terms.
func (w *Weights) score(f Form, m Mix, x *Features) (sum float64) {
	for t := range numTerms {
		sum += w.share(f, m, t, x)
	}
	return sum
}

// share is what a term adds to the score.
func (w *Weights) share(f Form, m Mix, t Term, x *Features) float64 {
	if f < OpenByWords {
		return dot(&w[f][t], &x[t])
	}
	change, open := dot(&w[f-OpenByWords][t], &x[t]), dot(&w[f][t], &x[t])
	if f == OpenByBoth {
		change = m.Clear*change + (1-m.Clear)*dot(&w[ChangeByFiles][t], &x[t])
		open = m.Clear*open + (1-m.Clear)*dot(&w[OpenByFiles][t], &x[t])
	}
	return (1-m.Mature)*change + m.Mature*open
}

// Score is what weights make of features.
func (w *Weights) Score(f Form, m Mix, x *Features) float64 { return w.score(f, m, x) }

func dot(a, b *[3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
