package evaluate

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// The scenario: what a year of work is made of.
const (
	lifeFolders   = 12 // of the project when it is met
	lifePerFolder = 25 // files
	lifeFeatures  = 4  // that are worked on at a time
	lifeShortest  = 20 // days that a feature is worked on
	lifeLongest   = 70
	lifeNoise     = 30 // days of the noisy month
	lifeLate      = 60 // days: true associations are asked for until they are this old, noise from then on; at most half a life
	lifeTurn      = 7  // touches between two prompts
	lifeCommits   = .7 // share of sessions that end in a commit
	lifeOften     = .8 // share of a feature's files that a session on it opens
)

// lifeBegin is the first day of every life.
var lifeBegin = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// moment is one step of a life: events are recorded, then an examination is held.
type moment struct {
	at     time.Time
	events []memory.Event
	exam   *lifeExam
}

// lifeExam names what is known to be true at a moment.
type lifeExam struct {
	month, day int
	together   []pathPair // belong together and were worked on of late
	apart      []pathPair // met by chance, long ago
}

// pathPair is two files. Where the order does not matter, the smaller path comes first.
type pathPair struct{ a, b string }

func newPair(a, b string) pathPair { return pathPair{min(a, b), max(a, b)} }

func (p pathPair) turned() pathPair { return pathPair{p.b, p.a} }

// feature is a few files that belong together.
type feature struct {
	words []string
	files []string
	until int // day on which it retires
}

// planner makes a life from a seed: all that happens in it, in order. Which files truly belong
// together is known from it.
type planner struct {
	random   *rand.Rand
	days     int
	place    memory.Place
	folders  []string
	files    []string
	features []*feature
	count    int // of events
	sessions int
	// together and apart say when a pair was met last: on purpose, by chance. What ever was met on
	// purpose is not apart.
	together, apart map[pathPair]time.Time
	moments         []moment
}

func newPlan(seed uint64, days int) *planner {
	p := &planner{
		random: rand.New(rand.NewPCG(seed, 365)), days: days, place: memory.Place{Identity: "/life/.git", Root: "/life"},
		together: map[pathPair]time.Time{}, apart: map[pathPair]time.Time{},
	}
	p.begin()
	month := 1
	for day := range days {
		midnight := lifeBegin.AddDate(0, 0, day)
		if midnight.Equal(lifeBegin.AddDate(0, month, 0)) {
			p.examine(midnight, month, day)
			month++
		}
		p.drift(day)
		if midnight.Weekday() != time.Saturday && midnight.Weekday() != time.Sunday {
			p.work(day)
		}
	}
	p.examine(lifeBegin.AddDate(0, 0, days), month, days)
	return p
}

func (p *planner) word() string { return largeWords[p.random.IntN(len(largeWords))] }

func (p *planner) chance(share float64) bool { return p.random.Float64() < share }

// between draws a number from least to most.
func (p *planner) between(least, most int) int { return least + p.random.IntN(most-least+1) }

// event is one of a session, or of the repository.
func (p *planner) event(at time.Time, kind memory.EventKind, text string, touches ...memory.Touch) memory.Event {
	p.count++
	e := memory.Event{
		ID: memory.DerivedEventID("life", fmt.Sprint(p.count)), At: at, Kind: kind, Origin: memory.OriginTool, Agent: "claude-code",
		AgentSession: fmt.Sprintf("life-%d", p.sessions), Place: p.place, Text: text, Touches: touches,
	}
	switch kind {
	case memory.Prompted:
		e.Origin = memory.OriginUser
	case memory.Committed:
		e.Origin, e.Agent, e.AgentSession, e.Input = memory.OriginRepo, memory.AgentGit, "", string(e.ID)
	}
	return e
}

func (p *planner) newFile(folder, about string) string {
	p.files = append(p.files, fmt.Sprintf("%s/%s_%s%d.go", folder, about, p.word(), len(p.files)))
	return p.files[len(p.files)-1]
}

// begin commits the folders of the project one by one.
func (p *planner) begin() {
	var events []memory.Event
	for n := range lifeFolders {
		folder := fmt.Sprintf("%s/%s%d", p.word(), p.word(), n)
		p.folders = append(p.folders, folder)
		var touches []memory.Touch
		for range lifePerFolder {
			touches = append(touches, memory.Touch{Kind: memory.Edit, Path: p.newFile(folder, p.word())})
		}
		at := lifeBegin.Add(time.Duration(n-lifeFolders) * time.Hour)
		events = append(events, p.event(at, memory.Committed, "begin the "+folder, touches...))
	}
	p.moments = append(p.moments, moment{at: lifeBegin, events: events})
}

// drift lets features retire and others begin. A new one takes old files and new ones of a folder.
func (p *planner) drift(day int) {
	p.features = slices.DeleteFunc(p.features, func(f *feature) bool { return f.until <= day })
	for len(p.features) < lifeFeatures {
		f := &feature{words: []string{p.word(), p.word(), p.word()}, until: day + p.between(lifeShortest, lifeLongest)}
		n := p.random.IntN(lifeFolders)
		for range p.between(2, 3) {
			f.files = append(f.files, p.files[n*lifePerFolder+p.random.IntN(lifePerFolder)])
		}
		for range p.between(2, 3) {
			f.files = append(f.files, p.newFile(p.folders[n], f.words[p.random.IntN(len(f.words))]))
		}
		slices.Sort(f.files)
		f.files = slices.Compact(f.files)
		p.features = append(p.features, f)
	}
}

