package texts

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
)

// claim is what a statement says of its subject. It is empty unless the subject is certain and has one value at a time: a wrong
// subject would let one statement hide another.
type claim struct {
	subject string // normalised
	value   string
	denied  bool // the statement says that this is not so, or no longer
}

// claimForms are the sentences that are read. Groups: s is the subject, of what it belongs to, v the value, other what v is
// preferred to. Of 1 769 notes that agents wrote, nine state a value, eight in these forms.
var claimForms = sync.OnceValue(func() []*regexp.Regexp {
	const name = `[^\s,:=]+(?: [^\s,:=]+){0,3}`
	const who = `(?:we(?:'re|'ve| have)? |i |(?:the|this) (?:project|codebase|repo|team|user) )?(?:now |currently )?`
	var forms []*regexp.Regexp
	for _, form := range []string{
		// "the default branch is main", "the timeout for uploads is 30s", "log level: debug"
		`(?P<s>NAME?)(?: (?:of|for) (?P<of>NAME?))?(?: (?:is now|is set to|is called|is|defaults to) |: )(?P<v>\S+(?: \S+){0,3})`,
		// "main is the default branch"
		`(?P<v>NAME?) is (?:now )?(?P<s>(?:the|our|my) NAME?)(?: of (?P<of>NAME))?`,
		// "we use redis for caching", "use main as the default branch", "we no longer use redis for caching"
		`WHO(?P<not>no longer |do not |don't |never )?(?:use|uses|chose|adopted|went with|going with|go with|decided on|settled on|switched to|` +
			`moved to|migrated to) (?P<v>NAME?)(?: instead of NAME?)? (?P<as>for|as) (?P<s>NAME?)(?: in (?P<of>NAME))?`,
		// "prefer tabs over spaces", "use tabs, not spaces in go files"
		`WHO(?:prefers?|uses?) (?P<v>NAME?)(?: over| instead of| rather than|, not) (?P<other>NAME?)(?: in (?P<of>NAME))?`,
		// "max_retries = 5"
		`(?P<key>[\pL\d]{2,}(?:[._-][\pL\d]{2,})+)(?: ?= ?|: )(?P<v>[^\s"'=()]+)`,
	} {
		form = strings.NewReplacer("WHO", who, "NAME", name).Replace(form)
		forms = append(forms, regexp.MustCompile(`^(?i:(?P<row>[-*] )?`+leadIn+form+`)$`))
	}
	return forms
})

// leadIn are words that announce a statement.
const leadIn = `(?:(?:note|remember|decision|decided|fact)(?::| that|: that) |(?:we )?decided to |let's |from now on |always |please )*`

var (
	// unclear words make a statement conditional, past, partial or a wish.
	unclear = set(`maybe might may perhaps probably should could would if when whenever unless whether think guess seems was were had been
	used also sometimes either or and both some another most usually often todo fixme want wants plan consider try tried temporarily
	until except only but can however although though while where why how who what than which soon later again still yet & vs`)
	// vague words do not name anything.
	vague = set(`it this that these those them they you we i here there now everything anything something nothing all any each every one
	other same such thing new old next previous first second last wrong right best its their not no never is are be has for as in on at by from
	to with of over instead rather`)
	determiners = set(`the a an our this that these those your`)
	// A project has one value of each; of the others only together with what they belong to, or if the value is a number.
	valuedAlone = set(`database db license licence timezone orm linter formatter bundler indentation editor ide shell broker ci cdn`)
	valued      = set(`branch manager zone port version url host hostname timeout limit threshold path directory folder language framework style
	format encoding locale theme runtime provider registry interval endpoint region bucket topic model prefix tool runner engine
	strategy policy level domain cluster namespace channel protocol algorithm delay ttl capacity concurrency length`)
	// broad purposes are served by several things at once; reasons are no purposes.
	broad = set(`backend frontend server client testing test development production project app code service speed performance reason
	simplicity clarity safety feature module component file data user task team system api debugging documentation script page function`)
	// states describe a thing and are not its value.
	states = set(`broken taken down up wrong stale missing slow fast long short old new open closed ready different random empty full
	unknown important better worse red green`)
)

const claimLongest = 120 // bytes; a longer text says more than one thing

// readClaim reads a statement in one of the plain English forms above.
func readClaim(text string) claim {
	text = strings.TrimRight(strings.TrimSpace(text), ".!")
	if i := strings.LastIndex(text, " ("); i > 0 && strings.HasSuffix(text, ")") {
		text = text[:i]
	}
	text, _, _ = strings.Cut(text, " because ")
	text = strings.ReplaceAll(text, "`", "")
	if len(text) > claimLongest || strings.ContainsAny(text, "\n;?|*[]<>{}") || strings.Contains(text, ". ") || !utf8.ValidString(text) {
		return claim{}
	}
	if slices.ContainsFunc(strings.Fields(strings.ToLower(text)), unclear.has) {
		return claim{}
	}
	for _, form := range claimForms() {
		m := form.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		group := func(name string) string {
			if i := form.SubexpIndex(name); i >= 0 {
				return m[i]
			}
			return ""
		}
		c := claim{value: NormalSubject(group("v")), denied: group("not") != ""}
		if subject, ok := claimSubject(group); ok && c.value != "" && !strings.HasPrefix(c.value, "your") {
			c.subject = NormalSubject(subject)
			return c
		}
	}
	return claim{}
}

