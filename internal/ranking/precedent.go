package ranking

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	longestReason = 90 // bytes, about a line of a terminal beside a path
	shortestQuote = 12 // bytes of a subject that still say something
)

// GiveReasons makes the precedents of answers their reasons, in place of the kinds of evidence. Where
// there is none, or it cannot be shown, the kinds stay.
func GiveReasons(ctx context.Context, tx *store.Tx, answers []Recalled) error {
	var commits []int64
	for _, r := range answers {
		if t := r.precedent; t != nil && t.Times == 0 && t.Kind == recall.CommitEpisode {
			commits = append(commits, t.Ref)
		}
	}
	texts, err := tx.EventTexts(ctx, commits)
	if err != nil {
		return err
	}
	for i := range answers {
		r := &answers[i]
		if r.precedent == nil {
			continue
		}
		if reason := precedentReason(tx.Now, *r.precedent, r.with, texts); reason != "" && Keeps(reason) {
			r.Reason = reason
			r.Tokens = lineTokens(*r)
		}
	}
	return nil
}

// precedentReason words it; empty where what it is about is no longer known.
func precedentReason(now time.Time, t recall.Precedent, with string, commits map[int64]string) string {
	if t.Times > 0 {
		reason := "changed with " + record.ShownName(with) + " in " + prose.Count(t.Times, "commit", "commits")
		if t.Kind == recall.SessionEpisode {
			reason = "opened after " + record.ShownName(with) + " in " + prose.Count(t.Times, "session", "sessions")
		}
		if len(reason) > longestReason {
			return ""
		}
		return reason
	}
	day := ", " + brain.ShortDay(t.At, now)
	if t.Kind == recall.SessionEpisode {
		return "opened for a prompt like this" + day // what was said to an agent stays there
	}
	return quoted("changed in ", commits[t.Ref], day)
}

// quoted puts words of others between two pieces of a reason: one line, in quotation marks that nothing in it can close,
// cut so that the whole is short. It is empty where nothing was said.
func quoted(before, said, after string) string {
	said = strings.Map(func(c rune) rune {
		if strings.ContainsRune("\"“”„«»", c) {
			return '\''
		}
		return c
	}, scrub.Quote(scrub.Line(said)))
	room := longestReason - len(before) - len(after) - len("“”")
	if said == "" || room < shortestQuote {
		return ""
	}
	if len(said) > room {
		const cut = "…"
		end := room - len(cut)
		for end > 0 && !utf8.RuneStart(said[end]) {
			end--
		}
		said = strings.TrimRight(said[:end], " ") + cut
	}
	return before + "“" + said + "”" + after
}
