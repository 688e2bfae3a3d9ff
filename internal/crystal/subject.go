package crystal

import (
	"slices"
	"strings"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Claim is what a statement says of its subject.
type Claim struct {
	Subject string // what it is about, normalised; empty unless that is sure
	Value   string // what it says of it
	Denied  bool   // that this is not so, or no longer

	shape string // what kind of value it is, where that is all that is known of it
}

// subjectWords is the length above which a statement is not searched for its subject: a wrong one hides knowledge.
const subjectWords = 24

// readClaim reads a statement. A wrong subject would let one statement hide another, so only plain forms of one English
// sentence are read ("we use X for Y", "the default branch is main", "prefer tabs over spaces", "log level: debug", "the port
// is 8080", "the parser lives in src/parse.go"), and only where the subject can have one value at a time. For everything else
// the claim is empty.
func readClaim(text string) Claim {
	s, ok := readSentence(text, subjectWords)
	if !ok {
		return Claim{}
	}
	for _, form := range []func(sentence) Claim{assignment, pair, keyed, usage, changed, listening, living, attribute, named, advice} {
		if c := form(s); c.Subject != "" {
			if blank(strings.ToLower(c.Value)) {
				return Claim{}
			}
			c.Subject = NormalSubject(c.Subject)
			return c
		}
	}
	return Claim{}
}

// Subject is what a crystal is a statement about: what its author said it is, or else what its text says. Only kinds that
// state how things are have one of their own.
func Subject(c memory.Crystal) string {
	if c.Subject != "" {
		return NormalSubject(c.Subject)
	}
	if !statesHowThingsAre(c.Kind) {
		return ""
	}
	return readClaim(c.Text).Subject
}

func statesHowThingsAre(kind memory.CrystalKind) bool {
	return kind == memory.Fact || kind == memory.Decision || kind == memory.Preference
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
	case len(newer.Anchors) > 0 && len(older.Anchors) > 0 && !sameAnchors(newer, older):
		return false
	case older.Lifecycle == memory.Frozen || newer.Origin.Tier() > older.Origin.Tier():
		return false
	}
	return otherwise(newer, older, subject)
}

// otherwise reports whether two statements on one subject cannot both hold.
func otherwise(a, b memory.Crystal, subject string) bool {
	x, y := readClaim(a.Text), readClaim(b.Text)
	if x.Subject != subject || y.Subject != subject {
		// The subject was given by hand; the later word counts, unless it is the same word.
		return NormalSubject(a.Text) != NormalSubject(b.Text)
	}
	switch {
	case x.Denied && y.Denied || x.shape != "" && y.shape != "" && x.shape != y.shape:
		return false
	case x.Denied != y.Denied:
		return x.Value == y.Value
	}
	return x.Value != y.Value
}

// Supersede makes the older statement history: it holds up to the newer one, which points back to it.
func Supersede(newer, older memory.Crystal) (memory.Crystal, memory.Crystal) {
	older.ValidTo = newer.SaidAt
	if !slices.Contains(newer.Parents, older.ID) {
		newer.Parents = append(slices.Clone(newer.Parents), older.ID)
	}
	return newer, older
}
