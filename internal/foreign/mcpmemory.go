package foreign

import (
	"bufio"
	"bytes"
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
	in, err := regular(path)
	if err != nil {
		return err
	}
	defer in.Close()
	buffered := bufio.NewReaderSize(in, sniffed)
	if head, _ := buffered.Peek(sniffed); graphFile(head) != "" {
		return r.graph(path, buffered)
	}
	file := filepath.Base(path)
	good, bad := 0, 0
	err = r.eachLine(file, buffered, func(number int, line []byte) error {
		if line = mended(line); len(line) == 0 {
			return nil
		}
		known, err := r.mcpLine(file, number, line)
		if known {
			good++
		} else {
			bad++
		}
		return err
	})
	if err == nil && good == 0 && bad > 0 {
		return fmt.Errorf("%s holds no entities and no relations in %d lines: %w", path, bad, memory.ErrInvalid)
	}
	return err
}

// mended drops what stands before the object: servers that logged into their own file left such lines.
func mended(line []byte) []byte {
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

func (r *reading) mcpLine(file string, number int, line []byte) (known bool, err error) {
	var item anyEntity
	if err := json.Unmarshal(line, &item); err != nil {
		r.problem(at(file, number), "%s", trouble(line, err))
		return false, nil
	}
	switch item.Type {
	case "entity":
		if oneLine(item.Name) == "" {
			r.problem(at(file, number), "an entity without a name")
			return false, nil
		}
		return true, r.graphEntity(at(file, number), file, item)
	case "relation":
		if oneLine(item.From) == "" || oneLine(item.To) == "" {
			r.problem(at(file, number), "a relation that lacks one of its ends")
			return false, nil
		}
		return true, r.relate(item.From, item.To, item.RelationType, moment(stated("", item.Created, item.CreatedAt), r.opts.Zone))
	}
	r.problem(at(file, number), "type %q is neither entity nor relation", item.Type)
	return false, nil
}

func (r *reading) graphEntity(where, file string, item anyEntity) error {
	kind := item.EntityType
	if kind == "" {
		kind = item.HowellType
	}
	created := moment(item.Created, r.opts.Zone)
	if created.IsZero() {
		created = moment(item.CreatedAt, r.opts.Zone)
	}
	if crystals, ok := strings.CutPrefix(kind, goneOut); ok && slices.Contains(memory.CrystalKinds, memory.CrystalKind(crystals)) {
		return r.cameBack(file, item, memory.CrystalKind(crystals))
	}
	e := r.entity(item.Name, kind, created)
	if e == nil {
		r.problem(where, "an entity without a name")
		return nil
	}
	for _, raw := range item.Observations {
		o, ok := r.observation(raw)
		if !ok {
			r.problem(where, "an observation of %q is neither text nor an object with text", e.Name)
			continue
		}
		if err := r.observe(e, o); err != nil {
			return err
		}
	}
	return nil
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
	said := stated("", o.Text)
	if said == "" {
		said = o.Content
	}
	at := time.Time{}
	for _, t := range []string{o.CreatedAt, o.Created, o.Timestamp} {
		if at.IsZero() {
			at = moment(t, r.opts.Zone)
		}
	}
	return memory.Observation{Text: said, Confidence: o.Confidence, SaidAt: at}, strings.TrimSpace(said) != ""
}

// cameBack turns what WriteMCPMemory made of crystals into crystals again.
func (r *reading) cameBack(file string, item anyEntity, kind memory.CrystalKind) error {
	for _, raw := range item.Observations {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			continue
		}
		err := r.crystal(memory.Crystal{Project: r.opts.Project, Kind: kind, Text: text, Source: r.source(file, oneLine(item.Name))})
		if err != nil {
			return err
		}
	}
	return nil
}

// graph reads {"entities": …, "relations": …}: entities by name, as Howell keeps them, or in a list.
func (r *reading) graph(path string, in io.Reader) error {
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
	if err := r.graphEntities(file, g.Entities); err != nil {
		return err
	}
	for i, raw := range g.Relations {
		var item anyEntity
		where := fmt.Sprintf("%s relation %d", file, i+1)
		if err := json.Unmarshal(raw, &item); err != nil {
			r.problem(where, "%s", brief(err))
			continue
		}
		from, to, kind := item.From+item.HowellFrom, item.To+item.HowellTo, item.RelationType+item.HowellKind
		if oneLine(from) == "" || oneLine(to) == "" {
			r.problem(where, "lacks one of its ends")
			continue
		}
		if err := r.relate(from, to, kind, moment(item.Created, r.opts.Zone)); err != nil {
			return err
		}
	}
	return nil
}

func (r *reading) graphEntities(file string, raw json.RawMessage) error {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		for i, one := range list {
			if err := r.oneEntity(file, fmt.Sprintf("%s entity %d", file, i+1), "", one); err != nil {
				return err
			}
		}
		return nil
	}
	// Token by token: a map would lose the order in which they were made.
	in := json.NewDecoder(bytes.NewReader(raw))
	if start, err := in.Token(); err != nil || start != json.Delim('{') {
		r.problem(file, "its entities are neither a list nor an object")
		return nil
	}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return err
		}
		var one json.RawMessage
		if err := in.Decode(&one); err != nil {
			return err
		}
		if err := r.oneEntity(file, fmt.Sprintf("%s entity %q", file, name), fmt.Sprint(name), one); err != nil {
			return err
		}
	}
	return nil
}

func (r *reading) oneEntity(file, where, name string, raw json.RawMessage) error {
	var item anyEntity
	if err := json.Unmarshal(raw, &item); err != nil {
		r.problem(where, "%s", brief(err))
		return nil
	}
	if item.Name == "" {
		item.Name = name
	}
	return r.graphEntity(where, file, item)
}

// maxGraph is for graphs in one object, which cannot be read in parts. Howell's own held 442 observations.
const maxGraph = 256 << 20

// brief is a JSON error without the types of ours that it speaks of.
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
