package texts

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// Window is a segment of a session on one topic.
type Window struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	// Keywords distinguish it from the others of its session and from other sessions of the project.
	Keywords []string `json:"keywords"`
	// Files were touched in it, in order.
	Files     []string   `json:"files"`
	Decisions []Decision `json:"decisions,omitempty"`

	text        string
	first, last int64 // numbers of its first and last event
	origin      memory.Origin
}

// Decision is what was decided in a session, as it is remembered, on the way from exploring over talking to editing.
type Decision struct {
	Text     string   `json:"text"`
	Explored []string `json:"explored,omitempty"`
	Edited   []string `json:"edited,omitempty"`
}

// windows cuts a session into segments.
func windows(ctx context.Context, tx *store.Tx, id memory.SessionID) ([]Window, error) {
	said, err := tx.Said(ctx, id, math.MaxInt64, math.MaxInt32)
	if err != nil || len(said) == 0 {
		return nil, err
	}
	touches, err := tx.SessionTouches(ctx, id, 0, 0)
	if err != nil {
		return nil, err
	}
	turns := make([]Turn, len(said))
	next := 0
	for i, e := range said {
		turns[i] = Turn{Speaker: string(e.Agent), Text: e.Text, At: e.At}
		if e.Kind == memory.Prompted && e.Origin != memory.OriginTool {
			turns[i].Speaker = string(memory.AgentUser)
		}
		// What was touched before the agent answered belongs to the answer, and what follows the last one to that.
		for ; next < len(touches) && (touches[next].Ord <= e.Ord || i == len(said)-1); next++ {
			if t := touches[next]; t.Kind != errorMet {
				turns[i].Touches = append(turns[i].Touches, memory.Touch{Kind: t.Kind, Path: t.Path})
			}
		}
	}
	decided, err := tx.Crystals(ctx, store.CrystalFilter{Session: id, Kinds: []memory.CrystalKind{memory.Decision}, Current: true, OldestFirst: true})
	if err != nil {
		return nil, err
	}
	var list []Window
	for _, w := range Windows(turns, vocab.TextWords) {
		one := Window{
			From: w.From, To: w.To, Files: w.Files, text: w.Text, first: said[w.First].Seq, last: said[w.Last].Seq, origin: memory.OriginUser,
		}
		if one.Files == nil {
			one.Files = []string{}
		}
		for _, e := range said[w.First : w.Last+1] {
			if e.Origin.Tier() > one.origin.Tier() {
				one.origin = e.Origin
			}
		}
		decided = slices.DeleteFunc(decided, func(c store.Kept) bool { // of turns that two segments share, the first has it
			at := slices.IndexFunc(said[w.First:w.Last+1], func(e store.Numbered) bool { return strings.HasSuffix(c.Source, " "+string(e.ID)) })
			if at >= 0 && c.Lifecycle.Living() {
				explored, edited := Around(turns, w.First+at)
				one.Decisions = append(one.Decisions, Decision{c.Text, explored, edited})
			}
			return at >= 0
		})
		list = append(list, one)
	}
	return list, nil
}

// name gives the windows of a session their keywords.
func name(parts []Window, elsewhere Elsewhere) {
	spoken := make([]string, len(parts))
	for i, w := range parts {
		spoken[i] = w.text
	}
	for i, words := range Keywords(spoken, elsewhere, vocab.TextWords) {
		parts[i].Keywords = words
	}
}

// elsewhere counts in how many sessions of a project each word was said of late.
func elsewhere(ctx context.Context, tx *store.Tx, id memory.ProjectID) (Elsewhere, error) {
	const turns = 3000 // the latest: a search costs the same whatever the size of the store
	out := Elsewhere{With: map[string]int{}}
	said := map[memory.SessionID]map[string]bool{}
	err := tx.LatestStubs(ctx, store.DocumentFilter{Projects: []memory.ProjectID{id}, Kinds: []string{memory.SessionText}, Limit: turns}, func(d store.Stub) error {
		if said[d.Session] == nil {
			said[d.Session] = map[string]bool{}
			out.Conversations++
		}
		for word := range strings.FieldsSeq(d.Words) {
			if !said[d.Session][word] {
				said[d.Session][word] = true
				out.With[word]++
			}
		}
		return nil
	})
	return out, err
}

