// Package outline says what the text of a source file holds: what it defines and where, and the names of that.
// One scanner reads all languages, with a rule for each. It is given text and touches no file; that text is foreign and
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

// languages are known by the endings of files.
var languages = map[string]Language{
	".go": Go, ".py": Python, ".pyi": Python, ".rs": Rust, ".swift": Swift, ".java": Java, ".kt": Kotlin, ".kts": Kotlin,
	".ts": Script, ".tsx": Script, ".mts": Script, ".cts": Script, ".js": Script, ".jsx": Script, ".mjs": Script, ".cjs": Script,
	".vue": Pages, ".svelte": Pages, ".rb": Ruby, ".cs": CSharp, ".php": PHP, ".md": Markdown, ".markdown": Markdown,
	".c": C, ".h": C, ".cc": C, ".cpp": C, ".cxx": C, ".hh": C, ".hpp": C, ".hxx": C,
}

// LanguageOf is the language of a file by its name.
func LanguageOf(name string) Language { return languages[strings.ToLower(path.Ext(name))] }

// endsByLine reports whether a new line ends a statement, where the others want a semicolon.
func (l Language) endsByLine() bool {
	return l == Go || l == Script || l == Kotlin || l == Swift
}

// openings are how a line without indentation begins that can only stand at the top of a file's structure. There the
// count of brackets starts over, should it have gone wrong before.
var openings = map[Language][]string{
	Go:     {"func ", "type "},
	Script: {"export ", "function ", "class ", "const ", "async function "},
	Rust:   {"pub ", "fn ", "impl ", "impl<"},
	Kotlin: {"fun ", "class "},
	Swift:  {"func ", "class ", "struct ", "extension "},
}
