package state

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

// Gaps lists the few things that a project's memory most wants to know: questions without an answer, searches that found nothing.
var Gaps = brain.Operation[brain.Scope, []Gap]{
	Name: "gaps",
	Run: func(ctx context.Context, b *brain.Brain, in brain.Scope) ([]Gap, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) ([]Gap, error) {
			id, err := brain.Resolve(ctx, tx, b.Config, in)
			if err != nil {
				return nil, err
			}
			gaps, err := GapsOf(ctx, tx, id)
			if gaps == nil {
				gaps = []Gap{}
			}
			return gaps, err
		})
	},
}

// latestSaid are the latest memories of a project and of the person that somebody said.
func latestSaid(ctx context.Context, tx *store.Tx, id memory.ProjectID) ([]store.Kept, error) {
	return tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{0, id}, Current: true, Said: true, Limit: goals.DreamCrystals})
}

// GapsOf are what a project's memory does not know.
func GapsOf(ctx context.Context, tx *store.Tx, id memory.ProjectID) ([]Gap, error) {
	kept, err0 := latestSaid(ctx, tx, id)
	searches, err1 := Searches(ctx, tx, id)
	days, err2 := tx.WorkDays(ctx, id)
	open, err3 := goals.GoalsOf(ctx, tx, id, true)
	asked, said := questions(kept, open)
	return Wants(Unanswered(slices.Concat(asked, searches), said, days, tx.Now)), errors.Join(err0, err1, err2, err3)
}

// KeptGaps are searches that found no answer; other gaps follow from what else is kept.
var KeptGaps = store.Noun[Gap]{
	Kind: memory.KindGap,
	Into: func(g *Gap, m *memory.Memory) {
		m.Project, m.Text, m.Origin, m.SaidAt, m.Accesses = g.Project, g.Text, g.Origin, g.At, int64(g.Times)
		*g = Gap{}
	},
	From: func(g *Gap, m memory.Memory) {
		*g = Gap{Project: m.Project, Kind: GapSearch, Text: m.Text, Times: int(m.Accesses), At: m.SaidAt, Origin: m.Origin}
	},
}

// Searches are the searches of a project that found no answer, the longest ago first.
func Searches(ctx context.Context, tx *store.Tx, id memory.ProjectID) ([]Gap, error) {
	return KeptGaps.All(ctx, tx, store.CrystalFilter{Projects: []memory.ProjectID{id}, OldestFirst: true})
}

// SaveSearches replaces the searches of a project that found no answer.
func SaveSearches(ctx context.Context, tx *store.Tx, id memory.ProjectID, list []Gap) error {
	known, err := Searches(ctx, tx, id)
	for _, g := range known {
		if err == nil && !slices.Contains(list, g) {
			err = tx.Remove(ctx, memory.DerivedID(memory.KindGap, id, g.Text))
		}
	}
	for _, g := range list {
		if g.Project = id; err == nil && !slices.Contains(known, g) {
			err = KeptGaps.Keep(ctx, tx, g)
		}
	}
	return err
}

// gapKnown are of a question's words that the best text must have: a single word is no answer.
const gapKnown = 0.5

// NoticeAnswer remembers a search that found nothing or only weak things, and forgets one that found its answer at last. A search
// that was narrowed down says nothing of what is known. It returns how often the question was asked without an answer.
func NoticeAnswer(ctx context.Context, st *store.Store, c config.Config, in texts.SearchInput, out texts.SearchResult) (times int, err error) {
	query := in.Parsed // SearchTexts has read it
	narrowed := len(in.Kinds)+len(query.Kinds)+len(query.Paths)+len(query.Projects) > 0 || in.Sessions || query.Sessions || !in.AsOf.IsZero() ||
		!query.AsOf.IsZero() || query.Unsure || query.Pinned || !query.Since.IsZero() || !query.Until.IsZero()
	answered := !out.Past && slices.ContainsFunc(out.Found, func(f texts.Found) bool { return f.Known >= gapKnown })
	if narrowed && !answered || out.Documents == 0 || in.All {
		return 0, nil
	}
	asked := Gap{Text: scrub.Line(scrub.Clean(query.Text)), Origin: in.Asker}
	var id memory.ProjectID
	before, err := brain.View(ctx, st, func(tx *store.Tx) (list []Gap, err error) {
		asked.At = tx.Now
		if id, err = brain.Resolve(ctx, tx, c, in.Scope); err != nil || id == 0 {
			return nil, err
		}
		if _, err = tx.Project(ctx, id); err != nil {
			return nil, err
		}
		return Searches(ctx, tx, id)
	})
	if err != nil || id == 0 || c.Paused(id) {
		return 0, err
	}
	if answered && len(Hit(before, asked.Text)) == len(before) {
		return 0, nil // nothing to write: the usual case
	}
	err = st.Update(ctx, func(tx *store.Tx) error {
		list, err := Searches(ctx, tx, id)
		if err != nil {
			return err
		}
		if answered {
			return SaveSearches(ctx, tx, id, Hit(list, asked.Text))
		}
		if list, times = Miss(list, asked); times == 0 {
			return nil
		}
		return SaveSearches(ctx, tx, id, list)
	})
	return times, err
}

// ForgetGaps removes searches that quote what is forgotten.
func ForgetGaps(ctx context.Context, tx *store.Tx, id memory.ProjectID, words string) error {
	list, err := Searches(ctx, tx, id)
	if err != nil || len(list) == 0 {
		return err
	}
	forgotten := goals.Spaced(words)
	left := slices.DeleteFunc(slices.Clone(list), func(g Gap) bool { return brain.Quotes(brain.PlainWords(g.Text), forgotten) })
	if len(left) == len(list) {
		return nil
	}
	return SaveSearches(ctx, tx, id, left)
}

const questionBytes = 4 << 10 // of a text: a question, and its answer, stand at its beginning

// questions are what people and agents noted as a question, and goals that are questions; and what was said that may answer them.
func questions(kept []store.Kept, open []memory.Goal) (gaps []Gap, said []Answer) {
	add := func(origin memory.Origin, at time.Time, sentences ...string) {
		for _, q := range sentences {
			g := Gap{Kind: GapQuestion, Text: scrub.Line(q), Times: 1, At: at, Origin: origin}
			if !slices.ContainsFunc(gaps, func(known Gap) bool { return goals.Spaced(known.Text) == goals.Spaced(g.Text) }) {
				gaps = append(gaps, g)
			}
		}
	}
	for _, c := range kept {
		if !c.Lifecycle.Living() {
			continue
		}
		c.Text = prose.ShortenBytes(c.Text, questionBytes)
		said = append(said, Answer{Text: c.Text, At: c.SaidAt})
		if brain.BySomebody(c.Origin) && c.Heard == 0 && c.Kind != memory.Insight { // what was understood from a prompt is an answer, even in the form of a question
			add(c.Origin, c.SaidAt, OpenQuestions(c.Text)...)
		}
	}
	for _, g := range open {
		if g.Kind == memory.GoalQuestion {
			add(g.Origin, g.CreatedAt, g.Title)
		}
	}
	return gaps, said
}
