// Package breach says whether a call that an agent is about to make goes against something that was
// said. Each clause of a statement is a rule: what a call shows that breaks it, and what excuses it.
//
//	no unwrap() outside tests        shows unwrap, excused by test
//	use pathlib instead of os.path   shows os.path, excused by pathlib
//	run make lint before you commit  shows the command commit, excused by make lint
//	leave src/generated alone        shows src/generated, edits
//
// An added line, a program that is run or a changed file must show it. If unsure, it says nothing.
package breach

import (
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
	kind, text string
	stems      map[string]int // 1: part of something, 2: imported, called, what a program is to do
}

type rule struct {
	shows, excuse  []word
	edits, command bool // it is about changing files, about running a program
}

type word struct {
	text, stem, kind string // the kind of a word of the grammar
	name             bool   // no prose
}

// grammar are the words that give a clause its form, and those that say nothing.
var grammar = map[string]string{
	"forbid": `no never not don't dont shouldn't mustn't cannot avoid stop banned forbidden deprecated
		gone dropped rid|of hands|off out|of off-limits off|limits`,
	"freeze": "frozen read-only immutable alone", "replace": "instead|of rather|than over",
	"use": "use prefer", "run": "run running", "with": "with using", "only": "only", "suppose": "if",
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
	var clause, before []word
	for f := range strings.FieldsSeq(phrases.Replace(strings.ToLower(text)) + " .") {
		w := word{text: strings.TrimRight(strings.TrimLeft(f, "`\"“'("), "`,;:.!?()'\"”")}
		w.stem, w.kind = vocab.Stemmed(w.text), kinds[w.text]
		w.name = strings.ContainsAny(w.text, "0123456789_/*=<>$%#@!:-.") || strings.ContainsAny(f, "`(")
		if w.text != "" {
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
	r.excuse, r.edits = telling(excuse), says(main, "edit") || says(main, "freeze")
	return r
}

// signs are how things look that people call by another name: its stems, and pieces of text.
var signs = [][]string{
	{"log", "slog.", "logger.", "console.", "print"}, {"secret credenti password", "[redacted:"},
	{"float", "double", "f64"}, {"money amount", "price", "cost", "total"}, {"latest", ":latest"},
	{"ani", ": any", "<any", "as any"}, {"wildcard", "import *", "::*", ".*;"}, {"pr", "gh pr create"},
	{"product", "prod.", "-prod"}, {"databas", "psql", "mysql"}, {"forc", " -f ", " -fu "},
	{"inlin", "style={"}, {"root", "user 0"}, {"panick", "panic("}, {"contain", "dockerfile "},
	{"python", ".py "}, {"rust", ".rs "}, {"typescript", ".ts ", ".tsx "}, {"javascript", ".js "},
	{"depend packag librari", "m install ", "m i ", "go get ", "m add ", "n add ", "v add "},
}

var (
	prose    = lazily(`"[^"]* [^"]*"|'[^']* [^']*'|^/?\*\s.*|(^|\s)(//|#|--)\s.*`)
	messages = lazily(` (-a?m|--message|--title|--body)[ =]('[^']*'|"[^"]*")`)
	imports  = lazily(`^(import|from|use|require|#include|")`)
)

func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// Look reads a call.
func Look(c Call) *Seen {
	s, places := &Seen{Call: c}, strings.Join(c.Paths, " ")
	s.all = newSpot("", strings.Join(append(c.Ran, places, c.Command, c.Added), " \n"))
	for line := range strings.Lines(c.Added) {
		if !strings.HasSuffix(places, ".md") {
			s.spots = append(s.spots, newSpot("line", prose().ReplaceAllString(strings.TrimSpace(line), "")))
		}
	}
	for _, r := range shell.Runs(messages().ReplaceAllString(c.Command, ""), "") {
		if places += " " + r.Folder; !r.Reads() {
			s.spots = append(s.spots, newSpot("run", strings.Join(append(append(r.Set, r.Program), r.Args...), " ")))
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
	p := spot{kind, strings.ToLower(text) + " ", map[string]int{}}
	stems, used := vocab.TextWords(text), kind == "line" && imports().MatchString(p.text)
	if kind == "run" { // in whole words: feature/main-menu is not main
		p.text = strings.ReplaceAll(p.text, " -", "| -")
		apart := func(c rune) bool { return strings.ContainsRune(" /=:.@,|", c) }
		stems = strings.FieldsFunc(strings.ReplaceAll(p.text, " --", " "), apart)
	}
	for i, w := range stems {
		called := kind == "line" && (strings.Contains(p.text, w+"(") || strings.HasPrefix(p.text, w+" "))
		if kind == "run" {
			w, called = vocab.Stemmed(w), i < 2
		}
		if p.stems[w] = max(p.stems[w], 1); used || called {
			p.stems[w] = 2
		}
	}
	for _, s := range signs {
		if slices.ContainsFunc(s[1:], func(piece string) bool { return strings.Contains(p.text, piece) }) {
			for w := range strings.FieldsSeq(s[0]) {
				p.stems[w] = 2
			}
		}
	}
	if kind == "file" && vocab.IsTest(text) {
		p.stems["test"] = 1
	}
	return p
}

// Against reports whether the call breaks a statement.
func (s *Seen) Against(statement string) bool {
	return slices.ContainsFunc(rules(statement), func(r rule) bool {
		return s.breaks(r, s.all) && slices.ContainsFunc(s.spots, func(p spot) bool {
			file := p.kind == "file" && (r.edits || len(r.shows) == 1 && r.shows[0].name)
			other := !r.edits && (p.kind == "run" || p.kind == "line" && !r.command)
			return (file || other) && s.breaks(r, p)
		}) && !s.excused(r)
	})
}

// Obeys reports whether the call does what a statement demands.
func (s *Seen) Obeys(text string) bool { return slices.ContainsFunc(rules(text), s.excused) }

// excused reports whether the call, or one before it, shows half of the excuse.
func (s *Seen) excused(r rule) bool {
	n, shown := 0, 0
	for _, w := range r.excuse {
		if !slices.Contains(r.shows, w) {
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
		here, how = here || how > 0, max(how, min(s.fit(w, s.place), 1))
		points += how
		switch {
		case how > 1 && strings.Trim(w.text, "0123456789") != "" &&
			(w.name || p.kind != "run" && s.Row(w.stem) == nil):
			shown += 4 // a name says most
		case how > 0:
			shown++
		case r.command, w.name && strings.Index(w.text, "-") <= 0,
			strings.Contains(" test python typescript javascript rust go sql css ", " "+w.stem+" "):
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
