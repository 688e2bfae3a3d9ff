package evaluate

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/steward"
)

// starter is hebb to which sessions are reported as hooks report them: into the spool, which is
// drained when a session is over.
type starter struct{ *examinee }

// report spools the events of a session that is over, and drains.
func (s *starter) report(ctx context.Context, over AgentSession, events []memory.Event) error {
	s.Until(over.End())
	box := spool.Spool{Dir: s.Brain.Config.Spool(), Limits: s.Tuning.Spool}
	for _, e := range events {
		if err := box.Append(e); err != nil {
			return err
		}
	}
	out, err := steward.Run(ctx, s.Brain, steward.Drain, steward.DrainInput{Wait: true})
	if err == nil && len(out.Maintenance.Warnings)+out.Rejected > 0 {
		warnings := strings.Join(out.Maintenance.Warnings, "; ")
		err = fmt.Errorf("drain: %d events refused; %s: %w", out.Rejected, warnings, memory.ErrInvalid)
	}
	return err
}

// SpelledOut gives files of a folder that are written as a shell would take them, as in
// cmd/{main.go,serve.go}, their whole paths.
func SpelledOut(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		for {
			open := strings.Index(line, "/{")
			if open < 0 {
				break
			}
			names, rest, closed := strings.Cut(line[open+len("/{"):], "}")
			if !closed {
				break
			}
			from := strings.LastIndexAny(line[:open], " \t{},") + 1
			b.WriteString(line[:from])
			for name := range strings.SplitSeq(names, ",") {
				b.WriteString(line[from:open] + "/" + strings.TrimSpace(name) + " ")
			}
			line = rest
		}
		b.WriteString(line)
	}
	return b.String()
}

func twoDecimals(v float64) float64 { return math.Round(100*v) / 100 }
