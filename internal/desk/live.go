package desk

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
)

// File is a file in mind, its path as memory.EscapePath writes it.
type File struct {
	Path    string
	Heat    float64
	Summary string // what the file is, lasting
	Note    string // why it matters now, shown while it is hot
	// SummaryBy and NoteBy say whose words they are; the view labels those that are not the person's, and ParseLive leaves them empty.
	SummaryBy, NoteBy memory.Origin
}

// Cluster is two files that go together.
type Cluster struct {
	A, B   string
	Met    int // sessions in which both were touched
	Weight float64
}

// Block is what is in mind of one project.
type Block struct {
	Project  string
	Files    []File
	Clusters []Cluster
}

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
	liveQuote    = 60  // characters of a line that an error quotes
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
func Live(blocks []Block) string {
	blocks = slices.Clone(blocks)
	for i := range blocks {
		blocks[i].Project = prose.OneLine(blocks[i].Project)
	}
	slices.SortStableFunc(blocks, func(a, b Block) int { return cmp.Compare(a.Project, b.Project) })
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
func FileLines(b Block, most int) []string {
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
func liveFiles(files []File) []File {
	warm := slices.DeleteFunc(slices.Clone(files), func(f File) bool { return f.Path == "" || record.TierOf(f.Heat) == record.Cold })
	printed := func(f File) float64 {
		heat, _ := strconv.ParseFloat(liveHeat(f.Heat), 64) // what was printed can be read
		return heat
	}
	slices.SortStableFunc(warm, func(a, b File) int { return cmp.Or(cmp.Compare(printed(b), printed(a)), cmp.Compare(a.Path, b.Path)) })
	return warm
}

func liveHeat(heat float64) string {
	return strconv.FormatFloat(max(0, min(heat, record.HeatMost)), 'f', liveDecimals, 64)
}

// liveClusters are those that are shown, the surest first, each with the smaller path first.
func liveClusters(clusters []Cluster) []Cluster {
	var shown []Cluster
	for _, c := range clusters {
		if c.A == "" || c.B == "" || c.Met < ClusterMet {
			continue
		}
		c.A, c.B = min(c.A, c.B), max(c.A, c.B)
		shown = append(shown, c)
	}
	slices.SortFunc(shown, func(a, b Cluster) int {
		return cmp.Or(
			cmp.Compare(b.Met, a.Met),
			cmp.Compare(b.Weight, a.Weight),
			cmp.Compare(a.A, b.A),
			cmp.Compare(a.B, b.B),
		)
	})
	return shown[:min(len(shown), clustersShown)]
}

func liveClusterLine(pairs []Cluster) string {
	line := livePairs
	for _, p := range pairs {
		line += " {" + liveInPair(p.A) + ", " + liveInPair(p.B) + "}"
	}
	return line
}

// livePath is a path as a line of the view shows it. The few signs that would be taken for part of the layout become
// \xNN, as in memory.EscapePath, which never writes the escape of a plain sign: so livePlain can turn it back.
func livePath(path string) string {
	path = strings.NewReplacer("\n", `\x0a`, "\r", `\x0d`).Replace(path)
	path = liveHeats().ReplaceAllStringFunc(path, func(heat string) string { return ` \x5b` + heat[2:] }) // a name such as "film [2.0].srt"
	for _, start := range []string{" ", "\t", ">", liveHead, strings.TrimSpace(livePairs)} {
		if strings.HasPrefix(path, start) {
			return fmt.Sprintf(`\x%02x`, path[0]) + path[1:]
		}
	}
	return path
}

// liveInPair is a path between the brackets of a cluster.
func liveInPair(path string) string {
	return strings.NewReplacer(", ", `\x2c `, "} {", `\x7d {`).Replace(livePath(path))
}

// livePlain turns back what livePath and liveInPair did.
func livePlain(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] != '\\' || i+1 == len(path) {
			b.WriteByte(path[i])
			continue
		}
		if path[i+1] == 'x' && i+4 <= len(path) {
			// NUL, a backslash and bytes that are no text belong to the path as it is stored.
			if v, err := strconv.ParseUint(path[i+2:i+4], 16, 8); err == nil && v > 0 && v < utf8.RuneSelf && v != '\\' {
				b.WriteByte(byte(v))
				i += 3
				continue
			}
		}
		b.WriteString(path[i : i+2])
		i++
	}
	return b.String()
}

// liveHeats matches a heat in a line, such as " [2.4]".
var liveHeats = prose.Pattern(` \[[0-9]+\.[0-9]\]`)

// ParseLive reads a live view back, as hebb wrote it or as a person left it: with other line ends, a byte order mark, blank
// lines, projects in another order. It serves to notice what was changed by hand, so a line it cannot read is an error and
// not passed over. A heat is known to its printed decimal; where a note stands it is a hair above that, because such a
// file was hot (a heat of 2.04 prints as 2.0). Clusters are not read: what a person changes there means nothing.
func ParseLive(text string) ([]Block, error) {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(text, "\uFEFF"))
	var blocks []Block
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, " \t")
		if line == "" {
			continue
		}
		if rest, ok := strings.CutPrefix(line, liveHead); ok {
			blocks = append(blocks, Block{Project: prose.OneLine(liveTail(rest))})
			continue
		}
		fix := "put it below a line \"" + liveHead + liveDash + "PROJECT\""
		if len(blocks) > 0 {
			fix = blocks[len(blocks)-1].liveRead(line)
		}
		if fix != "" {
			return nil, fmt.Errorf("live view, line %d, %q: %s, or remove it: %w",
				number+1, prose.Shorten(prose.OneLine(line), liveQuote), fix, memory.ErrInvalid)
		}
	}
	for _, b := range blocks {
		for i, f := range b.Files {
			b.Files[i].Summary, b.Files[i].Note = prose.UnsaidBy(f.Summary), prose.UnsaidBy(f.Note)
		}
	}
	return blocks, nil
}

// liveRead takes one line of a project in; if it cannot, it says how to fix it.
func (b *Block) liveRead(line string) (fix string) {
	bare := strings.TrimLeft(line, " \t")
	if note, ok := strings.CutPrefix(bare, ">"); ok {
		if len(b.Files) == 0 {
			return "put a note below the line of its file"
		}
		f := &b.Files[len(b.Files)-1]
		if f.Note == "" {
			f.Heat = math.Nextafter(f.Heat, math.Inf(1))
		}
		f.Note = prose.OneLine(f.Note + " " + note) // one that was wrapped has several such lines
		return ""
	}
	if strings.HasPrefix(bare, strings.TrimSpace(livePairs)) {
		return ""
	}
	if bare != line {
		return "begin a note with > and a file at the left margin"
	}
	at := liveHeats().FindStringIndex(line)
	if at == nil || at[0] == 0 {
		return `write a file as "path [1.0] — summary"`
	}
	heat, err := strconv.ParseFloat(line[at[0]+len(" ["):at[1]-len("]")], 64)
	if err != nil {
		return "write a smaller heat"
	}
	b.Files = append(b.Files, File{Path: livePlain(line[:at[0]]), Heat: heat, Summary: prose.OneLine(liveTail(line[at[1]:]))})
	return ""
}

// liveTail is the text that follows the dash after a heading or a heat. People type other dashes, or none.
func liveTail(text string) string {
	text = strings.TrimSpace(text)
	for _, dash := range []string{"—", "–", "--", "-"} {
		if tail, ok := strings.CutPrefix(text, dash); ok {
			return tail
		}
	}
	return text
}
