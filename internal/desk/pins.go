package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/config"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sheet"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// PinInput is something that must never go.
type PinInput struct {
	brain.Scope
	Title      string `json:"title" arg:"1"`
	Text       string `json:"text,omitempty" arg:"2..-"` // empty: that of the pin of this title; if there is none, the title says it
	Reason     string `json:"reason,omitempty" flag:"reason" about:"why it is pinned"`
	Everywhere bool   `json:"everywhere,omitempty" flag:"everywhere"`
	// Origin is who pins it; empty: the user. What anybody else pins waits for the user to accept it.
	Origin memory.Origin `json:"origin,omitempty"`
}

// PinResult is a pin, and what it did to the room that pins have.
type PinResult struct {
	memory.Pin
	// Replaced says that a pin of this title was there, with another text.
	Replaced bool `json:"replaced,omitempty"`
	// Bytes and Most are what the pins shown in this project take at the start of a session, and may take.
	Bytes int `json:"bytes"`
	Most  int `json:"most"`
}

// PinText pins a text: it is shown at the start of every session, never fades and never goes.
var PinText = brain.NeverBusy(brain.Operation[PinInput, PinResult]{
	Name: "pin", Files: brain.WriteAllFiles,
	Run: func(ctx context.Context, b *brain.Brain, in PinInput) (out PinResult, err error) {
		err = record.RecordingIn(ctx, b, in.Scope, in.Everywhere, func(r *record.Recorder, id memory.ProjectID, _ memory.Place) error {
			p := memory.Pin{Project: id, Title: in.Title, Text: in.Text, Reason: in.Reason, Origin: in.Origin}
			out.Pin, out.Replaced, err = Pin(ctx, b.Config.Tuning.Crystal, r.Tx, p)
			if err != nil {
				return err
			}
			out.Bytes, out.Most, err = pinRoom(ctx, b.Config.Tuning.Context, r.Tx, p.Project)
			return err
		})
		return out, err
	},
}, func(in PinInput) string { return brain.Joined(in.Title, in.Text, in.Reason) })

// Pin keeps a pin. One of the same title gets the new text, if there is one; its earlier text stays as history. What the person did not pin
// is a proposal: it never takes the place of the person's pin of that title, and the person's pin ends a proposal.
func Pin(ctx context.Context, settings tuning.Crystal, tx *store.Tx, p memory.Pin) (kept memory.Pin, replaced bool, err error) {
	if err := brain.Fits("pin", p.Origin, p.Title, p.Text, p.Reason); err != nil {
		return p, false, err
	}
	p.Title, p.Reason = scrub.Line(scrub.Clean(p.Title)), strings.TrimSpace(scrub.Clean(p.Reason))
	p.Text = strings.TrimSpace(scrub.Clean(p.Text))
	normal := NormalTitle(p.Title)
	if normal == "" {
		return p, false, fmt.Errorf("pin: give it a title of some words: %w", memory.ErrInvalid)
	}
	p.Origin = cmp.Or(p.Origin, memory.OriginUser)
	if p.Waiting() {
		if own, err := PinOf(ctx, tx, p.Project, normal, false); err == nil && (own.Text == p.Text || p.Text == "") {
			return own, false, nil
		}
	} else { // what somebody else proposed under this title ends
		proposed, err := PinOf(ctx, tx, p.Project, normal, true)
		if err == nil {
			err = endPin(ctx, tx, proposed)
		}
		if err := brain.IgnoreNotFound(err); err != nil {
			return p, false, err
		}
	}
	known, err := PinOf(ctx, tx, p.Project, normal, p.Waiting())
	p.Text = cmp.Or(p.Text, known.Text, p.Title)
	switch {
	case brain.IsNotFound(err):
	case err != nil:
		return p, false, err
	case known.Text == p.Text:
		known.Reason = cmp.Or(p.Reason, known.Reason)
		return known, false, tx.SetPin(ctx, known, PinKey(known))
	default:
		p.Reason = cmp.Or(p.Reason, known.Reason)
		if err := endPin(ctx, tx, known); err != nil {
			return p, false, err
		}
		replaced = true
	}
	if err := statements.Room(ctx, tx, p.Project, p.Origin); err != nil {
		return p, replaced, err
	}
	text := memory.Crystal{Project: p.Project, Kind: memory.Fact, Text: titled(p), Origin: p.Origin, Source: "pin", Lifecycle: memory.Generated, SaidAt: tx.Now}
	said, err := statements.Crystallise(ctx, settings, tx, text)
	if err == nil && said.Origin != p.Origin { // a pin has the origin of its text: a proposal may not hang on the person's
		said, err = statements.AddCrystal(ctx, tx, text)
	}
	if err != nil {
		return p, replaced, err
	}
	c := said.Crystal
	pins, err := tx.Pins(ctx, p.Project)
	if err != nil {
		return p, replaced, err
	}
	for _, other := range pins {
		if other.Crystal == c.ID || other.Text == p.Text && other.Waiting() == p.Waiting() {
			return p, replaced, fmt.Errorf("pin %q: the same text is pinned as %q: unpin that first, or say more here: %w", p.Title, other.Title, memory.ErrConflict)
		}
	}
	c.Lifecycle = memory.Frozen // never changes and never goes
	p.Crystal, p.At = c.ID, tx.Now
	return p, replaced, errors.Join(tx.SaveCrystal(ctx, c), tx.SetPin(ctx, p, PinKey(p)))
}

