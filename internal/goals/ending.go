package goals

import (
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Turn is what came of one prompt of a session.
type Turn struct {
	Asked   string // by the person
	Commits []Deed
	Edited  []string // files
	Message string   // with which the agent ended it
	Left    []string // what that leaves to do
}

// Deed is a commit.
type Deed struct {
	Text string
	Gone []string // files that it deleted
}

// onlyMentions says whether words of a goal that a sentence has stand in a side clause of it alone: "the footer has its own colours now, without
// it dark mode stays white" says nothing of whether dark mode is done.
func onlyMentions(sentence, title string, terms Terms) bool {
	main, named := terms(mainClauses(sentence)), terms(title)
	return slices.ContainsFunc(terms(sentence), func(term string) bool { return slices.Contains(named, term) && !slices.Contains(main, term) })
}

// mainClauses are the clauses of a sentence that do not begin with a word of sideClauses.
func mainClauses(sentence string) string {
	var main []string
	aside := false
	for _, word := range strings.Fields(sentence) {
		plain := strings.ToLower(strings.Trim(word, edge))
		aside = aside || slices.Contains(sideClauses, plain)
		if !aside {
			main = append(main, word)
		}
		if strings.TrimRight(word, ",;:—–") != word {
			aside = false
		}
	}
	return strings.Join(main, " ")
}

// sideClauses begin with these words. They name a reason, a condition or a time.
var sideClauses = []string{"without", "until", "till", "unless", "because", "if", "once", "while", "whether", "although", "though", "before", "otherwise", "else"}

// goneShare is the share of the words of a goal that a commit and its prompt have which deletes the code that the goal names.
const goneShare = 0.5

// Gone is what became of a goal if a turn deleted a file that its title names, "" if it did not, and the commit: the goal is dropped, or
// done if that was what it wanted.
func Gone(title string, t Turn, terms Terms) (status memory.GoalStatus, by string) {
	named := terms(title)
	within := func(list []string) func(term string) bool {
		return func(term string) bool { return slices.Contains(list, term) }
	}
	for _, c := range t.Commits {
		names := func(path string) bool {
			name, _, _ := strings.Cut(path[strings.LastIndexByte(path, '/')+1:], ".")
			words := terms(name)
			return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(named, w) })
		}
		other := slices.DeleteFunc(slices.Clone(named), within(terms(t.Asked+"\n"+c.Text+"\n"+strings.Join(c.Gone, "\n"))))
		if !slices.ContainsFunc(c.Gone, names) || float64(len(other)) > (1-goneShare)*float64(len(named)) {
			continue
		}
		if slices.ContainsFunc(plainWords(title), func(w string) bool { return among(denials, w) }) {
			return memory.GoalDone, c.Text
		}
		return memory.GoalDropped, c.Text
	}
	return "", ""
}
