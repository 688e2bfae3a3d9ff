package outline

import "bytes"

// scanner separates a language's code from its comments and strings, which may hold anything that looks like code. It is
// no parser: where it errs, the end of the line mostly sets it right.
type scanner struct {
	src  []byte
	lang Language
	last int // just after the last byte of code; blanks and comments do not count
	// searched is how many bytes of code inside strings were looked at. Many that never end would take for ever.
	searched int
}

// text is what a piece of source is.
type text byte

const (
	code text = iota
	comment
	literal
)

// text says what begins at i, and where it ends. Code is one byte long.
func (s *scanner) text(i int) (end int, kind text) {
	switch s.src[i] {
	case '/':
		return s.slash(i)
	case '"':
		return s.double(i), literal
	case '\'':
		return s.single(i)
	case '`':
		return s.backtick(i)
	case '#':
		return s.hash(i)
	case '<':
		if s.lang == PHP && s.follows(i, "<<<") {
			return s.heredoc(i + 3), literal
		}
	}
	return i + 1, code
}

func (s *scanner) follows(i int, what string) bool {
	return len(s.src)-i >= len(what) && string(s.src[i:i+len(what)]) == what
}

// before returns the byte in front of i.
func (s *scanner) before(i int) byte {
	if i == 0 {
		return '\n'
	}
	return s.src[i-1]
}

// past returns the position after the next mark, or the end.
func (s *scanner) past(i int, mark string) int {
	i = min(i, len(s.src))
	if n := bytes.Index(s.src[i:], []byte(mark)); n >= 0 {
		return i + n + len(mark)
	}
	return len(s.src)
}

func (s *scanner) lineEnd(i int) int {
	i = min(i, len(s.src))
	if n := bytes.IndexByte(s.src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s.src)
}

func (s *scanner) slash(i int) (int, text) {
	switch {
	case s.lang == Python || s.lang == Ruby:
		return i + 1, code
	case s.follows(i, "//"):
		return s.lineEnd(i), comment
	case s.follows(i, "/*"):
		return s.blockEnd(i + 2), comment
	case s.lang == Script && s.mayBeginPattern():
		if end := s.patternEnd(i); end > 0 {
			return end, literal
		}
	}
	return i + 1, code
}

// blockEnd finds the end of a block comment, which in some languages holds others.
func (s *scanner) blockEnd(i int) int {
	if s.lang != Rust && s.lang != Swift && s.lang != Kotlin {
		return s.past(i, "*/")
	}
	for depth := 1; i+1 < len(s.src); i++ {
		switch {
		case s.follows(i, "*/"):
			i++
			if depth--; depth == 0 {
				return i + 1
			}
		case s.follows(i, "/*"):
			i++
			depth++
		}
	}
	return len(s.src)
}

// mayBeginPattern reports whether a slash here begins a regular expression, by what stands before it: after a value it
// divides.
func (s *scanner) mayBeginPattern() bool {
	head := s.src[:s.last]
	return len(head) == 0 || bytes.IndexByte([]byte("(,=:[!&|?{;+*%~^"), head[len(head)-1]) >= 0 || endsIn(head, "=>", "return", "typeof", "case")
}

// patternEnd finds the end of a regular expression, and 0 if the line has none.
func (s *scanner) patternEnd(i int) int {
	const longest = 2000
	inClass := false
	for end := min(i+longest, len(s.src)); i+1 < end; {
		i++
		switch s.src[i] {
		case '\n':
			return 0
		case '\\':
			i++
		case '[':
			inClass = true
		case ']':
			inClass = false
		case '/':
			if !inClass {
				return i + 1
			}
		}
	}
	return 0
}

func (s *scanner) double(i int) int {
	switch s.lang {
	case Python, Java, Swift, Kotlin, CSharp:
		if s.follows(i, `"""`) {
			return s.tripled(i)
		}
	}
	switch s.lang {
	case Rust:
		if end := s.rustRaw(i); end > 0 {
			return end
		}
		return s.quoted(i, true)
	case PHP:
		return s.quoted(i, true)
	case CSharp:
		if s.before(i) == '@' || s.before(i) == '$' && i > 1 && s.src[i-2] == '@' {
			return s.verbatim(i)
		}
	case C:
		if s.before(i) == 'R' {
			return s.cppRaw(i)
		}
	}
	return s.quoted(i, false)
}

// tripled finds the end of a text in three quotes or, in C#, as many as it begins with.
func (s *scanner) tripled(i int) int {
	begin := i
	i += 3
	for s.lang == CSharp && s.follows(i, `"`) {
		i++
	}
	mark := string(s.src[begin:i])
	end := s.past(i, mark)
	for s.lang == Kotlin && s.follows(end, `"`) { // """a""""
		end++
	}
	for (s.lang == Python || s.lang == Java || s.lang == Swift) && end < len(s.src) && s.isEscaped(end-len(mark)) {
		end = s.past(end-len(mark)+1, mark)
	}
	return end
}

