package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// announcing begin sentences that say what the agent is about to do.
var announcing = []string{"let me", "let's", "i'll", "i will", "i'm going", "now i", "now let", "first", "next", "i need to", "looking", "checking", "would you", "do you", "shall i", "should i"}

const outcomeWords = 5 // in a sentence that says something

// Outcomes are the sentences of an agent's last message that may say what came of the work: no heading, no name with what it is, no
// announcement, no exclamation.
func Outcomes(message string) (list []string) {
	for _, part := range Parts(message) {
		if part.Heading {
			continue
		}
		for _, sentence := range part.Lines {
			plain := strings.ToLower(strings.ReplaceAll(sentence, "’", "'"))
			begins := func(with string) bool { return strings.HasPrefix(plain, with) }
			first, _ := utf8.DecodeRuneInString(sentence)
			if unicode.IsLetter(first) && len(strings.Fields(sentence)) >= outcomeWords && !strings.HasSuffix(sentence, ":") && !strings.HasSuffix(sentence, "?") && !IsPolite(sentence) && !slices.ContainsFunc(announcing, begins) {
				list = append(list, sentence)
			}
		}
	}
	return list
}

// IsPolite says whether a sentence only greets, agrees or offers.
func IsPolite(sentence string) bool {
	s := strings.Trim(strings.ReplaceAll(strings.ToLower(sentence), "’", "'"), " .,!?:…*✅🎉👍")
	return s == "" || slices.Contains(greetings, s) ||
		slices.ContainsFunc(offers, func(start string) bool { return strings.HasPrefix(s, start) }) ||
		slices.ContainsFunc(courtesies, func(phrase string) bool { return strings.Contains(s, phrase) })
}

var (
	// greetings are whole sentences.
	greetings = []string{
		"great", "perfect", "done", "all done", "sure", "certainly", "of course", "absolutely", "excellent", "hello", "hi", "thanks", "thank you",
		"ok", "okay", "got it", "understood", "good question", "great question", "good catch", "you're right", "you're welcome", "all finished",
		"finished", "yes", "no problem",
	}
	// offers begin a sentence.
	offers = []string{"you're absolutely right", "would you like", "do you want me", "want me to", "shall i", "should i "}
	// courtesies are in a sentence that ends a message, or puts off what only the prompt names.
	courtesies = []string{
		"let me know", "feel free", "happy to help", "anything else", "hope this helps", " that for later", " it for later", " this for later",
	}
)
