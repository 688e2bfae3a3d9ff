package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/diary"
	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
	"github.com/hebb-memory/hebb/internal/config"
)

func (a *app) lifeCommand() *cobra.Command {
	in := evaluate.LifeInput{Clock: time.Now}
	var svg, recorded, open string
	var after []int
	var most, heavy int
	cmd := &cobra.Command{
		Use: "life", Short: "What a year of work leaves in the memory, with sleep and without",
		Long: `Lives a year of work twice on a clock of its own, through the real code: sessions in a few projects, features that begin and
retire, hot weeks, holidays, renames, a noisy month. Which files truly belong together and which met by chance is known from the
seed. At the end of each month both memories are examined: how large the graph is, how many of the true associations of the last
60 days are wired and recalled, how much of the noise older than that is gone, and how well the next session is foreseen.
Two figures in a cell are with sleep and without.

--heavy SESSIONS lives a year of so many sessions with 150 events each instead, each turn drained in the background as by hooks, and prints
what the store weighs and what drains cost in processor time after 10, 50, 100, 200, 300 sessions and at the end.

--real FOLDER lives recorded sessions instead: of each X.sessions.jsonl.gz in the folder those of the developer who has most. Each call goes
through the hook at its own time into the spool, and drains, sleeps, thoughts, dreams and files follow as in the background. The work
tree is a git repository with the commits of the recording. Recordings hold no results of commands: a check after which the agent
changes files in the same turn has failed, and the others passed. A page shows what person and agent see after some sessions
(--sessions). Then, of each mechanism: lines that were produced, lines shown to agents, and lines that the recording proves false: a fix without a
pass, a file that is gone or that nobody opened, a thought that restates its goal, words the user never wrote, a memory that was replaced. None may be
false; thinking and failing goals may each be 5 % of what starts show. Whether lines about open things (failures, goals, gaps, next steps) were true is
read by people: --open FOLDER writes those lines (told.jsonl) and what happened (played.jsonl), and the readings that are committed
(readings.jsonl beside the judge) give the share that was false and the lines that nobody has read. At most 2 % may be false.`,
		Example: "  hebb-bench life\n  hebb-bench life --seed 7 --svg year.svg\n  hebb-bench life --days 90 --projects 1 --json\n  hebb-bench life --real ../shared/bench/sessions --sessions 20,55",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(os.Getenv)
			if err != nil {
				return err
			}
			if in.Days < 1 || in.Projects < 1 {
				return errors.New("--days and --projects must be 1 or more")
			}
			in.Tuning = c.Tuning
			if heavy > 0 {
				return a.heavyLife(cmd, evaluate.HeavyInput{Sessions: heavy, Tuning: c.Tuning})
			}
			if recorded != "" {
				return a.realLife(cmd, diary.Input{After: after, Most: most, Tuning: c.Tuning}, recorded, open)
			}
			update, finish := a.progress("moments")
			defer finish()
			in.Progress = update
			life, err := evaluate.Life(cmd.Context(), in)
			finish()
			if err != nil {
				return err
			}
			if svg != "" {
				if err := writeChart(svg, life); err != nil {
					return err
				}
			}
			return a.showLife(life)
		},
	}
	cmd.Flags().Uint64Var(&in.Seed, "seed", 1, "what happens in the life is drawn from this number")
	cmd.Flags().IntVar(&in.Days, "days", 365, "how long it is")
	cmd.Flags().IntVar(&in.Projects, "projects", 3, "projects that are worked on")
	cmd.Flags().IntVar(&heavy, "heavy", 0, "a year of so many sessions with 150 events each instead; 400 is heavy use")
	cmd.Flags().StringVar(&svg, "svg", "", "a file to draw a chart into")
	cmd.Flags().StringVar(&recorded, "real", "", "a folder of recorded sessions to live instead")
	cmd.Flags().StringVar(&open, "open", "", "with --real: a folder to write the lines about open things to, for those who read them")
	cmd.Flags().IntSliceVar(&after, "sessions", nil, "with --real: after how many sessions to show what is seen (default every 10)")
	cmd.Flags().IntVar(&most, "most", 0, "with --real: how many sessions of each set (0: all)")
	return cmd
}

