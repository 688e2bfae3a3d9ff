package goal

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Sense compares words: how much one tells, and how alike two are, 1 if they are equal. It belongs to the caller.
type Sense struct {
	Terms Terms
	Told  func(term string) float64
	Like  func(a, b string) float64
}

// Deed is something that was done in a session: a commit, or a sentence of the message with which the agent ended.
type Deed struct {
	Text  string
	Files []string // that it changed
	Gone  []string // that it deleted
}

// Work is what a session did that began after a goal was stated.
type Work struct {
	Asked    []string // the person's prompts
	Commits  []Deed
	Messages []string // of the agent, in order
	Left     []string // what the last message leaves to do
	Edited   []string // files
}

// From these shares of a goal's words on work is taken for the goal's. On the stories of internal/goals nothing that stayed open is above
// them; lower ones close what is only about the same thing.
const (
	reportShare = 0.6  // equal words in one commit or sentence of an agent that nobody asked for
	askedShare  = 0.65 // alike words in a prompt and in what was done, together
	followShare = 0.25 // of these in what was done: a prompt that only mentions a goal is followed by other work
	overShare   = 0.25 // equal words in a clause of the person that says that something is over
	clauseShare = 0.5  // of that clause's own words
	alike       = 0.4  // how alike two words must be to count
	leastTold   = 3.0  // by the words of a goal together: fewer name nothing
	askWords    = 50   // of a prompt: the rest of a long one is mostly pasted
	deedFiles   = 10   // of a commit whose names count; a larger one says nothing by them
)

// delays are the words that put something off, or say nothing of what it is: time, will, and the small words of talk.
const delays = " later today tomorrow tonight soon eventually someday sometime day week month quarter year time moment sprint point bit while" +
	" monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december" +
	" next first last end now then again wait leave skip postpone defer delay park ignore bother come back look see mind want like need let lets must" +
	" plan todo do does did doing done some other another one thing something stuff job ok okay please know important right just only also too very quite way" +
	" keep make get put use able sure together fine maybe perhaps possible idea already isnt dont wont thats its id ill never yet still add new proper "

// conditions begin a clause that says when, not what.
const conditions = " until till after once when before if because "

