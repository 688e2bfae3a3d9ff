package foreign

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// readMemsearch reads the daily logs of memsearch: a file YYYY-MM-DD.md holds "## Session 14:30" and below it, under
// "### 14:30", what was done in one turn. Other notes beside them are read as notes.
func readMemsearch(r *reading, name string) error {
	f, names, err := openAround(name)
	if err != nil {
		return err
	}
	defer f.done()
	if names == nil {
		below := "."
		for _, dir := range []string{".memsearch/memory", "memory"} {
			if info, err := f.Stat(dir); err == nil && info.IsDir() {
				below = dir
				break
			}
		}
		if names, err = r.notes(f, below, nil); err != nil {
			return err
		}
	}
	others := newVault(r)
	for _, name := range names {
		n, ok := r.note(f, name)
		if !ok {
			continue
		}
		day := moment(stem(name), r.opts.Zone)
		if day.IsZero() {
			err = others.note(n)
		} else {
			err = r.memsearchDay(n, day)
		}
		if err != nil {
			return err
		}
	}
	return others.connect()
}

func (r *reading) memsearchDay(n note, day time.Time) error {
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
		place := clock
		if anchor != "" {
			place = anchor
		}
		err := r.crystal(memory.Crystal{
			Project: r.opts.Project, Kind: memory.Episode, Text: text, SaidAt: at, Source: r.source(path.Base(n.name), place),
		})
		if err != nil {
			return err
		}
	}
	return nil
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
