package texts

import (
	"slices"
	"strings"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
)

var determiners = set(`the a an our this that these those your`)

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

// Supersedes reports whether a newer statement replaces an older one on the same subject, which somebody named: the later word counts, unless it
// is the same word. It never replaces what a more trusted source said, nor what is frozen.
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
	return NormalSubject(newer.Text) != NormalSubject(older.Text)
}

// Supersede makes the older statement history: it holds up to the newer one, which points back to it.
func Supersede(newer, older memory.Crystal) (memory.Crystal, memory.Crystal) {
	older.ValidTo = newer.SaidAt
	if !slices.Contains(newer.Parents, older.ID) {
		newer.Parents = append(slices.Clone(newer.Parents), older.ID)
	}
	return newer, older
}
