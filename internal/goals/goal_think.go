package goals

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Episode is a part of a session that is worth thinking of again.
type Episode struct {
	// ID is that of the first event, so that cutting a session again, when it has gone on, gives the same.
	ID       string           `json:"id"`
	At       time.Time        `json:"at"`   // of its last event
	Text     string           `json:"text"` // one line that says what it was
	Concepts []memory.Concept `json:"concepts"`
	Files    []string         `json:"files,omitempty"`
	// Session is the one it was lived in: a goal that came from it says the same. 0: none.
	Session memory.SessionID `json:"session,omitzero"`
}

// Pause ends an episode, as session.idle_after ends a session.
const Pause = 15 * time.Minute

// Worktime is how long somebody worked, by the times of what was done in their order: a pause counts nothing.
func Worktime(times []time.Time) (spent time.Duration) {
	for i := 1; i < len(times); i++ {
		if gap := times[i].Sub(times[i-1]); gap > 0 && gap <= Pause {
			spent += gap
		}
	}
	return spent
}

const (
	exchangeTurns   = 5   // turns on one topic above which it is an exchange, as designed
	topicWords      = 3   // terms that a prompt must have to be about something of its own
	topicShare      = 0.1 // of these that must be known from the topic; calibrated on public session traces
	episodeConcepts = 16  // words an episode is compared by; calibrated likewise
	episodeLength   = 160 // characters of its line: two lines on a terminal
)

// Cut finds the episodes in the events of one session, which are in the order of time. Talk and work on one topic is one when it took
// more than five turns and touched a file; a call that changed a file counts as a turn. A pause ends it, and so does a prompt that
// shares too few words with what was said and done before. A file that was read at length is none: on the public session traces
// such files were of use no more often than chance. What was noted by hand is one of its own.
func Cut(events []memory.Event, terms Terms) (episodes []Episode) {
	var topic []memory.Event
	var words []string
	text, turns := "", 0 // the prompt that says most names it
	end := func() {
		if turns > exchangeTurns {
			if e := NewEpisode(text, terms, topic...); len(e.Files) > 0 {
				episodes = append(episodes, e)
			}
		}
		topic, words, text, turns = nil, nil, "", 0
	}
	for i, e := range events {
		if i > 0 && e.At.Sub(events[i-1].At) > Pause {
			end()
		}
		if e.Kind == memory.Recorded && e.Text != "" {
			episodes = append(episodes, NewEpisode(e.Text, terms, e))
		}
		asked := e.Kind == memory.Prompted
		if !asked && len(topic) == 0 {
			continue // work that nobody asked for has no topic
		}
		var said []string
		if asked || e.Kind == memory.TurnEnded {
			said = terms(e.Text)
		}
		known := slices.DeleteFunc(slices.Clone(said), func(w string) bool { return !slices.Contains(words, w) })
		if asked && len(said) >= topicWords && float64(len(known)) < topicShare*float64(len(said)) {
			end()
		}
		if asked && len(said) > len(terms(text)) {
			text = e.Text
		}
		changed := slices.ContainsFunc(e.Touches, func(t memory.Touch) bool { return t.Kind == memory.Edit })
		if asked || e.Kind == memory.TurnEnded || e.Kind == memory.ToolUsed && changed {
			turns++
		}
		for _, path := range paths(e) {
			said = append(said, terms(path)...)
		}
		topic, words = append(topic, e), append(words, said...)
	}
	end()
	return episodes
}

// NewEpisode makes an episode of its events. It is about the words of what was said and of the files; an agent's report is long, and repeats both.
func NewEpisode(text string, terms Terms, of ...memory.Event) Episode {
	e := Episode{ID: string(of[0].ID), At: of[len(of)-1].At, Text: prose.Shorten(prose.OneLine(text), episodeLength)}
	var words []string
	for _, x := range of {
		if x.Kind != memory.TurnEnded {
			words = append(words, terms(x.Text)...)
		}
		for _, path := range paths(x) {
			words = append(words, terms(path)...)
		}
		e.Files = Union(e.Files, paths(x)...)
	}
	e.Concepts = Concepts(words, episodeConcepts)
	return e
}

func paths(e memory.Event) (paths []string) {
	for _, t := range e.Touches {
		paths = append(paths, t.Path)
	}
	return paths
}

// Connection is an episode that may help with a goal.
type Connection struct {
	Number   int64       `json:"number,omitempty"` // under which it is kept
	Goal     memory.Goal `json:"goal"`
	Episode  Episode     `json:"episode"`
	Strength float64     `json:"strength"` // 0 to 1
	Why      string      `json:"why"`
}

