package code

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/prose"
)

// reader goes through the lines of a text whose comments and strings are blanked. A line that declares something opens a
// frame, and the lines that are indented deeper belong to it: so does, on its own level, what visibly ends or goes on
// with it. Only the beginning of a declaration is read, and nothing inside of functions. Brackets are not counted, so
// that a mistake about one costs no more than its line.
type reader struct {
	*grammar
	lang   Language
	code   string
	found  []Definition
	frames []frame // the outermost is the file

	start    int    // of the line that is read
	at, end  int    // the same without blanks
	indent   int    // of it
	last     int    // end of the last line with code
	noted    int    // where an annotation began that belongs to what follows, or unset
	notedAt  int    // how far that is indented
	skip     int    // up to here the lines belong to a head that has been read
	brackets int    // open ones, where a line break inside them means nothing
	joined   bool   // the line is a part of the one before
	what     string // of an open group: const, var or type
}

// frame is a declaration whose lines are read.
type frame struct {
	kind    Kind
	name    string // qualified
	indent  int
	members int // how far its members are indented; unset before the first of them
	number  int // in found, or unset
}

const unset = -1

func (f frame) hides() bool { return f.kind == Function || f.kind == Method || f.kind == Property }

func (r *reader) top() *frame { return &r.frames[len(r.frames)-1] }

func (r *reader) lines() {
	const tab = 8
	r.noted = unset
	for r.start < len(r.code) && len(r.found) < definitionLimit {
		next := len(r.code)
		if n := strings.IndexByte(r.code[r.start:], '\n'); n >= 0 {
			next = r.start + n + 1
		}
		r.at, r.indent = r.start, 0
		for r.at < next && strings.IndexByte(" \t\r\n\f", r.code[r.at]) >= 0 {
			if r.indent++; r.code[r.at] == '\t' {
				r.indent += tab - 1
			}
			r.at++
		}
		if r.end = r.start + len(strings.TrimRight(r.code[r.start:next], " \t\r\n")); r.at < r.end {
			next = max(next, r.line(r.code[r.at:r.end]))
		}
		r.start = next
	}
	for len(r.frames) > 1 {
		r.pop(r.last)
	}
}

// line reads one line and returns where to go on, if not with the next.
func (r *reader) line(text string) int {
	if r.lang == C && text[0] == '#' {
		return r.directive(text)
	}
	if r.block == brace && isLabel(text) {
		return 0
	}
	if r.joins(text) || r.at < r.skip || text[0] == joint {
		r.extend()
		return 0
	}
	closes := strings.IndexByte(")]}", text[0]) >= 0
	ends := closes
	if r.block == endsIn {
		first, _ := word(text)
		ends = first == "end"
	}
	for f := r.top(); f.indent >= r.indent; f = r.top() {
		if f.indent == r.indent && (ends || closes || r.goesOn(text)) {
			r.extend()
			if ends && !reopens(text) {
				r.pop(r.end)
			}
			return 0
		}
		r.pop(r.last)
	}
	if f := r.top(); !f.hides() && !ends {
		if f.members == unset {
			f.members = r.indent
		}
		r.declare(text)
	}
	r.extend()
	return 0
}

// extend makes the line a part of what is open.
func (r *reader) extend() {
	r.last = r.end
	f := r.top()
	if f.number == unset || r.found[f.number].Body != unset {
		return
	}
	text := r.code[r.at:r.end]
	open := strings.IndexByte(text, '{')
	switch {
	case r.block == endsIn, r.block == dedent && r.brackets == 0:
		open = len(text)
	case r.block == dedent:
		return
	case strings.HasSuffix(text, "{"):
		open = len(text) - 1
	case open < 0:
		return
	}
	r.found[f.number].Body = r.at + open
}

func (r *reader) pop(at int) {
	if n := r.top().number; n != unset {
		r.finish(n, at)
	}
	r.frames = r.frames[:len(r.frames)-1]
}

func (r *reader) finish(number, at int) {
	d := &r.found[number]
	d.To = at
	if d.Body == unset || d.Body > at {
		d.Body = at
	}
}

