// Package outline says what the text of a source file holds: what it defines and where, the names of that, and what it
// imports. One scanner reads all languages, with a rule for each. It is given text and touches no file; that text is foreign and
// can be anything.
package outline

import (
	"path"
	"strings"
)

// Language is a way of writing source that the scanners here know.
type Language byte

const (
	Unknown Language = iota
	Go
	Script // JavaScript and TypeScript
	Pages  // script inside the markup of Vue and Svelte
	Python
	Rust
	Swift
	Java
	Kotlin
	C // C and C++
	Ruby
	CSharp
	PHP
	Markdown
)

// languages are the endings of files, and what people call the language; one rule may serve two.
var languages = map[string]struct {
	rule Language
	name string
}{
	".go": {Go, "go"}, ".py": {Python, "python"}, ".pyi": {Python, "python"}, ".rs": {Rust, "rust"}, ".swift": {Swift, "swift"},
	".ts": {Script, "typescript"}, ".tsx": {Script, "typescript"}, ".mts": {Script, "typescript"}, ".cts": {Script, "typescript"},
	".js": {Script, "javascript"}, ".jsx": {Script, "javascript"}, ".mjs": {Script, "javascript"}, ".cjs": {Script, "javascript"},
	".vue": {Pages, "vue"}, ".svelte": {Pages, "svelte"}, ".java": {Java, "java"}, ".kt": {Kotlin, "kotlin"}, ".kts": {Kotlin, "kotlin"},
	".c": {C, "c"}, ".h": {C, "c"}, ".cc": {C, "c++"}, ".cpp": {C, "c++"}, ".cxx": {C, "c++"}, ".hh": {C, "c++"}, ".hpp": {C, "c++"}, ".hxx": {C, "c++"},
	".rb": {Ruby, "ruby"}, ".cs": {CSharp, "c#"}, ".php": {PHP, "php"}, ".md": {Markdown, "markdown"}, ".markdown": {Markdown, "markdown"},
}

// LanguageOf is the language of a file by its name.
func LanguageOf(name string) Language { return languages[strings.ToLower(path.Ext(name))].rule }

// LanguageName is what people call the language of a file, and empty if it is not known.
func LanguageName(name string) string { return languages[strings.ToLower(path.Ext(name))].name }

// endsByLine reports whether a new line ends a statement, where the others want a semicolon.
func (l Language) endsByLine() bool {
	return l == Go || l == Script || l == Kotlin || l == Swift
}

// openings are how a line without indentation begins that can only stand at the top of a file's structure. There the
// count of brackets starts anew, should it have gone wrong before.
var openings = map[Language][]string{
	Go:     {"func ", "type "},
	Script: {"export ", "function ", "class ", "const ", "async function "},
	Rust:   {"pub ", "fn ", "impl ", "impl<"},
	Kotlin: {"fun ", "class "},
	Swift:  {"func ", "class ", "struct ", "extension "},
}
