package wiring

import (
	"bufio"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// Forty settings files that somebody wrote by hand who did not know this package: hebb is put in, a person edits the file, hebb is
// taken out. What is left is the file with the person's edits, but for blanks, and nothing beside it. In one a comma that the person
// wrote before hebb's entries goes with them; one that hebb cannot edit stays as it is.
func TestSettingsAreKeptBesideAPersonsEdits(t *testing.T) {
	agents := map[string]memory.Agent{
		".claude": agent.ClaudeCode, ".codex": agent.Codex, ".gemini": agent.Gemini, ".cursor": agent.Cursor, ".config": agent.OpenCode,
	}
	f := must.Get(os.Open("testdata/kept.jsonl"))(t)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	rows := 0
	for ; lines.Scan(); rows++ {
		var row struct {
			Name, File, Before string
			Edits              [][2]string
			Refused            string // part of the error: the file stays as it is
			After              string // what is left instead; blanks are compared only where the person edited nothing
		}
		must.Do(t, json.Unmarshal(lines.Bytes(), &row))
		t.Run(row.Name, func(t *testing.T) {
			folder, _, _ := strings.Cut(row.File, "/")
			o := Order{Program: program, Anyway: true}
			m := newMachine(t, "")
			file := filepath.Join(m.Home, filepath.FromSlash(row.File))
			save := func(text string) {
				must.Do(t, os.MkdirAll(filepath.Dir(file), 0o700))
				must.Do(t, os.WriteFile(file, []byte(text), 0o600))
			}
			edited := func(text string) string {
				for _, e := range row.Edits {
					if e[0] != "" && strings.Count(text, e[0]) != 1 { // an empty one is the beginning
						t.Fatalf("%q is not there once with hebb in the file", e[0])
					}
					text = strings.Replace(text, e[0], e[1], 1)
				}
				return text
			}
			save(row.Before)
			p, err := PlanWire(t.Context(), m, agents[folder], o)
			if err == nil {
				err = p.Apply()
			}
			if row.Refused != "" {
				if got := readFile(t, file); err == nil || !strings.Contains(err.Error(), row.Refused) || got != row.Before {
					t.Errorf("refused with %v, and left %q", err, got)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			wired := readFile(t, file)
			if wired == row.Before {
				t.Fatal("nothing was wired")
			}
			save(edited(wired))
			p, err = PlanUnwire(m, agents[folder], Order{})
			if err == nil {
				err = p.Apply()
			}
			if err != nil {
				t.Fatal(err)
			}
			blank := func(text string) string {
				return strings.Join(strings.Fields(strings.NewReplacer("[ ]", "[]").Replace(text)), "")
			}
			if got, want := readFile(t, file), cmp.Or(row.After, edited(row.Before)); blank(got) != blank(want) || len(row.Edits) == 0 && got != want {
				t.Errorf("got\n%q, want\n%q", got, want)
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*"+backupSuffix)); len(left) > 0 {
				t.Errorf("left behind: %s", left)
			}
		})
	}
	if rows < 40 {
		t.Errorf("%d files, want 40", rows)
	}
}
