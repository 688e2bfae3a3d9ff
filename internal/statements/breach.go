package statements

// A breach is a call of an agent that goes against a statement. Each clause of a statement is a rule: what a call shows
// that breaks it, and what excuses it.
//
//	no unwrap() outside tests        shows unwrap, excused by test
//	use pathlib instead of os.path   shows os.path, excused by pathlib
//	run make lint before you commit  shows the command commit, excused by make lint
//	leave src/generated alone        shows src/generated, edits
//
// An added line, a program that is run or a changed file must show it. If unsure, it says nothing.

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// Call is a call of a tool that changes files or runs a command.
type Call struct {
	Paths   []string // files that it changes
	New     bool     // they do not exist yet
	Added   string   // lines that it adds to them
	Command string
	Ran     []string                    // lines that the session ran before
	Row     func(word string) []float32 // nil for what is no common word, as embedding.GeneralRow
}

// Seen is a call as statements are compared with it.
type Seen struct {
	Call
	spots      []spot
	place, all spot // the paths; all that is written, is run or was
}

// spot is a line, a run or a file.
type spot struct {
	kind, text, raw string         // lower case; without and with comments and sentences
	stems           map[string]int // 1: part of something, 2: imported, called, what a program is to do
}

type rule struct {
	shows, excuse  []word
	edits, command bool // it is about changing files, about running a program
	never          bool // it forbids something, whatever else may be said of it
}

type word struct {
	text, stem, kind string // the kind of a word of the grammar
	name             bool   // no prose
	sign             *sign  // how it looks otherwise
}

func newWord(f string) word {
	w := word{text: strings.TrimRight(strings.TrimLeft(f, "`\"“'("), "`,;:.!?()'\"”")}
	w.stem, w.kind = vocab.Stemmed(w.text), kinds[w.text]
	w.name = strings.ContainsAny(w.text, "0123456789_/*=<>$%#@!:-.") || strings.ContainsAny(f, "`(")
	return w
}

// grammar are the words that give a clause its form, and those that say nothing.
var grammar = map[string]string{
	"forbid": `no never not don't dont shouldn't mustn't cannot avoid stop banned forbidden deprecated
		gone dropped rid|of hands|off out|of off-limits off|limits`,
	"freeze": "frozen read-only immutable alone", "replace": "instead|of rather|than over",
	"use": "use uses prefer stick|to stick|with done|with written|with go|through goes|through", "run": "run running",
	"with": "with using", "only": "only", "suppose": "if",
	"edit":   "edit edited editing touch touched modify modified change changed changing hand-edit",
	"excuse": "unless except without until outside because since so when whenever after once while",
	"when":   "before every each",
	"where":  "in inside within under on onto from to into for as by at against through",
	"refer":  "it them this that these those",
	"empty": `a an the of i i'm me my we we're our us you your they their is are was were be been do did
		does has have had must should can could may might will would need needs want wants please ever
		always anything anyone just used add adding put write call calling get gets got see take make
		import imports importing pull bring up open opening create creating hand directly new ok fine
		allowed leave keep here there everywhere anywhere no|need don't|forget not|just not|only file
		not|sure code codebase repo project files folder statement statements function functions type
		types all some more now what how than then too first end merged existing old plain yourself
		block blocks contain hold like back belong welcome module modules directory which or and nor`,
}

var kinds, phrases = func() (map[string]string, *strings.Replacer) {
	all := map[string]string{}
	pairs := []string{"’", "'", "pull request", "pr", " (", ", ", " - ", ", ", " — ", ", "}
	for kind, list := range grammar {
		for w := range strings.FieldsSeq(list) {
			if all[w] = kind; strings.Contains(w, "|") {
				pairs = append(pairs, strings.ReplaceAll(w, "|", " "), w)
			}
		}
	}
	return all, strings.NewReplacer(pairs...)
}()

// rules reads a statement, clause by clause.
func rules(text string) (list []rule) {
	clause, before := make([]word, 0, 16), []word(nil)
	for f := range strings.FieldsSeq(phrases.Replace(strings.ToLower(text)) + " .") {
		if w := newWord(f); w.text != "" {
			clause = append(clause, w)
		}
		if strings.HasSuffix(f, "()") || !strings.Contains(",;:.!?)", f[len(f)-1:]) {
			continue
		}
		if r := read(clause, before); len(r.shows) > 0 && !strings.HasSuffix(f, "?") {
			list = append(list, r)
		}
		clause, before = nil, clause
	}
	return list
}

