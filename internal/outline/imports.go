package outline

import (
	"bytes"
	"slices"
	"strings"
)

const (
	// importsLimit is how many imports of a file are kept; importLimit the longest, in bytes.
	importsLimit = 200
	importLimit  = 300
)

// Imports lists what a source file imports, in order and each once, in the language's own spelling:
//
//	Go, JavaScript     the string: "fmt", "./button"
//	Python             module and name, joined: from .a import b is ".a.b", import a.b is "a.b"
//	Rust               the path of use, without braces: "crate::a::b"; mod x; is "self::x"
//	Java, Kotlin       the name: "java.util.List", "a.b.*"
//	Swift              the module: "Foundation"
//	C, C++             the file: "list.h", and with its brackets one of the system: "<stdio.h>"
//	Markdown           the note of a link in brackets: [[plans/release#when|the release]] is "plans/release"
func Imports(path string, source []byte) []string {
	found := &shortList{most: importsLimit, longest: importLimit}
	switch lang := LanguageOf(path); lang {
	case Go:
		goImports(source, found)
	case Script, Pages:
		scriptImports(codeOf(lang, source), found)
	case Python:
		pythonImports(source, found)
	case Rust:
		rustImports(source, found)
	case Swift, Java, Kotlin:
		javaImports(source, lang, found)
	case C:
		cImports(source, found)
	case Markdown:
		wikiLinks(source, found)
	}
	return found.list
}

