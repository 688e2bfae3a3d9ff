package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

func (a *app) knowledgeCommand() *cobra.Command {
	return under(a.allFlag(takes(a, &cobra.Command{
		Use: "knowledge [QUERY...]", Short: "Show the knowledge graph: people, services, ideas and their relations",
		Long: `Entities have a name, a type and observations, and are connected by relations. Every project has
its own graph; --everywhere is the one about you. QUERY chooses the entities that contain its
words. --json prints {"entities": …, "relations": …} as the reference memory server of the Model
Context Protocol does.`,
		Example: `  hebb graph knowledge add "billing service" --type service --observe "owns invoices" --observe "written in Go"
  hebb graph knowledge relate "billing service" "depends on" postgres`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: a.completeEntities(),
	}, texts.SearchNodesInput{}, func(cmd *cobra.Command, in texts.SearchNodesInput) error {
		return run(cmd.Context(), a, a.fresh, texts.SearchNodes, in, func(p *page, out texts.Knowledge) { knowledgePage(p, out, in.Query) })
	})), a.addEntityCommand(), a.relateCommand(), a.unrelateCommand(), a.removeEntityCommand())
}

// entityInput is the input of hebb graph knowledge add.
type entityInput struct {
	texts.GraphInput
	Name    string   `arg:"1"`
	Type    string   `flag:"type,t" about:"its type: person, service, idea …"`
	Observe []string `flag:"observe,o" about:"an observation; may be repeated"`
	More    []string `arg:"2.."`
	Origin  memory.Origin
}

func (a *app) addEntityCommand() *cobra.Command {
	return takes(a, &cobra.Command{
		Use: "add NAME [OBSERVATION...]", Aliases: []string{"observe"},
		Short: "Add an entity to the knowledge graph, or observations to one",
		Long:  "An existing entity keeps its type and gets the new observations. Secrets are removed.",
		Example: `  hebb graph knowledge add Ada --type person "reviews every migration"
  hebb graph knowledge add --everywhere "my laptop" --type machine "has 16 GB"`,
		Args: arguments(1, -1, "the name, in quotes if it is several words, and its observations"),
	}, entityInput{}, func(cmd *cobra.Command, in entityInput) error {
		e := texts.Entity{Name: in.Name, Type: in.Type, Observations: slices.Concat(in.Observe, in.More)}
		return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			create := texts.EntitiesInput{GraphInput: in.GraphInput, Entities: []texts.Entity{e}, Origin: in.Origin}
			created, err := steward.Run(ctx, b, texts.CreateEntities, create)
			if err != nil && (!isTaken(err) || len(e.Observations) == 0) { // observations of an existing entity are spooled separately
				return err
			}
			if len(created) > 0 {
				return a.show(created[0], func(p *page) {
					p.line("Added %s with %s.", p.style.cyan(scrub.Line(created[0].Name)),
						count(len(created[0].Observations), "observation", "observations"))
				})
			}
			said, err := steward.Run(ctx, b, texts.AddObservations, observations(in.GraphInput, e.Name, e.Observations, in.Origin))
			if err != nil {
				return err
			}
			return a.show(said[0], func(p *page) {
				p.line("%s: %s new.", p.style.cyan(scrub.Line(said[0].Entity)), count(len(said[0].Added), "observation is", "observations are"))
			})
		})
	})
}

// observations is the input of an operation on observations of one entity.
func observations(in texts.GraphInput, name string, lines []string, by memory.Origin) texts.ObservationsInput {
	of := []texts.EntityObservations{{Entity: name, Contents: lines}}
	return texts.ObservationsInput{GraphInput: in, Observations: of, Origin: by}
}

// relationInput is the input of the commands that change a relation.
type relationInput struct {
	texts.GraphInput
	From   string `arg:"1"`
	Type   string `arg:"2"`
	To     string `arg:"3"`
	Origin memory.Origin
}

func (in relationInput) relations() texts.RelationsInput {
	return texts.RelationsInput{GraphInput: in.GraphInput, Relations: []memory.Relation{{From: in.From, Type: in.Type, To: in.To}}, Origin: in.Origin}
}

