package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

// graphCommand is the command of the graph, and without a subcommand its links.
func (a *app) graphCommand() *cobra.Command {
	list := brain.ListInput{Limit: 20}
	return under(
		a.linksCommand("graph [FILE]", "hebb graph src/login.go"),
		a.heatCommand(),
		a.allFlag(asks(a, &cobra.Command{
			Use: "highways", Short: "List the files that sessions keep coming back to",
			Long: `Lists files that at least a fifth of the latest 100 sessions of the project opened, and at least
five of them. Those with the most myelin come first.`,
		}, a.fresh, inspect.Highways, list, rows("No file is a highway yet: that takes five sessions, and a fifth of the latest ones, that open it.",
			"PROJECT, SESSIONS>, MYELIN>, TOUCHES>, LAST, FILE", func(n ranking.Highway) []any {
				return []any{n.Project, n.Sessions, percent(n.Myelin), n.Accesses, n.LastAt, n.Key}
			}))),
		a.allFlag(asks(a, &cobra.Command{
			Use: "hubs", Short: "List the files and errors with the most links",
			Long: `A hub occurs together with nearly everything, so its links are weak evidence: they grow more
slowly and spread less activation in recall.`,
		}, a.fresh, inspect.Hubs, list, rows(noLinks, "PROJECT, LINKS>, TOUCHES>, LAST, WHAT", func(n brain.NeuronState) []any {
			return []any{n.Project, n.Links, n.Accesses, n.LastAt, neuronName(n.Kind, n.Key)}
		}))),
		under(a.allFlag(takes(a, &cobra.Command{
			Use: "knowledge [QUERY...]", Short: "Show the knowledge graph: people, services, ideas and their relations",
			Long: `Entities have a name, a type and observations, and are connected by relations. Every project has
its own graph; --everywhere is the one about you. QUERY chooses the entities that contain its
words. --json prints {"entities": …, "relations": …} as the reference memory server of the Model
Context Protocol does.`,
			Example: `  hebb graph knowledge add "billing service" --type service --observe "owns invoices" --observe "written in Go"
  hebb graph knowledge relate "billing service" "depends on" postgres`,
			ValidArgsFunction: a.completeEntities(),
		}, texts.SearchNodesInput{}, func(cmd *cobra.Command, in texts.SearchNodesInput) error {
			return run(cmd.Context(), a, a.fresh, texts.SearchNodes, in, func(p *page, out texts.Knowledge) { knowledgePage(p, out, in.Query) })
		})), a.addEntityCommand(), takes(a, &cobra.Command{
			Use: "relate FROM TYPE TO", Short: "Link two entities",
			Long:              "Links two existing entities. The type reads best as a verb: FROM depends on TO.",
			Example:           `  hebb graph knowledge relate "billing service" "depends on" postgres`,
			ValidArgsFunction: a.completeEntities(),
		}, relationInput{}, func(cmd *cobra.Command, in relationInput) error {
			change := in.relations()
			return run(cmd.Context(), a, a.with, texts.CreateRelations, change, func(p *page, created []memory.Relation) {
				if len(created) == 0 {
					p.line("Already known: %s", relationLine(p, change.Relations[0]))
					return
				}
				p.line("Linked: %s", relationLine(p, created[0]))
			})
		}), takes(a, &cobra.Command{
			Use: "unrelate FROM TYPE TO", Short: "Remove a link between two entities",
			Long:              "Removes one relation. The entities stay.",
			Example:           `  hebb graph knowledge unrelate "billing service" "depends on" mysql`,
			ValidArgsFunction: a.completeEntities(),
		}, relationInput{}, func(cmd *cobra.Command, in relationInput) error {
			change := in.relations()
			return removed(cmd.Context(), a, texts.DeleteRelations, change, fmt.Sprintf("relation %q %q %q (hebb graph knowledge lists them)", in.From, in.Type, in.To),
				func(p *page, _ texts.GraphRemoved) { p.line("Removed: %s", relationLine(p, change.Relations[0])) })
		}), a.removeEntityCommand()),
		a.linksCommand("links [FILE]", "hebb graph links src/login.go"),
		asks(a, &cobra.Command{
			Use: "neurons", Short: "List the files and errors hebb knows, and their strengths",
			Long: `A neuron is a file or an error. TOUCHES counts how often it occurred. MYELIN (0 to 0.95) grows
with every touch and halves in 138 days of work. ACTIVE is 1 right after a touch, half after 4.
LINKS counts its links, IGNORED the suggestions in a row that nobody used.`,
			Example: "  hebb graph neurons --kind error",
		}, a.fresh, inspect.Neurons, inspect.NeuronsInput{Limit: 20}, rows(unknownFolder,
			"PROJECT, TOUCHES>, LAST, MYELIN>, ACTIVE>, LINKS>, IGNORED>, WHAT", func(n brain.NeuronState) []any {
				return []any{n.Project, n.Accesses, n.LastAt, n.Myelin, n.Activation, n.Links, n.Ignored, neuronName(n.Kind, n.Key)}
			})),
		a.noteFileCommand(),
		a.allFlag(asks(a, &cobra.Command{
			Use: "stats", Short: "Count what hebb knows",
			Long: `Counts files, errors, commits, sessions and events of this project; its links by source; its
suggestions by outcome; and the episodes that ranking reads.`,
			Example: "  hebb graph stats --all",
		}, a.fresh, inspect.Stats, brain.Scope{}, a.statsPage)),
		a.allFlag(asks(a, &cobra.Command{
			Use: "streaks", Short: "List the suggestions that agents ignored",
			Long: `A file that was suggested and not opened, though the session opened others, loses standing: a
tenth the first time, more with each time in a row. Opening it ends the streak and returns the
last loss.`,
		}, a.fresh, inspect.Streaks, list, rows("No file is being ignored. `hebb status --worth` shows the outcome of suggestions.",
			"PROJECT, IN A ROW>, STANDING>, LAST TOUCH, FILE", func(n brain.NeuronState) []any {
				return []any{n.Project, n.Ignored, percent(n.Standing), n.LastAt, n.Key}
			}))),
	)
}

