package goal

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
)

// openers lead into a sentence and say nothing of their own.
var openers = []string{
	"ok", "okay", "also", "and", "but", "so", "yeah", "yes", "yep", "hmm", "then", "btw", "by the way", "oh", "well", "plus",
	"great", "nice", "cool", "good", "alright", "thanks", "thank you", "note", "fyi", "ps", "one more thing", "another thing",
	"i think", "i believe", "long term", "longer term", "in the long run",
}

// plans begin a sentence that says what is wanted or will be done. They count only with words that put it off.
var plans = []string{
	"we should", "we ought to", "we must", "we need to", "we have to", "we still need to", "we still have to", "i want to", "i'd like to",
	"i would like to", "i plan to", "it would be nice to", "it would be good to", "it'd be nice to", "it'd be good to",
	"we'll", "we will", "i'll", "i will", "let's", "let us", "we can", "we could", "we'd", "i need to", "i have to", "i should", "we might",
}

// reminders begin a sentence that wants something kept in mind. "Remember to" is none: it says how to do what is asked now.
var reminders = []string{
	"remind me to", "remind me that", "remind me about", "remind me of", "remind us to", "please remind me to", "don't forget to",
	"don't forget that", "don't forget about", "don't forget", "do not forget to", "do not forget", "let's not forget to",
	"let's not forget", "we must not forget to", "we mustn't forget to", "i must not forget to", "make a note to", "note to self",
}

// putOff are words that move a task to another time.
var putOff = []string{
	"later", "later on", "next time", "next session", "next week", "next sprint", "tomorrow", "some day", "someday", "eventually",
	"at some point", "in a follow-up", "in a followup", "in a follow up", "in a separate pr", "in a later pr", "in another pr",
	"in the next pr", "in the next session", "for later", "another day", "another time", "down the road",
}

// conditions make a plan something else: it depends, or it is written down elsewhere.
var conditions = []string{"if", "unless", "or not", "which", "so we can", "so i can", "issue", "ticket"}

// occasions tie a reminder to the work that goes on.
var occasions = []string{"before you", "when you", "while you", "as you", "after you", "each time", "every time"}

// vague words name nothing that a goal could be about.
var vague = set(`it this that these those them there here one ones thing things stuff something everything anything same so too again
	more rest other others both all some way bit in on at to for from with by of and or but as also first then the a an is are was
	were be we i you into up down out back over off about after before because since while now please directly properly somehow`)

// sentenceMost is the length in characters above which a sentence states no goal (prompts of public session traces).
const sentenceMost = 240

// intent reads a sentence that puts a task off or asks to be reminded of one.
func intent(sentence string) (Candidate, bool) {
	if utf8.RuneCountInString(sentence) > sentenceMost || strings.HasSuffix(sentence, "?") {
		return Candidate{}, false
	}
	said := withoutOpeners(sentence)
	after, ahead := begins(said, putOff) // "Later we should …"
	if ahead {
		said = withoutOpeners(after)
	}
	title, ok := begins(said, reminders)
	if ok {
		ok = !holds(title, occasions)
	} else if title, ok = begins(said, plans); ok {
		title = firstClause(withoutOpeners(title))
		later := holding(title, putOff)
		ok = (later != "" || ahead) && !holds(said, conditions) && !negated(title)
		title = without(title, later)
	}
	return Candidate{Kind: memory.GoalNext, Title: title, Text: sentence}, ok && nameable(title)
}

// withoutOpeners cuts what leads into a sentence.
func withoutOpeners(sentence string) string {
	for {
		rest, ok := begins(sentence, openers)
		if !ok || rest == "" {
			return sentence
		}
		sentence = strings.TrimLeft(rest, ",.;:!-–—… ")
	}
}

// begins finds the longest of the cues that a sentence begins with, as whole words, and returns what follows it.
func begins(sentence string, cues []string) (rest string, ok bool) {
	sentence = strings.ReplaceAll(sentence, "’", "'")
	lower, longest := lowered(sentence), 0
	for _, c := range cues {
		after, found := strings.CutPrefix(lower, c)
		if found && len(c) > longest && (after == "" || strings.ContainsRune(" ,.:;!-", rune(after[0]))) {
			longest, rest, ok = len(c), strings.TrimLeft(sentence[len(c):], " ,:;"), true
		}
	}
	return rest, ok
}

// lowered is a text with ASCII letters in lower case. It keeps its length: places in one are places in the other.
func lowered(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' {
			return c + 'a' - 'A'
		}
		return c
	}, text)
}

// holding finds the longest of the phrases that a text has, as whole words.
func holding(text string, phrases []string) (phrase string) {
	words := " " + strings.Join(plainWords(text), " ") + " "
	for _, p := range phrases {
		if len(p) > len(phrase) && strings.Contains(words, " "+p+" ") {
			phrase = p
		}
	}
	return phrase
}

func holds(text string, phrases []string) bool { return holding(text, phrases) != "" }

// without removes the phrase that puts a task off, and a reason that follows it.
func without(text, phrase string) string {
	i := strings.LastIndex(" "+lowered(text), " "+phrase)
	if phrase == "" || i < 0 {
		return text
	}
	left, rest := strings.TrimRight(text[:i], " ,("), text[i+len(phrase):]
	if left != "" && strings.HasPrefix(rest, ",") {
		return left
	}
	return strings.TrimSpace(left + " " + strings.TrimLeft(rest, " ,)"))
}

// firstClause is a task without what is said about it: reasons, asides, a second thought.
func firstClause(rest string) string {
	for _, border := range []string{
		" - ", " – ", " — ", "; ", " (", ", this ", ", that ", ", it ", ", so ", ", since ", ", because ", ", but ", ", which ",
	} {
		if i := strings.Index(lowered(rest), border); i > 0 {
			rest = rest[:i]
		}
	}
	return strings.TrimRight(rest, " .")
}

// negated reports whether something is not to be done.
func negated(rest string) bool {
	words := plainWords(rest)
	return slices.ContainsFunc(words[:min(len(words), 2)], func(w string) bool {
		return w == "not" || w == "never" || w == "avoid" || strings.HasSuffix(w, "n't")
	})
}

// nameable reports whether a task is a whole one and names what it is about: "look at it" and "I want to…" are not.
func nameable(task string) bool {
	task = strings.TrimRight(task, "0123456789) ") // of a list that was joined to one line
	if strings.HasSuffix(task, ":") || strings.HasSuffix(task, "...") || strings.HasSuffix(task, "…") {
		return false
	}
	words := plainWords(task)
	return len(words) > 1 && slices.ContainsFunc(words[1:], func(w string) bool { return !vague.has(w) })
}
