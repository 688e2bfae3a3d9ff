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

	namesakes = 200 // files of one name that are looked through for what a test tests
	rulesKept = 250 // rules of each sort that are stored: 500 in all are 33 kB, which the hook reads
)

// Conventions are the conventions of a project, learned from how its files are called. They say something of a file before it
// exists. Their keys are scopes.
type Conventions struct {
	Suffixes map[string]Rule[string] `json:"suffixes,omitempty"` // how files of a folder end
	Styles   map[string]Rule[style]  `json:"styles,omitempty"`   // how names are put together; an empty style: in several ways
	Tested   map[string]Rule[scheme] `json:"tested,omitempty"`   // where the tests of most files of a folder are
	Places   map[string]Rule[string] `json:"places,omitempty"`   // the folder of files that end alike, by *ending
	Tops     map[string][]string     `json:"tops,omitempty"`     // top folders with files of a kind, by ending
}

// Rule is what most files have in common, and how many of how many.
type Rule[K any] struct {
	Is K   `json:"is"`
	N  int `json:"n,omitempty"`
	Of int `json:"of,omitempty"`
}

// in is a rule in words.
func (r Rule[K]) in(words string, args ...any) Rule[string] {
	return Rule[string]{Is: fmt.Sprintf(words, args...), N: r.N, Of: r.Of}
}

// Line is what a rule in words says, and how strong it is: 9 of 10 .go files in http end in _handler.go.
func Line(r Rule[string]) string {
	if r.Is == "" {
		return ""
	}
	return fmt.Sprintf("%d of %d %s", r.N, r.Of, r.Is)
}

// scope is a folder, or the whole project, and a kind of file.
type scope struct{ folder, ext string }

const anywhere = "*"

func (s scope) String() string { return s.folder + "/*" + s.ext }

// tally counts the cases that speak for one thing or another.
type tally[K comparable] map[K]int

func count[S, K comparable](in map[S]tally[K], s S, k K) {
	if in[s] == nil {
		in[s] = tally[K]{}
	}
	in[s][k]++
}

// convention is what most cases have in common, and whether they are many enough.
func convention[K comparable](cases tally[K], order func(a, b K) int) (most Rule[K], strong bool) {
	for _, k := range slices.SortedFunc(maps.Keys(cases), order) {
		most.Of += cases[k]
		if cases[k] > most.N {
			most.Is, most.N = k, cases[k]
		}
	}
	return most, most.N >= conventionFiles && float64(most.N) >= conventionShare*float64(most.Of)
}

// Learn counts the conventions of a project's files. What it is given in another order gives the same advice.
func Learn(paths []string) Conventions {
	c := Conventions{
		Suffixes: map[string]Rule[string]{}, Styles: map[string]Rule[style]{}, Tested: map[string]Rule[scheme]{},
		Places: map[string]Rule[string]{}, Tops: map[string][]string{},
	}
	tests := map[scope]tally[scheme]{}
	paths = slices.DeleteFunc(slices.Clone(paths), func(name string) bool { return !isSource(name) })
	slices.Sort(paths)
	known := make(map[string]bool, len(paths))
	stems := map[string][]string{} // folders by the name of the source file in them
	for _, name := range paths {
		known[name] = true
		if IsSubject(name) {
			stems[path.Base(name)] = append(stems[path.Base(name)], path.Dir(name))
		}
	}
	suffixes, places, styles, sources := map[scope]tally[string]{}, map[scope]tally[string]{}, map[scope]tally[style]{}, map[scope][]string{}
	for _, name := range paths {
		folder, stem, ext := parts(name)
		if m, subject, is := testOf(stem); is {
			source, at, found := folder, place{}, known[path.Join(folder, subject+ext)]
			if others := stems[subject+ext]; !found && len(others) <= namesakes {
				source, at, found = subjectOf(folder, others)
			}
			if found {
				for _, s := range [...]string{source, anywhere} {
					count(tests, scope{s, ext}, scheme{m, at})
				}
			}
			continue
		}
		here := scope{folder, ext}
		sources[here] = append(sources[here], stem)
		if top := topOf(name); !slices.Contains(c.Tops[ext], top) {
			c.Tops[ext] = append(c.Tops[ext], top)
		}
		suffix := suffixOf(stem)
		count(suffixes, here, suffix)
		if suffix != "" {
			count(places, scope{anywhere, suffix + ext}, folder)
		}
		if s := styleOf(stem); s != "" {
			count(styles, here, s)
			count(styles, scope{anywhere, ext}, s)
		}
	}
	for s, cases := range suffixes {
		if most, strong := convention(cases, strings.Compare); strong && most.Is != "" {
			c.Suffixes[s.String()] = most
		}
	}
	for s, cases := range places {
		if most, strong := convention(cases, strings.Compare); strong && most.Is != "." {
			c.Places[s.String()] = most
		}
	}
	for s, cases := range styles {
		most, strong := convention(cases, cmp.Compare[style])
		all, every := convention(styles[scope{anywhere, s.ext}], cmp.Compare[style])
		switch {
		case strong && (s.folder == anywhere || !every || most.Is != all.Is):
			c.Styles[s.String()] = most
		case !strong && cases[all.Is] < most.Of:
			c.Styles[s.String()] = Rule[style]{Of: most.Of} // the style of the project is not that of this folder
		}
	}
	for s, stems := range sources {
		if r, ok := tested(tests, s, stems, known); ok {
			c.Tested[s.String()] = r
		}
	}
	strongest(c.Suffixes)
	strongest(c.Styles)
	strongest(c.Tested)
	strongest(c.Places)
	return c
}