func (a *app) linksCommand(use, example string) *cobra.Command {
	return asks(a, &cobra.Command{
		Use: use, Short: "List what belongs together",
		Long: `A synapse links two files, or a file and an error, in both directions. Its weight (0 to 1) grows
when both occur in one session, and halves in 34 days of work. EVIDENCE is what it was learned from:
commits, sessions, the source text, or you. FILE, or the key of an error, asks for its links.`,
		Example: "  " + example,
	}, a.fresh, inspect.Synapses, inspect.SynapsesInput{Limit: 20}, rows(noLinks,
		"PROJECT, THERE>, BACK>, EVIDENCE, LAST, WHAT~", func(s brain.SynapseState) []any {
			from, to := neuronName(s.From.Kind, s.From.Key), neuronName(s.To.Kind, s.To.Key)
			return []any{s.Project, s.Weight, s.Back, linkEvidence(s), lastTogether(s), shownName(from) + " → " + shownName(to)}
		}))
}

// linkEvidence is what a link was learned from: 12 commits, used together 3×.
func linkEvidence(s brain.SynapseState) string {
	var parts []string
	switch s.Origin {
	case memory.OriginUser:
		parts = append(parts, "you said so")
	case memory.OriginImport:
		parts = append(parts, "source text")
	}
	if s.CoCommits > 0 {
		parts = append(parts, count(s.CoCommits, "commit", "commits"))
	}
	if s.CoAccesses > 0 && s.Origin != memory.OriginUser { // there it counts hebb error --fixed-by
		parts = append(parts, fmt.Sprintf("together %s×", grouped(s.CoAccesses)))
	}
	if len(parts) == 0 {
		return source(s.Origin)
	}
	return strings.Join(parts, ", ")
}

// lastTogether is the time of the newest evidence of a link. Source text has no time.
func lastTogether(s brain.SynapseState) time.Time {
	return either((s.CoAccesses > 0 || s.Origin == memory.OriginUser) && s.LastAt.After(s.LastCommit), s.LastAt, s.LastCommit)
}

