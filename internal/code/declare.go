package code

import (
	"slices"
	"strings"
)

// declare reads a line that may begin a declaration.
func (r *reader) declare(text string) {
	rest := r.annotations(text)
	if rest == "" {
		if r.noted == unset {
			r.noted, r.notedAt = r.at, r.indent
		}
		return
	}
	var marks []string
	first, after := word(rest)
	for slices.Contains(r.modifiers, first) && !isUsedAsName(after) {
		marks = append(marks, first)
		first, after = word(skipRound(after, '(', ')')) // pub(crate), private(set)
	}
	members := r.top().members
	isMember := r.indent == members || r.noted != unset && r.notedAt == members // template <…> may stand further left
	kind, isKeyword := r.keywords[first]
	switch {
	case r.lang == Go:
		if isMember {
			r.goLine(text)
		}
	case r.lang == C:
		if isMember || isKeyword {
			r.cLine(rest, isMember)
		}
	case isKeyword && !(r.bare && isUsedAsName(after)):
		r.keyword(kind, first, after, marks)
	case r.isConstant(first, marks, after):
		name, _, _ := strings.Cut(rest, "=")
		name, _, _ = strings.Cut(name, ":")
		r.mention(lastWord(strings.TrimRight(name, "; ")))
	case r.lang == Ruby && startsUpper(first) && strings.Contains(text, ") do"): // Point = Struct.new(…) do
		r.define(Class, first)
	case r.typed && isMember && r.top().kind != "" && r.top().kind != namespace:
		r.typedLine(rest, first, after)
	case r.bare && isMember && (r.top().kind == Class || r.top().kind == Interface || r.top().kind == variable):
		r.bareMember(first, after, text)
	case r.bare && isMember:
		r.assignment(rest, slices.Contains(marks, "default"))
	}
	if r.indent <= r.notedAt {
		r.noted = unset
	}
}

