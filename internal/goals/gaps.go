package goals

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

// Gaps lists what a project's memory has noticed that it does not know, what was met most first: searches that found no answer,
// errors without a fix, open questions, files that are worked on and of which nothing is said.
var Gaps = brain.Operation[brain.Scope, []dream.Gap]{
	Name: "gaps", Summary: "List what is not known: searches without an answer, errors without a fix, open questions",
	Run: func(ctx context.Context, b *brain.Brain, in brain.Scope) ([]dream.Gap, error) {
		return brain.View(ctx, b, func(tx *store.Tx) ([]dream.Gap, error) {
			id, err := b.Resolve(ctx, tx, in)
			if err != nil {
				return nil, err
			}
			gaps, err := GapsOf(ctx, b, tx, id)
			if gaps == nil {
				gaps = []dream.Gap{}
			}
			return gaps, err
		})
	},
}

// GapsOf are what a project's memory does not know.
func GapsOf(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID) ([]dream.Gap, error) {
	kept, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{0, id}, Current: true, Limit: DreamCrystals})
	if err != nil {
		return nil, err
	}
	return GapsAmong(ctx, b, tx, id, kept)
}

// GapsAmong are the gaps of a project of which the latest crystals are known.
func GapsAmong(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, kept []store.Kept) (gaps []dream.Gap, err error) {
	said := make([]memory.Crystal, len(kept))
	for i, c := range kept {
		said[i] = c.Crystal
	}
	searches, err1 := GapsFact(id).Get(ctx, tx)
	questions, err2 := questionsOpen(ctx, tx, id, said)
	var failures, files []dream.Gap
	var err3, err4 error
	if id != 0 {
		failures, err3 = errorsUnfixed(ctx, b, tx, id)
		files, err4 = filesUnknown(ctx, tx, id)
	}
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return nil, err
	}
	gaps = slices.Concat(searches, failures, questions, files)
	return dream.Wants(dream.Unanswered(gaps, said, recall.TextWords, tx.Now)), nil
}

// GapsFact are the searches of a project that found no answer.
func GapsFact(id memory.ProjectID) store.Fact[[]dream.Gap] {
	return store.NewFact[[]dream.Gap]("dream/gaps").Of(id)
}

// SaveSearches replaces the searches of a project that found no answer.
func SaveSearches(ctx context.Context, tx *store.Tx, id memory.ProjectID, list []dream.Gap) error {
	if len(list) == 0 {
		return GapsFact(id).Clear(ctx, tx)
	}
	return GapsFact(id).Set(ctx, tx, list)
}

const (
	gapKnown   = 0.5 // of a question's words that the best text must have: a single word is no answer
	gapErrors  = 2   // times an error without a known fix was met: once may be a slip
	gapTouches = 8   // times a file of which nothing is said was touched: more than one session's work
)

// NoticeAnswer remembers a search that found nothing or only weak things, and forgets one that found its answer at last. A search
// that was narrowed down says nothing of what is known.
func NoticeAnswer(ctx context.Context, b *brain.Brain, in texts.SearchInput, out texts.SearchResult) error {
	query := in.Parsed // SearchTexts has read it
	narrowed := len(in.Kinds)+len(query.Kinds)+len(query.Paths)+len(query.Projects) > 0 || in.Sessions || query.Sessions || !in.AsOf.IsZero() ||
		!query.AsOf.IsZero() || query.Unsure || query.Pinned || (!query.Since.IsZero() || !query.Until.IsZero()) && !query.Worded
	answered := !out.Past && slices.ContainsFunc(out.Found, func(f texts.Found) bool { return f.Known >= gapKnown })
	if narrowed && !answered || out.Documents == 0 || in.All {
		return nil
	}
	asked := dream.Gap{Text: scrub.Line(scrub.Clean(query.Text)), At: b.Now(), Origin: in.Asker}
	var id memory.ProjectID
	before, err := brain.View(ctx, b, func(tx *store.Tx) (list []dream.Gap, err error) {
		if id, err = b.Resolve(ctx, tx, in.Scope); err != nil || id == 0 {
			return nil, err
		}
		if _, err = tx.Project(ctx, id); err != nil {
			return nil, err
		}
		return GapsFact(id).Get(ctx, tx)
	})
	if err != nil || id == 0 || b.Config.Paused(id) {
		return err
	}
	if answered && len(dream.Hit(before, asked.Text, recall.TextWords)) == len(before) {
		return nil // nothing to write: the usual case
	}
	return b.Store.Update(ctx, func(tx *store.Tx) error {
		list, err := GapsFact(id).Get(ctx, tx)
		if err != nil {
			return err
		}
		if answered {
			return SaveSearches(ctx, tx, id, dream.Hit(list, asked.Text, recall.TextWords))
		}
		return SaveSearches(ctx, tx, id, dream.Miss(list, asked, recall.TextWords))
	})
}

// ForgetGaps removes searches that quote what is forgotten.
func ForgetGaps(ctx context.Context, tx *store.Tx, id memory.ProjectID, words string) error {
	list, err := GapsFact(id).Get(ctx, tx)
	if err != nil || len(list) == 0 {
		return err
	}
	forgotten := Spaced(words)
	left := slices.DeleteFunc(slices.Clone(list), func(g dream.Gap) bool { return brain.Quotes(brain.PlainWords(g.Text), forgotten) })
	if len(left) == len(list) {
		return nil
	}
	return SaveSearches(ctx, tx, id, left)
}

