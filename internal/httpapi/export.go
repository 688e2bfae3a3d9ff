package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
)

// How much a copy of the page holds, each the latest.
const (
	exportedAnswers  = 200
	exportedMemories = 2000
	exportedSessions = 40
	exportedDays     = 30
	exportedFiles    = 50
)

// Export is what the page shows now, by the names of operations, as JSON in which no text holds a secret and no path the person's home folder.
func (s *Server) Export(ctx context.Context, home string) ([]byte, error) {
	e := exporting{server: s, ctx: ctx, out: map[string]any{"at": s.Now()}}
	e.keep("facets", `{}`)
	e.keep("answers", fmt.Sprintf(`{"all":true,"limit":%d}`, exportedAnswers))
	e.keep("worth", fmt.Sprintf(`{"all":true,"since":%q}`, s.Now().AddDate(0, 0, -exportedDays).UTC().Format(time.RFC3339)))
	e.keep("sessions", fmt.Sprintf(`{"all":true,"limit":%d}`, exportedSessions))
	rows, explained := e.remembered(), map[memory.CrystalID]any{}
	for _, m := range rows {
		explained[m.ID] = e.ask("memory", fmt.Sprintf(`{"id":%q}`, m.ID))
	}
	e.out["remembered"], e.out["memory"] = rows, explained
	states := map[string]any{}
	facets, _ := e.out["facets"].(inspect.FacetsResult)
	for _, p := range facets.Projects {
		states[p.ID.String()] = e.ask("states", fmt.Sprintf(`{"project":%q}`, p.ID))
	}
	e.out["states"], e.out["file"] = states, e.files()
	if e.err != nil {
		return nil, e.err
	}
	text, err := Encode(e.out)
	if err != nil {
		return nil, err
	}
	return cleaned(text, home)
}

// exporting collects answers until the first error.
type exporting struct {
	server *Server
	ctx    context.Context
	out    map[string]any
	err    error
}

func (e *exporting) ask(name, input string) any {
	if e.err != nil {
		return nil
	}
	out, err := e.server.Ask(e.ctx, name, strings.NewReader(input))
	if err != nil {
		e.err = fmt.Errorf("export %s: %w", name, err)
	}
	return out
}

// remembered are the memories.
func (e *exporting) remembered() []inspect.Remembered {
	rows := []inspect.Remembered{}
	for len(rows) < exportedMemories {
		page, _ := e.ask("remembered", fmt.Sprintf(`{"all":true,"limit":500,"offset":%d}`, len(rows))).(inspect.RememberedPage)
		if rows = append(rows, page.Rows...); len(page.Rows) == 0 || len(rows) >= int(page.Total) {
			break
		}
	}
	return rows
}

// files are the pages of the files that the answers name, by project and path.
func (e *exporting) files() map[string]any {
	pages := map[string]any{}
	answers, _ := e.out["answers"].([]inspect.Answer)
	for _, a := range answers {
		for _, l := range a.Lines {
			key := l.Project.String() + " " + l.Path
			if l.Path == "" || pages[key] != nil || len(pages) >= exportedFiles {
				continue
			}
			path, _ := json.Marshal(l.Path) // a text is always JSON
			pages[key] = e.ask("file", fmt.Sprintf(`{"project":%q,"path":%s}`, l.Project, path))
		}
	}
	return pages
}

func (e *exporting) keep(name, input string) { e.out[name] = e.ask(name, input) }

// cleaned takes what a secret could be out of every text in JSON, and the name of the home folder, and where projects lie.
func cleaned(text []byte, home string) ([]byte, error) {
	var value any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	var clean func(any) any
	clean = func(v any) any {
		switch v := v.(type) {
		case string:
			v = withoutHome(v, home)
			if strings.ContainsAny(v, " \n\t=:/") { // an ID has none of these
				v = scrub.Clean(v)
			}
			return v
		case []any:
			for i := range v {
				v[i] = clean(v[i])
			}
			return v
		case map[string]any:
			delete(v, "root")
			delete(v, "identity")
			delete(v, "agent_session")
			kept := make(map[string]any, len(v))
			for key := range v {
				kept[clean(key).(string)] = clean(v[key])
			}
			return kept
		}
		return v
	}
	return json.Marshal(clean(value)) // < and > are escaped: no text ends the script that holds it
}

// withoutHome writes paths in a text without the person's home folder.
func withoutHome(text, home string) string {
	if len(home) < 2 { // "/" is in every path
		return text
	}
	if text == home {
		return "~"
	}
	return strings.NewReplacer(home+"/", "~/", home+`\`, `~\`).Replace(text)
}
