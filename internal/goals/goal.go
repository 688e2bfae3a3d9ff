package goals

// A goal that is made up is worse than one that is missed, because it comes back at every start of a session: wherever
// words are read, precision comes first.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Priority is how much a goal wants attention, with the four factors it is the product of.
type Priority struct {
	Score        float64 `json:"score"`
	Recency      float64 `json:"recency"`      // 0 to 1
	Mention      float64 `json:"mention"`      // 1 to 3
	Tractability float64 `json:"tractability"` // 0 to 1
	Connections  float64 `json:"connections"`  // 1 and up
	// Reasons say each factor in words, in this order.
	Reasons []string `json:"reasons"`
}

// Ranked is a goal in its place.
type Ranked struct {
	Goal     memory.Goal `json:"goal"`
	Priority Priority    `json:"priority"`
}

const day = 24 * time.Hour

// The four factors of a priority are those of the algorithms of the default mode network in the design.
const (
	recencyTau     = 7 * day        // without work, after which 1/e is left
	mentionTau     = 24 * time.Hour // after which 1/e is left of what a mention added
	mentionGain    = 2.0            // added to 1 by a mention
	connectionGain = 0.1            // added to 1 by each active goal that shares a link
)

// Recency is what the time since a goal was last worked on leaves of it: e^(-days/tau). Tau is not a half-life: with 7 days
// a goal has 0.3679 after a week and is halved after 4.85 days.
func Recency(age time.Duration) float64 { return faded(age, recencyTau) }

// Mention is what being spoken of by a person multiplies a goal by: 1 + 2·e^(-hours/tau). With 24 hours: 3 at once, 1.7358
// after a day, 1.0018 after a week.
func Mention(age time.Duration) float64 {
	return 1 + mentionGain*faded(age, mentionTau)
}

// faded is e^(-age/tau). A clock that was turned back makes nothing younger than now.
func faded(age, tau time.Duration) float64 { return math.Exp(-max(age.Hours(), 0) / tau.Hours()) }

// PriorityOf is recency × mention × tractability × connections. connected is how many active goals share a link with this
// one. A blocked goal has none, whatever its tractability says.
func PriorityOf(g memory.Goal, connected int, now time.Time) Priority {
	worked, deed := g.TouchedAt, "worked on "
	if worked.IsZero() {
		worked, deed = g.CreatedAt, "stated "
	}
	p := Priority{
		Recency: Recency(now.Sub(worked)), Mention: 1, Tractability: min(max(g.Tractability, 0), 1),
		Connections: 1 + connectionGain*float64(max(connected, 0)),
	}
	mentioned := "never mentioned by a person"
	if !g.MentionedAt.IsZero() {
		p.Mention = Mention(now.Sub(g.MentionedAt))
		mentioned = "mentioned " + ago(now.Sub(g.MentionedAt))
	}
	alone := "an agent can do it alone"
	switch {
	case g.Status == memory.GoalBlocked:
		p.Tractability, alone = 0, "blocked"
	case p.Tractability == 0:
		alone = "nothing can be done about it now"
	case p.Tractability <= 0.2: // the steps of tractability are the design's
		alone = "needs answers of a person"
	case p.Tractability < 1:
		alone = "may need a review"
	}
	company := prose.Count(connected, "active goal shares a link", "active goals share a link")
	if connected == 0 {
		company = "no active goal shares a link"
	}
	p.Score = p.Recency * p.Mention * p.Tractability * p.Connections
	p.Reasons = []string{
		fmt.Sprintf("recency %.2f: %s%s", p.Recency, deed, ago(now.Sub(worked))),
		fmt.Sprintf("mention %.2f: %s", p.Mention, mentioned),
		fmt.Sprintf("tractability %.2f: %s", p.Tractability, alone),
		fmt.Sprintf("connections %.2f: %s", p.Connections, company),
	}
	return p
}