// Subject is what a statement is about: its terms without those that only put it off. None: it names nothing that could be done.
func (s Sense) Subject(text string) []string {
	var what []string
	when := false
	for field := range strings.FieldsSeq(strings.ReplaceAll(text, "’", "'")) {
		word := strings.ToLower(strings.Trim(field, ".,;:!?()[]\"'`*_"))
		if when = (when || among(conditions, word)) && word != "but" && word != "so"; !when && !among(delays, word) {
			what = append(what, field)
		}
		when = when && !strings.ContainsAny(field[len(field)-1:], ",;:.")
	}
	terms := distinct(s.Terms(strings.Join(what, " ")))
	if s.told(terms) < leastTold {
		return nil
	}
	return terms
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

// cover is the share of some terms, by what they tell, that others equal, and that they equal or resemble; no term stands for two.
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
		best, at := alike, -1
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

// Ended reports whether the work of a session ended a goal: done, dropped because its code is gone, or "" for neither; and what shows it.
// A near miss stays open: half of it, a similar thing, an attempt that failed.
func (s Sense) Ended(g memory.Goal, w Work) (status memory.GoalStatus, by string) {
	subject := s.Subject(g.Title)
	if len(subject) < 2 || s.unfinished(subject, w) {
		return "", ""
	}
	removes := turnsRound(g.Title)
	for _, c := range w.Commits {
		if slices.ContainsFunc(c.Gone, func(name string) bool { return s.within(name, subject) }) && !removes {
			told := c.Text + "\n" + strings.Join(append(c.Gone, w.Asked...), "\n")
			if equal, _, _ := s.cover(subject, s.Terms(told)); equal >= reportShare {
				return memory.GoalDropped, c.Text
			}
		}
	}
	deeds := slices.Clone(w.Commits)
	for _, m := range w.Messages {
		for _, sentence := range sentencesOf(m) {
			if len(w.Edited)+len(w.Commits) > 0 && !unreal(sentence) {
				deeds = append(deeds, Deed{Text: sentence, Files: w.Edited})
			}
		}
	}
	for _, d := range deeds {
		if turnsRound(d.Text) != removes {
			continue
		}
		if len(d.Files) <= deedFiles {
			d.Text += "\n" + strings.Join(d.Files, "\n")
		}
		done := s.Terms(d.Text)
		equal, met, shared := s.cover(subject, done)
		if equal >= reportShare && shared > 1 {
			return memory.GoalDone, d.Text
		}
		if met < followShare {
			continue
		}
		for _, prompt := range w.Asked {
			if _, met, _ := s.cover(subject, append(s.Terms(asks(prompt)), done...)); met >= askedShare {
				return memory.GoalDone, d.Text
			}
		}
	}
	return "", ""
}

// unfinished reports whether the agent says of a goal that something is left, or that it did not succeed; without a commit any such word counts.
func (s Sense) unfinished(subject []string, w Work) bool {
	if len(w.Messages) == 0 {
		return len(w.Commits) == 0
	}
	about := func(sentence string) bool {
		_, _, shared := s.cover(subject, s.Terms(sentence))
		return shared > 0 || len(w.Commits) == 0
	}
	last := sentencesOf(w.Messages[len(w.Messages)-1])
	return slices.ContainsFunc(w.Left, about) || slices.ContainsFunc(last, func(sentence string) bool {
		return (denies(sentence) || strings.HasSuffix(sentence, "?")) && about(sentence)
	})
}

// within reports whether the name of a file, without its folder and its ending, is part of a subject.
func (s Sense) within(path string, subject []string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	name, _, _ := strings.Cut(base, ".")
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

const (
	putsOff = " later postpone postponed defer deferred someday eventually wait yet "
	// wishes are in a sentence about what is not so yet.
	wishes   = " will shall should would could may might must need needs want wants if next later todo plan planned yet still remaining remains consider i'll we'll you'll once "
	partly   = " almost nearly half partly mostly except only "
	finished = " done finished completed merged fixed solved resolved implemented shipped landed released deployed settled already "
	dropped  = " forget scrap scratch cancel cancelled canceled abandon abandoned ditch ditched "
	removals = " remove removed removes delete deleted drop dropped disable disabled revert reverted undo "
)

// unreal reports whether a sentence is about what is not so, or not so yet.
func unreal(sentence string) bool {
	return strings.HasSuffix(sentence, "?") || denies(sentence) || says(sentence, wishes)
}

// turnsRound reports whether a line begins by taking something away: it does not bring what another line wants.
func turnsRound(line string) bool { return says(line, removals) }

func says(sentence, list string) bool {
	return slices.ContainsFunc(plainWords(sentence), func(w string) bool { return among(list, w) })
}

func denies(sentence string) bool {
	return slices.ContainsFunc(plainWords(sentence), func(w string) bool {
		return among(" not no never cannot without dont wont nothing none ", w) || strings.HasSuffix(w, "n't")
	})
}

func sentencesOf(text string) (sentences []string) {
	for line := range strings.Lines(text) {
		sentences = append(sentences, prose.Sentences(strings.TrimSpace(line))...)
	}
	return sentences
}

// Over reports whether the person says in a prompt that a goal is done or not wanted any more: a clause that speaks of little else. "" if not.
func (s Sense) Over(g memory.Goal, prompt string) (status memory.GoalStatus, by string) {
	subject := s.Subject(g.Title)
	for _, sentence := range sentencesOf(prompt) {
		if strings.HasSuffix(sentence, "?") || len(subject) == 0 {
			continue
		}
		for clause := range strings.FieldsFuncSeq(sentence, func(r rune) bool { return strings.ContainsRune(",;:()", r) }) {
			if status := over(plainWords(clause)); status != "" {
				own := s.Subject(without(clause, finished+dropped))
				equal, _, _ := s.cover(subject, own)
				back, _, _ := s.cover(own, subject)
				if equal >= overShare && back >= clauseShare {
					return status, strings.TrimSpace(sentence)
				}
			}
		}
	}
	return "", ""
}

// over is what a clause says of its subject.
func over(words []string) memory.GoalStatus {
	has := func(list string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return among(list, w) })
	}
	if len(words) < 2 || has(wishes) || has(conditions) || has(partly) || has(putsOff) {
		return ""
	}
	for len(words) > 1 && among(" ok okay so and please pls just lets let's also btw no yes ", words[0]) {
		words = words[1:]
	}
	denied := denies(strings.Join(words, " "))
	switch {
	case denied && among(" we i nobody there ", words[0]) && has(" anymore longer all "):
		return memory.GoalDropped
	case among(dropped, words[0]) || !denied && has(" cancelled canceled abandoned ditched "):
		return memory.GoalDropped
	case !denied && has(finished):
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
