package texts

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// IndexInput says how to make texts findable.
type IndexInput struct {
	// Progress receives how many of all texts are done.
	Progress func(done, total int) `json:"-"`
}

// IndexResult counts what became findable.
type IndexResult struct {
	Texts int `json:"texts"` // new
}

// IndexTexts makes findable what has been said and committed.
var IndexTexts = brain.Operation[IndexInput, IndexResult]{
	Name: "index-texts",
	Run: func(ctx context.Context, b *brain.Brain, in IndexInput) (out IndexResult, err error) {
		total, err := unindexed(ctx, b.Store)
		if err != nil {
			return out, err
		}
		progress := func(done int) {
			if in.Progress != nil {
				in.Progress(done, int(total))
			}
		}
		out.Texts, err = Index(ctx, b, 0, progress)
		return out, err
	},
}

// textSeq is the event up to which texts are indexed.
var textSeq = store.NewFact[int64]("text/turns")

// unindexed is how many events have texts that are not indexed yet.
func unindexed(ctx context.Context, st *store.Store) (int64, error) {
	return brain.View(ctx, st, func(tx *store.Tx) (int64, error) {
		after, err := textSeq.Get(ctx, tx)
		if err != nil {
			return 0, err
		}
		return tx.CountEventsWithText(ctx, after)
	})
}

// Index makes findable what has been said and committed since the last time, in small transactions: at most this
// many texts, 0 for all.
func Index(ctx context.Context, b *brain.Brain, most int, progress func(done int)) (done int, err error) {
	if waiting, err := unindexed(ctx, b.Store); err != nil || waiting == 0 { // first only a read, which waits for no lock
		return 0, err
	}
	size := brain.FirstBatch(b.Config.Tuning.Store)
	for most == 0 || done < most {
		began := b.Now()
		n := 0
		err := b.Store.Update(ctx, func(tx *store.Tx) error {
			after, err := textSeq.Get(ctx, tx)
			if err != nil {
				return err
			}
			events, err := tx.EventsWithText(ctx, after, size.Size)
			if n = len(events); err != nil || n == 0 {
				return err
			}
			docs, err := documentsOf(ctx, tx, events)
			if err != nil {
				return err
			}
			if _, err := AddDocuments(ctx, tx, docs); err != nil {
				return err
			}
			return textSeq.Set(ctx, tx, events[n-1].Seq)
		})
		if err != nil || n == 0 {
			return done, err
		}
		done += n
		if progress != nil {
			progress(done)
		}
		full := n == size.Size
		size.Took(n, b.Now().Sub(began))
		if !full {
			return done, nil
		}
	}
	return done, nil
}

// AddDocuments writes documents with what they mean.
func AddDocuments(ctx context.Context, tx *store.Tx, docs []store.Document) ([]int64, error) {
	ids, err := tx.AddDocuments(ctx, docs)
	if err != nil {
		return nil, err
	}
	meanings := make([]store.DocumentVector, len(docs))
	for i, d := range docs {
		meanings[i] = store.DocumentVector{Document: ids[i], Project: d.Project, Vector: vectorOf(d)}
	}
	return ids, tx.SetVectors(ctx, GeneralModel, meanings)
}

// DropSegments deletes what hebb kept of a session in segments until November 2026: it may name what is forgotten.
func DropSegments(ctx context.Context, tx *store.Tx, id memory.SessionID) error {
	var old []int64
	err := tx.LatestStubs(ctx, store.DocumentFilter{Session: id, Kinds: []string{memory.SegmentText}}, func(d store.Stub) error {
		old = append(old, d.ID)
		return nil
	})
	if err != nil || len(old) == 0 {
		return err
	}
	return tx.DeleteDocuments(ctx, old...)
}

// contextShare is the share of a turn's vector that comes from the turn with its neighbours: a third was measured best.
const contextShare = 0.33

// vectorOf is the vector of a document. That of a turn includes a share of its neighbours: a short answer alone says nothing.
func vectorOf(d store.Document) memory.Vector {
	own := VectorOf(d.Words)
	if d.Kind != memory.SessionText || len(d.Around) == 0 {
		return own
	}
	whole := VectorOf(slices.Concat(d.Words, d.Around))
	if own == nil || whole == nil {
		return whole
	}
	sum := make([]float32, len(own))
	x, y := unit(own), unit(whole)
	for i := range sum {
		sum[i] = float32((1-contextShare)*x[i] + contextShare*y[i])
	}
	return memory.NewVector(sum)
}

func unit(v memory.Vector) []float64 {
	length := 0.0
	for _, x := range v {
		length += float64(x) * float64(x)
	}
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x) / math.Sqrt(math.Max(length, 1))
	}
	return out
}

