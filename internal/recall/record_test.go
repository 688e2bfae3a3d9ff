package recall

import (
	"fmt"
	"github.com/hebb-memory/hebb/internal/must"
	"testing"
	"time"
)

// visits is a past in which every session opens a handler, then its page: two folders that no commit has together.
func visits(sessions int) (*Image, []Course) {
	m := NewImage()
	names := []string{"till", "door", "shelf", "lamp", "bell", "rack"}
	for i, n := range names {
		m.Commit(day.Add(time.Duration(i)*time.Minute), int64(1000+i), "add "+n, edits("api/"+n+".go"), false)
		m.Commit(day.Add(time.Duration(i)*time.Minute+time.Second), int64(2000+i), "draw "+n, edits("pages/"+n+".vue", "pages/style.css"), false)
	}
	var courses []Course
	for i := range sessions {
		n := names[i%len(names)]
		start := day.AddDate(0, 0, 1+i)
		opened := []Opened{{Path: "api/" + n + ".go", Prompt: "the " + n + " is late"}, {Path: "pages/" + n + ".vue"}}
		m.Session(start.Add(time.Hour), int64(i+1), opened, 12, 50)
		from, _ := m.Find(opened[0].Path)
		to, _ := m.Find(opened[1].Path)
		courses = append(courses, Course{
			Started: start, Prompts: []Spoken{{Text: opened[0].Prompt}}, Files: []FileNo{from, to},
		})
	}
	return m, courses
}

func trained(t *testing.T, m *Image, courses []Course) *Habits {
	t.Helper()
	return must.Get(NewRanker(m).Rehearse(courses).Teach(nil, lessons(), func(float64) error { return nil }))(t)
}

func TestSessionsTeachTheWeightsOfEveryFormTheyAsk(t *testing.T) {
	t.Parallel()
	m, courses := visits(60)
	h := trained(t, m, courses)
	for _, f := range []Form{OpenByWords, OpenByBoth, OpenByFiles} {
		if h.own[f].shift == (Features{}) {
			t.Errorf("%s: nothing was learned", f)
		}
	}
	api, _ := m.Find("api/lamp.go")
	q := Question{Open: []FileNo{api}, At: day.AddDate(1, 0, 0), InSession: true}
	gap := func(r *Ranker) float64 { a := r.Rank(q, 10); return a[0].Score - a[1].Score }
	r := NewRanker(m)
	before := gap(r)
	r.Adopt(h)
	if after := gap(r); after <= before {
		t.Errorf("the page of the lamp is ahead by %.3f, before by %.3f", after, before)
	}
	if with := trained(t, m, nil); with.own[OpenByBoth].shift != (Features{}) {
		t.Error("learned without a session to ask about")
	}
}

func TestAProjectLearnsWhatItsSearchesAreWorth(t *testing.T) {
	t.Parallel()
	worth := func(printed string) float64 {
		m, courses := visits(60)
		for i := range courses {
			found := courses[i].Files[1]
			if printed != "" {
				found, _ = m.Find(printed)
			}
			courses[i].Listed = []Search{{Files: []FileNo{found}, Opened: 1}}
		}
		return trained(t, m, courses).own[OpenByFiles].shift[Listed][byFigure]
	}
	if right, wrong := worth(""), worth("pages/style.css"); right <= 0 || wrong >= 0 {
		t.Errorf("searches that print the next file count for %.3f more, those that never do for %.3f", right, wrong)
	}
}

func TestASessionIsAskedAboutBeforeAnyOfItIsKnown(t *testing.T) {
	t.Parallel()
	m := NewImage()
	m.Commit(day, 1, "begin", edits("a.go", "b.go", "c.go"), false)
	a, _ := m.Find("a.go")
	start := day.AddDate(0, 0, 1)
	m.Commit(start.Add(time.Minute), 2, "late lamp", edits("b.go"), false) // made by the session
	m.Session(start.Add(time.Hour), 7, []Opened{{Path: "a.go", Prompt: "late lamp"}, {Path: "b.go"}}, 12, 50)
	re := NewRanker(m).Rehearse([]Course{{Started: start, Prompts: []Spoken{{Text: "late lamp"}}, Files: []FileNo{a, 1}}})
	tune := lessons()
	tune.From = 0
	h := must.Get(re.Teach(nil, tune, func(float64) error { return nil }))(t)
	// Nothing before the session knows these words: a question that could be answered would have moved the weights.
	if h.own[OpenByWords] != (ownWeights{}) {
		t.Errorf("its own words led somewhere: %+v", h.own[OpenByWords])
	}
}

