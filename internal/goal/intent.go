package goal

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
)

// openers lead into a sentence and say nothing of their own.
var openers = []string{
	"ok", "okay", "also", "and", "but", "so", "yeah", "yes", "yep", "hmm", "then", "btw", "by the way", "oh", "well",
	"plus", "additionally",
	"great", "nice", "cool", "good", "alright", "thanks", "thank you", "note", "fyi", "ps", "one more thing",
	"another thing", "in addition",
	"i think", "i believe", "i really think", "long term", "longer term", "in the long run",
}

// wishes begin a sentence that says what is wanted.
var wishes = []string{
	"we should", "we ought to", "we must", "we need to", "we have to", "we still need to", "we still have to",
	"i want to", "i want us to",
	"i'd like to", "i would like to", "i'd love to", "i plan to", "my goal is to", "the goal is to", "our goal is to",
	"it would be nice to",
	"it would be good to", "it'd be nice to", "it'd be good to",
}

// promises begin a sentence that says what will be done; they count only with a word that puts it off.
var promises = []string{
	"we'll", "we will", "i'll", "i will", "let's", "let us", "we can", "we could", "we'd", "i need to", "i have to",
	"i should", "we might",
}

// reminders begin a sentence that wants something kept in mind. "Remember to" is none: it says how to do what is asked now.
var reminders = []string{
	"remind me to", "remind me that", "remind me about", "remind me of", "remind us to", "please remind me to", "don't forget to",
	"don't forget that", "don't forget about", "don't forget", "do not forget to", "do not forget", "let's not forget to",
	"let's not forget", "we must not forget to", "we mustn't forget to", "i must not forget to", "make a note to", "note to self",
}

// putOff are words that move a deed to another time.
var putOff = []string{
	"later", "later on", "next time", "next session", "next week", "next sprint", "tomorrow", "some day", "someday", "eventually",
	"at some point", "in a follow-up", "in a followup", "in a follow up", "in a separate pr", "in a later pr", "in another pr",
	"in the next pr", "in the next session", "for later", "another day", "another time", "down the road",
}

// outright are words that make a wish what it seems not to be: an order for now, a guess, something that depends.
var outright = []string{
	"now", "right now", "if", "unless", "when", "whenever", "once", "until", "in case", "depends", "depending",
	"either", "instead of that",
	"already", "otherwise", "as you go", "before you", "when you", "while you", "each time", "every time", "always",
	"for now", "or not",
	"can you", "could you", "would you", "please", "let's", "or something",
}

// idle words stand where a deed would stand and name none: "we should be fine", "I want to understand".
var idle = set(`be been have had has see know get expect assume keep understand talk discuss ask thank say hear mention point
	clarify emphasize stress note believe consider wonder agree think able go continue proceed start begin stop wait skip try
	check verify confirm look explain brainstorm work make do take let stay stick hope remember not never probably maybe perhaps
	only at least ensure`)

// light verbs need more behind them than a pronoun; with it they are a deed: "make the importer faster".
var light = set(`make take ensure keep stop`)

// lightWords is how many words a light verb needs behind it.
const lightWords = 3

// chores are done while they are spoken of; nobody has to be reminded of them.
var chores = set(`merge rebase commit push pull stash reset squash amend rerun restart approve`)

// vague words could be anything: what a goal is about must not be one of them.
var vague = set(`it this that these those them there here one ones thing things stuff something everything anything same so too
	again more rest other others both all some way bit`)

// adverbs stand between a cue and its verb.
var adverbs = set(`also definitely really rather still just simply perhaps finally eventually then ultimately at-least`)

// sentenceMost is the length in characters above which a sentence states no goal (prompts of public session traces).
const sentenceMost = 240

// intent reads one sentence. long says that it stands in a document.
func intent(sentence string, long bool) (Candidate, bool) {
	none := Candidate{}
	if utf8.RuneCountInString(sentence) > sentenceMost || strings.HasSuffix(sentence, "?") {
		return none, false
	}
	said := withoutOpeners(sentence)
	// "Later we should …": what puts it off may stand in front.
	first, after, ahead := begins(said, putOff)
	if ahead {
		said = withoutOpeners(after)
	}
	if cue, rest, ok := begins(said, reminders); ok {
		if opening(rest) || holds(rest, "before you", "when you", "while you", "as you", "after you", "each time", "every time") {
			return none, false
		}
		return Candidate{Kind: memory.GoalNext, Title: rest, Text: sentence, Cue: plainCue(cue), Later: true}, !vagueObject(rest)
	}
	cue, rest, wish := begins(said, wishes)
	if !wish {
		if _, rest, wish = begins(said, promises); !wish {
			return none, false
		}
		// What is put off in another clause, or by writing it down, is not this deed.
		clause := firstClause(rest)
		later, off := holding(clause, putOff)
		if ahead && !off {
			later, off = first, true
		}
		if !off || holds(said, "if", "unless", "or not", "which", "so we can", "so i can", "issue", "ticket") || negated(rest) {
			return none, false
		}
		title := without(clause, later)
		if vagueObject(title) {
			return none, false
		}
		return Candidate{Kind: memory.GoalNext, Title: title, Text: sentence, Cue: later, Later: true}, true
	}
	later, off := holding(rest, putOff)
	switch {
	case off:
		rest = without(rest, later)
	case ahead:
		later, off = first, true
	}
	if long && !off || holds(rest, outright...) || negated(rest) || strings.HasSuffix(strings.TrimRight(said, ". "), " right") {
		return none, false
	}
	words := plainWords(rest)
	for len(words) > 0 && adverbs.has(words[0]) {
		words = words[1:]
		_, rest, _ = strings.Cut(rest, " ")
	}
	rest = firstClause(rest)
	if len(words) < 2 || vagueObject(rest) || chores.has(words[0]) || holds(rest, "merge conflict", "merge conflicts", "in mind") {
		return none, false
	}
	if idle.has(words[0]) && !(light.has(words[0]) && len(words) > lightWords && !vague.has(words[1])) {
		return none, false
	}
	c := Candidate{Kind: memory.GoalAim, Title: rest, Text: sentence, Cue: cue, Later: off}
	if off {
		c.Kind, c.Cue = memory.GoalNext, later
	}
	return c, true
}