// PinKey is the title by which the store distinguishes pins of a project. A proposal may have the title of a pin; no title begins
// with a blank.
func PinKey(p memory.Pin) string {
	if p.Waiting() {
		return " " + NormalTitle(p.Title)
	}
	return NormalTitle(p.Title)
}

// titled is what is kept of a pin: its title is to be found as well.
func titled(p memory.Pin) string {
	if p.Text == p.Title {
		return p.Text
	}
	return p.Title + ": " + p.Text
}

// PinOf is the pin of a title, or the proposal of one.
func PinOf(ctx context.Context, tx *store.Tx, project memory.ProjectID, normal string, waiting bool) (memory.Pin, error) {
	pins, err := tx.Pins(ctx, project)
	if err != nil {
		return memory.Pin{}, err
	}
	for _, p := range pins {
		if NormalTitle(p.Title) == normal && p.Waiting() == waiting {
			return p, nil
		}
	}
	return memory.Pin{}, fmt.Errorf("pin %q: %w", normal, memory.ErrNotFound)
}

// pinMeant is the pin of a title or, if there is none, the only one whose title has it as a part.
func pinMeant(pins []memory.Pin, title string) (memory.Pin, error) {
	normal := NormalTitle(title)
	var parts []memory.Pin
	for _, p := range pins {
		known := NormalTitle(p.Title)
		if known == normal {
			return p, nil
		}
		if normal != "" && strings.Contains(known, normal) {
			parts = append(parts, p)
		}
	}
	switch len(parts) {
	case 0:
		return memory.Pin{}, fmt.Errorf("pin %q (hebb pin list lists them): %w", scrub.Line(title), memory.ErrNotFound)
	case 1:
		return parts[0], nil
	}
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = fmt.Sprintf("%q", scrub.Line(p.Title))
	}
	return memory.Pin{}, fmt.Errorf("pin %q could be %s: give more of the title: %w", scrub.Line(title), strings.Join(names, " or "), memory.ErrConflict)
}

// RemovePin takes a pin off. Its text stays a memory like any other.
func RemovePin(ctx context.Context, tx *store.Tx, p memory.Pin) error {
	c, err := tx.Crystal(ctx, p.Crystal)
	if err != nil {
		return err
	}
	c.Lifecycle = memory.Activated
	return errors.Join(tx.DeletePin(ctx, p.Crystal), tx.SaveCrystal(ctx, c.Crystal), tx.Leave(ctx, store.Trace{Crystal: c.ID, What: traceUnpinned, Detail: p.Title}))
}