// documentsOf makes texts of events. A turn also holds the words of its neighbours, so those before and after new turns
// are made again. Events need not be the last of their session: an import may bring earlier ones.
func documentsOf(ctx context.Context, tx *store.Tx, events []store.Numbered) (docs []store.Document, err error) {
	type span struct{ from, to int64 }
	of := map[memory.SessionID]span{}
	var sessions []memory.SessionID
	for _, e := range events {
		switch s, met := of[e.Session]; {
		case e.Kind == memory.Committed:
			docs = append(docs, commitDocument(e))
		case e.Session == 0:
		case !met:
			sessions = append(sessions, e.Session)
			of[e.Session] = span{e.Ord, e.Ord}
		default:
			of[e.Session] = span{min(s.from, e.Ord), max(s.to, e.Ord)}
		}
	}
	for _, id := range sessions {
		const beside = 2 // the turn that gets a new neighbour, and its other neighbour
		from, to, err := tx.TurnsBeside(ctx, id, of[id].from, of[id].to, beside)
		if err != nil {
			return nil, err
		}
		said, err := tx.SaidBetween(ctx, id, from, to)
		if err != nil {
			return nil, err
		}
		made, err := TurnDocuments(ctx, tx, said, from > 0, to < math.MaxInt64)
		if err == nil {
			err = dropAnswers(ctx, tx, said)
		}
		if err != nil {
			return nil, err
		}
		docs = append(docs, made...)
	}
	return docs, nil
}

// commitDocument is what a commit says: its words, and around them those of the files it changed.
func commitDocument(e store.Numbered) store.Document {
	const files = 20 // more say little of a commit
	d := store.Document{
		Ref: "commit:" + string(e.ID), Project: e.Project, Kind: memory.CommitText, Origin: e.Origin, At: e.At, Title: e.Input, Text: e.Text,
		Words: vocab.TextWords(e.Text), EventSeq: e.Seq,
	}
	for i, t := range e.Touches {
		if i == files {
			break
		}
		d.Around = append(d.Around, vocab.TextWords(t.Path)...)
	}
	if len(e.Touches) == 1 {
		d.Path = e.Touches[0].Path
	}
	return d
}

// aroundWords are the words of each neighbour kept with a turn: with 60 long answers drown what was asked (BEAM R@5 58.1, so 59.0).
const aroundWords = 20

// turn is a prompt and what the agent said until the next one.
type turn struct {
	store.Numbered
	answers []store.Numbered
	words   []string // of all of it
}

// turnsOf groups what was said in a session. What is no answer to a prompt is a turn of its own.
func turnsOf(said []store.Numbered) (turns []turn) {
	for _, e := range said {
		words := vocab.TextWords(e.Text)
		if n := len(turns); n > 0 && e.Kind == memory.TurnEnded && turns[n-1].Kind == memory.Prompted {
			turns[n-1].answers, turns[n-1].words = append(turns[n-1].answers, e), append(turns[n-1].words, words...)
		} else {
			turns = append(turns, turn{Numbered: e, words: words})
		}
	}
	return turns
}

// TurnDocuments makes texts of what was said in a session, in order. before and after say that the first and the last turn are here only as
// neighbours. What the agent answered has no text of its own, it stands around the prompt's: with as much weight as the prompt itself long answers
// drown what was asked (BEAM R@5 54.0, so 45.1), and as texts apart the two are found less (related tasks at 10: .88, so .80).
func TurnDocuments(ctx context.Context, tx *store.Tx, said []store.Numbered, before, after bool) (docs []store.Document, err error) {
	const files = 12
	turns := turnsOf(said)
	for i, t := range turns {
		if before && i == 0 || after && i == len(turns)-1 {
			continue
		}
		d := store.Document{
			Ref: turnRef(t.ID), Project: t.Project, Kind: memory.SessionText, Origin: t.Origin, At: t.At, Text: t.Text, Words: vocab.TextWords(t.Text),
			Session: t.Session, EventSeq: t.Seq, Title: string(t.Kind),
		}
		upto := int64(math.MaxInt64)
		d.Around = append(d.Around, t.words[len(d.Words):]...)
		if i > 0 {
			last := turns[i-1].words
			d.Around = append(d.Around, last[max(0, len(last)-aroundWords):]...)
		}
		if i+1 < len(turns) {
			next := turns[i+1]
			upto = next.Ord
			d.Around = append(d.Around, next.words[:min(len(next.words), aroundWords)]...)
		}
		edited, err := tx.EditedBetween(ctx, t.Session, t.Ord, upto, files)
		if err != nil {
			return nil, err
		}
		d.Around = append(d.Around, vocab.TextWords(strings.Join(edited, " "))...)
		docs = append(docs, d)
	}
	return slices.Clip(docs), nil
}

func turnRef(id memory.EventID) string { return "turn:" + string(id) }

// dropAnswers deletes texts of answers that were found by themselves: earlier versions made them, and their prompt may have come later.
func dropAnswers(ctx context.Context, tx *store.Tx, said []store.Numbered) error {
	var refs []string
	for _, t := range turnsOf(said) {
		for _, a := range t.answers {
			refs = append(refs, turnRef(a.ID))
		}
	}
	docs, err := tx.DocumentsByRef(ctx, refs...)
	if err != nil || len(docs) == 0 {
		return err
	}
	ids := make([]int64, len(docs))
	for i, d := range docs {
		ids[i] = d.ID
	}
	return tx.DeleteDocuments(ctx, ids...)
}
