package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
)

// labels are the names of projects, for a page about several; nil for a page about one.
type labels = map[memory.ProjectID]string

// listFlags adds what every list of neurons has.
func (a *app) listFlags(cmd *cobra.Command, limit *int) {
	a.scopeFlags(cmd, true)
	cmd.Flags().IntVarP(limit, "limit", "n", 20, "at most this many, 0 for all")
}

// listed runs an operation on a scope and shows what it returns, with the names of projects where there are several.
func listed[In, Out any](
	ctx context.Context, a *app, op brain.Operation[In, Out], in In, text func(p *page, out Out, names labels),
) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		out, err := steward.Run(ctx, b, op, in)
		if err != nil {
			return err
		}
		names, err := projectNames(ctx, b, a.all)
		if err != nil {
			return err
		}
		return a.show(out, func(p *page) { text(p, out, names) })
	})
}

// listCommand is a command that shows the first of a list.
func listCommand[Out any](
	a *app, cmd *cobra.Command, op brain.Operation[brain.ListInput, Out], text func(p *page, out Out, names labels),
) *cobra.Command {
	in := &brain.ListInput{}
	cmd.Args = noArguments
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		in.Scope = a.scope()
		return listed(cmd.Context(), a, op, *in, text)
	}
	a.listFlags(cmd, &in.Limit)
	return cmd
}

// projectTable is a table with the project of each row where there are several; of gives a row's project and cells.
func projectTable[Row any](
	p *page, headers []string, rows []Row, names labels, of func(Row) (memory.ProjectID, []string),
) {
	if names != nil {
		headers = slices.Insert(headers, 0, "PROJECT")
	}
	cells := make([][]string, len(rows))
	for i, r := range rows {
		var project memory.ProjectID
		if project, cells[i] = of(r); names != nil {
			cells[i] = slices.Insert(cells[i], 0, names[project])
		}
	}
	p.table(headers, cells)
}

// figure writes a strength of 0 to 1.
func figure(v float64) string { return fmt.Sprintf("%.2f", v) }

// neuronName tells errors from files.
func neuronName(kind memory.NeuronKind, key string) string {
	if kind == memory.ErrorNeuron {
		return "error: " + key
	}
	return key
}

func (a *app) neuronsCommand() *cobra.Command {
	var in inspect.NeuronsInput
	var kind string
	kinds := []memory.NeuronKind{memory.FileNeuron, memory.ErrorNeuron}
	cmd := &cobra.Command{
		Use: "neurons", Short: "List the files and errors hebb knows, and how they have grown",
		Long: `A neuron is a thing that can be met again: a file, or an error. TOUCHES counts how often it was met. MYELIN (0 to
0.95) grows with every touch and halves in 138 days: what always matters. ACTIVE is 1 right after a touch and halves
in 4 days: what matters now. LINKS counts what it is wired to, IGNORED the suggestions of it in a row that nobody
took up.`,
		Example: "  hebb neurons\n  hebb neurons --kind error\n  hebb neurons -n 0 --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			in.Scope = a.scope()
			if in.Kind, err = oneOf("kind", kind, kinds); err != nil {
				return err
			}
			return listed(cmd.Context(), a, inspect.Neurons, in, neuronsPage)
		},
	}
	a.listFlags(cmd, &in.Limit)
	cmd.Flags().StringVarP(&kind, "kind", "k", "", "only this kind: "+list(kinds))
	fixedCompletion(cmd, "kind", kinds)
	return cmd
}

func neuronsPage(p *page, neurons []brain.NeuronState, names labels) {
	if len(neurons) == 0 {
		p.line("Nothing is known here yet. %s learns this repository's history.", p.style.cyan("hebb init"))
		return
	}
	headers := []string{"TOUCHES>", "LAST", "MYELIN>", "ACTIVE>", "LINKS>", "IGNORED>", "WHAT"}
	projectTable(p, headers, neurons, names, func(n brain.NeuronState) (memory.ProjectID, []string) {
		return n.Project, []string{
			grouped(n.Accesses), p.ago(n.LastAt), figure(n.Myelin), figure(n.Activation), grouped(n.Links),
			grouped(n.Ignored), neuronName(n.Kind, n.Key),
		}
	})
}