// annotations drops those in front of a declaration: @Test, #[derive(…)], [Fact], template <…>. Nothing is left of a line
// that has no more.
func (r *reader) annotations(text string) string {
	for text != "" {
		var rest string
		switch {
		case strings.HasPrefix(text, "@interface "):
			return text[1:]
		case text[0] == '@' && r.lang != Ruby:
			name := strings.TrimLeft(text[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:$")
			rest = skipRound(name, '(', ')')
		case strings.HasPrefix(text, "#["), strings.HasPrefix(text, "#!["):
			rest = skipRound(strings.TrimLeft(text, "#!"), '[', ']')
		case text[0] == '[' && (r.lang == CSharp || r.lang == C):
			rest = skipRound(text, '[', ']')
		case r.lang == C && strings.HasPrefix(text, "template") && strings.HasSuffix(text, ">"):
			return ""
		case r.lang == C && strings.HasPrefix(text, "template"):
			rest = skipRound(text[len("template"):], '<', '>')
		default:
			return text
		}
		text = strings.TrimLeft(rest, " \t")
	}
	return ""
}

// isUsedAsName reports whether the word before is not a keyword but the thing itself: get() {, default: 1.
func isUsedAsName(rest string) bool {
	next, _ := word(rest)
	if next == "(" {
		after, _ := word(skipRound(rest, '(', ')'))
		return wordLength(after) == 0
	}
	return next == "" || strings.Contains("=:?;,.)", next)
}

// isConstant reports whether a line gives a name that others see to a value.
func (r *reader) isConstant(first string, marks []string, after string) bool {
	sign, rest := word(after)
	assigned := sign == ":" || sign == "=" && !strings.HasPrefix(rest, "=")
	switch r.lang {
	case Python:
		return r.indent == 0 && isLoud(first) && assigned
	case Ruby:
		return startsUpper(first) && sign == "=" && assigned && !strings.Contains(rest, ".new(") && !strings.Contains(rest, ".define(")
	}
	words := append(marks, first)
	if slices.Contains(words, "private") {
		return false
	}
	return slices.ContainsFunc(r.constants, func(all string) bool {
		return !slices.ContainsFunc(strings.Fields(all), func(w string) bool { return !slices.Contains(words, w) })
	})
}

// keyword reads a declaration that begins with one, as most languages have them.
func (r *reader) keyword(kind Kind, first, rest string, marks []string) {
	for next, after := word(rest); ; next, after = word(rest) { // enum class, record struct, fun interface, class func
		second, isKeyword := r.keywords[next]
		if !isKeyword || second == namespace || isUsedAsName(after) && r.lang != Swift {
			break
		}
		if rest = after; kind != Enum && kind != "record" && kind != variable || second == Enum {
			kind = second
		}
	}
	name := r.name(rest)
	switch {
	case kind == variable:
		r.scriptVariable(marks, rest)
	case kind == namespace, r.lang == Ruby && kind != Function && !isWord(name): // class << self
		r.open(namespace, "")
	case first == "impl":
		r.rustImpl(rest)
	case kind == Method: // init, constructor
		if next, _ := word(rest); strings.Contains("({?<", next) && next != "" {
			r.define(kind, first)
		}
	case kind == Property:
		if strings.Contains(rest, "{") || strings.HasSuffix(r.code[:r.end], "{") {
			r.define(kind, name)
		}
	case kind == Macro:
		r.define(kind, r.name(strings.TrimLeft(rest, "!")))
	case first == "delegate":
		if name, _ := callable(rest, ""); name != "" {
			r.define(Function, name)
		}
	case r.lang == Script && kind == Type && !strings.ContainsAny(rest, "=<"):
	case slices.Contains(marks, "default") && (name == "" || name == "extends"):
		r.define(kind, "default")
	case name != "" || slices.Contains(marks, "companion"):
		r.define(kind, name)
	}
}

// name is what a declaration is called after its keyword: with what it extends, without type parameters.
func (r *reader) name(rest string) string {
	if r.lang == Ruby {
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(rest), "self."), "(")
		name, _, _ = strings.Cut(name, " ")
		name = strings.ReplaceAll(strings.TrimRight(name, ";"), "::", ".")
		return name
	}
	rest = strings.TrimLeft(skipRound(rest, '<', '>'), " &*")
	if rest != "" && !isWordByte(rest[0]) && r.lang == Swift { // an operator
		name, _, _ := strings.Cut(rest, "(")
		return strings.TrimSpace(name)
	}
	var parts []string
	for {
		n := wordLength(rest)
		if n > 0 {
			parts = append(parts, rest[:n])
		}
		rest = strings.TrimPrefix(skipRound(rest[n:], '<', '>'), "?")
		if after, isPath := strings.CutPrefix(rest, "."); n > 0 && isPath {
			rest = after
			continue
		}
		return strings.Join(parts, ".")
	}
}

// goLine reads a line at the top of a Go file or of a group of declarations.
func (r *reader) goLine(text string) {
	first, rest := word(text)
	switch top := r.top(); {
	case top.kind == group:
		r.goSpec(r.what, text)
	case top.kind == Interface:
		if next, _ := word(rest); next == "(" {
			r.mention(first)
		}
	case top.kind != "":
	case first == "func":
		after := skipRound(rest, '(', ')')
		receiver, _, _ := strings.Cut(strings.TrimRight(rest[:len(rest)-len(after)], ") "), "[")
		name, _ := word(after)
		if !isWord(name) {
			break
		}
		if owner := lastWord(receiver); owner != "" {
			name = owner + "." + name
		}
		r.define(Function, name)
	case r.keywords[first] != "":
		if strings.TrimSpace(rest) == "(" {
			r.what = first
			r.open(group, "")
			break
		}
		r.goSpec(first, rest)
	}
}

