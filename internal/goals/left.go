package goals

import (
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// LeftToDo are the steps that an agent's message leaves to do, in its words.
func LeftToDo(message string) string {
	return strings.Join(slices.DeleteFunc(StepsLeft(prose.Parts(message)), func(s string) bool { return prose.Withheld(memory.OriginAgent, s) }), "\n")
}

// StepsLeft finds what a message says is left to do: what stands under a heading or a line that announces it, and sentences
// that say so themselves.
func StepsLeft(said []prose.Part) []string {
	var left []string
	under := false
	for i := range said {
		part := &said[i]
		switch {
		case part.Heading:
			under = namesAStep(part.Lines[0]) || announcesSteps(part.Lines[0])
			part.Taken = under
			continue
		case under:
			part.Taken = true
			for _, line := range part.Lines {
				if !prose.IsPolite(line) && !tickedOff(line) && !strings.HasSuffix(line, ":") && namesWork(line) {
					left = append(left, line)
				}
			}
			continue
		}
		for j, line := range part.Lines {
			if prose.IsPolite(line) || !namesAStep(line) && !(strings.HasSuffix(line, ":") && announcesSteps(line)) {
				continue
			}
			part.Lines[j] = ""
			if strings.HasSuffix(line, ":") && j == len(part.Lines)-1 && i+1 < len(said) && said[i+1].List {
				said[i+1].Taken = true
				left = append(left, slices.DeleteFunc(slices.Clone(said[i+1].Lines), func(item string) bool { return tickedOff(item) || !namesWork(item) })...)
				said[i+1].Lines = nil
			} else if namesWork(line) {
				left = append(left, line)
			}
		}
	}
	return left
}

// namesWork says whether a line names anything beside its cue: "Not yet.", "None." and "Still to do" leave the reader nothing to do.
func namesWork(line string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(line)), func(word string) bool {
		word = strings.Trim(strings.ReplaceAll(word, "’", "'"), edge+"`_-")
		cue := slices.ContainsFunc(stepCues, func(cue string) bool { return slices.Contains(strings.Fields(cue), word) })
		return word != "" && !cue && !slices.Contains(idle, word)
	})
}

// idle are words that name no work.
var idle = []string{
	"an", "the", "and", "but", "or", "so", "of", "for", "as", "at", "on", "in", "with", "from", "now", "here", "there", "just", "quite", "only",
	"i", "i'm", "we", "we're", "you", "it", "it's", "that", "that's", "this", "these", "those", "they", "my", "your", "our", "what", "what's", "which",
	"am", "are", "was", "were", "have", "haven't", "has", "hasn't", "had", "isn't", "aren't", "wasn't", "did", "didn't", "don't", "does", "doesn't", "will", "can",
	"no", "none", "nothing", "n/a", "yes", "all", "any", "anything", "some", "things", "thing", "done", "ready", "finished", "sorry", "afraid", "sure", "please",
}

// announcesSteps says whether a line is nothing but the title of what is left: in a sentence the same words often mean a rest.
func announcesSteps(line string) bool {
	switch strings.Trim(strings.ReplaceAll(strings.ToLower(line), "’", "'"), " :*_") {
	case "what is left", "what's left", "what is still left", "what's still left", "still left", "left", "not done", "open points", "loose ends":
		return true
	}
	return false
}

// stepCues say that something is left to do.
var stepCues = []string{
	"next step", "next steps", "next up", "up next", "next session", "next time", "next task", "next tasks", "comes next",
	"next i", "next i'll", "next we", "do next", "is next", "todo", "todos", "to-do", "still to do", "still to be", "still need",
	"still needs", "still missing", "still open", "remaining", "remains", "not yet", "yet to be", "follow-up", "follow-ups",
	"follow up", "left open", "left to do", "left undone", "for later",
}

const edge = ".,;:!?()[]\"'*…—–" // signs around a word

// stepSettled are words before a cue that turn it around: "no follow-up", "fixed the remaining errors", "ready for the next task".
var stepSettled = []string{
	"ready", "no", "nothing", "none", "without", "zero", "fixed", "resolved", "removed", "completed", "finished", "addressed",
	"updated", "replaced", "implemented", "cleaned", "migrated", "converted", "handled", "closed", "mended", "added", "did",
}

// namesAStep says whether a sentence has one of the cues, as words and not turned around.
func namesAStep(sentence string) bool {
	raw := strings.Fields(strings.ToLower(sentence))
	words := make([]string, len(raw))
	for i, word := range raw {
		words[i] = strings.Trim(strings.ReplaceAll(word, "’", "'"), edge) // `next` and next.js stay other words
	}
	settled := func(at int) bool {
		for i := at - 1; i >= max(at-4, 0); i-- {
			if strings.TrimRight(raw[i], ",;:—–.") != raw[i] {
				return false // another clause
			}
			if slices.Contains(stepSettled, words[i]) {
				return true
			}
		}
		return false
	}
	for _, cue := range stepCues {
		parts := strings.Fields(cue)
		for i := 0; i+len(parts) <= len(words); i++ {
			if slices.Equal(words[i:i+len(parts)], parts) && !settled(i) {
				return true
			}
		}
	}
	if len(words) == 0 {
		return false
	}
	if words[0] == "next" && (len(words) == 1 || raw[0] != "next") {
		return true // "Next: …" and "Next, …"
	}
	at := slices.Index(words, "yet")
	return at > 0 && slices.ContainsFunc(words[:at], func(w string) bool { return w == "not" || strings.HasSuffix(w, "n't") })
}

// tickedOff says whether an item of a list is ticked off.
func tickedOff(item string) bool {
	item = strings.ToLower(item)
	return strings.HasPrefix(item, "[x]") || strings.HasPrefix(item, "✅") || strings.HasPrefix(item, "~~")
}
