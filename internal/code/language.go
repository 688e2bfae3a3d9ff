// Package code says what the sources and documents of a project hold: what a file defines and where, the sections of its
// documents, how its files are called. One reader serves all languages; a table says how each of them writes comments,
// strings and declarations. The texts are foreign and can be anything. Storing what is found, and scrubbing the words, is
// the caller's part.
package code

import (
	"path"
	"strings"
)

// Language is a way of writing source that is known here.
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

// endings are those of the files of each language.
var endings = map[string]Language{
	".go": Go, ".py": Python, ".pyi": Python, ".rs": Rust, ".swift": Swift, ".java": Java, ".kt": Kotlin, ".kts": Kotlin,
	".ts": Script, ".tsx": Script, ".mts": Script, ".cts": Script,
	".js": Script, ".jsx": Script, ".mjs": Script, ".cjs": Script, ".vue": Pages, ".svelte": Pages,
	".c": C, ".h": C, ".cc": C, ".cpp": C, ".cxx": C, ".hh": C, ".hpp": C, ".hxx": C,
	".rb": Ruby, ".cs": CSharp, ".php": PHP, ".md": Markdown, ".markdown": Markdown,
}

// LanguageOf is the language of a file by its name.
func LanguageOf(name string) Language { return endings[strings.ToLower(path.Ext(name))] }

// grammar is what the reader has to know of a language.
type grammar struct {
	comments []string    // openings of comments that end with their line
	blocks   [][2]string // opening and end of longer comments
	nested   bool        // which may hold others
	quotes   []quote     // the longer openings first
	heredocs []string    // openings of texts that end with a line of their own
	patterns bool        // /…/ is a regular expression where no value stands before it
	embedded [3]string   // the code stands between the first, up to the second, and the third

	modifiers []string        // words that may stand before a declaration
	keywords  map[string]Kind // words that begin one; namespace for those around which only the members count
	constants []string        // words that make a line a constant that others see
	typed     bool            // functions have no keyword but a type before their name
	bare      bool            // methods have neither
	block     blockEnd
}

// blockEnd says what ends a block that is not over by indentation alone.
type blockEnd byte

const (
	brace  blockEnd = iota // a closing bracket on the level of the line that began it
	endsIn                 // the word end
	dedent                 // nothing
)

// quote is a way to write a string.
type quote struct {
	open, shut string
	escapes    bool
	lines      bool // it may hold line breaks
	char       bool // it holds one character; otherwise it is something else, like a lifetime in Rust
}

var (
	plainQuote   = quote{open: `"`, shut: `"`, escapes: true}
	longQuote    = quote{open: `"`, shut: `"`, escapes: true, lines: true}
	singleQuote  = quote{open: "'", shut: "'", escapes: true}
	charQuote    = quote{open: "'", shut: "'", char: true}
	tripleQuote  = quote{open: `"""`, shut: `"""`, escapes: true, lines: true}
	tripleSingle = quote{open: "'''", shut: "'''", escapes: true, lines: true}
)

var (
	slashes     = []string{"//"}
	slashBlocks = [][2]string{{"/*", "*/"}}
)

var script = grammar{
	comments: slashes, blocks: slashBlocks, patterns: true,
	quotes: []quote{plainQuote, singleQuote, {open: "`", shut: "`", escapes: true, lines: true}},
	modifiers: strings.Fields(`export default declare abstract async public private protected static readonly override
		accessor get set`),
	keywords: map[string]Kind{
		"function": Function, "class": Class, "interface": Interface, "enum": Enum, "type": Type,
		"namespace": namespace, "module": namespace, "const": variable, "let": variable, "var": variable,
	},
	constants: []string{"export const", "export let", "export var"},
	bare:      true,
}