const traceUnpinned = "unpinned"

// endPin takes a pin off whose place another text takes: what it said is history.
func endPin(ctx context.Context, tx *store.Tx, p memory.Pin) error {
	if err := RemovePin(ctx, tx, p); err != nil {
		return err
	}
	c, err := tx.Crystal(ctx, p.Crystal)
	if err != nil {
		return err
	}
	c.ValidTo = tx.Now
	return tx.SaveCrystal(ctx, c.Crystal)
}

// pinRoom is what the pins that a session of a project is shown take, and may take.
func pinRoom(ctx context.Context, settings tuning.Context, tx *store.Tx, id memory.ProjectID) (bytes, most int, err error) {
	pins, _, err := PinsHere(ctx, tx, id)
	return PinBytes(pins), settings.Pins, err
}

// PinsHere are the pins of a project and those that hold everywhere, and the proposals that wait for the person.
func PinsHere(ctx context.Context, tx *store.Tx, id memory.ProjectID) (pins, waiting []memory.Pin, err error) {
	ids := []memory.ProjectID{0, id}
	if id == 0 {
		ids = ids[:1]
	}
	all, err := tx.Pins(ctx, ids...)
	pins, waiting = []memory.Pin{}, []memory.Pin{}
	for _, p := range all {
		if p.Waiting() {
			waiting = append(waiting, p)
		} else {
			pins = append(pins, p)
		}
	}
	return pins, waiting, err
}

// PinnedView is the file of what is pinned in a project; without a folder, of what is pinned everywhere.
func PinnedView(settings tuning.Crystal, folder string, id memory.ProjectID) FileView {
	pinned := func(ctx context.Context, tx *store.Tx) ([]memory.Pin, error) {
		pins, err := tx.Pins(ctx, id)
		return slices.DeleteFunc(pins, memory.Pin.Waiting), err
	}
	return FileView{
		Name: path.Join(folder, "PINNED.md"),
		Render: func(ctx context.Context, tx *store.Tx) (string, error) {
			pins, err := pinned(ctx, tx)
			if err != nil || len(pins) == 0 && id != 0 {
				return "", err
			}
			return renderPins(pins), nil
		},
		Read: func(ctx context.Context, tx *store.Tx, text string) ([]sheet.Entry, error) {
			pins, err := pinned(ctx, tx)
			entries, unread := readPins(text, pins)
			return entries, errors.Join(err, unread)
		},
		Take: func(ctx context.Context, r *record.Recorder, c sheet.Change, _ string) error {
			return takePins(ctx, settings, r.Tx, id, c)
		},
	}
}

// takePins keeps what a person changed in PINNED.md. A pin that another title is given is another pin.
func takePins(ctx context.Context, settings tuning.Crystal, tx *store.Tx, id memory.ProjectID, c sheet.Change) error {
	known, err := tx.Pins(ctx, id)
	if err != nil {
		return err
	}
	for _, e := range slices.Concat(c.Gone, c.Edited) {
		at := slices.IndexFunc(known, func(p memory.Pin) bool { return string(p.Crystal) == e.ID })
		renamed := at >= 0 && NormalTitle(known[at].Title) != NormalTitle(pinOf(e).Title)
		if at < 0 || slices.Contains(c.Edited, e) && !renamed {
			continue
		}
		if err := RemovePin(ctx, tx, known[at]); err != nil {
			return err
		}
	}
	for _, e := range slices.Concat(c.Edited, c.New) {
		p := pinOf(e)
		if _, _, err := Pin(ctx, settings, tx, memory.Pin{Project: id, Title: p.Title, Text: cmp.Or(p.Text, p.Title), Reason: p.Reason, Origin: memory.OriginUser}); err != nil {
			return err
		}
	}
	return nil
}

