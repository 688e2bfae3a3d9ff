package foreign

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// sampled is how many notes of a folder, or lines of a file, are looked at.
const sampled = 40

// Detect finds the format of a file or folder by its content. A name alone is never enough: it only says where to
// look. A folder that holds memories of several tools is not decided; the error names them.
func Detect(path string) (Format, error) {
	dir, err := isFolder(path)
	if err != nil {
		return "", err
	}
	if dir {
		return detectFolder(path)
	}
	return detectFile(path)
}

func unknown(path, why string) error {
	return fmt.Errorf("%s: %s; %s: %w", path, why, Readable, memory.ErrInvalid)
}

// readAnyway is the answer to a rule file or memory of a coding agent. Package sources reads those with every drain.
func readAnyway(path string) error {
	return fmt.Errorf("%s: nothing to import: hebb reads CLAUDE.md, AGENTS.md and what Claude Code and Codex note where they are; "+
		"see docs/beside.md and [sources] in config.toml: %w", path, memory.ErrRefused)
}

func detectFile(path string) (Format, error) {
	if sqliteFile(path) {
		return detectDatabase(path)
	}
	format, _, err := jsonFormat(path)
	switch {
	case err != nil || format != "":
		return format, err
	case !isNote(path):
		return "", unknown(path, "neither a database, nor JSON, nor Markdown that hebb knows")
	}
	return detectNote(path)
}

// jsonFormat detects JSON: a graph in one object, or an object on each line.
func jsonFormat(path string) (format Format, graph bool, err error) {
	in, err := regular(path)
	if err != nil {
		return "", false, err
	}
	defer in.Close()
	buffered, err := textReader(path, in)
	if err != nil {
		return "", false, err
	}
	if format = graphFormat(buffered); format != "" {
		return format, true, nil
	}
	_, err = in.Seek(0, io.SeekStart)
	return linesFormat(bufio.NewReader(in)), false, err
}

func detectDatabase(path string) (Format, error) {
	r := newReading(context.Background(), "", Options{})
	db, err := r.openSQLite(path)
	if err != nil {
		return "", err
	}
	defer db.done()
	tables, err := db.tables(r.ctx)
	if err != nil {
		return "", err
	}
	has := func(table string, columns ...string) bool {
		have, found := tables[table]
		return found && !slices.ContainsFunc(columns, func(c string) bool { return !slices.Contains(have, c) })
	}
	switch {
	case has("neurons", "type", "path") && has("synapses", "source_id", "target_id"):
		return BrainBox, nil
	case has("stage1_outputs", "thread_id", "rollout_summary"):
		return "", readAnyway(path) // of Codex
	}
	names := slices.Sorted(maps.Keys(tables))
	return "", unknown(path, "a database of no tool that hebb knows (tables: "+strings.Join(names[:min(len(names), 12)], ", ")+")")
}

// graphFormat detects a knowledge graph in one JSON object: entities by name (Howell) or in a list.
func graphFormat(in io.Reader) Format {
	var g struct{ Entities json.RawMessage }
	err := json.NewDecoder(io.LimitReader(in, maxGraph)).Decode(&g)
	switch {
	case err != nil:
		return ""
	case bytes.HasPrefix(g.Entities, []byte("{")):
		return Howell
	case bytes.HasPrefix(g.Entities, []byte("[")):
		return MCPMemory
	}
	return ""
}

// linesFormat detects JSON lines by the first ones that can be read.
func linesFormat(in *bufio.Reader) Format {
	for range sampled {
		line, _, err := ReadLine(in, maxLine)
		var b struct {
			Type         string            `json:"type"`
			EntityType   string            `json:"entityType"`
			RelationType string            `json:"relationType"`
			Observations []json.RawMessage `json:"observations"`
		}
		switch {
		case json.Unmarshal(bytes.TrimPrefix(line, utf8Mark), &b) != nil:
		case b.Type == "entity" && (b.EntityType != "" || b.Observations != nil), b.Type == "relation" && b.RelationType != "":
			return MCPMemory
		}
		if err != nil {
			break
		}
	}
	return ""
}

// detectNote finds the format of a single Markdown file.
func detectNote(name string) (Format, error) {
	var n note
	r := newReading(context.Background(), "", Options{})
	if err := r.eachNote(name, "", nil, func(found note) { n = found }); err != nil {
		return "", err
	}
	if len(r.out.Problems) > 0 && n.name == "" {
		return "", fmt.Errorf("%s: %w", r.out.Problems[0], memory.ErrInvalid)
	}
	switch {
	case n.body == "" && n.front == nil:
		return "", unknown(name, "it is empty")
	case n.front.one(exportMark) != "":
		return Markdown, nil
	case agentNote(n), slices.Contains(ruleFiles, filepath.Base(name)):
		return "", readAnyway(name)
	}
	return Markdown, nil
}

