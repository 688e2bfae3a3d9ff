package sources

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/prose"
)

const (
	// hebbBegin and hebbEnd stand around what hebb itself writes into rule files. They are the marks
	// of package wiring.
	hebbBegin = "<!-- hebb:begin -->"
	hebbEnd   = "<!-- hebb:end -->"

	// together is the number of bytes up to which a paragraph, or an item with those below it, is
	// one line: two or three sentences.
	together = 240
	// fewWords is the length of a text that cannot be understood without its heading.
	fewWords = 4
	// codeLines and codeBytes are the size of code that can be part of a line.
	codeLines, codeBytes = 2, 300
	// maxBlock is where the lines of a paragraph, which have no end in a hostile file, are cut off.
	maxBlock = 4 * maxText
)

// fact is one line of a Markdown text.
type fact struct {
	headings []string // above it, the innermost last
	text     string
	project  bool // is about this project although its file is about all
}

// section is the heading right above a fact.
func (f fact) section() string {
	if len(f.headings) == 0 {
		return ""
	}
	return f.headings[len(f.headings)-1]
}

type kind int

const (
	heading kind = iota
	paragraph
	item // of a list
	step // of a list with numbers
	code
)

// block is a part of a Markdown text.
type block struct {
	kind  kind
	depth int    // the level of a heading, otherwise the indentation
	text  string // of a step with its number, of code with its line ends
}

// blocksOf splits a Markdown text. Comments, tables, lines and tags are left out.
func blocksOf(text string) (blocks []block) {
	open := false // a line without a mark continues the last block
	var fence, before string
	for line := range strings.SplitSeq(withoutComments(text), "\n") {
		bare := prose.ShortenBytes(strings.TrimSpace(line), maxBlock)
		depth := len(line) - len(strings.TrimLeft(line, " \t"))
		if fence != "" {
			if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
				fence = ""
			} else if last := len(blocks) - 1; len(blocks[last].text) < maxBlock {
				blocks[last].text += bare + "\n"
			}
			continue
		}
		last := len(blocks) - 1
		afterItem := last >= 0 && (blocks[last].kind == item || blocks[last].kind == step)
		if mark := fenceOf(bare); mark != "" {
			fence, open = mark, false
			blocks = append(blocks, block{kind: code, depth: depth})
			continue
		}
		if strings.HasPrefix(bare, ">") {
			bare = strings.TrimLeft(bare, "> ")
		}
		ownLine := open && blocks[last].kind == paragraph && endsEarly(before, bare)
		before = bare
		switch level, number := headingLevel(bare), stepMark().FindString(bare); {
		case bare == "" || isRuler(bare) && !(open && blocks[last].kind == paragraph):
			open = false
		case isRuler(bare) && bare[0] != '*': // below a title
			blocks[last], open = block{heading, map[byte]int{'=': 1, '-': 2}[bare[0]], blocks[last].text}, false
		case bare[0] == '|' || strings.HasSuffix(bare, "|") || bare[0] == '<' && strings.HasSuffix(bare, ">") || strings.HasPrefix(bare, "[!"):
			blocks, open = append(blocks, block{kind: code, depth: depth}), false // as much as nothing
		case level > 0:
			blocks = append(blocks, block{heading, level, strings.Trim(bare, "# \t")})
			open = false
		case prose.TrimBullet(bare) != bare:
			text := strings.TrimSpace(prose.TrimBullet(bare))
			for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
				text = strings.TrimPrefix(text, box)
			}
			blocks, open = append(blocks, block{item, depth, text}), true
		case number != "":
			blocks, open = append(blocks, block{step, depth, bare}), true
		case open && !ownLine || afterItem && depth > blocks[last].depth:
			if open = true; len(blocks[last].text) < maxBlock {
				blocks[last].text += " " + bare
			}
		case depth >= 4 && last >= 0 && blocks[last].kind == code && len(blocks[last].text) < maxBlock:
			blocks[last].text += bare + "\n"
		case depth >= 4 && !afterItem:
			blocks = append(blocks, block{code, depth, bare + "\n"})
		default:
			blocks, open = append(blocks, block{paragraph, depth, bare}), true
		}
	}
	for i, b := range blocks {
		if b.kind == code {
			continue
		}
		blocks[i].text = strong().ReplaceAllString(b.text, "$1$2")
		bold := strong().FindString(b.text) == b.text
		listNext := i+1 < len(blocks) && blocks[i+1].kind != paragraph && blocks[i+1].kind != heading
		if b.kind == paragraph && (bold || listNext) && isTitle(blocks[i].text) {
			blocks[i].kind, blocks[i].depth = heading, 6
		}
	}
	return blocks
}

