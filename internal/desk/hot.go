package desk

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// HotFile is a file as it is in mind.
type HotFile struct {
	Path    string           `json:"path"`
	Heat    float64          `json:"heat"`
	Tier    string           `json:"tier"`
	Touches int64            `json:"touches"`
	LastAt  time.Time        `json:"last_at"`
	Session memory.SessionID `json:"session,omitzero"` // that touched it last
	Summary string           `json:"summary,omitempty"`
	Note    string           `json:"note,omitempty"`

	SummaryBy memory.Origin `json:"summary_by,omitempty"`
	NoteBy    memory.Origin `json:"note_by,omitempty"`
	// Beside says that an agent's words were kept as a note of their own, because the user's on this file stand.
	Beside bool `json:"beside,omitempty"`
}

// HotPair are two files that keep coming up in the same sessions.
type HotPair struct {
	A        string  `json:"a"`
	B        string  `json:"b"`
	Sessions int     `json:"sessions"`
	Weight   float64 `json:"weight"`
}

// HeatResult is what is in mind in a project.
type HeatResult struct {
	Project  string    `json:"project"`
	Clock    int64     `json:"clock"` // sessions closed so far
	Files    []HotFile `json:"files"`
	Clusters []HotPair `json:"clusters"`
}

// HeatInput chooses how many files are shown.
type HeatInput struct {
	brain.Scope
	Limit int  `json:"limit,omitempty" flag:"limit,n" about:"at most this many, 0 for as many as in live.md"`
	Cold  bool `json:"cold,omitempty" flag:"cold" about:"also cold files"`
}

// Warmth lists the files in mind, the hottest first.
var Warmth = brain.Operation[HeatInput, HeatResult]{
	Name: "heat",
	Run: func(ctx context.Context, b *brain.Brain, in HeatInput) (HeatResult, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (out HeatResult, err error) {
			id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
			if err != nil {
				return out, err
			}
			p, err := tx.Project(ctx, id)
			if brain.IsNotFound(err) {
				return HeatResult{Files: []HotFile{}, Clusters: []HotPair{}}, nil
			}
			if err != nil {
				return out, err
			}
			return Heat(ctx, tx, b.Numbers.Plasticity, p, in)
		})
	},
}

// Heat reads what is in mind in a project.
func Heat(ctx context.Context, tx *store.Tx, params plasticity.Params, p memory.Project, in HeatInput) (out HeatResult, err error) {
	out = HeatResult{Project: p.Name, Clock: p.Clock, Files: []HotFile{}, Clusters: []HotPair{}}
	clock, least := float64(p.Clock), record.WarmFrom
	if in.Cold {
		least = coldest
	}
	if in.Limit <= 0 {
		in.Limit = LiveFiles
	}
	hot, err := tx.Hottest(ctx, p.ID, record.HeatOf().Threshold(least, clock), in.Limit)
	if err != nil {
		return out, err
	}
	for _, h := range hot {
		out.Files = append(out.Files, HotFileOf(h, clock))
	}
	out.Clusters, err = clusters(ctx, tx, params, hot)
	return out, err
}

// coldest is the heat below which a file has not been in mind for dozens of sessions.
const coldest = 0.001

func HotFileOf(h store.Heat, clock float64) HotFile {
	heat := record.HeatOf().Value(h.Heat, clock)
	return HotFile{
		Path: h.Path, Heat: heat, Tier: record.TierOf(heat).String(), Touches: h.Touches, LastAt: h.LastAt, Session: h.Session,
		Summary: h.Summary, SummaryBy: h.SummaryBy, Note: h.Note, NoteBy: h.NoteBy,
	}
}

// clusters are the pairs among some files that have met in enough sessions.
func clusters(ctx context.Context, tx *store.Tx, params plasticity.Params, files []store.Heat) ([]HotPair, error) {
	path := map[memory.NeuronID]string{}
	var pairs []plasticity.Pair
	for i, f := range files {
		path[f.Neuron] = f.Path
		for _, other := range files[i+1:] {
			pairs = append(pairs, plasticity.Pair{min(f.Neuron, other.Neuron), max(f.Neuron, other.Neuron)})
		}
	}
	found := []HotPair{}
	if len(pairs) == 0 {
		return found, nil
	}
	links, err := tx.SynapsesOf(ctx, pairs)
	if err != nil {
		return nil, err
	}
	figures, err := brain.NewReader(ctx, tx, params, files[0].Project)
	if err != nil {
		return nil, err
	}
	for _, p := range pairs { // in the order of heat
		link, met := links[p]
		if !met || link.CoSessions < int64(ClusterMet) {
			continue
		}
		one, other := path[p[0]], path[p[1]]
		found = append(found, HotPair{
			A: min(one, other), B: max(one, other), Sessions: int(link.CoSessions), Weight: figures.Weight.Value(max(link.AB, link.BA), figures.Day),
		})
	}
	return found, nil
}

// bareName reports whether a path may stand in the live view, in which it has no quotation marks.
func bareName(path string) bool {
	raw, err := memory.UnescapePath(path)
	return ranking.ShownPath(path) && (err != nil || scrub.Quote(raw) == raw && !strings.ContainsAny(raw, "`|;<>"))
}

// Shown is what is in mind as the live view and a start show it: without names that could be taken for something else, and without words of others
// that do harm.
func (h HeatResult) Shown() HeatResult {
	h.Files = slices.DeleteFunc(slices.Clone(h.Files), func(f HotFile) bool { return !bareName(f.Path) && f.Note == "" })
	for i, f := range h.Files {
		h.Files[i].Summary, h.Files[i].Note = brain.Harmless(f.SummaryBy, f.Summary), brain.Harmless(f.NoteBy, f.Note)
	}
	h.Clusters = slices.DeleteFunc(slices.Clone(h.Clusters), func(c HotPair) bool { return !bareName(c.A) || !bareName(c.B) })
	return h
}
