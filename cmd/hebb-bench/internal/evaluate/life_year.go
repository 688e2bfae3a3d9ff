package evaluate

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// The scenario: what a year of work is made of.
const (
	lifeFolders   = 12 // of a project when it is met
	lifePerFolder = 25 // files
	lifeShared    = 3  // files of a project that all kinds of work come by
	lifeFeatures  = 4  // that the first project works on at a time; each further project has one fewer, two at least

	lifeShortest = 20 // days that a feature is worked on
	lifeLongest  = 70

	lifeHotWeek  = 7 // each so-manieth week is hot: more sessions, most of them on one feature
	lifeHoliday  = 14
	lifeNoise    = 30  // days of the noisy month
	lifeRest     = 120 // days: a shorter life has no holidays
	lifeLate     = 60  // days: true associations are asked for until they are this old, noise from then on; at most half a life
	lifeWindow   = 25  // different files that a session opens at most: all of them meet
	lifeTurn     = 7   // touches between two prompts, about
	lifeCommits  = .7  // share of sessions that end in a commit
	lifeRenames  = .06 // share of commits that rename a file
	lifeTwo      = .15 // share of sessions that work on two features
	lifeOften    = .8  // share of a feature's files that a session on it opens
	lifeSharedBy = .4  // share of sessions that open a shared file
	lifeOnTheHot = .7  // share of a hot week's sessions that work on its feature
)

// lifeBegin is the first day of every life.
var lifeBegin = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// plan is a life with all that happens in it, in order. Which files truly belong together is known from it.
type plan []moment

// moment is one step of a life: questions are asked first, then events are recorded, then an examination is held.
type moment struct {
	at     time.Time
	asks   []lifeQuestion
	events []memory.Event
	exam   *lifeExam
}

// lifeQuestion asks what the session that is about to begin will open.
type lifeQuestion struct {
	project memory.ProjectID
	text    string
	open    []string
	want    []string
}

// lifeExam names what is known to be true at a moment.
type lifeExam struct {
	month    int
	day      int
	together []pathPair // belong together and were worked on of late
	apart    []pathPair // met by chance, long ago
}

// pathPair is two files of a project.
type pathPair struct {
	project memory.ProjectID
	a, b    string
}

func (p pathPair) turned() pathPair { return pathPair{p.project, p.b, p.a} }

// workFile is a file through all its names.
type workFile struct {
	number  int
	project *workProject
	path    string
	busy    bool // in a feature that is worked on
	changed bool // in the session at hand
}

// feature is a few files that belong together.
type feature struct {
	words []string
	files []*workFile
	until int // day on which it retires
}

type workProject struct {
	place    memory.Place
	folders  []string
	files    []*workFile
	shared   []*workFile
	features []*feature
	most     int // features at a time
}

// filePair is two files, the smaller number first.
type filePair [2]int

// planner makes a plan from a seed.
type planner struct {
	random   *rand.Rand
	days     int
	projects []*workProject
	files    []*workFile
	count    int
	sessions int
	// together and apart say when a pair was met last: on purpose, by chance. What ever was met on purpose is not apart.
	together, apart map[filePair]time.Time
	moments         plan
}

func newPlan(seed uint64, days, projects int) plan {
	p := &planner{
		random: rand.New(rand.NewPCG(seed, 365)), days: days,
		together: map[filePair]time.Time{}, apart: map[filePair]time.Time{},
	}
	for i := range projects {
		p.found(i)
	}
	month := 1
	for day := range days {
		if midnight := lifeBegin.AddDate(0, 0, day); midnight.Equal(lifeBegin.AddDate(0, month, 0)) {
			p.examine(midnight, month, day)
			month++
		}
		p.drift(day)
		p.work(day)
	}
	p.examine(lifeBegin.AddDate(0, 0, days), month, days)
	return p.moments
}