// ruleFiles are what people write for coding agents.
var ruleFiles = []string{"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md"}

// agentNote recognises a fact of Claude Code, by its header, and the two files in which Codex keeps what it learned.
func agentNote(n note) bool {
	kind := strings.ToLower(n.front.one("metadata.type", "type"))
	return n.front.one("name") != "" && (n.front.one("description") != "" || kind != "") && slices.Contains([]string{"", "user", "feedback", "project", "reference"}, kind) ||
		strings.HasPrefix(n.body, "# Task Group:") || strings.HasPrefix(n.body, "v1\n") && strings.Contains(n.body, "## User")
}

// readAnyway reports whether a folder is that of an agent, or a project with rules for agents.
func (r *reading) readAnyway(f *folder) bool {
	own, _ := fs.Glob(f.FS(), "projects/*/memory") // of ~/.claude; the pattern is sound
	if len(own) > 0 || f.isFolder(".claude") || slices.ContainsFunc(ruleFiles, f.has) {
		return true
	}
	return slices.ContainsFunc([]string{".", "memory", "memories"}, func(dir string) bool { return r.mostly(f, f.top(dir), agentNote) })
}

// candidates are where tools keep their files, relative to the folder that a person would name.
var candidates = []string{
	"brainbox.db", ".brainbox/brainbox.db", "memory.jsonl", "memory.json", "knowledge.json", "bridge/knowledge.json",
}

func detectFolder(dir string) (Format, error) {
	f, err := openFolder(dir)
	if err != nil {
		return "", err
	}
	defer f.done()
	found := map[Format]string{}
	for _, name := range candidates {
		format := f.formatOf(name)
		if format != "" && found[format] == "" {
			found[format] = name
		}
	}
	if f.isFolder(".obsidian") {
		found[Markdown] = ".obsidian"
	}
	formats := slices.Sorted(maps.Keys(found))
	switch len(formats) {
	case 1:
		return formats[0], nil
	case 0:
		r := newReading(context.Background(), "", Options{})
		names, err := r.allNotes(f)
		switch {
		case r.readAnyway(f):
			return "", readAnyway(dir)
		case err != nil:
			return "", err
		case len(names) == 0:
			return "", unknown(dir, "it holds nothing that hebb knows")
		}
		return Markdown, nil
	}
	var places []string
	for _, format := range formats {
		places = append(places, fmt.Sprintf("%s (%s)", found[format], format))
	}
	return "", fmt.Errorf("%s holds memories of several tools: %s; name one of them: %w", dir, strings.Join(places, ", "), memory.ErrConflict)
}

// formatOf is the format of a file in the folder, "" if there is none or it is unknown.
func (f *folder) formatOf(name string) Format {
	if !f.has(name) {
		return ""
	}
	format, _ := detectFile(filepath.Join(f.Name(), filepath.FromSlash(name))) // an error is no format
	return format
}

// top lists the notes that lie in a folder itself.
func (f *folder) top(dir string) []string {
	entries, _ := fs.ReadDir(f.FS(), dir) // what cannot be read has no notes
	var notes []string
	for _, e := range entries {
		if name := path.Join(dir, e.Name()); isNote(name) && f.has(name) {
			notes = append(notes, name)
		}
	}
	return notes
}

// mostly reports whether at least half of the notes are of a kind.
func (r *reading) mostly(f *folder, names []string, is func(note) bool) bool {
	count, looked := 0, names[:min(len(names), sampled)]
	for _, name := range looked {
		if n, ok := r.note(f, name); ok && is(n) {
			count++
		}
	}
	return count > 0 && 2*count >= len(looked)
}

// fileAt is the file of the wanted format in a folder, or the file itself.
func (r *reading) fileAt(path string) (string, error) {
	dir, err := isFolder(path)
	if err != nil || !dir {
		return path, err
	}
	f, err := openFolder(path)
	if err != nil {
		return "", err
	}
	defer f.done()
	names := slices.Clone(candidates)
	for _, pattern := range []string{"*.db", "*.sqlite", "*.jsonl"} {
		more, _ := fs.Glob(f.FS(), pattern) // the pattern is sound
		names = append(names, more...)
	}
	for _, name := range names {
		if f.formatOf(name) == r.format {
			return filepath.Join(path, filepath.FromSlash(name)), nil
		}
	}
	return "", fmt.Errorf("%s holds no file of %s: %w", path, r.format, memory.ErrNotFound)
}
