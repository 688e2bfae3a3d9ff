package recall

import (
	"path"
	"slices"
	"strings"
)

// isTest reports whether a path looks like that of a test.
func isTest(name string) bool {
	base := lowerASCII(path.Base(name))
	stem := strings.TrimSuffix(base, path.Ext(base))
	for _, mark := range [...]string{"_test", "_tests", "_spec", ".test", ".tests", ".spec", ".e2e", "-test", "-spec"} {
		if strings.HasSuffix(stem, mark) {
			return true
		}
	}
	if strings.HasPrefix(stem, "test_") {
		return true
	}
	for folder := range strings.SplitSeq(path.Dir(name), "/") {
		switch folder {
		case "test", "tests", "__tests__", "spec", "specs", "testing", "e2e":
			return true
		}
	}
	return false
}

// saysTest reports whether words ask for tests.
func saysTest(words []Word) bool {
	return slices.Contains(words, WordOf("test")) || slices.Contains(words, WordOf("spec"))
}

// weighTests marks the tests among candidates: wanted or not is learned separately.
func (r *Ranker) weighTests(candidates []FileNo) {
	term := TestFile
	if saysTest(r.words) {
		term = TestAsked
	}
	for _, f := range candidates {
		if isTest(r.path(f)) {
			r.terms[term].add(f, 1)
		}
	}
}
