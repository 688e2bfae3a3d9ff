package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/transcript"
)

func (a *app) bootstrapCommand() *cobra.Command {
	var in learn.TranscriptsInput
	var sessions, mine bool
	var from string
	cmd := &cobra.Command{
		Use: "bootstrap --sessions", Short: "Learn from the sessions your agents had before hebb",
		Long: `Imports the past sessions that Claude Code, Codex, Gemini CLI, OpenCode and Kilo Code keep on this machine: hebb search --sessions
finds prompts and answers, and files and commands become touches at their original time, for recall, heat, episodes and goals.

Nothing is written to the agents' folders, and links out of them are not followed. Only sessions of this project are imported, or all
with --all-projects. Secrets are removed. Duplicates are skipped, a second run adds nothing, and an interrupted one continues.
Lines that cannot be parsed are counted.

--from reads another folder instead, such as a copy from another machine; names and places of files tell the agent. Such sessions are
marked as imported, the least trusted origin, unless you add --mine.

hebb init learns the history of the repository.`,
		Example: `  hebb bootstrap --sessions --dry-run
  hebb bootstrap --sessions --since 2026-09-01
  hebb bootstrap --sessions --all-projects --json
  hebb bootstrap --sessions --from /media/usb/old-home/.claude --mine`,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			switch {
			case !sessions:
				return usageError{errors.New("bootstrap: add --sessions to learn from past sessions of agents; hebb init learns the repository's history")}
			case mine && from == "":
				return usageError{errors.New("bootstrap: --mine needs --from; what is in your agents' own folders is yours")}
			}
			if mine {
				if err := a.personOnly("bootstrap --mine"); err != nil {
					return err
				}
			}
			in.Dir, in.Folders, in.Foreign = a.Dir, []string{from}, !mine
			if from == "" {
				m, err := a.machine()
				if err != nil {
					return err
				}
				in.Folders, in.Foreign = transcript.Folders(m.Home, m.Getenv), false
			} else if missing(from) {
				return usageError{fmt.Errorf("bootstrap: --from %s: there is no such folder", from)}
			}
			return a.bootstrap(cmd.Context(), in)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&sessions, "sessions", false, "learn from past sessions of agents")
	f.BoolVar(&in.AllProjects, "all-projects", false, "of every project, not only of this one")
	a.timeFlag(cmd, &in.Since, "since", "only after this")
	f.BoolVar(&in.Dry, "dry-run", false, "only count")
	f.StringVar(&from, "from", "", "read this folder instead of the agents' own")
	f.BoolVar(&mine, "mine", false, "with --from: these were my sessions")
	return cmd
}

func (a *app) bootstrap(ctx context.Context, in learn.TranscriptsInput) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		draw, finish := a.progressLine()
		if draw != nil {
			in.Progress = func(done, total int64) {
				draw(float64(done)/float64(max(total, 1)), fmt.Sprintf("%s/%s of sessions", size(done), size(total)))
			}
		}
		out, err := steward.Run(ctx, b, learn.LearnTranscripts, in)
		finish()
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted: %s learned so far; the same command continues", count(out.Events, "event", "events"))
		}
		if err != nil {
			return err
		}
		return a.show(out, func(p *page) { bootstrapPage(p, in, out) })
	})
}

func bootstrapPage(p *page, in learn.TranscriptsInput, r learn.TranscriptsResult) {
	word := "Learned"
	if in.Dry {
		word = "Would learn"
	}
	switch {
	case r.Transcripts == 0:
		p.line("No past sessions found. Looked in:")
		for _, dir := range in.Folders {
			p.line("%s%s", indent, scrub.Line(dir))
		}
	case r.Events == 0 && r.Read+r.Unchanged == 0:
		p.line("%s found, none of this project. %s takes them all.", count(r.Transcripts, "transcript", "transcripts"), p.style.cyan("--all-projects"))
	case r.Events == 0:
		p.line("Nothing new in %s.", count(r.Read+r.Unchanged, "transcript", "transcripts"))
	default:
		var parts []string
		for _, agent := range slices.Sorted(maps.Keys(r.Agents)) {
			parts = append(parts, fmt.Sprintf("%s %s", agent, grouped(int64(r.Agents[agent]))))
		}
		p.line("%s %s of %s (%s).", word, count(r.Events, "event", "events"), count(r.Sessions, "session", "sessions"), strings.Join(parts, ", "))
	}
	for _, note := range []struct {
		n    int
		text string
	}{
		{r.Known, "duplicates skipped"},
		{r.Elsewhere, "transcripts are of other projects"},
		{r.Older, "transcripts are older"},
		{r.Malformed, "lines could not be parsed"},
		{r.Refused, "events could not be stored"},
	} {
		if note.n > 0 && r.Transcripts > 0 {
			p.line("%s", p.style.dim(grouped(int64(note.n))+" "+note.text))
		}
	}
	for _, problem := range r.Problems {
		p.line("%s", p.style.yellow(scrub.Line(problem)))
	}
	if r.Events > 0 && !in.Dry {
		p.line("Next: %s finds what was said.", p.style.cyan("hebb search --sessions WORDS"))
	}
}
