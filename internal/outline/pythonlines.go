package outline

import "bytes"

// statement is one of Python's lines, with those that continue it.
type statement struct {
	from, to int    // places in the source, without comments
	indent   int    // in bytes
	code     []byte // without comments, strings as ""
}

// statements hands over the source of Python statement by statement, blank ones left out, until visit says no.
func statements(src []byte, visit func(statement) bool) {
	s := scanner{src: src, lang: Python}
	var now statement
	depth, begun, margin := 0, false, 0
	for i := 0; i < len(src); {
		b := src[i]
		if b == '\n' {
			joined := bytes.HasSuffix(now.code, []byte(`\`))
			if depth > 0 && s.opensPython(i+1) {
				depth, joined = 0, false // a bracket was left open
			}
			i++
			if depth > 0 || joined {
				continue
			}
			if begun && !visit(now) {
				return
			}
			now, begun, margin = statement{code: now.code[:0]}, false, i
			continue
		}
		end, kind := s.text(i)
		switch {
		case kind == comment || !begun && (b == ' ' || b == '\t' || b == '\r' || b == '\f'):
			i = end
			continue
		case !begun:
			begun, now.from, now.indent = true, i, i-margin
		}
		switch {
		case kind == literal:
			now.code = append(now.code, '"', '"')
		case b == '(' || b == '[' || b == '{':
			depth++
		case isShutting(b):
			depth = max(0, depth-1)
		}
		if kind == code && b != '\r' {
			now.code = append(now.code, b)
		}
		if b != ' ' && b != '\t' && b != '\r' {
			now.to = end
		}
		i = end
	}
	if begun {
		visit(now)
	}
}

// opensPython reports whether a line begins at i that stands in no brackets.
func (s *scanner) opensPython(i int) bool {
	return s.follows(i, "def ") || s.follows(i, "class ") || s.follows(i, "async def ")
}

func isShutting(b byte) bool { return b == ')' || b == ']' || b == '}' }

// block is an open definition of a language whose structure shows in its indentation.
type block struct {
	indent, number int
	name           string // of a type, qualified
	function       bool
}

// blocks are the open definitions, from the outside.
type blocks []block

// shut ends the blocks that are indented by at least so many bytes.
func (b *blocks) shut(found *finds, indent, at int) {
	for n := len(*b); n > 0 && (*b)[n-1].indent >= indent; n-- {
		found.stop((*b)[n-1].number, at)
		*b = (*b)[:n-1]
	}
}

// inside is the innermost one.
func (b blocks) inside() block {
	if len(b) == 0 {
		return block{}
	}
	return b[len(b)-1]
}

// pythonOutline takes functions and classes that are not inside a function, and the names of the module's constants.
func pythonOutline(source []byte, found *finds) {
	var open blocks
	last, decorated := 0, nothing
	statements(source, func(s statement) bool {
		open.shut(found, s.indent, last)
		last = s.to
		inside := open.inside()
		first, rest := word(s.code)
		if string(first) == "async" {
			first, rest = word(rest)
		}
		name, after := word(rest)
		switch {
		case inside.function:
			return true
		case string(first) == "@":
			if decorated == nothing {
				decorated = s.from
			}
			return true
		case oneOf(first, "def", "class") && isWord(name):
			found.names.addWord(name)
			if decorated == nothing {
				decorated = s.from
			}
			b := block{indent: s.indent, function: string(first) == "def"}
			kind := Class
			if b.function {
				kind = member(Function, inside.name)
			}
			b.number = found.start(kind, inside.name, string(name), decorated)
			b.name = qualify(inside.name, string(name))
			found.body(b.number, s.to)
			open = append(open, b)
		case s.indent == 0 && isLoud(first) && isAssigned(name, after):
			found.names.addWord(first)
		}
		decorated = nothing
		return !found.full()
	})
	open.shut(found, 0, last)
}

func member(kind Kind, owner string) Kind {
	if kind == Function && owner != "" {
		return Method
	}
	return kind
}

func qualify(owner, name string) string {
	if owner == "" || name == "" {
		return owner + name
	}
	return owner + "." + name
}

// isAssigned reports whether a word is given a value or a type: NAME = 1, NAME: int.
func isAssigned(sign, after []byte) bool {
	return string(sign) == ":" || string(sign) == "=" && !bytes.HasPrefix(after, []byte("="))
}
