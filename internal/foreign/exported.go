package foreign

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// exported reads a note that WriteMarkdown made, and what people wrote into it since. It returns an entity with the links that they added.
func (r *reading) exported(n note) (l linked) {
	r.whole = true
	defer func() { r.whole = false }()
	switch n.front.one(exportMark) {
	case "entity", "relations":
		l = linked{name: n.name, title: n.title(), kind: cmp.Or(n.front.one("type"), "note"), exact: true, at: moment(n.front.one("created"), nil)}
		l.links = r.exportedEntity(n)
	case "memories":
		r.exportedCrystals(n)
	} // the index only points to the others
	return l
}

// exportedEntity reads a list of observations and, under "Relations", a list of relations. It returns the links in observations that people added.
func (r *reading) exportedEntity(n note) (links []wikiLink) {
	name, relations := n.title(), false
	created := moment(n.front.one("created"), nil)
	if n.front.one(exportMark) == "entity" {
		r.entity(name, n.front.one("type"), created)
	}
	var item []string
	flush := func() {
		text := strings.TrimSpace(strings.Join(item, "\n"))
		item = nil
		if text == "" {
			return
		}
		if relations {
			r.exportedRelation(n, name, text)
			return
		}
		var kept keptObservation
		if cutComment(text, &kept) == text {
			for _, to := range wikiLinks(prose(text)) {
				links = append(links, wikiLink{to, "links_to"})
			}
		}
		text = unescaped(cutComment(text, &kept))
		r.observe(r.entity(name, n.front.one("type"), created),
			memory.Observation{Text: text, Confidence: kept.Confidence, SaidAt: plausible(kept.SaidAt), ValidTo: plausible(kept.ValidTo)})
	}
	for line := range strings.Lines(n.body) {
		line = strings.TrimRight(line, "\n")
		level, title := headingOf(line)
		rest, next := strings.CutPrefix(line, "- ")
		inside, more := strings.CutPrefix(line, "  ")
		switch {
		case level > 0 || next || !more && line != "" && len(item) > 0 && item[len(item)-1] == "":
			flush()
			if level > 0 {
				relations = level > 1 && title == "Relations"
				continue
			}
			item = append(item, rest)
		case more:
			item = append(item, inside)
		default:
			item = append(item, line)
		}
	}
	flush()
	return links
}

func (r *reading) exportedRelation(n note, from, text string) {
	var kept keptRelation
	shown := cutComment(text, &kept)
	if kept.To == "" {
		kind, to, ok := basicRelation(shown)
		if !ok {
			r.problem(n.name, "%q is no relation; write it as: kind [[name]]", shown)
			return
		}
		kept.Type, kept.To = kind, to
		r.entity(to, "note", time.Time{})
	}
	r.relate(from, kept.To, kept.Type, plausible(kept.CreatedAt))
}

// exportedCrystals reads the texts between hebb's comments, and as one more text what people added outside of them. Of the
// lifecycle only an end is read: a file cannot make a crystal more than an import.
func (r *reading) exportedCrystals(n note) {
	kind := memory.CrystalKind(n.front.one("kind"))
	if !slices.Contains(memory.CrystalKinds, kind) {
		kind = memory.Fact
	}
	var text, added []string
	var now *memory.Crystal
	flush := func() {
		if now == nil {
			return
		}
		c := *now
		c.Text = unescaped(strings.Join(text, "\n"))
		text, now = nil, nil
		r.crystal(c)
	}
	for line := range strings.Lines(n.body) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, opened):
			flush()
			var kept keptCrystal
			if cutComment(line, &kept) != "" {
				r.problem(n.name, "a comment of hebb's is damaged; what it said of the text below is lost")
			}
			now = &memory.Crystal{
				Project: r.opts.Project, Kind: kind, Subject: kept.Subject, Importance: min(max(kept.Importance, 0), 1), Anchors: kept.Anchors,
				SaidAt: plausible(kept.SaidAt), ValidTo: plausible(kept.ValidTo), LastAt: plausible(kept.LastAt), Accesses: max(0, kept.Accesses),
				Source: cmp.Or(clean(kept.Source), r.source(n.name, "")),
			}
			if kept.Lifecycle == memory.Archived || kept.Lifecycle == memory.Expired {
				now.Lifecycle = kept.Lifecycle
			}
		case line == closed:
			flush()
		case now != nil:
			text = append(text, line)
		default:
			if level, _ := headingOf(line); level == 0 {
				added = append(added, line)
			}
		}
	}
	flush()
	r.crystal(memory.Crystal{
		Project: r.opts.Project, Kind: kind, Text: strings.Join(added, "\n"), SaidAt: n.said, Source: r.source(n.name, "added"),
	})
}
