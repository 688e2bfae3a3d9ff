package goals

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/vocab"
)

var noon = time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC)

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func days(n float64) time.Duration { return time.Duration(n * float64(day)) }

// stated is an active goal with the concepts of its title.
func stated(id, title string) memory.Goal {
	return memory.Goal{
		ID: memory.GoalID(id), Title: title, Kind: memory.GoalAim, Status: memory.GoalActive, Tractability: 1, Origin: memory.OriginUser,
		CreatedAt: noon, Concepts: Concepts(vocab.Words(title), 24),
	}
}

func TestV21Priority(t *testing.T) {
	t.Parallel()
	const never = -1
	for _, c := range []struct {
		days, mentioned, tractability float64
		links                         int
		want                          float64
	}{
		{0, 0, 1, 0, 3.0},
		{0, 0, 1, 3, 3.9},
		{7, never, 1, 0, .3679},
		{7, 0, .5, 2, .6622},
		{1, 24, .5, 1, .8276},
		{2, 48, .2, 0, .1910},
		{30, never, 1, 5, .0206},
		{0, 0, 0, 4, 0},
	} {
		g := memory.Goal{Status: memory.GoalActive, Tractability: c.tractability, TouchedAt: noon.Add(-days(c.days))}
		if c.mentioned != never {
			g.MentionedAt = noon.Add(-time.Duration(c.mentioned * float64(time.Hour)))
		}
		p := PriorityOf(g, c.links, noon)
		if !near(p.Score, c.want, 1e-4) {
			t.Errorf("%+v: %.4f", c, p.Score)
		}
		if product := p.Recency * p.Mention * p.Tractability * p.Connections; p.Score != product || len(p.Reasons) != 4 {
			t.Errorf("%+v does not explain itself: %+v", c, p)
		}
	}
}

func TestV21AMentionFadesWithinAWeek(t *testing.T) {
	t.Parallel()
	for hours, want := range map[float64]float64{0: 3, 6: 2.5576, 12: 2.2131, 24: 1.7358, 48: 1.2707, 168: 1.0018, -3: 3} {
		if got := Mention(time.Duration(hours * float64(time.Hour))); !near(got, want, 1e-4) {
			t.Errorf("%v h: %.4f, want %.4f", hours, got, want)
		}
	}
}

func TestTheFactorsAreToldInWords(t *testing.T) {
	t.Parallel()
	g := memory.Goal{Status: memory.GoalActive, Tractability: .5, TouchedAt: noon.Add(-days(3)), MentionedAt: noon.Add(-90 * time.Minute)}
	want := []string{
		"recency 0.65: worked on 3 days ago", "mention 2.88: mentioned 1 hour ago", "tractability 0.50: may need a review",
		"connections 1.10: 1 active goal shares a link",
	}
	if got := PriorityOf(g, 1, noon).Reasons; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	g = memory.Goal{Status: memory.GoalBlocked, Tractability: 1, CreatedAt: noon}
	want = []string{
		"recency 1.00: stated just now", "mention 1.00: never mentioned by a person", "tractability 0.00: blocked",
		"connections 1.00: no active goal shares a link",
	}
	if p := PriorityOf(g, 0, noon); !slices.Equal(p.Reasons, want) || p.Score != 0 {
		t.Errorf("%q", p.Reasons)
	}
}

func TestGoalsThatShareALinkLiftEachOther(t *testing.T) {
	t.Parallel()
	goals := []memory.Goal{stated("a", "one"), stated("b", "two"), stated("c", "three"), stated("d", "four"), stated("e", "five"), stated("f", "six")}
	goals[0].Links = memory.GoalLinks{Files: []string{"x.go", "y.go", "y.go"}}
	goals[1].Links.Files = []string{"x.go", "y.go"} // two shared files are one connected goal
	goals[2].Links.Crystals = []memory.CrystalID{"x.go"}
	goals[4].Links.Files, goals[4].Status = []string{"x.go"}, memory.GoalDone
	goals[5].Links.Files, goals[5].Status = []string{"y.go"}, memory.GoalIncubating
	want := map[memory.GoalID]int{"a": 1, "b": 1, "c": 0, "d": 0, "e": 2, "f": 2}
	for id, n := range connections(goals) {
		if n != want[id] {
			t.Errorf("%s has %d connected goals, want %d", id, n, want[id])
		}
	}
}

func TestTheOrderDoesNotDependOnTheInput(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(21, 21))
	for range 200 {
		goals := make([]memory.Goal, 1+random.IntN(20))
		for i := range goals {
			goals[i] = memory.Goal{
				ID: memory.GoalID(fmt.Sprint(i)), Status: memory.GoalStatuses[random.IntN(len(memory.GoalStatuses))],
				Tractability: []float64{0, .2, .5, 1, 3, -1}[random.IntN(6)], CreatedAt: noon.Add(-days(float64(random.IntN(3)))),
			}
			goals[i].Links.Files = []string{fmt.Sprint(random.IntN(5))}
			if random.IntN(2) == 0 {
				goals[i].MentionedAt = noon.Add(-days(float64(random.IntN(3))))
			}
		}
		want := Order(goals, noon)
		random.Shuffle(len(goals), func(i, j int) { goals[i], goals[j] = goals[j], goals[i] })
		got := Order(goals, noon)
		open := 0
		for _, g := range goals {
			if g.Status.Open() {
				open++
			}
		}
		if len(got) != open {
			t.Fatalf("%d of %d open goals are ranked", len(got), open)
		}
		for i := range got {
			if got[i].Goal.ID != want[i].Goal.ID || math.IsNaN(got[i].Priority.Score) || i > 0 && got[i].Priority.Score > got[i-1].Priority.Score {
				t.Fatalf("place %d: %+v, before %+v", i, got[i], want[i])
			}
		}
		for _, g := range Direct(got) {
			if g.Goal.Status != memory.GoalActive || g.Priority.Score <= 0 {
				t.Fatalf("suggested: %+v", g)
			}
		}
	}
}

func TestATitleIsOneLineOrRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"  Wire\tthe\r\nstore ": "Wire the store", strings.Repeat("ä", 100): strings.Repeat("ä", 100),
	} {
		if got, err := Title(text); got != want || err != nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{" \n": "say in a few words", strings.Repeat("ä", 101): "at most 100 fit; keep the rest as its text"} {
		if _, err := Title(text); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