// source is where a link was learned, in a word.
func source(o memory.Origin) string {
	words := map[memory.Origin]string{memory.OriginRepo: "commits", memory.OriginImport: "source", memory.OriginUser: "you"}
	return cmp.Or(words[o], "sessions")
}

func (a *app) statsPage(p *page, s inspect.StatsResult) {
	if len(s.Projects) == 0 {
		p.say(unknownFolder)
	}
	for i, project := range s.Projects {
		p.between(i)
		projectStats(p, project, shownName(a.home(project.Root)))
	}
	p.gap()
	p.note(fmt.Sprintf("%s %s, %s in all", s.Store.Engine, s.Store.Version, size(s.Store.Bytes)))
	if s.LastSleep != nil {
		p.note(fmt.Sprintf("last sleep %s: %s", p.when(s.LastSleep.At), sleepGist(*s.LastSleep)))
	}
}

func projectStats(p *page, s inspect.ProjectStats, root string) {
	p.line("%s  %s", p.style.bold(shownName(s.Name)), p.style.dim(root))
	bySource := map[string]int64{}
	var links, lines int64
	for origin, n := range s.Synapses {
		bySource[source(origin)] += n
		links += n
	}
	for _, n := range s.Suggestions {
		lines += n
	}
	p.facts([][2]string{
		{"known", fmt.Sprintf("%s, %s", count(s.Files, "file", "files"), count(s.Errors, "error", "errors"))},
		{"seen", fmt.Sprintf("%s in %s, %s", count(s.Events, "event", "events"),
			count(s.Sessions, "session", "sessions"), count(s.Commits, "commit", "commits"))},
		{"links", grouped(links) + breakdown(bySource)},
		{"suggestions", grouped(lines) + breakdown(s.Suggestions)},
		{"episodes", fmt.Sprintf("%s, %s, %s packed", count(s.Episodes.Commits, "commit", "commits"),
			count(s.Episodes.Sessions, "segment of a session", "segments of sessions"), size(s.PastBytes))},
	})
}

// breakdown lists counts by name: (commits 12, sessions 3).
func breakdown(counts map[string]int64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, name+" "+grouped(counts[name]))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func (a *app) addEntityCommand() *cobra.Command {
	type input struct {
		texts.GraphInput
		Name    string   `arg:"1"`
		Type    string   `flag:"type,t" about:"its type: person, service, idea …"`
		Observe []string `flag:"observe,o" about:"an observation; may be repeated"`
		More    []string `arg:"2.."`
		Origin  memory.Origin
	}
	return takes(a, &cobra.Command{
		Use: "add NAME [OBSERVATION...]", Aliases: []string{"observe"},
		Short: "Add an entity to the knowledge graph, or observations to one",
		Long:  "An existing entity keeps its type and gets the new observations. Secrets are removed.",
		Example: `  hebb graph knowledge add Ada --type person "reviews every migration"
  hebb graph knowledge add --everywhere "my laptop" --type machine "has 16 GB"`,
	}, input{}, func(cmd *cobra.Command, in input) error {
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

func (a *app) removeEntityCommand() *cobra.Command {
	type input struct {
		texts.NamesInput
		Observation []string `flag:"observation,o" about:"remove only this; may be repeated"`
	}
	return takes(a, &cobra.Command{
		Use: "remove NAME...", Short: "Remove entities, or observations of one",
		Long: `Removes entities with their observations and relations, for good. With --observation it removes
only that observation; the entity stays.`,
		Example: `  hebb graph knowledge remove "old service"
  hebb graph knowledge remove Ada --observation "is on leave in August"`,
		ValidArgsFunction: a.completeEntities(),
	}, input{}, func(cmd *cobra.Command, in input) error {
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
		return a.outcome(gone, err, func(p *page) { text(p, gone) })
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
				mark := either(j > 0, indent, "- ")
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
				return a.outcome(out, err, func(p *page) { a.howToPage(p, out) })
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
