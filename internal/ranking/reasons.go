package ranking

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// largestParts are those that speak most for an answer.
func largestParts(parts []recall.Part) (largest []recall.Part) {
	for _, p := range parts {
		if p.Share > 0 && len(largest) < reasonTerms {
			largest = append(largest, p)
		}
	}
	return largest
}

// reason names the kinds of evidence.
func reason(parts []recall.Part) string {
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = p.Term.String()
	}
	return strings.Join(names, ", ")
}

const reasonTerms = 3

// explain adds the terms, the way and the evidence.
func (a *Query) explain(ctx context.Context, p *record.Past, q recall.Question, answers []recall.Answer, r *Recalled) error {
	for _, part := range p.Ranker.Explain(r.answer) {
		r.Parts = append(r.Parts, Part{
			Term: part.Term.String(), Meaning: part.Term.Meaning(), Figure: part.Figure, Place: part.Place, Share: part.Share,
		})
	}
	if through, ok := p.Ranker.Through(answers, r.answer); ok && r.Reached {
		r.Through = p.Image.File(through).Path
	}
	for _, e := range p.Ranker.Evidence(q, r.answer, evidenceShown) {
		shown, err := evidence(ctx, a.tx, e)
		if err != nil {
			return err
		}
		r.Proof = append(r.Proof, shown)
	}
	return a.linkEvidence(ctx, p, q, r)
}

func evidence(ctx context.Context, tx *store.Tx, e recall.Evidence) (Evidence, error) {
	shown := Evidence{At: e.At, Why: whyEvidence(e)}
	if e.Kind == recall.SessionEpisode {
		s, err := tx.Session(ctx, memory.SessionID(e.Ref))
		shown.Kind, shown.ID, shown.Text = "session", memory.SessionID(e.Ref).String(), s.Intent
		if brain.IsNotFound(err) {
			err = nil
		}
		return shown, err
	}
	c, err := tx.EventBySeq(ctx, e.Ref)
	shown.Kind, shown.ID, shown.Text = "commit", c.Input, c.Text
	if brain.IsNotFound(err) {
		err = nil
	}
	return shown, err
}

func whyEvidence(e recall.Evidence) string {
	switch {
	case e.Like && e.With:
		return "like the question, with an open file"
	case e.With:
		return "with an open file"
	}
	return "like the question"
}

// linkEvidence adds what the open files have learned of the answer.
func (a *Query) linkEvidence(ctx context.Context, p *record.Past, q recall.Question, r *Recalled) error {
	rules, err := a.rules(ctx, p.Project)
	if err != nil {
		return err
	}
	to := memory.NewNeuronID(p.Project, memory.FileNeuron, r.Path)
	for _, f := range q.Open {
		path := p.Image.File(f).Path
		links, err := a.tx.SynapsesOf(ctx, []plasticity.Pair{plasticity.PairOf(to, memory.NewNeuronID(p.Project, memory.FileNeuron, path))})
		if err != nil {
			return err
		}
		for _, l := range links {
			weight := rules.Weight.Value(max(l.AB, l.BA), plasticity.Days(a.tx.Now))
			r.Proof = append(r.Proof, Evidence{
				Kind: "link", ID: path, At: l.LastAt, Text: fmt.Sprintf("weight %.2f, %d co-accesses", weight, l.CoAccesses),
				Why: "learned from " + sourceOf(l.Origin),
			})
		}
	}
	return nil
}

func sourceOf(o memory.Origin) string {
	switch o {
	case memory.OriginRepo:
		return "commits"
	case memory.OriginImport:
		return "the source text"
	case memory.OriginUser:
		return "what you said"
	}
	return "sessions"
}

const (
	// LongestReason is about a line of a terminal beside a path, in bytes.
	LongestReason = 90
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
			r.Tokens = LineTokens(*r)
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
		if len(reason) > LongestReason {
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
	room := LongestReason - len(before) - len(after) - len("“”")
	if said == "" || room < shortestQuote {
		return ""
	}
	return before + "“" + prose.ShortenBytes(said, room) + "”" + after
}

// fragmentKnown is the share of a question that a function must hold for recall to point at its lines.
const fragmentKnown = 0.5

// point says where in the answered files to look: at the functions and types that hold the words of the question. That
// the code itself and the past name the same file makes an answer surer.
func (a *Query) point(ctx context.Context, id memory.ProjectID, answers []Recalled, text string) error {
	words := vocab.TextWords(text)
	if len(words) == 0 || len(answers) == 0 {
		return nil
	}
	frequency, err := a.tx.Frequency(ctx, memory.GroupCode, words)
	if err != nil {
		return err
	}
	common := vocab.Collection{Texts: frequency.Documents, In: frequency.In}
	terms, question := common.SelectTerms(words, a.lead), common.Ask(words)
	docs, err := a.tx.Match(ctx, store.Expression{All: terms.All, Any: terms.Any},
		store.DocumentFilter{Projects: []memory.ProjectID{id}, Group: memory.GroupCode, Limit: a.lead})
	if err != nil || len(docs) == 0 {
		return err
	}
	type best struct {
		store.Document
		score float64
	}
	of := map[string]best{}
	usual := vocab.Usual{Length: float64(frequency.Words) / float64(max(frequency.Documents, 1))}
	for _, d := range docs {
		count := question.Count(strings.Join(d.Words, " "), "")
		if score := question.Words(count, usual); score > of[d.Path].score && question.Known(count) >= fragmentKnown {
			of[d.Path] = best{d, score}
		}
	}
	var ids []int64
	for _, r := range answers {
		if d, found := of[r.Path]; found && r.Project == id {
			ids = append(ids, d.ID)
		}
	}
	lines, err := a.tx.LinesOf(ctx, ids)
	if err != nil {
		return err
	}
	for i := range answers {
		r := &answers[i]
		d, found := of[r.Path]
		if at, known := lines[d.ID]; found && known && r.Project == id {
			r.Fragment = &Fragment{Symbol: d.Title, First: at.First, Last: at.Last}
			r.Confidence = recall.Consensus(r.Confidence, 0)
		}
	}
	return nil
}
