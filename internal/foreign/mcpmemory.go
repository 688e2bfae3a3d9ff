package foreign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// readMCPMemory reads the file of the reference memory server: one entity or relation to a line. The answer of its
// read_graph tool, saved to a file, holds the same in one object and is read too.
func readMCPMemory(r *reading, path string) error {
	path, err := r.fileAt(path)
	if err != nil {
		return err
	}
	_, graph, err := jsonFormat(path)
	if err != nil {
		return err
	}
	if graph {
		return r.graph(path)
	}
	file := filepath.Base(path)
	return r.jsonLines(path, "entities and no relations", func(number int, line []byte) (good bool) {
		return r.item(file, at(file, number), "", fromBrace(line))
	})
}

// fromBrace drops what stands before the object: servers that logged into their own file left such lines.
func fromBrace(line []byte) []byte {
	if i := bytes.IndexByte(line, '{'); i > 0 && i < 64 {
		return line[i:]
	}
	return line
}

// anyEntity is an entity or a relation as the server and its forks write them.
type anyEntity struct {
	Type         string            `json:"type"`
	Name         string            `json:"name"`
	EntityType   string            `json:"entityType"`
	Observations []json.RawMessage `json:"observations"`
	Created      string            `json:"created"`
	CreatedAt    string            `json:"createdAt"`

	From         string `json:"from"`
	To           string `json:"to"`
	RelationType string `json:"relationType"`
}

// item adds an entity or a relation; kind is that of an object that does not hold its own.
func (r *reading) item(file, where, kind string, raw []byte) (good bool) {
	var item anyEntity
	if err := json.Unmarshal(raw, &item); err != nil {
		r.problem(where, "%s", trouble(raw, err))
		return false
	}
	created := cmp.Or(moment(item.Created, r.opts.Zone), moment(item.CreatedAt, r.opts.Zone))
	switch cmp.Or(kind, item.Type) {
	case "entity":
		return r.graphEntity(where, file, item, created)
	case "relation":
		if oneLine(item.From) == "" || oneLine(item.To) == "" {
			r.problem(where, "a relation that lacks one of its ends")
			return false
		}
		r.relate(item.From, item.To, item.RelationType, created)
		return true
	}
	r.problem(where, "type %q is neither entity nor relation", item.Type)
	return false
}

func (r *reading) graphEntity(where, file string, item anyEntity, created time.Time) (good bool) {
	if crystals, ok := strings.CutPrefix(item.EntityType, goneOut); ok && slices.Contains(memory.CrystalKinds, memory.CrystalKind(crystals)) {
		r.cameBack(file, item, memory.CrystalKind(crystals))
		return true
	}
	e := r.entity(item.Name, item.EntityType, created)
	if e == nil {
		r.problem(where, "an entity without a name")
		return false
	}
	for _, raw := range item.Observations {
		if o, ok := r.observation(raw); ok {
			r.observe(e, o)
		} else {
			r.problem(where, "an observation of %q is neither text nor an object with text", e.Name)
		}
	}
	return true
}

// observation reads a plain text, or the form of forks, which says when it was said and how sure it is.
func (r *reading) observation(raw json.RawMessage) (memory.Observation, bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return memory.Observation{Text: text}, strings.TrimSpace(text) != ""
	}
	var o struct {
		Text, Content string
		Confidence    float64
		CreatedAt     string `json:"created_at"`
		Created       string
		Timestamp     string
	}
	if json.Unmarshal(raw, &o) != nil {
		return memory.Observation{}, false
	}
	said := cmp.Or(stated("", o.Text), o.Content)
	at := cmp.Or(moment(o.CreatedAt, r.opts.Zone), moment(o.Created, r.opts.Zone), moment(o.Timestamp, r.opts.Zone))
	return memory.Observation{Text: said, Confidence: o.Confidence, SaidAt: at}, strings.TrimSpace(said) != ""
}

// cameBack reads back the crystals that WriteMCPMemory wrote as entities.
func (r *reading) cameBack(file string, item anyEntity, kind memory.CrystalKind) {
	for _, raw := range item.Observations {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			continue
		}
		r.crystal(memory.Crystal{Project: r.opts.Project, Kind: kind, Text: text, Source: r.source(file, oneLine(item.Name))})
	}
}

// graph reads {"entities": […], "relations": […]}.
func (r *reading) graph(path string) error {
	in, err := regular(path)
	if err != nil {
		return err
	}
	defer in.Close()
	raw, err := io.ReadAll(io.LimitReader(in, maxGraph+1))
	if err != nil {
		return err
	}
	if len(raw) > maxGraph {
		return fmt.Errorf("%s is larger than %d bytes; split it: %w", path, maxGraph, memory.ErrRefused)
	}
	var g struct {
		Entities, Relations []json.RawMessage
	}
	if err := json.Unmarshal(bytes.TrimPrefix(raw, utf8Mark), &g); err != nil {
		return fmt.Errorf("%s: %s: %w", path, brief(err), memory.ErrDamaged)
	}
	file := filepath.Base(path)
	for i, raw := range g.Entities {
		r.item(file, fmt.Sprintf("%s entity %d", file, i+1), "entity", raw)
	}
	for i, raw := range g.Relations {
		r.item(file, fmt.Sprintf("%s relation %d", file, i+1), "relation", raw)
	}
	return nil
}

// maxGraph is for graphs in one object, which cannot be read in parts.
const maxGraph = 256 << 20

// brief is a JSON error without the names of Go types.
func brief(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Sprintf("%s is a %s, which it should not be", stated("", wrong.Field), wrong.Value)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// trouble is what is wrong with a line of JSON.
func trouble(line []byte, err error) string {
	for _, mark := range []string{"<<<<<<<", "=======", ">>>>>>>"} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return "is the mark of a merge that was not finished; resolve it and import again"
		}
	}
	return brief(err)
}