const (
	comparedGoals = 5    // of the highest priority, as designed; with 25 fewer connections are right
	bar           = 0.15 // strength that a connection needs; measured by hebb-bench goals
	sharedLeast   = 2    // words or files: one word in common is chance
	whyNames      = 5    // shared words that a reason names
	whyFiles      = 2    // files that it names
)

// Connect compares episodes with the goals of the highest priority by their words and files, each of which counts by how rare it is
// among the episodes. It gives each goal the episode that is most like it, the strongest first, and no episode twice. The caller says
// which pairs it wants. An episode of the session that a goal came from, or that only repeats the goal, is none.
func Connect(episodes []Episode, goals []memory.Goal, now time.Time, wanted func(Episode, memory.Goal) bool) (found []Connection) {
	ranked := Order(goals, now)
	ranked = ranked[:min(len(ranked), comparedGoals)]
	var linked []string // other files count nothing
	for _, g := range ranked {
		linked = Union(linked, g.Goal.Links.Files...)
	}
	holders := map[string]int{}
	lived := make([][]memory.Concept, len(episodes))
	for i, e := range episodes {
		lived[i] = about(e.Concepts, slices.DeleteFunc(slices.Clone(e.Files), func(f string) bool { return !slices.Contains(linked, f) }))
		for _, x := range lived[i] {
			holders[x.Word]++
		}
	}
	rare := func(list []memory.Concept) weighed {
		whole := 0.0
		for i, x := range list {
			list[i].Weight *= math.Log(1 + float64(len(episodes))/float64(max(holders[x.Word], 1)))
			whole += list[i].Weight
		}
		return weighed{list: list, whole: whole}
	}
	wants := make([]weighed, len(ranked))
	for i, g := range ranked {
		wants[i] = weigh(rare(about(g.Goal.Concepts, g.Goal.Links.Files)).list)
	}
	var all []Connection
	for i, e := range episodes {
		said := rare(lived[i])
		for j, g := range ranked {
			strength, shared := likeness(said, wants[j])
			if strength < bar || len(shared) < sharedLeast || e.Session != 0 && e.Session == g.Goal.From || e.restates(g.Goal) || !wanted(e, g.Goal) {
				continue
			}
			all = append(all, Connection{Goal: g.Goal, Episode: e, Strength: strength, Why: why(shared, e, g.Goal)})
		}
	}
	slices.SortStableFunc(all, func(a, b Connection) int {
		return cmp.Or(cmp.Compare(b.Strength, a.Strength), b.Episode.At.Compare(a.Episode.At), cmp.Compare(a.Episode.ID, b.Episode.ID))
	})
	for _, c := range all {
		if !slices.ContainsFunc(found, func(f Connection) bool { return f.Goal.ID == c.Goal.ID || f.Episode.ID == c.Episode.ID }) {
			found = append(found, c)
		}
	}
	return found
}

// about are the words and files of an episode or a goal. No word has a blank in it.
func about(concepts []memory.Concept, files []string) []memory.Concept {
	list := slices.Clone(concepts)
	for _, f := range files {
		list = append(list, memory.Concept{Word: fileMark + f, Weight: 1})
	}
	return list
}

const fileMark = "file "

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

// why names what to look at, and what both are about. Terms have lost their endings, so each is shown as the shortest word that begins with it.
func why(shared []memory.Concept, e Episode, g memory.Goal) string {
	slices.SortStableFunc(shared, func(a, b memory.Concept) int { return cmp.Compare(b.Weight, a.Weight) })
	said := append(plainWords(g.Title), plainWords(e.Text)...)
	slices.SortStableFunc(said, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	var words []string
	for _, x := range shared[:min(len(shared), whyNames)] {
		word := strings.TrimPrefix(x.Word, fileMark)
		if i := slices.IndexFunc(said, func(w string) bool { return strings.HasPrefix(w, word) }); i >= 0 {
			word = said[i]
		}
		words = Union(words, word)
	}
	text := func(name string) bool { return strings.ContainsAny(name, " \t\n") } // a name with blanks may be a sentence
	reason := "both speak of " + strings.Join(slices.DeleteFunc(words, text), ", ")
	if files := slices.DeleteFunc(slices.Clone(e.Files), text); len(files) > 0 {
		reason = "see " + strings.Join(files[:min(len(files), whyFiles)], ", ") + "; " + reason
	}
	return reason
}