// errorMet is how the store calls a touch of an error, which is no file.
const errorMet memory.TouchKind = "error"

// IndexWindows makes the segments of a session findable by the files touched in them, beside keywords and decisions. Segments
// without files are found by their turns. It replaces the segments of an earlier call.
func IndexWindows(ctx context.Context, tx *store.Tx, s memory.Session) error {
	parts, err := windows(ctx, tx, s.ID)
	if err != nil {
		return err
	}
	name(parts, Elsewhere{}) // other sessions come and go, and a text that is kept must not depend on them
	var docs []store.Document
	for i, w := range parts {
		if len(w.Files) == 0 {
			continue
		}
		// Keywords and decisions are words of its turns: they are counted there, and only help to find the segment.
		said := slices.Clone(w.Keywords)
		for _, d := range w.Decisions {
			said = append(said, d.Text)
		}
		docs = append(docs, store.Document{
			Ref: fmt.Sprintf("window:%s:%d", s.ID, i), Project: s.Project, Kind: memory.WindowText, Origin: w.origin, At: w.To, Session: s.ID,
			Text: w.summary(), Words: vocab.TextWords(strings.Join(w.Files, " ")), Around: vocab.TextWords(strings.Join(said, " ")),
		})
	}
	kept, err := tx.AddDocuments(ctx, docs)
	if err != nil {
		return err
	}
	var stale []int64
	filter := store.DocumentFilter{Session: s.ID, Kinds: []string{memory.WindowText}}
	err = tx.LatestStubs(ctx, filter, func(d store.Stub) error {
		if !slices.Contains(kept, d.ID) {
			stale = append(stale, d.ID)
		}
		return nil
	})
	if err != nil || len(stale) == 0 {
		return err
	}
	return tx.DeleteDocuments(ctx, stale...)
}

// summary is a window in a few lines.
func (w Window) summary() string {
	const files = 12 // more say little
	var lines []string
	for _, d := range w.Decisions {
		lines = append(lines, "Decided: "+d.Text)
	}
	if n := min(len(w.Files), files); n > 0 {
		line := "Files: " + strings.Join(w.Files[:n], ", ")
		if len(w.Files) > n {
			line += " …"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// intoWindows adds to texts from sessions the segment they belong to. A segment that one of its turns shows is not repeated.
func (f *finder) intoWindows(ctx context.Context, found []Found, seqs []int64) ([]Found, error) {
	known, others := map[memory.SessionID][]Window{}, map[memory.ProjectID]Elsewhere{}
	shown := map[string]bool{}
	kept := found[:0]
	for i, one := range found {
		if one.Kind != memory.SessionText && one.Kind != memory.WindowText {
			kept = append(kept, one)
			continue
		}
		parts, met := known[one.Session]
		if !met {
			var err error
			if parts, err = windows(ctx, f.tx, one.Session); err != nil {
				return nil, err
			}
			if _, counted := others[one.Project]; !counted {
				if others[one.Project], err = elsewhere(ctx, f.tx, one.Project); err != nil {
					return nil, err
				}
			}
			name(parts, others[one.Project])
			known[one.Session] = parts
		}
		for n, w := range parts {
			ref := fmt.Sprintf("window:%s:%d", one.Session, n)
			if one.Ref == ref || one.Kind == memory.SessionText && w.first <= seqs[i] && seqs[i] <= w.last {
				one.Window = &w
				if one.Kind == memory.WindowText && shown[ref] {
					one.Ref = ""
				}
				shown[ref] = true
				break
			}
		}
		if one.Ref != "" {
			kept = append(kept, one)
		}
	}
	return kept, nil
}
