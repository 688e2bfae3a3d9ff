package foreign

import (
	"cmp"
	"encoding/json"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
)

// front is the front matter of a note. It reads the part of YAML that people write there: scalars, lists, one map
// inside another (as "outer.inner") and block text. What it does not understand it leaves out.
type front map[string][]string

func (f front) one(keys ...string) string {
	for _, key := range keys {
		if v := f[key]; len(v) > 0 && strings.TrimSpace(v[0]) != "" {
			return strings.TrimSpace(v[0])
		}
	}
	return ""
}

// list is for keys that hold several values in a list, or in one line with commas.
func (f front) list(keys ...string) []string {
	var all []string
	for _, key := range keys {
		values := f[key]
		if len(values) == 1 {
			values = strings.Split(values[0], ",")
		}
		for _, v := range values {
			if v = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(v), "#")); v != "" {
				all = append(all, v)
			}
		}
	}
	return all
}

// cutFront splits a note into its front matter and the rest. A block that is never closed is text.
func cutFront(text string) (front, string) {
	const fence = "---"
	first, rest, more := strings.Cut(text, "\n")
	if !more || strings.TrimRight(first, " \t") != fence {
		return nil, text
	}
	var lines []string
	for {
		line, after, more := strings.Cut(rest, "\n")
		if end := strings.TrimRight(line, " \t"); end == fence || end == "..." {
			return readFront(lines), after
		}
		if !more || len(lines) > 1000 {
			return nil, text
		}
		lines, rest = append(lines, line), after
	}
}

func readFront(lines []string) front {
	f := front{}
	var outer, key string
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], " \t")
		inner := strings.TrimLeft(line, " \t")
		indent := len(line) - len(inner)
		if inner == "" || inner[0] == '#' {
			continue
		}
		if item, ok := strings.CutPrefix(inner, "- "); ok {
			if key != "" {
				f[key] = append(f[key], scalar(item))
			}
			continue
		}
		name, value, ok := strings.Cut(inner, ":")
		if !ok || name == "" || value != "" && value[0] != ' ' && value[0] != '\t' {
			continue
		}
		name, value = strings.ToLower(strings.Trim(name, `"' `)), strings.TrimSpace(value)
		if indent == 0 {
			outer, key = name, name
		} else {
			key = outer + "." + name
		}
		switch {
		case value == "":
		case value[0] == '|' || value[0] == '>':
			var block []string
			for i+1 < len(lines) && (strings.TrimSpace(lines[i+1]) == "" || depth(lines[i+1]) > indent) {
				i++
				block = append(block, strings.TrimSpace(lines[i]))
			}
			f[key] = []string{strings.TrimSpace(strings.Join(block, map[bool]string{true: "\n", false: " "}[value[0] == '|']))}
		case value[0] == '[' && !strings.HasPrefix(value, "[["):
			f[key] = flow(strings.TrimSuffix(value[1:], "]"))
		default:
			f[key] = []string{scalar(value)}
		}
	}
	return f
}

func depth(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// flow reads the inside of [a, "b, c"].
func flow(s string) []string {
	var items []string
	var quote byte
	start := 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || quote == 0 && s[i] == ',':
			if item := scalar(s[start:i]); item != "" {
				items = append(items, item)
			}
			start = i + 1
		case quote != 0 && s[i] == quote:
			quote = 0
		case quote == 0 && (s[i] == '"' || s[i] == '\'') && strings.TrimSpace(s[start:i]) == "":
			quote = s[i]
		}
	}
	return items
}

func scalar(s string) string {
	s = strings.TrimSpace(s)
	switch {
	case len(s) > 1 && s[0] == '"':
		var plain string
		if json.Unmarshal([]byte(s), &plain) == nil {
			return plain
		}
		return strings.Trim(s, `"`)
	case len(s) > 1 && s[0] == '\'':
		return strings.ReplaceAll(strings.Trim(s, "'"), "''", "'")
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s = strings.TrimSpace(s[:i])
	}
	if s == "null" || s == "~" {
		return ""
	}
	return s
}

// section is the text under one heading, without the sections inside it.
type section struct {
	path []string // the headings above it and its own
	body string
}

func (s section) heading() string {
	if len(s.path) == 0 {
		return ""
	}
	return s.path[len(s.path)-1]
}

// sections cuts a note at its headings, outside of code.
func sections(body string) []section {
	var all []section
	var levels []int
	var now section
	var text strings.Builder
	var fence codeFence
	flush := func() {
		now.body = strings.TrimSpace(text.String())
		text.Reset()
		if now.body != "" || len(now.path) > 0 {
			all = append(all, now)
		}
	}
	for line := range strings.Lines(body) {
		inside := fence.step(line)
		level, title := headingOf(line)
		if inside || level == 0 {
			text.WriteString(line)
			continue
		}
		flush()
		path := now.path
		for len(levels) > 0 && levels[len(levels)-1] >= level {
			levels, path = levels[:len(levels)-1], path[:len(path)-1]
		}
		levels = append(levels, level)
		now = section{path: append(slices.Clone(path), title)}
	}
	flush()
	return all
}

func headingOf(line string) (level int, title string) {
	line = strings.TrimRight(line, "\r\n \t")
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level < len(line) && line[level] != ' ' && line[level] != '\t' {
		return 0, ""
	}
	return level, oneLine(strings.TrimRight(strings.TrimSpace(line[level:]), "#"))
}

// codeFence follows ``` and ~~~ blocks.
type codeFence struct{ mark string }

