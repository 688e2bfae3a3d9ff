package goal

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Sense compares words: how much one tells, and how alike two are, 1 if they are equal. It belongs to the caller.
type Sense struct {
	Terms Terms
	Told  func(term string) float64
	Like  func(a, b string) float64
}

const (
	rarityScale = 1000 // how fast a word tells less when more texts have it
	fewestTexts = 200  // a smaller number counts as so many
	mayHave     = 2    // texts that may have a word which tells all it can
	leastRarity = 0.05
)

// Among is a sense for which a word tells less the more of some texts have it.
func (s Sense) Among(texts []string) Sense {
	have, told := map[string]int{}, s.Told
	for _, text := range texts {
		for _, term := range distinct(s.Terms(text)) {
			have[term]++
		}
	}
	s.Told = func(term string) float64 {
		share := float64(max(0, have[term]-mayHave)) / float64(max(len(texts), fewestTexts))
		return told(term) * max(leastRarity, 1-math.Log1p(rarityScale*share)/math.Log1p(rarityScale))
	}
	return s
}

// Turn is what came of one prompt of a session.
type Turn struct {
	Asked   string // by the person
	Commits []Deed
	Edited  []string // files
	Message string   // with which the agent ended it
	Left    []string // what that leaves to do
}

// Deed is something that was done: a commit, or what a sentence of an agent reports.
type Deed struct {
	Text  string
	Files []string // that it changed
	Gone  []string // that it deleted
}

// A goal is ended by work that has these shares of what its words tell. Of 173 things that people put off, each against the other sessions of
// three public repositories, one of 59,084 pairs is taken for work on it.
const (
	reportShare = 0.6  // equal words in one commit or sentence that nobody asked for
	askedShare  = 0.65 // alike words in a prompt and in what was done, together
	askedEqual  = 0.25 // of these, equal words
	askedWhole  = 0.8  // equal words in a prompt after which any commit counts
	followShare = 0.25 // alike words in what was done: a prompt that only mentions a goal is followed by other work
	overShare   = 0.25 // equal words in a clause of the person that says that something is over
	clauseShare = 0.6  // of that clause's own words: it speaks of little else
	leastTold   = 3.0  // by all words of a goal: fewer name nothing
	leastWork   = 4.0  // likewise where work may end it
	leastNoun   = 2.0  // by a word that names a thing
	leastLike   = 0.4  // how alike two words are that count
	sameLike    = 0.75 // how alike two spellings of a word are
	askWords    = 50   // of a prompt: the rest of a long one is mostly pasted
	deedFiles   = 3    // of a deed whose names count: more say nothing of what it was for
)

const (
	// delays put something off, or say nothing of what it is: time, will, and the small words of talk.
	delays = " later today tomorrow tonight soon eventually someday sometime day week month quarter year time moment sprint point bit while" +
		" monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december" +
		" next first last end now then again wait leave skip postpone defer delay park ignore bother come back look see mind want like need let lets must" +
		" plan todo do does did doing done some other another one thing something stuff job ok okay please know important right just only also too very quite way" +
		" anymore longer keep make get put use able sure together fine maybe perhaps possible idea already isnt dont doesnt wont thats its id ill never yet still add new proper" +
		" btw fyi lol pls "
	// conditions begin a clause that says when, not what.
	conditions = " until till after once when before if because "
	putsOff    = " later postpone postponed defer deferred someday eventually wait yet "
	// wishes are in a sentence about what is not so yet.
	wishes    = " will shall should would could may might must need needs want wants if next later todo yet still remaining remains consider i'll we'll you'll once "
	partly    = " almost nearly half part parts partly mostly except only "
	finished  = " done finished completed merged fixed solved resolved implemented shipped landed released deployed settled already "
	givenUp   = " cancelled canceled abandoned ditched "
	giveUp    = " forget scrap scratch cancel abandon ditch "
	removals  = " remove removed removes delete deleted drop dropped disable disabled revert reverted undo "
	negations = " not no never cannot without dont wont nothing none nobody "
	leadIns   = " ok okay so and please pls just lets let's also btw fyi no yes "
	questions = " has have is are was were did do does can could what why how where who which "
)

// Subject is what a statement is about: its terms without those that only put it off. None: it names nothing that could be done.
func (s Sense) Subject(text string) []string {
	if terms := s.content(text); s.told(terms) >= leastTold {
		return terms
	}
	return nil
}

func (s Sense) content(text string) []string {
	var what []string
	when := false
	for field := range strings.FieldsSeq(strings.ReplaceAll(text, "’", "'")) {
		word := strings.ReplaceAll(strings.TrimSuffix(strings.ToLower(strings.Trim(field, ".,;:!?()[]\"'`*_")), "'s"), "'", "")
		if when = (when || among(conditions, word)) && word != "but" && word != "so"; !when && !among(delays, word) {
			what = append(what, field)
		}
		when = when && !strings.ContainsAny(field[len(field)-1:], ",;:.")
	}
	return distinct(s.Terms(strings.Join(what, " ")))
}

