package recall

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

// pointed gives the files of a project directions of two dimensions: login points one way, the cache the other.
func pointed(m *Image) *FileVectors {
	d := NewFileVectors(2)
	for _, f := range d.Stale(m) {
		switch m.File(f).Path {
		case "web/login.go", "web/session.go":
			d.Set(f, []float32{.9, .1})
		case "store/cache.go", "store/lru.go":
			d.Set(f, []float32{-.1, .8})
		default:
			d.Set(f, []float32{0, 0})
		}
	}
	return d
}

func TestWithoutDirectionsNothingChanges(t *testing.T) {
	m := project()
	q := Question{Text: "login and cache", At: day.AddDate(0, 1, 0), Vector: memory.Vector{127, 0}}
	plain := NewRanker(m).Rank(Question{Text: q.Text, At: q.At}, 10)
	r := NewRanker(m)
	r.Point(pointed(m))
	r.Rank(q, 10)
	r.Point(nil)
	if got := r.Rank(q, 10); !reflect.DeepEqual(got, plain) {
		t.Errorf("with a direction and nothing to compare it with:\n%v\nwant\n%v", got, plain)
	}
}

func TestMeaningSpeaksForWhatPointsTheSameWay(t *testing.T) {
	m := project()
	r := NewRanker(m)
	r.Point(pointed(m))
	r.Rank(Question{Text: "fix configuration", At: day.AddDate(0, 1, 0), Vector: memory.Vector{0, 100}}, 10)
	of := func(t Term, path string) float64 {
		n, _ := m.Find(path)
		return r.figure(t, n)
	}
	near(t, "the cache", of(Meaning, "store/cache.go"), .8)
	near(t, "the login, a little", math.Round(of(Meaning, "web/login.go")*100)/100, .1)
	near(t, "a file without direction", of(Meaning, "docs/config.md"), 0)
	login, _ := m.Find("web/login.go")
	r.Rank(Question{Open: []FileNo{login}, At: day.AddDate(0, 1, 0)}, 10)
	if a, b := of(OpenMeaning, "web/session.go"), of(OpenMeaning, "store/cache.go"); a < .8 || b != 0 {
		t.Errorf("beside an open login: session %v, cache %v", a, b)
	}
	near(t, "no words, no meaning", of(Meaning, "web/session.go"), 0)
}

func TestDirectionsAreReadBackAsTheyWere(t *testing.T) {
	d := pointed(project())
	packed := d.Encode()
	back, err := DecodeFileVectors(packed)
	if err != nil || back.Dims() != d.Dims() || back.files != d.files || back.Episodes() != d.Episodes() {
		t.Fatalf("read back: %v, %v", back, err)
	}
	for f := range FileNo(d.files) {
		scale, row := d.vector(f)
		if gotScale, gotRow := back.vector(f); gotScale != scale || !slices.Equal(gotRow, row) {
			t.Errorf("file %d: %v × %v, read back %v × %v", f, scale, row, gotScale, gotRow)
		}
	}
	for n := range len(packed) {
		if _, err := DecodeFileVectors(packed[:n]); !errors.Is(err, memory.ErrDamaged) {
			t.Fatalf("the first %d bytes: %v", n, err)
		}
	}
}

func TestStaleDirections(t *testing.T) {
	m := project()
	d := pointed(m)
	if stale := d.Stale(m); len(stale) > 0 {
		t.Errorf("just made, and %v are stale", stale)
	}
	m.Commit(day.AddDate(0, 2, 0), 100, "two more", edits("web/login.go", "web/new.go", "web/login.go"), false)
	login, _ := m.Find("web/login.go")
	added, _ := m.Find("web/new.go")
	if stale := d.Stale(m); !reflect.DeepEqual(stale, []FileNo{login, added}) {
		t.Errorf("after a commit on %v and %v: %v", login, added, stale)
	}
}
