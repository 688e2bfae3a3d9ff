package statements

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/typed"
)

const (
	quotedWithin  = 24 * time.Hour // how long a prompt can be quoted
	quotedPrompts = 200            // and among how many of the latest it is looked for
)

// Quote is where a quote stands in what the person typed.
type Quote struct {
	// Prompt is the latest one that has it; one that has it as whole sentences comes first.
	Prompt memory.StoredEvent
	// Text is the person's sentence, or several, from the beginning to the end, whatever part of it was quoted.
	Text string
	// Whole says that the quote is all of that. Only then is it the person's word for something.
	Whole bool
}

// Quoted looks for words in the prompts that the person typed in a project lately, or in any project if it is 0. It is how an agent
// proves that it hands over what the person said.
func Quoted(ctx context.Context, tx *store.Tx, project memory.ProjectID, text string) (q Quote, found bool, err error) {
	prompts, err := tx.Prompts(ctx, project, tx.Now.Add(-quotedWithin), quotedPrompts)
	for _, p := range prompts {
		for _, part := range typed.OwnParts(p.Text) {
			at, ok := passageOf(part, scrub.Clean(text))
			if !ok || found && !at.whole {
				continue
			}
			q, found = Quote{p.StoredEvent, at.text, at.whole}, true
			if q.Whole {
				return q, true, err
			}
		}
	}
	return q, found, err
}

// Reading is what somebody who has read a session says that the person said in it.
type Reading struct {
	Quote string
	Kind  Kind
	Marks []string // by which a call that breaks it is recognised
}

// heardProbability is how sure it is that something matters which has a plain form, readProbability that somebody has read.
const (
	heardProbability = 0.8
	readProbability  = 0.9
)

// QuotedIn is the whole sentence of the person in one of some prompts that has the words of a quote.
func QuotedIn(prompts []memory.StoredEvent, quote string) (sentence string, ok bool) {
	_, at, ok := find(prompts, typed.OwnParts, quote)
	return at.text, ok
}

// find looks for a quote in parts of some prompts.
func find(prompts []memory.StoredEvent, parts func(prompt string) []string, quote string) (in memory.StoredEvent, at passage, ok bool) {
	for _, p := range prompts {
		for _, part := range parts(p.Text) {
			if at, ok = passageOf(part, quote); ok {
				return p, at, true
			}
		}
	}
	return in, at, false
}

// GoodMarks are the marks that can be kept: those of which nothing is taken out as a secret.
func GoodMarks(marks []string) []string {
	return slices.DeleteFunc(memory.CheckMarks(marks), func(mark string) bool { return scrub.Clean(mark) != mark })
}

// quotedClause is the part of a sentence that was quoted if it is a clause, and nothing around it may change its meaning: a negation or a
// condition. Else it is the sentence.
func quotedClause(sentence, quote string) string {
	const signs = ",;:.!?)-–"
	quote = strings.TrimRight(prose.OneLine(prose.TrimMarks(strings.TrimSpace(quote))), signs)
	at := strings.Index(sentence, quote)
	if at < 0 {
		return trimFiller(sentence)
	}
	before, after := strings.TrimSpace(sentence[:at]), strings.TrimSpace(sentence[at+len(quote):])
	begins := before == "" || strings.HasSuffix(before, " and") || strings.ContainsAny(before[len(before)-1:], signs)
	ends := after == "" || strings.ContainsAny(after[:1], signs)
	if !begins || !ends || limits(before) || limits(after) {
		return trimFiller(sentence)
	}
	return trimFiller(quote)
}

// limiting are words with which people say where something does not hold, beside negations.
var limiting = strings.Fields("except unless until if only but besides when while otherwise though although however avoid forbidden banned instead rather hate isn't aren't shouldn't mustn't wrong")

func limits(text string) bool {
	return Negates(text) || slices.ContainsFunc(strings.Fields(strings.ToLower(text)), func(w string) bool {
		return slices.Contains(limiting, strings.Trim(strings.ReplaceAll(w, "’", "'"), ",;:.!?()\"'"))
	})
}

// PutAside lets what was heard in a session, said only there and not found by who has read it, wait for the person.
func PutAside(ctx context.Context, tx *store.Tx, s memory.Session, missed func(memory.Crystal) bool) (waits []memory.CrystalID, err error) {
	heard, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{s.Project}, Session: s.ID, Heard: true, Current: true, Living: true})
	for _, c := range heard {
		own := c.Origin == memory.OriginUser && c.Lifecycle == memory.Generated && c.Heard != readProbability
		if own && !c.LastAt.After(s.ClosedAt) && missed(c.Crystal) {
			c.Lifecycle = memory.Waiting
			waits, err = append(waits, c.ID), errors.Join(err, tx.SaveCrystal(ctx, c.Crystal))
		}
	}
	return waits, err
}
