package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/store"
)

func (a *app) ledgerCommand() *cobra.Command {
	var in brain.ListInput
	cmd := &cobra.Command{
		Use: "skills", Short: "Show what skills earned and cost",
		Long: `The ledger records what skills of your agents earned and cost, in USDC, in all projects together.
MEMORY.md shows the sums. No wallet and no network is involved. --json counts in millionths.`,
		Example: "  hebb state skills add 12.50 --skill review --buyer acme",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), a, a.with, state.Payments, in, func(p *page, out state.LedgerResult) {
				ledgerPage(p, out, in.Limit)
			})
		},
	}
	cmd.Flags().IntVarP(&in.Limit, "limit", "n", 10, "list at most this many payments, 0 for all")
	cmd.AddCommand(a.ledgerAddCommand())
	return cmd
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
		p.gap()
		p.heading("Top earners")
		tableOf(p, []string{"USDC>", "SKILL"}, t.Top, func(e state.Earner) []string {
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
	var in state.PaymentInput
	var spent bool
	cmd := &cobra.Command{
		Use: "add AMOUNT", Short: "Record what a skill earned or cost",
		Long: "Records a payment of AMOUNT USDC, with up to six decimals: what came in, or with --spent went out.",
		Example: `  hebb state skills add 12.50 --skill review --buyer acme
  hebb state skills add 0.35 --spent --skill review --note "model calls"`,
		Args: arguments(1, 1, "an amount in USDC, such as 12.50"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if in.Amount, err = strconv.ParseFloat(args[0], 64); err != nil || in.Amount < 0 {
				return usageError{fmt.Errorf("ledger add %q: want an amount in USDC, such as 12.50; --spent for an expense", args[0])}
			}
			if spent {
				in.Amount = -in.Amount
			}
			return run(cmd.Context(), a, a.with, state.AddPayment, in, paidPage)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&spent, "spent", false, "it went out, not in")
	f.StringVar(&in.Skill, "skill", "", "the skill that earned or cost it")
	f.StringVar(&in.Buyer, "buyer", "", "who paid")
	f.StringVar(&in.Note, "note", "", "anything else")
	return cmd
}

func paidPage(p *page, out store.Payment) {
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
}
