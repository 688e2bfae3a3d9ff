package statements

import (
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/typed"
)

// What is kept of a statement is its point: words of the person that can be understood alone, and nothing around them.

const (
	pointLength = 240 // characters of a point: two sentences
	namesLeast  = 3   // words that tell something, from which on a sentence is understood although it refers to another
)

// pointOf is the point of a statement in a prompt: its whole sentence without the words around it that say nothing, of a long one the clause
// that decides, and with the sentence before where it refers to that. It refers to something else where neither says what it is about.
func pointOf(text string, s Statement) (point string, refers bool) {
	list := sentencesOf(text)
	at := slices.IndexFunc(list, func(x sentence) bool { return x.start <= s.Start && s.Start < x.end })
	point = prose.OneLine(s.Quote)
	if at >= 0 && own(text, list[at].start, list[at].end) {
		whole := list[at]
		if terminated(text[whole.start:s.Start]) {
			whole.start = s.Start
		}
		if terminated(s.Quote) {
			whole.end = s.End
		}
		if longer := wholeSentence(text, whole); len(longer) <= pointLength {
			point = longer
		}
	}
	if point = deciding(trimFiller(point)); !dangles(point) {
		return point, false
	}
	if before := sentenceBefore(text, s.Start); before != "" && !isQuestion(before) {
		if joined := trimFiller(before + " " + point); len(joined) <= pointLength && !dangles(joined) {
			return joined, false
		}
	}
	for _, cut := range clauses(point)[1:] { // a later clause may stand alone
		rest := trimFiller(prose.TrimMarks(strings.TrimSpace(point[cut:])))
		if !dangles(rest) && len(Statements(Prompt{Text: rest})) > 0 {
			return rest, false
		}
	}
	return point, true
}

// wholeSentence is a sentence with what announces the list of which it is an item, on one line.
func wholeSentence(text string, s sentence) string {
	return prose.TrimMarks(prose.OneLine(s.lead + " " + text[s.start:s.end]))
}

// sentenceBefore is the person's own sentence that ends before a place in a prompt.
func sentenceBefore(text string, at int) string {
	before := ""
	for _, s := range Parse(Prompt{Text: text}).Sentences {
		if s.End <= at && !s.Doubtful && own(text, s.Start, at) {
			before = prose.OneLine(text[s.Start:s.End])
		}
	}
	return before
}

// own reports whether a part of a prompt is the person's own words.
func own(text string, start, end int) bool {
	return !slices.ContainsFunc(typed.Split(text), func(x typed.Span) bool {
		return x.Whose != typed.Own && x.Start < end && start < x.End
	})
}

// lastQuestion is the question with which a message of an agent ends, empty if it ends otherwise or if the question is long.
func lastQuestion(message string) string {
	sentences := prose.Sentences(prose.OneLine(message))
	if len(sentences) == 0 {
		return ""
	}
	last := strings.Trim(prose.TrimMarks(sentences[len(sentences)-1]), "*_ ")
	if !strings.HasSuffix(last, "?") || len(last) > pointLength/2 || strings.ContainsAny(last, "“”") {
		return ""
	}
	return last
}

// filler are words with which people begin to speak and that say nothing; those of the second list only before a comma or another sign.
var (
	filler    = strings.Fields("ok okay yeah yep hm hmm hmmm oh ah and but also btw please pls anyway actually")
	fillerCut = strings.Fields("no yes well right wait sorry so then nope sure great thanks cool nice perfect alright")
)

// ending are words with which people end a sentence politely.
var ending = []string{"please", "pls", "thanks", "thank you", "ok?", "okay?", "right?"}

// trimFiller takes the words off a sentence that say nothing: "hm, no, please", brackets around it, and thanks at its end.
func trimFiller(text string) string {
	const signs = " ,:;.!…-–"
	for {
		before := text
		text = strings.TrimSpace(text)
		if inner, ok := strings.CutPrefix(text, "("); ok && strings.IndexByte(inner, ')') == len(inner)-1 {
			text = inner[:len(inner)-1]
		}
		word, rest, _ := strings.Cut(text, " ")
		bare := strings.ToLower(strings.TrimRight(word, signs))
		if slices.Contains(filler, bare) || slices.Contains(fillerCut, bare) && (bare != strings.ToLower(word) || startsWithFiller(rest)) {
			text = strings.TrimLeft(rest, signs)
		}
		for _, end := range ending {
			if cut := strings.TrimRight(text, " .!"); len(cut) > len(end) && strings.EqualFold(cut[len(cut)-len(end):], end) {
				if kept := strings.TrimRight(cut[:len(cut)-len(end)], " "); strings.HasSuffix(kept, ",") || strings.HasSuffix(kept, ".") {
					text = strings.TrimRight(kept, ",")
				}
			}
		}
		if text == before || text == "" {
			return before
		}
	}
}

func startsWithFiller(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return slices.Contains(fillerCut, strings.ToLower(strings.TrimRight(word, ",:;.!")))
}