func distinct(terms []string) []string {
	terms = slices.Clone(terms)
	slices.Sort(terms)
	return slices.Compact(terms)
}

func (s Sense) told(terms []string) (sum float64) {
	for _, t := range terms {
		sum += s.Told(t)
	}
	return sum
}

// cover is the share of some terms, by what they tell, that others equal, and that they equal or resemble. No term stands for two.
func (s Sense) cover(terms, others []string) (equal, met float64, shared int) {
	free := distinct(others)
	var rest []string
	for _, t := range terms {
		if i := slices.Index(free, t); i >= 0 {
			free = slices.Delete(free, i, i+1)
			equal += s.Told(t)
			shared++
		} else {
			rest = append(rest, t)
		}
	}
	slices.SortFunc(rest, func(a, b string) int { return cmp.Or(cmp.Compare(s.Told(b), s.Told(a)), cmp.Compare(a, b)) })
	met = equal
	for _, t := range rest {
		best, at := leastLike, -1
		for i, o := range free {
			if like := s.Like(t, o); like > best {
				best, at = like, i
			}
		}
		if at >= 0 {
			free = slices.Delete(free, at, at+1)
			met += best * s.Told(t)
		}
	}
	all := max(s.told(terms), 1)
	return equal / all, met / all, shared
}

// Ended is a goal that one of the turns of a session ended: done, or dropped because its code is gone. A near miss stays open: half of it, a
// similar thing, an attempt that failed.
func (s Sense) Ended(g memory.Goal, turns []Turn, in memory.Session) (memory.Goal, bool) {
	subject := s.Subject(g.Title)
	if len(subject) < 2 || s.told(subject) < leastWork {
		return g, false
	}
	for _, t := range turns {
		if s.unfinished(subject, t) {
			continue
		}
		if status, by := s.ended(g.Title, subject, t); status != "" {
			return Close(g, status, in.ID, by, in.LastEventAt), true
		}
	}
	return g, false
}

// ended is what a turn made of the subject of a title, and what shows it.
func (s Sense) ended(title string, subject []string, t Turn) (status memory.GoalStatus, by string) {
	removes := says(title, removals)
	request := asks(t.Asked)
	wanted := s.Terms(request)
	asked, _, _ := s.cover(subject, wanted)
	deeds := slices.Clone(t.Commits)
	for _, sentence := range sentencesOf(t.Message) {
		if len(t.Edited)+len(t.Commits) > 0 && !strings.HasSuffix(sentence, "?") && !denies(sentence) && !says(sentence, wishes) {
			deeds = append(deeds, Deed{Text: sentence, Files: t.Edited})
		}
	}
	for _, d := range deeds {
		done := s.Terms(d.Text + "\n" + strings.Join(d.Gone, "\n"))
		if len(d.Files) <= deedFiles {
			done = append(done, s.Terms(strings.Join(d.Files, "\n"))...)
		}
		equal, met, shared := s.cover(subject, done)
		both, bothMet, _ := s.cover(subject, append(slices.Clone(wanted), done...))
		switch {
		case !removes && both >= reportShare && slices.ContainsFunc(d.Gone, func(path string) bool { return s.names(path, subject) }):
			return memory.GoalDropped, d.Text
		case says(d.Text, removals) != removes || s.another(title, request+"\n"+d.Text):
		case equal >= reportShare && shared > 1, asked >= askedWhole, met >= followShare && shared > 0 && both >= askedEqual && bothMet >= askedShare:
			return memory.GoalDone, d.Text
		}
	}
	return "", ""
}

// another reports whether a text speaks of another one of the same sort: it has a word of a title after a different one, "the time picker"
// for "the date picker".
func (s Sense) another(title, text string) bool {
	spokenOf := func(kinds, terms []string) bool {
		return slices.ContainsFunc(kinds, func(kind string) bool {
			return slices.ContainsFunc(terms, func(t string) bool { return s.Like(kind, t) >= sameLike })
		})
	}
	have := s.follows(text)
	for noun, kinds := range s.follows(title) {
		if len(have[noun]) > 0 && !spokenOf(kinds, s.Terms(text)) && !spokenOf(have[noun], s.Terms(title)) {
			return true
		}
	}
	return false
}