// step reports whether the line belongs to code.
func (c *codeFence) step(line string) bool {
	line = strings.TrimSpace(line)
	if c.mark != "" {
		if strings.HasPrefix(line, c.mark) && strings.Trim(line, c.mark[:1]) == "" {
			c.mark = ""
		}
		return true
	}
	for _, char := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, char)); n >= 3 && !strings.Contains(line[n:], "`") {
			c.mark = line[:n]
			return true
		}
	}
	return false
}

// outsideCode is the text without code: what is in there links and tags nothing.
func outsideCode(text string) string {
	var out strings.Builder
	var fence codeFence
	for line := range strings.Lines(text) {
		if fence.step(line) {
			continue
		}
		for {
			before, after, ok := strings.Cut(line, "`")
			out.WriteString(before)
			if !ok {
				break
			}
			_, rest, closed := strings.Cut(after, "`")
			if !closed {
				out.WriteString(after)
				break
			}
			out.WriteByte(' ')
			line = rest
		}
	}
	return out.String()
}

// wikiLinks are the notes that a text without code points to: [[note#part|shown]], ![[note]] and [shown](note.md).
func wikiLinks(text string) []string {
	var all []string
	seen := map[string]bool{}
	add := func(target string) {
		target, _, _ = strings.Cut(target, "|")
		target, _, _ = strings.Cut(target, "#")
		target = oneLine(strings.TrimSuffix(target, `\`)) // a table writes \|
		if ext := path.Ext(target); isNote(target) {
			target = strings.TrimSuffix(target, ext)
		} else if isAttachment(ext) {
			return
		}
		if target != "" && len(target) < 500 && !seen[target] {
			seen[target] = true
			all = append(all, target)
		}
	}
	for line := range strings.Lines(text) {
		for {
			inside, next, ok := strings.Cut(line, "]]")
			if !ok {
				break
			}
			if i := strings.LastIndex(inside, "[["); i >= 0 {
				add(inside[i+2:])
			}
			line = next
		}
	}
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, "](")
		if !ok {
			break
		}
		inside, next, ok := strings.Cut(after, ")")
		if !ok {
			break
		}
		target, _, _ := strings.Cut(strings.Trim(inside, "<>"), "#")
		if plain, err := url.PathUnescape(target); err == nil && isNote(plain) && !strings.Contains(plain, "://") {
			add(strings.TrimPrefix(path.Clean(plain), "../"))
		}
		rest = next
	}
	return all
}

func isAttachment(ext string) bool {
	switch strings.ToLower(ext) {
	case ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".pdf", ".mp3", ".mp4", ".wav", ".m4a", ".mov", ".webm", ".ogg",
		".canvas", ".base", ".excalidraw", ".zip", ".csv":
		return true
	}
	return false
}

// hashTags are the #tags of a text without code. A number alone is an issue, not a tag.
func hashTags(text string) []string {
	var all []string
	seen := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		tag, ok := strings.CutPrefix(word, "#")
		if !ok {
			continue
		}
		end := strings.IndexFunc(tag, func(c rune) bool {
			return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' && c != '-' && c != '/'
		})
		if end >= 0 {
			tag = tag[:end]
		}
		if strings.ContainsFunc(tag, unicode.IsLetter) && !seen[tag] {
			seen[tag] = true
			all = append(all, tag)
		}
	}
	return all
}

// note is one Markdown file.
type note struct {
	name    string // slashed, relative to the folder
	front   front
	body    string
	said    time.Time
	changed time.Time
}

// title is what the note calls itself.
func (n note) title() string { return cmp.Or(oneLine(n.front.one("title", "name")), stem(n.name)) }

// note reads a file; what cannot be read is a problem, not an error.
func (r *reading) note(f *folder, name string) (note, bool) {
	text, err := f.text(name)
	if err != nil {
		r.problem(name, "%v", Reason(err))
		return note{}, false
	}
	tidy := clean(text)
	if strings.ToValidUTF8(text, "") != text {
		r.problem(name, "is not UTF-8; bytes that are no text were replaced")
	}
	n := note{name: name}
	n.front, n.body = cutFront(tidy)
	n.body = strings.TrimSpace(n.body)
	if n.front == nil && strings.HasPrefix(tidy, "---\n") && strings.Contains(tidy[4:], ":") && !strings.Contains(tidy[4:], "\n---") {
		r.problem(name, "the front matter is not closed with ---; it is read as text")
	}
	n.said = moment(n.front.one("created", "created_at", "date", "date created"), r.opts.Zone)
	n.changed = moment(n.front.one("updated", "updated_at", "modified", "last_modified", "date modified"), r.opts.Zone)
	if info, err := f.Stat(name); err == nil && n.said.IsZero() {
		n.said = cmp.Or(n.changed, plausible(info.ModTime()))
	}
	return n, true
}

// parts are the texts of a note: a short note whole, a longer one by its headings. Each begins with the note's title and its
// heading, because it is shown without them.
func (n note) parts() []section {
	all := sections(n.body)
	if len(n.body) <= wholeNote {
		whole := section{body: n.body}
		if len(all) > 0 && len(all[0].path) > 0 && strings.EqualFold(all[0].path[0], n.title()) {
			_, whole.body, _ = strings.Cut(n.body, "\n")
		}
		all = []section{whole}
	}
	var parts []section
	for _, s := range all {
		if strings.TrimSpace(s.body) == "" {
			continue
		}
		path := s.path
		if len(path) > 0 && strings.EqualFold(path[0], n.title()) {
			path = path[1:]
		}
		for _, text := range pieces(s.body, sectionSize) {
			parts = append(parts, section{path, strings.Join(append([]string{n.title()}, path...), " › ") + "\n" + text})
		}
	}
	return parts
}

const (
	// wholeNote is a note that is one thought: about 200 words.
	wholeNote = 1200
	// sectionSize keeps one part of a note small enough to be handed to a prompt.
	sectionSize = 2400
)
