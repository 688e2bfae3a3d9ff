package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/dreams"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// usdcDigits is how finely amounts are counted: in millionths, as the currency itself is.
const usdcDigits = 6

// ledgerShown is the ledger for programs, in millionths of a USDC.
type ledgerShown struct {
	Totals struct {
		dream.Ledger
		Net int64          `json:"net"`
		Top []dream.Earner `json:"top"`
	} `json:"totals"`
	Payments []store.Payment `json:"payments"`
}

func (a *app) ledgerCommand() *cobra.Command {
	var limit int
	run := func(cmd *cobra.Command, _ []string) error {
		return a.with(cmd.Context(), func(ctx context.Context, b *brain.Brain) error {
			found, err := steward.Run(ctx, b, dreams.Payments, brain.ListInput{Limit: limit})
			if err != nil {
				return err
			}
			out := shownLedger(found)
			return a.show(out, func(p *page) { ledgerPage(p, out, limit) })
		})
	}
	const long = `The ledger records what skills of your agents earned and cost, in USDC, in all projects together. It shows the sums, the last seven
days and the seven before, how many skills and buyers there are, the best earners, and the latest payments. MEMORY.md shows the sums
(The Niche). No wallet and no network is involved.

--json counts in millionths of a USDC.`
	cmd := &cobra.Command{
		Use: "ledger", Short: "Show what skills earned and cost", Long: long,
		Example: "  hebb ledger\n  hebb ledger add 12.50 --skill review --buyer acme\n  hebb ledger list --limit 0 --json",
		RunE:    run,
	}
	list := &cobra.Command{
		Use: "list", Short: "Show what skills earned and cost", Long: long,
		Example: "  hebb ledger list\n  hebb ledger list --limit 0 --json",
		RunE:    run,
	}
	for _, c := range []*cobra.Command{cmd, list} {
		c.Flags().IntVarP(&limit, "limit", "n", 10, "list at most this many payments, 0 for all")
	}
	cmd.AddCommand(list, a.ledgerAddCommand())
	return cmd
}

func shownLedger(found dreams.LedgerResult) (out ledgerShown) {
	out.Payments, out.Totals.Ledger = found.Payments, found.Totals
	out.Totals.Net, out.Totals.Top = found.Totals.Earned-found.Totals.Spent, append([]dream.Earner{}, found.Totals.Top...)
	return out
}

func ledgerPage(p *page, out ledgerShown, limit int) {
	if len(out.Payments) == 0 {
		p.line("The ledger is empty. %s records a payment.", p.style.cyan("hebb ledger add AMOUNT --skill NAME"))
		return
	}
	t := out.Totals
	p.facts([][2]string{
		{"earned", money(t.Earned) + " USDC"},
		{"spent", money(t.Spent) + " USDC"},
		{"net", money(t.Net) + " USDC"},
		{"last 7 days", fmt.Sprintf("%s %s USDC, %s in the 7 before", trend(t.Week, t.WeekBefore), money(t.Week), money(t.WeekBefore))},
		{"from", count(t.Skills, "skill", "skills") + ", " + count(t.Buyers, "buyer", "buyers")},
	})
	if len(t.Top) > 0 {
		p.gap()
		p.heading("Top earners")
		tableOf(p, []string{"USDC>", "SKILL"}, t.Top, func(e dream.Earner) []string {
			return []string{money(e.Earned), e.Skill}
		})
	}
	p.gap()
	p.heading("Payments")
	tableOf(p, []string{"AGO", "USDC>", "SKILL", "BUYER", "NOTE~"}, out.Payments, func(pay store.Payment) []string {
		return []string{p.ago(pay.At), money(pay.Amount), pay.Skill, pay.Buyer, pay.Note}
	})
	p.limited(len(out.Payments), limit)
}

// trend is an arrow for the change of a sum.
func trend(week, before int64) string {
	return map[int]string{1: "↑", -1: "↓", 0: "→"}[cmp.Compare(week, before)]
}

// money writes millionths of a USDC with two decimals, or more where they are needed: 1 250.00, 0.000001.
func money(millionths int64) string {
	sign, digits := "", strconv.FormatInt(millionths, 10)
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	if missing := usdcDigits + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	whole, part := digits[:len(digits)-usdcDigits], digits[len(digits)-usdcDigits:]
	if n, err := strconv.ParseInt(whole, 10, 64); err == nil {
		whole = grouped(n)
	}
	part = strings.TrimRight(part, "0")
	return sign + whole + "." + part + strings.Repeat("0", max(0, 2-len(part)))
}

