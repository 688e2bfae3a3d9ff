package lines

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reasons for which a line waits although each of its names is borne out, as they follow "nothing bears out".
const (
	ToldByOthers = "the claim, which others made"
	SpeaksFor    = "that those for whom it speaks said so"
	GuardOff     = "that a guard may be off"
	NotMeant     = "that the developer's words mean this"
	Nameless     = "the claim, made after texts of others were read: it names nothing that was run or edited"
)

// Doubts say why a line waits for the person, whatever it names: it tells again what a text of others says, it says what people want or
// decided without their words, it takes a guard away, or the words that it quotes say something else.
func Doubts(l Line, p Proof, e Evidence) (why []string) {
	if e.retold(l.Text) {
		why = append(why, ToldByOthers)
	}
	if !p.Person && speaksFor(l.Text) {
		why = append(why, SpeaksFor)
	}
	if e.Late.Tainted && e.lowers(l.Text) || e.unsafe(l.Text) {
		why = append(why, GuardOff)
	}
	if p.Person && l.Kind == Preference && !sharesWords(l.Text, l.Quote) {
		why = append(why, NotMeant)
	}
	if e.Late.Tainted && !p.Person && len(why) == 0 && !e.anchored(l.Text) {
		why = append(why, Nameless)
	}
	return why
}

const (
	retoldWindow = 40 // words of a text of others that are compared at once
	retoldStep   = 10
	retoldLeast  = 3 // words that both have
	retoldShare  = 0.5
)

// retold reports whether half of what a line says stands together in a text of others, beside what the person typed in the session.
func (e Evidence) retold(text string) bool {
	claim := stems(text)
	for said := range stems(strings.Join(e.Said, " ")) {
		delete(claim, said)
	}
	if len(claim) < retoldLeast {
		return false
	}
	tells := func(words []string) bool {
		for from := 0; from < len(words); from += retoldStep {
			seen := map[string]bool{}
			for _, w := range words[from:min(from+retoldWindow, len(words))] {
				if s := stem(w); claim[s] {
					seen[s] = true
				}
			}
			if len(seen) >= retoldLeast && float64(len(seen)) >= retoldShare*float64(len(claim)) {
				return true
			}
		}
		return false
	}
	for _, t := range e.Outside {
		if tells(letters(t)) {
			return true
		}
	}
	for _, t := range e.Printed {
		for line := range strings.Lines(t) {
			if words := letters(line); aboutUs(words) && tells(words) {
				return true
			}
		}
	}
	return false
}

// aboutUs reports whether a printed line speaks of those who work here: what a program prints of itself does not.
func aboutUs(words []string) bool {
	for i, w := range words {
		if slices.Contains(people, w) || slices.Contains([]string{"project", "projects", "repository", "repo", "codebase"}, w) && i > 0 && slices.Contains([]string{"this", "our", "the"}, words[i-1]) ||
			slices.Contains([]string{"documented", "required", "everybody", "everyone", "retired"}, w) {
			return true
		}
	}
	return false
}

var (
	people = strings.Fields("agent agents assistant contributor contributors developer developers maintainer maintainers owner owners team user users")
	wish   = strings.Fields("agree agreed agrees allow allowed allows approve approved approves asked asks confirm confirmed confirms consent decide decided decides expect expects insist insists like likes ok prefer prefers permit permits permitted said says told want wanted wants wish wishes fine")
)

// speaksFor reports whether a text says what people want, decided or allow.
func speaksFor(text string) bool {
	words := letters(text)
	for i, w := range words {
		if slices.Contains(people, w) && slices.ContainsFunc(words[i+1:min(i+4, len(words))], func(next string) bool { return slices.Contains(wish, next) }) {
			return true
		}
		if slices.Contains(people[:3], w) && i+1 < len(words) && (slices.Contains([]string{"may", "must", "should", "need", "run", "can", "are", "skip", "approve", "ignore", "delete", "push"}, words[i+1])) {
			return true
		}
	}
	return false
}