func (a *app) hubsCommand() *cobra.Command {
	return listCommand(a, &cobra.Command{
		Use: "hubs", Short: "List the files and errors with the most links",
		Long: `A hub is met beside nearly everything, so it says little about any of it: its links grow more slowly, and what it
passes on in recall is thinned out. Long lists of links point at files that do too much.`,
		Example: "  hebb hubs\n  hebb hubs -n 5 --json",
	}, inspect.Hubs, func(p *page, hubs []brain.NeuronState, names labels) {
		if len(hubs) == 0 {
			noLinks(p)
			return
		}
		headers := []string{"LINKS>", "TOUCHES>", "LAST", "WHAT"}
		projectTable(p, headers, hubs, names, func(n brain.NeuronState) (memory.ProjectID, []string) {
			name := neuronName(n.Kind, n.Key)
			return n.Project, []string{grouped(n.Links), grouped(n.Accesses), p.ago(n.LastAt), name}
		})
	})
}

func noLinks(p *page) {
	p.line("Nothing is linked here yet. %s learns what commits change together again and again; sessions of a wired agent add what "+
		"they open.", p.style.cyan("hebb init"))
}

func (a *app) highwaysCommand() *cobra.Command {
	return listCommand(a, &cobra.Command{
		Use: "highways", Short: "List the files that always matter",
		Long: `Files with so much myelin that they are habits (half of what it can be). Myelin grows with every touch, ever more
slowly, and fades by half in 138 days. Where no file has got that far, the nearest are shown.`,
		Example: "  hebb highways\n  hebb highways --all --json",
	}, inspect.Highways, func(p *page, found inspect.HighwaysResult, names labels) {
		rows := found.Highways
		if len(rows) == 0 {
			rows = found.Nearest
			p.line("No file is a highway yet: that takes myelin %s%s.", figure(found.Least), highwayTouches(found.Touches))
			if len(rows) == 0 {
				p.line("Myelin begins with the second touch of a file: a commit that %s learns is one, and so is every time an "+
					"agent reads or edits it.", p.style.cyan("hebb init"))
				return
			}
			p.line("The nearest:")
		}
		headers := []string{"MYELIN>", "TOUCHES>", "LAST", "FILE"}
		projectTable(p, headers, rows, names, func(n brain.NeuronState) (memory.ProjectID, []string) {
			return n.Project, []string{percent(n.Myelin), grouped(n.Accesses), p.ago(n.LastAt), n.Key}
		})
	})
}

// highwayTouches says how long it takes until a file is a highway.
func highwayTouches(touches int64) string {
	if touches == 0 {
		return ""
	}
	return fmt.Sprintf(", some %s in a short time", count(touches, "touch", "touches"))
}

func (a *app) staleCommand() *cobra.Command {
	return listCommand(a, &cobra.Command{
		Use: "stale", Short: "List files that mattered and are fading",
		Long: `Files with myelin that nobody has touched for a week or more: what
they had at the last touch, what is left of it now, and how long they have been idle. Touch one, and it is back.`,
		Example: "  hebb stale\n  hebb stale --json",
	}, inspect.Stale, func(p *page, found []inspect.StaleFile, names labels) {
		if len(found) == 0 {
			p.line("Nothing that mattered is fading.")
		}
		for _, s := range found {
			where := ""
			if names != nil {
				where = p.style.dim(shownName(names[s.Project]) + "  ")
			}
			p.line("%s%s %s", where, shownName(s.Path), p.style.dim(staleNote(s)))
		}
	})
}

// staleNote is how much a file has lost: (82 %→76 % myelin, 14d idle).
func staleNote(s inspect.StaleFile) string {
	return fmt.Sprintf("(%s→%s myelin, %dd idle)", percent(s.Then), percent(s.Now), int(s.Idle))
}