var grammars = map[Language]*grammar{
	Go: {
		comments: slashes, blocks: slashBlocks,
		quotes:    []quote{plainQuote, charQuote, {open: "`", shut: "`", lines: true}},
		keywords:  map[string]Kind{"func": Function, "type": Type, "const": group, "var": group},
		constants: []string{"const", "var"},
	},
	Script: &script,
	Pages:  inPages(script),
	Python: {
		comments: []string{"#"}, quotes: []quote{tripleQuote, tripleSingle, plainQuote, singleQuote},
		modifiers: []string{"async"}, keywords: map[string]Kind{"def": Function, "class": Class}, block: dedent,
	},
	Ruby: {
		comments: []string{"#"}, blocks: [][2]string{{"\n=begin", "\n=end"}, {"\n__END__", "\x00"}},
		quotes: []quote{longQuote, singleQuote}, heredocs: []string{"<<~", "<<-", "<<"},
		modifiers: strings.Fields("private protected public module_function private_class_method"),
		keywords:  map[string]Kind{"def": Function, "class": Class, "module": Module}, block: endsIn,
	},
	Rust: {
		comments: slashes, blocks: slashBlocks, nested: true,
		quotes: []quote{
			{open: `r##"`, shut: `"##`, lines: true}, {open: `r#"`, shut: `"#`, lines: true}, {open: `r"`, shut: `"`, lines: true},
			longQuote, charQuote,
		},
		modifiers: strings.Fields(`pub default async unsafe extern " const crate`),
		keywords: map[string]Kind{
			"fn": Function, "struct": "struct", "enum": Enum, "union": "union", "type": Type, "trait": "trait",
			"impl": Extension, "mod": namespace, "macro_rules": Macro,
		},
		constants: []string{"pub const", "pub static"},
	},
	Swift: {
		comments: []string{"//", "#if", "#else", "#endif"}, blocks: slashBlocks, nested: true,
		quotes: []quote{tripleQuote, {open: `#"`, shut: `"#`, lines: true}, plainQuote},
		modifiers: strings.Fields(`public private fileprivate internal open package static final mutating nonmutating
			override required convenience lazy weak unowned dynamic indirect nonisolated distributed prefix postfix infix`),
		keywords: map[string]Kind{
			"func": Function, "typealias": Type, "class": Class, "struct": "struct", "enum": Enum, "protocol": "protocol",
			"actor": "actor", "extension": Extension, "init": Method, "deinit": Method, "subscript": Method, "var": Property,
		},
		constants: []string{"static let", "public let"},
	},
	Kotlin: {
		comments: slashes, blocks: slashBlocks, nested: true,
		quotes: []quote{{open: `"""`, shut: `"""`, lines: true}, plainQuote, charQuote},
		modifiers: strings.Fields(`public private internal protected open abstract sealed data inner inline value override
			suspend operator infix tailrec external const lateinit companion annotation expect actual final`),
		keywords: map[string]Kind{
			"fun": Function, "class": Class, "interface": Interface, "object": "object", "enum": Enum, "typealias": Type,
			"constructor": Method,
		},
		constants: []string{"const val"},
	},
	Java: {
		comments: slashes, blocks: slashBlocks, quotes: []quote{tripleQuote, plainQuote, charQuote},
		modifiers: strings.Fields(`public private protected static final abstract sealed non - default native synchronized
			strictfp transient volatile`),
		keywords:  map[string]Kind{"class": Class, "interface": Interface, "enum": Enum, "record": "record"},
		constants: []string{"static final"}, typed: true,
	},
	CSharp: {
		comments: []string{"//", "#"}, blocks: slashBlocks,
		quotes: []quote{
			tripleQuote, {open: `@"`, shut: `"`, lines: true}, {open: `@$"`, shut: `"`, lines: true}, plainQuote, charQuote,
		},
		modifiers: strings.Fields(`public private protected internal static abstract sealed partial readonly override virtual
			async unsafe extern new ref file required const`),
		keywords: map[string]Kind{
			"namespace": namespace, "class": Class, "interface": Interface, "enum": Enum, "struct": "struct", "record": "record",
			"delegate": Function,
		},
		constants: []string{"const"}, typed: true,
	},
	C: {
		comments: slashes, blocks: slashBlocks,
		quotes: []quote{{open: `R"(`, shut: `)"`, lines: true}, plainQuote, charQuote},
		keywords: map[string]Kind{
			"namespace": namespace, "class": Class, "struct": "struct", "union": "union", "enum": Enum, "typedef": Type,
		},
		typed: true,
	},
	PHP: {
		comments: []string{"//", "#"}, blocks: slashBlocks, quotes: []quote{longQuote, {open: "'", shut: "'", escapes: true, lines: true}},
		heredocs: []string{"<<<"}, embedded: [3]string{"<?php", "", "?>"},
		modifiers: strings.Fields("abstract final readonly public private protected static"),
		keywords: map[string]Kind{
			"function": Function, "class": Class, "interface": Interface, "trait": "trait", "enum": Enum,
		},
		constants: []string{"const"},
	},
}

func inPages(g grammar) *grammar {
	g.embedded = [3]string{"<script", ">", "</script"}
	return &g
}