// PinsResult lists pins.
type PinsResult struct {
	Pins []memory.Pin `json:"pins"`
	// Waiting are proposals: agents made them, and no session is shown them until the user accepts them.
	Waiting []memory.Pin `json:"waiting"`

	Bytes int `json:"bytes"` // that they take at the start of a session
	Most  int `json:"most"`  // that they may take
	// Warnings are edits of files that could not be imported.
	Warnings []string `json:"warnings,omitempty"`
}

// Pins lists what is pinned in a project and everywhere.
var Pins = brain.Operation[brain.Scope, PinsResult]{
	Name: "pins", Files: brain.ReadFiles, // somebody may have pinned by hand
	Run: func(ctx context.Context, b *brain.Brain, in brain.Scope) (PinsResult, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (out PinsResult, err error) {
			id, err := brain.Resolve(ctx, tx, b.Config, in)
			if err != nil {
				return out, err
			}
			if out.Pins, out.Waiting, err = PinsHere(ctx, tx, id); err != nil {
				return out, err
			}
			out.Bytes, out.Most, err = pinRoom(ctx, b.Config.Tuning.Context, tx, id)
			return out, err
		})
	},
}

// UnpinInput names a pin by its title.
type UnpinInput struct {
	brain.Scope
	Title      string `json:"title" arg:"1.."`
	Everywhere bool   `json:"everywhere,omitempty" flag:"everywhere"`
	// Origin is who asks; empty: the user. Anybody else takes off proposals only.
	Origin memory.Origin `json:"origin,omitempty"`
}

// Unpin takes a pin off, or turns a proposal down. Its text stays findable.
var Unpin = brain.NeverBusy(brain.Operation[UnpinInput, memory.Pin]{
	Name: "unpin", Files: brain.WriteAllFiles,
	Run: func(ctx context.Context, b *brain.Brain, in UnpinInput) (memory.Pin, error) {
		return brain.Update(ctx, b, func(tx *store.Tx) (memory.Pin, error) {
			pins, waiting, err := pinsNamed(ctx, b.Config, tx, in)
			if err != nil {
				return memory.Pin{}, err
			}
			p, err := pinMeant(pins, in.Title)
			switch {
			case brain.IsNotFound(err):
				p, err = pinMeant(waiting, in.Title)
			case !brain.ByUser(in.Origin):
				if p, err = pinMeant(waiting, in.Title); brain.IsNotFound(err) {
					err = brain.PersonsOwn("unpin", fmt.Sprintf("pin %q", scrub.Line(in.Title)))
				}
			}
			if err != nil {
				return p, err
			}
			return p, RemovePin(ctx, tx, p)
		})
	},
}, nil)

// PinMemoryInput names a memory by its ID.
type PinMemoryInput struct {
	ID     string `json:"id"`
	Title  string `json:"title,omitempty"` // empty: its first words
	Reason string `json:"reason,omitempty"`
	// Off takes its pin off.
	Off bool `json:"off,omitempty"`
}

// PinMemory pins a memory as it is, for the person, or takes its pin off: no second text is made, and no other pin ends.
var PinMemory = brain.NeverBusy(brain.Operation[PinMemoryInput, memory.Pin]{
	Name: "pin-memory", Files: brain.WriteAllFiles,
	Run: func(ctx context.Context, b *brain.Brain, in PinMemoryInput) (memory.Pin, error) {
		return brain.Update(ctx, b, func(tx *store.Tx) (memory.Pin, error) { return pinMemory(ctx, tx, in) })
	},
}, nil)

