package outline

import "bytes"

// rubyOutline goes by what lines begin with and how they are indented: a definition ends with the "end" below it. Only
// comments and texts of many lines need care.
func rubyOutline(source []byte, found *finds) {
	r := rubyLines{finds: found, source: source, patience: searchLimit + 2*len(source)}
	for at := 0; at < len(source) && !found.full(); {
		next := len(source)
		if n := bytes.IndexByte(source[at:], '\n'); n >= 0 {
			next = at + n + 1
		}
		line := source[at:next]
		if string(bytes.TrimSpace(line)) == "__END__" {
			break
		}
		if bytes.HasPrefix(line, []byte("=begin")) {
			s := scanner{src: source}
			at = s.lineEnd(s.past(at, "\n=end")) + 1
			continue
		}
		r.line(line, at)
		at = r.textEnd(line, next)
	}
	r.open.shut(found, 0, r.last)
}

type rubyLines struct {
	*finds
	source []byte
	open   blocks
	last   int // after the last line that is no blank and no comment
	// patience is how many bytes may still be searched for the end of a text: many that never end would take for ever.
	patience int
}

const searchLimit = 1 << 20

func (r *rubyLines) line(line []byte, at int) {
	trimmed := bytes.TrimSpace(line)
	if len(trimmed) == 0 || trimmed[0] == '#' {
		return
	}
	indent := len(line) - len(bytes.TrimLeft(line, " \t"))
	from, to := at+indent, at+len(bytes.TrimRight(line, " \t\r\n"))
	r.open.shut(r.finds, indent+1, r.last)
	first, _ := word(trimmed)
	switch {
	case string(first) == "end":
		r.open.shut(r.finds, indent, to)
	case oneOf(first, "rescue", "ensure", "else", "elsif", "when", "in", ")", "]", "}", "."):
	default:
		r.open.shut(r.finds, indent, r.last)
		r.define(trimmed, from, to, indent)
	}
	r.last = to
}

// define takes a class, module or method that a line begins.
func (r *rubyLines) define(line []byte, from, to, indent int) {
	first, rest := word(line)
	if next, after := word(rest); oneOf(first, "private", "protected", "public", "module_function", "private_class_method") && isWord(next) {
		first, rest = next, after
	}
	inside := r.open.inside()
	b := block{indent: indent, name: inside.name, number: nothing, function: inside.function}
	switch {
	case inside.function:
		return
	case string(first) == "def":
		name := rubyMethod(rest)
		r.names.addMethod(name)
		b.function = true
		b.number = r.start(member(Function, inside.name), inside.name, string(name), from)
	case oneOf(first, "class", "module"):
		name, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte(" "))
		name = bytes.TrimRight(name, ";")
		if !isWord(name) { // class << self
			break
		}
		whole := qualified(name)
		r.names.addWord(name[bytes.LastIndexByte(name, ':')+1:])
		b.number = r.start(Kind(first), inside.name, whole, from)
		b.name = qualify(inside.name, whole)
	default:
		sign, after := word(rest)
		if !startsUpper(first) || string(sign) != "=" || !isAssigned(sign, after) {
			return
		}
		r.names.add(first)
		if !bytes.Contains(after, []byte(".new")) && !bytes.Contains(after, []byte(".define")) || !endsInDo(line) {
			return
		}
		b.number = r.start(Class, inside.name, string(first), from)
		b.name = qualify(inside.name, string(first))
	}
	r.body(b.number, to)
	r.stop(b.number, to)
	if closing := bytes.TrimRight(line, " "); bytes.HasSuffix(closing, []byte("; end")) || bytes.HasSuffix(closing, []byte(";end")) {
		return
	}
	r.open = append(r.open, b)
}

func endsInDo(line []byte) bool {
	line = bytes.TrimSpace(line)
	if n := bytes.LastIndexByte(line, '|'); n == len(line)-1 && n > 0 { // do |x|
		line = bytes.TrimSpace(line[:max(0, bytes.LastIndexByte(line[:n], '|'))])
	}
	return bytes.HasSuffix(line, []byte(" do"))
}

// rubyMethod is the name after def, which may end in a sign or be one.
func rubyMethod(rest []byte) []byte {
	rest = bytes.TrimSpace(rest)
	end := bytes.IndexAny(rest, "( \t;")
	if end < 0 {
		end = len(rest)
	}
	name := rest[:end]
	if n := bytes.LastIndexByte(name, '.'); n >= 0 && n+1 < len(name) {
		name = name[n+1:]
	}
	return name
}

// addMethod adds a name without the sign of assignment; operators are none.
func (n *nameList) addMethod(name []byte) {
	if isWord(name) {
		n.add(bytes.TrimSuffix(name, []byte("=")))
	}
}

// textEnd is where the lines go on after a text that this one opens, else the next line. A text that never ends is
// none.
func (r *rubyLines) textEnd(line []byte, next int) int {
	if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && trimmed[0] == '#' {
		return next
	}
	for rest := line; ; {
		_, after, found := bytes.Cut(rest, []byte("<<"))
		if !found {
			return next
		}
		rest = after
		mark := bytes.TrimLeft(after, "~-")
		name, _ := word(bytes.TrimLeft(mark, "'\"`"))
		// Without ~ or - only capitals: a << b appends.
		if !isWord(name) || len(mark) == len(after) && !isLoud(name) || len(mark) > 0 && mark[0] == ' ' {
			continue
		}
		if end := r.lineOf(name, next); end > 0 {
			next = end // and one more may begin on the same line
		}
	}
}

// lineOf finds the end of the line that holds a word alone, and 0 if there is none.
func (r *rubyLines) lineOf(name []byte, at int) int {
	s := scanner{src: r.source}
	for at < len(r.source) && r.patience > 0 {
		end := s.lineEnd(at)
		if bytes.Equal(bytes.TrimSpace(r.source[at:end]), name) {
			return min(end+1, len(r.source))
		}
		r.patience -= end + 1 - at
		at = end + 1
	}
	return 0
}
