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
		a.knowledgeCommand(),
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
		Args:    arguments(0, 1, "at most one file"),
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