func (r *reader) goSpec(what, spec string) {
	name, rest := word(spec)
	switch {
	case what != "type":
		for ; isWord(name); name, rest = word(strings.TrimPrefix(rest, ",")) {
			if startsUpper(name) {
				r.mention(name)
			}
			if !strings.HasPrefix(rest, ",") {
				return
			}
		}
	case isWord(name):
		if strings.HasPrefix(rest, "[") { // type parameters
			rest = skipRound(rest, '[', ']')
		}
		kind, after := word(rest)
		if kind == "=" {
			kind, _ = word(after)
		}
		if kind != "struct" && kind != "interface" {
			kind = string(Type)
		}
		r.define(Kind(kind), name)
	}
}

// rustImpl reads "<T> fmt::Display for Point<T> where …": its members are those of Point.
func (r *reader) rustImpl(rest string) {
	rest, _, _ = strings.Cut(skipRound(rest, '<', '>'), "{")
	rest, _, _ = strings.Cut(rest, " where ")
	trait, self, isTrait := strings.Cut(rest, " for ")
	name := func(text string) string {
		text, _, _ = strings.Cut(skipRound(text, '<', '>'), "<")
		return lastWord(text)
	}
	if !isTrait {
		r.define(Extension, name(trait))
		return
	}
	r.define(Extension, name(trait)+" for "+name(self))
	r.top().name = name(self)
}

// typedLine reads a member of a class in Java and C#.
func (r *reader) typedLine(rest, first, after string) {
	head, end := r.head()
	head = head[min(len(head), r.end-r.at-len(rest)):]
	_, class := cutLast(r.top().name)
	next, _ := word(after)
	if name, _ := callable(head, class); name != "" {
		r.define(Function, name)
		return
	}
	before, _, isArrow := strings.Cut(head, "=>")
	switch {
	case first == class && next == "{": // a constructor of a record
		r.define(Method, first)
	case r.lang != CSharp || !isArrow && end != '{' || strings.ContainsAny(before, "=("):
	case strings.Contains(before, "this["):
		r.define(Property, "this")
	default:
		r.define(Property, lastWord(before))
	}
}

func cutLast(qualified string) (owner, name string) {
	n := strings.LastIndexByte(qualified, '.')
	return qualified[:max(n, 0)], qualified[n+1:]
}

// callable is the name of the function that a head in the manner of C defines: the word before the first bracket, if a
// type stands before that, or a class that it belongs to. What assigns or lists is none.
func callable(head, class string) (name, owner string) {
	if n := strings.Index(head, "operator"); n >= 0 && len(head) > n+8 && !isWordByte(head[n+8]) {
		sign, _, _ := strings.Cut(head[n+9:], "(") // operator()( has a bracket of its own
		return "operator" + strings.TrimRight(head[n+8:n+9]+sign, " "), ownerOf(head[:n])
	}
	depth := 0
	for i := 0; i < len(head); i++ {
		switch head[i] {
		case '<':
			depth++
		case '>':
			depth = max(depth-1, 0)
		case '=', ',', '.':
			if depth == 0 && !strings.HasPrefix(head[i:], "...") {
				return "", ""
			}
		case '(':
			if depth > 0 {
				continue
			}
			before := withoutAngles(head[:i])
			name = lastWord(before)
			before = strings.TrimRight(before[:len(before)-len(name)], " \t\r\n")
			if slices.Contains(decorations, name) || isLoud(name) && before == "" && name != class {
				head, i = skipRound(head[i:], '(', ')'), -1
				continue
			}
			if without, isDestructor := strings.CutSuffix(before, "~"); isDestructor {
				return "~" + name, ownerOf(without)
			}
			owner = ownerOf(before)
			if !isWord(name) || slices.Contains(statements, name) || slices.Contains(types, name) || before == "" && name != class ||
				slices.Contains(statements, lastWord(before)) || strings.HasSuffix(before, ")") {
				return "", ""
			}
			return name, owner
		}
	}
	return "", ""
}

