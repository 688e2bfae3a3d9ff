package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
)

// listCommand is a command that shows the first of a list.
func listCommand[Out any](
	a *app, cmd *cobra.Command, op brain.Operation[brain.ListInput, Out], text func(*page, Out),
) *cobra.Command {
	in := &brain.ListInput{}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		in.Scope = a.scope()
		return run(cmd.Context(), a, a.fresh, op, *in, text)
	}
	return a.listFlags(cmd, &in.Limit)
}

func (a *app) neuronsCommand() *cobra.Command {
	var in inspect.NeuronsInput
	cmd := &cobra.Command{
		Use: "neurons", Short: "List the files and errors hebb knows, and their strengths",
		Long: `A neuron is a file or an error. TOUCHES counts how often it occurred. MYELIN (0 to 0.95) grows
with every touch and halves in 138 days of work. ACTIVE is 1 right after a touch, half after 4.
LINKS counts its links, IGNORED the suggestions in a row that nobody used.`,
		Example: "  hebb graph neurons --kind error",
		RunE: func(cmd *cobra.Command, _ []string) error {
			in.Scope = a.scope()
			return run(cmd.Context(), a, a.fresh, inspect.Neurons, in, neuronsPage)
		},
	}
	choiceFlag(cmd, &in.Kind, "kind", "k", []memory.NeuronKind{memory.FileNeuron, memory.ErrorNeuron}, "only this kind")
	return a.listFlags(cmd, &in.Limit)
}

func neuronsPage(p *page, neurons []brain.NeuronState) {
	if len(neurons) == 0 {
		unknownFolder(p)
		return
	}
	headers := []string{"TOUCHES>", "LAST", "MYELIN>", "ACTIVE>", "LINKS>", "IGNORED>", "WHAT"}
	projectTable(p, 0, headers, neurons, func(n brain.NeuronState) (memory.ProjectID, []string) {
		return n.Project, []string{
			grouped(n.Accesses), p.ago(n.LastAt), figure(n.Myelin), figure(n.Activation), grouped(n.Links),
			grouped(n.Ignored), neuronName(n.Kind, n.Key),
		}
	})
}

func (a *app) hubsCommand() *cobra.Command {
	return listCommand(a, &cobra.Command{
		Use: "hubs", Short: "List the files and errors with the most links",
		Long: `A hub occurs together with nearly everything, so its links are weak evidence: they grow more
slowly and spread less activation in recall.`,
		Example: "  hebb graph hubs",
	}, inspect.Hubs, func(p *page, hubs []brain.NeuronState) {
		if len(hubs) == 0 {
			noLinks(p)
			return
		}
		headers := []string{"LINKS>", "TOUCHES>", "LAST", "WHAT"}
		projectTable(p, 0, headers, hubs, func(n brain.NeuronState) (memory.ProjectID, []string) {
			name := neuronName(n.Kind, n.Key)
			return n.Project, []string{grouped(n.Links), grouped(n.Accesses), p.ago(n.LastAt), name}
		})
	})
}

func noLinks(p *page) {
	p.line("No links here yet. `hebb init` learns what commits change together; sessions of a " +
		"wired agent add what they open.")
}

func (a *app) highwaysCommand() *cobra.Command {
	return listCommand(a, &cobra.Command{
		Use: "highways", Short: "List the files that sessions keep coming back to",
		Long: `Lists files that at least a fifth of the latest 100 sessions of the project opened, and at least
five of them. Those with the most myelin come first.`,
		Example: "  hebb graph highways",
	}, inspect.Highways, func(p *page, found []ranking.Highway) {
		if len(found) == 0 {
			p.line("No file is a highway yet: that takes five sessions, and a fifth of the latest ones, that open it.")
			return
		}
		headers := []string{"SESSIONS>", "MYELIN>", "TOUCHES>", "LAST", "FILE"}
		projectTable(p, 0, headers, found, func(n ranking.Highway) (memory.ProjectID, []string) {
			return n.Project, []string{grouped(int64(n.Sessions)), percent(n.Myelin), grouped(n.Accesses), p.ago(n.LastAt), n.Key}
		})
	})
}

