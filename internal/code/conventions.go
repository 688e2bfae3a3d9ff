package code

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

const (
	conventionFiles = 8    // files that must follow a convention before it is shown (fewer are chance)
	conventionShare = 0.85 // share of the files that must follow a convention (every seventh may be an exception)

	// A new file is said to want a test where this many files of its folder have one, and this share of them. In seven public histories 42 of
	// 3 300 new files get that line, and for 27 of them the very test was written within 30 commits (without these bars: for 30 %).
	testedFiles = 4
	testedShare = 0.7

	rulesKept = 250 // rules of each sort that are stored: 500 in all are 33 kB, which the hook reads
)

// Conventions are what most files of a folder have in common, learned from how they are called. They say something of a file before it
// exists. Their keys are a folder and an ending: http/*.go.
type Conventions struct {
	Suffixes map[string]Rule `json:"suffixes,omitempty"` // how names end
	Styles   map[string]Rule `json:"styles,omitempty"`   // how names of several words are put together
	Tests    map[string]Rule `json:"tests"`              // where the test of a file is: http/*_test.go. Not nil once they were learned.
}

// Rule is what most files have in common, and how many of how many.
type Rule struct {
	Is string `json:"is"`
	N  int    `json:"n,omitempty"`
	Of int    `json:"of,omitempty"`
}

// Line is what a rule in words says, and how strong it is: 9 of 10 .go files in http end in _handler.go.
func Line(r Rule) string {
	if r.Is == "" {
		return ""
	}
	return fmt.Sprintf("%d of %d %s", r.N, r.Of, r.Is)
}

// tallies count, for each folder and ending, the files that speak for one thing or another.
type tallies map[string]map[string]int

func (t tallies) count(scope, thing string) {
	if t[scope] == nil {
		t[scope] = map[string]int{}
	}
	t[scope][thing]++
}

// rules are what most files of a folder have in common, where these are enough files and a large enough share. The strongest are kept.
func (t tallies) rules(of map[string]int, least int, share float64) map[string]Rule {
	rules := map[string]Rule{}
	for scope, cases := range t {
		r := Rule{Of: of[scope]}
		for _, thing := range slices.Sorted(maps.Keys(cases)) {
			if cases[thing] > r.N {
				r.Is, r.N = thing, cases[thing]
			}
		}
		if r.Is != "" && r.N >= least && float64(r.N) >= share*float64(r.Of) {
			rules[scope] = r
		}
	}
	byFiles := slices.SortedFunc(maps.Keys(rules), func(a, b string) int { return cmp.Or(rules[b].Of-rules[a].Of, cmp.Compare(a, b)) })
	for _, scope := range byFiles[min(len(byFiles), rulesKept):] {
		delete(rules, scope)
	}
	return rules
}

// Learn counts the conventions of a project's files. What it is given in another order gives the same advice.
func Learn(paths []string) Conventions {
	known, folders := map[string]bool{}, map[string][]string{} // folders with a source file of that name
	for _, name := range paths {
		if known[name] = true; IsSubject(name) {
			folders[path.Base(name)] = append(folders[path.Base(name)], path.Dir(name))
		}
	}
	suffixes, styles, tests := tallies{}, tallies{}, tallies{}
	files, styled, ofKind := map[string]int{}, map[string]int{}, map[string]int{}
	for name := range known {
		if !isSource(name) {
			continue
		}
		folder, stem, ext := parts(name)
		if m, subject, is := testOf(stem); is {
			in := []string{folder}
			if !known[path.Join(folder, subject+ext)] {
				in = folders[subject+ext]
			}
			if len(in) == 1 { // of several files of that name none is surely meant
				tests.count(in[0]+"/*"+ext, path.Join(folder, m.before+"*"+m.after+ext))
				ofKind[ext]++
			}
			continue
		}
		scope := folder + "/*" + ext
		files[scope]++
		suffixes.count(scope, suffixOf(stem))
		if style := styleOf(stem); style != "" {
			styled[scope]++
			styles.count(scope, style)
		}
	}
	maps.DeleteFunc(tests, func(scope string, _ map[string]int) bool { return ofKind[path.Ext(scope)] < conventionFiles })
	return Conventions{
		Suffixes: suffixes.rules(files, conventionFiles, conventionShare), Styles: styles.rules(styled, conventionFiles, conventionShare),
		Tests: tests.rules(files, testedFiles, testedShare),
	}
}

// Ahead is the convention, in words, that a file which is about to be made should follow, and the file that its test would be, if the convention
// is about tests. There is none where the name follows the conventions, where these are not strong, and among files that are unknown.
func (n Conventions) Ahead(name string) (rule Rule, test string) {
	if !IsSubject(name) {
		return rule, ""
	}
	folder, stem, ext := parts(name)
	scope, where := folder+"/*"+ext, folder
	if folder == "." {
		where = "the top folder"
	}
	if r := n.Suffixes[scope]; r.Is != "" && r.Is != suffixOf(stem) {
		r.Is = fmt.Sprintf("%s files in %s end in %s%s", ext, where, r.Is, ext)
		return r, ""
	}
	if r, style := n.Styles[scope], styleOf(stem); r.Is != "" && style != "" && r.Is != style {
		r.Is = fmt.Sprintf("%s names of several words in %s are in %s", ext, where, r.Is)
		return r, ""
	}
	if r := n.Tests[scope]; r.Is != "" {
		test = strings.Replace(r.Is, "*", stem, 1)
		r.Is = fmt.Sprintf("%s files in %s have a test", ext, where)
		return r, test
	}
	return rule, ""
}

func isSource(name string) bool {
	lang := LanguageOf(name)
	return lang != Unknown && lang != Markdown && !Generated(name)
}

// IsSubject reports whether a file is source code that is no test.
func IsSubject(name string) bool {
	_, stem, _ := parts(name)
	_, _, isTest := testOf(stem)
	return isSource(name) && !isTest
}

func parts(name string) (folder, stem, ext string) {
	ext = path.Ext(name)
	return path.Dir(name), strings.TrimSuffix(path.Base(name), ext), ext
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

// styleOf is how a file's name of several words is put together, and empty where one word shows no style.
func styleOf(stem string) string {
	stem, _, _ = strings.Cut(strings.Trim(stem, "_-."), ".")
	hasUpper := strings.ToLower(stem) != stem
	switch {
	case stem == "":
		return ""
	case strings.Contains(stem, "-"):
		return "kebab-case"
	case strings.Contains(stem, "_"):
		if hasUpper {
			return ""
		}
		return "snake_case"
	case !hasUpper || strings.ToUpper(stem) == stem:
		return ""
	case stem[0] < 'A' || stem[0] > 'Z':
		return "camelCase"
	case strings.ToLower(stem[1:]) == stem[1:]:
		return ""
	}
	return "PascalCase"
}

// suffixOf is the last word of a file's name with the sign before it: _handler, .service, Controller.
func suffixOf(stem string) string {
	if n := strings.LastIndexAny(stem, "_-."); n > 0 {
		return stem[n:]
	}
	for i := len(stem) - 1; i > 0; i-- {
		if stem[i] >= 'A' && stem[i] <= 'Z' && (stem[i-1] < 'A' || stem[i-1] > 'Z') {
			return stem[i:]
		}
	}
	return ""
}