func TestOwnWeightsThatFellBehindAreNotUsed(t *testing.T) {
	t.Parallel()
	m, courses := visits(60)
	h := trained(t, m, courses)
	api, _ := m.Find("api/lamp.go")
	q := Question{Open: []FileNo{api}, At: day.AddDate(1, 0, 0), InSession: true}
	r := NewRanker(m)
	plain := r.Rank(q, 1)[0].Score
	r.Adopt(h)
	if own := r.Rank(q, 1)[0].Score; own == plain {
		t.Fatal("own weights make no difference")
	}
	h.own[OpenByFiles].lead = -0.1
	near(t, "behind", r.Rank(q, 1)[0].Score, plain)
}

// outcomes teach a record that elsewhere answers as sure as these are right in nine and in six of ten cases.
func outcomes(r *record, times int, right func(i int) []bool) {
	for i := range times {
		r.learn(Outcome{Ranked{Chances: []float64{.9, .6}}, right(i)})
	}
}

func TestTheRecordFindsHowOftenAnswersAreRight(t *testing.T) {
	t.Parallel()
	var r record
	outcomes(&r, 600, func(i int) []bool { return []bool{i%4 != 0, i%4 == 0} })
	if p := r.chance(.9); p < .65 || p > .85 {
		t.Errorf("three in four were right; the chance is %.2f", p)
	}
	if p := r.chance(.6); p < .15 || p > .4 {
		t.Errorf("one in four was right; the chance is %.2f", p)
	}
	outcomes(&r, 100, func(int) []bool { return []bool{true, true} })
	if p := r.chance(.6); p < Gate(.67) {
		t.Errorf("of late all were right; the chance is %.2f", p)
	}
}

func TestARankedFileIsJudgedByWhatIsOpenedAfterThePrompt(t *testing.T) {
	t.Parallel()
	many := make([]string, 40)
	for i := range many {
		many[i] = fmt.Sprintf("file%d.go", i)
	}
	first := Ranked{Form: OpenByWords, Files: []string{"till.go", "door.go", "file30.go"}, Chances: []float64{.6, .5, .4}}
	for _, c := range []struct {
		name          string
		before, after []string
		want          string
	}{
		{"one", nil, []string{"lamp.go", "door.go", "door.go"}, "[false true false]"},
		{"open before", []string{"door.go"}, []string{"door.go", "till.go"}, "[true false false]"},
		{"among the first of many", nil, append([]string{"till.go"}, many...), "[true false false]"},
		{"nothing", nil, nil, ""},
		{"nothing new", []string{"till.go"}, []string{"till.go"}, ""},
	} {
		if o, judged := first.Judge(c.before, c.after); judged != (c.want != "") || judged && fmt.Sprint(o.Right) != c.want {
			t.Errorf("%s: %v, %v, want %s", c.name, o.Right, judged, c.want)
		}
	}
	for _, damaged := range []Ranked{{}, {Form: NumForms, Files: []string{"a"}, Chances: []float64{1}}, {Form: OpenByWords, Files: first.Files}} {
		if _, judged := damaged.Judge(nil, many); judged {
			t.Errorf("judged: %+v", damaged)
		}
	}
}

func TestAShortPromptGoesOnWithWhatWasSaidBefore(t *testing.T) {
	t.Parallel()
	earlier := []string{"remove the old lexer tables", "hello"}
	if got := InContext("yes, delete them", earlier); got != "yes, delete them remove the old lexer tables" {
		t.Errorf("%q", got)
	}
	if got := InContext("rename the parser module everywhere", earlier); got != "rename the parser module everywhere" {
		t.Errorf("%q", got)
	}
}