func (a *app) streaksCommand() *cobra.Command {
	return listCommand(a, &cobra.Command{
		Use: "streaks", Short: "List the suggestions that agents ignored",
		Long: `A file that was suggested and not opened, though the session opened others, loses standing: a
tenth the first time, more with each time in a row. Opening it ends the streak and returns the
last loss.`,
		Example: "  hebb graph streaks",
	}, inspect.Streaks, func(p *page, found []brain.NeuronState) {
		if len(found) == 0 {
			p.line("No file is being ignored. `hebb status --worth` shows the outcome of suggestions.")
			return
		}
		headers := []string{"IN A ROW>", "STANDING>", "LAST TOUCH", "FILE"}
		projectTable(p, 0, headers, found, func(n brain.NeuronState) (memory.ProjectID, []string) {
			return n.Project, []string{grouped(n.Ignored), percent(n.Standing), p.ago(n.LastAt), n.Key}
		})
	})
}

// graphCommand is the command of the graph, and without a subcommand its links.
func (a *app) graphCommand() *cobra.Command {
	return a.linksCommand("graph [FILE]", "hebb graph src/login.go")
}

func (a *app) synapsesCommand() *cobra.Command {
	return a.linksCommand("links [FILE]", "hebb graph links src/login.go")
}

func (a *app) linksCommand(use, example string) *cobra.Command {
	var in inspect.SynapsesInput
	cmd := &cobra.Command{
		Use: use, Short: "List what belongs together",
		Long: `A synapse links two files, or a file and an error, in both directions. Its weight (0 to 1) grows
when both occur in one session, and halves in 34 days of work. EVIDENCE is what it was learned from:
commits, sessions, the source text, or you. FILE, or the key of an error, asks for its links.`,
		Example: "  " + example,
		Args:    arguments(0, 1, "at most one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Scope, in.File = a.scope(), strings.Join(args, "") // at most one
			return run(cmd.Context(), a, a.fresh, inspect.Synapses, in, synapsesPage)
		},
	}
	a.listFlags(cmd, &in.Limit)
	return cmd
}

func synapsesPage(p *page, links []brain.SynapseState) {
	if len(links) == 0 {
		noLinks(p)
		return
	}
	headers := []string{"THERE>", "BACK>", "EVIDENCE", "LAST", "WHAT~"}
	projectTable(p, 0, headers, links, func(s brain.SynapseState) (memory.ProjectID, []string) {
		from, to := neuronName(s.From.Kind, s.From.Key), neuronName(s.To.Kind, s.To.Key)
		return s.Project, []string{
			figure(s.Weight), figure(s.Back), linkEvidence(s), p.ago(lastTogether(s)), shownName(from) + " → " + shownName(to),
		}
	})
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
	if (s.CoAccesses > 0 || s.Origin == memory.OriginUser) && s.LastAt.After(s.LastCommit) {
		return s.LastAt
	}
	return s.LastCommit
}

// source is where a link was learned, in a word.
func source(o memory.Origin) string {
	words := map[memory.Origin]string{memory.OriginRepo: "commits", memory.OriginImport: "source", memory.OriginUser: "you"}
	return cmp.Or(words[o], "sessions")
}

func (a *app) statsCommand() *cobra.Command {
	return a.scopeFlags(&cobra.Command{
		Use: "stats", Short: "Count what hebb knows",
		Long: `Counts files, errors, commits, sessions and events of this project; its links by source; its
suggestions by outcome; and the episodes that ranking reads.`,
		Example: "  hebb graph stats --all",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), a, a.fresh, inspect.Stats, a.scope(), a.statsPage)
		},
	}, true)
}

func (a *app) statsPage(p *page, s inspect.StatsResult) {
	if len(s.Projects) == 0 {
		unknownFolder(p)
	}
	for i, project := range s.Projects {
		if i > 0 {
			p.gap()
		}
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
