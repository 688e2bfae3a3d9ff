package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/views"
)

// unlisted is a call by a name that an agent knows from another memory server: an operation that no listed tool offers, or a
// listed tool. Clients are not told of it.
type unlisted struct {
	name   string
	effect effect
	run    runner
	tool   string   // the listed tool that answers in place of an operation
	takes  string   // the arguments of the operation
	kinds  []string // what kind may say, where the operation takes more
	// also is what other servers call arguments. Those that lead to "" are taken and not used.
	also map[string]string
	// given are further arguments, as they are unless the caller gives them.
	given map[string]any
}

type runner func(ctx context.Context, c *call, input map[string]any) (reply, error)

// accepted are all such calls. What may be set in the input of an operation is in takes: an agent chooses neither who says
// something nor what is done without asking.
func accepted() []unlisted {
	type names = map[string]string
	type values = map[string]any
	return []unlisted{
		// The knowledge graph, as the reference memory server of the Model Context Protocol has it.
		{name: "create_entities", effect: adds, run: answers(texts.CreateEntities), takes: "entities"},
		{name: "create_relations", effect: adds, run: answers(texts.CreateRelations), takes: "relations", given: values{"anew": true}},
		{name: "add_observations", effect: adds, run: answers(texts.AddObservations), takes: "observations"},
		{name: "delete_entities", effect: removes, run: answers(texts.DeleteEntities), takes: "names", also: names{"entityNames": "names"}},
		{
			name: "delete_observations", effect: removes, run: answers(texts.DeleteObservations), takes: "observations",
			also: names{"deletions": "observations", "observations": "contents"}, // the second one is within the first
		},
		{name: "delete_relations", effect: removes, run: answers(texts.DeleteRelations), takes: "relations"},
		{name: "read_graph", run: answers(texts.ReadGraph)},
		{name: "search_nodes", run: answers(texts.SearchNodes), takes: "query"},
		{name: "open_nodes", run: answers(texts.OpenNodes), takes: "names"},
		// Questions.
		{name: "bootstrap", tool: "context", also: names{"workspace": ""}, given: values{"mode": "full"}},
		{name: "search", tool: "memory_search"},
		{name: "predict_next", run: answers(ranking.Predict), takes: "session tool limit", also: names{"current_tool": "tool"}, given: values{"limit": fewAnswers}},
		{name: "stats", run: answers(inspect.Stats)},
		{name: "pins", run: answers(views.ReadPage), given: values{"name": "pinned"}},
		{name: "heat", run: answers(desk.Warmth), takes: "limit cold"},
		{name: "recent", run: answers(desk.Shelf), takes: "limit"},
		{name: "read_identity", run: answers(views.ReadPage), takes: "name", given: values{"name": "soul"}},
		{name: "procedure", run: procedure, takes: "topic"},
		{name: "next", run: answers(goals.NextUp), takes: "limit"},
		{name: "recall", tool: "recall", also: names{"token_budget": "", "type": ""}},
		{name: "error", tool: "error", also: names{"query": ""}},
		// What an agent says.
		{name: "wrapup", tool: "wrapup", also: names{"summary": "happened", "what_learned": "learned"}},
		{
			name: "end_session", effect: repeats, run: answers(desk.WrapUp), takes: "happened learned next notes pin_title pin_text pin_reason",
			also: names{"summary": "happened", "what_learned": "learned"},
		},
		{name: "resolve", tool: "resolve", also: names{"fix_files": "files", "context": ""}},
		{
			name: "working_memory_note", effect: repeats, run: answers(desk.TakeNote), takes: "text kind importance everywhere",
			kinds: append(slices.Clone(noteKinds), string(memory.Episode)), also: names{"note": "text", "type": "kind"},
		},
		{
			name: "record", effect: adds, run: answers(record.RecordTouch), takes: "paths kind text session",
			also: names{"files": "paths", "path": "paths", "type": "kind", "query": "text"},
		},
		{name: "unpin", effect: removes, run: answers(desk.Unpin), takes: "title everywhere"},
		{name: "note_file", effect: repeats, run: answers(desk.NoteFile), takes: "path note summary"},
		{name: "goal_add", effect: repeats, run: answers(goals.AddGoal), takes: "title text kind files everywhere"},
		{name: "goal_progress", effect: repeats, run: answers(goals.ChangeGoal), takes: "goal status progress", given: values{"progress": -1}},
		// What is done in the background otherwise.
		{name: "decay", effect: removes, run: answers(steward.Sleep), takes: "dry", also: names{"dry_run": "dry"}, given: values{"only": sleep.DecayPart}},
		{name: "think", effect: adds, run: answers(goals.Think)},
		{name: "dream_begin", run: dreamMaterial},
		{name: "dream_commit", effect: adds, run: answers(state.DreamCommit), takes: "state"},
	}
}

// meanings are what other memory servers call kinds of notes and of touches.
var meanings = map[string]any{
	"experience": memory.Episode, "directive": memory.Preference, "world_fact": memory.Fact, "mental_model": memory.Lesson, "file": memory.Read,
}

