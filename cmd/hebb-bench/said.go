package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/said"
)

func (a *app) saidCommand() *cobra.Command {
	cmd := command("said [FOLDER]", "How well hebb understands what a person says that matters later",
		`Looks for statements with a plain form in a FOLDER with prompts.jsonl ({id, text, lang}) and
written.jsonl, else labels.jsonl ({id, keep: [{quote, kind, worth}], typed}). A statement is found
when it overlaps a quote by half of the shorter of the two. PRECISION counts statements with a
worth of 2 or 3 against those with none, and all of what was not typed; RECALL3 is that of worth 3,
RECALL2 of worth 2 or 3. Without a FOLDER said/ and people/ of the data sets are taken.`,
		func(_ context.Context, args []string) error {
			folders := []string{data("said"), data("people")}
			if len(args) == 1 {
				folders = args
			}
			prompts, err := said.ReadStrict(folders...)
			if err != nil {
				return fmt.Errorf("labelled prompts: %w; name a FOLDER that holds prompts.jsonl and labels.jsonl", err)
			}
			return a.show(said.Judge(prompts), nil)
		})
	cmd.Args = cobra.MaximumNArgs(1)
	return cmd
}

func (a *app) shownCommand() *cobra.Command {
	return withoutArguments("shown", "How much of what is shown at real prompts they need",
		`Gives each person of shown/, said/ and sessions/ of the data sets a memory of what they said, as
they say it, and asks it at their real prompts. Of the prompts that somebody has judged by reading,
SPOKEN are shown something: LINES in all, of which UNREAD were not judged. P1 is the share of lines
that help at least a little, P2 of those without which an agent would go wrong, and R2 the share of
all those that are shown. ALL is the share of all real prompts at which something is shown. FOREIGN
and KITCHEN are the share of prompts at which something is shown where memory holds only what was
said in other repositories, or facts of kitchens, gardens and journeys.`,
		func(ctx context.Context) error {
			list, err := said.ReadShown(data())
			if err != nil {
				return fmt.Errorf("prompts in %s: %w; set HEBB_BENCH to a folder that holds shown/, said/ and sessions/", data(), err)
			}
			return a.show(list.Judge(ctx))
		})
}

func (a *app) arriveCommand() *cobra.Command {
	return withoutArguments("arrive", "How much of what was said arrives when a later prompt needs it",
		`Gives each repository of said/ of the data sets a memory, once with everything that its pairs.jsonl
says (FROM stated), once with what hebb itself understood of prompts.jsonl (FROM heard). Then,
weeks later, a new session for each pair: is its statement shown at the START, with the PROMPT, or
at EITHER? LINES is how many memories a prompt shows, NEUTRAL SILENT the share of neutral.jsonl
without any, and REVISED CURRENT the share of revised statements that are not shown once what
replaces them was said.`,
		func(ctx context.Context) error {
			set, err := said.ReadArrival(os.DirFS(data("said")))
			if err != nil {
				return fmt.Errorf("pairs in %s: %w; set HEBB_BENCH to a folder that holds said/", data("said"), err)
			}
			return a.show(set.Judge(ctx))
		})
}

func (a *app) searchCommand() *cobra.Command {
	cmd := command("search FOLDER", "How often a search finds a statement in other words",
		`Keeps the statements of said/pairs.jsonl of the data sets ({repo, kind, said, told, later}), one
memory for each repo, once beside nothing and once beside all that hebb init learns of the
repository in FOLDER: its commits, documents and code. Then it asks for each statement with TOLD,
which says the same in other words, and with LATER, a prompt weeks later that runs into it. HIT1
and HIT3 say in percent how often the statement is the first result, or one of the first three.`,
		func(ctx context.Context, args []string) error {
			dir, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			return a.show(said.Search(ctx, os.DirFS(data("said")), dir))
		})
	cmd.Args = cobra.ExactArgs(1)
	return cmd
}

func (a *app) conversationsCommand() *cobra.Command {
	var in evaluate.ConversationsInput
	cmd := withoutArguments("conversations", "How well hebb finds what was said, and notes that belong to a task",
		`Records conversations of text/ of the data sets as the sessions of an agent, makes them findable as
a drain does, and asks the questions that came with them: R5 and R10 are the share of the wanted
turns among the first answers, NDCG10, MRR and MAP how far up they stand; all in percent. Beside
hebb, on the same questions: SQLite's own full text search over turns and over turns with their
neighbours. lessons are notes that agents left in repositories: from the first prompt of a session,
which notes speak of the files it will edit?`,
		func(ctx context.Context) error {
			in.Dir, in.Tuning = data(), a.tuning
			return a.show(evaluate.Conversations(ctx, in))
		})
	cmd.Flags().StringSliceVar(&in.Sets, "set", nil, "ask these only: "+strings.Join(evaluate.ConversationSets, ", "))
	cmd.Flags().IntVar(&in.Every, "every", 1, "ask each n-th question only")
	return cmd
}