// isEscaped reports whether an odd number of backslashes stands before i, of the few that are looked at.
func (s *scanner) isEscaped(i int) bool {
	const few = 8
	n := 0
	for n < few && i > n && s.src[i-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

// quoted finds the end of a string with escapes. One that may not hold a line break ends there at the latest.
func (s *scanner) quoted(i int, manyLines bool) int {
	end, _ := s.nested(i, manyLines, 0)
	return end
}

// holeLimit is how far code inside a string is followed where a string ends with its line.
const holeLimit = 1000

// nested is quoted for a string that stands inside so many others. It also reports whether the string was closed.
func (s *scanner) nested(i int, manyLines bool, depth int) (end int, closed bool) {
	quote := s.src[i]
	holes := quote == '`' || quote == '"' && (s.lang == Kotlin || s.lang == Swift || s.lang == CSharp && s.before(i) == '$')
	limit := len(s.src)
	if depth > 0 && s.lang != Script {
		limit = min(i+holeLimit, limit)
	}
	for i++; i < limit; i++ {
		if holes {
			if end := s.hole(i, manyLines, depth); end > 0 {
				i = end - 1
				continue
			}
		}
		switch s.src[i] {
		case '\\':
			i++
		case quote:
			return i + 1, true
		case '\n':
			if !manyLines {
				return i, false
			}
		}
	}
	return min(i, len(s.src)), false
}

// hole finds the end of code inside a string, and 0 if none begins at i. Where strings end with their line, so must the code.
func (s *scanner) hole(i int, manyLines bool, depth int) int {
	open, shut, begin, limit := byte('{'), byte('}'), i+2, min(i+holeLimit, len(s.src))
	deepest := 4
	switch {
	case s.lang == Script && s.follows(i, "${"):
		limit, deepest = len(s.src), 20
	case s.lang == Kotlin && s.follows(i, "${"):
	case s.lang == Swift && s.follows(i, `\(`):
		open, shut = '(', ')'
	case s.lang == CSharp && s.follows(i, "{{"): // stands for a brace
		return begin
	case s.lang == CSharp && s.src[i] == '{':
		begin = i + 1
	default:
		return 0
	}
	if depth == deepest || s.searched > searchLimit+2*len(s.src) {
		return 0
	}
	inner := 1
	for at := begin; at < limit; at++ {
		s.searched++
		switch c := s.src[at]; {
		case c == '\n' && !manyLines:
			return 0
		case c == open:
			inner++
		case c == shut:
			if inner--; inner == 0 {
				return at + 1
			}
		case c == '"' || s.lang == Script && (c == '\'' || c == '`'):
			end, closed := s.nested(at, c == '`', depth+1)
			if !closed && !manyLines {
				return 0
			}
			at = end - 1
		}
	}
	if manyLines {
		return limit
	}
	return 0
}

// rustRaw finds the end of r"…" and r##"…"##, and 0 if it is an ordinary string.
func (s *scanner) rustRaw(i int) int {
	start := i
	for start > 0 && s.src[start-1] == '#' {
		start--
	}
	if s.before(start) != 'r' {
		return 0
	}
	return s.past(i+1, `"`+string(s.src[start:i]))
}

// verbatim finds the end of C#'s @"…", where a quote is written twice.
func (s *scanner) verbatim(i int) int {
	for i++; i < len(s.src); i++ {
		if s.src[i] != '"' {
			continue
		}
		if !s.follows(i, `""`) {
			return i + 1
		}
		i++
	}
	return len(s.src)
}

// cppRaw finds the end of R"mark(…)mark".
func (s *scanner) cppRaw(i int) int {
	const longestMark = 16
	window := s.src[i+1 : min(i+2+longestMark, len(s.src))]
	open := bytes.IndexByte(window, '(')
	if open < 0 {
		return s.quoted(i, false)
	}
	return s.past(i+1+open, ")"+string(window[:open])+`"`)
}

func (s *scanner) single(i int) (int, text) {
	switch s.lang {
	case Swift:
		return i + 1, code
	case Rust:
		return s.rustSingle(i)
	case Python:
		if s.follows(i, "'''") {
			return s.tripled(i), literal
		}
	case PHP:
		return s.quoted(i, true), literal
	case C:
		if isWordByte(s.before(i)) && s.before(i) != 'L' && s.before(i) != 'u' && s.before(i) != 'U' {
			return i + 1, code // 1'000'000
		}
	}
	return s.quoted(i, false), literal
}

// rustSingle distinguishes the character 'x' from the lifetime 'x.
func (s *scanner) rustSingle(i int) (int, text) {
	const longestRune = 4
	if s.follows(i+1, `\`) {
		return s.quoted(i, false), literal
	}
	window := s.src[min(i+2, len(s.src)):min(i+2+longestRune, len(s.src))]
	if n := bytes.IndexByte(window, '\''); n == 0 || n > 0 && s.src[i+1] >= 0x80 {
		return i + 2 + n + 1, literal
	}
	return i + 1, code
}

func (s *scanner) backtick(i int) (int, text) {
	switch s.lang {
	case Go:
		return s.past(i+1, "`"), literal
	case Script:
		return s.quoted(i, true), literal
	}
	return i + 1, code
}

func (s *scanner) hash(i int) (int, text) {
	switch s.lang {
	case Python, Ruby:
		return s.lineEnd(i), comment
	case PHP:
		if !s.follows(i, "#[") { // an attribute
			return s.lineEnd(i), comment
		}
	case Swift:
		open := i
		for open < i+8 && s.follows(open, "#") {
			open++
		}
		if s.follows(open, `"`) {
			return s.past(open+1, `"`+string(s.src[i:open])), literal
		}
	}
	return i + 1, code
}

// heredoc finds the end of PHP's <<<MARK, a line that begins with the mark.
func (s *scanner) heredoc(i int) int {
	line := s.lineEnd(i)
	mark := bytes.Trim(s.src[i:line], " \t\r'\"")
	if len(mark) == 0 {
		return i
	}
	for line < len(s.src) {
		start := line + 1
		line = s.lineEnd(min(start, len(s.src)))
		if found := bytes.TrimLeft(s.src[min(start, line):line], " \t"); bytes.HasPrefix(found, mark) {
			return line - len(found) + len(mark)
		}
	}
	return len(s.src)
}
