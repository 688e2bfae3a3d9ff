package foreign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// readMCPMemory reads the file of the reference memory server: one entity or relation to a line. The answer of its
// read_graph tool, saved to a file, holds the same in one object and is read too.
func readMCPMemory(r *reading, path string) error {
	path, err := r.fileAt(path, "memory.jsonl", "memory.json")
	if err != nil {
		return err
	}
	in, err := regular(path)
	if err != nil {
		return err
	}
	var g struct{ Entities json.RawMessage }
	err = json.NewDecoder(io.LimitReader(in, maxGraph)).Decode(&g)
	if in.Close(); err == nil && g.Entities != nil {
		return r.graph(path)
	}
	file := filepath.Base(path)
	return r.jsonLines(path, "entities and no relations", func(number int, line []byte) (good bool) {
		return r.item(file, at(file, number), "", "", fromBrace(line))
	})
}

// fromBrace drops what stands before the object: servers that logged into their own file left such lines.
func fromBrace(line []byte) []byte {
	if i := bytes.IndexByte(line, '{'); i > 0 && i < 64 {
		return line[i:]
	}
	return line
}

// anyEntity is an entity or a relation as the server, its forks and Howell write them.
type anyEntity struct {
	Type         string            `json:"type"`
	Name         string            `json:"name"`
	EntityType   string            `json:"entityType"`
	HowellType   string            `json:"entity_type"`
	Observations []json.RawMessage `json:"observations"`
	Created      string            `json:"created"`
	CreatedAt    string            `json:"createdAt"`

	From         string `json:"from"`
	To           string `json:"to"`
	RelationType string `json:"relationType"`
	HowellFrom   string `json:"from_entity"`
	HowellTo     string `json:"to_entity"`
	HowellKind   string `json:"relation_type"`
}

// item adds an entity or a relation; kind and name are those of an object that does not hold its own.
func (r *reading) item(file, where, kind, name string, raw []byte) (good bool) {
	var item anyEntity
	if err := json.Unmarshal(raw, &item); err != nil {
		r.problem(where, "%s", brief(err))
		return false
	}
	created := cmp.Or(moment(item.Created, r.opts.Zone), moment(item.CreatedAt, r.opts.Zone))
	switch cmp.Or(kind, item.Type) {
	case "entity":
		item.Name = cmp.Or(item.Name, name)
		return r.graphEntity(where, file, item, created)
	case "relation":
		from, to := item.From+item.HowellFrom, item.To+item.HowellTo
		if oneLine(from) == "" || oneLine(to) == "" {
			r.problem(where, "a relation that lacks one of its ends")
			return false
		}
		r.relate(from, to, item.RelationType+item.HowellKind, created)
		return true
	}
	r.problem(where, "type %q is neither entity nor relation", item.Type)
	return false
}

func (r *reading) graphEntity(where, file string, item anyEntity, created time.Time) (good bool) {
	kind := cmp.Or(item.EntityType, item.HowellType)
	e := r.entity(item.Name, kind, created)
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

// observation reads a plain text, or Howell's later form, which says where it is from and how sure it is.
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

// graph reads {"entities": …, "relations": …}: entities by name, as Howell keeps them, or in a list.
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
		Entities  json.RawMessage
		Relations []json.RawMessage
	}
	if err := json.Unmarshal(bytes.TrimPrefix(raw, utf8Mark), &g); err != nil {
		return fmt.Errorf("%s: %s: %w", path, brief(err), memory.ErrDamaged)
	}
	file := filepath.Base(path)
	r.graphEntities(file, g.Entities)
	for i, raw := range g.Relations {
		r.item(file, fmt.Sprintf("%s relation %d", file, i+1), "relation", "", raw)
	}
	return nil
}

func (r *reading) graphEntities(file string, raw json.RawMessage) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		for i, one := range list {
			r.item(file, fmt.Sprintf("%s entity %d", file, i+1), "entity", "", one)
		}
		return
	}
	// Token by token: a map would lose the order in which they were made.
	in := json.NewDecoder(bytes.NewReader(raw))
	if start, err := in.Token(); err != nil || start != json.Delim('{') {
		r.problem(file, "its entities are neither a list nor an object")
		return
	}
	for in.More() {
		name, _ := in.Token() // it was decoded once, so it is sound
		var one json.RawMessage
		_ = in.Decode(&one)
		r.item(file, fmt.Sprintf("%s entity %q", file, name), "entity", fmt.Sprint(name), one)
	}
}

// maxGraph is for graphs in one object, which cannot be read in parts. Howell's own held 442 observations.
const maxGraph = 256 << 20

// brief is a JSON error without the names of Go types.
func brief(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Sprintf("%s is a %s, which it should not be", stated("", wrong.Field), wrong.Value)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}
