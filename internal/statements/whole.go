package statements

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/prose"
)

// A quote proves what the person said only if it is a whole sentence of theirs, from its beginning to its end: the words
// "push to main" stand in "Never push to main", and "all endpoints need auth" in "All endpoints need auth except /healthz".
// Where a sentence ends is doubtful, it goes on.

const (
	wholeWords  = 3  // of a quote that is a whole sentence
	partWords   = 4  // of one that is a part; fewer stand in many texts by chance
	wrappedLine = 50 // bytes from which a line may have been broken by a program that wraps lines
	standsAlone = 4  // words from which a line without punctuation may be a sentence
)

// passage is where a quote stands in a text.
type passage struct {
	// text is one or more whole sentences: all of those in which words of the quote stand, on one line.
	text string
	// whole says that the quote is all of that, and not a part of it. Capitals, punctuation and list marks do not count.
	whole bool
}

// passageOf looks for a quote in a text that the person typed, for a whole sentence first.
func passageOf(text, quote string) (found passage, ok bool) {
	wanted := quotable(prose.TrimMarks(strings.TrimSpace(quote)))
	if len(wanted) < wholeWords {
		return found, false
	}
	list := sentencesOf(text)
	var words []string
	var of []int // the sentence of each word
	for i, s := range list {
		for _, w := range s.words {
			words, of = append(words, w), append(of, i)
		}
	}
	for at := 0; at+len(wanted) <= len(words); at++ {
		end := at + len(wanted)
		if !slices.Equal(words[at:end], wanted) {
			continue
		}
		first, last := of[at], of[end-1]
		begins := at == 0 || of[at-1] != first
		whole := begins && (end == len(words) || of[end] != last) && !list[last].announces
		if !whole && (ok || len(wanted) < partWords) {
			continue
		}
		for list[last].announces && last+1 < len(list) {
			last++
		}
		text := prose.OneLine(list[first].lead + " " + text[list[first].start:list[last].end])
		found, ok = passage{prose.TrimMarks(text), whole}, true
		if whole {
			return found, true
		}
	}
	return found, ok
}

// sentence is a whole sentence of a text.
type sentence struct {
	start, end int
	words      []string
	lead       string // what announces the list of which it is an item: "Never do this:"
	announces  bool   // it is such a lead itself, and says nothing without what follows
}

// sentencesOf cuts a text into whole sentences. listen cuts finer: at semicolons, at the end of each line, at every full stop.
func sentencesOf(text string) (list []sentence) {
	capitals := unicode.IsUpper(firstLetter(text))
	start, end, root, lead, inList := 0, 0, "", "", false // root announces a list, lead also the part of it that is read
	add := func(to int, announces bool) {
		if end > start && terminated(text[start:end]) {
			to = end // what follows is no sentence: "ok?"
		}
		s := sentence{start: start, end: start + len(strings.TrimRight(text[start:to], " \t\r\n-*>#+•")), lead: lead, announces: announces}
		if s.words = quotable(text[s.start:s.end]); len(s.words) == 0 {
			return
		}
		list = append(list, s)
		if announces {
			if lead = root + " " + text[s.start:s.end]; !inList {
				root = lead
			}
		}
	}
	for _, cut := range Sentences(text) {
		line := strings.LastIndexByte(text[:cut.Start], '\n') + 1
		bare := strings.TrimSpace(text[line:])
		mark := len(bare) - len(prose.TrimMarks(bare))
		item := mark > 0 && strings.TrimLeft(text[line:cut.Start], " \t-*>#+•0123456789.)") == "" && !strings.HasPrefix(bare, "#")
		before, next := text[start:cut.Start], text[cut.Start:]
		switch {
		case item:
			before = text[start:max(line, start)]
			add(max(line, start), !inList && !terminated(before) || strings.HasSuffix(strings.TrimSpace(before), ":"))
			start = line + strings.Index(text[line:], bare) + mark
			inList = true
		case strings.TrimSpace(before) == "" || ends(before, next, capitals):
			add(cut.Start, false)
			start = cut.Start
			if strings.TrimSpace(text[line:start]) == "" { // a line that is no item ends a list
				root, lead, inList = "", "", false
			}
		}
		end = cut.End
	}
	add(len(text), false)
	return list
}