func (a *app) relateCommand() *cobra.Command {
	return takes(a, &cobra.Command{
		Use: "relate FROM TYPE TO", Short: "Link two entities",
		Long:    "Links two existing entities. The type reads best as a verb: FROM depends on TO.",
		Example: `  hebb graph knowledge relate "billing service" "depends on" postgres`,
		Args:    relationArguments, ValidArgsFunction: a.completeEntities(),
	}, relationInput{}, func(cmd *cobra.Command, in relationInput) error {
		change := in.relations()
		return run(cmd.Context(), a, a.with, texts.CreateRelations, change, func(p *page, created []memory.Relation) {
			if len(created) == 0 {
				p.line("Already known: %s", relationLine(p, change.Relations[0]))
				return
			}
			p.line("Linked: %s", relationLine(p, created[0]))
		})
	})
}

var relationArguments = arguments(3, 3, "FROM TYPE TO, each in quotes if it is several words")

func (a *app) unrelateCommand() *cobra.Command {
	return takes(a, &cobra.Command{
		Use: "unrelate FROM TYPE TO", Short: "Remove a link between two entities",
		Long:    "Removes one relation. The entities stay.",
		Example: `  hebb graph knowledge unrelate "billing service" "depends on" mysql`,
		Args:    relationArguments, ValidArgsFunction: a.completeEntities(),
	}, relationInput{}, func(cmd *cobra.Command, in relationInput) error {
		change := in.relations()
		return removed(cmd.Context(), a, texts.DeleteRelations, change, fmt.Sprintf("relation %q %q %q (hebb graph knowledge lists them)", in.From, in.Type, in.To),
			func(p *page, _ texts.GraphRemoved) { p.line("Removed: %s", relationLine(p, change.Relations[0])) })
	})
}

// removeInput is the input of hebb graph knowledge remove.
type removeInput struct {
	texts.NamesInput
	Observation []string `flag:"observation,o" about:"remove only this; may be repeated"`
}

func (a *app) removeEntityCommand() *cobra.Command {
	return takes(a, &cobra.Command{
		Use: "remove NAME...", Short: "Remove entities, or observations of one",
		Long: `Removes entities with their observations and relations, for good. With --observation it removes
only that observation; the entity stays.`,
		Example: `  hebb graph knowledge remove "old service"
  hebb graph knowledge remove Ada --observation "is on leave in August"`,
		Args: arguments(1, -1, "the name of an entity"), ValidArgsFunction: a.completeEntities(),
	}, removeInput{}, func(cmd *cobra.Command, in removeInput) error {
		const known = " (hebb graph knowledge lists what is known)"
		gone := func(p *page, r texts.GraphRemoved) { p.line("%s removed.", count(r.Removed, "thing is", "things are")) }
		switch {
		case len(in.Observation) == 0:
			return removed(cmd.Context(), a, texts.DeleteEntities, in.NamesInput, "entity "+strings.Join(in.Names, ", ")+known, gone)
		case len(in.Names) > 1:
			return usageError{errors.New("knowledge remove: --observation is about one entity; name one")}
		}
		lines := observations(in.GraphInput, in.Names[0], in.Observation, in.Origin)
		return removed(cmd.Context(), a, texts.DeleteObservations, lines, "that observation of "+in.Names[0]+known, gone)
	})
}

// removed runs an operation that removes something from the graph; that it removed nothing is an error about what is not there.
func removed[In any](ctx context.Context, a *app, op brain.Operation[In, texts.GraphRemoved], in In, what string, text func(*page, texts.GraphRemoved)) error {
	return a.with(ctx, func(ctx context.Context, b *brain.Brain) error {
		gone, err := steward.Run(ctx, b, op, in)
		if err == nil && gone.Removed == 0 {
			err = fmt.Errorf("%s: %w", what, memory.ErrNotFound)
		}
		if err != nil {
			return err
		}
		return a.show(gone, func(p *page) { text(p, gone) })
	})
}

