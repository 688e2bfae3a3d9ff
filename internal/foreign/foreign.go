// Package foreign imports the memories of other tools. It never opens a foreign database for
// writing and follows no links out of the named folder. What it does not understand is skipped and reported with its place. The
// caller scrubs and stores the result.
package foreign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Format is the file format of a tool.
type Format string

const (
	MCPMemory Format = "mcp-memory" // JSON lines of the reference memory server
	Howell    Format = "howell"
	BrainBox  Format = "brainbox"
	Markdown  Format = "markdown" // a folder of notes
)

// Formats lists every format.
var Formats = []Format{MCPMemory, Howell, BrainBox, Markdown}

// Memory is what was read. Crystals have no ID: Source and text together name them, and Source does not change when
// lines are added around them. Times that the tool did not keep are zero. Importance is 0 unless the tool ranks.
type Memory struct {
	Crystals  []memory.Crystal
	Entities  []memory.Entity
	Relations []memory.Relation
	Links     []FileLink
	Problems  []Problem
}

// FileLink is the weight of the link from one file to another; the reverse is a link of its own. Paths are as the tool wrote
// them: absolute, or relative to an unknown root.
type FileLink struct {
	From, To string
	Weight   float64 // 0 to 1
}

// Problem is something that was skipped.
type Problem struct {
	Where string // the file, and the line or row where there is one
	What  string
}

func (p Problem) String() string { return p.Where + ": " + p.What }

// Options say which project the memories get.
type Options struct {
	// Project is that of everything for which the tool names no project.
	Project memory.ProjectID
	// Named finds the project that the tool knows by a name or a folder. What belongs to a project it does not find is
	// left out and reported, so that no project learns from another. Nil: everything belongs to Project.
	Named func(name string) (memory.ProjectID, bool)
	// Zone is for times without a zone; nil is UTC.
	Zone *time.Location
}

const (
	// maxProblems bounds the list for a file of the wrong kind.
	maxProblems = 1000
	// maxItems is far above any real memory.
	maxItems = 2_000_000
	// pieceSize is how much text one crystal holds. Longer text is cut at paragraphs: recall hands out whole crystals.
	pieceSize = 6000
)

// reading collects what one Read finds.
type reading struct {
	ctx       context.Context
	opts      Options
	format    Format
	out       Memory
	entities  map[string]int
	seen      map[string]bool // keys of what was added
	said      int             // observations
	elsewhere map[string]int  // project that Named did not find → memories left out
	leftOut   map[string]int  // kind of row that is no memory → how many
	problems  int
	err       error // why reading cannot go on; checked with each line, row and note
}

func newReading(ctx context.Context, format Format, opts Options) *reading {
	return &reading{
		ctx: ctx, opts: opts, format: format, entities: map[string]int{}, seen: map[string]bool{}, elsewhere: map[string]int{}, leftOut: map[string]int{},
	}
}

func (r *reading) finish() Memory {
	for _, name := range slices.Sorted(maps.Keys(r.elsewhere)) {
		r.problem(fmt.Sprintf("project %q", name),
			"%d left out: hebb knows no such project; run hebb init in its folder and import again", r.elsewhere[name])
	}
	for _, what := range slices.Sorted(maps.Keys(r.leftOut)) {
		r.problem(string(r.format), "%s: %d left out", what, r.leftOut[what])
	}
	if more := r.problems - len(r.out.Problems); more > 0 {
		r.out.Problems = append(r.out.Problems, Problem{string(r.format), fmt.Sprintf("and %d more like these", more)})
	}
	return r.out
}

func (r *reading) problem(where, format string, args ...any) {
	p := Problem{where, fmt.Sprintf(format, args...)}
	if slices.Contains(r.out.Problems, p) {
		return // a table that is read twice
	}
	r.problems++
	if len(r.out.Problems) < maxProblems {
		r.out.Problems = append(r.out.Problems, p)
	}
}

// check stops the reading when the context has ended or too much was found.
func (r *reading) check() {
	if len(r.out.Crystals)+r.said+len(r.out.Relations)+len(r.out.Links) > maxItems {
		r.err = fmt.Errorf("holds more than %d memories; split it and import the parts: %w", maxItems, memory.ErrRefused)
	}
	if r.err == nil {
		r.err = r.ctx.Err()
	}
}

// first reports whether something is met for the first time.
func (r *reading) first(parts ...string) bool {
	key := strings.Join(parts, "\x00")
	known := r.seen[key]
	r.seen[key] = true
	return !known
}

// source names a place in a tool's file. It holds no line number: a line added above would make everything below new.
func (r *reading) source(file, place string) string {
	s := string(r.format) + ":" + filepath.ToSlash(file)
	if place != "" {
		s += "#" + place
	}
	return clean(s)
}

// place finds the project for a name the tool uses; false when its memories are to be left out.
func (r *reading) place(name string) (memory.ProjectID, bool) {
	name = strings.TrimSpace(clean(name))
	if name == "" || r.opts.Named == nil {
		return r.opts.Project, true
	}
	id, ok := r.opts.Named(name)
	if !ok {
		r.elsewhere[name]++
	}
	return id, ok
}