func says(list []word, kind string) bool { _, after := cut(list, kind); return after != nil }

// cut cuts at the first word of a kind. Without one, nothing is after it.
func cut(list []word, kind string) (before, after []word) {
	if i := slices.IndexFunc(list, func(w word) bool { return w.kind == kind }); i >= 0 {
		return list[:i], list[i+1:]
	}
	return list, nil
}

// telling are the words that a call can show.
func telling(list []word) []word {
	return slices.DeleteFunc(slices.Clone(list), func(w word) bool { return w.kind != "" })
}

// read is what a clause says, which may go on with what the one before says.
func read(clause, before []word) (r rule) {
	main, excuse := cut(clause, "excuse")
	about, when := cut(main, "when")
	subject, object := cut(about, "forbid")
	if earlier, moment := cut(before, "when"); len(when)+len(telling(earlier)) == 0 {
		when = moment // before you commit, …
	}
	switch {
	case says(clause, "suppose"), says(before, "suppose"): // whether that is so now is not known
	case says(about, "replace") && (says(about, "use") || object == nil):
		excuse, object = cut(about, "replace")
		r.shows = telling(object)
	case object != nil && says(subject, "use"):
		r.shows, excuse = telling(object), subject
	case object != nil, says(about, "freeze"):
		r.shows = append(telling(subject), telling(object)...)
		if it := telling(before); len(it) > 0 && (says(object, "refer") || len(r.shows) == 0) {
			r.shows = append(r.shows, it[max(slices.IndexFunc(it, func(w word) bool { return w.name }), 0)])
		}
	case demanded(about) != nil:
		s := demanded(about)
		thing, scope := cut(about, "where")
		scope = slices.DeleteFunc(telling(scope), func(w word) bool {
			return slices.Contains(s.phrase, w.stem) || about[len(thing)].text == "for"
		})
		r.shows, excuse = append(scope, word{sign: s}), []word{{stem: strings.Join(s.phrase, " ")}}
	case says(about, "only"):
		subject, object = cut(about, "only")
		if _, excuse = cut(object, "where"); excuse != nil {
			r.shows = telling(subject)
		}
	case len(telling(when)) > 0 && len(telling(about)) > 0:
		r.shows, excuse, r.command = telling(when)[:1], about, true // tagging a release is a tag
	case says(about, "run") && says(about, "with"):
		about, excuse = cut(about, "with")
		r.shows, r.command = telling(about), true
	}
	r.never = object != nil && slices.ContainsFunc(about, func(w word) bool { return w.kind == "forbid" })
	r.shows, r.excuse, r.edits = looking(r.shows, main), telling(excuse), says(main, "edit") || says(main, "freeze")
	return r
}

// signsFile has lines: phrases = pieces of text that show what is called so, or after use go against it.
// ~ is a blank, # stands before a piece that comments and sentences can have, tool:x is each use of x.
//
//go:embed signs.txt
var signsFile string

type sign struct {
	phrase, looks []string
	against       bool
}

// signs are the lines by the words of their phrases.
var signs = sync.OnceValue(func() map[string][]*sign {
	const use = `$$ $1~; run $1~; run: $1~; npx $1~; import $1; from $1~; from "$1"; from '$1'; use $1::`
	all, blanks := map[string][]*sign{}, strings.NewReplacer("~-", "| -", "~", " ", "; ", ";", " -", "| -")
	for line := range strings.Lines(regexp.MustCompile(`tool:(\w+)`).ReplaceAllString(signsFile, use)) {
		phrases, looks, _ := strings.Cut(strings.TrimSpace(line), " = ")
		pieces := strings.Split(blanks.Replace(looks), ";")
		for phrase := range strings.SplitSeq(phrases, ", ") {
			phrase, against := strings.CutPrefix(phrase, "use ")
			s := &sign{looks: pieces, against: against}
			for f := range strings.FieldsSeq(phrase) {
				w := newWord(f)
				s.phrase, all[w.stem] = append(s.phrase, w.stem), append(all[w.stem], s)
			}
		}
	}
	return all
})

