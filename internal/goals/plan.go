package goals

import (
	"cmp"
	"slices"
	"strings"
)

// Plan is what a session leaves of its agent's list of steps, one on a line.
type Plan struct{ Open, Done string }

// PlanOf goes through the calls that wrote a plan, each as agent.WritesPlan says: a call with a number changes one step, any other
// replaces the list. What was done stays done.
func PlanOf(calls []string) (p Plan) {
	type step struct{ number, state, text string }
	var steps []step
	for _, call := range calls {
		single := strings.HasPrefix(call, "#")
		if !single {
			steps = slices.DeleteFunc(steps, func(s step) bool { return s.number == "" && s.state != "completed" })
		}
		for line := range strings.SplitSeq(call, "\n") {
			var s step
			if single {
				s.number, line, _ = strings.Cut(line, " ")
			}
			s.state, s.text, _ = strings.Cut(line, ":")
			s.text = strings.TrimSpace(s.text)
			at := slices.IndexFunc(steps, func(o step) bool { return o.number == s.number && (single || o.text == s.text) })
			if at >= 0 {
				steps[at].state, steps[at].text = cmp.Or(s.state, steps[at].state), cmp.Or(s.text, steps[at].text)
			} else if s.text != "" && s.number != "#" { // without a number nobody can say what becomes of it
				steps = append(steps, s)
			}
		}
	}
	for _, s := range steps {
		switch s.state {
		case "completed":
			p.Done += s.text + "\n"
		case "cancelled", "deleted":
		default:
			p.Open += s.text + "\n"
		}
	}
	return p
}
