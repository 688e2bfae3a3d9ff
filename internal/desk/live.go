package desk

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
)

// Limits of one project in live.md, as the working memory was designed.
const (
	// LiveFiles is the number of files.
	LiveFiles     = 15
	clustersShown = 3
	// ClusterMet is in how many sessions two files must have met to be shown as a pair.
	ClusterMet = 3
	liveTokens = 400 // 200 to 400 were the aim, and the limit on files alone does not keep to it
)

const (
	liveHead     = "## Working Memory"
	liveDash     = " — "
	liveNote     = "  > "
	livePairs    = "  clusters:"
	liveSummary  = 100 // characters of a summary: with a path it then stays on one line of a wide terminal
	liveDecimals = 1
)

// Live renders live.md: the projects by name and of each its files, hottest first. Files of the same printed heat stand by
// path, so that what nobody can see does not change the page. It is empty when nothing is warm.
//
//	## Working Memory — web
//	src/a.js [2.4] — Exports: x
//	  > moving auth to cookies
//	src/b.js [1.3]
//	  clusters: {src/a.js, src/b.js}
//
// Summaries and notes are set on one line, runs of blanks as one.
func Live(blocks []HeatResult) string {
	blocks = slices.Clone(blocks)
	for i := range blocks {
		blocks[i].Project = prose.OneLine(blocks[i].Project)
	}
	slices.SortStableFunc(blocks, func(a, b HeatResult) int { return cmp.Compare(a.Project, b.Project) })
	var pages []string
	for _, b := range blocks {
		head := strings.TrimRight(liveHead+liveDash+b.Project, " ") + "\n"
		lines := FileLines(b, liveTokens*prose.BytesPerToken-len(head))
		if len(lines) > 0 {
			pages = append(pages, head+strings.Join(lines, "\n")+"\n")
		}
	}
	return strings.Join(pages, "\n")
}

// FileLines gives the lines of a project in the live view without its heading, no more than most bytes with their line
// ends. Each is one file, with its note on a line below it; the last one may be the clusters. Where room is short, files go
// from the end, because why a hot file matters says more than that another is warm; a line is never cut. What would not fit
// alone is passed over, so that one endless path does not hide the others.
func FileLines(b HeatResult, most int) []string {
	var lines, notes []string
	for _, f := range liveFiles(b.Files) {
		line := livePath(f.Path) + " [" + liveHeat(f.Heat) + "]"
		if summary := prose.Shorten(prose.OneLine(f.Summary), liveSummary); summary != "" {
			line += liveDash + prose.SaidBy(f.SummaryBy, summary)
		}
		if len(line) >= most || len(lines) == LiveFiles {
			continue
		}
		note := ""
		if text := prose.OneLine(f.Note); text != "" && record.TierOf(f.Heat) == record.Hot {
			note = liveNote + prose.SaidBy(f.NoteBy, text)
		}
		lines, notes = append(lines, line), append(notes, note)
	}
	if len(lines) == 0 {
		return nil
	}
	fits := func(line string) bool {
		if len(line) >= most {
			return false
		}
		most -= len(line) + 1
		return true
	}
	fits(lines[0]) // one file before any cluster: pairs alone say nothing
	pairs := liveClusters(b.Clusters)
	for len(pairs) > 0 && !fits(liveClusterLine(pairs)) {
		pairs = pairs[:len(pairs)-1]
	}
	shown := 0
	for shown < len(lines) && (shown == 0 || fits(lines[shown])) {
		if notes[shown] != "" && fits(notes[shown]) {
			lines[shown] += "\n" + notes[shown]
		}
		shown++
	}
	lines = lines[:shown]
	if len(pairs) > 0 {
		lines = append(lines, liveClusterLine(pairs))
	}
	return lines
}

// CutHeat divides a line of FileLines into the file and what is said of it, without the heat, which is a number for people.
func CutHeat(line string) (path, more string) {
	if at := liveHeats().FindStringIndex(line); at != nil {
		return line[:at[0]], line[at[1]:]
	}
	return line, ""
}

// liveFiles are those that are warm or hot, in the order of the page.
func liveFiles(files []HotFile) []HotFile {
	warm := slices.DeleteFunc(slices.Clone(files), func(f HotFile) bool { return f.Path == "" || record.TierOf(f.Heat) == record.Cold })
	printed := func(f HotFile) float64 {
		heat, _ := strconv.ParseFloat(liveHeat(f.Heat), 64) // what was printed can be read
		return heat
	}
	slices.SortStableFunc(warm, func(a, b HotFile) int {
		return cmp.Or(cmp.Compare(printed(b), printed(a)), cmp.Compare(a.Path, b.Path))
	})
	return warm
}

func liveHeat(heat float64) string {
	return strconv.FormatFloat(max(0, min(heat, record.HeatMost)), 'f', liveDecimals, 64)
}

// liveClusters are those that are shown, the surest first, each with the smaller path first.
func liveClusters(clusters []HotPair) []HotPair {
	var shown []HotPair
	for _, c := range clusters {
		if c.A == "" || c.B == "" || c.Sessions < ClusterMet {
			continue
		}
		c.A, c.B = min(c.A, c.B), max(c.A, c.B)
		shown = append(shown, c)
	}
	slices.SortFunc(shown, func(a, b HotPair) int {
		return cmp.Or(
			cmp.Compare(b.Sessions, a.Sessions),
			cmp.Compare(b.Weight, a.Weight),
			cmp.Compare(a.A, b.A),
			cmp.Compare(a.B, b.B),
		)
	})
	return shown[:min(len(shown), clustersShown)]
}

func liveClusterLine(pairs []HotPair) string {
	line := livePairs
	for _, p := range pairs {
		line += " {" + livePath(p.A) + ", " + livePath(p.B) + "}"
	}
	return line
}

// livePath is a path as a line of the view shows it: on one line, and without what CutHeat would take for its heat.
func livePath(path string) string {
	path = strings.NewReplacer("\n", `\x0a`, "\r", `\x0d`).Replace(path)
	return liveHeats().ReplaceAllStringFunc(path, func(heat string) string { return ` \x5b` + heat[2:] }) // a name such as "film [2.0].srt"
}

// liveHeats matches a heat in a line, such as " [2.4]".
var liveHeats = prose.Pattern(` \[[0-9]+\.[0-9]\]`)
