package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/views"
)

func (a *app) dreamCommand() *cobra.Command {
	type input struct {
		state.DreamInput
		Begin  bool   `flag:"begin" about:"print what an agent needs to dream itself"`
		Commit string `flag:"commit,,file" about:"submit the state that an agent wrote, from this file or - for standard input"`
	}
	return takes(a, &cobra.Command{
		Use: "dream", Short: "Write the state of the project anew from memories, notes and sessions",
		Long: `A dream writes MEMORY.md anew from what is kept: who you are and how you work, what is going on
here, what is unknown, and words that find older memories. Each section holds the best of what holds
now, within its room; no model is needed. It says why it dreams or why not.

Nothing is lost: every line is a memory that search finds, what finds no room leaves words that are
proven to find it, a line that you wrote is a memory of yours, one that you took out ends its
memory, and the last ten states are kept (hebb state list).

An agent can dream itself: --begin prints the material and the rules, --commit submits the state
that it wrote. Its new lines become memories of the agent. A state that drops sections or most of
what was known is refused (exit code 5), and MEMORY.md is written without it.`,
		Example: `  hebb state dream --dry-run --force`,
	}, input{}, func(cmd *cobra.Command, in input) error {
		switch commit := cmd.Flags().Changed("commit"); {
		case in.Begin && commit:
			return usageError{errors.New("dream: choose one of --begin and --commit")}
		case (in.Begin || commit) && (in.Force || in.Dry):
			return usageError{errors.New("dream: --force and --dry-run are for dreams by rules, not for --begin or --commit")}
		case in.Begin:
			return a.dreamBegin(cmd.Context())
		case commit:
			return a.dreamCommit(cmd.Context(), in.Commit)
		}
		return a.synced(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			out, err := steward.Run(ctx, b, state.Dream, in.DreamInput)
			if err != nil {
				return a.unknownHere(err)
			}
			return a.showDream(out, in.Dry)
		})
	})
}

// unknownHere adds what to do where nothing is known of the project around.
func (a *app) unknownHere(err error) error {
	if errors.Is(err, memory.ErrNotFound) && a.project == "" {
		return fmt.Errorf("dream: this project (hebb remember --note TEXT or hebb init makes it known): %w", memory.ErrNotFound)
	}
	return err
}

func (a *app) showDream(out state.DreamResult, dry bool) error {
	err := a.show(out, func(p *page) { dreamPage(p, out, dry) })
	a.warnings("", out.Warnings)
	return err
}

func dreamPage(p *page, out state.DreamResult, dry bool) {
	why := scrub.Line(out.Why)
	switch {
	case !out.Run:
		p.line("Nothing to do: %s.", why)
		p.noteIf(out.Why != "another process dreams", "hebb state dream --force dreams anyway.")
		return
	case out.Shallow:
		p.line("Nothing to change: there is nothing new for MEMORY.md.")
		return
	case dry:
		p.line("%s", scrub.Display(strings.TrimRight(out.State, "\n")))
		p.gap()
		p.line("%s %s", p.style.yellow("Nothing was kept."), p.style.dim("A dream would change ("+why+"):"))
	default:
		p.line("%s by %s (%s).", p.style.bold("Dreamt"), scrub.Line(out.By), why)
	}
	pointers := either(out.Pointers > 0, fmt.Sprintf("%s, %s new", grouped(int64(out.Pointers)), grouped(int64(out.Products.Topics))), "")
	p.facts([][2]string{
		{"notes", grouped(int64(out.Notes)) + " used"},
		{"lines", grouped(int64(out.Products.Changed)) + " added, removed or changed"},
		{"pointers", pointers},
		{"gaps", either(out.Gaps > 0, count(out.Gaps, "open gap", "open gaps")+" (hebb state gaps)", "")},
	})
	p.noteIf(!dry, "hebb state shows it, hebb state diff what changed.")
}

