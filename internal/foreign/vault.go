package foreign

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// readVault reads a folder of notes. A note becomes crystals, and an entity where something links to it or is said of
// it; a link becomes a relation.
func readVault(r *reading, dir string) error {
	v := newVault(r)
	err := r.eachNote(dir, "no Markdown files", r.allNotes, func(n note) {
		v.note(n)
	})
	v.connect()
	return err
}

// vault is the links of a folder of notes; they are resolved when every note is known.
type vault struct {
	r      *reading
	notes  []linked
	byName map[string][]int // stem, path without extension, title and aliases, in lower case
}

type linked struct {
	name, title, kind string
	said              []string // what the front matter says of the note
	at                time.Time
	links             []wikiLink
}

type wikiLink struct{ to, kind string }

func newVault(r *reading) *vault { return &vault{r: r, byName: map[string][]int{}} }

func (v *vault) note(n note) {
	text := outsideCode(n.body)
	tags := append(n.front.list("tags", "tag"), hashTags(text)...)
	slices.Sort(tags)
	tags = slices.Compact(tags)
	l := linked{name: n.name, title: n.title(), kind: cmp.Or(oneLine(n.front.one("type", "metadata.type")), "note"), at: n.said}
	aliases := n.front.list("aliases", "alias")
	l.said = append(l.said, n.front.one("description", "summary"), labelled("also called", strings.Join(aliases, ", ")),
		labelled("tagged", strings.Join(tags, ", ")))
	for _, to := range wikiLinks(text) {
		l.links = append(l.links, wikiLink{to, "links_to"})
	}
	for _, key := range slices.Sorted(maps.Keys(n.front)) {
		for _, value := range n.front[key] {
			for _, to := range wikiLinks(value) {
				l.links = append(l.links, wikiLink{to, key})
			}
		}
	}
	v.know(l, aliases)

	kind, known := kindOf(l.kind)
	for _, tag := range tags {
		if k, ok := kindOf(tag); ok && !known {
			kind, known = k, true
		}
	}
	if day := moment(stem(n.name), v.r.opts.Zone); !day.IsZero() {
		if !known {
			kind, known = memory.Episode, true
		}
		if n.front.one("created", "created_at", "date") == "" {
			n.said = day
		}
	}
	v.r.notedParts(n, kind, known)
}

// notedParts adds the parts of a note. If its kind is unknown, their headings decide.
func (r *reading) notedParts(n note, kind memory.CrystalKind, known bool) {
	for _, part := range n.parts() {
		of := kind
		if k, ok := kindOfHeading(part.heading()); ok && !known {
			of = k
		}
		r.noted(n, r.opts.Project, of, part.body, strings.Join(part.path, "/"))
	}
}

func (v *vault) know(l linked, aliases []string) {
	i := len(v.notes)
	v.notes = append(v.notes, l)
	names := append([]string{stem(l.name), strings.TrimSuffix(l.name, path.Ext(l.name)), l.title}, aliases...)
	for _, name := range names {
		key := strings.ToLower(oneLine(name))
		if known := v.byName[key]; key != "" && (len(known) == 0 || known[len(known)-1] != i) {
			v.byName[key] = append(known, i)
		}
	}
}

// connect makes entities and relations once all notes are known.
func (v *vault) connect() {
	used := make([]bool, len(v.notes))
	type edge struct {
		from     int
		to, kind string
		target   int
	}
	var edges []edge
	for i, l := range v.notes {
		for _, link := range l.links {
			e := edge{i, link.to, link.kind, v.find(link.to)}
			if e.target == i {
				continue
			}
			used[i] = true
			if e.target >= 0 {
				used[e.target] = true
			}
			edges = append(edges, e)
		}
	}
	for i, l := range v.notes {
		said := slices.DeleteFunc(l.said, func(s string) bool { return strings.TrimSpace(s) == "" })
		if !used[i] && len(said) == 0 {
			continue // its text is a crystal; a node that nothing is known of says nothing
		}
		e := v.r.entity(v.call(i), l.kind, l.at)
		for _, text := range said {
			v.r.observe(e, memory.Observation{Text: text, SaidAt: l.at})
		}
	}
	for _, e := range edges {
		to := e.to
		if e.target >= 0 {
			to = v.call(e.target)
		}
		v.r.entity(to, "note", time.Time{})
		v.r.relate(v.call(e.from), to, e.kind, v.notes[e.from].at)
	}
}

// find is the note that a link means, -1 if there is none. Of several it is the one nearest to the top, as in Obsidian.
func (v *vault) find(target string) int {
	best := -1
	for _, i := range v.byName[strings.ToLower(target)] {
		if best < 0 || strings.Count(v.notes[i].name, "/") < strings.Count(v.notes[best].name, "/") {
			best = i
		}
	}
	return best
}

// call is the name of a note's entity: its title, or its path where two notes share the title.
func (v *vault) call(i int) string {
	l := v.notes[i]
	same := v.byName[strings.ToLower(l.title)]
	for _, other := range same {
		if other != i && strings.EqualFold(v.notes[other].title, l.title) {
			return strings.TrimSuffix(l.name, path.Ext(l.name))
		}
	}
	return l.title
}