// work fills a day with sessions, one after the other. Each opens one or two files by chance, and
// many in the noisy month.
func (p *planner) work(day int) {
	at := lifeBegin.AddDate(0, 0, day).Add(9 * time.Hour)
	for range p.between(2, 4) {
		strays := p.between(0, 2)
		if begins := p.days * 2 / 5; day >= begins && day < begins+min(lifeNoise, p.days/4) {
			strays = p.between(6, 12)
		}
		at = p.session(p.features[p.random.IntN(len(p.features))], strays, at)
		at = at.Add(time.Duration(p.between(5, 60)) * time.Minute)
	}
}

// session is one run of an agent: it opens files of a feature again and again, and a few others by
// chance.
func (p *planner) session(on *feature, strays int, at time.Time) (end time.Time) {
	p.sessions++
	var own, stray, touched []string
	for i, n := range p.random.Perm(len(on.files)) { // two at least
		if i < 2 || p.chance(lifeOften) {
			own = append(own, on.files[n])
		}
	}
	for len(stray) < strays {
		if f := p.files[p.random.IntN(len(p.files))]; !slices.Contains(stray, f) && !slices.Contains(on.files, f) {
			stray = append(stray, f)
		}
	}
	for _, f := range own {
		for range p.between(1, 4) {
			touched = append(touched, f)
		}
	}
	touched = append(touched, stray...)
	p.random.Shuffle(len(touched), func(i, j int) { touched[i], touched[j] = touched[j], touched[i] })
	changed, end := p.record(on, touched, at)
	for i, a := range own {
		for _, b := range own[i+1:] {
			p.together[newPair(a, b)] = end
			delete(p.apart, newPair(a, b))
		}
	}
	for i, a := range stray {
		for _, b := range append(slices.Clone(own), stray[i+1:]...) {
			if _, belongs := p.together[newPair(a, b)]; !belongs {
				p.apart[newPair(a, b)] = end
			}
		}
	}
	if len(changed) > 0 && p.chance(lifeCommits) {
		end = end.Add(time.Minute)
		subject := fmt.Sprintf("%s: %s the %s", on.words[0], p.word(), on.words[p.random.IntN(len(on.words))])
		p.moments = append(p.moments, moment{at: end, events: []memory.Event{p.event(end, memory.Committed, subject, changed...)}})
	}
	return end
}

// record makes the events of a session as hooks would, a moment for each turn. A file that is
// opened again may be changed.
func (p *planner) record(on *feature, touched []string, at time.Time) (changed []memory.Touch, end time.Time) {
	seen := map[string]bool{}
	for turn := range slices.Chunk(touched, lifeTurn) {
		m := moment{}
		about := func() string { return on.words[p.random.IntN(len(on.words))] }
		prompt := fmt.Sprintf("%s the %s of the %s %s", p.word(), p.word(), about(), about())
		if len(seen) == 0 {
			m.events = append(m.events, p.event(at, memory.SessionStarted, ""))
		}
		m.events = append(m.events, p.event(at, memory.Prompted, prompt))
		for _, f := range turn {
			at = at.Add(time.Duration(p.between(10, 50)) * time.Second)
			touch, tool := memory.Touch{Kind: memory.Read, Path: f}, "Read"
			if seen[f] && p.chance(.6) {
				touch.Kind, tool = memory.Edit, "Edit"
				if !slices.Contains(changed, touch) {
					changed = append(changed, touch)
				}
			}
			seen[f] = true
			e := p.event(at, memory.ToolUsed, "", touch)
			e.Tool = tool
			m.events = append(m.events, e)
		}
		at = at.Add(20 * time.Second)
		m.at, m.events = at, append(m.events, p.event(at, memory.TurnEnded, "done with the "+on.words[0]))
		p.moments = append(p.moments, m)
		at = at.Add(time.Duration(p.between(2, 8)) * time.Minute)
	}
	p.moments = append(p.moments, moment{at: at, events: []memory.Event{p.event(at, memory.SessionEnded, "")}})
	return changed, at
}

// examine writes down what is true at a moment.
func (p *planner) examine(at time.Time, month, day int) {
	late := time.Duration(min(lifeLate, p.days/2)) * 24 * time.Hour
	pairs := func(met map[pathPair]time.Time, isLate bool) []pathPair {
		list := slices.SortedFunc(maps.Keys(met), func(a, b pathPair) int {
			return cmp.Or(cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b))
		})
		return slices.DeleteFunc(list, func(pair pathPair) bool { return (at.Sub(met[pair]) > late) != isLate })
	}
	e := &lifeExam{month: month, day: day, together: pairs(p.together, false), apart: pairs(p.apart, true)}
	p.moments = append(p.moments, moment{at: at, exam: e})
}
