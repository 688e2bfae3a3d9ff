package bootstrap

import (
	"path"
	"strings"
)

// language is a way of writing source that the scanners here know.
type language byte

const (
	unknown language = iota
	golang
	script // JavaScript and TypeScript
	pages  // script inside the markup of Vue and Svelte
	python
	rust
	swift
	java
	kotlin
	clang // C and C++
	ruby
	csharp
	php
	markdown
)

func languageOf(name string) language {
	switch strings.ToLower(path.Ext(name)) {
	case ".go":
		return golang
	case ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs":
		return script
	case ".vue", ".svelte":
		return pages
	case ".py", ".pyi":
		return python
	case ".rs":
		return rust
	case ".swift":
		return swift
	case ".java":
		return java
	case ".kt", ".kts":
		return kotlin
	case ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx":
		return clang
	case ".rb":
		return ruby
	case ".cs":
		return csharp
	case ".php":
		return php
	case ".md", ".markdown":
		return markdown
	}
	return unknown
}

// endsByLine reports whether a new line ends a statement, where the others want a semicolon.
func (l language) endsByLine() bool {
	return l == golang || l == script || l == kotlin || l == swift
}

// opensFile lists how a line without indentation begins that can only stand at the top of a file's structure. There the
// count of brackets starts anew, should it have gone wrong before.
func (l language) opensFile() []string {
	switch l {
	case golang:
		return []string{"func ", "type "}
	case script:
		return []string{"export ", "function ", "class ", "const ", "async function "}
	case rust:
		return []string{"pub ", "fn ", "impl ", "impl<"}
	case kotlin:
		return []string{"fun ", "class "}
	case swift:
		return []string{"func ", "class ", "struct ", "extension "}
	}
	return nil
}
