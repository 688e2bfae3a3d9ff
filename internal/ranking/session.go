package ranking

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

const (
	commonWord  = 2.5 // a word that tells less names no file (continue 1.5, next 1.8, step 2.3; build 2.9, login 4.1)
	latestAsked = 5   // sessions among which the last work is looked for: some open no file
)

// vague reports whether nothing but a text is asked with, and no word of it can name a file: "go on", "what's next?".
func (in RecallInput) vague() bool {
	if in.Change || in.Session != "" || len(in.Open) > 0 || strings.TrimSpace(in.Text) == "" || len(vocab.FileNames(in.Text, 1)) > 0 {
		return false
	}
	return !slices.ContainsFunc(vocab.TextWords(in.Text), func(word string) bool {
		return embedding.WordWeight(word, embedding.GeneralRow(word)) >= commonWord
	})
}

// goOn answers a text such as "go on": with the files of the last work, and what comes next in it.
func (a *Query) goOn(ctx context.Context, id memory.ProjectID, in RecallInput) (out RecallResult, err error) {
	out = RecallResult{Vague: true, Files: []Recalled{}, Fixes: []Recalled{}}
	sessions, err := a.tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: id, Limit: latestAsked})
	if err != nil {
		return out, err
	}
	for _, s := range sessions {
		opened, err := openedIn(ctx, a.tx, s.ID)
		if err != nil {
			return out, err
		}
		if len(opened) == 0 {
			continue
		}
		in.Scope, in.Session, in.Next = brain.Scope{}, s.ID.String(), true
		if in.Text, err = a.tx.PromptBefore(ctx, s.ID, a.tx.Now); err != nil {
			return out, err
		}
		if out, err = a.files(ctx, []memory.ProjectID{s.Project}, in); err != nil {
			return out, err
		}
		out.Vague, out.Running = true, slices.DeleteFunc(opened, func(path string) bool { return !ShownPath(path) })
		if in.Limit > 0 {
			out.Running = out.Running[:min(len(out.Running), in.Limit)]
		}
		break
	}
	return out, nil
}

const failuresRead = 3 // latest failed calls of a session whose files count as printed

// printedIn is what the latest calls of a session printed.
func printedIn(ctx context.Context, tx *store.Tx, id memory.SessionID) ([]Listing, error) {
	latest, err := tx.SessionTouches(ctx, id, 0, OpenTouches)
	if err != nil {
		return nil, err
	}
	failed, err := tx.Events(ctx, store.EventFilter{Session: id, Kind: memory.ToolFailed, Limit: failuresRead})
	printed := listed(latest)
	for _, e := range failed {
		if files := fault.Files(e.Text); len(files) > 0 {
			printed = append(printed, Listing{Files: files, Since: switched(latest, e.Ord)})
		}
	}
	return printed, err
}

// listed are the searches among the latest touches of a session, newest first.
func listed(latest []store.FileTouch) (listings []Listing) {
	search := int64(-1)
	for _, t := range latest {
		if t.Kind != memory.Mention {
			continue
		}
		if t.Ord != search {
			listings, search = append(listings, Listing{Since: switched(latest, t.Ord)}), t.Ord
		}
		last := &listings[len(listings)-1]
		last.Files = append(last.Files, t.Path)
	}
	return listings
}

// switched counts how often a session went on to another file after a position. Touches stand newest first.
func switched(latest []store.FileTouch, after int64) (times int) {
	open := ""
	for _, t := range latest {
		if t.Ord > after && opens(t.Kind) && t.Path != open {
			times, open = times+1, t.Path
		}
	}
	return times
}

// openedIn are the files that a session has opened, the latest first, each once.
func openedIn(ctx context.Context, tx *store.Tx, id memory.SessionID) (opened []string, err error) {
	touched, err := tx.TouchesBefore(ctx, id, math.MaxInt64, OpenTouches)
	for _, t := range touched {
		if opens(t.Kind) && !slices.Contains(opened, t.Path) {
			opened = append(opened, t.Path)
		}
	}
	return opened, err
}

func opens(kind memory.TouchKind) bool { return kind == memory.Read || kind == memory.Edit }

// ChangeSets says of each file how many of the past commits most like a text changed it: its share of their likeness.
func ChangeSets(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, text string) (map[string]float64, error) {
	p, err := record.Pasts(b).Of(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	defer record.Pasts(b).Put(p)
	shares, total := map[string]float64{}, 0.0
	commits, likeness := p.Ranker.Near(text, recall.CommitEpisode, nearCommits)
	for i, n := range commits {
		if likeness[i] < minCommitLikeness {
			break
		}
		total += likeness[i]
		for _, f := range p.Image.Episode(n).Files {
			shares[p.Image.File(f).Path] += likeness[i]
		}
	}
	for path := range shares {
		shares[path] /= total
	}
	return shares, nil
}

const (
	OpenTouches = 200 // latest touches of a session that say what it has open
	nearCommits = 5   // past commits most like a text that are compared: an odd number of witnesses
	// minCommitLikeness is how like a question a commit must be to count: one common word of many is chance.
	minCommitLikeness = 0.2
)
