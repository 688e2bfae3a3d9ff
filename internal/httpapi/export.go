package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

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
)

// Export is what the page shows now, by the names of operations, as JSON in which no text holds a secret and no path the person's home folder.
func (s *Server) Export(ctx context.Context, home string) ([]byte, error) {
	e := exporting{server: s, ctx: ctx, out: map[string]any{"at": s.Now()}}
	e.keep("facets", `{}`)
	e.keep("answers", fmt.Sprintf(`{"all":true,"limit":%d}`, exportedAnswers))
	e.keep("worth", fmt.Sprintf(`{"all":true,"days":%d}`, exportedDays))
	e.keep("sessions", fmt.Sprintf(`{"all":true,"limit":%d}`, exportedSessions))
	var rows []inspect.Remembered
	explained := map[memory.CrystalID]any{}
	for _, inbox := range []string{"", inspect.InboxWaiting} {
		for read, total := 0, 1; read < total && len(rows) < exportedMemories; {
			page, _ := e.ask("remembered", fmt.Sprintf(`{"all":true,"limit":500,"offset":%d,"inbox":%q}`, read, inbox)).(inspect.RememberedPage)
			if len(page.Rows) == 0 {
				break
			}
			rows, read, total = append(rows, page.Rows...), read+len(page.Rows), int(page.Total)
		}
	}
	for _, m := range rows {
		explained[m.ID] = e.ask("memory", fmt.Sprintf(`{"id":%q}`, m.ID))
	}
	e.out["remembered"], e.out["memory"] = rows, explained
	falls := map[string]any{}
	sessions, _ := e.out["sessions"].([]memory.Session)
	for _, one := range sessions {
		falls[one.ID.String()] = e.ask("waterfall", fmt.Sprintf(`{"session":%q}`, one.ID))
	}
	states, maps := map[string]any{}, map[string]any{}
	facets, _ := e.out["facets"].(inspect.FacetsResult)
	for _, p := range facets.Projects {
		states[p.ID.String()] = e.ask("states", fmt.Sprintf(`{"project":%q}`, p.ID))
		maps[p.ID.String()] = e.ask("heatmap", fmt.Sprintf(`{"project":%q}`, p.ID))
	}
	e.out["waterfall"], e.out["states"], e.out["heatmap"] = falls, states, maps
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
			for key := range v {
				v[key] = clean(v[key])
			}
			return v
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