var (
	// statements are words of C, Java and C# that stand before a bracket, or before a word with one, and declare nothing.
	statements = strings.Fields(`if for while switch return catch sizeof new throw else do using foreach synchronized
		static_assert case defined typeof goto`)
	// types are words that can stand before the bracket of a pointer to a function.
	types = strings.Fields("int void char long short float double bool unsigned signed auto")
	// decorations are words with a bracket that only say something about the function after them.
	decorations = strings.Fields("__attribute__ __declspec alignas _Alignas decltype noexcept explicit requires")
)

// ownerOf is Server of "void Server<T>::".
func ownerOf(before string) string {
	before, isMember := strings.CutSuffix(strings.TrimRight(before, " "), "::")
	if !isMember {
		return ""
	}
	return lastWord(withoutAngles(before))
}

// withoutAngles drops the type parameters that a text ends with.
func withoutAngles(text string) string {
	text = strings.TrimRight(text, " \t\r\n")
	for i, depth := len(text)-1, 0; i >= 0 && strings.HasSuffix(text, ">"); i-- {
		switch text[i] {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 {
				return strings.TrimRight(text[:i], " \t\r\n")
			}
		}
	}
	return text
}

// cLine reads a declaration of C and C++.
func (r *reader) cLine(rest string, isMember bool) {
	head, end := r.head()
	head = head[min(len(head), r.end-r.at-len(rest)):]
	first, after := word(head)
	if first == "inline" {
		if next, _ := word(after); next == "namespace" {
			first = next
		}
	}
	switch {
	case first == "namespace", first == "extern" && end == '{' && strings.Trim(after, "\" \t\r\n") == "":
		r.open(namespace, "")
		return
	case first == "typedef":
		r.cTypedef(after, end)
		return
	case first == "using":
		name, _, isAlias := strings.Cut(after, "=")
		if isAlias {
			r.mention(lastWord(name))
		}
		return
	}
	_, class := cutLast(r.top().name)
	name, owner := callable(head, class)
	switch {
	case name != "" && !isMember:
	case name != "" && end == '{':
		if owner != "" {
			name = owner + "." + name
		}
		r.define(Function, name)
		r.skip = r.at + len(r.code[r.at:r.end]) - len(rest) + len(head)
	case name != "" && !isLoud(name):
		r.mention(name)
	case end == '{' && !strings.ContainsAny(head, "=("):
		r.cType(head)
	}
}

// cTypedef reads a type whose name comes last, or in the brackets of a pointer to a function: (*name).
func (r *reader) cTypedef(rest string, end byte) {
	if end == '{' {
		const farthest = 20000 // bytes
		rest = r.code[r.at:min(r.at+farthest, len(r.code))]
		rest, _, _ = strings.Cut(skipRound(rest[strings.IndexByte(rest, '{'):], '{', '}'), ";")
		r.define(Type, lastWord(rest))
		return
	}
	if _, pointer, isPointer := strings.Cut(rest, "(*"); isPointer {
		name, _ := word(pointer)
		r.mention(name)
		return
	}
	rest, _, _ = strings.Cut(rest, "[")
	if name := lastWord(rest); isWord(name) {
		r.define(Type, name)
	}
}

// cType reads class, struct, union and enum: their name is the last word before their bases.
func (r *reader) cType(head string) {
	var kind Kind
	first, rest := word(head)
	for ; isWord(first); first, rest = word(rest) {
		if k, isType := r.keywords[first]; isType {
			if kind != Enum {
				kind = k
			}
			head = rest
		}
	}
	if kind == "" {
		return
	}
	head, _, _ = strings.Cut(strings.ReplaceAll(head, "::", "."), ":")
	head, _, _ = strings.Cut(head, "<")
	if name := lastWord(strings.TrimSuffix(strings.TrimSpace(head), "final")); name != "" {
		r.define(kind, name)
	}
}