// heavyLife measures what a year of heavy use costs.
func (a *app) heavyLife(cmd *cobra.Command, in evaluate.HeavyInput) error {
	update, finish := a.progress("sessions")
	defer finish()
	in.Progress = update
	rows, err := evaluate.Heavy(cmd.Context(), in)
	finish()
	if err != nil {
		return err
	}
	columns := []string{"SESSION>", "EVENTS>", "NEURONS>", "SYNAPSES>", "STORE MB>", "TURN CPU s>", "END CPU s>", "MOST CPU s>"}
	return showRows(a, rows, columns, func(r evaluate.HeavyRow) []string {
		return []string{
			fmt.Sprint(r.Session), grouped(r.Events), grouped(r.Neurons), grouped(r.Synapses), fmt.Sprintf("%.1f", r.Store),
			fmt.Sprintf("%.3f", r.Turn), fmt.Sprintf("%.3f", r.End), fmt.Sprintf("%.3f", r.Most),
		}
	})
}

// realLife lives the recorded sessions of a folder.
func (a *app) realLife(cmd *cobra.Command, in diary.Input, folder, open string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.sessions.jsonl*"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s holds no X.sessions.jsonl.gz", folder)
	}
	if err != nil {
		return err
	}
	if in.Files, err = evaluate.PairSessionFiles(files); err != nil {
		return err
	}
	update, finish := a.progress("sessions")
	defer finish()
	in.Progress = update
	lives, err := diary.Replay(cmd.Context(), in)
	finish()
	if err != nil {
		return err
	}
	var told []diary.Told
	var played []diary.Played
	for _, life := range lives {
		told, played = append(told, life.Told...), append(played, life.Played...)
	}
	if open != "" {
		if err := errors.Join(writeLines(filepath.Join(open, "told.jsonl"), told), writeLines(filepath.Join(open, "played.jsonl"), played)); err != nil {
			return err
		}
	}
	readings, err := diary.Readings()
	if err != nil {
		return err
	}
	verdicts := diary.Judge(told, readings)
	if a.json {
		return a.realJSON(lives, verdicts)
	}
	var counts []diary.Count
	var totals []diary.Total
	for _, life := range lives {
		for _, p := range life.Pages {
			fmt.Fprintf(a.stdout, "\n=== %s, after %d sessions, %s\n", p.Repo, p.Sessions, p.At)
			for _, part := range []struct{ name, text string }{
				{"what an agent is shown at a start", p.Start}, {"MEMORY.md", p.Memory}, {"hebb goals", p.Goals}, {"hebb goals next", p.Next}, {"hebb state gaps", p.Gaps},
				{"hebb state mood", p.Mood}, {"hebb graph heat", p.Heat},
			} {
				fmt.Fprintf(a.stdout, "\n--- %s\n%s", part.name, part.text)
			}
		}
		counts, totals = append(counts, life.Counts...), append(totals, life.Total)
	}
	fmt.Fprintln(a.stdout)
	for _, life := range lives {
		for _, f := range life.False {
			fmt.Fprintf(a.stdout, "  FALSE  %s, session %d, %s, %s: %s\n         %s\n", f.Repo, f.Session, f.Mechanism, f.Where, f.Rule, f.Line)
		}
	}
	err = showRows(a, counts, []string{"REPOSITORY", "MECHANISM", "PRODUCED>", "SHOWN>", "TOKENS AT STARTS>", "FALSE>"}, func(c diary.Count) []string {
		return []string{c.Repo, c.Mechanism, fmt.Sprint(c.Produced), fmt.Sprint(c.Shown), grouped(c.Tokens), fmt.Sprint(c.False)}
	})
	if err != nil {
		return err
	}
	err = showRows(a, verdicts, []string{"REPOSITORY", "OPEN THINGS", "LINES>", "UNREAD>", "MOMENTS>", "FALSE>", "UNCLEAR>", "FALSE %>"}, func(v diary.Verdict) []string {
		return []string{
			v.Repo, v.Kind, fmt.Sprint(v.Lines), fmt.Sprint(v.Unread), fmt.Sprint(v.Moments), fmt.Sprint(v.False), fmt.Sprint(v.Unclear), fmt.Sprintf("%.1f", v.Share),
		}
	})
	if err != nil {
		return err
	}
	headers := []string{"REPOSITORY", "SESSIONS>", "STARTS>", "TOKENS>", "FILES A START>", "OPENED %>", "THINKING %>", "STILL FAILING %>", "FALSE>"}
	return showRows(a, totals, headers, func(t diary.Total) []string {
		return []string{
			t.Repo, fmt.Sprint(t.Sessions), fmt.Sprint(t.Starts), grouped(t.Tokens), fmt.Sprintf("%.1f", t.Files), fmt.Sprintf("%.1f", t.Opened),
			fmt.Sprintf("%.1f", t.Thinking), fmt.Sprintf("%.1f", t.Failing), fmt.Sprint(t.False),
		}
	})
}

// writeLines writes a file of JSON lines.
func writeLines[T any](path string, rows []T) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	e := json.NewEncoder(f)
	e.SetEscapeHTML(false)
	for _, row := range rows {
		err = errors.Join(err, e.Encode(row))
	}
	return err
}

