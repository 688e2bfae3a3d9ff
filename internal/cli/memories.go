package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

func (a *app) memoriesCommand() *cobra.Command {
	type input struct {
		statements.MemoriesInput
		Kind []string `flag:"kind,k,comma" about:"only these kinds: {kinds}"`
	}
	return under(takes(a, &cobra.Command{
		Use: "memories", Aliases: []string{"memory"}, Short: "List what is remembered, and correct it",
		Long: `Shows what the next session here is told, each memory with a number and where it is from; what waits
for your yes; then what is remembered of this project and of you, the newest first: what you said in
prompts (you said), what you asked to remember (you), what agents noted (agent) and what was
imported. --origin file lists rule files and agents' own memories.

keep makes a memory certain. drop hides it for good. edit replaces its text and keeps the earlier
one as history. forget deletes. All take an ID or the number that was shown last.

Quotes, documents and logs in a prompt are not taken for your words. What may not be yours, or only
be about the task at hand, waits until you confirm it or say it again. An agent changes what you
said only with a whole sentence of yours that asks for it; otherwise it proposes, which waits too.

[listen] off = true in config.toml stops remembering prompts, ["~/work/client"] stops it there.`,
		Example: "  hebb memories drop 3\n  hebb memories --kind rule,decision --since 7d",
	}, input{MemoriesInput: statements.MemoriesInput{Limit: 20}}, func(cmd *cobra.Command, in input) error {
		if in.Waiting {
			return run(cmd.Context(), a, a.fresh, statements.Memories, in.MemoriesInput, waitingPage)
		}
		in.Kinds = mapped(in.Kind, func(k string) memory.CrystalKind { return memory.CrystalKind(strings.TrimSpace(k)) })
		return a.memories(cmd.Context(), in.MemoriesInput, cmd.Flags().NFlag() > 0)
	}), takes(a, &cobra.Command{
		Use: "show ID", Short: "Show where a memory comes from, and what became of it",
		Example: "  hebb memories show 06dk0w1e",
	}, idInput{}, func(cmd *cobra.Command, in idInput) error {
		return a.numbered(cmd.Context(), a.fresh, in.ID, func(ctx context.Context, b *brain.Brain, id string) error {
			return runOn(ctx, a, b, statements.WhyCrystal, statements.ProvenanceInput{ID: id}, provenancePage)
		})
	}), takes(a, &cobra.Command{
		Use: "edit ID TEXT|-", Short: "Replace the text of a memory; the earlier one stays as history",
		Example: `  hebb memories edit 06dk0w1e "use the prefix rwr/ for branches"`,
	}, statements.EditInput{}, func(cmd *cobra.Command, in statements.EditInput) error {
		return a.numbered(cmd.Context(), a.with, in.ID, func(ctx context.Context, b *brain.Brain, id string) error {
			in.ID = id
			return runOn(ctx, a, b, statements.Edit, in, rememberedPage)
		})
	}),
		a.memoryForgetCommand(),
		a.memoryJudgeCommand(true, "confirm ID...", "keep", "Say that memories are right"),
		a.memoryJudgeCommand(false, "reject ID...", "drop", "Say that memories are wrong: they are hidden and not remembered again"),
		a.memoryChangesCommand(), a.memoryUndoCommand(), a.checkCommand(), a.readCommand())
}

// memories shows what the next session is told, what waits for the person, and what is remembered. A list that was narrowed stands alone.
func (a *app) memories(ctx context.Context, in statements.MemoriesInput, narrowed bool) error {
	in.Said = !narrowed // the lines of knowledge stand above
	return a.fresh(ctx, func(ctx context.Context, b *brain.Brain) error {
		var waiting []statements.Memory
		var told answer.ToldResult
		if !narrowed {
			var err error
			if told, err = a.told(ctx, b); err != nil {
				return err
			}
			if waiting, err = ask(ctx, a, b, statements.Memories, statements.MemoriesInput{Scope: in.Scope, Waiting: true, Said: true}); err != nil {
				return err
			}
		}
		return runOn(ctx, a, b, statements.Memories, in, func(p *page, list []statements.Memory) {
			a.toldPage(p, told, false)
			if len(waiting) > 0 {
				p.heading(count(len(waiting), "sentence waits", "sentences wait") + " for your yes")
				waitingPage(p, waiting[:min(len(waiting), waitingFirst)])
				if more := len(waiting) - waitingFirst; more > 0 {
					p.note(fmt.Sprintf("%d more: hebb memories --waiting", more))
				}
				p.gap()
			}
			if len(list) == 0 && len(told.Lines)+len(told.Waiting) > 0 {
				return
			}
			if len(waiting) > 0 || told.Text != "" {
				p.heading("Remembered")
			}
			memoriesPage(p, list, narrowed)
		})
	})
}

// waitingFirst is how much of what waits stands above the list of memories.
const waitingFirst = 3

func memoriesPage(p *page, list []statements.Memory, narrowed bool) {
	nothing := "Nothing is remembered here yet. `hebb remember TEXT` keeps something, and so does \"always …\" or \"we decided …\" in a prompt."
	if narrowed {
		nothing = "No memory is like that. Try fewer filters, `--history` or `--all`."
	}
	ended := false
	rows(nothing, "ID, SAID, KIND, FROM, PROJECT, TEXT~", func(m statements.Memory) []any {
		text := m.Text
		if m.State != "" {
			text, ended = "("+m.State+") "+text, true
		}
		return []any{m.ID[:min(len(m.ID), idShown)], day(m.SaidAt), m.Kind, saidBy(m.Crystal), m.Project, text}
	})(p, list)
	p.noteIf(ended, "hebb memories confirm ID brings back what ended.")
}

