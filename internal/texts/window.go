package texts

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Turn is what one side of a conversation said, and what was touched while it was said.
type Turn struct {
	Speaker string // "user", or the agent's name
	Text    string
	At      time.Time
	Touches []memory.Touch
}

// Window is a segment of a session on one topic: turns First to Last.
type TurnWindow struct {
	First, Last int
	From, To    time.Time
	Text        string
	Files       []string // touched in it, in order
}

const (
	windowSize    = 1600             // characters: one chunk
	windowLeast   = 400              // a shorter segment is not ended by a new topic
	windowOverlap = 1                // turns shared by segments cut for length: an answer needs its question
	windowGap     = 30 * time.Minute // a pause that ends a segment: twice the idle time of a session
	windowTopic   = 0.05             // of a turn's words shared with the segment, below which the topic is new; a guess
	windowWords   = 4                // different words below which a turn has no topic: "yes, do that"
)

// Windows cuts a session into segments: at a pause, where the topic changes, and where one gets too long. Those cut for
// length share a turn, because an answer needs its question. Every turn with text or files is in one.
func Windows(turns []Turn, cut Terms) []TurnWindow {
	var windows []TurnWindow
	begin, length := 0, 0
	topic := map[string]bool{}
	end := func(next int) {
		if w, ok := window(turns, begin, next-1); ok {
			windows = append(windows, w)
		}
	}
	for i, turn := range turns {
		size := utf8.RuneCountInString(turn.Text)
		words := cut(turn.Text)
		if i > begin {
			switch {
			case turn.At.Sub(turns[i-1].At) >= windowGap, length >= windowLeast && newTopic(words, topic, turns[i-1], turn):
				end(i)
				begin, length = i, 0
				clear(topic)
			case length+size > windowSize:
				end(i)
				// The shared turns must not fill the next segment by themselves.
				begin, length = i, 0
				for k := i - 1; k >= max(i-windowOverlap, 0); k-- {
					n := utf8.RuneCountInString(turns[k].Text)
					if length+n+size > windowSize {
						break
					}
					begin, length = k, length+n
				}
				clear(topic)
				for k := begin; k < i; k++ {
					learn(topic, cut(turns[k].Text))
				}
			}
		}
		length += size
		learn(topic, words)
	}
	if len(turns) > 0 {
		end(len(turns))
	}
	return windows
}

func learn(topic map[string]bool, words []string) {
	for _, w := range words {
		topic[w] = true
	}
}

// newTopic reports whether a person's turn hardly shares a word or a file with what went before. What an agent answers
// belongs to the question, whatever its words.
func newTopic(words []string, topic map[string]bool, before, turn Turn) bool {
	if turn.Speaker == before.Speaker || !isUser(turn.Speaker) {
		return false
	}
	different := map[string]bool{}
	shared := 0
	for _, w := range words {
		if !different[w] && topic[w] {
			shared++
		}
		different[w] = true
	}
	return len(different) >= windowWords && float64(shared) < windowTopic*float64(len(different))
}

func isUser(speaker string) bool {
	return strings.EqualFold(speaker, "user") || strings.EqualFold(speaker, "human")
}

func window(turns []Turn, first, last int) (TurnWindow, bool) {
	w := TurnWindow{First: first, Last: last, From: turns[first].At, To: turns[last].At}
	var text strings.Builder
	for _, t := range turns[first : last+1] {
		if said := strings.TrimSpace(t.Text); said != "" {
			if text.Len() > 0 {
				text.WriteString("\n")
			}
			text.WriteString(said)
		}
		w.Files = addFiles(w.Files, t.Touches, nil)
	}
	w.Text = text.String()
	return w, w.Text != "" || len(w.Files) > 0
}

// addFiles adds the paths of touches of some kinds (nil: all) that are not there yet.
func addFiles(files []string, touches []memory.Touch, kinds []memory.TouchKind) []string {
	for _, t := range touches {
		if (kinds == nil || slices.Contains(kinds, t.Kind)) && !slices.Contains(files, t.Path) {
			files = append(files, t.Path)
		}
	}
	return files
}

// Around are the files that were looked at before a turn, and those that it and the turns soon after it change.
func Around(turns []Turn, i int) (explored, edited []string) {
	for _, t := range turns[:i] {
		explored = addFiles(explored, t.Touches, []memory.TouchKind{memory.Read, memory.Mention})
	}
	for _, t := range turns[i:min(i+1+decisionTurns, len(turns))] {
		edited = addFiles(edited, t.Touches, []memory.TouchKind{memory.Edit, memory.Delete, memory.Rename})
	}
	return explored, edited
}

const decisionTurns = 6 // after a decision in which its edit follows; a guess