func pinMemory(ctx context.Context, tx *store.Tx, in PinMemoryInput) (p memory.Pin, err error) {
	c, err := statements.FindCrystal(ctx, tx, in.ID)
	if err != nil {
		return p, err
	}
	pins, err := tx.Pins(ctx, c.Project)
	if err != nil {
		return p, err
	}
	if i := slices.IndexFunc(pins, func(p memory.Pin) bool { return p.Crystal == c.ID }); i >= 0 {
		p = pins[i]
	}
	switch known := p.Crystal != ""; {
	case in.Off && !known:
		return p, fmt.Errorf("memory %s is not pinned: %w", c.ID, memory.ErrNotFound)
	case in.Off:
		return p, RemovePin(ctx, tx, p)
	case known && !p.Waiting():
		return p, nil
	case !c.ValidTo.IsZero() || !c.Lifecycle.Living():
		return p, fmt.Errorf("pin %s: it does not hold; confirm it first: %w", c.ID, memory.ErrRefused)
	}
	if err := brain.Fits("pin", memory.OriginUser, in.Title, in.Reason); err != nil {
		return p, err
	}
	p = memory.Pin{
		Crystal: c.ID, Project: c.Project, Text: c.Text, Origin: memory.OriginUser, At: tx.Now,
		Title: cmp.Or(scrub.Line(scrub.Clean(in.Title)), firstWords(c.Text, pins)), Reason: strings.TrimSpace(scrub.Clean(in.Reason)),
	}
	c.Lifecycle = memory.Frozen
	return p, errors.Join(tx.SetPin(ctx, p, PinKey(p)), tx.SaveCrystal(ctx, c.Crystal))
}

const titleWords = 8 // of a text that is pinned without a title

// firstWords is a title for a text: so many words of it that no other pin has this title, and a number where all of them do not suffice.
func firstWords(text string, pins []memory.Pin) string {
	words := strings.Fields(text)
	for n := titleWords; ; n++ {
		title := strings.Join(words[:min(n, len(words))], " ")
		switch {
		case n < len(words):
			title += "…"
		case n > max(len(words), titleWords):
			title = fmt.Sprintf("%s %d", title, n-max(len(words), titleWords)+1)
		}
		if !slices.ContainsFunc(pins, func(p memory.Pin) bool { return !p.Waiting() && NormalTitle(p.Title) == NormalTitle(title) }) {
			return title
		}
	}
}

// AcceptPin makes a proposed pin the person's own. Only the person may.
var AcceptPin = brain.NeverBusy(brain.Operation[UnpinInput, PinResult]{
	Name: "pin-accept", Files: brain.WriteAllFiles,
	Run: func(ctx context.Context, b *brain.Brain, in UnpinInput) (PinResult, error) {
		if !brain.ByUser(in.Origin) {
			return PinResult{}, brain.PersonsOwn("accept", fmt.Sprintf("pin %q", scrub.Line(in.Title)))
		}
		return brain.Update(ctx, b, func(tx *store.Tx) (out PinResult, err error) {
			_, waiting, err := pinsNamed(ctx, b.Config, tx, in)
			if err != nil {
				return out, err
			}
			p, err := pinMeant(waiting, in.Title)
			if brain.IsNotFound(err) {
				return out, fmt.Errorf("no waiting pin %q (hebb pin list --waiting lists them): %w", scrub.Line(in.Title), memory.ErrNotFound)
			}
			if err != nil {
				return out, err
			}
			p.Origin = memory.OriginUser
			if out.Pin, out.Replaced, err = Pin(ctx, b.Config.Tuning.Crystal, tx, p); err != nil {
				return out, err
			}
			out.Bytes, out.Most, err = pinRoom(ctx, b.Config.Tuning.Context, tx, p.Project)
			return out, err
		})
	},
}, nil)

// pinsNamed are the pins among which a title is looked for: of the project first, then those that hold everywhere.
func pinsNamed(ctx context.Context, c config.Config, tx *store.Tx, in UnpinInput) (pins, waiting []memory.Pin, err error) {
	var id memory.ProjectID
	if !in.Everywhere {
		if id, err = brain.Resolve(ctx, tx, c, in.Scope); err != nil {
			return nil, nil, err
		}
	}
	pins, waiting, err = PinsHere(ctx, tx, id)
	for _, list := range [][]memory.Pin{pins, waiting} {
		slices.SortStableFunc(list, func(a, b memory.Pin) int {
			switch {
			case (a.Project == 0) == (b.Project == 0):
				return 0
			case a.Project == 0:
				return 1
			}
			return -1
		})
	}
	return pins, waiting, err
}
