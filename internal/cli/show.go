package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/term"
	"golang.org/x/text/width"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/scrub"
)

func terminalWidth(f *os.File) int {
	if !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		return defaultWidth
	}
	return width
}

const defaultWidth = 80

func (a *app) printJSON(w io.Writer, v any) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeInvisible(text.Bytes()))
	return err
}

// escapeInvisible escapes control and invisible characters as \uXXXX. JSON keeps its meaning, because they occur only in strings.
func escapeInvisible(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, width := utf8.DecodeRune(text)
		switch {
		case r < utf8.RuneSelf && r != 0x7f, !unicode.In(r, unicode.Cc, unicode.Cf):
			out = append(out, text[:width]...)
		case r <= 0xffff:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		}
		text = text[width:]
	}
	return out
}

// lineWriter escapes JSON Lines, a whole line at a time.
type lineWriter struct {
	to      io.Writer
	partial []byte
}

func (w *lineWriter) Write(text []byte) (int, error) {
	w.partial = append(w.partial, text...)
	end := bytes.LastIndexByte(w.partial, '\n') + 1
	_, err := w.to.Write(escapeInvisible(w.partial[:end]))
	w.partial = append(w.partial[:0], w.partial[end:]...)
	return len(text), err
}

// show prints the result as JSON with --json, else with text.
func (a *app) show(v any, text func(p *page)) error {
	if a.json {
		if list := reflect.ValueOf(v); list.Kind() == reflect.Slice && list.IsNil() {
			v = []int{} // programs expect a list
		}
		return a.printJSON(a.Stdout, v)
	}
	p := &page{style: a.style(a.Stdout), width: a.Width, now: a.Now(), names: a.names}
	text(p)
	_, err := io.WriteString(a.Stdout, p.b.String())
	return err
}

// outcome shows what came of something, unless that failed.
func (a *app) outcome(v any, err error, text func(p *page)) error {
	if err != nil {
		return err
	}
	return a.show(v, text)
}

// style is the style for w, which colours only on a terminal.
func (a *app) style(w io.Writer) style {
	width := a.Width
	if w == a.Stderr {
		width = a.ErrWidth
	}
	return style(width > 0 && !a.noColor && !a.json && a.Getenv("NO_COLOR") == "" && a.Getenv("TERM") != "dumb")
}

type style bool

func (s style) paint(code, text string) string {
	if !s || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) bold(t string) string   { return s.paint("1", t) }
func (s style) dim(t string) string    { return s.paint("2", t) }
func (s style) red(t string) string    { return s.paint("31", t) }
func (s style) green(t string) string  { return s.paint("32", t) }
func (s style) yellow(t string) string { return s.paint("33", t) }
func (s style) cyan(t string) string   { return s.paint("36", t) }

// page collects the text output of a command.
type page struct {
	b     strings.Builder
	style style
	width int
	now   time.Time
	names map[memory.ProjectID]string // of all projects; nil on a page about one
}

// line writes a line. Commands in backquotes in the format are coloured.
func (p *page) line(format string, args ...any) {
	fmt.Fprintf(&p.b, p.style.commands(format)+"\n", args...)
}

// say writes a line of hebb's own, with commands in backquotes.
func (p *page) say(text string) { p.b.WriteString(p.style.commands(text) + "\n") }

func (s style) commands(text string) string {
	parts := strings.Split(text, "`")
	for i := 1; i < len(parts); i += 2 {
		parts[i] = s.cyan(parts[i])
	}
	return strings.Join(parts, "")
}

func (p *page) gap()                { p.b.WriteByte('\n') }
func (p *page) heading(text string) { p.line("%s", p.style.bold(text)) }
func (p *page) warning(text string) { p.line("%s", p.style.yellow(text)) }

// section writes a heading after a gap, and between a gap before each item but the first.
func (p *page) section(heading string) { p.gap(); p.heading(heading) }

func (p *page) between(i int) {
	if i > 0 {
		p.gap()
	}
}

