package texts

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/tuning"
)

// Source is where part of a score comes from.
type Source int

const (
	Words     Source = iota // the words of the text itself
	WordsNear               // with those of its neighbours in the session
	Meaning                 // cosine of the text
	Context                 // the best of its session, or of what is said of the same file
	Graph                   // about a file predicted for the question
	Phrase                  // words that stand side by side as they do in the question
	Path                    // words of the path of its file
	Title                   // words in the subject or title
	When                    // how well its time fits (see Period.Fit); leave it out where no time is asked for
	Sources                 // how many there are
)

var sourceNames = [Sources]string{"words", "words near", "meaning", "context", "graph", "phrase", "path", "title", "when"}

func (s Source) String() string {
	if s < 0 || s >= Sources {
		return fmt.Sprintf("source %d", int(s))
	}
	return sourceNames[s]
}

// MarshalText names a source in JSON.
func (s Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Scores are what each source gives a candidate, in the source's own measure. NaN: the source does not know this one (a
// text without a vector yet).
type Scores [Sources]float64

// Candidate is something that may answer a question.
type Candidate struct {
	ID         int64
	Scores     Scores
	Importance float64
	At         time.Time // when it was said
	Unsure     bool
	Past       bool // superseded, archived or expired
}

// Share is what one source gives to a result.
type Share struct {
	Source Source  `json:"source"`
	Score  float64 `json:"score"` // in the source's own measure
	Share  float64 `json:"share"` // of the result's sum
}

// Result is a candidate in its place, with the reasons. Score = Σ Share × Factor × Recency.
type Result struct {
	Candidate
	Score   float64
	Shares  []Share // largest first
	Factor  float64 // below 1 for what is in doubt or past
	Recency float64 // 1 and up
}

// Sum is the sum of the shares, before age and doubt reduce it.
func (r Result) Sum() (sum float64) {
	for _, s := range r.Shares {
		sum += s.Share
	}
	return sum
}

// Fuse orders candidates by the weighted sum of their scores, each divided by the largest its source gives; negative ones
// count as nothing. A source that gives nothing to anybody drops out, as does one that does not know a candidate, and the
// others make up for it. Normalised sums rank; they are no confidences. Importance only breaks ties, then the later,
// then the larger ID. history says that the past is asked for.
func Fuse(candidates []Candidate, t tuning.Weights, history bool, now time.Time) []Result {
	most, weights := scale(candidates, t)
	results, order := make([]Result, len(candidates)), make([]int, len(candidates))
	var room []Share // one piece of memory for many
	for i, c := range candidates {
		if cap(room)-len(room) < int(Sources) {
			room = make([]Share, 0, 32*int(Sources))
		}
		from := len(room)
		results[i], order[i] = score(c, most, weights, history, now, room[from:]), i
		room = room[:from+len(results[i].Shares)]
		results[i].Shares = slices.Clip(results[i].Shares)
	}
	slices.SortFunc(order, func(i, j int) int { // numbers: results are large
		a, b := &results[i], &results[j]
		return cmp.Or(
			cmp.Compare(b.Score, a.Score),
			cmp.Compare(b.Importance, a.Importance),
			b.At.Compare(a.At),
			cmp.Compare(b.ID, a.ID),
		)
	})
	sorted := make([]Result, len(results))
	for place, i := range order {
		sorted[place] = results[i]
	}
	return sorted
}

// scale is the largest score of each source, and the weights of those that gave any.
func scale(candidates []Candidate, t tuning.Weights) (most, weights Scores) {
	for _, c := range candidates {
		for s, score := range c.Scores {
			most[s] = max(most[s], finite(score))
		}
	}
	weights = Scores{
		Words: t.WeightWords, WordsNear: t.WeightWordsNear, Meaning: t.WeightMeaning, Context: t.WeightContext,
		Graph: t.WeightGraph, Phrase: t.WeightPhrase, Path: t.WeightPath, Title: t.WeightTitle, When: t.WeightTime,
	}
	for s := range weights {
		if most[s] == 0 {
			weights[s] = 0
		}
	}
	return most, weights
}

// finite is a score that can be added: no less than 0, and 0 if it is no number.
func finite(score float64) float64 {
	if !(score > 0) || math.IsInf(score, 0) {
		return 0
	}
	return score
}

const (
	unsureFactor     = 0.7  // of a text whose code has changed since; a guess
	supersededFactor = 0.4  // of what was superseded or archived, unless the past is asked for; a guess
	recencyGain      = 0.05 // the design has 0.5, which buried old facts
	recencyHalf      = 48 * time.Hour
)

func score(c Candidate, most, weights Scores, history bool, now time.Time, shares []Share) Result {
	result := Result{Candidate: c, Factor: 1, Recency: Recency(now.Sub(c.At))}
	total := 0.0
	for s, w := range weights {
		if !math.IsNaN(c.Scores[s]) {
			total += w
		}
	}
	sum := 0.0
	for s, w := range weights {
		if score := finite(c.Scores[s]); score > 0 && w > 0 {
			share := w / total * (score / most[s])
			sum += share
			shares = append(shares, Share{Source(s), score, share})
		}
	}
	if len(shares) > 0 {
		slices.SortStableFunc(shares, func(a, b Share) int { return cmp.Compare(b.Share, a.Share) })
		result.Shares = shares
	}
	if c.Unsure {
		result.Factor *= unsureFactor
	}
	if c.Past && !history {
		result.Factor *= supersededFactor
	}
	result.Score = sum * result.Factor * result.Recency
	return result
}

// Recency is what having been said lately multiplies a score by. 1.05 at once, 1.025 after two days.
func Recency(age time.Duration) float64 {
	return 1 + recencyGain*math.Exp2(-max(age.Hours(), 0)/recencyHalf.Hours())
}

// Agrees reports whether the words of a candidate or its meaning answer a question: it shares a word, or its cosine is at least nearLeast.
// That it is about a predicted file is no such evidence.
func Agrees(scores Scores, nearLeast float64) bool {
	for _, source := range [...]Source{Words, WordsNear, Title, Path} {
		if finite(scores[source]) > 0 {
			return true
		}
	}
	return finite(scores[Meaning]) >= nearLeast
}