// ends reports whether a sentence ends between two parts of a text. A person who begins with a capital letter begins each
// sentence with one: what follows "approx." goes on.
func ends(before, next string, capitals bool) bool {
	if capitals && unicode.IsLower(firstLetter(next)) {
		return false
	}
	lines := strings.Count(before[len(strings.TrimRight(before, " \t\r\n")):], "\n")
	if terminated(before) || lines > 1 {
		return !strings.HasSuffix(strings.TrimSpace(before), ":")
	}
	before = strings.TrimSpace(before)
	last := before[strings.LastIndexByte(before, '\n')+1:]
	return lines == 1 && len(last) < wrappedLine && len(strings.Fields(last)) >= standsAlone && !Negates(last) &&
		strings.IndexByte(",;:-(", last[len(last)-1]) < 0
}

// terminated reports whether a text ends with the sign that ends a sentence. One that trails off ("never ...") does not.
func terminated(text string) bool {
	bare := strings.TrimRight(text, " \t\r\n)\"'`”’*_>#-+•")
	last, _ := utf8.DecodeLastRuneInString(bare)
	return strings.ContainsRune(".!?。！？", last) && !strings.HasSuffix(bare, "..")
}

func firstLetter(text string) rune {
	for _, r := range text {
		if unicode.IsLetter(r) {
			return r
		}
	}
	return 0
}

const (
	subjectWords = 2   // words that a sentence shares with the statement that it speaks of
	subjectShare = 0.4 // and how much of what the statement says they are
)

// speaksOf reports whether a sentence of the person speaks of an earlier statement, so that it may be their word for changing that. It
// says that something changes and shares a good part of the words that tell something, or speaks of a rule and of nothing else that the
// statement does not name ("forget the rule about tabs"). A question is nobody's word for a change, and neither is a task that happens to be
// about the same thing.
func speaksOf(sentence, statement string) bool {
	if isQuestion(sentence) {
		return false
	}
	named := map[string]bool{}
	whole := 0.0
	for _, t := range termsOf(statement) {
		named[t.word] = true
		whole += t.tells()
	}
	equal, other, ofRules := 0.0, false, false
	for _, t := range termsOf(sentence) {
		if w := t.tells(); named[t.word] {
			equal += w
		} else {
			other = other || w > everyday
		}
		ofRules = ofRules || saying()[t.word]
	}
	if equal > everyday && ofRules && !other {
		return true
	}
	shared := 0
	for word := range strings.FieldsSeq(sentence) { // a name of several parts counts once
		if slices.ContainsFunc(termsOf(word), func(t term) bool { return named[t.word] && t.tells() > 0 }) {
			shared++
		}
	}
	return saysChange(sentence) && shared >= subjectWords && equal >= subjectShare*whole
}

// saysChange reports whether a sentence says in plain words that something is no longer as it was.
func saysChange(sentence string) bool {
	plain := " " + strings.Join(quotable(sentence), " ") + " "
	if strings.Index(plain, " now ") > 0 { // at the beginning it only goes on with the work
		return true
	}
	return slices.ContainsFunc(changing, func(words string) bool { return strings.Contains(plain, " "+words+" ") })
}

// changing are words that say of a rule or a fact that it ends, or that another takes its place.
var changing = []string{
	"no longer", "any more", "anymore", "from now on", "instead of", "rather than", "not any", "forget", "drop", "ignore", "gone", "obsolete",
	"outdated", "wrong", "replaced", "switched", "moved to", "changed to", "since", "you may", "allowed", "okay to",
	"nicht mehr", "ab jetzt", "ab heute", "ab sofort", "statt", "désormais", "ya no", "ahora",
}

// isQuestion reports whether a sentence asks for an answer.
func isQuestion(sentence string) bool {
	return strings.HasSuffix(strings.TrimRight(sentence, " \"'”’)"), "?") && !asks(quotable(sentence))
}

// asks reports whether a question asks the agent to do something.
func asks(words []string) bool {
	return len(words) > 1 && (words[0] == "please" || words[1] == "you" && words[0] != "do" && words[0] != "did" && words[0] != "have")
}

// quotable are the plain words of a text. Where no blanks stand between words each character counts as one.
func quotable(text string) (words []string) {
	for _, word := range brain.PlainWords(text) {
		from := 0
		for at, r := range word {
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				words = append(words, strings.Fields(word[from:at]+" "+string(r))...)
				from = at + len(string(r))
			}
		}
		if from < len(word) {
			words = append(words, word[from:])
		}
	}
	return words
}
