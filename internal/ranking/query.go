package ranking

import (
	"context"
	"path/filepath"

	"github.com/hebb-memory/hebb/internal/config"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

// Query asks about the files of projects, within one transaction.
type Query struct {
	tx       *store.Tx
	pasts    *record.PastCache
	numbers  brain.Variation
	contents func(memory.ProjectID) string // the file with the words of a project's files
	lead     int                           // texts that the words of a question lead to
	fixGate  float64                       // how sure it must be that a file fixes an error
}

// NewQuery begins one in a transaction of an open memory.
func NewQuery(b *brain.Brain, tx *store.Tx) *Query {
	t := b.Config.Tuning
	return &Query{
		tx: tx, pasts: record.Pasts(b), numbers: b.Numbers.Variation, contents: b.Config.Contents, lead: t.Search.LeadTexts, fixGate: t.Recall.FixGate,
	}
}

// rules are the formulas of growing and fading, as a project is scaled.
func (a *Query) rules(ctx context.Context, id memory.ProjectID) (plasticity.Rules, error) {
	balance, err := a.tx.Balance(ctx, id)
	return plasticity.NewRules(a.numbers.Plasticity, balance), err
}

// Scoped are the projects of a scope: one, or all.
func Scoped(ctx context.Context, c config.Config, tx *store.Tx, s brain.Scope) ([]memory.ProjectID, error) {
	id, err := brain.Resolve(ctx, tx, c, s)
	if err != nil || id != 0 {
		return []memory.ProjectID{id}, err
	}
	projects, err := tx.Projects(ctx)
	ids := make([]memory.ProjectID, len(projects))
	for i, p := range projects {
		ids[i] = p.ID
	}
	return ids, err
}

// find looks a file up as it was named: from the top of the project, or from the folder one stands in.
func find(p *record.Past, dir, path string) (recall.FileNo, bool) {
	if n, known := p.Image.Find(path); known {
		return n, true
	}
	if dir == "" {
		return 0, false
	}
	place, err := project.Resolve(dir)
	if err != nil {
		return 0, false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return p.Image.Find(project.Key(place, path))
}

// standings are the files whose say has shrunk because suggestions of them were ignored.
func standings(ctx context.Context, tx *store.Tx, id memory.ProjectID) (map[string]store.Strength, error) {
	ignored, err := tx.Neurons(ctx, store.NeuronFilter{Project: id, Diminished: true, Order: store.ByIgnored})
	found := make(map[string]store.Strength, len(ignored))
	for _, n := range ignored {
		found[n.Key] = n
	}
	return found, err
}

// byClues lowers the confidence of answers whose own clues are weak, where too little has happened to know from experience.
func (a *Query) byClues(ctx context.Context, p *record.Past, text string, out *RecallResult) error {
	rules, err := a.rules(ctx, p.Project)
	if err != nil {
		return err
	}
	neuron := func(r Recalled) memory.NeuronID { return memory.NewNeuronID(p.Project, memory.FileNeuron, r.Path) }
	ids := make([]memory.NeuronID, len(out.Files))
	for i, r := range out.Files {
		ids[i] = neuron(r)
	}
	known, err := a.tx.NeuronsByID(ctx, ids)
	if err != nil {
		return err
	}
	day := plasticity.Days(a.tx.Now)
	for i := range out.Files {
		r := &out.Files[i]
		if r.Project != p.Project || text == "" {
			continue
		}
		clues := p.Ranker.Clues(text, r.answer.File)
		if n, ok := known[neuron(*r)]; ok {
			clues.Myelin, clues.Idle = rules.Myelin.Value(n.Myelin, day), a.tx.Now.Sub(n.LastAt).Hours()
		}
		r.Confidence = min(r.Confidence, recall.Shown(recall.Confidence(clues))*r.standing)
	}
	return nil
}

const (
	fixWeight  = 0.3 // a link from an error weaker than this says nothing of its fix (test vectors of the design)
	wiredLinks = 50  // strongest links of an error that are followed
)
