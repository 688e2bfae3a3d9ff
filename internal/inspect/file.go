package inspect

import (
	"context"
	"math"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// FileInput names a file of a project.
type FileInput struct {
	brain.Scope
	Path string `json:"path"`
}

// FilePage is what is known of a file.
type FilePage struct {
	Path       string             `json:"path"`
	State      *brain.NeuronState `json:"state,omitempty"`
	Companions []Companion        `json:"companions"`
	Errors     []FileError        `json:"errors"`
	Memories   []Remembered       `json:"memories"`
	Weeks      []FileWeek         `json:"weeks"`
	Graph      Drawing            `json:"graph"`
}

// Companion is a file that belongs to another.
type Companion struct {
	Path     string    `json:"path"`
	Weight   float64   `json:"weight"`
	Sessions int64     `json:"sessions"`
	Commits  int64     `json:"commits"`
	LastAt   time.Time `json:"last_at"`
}

// FileError is an error that was met or fixed at a file.
type FileError struct {
	Text   string    `json:"text"`
	Times  int64     `json:"times"`
	LastAt time.Time `json:"last_at"`
}

// FileWeek is how much happened at a file in a week. The last is that of now, and none is left out.
type FileWeek struct {
	Week     time.Time `json:"week"`
	Commits  int       `json:"commits"`
	Sessions int       `json:"sessions"`
}

const (
	companionsMost = 16
	aboutMost      = 40
	weeksMost      = 52
	weeksLeast     = 8
	week           = 7 * 24 * time.Hour
)

// File shows what is known of a file: what belongs to it, what was said and what failed there, and how it was worked on over time.
var File = reading("file", func(ctx context.Context, b *brain.Brain, tx *store.Tx, in FileInput) (out FilePage, err error) {
	out = FilePage{Path: in.Path, Companions: []Companion{}, Errors: []FileError{}, Memories: []Remembered{}, Weeks: []FileWeek{}, Graph: Drawing{Nodes: []Node{}, Edges: []Edge{}}}
	id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
	if err != nil {
		return out, err
	}
	n, err := sleep.NamedNeuron(ctx, tx, id, "", in.Path)
	if err == nil {
		r, failed := b.Reader(ctx, tx, n.Project)
		if failed != nil {
			return out, failed
		}
		out.State = new(r.State(n))
		if err = out.wired(ctx, b.Numbers.Plasticity, tx, n); err != nil {
			return out, err
		}
	}
	if brain.IgnoreNotFound(err) != nil {
		return out, err
	}
	about, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id, 0}, Path: in.Path, Current: true, Living: true, Limit: aboutMost})
	if err != nil {
		return out, err
	}
	var list []statements.Memory
	for _, c := range about {
		list = append(list, statements.Memory{Crystal: c.Crystal})
	}
	if out.Memories, err = rows(ctx, b.Config.Tuning.Crystal, tx, list); err != nil {
		return out, err
	}
	return out, out.history(ctx, record.Pasts(b), tx, id)
})

// wired adds what the file is linked to.
func (p *FilePage) wired(ctx context.Context, params plasticity.Params, tx *store.Tx, n store.Strength) error {
	found, err := tx.Companions(ctx, n.ID, aboutMost)
	if err != nil {
		return err
	}
	r, err := brain.NewReader(ctx, tx, params, n.Project)
	if err != nil {
		return err
	}
	for _, c := range found {
		switch {
		case c.Kind == memory.ErrorNeuron:
			p.Errors = append(p.Errors, FileError{fault.Message(c.Key), c.Accesses, c.LastAt})
		case len(p.Companions) < companionsMost:
			p.Companions = append(p.Companions, Companion{Path: c.Key, Weight: r.WeightNow(c.Weight), Sessions: c.CoSessions, LastAt: c.LastMet})
		}
	}
	root, err := graph(ctx, tx, params, n)
	if err == nil {
		p.Graph = draw(*root)
	}
	return err
}