// endsEarly reports whether a line of a paragraph was ended on purpose: there was room for the next
// word, and that begins a sentence.
func endsEarly(line, next string) bool {
	const room = 60 // columns; prose is wrapped at 72 or more
	first, _ := utf8.DecodeRuneInString(next)
	return len(line) < room && !strings.HasSuffix(line, ",") && unicode.IsUpper(first)
}

// isTitle reports whether a paragraph can be the title of what stands below it: a few words without
// an end.
func isTitle(text string) bool {
	const most = 6
	return len(strings.Fields(text)) <= most && !strings.ContainsAny(text[len(text)-1:], ".!?:;,`") &&
		text[0] != '@' && !points(text)
}

// withoutComments removes what hebb wrote, and comments.
func withoutComments(text string) string {
	for _, marks := range [][2]string{{hebbBegin, hebbEnd}, {"<!--", "-->"}} {
		var kept strings.Builder
		for {
			before, rest, ok := strings.Cut(text, marks[0])
			_, after, closed := strings.Cut(rest, marks[1])
			if !ok || !closed {
				break
			}
			kept.WriteString(before)
			text = after
		}
		kept.WriteString(text)
		text = kept.String()
	}
	return text
}

// fenceOf returns the mark that begins a block of code.
func fenceOf(line string) string {
	for _, char := range []string{"`", "~"} {
		n := len(line) - len(strings.TrimLeft(line, char))
		if n >= 3 && !strings.Contains(line[n:], "`") {
			return line[:n]
		}
	}
	return ""
}

func headingLevel(line string) int {
	level := len(line) - len(strings.TrimLeft(line, "#"))
	if level > 6 || level == len(line) || line[level] != ' ' && line[level] != '\t' {
		return 0
	}
	return level
}

// isRuler reports whether a line is one of ---, === and ***.
func isRuler(line string) bool {
	return len(line) > 2 && strings.ContainsRune("-=*_", rune(line[0])) && strings.Trim(line, line[:1]+" ") == ""
}

// preface is what stands above a text.
type preface struct {
	text   string
	always bool // the text is wrong without it
}

// around puts the preface before a text that needs it.
func (p preface) around(text string) string {
	if p.text == "" || text == "" || points(text) || !p.always && len(strings.Fields(text)) >= fewWords {
		return text
	}
	return strings.TrimRight(p.text, ":. ") + ": " + text
}

// markdownFacts returns the facts and rules of a Markdown text.
func markdownFacts(text string) (facts []fact) {
	blocks := blocksOf(text)
	var headings [7]string
	var lead preface // a paragraph that ends in a colon
	for i := 0; i < len(blocks); {
		b := blocks[i]
		if b.kind == heading {
			headings[b.depth], lead = tidy(b.text), preface{}
			clear(headings[b.depth+1:])
			i++
			continue
		}
		titles := slices.DeleteFunc(slices.Clone(headings[:]), func(title string) bool { return title == "" })
		above := lead
		if above.text == "" {
			above = underHeading(headings)
		}
		var texts []string
		switch b.kind {
		case item, step:
			end := listEnd(blocks, i)
			if b.kind == step && lead.text == "" && !above.always && len(titles) > 0 {
				above = preface{text: titles[len(titles)-1], always: true}
			}
			texts, i, lead = listLines(blocks[i:end], above), end, preface{}
		case code:
			if lead.text != "" && inline(b) != "" {
				texts = []string{lead.text + " " + inline(b)}
			}
			i, lead = i+1, preface{}
		default:
			texts, lead, i = sentences(b.text), preface{}, i+1
			if last := len(texts) - 1; strings.HasSuffix(b.text, ":") {
				parts := prose.Sentences(texts[last])
				lead = preface{text: tidy(parts[len(parts)-1]), always: true}
				texts[last] = strings.Join(parts[:len(parts)-1], " ")
			}
			for n, text := range texts {
				texts[n] = above.around(text)
			}
		}
		for _, text := range texts {
			if says(text) {
				facts = append(facts, fact{headings: titles, text: tidy(text)})
			}
		}
	}
	return facts
}