// found begins a project: its folders are committed one by one.
func (p *planner) found(i int) {
	name := fmt.Sprintf("/life/project%d", i+1)
	w := &workProject{place: memory.Place{Identity: name + "/.git", Root: name}, most: max(2, lifeFeatures-i)}
	p.projects = append(p.projects, w)
	var events []memory.Event
	for n := range lifeFolders {
		folder := fmt.Sprintf("%s/%s%d", p.word(), p.word(), n)
		w.folders = append(w.folders, folder)
		var touches []memory.Touch
		for range lifePerFolder {
			f := p.newFile(w, folder, p.word())
			touches = append(touches, memory.Touch{Kind: memory.Edit, Path: f.path})
		}
		events = append(events, p.commit(w, lifeBegin.Add(time.Duration(n-lifeFolders)*time.Hour), "begin the "+folder, touches))
	}
	w.shared = w.files[:lifeShared]
	p.moments = append(p.moments, moment{at: lifeBegin, events: events})
}

func (p *planner) word() string { return largeWords[p.random.IntN(len(largeWords))] }

func (p *planner) newFile(w *workProject, folder, about string) *workFile {
	f := &workFile{number: len(p.files), project: w, path: fmt.Sprintf("%s/%s_%s%d.go", folder, about, p.word(), len(p.files))}
	p.files, w.files = append(p.files, f), append(w.files, f)
	return f
}

func (p *planner) chance(share float64) bool { return p.random.Float64() < share }

// between draws a number from least to most.
func (p *planner) between(least, most int) int { return least + p.random.IntN(most-least+1) }

// drift lets features retire and others begin. A new one takes new files and old ones that nobody works on.
func (p *planner) drift(day int) {
	for _, w := range p.projects {
		w.features = slices.DeleteFunc(w.features, func(f *feature) bool {
			if f.until > day {
				return false
			}
			for _, file := range f.files {
				file.busy = false
			}
			return true
		})
		for len(w.features) < w.most {
			w.features = append(w.features, p.newFeature(w, day))
		}
	}
}

func (p *planner) newFeature(w *workProject, day int) *feature {
	f := &feature{words: []string{p.word(), p.word(), p.word()}, until: day + p.between(lifeShortest, lifeLongest)}
	if day == 0 { // those that were begun before
		f.until = day + p.between(1, lifeLongest)
	}
	home := w.folders[p.random.IntN(len(w.folders))]
	next := w.folders[p.random.IntN(len(w.folders))]
	var idle []*workFile
	for _, file := range w.files {
		if in := path.Dir(file.path); !file.busy && !slices.Contains(w.shared, file) && (in == home || in == next) {
			idle = append(idle, file)
		}
	}
	p.random.Shuffle(len(idle), func(i, j int) { idle[i], idle[j] = idle[j], idle[i] })
	f.files = append(f.files, idle[:min(len(idle), p.between(2, 3))]...)
	for range p.between(2, 3) {
		f.files = append(f.files, p.newFile(w, home, f.words[p.random.IntN(len(f.words))]))
	}
	for _, file := range f.files {
		file.busy = true
	}
	return f
}

// work fills a day with sessions, one after the other.
func (p *planner) work(day int) {
	at := lifeBegin.AddDate(0, 0, day)
	if at.Weekday() == time.Saturday || at.Weekday() == time.Sunday || p.away(day) {
		return
	}
	n, hot := len(p.projects), day/7%lifeHotWeek == lifeHotWeek/2
	sessions := p.between(max(1, n-1), n+1)
	if hot {
		sessions += 2
	}
	at = at.Add(9 * time.Hour)
	for range sessions {
		w := p.projects[0]
		for i := range p.projects { // each further project has half the work of the one before, the last as much as that
			if w = p.projects[i]; p.chance(.5) {
				break
			}
		}
		on := []*feature{w.features[p.random.IntN(len(w.features))]}
		if hot && p.chance(lifeOnTheHot) {
			on[0] = w.features[len(w.features)-1]
		}
		if other := w.features[p.random.IntN(len(w.features))]; other != on[0] && p.chance(lifeTwo) {
			on = append(on, other)
		}
		at = p.session(w, on, p.looks(day), at).Add(time.Duration(p.between(5, 60)) * time.Minute)
	}
}