func (a *app) streaksCommand() *cobra.Command {
	return listCommand(a, &cobra.Command{
		Use: "streaks", Short: "List what agents were shown and passed over",
		Long: `A file that was suggested and not opened, though the session opened others, loses standing: a tenth at the first
time, more with each time in a row, never below a tenth of it. Opening it ends the streak and gives the last loss
back.`,
		Example: "  hebb streaks\n  hebb streaks --json",
	}, inspect.Streaks, func(p *page, found []brain.NeuronState, names labels) {
		if len(found) == 0 {
			p.line("Nothing is being passed over. %s shows what became of suggestions.", p.style.cyan("hebb roi"))
			return
		}
		headers := []string{"IN A ROW>", "STANDING>", "LAST TOUCH", "FILE"}
		projectTable(p, headers, found, names, func(n brain.NeuronState) (memory.ProjectID, []string) {
			return n.Project, []string{grouped(n.Ignored), percent(n.Standing), p.ago(n.LastAt), n.Key}
		})
	})
}

func (a *app) synapsesCommand() *cobra.Command {
	var in inspect.SynapsesInput
	cmd := &cobra.Command{
		Use: "synapses [FILE]", Short: "List what hebb has learned belongs together",
		Long: `A synapse links two files, or a file and an error, in both directions. Its weight (0 to 1) grows when both are met
in one session, quickly at first, and fades by half in 34 days. EVIDENCE says what it was learned from: commits that
changed both, times both were met in sessions, the source text (imports and same names), or you (hebb resolve); LAST
is when the newest commit or meeting was. With FILE it shows the links of that file, and with an error's key those of
the error.`,
		Example: "  hebb synapses\n  hebb synapses src/login.go\n  hebb synapses -n 0 --json",
		Args:    arguments(0, 1, "at most one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Scope, in.File = a.scope(), strings.Join(args, "") // at most one
			return listed(cmd.Context(), a, inspect.Synapses, in, synapsesPage)
		},
	}
	a.listFlags(cmd, &in.Limit)
	return cmd
}

func synapsesPage(p *page, links []brain.SynapseState, names labels) {
	if len(links) == 0 {
		noLinks(p)
		return
	}
	headers := []string{"THERE>", "BACK>", "EVIDENCE", "LAST", "WHAT~"}
	projectTable(p, headers, links, names, func(s brain.SynapseState) (memory.ProjectID, []string) {
		from, to := neuronName(s.From.Kind, s.From.Key), neuronName(s.To.Kind, s.To.Key)
		return s.Project, []string{
			figure(s.Weight), figure(s.Back), linkEvidence(s), p.ago(lastTogether(s)), shownName(from) + " → " + shownName(to),
		}
	})
}

// linkEvidence says what a link was learned from: 12 commits, met 3×.
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
	if s.CoAccesses > 0 && s.Origin != memory.OriginUser { // there it counts what you said
		parts = append(parts, fmt.Sprintf("met %s×", grouped(s.CoAccesses)))
	}
	if len(parts) == 0 {
		return source(s.Origin)
	}
	return strings.Join(parts, ", ")
}

// lastTogether is when the newest evidence of a link was. What the source text says has no time.
func lastTogether(s brain.SynapseState) time.Time {
	if (s.CoAccesses > 0 || s.Origin == memory.OriginUser) && s.LastAt.After(s.LastCommit) {
		return s.LastAt
	}
	return s.LastCommit
}

// source says in a word where a link was learned.
func source(o memory.Origin) string {
	switch o {
	case memory.OriginRepo:
		return "commits"
	case memory.OriginImport:
		return "source"
	case memory.OriginUser:
		return "you"
	}
	return "sessions"
}