// find returns the sign of a word with the longest phrase that is in its clause.
func findMark(w word, clause []word, against bool) (found *sign) {
	for _, s := range signs()[w.stem] {
		if s.against == against && (found == nil || len(s.phrase) > len(found.phrase)) &&
			!slices.ContainsFunc(s.phrase, func(stem string) bool {
				return !slices.ContainsFunc(clause, func(w word) bool { return w.stem == stem })
			}) {
			found = s
		}
	}
	return found
}

// looking gives words their looks. Several that are a phrase become one, without a text.
func looking(list, clause []word) []word {
	for _, w := range slices.Clone(list) {
		s := findMark(w, clause, false)
		in := func(o word) bool { return slices.Contains(s.phrase, o.stem) }
		if s == nil || !slices.ContainsFunc(list, in) {
			continue
		}
		if w.sign = s; len(s.phrase) > 1 {
			w = word{sign: s}
		}
		list = append(slices.DeleteFunc(list, in), w)
	}
	return list
}

// demanded is the sign of what goes against the thing that a clause demands.
func demanded(clause []word) *sign {
	clause = slices.DeleteFunc(slices.Clone(clause), func(w word) bool { return w.text == "the" || w.text == "our" })
	for i, w := range clause {
		before, after := clause[max(i-1, 0)], clause[min(i+1, len(clause)-1)]
		is := before.kind == "use" || before.kind == "only" || after.kind == "only" ||
			strings.Contains(" on is are via always ", " "+before.text+" ")
		if s := findMark(w, clause, true); s != nil && (is || len(s.phrase) > 1) {
			return s
		}
	}
	return nil
}

var (
	quotedOrComment = lazily(`"[^"]* [^"]*"|'[^']* [^']*'|^/?\*\s.*|(^|\s)(//|#|--)\s.*`)
	messages        = lazily(` (-a?m|--message|--title|--body)[ =]('[^']*'|"[^"]*")`)
	imports         = lazily(`^ (import|from|use|require|#include|")`)
)

func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// Look reads a call.
func Look(c Call) *Seen {
	s, places := &Seen{Call: c}, strings.Join(c.Paths, " ")
	s.all = newSpot("", strings.Join(strings.Fields(strings.Join(append(c.Ran, places, c.Command, c.Added), " ")), " "))
	code := slices.ContainsFunc(c.Paths, func(p string) bool { return !strings.HasSuffix(p, ".md") })
	for line := range strings.Lines(c.Added) {
		if code {
			s.spots = append(s.spots, newSpot("line", strings.TrimSpace(line)))
		}
	}
	for _, r := range shell.Runs(messages().ReplaceAllString(c.Command, ""), "") {
		run := strings.Join(append(append(r.Set, "$", r.Program), r.Args...), " ") + "$"
		if places += " " + r.Folder; !r.Reads() {
			s.spots, s.all.text = append(s.spots, newSpot("run", run)), s.all.text+strings.ToLower(run)
		}
		if r.Rewrites() {
			s.Paths = append(s.Paths, r.Args...)
		}
	}
	for _, p := range s.Paths {
		s.spots = append(s.spots, newSpot("file", p))
	}
	s.place = newSpot("file", places)
	return s
}

func newSpot(kind, text string) spot {
	lower := func(t string) string { return strings.ReplaceAll(" "+strings.ToLower(t), " -", "| -") }
	p := spot{kind: kind, raw: lower(text), stems: map[string]int{}}
	if kind == "line" {
		text = quotedOrComment().ReplaceAllString(text, "")
	}
	p.text = lower(text) + map[string]string{"file": " "}[kind]
	stems, used := vocab.TextWords(text), kind == "line" && imports().MatchString(p.text)
	if kind == "run" { // in whole words: feature/main-menu is not main
		apart := func(c rune) bool { return strings.ContainsRune("$ /=:.@,|", c) }
		stems = strings.FieldsFunc(strings.ReplaceAll(p.text, " --", " "), apart)
	}
	for i, w := range stems {
		called := kind == "line" && (strings.Contains(p.text, w+"(") || strings.HasPrefix(p.text, " "+w+" "))
		if kind == "run" {
			w, called = vocab.Stemmed(w), i < 2
		}
		if p.stems[w] = max(p.stems[w], 1); used || called {
			p.stems[w] = 2
		}
	}
	if kind == "file" && vocab.IsTest(text) {
		p.stems["test"] = 1
	}
	return p
}

