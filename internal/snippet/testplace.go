package snippet

import (
	"cmp"
	"slices"
	"strings"
)

// scheme is how a test is called and where it lies.
type scheme struct {
	mark  mark
	place place
}

func (s scheme) compare(other scheme) int {
	return cmp.Or(cmp.Compare(s.mark.before, other.mark.before), cmp.Compare(s.mark.after, other.mark.after),
		cmp.Compare(s.place.kind, other.place.kind), cmp.Compare(s.place.at, other.place.at),
		cmp.Compare(s.place.from, other.place.from), cmp.Compare(s.place.to, other.place.to))
}

// mark is what makes the name of a file that of its test.
type mark struct{ before, after string }

// marks are tried in this order, so that the longer of two comes first.
var marks = [...]mark{
	{"", "_test"}, {"test_", ""}, {"", ".test"}, {"", ".spec"}, {"", "_spec"}, {"", "Tests"}, {"", "Test"}, {"", "Spec"},
}

// testOf returns what a file tests, by its name.
func testOf(stem string) (m mark, subject string, is bool) {
	for _, m := range marks {
		if len(stem) > len(m.before)+len(m.after) && strings.HasPrefix(stem, m.before) && strings.HasSuffix(stem, m.after) {
			return m, stem[len(m.before) : len(stem)-len(m.after)], true
		}
	}
	return mark{}, "", false
}

// IsSubject reports whether a file is source code that is no test.
func IsSubject(name string) bool { return isSource(name) && !isTest(name) }

func isTest(name string) bool {
	_, stem, _ := parts(name)
	_, _, is := testOf(stem)
	return is
}

// place is where tests lie, as seen from what they test.
type place struct {
	kind     placeKind
	at       int // part of the path
	from, to string
}

type placeKind byte

const (
	beside  placeKind = iota // in the same folder
	below                    // in a folder of it: __tests__
	swapped                  // with another part of the path: src/main/java, src/test/java
	added                    // with one part more: tests/…
)

// apply is the folder of the tests of what lies in a folder, if the place makes sense for it.
func (p place) apply(folder string) (string, bool) {
	all := split(folder)
	switch p.kind {
	case below:
		return strings.Join(append(all, p.to), "/"), true
	case swapped:
		if p.at >= len(all) || all[p.at] != p.from {
			return "", false
		}
		all[p.at] = p.to
	case added:
		if p.at > len(all) {
			return "", false
		}
		all = slices.Insert(all, p.at, p.to)
	}
	return strings.Join(all, "/"), true
}

func split(folder string) []string {
	if folder == "." || folder == "" {
		return nil
	}
	return strings.Split(folder, "/")
}

// subjectOf picks the folder among those with a file of the right name that a test belongs to: the one that it takes
// the fewest steps to.
func subjectOf(test string, folders []string) (folder string, at place, found bool) {
	for _, f := range slices.Sorted(slices.Values(folders)) {
		if p, is := placeOf(f, test); is && (!found || p.kind < at.kind) {
			folder, at, found = f, p, true
		}
	}
	return folder, at, found
}

// placeOf says how one gets from the folder of a source to that of its test.
func placeOf(source, test string) (place, bool) {
	s, t := split(source), split(test)
	same := 0
	for same < len(s) && same < len(t) && s[same] == t[same] {
		same++
	}
	switch {
	case len(s) == len(t) && same == len(s):
		return place{kind: beside}, true
	case len(t) == len(s)+1 && same == len(s):
		return place{kind: below, to: t[same]}, true
	case len(s) == len(t) && slices.Equal(s[same+1:], t[same+1:]):
		return place{kind: swapped, at: same, from: s[same], to: t[same]}, true
	case len(t) == len(s)+1 && slices.Equal(s[same:], t[same+1:]):
		return place{kind: added, at: same, to: t[same]}, true
	}
	return place{}, false
}
