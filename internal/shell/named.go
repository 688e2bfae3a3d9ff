package shell

import (
	"slices"
	"strings"
)

// ordinary are programs whose names are words of prose too: alone they name a program only as code, between backticks.
const ordinary = " go make find cat time just task node yarn bun ant rake black poetry click helm brew swift dart cargo at test sort cut head tail kill watch less more" +
	" screen date split join touch expect host act air gem flask ruby rust act tree file which type read nice env "

// linking are words that can follow the name of a program in a sentence. Any other word after it is what the program is asked to do.
const linking = " is are was were be for with without not no in and or to must should on as from here when because before after instead only but that which over rather than" +
	" via by it at if unless always never will can may has have so first again too alone does do we you i directly everywhere anywhere itself "

// ofGit are subcommands of git by which people speak of it without its name.
var ofGit = []string{"commit", "push", "rebase", "merge", "stash", "cherry-pick", "amend", "tag"}

// SpokenOf reports whether a sentence has the name of a subcommand of git, which people say without naming git: before you commit.
func (r Run) SpokenOf(text string) bool {
	return r.Program == "git" && slices.Contains(ofGit, r.Sub()) && slices.ContainsFunc(strings.Fields(text), func(w string) bool {
		name := trimmed(w)
		return name == r.Sub() || name == r.Sub()+"s" || name == r.Sub()+"ing"
	})
}

// NamedIn reports whether a sentence names the program as such, and if it says what for, the same as this run.
func (r Run) NamedIn(text string) bool {
	words := strings.Fields(text)
	for i, w := range words {
		name := trimmed(w)
		if name != r.Program {
			continue
		}
		next := ""
		if i+1 < len(words) && strings.HasSuffix(w, name) { // no sign ends the phrase
			next = trimmed(words[i+1])
		}
		switch {
		case next != "" && !strings.Contains(linking, " "+next+" "):
			if next == r.Sub() || slices.Contains(r.Args, next) {
				return true
			}
		case strings.Contains(w, "`"), !r.Ordinary():
			return true
		}
	}
	return false
}

// SubNamedIn reports whether a sentence has the word for what the program is asked to do.
func (r Run) SubNamedIn(text string) bool {
	return r.SpokenOf(text) || r.Sub() != "" && slices.ContainsFunc(strings.Fields(text), func(w string) bool { return trimmed(w) == r.Sub() })
}

// AskedFor reports whether a sentence asks to run just this, so that the run obeys it: run make check before every push. One that forbids something
// before, or says how to run it, asks for more.
func (r Run) AskedFor(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	for i, w := range words {
		if i == 0 || trimmed(w) != r.Program || !slices.Contains([]string{"run", "use", "call", "execute"}, words[i-1]) {
			continue
		}
		if slices.ContainsFunc(words[:i], func(w string) bool {
			return slices.Contains([]string{"never", "not", "no", "don't", "don’t", "without"}, trimmed(w))
		}) {
			return false
		}
		if i+1 < len(words) && r.Sub() != "" && trimmed(words[i+1]) == r.Sub() {
			i++
		}
		ended := strings.ContainsAny(words[i][len(words[i])-1:], ".,;:!?)")
		if ended || i+1 == len(words) || slices.Contains([]string{"before", "after", "instead", "first", "when", "whenever", "not"}, trimmed(words[i+1])) {
			return true
		}
	}
	return false
}

func trimmed(word string) string {
	const signs = "\"'`“”‘’()[]{}<>,;:!?*"
	return strings.TrimRight(strings.TrimLeft(word, signs), signs+".")
}

// Ordinary reports whether the name of the program is a word of prose too.
func (r Run) Ordinary() bool { return strings.Contains(ordinary, " "+r.Program+" ") }