// away says that nobody works: two holidays, in a life that is long enough for them.
func (p *planner) away(day int) bool {
	if p.days < lifeRest {
		return false
	}
	for _, begins := range []int{p.days * 3 / 10, p.days * 3 / 4} {
		if day >= begins && day < begins+lifeHoliday {
			return true
		}
	}
	return false
}

// looks is how many files a session opens by chance: one or two, and many in the noisy month.
func (p *planner) looks(day int) int {
	if begins := p.days * 2 / 5; day >= begins && day < begins+min(lifeNoise, p.days/4) {
		return p.between(6, 12)
	}
	return p.between(0, 2)
}

// session is one run of an agent: it opens files of its features again and again, and a few by chance.
func (p *planner) session(w *workProject, on []*feature, looks int, at time.Time) (end time.Time) {
	var purpose, stray []*workFile
	var own [][]*workFile
	for _, f := range on {
		opened := p.some(f.files)
		own, purpose = append(own, opened), append(purpose, opened...)
	}
	along := slices.Clone(purpose)
	if p.chance(lifeSharedBy) {
		along = append(along, w.shared[p.random.IntN(len(w.shared))])
	}
	for len(stray) < looks && len(along)+len(stray) < lifeWindow {
		f := w.files[p.random.IntN(len(w.files))]
		if !slices.Contains(stray, f) && !slices.Contains(w.shared, f) && !slices.ContainsFunc(on, func(on *feature) bool { return slices.Contains(on.files, f) }) {
			stray = append(stray, f)
		}
	}
	var touched []*workFile
	for _, f := range along {
		for range p.between(1, 4) {
			touched = append(touched, f)
		}
	}
	touched = append(touched, stray...)
	p.random.Shuffle(len(touched), func(i, j int) { touched[i], touched[j] = touched[j], touched[i] })

	end = p.record(w, on[0], touched, stray, at)
	p.learnTruth(own, along, stray, end)
	if p.chance(lifeCommits) {
		p.commitWork(w, on[0], purpose, end)
		end = end.Add(time.Minute)
	}
	return end
}

// some are the files of a feature that one session opens, two at least.
func (p *planner) some(files []*workFile) (opened []*workFile) {
	for i, n := range p.random.Perm(len(files)) {
		if i < 2 || p.chance(lifeOften) {
			opened = append(opened, files[n])
		}
	}
	return opened
}

// record makes the events of a session as hooks would, a moment for each turn.
func (p *planner) record(w *workProject, on *feature, touched, stray []*workFile, at time.Time) time.Time {
	p.sessions++
	name := fmt.Sprintf("life-%d", p.sessions)
	add := func(m *moment, kind memory.EventKind, tool, text string, touches ...memory.Touch) {
		p.count++
		origin := memory.OriginTool
		if kind == memory.Prompted {
			origin = memory.OriginUser
		}
		m.events = append(m.events, memory.Event{
			ID: memory.DerivedEventID("life", fmt.Sprint(p.count)), At: at, Kind: kind, Origin: origin, Agent: "claude-code", AgentSession: name,
			Place: w.place, Tool: tool, Text: text, Touches: touches,
		})
	}
	seen := map[*workFile]bool{}
	for _, f := range touched {
		f.changed = false
	}
	for turn := range slices.Chunk(touched, lifeTurn) {
		m := moment{}
		prompt := fmt.Sprintf("%s the %s of the %s %s", p.word(), p.word(), on.words[p.random.IntN(len(on.words))], on.words[p.random.IntN(len(on.words))])
		if len(seen) == 0 {
			m.asks = questions(w, prompt, touched, stray)
			add(&m, memory.SessionStarted, "", "")
		}
		add(&m, memory.Prompted, "", prompt)
		for _, f := range turn {
			at = at.Add(time.Duration(p.between(10, 50)) * time.Second)
			kind, tool := memory.Read, "Read"
			if seen[f] && p.chance(.6) {
				kind, tool, f.changed = memory.Edit, "Edit", true
			}
			seen[f] = true
			add(&m, memory.ToolUsed, tool, "", memory.Touch{Kind: kind, Path: f.path})
		}
		at = at.Add(20 * time.Second)
		add(&m, memory.TurnEnded, "", "done with the "+on.words[0])
		m.at = at
		p.moments = append(p.moments, m)
		at = at.Add(time.Duration(p.between(2, 8)) * time.Minute)
	}
	m := moment{at: at}
	add(&m, memory.SessionEnded, "", "")
	p.moments = append(p.moments, m)
	return at
}

