package outline

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
	typedef               // of C: its name comes after it
)

// outline walks the structure of a file in a language with braces. What stands between two ends of a statement is a
// head: "func main()", "public class A extends B". The language's own rule reads it, names what it defines, and says
// what the brace after it opens. Inside functions no heads are read.
type outline struct {
	scanner
	*finds
	rule func(o *outline, end byte) kind

	at     int // where the walk is
	head   []byte
	from   int      // where the head begins
	marks  [][]byte // modifiers found in it
	fresh  int      // number of the definition that it begins
	label  string   // name of what the brace after it opens
	frames []frame  // the open brackets around the head, from the outside
	what   []byte   // of an open group: const, var or type
	inner  int      // brackets open beyond those
	kept   bool     // the inner brackets are part of the head: parameters
	listed bool     // and so are the inner braces: a type, a list of initial values
	owner  int      // the definition whose body the inner brackets are
	tail   int      // the definition that ended just before the head

	branches []branch // open #if of C
}

// frame is a pair of brackets that holds definitions.
type frame struct {
	kind   kind
	name   string // qualified; of a namespace that of what is around it
	number int    // of its definition
	from   int
}

// branch is how things stood at an #if. Its #else begins from there again, or braces would count twice.
type branch struct {
	frames, inner, owner int
	head                 []byte
	from                 int
	kept                 bool
}

// headLimit is how much of a head is looked at, lookAhead how far after a line's end, branchLimit how deep #if are
// followed.
const (
	headLimit   = 1000
	lookAhead   = 400
	branchLimit = 64
)

func (o *outline) in() kind {
	if len(o.frames) == 0 {
		return namespace
	}
	return o.frames[len(o.frames)-1].kind
}

// around is the qualified name of the type that the head stands in.
func (o *outline) around() string {
	if len(o.frames) == 0 {
		return ""
	}
	return o.frames[len(o.frames)-1].name
}

// found is called by the rule of the language with what a head defines. A name must begin with a word.
func (o *outline) found(kind Kind, name []byte) {
	if o.names != nil {
		o.names.addWord(name)
		return
	}
	if isWord(name) && string(name) != "_" {
		o.hidden(kind, string(name))
	}
}

// hidden is found for what nobody would search for by its name.
func (o *outline) hidden(kind Kind, name string) {
	o.fresh = o.start(member(kind, o.around()), o.around(), name, o.from)
	o.label = name
}

// mention is found for what has a name and nothing else worth telling: constants.
func (o *outline) mention(name []byte) {
	if o.names != nil {
		o.names.addWord(name)
	}
	o.label = string(name)
}