// joins reports whether a line is a part of the one before: in brackets, where the indentation shows the structure.
func (r *reader) joins(text string) bool {
	if r.block != dedent {
		return false
	}
	first, _ := word(text)
	if r.joined && (first == "def" || first == "class" || first == "@") && r.indent == 0 {
		r.brackets, r.joined = 0, false // one was left open
	}
	joined := r.joined
	r.brackets += strings.Count(text, "(") + strings.Count(text, "[") + strings.Count(text, "{")
	r.brackets -= strings.Count(text, ")") + strings.Count(text, "]") + strings.Count(text, "}")
	r.brackets = max(r.brackets, 0)
	r.joined = r.brackets > 0 || strings.HasSuffix(text, `\`)
	return joined
}

// isLabel knows the lines that stand further left than what is around them: goto targets, public:
func isLabel(text string) bool {
	label, isLabel := strings.CutSuffix(text, ":")
	return isLabel && strings.Trim(label, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ ") == ""
}

// goesOn reports whether a line on the level of a declaration is a part of it: its opening brace, a clause.
func (r *reader) goesOn(text string) bool {
	first, _ := word(text)
	if r.block == endsIn {
		return slices.Contains([]string{"rescue", "ensure", "else", "elsif", "when", "in", "."}, first)
	}
	return r.block == brace && (first == "{" || first == "where" || first == ":" || strings.HasPrefix(text, "->"))
}

// reopens reports whether a closing bracket is followed by more of the same: } else {, ) -> int {
func reopens(text string) bool {
	return strings.IndexByte("{([,", text[len(text)-1]) >= 0 || strings.HasSuffix(text, "=>")
}

// directive reads a line of C's preprocessor, with those that continue it: a macro with a value is a name.
func (r *reader) directive(text string) int {
	next := r.at
	for more := true; more && next < len(r.code); {
		line, _, _ := strings.Cut(r.code[next:], "\n")
		more = strings.HasSuffix(strings.TrimRight(line, "\r"), `\`)
		next = min(next+len(line)+1, len(r.code))
	}
	name, value := "", ""
	if define, rest := word(text[1:]); define == "define" {
		name, value = word(rest)
	}
	guard := strings.HasSuffix(strings.TrimRight(name, "_"), "_H")
	if isWord(name) && strings.TrimSpace(value) != "" && !guard {
		r.mention(name)
	}
	return next
}

// mention adds a constant.
func (r *reader) mention(name string) {
	if isWord(name) {
		r.found = append(r.found, Definition{Kind: constant, Name: name, From: r.at, Body: r.end, To: r.end})
	}
}

// open opens a frame for the members of something that is no definition itself.
func (r *reader) open(kind Kind, name string) {
	r.frames = append(r.frames, frame{kind: kind, name: r.qualified(name), indent: r.indent, members: unset, number: unset})
}

func (r *reader) qualified(name string) string {
	if owner := r.top().name; owner != "" && name != "" {
		return owner + "." + name
	}
	return r.top().name + name
}

// define adds a definition and opens its frame.
func (r *reader) define(kind Kind, name string) {
	if name == "" || name == "_" {
		r.open(kind, "")
		return
	}
	if kind == Function && (r.top().name != "" || strings.ContainsRune(name, '.') && r.lang != Kotlin) {
		kind = Method
	}
	d := Definition{Kind: kind, Name: r.qualified(name), From: r.at, Body: unset}
	if r.noted != unset {
		d.From, r.noted = r.noted, unset
	}
	r.found = append(r.found, d)
	r.open(kind, name)
	r.top().number = len(r.found) - 1
}

// statement is the line that is read with those that belong to it by their indentation, as far as heads of declarations
// may reach.
func (r *reader) statement() string {
	const longest = 600
	text := r.code[r.at:min(r.at+longest, len(r.code))]
	for end := 0; ; {
		n := strings.IndexByte(text[end:], '\n')
		if n < 0 {
			return text
		}
		end += n + 1
		rest := strings.TrimLeft(text[end:], " \t")
		if indent := len(text) - end - len(rest); indent <= r.at-r.start && rest != "" && strings.IndexByte(")]}\r\n", rest[0]) < 0 {
			return text[:end]
		}
	}
}

// head is the line that is read with those after it up to a brace or semicolon, which is the end.
func (r *reader) head() (text string, end byte) {
	const longest = 1000
	text = r.code[r.at:min(r.at+longest, len(r.code))]
	n := strings.IndexAny(text, "{;}")
	if n < 0 {
		return text, 0
	}
	return text[:n], text[n]
}

// Definitions lists what a source file defines, in order. A file that is broken yields what can be recognised; a language that
// is not known yields nothing.
func Definitions(path string, source []byte) []Definition {
	list := slices.DeleteFunc(read(LanguageOf(path), source), func(d Definition) bool { return d.Kind == constant })
	var lines []int // where each line but the first begins
	for i, b := range source {
		if b == '\n' && len(list) > 0 {
			lines = append(lines, i+1)
		}
	}
	line := func(at int) int { return 1 + sort.SearchInts(lines, at+1) }
	for i, d := range list {
		list[i].Start, list[i].End = line(d.From), line(d.To-1)
	}
	return list
}

// Names lists what a source file defines: functions, types, methods and the constants others can see; of Markdown the
// headings. They come in order, each once, as valid text that is not scrubbed. A language that is not known has none.
func Names(path string, source []byte) (names []string) {
	lang := LanguageOf(path)
	if lang == Markdown {
		return headings(source)
	}
	for _, d := range read(lang, source) {
		owner, name := "", d.Name
		if n := strings.LastIndexByte(name, '.'); n >= 0 {
			owner, name = d.Name[:n], d.Name[n+1:]
		}
		name = strings.TrimSuffix(name, "=") // Ruby's assignments
		switch {
		case !isWord(name) || strings.ContainsAny(name, " =<>+-*[(") || len(name) > nameLimit || slices.Contains(names, name):
		case d.Kind == Property, d.Kind == Method && (slices.Contains(constructors, name) || strings.HasSuffix(owner, name)):
			// nobody searches for these by their names
		default:
			names = append(names, name)
		}
		if len(names) == namesLimit {
			break
		}
	}
	return names
}

// constructors are what languages call them, and similar parts of a class.
var constructors = []string{"constructor", "init", "deinit", "subscript", "__construct", "this"}

// read lists definitions and constants by where they begin.
func read(lang Language, source []byte) []Definition {
	g := grammars[lang]
	if g == nil {
		return nil
	}
	r := reader{grammar: g, code: g.mask(source), lang: lang, frames: []frame{{indent: -1, members: unset, number: unset}}}
	r.lines()
	return slices.DeleteFunc(r.found, func(d Definition) bool {
		return d.From >= d.To || len(d.Name) > wholeNameLimit || !utf8.ValidString(d.Name)
	})
}

// headings are those of a Markdown file in both spellings, each once; none out of a block of code.
func headings(source []byte) (names []string) {
	add := func(title string) {
		title = strings.TrimRight(strings.ToValidUTF8(title, "\uFFFD"), "# \t")
		title = prose.Beginning(strings.Trim(strings.ReplaceAll(title, "`", ""), " \t*_"), nameLimit)
		if title != "" && len(names) < namesLimit && !slices.Contains(names, title) {
			names = append(names, title)
		}
	}
	fence, before := "", ""
	for line := range strings.Lines(string(source)) {
		line = strings.TrimRight(line, "\r\n")
		text := strings.TrimLeft(line, " ")
		title := strings.TrimLeft(text, "#")
		switch {
		case fence != "":
			if strings.HasPrefix(text, fence) {
				fence = ""
			}
			text = ""
		case strings.HasPrefix(text, "```"), strings.HasPrefix(text, "~~~"):
			fence, text = text[:3], ""
		case len(line)-len(text) > 3: // code by indentation
			text = ""
		case len(title) < len(text):
			if len(text)-len(title) <= 6 && strings.HasPrefix(title, " ") {
				add(title)
			}
			text = ""
		case len(text) >= 3 && strings.Trim(text, "= ") == "":
			add(before)
		}
		before = text
	}
	return names
}
