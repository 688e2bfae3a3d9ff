package goal

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Depth is how long a replay may go on. Pure code has no clock, so a replay is bounded by steps, and by a caller who says that
// its time is over.
type Depth int

const (
	Brief Depth = iota // after a task: a quick look
	Full               // while nobody works
	Deep               // inside a sleep: everything against everything, as far as the steps go
)

func (d Depth) String() string {
	if names := [...]string{"brief", "full", "deep"}; d >= 0 && int(d) < len(names) {
		return names[d]
	}
	return fmt.Sprintf("depth %d", int(d))
}

// Limits bound one replay. A step takes one episode and compares it with the goals; Sessions and Time are the caller's to keep.
type Limits struct {
	Steps    int
	Goals    int // of the highest priority, that each episode is compared with
	Sessions int // latest ones whose episodes are gathered
	Time     time.Duration
	// Strong and Dull are how many strong connections, and how many steps in a row without any connection, end it before its
	// steps are used up; 0: none do.
	Strong, Dull int
}

// Limits are those of a depth. Steps and goals of a brief replay are as designed; the others follow the design's times (1 to 2,
// 5 to 10, 15 to 30 minutes). All sessions of a project find more than its latest 40 (public session traces), but a brief replay
// follows every task and must be cheap. An early result ends a brief and a full replay; a deep one ends only with its steps.
func (d Depth) Limits() Limits {
	switch d {
	case Brief:
		return Limits{Steps: 3, Goals: 5, Sessions: 100, Time: time.Second, Strong: 1, Dull: 3}
	case Full:
		return Limits{Steps: 15, Goals: 5, Sessions: 400, Time: 5 * time.Second, Strong: 1, Dull: 3}
	}
	return Limits{Steps: 45, Goals: 25, Sessions: 400, Time: 15 * time.Second}
}

// Calibrated on public session traces and tables of pairs. With these two steps the threshold rests where two of three
// connections are used.
const (
	ThresholdStart = 0.5 // strength that a connection needs before any feedback
	ThresholdLeast = 0.3 // feedback moves it between these two
	ThresholdMost  = 0.9
	learnUp        = 0.02 // by a wrong connection
	learnDown      = 0.01 // by a used one
	strongAbove    = 0.25 // above the threshold a connection is strong
)

// LearnThreshold moves the threshold after a connection was used or was wrong (a weighted staircase, Kaernbach 1991): wrong ones
// raise it by more than used ones lower it, so that it comes to rest where the steps balance.
func LearnThreshold(threshold float64, used bool) float64 {
	if used {
		return max(threshold-learnDown, ThresholdLeast)
	}
	return min(threshold+learnUp, ThresholdMost)
}

// Material is what a replay thinks about.
type Material struct {
	Episodes []Episode
	Goals    []memory.Goal
	Now      time.Time
	// Cosine compares the meaning of an episode with that of a goal, and says whether both have one. It may be nil.
	Cosine func(e Episode, g memory.Goal) (float64, bool)
	// Communities are the parts of the graph that episodes belong to, in their order; negative: none is known. It is asked once,
	// for those that may come to mind, and may be nil.
	Communities func(episodes []Episode) []int
	// Surfaced says when a thought was last shown, by the keys of its connection.
	Surfaced map[string]time.Time
	// RepeatAfter is how long a thought that was shown is not shown again.
	RepeatAfter time.Duration
	Threshold   float64 // strength that a connection needs; 0 is ThresholdStart
	// Enough says that the time for thinking is over. It belongs to the caller, who has a clock; it may be nil.
	Enough func() bool
}

// Connection is what a replay found.
type Connection struct {
	Episode  Episode     `json:"episode"`
	Goal     memory.Goal `json:"goal"`
	Strength float64     `json:"strength"` // 0 to 1
	Worth    float64     `json:"worth"`    // the strength times the priority of the goal
	Strong   bool        `json:"strong"`   // worth a note of its own
	Why      string      `json:"why"`
	// Keys name the thought, to be kept with the time when it is shown: the episode, and the goal with what they share,
	// so that another episode that says the same is not shown either.
	Keys []string `json:"keys"`
}

