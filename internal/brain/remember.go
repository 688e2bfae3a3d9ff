package brain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/crystal"
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// What happens to crystals, as their traces tell it.
const (
	traceSaid       = "said"
	traceSaidAgain  = "said again"
	traceSuperseded = "superseded"
	traceMerged     = "merged"
	traceExpired    = "expired"
	traceConfirmed  = "confirmed"
	traceDoubted    = "doubted"
	traceUsed       = "used"
	traceWrong      = "called wrong"
)

// RememberInput is something to be kept.
type RememberInput struct {
	Scope
	Text string             `json:"text"`
	Kind memory.CrystalKind `json:"kind,omitempty"` // empty: a fact
	// Subject is what it is a statement about: it takes the place of an earlier statement about the same.
	Subject string `json:"subject,omitempty"`
	// Everywhere keeps it for all projects: it is about the person, not about this work.
	Everywhere bool `json:"everywhere,omitempty"`
	// Files are the places in the code it speaks of, as path or path#symbol.
	Files  []string      `json:"files,omitempty"`
	Origin memory.Origin `json:"origin,omitempty"` // empty: the user
	Source string        `json:"source,omitempty"`
}

// RememberResult is what was kept.
type RememberResult struct {
	memory.Crystal
	// Known says that it was known word for word.
	Known bool `json:"known,omitempty"`
	// Superseded are the earlier statements whose place it took.
	Superseded []memory.CrystalID `json:"superseded,omitempty"`
}

// Remember keeps a text. When it returns, a power cut loses nothing of it, and search finds it.
var Remember = neverBusy(Operation[RememberInput, RememberResult]{
	Name: "remember", Summary: "Keep a fact, a decision, a lesson or anything else worth finding again",
	Run: func(ctx context.Context, b *Brain, in RememberInput) (RememberResult, error) {
		return b.remember(ctx, in)
	},
}, func(in RememberInput) string { return in.Text })

func (b *Brain) remember(ctx context.Context, in RememberInput) (out RememberResult, err error) {
	if err := fits("remember", in.Text, in.Subject, in.Source); err != nil {
		return out, err
	}
	c := memory.Crystal{
		Kind: in.Kind, Text: strings.TrimSpace(scrub.Clean(in.Text)), Subject: scrub.Line(scrub.Clean(in.Subject)), Origin: in.Origin,
		Source: scrub.Line(scrub.Clean(in.Source)), Lifecycle: memory.Generated,
	}
	if c.Kind == "" {
		c.Kind = memory.Fact
	}
	if c.Origin == "" {
		c.Origin = memory.OriginUser
	}
	switch {
	case strings.TrimSpace(strings.ReplaceAll(c.Text, "[private]", "")) == "":
		return out, fmt.Errorf("there is nothing to remember: give it some words: %w", memory.ErrInvalid)
	case !slices.Contains(memory.CrystalKinds, c.Kind):
		return out, fmt.Errorf("kind %q: want one of %s: %w", c.Kind, kindList(), memory.ErrInvalid)
	}
	var place memory.Place
	if !in.Everywhere && in.Project == "" {
		if place, err = b.placeAt(in.Dir); err != nil {
			return out, err
		}
	}
	err = b.recording(ctx, b.say, func(r *recorder) error {
		switch {
		case in.Everywhere:
		case in.Project != "":
			if c.Project, err = b.named(ctx, r.tx, in.Project); err != nil {
				return err
			}
		default:
			c.Project = place.Project()
			if err := r.seeProject(ctx, memory.Event{At: r.tx.Now, Place: place}); err != nil {
				return err
			}
		}
		if c.Anchors, err = b.anchors(ctx, r.tx, c.Project, c.Text, keys(place, in.Dir, in.Files)); err != nil {
			return err
		}
		if err := b.seen(ctx, r.tx, c, len(in.Files)); err != nil {
			return err
		}
		c.SaidAt = r.tx.Now
		out, err = b.crystallise(ctx, r.tx, c)
		return err
	})
	return out, err
}