// lineIf, noteIf and warnIf write their line if something is so.
func (p *page) lineIf(is bool, format string, args ...any) {
	if is {
		p.line(format, args...)
	}
}

func (p *page) noteIf(is bool, text string) { p.lineIf(is, "%s", p.style.dim(text)) }
func (p *page) warnIf(is bool, text string) { p.lineIf(is, "%s", p.style.yellow(text)) }

// note writes a line that is less important.
func (p *page) note(text string) { p.line("%s", p.style.dim(text)) }

// tableOf writes a table with one row for each item. The last column is cut to the terminal; a ">" after the name of a column aligns it right.
// Cells are untrusted and escaped: as names or, with "~" after the name, as text. A cell may be a number, a share, a time (then it is how long ago) or a
// project (whose column is left out on a page about one).
func tableOf[T any](p *page, columns string, items []T, cells func(T) []any) {
	headers, table := strings.Split(columns, ", "), mapped(items, cells)
	if at := slices.Index(headers, "PROJECT"); at >= 0 && p.names == nil {
		headers = slices.Delete(headers, at, at+1)
		for i := range table {
			table[i] = slices.Delete(table[i], at, at+1)
		}
	}
	rows, widths, right := make([][]string, len(items)), make([]int, len(headers)), make([]bool, len(headers))
	for i, h := range headers {
		h, said := strings.CutSuffix(h, "~")
		headers[i], right[i] = strings.CutSuffix(h, ">")
		widths[i] = visibleWidth(headers[i])
		for j, row := range table {
			rows[j] = append(rows[j], p.cell(row[i], said))
			widths[i] = max(widths[i], visibleWidth(rows[j][i]))
		}
	}
	p.b.WriteString(p.style.dim(p.row(headers, widths, right)) + "\n")
	for _, row := range rows {
		p.b.WriteString(p.row(row, widths, right) + "\n")
	}
}

// painted is a cell with a colour.
type painted struct {
	text  string
	paint func(string) string
}

// cell is what a table shows of a value.
func (p *page) cell(v any, said bool) string {
	text := ""
	switch v := v.(type) {
	case painted:
		return v.paint(shownName(v.text))
	case int:
		return grouped(int64(v))
	case int64:
		return grouped(v)
	case float64:
		return figure(v)
	case time.Time:
		return p.ago(v)
	case memory.ProjectID:
		text = p.names[v]
	default:
		text = fmt.Sprint(v)
	}
	return either(said, scrub.Line(text), shownName(text))
}

// rows is a page with a table, or with the sentence that says why there is none.
func rows[T any](nothing, columns string, cells func(T) []any) func(*page, []T) {
	return func(p *page, items []T) {
		if len(items) == 0 {
			p.say(nothing)
			return
		}
		tableOf(p, columns, items, cells)
	}
}

// shownName writes a name unambiguously: as it is if every character is visible, else quoted with escapes. White space is kept, and a
// quoted name survives scrub.Line.
func shownName(name string) string {
	if scrub.Line(name) == name && !strings.HasPrefix(name, `"`) {
		return name
	}
	quoted := scrub.Display(strconv.Quote(name)) // some characters that Go prints are invisible
	return strings.ReplaceAll(quoted, "  ", ` \x20`)
}

const indent = "  "

// indented writes text, wrapped to the terminal and indented. It must be safe to show.
func (p *page) indented(text string) {
	for line := range strings.SplitSeq(wrapped(text, p.width-len(indent)), "\n") {
		p.line("%s", strings.TrimRight(indent+line, " \r"))
	}
}

// paragraphs shows a text of several lines, wrapped to the terminal, after a label if there is one.
func (p *page) paragraphs(label, text string) {
	text = scrub.Display(text)
	if label != "" {
		text = p.style.dim(label) + " " + text
	}
	for line := range strings.SplitSeq(text, "\n") {
		p.indented(line)
	}
}

