package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// ConversationSets are the collections of questions that can be asked.
var ConversationSets = []string{"locomo", "beam", lessonsSet}

var setFolders = map[string]string{"locomo": "locomo", "beam": "beam_100k", lessonsSet: lessonsSet}

const lessonsSet = "lessons"

// ConversationsInput says what to ask.
type ConversationsInput struct {
	Dir    string   // holds text/ and, for lessons, sessions/
	Sets   []string // none: all
	Every  int      // ask each n-th question only; 0 and 1: all
	Tuning tuning.Tuning
}

// ConversationRow is how one ranker answered the questions of one set, in percent.
type ConversationRow struct {
	Bench  string  `json:"bench"`
	Set    string  `json:"set"`
	Ranker string  `json:"ranker"`
	N      int     `json:"n"`
	R5     float64 `json:"r5"`
	R10    float64 `json:"r10"`
	NDCG   float64 `json:"ndcg10"`
	MRR    float64 `json:"mrr"`
	MAP    float64 `json:"map"`
	Hit5   float64 `json:"hit5"`
	P50    float64 `json:"p50_ms,omitempty" show:"%.2f"` // of a question, in a process that has asked before
}

// Conversations asks the questions of sets of conversations: hebb, and the floor it has to beat.
func Conversations(ctx context.Context, in ConversationsInput) (rows []ConversationRow, err error) {
	sets := in.Sets
	if len(sets) == 0 {
		sets = ConversationSets
	}
	for _, name := range sets {
		folder, known := setFolders[name]
		if !known {
			return nil, fmt.Errorf("no set %q; there are %v", name, ConversationSets)
		}
		set, err := readTextSet(name, filepath.Join(in.Dir, "text", folder), in.Every)
		if err != nil {
			return nil, err
		}
		r := &textReplay{ConversationsInput: in, set: set}
		more, err := r.run(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// textReplay asks the questions of one set.
type textReplay struct {
	ConversationsInput
	set    *textSet
	dir    string
	now    time.Time
	brain  *brain.Brain
	floors []*floor
	ids    map[string][]string // by the name hebb gives a text
	places map[string]memory.Place
	marks  map[string][]textMark // by ranker
	order  []string              // of rankers
	took   []time.Duration
}

func (r *textReplay) run(ctx context.Context) (rows []ConversationRow, err error) {
	dir, remove, err := temporary()
	if err != nil {
		return nil, err
	}
	defer remove(&err)
	r.dir, r.ids, r.places, r.marks = dir, map[string][]string{}, map[string]memory.Place{}, map[string][]textMark{}
	t := r.Tuning
	t.Search.IndexNow = len(r.set.memories) + 1
	if r.brain, err = steward.Open(ctx, config.Config{Dir: dir, Tuning: t}, func() time.Time { return r.now }); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	if r.set.name == lessonsSet {
		err = r.lessons(ctx)
	} else {
		err = r.conversations(ctx)
	}
	return r.rows(), err
}

func (r *textReplay) close() error {
	err := r.brain.Close()
	for _, f := range r.floors {
		err = errors.Join(err, f.Close())
	}
	return err
}

// place is where a namespace lives.
func (r *textReplay) place(ns string) memory.Place {
	p, ok := r.places[ns]
	if !ok {
		dir := filepath.Join(r.dir, fmt.Sprintf("project-%d", len(r.places)))
		p = memory.Place{Identity: dir, Root: dir}
		r.places[ns] = p
	}
	return p
}

// until moves the clock on.
func (r *textReplay) until(at time.Time) {
	if at.After(r.now) {
		r.now = at
	}
}

// conversations records all that was said, makes it findable as a drain does, and asks.
func (r *textReplay) conversations(ctx context.Context) error {
	for _, group := range r.set.sessions() {
		var events []memory.Event
		asked := ""
		for i, m := range group {
			at := m.at.Add(time.Duration(i) * time.Second) // the turns of a session often have one time
			e := memory.Event{
				ID: memory.DerivedEventID("bench", m.NS, m.Session, m.ID), At: at, Kind: memory.Prompted, Origin: memory.OriginUser,
				Agent: "bench", AgentSession: m.NS + "/" + m.Session, Place: r.place(m.NS), Text: m.said(),
			}
			if m.Speaker == "assistant" {
				e.Kind, e.Origin = memory.TurnEnded, memory.OriginAgent
			}
			r.until(at)
			if ref := "turn:" + string(e.ID); e.Kind == memory.Prompted || asked == "" {
				asked, r.ids[ref] = ref, []string{m.ID}
			} else { // what was answered is found by what was asked
				r.ids[asked] = append(r.ids[asked], m.ID)
			}
			events = append(events, e)
		}
		if _, err := steward.Run(ctx, r.brain, steward.Observe, events); err != nil {
			return err
		}
	}
	if _, err := steward.Run(ctx, r.brain, steward.Drain, steward.DrainInput{Wait: true}); err != nil {
		return err
	}
	for _, name := range []string{"fts5 turn", fts5Window} {
		f, err := newFloor(ctx, name, r.set.memories)
		if err != nil {
			return err
		}
		r.floors = append(r.floors, f)
	}
	for _, q := range r.set.queries {
		r.until(q.at)
		if err := r.ask(ctx, q, texts.SearchInput{Query: q.Query}); err != nil {
			return err
		}
	}
	return nil
}

const (
	askedFor = 200 // texts that are looked at for each question
	shownFor = 10  // texts that a person is shown: what is timed
)

// ask marks the answers of hebb and of the floors to one question.
func (r *textReplay) ask(ctx context.Context, q textQuery, in texts.SearchInput) error {
	in.Scope, in.Limit = brain.Scope{Project: r.place(q.NS).Project().String()}, askedFor
	out, err := steward.Run(ctx, r.brain, answer.SearchTexts, in)
	if err != nil {
		return fmt.Errorf("question %s: %w", q.QID, err)
	}
	in.Limit = shownFor
	start := time.Now()
	if _, err := steward.Run(ctx, r.brain, answer.SearchTexts, in); err != nil {
		return err
	}
	r.took = append(r.took, time.Since(start))
	var ids [][]string
	for _, found := range out.Found {
		if named := r.ids[found.Ref]; named != nil {
			ids = append(ids, named)
		}
	}
	r.keep(ranker, q, ids)
	for _, f := range r.floors {
		ids, err := f.ask(ctx, q)
		if err != nil {
			return fmt.Errorf("question %s: %w", q.QID, err)
		}
		each := make([][]string, len(ids))
		for i, id := range ids {
			each[i] = []string{id}
		}
		r.keep(f.name, q, each)
	}
	return ctx.Err()
}

func (r *textReplay) keep(name string, q textQuery, ids [][]string) {
	if r.marks[name] == nil {
		r.order = append(r.order, name)
	}
	r.marks[name] = append(r.marks[name], markTexts(ids, q.Gold))
}

// rows sums up.
func (r *textReplay) rows() (rows []ConversationRow) {
	for _, name := range r.order {
		marks := r.marks[name]
		row := ConversationRow{Bench: "conversations", Set: r.set.name, Ranker: name, N: len(marks)}
		for _, m := range marks {
			row.R5, row.R10, row.NDCG = row.R5+m.r5, row.R10+m.r10, row.NDCG+m.ndcg
			row.MRR, row.MAP, row.Hit5 = row.MRR+m.rr, row.MAP+m.ap, row.Hit5+m.hit5
		}
		for _, v := range []*float64{&row.R5, &row.R10, &row.NDCG, &row.MRR, &row.MAP, &row.Hit5} {
			*v = twoDecimals(100 * *v / float64(len(marks)))
		}
		rows = append(rows, row)
	}
	if len(rows) > 0 { // hebb is asked first
		rows[0].P50 = milliseconds(percentile(r.took, .5))
	}
	return rows
}

// textMark is how well one question was answered. All values lie between 0 and 1.
type textMark struct{ r5, r10, ndcg, rr, ap, hit5 float64 }

// markTexts marks a ranking. A place may hold several texts: a question with its answer. One named twice counts once.
func markTexts(places [][]string, gold []string) (m textMark) {
	const deep = 10
	var met []string
	for i, ids := range places {
		rank := float64(i + 1)
		for _, id := range ids {
			if !slices.Contains(gold, id) || slices.Contains(met, id) {
				continue
			}
			met = append(met, id)
			m.ap += float64(len(met)) / rank
			if len(met) == 1 {
				m.rr = 1 / rank
			}
			if i < 5 {
				m.r5++
			}
			if i < deep {
				m.r10++
				m.ndcg += 1 / math.Log2(rank+1)
			}
		}
	}
	ideal := 0.0
	for i := range min(deep, len(gold)) {
		ideal += 1 / math.Log2(float64(i)+2)
	}
	n := float64(len(gold))
	m.hit5 = oneIf(m.r5 > 0)
	m.r5, m.r10, m.ap, m.ndcg = m.r5/n, m.r10/n, m.ap/n, m.ndcg/ideal
	return m
}
