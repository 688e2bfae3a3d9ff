package answer_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// prompted is a session that is told to mend a part, opens files and ends; then habits are learned as in sleep. It returns how many files
// it was shown.
func prompted(l *braintest.Lab, run string, part int, opens ...string) (shown int) {
	l.T.Helper()
	out := l.Answer(run, fmt.Sprintf("mend the valve of part%d", part))
	for i, path := range opens {
		e := l.Opens(run, memory.Read, path)
		e.At = e.At.Add(time.Duration(i+1) * time.Second)
		must.Do(l.T, l.Spool.Append(e))
	}
	end := l.Ends(run)
	end.At = end.At.Add(time.Minute)
	must.Do(l.T, l.Spool.Append(end))
	l.Later(time.Hour)
	l.LearnWords()
	return len(out.Lines)
}

// A project that begins with sessions that open nearly everything seems to need whatever is ranked first. What becomes of the next prompts
// corrects that, in both directions.
func TestFilesAreShownAsOftenAsTheyProvedRightOfLate(t *testing.T) {
	l := braintest.NewLab(t)
	l.Numbers.LessonsAfter = 1
	var commits [][]string
	var files []string
	for i := range 60 {
		files = append(files, fmt.Sprintf("parts/part%d/valve.go", i))
		commits = append(commits, []string{fmt.Sprintf("mend the valve of part%d", i), files[i]})
	}
	l.Commits(commits...)
	shown := 0
	work := func(kind string, sessions int, opens func(i int) []string) {
		for i := range sessions {
			shown = prompted(l, fmt.Sprint(kind, i), i, opens(i)...)
		}
	}
	work("wide", 5, func(int) []string { return files[:40] })
	if shown != 3 {
		t.Errorf("%d files are shown where all were opened, want 3", shown)
	}
	work("other", 6, func(i int) []string { return []string{fmt.Sprintf("docs/a%d.md", i), fmt.Sprintf("docs/b%d.md", i)} })
	if shown != 0 {
		t.Errorf("%d files are shown where none was opened of late", shown)
	}
	work("right", 12, func(i int) []string { return files[i : i+1] })
	if shown != 1 {
		t.Errorf("%d files are shown where the first was opened of late, want 1", shown)
	}
}