func kindList() string {
	names := make([]string, len(memory.CrystalKinds))
	for i, k := range memory.CrystalKinds {
		names[i] = string(k)
	}
	return strings.Join(names, ", ")
}

// crystallise keeps a crystal. What is known word for word is said again; what says something new about a known subject
// takes the place of the earlier statement, which stays as history.
func (b *Brain) crystallise(ctx context.Context, tx *store.Tx, c memory.Crystal) (out RememberResult, err error) {
	rules := crystal.NewRules(b.config.Tuning.Crystal)
	same, err := tx.Crystals(ctx, store.CrystalFilter{Hash: c.Hash(), Projects: []memory.ProjectID{c.Project}, Current: true})
	if err != nil {
		return out, err
	}
	for _, known := range same {
		switch {
		case strings.TrimSpace(known.Text) != c.Text, known.Lifecycle == memory.Archived, c.Origin.Tier() < known.Origin.Tier():
			continue // who is trusted more says it in their own name
		case c.Origin.Tier() > known.Origin.Tier():
			return RememberResult{Crystal: known.Crystal, Known: true}, nil
		}
		return b.sayAgain(ctx, tx, rules, known.Crystal, c)
	}
	return b.addCrystal(ctx, tx, c)
}

// saidImportance is the importance of what was just said, until it is computed: the design's default of notes.
const saidImportance = 0.7

// addCrystal keeps a crystal as a new one, with the document that makes it findable.
func (b *Brain) addCrystal(ctx context.Context, tx *store.Tx, c memory.Crystal) (out RememberResult, err error) {
	rules := crystal.NewRules(b.config.Tuning.Crystal)
	if c.ID == "" {
		id, err := memory.NewEventID(tx.Now, b.entropy)
		if err != nil {
			return out, err
		}
		c.ID = memory.CrystalID(id)
	}
	if c.LastAt.IsZero() {
		c.LastAt = c.SaidAt
	}
	if c.Importance == 0 {
		c.Importance = saidImportance
	}
	c.Subject = rules.Subject(c)
	if out.Superseded, err = b.supersede(ctx, tx, rules, &c); err != nil {
		return out, err
	}
	words := recall.TextWords(c.Text)
	document, err := tx.AddCrystal(ctx, c, words)
	if err != nil {
		return out, err
	}
	out.Crystal = c
	return out, errors.Join(
		tx.SetMeanings(ctx, generalSpace, []store.Meaning{{Document: document, Project: c.Project, Vector: directionOf(words)}}),
		tx.Leave(ctx, store.Trace{Crystal: c.ID, What: traceSaid, Detail: c.Source}))
}

// sayAgain counts that a known text was said once more, and takes over what it is tied to now.
func (b *Brain) sayAgain(ctx context.Context, tx *store.Tx, rules crystal.Rules, known, c memory.Crystal) (out RememberResult, err error) {
	again := rules.Confirm(rules.Use(known, false, tx.Now))
	for _, a := range c.Anchors {
		if !slices.ContainsFunc(again.Anchors, func(k memory.Anchor) bool { return k.Path == a.Path && k.Symbol == a.Symbol }) {
			again.Anchors = append(again.Anchors, a)
		}
	}
	out.Known = true
	if c.Subject != "" {
		again.Subject = rules.Subject(c)
		if out.Superseded, err = b.supersede(ctx, tx, rules, &again); err != nil {
			return out, err
		}
	}
	out.Crystal = again
	return out, errors.Join(tx.SaveCrystal(ctx, again), tx.Leave(ctx, store.Trace{Crystal: again.ID, What: traceSaidAgain, Detail: c.Source}))
}

