package evaluate

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// LifeLine is one quantity through a life, a value for each month; NaN where there was nothing to measure.
type LifeLine struct {
	Name   string
	Unit   string
	Values []float64
	// Top is what the highest value on the same scale is.
	Top float64
}

// Lines are what a chart of the life shows: the graph with sleep and without, and what is kept and gone of what is known.
func (r LifeResult) Lines() []LifeLine {
	line := func(name, unit string, rows []LifeRow, value func(LifeRow) float64) LifeLine {
		l := LifeLine{Name: name, Unit: unit, Top: 100}
		for _, row := range rows {
			l.Values = append(l.Values, value(row))
		}
		return l
	}
	graph := func(r LifeRow) float64 { return float64(r.Neurons + r.Synapses) }
	lines := []LifeLine{
		line("graph without sleep", "", r.Awake, graph),
		line("graph with sleep", "", r.Sleep, graph),
		line("true associations recalled", "%", r.Sleep, func(r LifeRow) float64 { return r.Recalled }),
		line("true associations wired", "%", r.Sleep, func(r LifeRow) float64 { return r.Wired }),
		line("noise gone", "%", r.Sleep, func(r LifeRow) float64 {
			if r.Noise == 0 {
				return math.NaN()
			}
			return r.Gone
		}),
	}
	highest := 1.0
	for _, l := range lines[:2] {
		for _, v := range l.Values {
			highest = max(highest, v)
		}
	}
	lines[0].Top, lines[1].Top = highest, highest
	return lines
}

// Measures of the chart, in pixels.
const (
	chartWidth  = 760
	chartHeight = 560
	chartLeft   = 70
	chartRight  = 24
	panelHeight = 170
)

const chartStyle = `
  .paper { fill: #ffffff } text { fill: #1f2328; font: 13px system-ui, sans-serif } .title { font-size: 16px; font-weight: 600 }
  .soft { fill: #59636e } .grid { stroke: #d1d9e0; stroke-width: 1 } path { fill: none; stroke-width: 2.5; stroke-linejoin: round }
  .c0 { stroke: #bc4c00 } .c1 { stroke: #0969da } .c2 { stroke: #0969da } .c3 { stroke: #8250df } .c4 { stroke: #1a7f37 }
  .c0, .c3 { stroke-dasharray: 7 4 } .c4 { stroke-dasharray: 2 4; stroke-linecap: round }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } text { fill: #f0f6fc } .soft { fill: #9198a1 } .grid { stroke: #3d444d }
    .c0 { stroke: #f0883e } .c1, .c2 { stroke: #58a6ff } .c3 { stroke: #bc8cff } .c4 { stroke: #3fb950 }
  }
`

// WriteSVG draws the life: above the size of the graph, below what is kept and gone, month by month.
func (r LifeResult) WriteSVG(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="A life of work with and without sleep">`,
		chartWidth, chartHeight, chartWidth, chartHeight)
	fmt.Fprintf(&b, "\n<style>%s</style>\n", chartStyle)
	fmt.Fprintf(&b, `<rect class="paper" width="%d" height="%d"/>`+"\n", chartWidth, chartHeight)
	last := r.Sleep[len(r.Sleep)-1]
	fmt.Fprintf(&b, `<text class="title" x="%d" y="28">%d days of work, with and without sleep</text>`+"\n", chartLeft, last.Day)
	lines := r.Lines()
	months := len(r.Sleep)
	panel(&b, 66, "files, errors and links", "", roundUp(lines[0].Top), months, 0, lines[:2])
	panel(&b, 66+panelHeight+74, "share of what is known to be true", " %", 100, months, 2, lines[2:])
	fmt.Fprintf(&b, `<text class="soft" x="%d" y="%d" text-anchor="middle">month</text>`+"\n</svg>\n", (chartLeft+chartWidth-chartRight)/2, chartHeight-12)
	_, err := io.WriteString(w, b.String())
	return err
}

// panel draws lines on axes of their own, with a legend above.
func panel(b *strings.Builder, top int, label, unit string, highest float64, months, first int, lines []LifeLine) {
	const steps = 4
	x := func(month int) float64 {
		return chartLeft + float64(chartWidth-chartLeft-chartRight)*(float64(month)+.5)/float64(months)
	}
	y := func(v float64) float64 { return float64(top) + panelHeight*(1-v/highest) }
	for i := range steps + 1 {
		v := highest * float64(i) / steps
		fmt.Fprintf(b, `<line class="grid" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/>`, chartLeft, chartWidth-chartRight, y(v), y(v))
		fmt.Fprintf(b, `<text class="soft" x="%d" y="%.1f" text-anchor="end">%.0f%s</text>`+"\n", chartLeft-8, y(v)+4, v, unit)
	}
	fmt.Fprintf(b, `<text class="soft" transform="translate(16 %d) rotate(-90)" text-anchor="middle">%s</text>`+"\n", top+panelHeight/2, label)
	for month := range months {
		fmt.Fprintf(b, `<text class="soft" x="%.1f" y="%d" text-anchor="middle">%d</text>`, x(month), top+panelHeight+18, month+1)
	}
	at := chartLeft
	for i, l := range lines {
		points, pen := "", "M"
		for month, v := range l.Values {
			if !math.IsNaN(v) {
				points += fmt.Sprintf("%s%.1f %.1f", pen, x(month), y(v))
				pen = " L"
			}
		}
		fmt.Fprintf(b, "\n"+`<path class="c%d" d="M%d %d h24"/><text x="%d" y="%d">%s</text>`, first+i, at, top-16, at+30, top-12, l.Name)
		if points != "" {
			fmt.Fprintf(b, `<path class="c%d" d="%s"/>`, first+i, points)
		}
		at += 52 + 7*len(l.Name)
	}
	b.WriteString("\n")
}

// roundUp is the next number that is easily divided by four: 1, 2, 4 or 8 and zeros.
func roundUp(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(max(v, 4))))
	for _, step := range []float64{1, 2, 4, 8} {
		if v <= step*unit {
			return step * unit
		}
	}
	return 10 * unit
}
