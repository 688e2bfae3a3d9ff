package lines

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/prose"
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
func Doubts(l Line, p Proof, s Session, e Evidence) (why []string) {
	if e.Retold(l.Text) || !p.Person && e.tells(s.around(l.Quote, p), false) {
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
	retoldLeast  = 2 // words that both have
	retoldShare  = 0.5
)

// Retold reports whether half of what a line says stands together in a text of others, beside what the person typed in the session.
func (e Evidence) Retold(text string) bool {
	return e.tells(text, true)
}

// tells is Retold; the words of names count unless they are borne out by themselves.
func (e Evidence) tells(text string, borne bool) bool {
	claim := stems(text)
	for said := range stems(strings.Join(e.Said, " ")) {
		delete(claim, said)
	}
	for _, n := range namesIn(text) { // they are borne out by themselves
		if n.needs && borne {
			for named := range stems(n.text) {
				delete(claim, named)
			}
		}
	}
	if len(claim) < retoldLeast {
		return false
	}
	has := func(words []string) bool {
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
	return slices.ContainsFunc(slices.Concat(e.Outside, e.Pasted), func(t string) bool { return has(letters(t)) })
}

// around are the sentences in which a quote stands: it may be the harmless end of one that tells again what others say.
func (s Session) around(quote string, p Proof) string {
	if p.Turn < 1 || p.Turn > len(s.Turns) {
		return quote
	}
	words := func(text string) string { return " " + strings.Join(plain(text), " ") + " " }
	t, wanted := s.Turns[p.Turn-1], words(quote)
	for _, text := range append([]string{t.Answer}, t.Before...) {
		if !strings.Contains(words(text), wanted) {
			continue
		}
		list := prose.Sentences(prose.OneLine(text))
		for many := 1; many <= len(list); many++ {
			for from := 0; from+many <= len(list); from++ {
				if some := strings.Join(list[from:from+many], " "); strings.Contains(words(some), wanted) {
					return some
				}
			}
		}
	}
	return quote
}

// AboutUs are the lines of what a command printed that speak of those who work here, or that imitate a turn of the session: a program
// knows nothing of them.
func AboutUs(printed string) string {
	var said []string
	for line := range strings.Lines(printed) {
		if aboutUs(letters(line)) {
			said = append(said, line)
		}
	}
	return strings.Join(said, "")
}

func aboutUs(words []string) bool {
	for i, w := range words {
		ours := i > 0 && slices.Contains([]string{"this", "our", "the"}, words[i-1]) && slices.Contains([]string{"project", "projects", "repository", "codebase"}, w)
		if ours || slices.Contains(people, w) || slices.Contains([]string{"documented", "everybody", "everyone", "retired"}, w) {
			return true
		}
	}
	return wishes(words)
}

// Turns are the lines of a text that imitate a turn of a conversation.
func Turns(text string) string {
	var said []string
	for line := range strings.Lines(text) {
		words := letters(line)
		begins := strings.IndexByte(line, ':') > 0 && len(words) > 1 && slices.Contains(roles, words[0]) && strings.IndexByte(line, ':') < 16
		if begins || strings.Contains(line, `"developer":`) || strings.Contains(line, "system-reminder") || strings.Contains(line, "<developer") || strings.Contains(line, "[developer") {
			said = append(said, line)
		}
	}
	return strings.Join(said, "")
}

var (
	people = strings.Fields("agents contributor contributors developer developers maintainer maintainers owner owners team")
	roles  = strings.Fields("human user developer assistant system tool")
	wish   = strings.Fields("agree agreed agrees allow allowed allows approve approved approves asked asks confirm confirmed confirms consent decide decided decides expect expects insist insists like likes ok prefer prefers permit permits permitted said says told want wanted wants wish wishes fine")
)

// speaksFor reports whether a text says what people want, decided or allow.
func speaksFor(text string) bool { return wishes(letters(text)) }

func wishes(words []string) bool {
	for i, w := range words {
		known := slices.Contains(people, w) || w == "user" || w == "users" || w == "agent"
		if known && slices.ContainsFunc(words[i+1:min(i+4, len(words))], func(next string) bool { return slices.Contains(wish, next) }) {
			return true
		}
		if (w == "agent" || w == "agents") && i+1 < len(words) && slices.Contains(leave, words[i+1]) {
			return true
		}
	}
	return false
}

var leave = strings.Fields("may must should need needn run can skip approve ignore delete push merge")

var (
	// guards are words for what keeps people from harm, or their beginnings; checks are those that are often just work to be done.
	guards = strings.Fields("2fa approv audit authent authori auth backup certificat check checked checks checksum ci confirm encrypt escap factor firewall gpg hook limit lock protect permission review sandbox sanitiz secur sign strict sums throttl tls ssl verif")
	checks = strings.Fields("lint test token secret")
	// lowers say that one is gone; denies may.
	lowers = strings.Fields("anybody bypass dead delet disabl ignor leftover lift meaningless noise nobody obsolete off skip switched turned unneeded")
	denies = strings.Fields("drop fine let lets longer need needed needs no not nothing without")
	rights = strings.Fields("rights privileges permissions access")
	lifted = strings.Fields("superuser insecure unauthenticated unreviewed unsafe unsigned unverified")
)

// lowers reports whether a text says that a guard is off or not needed, and the person did not type it.
func (e Evidence) lowers(text string) bool {
	is := func(w string, list []string) bool {
		return slices.ContainsFunc(list, func(g string) bool { return w == g || g != "check" && len(g) > 3 && strings.HasPrefix(w, g) })
	}
	words := letters(text)
	around := func(i, near int, list []string) bool {
		return slices.ContainsFunc(words[max(0, i-near):min(i+near+1, len(words))], func(o string) bool { return o != words[i] && is(o, list) })
	}
	const near, far = 4, 7 // words
	for i, w := range words {
		if is(w, lifted) || (w == "root" || w == "admin") && around(i, near-1, rights) || is(w, slices.Concat(guards, checks)) && around(i, far, lowers) || is(w, guards) && around(i, near, denies) {
			return true
		}
	}
	return false
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
	does := func(w string) bool {
		return strings.ToLower(w) != w && len(w) > 3 && (within(e.Touched, w) || within(e.Late.Touched, w))
	}
	return slices.ContainsFunc(strings.Fields(text), does) || slices.ContainsFunc(namesIn(text), func(n name) bool {
		return within(e.Typed, n.text) || within(e.Ran, n.text) || within(e.Late.Ran, n.text) || within(e.Touched, n.text) || within(e.Late.Touched, n.text) || e.tracked(n.text)
	})
}

// Folded is a text of others without what hides words: invisible characters, other hyphens, and letters of other alphabets in a word.
func Folded(text string) string {
	words := strings.FieldsFunc(text, unicode.IsSpace)
	for _, w := range words {
		if mixed(w) {
			text = strings.ReplaceAll(text, w, alike.Replace(w))
		}
	}
	return visible(text)
}

// alike turns letters into those of the Latin alphabet that look the same.
var alike = strings.NewReplacer("а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "у", "y", "х", "x", "і", "i", "ј", "j", "ѕ", "s", "к", "k", "н", "h", "в", "b", "т", "t", "м", "m",
	"ο", "o", "α", "a", "ν", "v", "ρ", "p", "υ", "u", "ι", "i", "κ", "k", "τ", "t", "А", "A", "В", "B", "Е", "E", "К", "K", "М", "M", "Н", "H", "О", "O", "Р", "P", "С", "C", "Т", "T", "Х", "X")

// mixed reports whether a word has letters of the Latin alphabet and of one that looks like it.
func mixed(w string) bool {
	return strings.IndexFunc(w, func(r rune) bool { return unicode.Is(unicode.Latin, r) }) >= 0 &&
		strings.IndexFunc(w, func(r rune) bool { return unicode.In(r, unicode.Cyrillic, unicode.Greek) }) >= 0
}

func visible(text string) string {
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

// disguised reports whether a text has invisible characters, or a word in two alphabets whose parts are not apart.
func disguised(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return unicode.Is(unicode.Cf, r) }) >= 0 ||
		slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }), mixed)
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
		if rest, ok := strings.CutSuffix(w, end); ok && len(rest) > 2 {
			return rest
		}
	}
	return w
}