func (a *app) ledgerAddCommand() *cobra.Command {
	var in dreams.PaymentInput
	var spent bool
	cmd := &cobra.Command{
		Use: "add AMOUNT", Short: "Record what a skill earned or cost",
		Long: `Records a payment of AMOUNT USDC, with up to six decimals: what came in, or with --spent what went out. --skill says what was paid
for, --buyer who paid, --note the rest. It is on disk when the command returns.`,
		Example: `  hebb ledger add 12.50 --skill review --buyer acme
  hebb ledger add 0.35 --spent --skill review --note "model calls"`,
		Args: arguments(1, 1, "an amount in USDC, such as 12.50"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.Amount, err = parseAmount(args[0]); err != nil {
				return err
			}
			if spent {
				if in.Amount < 0 {
					return usageError{fmt.Errorf("ledger add: %s --spent: leave the minus sign out", args[0])}
				}
				in.Amount = -in.Amount
			}
			return run(cmd.Context(), a, a.with, dreams.AddPayment, in, paidPage)
		},
	}
	// An amount with a minus sign looks like a flag: the error says how to write it.
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		if strings.HasPrefix(err.Error(), "unknown shorthand flag: ") && strings.ContainsAny(err.Error(), "0123456789") {
			return usageError{errors.New("ledger add: write an expense without a minus sign: hebb ledger add AMOUNT --spent")}
		}
		return usageError{err}
	})
	f := cmd.Flags()
	f.BoolVar(&spent, "spent", false, "it went out, not in")
	f.StringVar(&in.Skill, "skill", "", "the skill that earned or cost it")
	f.StringVar(&in.Buyer, "buyer", "", "who paid")
	f.StringVar(&in.Note, "note", "", "anything else")
	_ = cmd.RegisterFlagCompletionFunc("skill", a.completeLedger(func(p store.Payment) string { return p.Skill }))
	_ = cmd.RegisterFlagCompletionFunc("buyer", a.completeLedger(func(p store.Payment) string { return p.Buyer }))
	return cmd
}

// amountMost is in USDC. A float64 keeps six decimals exactly up to there.
const amountMost = 1_000_000_000

// parseAmount reads an amount, and refuses one that cannot be kept exactly.
func parseAmount(text string) (float64, error) {
	bad := func(fix string) (float64, error) {
		return 0, usageError{fmt.Errorf("ledger add %q: %s", text, fix)}
	}
	digits := strings.TrimLeft(text, "+-")
	whole, part, _ := strings.Cut(digits, ".")
	switch {
	case strings.Contains(text, ","):
		return bad("write a point before the decimals and nothing between thousands: 1250.50")
	case len(text)-len(digits) > 1, whole+part == "", strings.Trim(whole+part, "0123456789") != "":
		return bad("want an amount in USDC, such as 12.50")
	case len(strings.TrimRight(part, "0")) > usdcDigits:
		return bad("a USDC has six decimals and no more")
	case strings.Trim(whole+part, "0") == "":
		return bad("want more than nothing")
	}
	amount, err := strconv.ParseFloat(text, 64)
	if err != nil || amount > amountMost || amount < -amountMost {
		return bad("want at most " + grouped(amountMost) + " USDC at once")
	}
	return amount, nil
}

func paidPage(p *page, out store.Payment) {
	word, amount := p.style.green("Earned"), out.Amount
	if amount < 0 {
		word, amount = p.style.yellow("Spent"), -amount
	}
	var rest []string
	if out.Skill != "" {
		rest = append(rest, "for "+shownName(out.Skill))
	}
	if out.Buyer != "" {
		rest = append(rest, "from "+shownName(out.Buyer))
	}
	if out.Note != "" {
		rest = append(rest, "("+shownName(out.Note)+")")
	}
	p.line("%s", strings.TrimRight(fmt.Sprintf("%s: %s %s", word, p.style.bold(money(amount)+" USDC"), strings.Join(rest, " ")), " "))
}

// completeLedger offers the skills or buyers of earlier payments to the shell.
func (a *app) completeLedger(of func(store.Payment) string) cobra.CompletionFunc {
	all := func(*cobra.Command) brain.ListInput { return brain.ListInput{} }
	return completes(a, -1, dreams.Payments, all, func(found dreams.LedgerResult) []string {
		known := slices.Compact(slices.Sorted(slices.Values(mapped(found.Payments, of))))
		return mapped(slices.DeleteFunc(known, func(name string) bool { return name == "" }), shownName)
	})
}
