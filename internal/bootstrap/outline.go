package bootstrap

import "bytes"

// kind is what a pair of brackets holds.
type kind byte

const (
	body      kind = iota // of a function, a value: nothing in it is looked at
	namespace             // definitions as at the top of the file
	class                 // methods
	contract              // methods without a body
	object                // a value of JavaScript, whose functions count as methods
	group                 // Go's list of constants, variables or types
	typedef               // of C: its name comes behind it
)

// outline walks the structure of a file in a language with braces. What stands between two ends of a statement is a
// head: "func main()", "public class A extends B". The language's own rule reads it, names what it defines, and says
// what the brace behind it opens. Inside functions no heads are read.
type outline struct {
	scanner
	names *nameList
	read  func(o *outline, end byte) kind

	head  []byte
	marks [][]byte // modifiers found in it
	kinds []kind   // of the open brackets around the head, from the outside
	what  []byte   // of an open group: const, var or type
	inner int      // brackets open beyond those
	kept  bool     // the inner brackets are part of the head: parameters

	branches []branch // open #if of C
}

// branch is how things stood at an #if. Its #else begins from there again, or braces would count twice.
type branch struct{ kinds, inner int }

// headLimit is how much of a head is looked at, branchLimit how deep #if are followed.
const (
	headLimit   = 400
	branchLimit = 64
)

func (o *outline) in() kind {
	if len(o.kinds) == 0 {
		return namespace
	}
	return o.kinds[len(o.kinds)-1]
}

func (o *outline) walk() {
	for i := 0; i < len(o.src) && !o.names.full(); {
		switch b := o.src[i]; b {
		case ' ', '\t', '\r':
			o.blank()
			i++
		case '\n':
			o.line(i)
			i++
		case '/', '"', '\'', '`', '#', '<', '?':
			i = o.special(i)
		case '(', '[', '{', '}', ')', ']', ';', ',':
			o.sign(i, b)
			o.last = i + 1
			i++
		default:
			o.add(b)
			o.last = i + 1
			i++
		}
	}
	o.finish('\n')
}

func (o *outline) add(b byte) {
	if (o.inner == 0 || o.kept) && len(o.head) < headLimit {
		o.head = append(o.head, b)
	}
}

func (o *outline) blank() {
	if n := len(o.head); n > 0 && o.head[n-1] != ' ' {
		o.add(' ')
	}
}

// special passes comments and strings, and what only one language has.
func (o *outline) special(i int) int {
	switch {
	case o.lang == clang && o.src[i] == '#' && len(bytes.TrimSpace(o.lineBefore(i))) == 0:
		return o.directive(i)
	case o.lang == php && o.follows(i, "?>"):
		return phpBegin(o.src, i)
	}
	end, what := o.text(i)
	switch what {
	case comment:
		o.blank()
		return end
	case literal:
		o.add('"')
		o.add('"')
	default:
		o.add(o.src[i])
	}
	o.last = end
	return end
}

// phpBegin is where PHP begins in a page behind i.
func phpBegin(src []byte, i int) int {
	s := scanner{src: src}
	i = s.past(i, "<?")
	for _, tag := range [...]string{"php", "="} {
		if s.follows(i, tag) {
			return i + len(tag)
		}
	}
	return i
}

// lineBefore is the line up to i, no more of it than an indentation may reasonably be.
func (o *outline) lineBefore(i int) []byte {
	const deepest = 100
	window := o.src[max(0, i-deepest):i]
	return window[bytes.LastIndexByte(window, '\n')+1:]
}

func (o *outline) sign(i int, b byte) {
	switch b {
	case '{':
		o.openBrace()
	case '(', '[':
		o.openRound(i, b)
	case ')', ']':
		o.closeRound(b)
	case '}':
		o.closeBrace()
	case ';':
		o.end(b)
	case ',':
		if o.inner == 0 && o.in() == object {
			o.finish(b)
			return
		}
		o.add(b)
	}
}

func (o *outline) openBrace() {
	if o.inner > 0 {
		o.inner++
		o.add('{')
		return
	}
	o.open(o.finish('{'))
}

func (o *outline) open(k kind) {
	if k == body {
		o.inner, o.kept = 1, false
		return
	}
	o.kinds = append(o.kinds, k)
}

func (o *outline) openRound(i int, b byte) {
	if o.inner == 0 && b == '(' {
		if o.lang == golang && len(o.kinds) == 0 && isGroup(o.head) {
			o.what = append(o.what[:0], bytes.TrimSpace(o.head)...)
			o.head = o.head[:0]
			o.open(group)
			return
		}
		// export default defineComponent({ … }): what counts is the object.
		if o.lang == script && o.follows(i, "({") && bytes.HasPrefix(o.head, []byte("export default ")) {
			return
		}
	}
	o.add(b)
	if o.inner == 0 {
		o.kept = true
	}
	o.inner++

}