// claimSubject returns the subject of a sentence whose groups are given, unless it is not certain.
func claimSubject(group func(string) string) (string, bool) {
	if key := group("key"); key != "" {
		owner, _, _ := strings.Cut(strings.ToLower(key), ".")
		return key, !slices.Contains([]string{"self", "this", "cls", "err", "obj", "req", "res"}, owner)
	}
	subject, of, value := group("s"), group("of"), group("v")
	if !nameLike(value) || of != "" && !nameLike(of) {
		return "", false
	}
	if other := group("other"); other != "" {
		sides := []string{NormalSubject(value), NormalSubject(other)}
		slices.Sort(sides)
		subject = sides[0] + " or " + sides[1]
		if of != "" {
			subject += " in " + of
		}
		return subject, nameLike(other) && sides[0] != sides[1]
	}
	name := strings.Fields(NormalSubject(of + " " + subject))
	if !nameLike(subject) || len(name) == 0 {
		return "", false
	}
	head, qualified := name[len(name)-1], len(name) > 1
	if group("as") == "for" {
		purpose := (qualified || !broad.has(head)) && !endsIn(head, "reason", "ity", "ness", "ance", "ence")
		return strings.Join(name, " "), purpose && !titleCase(subject)
	}
	// A number in a list of its own belongs to an item that stands above it.
	number := strings.ContainsAny(value, "0123456789") && group("row") == ""
	return strings.Join(name, " "), valueLike(value) && (valuedAlone.has(head) || valued.has(head) && (qualified || number))
}

// nameLike reports whether words are a name: none of them joins others or stands for something else.
func nameLike(words string) bool {
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(words)), func(w string) bool {
		return vague.has(w) && !determiners.has(w) || strings.HasSuffix(w, "ly")
	})
}

// valueLike reports whether words name a value: one noun, or several with a number or a capital letter. "too long" is none.
func valueLike(words string) bool {
	first, more, several := strings.Cut(words, " ")
	if states.has(strings.ToLower(first)) || determiners.has(strings.ToLower(first)) {
		return false
	}
	if several {
		return strings.ContainsAny(words, "0123456789") || strings.ToLower(words) != words && !states.has(more)
	}
	return !endsIn(first, "able", "ible", "ed", "ing", "ful", "less", "ous", "ive", "al", "ent", "ant", "ic", "ary", "ish")
}

// titleCase reports whether a name ends with a capitalised word, as headings do.
func titleCase(name string) bool {
	last := name[strings.LastIndexByte(name, ' ')+1:]
	first, _ := utf8.DecodeRuneInString(last)
	return unicode.IsUpper(first) && last != strings.ToUpper(last)
}

func endsIn(word string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(word, e) })
}

func startsWithDigit(word string) bool { return word != "" && word[0] >= '0' && word[0] <= '9' }

// Subject is what a crystal is a statement about: what its author said it is, or else what its text says. Only kinds that
// state how things are have one of their own.
func Subject(c memory.Crystal) string {
	if c.Subject != "" {
		return NormalSubject(c.Subject)
	}
	if !statesHowThingsAre(c.Kind) {
		return ""
	}
	return readClaim(c.Text).subject
}

func statesHowThingsAre(kind memory.CrystalKind) bool {
	return kind == memory.Fact || kind == memory.Decision || kind == memory.Preference || kind == memory.Rule || kind == memory.Correction
}

// NormalSubject makes two ways to write a subject one: lower case, without articles and plurals.
func NormalSubject(text string) string {
	var words []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._/+#@'’-", r)
	}) {
		w = strings.Trim(w, ".'’-/")
		for strings.HasSuffix(w, "'s") || strings.HasSuffix(w, "’s") {
			w = strings.Trim(strings.TrimSuffix(w, "s"), ".'’-/")
		}
		if w != "" && !determiners.has(w) {
			words = append(words, singular(w))
		}
	}
	return strings.Join(words, " ")
}

func singular(w string) string {
	n := len(w)
	switch {
	case n < 4 || !strings.HasSuffix(w, "s") || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies") && n > 4:
		return w[:n-3] + "y"
	case strings.ContainsAny(w, "./_"):
		return w
	}
	return w[:n-1]
}

// Supersedes reports whether a newer statement replaces an older one on the same subject (see Subject). It never replaces what
// a more trusted source said, nor what is frozen.
func Supersedes(newer, older memory.Crystal) bool {
	subject := NormalSubject(newer.Subject)
	switch {
	case newer.ID == older.ID || subject == "" || subject != NormalSubject(older.Subject) || newer.Project != older.Project:
		return false
	case !standing(newer) || !standing(older) || newer.SaidAt.Before(older.SaidAt):
		return false
	case newer.Kind != older.Kind && !(statesHowThingsAre(newer.Kind) && statesHowThingsAre(older.Kind)) || newer.Kind == memory.Episode:
		return false
	case len(spokenOf(newer)) > 0 && len(spokenOf(older)) > 0 && !sameAnchors(newer, older):
		return false
	case older.Lifecycle == memory.Frozen || newer.Origin.Tier() > older.Origin.Tier():
		return false
	}
	return otherwise(newer, older, subject)
}

// otherwise reports whether two statements on one subject cannot both hold.
func otherwise(a, b memory.Crystal, subject string) bool {
	x, y := readClaim(a.Text), readClaim(b.Text)
	if x.subject != subject || y.subject != subject {
		// The subject was given by hand; the later word counts, unless it is the same word.
		return NormalSubject(a.Text) != NormalSubject(b.Text)
	}
	if x.denied || y.denied {
		return x.denied != y.denied && x.value == y.value
	}
	return x.value != y.value && startsWithDigit(x.value) == startsWithDigit(y.value)
}

// Supersede makes the older statement history: it holds up to the newer one, which points back to it.
func Supersede(newer, older memory.Crystal) (memory.Crystal, memory.Crystal) {
	older.ValidTo = newer.SaidAt
	if !slices.Contains(newer.Parents, older.ID) {
		newer.Parents = append(slices.Clone(newer.Parents), older.ID)
	}
	return newer, older
}
