package vocab

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// FileNames are the files that a text may name, as people and programs write them, in the order of the text and each once: a path from anywhere
// (src/auth.go, /home/u/x/src/auth.go, @src/auth.go, C:\x\src\auth.go), with a place in it (auth.go:12:3, auth.go#L12, auth.go(12)), a base name, a
// module (app.auth.session, which may be app/auth/session.py or app/auth.py), and a name without an ending that is written large (BUGS, Makefile).
// A word of a sentence is none.
func FileNames(text string, most int) (names []string) {
	add := func(name string) {
		if name != "" && name != "." && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	between := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("`\"'“”‘’[]{}<>,;|", r) }
	for word := range strings.FieldsFuncSeq(text, between) {
		if len(names) >= most {
			break
		}
		name := withoutPlace(strings.ReplaceAll(word, "\\", "/"))
		name = strings.TrimPrefix(strings.TrimLeft(name, "@(*:"), "./")
		switch {
		case strings.Contains(name, "://"):
		case strings.ContainsRune(name, '/'):
			add(path.Clean(name))
		case isModule(name):
			add(name) // it may be a file all the same: app.module.ts
			for _, ending := range moduleEndings {
				whole := strings.ReplaceAll(name, ".", "/")
				add(whole + ending)
				add(path.Dir(whole) + ending)
			}
		case strings.ContainsRune(name, '.') || isWrittenLarge(name):
			add(name)
		}
	}
	return names[:min(len(names), most)]
}

// moduleEndings are those of languages whose modules people name with dots.
var moduleEndings = []string{".py", ".java", ".kt"}

// withoutPlace takes the line and column off a name, and the signs of the sentence around it.
func withoutPlace(word string) string {
	const signs = ".:!?)*"
	for {
		before := word
		word = strings.TrimRight(word, signs)
		if at := strings.LastIndexAny(word, ":(#"); at > 0 {
			place := strings.TrimPrefix(word[at+1:], "L")
			if place != "" && strings.Trim(place, "0123456789-L,") == "" {
				word = word[:at]
			}
		}
		if word == before {
			return word
		}
	}
}

// isModule reports whether a name is made of three words or more with dots between them.
func isModule(name string) bool {
	parts := strings.Split(name, ".")
	return len(parts) > 2 && !slices.ContainsFunc(parts, func(p string) bool {
		return p == "" || strings.ContainsFunc(p, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) || unicode.IsDigit(rune(p[0]))
	})
}

// isWrittenLarge reports whether a word may be a file without an ending: BUGS, LICENSE, Makefile. Whether there is one says more.
func isWrittenLarge(name string) bool {
	return len(name) > 2 && name[0] >= 'A' && name[0] <= 'Z' && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' && r != '-' })
}