// plainCue is a reminder by its first two words: the rest is grammar.
func plainCue(cue string) string {
	words := strings.Fields(strings.ReplaceAll(cue, "’", "'"))
	return strings.Join(words[:min(len(words), 2)], " ")
}

// withoutOpeners cuts what leads into a sentence.
func withoutOpeners(sentence string) string {
	for {
		_, rest, ok := begins(sentence, openers)
		if !ok || rest == "" {
			return sentence
		}
		sentence = strings.TrimLeft(rest, ",.;:!-–—… ")
	}
}

// begins finds the longest of the cues that a sentence begins with, as whole words, and what follows it.
func begins(sentence string, cues []string) (cue, rest string, ok bool) {
	sentence = strings.ReplaceAll(sentence, "’", "'")
	lower := lowered(sentence)
	for _, c := range cues {
		after, found := strings.CutPrefix(lower, c)
		if !found || len(c) <= len(cue) || after != "" && !strings.ContainsRune(" ,.:;!-", rune(after[0])) {
			continue
		}
		cue, rest, ok = c, strings.TrimLeft(sentence[len(c):], " ,:;"), true
	}
	return cue, rest, ok
}

// lowered is a text with small letters, as long as it was: places in one are places in the other.
func lowered(text string) string {
	small := []byte(text)
	for i, c := range small {
		if c >= 'A' && c <= 'Z' {
			small[i] = c + 'a' - 'A'
		}
	}
	return string(small)
}

// holding finds the longest of the phrases that a text has, as whole words.
func holding(text string, phrases []string) (phrase string, ok bool) {
	words := " " + strings.Join(plainWords(text), " ") + " "
	for _, p := range phrases {
		if len(p) > len(phrase) && strings.Contains(words, " "+p+" ") {
			phrase, ok = p, true
		}
	}
	return phrase, ok
}

func holds(text string, phrases ...string) bool {
	_, ok := holding(text, phrases)
	return ok
}

// without takes the phrase that puts a deed off out of it: it does not say what is wanted.
func without(text, phrase string) string {
	lower := lowered(text)
	for from := 0; ; {
		i := strings.Index(lower[from:], phrase)
		if i < 0 {
			return text
		}
		i += from
		end := i + len(phrase)
		begins := i == 0 || lower[i-1] == ' ' || lower[i-1] == '('
		if begins && (end == len(lower) || strings.ContainsRune(" ,.;:!?)", rune(lower[end]))) {
			left := strings.TrimRight(text[:i], " ,(")
			if left != "" && strings.HasPrefix(text[end:], ",") {
				return left // a reason follows
			}
			return strings.TrimSpace(left + " " + strings.TrimLeft(text[end:], " ,)"))
		}
		from = end
	}
}

// firstClause is a deed without what is said about it: reasons, asides, a second thought.
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

// negated reports whether what is said is that something is not to be done.
func negated(rest string) bool {
	words := plainWords(rest)
	return slices.ContainsFunc(words[:min(len(words), 2)], func(w string) bool {
		return w == "not" || w == "never" || w == "avoid" || strings.HasSuffix(w, "n't")
	})
}

// opening reports whether a text breaks off or only opens a list.
func opening(rest string) bool {
	rest = strings.TrimRight(strings.TrimSpace(rest), "0123456789) ") // of a list that was joined to one line
	return rest == "" || strings.HasSuffix(rest, ":") || strings.HasSuffix(rest, "...") || strings.HasSuffix(rest, "…")
}

// vagueObject reports whether a deed is done to something that only its surroundings name: "look at it", "do that".
func vagueObject(rest string) bool {
	if opening(rest) {
		return true
	}
	words := plainWords(rest)
	if len(words) < 2 {
		return true
	}
	for _, w := range words[1:min(len(words), 3)] {
		if slices.Contains([]string{"it", "this", "that", "them", "these", "those"}, w) {
			// "that test" names something; "that" at the end, or before a word of relation, does not.
			i := slices.Index(words, w)
			return w == "it" || w == "them" || i == len(words)-1 || relation.has(words[i+1])
		}
	}
	named := 0
	for _, w := range words[1:] {
		if !vague.has(w) && !relation.has(w) {
			named++
		}
	}
	return named == 0
}

// relation words say how things stand to each other, or carry on a sentence.
var relation = set(`in on at to for from with by of and or but as so too also first again then the a an is are was were be we i
	you into up down out back over off about after before because since while here there now please directly properly somehow here`)