// deciding is, of a long sentence, the clause that most likely matters later, with as many of those after and before it as fit.
func deciding(text string) string {
	if len(text) <= pointLength {
		return text
	}
	cuts := clauses(text)
	best, most := 0, -1.0
	for i := range len(cuts) - 1 {
		for _, s := range Score(Prompt{Text: text[cuts[i]:cuts[i+1]]}) {
			if s.Probability > most {
				best, most = i, s.Probability
			}
		}
	}
	first, last := best, best+1
	for last+1 < len(cuts) && cuts[last+1]-cuts[first] <= pointLength {
		last++
	}
	for first > 0 && cuts[last]-cuts[first-1] <= pointLength {
		first--
	}
	return trimFiller(prose.TrimMarks(strings.TrimRight(strings.TrimSpace(text[cuts[first]:cuts[last]]), ",;:-–")))
}

// clauses are where the clauses of a sentence begin, and its end. What stands in brackets is not cut.
func clauses(text string) []int {
	cuts, depth := []int{0}, 0
	for i := range len(text) - 1 {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
		switch rest := text[i:]; {
		case depth > 0:
		case text[i+1] == ' ' && strings.IndexByte(",;:.!?", text[i]) >= 0:
			cuts = append(cuts, i+1)
		case strings.HasPrefix(rest, " but "), strings.HasPrefix(rest, " because "), strings.HasPrefix(rest, " - "):
			if cuts[len(cuts)-1] < i {
				cuts = append(cuts, i)
			}
		}
	}
	return append(cuts, len(text))
}

// pointing are words that stand for something else, as the subject of a sentence also before these verbs.
var (
	pointing = strings.Fields("it its it's this that that's these those them they they're him her he she")
	verbs    = strings.Fields("is isn't are aren't was wasn't were has have should shouldn't must mustn't can can't could will won't would may might needs need does doesn't means")
	options  = strings.Fields("option options choice variant number")
)

// dangles reports whether a sentence refers to something that it does not name: its subject is such a word, or it names hardly anything, and
// nothing before the word that refers to it.
func dangles(text string) bool {
	named, refers, last := 0, false, ""
	for i, word := range strings.Fields(text) {
		bare := strings.ToLower(strings.Trim(strings.ReplaceAll(word, "’", "'"), ".,;:!?()\"'`“”"))
		if i == 1 && slices.Contains(pointing, last) && (slices.Contains(verbs, bare) || strings.HasPrefix(last, "it") || strings.HasPrefix(last, "they")) {
			return true
		}
		points := slices.Contains(pointing, bare) && !strings.HasSuffix(word, ":") || slices.Contains(options, last) && len(bare) == 1
		last = bare
		if points {
			refers = refers || named == 0
			continue
		}
		if slices.Contains(options, bare) {
			continue
		}
		named += names(word)
	}
	return named == 0 || refers && named < namesLeast
}

// Alone reports whether a sentence is understood by itself: none of its words stands for something that was said before it.
func Alone(text string) bool {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(text, "’", "'")))
	for i, word := range words {
		next := ""
		words[i] = strings.Trim(word, ".,;:!?()\"'`“”")
		if i+1 < len(words) {
			next = strings.Trim(words[i+1], ".,;:!?()\"'`“”")
		}
		switch word = words[i]; {
		case i == 0 && slices.Contains(joining, word):
			return false
		case word == "this" && slices.Contains(places, next):
		case word == "that" && (slices.Contains(verbs, next) || slices.Contains(subjects, next)): // "a file that is new", "so that we see"
		case slices.Contains(demonstrative, word), slices.Contains(leaning, word):
			return false
		case slices.Contains(pointing, word) && names(strings.Join(words[:i], " ")) < namesLeast-1:
			return false
		}
	}
	return names(text) > 0
}

var (
	joining       = strings.Fields("again also and because but just or so then")   // a sentence to the one before
	places        = strings.Fields("app codebase library project repo repository") // that a session is in
	demonstrative = strings.Fields("this that that's these those")
	subjects      = strings.Fields("a an the i we you he she it they there cannot do don't")
	leaning       = strings.Fields("above below else same such") // on what was said before
)

// names counts the words of a text that say what it is about.
func names(text string) (n int) {
	for word := range strings.FieldsSeq(text) {
		if slices.ContainsFunc(newSaid(word).Terms, func(t Term) bool { return tells(t) > everyday }) {
			n++
		}
	}
	return n
}

// Follows reports whether a preference that was heard in one project follows the person into all others: it says that it holds in general, and
// names nothing that belongs to a project, neither a file nor a word that is not plain English.
func Follows(c memory.Crystal) bool {
	if c.Kind != memory.Preference || c.Heard == 0 || c.Origin != memory.OriginUser || names(c.Text) < namesLeast-1 || !General(c.Text) ||
		slices.ContainsFunc(strings.Fields(strings.ToLower(c.Text)), func(w string) bool { return slices.Contains(pointing, w) }) ||
		slices.ContainsFunc(c.Anchors, func(a memory.Anchor) bool { return !a.AtHand }) {
		return false
	}
	return !slices.ContainsFunc(newSaid(c.Text).Terms, func(t Term) bool { return t.Row == nil })
}