// underHeading is the context that the innermost heading gives. A title of the first level is the
// name of the file or the project.
func underHeading(headings [7]string) (above preface) {
	for level, title := range headings {
		switch {
		case title == "":
		case above.always:
			above.text += ": " + title
		case level > 1 || negative(title):
			above = preface{text: title, always: negative(title)}
		}
	}
	return above
}

// negative reports whether a heading turns round the meaning of what stands below it.
func negative(title string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(strings.ReplaceAll(title, "’", "'")), func(r rune) bool {
		return !unicode.IsLetter(r) && r != '\''
	}) {
		switch word {
		case "don't", "dont", "don'ts", "not", "never", "no", "avoid", "anti", "antipatterns", "bad", "wrong", "forbidden",
			"prohibited", "deprecated", "without", "except", "mistakes", "pitfalls", "if", "when", "todo", "wip", "planned":
			return true
		}
	}
	return false
}

// listEnd returns the index after the list that begins at an item.
func listEnd(blocks []block, i int) int {
	first := blocks[i]
	for i++; i < len(blocks); i++ {
		b := blocks[i]
		if b.kind != first.kind && b.depth <= first.depth || b.kind == heading || b.depth < first.depth {
			break
		}
	}
	return i
}

// listLines returns the lines of a list. Short steps are one line, because the order matters; so is a
// short list below a sentence that it ends.
func listLines(list []block, above preface) (lines []string) {
	if whole := joined(list); len(above.text)+len(whole) <= together && (list[0].kind == step || above.always) {
		return []string{preface{above.text, true}.around(whole)}
	}
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && list[end].depth > list[i].depth {
			end++
		}
		text := strings.TrimPrefix(list[i].text, stepMark().FindString(list[i].text))
		parent, below := above.around(text), list[i+1:end]
		whole := strings.TrimRight(parent, ":. ") + ": " + joined(below)
		switch {
		case list[i].kind == code:
		case joined(below) == "" && !strings.HasSuffix(text, ":"):
			lines = append(lines, parent)
		case joined(below) == "": // what it speaks of is left out
		case len(whole) <= together || !slices.ContainsFunc(below, func(b block) bool { return b.kind != code }):
			lines = append(lines, whole)
		case strings.HasSuffix(text, ":"):
			lines = append(lines, listLines(below, preface{parent, true})...)
		default:
			lines = append(append(lines, parent), listLines(below, preface{parent, negative(text)})...)
		}
		i = end
	}
	return lines
}

// joined puts the items of a list on one line.
func joined(list []block) string {
	var line strings.Builder
	for _, b := range list {
		text := b.text
		switch b.kind {
		case code:
			text = inline(b)
		case heading:
			text += ":"
		}
		if text == "" || b.kind == item && points(text) {
			continue
		}
		if said := strings.TrimRight(line.String(), " "); said != "" {
			if b.kind == item && !strings.ContainsAny(said[len(said)-1:], ".:;,!?") {
				line.WriteByte(';')
			}
			line.WriteByte(' ')
		}
		line.WriteString(text)
	}
	return line.String()
}

