package braintest

import (
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/transfer"
)

// Worked makes a repository in which a session has ended and something was remembered, and returns its project.
func (g *Ground) Worked(name string) memory.ProjectID {
	g.T.Helper()
	g.Begin(name, "work in "+name)
	edit := g.Spooled(memory.ToolUsed, name, "work in "+name)
	edit.Tool, edit.Touches = "Edit", []memory.Touch{{Kind: memory.Edit, Path: "a.go"}}
	prompt := g.Spooled(memory.Prompted, name, "work in "+name)
	prompt.Text = "please repair the drawer of " + name
	Must(g.Lab, statements.Remember, statements.RememberInput{Scope: brain.Scope{Dir: g.Path(name)}, Text: "the till of " + name + " counts nickels"})
	Must(g.Lab, desk.PinText, desk.PinInput{Scope: brain.Scope{Dir: g.Path(name)}, Title: "pin of " + name, Text: "never touch the till of " + name})
	g.Background(prompt, edit, g.Spooled(memory.SessionEnded, name, "work in "+name))
	return g.ProjectOf(name)
}

func (g *Ground) ProjectOf(name string) memory.ProjectID {
	g.T.Helper()
	place := must.Get(brain.PlaceAt(g.Config, g.Path(name)))(g.T)
	return place.Project()
}

// Finds reports whether a search in a repository finds what was remembered in one of a name.
func (g *Ground) Finds(in, of string) bool {
	g.T.Helper()
	out := Must(g.Lab, answer.SearchTexts, texts.SearchInput{Scope: brain.Scope{Dir: g.Path(in)}, Query: "till nickels " + of})
	return slices.ContainsFunc(out.Found, func(f texts.Found) bool { return strings.Contains(f.Text, "the till of "+of+" counts") })
}

func (g *Ground) Projects() (names []string) {
	g.T.Helper()
	for _, p := range Must(g.Lab, inspect.Projects, struct{}{}) {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return names
}

// Prepare is a merge of clone into shop that ends as soon as it can be finished.
func (g *Ground) Prepare() {
	g.T.Helper()
	plan := Must(g.Lab, transfer.Merge, transfer.MergeInput{Dir: g.Path("clone"), Project: "shop"})
	place := must.Get(brain.PlaceAt(g.Config, g.Path("clone")))(g.T)
	must.Do(g.T, transfer.PrepareMerge(g.T.Context(), g.Brain, place, plan.Into))
}

// OwnMemory gives a clone a memory of its own.
func (g *Ground) OwnMemory(name string) {
	g.T.Helper()
	place := must.Get(project.Resolve(g.Path(name)))(g.T)
	must.Do(g.T, g.UseMemoryOf(g.T.Context(), place, "split:"+place.Root+"#"+place.Mark))
}
