package statements

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/lines"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/shell"
)

// ranAt is a command of a session; an empty one is an edit.
type ranAt struct {
	lines.Ran
	at time.Time
}

const (
	habitLeast     = 2 // sessions in which commands followed each other
	habitsMost     = 2 // lines of one session
	insteadMost    = 2
	summarisedMost = 3
	insteadReach   = 6 // calls after one that failed
	insteadWithin  = 15 * time.Minute
)

// certain is what rules read out of a session without a model: few lines, each of which the session shows.
func (r *material) certain() (a lines.Answer) {
	add := func(l lines.Line) {
		at := slices.IndexFunc(r.standing, func(c memory.Crystal) bool { return lines.Alike(c.Text, l.Text) })
		switch {
		case at >= 0:
			a.Again = append(a.Again, r.name(r.standing[at].ID))
		case utf8.RuneCountInString(l.Text) <= lines.TextMost:
			a.Add = append(a.Add, l)
		}
	}
	for _, steps := range r.followed() {
		text := "Worked here in this order: `" + strings.Join(steps, "`, then `") + "`"
		add(lines.Line{Kind: lines.Procedure, Text: text, Quote: r.ranAs(steps[len(steps)-1]), When: steps})
	}
	for _, l := range r.insteadOf() {
		add(l)
	}
	for _, l := range r.summarised() {
		add(l)
	}
	for _, c := range r.standing { // a command that failed works now
		if c.Line.By != "" || lines.Kind(c.Kind) != lines.Cause || len(c.Line.When) == 0 {
			continue
		}
		works := func(x ranAt) bool { return x.Command == c.Line.When[0] && !x.Failed }
		if slices.ContainsFunc(r.calls, works) {
			a.Retire = append(a.Retire, lines.End{ID: r.name(c.ID), Quote: c.Line.When[0]})
		}
	}
	return a
}

// followed are commands that followed each other here and worked in this session too. That one looks at git and
// commits tells nothing, and the targets of one program stand in its file.
func (r *material) followed() (habits [][]string) {
	for _, steps := range r.habits {
		steps = slices.DeleteFunc(slices.Clone(steps), func(s string) bool {
			runs := shell.Runs(s, r.root)
			return slices.Contains(strings.Fields(s), "git") || !slices.ContainsFunc(runs, func(r shell.Run) bool { return !r.Reads() })
		})
		unseen := slices.ContainsFunc(steps, func(s string) bool { return r.ranAs(s) == "" })
		same := slices.ContainsFunc(habits, func(h []string) bool { return slices.Equal(h, steps) })
		one := len(steps) == 0 || !slices.ContainsFunc(steps, func(s string) bool { return program(s) != program(steps[0]) })
		if !one && len(habits) < habitsMost && !unseen && !same {
			habits = append(habits, steps)
		}
	}
	return habits
}

// program is the first word of a step.
func program(step string) string {
	first, _, _ := strings.Cut(step, " ")
	return first
}

// ranAs is the command of this session that a step was a part of and that worked; empty if there is none.
func (r *material) ranAs(step string) string {
	for _, c := range r.calls {
		if !c.Failed && strings.Contains(c.Command, step) {
			return c.Command
		}
	}
	return ""
}

// insteadOf are commands that failed for a word in them, each with the one that worked right after, without an edit between them.
func (r *material) insteadOf() (list []lines.Line) {
	for i, failed := range r.calls {
		was := shell.Runs(failed.Command, r.root)
		if !failed.Failed || len(was) != 1 || len(list) == insteadMost {
			continue
		}
		if slices.ContainsFunc(r.calls[i+1:], func(c ranAt) bool { return c.Command == failed.Command && !c.Failed }) {
			continue // it was no fault of the command
		}
		for _, c := range r.calls[i+1 : min(len(r.calls), i+1+insteadReach)] {
			other := shell.Runs(c.Command, r.root)
			if c.Command == "" || c.at.Sub(failed.at) > insteadWithin {
				break
			}
			if c.Failed || len(other) != 1 || other[0].Masked {
				continue
			}
			if problem := shell.Corrected(was[0], other[0], failed.Tail); problem != "" {
				text := fmt.Sprintf("`%s` fails (%s); `%s` worked instead", failed.Command, prose.Shorten(prose.OneLine(problem), tailShown), c.Command)
				list = append(list, lines.Line{Kind: lines.Cause, Text: text, Quote: c.Command, When: []string{failed.Command}})
				break
			}
		}
	}
	return list
}

const tailShown = 60 // characters of what a failed command printed

// errorsTitle heads the errors in the summaries that Claude Code and its likes write when they compact a session.
const errorsTitle = "errors and fixes"

// summarised are the errors of a summary, each with its fix. Their form is that of Claude Code: a bullet for an error, and below it
// one that begins with its fix.
func (r *material) summarised() (list []lines.Line) {
	for _, t := range r.session.Turns {
		inside, problem := false, ""
		for line := range strings.Lines(t.Summary) {
			bare := strings.TrimSpace(line)
			title := strings.ToLower(strings.Trim(bare, "#*:. 0123456789"))
			bullet := prose.TrimBullet(bare)
			switch {
			case title == errorsTitle:
				inside = true
			case !inside, bare == "":
			case bullet == bare && len(line) > 0 && line[0] != ' ': // the next heading
				inside = false
			case bullet == bare:
			case strings.Index(line, bare) <= topIndent:
				problem = strings.TrimRight(prose.PlainLine(bullet), " :.")
			default:
				fix, is := strings.CutPrefix(prose.PlainLine(bullet), "Fix: ")
				if is && Alone(fix) && problem != "" && len(list) < summarisedMost {
					list = append(list, lines.Line{Kind: lines.Cause, Text: problem + "; fix: " + fix, Quote: prose.PlainLine(bullet)})
					problem = ""
				}
			}
		}
	}
	return list
}

const topIndent = 3 // blanks before a bullet that stands below a numbered heading