// Against reports whether the call breaks a statement: by its marks if it has any, else by its words.
func (s *Seen) Against(statement string, marks ...string) bool {
	if len(marks) > 0 {
		return s.Shows(marks)
	}
	return slices.ContainsFunc(rules(statement), s.broken)
}

// Forbidden reports whether the call breaks a statement that says never, by its words or by its marks: marks that miss a breach must not
// take away what the words say.
func (s *Seen) Forbidden(statement string, marks ...string) bool {
	shown := len(marks) > 0 && s.Shows(marks)
	return slices.ContainsFunc(rules(statement), func(r rule) bool { return r.never && (shown || s.broken(r)) })
}

func (s *Seen) broken(r rule) bool {
	return s.breaks(r, s.all) && slices.ContainsFunc(s.spots, func(p spot) bool {
		file := p.kind == "file" && (r.edits || len(r.shows) == 1 && r.shows[0].name)
		other := !r.edits && (p.kind == "run" || p.kind == "line" && !r.command)
		return (file || other) && s.breaks(r, p)
	}) && !s.excused(r)
}

// Obeys reports whether the call does what a statement demands, or an exception of it holds.
func (s *Seen) Obeys(text string) bool { return slices.ContainsFunc(rules(text), s.excused) }

// excused reports whether the call, or one before it, shows half of the excuse.
func (s *Seen) excused(r rule) bool {
	n, shown := 0, 0
	for _, w := range r.excuse {
		if !slices.ContainsFunc(r.shows, func(o word) bool { return o.stem == w.stem }) {
			n, shown = n+1, shown+min(s.fit(w, s.all)+s.fit(w, s.place), 1)
		}
	}
	return shown > 0 && 2*shown >= n
}

// breaks reports whether a spot shows nearly all that a rule is about. One word of prose alone is
// not enough, unless it is used as code, or the rule is about changing files of that kind.
func (s *Seen) breaks(r rule, p spot) bool {
	points, shown, missing, here := 0, 0, 0, false
	if p.kind == "" || r.edits && !s.New {
		points++
	}
	for _, w := range r.shows {
		how := s.fit(w, p)
		points, here = points+how, here || how > 0 // where it is done is no sign of doing it
		how = max(how, min(s.fit(w, s.place), 1))
		switch {
		case how > 1 && strings.Trim(w.text, "0123456789") != "" &&
			(w.name || p.kind != "run" && s.Row(w.stem) == nil):
			shown += 4 // a name says most
		case how > 0:
			shown++
		case r.command, w.text == "", w.name && strings.Index(w.text, "-") <= 0, w.stem == "test",
			w.sign != nil && w.sign.looks[0][0] == '.' && strings.HasSuffix(w.sign.looks[0], " "):
			return false // it can be told that the call is elsewhere
		default:
			missing++
		}
	}
	return here && points > 1 && 3*missing <= shown
}

// fit says how a spot shows a word, as in its stems.
func (s *Seen) fit(w word, p spot) int {
	how, written := p.stems[w.stem], p.kind == "line" || p.kind == ""
	switch {
	case w.sign != nil && slices.ContainsFunc(w.sign.looks, func(l string) bool {
		return strings.Contains(p.text, l) || l[0] == '#' && strings.Contains(p.raw, l[1:])
	}):
		return 2
	case w.name && !has(p.text, w.text):
		return 0
	case w.name, how == 1 && written && s.Row(w.stem) == nil:
		return 2
	}
	return how
}

// has reports whether a text has a name that goes on at neither end. A star stands for an end.
func has(text, name string) bool {
	bare := func(t string) string {
		apart := func(c rune) bool { return c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') }
		return " " + strings.Join(strings.FieldsFunc(t, apart), " ") + " "
	}
	if part := strings.Trim(name, "*"); part != name && part != "" {
		return strings.Contains(text, part)
	}
	return strings.Contains(text, name) && strings.Contains(bare(text), bare(name))
}