var (
	guards = strings.Fields("2fa approv audit authent authori auth backup certificat check checksum ci confirm encrypt escap factor firewall gpg hook limit lint lock protect permission review sandbox sanitiz secur sign strict sums throttl tls ssl token test verif secret")
	lowers = strings.Fields("anybody bypass dead delet disabl drop fine ignor insecure leftover lift meaningless need needed needs no noise nobody nothing obsolete off skip switched turned unneeded unreview unsafe unsigned without lets let longer")
)

// lowers reports whether a text says that a guard is off or not needed, and the person did not type it.
func (e Evidence) lowers(text string) bool {
	has := func(list []string, whole bool) bool {
		return slices.ContainsFunc(letters(text), func(w string) bool {
			return slices.ContainsFunc(list, func(g string) bool { return w == g || !whole && len(g) > 3 && strings.HasPrefix(w, g) })
		})
	}
	return has(guards, false) && has(lowers, false)
}

// unsafe reports whether a text has a switch in it that takes a guard away, and the person did not type it.
func (e Evidence) unsafe(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(switches, func(s string) bool {
		return strings.Contains(text, s) && !slices.ContainsFunc(e.Typed, func(t string) bool { return strings.Contains(strings.ToLower(t), s) })
	})
}

var switches = []string{
	"--no-verify", "--no-gpg-sign", "--insecure", "-insecure", "chmod -r 777", "chmod 777", "--break-system-packages", "strict-ssl false", "node_tls_reject_unauthorized",
	"verify=false", "stricthostkeychecking", "--no-check-certificate", "--trusted-host", "gonosumdb", "gonosumcheck", "goinsecure", "git_ssl_no_verify", "sslverify",
	"core.hookspath", "husky=0", "--allow-unauthenticated", "--skip-verification", "| sh", "| bash", "|sh", "|bash", "as root with sudo",
}

// sharesWords reports whether a text has a word of the quote that says something.
func sharesWords(text, quote string) bool {
	a, b := stems(text), stems(quote)
	for w := range a {
		if b[w] {
			return true
		}
	}
	return false
}

// anchored reports whether a text names something of the project that was run, edited, typed or tracked.
func (e Evidence) anchored(text string) bool {
	return slices.ContainsFunc(namesIn(text), func(n name) bool {
		return within(e.Typed, n.text) || within(e.Ran, n.text) || within(e.Late.Ran, n.text) || within(e.Touched, n.text) || within(e.Late.Touched, n.text) || e.tracked(n.text)
	})
}

// Folded is a text of others without the characters that hide words: invisible ones, and other hyphens.
func Folded(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.Is(unicode.Pd, r):
			return '-'
		}
		return r
	}, text)
}

// disguised reports whether a text has invisible characters, or a word with letters of two alphabets that look alike.
func disguised(text string) bool {
	return Folded(text) != strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Pd, r) {
			return '-'
		}
		return r
	}, text) || slices.ContainsFunc(strings.Fields(text), func(w string) bool {
		return strings.IndexFunc(w, func(r rune) bool { return unicode.Is(unicode.Latin, r) }) >= 0 &&
			strings.IndexFunc(w, func(r rune) bool { return unicode.In(r, unicode.Cyrillic, unicode.Greek) }) >= 0
	})
}

func letters(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// stems are the words of a text that say something, without their endings.
func stems(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range letters(text) {
		if s := stem(w); utf8.RuneCountInString(s) > 2 && !slices.Contains(little, w) {
			set[s] = true
		}
	}
	return set
}

var little = strings.Fields("about after all also and any are because been before but can does each every for from had has have her here his how into its just line more most must need needs not now one only our out over per she should since some still such than that the their them then there these they this those through too under until uses used using very was were what when where which who why will with without would you your")

// stem is a word without its ending.
func stem(w string) string {
	for _, end := range []string{"ations", "ation", "ings", "ing", "ness", "ers", "ies", "ed", "es", "er", "ly", "s", "e"} {
		if rest, ok := strings.CutSuffix(w, end); ok && len(rest) > 3 {
			return rest
		}
	}
	return w
}
