package code

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Section is the kind of a part of a document, with its heading as name.
const Section Kind = "section"

// between stands between the headings of a section's name.
const between = " › "

const (
	documentFiles  = 500       // of a project; those in the upper folders come first
	documentBytes  = 8 << 20   // of all of them together
	documentLimit  = 256 << 10 // of one; more of it is not read
	sectionLength  = 2000      // bytes; a longer section is cut between two paragraphs
	titleLength    = 200
	documentParent = 3 // headings above a section that are part of its name
)

var (
	proseEndings = []string{".md", ".markdown", ".mdx", ".mdc", ".rst", ".adoc", ".asciidoc"}
	// plainDocuments have no ending, or .txt, which data has too.
	plainDocuments = []string{"readme", "changelog", "changes", "history", "news", "contributing", "architecture", "design", "hacking", "install"}
	ruleFiles      = []string{".cursorrules", ".windsurfrules", ".clinerules"}
	legalTexts     = []string{"license", "licence", "copying", "notice", "code_of_conduct"}
	documentHomes  = []string{"doc", "docs"}
	sampleFolders  = []string{"testdata", "fixtures", "__fixtures__", "__snapshots__"}
)

// IsDocument reports whether a file is a document that people write about a project, by its name: README, docs, decisions, changelog, and
// instructions for agents.
func IsDocument(name string) bool {
	folder, base := path.Split(strings.ToLower(name))
	folders := strings.Split(strings.Trim(folder, "/"), "/")
	has := func(list []string) bool {
		return slices.ContainsFunc(folders, func(f string) bool { return slices.Contains(list, f) })
	}
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	switch {
	case Generated(name), has(sampleFolders), slices.Contains(legalTexts, stem):
		return false
	case slices.Contains(ruleFiles, base), slices.Contains(proseEndings, ext):
		return true
	case ext == ".txt":
		return slices.Contains(plainDocuments, stem) || has(documentHomes) && !strings.HasPrefix(stem, "requirements")
	}
	return ext == "" && slices.Contains(plainDocuments, stem)
}

// Sections cuts a document at its headings, in Markdown, reStructuredText or AsciiDoc. Each has the headings above it in its name.
func Sections(name string, source []byte) (found []Snippet) {
	if len(source) > documentLimit {
		source = source[:bytes.LastIndexByte(source[:documentLimit], '\n')+1]
	}
	c := cutter{path: name, met: map[string]int{}, signs: map[byte]int{}}
	lines := strings.Split(strings.ReplaceAll(strings.ToValidUTF8(string(source), "\uFFFD"), "\r\n", "\n"), "\n")
	first := frontMatter(lines)
	fence := ""
	for i := first; i < len(lines); i++ {
		line := lines[i]
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"), trimmed == "----" && strings.HasSuffix(name, "doc"):
			fence = trimmed[:3]
		default:
			next := ""
			if i+1 < len(lines) {
				next = lines[i+1]
			}
			if title, level, underlined := c.heading(line, next); level > 0 {
				c.end()
				c.begin(title, level, i)
				if underlined {
					i++
				}
				continue
			}
		}
		c.add(line, i)
	}
	c.end()
	return c.found
}

// frontMatter is how many lines of settings stand before the text.
func frontMatter(lines []string) int {
	if len(lines) == 0 || strings.TrimSpace(lines[0]) != "---" {
		return 0
	}
	for i, line := range lines[1:] {
		if strings.TrimSpace(line) == "---" {
			return i + 2
		}
	}
	return 0
}

// cutter collects the sections of a document.
type cutter struct {
	path  string
	found []Snippet
	met   map[string]int // sections by name
	signs map[byte]int   // levels of underlines, in the order in which they occur
	above []string       // headings, the outermost first; "" for a level left out
	lines []string
	size  int
	start int
	last  int // line that is not blank
}

// heading reads a heading of either spelling: marked at its beginning, or underlined by the next line.
func (c *cutter) heading(line, next string) (title string, level int, underlined bool) {
	for _, mark := range []byte{'#', '='} {
		if rest := strings.TrimLeft(line, string(mark)); len(rest) < len(line) && len(line)-len(rest) <= 6 && strings.HasPrefix(rest, " ") && strings.TrimSpace(rest) != "" {
			return strings.TrimRight(rest, string(mark)+" "), len(line) - len(rest), false
		}
	}
	under := strings.TrimRight(next, " ")
	if text := strings.TrimSpace(line); text == "" || len(under) < 3 || line[0] == ' ' || strings.ContainsRune("-*+>|=#", rune(text[0])) {
		return "", 0, false
	}
	if !strings.ContainsRune(`=-~^"*+`, rune(under[0])) || strings.Trim(under, under[:1]) != "" {
		return "", 0, false
	}
	if c.signs[under[0]] == 0 {
		c.signs[under[0]] = len(c.signs) + 1
	}
	return line, c.signs[under[0]], true
}

func (c *cutter) begin(title string, level, at int) {
	for len(c.above) < level-1 {
		c.above = append(c.above, "")
	}
	c.above = append(c.above[:level-1], strings.Trim(strings.ReplaceAll(title, "`", ""), " \t*_"))
	c.start = at
}

// add takes a line; one that begins a paragraph begins another part where the section is long.
func (c *cutter) add(line string, at int) {
	if c.size > 0 && c.size+len(line) > sectionLength && (len(c.lines) == 0 || strings.TrimSpace(c.lines[len(c.lines)-1]) == "" || c.size > 2*sectionLength) {
		c.end()
		c.start = at
	}
	if blank := strings.TrimSpace(line) == ""; blank && c.size == 0 {
		return
	} else if !blank {
		c.last = at
	}
	c.lines, c.size = append(c.lines, line), c.size+len(line)+1
}

// end closes the section, unless nothing was said in it.
func (c *cutter) end() {
	text := strings.TrimSpace(strings.Join(c.lines, "\n"))
	c.lines, c.size = c.lines[:0], 0
	if text == "" {
		return
	}
	names := slices.DeleteFunc(slices.Clone(c.above), func(s string) bool { return s == "" })
	names = names[max(0, len(names)-documentParent):]
	name := prose.Beginning(cmp.Or(strings.Join(names, between), path.Base(c.path)), titleLength)
	ordinal := c.met[name]
	c.met[name]++
	c.found = append(c.found, Snippet{
		ID: ID(memory.ContentHash("section", c.path, name, strconv.Itoa(ordinal))), Path: c.path, Kind: Section, Name: name,
		Opening: prose.Beginning(text, 2*sectionLength+lineLimit), Start: c.start + 1, End: c.last + 1,
	})
}
