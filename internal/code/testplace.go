package code

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// scheme is how a test is called and where it lies.
type scheme struct {
	Mark  mark  `json:"mark"`
	Place place `json:"place"`
}

// of is the test of a file, if the scheme makes sense for its folder.
func (s scheme) of(folder, stem, ext string) (test string, fits bool) {
	where, fits := s.Place.apply(folder)
	return path.Join(where, s.Mark.Before+stem+s.Mark.After+ext), fits
}

func (s scheme) compare(other scheme) int {
	return cmp.Or(cmp.Compare(s.Mark.Before, other.Mark.Before), cmp.Compare(s.Mark.After, other.Mark.After),
		cmp.Compare(s.Place.Kind, other.Place.Kind), cmp.Compare(s.Place.At, other.Place.At),
		cmp.Compare(s.Place.From, other.Place.From), cmp.Compare(s.Place.To, other.Place.To))
}

// mark is what makes the name of a file that of its test.
type mark struct {
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// marks are tried in this order, so that the longer of two comes first.
var marks = [...]mark{
	{"", "_test"}, {"test_", ""}, {"", ".test"}, {"", ".spec"}, {"", "_spec"}, {"", "Tests"}, {"", "Test"}, {"", "Spec"},
}

// testOf returns what a file tests, by its name.
func testOf(stem string) (m mark, subject string, is bool) {
	for _, m := range marks {
		if len(stem) > len(m.Before)+len(m.After) && strings.HasPrefix(stem, m.Before) && strings.HasSuffix(stem, m.After) {
			return m, stem[len(m.Before) : len(stem)-len(m.After)], true
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
	Kind placeKind `json:"kind,omitempty"`
	At   int       `json:"at,omitempty"` // part of the path
	From string    `json:"from,omitempty"`
	To   string    `json:"to,omitempty"`
}

// String is what follows "have a test".
func (p place) String() string {
	switch p.Kind {
	case beside:
		return " beside them"
	case below:
		return " in " + p.To + " below them"
	}
	return " in " + p.To
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
	switch p.Kind {
	case below:
		return strings.Join(append(all, p.To), "/"), true
	case swapped:
		if p.At >= len(all) || all[p.At] != p.From {
			return "", false
		}
		all[p.At] = p.To
	case added:
		if p.At > len(all) {
			return "", false
		}
		all = slices.Insert(all, p.At, p.To)
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
		if p, is := placeOf(f, test); is && (!found || p.Kind < at.Kind) {
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
		return place{Kind: beside}, true
	case len(t) == len(s)+1 && same == len(s):
		return place{Kind: below, To: t[same]}, true
	case len(s) == len(t) && slices.Equal(s[same+1:], t[same+1:]):
		return place{Kind: swapped, At: same, From: s[same], To: t[same]}, true
	case len(t) == len(s)+1 && slices.Equal(s[same:], t[same+1:]):
		return place{Kind: added, At: same, To: t[same]}, true
	}
	return place{}, false
}
