// Package outline says what the text of a source file holds: what it defines and where, the names of that, and what it
// imports. Go is read by its own parser where ranges are asked for, the others by one scanner with a rule for each
// language. It is given text and touches no file; that text is foreign and can be anything.
package outline

import (
	"path"
	"strings"
)

// language is a way of writing source that the scanners here know.
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

func LanguageOf(name string) Language {
	switch strings.ToLower(path.Ext(name)) {
	case ".go":
		return Go
	case ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs":
		return Script
	case ".vue", ".svelte":
		return Pages
	case ".py", ".pyi":
		return Python
	case ".rs":
		return Rust
	case ".swift":
		return Swift
	case ".java":
		return Java
	case ".kt", ".kts":
		return Kotlin
	case ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx":
		return C
	case ".rb":
		return Ruby
	case ".cs":
		return CSharp
	case ".php":
		return PHP
	case ".md", ".markdown":
		return Markdown
	}
	return Unknown
}

// LanguageName is what people call the language of a file, and empty if it is not known. One rule may serve two.
func LanguageName(name string) string {
	switch ext := strings.ToLower(path.Ext(name)); LanguageOf(name) {
	case Go:
		return "go"
	case Script, Pages:
		switch ext {
		case ".ts", ".tsx", ".mts", ".cts":
			return "typescript"
		case ".vue", ".svelte":
			return ext[1:]
		}
		return "javascript"
	case Python:
		return "python"
	case Rust:
		return "rust"
	case Swift:
		return "swift"
	case Java:
		return "java"
	case Kotlin:
		return "kotlin"
	case C:
		if ext == ".c" || ext == ".h" {
			return "c"
		}
		return "c++"
	case Ruby:
		return "ruby"
	case CSharp:
		return "c#"
	case PHP:
		return "php"
	case Markdown:
		return "markdown"
	}
	return ""
}

// endsByLine reports whether a new line ends a statement, where the others want a semicolon.
func (l Language) endsByLine() bool {
	return l == Go || l == Script || l == Kotlin || l == Swift
}

// opensFile lists how a line without indentation begins that can only stand at the top of a file's structure. There the
// count of brackets starts anew, should it have gone wrong before.
func (l Language) opensFile() []string {
	switch l {
	case Go:
		return []string{"func ", "type "}
	case Script:
		return []string{"export ", "function ", "class ", "const ", "async function "}
	case Rust:
		return []string{"pub ", "fn ", "impl ", "impl<"}
	case Kotlin:
		return []string{"fun ", "class "}
	case Swift:
		return []string{"func ", "class ", "struct ", "extension "}
	}
	return nil
}
