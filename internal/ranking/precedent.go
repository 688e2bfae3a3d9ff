package ranking

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	longestReason = 90 // bytes, about a line of a terminal beside a path
	shortestQuote = 12 // bytes of a subject that still say something
)

// GiveReason makes the precedent of an answer its reason, in place of the kinds of evidence. Where
// there is none, or it cannot be shown, the kinds stay.
func GiveReason(ctx context.Context, tx *store.Tx, r *Recalled) error {
	if r.precedent == nil {
		return nil
	}
	reason, err := precedentReason(ctx, tx, *r.precedent, r.with)
	if err != nil {
		return err
	}
	if reason != "" && Keeps(reason) {
		r.Reason = reason
		r.Tokens = lineTokens(*r)
	}
	return nil
}

// precedentReason words it; empty where what it is about is no longer known.
func precedentReason(ctx context.Context, tx *store.Tx, t recall.Precedent, with string) (string, error) {
	if t.Times > 0 {
		reason := fmt.Sprintf("changed with %s in %d commits", record.ShownName(with), t.Times)
		if t.Kind == recall.SessionEpisode {
			reason = fmt.Sprintf("opened after %s in %d sessions", record.ShownName(with), t.Times)
		}
		if len(reason) > longestReason {
			return "", nil
		}
		return reason, nil
	}
	day := ", " + brain.ShortDay(t.At, tx.Now)
	if t.Kind == recall.SessionEpisode {
		return "opened for a prompt like this" + day, nil // what was said to an agent stays there
	}
	commit, err := tx.EventBySeq(ctx, t.Ref)
	if brain.IsNotFound(err) {
		return "", nil
	}
	return quoted("changed in ", commit.Text, day), err
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
