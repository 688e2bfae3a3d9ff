package outline

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// Kind is what a definition is, in the word its language has for it, such as struct, trait or protocol. What runs is
// called alike in all of them.
type Kind string

const (
	Function  Kind = "function"
	Method    Kind = "method"
	Property  Kind = "property" // with code of its own
	Macro     Kind = "macro"
	Class     Kind = "class"
	Interface Kind = "interface"
	Enum      Kind = "enum"
	Type      Kind = "type"
	Module    Kind = "module"
	Extension Kind = "extension" // also Rust's impl
)

// Definition is a thing that a file defines, with all that belongs to it from its first annotation to its last brace.
// What stands inside a function is part of that, not a definition of its own.
type Definition struct {
	Kind Kind
	// Name is qualified by the types around it, with a dot in all languages: Server.Start.
	Name string
	// The definition is source[From:To], its body source[Body:To]. Body equals To where there is none.
	From, Body, To int
	// Start and End are its lines, the first of a file being 1.
	Start, End int
}

const (
	// definitionLimit is how many definitions of one file are kept, the first ones; wholeNameLimit the longest name.
	definitionLimit = 5000
	wholeNameLimit  = 300
)

// Of lists what a source file defines, in order. A file that is broken yields what can be recognised; a language that
// is not known yields nothing.
func Of(path string, source []byte) []Definition {
	var found finds
	found.read(LanguageOf(path), source)
	return found.sorted(source)
}

// finds collects definitions, or their names where only these are asked for.
type finds struct {
	names *nameList
	list  []Definition
}

func (f *finds) read(lang Language, source []byte) {
	switch lang {
	case Python:
		pythonOutline(source, f)
	case Ruby:
		rubyOutline(source, f)
	default:
		o := outline{scanner: scanner{src: codeOf(lang, source), lang: lang}, finds: f}
		if o.lang == Pages {
			o.lang = Script
		}
		if o.rule = heads[o.lang]; o.rule != nil {
			o.walk()
		}
	}
}

// codeOf blanks what surrounds the code in pages of Vue, Svelte and PHP, so that places count from the beginning of the file.
func codeOf(lang Language, source []byte) []byte {
	if lang != Pages && lang != PHP {
		return source
	}
	page := bytes.Repeat([]byte(" "), len(source))
	for i, b := range source {
		if b == '\n' {
			page[i] = b
		}
	}
	s := scanner{src: source}
	if lang == PHP {
		begin := phpBegin(source, 0)
		copy(page[begin:], source[begin:])
		return page
	}
	for at := 0; at < len(source); {
		at = s.past(s.past(at, "<script"), ">")
		end := at + bytesBefore(source[at:], "</script")
		copy(page[at:end], source[at:end])
		at = end
	}
	return page
}

const nothing = -1

func (f *finds) full() bool {
	return f.names != nil && f.names.full() || len(f.list) >= definitionLimit
}

// start adds a definition whose end is not known yet, and returns its number. Its name is that of the types around it
// and its own.
func (f *finds) start(kind Kind, owner, name string, from int) int {
	if f.names != nil || name == "" || len(f.list) >= definitionLimit {
		return nothing
	}
	if name = qualify(owner, name); len(name) > wholeNameLimit || !utf8.ValidString(name) {
		return nothing
	}
	f.list = append(f.list, Definition{Kind: kind, Name: name, From: from, Body: nothing})
	return len(f.list) - 1
}

// body marks where the body of a definition begins, the first time it is called.
func (f *finds) body(number, at int) {
	if number != nothing && f.list[number].Body == nothing {
		f.list[number].Body = at
	}
}

func (f *finds) stop(number, at int) {
	if number != nothing {
		f.list[number].To = max(at, f.list[number].To)
	}
}

// sorted drops what never ended, completes the rest and orders it by where it begins.
func (f *finds) sorted(source []byte) []Definition {
	list := slices.DeleteFunc(f.list, func(d Definition) bool {
		return d.From < 0 || d.From >= d.To || d.To > len(source)
	})
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b Definition) int {
		if a.From != b.From {
			return a.From - b.From
		}
		return b.To - a.To
	})
	var lines []int // where each line but the first begins
	for i, b := range source {
		if b == '\n' {
			lines = append(lines, i+1)
		}
	}
	line := func(at int) int { return 1 + sort.SearchInts(lines, at+1) }
	for i := range list {
		d := &list[i]
		if d.Body < d.From || d.Body > d.To {
			d.Body = d.To
		}
		d.Start, d.End = line(d.From), line(d.To-1)
	}
	return list
}

// qualified joins the parts of a name that stands in the source with dots or double colons.
func qualified(text []byte) string {
	return strings.ReplaceAll(string(bytes.Trim(bytes.ReplaceAll(text, []byte(" "), nil), ":.")), "::", ".")
}