// Compared is one goal that an episode was held against.
type Compared struct {
	Goal     memory.GoalID `json:"goal"`
	Title    string        `json:"title"`
	Words    float64       `json:"words"`            // likeness of the concepts
	Cosine   *float64      `json:"cosine,omitempty"` // of the meanings; nil where it is not known
	Strength float64       `json:"strength"`         // both together
	Shared   []string      `json:"shared,omitempty"` // words and files of both, the most telling first
	Outcome  Outcome       `json:"outcome"`
}

// Outcome is what came of comparing an episode with a goal.
type Outcome string

const (
	TooWeak         Outcome = "too weak"
	Connected       Outcome = "connected"
	StrongConnected Outcome = "strong connection"
	ShownLately     Outcome = "shown lately"
)

// Step is one episode that came to mind and what became of it.
type Step struct {
	Episode   Episode    `json:"episode"`
	Compared  []Compared `json:"compared"` // the strongest first
	Connected int        `json:"connected"`
}

// Train is a train of thought.
type Train struct {
	Steps       []Step       `json:"steps"`
	Connections []Connection `json:"connections"` // worth most first
	Threshold   float64      `json:"threshold"`   // that held
	Rested      int          `json:"rested"`      // episodes left alone because they were shown lately
	Ended       string       `json:"ended"`       // why it ended
}

// Replay lets episodes come to mind and holds each against the goals that matter most. What comes to mind is drawn: the
// later and the nearer to a goal, the likelier; each part of the graph that had its turn less. The same seed gives the same
// train. Goals that incubate are thought of like active ones; blocked ones too, at the end of the order. No goal is held against
// what the session that it came from lived through.
func Replay(m Material, random *rand.Rand, limits Limits) Train {
	train := Train{Threshold: cmp.Or(m.Threshold, ThresholdStart)}
	ranked := Order(m.Goals, m.Now)
	ranked = ranked[:min(len(ranked), max(limits.Goals, 0))]
	switch {
	case len(ranked) == 0:
		train.Ended = "there is no goal to think of"
		return train
	case len(m.Episodes) == 0:
		train.Ended = "there is nothing to think back to"
		return train
	}
	table := newTable(m.Episodes, ranked)
	shown := m.shown()
	pool := pool(m, table, shown, limits.Steps, &train)
	visits := map[int]int{}
	dull, strong := 0, 0
	for train.Ended == "" {
		if len(train.Steps) >= limits.Steps {
			train.Ended = fmt.Sprintf("its %s are used up", times(limits.Steps, "step"))
			break
		}
		if m.Enough != nil && m.Enough() {
			train.Ended = "its time is over"
			break
		}
		i := draw(pool, visits, random)
		if i < 0 {
			train.Ended = "nothing else comes to mind"
			break
		}
		at := pool[i].episode
		visits[pool[i].community]++
		pool = slices.Delete(pool, i, i+1)
		step, found := step(m, table, at, ranked, shown, train.Threshold)
		train.Steps = append(train.Steps, step)
		train.Connections = append(train.Connections, found...)
		dull++
		for _, c := range found {
			dull = 0
			if c.Strong {
				strong++
			}
		}
		switch {
		case limits.Strong > 0 && strong >= limits.Strong:
			train.Ended = "a strong connection is worth acting on"
		case limits.Dull > 0 && dull >= limits.Dull:
			train.Ended = fmt.Sprintf("%s in a row without a connection", times(dull, "step"))
		}
	}
	// On the public session traces the connection of most worth points to files of the next session more often than the
	// strongest one does.
	slices.SortFunc(train.Connections, func(a, b Connection) int {
		return cmp.Or(
			cmp.Compare(b.Worth, a.Worth), cmp.Compare(b.Strength, a.Strength), b.Episode.At.Compare(a.Episode.At),
			cmp.Compare(a.Episode.ID, b.Episode.ID), cmp.Compare(a.Goal.ID, b.Goal.ID),
		)
	})
	return train
}