// supersede ends the earlier statements about a crystal's subject, or the crystal itself if it is the earlier one.
func (b *Brain) supersede(ctx context.Context, tx *store.Tx, rules crystal.Rules, c *memory.Crystal) (ended []memory.CrystalID, err error) {
	if c.Subject == "" {
		return nil, nil
	}
	others, err := tx.Crystals(ctx, store.CrystalFilter{Subject: c.Subject, Projects: []memory.ProjectID{c.Project}, Current: true})
	if err != nil {
		return nil, err
	}
	for _, other := range others {
		if other.SaidAt.After(c.SaidAt) {
			if rules.Succession(other.Crystal, *c) == crystal.Replaces && (c.ValidTo.IsZero() || other.SaidAt.Before(c.ValidTo)) {
				c.ValidTo = other.SaidAt
			}
			continue
		}
		if rules.Succession(*c, other.Crystal) != crystal.Replaces {
			continue
		}
		var older memory.Crystal
		*c, older = crystal.Supersede(*c, other.Crystal)
		err := errors.Join(tx.SaveCrystal(ctx, older), tx.Leave(ctx, store.Trace{Crystal: older.ID, What: traceSuperseded, Detail: string(c.ID)}))
		if err != nil {
			return nil, err
		}
		ended = append(ended, older.ID)
	}
	return ended, nil
}

// generalSpace is the space in which everything said has a direction.
const generalSpace = embedding.GeneralSpace

func directionOf(words []string) memory.Vector { return embedding.General(words) }

// anchors finds the places in the code that a text speaks of: those that are named to it, and files it names itself.
func (b *Brain) anchors(ctx context.Context, tx *store.Tx, id memory.ProjectID, text string, named []string) (found []memory.Anchor, err error) {
	add := func(path, symbol string) {
		a := memory.Anchor{Path: path, Symbol: symbol}
		if !slices.ContainsFunc(found, func(known memory.Anchor) bool { return known.Path == path && known.Symbol == symbol }) {
			found = append(found, a)
		}
	}
	for _, name := range named {
		path, symbol, _ := strings.Cut(name, "#")
		add(scrubbedPath(path), scrub.Line(scrub.Clean(symbol)))
	}
	if id == 0 {
		return found, nil
	}
	for word := range strings.FieldsSeq(text) {
		path := strings.Trim(word, "\"'`“”‘’()[]{}<>,;:!?*.")
		path = strings.TrimPrefix(path, "./")
		if !strings.ContainsAny(path, "./") || len(found) >= anchorsMost {
			continue
		}
		n, err := tx.Neuron(ctx, memory.NewNeuronID(id, memory.FileNeuron, path))
		if err == nil && !n.Gone {
			add(path, "")
		} else if err != nil && !isNotFound(err) {
			return nil, err
		}
	}
	return found, nil
}

// keys are files as the project knows them: named from the working directory, by their whole path, or from the project's
// root where there is none of that name in the directory.
func keys(place memory.Place, dir string, files []string) []string {
	out := make([]string, len(files))
	for i, name := range files {
		path, symbol, tied := strings.Cut(name, "#")
		key := memory.EscapePath(filepath.ToSlash(strings.TrimPrefix(path, "./")))
		if place.Identity != "" {
			there := path
			if !filepath.IsAbs(path) {
				there = filepath.Join(dir, path)
			}
			if _, err := os.Stat(there); err == nil {
				key = project.Key(place, there)
			}
		}
		if out[i] = key; tied {
			out[i] += "#" + symbol
		}
	}
	return out
}

// seen notes how the places are that a text speaks of. Those that were named to it, which come first, must be there, where
// the project's files are on this machine.
func (b *Brain) seen(ctx context.Context, tx *store.Tx, c memory.Crystal, named int) error {
	root, err := b.rootOf(ctx, tx, c.Project)
	if err != nil || root == "" || !isFolder(root) {
		return err
	}
	for i, a := range c.Anchors {
		var there bool
		c.Anchors[i].Hash, there = codeHash(root, a)
		if !there && i < named {
			return fmt.Errorf("%s is not in %s: name a file of the project, and of symbols a function or a type: %w", a, root, errNoSuch)
		}
	}
	return nil
}

func isFolder(path string) bool {
	info, err := os.Stat(filepath.FromSlash(path))
	return err == nil && info.IsDir()
}

const anchorsMost = 16 // a text that names more files speaks of none
