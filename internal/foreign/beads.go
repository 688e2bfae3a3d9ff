package foreign

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// bead is one line of .beads/issues.jsonl; only what a memory can use.
type bead struct {
	Record string `json:"_type"`
	Schema string `json:"_schema"`
	Key    string `json:"key"`
	Value  string `json:"value"`

	ID          string   `json:"id"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Design      string   `json:"design"`
	Acceptance  string   `json:"acceptance_criteria"`
	Notes       string   `json:"notes"`
	Status      string   `json:"status"`
	Priority    *float64 `json:"priority"`
	Type        string   `json:"issue_type"`
	Assignee    string   `json:"assignee"`
	CreatedAt   string   `json:"created_at"`
	UpdatedAt   string   `json:"updated_at"`
	ClosedAt    string   `json:"closed_at"`
	CloseReason string   `json:"close_reason"`
	Labels      []string `json:"labels"`
	Template    bool     `json:"is_template"`
	Ephemeral   bool     `json:"ephemeral"`
	Links       []struct {
		From string `json:"issue_id"`
		To   string `json:"depends_on_id"`
		Type string `json:"type"`
		At   string `json:"created_at"`
	} `json:"dependencies"`
	Comments []struct {
		Author string `json:"author"`
		Text   string `json:"text"`
	} `json:"comments"`
}

// beadRelations name dependencies in the active voice.
var beadRelations = map[string]string{
	"blocks": "depends_on", "related": "related_to", "parent-child": "is_part_of", "discovered-from": "discovered_from",
}

// notWork are types of messages between agents.
var notWork = map[string]bool{
	"message": true, "gate": true, "agent": true, "role": true, "event": true, "molecule": true, "convoy": true, "merge-request": true,
}

// readBeads reads the issues of beads: each is a goal, closed ones among them as goals of the past. What "bd remember"
// kept is a fact. Dependencies become relations between issues.
func readBeads(r *reading, path string) error {
	path, err := r.fileAt(path)
	if err != nil {
		return err
	}
	file := filepath.Base(path)
	titles := map[string]bead{}
	places := map[string]int{} // where an issue was met: a merge may leave two lines of one, and the later one is newer
	err = r.jsonLines(path, "issues", func(number int, line []byte) (good bool) {
		var b bead
		if err := json.Unmarshal(line, &b); err != nil {
			r.problem(at(file, number), "%s", trouble(line, err))
			return false
		}
		switch {
		case b.Schema != "" && b.ID == "":
			return true
		case b.Record == "memory":
			r.crystal(memory.Crystal{
				Project: r.opts.Project, Kind: memory.Fact, Subject: b.Key, Text: b.Value, Source: r.source(file, "memory/"+b.Key),
			})
			return true
		case oneLine(b.ID) == "" || strings.TrimSpace(b.Title) == "":
			r.problem(at(file, number), "is no issue: it lacks an id or a title")
			return false
		}
		if first, twice := places[b.ID]; twice {
			r.problem(at(file, number), "%s is also on line %d; both are read", b.ID, first)
		}
		places[b.ID], titles[oneLine(b.ID)] = number, b
		r.issue(file, b)
		return true
	})
	for i := range r.out.Entities {
		e := &r.out.Entities[i]
		if b, ok := titles[e.Name]; ok {
			e.CreatedAt = moment(b.CreatedAt, r.opts.Zone)
			r.observe(e, memory.Observation{Text: b.Title, SaidAt: e.CreatedAt})
		}
	}
	return err
}

func (r *reading) issue(file string, b bead) {
	switch {
	case b.Status == "tombstone":
		return
	case b.Template || b.Ephemeral || notWork[b.Type]:
		r.leftOut["records that are no work (messages, gates, templates)"]++
		return
	}
	created, updated := moment(b.CreatedAt, r.opts.Zone), moment(b.UpdatedAt, r.opts.Zone)
	c := memory.Crystal{
		Project: r.opts.Project, Kind: memory.Intention, Subject: b.ID, SaidAt: created, LastAt: later(created, updated),
		Source: r.source(file, oneLine(b.ID)), Text: issueText(b),
	}
	if b.Priority != nil && *b.Priority >= 0 && *b.Priority <= 4 {
		c.Importance = (5 - *b.Priority) / 5 // P0 is 1, P4 is 0.2
	}
	if b.Status == "closed" {
		c.Lifecycle, c.ValidTo = memory.Archived, moment(b.ClosedAt, r.opts.Zone)
		if c.ValidTo.IsZero() {
			c.ValidTo = c.LastAt
		}
	}
	r.crystal(c)
	for _, link := range b.Links {
		kind, ok := beadRelations[link.Type]
		if !ok {
			kind = strings.ReplaceAll(oneLine(link.Type), "-", "_")
		}
		from := cmp.Or(link.From, b.ID)
		if oneLine(from) == "" || oneLine(link.To) == "" {
			continue
		}
		r.entity(from, "issue", time.Time{})
		r.entity(link.To, "issue", time.Time{})
		r.relate(from, link.To, kind, moment(link.At, r.opts.Zone))
	}
}

func issueText(b bead) string {
	status := cmp.Or(b.Status, "open")
	head := fmt.Sprintf("%s: %s (%s)", oneLine(b.ID), oneLine(b.Title), stated(", ", strings.ReplaceAll(status, "_", " "), b.Type))
	parts := []string{
		head, b.Description, labelled("Design", b.Design), labelled("Accepted when", b.Acceptance), labelled("Notes", b.Notes),
		labelled("Closed because", b.CloseReason), labelled("Labels", strings.Join(b.Labels, ", ")),
	}
	for _, comment := range b.Comments {
		parts = append(parts, stated(": ", comment.Author, comment.Text))
	}
	return stated("\n", parts...)
}