// inline is short code as part of a sentence.
func inline(b block) string {
	if len(b.text) > codeBytes {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(b.text), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" || strings.HasPrefix(line, "#") })
	if len(lines) == 0 || len(lines) > codeLines {
		return ""
	}
	return "`" + strings.Join(lines, "`, `") + "`"
}

// sentences splits a long paragraph. A sentence that leans on the one before it stays with it.
func sentences(text string) (parts []string) {
	if len(text) <= together {
		return []string{text}
	}
	for _, s := range prose.Sentences(text) {
		first, _, _ := strings.Cut(strings.ToLower(s), " ")
		if begin, _ := utf8.DecodeRuneInString(s); unicode.IsLower(begin) {
			first = "and" // no sentence ended before it
		}
		switch strings.TrimRight(first, ",.:") {
		case "it", "its", "it's", "this", "that", "that's", "they", "these", "those", "then", "but", "and", "so",
			"also", "otherwise", "however", "instead", "such", "both", "either", "for", "therefore", "or", "which":
			if len(parts) > 0 {
				parts[len(parts)-1] += " " + s
				continue
			}
		}
		parts = append(parts, s)
	}
	return parts
}

var (
	link = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`!?\[([^\[\]]*)\]\(<?([^()\s>]*)>?[^()]*\)|\[\[([^\[\]|]*)(?:\|[^\[\]]*)?\]\]|<?https?://[^\s>)]+>?`)
	})
	index = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\[[^\[\]]*\]\([^()\s:]*\.md[^()]*\)`)
	})
	strong = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\*\*([^*]+)\*\*|\b__([^_]+)__\b`)
	})
	imports = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|\s)@((?:[^\s\\]|\\ )+)`)
	})
	stepMark = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[0-9]{1,3}[.)] +`)
	})
)

// says reports whether a line says something: it has words, and does not only point elsewhere.
func says(text string) bool {
	return !points(text) && len(words(link().ReplaceAllString(text, " "))) > 1 && strings.Contains(text, " ")
}

// points reports whether a text is a link, an import, an entry of an index or a pointer to another
// file, or a sentence about the file itself.
func points(text string) bool {
	text = strings.TrimSpace(text)
	for _, start := range []string{"See ", "This file provides ", "This file contains ", "This document provides "} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	const besideLink = 2 // words such as "Docs:"
	return len(importsIn(text)) > 0 || index().MatchString(text) ||
		link().MatchString(text) && len(words(link().ReplaceAllString(text, " "))) <= besideLink
}

func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
}

// tidy is a text on one line, with links as "text (target)".
func tidy(text string) string {
	text = link().ReplaceAllStringFunc(prose.OneLine(text), func(found string) string {
		parts := link().FindStringSubmatch(found)
		shown, target := parts[1], parts[2]
		switch {
		case parts[3] != "":
			return parts[3]
		case shown == "" && target == "":
			return strings.Trim(found, "<>") // an address
		case target == "" || strings.HasPrefix(target, "#") || strings.Trim(shown, "`") == target:
			return shown
		}
		return strings.TrimSpace(shown + " (" + target + ")")
	})
	return strings.TrimSpace(text)
}

// importsOf returns the texts that a Markdown text imports with @file, outside of code and comments.
func importsOf(text string) (files []string) {
	if !strings.Contains(text, "@") {
		return nil
	}
	for _, b := range blocksOf(text) {
		if b.kind != code {
			files = append(files, importsIn(b.text)...)
		}
	}
	return files
}

// importsIn is importsOf for one block. @alice and @types/node are no files.
func importsIn(text string) (files []string) {
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			continue // code
		}
		for _, found := range imports().FindAllStringSubmatch(part, -1) {
			name, _, _ := strings.Cut(strings.ReplaceAll(found[1], `\ `, " "), "#")
			name = strings.TrimRight(name, ".,;:)!?")
			if slices.Contains([]string{".md", ".markdown", ".txt"}, strings.ToLower(path.Ext(name))) {
				files = append(files, name)
			}
		}
	}
	return files
}
