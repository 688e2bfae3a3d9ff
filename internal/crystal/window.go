package crystal

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
type Window struct {
	First, Last int
	From, To    time.Time
	Text        string
	Files       []string // touched in it, in order
	Keywords    []string
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
func Windows(turns []Turn, cut Terms) []Window {
	var windows []Window
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
	texts := make([]string, len(windows))
	for i, w := range windows {
		texts[i] = w.Text
	}
	for i, words := range Keywords(texts, cut) {
		windows[i].Keywords = words
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

func window(turns []Turn, first, last int) (Window, bool) {
	w := Window{First: first, Last: last, From: turns[first].At, To: turns[last].At}
	var text strings.Builder
	for _, t := range turns[first : last+1] {
		if said := strings.TrimSpace(t.Text); said != "" {
			if text.Len() > 0 {
				text.WriteString("\n")
			}
			if t.Speaker != "" {
				text.WriteString(t.Speaker + ": ")
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

// Choice is a decision found in a conversation.
type Choice struct {
	Turn     int    // in which it was said
	Text     string // the sentence
	Explored []string
	Edited   []string // afterwards: what carried it out
}

// deciding are words that say that something is decided, undecided those that say that it is not yet.
var (
	deciding = []string{
		"let's go with", "lets go with", "let's use", "we decided", "i decided", "i've decided", "we've decided", "decided to use", "decided on",
		"we will use", "we'll use", "we're going with", "we are going with", "i'm going with", "we agreed", "we settled on", "we chose",
		"go with option", "let's switch to", "let's stick with", "we'll stick with", "the decision is", "final decision",
	}
	undecided = []string{
		"maybe", "might", "perhaps", "could", "should", "would", "if", "can we", "how about", "whether", "not sure", "unless",
		"haven't decided", "not decided", "have we decided", "had we decided", "didn't decide", "for example", "before we decided",
	}
)

const (
	decisionTurns  = 6    // after a decision in which its edit follows; a guess
	decisionLength = 300  // characters: a decision is said briefly
	decisionText   = 1200 // characters: a longer turn is a pasted document
)

// Choices finds what was decided in a session, between exploring (files read) and editing. A person's decision counts as it is,
// an agent's only in a short turn, and if an edit follows soon. Quotes and code decide nothing.
func Choices(turns []Turn) []Choice {
	var choices []Choice
	var explored []string
	for i, turn := range turns {
		edited := editedAfter(turns, i)
		if isUser(turn.Speaker) || len(edited) > 0 && utf8.RuneCountInString(turn.Text) <= decisionText {
			for _, sentence := range sentences(turn.Text, decisionLength) {
				low := " " + strings.ToLower(strings.ReplaceAll(sentence, "’", "'")) + " "
				if !strings.Contains(low, "?") && containsAny(low, deciding) && !containsAny(low, undecided) {
					choices = append(choices, Choice{Turn: i, Text: sentence, Explored: slices.Clone(explored), Edited: edited})
				}
			}
		}
		explored = addFiles(explored, turn.Touches, []memory.TouchKind{memory.Read, memory.Mention})
	}
	return choices
}

// editedAfter are the files that the turn and those soon after it change.
func editedAfter(turns []Turn, i int) []string {
	var files []string
	for _, t := range turns[i:min(i+1+decisionTurns, len(turns))] {
		files = addFiles(files, t.Touches, []memory.TouchKind{memory.Edit, memory.Delete, memory.Rename})
	}
	return files
}

func containsAny(text string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool {
		for at := 0; ; {
			i := strings.Index(text[at:], p)
			if i < 0 {
				return false
			}
			i += at
			before, _ := utf8.DecodeLastRuneInString(text[:i])
			after, _ := utf8.DecodeRuneInString(text[i+len(p):])
			if !wordRune(before) && !wordRune(after) {
				return true
			}
			at = i + len(p)
		}
	})
}

// sentences are those of plain text: without code, quotes, tables and headings, and none as long as a paragraph.
func sentences(text string, longest int) []string {
	var found []string
	code := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			code = !code
			continue
		}
		if code || line == "" || strings.ContainsAny(line[:1], ">#|<{[") {
			continue
		}
		line = strings.TrimLeft(line, "-*• ")
		for line != "" {
			end := sentenceEnd(line)
			s := strings.TrimSpace(line[:end])
			line = strings.TrimSpace(line[end:])
			if s != "" && utf8.RuneCountInString(s) <= longest {
				found = append(found, s)
			}
		}
	}
	return found
}

// sentenceEnd is where the first sentence of a line ends, its mark included.
func sentenceEnd(line string) int {
	for i := range len(line) - 1 {
		if strings.IndexByte(".!?", line[i]) >= 0 && line[i+1] == ' ' {
			return i + 1
		}
	}
	return len(line)
}