func isGroup(head []byte) bool {
	switch string(bytes.TrimSpace(head)) {
	case "const", "var", "type", "import":
		return true
	}
	return false
}

func (o *outline) closeRound(b byte) {
	if o.inner == 0 && b == ')' && o.in() == group {
		o.finish('\n')
		o.kinds = o.kinds[:len(o.kinds)-1]
		return
	}
	o.add(b)
	if o.inner > 0 {
		o.inner--
	}
}

func (o *outline) closeBrace() {
	if o.inner > 0 {
		o.add('}')
		if o.inner--; o.inner == 0 {
			o.head, o.kept = o.head[:0], false
		}
		return
	}
	closed := o.in()
	o.finish('}')
	if len(o.kinds) > 0 {
		o.kinds = o.kinds[:len(o.kinds)-1]
	}
	if closed == typedef {
		o.head = append(o.head, "typedef "...)
	}
}

// end is that of a statement, unless brackets are open.
func (o *outline) end(b byte) {
	if o.inner == 0 {
		o.finish(b)
		return
	}
	o.add(b)
}

// finish reads the head and begins the next.
func (o *outline) finish(b byte) kind {
	k := body
	if len(o.head) > 0 || b == '{' {
		k = o.read(o, b)
	}
	o.head, o.kept = o.head[:0], false
	return k
}

// line ends a head where lines do that, unless the statement visibly goes on.
func (o *outline) line(i int) {
	if o.inner > 0 {
		o.blank()
		o.restart(i + 1)
		return
	}
	if !o.lang.endsByLine() || o.goesOn(i) {
		o.blank()
		return
	}
	o.finish('\n')
}

// goesOn reports whether the line that ends at i needs the next one, by its last sign or by the first of that.
func (o *outline) goesOn(i int) bool {
	if o.last > 0 && bytes.IndexByte([]byte(",:&|=<+."), o.src[o.last-1]) >= 0 {
		return o.in() != object
	}
	next := bytes.TrimLeft(o.src[i:min(i+headLimit, len(o.src))], " \t\r\n")
	if len(next) == 0 {
		return false
	}
	switch next[0] {
	case '{', ':', '.', '&', '|', '=':
		return true
	case '-':
		return bytes.HasPrefix(next, []byte("->"))
	}
	return o.lang == swift && bytes.HasPrefix(next, []byte("where "))
}

// restart forgets about open brackets where a line begins that cannot stand inside any.
func (o *outline) restart(i int) {
	if i >= len(o.src) || !isWordByte(o.src[i]) {
		return
	}
	for _, opening := range o.lang.opensFile() {
		if o.follows(i, opening) {
			o.head, o.kinds, o.inner, o.kept = o.head[:0], o.kinds[:0], 0, false
			return
		}
	}
}

// directive reads a line of C's preprocessor, with those that continue it.
func (o *outline) directive(i int) int {
	end := o.lineEnd(i)
	for end < len(o.src) && bytes.HasSuffix(bytes.TrimRight(o.src[i:end], "\r"), []byte("\\")) {
		end = o.lineEnd(end + 1)
	}
	name, rest := word(o.src[i+1 : end])
	switch string(name) {
	case "if", "ifdef", "ifndef":
		if len(o.branches) < branchLimit {
			o.branches = append(o.branches, branch{len(o.kinds), o.inner})
		}
	case "else", "elif":
		o.rewind()
	case "endif":
		o.branches = o.branches[:max(0, len(o.branches)-1)]
	case "define":
		// Without a value it is a switch or the guard of a header.
		if macro, value := word(rest); isWord(macro) && len(bytes.TrimSpace(value)) > 0 && !isGuard(macro) {
			o.names.add(macro)
		}
	}
	return end
}

// isGuard knows the names that keep a header from being read twice.
func isGuard(macro []byte) bool {
	trimmed := bytes.TrimRight(macro, "_")
	for _, end := range [...]string{"_H", "_HH", "_HPP", "_H_INCLUDED"} {
		if bytes.HasSuffix(trimmed, []byte(end)) {
			return true
		}
	}
	return false
}

func (o *outline) rewind() {
	if len(o.branches) == 0 {
		return
	}
	at := o.branches[len(o.branches)-1]
	o.kinds, o.inner = o.kinds[:min(at.kinds, len(o.kinds))], at.inner
	o.head, o.kept = o.head[:0], false
}
