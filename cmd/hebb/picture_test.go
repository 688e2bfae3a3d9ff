//go:build unix

package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Sizes of the picture, in its own units. Text is monospaced: an em is 13, a column 0.6 of it.
const (
	column    = 7.85
	lineStep  = 20
	padding   = 18
	paneGap   = 14
	titleRoom = 42
	labelRoom = 29
	rowGap    = 16

	narrow, wide = 30, 84 // columns of the two panes
)

const pictureStyle = `
	.paper { fill: #ffffff; stroke: #d1d9e0 } .bar { fill: #f6f8fa; stroke: #d1d9e0 } .rule { stroke: #d1d9e0 }
	.hebb { fill: #dafbe1 } .edge { fill: #1a7f37 }
	text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; fill: #1f2328; white-space: pre }
	.title { font: 600 14px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif }
	.day { font-weight: 400; fill: #59636e }
	.label { font: 12px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #59636e }
	.head { font-weight: 600 } .quiet { fill: #59636e } .wrong { fill: #d1242f } .typed { font-weight: 600 }
	@media (prefers-color-scheme: dark) {
		.paper { fill: #0d1117; stroke: #3d444d } .bar { fill: #151b23; stroke: #3d444d } .rule { stroke: #3d444d }
		.hebb { fill: #12261e } .edge { fill: #3fb950 }
		text { fill: #f0f6fc } .label, .quiet, .day { fill: #9198a1 } .wrong { fill: #ff7b72 }
	}
`

// draw is an SVG: above what was said before, below it what an agent sees and receives without hebb beside what it does with hebb, moment by
// moment.
func draw(said []string, became string, without, with []moment) string {
	left, right := pane{columns: narrow}, pane{x: width(narrow) + paneGap, columns: wide}
	total := right.x + width(wide)
	earlier := pane{columns: int((total - 2*padding) / column)}
	y := float64(titleRoom)
	for _, words := range said {
		y = earlier.lines("typed", y, "› "+words)
	}
	earlier.text("label", padding, y+16, became)
	earlier.height = y + lineStep + rowGap/2
	left.y, right.y = earlier.height+paneGap, earlier.height+paneGap

	y = titleRoom - 8 // labels have room of their own
	for i := range with {
		if i > 0 {
			left.separate(y)
			right.separate(y)
		}
		y = max(left.row(y, without[i]), right.row(y, with[i]))
	}
	left.height, right.height = y, y
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 %.0f %.0f" role="img" aria-labelledby="title">`+"\n", total+2, right.y+y+2)
	fmt.Fprintf(&out, "<title id=\"title\">What Codex receives without hebb and with hebb</title>\n<style>%s</style>\n", pictureStyle)
	earlier.frame(&out, total, "Claude Code", inClaude)
	left.frame(&out, width(narrow), "Codex", inCodex)
	right.frame(&out, width(wide), "Codex with hebb", inCodex)
	out.WriteString("</svg>\n")
	return out.String()
}

// pane is a window with text.
type pane struct {
	x, y, height float64
	columns      int
	parts        strings.Builder
}

func width(columns int) float64 { return 2*padding + float64(columns)*column }

func (p *pane) frame(out *strings.Builder, w float64, title string, day time.Time) {
	fmt.Fprintf(out, `<g transform="translate(%.1f %.1f)">`+"\n", p.x, p.y)
	fmt.Fprintf(out, `<rect class="paper" width="%.1f" height="%.0f" rx="8"/>`+"\n", w, p.height)
	fmt.Fprintf(out, `<path class="bar" d="M0 34V8a8 8 0 0 1 8-8H%.1fa8 8 0 0 1 8 8V34Z"/>`+"\n", w-8)
	fmt.Fprintf(out, `<text class="title" x="%d" y="22">%s<tspan class="day">, %s</tspan></text>`+"\n", padding, title, day.Format("2 January"))
	out.WriteString(p.parts.String() + "</g>\n")
}

func (p *pane) separate(y float64) {
	fmt.Fprintf(&p.parts, `<path class="rule" d="M0 %.1fH%.1f"/>`+"\n", y, width(p.columns))
}

// row draws a moment from y on and returns where it ends.
func (p *pane) row(y float64, m moment) float64 {
	p.text("label", padding, y+18, m.name)
	y += labelRoom
	for _, line := range m.happened {
		class := "typed"
		if !strings.HasPrefix(line, "›") && !strings.HasPrefix(line, "$") {
			class = "wrong"
		}
		y = p.lines(class, y, line)
	}
	if len(m.happened) > 0 {
		y += 6
	}
	lines := linesOf(m.received, p.columns-1)
	if len(lines) == 0 {
		p.text("label", padding, y+14, "Nothing from earlier work")
		return y + lineStep + rowGap
	}
	fmt.Fprintf(&p.parts, `<rect class="hebb" x="%d" y="%.1f" width="%.1f" height="%d" rx="3"/>`+"\n", padding-8, y-5, width(p.columns)-2*padding+16, len(lines)*lineStep+8)
	fmt.Fprintf(&p.parts, `<rect class="edge" x="%d" y="%.1f" width="3" height="%d"/>`+"\n", padding-8, y-5, len(lines)*lineStep+8)
	for _, line := range lines {
		p.text(line.class, padding+4, y+14, line.text)
		y += lineStep
	}
	return y + rowGap
}

// lines writes a line, or as many as it needs, from y on and returns where they end.
func (p *pane) lines(class string, y float64, line string) float64 {
	for _, part := range wrapped(line, p.columns) {
		p.text(class, padding, y+14, part)
		y += lineStep
	}
	return y
}

func (p *pane) text(class string, x int, y float64, text string) {
	var escaped bytes.Buffer
	if err := xml.EscapeText(&escaped, []byte(text)); err != nil {
		panic(err) // a buffer takes everything
	}
	fmt.Fprintf(&p.parts, `<text class="%s" x="%d" y="%.1f" xml:space="preserve">%s</text>`+"\n", class, x, y, &escaped)
}

type drawn struct{ class, text string }

// linesOf are the lines of what an agent receives, without blank ones. What asks the agent to hand over rules is left out, as the picture says.
func linesOf(text string, columns int) (lines []drawn) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		class := ""
		switch {
		case line == "":
			continue
		case strings.HasPrefix(line, "hebb "):
			class = "quiet"
		case strings.HasPrefix(line, "### "):
			class = "head"
		case line == memory.HandOver:
			class, line = "quiet", "…"
		}
		for _, part := range wrapped(line, columns) {
			lines = append(lines, drawn{class, part})
		}
	}
	return lines
}

// wrapped breaks a line between words; what follows is indented like it, by two at least.
func wrapped(line string, columns int) (parts []string) {
	text := strings.TrimLeft(line, " ")
	part := line[:len(line)-len(text)]
	below := max(part, "  ")
	for i, word := range strings.Fields(text) {
		if i > 0 && utf8.RuneCountInString(part)+1+utf8.RuneCountInString(word) > columns {
			parts, part = append(parts, part), below+word
			continue
		}
		if i > 0 {
			part += " "
		}
		part += word
	}
	return append(parts, part)
}