func (a *app) dreamBegin(ctx context.Context) error {
	return a.synced(ctx, func(ctx context.Context, b *brain.Brain) error {
		out, err := steward.Run(ctx, b, state.DreamBegin, a.scope())
		if err != nil {
			return a.unknownHere(err)
		}
		if err := a.show(out, func(p *page) { p.line("%s", scrub.Display(strings.TrimRight(out.Prompt, "\n"))) }); err != nil || a.json {
			return err
		}
		if out.LeftOut > 0 {
			a.warn(count(out.LeftOut, "piece", "pieces") + " of material did not fit; nothing of it is lost")
		}
		return nil
	})
}

func (a *app) dreamCommit(ctx context.Context, from string) error {
	text, err := a.wholeText(from)
	if err == nil && strings.TrimSpace(text) == "" {
		err = usageError{fmt.Errorf("%s is empty: give the whole document", from)}
	}
	if err != nil {
		return fmt.Errorf("dream --commit: %w", err)
	}
	return a.synced(ctx, func(ctx context.Context, b *brain.Brain) error {
		out, err := steward.Run(ctx, b, state.DreamCommit, state.DreamCommitInput{Scope: a.scope(), State: text})
		if err != nil {
			return a.unknownHere(err)
		}
		if err := a.showDream(out, false); err != nil || out.By == "agent" {
			return err
		}
		// Rules have dreamt in the agent's place; the warning says why.
		return fmt.Errorf("dream --commit: the state was refused, and is kept for inspection (hebb state list): %w", memory.ErrRefused)
	})
}

func (a *app) stateCommand() *cobra.Command {
	return under(a.projectFlag(&cobra.Command{
		Use: "state", Short: "Show the state of the project: MEMORY.md, and earlier versions",
		Long: `Prints the state of this project as the last dream left it, with your edits of MEMORY.md. Three of
its seven sections follow you into every project, four belong to this one. The last ten states are
kept: list shows them, show prints one, diff compares, restore brings one back; adopt imports what
you wrote before.`,
		Example: "  hebb state restore 12 --yes",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.stateShow(cmd.Context(), nil) },
	}), a.projectFlag(&cobra.Command{
		Use: "show [ID]", Short: "Print the state, or an earlier one",
		Long: `Prints MEMORY.md of this project, or the kept state with that number. For a refused state, the
reason is printed to standard error.`,
		Example: "  hebb state show 12",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.stateShow(cmd.Context(), args) },
	}), a.stateListCommand(), a.stateDiffCommand(), a.stateRestoreCommand(), a.stateAdoptCommand(),
		a.dreamCommand(), a.gapsCommand(), a.moodCommand(), a.procedureCommand(), a.ledgerCommand())
}

// states calls fn with the states of a project.
func (a *app) states(ctx context.Context, fn func(context.Context, *brain.Brain, state.StatesResult) error) error {
	return a.synced(ctx, func(ctx context.Context, b *brain.Brain) error {
		out, err := steward.Run(ctx, b, state.States, a.scope())
		if err != nil {
			return err
		}
		return fn(ctx, b, out)
	})
}

// findState finds a kept state by its number.
func findState(kept []store.StateText, id string) (store.StateText, error) {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return store.StateText{}, usageError{fmt.Errorf("state %q: want the number of a state (hebb state list shows them)", id)}
	}
	at := slices.IndexFunc(kept, func(s store.StateText) bool { return s.ID == n })
	if at < 0 {
		return store.StateText{}, fmt.Errorf("state %d (hebb state list shows those that are kept): %w", n, memory.ErrNotFound)
	}
	return kept[at], nil
}

func (a *app) stateShow(ctx context.Context, args []string) error {
	return a.states(ctx, func(_ context.Context, _ *brain.Brain, out state.StatesResult) error {
		if len(args) == 1 {
			s, err := findState(out.Kept, args[0])
			if err != nil {
				return err
			}
			if err := a.show(s, func(p *page) { p.line("%s", scrub.Display(strings.TrimRight(s.Text, "\n"))) }); err != nil {
				return err
			}
			if s.Refused != "" {
				a.warnings("this state was refused and never used: ", []string{s.Refused})
			}
			return nil
		}
		return a.show(out, func(p *page) {
			if out.Now == "" {
				p.line("No dream here yet. %s.", scrub.Line(out.Due.Line()))
				p.line("`hebb state dream --force` makes the first; `hebb remember --note` adds material.")
				return
			}
			p.line("%s", scrub.Display(strings.TrimRight(out.Now, "\n")))
			p.gap()
			p.note(count(out.Notes, "note waits", "notes wait") + ". " + scrub.Line(out.Due.Line()) + ".")
		})
	})
}