func (a *app) graphCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "graph [FILE]", Short: "Draw a file with its strongest companions and theirs",
		Long: `Draws what a file is linked to most strongly, and what these are linked to, each thing once. The bar is the weight
of the link that leads there. Without FILE it begins at the file with the most links.`,
		Example: "  hebb graph\n  hebb graph src/login.go",
		Args:    arguments(0, 1, "at most one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := inspect.GraphInput{Scope: a.scope(), File: strings.Join(args, "")} // at most one
			return listed(cmd.Context(), a, inspect.Graph, in, graphPage)
		},
	}
	a.scopeFlags(cmd, false)
	return cmd
}

func graphPage(p *page, g inspect.GraphResult, _ labels) {
	if g.Root == nil {
		p.line("Nothing is known here yet. %s learns this repository's history.", p.style.cyan("hebb init"))
		return
	}
	p.line("%s  %s", p.style.bold(shownName(neuronName(g.Root.Kind, g.Root.Key))),
		p.style.dim(count(g.Root.Accesses, "touch", "touches")+", "+count(g.Root.Links, "link", "links")))
	if len(g.Root.Companions) == 0 {
		noLinks(p)
		return
	}
	drawBranches(p, g.Root.Companions, "")
}

// drawBranches draws the companions of a node below it.
func drawBranches(p *page, nodes []inspect.GraphNode, before string) {
	for i, n := range nodes {
		fork, below := "├─ ", "│  "
		if i == len(nodes)-1 {
			fork, below = "└─ ", "   "
		}
		filled, note := bar(n.Weight, false), linkNote(n)
		gauge := p.style.cyan(filled) + p.style.dim(strings.Repeat("░", barLength-columns(filled)))
		used := columns(before+fork) + barLength + columns("  0.00    "+note)
		name := p.cut(shownName(neuronName(n.Kind, n.Key)), p.width-used)
		p.line("%s%s  %s  %s  %s", p.style.dim(before+fork), gauge, figure(n.Weight), name, p.style.dim(note))
		drawBranches(p, n.Companions, before+below)
	}
}

func linkNote(n inspect.GraphNode) string {
	if n.CoAccesses == 0 {
		return source(n.Origin)
	}
	return fmt.Sprintf("%s, met %d×", source(n.Origin), n.CoAccesses)
}

func (a *app) statsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "stats", Short: "Count what hebb knows",
		Long: `Counts files, errors, commits, sessions and events of this project; its links by where they were learned; its
suggestions by what became of them; and the episodes (commits and stretches of sessions) that ranking reads, with
their size.`,
		Example: "  hebb stats\n  hebb stats --all\n  hebb stats --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return listed(cmd.Context(), a, inspect.Stats, a.scope(), a.statsPage)
		},
	}
	a.scopeFlags(cmd, true)
	return cmd
}

func (a *app) statsPage(p *page, s inspect.StatsResult, _ labels) {
	if len(s.Projects) == 0 {
		p.line("hebb knows nothing of this folder yet. %s learns its history.", p.style.cyan("hebb init"))
	}
	for i, project := range s.Projects {
		if i > 0 {
			p.gap()
		}
		projectStats(p, project, shownName(a.home(project.Root)))
	}
	p.gap()
	p.line("%s", p.style.dim(fmt.Sprintf("%s %s, %s in all", s.Store.Engine, s.Store.Version, size(s.Store.Bytes))))
	if s.LastSleep != nil {
		p.line("%s", p.style.dim(fmt.Sprintf("slept last %s: %s", p.when(s.LastSleep.At), sleepGist(*s.LastSleep))))
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
		{"met", fmt.Sprintf("%s, %s", count(s.Files, "file", "files"), count(s.Errors, "error", "errors"))},
		{"seen", fmt.Sprintf("%s in %s, %s", count(s.Events, "event", "events"),
			count(s.Sessions, "session", "sessions"), count(s.Commits, "commit", "commits"))},
		{"links", grouped(links) + breakdown(bySource)},
		{"suggestions", grouped(lines) + breakdown(s.Suggestions)},
		{"episodes", fmt.Sprintf("%s, %s, %s packed", count(s.Episodes.Commits, "commit", "commits"),
			count(s.Episodes.Sessions, "stretch of a session", "stretches of sessions"), size(s.PastBytes))},
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
