package statements

import (
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"sync"
)

// What a text does to work that was put off is judged in three steps: what it is about (a pair of the goal and the text), what it does (asks
// for something, reports it done, drops it, says that something is left, or only talks), and what both say together of a whole turn.

// Act is what a text does.
type Act = Kind

// The acts.
const (
	Asks  Act = "asks"
	Done  Act = "done"
	Drops Act = "drops"
	Left  Act = "left"
	Talks Act = "talks"
)

// Acts are in the order of the model.
var Acts = []Act{Asks, Done, Drops, Left, Talks}

// Concerns is the weights of these judgements, as `hebb-bench said --goals --train` learned them.
type Concerns struct {
	Delays  []string     `json:"delays"`  // words that put something off and say nothing of what it is
	About   JudgeConcern `json:"about"`   // whether a text is about a goal
	Ended   JudgeConcern `json:"ended"`   // whether a turn did it
	Over    JudgeConcern `json:"over"`    // whether the person says that it is done
	Dropped JudgeConcern `json:"dropped"` // whether the person says that it is not wanted
	Acts    *Model       `json:"-"`       // only its kinds
}

// Judge gives the log-odds of something by its features: a sum over them and over a few units that see all of them.
type JudgeConcern struct {
	Sure    float64     `json:"sure"`    // log-odds from which it counts
	Weights []float64   `json:"weights"` // the constant first
	Units   [][]float64 `json:"units"`   // what a unit adds, its constant, and its weight for each feature
}

// Odds are log-odds.
func (j *JudgeConcern) Odds(features []float64) float64 {
	z := j.Weights[0] + weighted(j.Weights[1:], features)
	for _, u := range j.Units {
		z += u[0] * math.Tanh(u[1]+weighted(u[2:], features))
	}
	return z
}

//go:embed concerns.json
var embeddedConcerns []byte

//go:embed acts.bin
var embeddedActs []byte

var concerns = sync.OnceValue(func() *Concerns {
	c := &Concerns{}
	if err := json.Unmarshal(embeddedConcerns, c); err != nil {
		panic(err) // a test reads it
	}
	c.Acts = mustDecode(embeddedActs, Acts)
	c.Acts.Frequent, c.Acts.common = model().Frequent, model().common
	return c
})

// BuiltinConcerns are the judgements that come with the program.
func BuiltinConcerns() *Concerns { return concerns() }

// Goals are what texts are compared with.
type Goals struct {
	model  *Concerns
	titles []*Said
	said   func(text string) *Said
	known  map[string]*Heard
}

// NewGoals prepares goals. Cut gives the words of a text, and say prepares a text with some of them, as NewSaid does.
func (c *Concerns) NewGoals(titles []string, cut func(text string) []string, say func(text string, cut []string) *Said) *Goals {
	g := &Goals{model: c, known: map[string]*Heard{}, said: func(text string) *Said { return say(text, cut(text)) }}
	for _, title := range titles {
		g.titles = append(g.titles, say(title, c.Named(cut(title))))
	}
	return g
}

// Named are words without those that only put something off.
func (c *Concerns) Named(cut []string) []string {
	return slices.DeleteFunc(slices.Clone(cut), func(word string) bool { return slices.Contains(c.Delays, word) })
}

// HearAll judges the sentences of a text up to a number of words: the rest of a long one is mostly pasted, or detail.
func (g *Goals) HearAll(text string) (heard []*Heard) {
	words := 0
	for _, s := range Parse(Prompt{Text: text}).Sentences {
		if words += len(s.words); words > wordsHeard && len(heard) > 0 {
			break
		}
		heard = append(heard, g.Hear(text[s.Start:s.End]))
	}
	return heard
}

const wordsHeard = 120

// Pairs compares a text with the goals.
func (g *Goals) Pairs(text string) []Pair { return Pairs(g.said(text), g.titles) }

// Heard is what a text is about and does: log-odds.
type Heard struct {
	Text  string
	About []float64 // for each goal
	Acts  []float64 // in the order of Acts
}