// follows are the words right before each telling word of a text.
func (s Sense) follows(text string) map[string][]string {
	after, last := map[string][]string{}, ""
	for field := range strings.FieldsSeq(strings.ToLower(text)) {
		terms := s.Terms(field)
		if len(terms) != 1 {
			last = ""
			continue
		}
		if last != "" && s.Told(terms[0]) >= leastNoun {
			after[terms[0]] = append(after[terms[0]], last)
		}
		if last = terms[0]; strings.ContainsAny(field[len(field)-1:], ".,;:!?)") {
			last = ""
		}
	}
	return after
}

// unfinished reports whether nothing came of a turn, or the agent says of a subject that something is left or failed. Without a commit any
// such word counts.
func (s Sense) unfinished(subject []string, t Turn) bool {
	about := func(sentence string) bool {
		_, _, shared := s.cover(subject, s.Terms(sentence))
		return shared > 0 || len(t.Commits) == 0
	}
	return t.Message == "" && len(t.Commits) == 0 || slices.ContainsFunc(t.Left, about) ||
		slices.ContainsFunc(sentencesOf(t.Message), func(sentence string) bool {
			return (denies(sentence) || strings.HasSuffix(sentence, "?")) && about(sentence)
		})
}

// names reports whether the name of a file, without its folder and its ending, is part of a subject.
func (s Sense) names(path string, subject []string) bool {
	name, _, _ := strings.Cut(path[strings.LastIndexByte(path, '/')+1:], ".")
	terms := s.Terms(name)
	return len(terms) > 0 && !slices.ContainsFunc(terms, func(t string) bool { return !slices.Contains(subject, t) })
}

// asks are the sentences of a prompt that ask for something: no questions, nothing that is denied or put off.
func asks(prompt string) string {
	var kept []string
	words := 0
	for _, sentence := range sentencesOf(prompt) {
		if words += len(strings.Fields(sentence)); words > askWords {
			break
		}
		if !strings.HasSuffix(sentence, "?") && !denies(sentence) && !says(sentence, putsOff) {
			kept = append(kept, sentence)
		}
	}
	return strings.Join(kept, "\n")
}

func says(sentence, list string) bool {
	return slices.ContainsFunc(plainWords(sentence), func(w string) bool { return among(list, w) })
}

func denies(sentence string) bool {
	return says(sentence, negations) || strings.Contains(strings.ReplaceAll(sentence, "’", "'"), "n't")
}

// sentencesOf cuts a text after each mark that ends a sentence: people begin the next one with a small letter.
func sentencesOf(text string) (sentences []string) {
	for line := range strings.Lines(text) {
		begin := 0
		for i := range len(line) {
			if strings.IndexByte(".!?;", line[i]) >= 0 && (i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\n') || i+1 == len(line) {
				if sentence := strings.TrimSpace(line[begin : i+1]); sentence != "" {
					sentences = append(sentences, sentence)
				}
				begin = i + 1
			}
		}
	}
	return sentences
}

// Over reports whether the person says in a prompt that a goal is done or not wanted any more, "" if not, and with which words. It is not done
// where another clause says that something of it is left.
func (s Sense) Over(g memory.Goal, prompt string) (status memory.GoalStatus, by string) {
	subject := s.Subject(g.Title)
	if len(subject) == 0 {
		return "", ""
	}
	for _, sentence := range sentencesOf(prompt) {
		for clause := range strings.FieldsFuncSeq(sentence, func(r rune) bool { return strings.ContainsRune(",;:()", r) }) {
			own := s.content(without(clause, finished+giveUp+givenUp))
			equal, _, shared := s.cover(subject, own)
			back, _, _ := s.cover(own, subject)
			said := over(clause)
			switch {
			case said == "" && shared > 0 && (denies(clause) || says(clause, wishes+partly)):
				return "", ""
			case said != "" && !strings.HasSuffix(sentence, "?") && equal >= overShare && back >= clauseShare && status == "":
				status, by = said, sentence
			}
		}
	}
	return status, by
}

// over is what a clause says of its subject, if it says that this is no concern any more.
func over(clause string) memory.GoalStatus {
	words := plainWords(clause)
	for len(words) > 1 && among(leadIns, words[0]) {
		words = words[1:]
	}
	clause = strings.Join(words, " ")
	switch {
	case len(words) < 2 || among(questions, words[0]) || says(clause, conditions+partly+putsOff):
	case denies(clause) && among(" we i nobody ", words[0]) && says(clause, " anymore longer all "):
		return memory.GoalDropped
	case says(clause, wishes):
	case among(giveUp, words[0]), !denies(clause) && says(clause, givenUp):
		return memory.GoalDropped
	case !denies(clause) && says(clause, finished):
		return memory.GoalDone
	}
	return ""
}

// without is a text without the words of a list.
func without(text, list string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(text), func(w string) bool {
		return among(list, strings.ToLower(strings.Trim(w, ".,;:!?\"'")))
	}), " ")
}