const (
	errorsLooked  = 30  // latest errors of a project whose fixes a dream looks for
	promptsLooked = 100 // latest prompts in which it looks for open questions
	filesLooked   = 40  // hottest files of which it asks what is said
)

// errorsUnfixed are errors that were met more than once and for which no fix is known.
func errorsUnfixed(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID) (gaps []dream.Gap, err error) {
	met, err := tx.Neurons(ctx, store.NeuronFilter{Project: id, Kind: memory.ErrorNeuron, Order: store.ByAccesses, Limit: errorsLooked})
	if err != nil {
		return nil, err
	}
	for _, e := range met {
		if e.Gone || e.Accesses < int64(gapErrors) || tx.Now.Sub(e.LastAt) > dream.GapAge {
			continue
		}
		fixes, err := ranking.FixesOf(ctx, b, tx, e.ID)
		if err != nil {
			return nil, err
		}
		if len(fixes) == 0 {
			gaps = append(gaps, dream.Gap{Kind: dream.GapError, Text: FaultMessage(e.Key), Times: int(e.Accesses), At: e.LastAt, Origin: memory.OriginTool})
		}
	}
	return gaps, nil
}

// FaultMessage is what an error says, without its family.
func FaultMessage(key string) string {
	parts := strings.SplitN(key, "|", 3)
	return parts[len(parts)-1]
}

// questionsOpen are questions that people and agents noted, and what people said is not known.
func questionsOpen(ctx context.Context, tx *store.Tx, id memory.ProjectID, said []memory.Crystal) (gaps []dream.Gap, err error) {
	add := func(g dream.Gap, noted bool, text string) {
		for _, q := range dream.OpenQuestions(text, noted) {
			g.Text = scrub.Line(q)
			if !slices.ContainsFunc(gaps, func(known dream.Gap) bool { return known.Text == g.Text }) {
				gaps = append(gaps, g)
			}
		}
	}
	for _, c := range said {
		asked := c.Heard == 0 && c.Kind != memory.Insight // what was understood from a prompt is an answer, even in the form of a question
		if c.Lifecycle.Living() && brain.BySomebody(c.Origin) && asked {
			add(dream.Gap{Kind: dream.GapQuestion, Times: 1, At: c.SaidAt, Origin: c.Origin}, true, c.Text)
		}
	}
	if id == 0 {
		return gaps, nil
	}
	prompts, err := tx.Events(ctx, store.EventFilter{Project: id, Kind: memory.Prompted, Origin: memory.OriginUser, Since: tx.Now.Add(-dream.GapAge), Limit: promptsLooked})
	for _, e := range prompts {
		if e.Subagent == "" && !record.IsCommand(strings.TrimSpace(e.Text)) && len(e.Text) <= promptLength {
			add(dream.Gap{Kind: dream.GapQuestion, Times: 1, At: e.At, Origin: memory.OriginUser}, false, e.Text)
		}
	}
	return gaps, err
}

// promptLength is how long a prompt may be that a person wrote: a longer one is mostly pasted.
const promptLength = 4000

// filesUnknown are files that sessions touched often, and of which nobody has said anything.
func filesUnknown(ctx context.Context, tx *store.Tx, id memory.ProjectID) (gaps []dream.Gap, err error) {
	hot, err := tx.Hottest(ctx, id, plasticity.Nothing, filesLooked)
	if err != nil {
		return nil, err
	}
	for _, h := range hot {
		if h.Touches < int64(gapTouches) || h.Note != "" || brain.BySomebody(h.SummaryBy) || tx.Now.Sub(h.LastAt) > dream.GapAge {
			continue
		}
		about, err := tx.AboutFiles(ctx, id, []string{h.Path}, 1)
		if err != nil {
			return nil, err
		}
		if len(about) == 0 && !strings.ContainsAny(h.Path, " `") { // a name with blanks could be a sentence
			gaps = append(gaps, dream.Gap{Kind: dream.GapFile, Text: h.Path, Times: int(h.Touches), At: h.LastAt, Origin: memory.OriginAgent})
		}
	}
	return gaps, nil
}

// OpenEnds adds what is not known to the material of a dream: gaps, and questions that were kept as goals.
func OpenEnds(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, kept []store.Kept, m *dream.Material) error {
	gaps, err := GapsAmong(ctx, b, tx, id, kept)
	if err != nil {
		return err
	}
	goals, err := GoalsOf(ctx, tx, id, true)
	if err != nil {
		return err
	}
	for _, g := range goals {
		same := slices.ContainsFunc(gaps, func(known dream.Gap) bool { return Spaced(known.Text) == Spaced(g.Title) })
		if g.Kind == memory.GoalQuestion && !same {
			gaps = append(gaps, dream.Gap{Kind: dream.GapQuestion, Text: g.Title, Times: 1, At: g.CreatedAt, Origin: g.Origin})
		}
	}
	for _, g := range gaps {
		g.Text = brain.Harmless(g.Origin, g.Text)
		m.Gaps = append(m.Gaps, g)
	}
	return nil
}
