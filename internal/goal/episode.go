package goal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// EpisodeKind says what was lived through.
type EpisodeKind string

const (
	DeepRead  EpisodeKind = "deep read"  // a file, read at length
	Exchange  EpisodeKind = "exchange"   // talk and work on one topic
	Debugging EpisodeKind = "debugging"  // from a failure to its fix
	Noticed   EpisodeKind = "connection" // something that was noted on the way
)

// Episode is a segment of a session that is worth thinking of again.
type Episode struct {
	// ID is made of the kind and of the first happening, so that cutting a session again, when it has gone on, gives the same.
	ID       string           `json:"id"`
	At       time.Time        `json:"at"` // of its last happening
	Kind     EpisodeKind      `json:"kind"`
	Text     string           `json:"text"` // one line that says what it was
	Concepts []memory.Concept `json:"concepts"`
	Files    []string         `json:"files,omitempty"`
	// Session is the one it was lived in: the goals that came from it say the same, and are not held against it. 0: none.
	Session memory.SessionID `json:"session,omitzero"`
	// Crystal is the note it is, if it is one.
	Crystal memory.CrystalID `json:"crystal,omitempty"`
}

// HappeningKind says what sort of thing happened.
type HappeningKind int

const (
	Asked    HappeningKind = iota // a person said something
	Answered                      // the agent said something
	Read                          // a file was read
	Changed                       // a file was changed
	Ran                           // a command was run, or another tool
	Noted                         // somebody wrote something down
)

// Happening is one thing of one session, as little of it as episodes need.
type Happening struct {
	ID    string // of the event
	At    time.Time
	Kind  HappeningKind
	Text  string // what was said or noted; of what failed, the error
	Name  string // of what ran, so that the same is recognised when it succeeds: "go test"
	Files []string
	Bytes int64 // of what was read
	// Failed says that it did not work.
	Failed bool
}

// Pause ends an episode, as session.idle_after ends a session.
const Pause = 15 * time.Minute

const (
	deepRead        = 4000 // bytes of one file read: the design's hundred lines at 40 bytes each
	exchangeTurns   = 5    // turns on one topic above which it is an exchange, as designed
	topicShare      = 0.1  // of a prompt's words that must be known from the topic; calibrated on public session traces
	episodeConcepts = 16   // words an episode is compared by; calibrated likewise
	episodeLength   = 160  // characters of its line: two lines on a terminal
)