// shown are the keys of what was shown so lately that it must rest.
func (m Material) shown() map[string]bool {
	keys := map[string]bool{}
	for key, at := range m.Surfaced {
		if m.Now.Sub(at) < m.RepeatAfter {
			keys[key] = true
		}
	}
	return keys
}

// thought is an episode that may come to mind.
type thought struct {
	episode   int
	pull      float64
	community int // negative: none is known
}

const (
	poolLatest      = 50      // latest episodes that may be drawn: a week of work
	poolNear        = 50      // and as many of any age, nearest to a goal
	episodeTau      = 7 * day // after which an episode is drawn 1/e times as often, as recencyTau
	oldShare        = 0.05    // of that which is left at any age: an incubating goal may need what is long ago
	temperature     = 0.7     // of the draw, as designed: lower prefers what is near to a goal
	communityFactor = 0.5     // left of the chance of a part of the graph by one visit
)

// pool are the episodes that may come to mind: the latest, and those of any age whose words are nearest to a goal. What an
// incubating goal needs may be long ago. There are no fewer of either than a long replay has steps.
func pool(m Material, table *table, shown map[string]bool, steps int, train *Train) []thought {
	near := table.nearest()
	latest := make([]int, 0, len(m.Episodes))
	for i, e := range m.Episodes {
		if shown[e.ID] {
			train.Rested++
			continue
		}
		latest = append(latest, i)
	}
	slices.SortFunc(latest, func(a, b int) int {
		return cmp.Or(m.Episodes[b].At.Compare(m.Episodes[a].At), cmp.Compare(m.Episodes[a].ID, m.Episodes[b].ID))
	})
	nearest := slices.DeleteFunc(slices.Clone(latest), func(i int) bool { return near[i] == 0 })
	slices.SortStableFunc(nearest, func(a, b int) int { return cmp.Compare(near[b], near[a]) })
	var pool []thought
	var candidates []Episode
	for _, i := range union(latest[:min(len(latest), max(poolLatest, steps))], nearest[:min(len(nearest), max(poolNear, steps))]) {
		// A softmax over nearness, in units of what makes a full likeness of words, times how fresh it is.
		pull := math.Exp(min(near[i]/wordsFull, 1)/temperature) * max(faded(m.Now.Sub(m.Episodes[i].At), episodeTau), oldShare)
		pool = append(pool, thought{episode: i, pull: pull, community: -1})
		candidates = append(candidates, m.Episodes[i])
	}
	if m.Communities != nil {
		for i, community := range m.Communities(candidates) {
			pool[i].community = community
		}
	}
	return pool
}

// draw picks a thought at random by its pull, which each earlier visit of its part of the graph has lessened; -1: none is left.
func draw(pool []thought, visits map[int]int, random *rand.Rand) int {
	sum := 0.0
	pulls := make([]float64, len(pool))
	for i, t := range pool {
		pulls[i] = t.pull
		if t.community >= 0 {
			pulls[i] *= math.Pow(communityFactor, float64(visits[t.community]))
		}
		sum += pulls[i]
	}
	if len(pool) == 0 {
		return -1
	}
	left := random.Float64() * sum
	for i, p := range pulls {
		if left -= p; left < 0 {
			return i
		}
	}
	return len(pool) - 1
}

