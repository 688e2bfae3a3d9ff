package snippet

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/outline"
)

const (
	conventionFiles = 8    // files that must follow a convention before it is shown (fewer are chance)
	conventionShare = 0.85 // share of the files that must follow a convention (every seventh may be an exception)
)

// Conventions are the customary rules of a project, learned from how its files and types are called.
type Conventions struct {
	tests    map[scope]tally[scheme]
	suffixes map[scope]tally[string]
	styles   map[scope]tally[style]
	pairs    tally[string] // interfaces by how their implementations are called, "" for those without
	types    map[string][]typed
}

// scope is a folder, or the whole project, and a kind of file.
type scope struct{ folder, ext string }

const anywhere = "*"

// tally counts the cases that speak for one thing or another.
type tally[K comparable] map[K]int

func count[S, K comparable](in map[S]tally[K], s S, k K) {
	if in[s] == nil {
		in[s] = tally[K]{}
	}
	in[s][k]++
}

// convention is what most cases have in common, if they are many enough.
func convention[K comparable](cases tally[K], order func(a, b K) int) (most K, n, of int, ok bool) {
	for _, k := range slices.SortedFunc(maps.Keys(cases), order) {
		of += cases[k]
		if cases[k] > n {
			most, n = k, cases[k]
		}
	}
	return most, n, of, n >= conventionFiles && float64(n) >= conventionShare*float64(of)
}

// Learn counts the conventions of a project: paths are its files, snippets its types. What it is given in another order
// gives the same advice.
func Learn(paths []string, snippets []Snippet) *Conventions {
	c := &Conventions{
		tests: map[scope]tally[scheme]{}, suffixes: map[scope]tally[string]{}, styles: map[scope]tally[style]{},
		pairs: tally[string]{}, types: map[string][]typed{},
	}
	stems := map[string][]string{} // folders by the name of the source file in them
	for _, name := range paths {
		if IsSubject(name) {
			stems[path.Base(name)] = append(stems[path.Base(name)], path.Dir(name))
		}
	}
	for _, name := range paths {
		if !isSource(name) {
			continue
		}
		folder, stem, ext := parts(name)
		if m, subject, is := testOf(stem); is {
			if source, at, found := subjectOf(folder, stems[subject+ext]); found {
				for _, s := range [...]string{source, anywhere} {
					count(c.tests, scope{s, ext}, scheme{m, at})
				}
			}
			continue
		}
		count(c.suffixes, scope{folder, ext}, suffixOf(stem))
		if s := styleOf(stem); s != "" {
			count(c.styles, scope{folder, ext}, s)
			count(c.styles, scope{anywhere, ext}, s)
		}
	}
	c.learnPairs(snippets)
	return c
}

// Advice is one line about a file that is new or touched, where the conventions of the project have something to say.
func (c *Conventions) Advice(name string) string {
	switch folder, stem, ext := parts(name); {
	case !isSource(name):
		return ""
	case isTest(name):
		return c.pairAdvice(name)
	default:
		return cmp.Or(c.suffixAdvice(folder, stem, ext), c.styleAdvice(folder, stem, ext), c.pairAdvice(name), c.testAdvice(name, folder, stem, ext))
	}
}

func isSource(name string) bool {
	lang := outline.LanguageOf(name)
	return lang != outline.Unknown && lang != outline.Markdown && !outline.Generated(name)
}

func parts(name string) (folder, stem, ext string) {
	ext = path.Ext(name)
	return path.Dir(name), strings.TrimSuffix(path.Base(name), ext), ext
}

func (c *Conventions) testAdvice(name, folder, stem, ext string) string {
	for _, s := range [...]scope{{folder, ext}, {anywhere, ext}} {
		most, n, of, ok := convention(c.tests[s], scheme.compare)
		if !ok {
			continue
		}
		where, fits := most.place.apply(folder)
		if !fits {
			continue
		}
		live, here := "live", "in this project"
		if most.place.kind == beside {
			live = "live beside it"
		}
		if s.folder != anywhere {
			here = "here"
		}
		test := path.Join(where, most.mark.before+stem+most.mark.after+ext)
		return fmt.Sprintf("tests of %s %s in %s (%d of %d %s do)", name, live, test, n, of, here)
	}
	return ""
}

func (c *Conventions) suffixAdvice(folder, stem, ext string) string {
	most, n, of, ok := convention(c.suffixes[scope{folder, ext}], strings.Compare)
	if !ok || most == "" || suffixOf(stem) == most {
		return ""
	}
	return fmt.Sprintf("files in %s end in %s%s (%d of %d do)", folder, most, ext, n, of)
}

func (c *Conventions) styleAdvice(folder, stem, ext string) string {
	is := styleOf(stem)
	if is == "" {
		return ""
	}
	for _, s := range [...]scope{{folder, ext}, {anywhere, ext}} {
		most, n, of, ok := convention(c.styles[s], cmp.Compare[style])
		if !ok {
			continue
		}
		if most == is {
			return ""
		}
		where := "in this project"
		if s.folder != anywhere {
			where = "in " + folder
		}
		return fmt.Sprintf("%s files %s are named in %s (%d of %d are)", ext, where, most, n, of)
	}
	return ""
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
	case stem[0] >= 'A' && stem[0] <= 'Z':
		return "PascalCase"
	}
	return "camelCase"
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