// far is the log-odds of what is not there, or not close.
const far = -6.0

func within(z float64) float64 { return min(max(z, far), -far) }

// Hear judges a text.
func (g *Goals) Hear(text string) *Heard {
	if h := g.known[text]; h != nil {
		return h
	}
	h := &Heard{Text: text, About: make([]float64, len(g.titles))}
	for i := range h.About {
		h.About[i] = far
	}
	for _, p := range g.Pairs(text) {
		h.About[p.Index] = within(g.model.About.Odds(p.Beside()))
	}
	for _, share := range g.model.Acts.chances(text) {
		h.Acts = append(h.Acts, within(math.Log(share/(1-share))))
	}
	g.known[text] = h
	return h
}

// Meaning is the cosine of the meanings of the two.
func (p *Pair) Meaning() float64 { return p.Features[meaning] }

// Beside are the features of a pair, and how much of what the words of each side tell the other side does not meet.
func (p *Pair) Beside() []float64 {
	const little = 0.02
	unmet := func(sum, share int) float64 {
		return math.Log1p(math.Expm1(p.Features[sum]) * (1/max(p.Features[share], little) - 1))
	}
	return append(slices.Clone(p.Features[:]), unmet(metOlderSum, metOlder), unmet(metNewerSum, metNewer))
}

// Done reports whether a turn surely did a goal: what the person asked, the commits, and the sentences of the closing message.
func (g *Goals) Done(goal int, asked, commits, message []*Heard) bool {
	return g.model.Ended.Odds(TurnFeatures(goal, asked, commits, message)) >= g.model.Ended.Sure
}

// TurnFeatures are of each part of a turn how surely it is about a goal, and of the text that is so most surely how surely it asks, or reports;
// of the message also how surely it says that something is left.
func TurnFeatures(goal int, asked, commits, message []*Heard) []float64 {
	const asks, done, left = 0, 1, 3
	f := []float64{0, far, far, 0, far, 0, far, far, far}
	closest := func(texts []*Heard, at int, act int) {
		for _, h := range texts {
			f[at] = 1
			if h.About[goal] > f[at+1] {
				f[at+1] = h.About[goal]
				if act >= 0 {
					f[at+2] = h.Acts[act]
				}
			}
		}
	}
	closest(asked, 0, asks)
	closest(commits, 3, -1)
	closest(message, 5, done)
	for _, h := range message {
		f[8] = max(f[8], h.Acts[left])
	}
	return f
}

// Over reports whether a person surely says with a sentence that a goal is done, or that it is not wanted any more.
func (g *Goals) Over(goal int, h *Heard) (done, dropped bool) {
	f := OverFeatures(goal, h)
	return g.model.Over.Odds(f) >= g.model.Over.Sure, g.model.Dropped.Odds(f) >= g.model.Dropped.Sure
}

// OverFeatures are how surely a text is about a goal, and what it does.
func OverFeatures(goal int, h *Heard) []float64 { return append([]float64{h.About[goal]}, h.Acts...) }

// chances are how likely a text does each of the acts.
func (m *Model) chances(text string) []float64 {
	z := slices.Clone(m.KindBias)
	for _, f := range OwnFeatures(text, m.Frequent) {
		for k := range z {
			z[k] += f.Value * m.KindStep * float64(int8(m.weights[m.places()+k*KindPlaces+Place(f.Hash, KindPlaces)]))
		}
	}
	sum := 0.0
	for k := range z {
		z[k] = math.Exp(z[k])
		sum += z[k]
	}
	for k := range z {
		z[k] /= sum
	}
	return z
}

// OwnFeatures are the features of the words of a text's sentences, which count together as much as those of one.
func OwnFeatures(text string, frequent map[string]bool) (own []Feature) {
	t := Parse(Prompt{Text: text, Index: 1})
	for i := range t.Sentences {
		t.Features(i, frequent, func(f Feature) {
			if f.Own {
				f.Value /= math.Sqrt(float64(len(t.Sentences)))
				own = append(own, f)
			}
		})
	}
	return own
}
