package sources

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/prose"
)

// header is the part between two lines of dashes at the top of a file, read line by line: people
// write there what YAML forbids, such as globs that begin with a star. A key below another one is
// "outer.inner". Keys are in lower case.
type header map[string][]string

// maxHeader is more lines than any header has.
const maxHeader = 200

// cutHeader splits a text into its header and the rest. A header that is not closed ends at the
// first empty line.
func cutHeader(text string) (header, string) {
	lines := strings.Split(text, "\n")
	if strings.TrimRight(lines[0], " \t") != "---" {
		return nil, text
	}
	end, rest := 0, 0
	for i, line := range lines[1:min(len(lines), maxHeader)] {
		bare := strings.TrimSpace(line)
		if bare == "---" || bare == "..." {
			end, rest = i+1, i+2
			break
		}
		if bare == "" && end == 0 {
			end, rest = i+1, i+1
		}
	}
	if end == 0 {
		end, rest = min(len(lines), maxHeader), min(len(lines), maxHeader)
	}
	return readHeader(lines[1:end]), strings.Join(lines[rest:], "\n")
}

func readHeader(lines []string) header {
	h := header{}
	outer, key := "", ""
	for _, line := range lines {
		bare := strings.TrimSpace(line)
		if value, ok := strings.CutPrefix(bare, "- "); ok && key != "" {
			h[key] = append(h[key], unquote(value))
			continue
		}
		name, value, ok := strings.Cut(bare, ":")
		if !ok || bare[0] == '#' {
			continue
		}
		name = strings.ToLower(strings.Trim(name, `"' `))
		if line[0] == ' ' || line[0] == '\t' {
			key = outer + "." + name
		} else {
			outer, key = name, name
		}
		if value = strings.TrimSpace(value); value != "" {
			h[key] = []string{unquote(value)}
		}
	}
	return h
}

func unquote(value string) string {
	value = strings.TrimSpace(value)
	if plain, err := strconv.Unquote(value); err == nil && value[0] == '"' {
		return plain
	}
	if len(value) > 1 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
		return value[1 : len(value)-1]
	}
	return value
}

// one returns the first value of the first key that has one.
func (h header) one(keys ...string) string {
	for _, key := range keys {
		if len(h[key]) > 0 && h[key][0] != "" {
			return h[key][0]
		}
	}
	return ""
}

// inForce reports whether a file holds without being named: it is not switched off (Cline), and it
// is no rule that a person has to call by its name (Windsurf, Cursor).
func inForce(h header) bool {
	cursorRule := h.one("alwaysapply") == "false"
	return h.one("disabled") != "true" && h.one("enabled") != "false" && h.one("trigger") != "manual" &&
		(!cursorRule || h.one("description") != "" || len(globs(h, "")) > 0)
}

// globs returns the files that a header restricts its text to: paths (Claude Code, Cline), applyTo
// (Copilot), globs (Cursor, Windsurf). The files of a subfolder's text lie in that.
func globs(h header, below string) (all []string) {
	if h.one("alwaysapply") != "true" && h.one("trigger") != "always_on" {
		for _, key := range []string{"paths", "applyto", "globs"} {
			for _, value := range h[key] {
				for _, glob := range splitGlobs(strings.Trim(value, "[]")) {
					all = append(all, path.Join(below, glob))
				}
			}
		}
	}
	everything := func(glob string) bool {
		return slices.Contains([]string{"*", "**", "**/*"}, strings.TrimPrefix(strings.TrimPrefix(glob, below), "/"))
	}
	if slices.ContainsFunc(all, everything) {
		all = nil
	}
	if len(all) == 0 && below != "" {
		all = []string{below + "/**"}
	}
	return all
}

// splitGlobs splits a list at the commas outside of braces.
func splitGlobs(list string) (globs []string) {
	braces, start := 0, 0
	for i := range len(list) + 1 {
		switch {
		case i == len(list) || list[i] == ',' && braces == 0:
			if glob := unquote(list[start:i]); glob != "" {
				globs = append(globs, glob)
			}
			start = i + 1
		case list[i] == '{':
			braces++
		case list[i] == '}':
			braces--
		}
	}
	return globs
}

// withSituation puts the description before the rules of a file that an agent reads only if that fits.
func withSituation(facts []fact, h header) []fact {
	description := preface{tidy(h.one("description")), true}
	if h.one("trigger") == "model_decision" || h.one("alwaysapply") == "false" && len(globs(h, "")) == 0 {
		for i := range facts {
			facts[i].text = description.around(facts[i].text)
		}
	}
	return facts
}

// maxFact is the length of a memory of Claude Code in characters: more than any seen.
const maxFact = 1200

// seeNote is a pointer to another memory file.
var seeNote = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\s*\bsee(?: also)? \[\[[^\[\]]*\]\](?:(?:,| and) \[\[[^\[\]]*\]\])*\.?`)
})

// claudeFacts returns the one fact of a memory file of Claude Code. Files without a header, and the
// index MEMORY.md, are notes of older versions.
func claudeFacts(h header, body string) []fact {
	if h == nil {
		return markdownFacts(body)
	}
	text := tidy(seeNote().ReplaceAllString(joined(blocksOf(body)), ""))
	if text == "" {
		text = h.one("description")
	}
	return []fact{{text: prose.Clause(text, maxFact)}}
}

// sectionsOf keeps the facts below some headings, without the references of Codex at their ends.
func sectionsOf(facts []fact, wanted ...string) (kept []fact) {
	for _, f := range facts {
		if !slices.ContainsFunc(wanted, func(title string) bool { return strings.EqualFold(f.section(), title) }) {
			continue
		}
		for strings.HasSuffix(f.text, "]") {
			at := strings.LastIndexByte(f.text, '[')
			if at < 1 || !strings.HasPrefix(f.text[at:], "[Task") && f.text[at:] != "[ad-hoc note]" {
				break
			}
			f.text = strings.TrimRight(f.text[:at], " ")
		}
		kept = append(kept, f)
	}
	return kept
}

// handbookFacts returns the facts of Codex's MEMORY.md that hold in a project. Each group of tasks
// says where it applies: in some folders, or anywhere.
func handbookFacts(body, root string) (facts []fact) {
	for group := range strings.SplitSeq("\n"+body, "\n# ") {
		var scope string
		for line := range strings.SplitSeq(group, "\n") {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "applies_to:"); ok && scope == "" {
				scope, _, _ = strings.Cut(rest, "reuse_rule=")
			}
		}
		here := names(scope, root)
		anywhere := !strings.ContainsAny(scope, `/\`) && slices.ContainsFunc(strings.FieldsFunc(scope, func(r rune) bool {
			return strings.ContainsRune(" =;,.", r)
		}), func(word string) bool { return word == "any" || word == "all" || word == "*" })
		if !here && !anywhere {
			continue
		}
		for _, f := range sectionsOf(markdownFacts(group), "User preferences", "Reusable knowledge", "Failures and how to do differently") {
			f.project = here
			facts = append(facts, f)
		}
	}
	return facts
}

// kiloFacts returns the lines "- key :: text" of a memory of Kilo.
func kiloFacts(body string) (facts []fact) {
	var section string
	for _, b := range blocksOf(body) {
		if b.kind == heading {
			section = b.text
		}
		if _, text, ok := strings.Cut(b.text, " :: "); ok && b.kind == item && section != "Open Questions" {
			facts = append(facts, fact{text: tidy(text)})
		}
	}
	return facts
}
