package statements

import (
	"slices"
	"strings"
	"unicode"
)

// endLength is how many characters at each end of a long text are examined; what is between is mostly pasted.
const endLength = 600

// Said is a clause that moves the mood.
type Felt struct {
	Event MoodEvent
	Words string // as they were written
}

// Recognise finds what moves the mood in the words of a person: at most one event of each kind, in the order of the table below. A clause
// counts only if it is one of the sayings and nothing else. That misses feelings, but a task that mentions "perfect" or "urgent" moves
// nothing; nor do code, quotes, lists and questions.
func Recognise(text string) (found []Felt) {
	said := feltClauses(text)
	for _, s := range sayings {
		if at := slices.IndexFunc(said, func(clause string) bool { return s.fits(bare(clause)) }); at >= 0 {
			found = append(found, Felt{s.event, strings.TrimSpace(said[at])})
		}
	}
	return found
}

// saying lists clauses that mean one event. A clause that ends in * may go on.
type feltWords struct {
	event   MoodEvent
	clauses []string
}

func (s feltWords) fits(clause string) bool {
	return slices.ContainsFunc(s.clauses, func(c string) bool {
		if begin, open := strings.CutSuffix(c, "*"); open {
			return strings.HasPrefix(clause, begin)
		}
		return clause == c
	})
}

// sayings are the clauses as fits compares them: small letters, no apostrophes, no fillers.
var sayings = []feltWords{
	{event: MoodReward, clauses: []string{
		"perfect", "thats perfect", "its perfect", "excellent", "thats excellent", "awesome", "thats awesome", "amazing", "thats amazing", "brilliant",
		"thats brilliant", "fantastic", "wonderful", "thats great", "well done", "great work", "great job", "great job on *", "good job", "nice work",
		"good work", "good catch", "nice catch", "you nailed it", "i love it", "love it", "exactly what i wanted", "thats exactly what i wanted",
		"exactly what i was looking for", "works like a charm", "works perfectly", "it works perfectly",
	}},
	{event: MoodSocial, clauses: []string{
		"thanks", "thx", "thank you", "many thanks", "thanks a lot", "thanks a lot for *", "thanks for the *", "thanks for your help", "thank you for the *",
		"thank you for your help", "appreciated", "i appreciate it", "i appreciate your *",
	}},
	{event: MoodBonding, clauses: []string{
		"youre the best", "i trust you", "it was a pleasure working with you", "great working with you", "we make a good team",
	}},
	{event: MoodError, clauses: []string{
		"thats wrong", "its wrong", "wrong again", "thats wrong again", "its wrong again", "still broken", "its still broken", "thats still broken",
		"still doesnt work", "it still doesnt work", "it doesnt work", "it doesnt work at all", "that doesnt work", "this doesnt work", "still failing",
		"still not working", "still getting the same error", "not what i asked for", "thats not what i *", "you broke *", "you ignored *",
		"i already told you *", "dont do that again", "please stop *", "thats frustrating", "thats annoying", "wtf", "what the hell",
	}},
	{event: MoodAchievement, clauses: []string{
		"tests pass", "all tests pass", "all tests are passing", "tests are green", "the tests are green", "the tests pass", "everything passes", "ci is green",
		"ci is green again", "the build is green", "it works", "works", "everything works", "that works", "that fixed it", "that solved it",
		"that did the trick", "the bug is gone", "the bug is fixed", "problem solved", "we shipped it", "we did it",
	}},
	{event: MoodUrgency, clauses: []string{
		"urgent", "urgent : *", "thats urgent", "thats urgent : *", "its urgent", "asap", "production is down", "prod is down", "the site is down",
		"please hurry", "please fix this immediately", "please fix this asap", "i need this asap", "i need this fixed asap", "the deadline is today",
		"the deadline is tomorrow", "were running out of time",
	}},
	{event: MoodStagnant, clauses: []string{
		"were going in circles", "youre going in circles", "im stuck", "were stuck", "same error again", "the same error again", "we made no progress",
		"no progress",
	}},
	{event: MoodCuriosity, clauses: []string{
		"im curious *", "i wonder whether *", "i wonder why *", "thats interesting", "interesting", "fascinating",
	}},
	{event: MoodAligned, clauses: []string{
		"exactly", "agreed", "i agree", "good idea", "great idea", "thats a good idea", "good point", "sounds good", "that sounds good", "makes sense",
		"that makes sense", "youre right", "thats right",
	}},
}

// contractions are beginnings of clauses that mean the same.
var contractions = map[string]string{"that is": "thats", "this is": "thats", "it is": "its", "you are": "youre", "we are": "were", "i am": "im"}

// Words that say nothing here: before and after a clause, and anywhere in it.
const (
	feltOpeners = " ok okay oh ah wow yes yep yeah hey hi hello and but haha lol hm hmm ugh argh damn claude codex "
	feltClosers = " man dude mate claude codex everyone team haha lol btw now "
	feltFillers = " really so very just absolutely completely totally simply finally much "
)

// clauses gives the clauses of what somebody wrote in plain sentences, at the ends of a long text, without what is asked.
func feltClauses(text string) (list []string) {
	for _, part := range textEnds(plainLines(text)) {
		for len(part) > 0 {
			end := strings.IndexAny(part, "\n.!?;…")
			sentence, stop := part, byte(0)
			if part = ""; end >= 0 {
				sentence, stop, part = sentence[:end], sentence[end], sentence[end+1:]
			}
			said := strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune(",()–—", r) })
			if n := len(said); stop == '?' && n > 0 {
				if !strings.Contains(bare(said[n-1]), " ") { // "It works now, right?" asks all of it
					n = 1
				}
				said = said[:n-1]
			}
			list = append(list, said...)
		}
	}
	return list
}

// bare is a clause as sayings have it.
func bare(clause string) string {
	words := strings.Fields(strings.NewReplacer("'", "", "’", "", ":", " : ").Replace(strings.ToLower(clause)))
	for i, word := range words {
		words[i] = strings.Trim(word, "*_~-")
	}
	words = slices.DeleteFunc(words, func(word string) bool { return word == "" || strings.Contains(feltFillers, " "+word+" ") })
	for len(words) > 0 && strings.Contains(feltOpeners, " "+words[0]+" ") {
		words = words[1:]
	}
	for len(words) > 0 && strings.Contains(feltClosers, " "+words[len(words)-1]+" ") {
		words = words[:len(words)-1]
	}
	if len(words) > 1 {
		if short, long := contractions[words[0]+" "+words[1]]; long {
			words = append([]string{short}, words[2:]...)
		}
	}
	return strings.Join(words, " ")
}

// plainLines drops what is no plain sentence: code, quotes of others, lists, headings, tables.
func plainLines(text string) string {
	var lines []string
	fenced := false
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		if strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~") {
			fenced = !fenced
		}
		plain := bare == "" || unicode.IsLetter([]rune(bare)[0]) || strings.HasPrefix(bare, "**")
		if !fenced && plain && !strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "\t") {
			lines = append(lines, bare)
		}
	}
	return strings.Join(lines, "\n")
}

// textEnds are the ends of a long text, each without the sentence that the cut goes through.
func textEnds(text string) []string {
	runes := []rune(text)
	if len(runes) <= 2*endLength {
		return []string{text}
	}
	const stops = "\n.!?"
	head, tail := string(runes[:endLength]), string(runes[len(runes)-endLength:])
	first := strings.IndexAny(tail, stops)
	if first < 0 {
		first = len(tail) - 1
	}
	return []string{head[:strings.LastIndexAny(head, stops)+1], tail[first+1:]}
}