// history counts the commits and sessions that worked on the file, week by week, and those that it shares with its companions.
func (p *FilePage) history(ctx context.Context, pasts *record.PastCache, tx *store.Tx, id memory.ProjectID) error {
	past, err := pasts.Of(ctx, tx, id)
	if err != nil {
		return brain.IgnoreNotFound(err)
	}
	defer pasts.Put(past)
	for i := range p.Companions {
		c := &p.Companions[i]
		commits, last := commitsOfBoth(past, p.Path, c.Path)
		if c.Commits = commits; commits > 0 && c.Sessions == 0 {
			c.LastAt = last // the link has the time at which the commits were learned
		}
	}
	file, known := past.Image.Find(p.Path)
	if !known {
		return nil
	}
	weeks, first := make([]FileWeek, weeksMost), weeksMost
	for i := range weeks {
		weeks[i].Week = tx.Now.UTC().Truncate(week).Add(time.Duration(i+1-weeksMost) * week)
	}
	for _, no := range past.Image.Of(file) {
		e := past.Image.Episode(no)
		at := min(int(e.At.UTC().Truncate(week).Sub(weeks[0].Week)/week), weeksMost-1)
		switch {
		case at < 0:
			continue
		case e.Kind == recall.CommitEpisode:
			weeks[at].Commits++
		default:
			weeks[at].Sessions++
		}
		first = min(first, at)
	}
	if first < weeksMost {
		p.Weeks = weeks[min(first, weeksMost-weeksLeast):]
	}
	return nil
}

// Drawing is a small graph in a square of side 2 around its middle.
type Drawing struct {
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"`
}

// Node is a file or an error in a drawing.
type Node struct {
	Key   string            `json:"key"`
	Kind  memory.NeuronKind `json:"kind"`
	X     float64           `json:"x"`
	Y     float64           `json:"y"`
	Depth int               `json:"depth"`
}

// Edge links two nodes of a drawing, by their numbers.
type Edge struct {
	From   int     `json:"from"`
	To     int     `json:"to"`
	Weight float64 `json:"weight"`
}

// Rings of a drawing: the file is in the middle, what it is linked to around it, and their links outside, each beside its own.
const (
	innerRing = 0.5
	outerRing = 0.92
)

// draw lays a graph out. The same graph is always drawn the same way.
func draw(root GraphNode) (d Drawing) {
	d = Drawing{Nodes: []Node{{Key: root.Key, Kind: root.Kind}}, Edges: []Edge{}}
	leaves, inner := 0, outerRing
	for _, c := range root.Companions {
		leaves += max(len(c.Companions), 1)
		if len(c.Companions) > 0 {
			inner = innerRing
		}
	}
	turn := func(at float64) (float64, float64) {
		angle := 2*math.Pi*at/float64(max(leaves, 1)) - math.Pi/2
		return math.Cos(angle), math.Sin(angle)
	}
	at := 0.0
	for _, c := range root.Companions {
		width := float64(max(len(c.Companions), 1))
		x, y := turn(at + width/2)
		branch := d.add(Node{Key: c.Key, Kind: c.Kind, X: inner * x, Y: inner * y, Depth: 1}, 0, c.Weight)
		for i, twig := range c.Companions {
			x, y := turn(at + float64(i) + 0.5)
			d.add(Node{Key: twig.Key, Kind: twig.Kind, X: outerRing * x, Y: outerRing * y, Depth: 2}, branch, twig.Weight)
		}
		at += width
	}
	return d
}

// add puts a node that hangs on another into a drawing and returns its number.
func (d *Drawing) add(n Node, from int, weight float64) int {
	if n.Kind == memory.ErrorNeuron {
		n.Key = fault.Message(n.Key)
	}
	d.Nodes = append(d.Nodes, n)
	d.Edges = append(d.Edges, Edge{from, len(d.Nodes) - 1, weight})
	return len(d.Nodes) - 1
}