// crystal adds a text as imported. A long text becomes several.
func (r *reading) crystal(c memory.Crystal) {
	c.Origin = memory.OriginImport
	c.Kind = cmp.Or(c.Kind, memory.Fact)
	c.Lifecycle = cmp.Or(c.Lifecycle, memory.Generated)
	if c.LastAt.IsZero() {
		c.LastAt = c.SaidAt
	}
	c.Subject = strings.ToLower(strings.TrimSpace(clean(c.Subject)))
	for _, text := range pieces(clean(c.Text), pieceSize) {
		c.Text = text
		if r.first("crystal", c.Source, c.Project.String(), string(c.Kind), text) {
			r.out.Crystals = append(r.out.Crystals, c)
		}
	}
	r.check()
}

// noted adds a text of a note; place is where in the note it stands.
func (r *reading) noted(n note, project memory.ProjectID, kind memory.CrystalKind, text, place string) {
	r.crystal(memory.Crystal{
		Project: project, Kind: kind, Text: text, SaidAt: n.said, LastAt: later(n.said, n.changed), Source: r.source(n.name, place),
	})
}

// entity finds or adds a node. The first that names a type wins.
func (r *reading) entity(name, kind string, created time.Time) *memory.Entity {
	name, kind = oneLine(name), oneLine(kind)
	if name == "" {
		return nil
	}
	i, known := r.entities[name]
	if !known {
		i = len(r.out.Entities)
		r.entities[name] = i
		r.out.Entities = append(r.out.Entities, memory.Entity{Project: r.opts.Project, Name: name, Type: kind, CreatedAt: created})
	}
	e := &r.out.Entities[i]
	e.Type = cmp.Or(e.Type, kind)
	if e.CreatedAt.IsZero() {
		e.CreatedAt = created
	}
	return e
}

// observe adds an observation of an entity once. Without a confidence it is 1.
func (r *reading) observe(e *memory.Entity, o memory.Observation) {
	o.Origin = memory.OriginImport
	if o.Confidence <= 0 || o.Confidence > 1 {
		o.Confidence = 1
	}
	for _, text := range pieces(clean(o.Text), pieceSize) {
		o.Text = text
		if r.first("observation", e.Name, text) {
			r.said++
			e.Observations = append(e.Observations, o)
		}
	}
	r.check()
}

func (r *reading) relate(from, to, kind string, created time.Time) {
	from, to, kind = oneLine(from), oneLine(to), oneLine(kind)
	if from == "" || to == "" {
		return
	}
	kind = cmp.Or(kind, "relates_to")
	if r.first("relation", from, to, kind) {
		r.out.Relations = append(r.out.Relations, memory.Relation{Project: r.opts.Project, From: from, To: to, Type: kind, CreatedAt: created})
	}
	r.check()
}

// clean makes text that every store and every reader accepts: UTF-8 without NUL, lines that end in \n, no space around.
// scrub removes the rest.
func clean(s string) string {
	return strings.TrimSpace(strings.ToValidUTF8(plainLines.Replace(s), "\uFFFD"))
}

var plainLines = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "")

// oneLine is for names, which are compared and shown in lists.
func oneLine(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// pieces cuts text into parts of at most size bytes: between paragraphs, else lines, else words, else anywhere.
func pieces(text string, size int) []string {
	var parts []string
	for len(text) > size {
		cut := len(prose.Beginning(text, size))
		for _, gap := range []string{"\n\n", "\n", " "} {
			if i := strings.LastIndex(text[:cut], gap); i > size/2 {
				cut = i
				break
			}
		}
		if part := strings.TrimSpace(text[:cut]); part != "" {
			parts = append(parts, part)
		}
		text = strings.TrimSpace(text[cut:])
	}
	if text = strings.TrimSpace(text); text != "" {
		parts = append(parts, text)
	}
	return parts
}

// stated joins the parts that are not blank.
func stated(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return strings.TrimSpace(s) == "" }), separator)
}

// labelled is "label: text", or nothing where there is no text.
func labelled(label, text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return label + ": " + strings.TrimSpace(text)
}

// regular opens a plain file. Anything else could wait for ever (a pipe) or never end (a device).
func regular(path string) (*os.File, error) {
	f, err := filesys.Open(path, os.O_RDONLY, 0)
	return f, notFound(err)
}

func notFound(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", err, memory.ErrNotFound)
	}
	return err
}

func isFolder(path string) (bool, error) {
	info, err := os.Stat(path)
	if err != nil {
		return false, notFound(err)
	}
	return info.IsDir(), nil
}

// times are the ways in which the tools write them; the last ones name no zone.
var times = []string{
	time.RFC3339Nano, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05.999999999 -0700 MST",
	"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02",
	"January 2, 2006",
}

// moment reads a time. It is zero if it cannot be parsed or is not plausible.
func moment(s string, zone *time.Location) time.Time {
	if s = strings.TrimSpace(s); s == "" || len(s) > 64 {
		return time.Time{}
	}
	if zone == nil {
		zone = time.UTC
	}
	for _, layout := range times {
		if t, err := time.ParseInLocation(layout, s, zone); err == nil {
			return plausible(t)
		}
	}
	return time.Time{}
}

// unix reads seconds, milliseconds or microseconds since 1970; the size shows which.
func unix(n int64) time.Time {
	switch {
	case n > 1e14:
		return plausible(time.UnixMicro(n))
	case n > 1e11:
		return plausible(time.UnixMilli(n))
	case n > 0:
		return plausible(time.Unix(n, 0))
	}
	return time.Time{}
}

func plausible(t time.Time) time.Time {
	if t.Year() < 1990 || t.Year() > 2200 {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Millisecond)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