func (a *app) stateListCommand() *cobra.Command {
	return a.projectFlag(&cobra.Command{
		Use: "list", Short: "List the states that are kept",
		Long: `Lists the last ten states of this project and the last ten that were refused, the latest first.
The first that was not refused is in use.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.states(cmd.Context(), func(_ context.Context, _ *brain.Brain, out state.StatesResult) error {
				used := false
				return a.show(out.Kept, func(p *page) {
					rows("No state is kept: no dream here yet. `hebb state dream --force` makes the first.", "ID>, AGO, BY, SIZE>, STATE~", func(s store.StateText) []any {
						what := ""
						switch {
						case s.Refused != "":
							what = "refused: " + plain(s.Refused)
						case !used:
							what, used = "in use", true
						}
						return []any{strconv.FormatInt(s.ID, 10), s.At, s.By, size(int64(len(s.Text))), what}
					})(p, out.Kept)
				})
			})
		},
	})
}

// stateDiff is what changed between two states.
type stateDiff struct {
	From string `json:"from"`
	To   string `json:"to"`
	Diff string `json:"diff"` // unified; empty: they are the same
}

func (a *app) stateDiffCommand() *cobra.Command {
	return a.projectFlag(&cobra.Command{
		Use: "diff [ID [ID]]", Short: "Show what changed between two states",
		Long: `Compares states line by line: without numbers the previous with the present one, with one number
that state with the present one, with two the first with the second.`,
		Example: "  hebb state diff 12\n  hebb state diff 8 12",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.states(cmd.Context(), func(_ context.Context, _ *brain.Brain, states state.StatesResult) error {
				out, err := compareStates(states, args)
				return a.outcome(out, err, func(p *page) {
					p.lineIf(out.Diff == "", "No difference between %s and %s.", out.From, out.To)
					p.diff(out.Diff)
				})
			})
		},
	})
}

func compareStates(states state.StatesResult, ids []string) (out stateDiff, err error) {
	from, to, present := store.StateText{}, store.StateText{Text: states.Now}, "now"
	switch len(ids) {
	case 0:
		used := slices.DeleteFunc(slices.Clone(states.Kept), func(s store.StateText) bool { return s.Refused != "" })
		if len(used) < 2 {
			return out, fmt.Errorf("state diff: a second state to compare with (each dream that changes something makes one): %w", memory.ErrNotFound)
		}
		from = used[1]
	case 2:
		if to, err = findState(states.Kept, ids[1]); err != nil {
			return out, err
		}
		present = stateName(to)
		fallthrough
	default:
		if from, err = findState(states.Kept, ids[0]); err != nil {
			return out, err
		}
	}
	out.From, out.To = stateName(from), present
	// The first line only repeats the names.
	_, text, _ := strings.Cut(string(diff.Diff(out.From, lineEnded(from.Text), out.To, lineEnded(to.Text))), "\n")
	out.Diff = text
	return out, nil
}

// lineEnded ends a text with one line end, so that a missing one is no difference.
func lineEnded(text string) []byte { return []byte(strings.TrimRight(text, "\n") + "\n") }

func stateName(s store.StateText) string {
	name := fmt.Sprintf("state %d, %s, by %s", s.ID, minute(s.At), s.By)
	if s.Refused != "" {
		name += ", refused"
	}
	return name
}

func (a *app) stateRestoreCommand() *cobra.Command {
	type input struct {
		brain.Scope
		ID  string `arg:"1"`
		Yes bool   `flag:"yes,y"`
	}
	return takes(a, &cobra.Command{
		Use: "restore ID", Short: "Bring an earlier state back",
		Long: `Replaces MEMORY.md by a kept state, also the sections that follow you into every project. The
present state is kept as well, so another restore undoes it.`,
		Example: "  hebb state diff 12\n  hebb state restore 12 --yes",
	}, input{}, func(cmd *cobra.Command, in input) error {
		return a.states(cmd.Context(), func(ctx context.Context, b *brain.Brain, states state.StatesResult) error {
			s, err := findState(states.Kept, in.ID)
			switch {
			case err != nil:
				return err
			case s.Refused != "":
				return fmt.Errorf("state restore %d: it was refused (%s) and never used; copy what is right into MEMORY.md: %w",
					s.ID, plain(s.Refused), memory.ErrRefused)
			case !in.Yes:
				return fmt.Errorf("state restore %d: this replaces MEMORY.md, which is kept, by the state of %s; add --yes to go on: %w",
					s.ID, minute(s.At), memory.ErrRefused)
			}
			return runOn(ctx, a, b, state.RestoreState, state.RestoreStateInput{Scope: in.Scope, ID: s.ID}, func(p *page, out store.StateText) {
				p.line("Restored: %s", p.style.bold(stateName(out)))
				p.note("The previous state is kept: hebb state list.")
			})
		})
	})
}

func (a *app) stateAdoptCommand() *cobra.Command {
	return takes(a, &cobra.Command{
		Use: "adopt [FILE...]", Short: "Import a hand-written MEMORY.md, CLAUDE.md or AGENTS.md into the state",
		Long: `Imports what you wrote before hebb kept a state: the files named, or MEMORY.md, CLAUDE.md and
AGENTS.md at the root of this project. hebb never writes to these files.

The text is backed up, kept as memories, and put above hebb's block in MEMORY.md. The first dream
leaves it as it is; with the second its lines become memories of yours, which MEMORY.md tells like
all others. Remove the two marks around the text to keep dreams from changing it.

Lines that somebody else committed, or whose author git cannot tell, stay out of the state; search
finds them. --mine accepts all lines as yours. An author in git is only a claim: check a file from
a repository that you do not trust with --dry-run first. Adopting a file again adds what is new.`,
		Example: "  hebb state adopt --mine CLAUDE.md",
	}, views.AdoptInput{}, func(cmd *cobra.Command, in views.AdoptInput) error {
		return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			out, err := steward.Run(ctx, b, views.Adopt, in)
			if err != nil {
				return err
			}
			err = a.show(out, func(p *page) { adoptPage(p, out) })
			a.warnings("", out.Warnings)
			return err
		})
	})
}

func adoptPage(p *page, out views.AdoptResult) {
	adopted := false
	for _, f := range out.Files {
		name := scrub.Line(f.Path)
		switch {
		case f.Known:
			p.line("%s: adopted before, and has not changed since.", name)
			continue
		case f.Pieces == 0:
			p.line("%s: is empty; there is nothing to adopt.", name)
			continue
		}
		did := either(out.Dry, "Would adopt", "Adopted")
		adopted = !out.Dry
		p.line("%s %s: %s above the state, kept as %s.", p.style.bold(did), name, count(f.Lines, "new line", "new lines"),
			count(f.Pieces, "memory", "memories"))
		if f.Others > 0 {
			p.line("%s", count(f.Others, "line was committed by somebody else: search finds it, and it stays",
				"lines were committed by others: search finds them, and they stay")+" out of the state (--mine accepts all)")
		}
		for _, order := range f.Orders {
			p.line("%s %s", p.style.yellow("addresses an agent:"), p.cut(scrub.Line(order), p.width-len("addresses an agent: ")))
		}
		p.warnIf(f.Cleaned, "Secrets and private parts were left out.")
		p.noteIf(f.Backup != "", "Backup: "+scrub.Line(f.Backup))
	}
	p.noteIf(adopted, "The next dream leaves it as it is; after that its lines are memories like all others. Your files are unchanged.")
}

func (a *app) ledgerCommand() *cobra.Command {
	type input struct {
		Limit int `flag:"limit,n" about:"list at most this many payments, 0 for all"`
	}
	return under(takes(a, &cobra.Command{
		Use: "skills", Short: "Show what skills earned and cost",
		Long: `The ledger records what skills of your agents earned and cost, in USDC, in all projects together.
MEMORY.md shows the sums. No wallet and no network is involved. --json counts in millionths.`,
		Example: "  hebb state skills add 12.50 --skill review --buyer acme",
	}, input{10}, func(cmd *cobra.Command, in input) error {
		return run(cmd.Context(), a, a.with, state.Payments, brain.ListInput{Limit: in.Limit}, func(p *page, out state.LedgerResult) { ledgerPage(p, out, in.Limit) })
	}), a.ledgerAddCommand())
}

func ledgerPage(p *page, out state.LedgerResult, limit int) {
	if len(out.Payments) == 0 {
		p.line("The ledger is empty. `hebb state skills add AMOUNT --skill NAME` records a payment.")
		return
	}
	t := out.Totals
	p.facts([][2]string{
		{"earned", money(t.Earned) + " USDC"},
		{"spent", money(t.Spent) + " USDC"},
		{"net", money(t.Earned-t.Spent) + " USDC"},
		{"last 7 days", fmt.Sprintf("%s USDC, %s in the 7 before", money(t.Week), money(t.WeekBefore))},
		{"from", count(t.Skills, "skill", "skills") + ", " + count(t.Buyers, "buyer", "buyers")},
	})
	if len(t.Top) > 0 {
		p.section("Top earners")
		tableOf(p, "USDC>, SKILL", t.Top, func(e state.Earner) []any { return []any{money(e.Earned), e.Skill} })
	}
	p.section("Payments")
	tableOf(p, "AGO, USDC>, SKILL, BUYER, NOTE~", out.Payments, func(pay store.Payment) []any {
		return []any{pay.At, money(pay.Amount), pay.Skill, pay.Buyer, pay.Note}
	})
	p.limited(len(out.Payments), limit)
}

// money writes millionths of a USDC with two decimals, or more where they are needed: 1 250.00, 0.000001.
func money(millionths int64) string {
	const usdc = 1_000_000
	sign, amount := "", uint64(millionths)
	if millionths < 0 {
		sign, amount = "-", -amount // also of the smallest
	}
	part := strings.TrimRight(fmt.Sprintf("%06d", amount%usdc), "0")
	return sign + grouped(int64(amount/usdc)) + "." + part + strings.Repeat("0", max(0, 2-len(part)))
}

func (a *app) ledgerAddCommand() *cobra.Command {
	type input struct {
		state.PaymentInput
		Amount string `arg:"1"`
		Spent  bool   `flag:"spent" about:"it went out, not in"`
	}
	return takes(a, &cobra.Command{
		Use: "add AMOUNT", Short: "Record what a skill earned or cost",
		Long: "Records a payment of AMOUNT USDC, with up to six decimals: what came in, or with --spent went out.",
		Example: `  hebb state skills add 12.50 --skill review --buyer acme
  hebb state skills add 0.35 --spent --skill review --note "model calls"`,
	}, input{}, func(cmd *cobra.Command, in input) (err error) {
		pay := in.PaymentInput
		if pay.Amount, err = strconv.ParseFloat(in.Amount, 64); err != nil || pay.Amount < 0 {
			return usageError{fmt.Errorf("ledger add %q: want an amount in USDC, such as 12.50; --spent for an expense", in.Amount)}
		}
		if in.Spent {
			pay.Amount = -pay.Amount
		}
		return run(cmd.Context(), a, a.with, state.AddPayment, pay, func(p *page, out store.Payment) {
			word, amount := p.style.green("Earned"), out.Amount
			if amount < 0 {
				word, amount = p.style.yellow("Spent"), -amount
			}
			line := fmt.Sprintf("%s: %s", word, p.style.bold(money(amount)+" USDC"))
			for _, part := range [][3]string{{" for ", out.Skill, ""}, {" from ", out.Buyer, ""}, {" (", out.Note, ")"}} {
				if part[1] != "" {
					line += part[0] + shownName(part[1]) + part[2]
				}
			}
			p.line("%s", line)
		})
	})
}