// Cut finds the episodes of one session, oldest first. happenings are in the order of time. The rules:
//   - A pause ends whatever goes on.
//   - A file that was read for more bytes than about a hundred lines have, in one piece or several, is a deep read.
//   - Talk on one topic is an exchange when it took more than five turns. An agent answers with work, so each file it changed
//     counts as a turn. A prompt opens a new topic when it shares too few words with what was said and done since the
//     last one; one of few words ("yes, go on") opens none.
//   - A failure, changes after it, and the same thing again without a failure are a debugging segment. What never worked
//     again is none: its error is still open, and goals hold that.
//   - Every note is an episode of its own.
func Cut(happenings []Happening, terms Terms) []Episode {
	var episodes []Episode
	for _, segment := range segments(happenings) {
		episodes = append(episodes, deepReads(segment, terms)...)
		episodes = append(episodes, exchanges(segment, terms)...)
		episodes = append(episodes, debugging(segment, terms)...)
		for _, h := range segment {
			if h.Kind == Noted && strings.TrimSpace(h.Text) != "" {
				episodes = append(episodes, newEpisode(Noticed, []Happening{h}, h.Text, terms))
			}
		}
	}
	episodes = slices.DeleteFunc(episodes, func(e Episode) bool { return len(e.Concepts) == 0 })
	slices.SortStableFunc(episodes, func(a, b Episode) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return episodes
}

// segments cuts what happened at its pauses.
func segments(happenings []Happening) [][]Happening {
	var found [][]Happening
	start := 0
	for i := range happenings {
		if i > start && happenings[i].At.Sub(happenings[i-1].At) > Pause {
			found = append(found, happenings[start:i])
			start = i
		}
	}
	if start < len(happenings) {
		found = append(found, happenings[start:])
	}
	return found
}

// newEpisode makes one of its happenings. Its concepts are the words of what was said and of the files.
func newEpisode(kind EpisodeKind, of []Happening, text string, terms Terms) Episode {
	e := Episode{
		ID: string(kind) + " " + of[0].ID, At: of[len(of)-1].At, Kind: kind, Text: shorten(oneLine(text), episodeLength),
	}
	var words []string
	for _, h := range of {
		if h.Kind != Answered { // an agent's report is long, and repeats what the files and the prompt say
			words = append(words, terms(h.Text)...)
		}
		for _, f := range h.Files {
			words = append(words, terms(f)...)
		}
		e.Files = union(e.Files, h.Files)
	}
	e.Concepts = Concepts(words, episodeConcepts)
	return e
}

func deepReads(segment []Happening, terms Terms) []Episode {
	type reading struct {
		Happening // the first, with the prompt under which it was read as its text
		bytes     int64
	}
	files := map[string]*reading{}
	var order []string
	asked := ""
	for _, h := range segment {
		if h.Kind == Asked {
			asked = h.Text
		}
		if h.Kind != Read || h.Failed {
			continue
		}
		for _, f := range h.Files {
			if files[f] == nil {
				order = append(order, f)
				files[f] = &reading{Happening: Happening{ID: h.ID, Kind: Read, Text: asked, Files: []string{f}}}
			}
			files[f].At = h.At
			files[f].bytes += h.Bytes / int64(len(h.Files))
		}
	}
	var found []Episode
	for _, f := range order {
		if files[f].bytes > deepRead {
			e := newEpisode(DeepRead, []Happening{files[f].Happening}, "read "+f, terms)
			e.ID += " " + f // one event can read several
			found = append(found, e)
		}
	}
	return found
}

func exchanges(segment []Happening, terms Terms) []Episode {
	var found []Episode
	var topic []Happening
	var words []string
	turns := 0
	end := func() {
		if turns > exchangeTurns {
			text := ""
			for _, h := range topic {
				// The prompt that says most says what it was about.
				if h.Kind == Asked && len(terms(h.Text)) > len(terms(text)) {
					text = h.Text
				}
			}
			found = append(found, newEpisode(Exchange, topic, text, terms))
		}
		topic, words, turns = nil, nil, 0
	}
	for _, h := range segment {
		said := terms(h.Text)
		if h.Kind == Asked && len(topic) > 0 && len(said) >= topicWords && shared(said, words) < topicShare {
			end()
		}
		if len(topic) == 0 && h.Kind != Asked {
			continue // work that nobody asked for has no topic yet
		}
		topic = append(topic, h)
		switch h.Kind {
		case Asked, Answered:
			turns++
			words = append(words, said...)
		case Changed:
			turns++
		}
		for _, f := range h.Files {
			words = append(words, terms(f)...)
		}
	}
	end()
	return found
}

// topicWords is how many terms a prompt must have to be about something of its own.
const topicWords = 3

// shared is the share of the words of a that are among those of b.
func shared(a, b []string) float64 {
	known := map[string]bool{}
	for _, w := range b {
		known[w] = true
	}
	count := map[string]bool{}
	hits := 0
	for _, w := range a {
		if !count[w] && known[w] {
			hits++
		}
		count[w] = true
	}
	if len(count) == 0 {
		return 1
	}
	return float64(hits) / float64(len(count))
}

func debugging(segment []Happening, terms Terms) []Episode {
	var found []Episode
	taken := 0 // before this, all is part of an episode
	for i := range segment {
		h := segment[i]
		if i < taken || !h.Failed || h.Name == "" {
			continue
		}
		var changed []string
		for j := i + 1; j < len(segment); j++ {
			later := segment[j]
			if later.Kind == Changed && !later.Failed {
				changed = union(changed, later.Files)
			}
			if later.Failed || later.Name != h.Name {
				continue
			}
			if len(changed) > 0 {
				fix := fmt.Sprintf("%s failed, fixed in %s", h.Name, strings.Join(changed, ", "))
				if fault := oneLine(h.Text); fault != "" {
					fix += ": " + fault
				}
				found = append(found, newEpisode(Debugging, segment[i:j+1], fix, terms))
				taken = j + 1
			}
			break // it works again; without a change in between it was no bug of ours
		}
	}
	return found
}