// facts writes lines of a name and a value. Empty values are skipped.
func (p *page) facts(rows [][2]string) {
	width := 0
	for _, row := range rows {
		width = max(width, visibleWidth(row[0]))
	}
	for _, row := range rows {
		if row[1] != "" {
			name := fmt.Sprintf("%s%-*s%s", indent, width, row[0], indent)
			p.line("%s%s", p.style.dim(name), p.cut(row[1], p.width-visibleWidth(name)))
		}
	}
}

// wrapped breaks a line at spaces. Colour codes take no room.
func wrapped(text string, room int) string {
	var b strings.Builder
	used := 0
	for i, word := range strings.Split(text, " ") {
		n := visibleWidth(word)
		switch {
		case i == 0:
		case room > 0 && used+1+n > room:
			b.WriteByte('\n')
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}

// visibleWidth is how many columns a word takes, without its colour codes.
func visibleWidth(word string) (n int) {
	code := false
	for _, r := range word {
		switch {
		case r == '\x1b':
			code = true
		case code:
			code = r != 'm'
		default:
			n += runeColumns(r)
		}
	}
	return n
}

func (p *page) row(cells []string, widths []int, right []bool) string {
	var b strings.Builder
	used := 0
	for i, cell := range cells {
		b.WriteString(indent)
		used += len(indent)
		pad := strings.Repeat(" ", max(widths[i]-visibleWidth(cell), 0))
		switch {
		case right[i]:
			b.WriteString(pad + cell)
		case i == len(cells)-1:
			b.WriteString(p.cut(cell, p.width-used))
		default:
			b.WriteString(cell + pad)
		}
		used += widths[i]
	}
	return strings.TrimRight(b.String(), " ")
}

// cut shortens text to the room left on a terminal.
func (p *page) cut(text string, room int) string {
	if p.width == 0 || visibleWidth(text) <= room || room < 2 {
		return text
	}
	used := 0
	for i, r := range text {
		used += runeColumns(r)
		if used > room-1 {
			return text[:i] + "…"
		}
	}
	return text
}

// ago is the time since t, in one unit.
func (p *page) ago(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	d := p.now.Sub(t)
	switch {
	case d < -time.Minute:
		return t.Local().Format("2006-01-02")
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	case d < 60*24*time.Hour:
		return fmt.Sprintf("%d d", int(d.Hours()/24))
	}
	return t.Local().Format("2006-01-02")
}

// count writes a number and its noun.
func count[N int | int64](n N, one, many string) string { return prose.Count(n, one, many) }

func grouped(n int64) string { return prose.Grouped(n) }

func size(bytes int64) string {
	switch {
	case bytes < 1<<10:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1<<20:
		return fmt.Sprintf("%.1f KB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))
}

// home shortens a path in the home folder.
func (a *app) home(path string) string { return below(a.Getenv("HOME"), path) }

// progress draws a progress line on a terminal. Elsewhere update is nil.
func (a *app) progress(noun string) (update func(done, total int), finish func()) {
	draw, finish := a.progressLine()
	return func(done, total int) {
		share := 1.0
		if total > 0 {
			share = float64(done) / float64(total)
		}
		draw(share, fmt.Sprintf("%s/%s %s", grouped(int64(done)), grouped(int64(total)), noun))
	}, finish
}

// progressLine draws a bar, a text and how long it will take on a terminal, elsewhere a line a minute.
func (a *app) progressLine() (draw func(share float64, text string), finish func()) {
	const widest, wipe, patience = 30, "\x1b[K", 300 * time.Millisecond
	s, began, drawn, told := a.style(a.Stderr), a.Now(), false, a.Now()
	draw = func(share float64, text string) {
		now := a.Now()
		if took := now.Sub(began); took > 2*time.Second && share > 0.02 && share < 1 {
			text += fmt.Sprintf(", about %s left", span(time.Duration(float64(took)*(1-share)/share)))
		}
		if a.ErrWidth == 0 || a.json {
			if !a.json && now.Sub(told) >= time.Minute {
				told = now
				fmt.Fprintln(a.Stderr, "hebb: "+text)
			}
			return
		}
		if now.Sub(began) < patience {
			return // short work needs no bar
		}
		drawn = true
		bar := max(0, min(widest, a.ErrWidth-len("    ")-utf8.RuneCountInString(text)))
		filled := max(0, min(int(float64(bar)*share), bar))
		fmt.Fprintf(a.Stderr, "\r  %s%s %s"+wipe, s.cyan(strings.Repeat("█", filled)), s.dim(strings.Repeat("░", bar-filled)), text)
	}
	return draw, func() {
		if drawn {
			fmt.Fprint(a.Stderr, "\r"+wipe)
		}
	}
}

// span is a duration as people say it.
func span(d time.Duration) string {
	return either(d < time.Minute, fmt.Sprintf("%d s", max(1, int(d.Seconds()+0.5))), fmt.Sprintf("%d min", int(d.Minutes()+0.5)))
}

// sparkline draws values as a row of blocks, two for each value; NaN is a gap.
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

// runeColumns is how many columns a character takes on a terminal.
func runeColumns(r rune) int {
	switch {
	case r < 0x300: // before the first combining character
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// Sentences in place of a page.
const (
	unknownFolder = "hebb knows nothing of this folder yet. `hebb init` learns its history."
	noLinks       = "No links here yet. `hebb init` learns what commits change together; sessions of a wired agent add what they open."
	nothingShown  = "No agent was shown anything yet. Wire one with `hebb init --yes` and work as usual: suggestions come with your prompts."
)

// below shortens a path in the home folder.
func below(home, path string) string {
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok && home != "" {
		return "~/" + filepath.ToSlash(rest)
	}
	return path
}

// tally lists counts; a count of nothing is left out.
type tally []string

func (t *tally) add(n int64, one, many string) { t.addTo("", n, one, many) }

func (t *tally) addTo(before string, n int64, one, many string) {
	if n > 0 {
		*t = append(*t, before+count(n, one, many))
	}
}

// figure writes a number from 0 to 1.
func figure(v float64) string { return fmt.Sprintf("%.2f", v) }

// minute is a date and time in local time.
func minute(t time.Time) string { return t.Local().Format("2 Jan 2006 15:04") }

const barLength = 10

// bar draws a share of 0 to 1; a share that counts against something is hollow.
func bar(share float64, against bool) string {
	block := "█"
	if against {
		block = "░"
	}
	return strings.Repeat(block, max(1, int(math.Round(share*barLength))))
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// day is a date in local time.
func day(t time.Time) string { return t.Local().Format("2 Jan 2006") }

// diff shows a unified diff, coloured.
func (p *page) diff(text string) {
	for line := range strings.Lines(text) {
		line = scrub.Display(strings.TrimRight(line, "\r\n"))
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
			line = p.style.bold(line)
		case strings.HasPrefix(line, "+"):
			line = p.style.green(line)
		case strings.HasPrefix(line, "-"):
			line = p.style.red(line)
		case strings.HasPrefix(line, "@@"):
			line = p.style.cyan(line)
		}
		p.line("%s", line)
	}
}

// when is ago for use in a sentence.
func (p *page) when(t time.Time) string {
	switch ago := p.ago(t); ago {
	case "now":
		return "just now"
	case t.Local().Format(time.DateOnly):
		return "on " + ago
	default:
		return ago + " ago"
	}
}

// limited says that a list may have been cut.
func (p *page) limited(shown, limit int) {
	p.noteIf(limit > 0 && shown == limit, fmt.Sprintf("The newest %d; -n 0 shows all.", limit))
}

// unlessApplied says how to go on after a command that only showed what it would do.
func (p *page) unlessApplied(applied bool) {
	p.lineIf(!applied, "Nothing was changed. Add `--yes` to go on.")
}

// neuronName marks errors; files need no mark.
func neuronName(kind memory.NeuronKind, key string) string {
	return either(kind == memory.ErrorNeuron, "error: "+key, key)
}
