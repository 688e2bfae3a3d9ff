package ranking

import (
	"context"
	"fmt"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
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
