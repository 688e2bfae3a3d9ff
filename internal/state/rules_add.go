package state

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// restWeight is the importance of a line of which none is known: that of a note of which nobody said how important it is.
const restWeight = 0.7

// addActive adds what the latest session says of itself and what sessions left, frictions and breakthroughs. A summary that hebb made by rules is
// a list of files and times, which the list of sessions has.
func (w *writer) addActive() {
	active := SectionActive
	sessions := w.m.sessions()
	told := slices.DeleteFunc(slices.Clone(sessions), func(s Session) bool { return s.origin() == memory.OriginTool })
	for _, s := range told[:min(len(told), 1)] {
		l := line{touched: s.At, weight: 1, free: true}
		if s.Happened != "" {
			l.text = write(labelSession, s.At, s.Happened, s.origin(), s.Crystal, lineLength)
			if s.Crystal != "" {
				l.crystals = []memory.CrystalID{s.Crystal}
			}
			w.add(active, l)
		}
		l.crystals = nil
		for _, lesson := range steps(s.Learned, nextShown) {
			l.text = write(labelLearned, s.At, lesson, s.origin(), s.Crystal, lineLength)
			w.add(active, l)
		}
	}
	if i := slices.IndexFunc(sessions, func(s Session) bool { return prose.OneLine(s.Next) != "" }); i >= 0 {
		for _, step := range steps(sessions[i].Next, nextShown) {
			text := write(labelNext, time.Time{}, step, sessions[i].origin(), "", lineLength)
			w.add(active, line{text: text, touched: sessions[i].At, weight: 1, free: true})
		}
	}
	// What the mood is about comes first.
	for _, friction := range []bool{w.m.Mood.Reward <= w.m.Mood.Stress, w.m.Mood.Reward > w.m.Mood.Stress} {
		label, valence := labelBreakthrough, 1.0
		if friction {
			label, valence = labelFriction, -1
		}
		for _, x := range newest(w.m.Moments, func(x Moment) time.Time { return x.At }) {
			if x.Friction != friction || w.pointed(x.Crystal) || prose.OneLine(x.Text) == "" {
				continue
			}
			l := line{text: write(label, x.At, x.Text, x.Origin, x.Crystal, lineLength), touched: x.At, weight: restWeight, valence: valence}
			if l.stays = x.Crystal == ""; !l.stays {
				l.crystals = []memory.CrystalID{x.Crystal}
			}
			w.add(active, l)
		}
	}
}

// steps are the first items of a list: of what is to be done next, or of what was learned.
func steps(list string, most int) []string {
	items := prose.Items(list)
	return items[:min(len(items), most)]
}

// addNiche adds what the project is, its agents, and what was earned.
func (w *writer) addNiche() {
	w.addProject()
	if len(w.m.Agents) > 1 { // who reads this knows the one that they use
		text := write(labelAgents, time.Time{}, strings.Join(w.m.Agents, ", "), ownWords, "", lineLength)
		w.add(SectionNiche, line{text: text, touched: w.m.Now, weight: 1, free: true})
	}
	ledger := w.m.Ledger
	if ledger == nil {
		return
	}
	text := fmt.Sprintf("earned %s USDC, spent %s, net %s; last 7 days %s, the 7 before %s; %s, %s",
		amount(ledger.Earned), amount(ledger.Spent), amount(ledger.Earned-ledger.Spent), amount(ledger.Week), amount(ledger.WeekBefore),
		prose.Count(ledger.Skills, "skill on offer", "skills on offer"), prose.Count(ledger.Buyers, "buyer", "buyers"))
	var top []string
	for _, e := range ledger.Top {
		top = append(top, prose.Shorten(prose.OneLine(e.Skill), 40)+" "+amount(e.Earned))
	}
	if len(top) > 0 {
		text += "; top: " + strings.Join(top, ", ")
	}
	text = write(labelEconomics, time.Time{}, text, ownWords, "", 2*lineLength)
	w.add(SectionNiche, line{text: text, touched: w.m.Now, weight: 1, free: true})
}

// addProject adds what the project is, uses and runs on, how it is built, tested and released. These are words of the repository: data. What reads like an instruction is left out.
func (w *writer) addProject() {
	p := w.m.Project
	for _, fact := range []struct {
		label, text string
		origin      memory.Origin
	}{
		{labelIs, p.Is, memory.OriginRepo}, {labelUses, strings.Join(p.Uses, ", "), memory.OriginRepo},
		{labelBuilt, strings.Join(p.Built, ", "), memory.OriginRepo}, {labelRunsOn, strings.Join(p.RunsOn, ", "), memory.OriginRepo}, {labelReleased, strings.Join(p.Released, ", "), memory.OriginRepo},
	} {
		if text := prose.Shorten(prose.OneLine(fact.text), lineLength); text != "" && !prose.Withheld(fact.origin, text) && !prose.ForgesMark(text) {
			w.add(SectionNiche, line{text: write(fact.label, time.Time{}, text, fact.origin, "", lineLength), touched: w.m.Now, weight: 1, free: true})
		}
	}
}

// addGaps adds what nobody knows yet.
func (w *writer) addGaps() {
	for _, g := range Wants(w.m.Gaps) {
		form := gapKinds[g.Kind.order()]
		text := prose.Shorten(prose.OneLine(g.Text), lineLength)
		if text == "" {
			continue
		}
		if g.Kind != GapQuestion && g.Origin == memory.OriginUser {
			text = "`" + strings.ReplaceAll(text, "`", "'") + "`"
		}
		text = write(form.label, time.Time{}, text, g.Origin, "", lineLength+len("``"))
		if g.Times > 1 {
			text += fmt.Sprintf(" (%s %d times)", form.counted, g.Times)
		}
		w.add(SectionGaps, line{text: text, touched: g.At, weight: restWeight, free: true})
	}
}

// addSkills adds what is done again and again, the surest first.
func (w *writer) addSkills() {
	list := slices.Clone(w.m.Skills)
	slices.SortStableFunc(list, func(a, b Evidence) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(b.Times, a.Times), cmp.Compare(a.Name, b.Name))
	})
	for _, e := range list {
		name := prose.Shorten(prose.OneLine(strings.ReplaceAll(e.Name, seen, " ")), lineLength)
		if name == "" || !trusted(e.Origin) || prose.Withheld(e.Origin, name) || prose.ForgesMark(name) {
			continue // what is not trusted may not teach
		}
		name = prose.SaidBy(e.Origin, name)
		confidence := strconv.FormatFloat(math.Round(e.Confidence*100)/100, 'f', -1, 64)
		text := bullet + name + seen + prose.Count(e.Times, "time", "times") + " (" + confidence + ")"
		w.add(SectionSkills, line{text: text, touched: w.m.Now, weight: e.Confidence, free: true})
	}
	for _, h := range w.m.Habits[:min(len(w.m.Habits), habitsShown)] {
		room := SectionBudget(SectionSkills) - len(join(w.sections[SectionSkills])) - len(w.here[SectionSkills]) - w.statedBytes(SectionSkills)
		if l := (line{text: h.String()}); h.shown() && len(l.text)+len("\n") <= room {
			w.statedHere[SectionSkills] = append(w.statedHere[SectionSkills], l)
			w.p.Stated = append(w.p.Stated, statedHash(l.text))
		}
	}
}
