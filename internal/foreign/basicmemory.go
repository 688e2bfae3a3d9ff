package foreign

import (
	"cmp"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// readBasicMemory reads the notes of basic-memory: what a vault holds, and in lists "- [category] text #tag (context)",
// which is said of the note, and "- relation [[Note]]". A category that names a kind also makes a crystal of its own.
func readBasicMemory(r *reading, path string) error {
	v := newVault(r)
	err := r.eachNote(path, "", r.allNotes, func(n note) { r.basicNote(v, n) })
	v.connect()
	return err
}

func (r *reading) basicNote(v *vault, n note) {
	l := linked{name: n.name, title: n.title(), kind: cmp.Or(oneLine(n.front.one("type")), "note"), at: n.said}
	l.exact = n.front.one(exportMark) == "entity" // hebb's own names of entities
	l.said = []string{labelled("tagged", strings.Join(n.front.list("tags"), ", "))}
	var rest strings.Builder
	var fence codeFence
	for line := range strings.Lines(n.body) {
		item, listed := bullet(line)
		if fence.step(line) || !listed {
			rest.WriteString(line)
			continue
		}
		if kind, to, ok := basicRelation(item); ok {
			l.links = append(l.links, wikiLink{to, kind})
			continue
		}
		category, text, ok := basicObservation(item)
		if !ok {
			rest.WriteString(line)
			continue
		}
		if l.exact && category == observed {
			item = text
		}
		l.said = append(l.said, item)
		if kind, named := kindOf(category); named && kind != memory.Fact {
			r.noted(n, r.opts.Project, kind, l.title+"\n"+text, "["+category+"]")
		}
	}
	n.body = filled(rest.String())
	for _, to := range wikiLinks(prose(n.body)) {
		l.links = append(l.links, wikiLink{to, "links_to"})
	}
	aliases := n.front.list("aliases")
	if link := n.front.one("permalink"); link != "" {
		aliases = append(aliases, link) // relations may be written with it
	}
	v.know(l, aliases)

	kind, known := kindOf(l.kind)
	r.notedParts(n, kind, known)
}

// filled is a text without the headings under which nothing is left.
func filled(body string) string {
	var kept []string
	for _, s := range sections(body) {
		if s.body == "" {
			continue
		}
		if len(s.path) > 0 {
			kept = append(kept, strings.Repeat("#", min(len(s.path), 6))+" "+s.heading())
		}
		kept = append(kept, s.body)
	}
	return strings.Join(kept, "\n\n")
}

// basicObservation reads "[category] text". A task box is no category, and neither is a link.
func basicObservation(item string) (category, text string, ok bool) {
	inside, ok := strings.CutPrefix(item, "[")
	if !ok {
		return "", "", false
	}
	category, text, ok = strings.Cut(inside, "]")
	category, text = strings.TrimSpace(category), strings.TrimSpace(text)
	if !ok || category == "" || category == "x" || category == "X" || category == "-" || text == "" ||
		strings.ContainsAny(category, "[]()") || strings.HasPrefix(inside[strings.Index(inside, "]"):], "](") {
		return "", "", false
	}
	return category, text, true
}

// basicRelation reads "type [[Note]] (context)": nothing but the context may follow.
func basicRelation(item string) (kind, to string, ok bool) {
	kind, rest, ok := strings.Cut(item, "[[")
	if !ok || strings.HasPrefix(item, "[") && !strings.HasPrefix(item, "[[") {
		return "", "", false
	}
	to, rest, ok = strings.Cut(rest, "]]")
	rest = strings.TrimSpace(rest)
	if !ok || rest != "" && (rest[0] != '(' || rest[len(rest)-1] != ')') {
		return "", "", false
	}
	to, _, _ = strings.Cut(to, "|")
	kind = strings.Trim(strings.TrimSpace(kind), "*_\"'`:")
	return cmp.Or(kind, "relates_to"), oneLine(to), oneLine(to) != ""
}