// wikiLinks reads the notes that a note links to, but not what stands in code.
func wikiLinks(source []byte, found *shortList) {
	var fence []byte
	for line := range bytes.Lines(source) {
		switch start := bytes.TrimSpace(line); {
		case fence != nil:
			if bytes.HasPrefix(start, fence) {
				fence = nil
			}
			continue
		case bytes.HasPrefix(start, []byte("```")), bytes.HasPrefix(start, []byte("~~~")):
			fence = start[:3]
			continue
		}
		for i, part := range bytes.Split(line, []byte("`")) {
			for i%2 == 0 { // the others are code
				inside, rest, ok := bytes.Cut(part, []byte("]]"))
				if !ok {
					break
				}
				if at := bytes.LastIndex(inside, []byte("[[")); at >= 0 {
					target := inside[at+2:]
					if end := bytes.IndexAny(target, "|#"); end >= 0 {
						target = target[:end]
					}
					found.add(bytes.TrimSuffix(target, []byte(`\`))) // a table writes \|
				}
				part = rest
			}
		}
	}
}

// goImports reads the imports, which come before all else, and stops at the first thing that is none.
func goImports(source []byte, found *shortList) {
	inBlock := false
	codeLines(source, Go, func(line []byte) bool {
		first, rest := word(line)
		switch {
		case len(first) == 0 || string(first) == "package" || string(first) == ";":
		case inBlock && string(first) == ")":
			inBlock = false
		case inBlock:
			found.add(quotedIn(line))
		case string(first) == "import":
			if next, _ := word(rest); string(next) == "(" {
				inBlock = !bytes.Contains(rest, []byte(")"))
			}
			found.add(quotedIn(rest))
		default:
			return false
		}
		return !found.full()
	})
}

// quotedIn is the first string of a line, without its quotes.
func quotedIn(line []byte) []byte {
	start := bytes.IndexAny(line, "\"`'")
	if start < 0 {
		return nil
	}
	text := line[start+1:]
	if end := bytes.IndexByte(text, line[start]); end >= 0 {
		return text[:end]
	}
	return nil
}

// scriptImports takes every string after from, import, import( or require(.
func scriptImports(source []byte, found *shortList) {
	s := scanner{src: source, lang: Script}
	for i := 0; i < len(source) && !found.full(); {
		if b := source[i]; b == ' ' || b == '\n' || b == '\t' || b == '\r' {
			i++
			continue
		}
		end, kind := s.text(i)
		if kind == literal && isImporting(source[:s.last]) && (source[i] == '"' || source[i] == '\'') {
			found.add(bytes.Trim(source[i:end], `"'`))
		}
		if kind != comment {
			s.last = end
		}
		i = end
	}
}

// isImporting reports whether code that ends here names a module next.
func isImporting(head []byte) bool {
	head = bytes.TrimRight(head, " \t\r\n")
	inBracket := bytes.HasSuffix(head, []byte("("))
	if inBracket {
		head = bytes.TrimRight(head[:len(head)-1], " ")
	}
	for _, w := range [...]struct {
		word    string
		bracket bool
	}{{"from", false}, {"import", false}, {"import", true}, {"require", true}} {
		before, found := bytes.CutSuffix(head, []byte(w.word))
		if !found || w.bracket != inBracket {
			continue
		}
		if len(before) == 0 || !isWordByte(before[len(before)-1]) && before[len(before)-1] != '.' { // x.require is another
			return true
		}
	}
	return false
}

// statementLimit is how long an import over several lines may be.
const statementLimit = 16 << 10

// pythonImports reads import and from, over several lines where brackets or backslashes say so.
func pythonImports(source []byte, found *shortList) {
	var statement []byte
	codeLines(source, Python, func(line []byte) bool {
		if first, _ := word(line); len(statement) == 0 && !oneOf(first, "import", "from") {
			return true
		}
		statement = append(append(statement, line...), ' ')
		if isUnfinished(statement) && len(statement) < statementLimit {
			return true
		}
		pythonImport(statement, found)
		statement = statement[:0]
		return !found.full()
	})
	pythonImport(statement, found)
}

func isUnfinished(statement []byte) bool {
	if bytes.IndexByte(statement, '(') >= 0 {
		return bytes.IndexByte(statement, ')') < 0
	}
	return bytes.HasSuffix(bytes.TrimSpace(statement), []byte(`\`))
}

func pythonImport(statement []byte, found *shortList) {
	for i, b := range statement {
		if b == '(' || b == ')' || b == '\\' || b == ';' {
			statement[i] = ' '
		}
	}
	first, rest := word(statement)
	if string(first) == "import" {
		for part := range bytes.SplitSeq(rest, []byte(",")) {
			found.add(firstField(part))
		}
		return
	}
	module, names, isFrom := bytes.Cut(rest, []byte("import "))
	if string(first) != "from" || !isFrom {
		return
	}
	module = bytes.ReplaceAll(module, []byte(" "), nil)
	for part := range bytes.SplitSeq(names, []byte(",")) {
		found.add(pythonName(module, firstField(part)))
	}
}

// pythonName joins a module and a name of it.
func pythonName(module, name []byte) []byte {
	switch {
	case len(name) == 0:
		return nil
	case string(name) == "*":
		return module
	case bytes.HasSuffix(module, []byte(".")):
		return slices.Concat(module, name)
	}
	return slices.Concat(module, []byte("."), name)
}

func firstField(text []byte) []byte {
	for field := range bytes.FieldsSeq(text) {
		return field
	}
	return nil
}

// rustImports reads use and the declarations of modules in other files.
func rustImports(source []byte, found *shortList) {
	var statement []byte
	codeLines(source, Rust, func(line []byte) bool {
		if len(statement) == 0 {
			var is bool
			if line, is = rustImport(line); !is {
				return true
			}
		}
		statement = append(append(statement, line...), ' ')
		if bytes.IndexByte(statement, ';') < 0 && len(statement) < statementLimit {
			return true
		}
		text, _, _ := bytes.Cut(statement, []byte(";"))
		if name, isModule := bytes.CutPrefix(text, []byte("mod ")); !isModule {
			rustPaths("", bytes.TrimPrefix(text, []byte("use ")), found, 0)
		} else if bytes.IndexByte(name, '{') < 0 {
			found.add(slices.Concat([]byte("self::"), bytes.TrimSpace(name)))
		}
		statement = statement[:0]
		return !found.full()
	})
}

// rustImport returns the line from use or mod on, if that is what it says.
func rustImport(line []byte) ([]byte, bool) {
	line = bytes.TrimLeft(line, " \t")
	if after, isPublic := bytes.CutPrefix(line, []byte("pub")); isPublic {
		line = bytes.TrimLeft(skipRound(after, '(', ')'), " ")
	}
	isModule := bytes.HasPrefix(line, []byte("mod ")) && bytes.IndexByte(line, '{') < 0
	return line, isModule || bytes.HasPrefix(line, []byte("use "))
}

// rustPaths adds a::b and a::c for a::{b, c}.
func rustPaths(prefix string, tree []byte, found *shortList, depth int) {
	const deepest = 10
	tree = bytes.TrimSpace(tree)
	if len(tree) == 0 {
		return // after the last comma
	}
	open := bytes.IndexByte(tree, '{')
	if open < 0 {
		path, _, _ := bytes.Cut(tree, []byte(" as "))
		path = bytes.TrimSuffix(bytes.TrimSuffix(bytes.TrimSpace(path), []byte("*")), []byte("::"))
		if string(path) == "self" && prefix != "" {
			path, prefix = nil, strings.TrimSuffix(prefix, "::")
		}
		found.add(append([]byte(prefix), path...))
		return
	}
	if depth == deepest || found.full() {
		return
	}
	inner := tree[open+1:]
	if after := afterBracket(inner, '{', '}'); after != nil {
		inner = inner[:len(inner)-len(after)-1]
	}
	prefix += string(bytes.ReplaceAll(tree[:open], []byte(" "), nil))
	for len(inner) > 0 {
		var part []byte
		part, inner = cutOutside(inner)
		rustPaths(prefix, part, found, depth+1)
	}
}

// cutOutside cuts at the first comma that stands in no braces.
func cutOutside(text []byte) (part, rest []byte) {
	depth := 0
	for i, b := range text {
		switch {
		case b == '{':
			depth++
		case b == '}':
			depth--
		case b == ',' && depth == 0:
			return text[:i], text[i+1:]
		}
	}
	return text, nil
}

// javaImports reads lines that begin with import, as Java, Kotlin and Swift have them.
func javaImports(source []byte, lang Language, found *shortList) {
	codeLines(source, lang, func(line []byte) bool {
		first, rest := word(line)
		for string(first) == "@" { // @testable import
			first, rest = word(skipAnnotation(rest))
		}
		if string(first) != "import" {
			return true
		}
		rest, _, _ = bytes.Cut(rest, []byte(";"))
		name := firstField(rest)
		if oneOf(name, "static", "struct", "class", "enum", "protocol", "func", "typealias") {
			name = firstField(rest[bytes.Index(rest, name)+len(name):])
		}
		found.add(name)
		return !found.full()
	})
}

// cImports reads #include.
func cImports(source []byte, found *shortList) {
	codeLines(source, C, func(line []byte) bool {
		line, isDirective := bytes.CutPrefix(bytes.TrimLeft(line, " \t"), []byte("#"))
		if !isDirective {
			return true
		}
		first, rest := word(line)
		if string(first) != "include" && string(first) != "import" {
			return true
		}
		rest = bytes.TrimSpace(rest)
		if end := bytes.IndexByte(rest, '>'); end > 0 && rest[0] == '<' {
			found.add(rest[:end+1])
		} else {
			found.add(quotedIn(rest))
		}
		return !found.full()
	})
}