// strongest leaves the rules of the most files, so that all can be read before an edit.
func strongest[K any](rules map[string]Rule[K]) {
	byFiles := slices.SortedFunc(maps.Keys(rules), func(a, b string) int { return cmp.Or(rules[b].Of-rules[a].Of, cmp.Compare(a, b)) })
	for _, key := range byFiles[min(len(byFiles), rulesKept):] {
		delete(rules, key)
	}
}

// tested counts the files of a folder whose test is where tests of this project are.
func tested(tests map[scope]tally[scheme], s scope, stems []string, known map[string]bool) (r Rule[scheme], ok bool) {
	for _, of := range [...]scope{s, {anywhere, s.ext}} {
		if most, strong := convention(tests[of], scheme.compare); strong {
			r.Is, ok = most.Is, true
			break
		}
	}
	for _, stem := range stems {
		if test, fits := r.Is.of(s.folder, stem, s.ext); ok && fits && known[test] {
			r.N++
		}
	}
	r.Of = len(stems)
	return r, ok && r.N >= testedFiles && float64(r.N) >= testedShare*float64(r.Of)
}

// Ahead is the convention, in words, that a file which is about to be made should follow, and the file that its test would be, if the convention
// is about tests. There is none where the name follows the conventions, where these are not strong, and among files that are unknown.
func (n Conventions) Ahead(name string) (rule Rule[string], test string) {
	folder, stem, ext := parts(name)
	if !isSource(name) || isTest(name) || !slices.Contains(n.Tops[ext], topOf(name)) {
		return rule, ""
	}
	if rule = n.named(folder, stem, ext); rule.Is != "" {
		return rule, ""
	}
	r, ok := n.Tested[scope{folder, ext}.String()]
	test, fits := r.Is.of(folder, stem, ext)
	if !ok || !fits {
		return rule, ""
	}
	return r.in("%s files in %s have a test%s", ext, shown(folder), r.Is.Place), test
}

// topOf is the top folder that a file is in.
func topOf(name string) string {
	top, _, _ := strings.Cut(path.Dir(name), "/")
	return top
}

// named is what is unusual about the name of a file or about its place.
func (n Conventions) named(folder, stem, ext string) Rule[string] {
	return cmp.Or(n.suffixAdvice(folder, stem, ext), n.styleAdvice(folder, stem, ext), n.placeAdvice(folder, stem, ext))
}

// shown is a folder in words.
func shown(folder string) string {
	if folder == "." {
		return "the top folder"
	}
	return folder
}

func isSource(name string) bool {
	lang := LanguageOf(name)
	return lang != Unknown && lang != Markdown && !Generated(name)
}

func parts(name string) (folder, stem, ext string) {
	ext = path.Ext(name)
	return path.Dir(name), strings.TrimSuffix(path.Base(name), ext), ext
}

func (n Conventions) suffixAdvice(folder, stem, ext string) (none Rule[string]) {
	r, ok := n.Suffixes[scope{folder, ext}.String()]
	if !ok || suffixOf(stem) == r.Is {
		return none
	}
	return r.in("%s files in %s end in %s%s", ext, shown(folder), r.Is, ext)
}

func (n Conventions) styleAdvice(folder, stem, ext string) (none Rule[string]) {
	is := styleOf(stem)
	for _, s := range [...]scope{{folder, ext}, {anywhere, ext}} {
		r, ok := n.Styles[s.String()]
		if !ok {
			continue
		}
		if is == "" || r.Is == "" || r.Is == is {
			return none
		}
		where := "this project"
		if s.folder != anywhere {
			where = shown(folder)
		}
		return r.in("%s names of several words in %s are in %s", ext, where, r.Is)
	}
	return none
}

func (n Conventions) placeAdvice(folder, stem, ext string) (none Rule[string]) {
	ending := suffixOf(stem) + ext
	r, ok := n.Places[scope{anywhere, ending}.String()]
	if !ok || ending == ext || folder == r.Is {
		return none
	}
	return r.in("files that end in %s are in %s", ending, r.Is)
}

// style is how a name of several words is put together.
type style string

// styleOf is the style of a file's name, and empty where one word shows none.
func styleOf(stem string) style {
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
