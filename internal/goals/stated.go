package goals

import (
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/statements"
)

// A person states a goal with one of these words before it, and ends one with a sentence that names it and says no more than that. A
// commit that names it does the same. What is said in other words is for the scribe to find.

// statingWords begin a sentence that states a goal.
var statingWords = map[string]memory.GoalKind{"goal": memory.GoalAim, "todo": memory.GoalNext, "next": memory.GoalNext}

const statedMost = 5 // goals of one prompt; more are a plan

// ownSentences are the sentences of a prompt that the person typed.
func ownSentences(prompt string) (list []string) {
	for _, s := range statements.Sentences(prompt) {
		if !s.Doubtful {
			list = append(list, prompt[s.Start:s.End])
		}
	}
	return list
}

// statedIn are the goals that sentences of a person state.
func statedIn(sentences []string) (goals []memory.Goal) {
	for _, s := range sentences {
		word, title, is := strings.Cut(s, ":")
		kind, states := statingWords[strings.ToLower(strings.Trim(word, "*_ "))]
		if g, ok := Step(title, goalTerms); is && states && ok && len(goals) < statedMost {
			g.Kind = kind
			goals = append(goals, g)
		}
	}
	return goals
}

// overWords end a goal in a sentence that names it.
var overWords = map[string]memory.GoalStatus{
	"done": memory.GoalDone, "finished": memory.GoalDone, "complete": memory.GoalDone, "completed": memory.GoalDone, "shipped": memory.GoalDone,
	"drop": memory.GoalDropped, "dropped": memory.GoalDropped, "forget": memory.GoalDropped, "cancel": memory.GoalDropped, "cancelled": memory.GoalDropped,
}

// besideOver are words beside the name of a goal with which the sentence still says no more than that it is over.
const besideOver = " the a an is are was were now finally already we i have has it's of to for on in at and with about ok okay yes so that goal todo "

// over is what a person says of a goal, "" if not that it is done or dropped, and with which words.
func over(g memory.Goal, sentences []string) (status memory.GoalStatus, by string) {
	title := goalTerms(g.Title)
	for _, s := range sentences {
		if strings.Contains(s, "?") || !hasAll(goalTerms(s), title) {
			continue
		}
		said, more := memory.GoalStatus(""), false
		for _, w := range plainWords(s) {
			ofTitle := slices.Contains(plainWords(g.Title), w) || slices.ContainsFunc(goalTerms(w), func(t string) bool { return slices.Contains(title, t) })
			if is := overWords[w]; !ofTitle && is != "" && said == "" {
				said = is
			} else {
				more = more || !ofTitle && !among(besideOver, w)
			}
		}
		if said != "" && !more {
			return said, s
		}
	}
	return "", ""
}

// unfinished are words of a commit that only goes on with something.
const unfinished = " wip start starts begin begins prepare prepares plan plans partly part partial first todo "

// commitEnds reports whether a commit names a goal: it has all the words of the title, and neither turns it round nor only begins it.
func commitEnds(message string, g memory.Goal) bool {
	title, words := plainWords(g.Title), plainWords(message)
	other := func(w string) bool { return (among(denials, w) || among(unfinished, w)) && !slices.Contains(title, w) }
	lacks := func(w string) bool {
		return (among(denials, w) || strings.ContainsAny(w, "0123456789")) && !slices.Contains(words, w)
	}
	return hasAll(goalTerms(message), goalTerms(g.Title)) && !slices.ContainsFunc(words, other) && !slices.ContainsFunc(title, lacks)
}

// hasAll reports whether a text has all terms of a title that is long enough to name something.
func hasAll(words, title []string) bool {
	return len(title) > 1 && !slices.ContainsFunc(title, func(t string) bool { return !slices.Contains(words, t) })
}

// subject is the first line of a commit's message.
func subject(message string) string {
	first, _, _ := strings.Cut(message, "\n")
	return prose.OneLine(first)
}
