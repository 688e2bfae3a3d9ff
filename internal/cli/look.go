package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/views"
)

func (a *app) eventsCommand() *cobra.Command {
	var in inspect.EventsInput
	var ids bool
	cmd := &cobra.Command{
		Use: "events", Short: "List what agents did, newest first",
		Long: `Shows prompts, tool calls, failures, turns, sessions and commits, with the first file each touched. A session is named by its
ID, the beginning of its ID, or the agent's own name for the run.`,
		Example: `  hebb events
  hebb events --kind prompt --since 2d
  hebb events --session s5rqswgc --ids
  hebb events --all --json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in.Scope = a.scope()
			return run(cmd.Context(), a, a.fresh, inspect.Events, in, func(p *page, events []memory.StoredEvent) {
				switch {
				case len(events) == 0 && in.Session == "" && in.Kind == "" && in.Origin == "" && in.Since.IsZero():
					p.line("No events here yet. Work with a wired agent, or use --all for every project.")
				case len(events) == 0:
					p.line("No event matches.")
				default:
					eventTable(p, events, ids)
				}
				p.limited(len(events), in.Limit)
			})
		},
	}
	f := cmd.Flags()
	f.StringVarP(&in.Session, "session", "s", "", "only this session")
	f.BoolVar(&ids, "ids", false, "show the ID of each event, for hebb forget")
	choiceFlag(cmd, &in.Kind, "kind", "k", memory.EventKinds, "only this kind")
	choiceFlag(cmd, &in.Origin, "origin", "", memory.Origins, "only this origin")
	a.timeFlag(cmd, &in.Since, "since", "only after this")
	f.IntVarP(&in.Limit, "limit", "n", 50, "at most this many, 0 for all")
	return a.scopeFlags(cmd, true)
}

// limited says that a list may have been cut.
func (p *page) limited(shown, limit int) {
	if limit > 0 && shown == limit {
		p.line("%s", p.style.dim(fmt.Sprintf("The newest %d; -n 0 shows all.", limit)))
	}
}

// eventTable shows events; ids adds the ID of each.
func eventTable(p *page, events []memory.StoredEvent, ids bool) {
	at, headers := 1, []string{"AGO", "AGENT", "KIND", "TOOL", "WHAT~"}
	if ids {
		at, headers = 2, slices.Insert(headers, 0, "ID")
	}
	projectTable(p, at, headers, events, func(e memory.StoredEvent) (memory.ProjectID, []string) {
		cells := []string{p.ago(e.At), string(e.Agent), string(e.Kind), e.Tool, gist(e)}
		if ids {
			cells = slices.Insert(cells, 0, string(e.ID))
		}
		return e.Project, cells
	})
}

// gist is an event in a few words: the files it touched, else its text or input.
func gist(e memory.StoredEvent) string {
	var parts []string
	if len(e.Touches) > 0 {
		parts = append(parts, shownName(e.Touches[0].Path))
	}
	if n := len(e.Touches); n > 1 {
		parts = append(parts, fmt.Sprintf("(+%d)", n-1))
	}
	if e.Text != "" {
		parts = append(parts, e.Text)
	} else if e.Input != "" {
		parts = append(parts, e.Input)
	}
	return strings.Join(parts, "  ")
}

func (a *app) sessionsCommand() *cobra.Command {
	var in inspect.SessionsInput
	cmd := &cobra.Command{
		Use: "sessions", Aliases: []string{"session"}, Short: "List runs of agents, newest first",
		Long: `A session is one run of one agent in one project. STATE is open; ended (the agent closed it); wrap_up (closed by hand); idle
(nothing happened for a while); or recovered (found open long after its last event). INTENT is the first prompt, unless you set
another with hebb intent.`,
		Example: "  hebb sessions\n  hebb sessions --open --all\n  hebb sessions show s5rqswgc\n  hebb sessions close s5rqswgc",
		RunE: func(cmd *cobra.Command, _ []string) error {
			in.Scope = a.scope()
			return run(cmd.Context(), a, a.fresh, inspect.Sessions, in, func(p *page, sessions []memory.Session) {
				if len(sessions) == 0 {
					p.line("No sessions here yet. %s wires your agents.", p.style.cyan("hebb install"))
					return
				}
				sessionTable(p, sessions)
			})
		},
	}
	cmd.Flags().BoolVar(&in.Open, "open", false, "only those still running")
	cmd.Flags().IntVarP(&in.Limit, "limit", "n", 20, "at most this many, 0 for all")
	cmd.AddCommand(a.closeCommand(), a.sessionShowCommand())
	return a.scopeFlags(cmd, true)
}

func (a *app) closeCommand() *cobra.Command {
	return a.scopeFlags(&cobra.Command{
		Use: "close [SESSION]", Short: "Close a session that the agent left open",
		Long:    "Closes the session, by default the newest open one of this project. hebb closes idle sessions on its own.",
		Example: "  hebb sessions close\n  hebb sessions close s5rqswgc",
		Args:    arguments(0, 1, "at most one session ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return run(cmd.Context(), a, a.fresh, record.CloseSession, a.sessionInput(args), oneSession)
		},
	}, false)
}

func sessionTable(p *page, sessions []memory.Session) {
	headers := []string{"LAST", "AGENT", "EVENTS>", "STATE", "ID", "INTENT~"}
	projectTable(p, 1, headers, sessions, func(s memory.Session) (memory.ProjectID, []string) {
		return s.Project, []string{p.ago(s.LastEventAt), string(s.Agent), grouped(s.Events), sessionState(s), s.ID.String(), s.Intent}
	})
}

func oneSession(p *page, s memory.Session) { sessionTable(p, []memory.Session{s}) }

func sessionState(s memory.Session) string {
	switch {
	case s.Open():
		return "open"
	case s.Recovered:
		return "recovered"
	}
	return string(s.CloseReason)
}

func (a *app) projectsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "projects", Short: "List the projects hebb knows",
		Long: `A project is a git repository with all its worktrees, or a plain folder. A project whose folder is missing is marked as gone. A
repository that was moved is recognised by its root commits; relocate and merge do the same by hand.`,
		Example: "  hebb projects\n  hebb projects --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), a, a.fresh, inspect.Projects, struct{}{}, func(p *page, projects []inspect.ProjectSummary) {
				if len(projects) == 0 {
					p.line("None yet. %s adds the one around you.", p.style.cyan("hebb init"))
					return
				}
				headers := []string{"LAST", "NAME", "SESSIONS>", "EVENTS>", "FILES>", "ID", "ROOT"}
				tableOf(p, headers, projects, func(s inspect.ProjectSummary) []string {
					root := a.home(s.Root)
					if path, err := memory.UnescapePath(s.Root); err == nil && missing(path) {
						root += "  (gone)"
					}
					return []string{p.ago(s.LastAt), s.Name, grouped(s.Sessions), grouped(s.Events), grouped(s.Files), s.ID.String(), root}
				})
			})
		},
	}
	cmd.AddCommand(a.relocateCommand(), a.mergeCommand())
	return cmd
}

func (a *app) tagProjectCommand() *cobra.Command {
	return a.scopeFlags(&cobra.Command{
		Use: "tag-project NAME", Short: "Give a project a name of its own",
		Long: `Names the project around you, or the one given with --project. The name is unique and works wherever a command takes
--project. It is a label and never becomes a path.`,
		Example: "  hebb tag-project shop\n  hebb tag-project --project p422qgz1q2wych shop-fork",
		Args:    arguments(1, 1, "one name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return run(cmd.Context(), a, a.fresh, views.TagProject, views.TagInput{Scope: a.scope(), Name: args[0]}, func(p *page, project memory.Project) {
				p.line("%s is now called %s.", shownName(a.home(project.Root)), p.style.bold(shownName(project.Name)))
			})
		},
	}, false)
}

func (a *app) intentCommand() *cobra.Command {
	var set string
	cmd := &cobra.Command{
		Use: "intent [SESSION]", Short: "Show or set what a session is about",
		Long:    "Shows what the newest session of this project (or the one named) is about: its first prompt, unless you set it.",
		Example: "  hebb intent\n  hebb intent --set \"move billing to the new API\"",
		Args:    arguments(0, 1, "at most one session ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := record.IntentInput{SessionInput: a.sessionInput(args), Origin: a.speaker()}
			if cmd.Flags().Changed("set") {
				in.Set = &set
			}
			return run(cmd.Context(), a, a.fresh, record.Intent, in, oneSession)
		},
	}
	cmd.Flags().StringVar(&set, "set", "", "the new intent; an empty one restores the first prompt")
	return a.scopeFlags(cmd, false)
}

func (a *app) sessionInput(args []string) record.SessionInput {
	return record.SessionInput{Scope: a.scope(), Session: strings.Join(args, "")} // at most one
}
