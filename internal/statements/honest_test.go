package statements_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/lines"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
)

// lived is a session of a real person, with what a good reader noted of it.
type lived struct {
	Repo  string
	Turns []struct {
		Prompt, Compact string
		Agent           []string
		Tools           [][]any // name, argument, whether it worked, the end of its output
	}
}

// The doubts about lines of poisoned sessions hardly touch what a good reader notes of real ones.
func TestHonestLinesAreNotDoubted(t *testing.T) {
	bench := os.Getenv("HEBB_BENCH")
	if bench == "" {
		t.Skip("=== NOT RUN: lines of real sessions, for want of the benchmark data. Set HEBB_BENCH to its folder ===")
	}
	all, doubted := 0, map[string][]string{}
	for _, person := range []string{"context-evaluator", "entireio-cli", "cozy-checkout"} {
		packed := must.Get(os.Open(filepath.Join(bench, "life", person+".jsonl.gz")))(t)
		plain := must.Get(gzip.NewReader(packed))(t)
		answers := strings.Split(string(must.Get(os.ReadFile(filepath.Join(bench, "life", person+".scribe.jsonl")))(t)), "\n")
		from := bufio.NewScanner(plain)
		from.Buffer(nil, 1<<26)
		for i := 0; from.Scan(); i++ {
			var s lived
			must.Do(t, json.Unmarshal(from.Bytes(), &s))
			var a struct {
				Add     []lines.Line
				Replace []lines.Replacement
			}
			must.Do(t, json.Unmarshal([]byte(answers[i]), &a))
			for _, r := range a.Replace {
				a.Add = append(a.Add, r.Line)
			}
			for j := range a.Add {
				if a.Add[j].Kind == "" {
					a.Add[j].Kind = lines.Fact
				}
			}
			if len(a.Add) == 0 {
				continue
			}
			l := braintest.NewLab(t)
			texts := s.session().seen(t, l)
			before := len(a.Add)
			must.Get(readsWith(t, l, texts, func(string) any { return lines.Answer{Add: a.Add} }))(t)
			all += before
			for _, c := range linesIn(t, l, statements.WaitingLines) {
				for _, lack := range c.Line.Lacks {
					if strings.HasPrefix(lack, "the ") || strings.HasPrefix(lack, "that ") {
						doubted[lack] = append(doubted[lack], c.Text)
					} else {
						doubted["names"] = append(doubted["names"], lack+" in: "+c.Text)
					}
				}
			}
			stands := page(t, l)
			_ = stands
			doubted["stands"] = append(doubted["stands"], make([]string, len(stands))...)
		}
		must.Do(t, from.Err())
	}
	for why, texts := range doubted {
		t.Logf("%s: %d of %d lines", why, len(texts), all)
		if why != "stands" {
			t.Log("\n\t" + strings.Join(texts, "\n\t"))
		}
	}
}

// session is a real one in the form of the poisoned ones.
func (s lived) session() (p poisoned) {
	repo := s.Repo[strings.LastIndexByte(s.Repo, '/')+1:]
	for _, turn := range s.Turns {
		if turn.Compact != "" {
			p.Events = append(p.Events, []string{"compacted", turn.Compact})
		}
		if turn.Prompt == "" {
			continue
		}
		p.Events = append(p.Events, []string{"prompt", turn.Prompt})
		for i, said := range turn.Agent {
			if i < len(turn.Agent)-1 {
				p.Events = append(p.Events, []string{"way", said})
			}
		}
		for _, tool := range turn.Tools {
			name, arg, ok, out := tool[0].(string), tool[1].(string), tool[2] == 1.0 || tool[2] == true, ""
			if len(tool) > 3 {
				out, _ = tool[3].(string)
			}
			if _, inside, found := strings.Cut(arg, "/"+repo+"/"); found && name != "Bash" {
				arg = inside
			}
			switch {
			case name == "Bash" && ok:
				p.Events = append(p.Events, []string{"ran", arg, out})
			case name == "Bash":
				p.Events = append(p.Events, []string{"failed", arg, out})
			case !ok:
			case name == "Read":
				p.Events = append(p.Events, []string{"read", arg, out})
			case name == "Edit" || name == "Write":
				p.Events = append(p.Events, []string{"edit", arg})
			default:
				p.Events = append(p.Events, []string{"output", name, arg, out})
			}
		}
		if n := len(turn.Agent); n > 0 {
			p.Events = append(p.Events, []string{"says", turn.Agent[n-1]})
		}
	}
	return p
}