// step holds one episode against the goals.
func step(
	m Material, table *table, at int, ranked []Ranked, shown map[string]bool, threshold float64,
) (Step, []Connection) {
	e := m.Episodes[at]
	step := Step{Episode: e}
	var found []Connection
	for i, g := range ranked {
		if e.own(g.Goal) || e.restates(g.Goal) {
			continue
		}
		c := Compared{Goal: g.Goal.ID, Title: g.Goal.Title, Outcome: TooWeak}
		c.Words, c.Shared = table.compare(at, i)
		if m.Cosine != nil {
			if cosine, known := m.Cosine(e, g.Goal); known && !math.IsNaN(cosine) {
				c.Cosine = &cosine
			}
		}
		c.Strength = strength(c.Words, c.Cosine)
		if c.Strength >= threshold {
			keys := []string{e.ID}
			if len(c.Shared) > 0 {
				keys = append(keys, string(g.Goal.ID)+" "+strings.Join(c.Shared, " "))
			}
			if shown[keys[len(keys)-1]] {
				c.Outcome = ShownLately
			} else {
				strong := c.Strength >= threshold+strongAbove
				found = append(found, Connection{
					Episode: e, Goal: g.Goal, Strength: c.Strength, Worth: c.Strength * g.Priority.Score, Strong: strong,
					Why: why(c, e.Text), Keys: keys,
				})
				if c.Outcome = Connected; strong {
					c.Outcome = StrongConnected
				}
				if len(keys) > 1 { // the same thought must not come twice in one train either
					shown[keys[1]] = true
				}
			}
		}
		step.Compared = append(step.Compared, c)
	}
	slices.SortStableFunc(step.Compared, func(a, b Compared) int { return cmp.Compare(b.Strength, a.Strength) })
	step.Connected = len(found)
	return step, found
}

// Calibrated on public session traces and tables of pairs.
const (
	wordsFull   = 0.25 // word similarity that counts fully: one pair of episode and goal in a thousand has it
	cosineNone  = 0.5  // counts nothing: any two texts of a project have it
	cosineFull  = 0.9  // counts fully
	weightWords = 0.8  // of words where embeddings are known
)

// strength joins the likeness of words and the cosine of meanings, each as its share of what counts as whole. Without a
// cosine words stand alone. A near meaning without a shared word counts only by its own part.
func strength(words float64, cosine *float64) float64 {
	byWords := unit(words / wordsFull)
	if cosine == nil {
		return byWords
	}
	byMeaning := unit((*cosine - cosineNone) / (cosineFull - cosineNone))
	return weightWords*byWords + (1-weightWords)*byMeaning
}

// own reports whether a goal came from the session of the episode. Both then say the same in the same words, which is no news.
func (e Episode) own(g memory.Goal) bool { return e.Session != 0 && e.Session == g.From }

// restates reports whether an episode only says the goal once more: most of the goal's words are among its own, and few others.
func (e Episode) restates(g memory.Goal) bool {
	wanted, said := plainWords(g.Title), plainWords(e.Text)
	repeated := 0
	for _, w := range wanted {
		if slices.Contains(said, w) {
			repeated++
		}
	}
	return repeated > 0 && repeated*3 >= len(wanted)*2 && len(said)-repeated <= repeated
}

// whyWords is how many shared words a reason names.
const whyWords = 5

func why(c Compared, text string) string {
	var parts []string
	if len(c.Shared) > 0 {
		var words []string
		for _, w := range c.Shared[:min(len(c.Shared), whyWords)] {
			words = append(words, spoken(w, c.Title+" "+text))
		}
		parts = append(parts, "both speak of "+strings.Join(words, ", "))
	}
	if c.Cosine != nil {
		parts = append(parts, fmt.Sprintf("alike in meaning (%.2f)", *c.Cosine))
	}
	return strings.Join(parts, "; ")
}

// spoken is a term as it was said, because terms may have lost their endings: the shortest word that begins with it.
func spoken(term, text string) string {
	best := ""
	for _, w := range plainWords(text) {
		if strings.HasPrefix(w, term) && (best == "" || len(w) < len(best)) {
			best = w
		}
	}
	return cmp.Or(best, term)
}