// saidBy names who a memory is from.
func saidBy(c memory.Crystal) string {
	switch {
	case c.Lifecycle == memory.Waiting:
		return "perhaps you"
	case c.Origin == memory.OriginUser && c.Heard > 0 && c.Line == nil:
		return "you said"
	case c.Origin == memory.OriginUser:
		return "you"
	}
	return brain.From(c)
}

// idShown is how much of an ID is shown: its time and four random characters, so that what is typed from a list names one memory.
const idShown = 14

// idInput names a memory by its ID or by the number that the person saw last.
type idInput struct {
	ID string `arg:"1"`
}

// numbered opens the memory and calls fn with the ID that a word stands for.
func (a *app) numbered(ctx context.Context, open opener, word string, fn func(context.Context, *brain.Brain, string) error) error {
	return open(ctx, func(ctx context.Context, b *brain.Brain) error {
		ids, err := a.ofNumbers(ctx, b, word)
		if err != nil {
			return err
		}
		return fn(ctx, b, ids[0])
	})
}

func (a *app) memoryJudgeCommand(right bool, use, alias, short string) *cobra.Command {
	type input struct {
		IDs []string `arg:"1.."`
	}
	return takes(a, &cobra.Command{
		Use: use, Aliases: []string{alias}, Short: short, Example: "  hebb memories " + strings.Replace(use, "ID...", "06dk0w1e 06dk0w2f", 1),
	}, input{}, func(cmd *cobra.Command, in input) error {
		return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			var judged []statements.JudgeResult
			ids, failed := a.ofNumbers(ctx, b, in.IDs...)
			if failed != nil {
				return failed
			}
			for _, id := range ids {
				c, err := steward.Run(ctx, b, statements.Judge, statements.JudgeInput{ID: id, Right: right, Origin: a.speaker()})
				if failed = errors.Join(failed, err); err == nil {
					judged = append(judged, c)
				}
			}
			if len(judged) == 0 {
				return failed
			}
			return errors.Join(a.show(judged, func(p *page) {
				for _, c := range judged {
					judgedPage(p, c, right)
				}
			}), failed)
		})
	})
}

// waitingPage lists what may be the person's and what agents propose, each with the commands that decide on it.
func waitingPage(p *page, list []statements.Memory) {
	p.lineIf(len(list) == 0, "Nothing waits for your yes.")
	for i, m := range list {
		p.between(i)
		yes := m.Proposed
		switch {
		case m.Line != nil && m.Lifecycle == memory.Waiting:
			yes = "confirm"
			p.line("`noted`: %s", scrub.Line(m.Text))
			p.note("nothing here bears out: " + scrub.Line(strings.Join(m.Line.Lacks, ", ")))
		case m.Proposed == "":
			yes = "confirm"
			p.line("`did you say`: %s", scrub.Line(m.Text))
		case m.Proposed == statements.ProposeReplace:
			yes = "confirm"
			p.line("`new text`: %s", scrub.Line(m.Text))
			for _, old := range m.InPlaceOf {
				p.note("in place of: " + scrub.Line(old.Text))
			}
		default:
			p.line("%s: %s", p.style.cyan(m.Proposed), scrub.Line(m.Text))
		}
		no, more := "reject", ""
		if m.Proposed == statements.ProposeReject || m.Proposed == statements.ProposeForget {
			no = "confirm"
		}
		if m.Proposed == statements.ProposeForget {
			more = " --yes"
		}
		id := " " + string(m.ID)[:min(len(m.ID), idShown)]
		p.note("yes: hebb memories " + yes + id + more)
		p.note("no:  hebb memories " + no + id)
	}
}

func (a *app) memoryForgetCommand() *cobra.Command {
	type input struct {
		idInput
		Yes bool `flag:"yes,y"`
	}
	return takes(a, &cobra.Command{
		Use: "forget ID", Short: "Delete a memory for good",
		Long: `Deletes a memory, its history and everything derived from it. Without --yes the command only shows
what it would delete. The prompt in which it was said stays; hebb forget deletes that.`,
		Example: "  hebb memories forget 06dk0w1e --yes",
	}, input{}, func(cmd *cobra.Command, in input) error {
		return a.numbered(cmd.Context(), a.fresh, in.ID, func(ctx context.Context, b *brain.Brain, id string) error {
			c, err := steward.Run(ctx, b, statements.WhyCrystal, statements.ProvenanceInput{ID: id})
			if err != nil {
				return err
			}
			ask := forget.ForgetInput{IDs: []memory.EventID{memory.EventID(c.ID)}, By: a.speaker(), Apply: in.Yes}
			return runOn(ctx, a, b, steward.Forget, ask, func(p *page, r forget.ForgetResult) {
				if len(r.Proposed) > 0 {
					p.line("Proposed to forget: %s", scrub.Line(c.Text))
					proposedNote(p, r.Lacking)
					return
				}
				if !r.Applied {
					p.line("Would forget: %s", scrub.Line(c.Text))
					p.unlessApplied(false)
					return
				}
				p.line("Forgot: %s", scrub.Line(c.Text))
				p.warnIf(r.Warning != "", r.Warning)
			})
		})
	})
}
