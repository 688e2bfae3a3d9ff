package foreign

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// readMemsearch reads the daily logs of memsearch: a file YYYY-MM-DD.md holds "## Session 14:30" and below it, under
// "### 14:30", what was done in one turn. Other notes beside them are read as notes.
func readMemsearch(r *reading, name string) error {
	others := newVault(r)
	err := r.eachNote(name, "", func(f *folder) ([]string, error) {
		for _, dir := range []string{".memsearch/memory", "memory"} {
			if f.isFolder(dir) {
				return r.notes(f, dir)
			}
		}
		return r.allNotes(f)
	}, func(n note) {
		if day := moment(stem(n.name), r.opts.Zone); day.IsZero() {
			others.note(n)
		} else {
			r.memsearchDay(n, day)
		}
	})
	others.connect()
	return err
}

func (r *reading) memsearchDay(n note, day time.Time) {
	for _, s := range sections(n.body) {
		text, anchor := memsearchTurn(s.body)
		if text == "" {
			continue
		}
		at, clock := day, s.heading()
		for _, heading := range s.path {
			heading = strings.TrimPrefix(heading, "Session ")
			for _, layout := range []string{"15:04", "15:04:05"} {
				if t, err := time.Parse(layout, heading); err == nil {
					at = day.Add(t.Sub(t.Truncate(24 * time.Hour)))
				}
			}
		}
		r.crystal(memory.Crystal{
			Project: r.opts.Project, Kind: memory.Episode, Text: text, SaidAt: at, Source: r.source(path.Base(n.name), cmp.Or(anchor, clock)),
		})
	}
}

// memsearchTurn takes out the comment that says which turn of which session a text is about.
func memsearchTurn(body string) (text, anchor string) {
	var kept []string
	for line := range strings.Lines(body) {
		inside, ok := strings.CutPrefix(strings.TrimSpace(line), "<!-- session:")
		if !ok {
			kept = append(kept, strings.TrimRight(line, "\n"))
			continue
		}
		session, rest, _ := strings.Cut(strings.TrimSuffix(inside, "-->"), " ")
		anchor = session
		if _, turn, ok := strings.Cut(rest, "turn:"); ok {
			turn, _, _ = strings.Cut(turn, " ")
			anchor = fmt.Sprintf("%s/%s", session, turn)
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n")), anchor
}