// asTool is the tool of an operation.
func (u unlisted) asTool() tool {
	t := tool{name: u.name, effect: u.effect, fresh: true, edits: true}
	for _, name := range strings.Fields(u.takes) {
		f := field{name: name, kind: anything}
		if name == "kind" && u.kinds != nil {
			f.kind, f.oneOf = text, u.kinds
		}
		t.fields = append(t.fields, f)
	}
	return does(t, func(c *call, ctx context.Context, input map[string]any) (reply, error) {
		return u.run(ctx, c, u.completed(input))
	})
}

// completed adds the arguments that the caller has not given.
func (u unlisted) completed(arguments map[string]any) map[string]any {
	all := maps.Clone(u.given)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, arguments)
	return all
}

// answers runs an operation on checked arguments and gives its result as JSON.
func answers[In, Out any](op brain.Operation[In, Out]) runner {
	return func(ctx context.Context, c *call, input map[string]any) (a reply, err error) {
		var in In
		dir := c.scope.Dir
		if _, scoped := any(in).(interface{ Chosen() brain.Scope }); !scoped { // it knows folders only
			if dir, err = c.folder(ctx); err != nil {
				return a, err
			}
		}
		input["project"], input["dir"], input["origin"] = c.scope.Project, dir, memory.OriginAgent
		if _, named := input["session"]; !named && c.session != 0 {
			input["session"] = c.sessionName()
		}
		if err := json.Unmarshal(quoted(input), &in); err != nil {
			return a, fmt.Errorf("arguments: %w: %w", err, memory.ErrInvalid)
		}
		out := run(ctx, c, op, in)
		if c.err != nil {
			return a, c.err
		}
		return asJSON(out)
	}
}

// procedure is the how-to of a topic; without one, all of them.
func procedure(ctx context.Context, c *call, input map[string]any) (reply, error) {
	if input["topic"] == nil {
		return answers(statements.Procedures)(ctx, c, input)
	}
	return answers(answer.HowTo)(ctx, c, input)
}

func dreamMaterial(ctx context.Context, c *call, _ map[string]any) (reply, error) {
	return c.dreamBegin(ctx)
}

// asJSON writes a value on one line: texts of others are strings in it, without secrets, tags and what could hide or reorder text.
func asJSON(value any) (reply, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return reply{}, fmt.Errorf("write the answer: %w", err)
	}
	var plain any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err = d.Decode(&plain); err == nil {
		text, err = json.Marshal(displayed(plain))
	}
	return reply{text}, err
}

func displayed(value any) any {
	switch v := value.(type) {
	case string:
		return scrub.Display(scrub.Clean(v))
	case []any:
		for i := range v {
			v[i] = displayed(v[i])
		}
	case map[string]any:
		shown := map[string]any{}
		for name := range v {
			shown[scrub.Display(name)] = displayed(v[name])
		}
		return shown
	}
	return value
}

// spelled is a call as hebb names the tool and its arguments.
func spelled(name string, raw json.RawMessage) (string, json.RawMessage) {
	all := accepted()
	i := slices.IndexFunc(all, func(u unlisted) bool { return u.name == name })
	if i < 0 {
		return name, raw
	}
	u := all[i]
	var arguments map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&arguments); err == nil && arguments != nil || len(raw) == 0 { // else the tool says what is wrong
		arguments = u.renamed(arguments)
		if u.tool != "" {
			arguments = u.completed(arguments)
		}
		raw = quoted(arguments)
	}
	return cmp.Or(u.tool, name), raw
}

// renamed gives arguments the names of this server, also those of objects in a list. What would have the name of another
// argument keeps its own, and is refused.
func (u unlisted) renamed(arguments map[string]any) map[string]any {
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		value := arguments[name]
		if list, ok := value.([]any); ok {
			for i := range list {
				if one, ok := list[i].(map[string]any); ok {
					list[i] = u.renamed(one)
				}
			}
		}
		own, other := u.also[name]
		_, both := arguments[own]
		if _, twice := out[own]; !other || both || twice {
			out[name] = value
			continue
		}
		switch name {
		case "path":
			value = []any{value}
		case "type":
			if kind, known := meanings[fmt.Sprint(value)]; known {
				value = kind
			}
		}
		if own != "" {
			out[own] = value
		}
	}
	return out
}

// acceptUnlisted runs a tool that the client was not told of, or one whose arguments have the names of another memory server.
func (s *Server) acceptUnlisted(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		called, ok := r.(*mcp.CallToolRequest)
		if !ok || method != "tools/call" {
			return next(ctx, method, r)
		}
		request, params := *called, *called.Params
		params.Name, params.Arguments = spelled(params.Name, params.Arguments)
		request.Params = &params
		named := func(t tool) bool { return t.name == params.Name }
		if i := slices.IndexFunc(s.every, named); i >= 0 && !slices.ContainsFunc(s.listed, named) {
			return s.handler(s.every[i])(ctx, &request)
		}
		return next(ctx, method, &request)
	}
}