func (o *outline) walk() {
	o.owner, o.fresh, o.tail = nothing, nothing, nothing
	for i := 0; i < len(o.src) && !o.full(); {
		o.at = i
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
	o.at = len(o.src)
	o.finish('\n')
	o.shut(0, o.last)
}

func (o *outline) add(b byte) {
	if b == ':' && o.lang == C && isAccess(o.head) {
		o.head = o.head[:0]
		return
	}
	if (o.inner == 0 || o.kept) && len(o.head) < headLimit {
		if len(o.head) == 0 {
			o.from = o.at
		}
		o.head = append(o.head, b)
	}
}

// shut ends the body that is open, and what frames hold beyond the first few.
func (o *outline) shut(frames, at int) {
	o.stop(o.owner, at)
	o.owner = nothing
	for len(o.frames) > frames {
		o.stop(o.frames[len(o.frames)-1].number, at)
		o.frames = o.frames[:len(o.frames)-1]
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
	case (o.lang == C || o.lang == CSharp) && o.src[i] == '#' && len(bytes.TrimSpace(o.lineBefore(i))) == 0:
		return o.directive(i)
	case o.lang == PHP && o.follows(i, "?>"):
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

// phpBegin is where PHP begins in a page after i.
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
	switch {
	case o.inner == 1 && len(o.frames) == 0 && o.lang == Script && isWrapper(o.head):
		o.head, o.inner, o.fresh, o.label = o.head[:0], 0, nothing, ""
		o.open(namespace)
	case o.inner == 0 && o.isPartOfHead():
		o.inner, o.kept, o.listed = 1, true, true
		o.add('{')
	case o.inner > 0:
		o.inner++
		o.add('{')
	default:
		from := o.from
		k := o.finish('{')
		o.body(o.fresh, o.at)
		o.open(k)
		if k != body {
			o.frames[len(o.frames)-1].from = from
		}
	}
}

// isPartOfHead knows braces that open no body: those of a type in TypeScript and Go, of initial values in C++.
func (o *outline) isPartOfHead() bool {
	head := bytes.TrimRight(o.head, " ")
	if len(head) == 0 {
		return false
	}
	last := head[len(head)-1]
	switch o.lang {
	case Go: // func F() map[string]struct{} {
		return bytes.HasPrefix(head, []byte("func")) && endsIn(head, "struct", "interface")
	case Script:
		return bytes.IndexByte([]byte("<|&"), last) >= 0 || o.in() != object && last == ':' || inAngles(head)
	case C:
		colon := bytes.Index(head, []byte(") :"))
		if colon < 0 {
			colon = bytes.Index(head, []byte("):"))
		}
		return colon >= 0 && len(o.head) == len(head) && isWordByte(last)
	}
	return false
}

// inAngles reports whether type parameters are open at the end of a head.
func inAngles(head []byte) bool {
	open := 0
	for i, b := range head {
		switch {
		case b == '<':
			open++
		case b == '>' && head[i-min(i, 1)] != '=':
			open--
		}
	}
	return open > 0
}

// isWrapper knows how a script begins that is one function as a whole.
func isWrapper(head []byte) bool {
	for _, begin := range [...]string{"(function", "(()", "(async", "!function", ";(function", "define("} {
		if bytes.HasPrefix(head, []byte(begin)) {
			return bytes.Contains(head, []byte("function")) || bytes.Contains(head, []byte("=>"))
		}
	}
	return false
}

func (o *outline) open(k kind) {
	if k == body {
		o.inner, o.kept, o.listed, o.owner = 1, false, false, o.fresh
		return
	}
	f := frame{kind: k, name: o.around(), number: o.fresh}
	if k != namespace {
		f.name = qualify(f.name, o.label)
	}
	o.frames = append(o.frames, f)
}

func (o *outline) openRound(i int, b byte) {
	if o.inner == 0 && b == '(' {
		if what := bytes.TrimSpace(o.head); o.lang == Go && len(o.frames) == 0 && oneOf(what, "const", "var", "type", "import") {
			o.what = append(o.what[:0], what...)
			o.head, o.fresh, o.label = o.head[:0], nothing, ""
			o.open(group)
			return
		}
		// export default defineComponent({ … }): what counts is the object.
		if o.lang == Script && o.follows(i, "({") && bytes.HasPrefix(o.head, []byte("export default ")) {
			return
		}
	}
	o.add(b)
	if o.inner == 0 {
		o.kept = true
	}
	o.inner++
}

func (o *outline) closeRound(b byte) {
	if o.inner == 0 && b == ')' && o.in() == group {
		o.finish('\n')
		o.frames = o.frames[:len(o.frames)-1]
		return
	}
	o.add(b)
	if o.inner > 0 {
		if o.inner--; o.inner == 0 && o.owner != nothing {
			o.closeBody()
		}
	}
}

func (o *outline) closeBody() {
	o.stop(o.owner, o.at+1)
	o.tail, o.owner = o.owner, nothing
	o.head, o.kept, o.listed = o.head[:0], false, false
}

func (o *outline) closeBrace() {
	if o.inner > 0 {
		o.add('}')
		if o.inner--; o.inner == 0 && !o.listed {
			o.closeBody()
		}
		return
	}
	o.finish('}')
	if len(o.frames) == 0 {
		return
	}
	closed := o.frames[len(o.frames)-1]
	o.stop(closed.number, o.at+1)
	o.frames = o.frames[:len(o.frames)-1]
	o.tail = closed.number
	if closed.kind == typedef {
		o.head, o.from = append(o.head, "typedef "...), closed.from
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
	before := o.tail
	o.fresh, o.tail, o.label = nothing, nothing, ""
	switch {
	case before != nothing && o.continues():
		o.fresh = before
	case len(o.head) > 0 || b == '{':
		k = o.rule(o, b)
	}
	if b != '{' {
		o.stop(o.fresh, max(o.last, o.from+1))
	}
	o.head, o.kept, o.listed = o.head[:0], false, false
	return k
}

// continues reports whether the head belongs to what ended before it: } else {, }.bind(this), } = 1;
func (o *outline) continues() bool {
	if first, _ := word(o.head); len(first) > 0 && !isWord(first) {
		return bytes.IndexByte([]byte(".?)]=&|:"), first[0]) >= 0
	} else if o.lang == Kotlin {
		return string(first) == "else"
	}
	return false
}

// line ends a head where lines do that, unless the statement visibly goes on.
func (o *outline) line(i int) {
	if o.inner > 0 {
		o.blank()
		o.restart(i + 1)
		return
	}
	if len(o.head) == 0 {
		return
	}
	if o.lang == C && isMacroLine(o.head) {
		o.head = o.head[:0]
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
	if o.head[0] == '@' {
		if first, _ := o.define(); first == nil {
			return true // an annotation, and what it is about comes next
		}
	}
	if endsIn(o.src[:o.last], "=>") || o.lang == Script && endsIn(o.src[:o.last], "?") {
		return true
	}
	next := bytes.TrimLeft(o.src[i:min(i+lookAhead, len(o.src))], " \t\r\n")
	for bytes.HasPrefix(next, []byte("//")) {
		next = bytes.TrimLeft(next[bytesBefore(next, "\n"):], " \t\r\n")
	}
	if len(next) == 0 {
		return false
	}
	switch next[0] {
	case '{', ':', '.', '&', '|', '=', '?':
		return true
	case '-':
		return bytes.HasPrefix(next, []byte("->"))
	}
	return o.lang == Swift && bytes.HasPrefix(next, []byte("where "))
}

// restart forgets about open brackets where a line begins that cannot stand inside any.
func (o *outline) restart(i int) {
	if i >= len(o.src) || !isWordByte(o.src[i]) {
		return
	}
	for _, opening := range openings[o.lang] {
		if o.follows(i, opening) {
			o.shut(0, o.last)
			o.head, o.inner, o.kept, o.listed = o.head[:0], 0, false, false
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
		if string(bytes.TrimSpace(rest)) == "0" {
			end = o.disabled(end)
		}
		if len(o.branches) < branchLimit {
			o.branches = append(o.branches, branch{len(o.frames), o.inner, o.owner, bytes.Clone(o.head), o.from, o.kept})
		}
	case "else", "elif":
		o.rewind()
	case "endif":
		o.branches = o.branches[:max(0, len(o.branches)-1)]
	case "define":
		// Without a value it is a switch or the guard of a header.
		if macro, value := word(rest); isWord(macro) && len(bytes.TrimSpace(value)) > 0 && !isGuard(macro) && o.lang == C {
			o.mention(macro)
		}
	}
	return end
}

// disabled finds the end of what an #if 0 takes out.
func (o *outline) disabled(i int) int {
	for depth := 0; i < len(o.src); i = o.lineEnd(i + 1) {
		line := bytes.TrimLeft(o.src[min(i+1, len(o.src)):o.lineEnd(i+1)], " \t")
		if !bytes.HasPrefix(line, []byte("#")) {
			continue
		}
		switch name, _ := word(line[1:]); {
		case bytes.HasPrefix(name, []byte("if")):
			depth++
		case depth == 0 && oneOf(name, "else", "elif", "endif"):
			return i
		case string(name) == "endif":
			depth--
		}
	}
	return len(o.src)
}

// isGuard knows the names that keep a header from being read twice.
func isGuard(macro []byte) bool {
	return endsIn(bytes.TrimRight(macro, "_"), "_H", "_HH", "_HPP", "_H_INCLUDED")
}

func (o *outline) rewind() {
	if len(o.branches) == 0 {
		return
	}
	at := o.branches[len(o.branches)-1]
	if o.owner != at.owner {
		o.stop(o.owner, o.last)
		o.owner = nothing
	}
	if len(o.frames) > at.frames {
		o.shut(at.frames, o.last)
	}
	o.inner, o.owner, o.from = at.inner, at.owner, at.from
	o.head, o.kept, o.listed = append(o.head[:0], at.head...), at.kept, false
}