// questions ask for what a session opens on purpose: from its first prompt, and from the first of these files.
func questions(w *workProject, prompt string, touched, stray []*workFile) []lifeQuestion {
	var want []string
	for _, f := range touched {
		if !slices.Contains(want, f.path) && !slices.Contains(stray, f) && !slices.Contains(w.shared, f) {
			want = append(want, f.path)
		}
	}
	id := w.place.Project()
	return []lifeQuestion{{project: id, text: prompt, want: want}, {project: id, text: prompt, open: want[:1], want: want[1:]}}
}

// learnTruth notes what was met on purpose and what by chance.
func (p *planner) learnTruth(own [][]*workFile, along, stray []*workFile, at time.Time) {
	for _, files := range own {
		for i, a := range files {
			for _, b := range files[i+1:] {
				pair := filePair{min(a.number, b.number), max(a.number, b.number)}
				p.together[pair] = at
				delete(p.apart, pair)
			}
		}
	}
	all := append(slices.Clone(along), stray...)
	for i, a := range all {
		for j, b := range all[:i] {
			pair := filePair{min(a.number, b.number), max(a.number, b.number)}
			_, known := p.apart[pair]
			_, belongs := p.together[pair]
			if (known || max(i, j) >= len(along)) && !belongs {
				p.apart[pair] = at
			}
		}
	}
}

// commitWork commits what a session changed of its features. Some commits give a file another name.
func (p *planner) commitWork(w *workProject, on *feature, purpose []*workFile, at time.Time) {
	var touches []memory.Touch
	for _, f := range purpose {
		if f.changed {
			touches = append(touches, memory.Touch{Kind: memory.Edit, Path: f.path})
			if len(touches) == 1 && p.chance(lifeRenames) {
				from := f.path
				f.path = path.Dir(from) + "/" + p.word() + "_" + strings.TrimPrefix(path.Base(from), "old_")
				touches[0] = memory.Touch{Kind: memory.Rename, Path: f.path, From: from}
			}
		}
	}
	if len(touches) > 0 {
		subject := fmt.Sprintf("%s: %s the %s", on.words[0], p.word(), on.words[p.random.IntN(len(on.words))])
		at = at.Add(time.Minute)
		p.moments = append(p.moments, moment{at: at, events: []memory.Event{p.commit(w, at, subject, touches)}})
	}
}

func (p *planner) commit(w *workProject, at time.Time, subject string, touches []memory.Touch) memory.Event {
	p.count++
	id := memory.DerivedEventID("life", fmt.Sprint(p.count))
	return memory.Event{
		ID: id, At: at, Kind: memory.Committed, Origin: memory.OriginRepo, Agent: memory.AgentGit, Place: w.place,
		Input: string(id), Text: subject, Touches: touches,
	}
}

// examine writes down what is true at a moment.
func (p *planner) examine(at time.Time, month, day int) {
	e := lifeExam{month: month, day: day}
	late := time.Duration(min(lifeLate, p.days/2)) * 24 * time.Hour
	for pair, last := range p.together {
		if at.Sub(last) <= late {
			e.together = append(e.together, p.named(pair))
		}
	}
	for pair, last := range p.apart {
		if at.Sub(last) > late {
			e.apart = append(e.apart, p.named(pair))
		}
	}
	for _, pairs := range [][]pathPair{e.together, e.apart} {
		slices.SortFunc(pairs, func(a, b pathPair) int { return strings.Compare(a.a+"\n"+a.b, b.a+"\n"+b.b) })
	}
	p.moments = append(p.moments, moment{at: at, exam: &e})
}

func (p *planner) named(pair filePair) pathPair {
	a, b := p.files[pair[0]], p.files[pair[1]]
	return pathPair{a.project.place.Project(), a.path, b.path}
}