// ago says an age in words, rounded down.
func ago(age time.Duration) string {
	switch {
	case age < time.Minute:
		return "just now"
	case age < time.Hour:
		return prose.Count(int(age/time.Minute), "minute", "minutes") + " ago"
	case age < 2*day:
		return prose.Count(int(age/time.Hour), "hour", "hours") + " ago"
	}
	return prose.Count(int(age/day), "day", "days") + " ago"
}

// Order ranks the goals that are still a concern, the person's before those of agents. Ties go to the goal that was mentioned last, then to the one that was
// stated first, then to the smaller ID, so that the order never depends on that of the input.
func Order(goals []memory.Goal, now time.Time) []Ranked {
	var ranked []Ranked
	connected := connections(goals)
	for _, g := range goals {
		if g.Status.Open() {
			ranked = append(ranked, Ranked{g, PriorityOf(g, connected[g.ID], now)})
		}
	}
	slices.SortFunc(ranked, func(a, b Ranked) int {
		return cmp.Or(
			cmp.Compare(a.Goal.Origin.Tier(), b.Goal.Origin.Tier()),
			cmp.Compare(b.Priority.Score, a.Priority.Score),
			b.Goal.MentionedAt.Compare(a.Goal.MentionedAt),
			a.Goal.CreatedAt.Compare(b.Goal.CreatedAt),
			cmp.Compare(a.Goal.ID, b.Goal.ID),
		)
	})
	return ranked
}

// Direct keeps what can be suggested as the next thing to do: an active goal that can be moved. What incubates is left
// alone on purpose, and what is blocked waits for others.
func Direct(ranked []Ranked) []Ranked {
	var direct []Ranked
	for _, g := range ranked {
		if g.Goal.Status == memory.GoalActive && g.Priority.Score > 0 {
			direct = append(direct, g)
		}
	}
	return direct
}

// OnlyHeard reports whether a goal was taken from a sentence of the person and nobody has spoken of it since. It is not shown: of 14 lines about
// such goals that a replay of real sessions showed, readers found 13 false.
func OnlyHeard(g memory.Goal) bool { return Heard(g) && !g.MentionedAt.After(g.CreatedAt) }

// Heard reports whether a goal was taken from a sentence of the person.
func Heard(g memory.Goal) bool { return g.Kind == memory.GoalNext && len(g.Links.Crystals) > 0 }

// OnlyLeft reports whether a goal is a step that an agent left in a session, and that nobody has spoken of since.
func OnlyLeft(g memory.Goal) bool {
	return g.Kind == memory.GoalNext && g.Origin == memory.OriginAgent && g.From != 0 && g.MentionedAt.IsZero()
}

// connections counts, for each goal, the other active goals that share a link: a file, or a memory that both were made of.
func connections(goals []memory.Goal) map[memory.GoalID]int {
	counts := map[memory.GoalID]int{}
	for i, g := range goals {
		for j, other := range goals {
			if i != j && other.Status == memory.GoalActive && (overlap(g.Links.Files, other.Links.Files) || overlap(g.Links.Crystals, other.Links.Crystals)) {
				counts[g.ID]++
			}
		}
	}
	return counts
}

func overlap[T comparable](a, b []T) bool {
	return slices.ContainsFunc(a, func(x T) bool { return slices.Contains(b, x) })
}

// titleMost is one line on a terminal, in characters.
const titleMost = 100

// Title makes the words of a person the title of a goal: one line without blanks around it. What is empty or too long is
// refused, because half a title would be another goal.
func Title(text string) (string, error) {
	title := prose.OneLine(text)
	switch n := utf8.RuneCountInString(title); {
	case title == "":
		return "", fmt.Errorf("title of a goal: it is empty; say in a few words what is wanted: %w", memory.ErrInvalid)
	case n > titleMost:
		return "", fmt.Errorf("title of a goal %q: %d characters, at most %d fit; keep the rest as its text: %w",
			prose.Shorten(title, titleMost/2), n, titleMost, memory.ErrInvalid)
	}
	return title, nil
}