// realJSON prints pages, counts, false lines, totals of lives and what readings say, each on a line.
func (a *app) realJSON(lives []diary.Life, verdicts []diary.Verdict) error {
	e := json.NewEncoder(a.stdout)
	for _, v := range verdicts {
		if err := e.Encode(v); err != nil {
			return err
		}
	}
	for _, life := range lives {
		var rows []any
		for _, p := range life.Pages {
			rows = append(rows, p)
		}
		for _, c := range life.Counts {
			rows = append(rows, c)
		}
		for _, f := range life.False {
			rows = append(rows, f)
		}
		for _, row := range append(rows, life.Total) {
			if err := e.Encode(row); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeChart(path string, life evaluate.LifeResult) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return life.WriteSVG(f)
}

func (a *app) showLife(life evaluate.LifeResult) error {
	if a.json {
		e := json.NewEncoder(a.stdout)
		for i := range life.Sleep {
			if err := errors.Join(e.Encode(life.Sleep[i]), e.Encode(life.Awake[i])); err != nil {
				return err
			}
		}
		for _, b := range life.Bars {
			if err := e.Encode(b); err != nil {
				return err
			}
		}
		return nil
	}
	_, err := fmt.Fprintf(a.stdout, "%s\n%s\n%s", lifeTable(life), lifePlot(life), lifeBars(life))
	return err
}

// lifeTable is the life month by month.
func lifeTable(life evaluate.LifeResult) string {
	whole := func(a, b int64) string { return grouped(a) + " / " + grouped(b) }
	share := func(a, b float64) string { return fmt.Sprintf("%.0f / %.0f", a, b) }
	var rows [][]string
	for i, s := range life.Sleep {
		w := life.Awake[i]
		gone := "–"
		if s.Noise > 0 {
			gone = share(s.Gone, w.Gone)
		}
		rows = append(rows, []string{
			fmt.Sprint(s.Month), whole(s.Neurons, w.Neurons), whole(s.Synapses, w.Synapses),
			fmt.Sprintf("%.2f / %.2f", s.Weight, w.Weight), fmt.Sprintf("%.3f / %.3f", s.Myelin, w.Myelin),
			share(s.Wired, w.Wired), share(s.Recalled, w.Recalled), gone, share(s.Hit10, w.Hit10),
			fmt.Sprintf("%.1f / %.1f", megabytes(s.Bytes), megabytes(w.Bytes)), grouped(int64(s.Sleeps)), fmt.Sprintf("%.1f", s.Asleep),
			fmt.Sprintf("%.0f", s.Longest), grouped(s.Written),
		})
	}
	return table([]string{
		"MONTH>", "NEURONS>", "SYNAPSES>", "WEIGHT>", "MYELIN>", "WIRED %>", "RECALLED %>", "NOISE GONE %>", "HIT@10 %>", "STORE MB>", "SLEEPS>", "ASLEEP s>",
		"LONGEST ms>", "ROWS>",
	}, rows)
}

func megabytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// lifePlot draws each line of the life in a row of text.
func lifePlot(life evaluate.LifeResult) string {
	var b strings.Builder
	width := 0
	lines := life.Lines()
	for _, l := range lines {
		width = max(width, len(l.Name))
	}
	for _, l := range lines {
		last := l.Values[len(l.Values)-1]
		end := "–"
		if !math.IsNaN(last) {
			end = strings.TrimSpace(grouped(int64(math.Round(last))) + " " + l.Unit)
		}
		fmt.Fprintf(&b, "  %-*s  %s  %s\n", width, l.Name, sparkline(l.Values, l.Top), end)
	}
	return b.String()
}

// sparkline draws values as a row of blocks, two for each value; what was not measured is a gap.
func sparkline(values []float64, top float64) string {
	blocks := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, v := range values {
		block := " "
		if !math.IsNaN(v) {
			block = string(blocks[min(max(int(v/top*float64(len(blocks))), 0), len(blocks)-1)])
		}
		b.WriteString(block + block)
	}
	return b.String()
}

// lifeBars says what the life must reach and what it has reached.
func lifeBars(life evaluate.LifeResult) string {
	var rows [][]string
	for _, b := range life.Bars {
		want, verdict := "at least", "met"
		if b.Most {
			want = "at most"
		}
		if !b.Met {
			verdict = "missed"
		}
		rows = append(rows, []string{b.Name, fmt.Sprintf("%.1f %%", b.Value), fmt.Sprintf("%s %.1f %%", want, b.Limit), verdict})
	}
	return table([]string{"AT THE END", "REACHED>", "BAR>", ""}, rows)
}