func knowledgePage(p *page, out texts.Knowledge, query string) {
	switch {
	case len(out.Entities) == 0 && query == "":
		p.line("No entities here yet. `hebb graph knowledge add NAME` adds one; `--all` lists those " +
			"of every project.")
	case len(out.Entities) == 0:
		p.line("No entity contains these words. `hebb graph knowledge` lists all, `hebb search` " +
			"searches other texts, too.")
	}
	for i, e := range out.Entities {
		p.between(i)
		head := p.style.bold(scrub.Line(e.Name))
		if e.Type != "" {
			head += indent + p.style.cyan(scrub.Line(e.Type))
		}
		if name, ok := p.names[e.Project]; ok {
			head += indent + p.style.dim(name)
		}
		p.line("%s", head)
		for _, o := range e.Observations {
			for j, line := range strings.Split(wrapped(scrub.Line(o), p.width-2*len(indent)), "\n") {
				mark := "- "
				if j > 0 {
					mark = indent
				}
				p.line("%s%s%s", indent, mark, line)
			}
		}
		for _, r := range out.Relations {
			p.lineIf(r.From == e.Name && r.Project == e.Project, "%s%s", indent, relationLine(p, r))
		}
	}
}

func relationLine(p *page, r memory.Relation) string {
	return scrub.Line(r.From) + " " + p.style.dim(scrub.Line(r.Type)) + " → " + scrub.Line(r.To)
}

// completeEntities offers names of entities to the shell.
func (a *app) completeEntities() cobra.CompletionFunc {
	in := func(cmd *cobra.Command) texts.GraphInput {
		everywhere, _ := cmd.Flags().GetBool("everywhere") // fails only for an unknown flag
		return texts.GraphInput{Scope: a.scope(), Everywhere: everywhere}
	}
	return completes(a, -1, texts.ReadGraph, in, func(known texts.Knowledge) []string {
		return mapped(known.Entities, func(e texts.Entity) string { return scrub.Line(e.Name) })
	})
}

func (a *app) procedureCommand() *cobra.Command {
	return &cobra.Command{
		Use: "procedure [TOPIC...]", Short: "Show how something is done here",
		Long: `How-tos are Markdown files that you write, in the folder vault/procedures of the data folder. hebb
search finds them as soon as they change. Without TOPIC it lists them. With TOPIC it prints the
one whose name or heading matches, else the one that a search finds.`,
		Example: `  hebb state procedure roll back a migration`,
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: completes(a, 1, statements.Procedures, func(*cobra.Command) (none struct{}) { return }, func(out statements.ProcedureList) []string {
			return mapped(out.Procedures, func(f statements.ProcedureFile) string { return scrub.Line(f.Name) })
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				if len(args) == 0 {
					return a.procedures(ctx, b)
				}
				out, err := steward.Run(ctx, b, answer.HowTo, statements.ProcedureInput{Scope: a.scope(), Topic: strings.Join(args, " ")})
				a.warnings("procedure skipped: ", out.Problems)
				if err != nil {
					return err
				}
				return a.show(out, func(p *page) { a.howToPage(p, out) })
			})
		},
	}
}

func (a *app) procedures(ctx context.Context, b *brain.Brain) error {
	out, err := steward.Run(ctx, b, statements.Procedures, struct{}{})
	if err != nil {
		return err
	}
	a.warnings("procedure skipped: ", out.Problems)
	return a.show(out, func(p *page) {
		if len(out.Procedures) == 0 {
			p.line("No procedures yet. Write how you do something into %s.", p.style.cyan(scrub.Line(a.home(out.Folder))+"/NAME.md"))
			return
		}
		tableOf(p, "AGO, NAME, HEADING~", out.Procedures, func(f statements.ProcedureFile) []any { return []any{f.At, f.Name, f.Title} })
		p.note("They are files in " + scrub.Line(a.home(out.Folder)))
	})
}

func (a *app) howToPage(p *page, out statements.ProcedureResult) {
	where := "remembered " + p.ago(out.At) + " ago, " + string(out.Crystal)
	switch {
	case out.File != "":
		where = scrub.Line(a.home(out.File))
	case out.Crystal == "":
		where = "learned from commands that passed one after the other"
	}
	p.note(where)
	p.line("%s", scrub.Display(out.Text))
	p.noteIf(len(out.Also) > 0, "Also: "+scrub.Line(strings.Join(out.Also, ", ")))
}
