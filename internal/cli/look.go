package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/views"
)

func (a *app) eventsCommand() *cobra.Command {
	var in inspect.EventsInput
	var kind, origin, since string
	var ids bool
	cmd := &cobra.Command{
		Use: "events", Short: "List what agents did, newest first",
		Long: `Shows prompts, tool calls, failures, turns and sessions as they began and ended, and commits, with the first file each
touched. A session is named by its ID, the beginning of it, or the agent's own name for the run.`,
		Example: `  hebb events
  hebb events --kind prompt --since 2d
  hebb events --session s5rqswgc --ids
  hebb events --all --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			in.Scope = a.scope()
			if in.Kind, err = oneOf("kind", kind, memory.EventKinds); err != nil {
				return err
			}
			if in.Origin, err = oneOf("origin", origin, memory.Origins); err != nil {
				return err
			}
			if in.Since, err = a.parseTime("--since", since); err != nil {
				return err
			}
			return a.events(cmd.Context(), in, ids)
		},
	}
	a.scopeFlags(cmd, true)
	f := cmd.Flags()
	f.StringVarP(&in.Session, "session", "s", "", "only this session")
	f.BoolVar(&ids, "ids", false, "show the ID of each event, for hebb forget")
	f.StringVarP(&kind, "kind", "k", "", "only this kind: "+list(memory.EventKinds))
	f.StringVar(&origin, "origin", "", "only this origin: "+list(memory.Origins))
	f.StringVar(&since, "since", "", "only after this: 90m, 12h, 2d, 2026-11-15, or a full time")
	f.IntVarP(&in.Limit, "limit", "n", 50, "at most this many, 0 for all")
	fixedCompletion(cmd, "kind", memory.EventKinds)
	fixedCompletion(cmd, "origin", memory.Origins)
	return cmd
}

func (a *app) events(ctx context.Context, in inspect.EventsInput, ids bool) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		events, err := steward.Run(ctx, b, inspect.Events, in)
		if err != nil {
			return err
		}
		names, err := projectNames(ctx, b, in.All)
		if err != nil {
			return err
		}
		if events == nil {
			events = []memory.StoredEvent{}
		}
		return a.show(events, func(p *page) {
			switch {
			case len(events) == 0 && in.Session == "" && in.Kind == "" && in.Origin == "" && in.Since.IsZero():
				p.line("Nothing seen here yet. Work with a wired agent, or ask for --all projects.")
			case len(events) == 0:
				p.line("No event matches.")
			default:
				eventTable(p, events, names, ids)
			}
			if in.Limit > 0 && len(events) == in.Limit {
				p.line("%s", p.style.dim(fmt.Sprintf("The newest %d; -n 0 shows all.", in.Limit)))
			}
		})
	})
}

// eventTable shows events; names adds the project of each, ids its ID.
func eventTable(p *page, events []memory.StoredEvent, names map[memory.ProjectID]string, ids bool) {
	headers := []string{"AGO", "AGENT", "KIND", "TOOL", "WHAT~"}
	rows := make([][]string, len(events))
	for i, e := range events {
		rows[i] = []string{p.ago(e.At), string(e.Agent), string(e.Kind), e.Tool, gist(e)}
		if names != nil {
			rows[i] = slices.Insert(rows[i], 1, names[e.Project])
		}
		if ids {
			rows[i] = slices.Insert(rows[i], 0, string(e.ID))
		}
	}
	if names != nil {
		headers = slices.Insert(headers, 1, "PROJECT")
	}
	if ids {
		headers = slices.Insert(headers, 0, "ID")
	}
	p.table(headers, rows)
}

// projectNames are what tables over all projects need; nil for a table of one.
func projectNames(ctx context.Context, b *brain.Brain, all bool) (map[memory.ProjectID]string, error) {
	if !all {
		return nil, nil
	}
	projects, err := steward.Run(ctx, b, inspect.Projects, struct{}{})
	names := make(map[memory.ProjectID]string, len(projects))
	for _, p := range projects {
		names[p.ID] = p.Name
	}
	return names, err
}

// gist is an event in a few words: the files it touched, else what was said or asked.
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
		Long: `A session is one run of one agent in one project. STATE says how it stands: open; ended (the agent said so); wrap_up (closed
by hand); idle (nothing happened for a while); recovered (found open long after its last event). Its INTENT is the
first prompt, unless you set another with hebb intent.`,
		Example: "  hebb sessions\n  hebb sessions --open --all\n  hebb sessions show s5rqswgc\n  hebb sessions close s5rqswgc",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in.Scope = a.scope()
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				sessions, err := steward.Run(ctx, b, inspect.Sessions, in)
				if err != nil {
					return err
				}
				names, err := projectNames(ctx, b, in.All)
				if err != nil {
					return err
				}
				if sessions == nil {
					sessions = []memory.Session{}
				}
				return a.show(sessions, func(p *page) {
					if len(sessions) == 0 {
						p.line("No sessions here yet. %s wires your agents, and their next session is the first.", p.style.cyan("hebb install"))
						return
					}
					a.sessionTable(p, sessions, names)
				})
			})
		},
	}
	a.scopeFlags(cmd, true)
	cmd.Flags().BoolVar(&in.Open, "open", false, "only those still running")
	cmd.Flags().IntVarP(&in.Limit, "limit", "n", 20, "at most this many, 0 for all")
	cmd.AddCommand(a.closeCommand(), a.sessionShowCommand())
	return cmd
}

func (a *app) closeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "close [SESSION]", Short: "Close a session that the agent left open",
		Long:    "Closes the session, by default the newest open one of this project. hebb does this by itself after a while without events.",
		Example: "  hebb sessions close\n  hebb sessions close s5rqswgc",
		Args:    arguments(0, 1, "at most one session ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.oneSession(cmd.Context(), func(ctx context.Context, b *brain.Brain) (memory.Session, error) {
				return steward.Run(ctx, b, record.CloseSession, a.sessionInput(args))
			})
		},
	}
	a.scopeFlags(cmd, false)
	return cmd
}

func (a *app) sessionTable(p *page, sessions []memory.Session, names map[memory.ProjectID]string) {
	headers := []string{"LAST", "AGENT", "EVENTS>", "STATE", "ID", "INTENT~"}
	rows := make([][]string, len(sessions))
	for i, s := range sessions {
		rows[i] = []string{p.ago(s.LastEventAt), string(s.Agent), grouped(s.Events), sessionState(s), s.ID.String(), s.Intent}
		if names != nil {
			rows[i] = slices.Insert(rows[i], 1, names[s.Project])
		}
	}
	if names != nil {
		headers = slices.Insert(headers, 1, "PROJECT")
	}
	p.table(headers, rows)
}

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
		Long: `A project is a git repository with all its worktrees, or a plain folder. One whose folder is no longer there is marked as
gone. A repository that was moved is recognised by its root commits; relocate and merge do the same by hand.`,
		Example: "  hebb projects\n  hebb projects --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				projects, err := steward.Run(ctx, b, inspect.Projects, struct{}{})
				if err != nil {
					return err
				}
				return a.show(projects, func(p *page) {
					if len(projects) == 0 {
						p.line("None yet. %s starts with the one around you.", p.style.cyan("hebb init"))
						return
					}
					rows := make([][]string, len(projects))
					for i, s := range projects {
						rows[i] = []string{
							p.ago(s.LastAt), s.Name, grouped(s.Sessions), grouped(s.Events), grouped(s.Files), s.ID.String(), a.home(s.Root) + gone(s.Root),
						}
					}
					p.table([]string{"LAST", "NAME", "SESSIONS>", "EVENTS>", "FILES>", "ID", "ROOT"}, rows)
				})
			})
		},
	}
	cmd.AddCommand(a.relocateCommand(), a.mergeCommand())
	return cmd
}

// gone marks a folder that was moved or deleted.
func gone(root string) string {
	if path, err := memory.UnescapePath(root); err == nil && missing(path) {
		return "  (gone)"
	}
	return ""
}

func (a *app) tagProjectCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "tag-project NAME", Short: "Give a project a name of its own",
		Long: `Names the project around you (or the one given with --project). The name is unique and then works wherever a command
takes --project. It is only a label: it never becomes a path.`,
		Example: "  hebb tag-project shop\n  hebb tag-project --project p422qgz1q2wych shop-fork",
		Args:    arguments(1, 1, "one name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.fresh(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
				project, err := steward.Run(ctx, b, views.TagProject, views.TagInput{Scope: a.scope(), Name: args[0]})
				if err != nil {
					return err
				}
				return a.show(project, func(p *page) {
					p.line("%s is now called %s.", shownName(a.home(project.Root)), p.style.bold(shownName(project.Name)))
				})
			})
		},
	}
	a.scopeFlags(cmd, false)
	return cmd
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
			return a.oneSession(cmd.Context(), func(ctx context.Context, b *brain.Brain) (memory.Session, error) {
				return steward.Run(ctx, b, record.Intent, in)
			})
		},
	}
	a.scopeFlags(cmd, false)
	cmd.Flags().StringVar(&set, "set", "", "the new intent; an empty one lets it follow the first prompt again")
	return cmd
}

func (a *app) sessionInput(args []string) record.SessionInput {
	return record.SessionInput{Scope: a.scope(), Session: strings.Join(args, "")} // at most one
}

// oneSession runs fn and shows the session it returns.
func (a *app) oneSession(ctx context.Context, fn func(context.Context, *brain.Brain) (memory.Session, error)) error {
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		s, err := fn(ctx, b)
		if err != nil {
			return err
		}
		return a.show(s, func(p *page) { a.sessionTable(p, []memory.Session{s}, nil) })
	})
}

// oneOf accepts one of the known words, or nothing.
func oneOf[T ~string](flag, value string, known []T) (T, error) {
	if value == "" || slices.Contains(known, T(value)) {
		return T(value), nil
	}
	return "", usageError{fmt.Errorf("--%s %s: want one of %s", flag, value, list(known))}
}

func list[T ~string](words []T) string {
	plain := make([]string, len(words))
	for i, w := range words {
		plain[i] = string(w)
	}
	return strings.Join(plain, ", ")
}

func fixedCompletion[T ~string](cmd *cobra.Command, flag string, words []T) {
	plain := strings.Split(list(words), ", ")
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(plain, cobra.ShellCompDirectiveNoFileComp))
}

// parseTime reads a moment the ways people write one.
func (a *app) parseTime(flag, text string) (time.Time, error) {
	text = strings.TrimSpace(text)
	switch text {
	case "":
		return time.Time{}, nil
	case "now":
		return a.Now(), nil
	}
	if text == "yesterday" {
		text = "1d"
	}
	if weeks, err := strconv.Atoi(strings.TrimSuffix(text, "w")); err == nil && strings.HasSuffix(text, "w") {
		text = strconv.Itoa(7*weeks) + "d"
	}
	const longest = 106751 // days that a time.Duration can hold
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.ParseFloat(days, 64); err == nil && n >= 0 && n <= longest {
			return a.Now().Add(-time.Duration(n * 24 * float64(time.Hour))), nil
		}
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return a.Now().Add(-ago), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02"} {
		if t, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, usageError{fmt.Errorf("%s %s: want 90m, 12h, 2d, 2026-11-15, 2026-11-15T08:30 or now", flag, text)}
}
