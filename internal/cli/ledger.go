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
		Args: arguments(1, 1, "an amount in USDC, such as 12.50"),
	}, input{}, func(cmd *cobra.Command, in input) (err error) {
		pay := in.PaymentInput
		if pay.Amount, err = strconv.ParseFloat(in.Amount, 64); err != nil || pay.Amount < 0 {
			return usageError{fmt.Errorf("ledger add %q: want an amount in USDC, such as 12.50; --spent for an expense", in.Amount)}
		}
		if in.Spent {
			pay.Amount = -pay.Amount
		}
		return run(cmd.Context(), a, a.with, state.AddPayment, pay, paidPage)
	})
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
