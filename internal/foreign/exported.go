package foreign

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	// exportMark is the key in the front matter of the notes that earlier versions of hebb exported; its value says what a note holds.
	exportMark = "hebb"
	// goneOut begins the type of an entity with which they exported crystals for the memory server, which has no form for them.
	goneOut = "hebb:"
)

// exportedMemory reads the note of a crystal. Of the lifecycle only an end is read: a file cannot make a crystal more than an import.
func (r *reading) exportedMemory(n note) {
	c := memory.Crystal{
		Project: r.opts.Project, Kind: memory.CrystalKind(n.front.one("kind")), Subject: n.front.one("subject"), Text: n.body,
		SaidAt: n.said, ValidTo: moment(n.front.one("valid_to"), nil), Source: cmp.Or(clean(n.front.one("source")), r.source(n.name, "")),
	}
	if !slices.Contains(memory.CrystalKinds, c.Kind) {
		c.Kind = memory.Fact
	}
	if ended := memory.Lifecycle(n.front.one("lifecycle")); ended == memory.Archived || ended == memory.Expired {
		c.Lifecycle = ended
	}
	r.crystal(c)
}

// exportedEntity reads the note of an entity: "- [observation] text" and "- relation [[Note]]". What people added to it is read as the
// text of a note.
func (v *vault) exportedEntity(n note) {
	l := linked{name: n.name, title: n.title(), kind: cmp.Or(oneLine(n.front.one("type")), "note"), at: n.said, exact: true}
	var rest strings.Builder
	var fence codeFence
	for line := range strings.Lines(n.body) {
		item, listed := bullet(line)
		said, observed := strings.CutPrefix(item, "[observation] ")
		kind, to, relation := exportedRelation(item)
		switch {
		case fence.step(line) || !listed || !observed && !relation:
			rest.WriteString(line)
		case observed:
			l.said = append(l.said, said)
		default:
			l.links = append(l.links, wikiLink{to, kind})
		}
	}
	n.body = filled(rest.String())
	for _, to := range wikiLinks(prose(n.body)) {
		l.links = append(l.links, wikiLink{to, "links_to"})
	}
	v.know(l, nil)
	v.r.notedParts(n, "", false)
}

// exportedRelation reads "type [[Note]]": nothing may follow.
func exportedRelation(item string) (kind, to string, ok bool) {
	kind, rest, ok := strings.Cut(item, "[[")
	to, rest, closed := strings.Cut(rest, "]]")
	to, _, _ = strings.Cut(to, "|")
	return cmp.Or(strings.TrimSpace(kind), "relates_to"), oneLine(to), ok && closed && rest == "" && oneLine(to) != ""
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
